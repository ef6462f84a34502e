// SPDX-License-Identifier: Apache-2.0
//
// Every cell has a slot, which is that of its label, and every slot has sums. As sums are exact,
// what a cell added to its slot can be taken away again (core/statistics/exact_sum.hpp). Two
// numbers of a region only grow so: its box, and its greatest distance. A region that loses a cell
// at the edge of its box, or with its greatest distance, becomes loose, and the cells of its box
// are looked at when its row is wanted.
#include "thiessen/solvers/region_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/base/make_room.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/statistics/label_slots.hpp"
#include "core/statistics/problem.hpp"
#include "core/statistics/tables.hpp"
#include "solvers/kept_raster.hpp"
#include "solvers/region_pairs.hpp"
#include "solvers/update_checks.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

using solvers::KeptRaster;
using solvers::RegionPairs;
using solvers::with_errors;

/// A value as mantissa·2^(lowest + shift), where `lowest` is that of its type.
struct FixedValue {
  Int128 mantissa = 0;
  int shift = 0;
};

template <class T>
constexpr int lowest_of() {
  if constexpr (std::is_floating_point_v<T>) return ExactSum<T>::kLowest;
  return 0;
}
/// Words of a sum of as many values as there can be cells, each times a coordinate.
template <class T>
constexpr int words_of() {
  if constexpr (std::is_floating_point_v<T>) return ExactSum<T>::kWords;
  return (64 + 63 + 31 + 1 + 63) / 64;
}
int lowest_of(ElementType type) {
  return visit_element_type(type, []<class T>(std::type_identity<T>) { return lowest_of<T>(); });
}
int words_of(ElementType type) {
  return visit_element_type(type, []<class T>(std::type_identity<T>) { return words_of<T>(); });
}

FixedValue to_fixed_value(ElementType type, const std::byte* element) {
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) -> FixedValue {
    T value;
    std::memcpy(&value, element, sizeof value);
    if (type == ElementType::boolean) return {value != 0 ? 1 : 0, 0};
    if constexpr (std::is_floating_point_v<T>) {
      const BinaryParts parts = parts_of(value);
      return {parts.mantissa, parts.exponent - lowest_of<T>()};
    } else {
      return {static_cast<Int128>(value), 0};
    }
  });
}

/// The value of a float type; of others 0, as all of them are finite.
double to_double(ElementType type, const std::byte* element) {
  if (type == ElementType::f64) {
    double value;
    std::memcpy(&value, element, sizeof value);
    return value;
  }
  float value = 0;
  if (type == ElementType::f32) std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

class RegionStatistics::State {
 public:
  virtual ~State() = default;
  virtual void start(Progress& progress) = 0;
  virtual void update(std::span<const std::int64_t> cells) = 0;
  virtual void changes(RegionChanges& changes) = 0;
  virtual void statistics(const View<const void>& labels, SiteStatistics& table) = 0;
  virtual void adjacency(const View<const void>& labels, Adjacency& table) = 0;
  virtual std::size_t bytes() const = 0;
};

template <int kRank>
class RegionStatistics::Regions final : public State {
 public:
  Regions(const StatisticsProblem& problem, Connectivity connectivity)
      : problem_(problem),
        extent_(problem.raster.extent),
        labels_(problem.raster.left_out),
        slots_(static_cast<std::size_t>(extent_[0] * extent_[1] * extent_[2]), kLeftOut),
        mass_(words_of(problem.field.element_type())),
        distance_sums_(words_of(problem.distance.element_type())),
        pairs_(extent_, connectivity) {
    if (problem.field) field_.emplace(problem.field);
    if (problem.distance) distance_.emplace(problem.distance);
    grow();
  }

  void start(Progress& progress) override {
    progress.begin(count());
    for (std::int64_t row = 0; row < extent_[0] * extent_[1] && extent_[2] > 0; ++row) {
      for (std::int64_t x = 0; x < extent_[2]; ++x) {
        const std::int64_t cell = row * extent_[2] + x;
        const std::uint32_t slot = slot_now(cell);
        if (regions_.size() < labels_.size()) grow();
        check_field(cell, slot);
        if (field_) field_->keep(cell);
        if (distance_) distance_->keep(cell);
        slots_[static_cast<std::size_t>(cell)] = slot;
        add_place(slot, cell, 1);
        add_values(slot, cell, 1);
      }
      progress.advance(extent_[2]);
      progress.check();
    }
    pairs_.count_all(slots_);
  }

  void update(std::span<const std::int64_t> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] < 0 || cells[i] >= count())
        refuse("cells[" + std::to_string(i) + "]", std::to_string(cells[i]),
               "must be from 0 to " + std::to_string(count() - 1));
    for (const std::int64_t cell : cells) check_field(cell, slot_now(cell));
    grow();
    for (const std::int64_t cell : cells) read_again(cell);
  }

  void changes(RegionChanges& changes) override {
    keys_.clear();
    for (const std::uint32_t slot : touched_) keys_.push_back(labels_.key(slot));
    sort_by_label(keys_);
    put_labels(keys_, type(), changes.labels);
    list_changed_pairs(true);
    put_pairs(changes.came_a, changes.came_b);
    list_changed_pairs(false);
    put_pairs(changes.went_a, changes.went_b);
    for (const std::uint32_t slot : touched_) regions_[slot].is_touched = false;
    touched_.clear();
    pairs_.forget_changes();
    try {
      forget_dead();
    } catch (const std::bad_alloc&) {  // then they stay until the next time
    }
  }

  void statistics(const View<const void>& labels, SiteStatistics& table) override {
    find_wanted(labels);
    std::erase_if(wanted_, [&](std::uint32_t slot) { return !has_cells(slot); });
    tighten();
    table.rank = kRank;
    begin_rows(wanted_.size(), table);
    keys_.clear();
    for (const std::uint32_t slot : wanted_) {
      keys_.push_back(labels_.key(slot));
      append_place(regions_[slot].place, problem_.raster, table);
      if (field_) {
        const int lowest = lowest_of(field_->element_type());
        append_mass<kRank>([&](int i) { return mass_.rounded(slot, i, lowest); }, problem_.raster,
                           table);
      }
      if (distance_)
        append_distances(regions_[slot].distance,
                         distance_sums_.rounded(slot, 0, lowest_of(distance_->element_type())),
                         table);
    }
    put_labels(keys_, type(), table.labels);
  }

  void adjacency(const View<const void>& labels, Adjacency& table) override {
    pair_rows_.clear();
    const auto add = [&](std::uint32_t id) { add_pair_row(id); };
    if (labels) {
      find_wanted(labels);
      for (const std::uint32_t slot : wanted_) pairs_.for_each_of(slot, add);
    } else {
      pairs_.for_each(add);
    }
    sort_pair_rows();
    put_pairs(table.a, table.b);
    table.contacts.clear();
    table.boundary.clear();
    const std::array<double, kAxes> faces = faces_of_cell(problem_.raster);
    for (const PairRow& row : pair_rows_) {
      const Boundary boundary = boundary_of(pairs_.counts(row.id), faces);
      table.contacts.push_back(boundary.contacts);
      table.boundary.push_back(boundary.size);
    }
  }

  std::size_t bytes() const override {
    return slots_.capacity() * sizeof slots_[0] + regions_.capacity() * sizeof regions_[0] +
           labels_.bytes() + mass_.bytes() + distance_sums_.bytes() + pairs_.bytes() +
           (touched_.capacity() + wanted_.capacity() + loose_.capacity()) * sizeof touched_[0] +
           keys_.capacity() * sizeof keys_[0] + pair_rows_.capacity() * sizeof pair_rows_[0] +
           (field_ ? field_->bytes() : 0) + (distance_ ? distance_->bytes() : 0);
  }

 private:
  using Cell = std::array<std::int64_t, kRank>;

  struct Region {
    LabelPlace<kRank, UInt128> place;
    DistanceCounts distance;
    bool is_loose = false;  ///< its box may be too large, and its greatest distance too great
    bool is_touched = false;
  };

  /// A pair of labels, the lesser one first.
  struct PairRow {
    LabelKey a;
    LabelKey b;
    std::uint32_t id;
  };

  std::int64_t count() const { return static_cast<std::int64_t>(slots_.size()); }
  ElementType type() const { return problem_.raster.labels.element_type(); }

  Cell place_of(std::int64_t index) const {
    const Axes cell = to_cell(extent_, index);
    Cell place;
    std::copy(cell.end() - kRank, cell.end(), place.begin());
    return place;
  }

  // --- labels and slots

  /// The slot of a label, which may be a new one.
  std::uint32_t slot_now(std::int64_t cell) {
    const std::byte* const element = address_of(problem_.raster.labels, to_cell(extent_, cell));
    const std::optional<LabelKey> key = key_of(element);
    return key ? labels_.slot_of(*key) : kLeftOut;
  }

  /// Nothing for NaN.
  std::optional<LabelKey> key_of(const std::byte* element) const {
    return visit_element_type(type(),
                              [&]<class T>(std::type_identity<T>) -> std::optional<LabelKey> {
                                T label;
                                std::memcpy(&label, element, sizeof label);
                                if (type() == ElementType::boolean) return label != 0 ? 1 : 0;
                                if constexpr (std::is_floating_point_v<T>)
                                  if (std::isnan(label)) return std::nullopt;
                                return label_key(label);
                              });
  }

  /// An update that was refused may have seen labels for which there is no room yet.
  bool has_cells(std::uint32_t slot) const {
    return slot < regions_.size() && regions_[slot].place.moments.cells > 0;
  }

  /// Makes room for what is kept of each slot.
  void grow() {
    const std::size_t slots = labels_.size();
    if (field_) mass_.resize(slots);
    if (distance_) distance_sums_.resize(slots);
    regions_.resize(slots);
  }

  bool is_before(LabelKey a, LabelKey b) const { return order_of(a, type()) < order_of(b, type()); }
  void sort_by_label(std::vector<LabelKey>& keys) const {
    std::sort(keys.begin(), keys.end(), [&](LabelKey a, LabelKey b) { return is_before(a, b); });
  }
  /// Sorts slots, and leaves each once.
  void sort_slots_by_label(std::vector<std::uint32_t>& slots) const {
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) {
      return is_before(labels_.key(a), labels_.key(b));
    });
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  }

  /// Finds the slots of some labels that were seen, or of all, ascending by label.
  void find_wanted(const View<const void>& labels) {
    wanted_.clear();
    if (!labels) {
      for (std::uint32_t slot = 1; slot < labels_.size(); ++slot) wanted_.push_back(slot);
      return sort_slots_by_label(wanted_);
    }
    if (labels.rank() != 1 || labels.element_type() != type())
      refuse("labels", "are " + std::string(name_of(labels.element_type())) + " with " +
                           std::to_string(labels.rank()) + " axes; must be " +
                           std::string(name_of(type())) + ", as the raster, with one axis");
    if (labels.space() != MemorySpace::host)
      refuse("labels", "lie in memory of a device; must be on the host");
    for (std::int64_t i = 0; i < labels.extent(0); ++i) {
      const std::optional<LabelKey> key = key_of(labels.bytes() + i * labels.stride(0));
      const std::uint32_t slot = key ? labels_.known_slot_of(*key) : kNoSlot;
      if (slot != kNoSlot && slot != kLeftOut) wanted_.push_back(slot);
    }
    sort_slots_by_label(wanted_);
  }

  // --- rows of pairs

  void add_pair_row(std::uint32_t id) {
    const std::uint64_t slots = pairs_.pair(id);
    LabelKey a = labels_.key(slots >> 32);
    LabelKey b = labels_.key(slots & 0xFFFFFFFFu);
    if (is_before(b, a)) std::swap(a, b);
    pair_rows_.push_back({a, b, id});
  }

  /// Sorts the rows by their labels, and leaves each once.
  void sort_pair_rows() {
    std::sort(pair_rows_.begin(), pair_rows_.end(), [&](const PairRow& a, const PairRow& b) {
      return a.a == b.a ? is_before(a.b, b.b) : is_before(a.a, b.a);
    });
    const auto last = std::unique(pair_rows_.begin(), pair_rows_.end(),
                                  [](const PairRow& a, const PairRow& b) { return a.id == b.id; });
    pair_rows_.erase(last, pair_rows_.end());
  }

  void list_changed_pairs(bool came) {
    pair_rows_.clear();
    pairs_.for_each_changed([&](std::uint32_t id, bool touches) {
      if (touches == came) add_pair_row(id);
    });
    sort_pair_rows();
  }

  void put_pairs(Raster& a, Raster& b) {
    keys_.clear();
    for (const PairRow& row : pair_rows_) keys_.push_back(row.a);
    put_labels(keys_, type(), a);
    keys_.clear();
    for (const PairRow& row : pair_rows_) keys_.push_back(row.b);
    put_labels(keys_, type(), b);
  }

  // --- sums

  void check_field(std::int64_t cell, std::uint32_t slot) const {
    if (field_ && slot != kLeftOut &&
        !std::isfinite(to_double(field_->element_type(), field_->now(cell))))
      refuse_field(problem_, cell);
  }

  void read_again(std::int64_t cell) {
    std::uint32_t& own = slots_[static_cast<std::size_t>(cell)];
    const std::uint32_t before = own;
    const std::uint32_t now = slot_now(cell);
    const bool is_moved = before != now;
    if (!is_moved && (!field_ || field_->is_as_kept(cell)) &&
        (!distance_ || distance_->is_as_kept(cell)))
      return;
    make_room(touched_, 2);
    if (is_moved) pairs_.replace(slots_, cell, now);
    touch(before);
    touch(now);
    add_values(before, cell, -1);
    if (is_moved) {
      add_place(before, cell, -1);
      add_place(now, cell, 1);
      own = now;
    }
    if (field_) field_->keep(cell);
    if (distance_) distance_->keep(cell);
    add_values(now, cell, 1);
  }

  void touch(std::uint32_t slot) {
    if (slot == kLeftOut || regions_[slot].is_touched) return;
    regions_[slot].is_touched = true;
    touched_.push_back(slot);
  }

  void add_place(std::uint32_t slot, std::int64_t index, int sign) {
    if (slot == kLeftOut) return;
    const Cell cell = place_of(index);
    auto& [place, distance, is_loose, is_touched] = regions_[slot];
    const std::int64_t before = place.moments.cells;
    place.moments.add_cell(cell, sign);
    if (before == 0 || place.moments.cells == 0) live_ = sign > 0 ? live_ + 1 : live_ - 1;
    if (sign > 0) {
      place.box.add_run(cell, 1);
      return;
    }
    for (std::size_t axis = 0; axis < kRank; ++axis)
      is_loose =
          is_loose || cell[axis] == place.box.first[axis] || cell[axis] == place.box.last[axis];
    if (place.moments.cells == 0) place.box = {};
  }

  /// Adds what the fields have, as they are kept, in a cell, or takes it away.
  void add_values(std::uint32_t slot, std::int64_t index, int sign) {
    if (slot == kLeftOut) return;
    if (field_) {
      const auto [mantissa, shift] = to_fixed_value(field_->element_type(), field_->kept(index));
      const Int128 value = sign * mantissa;
      const Cell cell = place_of(index);
      mass_.add(slot, 0, value, shift);
      for (int axis = 0; axis < kRank; ++axis)
        mass_.add(slot, 1 + axis, value * cell[static_cast<std::size_t>(axis)], shift);
    }
    if (distance_) add_distance(slot, distance_->kept(index), sign);
  }

  void add_distance(std::uint32_t slot, const std::byte* element, int sign) {
    const ElementType type = distance_->element_type();
    const double value = to_double(type, element) + 0.0;  // never -0
    Region& region = regions_[slot];
    if (std::isnan(value)) return;
    region.distance.known += sign;
    if (sign > 0)
      region.distance.greatest = std::max(region.distance.greatest, value);
    else
      region.is_loose = region.is_loose || value == region.distance.greatest;
    if (std::isinf(value)) {
      (value > 0 ? region.distance.infinite : region.distance.minus_infinite) += sign;
      return;
    }
    const auto [mantissa, shift] = to_fixed_value(type, element);
    distance_sums_.add(slot, 0, sign * mantissa, shift);
  }

  // --- loose regions

  /// Tightens the bounds of the wanted slots.
  void tighten() {
    std::int64_t to_look_at = 0;
    loose_.clear();
    for (const std::uint32_t slot : wanted_) {
      if (!regions_[slot].is_loose) continue;
      loose_.push_back(slot);
      const auto [first, last] = box_of(slot);
      to_look_at += (last[0] - first[0] + 1) * (last[1] - first[1] + 1) * (last[2] - first[2] + 1);
    }
    if (to_look_at > count()) {
      tighten_all();
      return;
    }
    for (const std::uint32_t slot : loose_) {
      const auto [first, last] = box_of(slot);
      forget_bounds(slot);
      for (std::int64_t z = first[0]; z <= last[0]; ++z)
        for (std::int64_t y = first[1]; y <= last[1]; ++y)
          for (std::int64_t x = first[2]; x <= last[2]; ++x)
            if (const std::int64_t cell = to_index(extent_, {z, y, x});
                slots_[static_cast<std::size_t>(cell)] == slot)
              add_to_bounds(slot, cell);
      regions_[slot].is_loose = false;
    }
  }

  void tighten_all() {
    for (std::uint32_t slot = 1; slot < regions_.size(); ++slot)
      if (regions_[slot].is_loose) forget_bounds(slot);
    for (std::int64_t cell = 0; cell < count(); ++cell)
      if (const std::uint32_t slot = slots_[static_cast<std::size_t>(cell)];
          slot != kLeftOut && regions_[slot].is_loose)
        add_to_bounds(slot, cell);
    for (Region& region : regions_) region.is_loose = false;
  }

  std::pair<Axes, Axes> box_of(std::uint32_t slot) const {
    std::pair<Axes, Axes> box;
    const auto& own = regions_[slot].place.box;
    std::copy_n(own.first, kRank, box.first.end() - kRank);
    std::copy_n(own.last, kRank, box.second.end() - kRank);
    return box;
  }

  void forget_bounds(std::uint32_t slot) {
    regions_[slot].place.box = {};
    regions_[slot].distance.greatest = -DistanceCounts::kInfinity;
  }

  void add_to_bounds(std::uint32_t slot, std::int64_t cell) {
    Region& region = regions_[slot];
    region.place.box.add_run(place_of(cell), 1);
    if (!distance_) return;
    const double value = to_double(distance_->element_type(), distance_->kept(cell)) + 0.0;
    region.distance.greatest = std::max(region.distance.greatest, value);  // not if it is NaN
  }

  // --- what is no longer there

  /// Forgets labels without cells, and pairs that touch no longer, once they are the most.
  void forget_dead() {
    constexpr std::size_t kSome = 1024;
    if (labels_.size() > 2 * live_ + kSome)
      forget_dead_labels();
    else if (pairs_.has_many_dead())
      pairs_.forget_dead(same_slots());
  }

  std::vector<std::uint32_t> same_slots() const {
    std::vector<std::uint32_t> slots(labels_.size());
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) slots[slot] = slot;
    return slots;
  }

  void forget_dead_labels() {
    LabelSlots kept(problem_.raster.left_out);
    std::vector<std::uint32_t> now(labels_.size(), kLeftOut);
    for (std::uint32_t slot = 1; slot < now.size(); ++slot)
      if (has_cells(slot)) now[slot] = kept.slot_of(labels_.key(slot));
    std::vector<Region> regions(kept.size());
    SlotSums<1 + kRank> mass(words_of(problem_.field.element_type()));
    SlotSums<1> distance_sums(words_of(problem_.distance.element_type()));
    if (field_) mass.resize(kept.size());
    if (distance_) distance_sums.resize(kept.size());
    for (std::uint32_t slot = 1; slot < now.size(); ++slot) {
      if (now[slot] == kLeftOut) continue;
      regions[now[slot]] = regions_[slot];
      if (field_) mass.add(now[slot], mass_, slot);
      if (distance_) distance_sums.add(now[slot], distance_sums_, slot);
    }
    pairs_.forget_dead(now);  // the last that can throw
    for (std::uint32_t& slot : slots_) slot = now[slot];
    labels_ = std::move(kept);
    regions_ = std::move(regions);
    mass_ = std::move(mass);
    distance_sums_ = std::move(distance_sums);
  }

  StatisticsProblem problem_;
  Axes extent_;
  LabelSlots labels_;
  std::vector<std::uint32_t> slots_;  ///< of each cell
  std::optional<KeptRaster> field_;
  std::optional<KeptRaster> distance_;
  std::vector<Region> regions_;  ///< of each slot
  SlotSums<1 + kRank> mass_;
  SlotSums<1> distance_sums_;
  RegionPairs pairs_;
  std::vector<std::uint32_t> touched_;  ///< slots whose row may be another one
  std::size_t live_ = 0;                ///< labels that have cells

  // What a call needs: kept, so that the next one takes no memory.
  std::vector<std::uint32_t> wanted_;  ///< slots
  std::vector<std::uint32_t> loose_;   ///< those of them that are loose
  std::vector<LabelKey> keys_;
  std::vector<PairRow> pair_rows_;
};

RegionStatistics::RegionStatistics(Context& context, View<const void> labels,
                                   const SiteFields& fields,
                                   const RegionStatisticsOptions& options) {
  ContextState& state = context.state();
  guarded(state, [&] {
    const ReachableMemory reachable(state);
    if (labels.space() != MemorySpace::host)
      throw Error(
          ErrorCode::unsupported,
          {"labels", {}, "lie in memory of a device; must be on the host to be kept up to date"});
    const StatisticsProblem problem = make_statistics_problem(
        labels, fields,
        {.spacing = options.spacing, .background = options.background, .nodata = options.nodata},
        reachable);
    const Connectivity connectivity =
        make_adjacency_problem(labels, {.connectivity = options.connectivity}, reachable)
            .connectivity;
    if (labels.rank() == 2)
      state_ = std::make_unique<Regions<2>>(problem, connectivity);
    else
      state_ = std::make_unique<Regions<3>>(problem, connectivity);
    state_->start(state.progress);
  });
}

RegionStatistics::~RegionStatistics() = default;
RegionStatistics::RegionStatistics(RegionStatistics&&) noexcept = default;
RegionStatistics& RegionStatistics::operator=(RegionStatistics&&) noexcept = default;

void RegionStatistics::update(std::span<const std::int64_t> cells) {
  with_errors([&] { state_->update(cells); });
}
void RegionStatistics::changes(RegionChanges& changes) {
  with_errors([&] { state_->changes(changes); });
}
void RegionStatistics::statistics(SiteStatistics& table, View<const void> labels) {
  with_errors([&] { state_->statistics(labels, table); });
}
void RegionStatistics::adjacency(Adjacency& table, View<const void> labels) {
  with_errors([&] { state_->adjacency(labels, table); });
}
std::size_t RegionStatistics::bytes() const noexcept { return state_->bytes(); }

}  // namespace thiessen
