// SPDX-License-Identifier: Apache-2.0
//
// Cost distance by rows. Each stage visits slabs until no slab can change another one; the queue
// prefers the slab in which the cheapest cell waits. A few slabs are in memory; a file holds what
// is known of all others (docs/slabs.md says why the order of visits does not matter).
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/warnings.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/slab.hpp"
#include "core/search/special_values.hpp"
#include "stream/plan.hpp"
#include "stream/row_store.hpp"
#include "stream/run.hpp"
#include "thiessen/thiessen.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// The arrays that have a value for each cell: inputs, then what visits find.
enum class CellArray : std::uint8_t {
  map,
  sites,
  initial_cost,
  resistance,
  cost,
  site_index,
  labels,
  hops
};
constexpr std::size_t kCellArrays = 8;
constexpr std::array<CellArray, 3> kInputs{CellArray::map, CellArray::sites,
                                           CellArray::initial_cost};

/// A value for each of these arrays.
template <class T>
class PerCellArray {
 public:
  T& operator[](CellArray which) { return values_[static_cast<std::size_t>(which)]; }
  const T& operator[](CellArray which) const { return values_[static_cast<std::size_t>(which)]; }

 private:
  std::array<T, kCellArrays> values_{};
};

bool is_input(CellArray which) { return std::ranges::find(kInputs, which) != kInputs.end(); }

/// The stage whose visits change it.
std::optional<CostStage> changing_stage(CellArray which) {
  if (which == CellArray::cost) return CostStage::costs;
  if (which == CellArray::site_index || which == CellArray::labels) return CostStage::sites;
  return which == CellArray::hops ? std::optional(CostStage::hops) : std::nullopt;
}

/// Whether its first visits make it.
bool is_made(CostStage stage, CellArray which) {
  return changing_stage(which) == stage ||
         (stage == CostStage::costs && which == CellArray::resistance);
}

/// The rasters that a stage takes.
std::vector<CellArray> rasters_of(CostStage stage) {
  switch (stage) {
    case CostStage::costs:
      return {CellArray::map, CellArray::sites, CellArray::initial_cost, CellArray::resistance,
              CellArray::cost};
    case CostStage::sites:
      return {CellArray::sites, CellArray::initial_cost, CellArray::resistance,
              CellArray::cost,  CellArray::site_index,   CellArray::labels};
    case CostStage::hops:
      return {CellArray::resistance, CellArray::cost, CellArray::site_index, CellArray::hops};
  }
  return {};
}

RowSource* source_of(const CostDistanceStream& call, CellArray which) {
  if (which == CellArray::map) return call.map;
  if (which == CellArray::sites) return call.sites;
  return which == CellArray::initial_cost ? call.initial_cost : nullptr;
}

RowSink* sink_of(const CostDistanceStream& call, std::string_view name) {
  for (const StreamedOutput& output : call.outputs)
    if (output.name == name) return output.sink;
  return nullptr;
}

/// The types of what the call needs to know.
PerCellArray<std::optional<ElementType>> types_of(const CostDistanceStream& call) {
  PerCellArray<std::optional<ElementType>> types;
  for (const CellArray which : kInputs)
    if (const RowSource* const source = source_of(call, which))
      types[which] = source->element_type();
  types[CellArray::resistance] = types[CellArray::cost] =
      to_element_type(call.options.distance_type);
  const RowSink* const labels = sink_of(call, "labels");
  const bool links = sink_of(call, "back_link") != nullptr;
  if (links || labels != nullptr || sink_of(call, "site_index") != nullptr)
    types[CellArray::site_index] = ElementType::i64;
  if (call.sites != nullptr && labels != nullptr) types[CellArray::labels] = labels->element_type();
  if (links) types[CellArray::hops] = ElementType::i64;
  return types;
}

StreamNeeds needs_of(const CostDistanceStream& call) {
  constexpr std::int64_t kSlabsHeld = 8;  // a path that winds goes on in slabs in memory, as a rule
  const auto types = types_of(call);
  double known = 0, inputs = 0;
  for (std::size_t i = 0; i < kCellArrays; ++i) {
    const auto which = static_cast<CellArray>(i);
    if (!types[which]) continue;
    const auto bytes = static_cast<double>(size_of(*types[which]));
    known += bytes;
    if (is_input(which)) inputs += bytes;
  }
  // Ranks, tight steps and lists of sites.
  constexpr double kScratch = sizeof(std::uint32_t) + 16;
  const int axes = call.map->extents().rank();
  const double outputs = bytes_of_outputs<CostDistanceOutputs>(call.outputs, axes, call.options.k);
  const auto scratch = static_cast<double>(scratch_per_cell(call.options, axes));
  return {.at_once = inputs + outputs + scratch,
          .in_slab = known + std::max(kScratch, 2 * outputs),
          .slabs_held = kSlabsHeld,
          .rows_beside = call.options.connectivity == Connectivity::knights ? 4 : 2};
}

/// A slab in memory: what its stage takes of it, with the rows beside it.
struct HeldSlab {
  SlabRows own;
  SlabRows rows;
  PerCellArray<Raster> rasters;
  std::int64_t last_use = 0;
};

class CostDistanceRun : StreamRun {
 public:
  CostDistanceRun(Context& context, const CostDistanceStream& call, const StreamPlan& plan,
                  const StreamEvents& events)
      : StreamRun(context, plan, events),
        call_(call),
        raster_(call.map->extents()),
        options_(call.options),
        outputs_(call.outputs, raster_, call.options.k),
        types_(types_of(call)),
        is_begun_(static_cast<std::size_t>(plan.slabs), false),
        sites_before_(is_begun_.size()) {
    options_.strict = false;  // slabs have no warnings; those of the raster are found here
  }

  StreamReport run() {
    return StreamRun::run(outputs_, [this] {
      if (plan_.is_at_once)
        run_at_once();
      else
        run_in_slabs();
    });
  }

 private:
  void run_at_once() {
    const SlabRows all{0, raster_[0]};
    begin();
    RowInputs inputs({call_.map, call_.sites, call_.initial_cost});
    const std::vector<View<const void>> in = read_all(inputs, all.count);
    const CostMap map(in[0], call_.edge_weight);
    const CostDistanceOutputs out = outputs_.next(all);
    stage("compute", 0, 1);
    const CostDistanceReport found =
        call_.sites == nullptr ? cost_distance(context_, map, call_.points, call_.options, out,
                                               call_.initial_cost_of_points)
                               : cost_distance(context_, map, in[1], call_.options, out, in[2]);
    warnings_ = state().warnings;
    report_.ignored_sites = found.ignored_sites;
    report_.active_cells = found.active_cells;
    stage("write", 1, 1);
    computed(all, out);
  }

  void run_in_slabs() {
    check();
    begin();
    inputs_.emplace(call_);
    store_.emplace(raster_[0], plan_.folder);
    const auto columns = static_cast<std::size_t>(raster_.count() / raster_[0]);
    for (std::size_t i = 0; i < kCellArrays; ++i) {
      const auto which = static_cast<CellArray>(i);
      const bool is_kept = types_[which] && !is_read_directly(which);
      places_[which] = store_->add(is_kept ? size_of(*types_[which]) * columns : 0);
    }
    for (const CellArray which : kInputs)
      if (types_[which] && !is_read_directly(which)) copy(which);
    solve(CostStage::costs, 0, 0.5);
    warn();
    if (types_[CellArray::site_index]) solve(CostStage::sites, 0.5, 0.75);
    if (types_[CellArray::hops]) solve(CostStage::hops, 0.75, 0.9);
    write();
  }

  /// Says early what is wrong with the options: a slab without rows of its own is visited.
  void check() {
    HeldSlab none;
    none.rows = cost_slab_rows(raster_, none.own, options_.connectivity);
    for (std::size_t i = 0; i < kCellArrays; ++i) {
      const auto which = static_cast<CellArray>(i);
      if (types_[which]) none.rasters[which] = raster_of(which, none.rows.count);
    }
    for (const CellArray which : kInputs)
      if (none.rasters[which])
        std::fill_n(none.rasters[which].bytes(), none.rasters[which].size_bytes(), std::byte{});
    const CostSlab slab = slab_of(none, CostStage::costs, true);
    begin_cost_slab(context_, slab, options_, CostStage::costs);
    rule_ = make_cost_slab_problem(slab, options_, CostStage::costs, true).problem.rule;
    finish_cost_slab(context_, slab_of(none, CostStage::hops, false), options_,
                     outputs_.without_rows());
  }

  // --- inputs

  /// Whether slabs read an input from its source, and not from the copy of it.
  bool is_read_directly(CellArray which) const {
    const RowSource* const source = source_of(call_, which);
    return source != nullptr && !source->is_in_order();
  }

  /// Reads rows of inputs on one thread, whenever a slab needs them.
  class DirectInputs {
   public:
    explicit DirectInputs(const CostDistanceStream& call) : call_(call) {}
    ~DirectInputs() {
      try {
        worker_.start([this] {
          for (const CellArray which : kInputs)
            if (RowSource* const source = source_of(call_, which)) source->close();
        });
        worker_.wait();
      } catch (...) {  // somebody else has an error to tell
      }
    }
    DirectInputs(const DirectInputs&) = delete;
    DirectInputs& operator=(const DirectInputs&) = delete;

    void read(CellArray which, const SlabRows& rows, Raster& to) {
      RowSource* const source = source_of(call_, which);
      worker_.start([source, &rows, &to] {
        if (const View<const void> cells = source->memory(rows))
          std::memcpy(to.bytes(), cells.bytes(), to.size_bytes());
        else
          source->read(rows, to.bytes());
      });
      worker_.wait();
    }

   private:
    const CostDistanceStream& call_;
    Worker worker_;
  };

  void copy(CellArray which) {
    stage("read", 0, 0);
    RowInputs rows({source_of(call_, which)});
    const std::int64_t at_once = rows_at_once();
    rows.begin({0, raster_[0]}, at_once);
    for (std::int64_t first = 0; first < raster_[0]; first += at_once) {
      progress().check();
      const View<const void> cells = rows.next().front();
      store_->write(places_[which], {first, cells.extent(0)}, cells.bytes());
    }
  }

  void read(CellArray which, const SlabRows& rows, Raster& to) {
    if (is_read_directly(which))
      inputs_->read(which, rows, to);
    else
      store_->read(places_[which], rows, to.bytes());
  }

  /// Rows that fit into memory.
  std::int64_t rows_at_once() const { return std::min(plan_.held * plan_.rows, raster_[0]); }

  // --- visits

  void solve(CostStage stage_of_visits, double first, double last) {
    stage(name_of(stage_of_visits), first, last);
    std::vector<std::int64_t> heights(is_begun_.size());
    for (std::size_t slab = 0; slab < heights.size(); ++slab) heights[slab] = rows_of(slab).count;
    is_begun_.assign(is_begun_.size(), false);
    CostSlabQueue queue(heights);
    // First visits take most of the time; nobody knows how many others follow the last of them.
    constexpr double kParts = 1000;
    std::int64_t begun = 0;
    while (const auto next = next_visit(queue)) {
      const double done = static_cast<double>(begun) / static_cast<double>(heights.size());
      progress().begin_part(static_cast<std::int64_t>(kParts * (first + done * (last - first))),
                            static_cast<std::int64_t>(kParts));
      begun += next->is_first ? 1 : 0;
      queue.add(next->slab, visit(stage_of_visits, next->slab));
    }
    report_.visits[static_cast<std::size_t>(stage_of_visits)] = queue.visits();
    while (!held_.empty()) put_back(stage_of_visits, held_.begin());
    spare_ = {};
    state().scratch.release();  // the next stage takes other memory
  }

  SlabRows rows_of(std::size_t slab) const { return plan_.slab(static_cast<std::int64_t>(slab)); }

  /// A slab in memory, if one waits: as long as that is so, nothing is read.
  std::optional<CostSlabQueue::Visit> next_visit(CostSlabQueue& queue) const {
    std::vector<std::size_t> held;
    held.reserve(held_.size());
    for (const auto& [slab, unused] : held_) held.push_back(slab);
    const auto next = queue.next_among(held);
    return next ? next : queue.next();
  }

  CostSlabReport visit(CostStage stage, std::size_t number) {
    const bool begins = !is_begun_[number];
    HeldSlab& held = hold(stage, number);
    for (const CellArray which : rasters_of(stage))
      if (changing_stage(which) == stage) look_beside(which, held);
    CostSlab slab = slab_of(held, stage, begins);
    slab.sites_before = sites_before_[number];
    const CostSlabReport found = begins ? begin_cost_slab(context_, slab, options_, stage)
                                        : continue_cost_slab(context_, slab, options_, stage);
    is_begun_[number] = true;
    if (begins && stage == CostStage::costs) {
      store_->write(places_[CellArray::resistance], held.rows,
                    held.rasters[CellArray::resistance].bytes());
      note(number, found);
    }
    for (const CellArray which : kInputs) spare(which, held);
    return found;
  }

  /// The slab in memory; what its first visit makes is not read.
  HeldSlab& hold(CostStage stage, std::size_t number) {
    if (!held_.contains(number)) {
      if (std::ssize(held_) >= plan_.held) put_back(stage, least_used());
      HeldSlab& held = held_[number];
      held.own = rows_of(number);
      held.rows = cost_slab_rows(raster_, held.own, options_.connectivity);
      for (const CellArray which : rasters_of(stage)) {
        if (!types_[which] || (is_input(which) && is_begun_[number])) continue;
        held.rasters[which] = raster_of(which, held.rows.count);
        if (is_begun_[number] || !is_made(stage, which))
          read(which, held.rows, held.rasters[which]);
      }
    }
    HeldSlab& held = held_[number];
    held.last_use = ++uses_;
    return held;
  }

  using HeldSlabs = std::map<std::size_t, HeldSlab>;

  HeldSlabs::iterator least_used() {
    return std::min_element(held_.begin(), held_.end(), [](const auto& a, const auto& b) {
      return a.second.last_use < b.second.last_use;
    });
  }

  /// Writes what has been found for the own rows of a slab, whose memory others may have.
  void put_back(CostStage stage, HeldSlabs::iterator slab) {
    HeldSlab& held = slab->second;
    for (const CellArray which : rasters_of(stage)) {
      if (types_[which] && changing_stage(which) == stage)
        store_->write(places_[which], held.own, row_of(held, which, held.own.first));
      spare(which, held);
    }
    held_.erase(slab);
  }

  /// Keeps the memory of a raster for the next slab: new memory costs more than what is done in it.
  void spare(CellArray which, HeldSlab& held) {
    if (held.rasters[which]) spare_[which] = std::exchange(held.rasters[which], {});
  }

  /// Takes what is known of the rows beside a slab from their own slabs.
  void look_beside(CellArray which, HeldSlab& held) {
    if (!types_[which]) return;
    for (std::int64_t row = held.rows.first; row < held.rows.first + held.rows.count; ++row) {
      if (row >= held.own.first && row < held.own.first + held.own.count) continue;
      const auto of = static_cast<std::size_t>(row / plan_.rows);
      std::byte* const to = row_of(held, which, row);
      const auto there = held_.find(of);
      if (!is_begun_[of])
        put_nothing(which, to);
      else if (there != held_.end())
        std::memcpy(to, row_of(there->second, which, row), row_bytes(which));
      else
        store_->read(places_[which], {row, 1}, to);
    }
  }

  /// Marks the cells of a row as not known.
  void put_nothing(CellArray which, std::byte* row) const {
    const std::int64_t count = raster_.count() / raster_[0];
    if (which == CellArray::labels) return;  // they count where there is a site only
    if (which != CellArray::cost)
      std::fill_n(reinterpret_cast<std::int64_t*>(row), count, kUnreached);
    else if (types_[CellArray::cost] == ElementType::f64)
      std::fill_n(reinterpret_cast<double*>(row), count, CostSlabReport::kNone);
    else
      std::fill_n(reinterpret_cast<float*>(row), count, std::numeric_limits<float>::infinity());
  }

  std::size_t row_bytes(CellArray which) const {
    return size_of(*types_[which]) * static_cast<std::size_t>(raster_.count() / raster_[0]);
  }

  std::byte* row_of(HeldSlab& held, CellArray which, std::int64_t row) const {
    return held.rasters[which].bytes() +
           static_cast<std::size_t>(row - held.rows.first) * row_bytes(which);
  }

  /// A raster whose cells may hold anything.
  Raster raster_of(CellArray which, std::int64_t rows) {
    const Extents some = slab_extents(raster_, rows);
    if (spare_[which] && spare_[which].extents() == some) return std::exchange(spare_[which], {});
    return Raster(*types_[which], some);
  }

  /// A slab with all rasters that are in memory.
  CostSlab slab_of(HeldSlab& held, CostStage stage, bool is_first) {
    auto& rasters = held.rasters;
    const auto view = [&](CellArray which) {
      return rasters[which] ? rasters[which].view() : View<void>();
    };
    const auto numbers = [&](CellArray which) {
      return rasters[which] ? rasters[which].view<std::int64_t>() : View<std::int64_t>();
    };
    CostSlab slab{.raster = raster_,
                  .own = held.own,
                  .map = {view(CellArray::map), call_.edge_weight},
                  .resistance = view(CellArray::resistance),
                  .cost = view(CellArray::cost),
                  .site_index = numbers(CellArray::site_index),
                  .labels = view(CellArray::labels),
                  .hops = numbers(CellArray::hops)};
    if (call_.sites == nullptr) slab.points = call_.points;
    if (!is_first || stage == CostStage::hops) return slab;
    slab.sites = view(CellArray::sites);
    slab.initial_cost =
        call_.sites == nullptr ? call_.initial_cost_of_points : view(CellArray::initial_cost);
    return slab;
  }

  void note(std::size_t slab, const CostSlabReport& found) {
    if (slab + 1 < sites_before_.size())
      sites_before_[slab + 1] = sites_before_[slab] + found.sites;
    sites_ += found.sites;
    if (found.ignored_sites > 0)
      first_ignored_ = report_.ignored_sites == 0
                           ? found.first_ignored_site
                           : std::min(first_ignored_, found.first_ignored_site);
    report_.ignored_sites += found.ignored_sites;
  }

  void warn() {
    const bool strict = call_.options.strict;
    // Points that share a cell count, too.
    if (call_.sites == nullptr && call_.points.coordinates)
      sites_ = call_.points.coordinates.extent(0);
    const CostDistanceReport found{report_.ignored_sites, first_ignored_, {}};
    state().warnings.clear();
    if (found.ignored_sites > 0) thiessen::warn(state(), strict, ignored_sites(found));
    if (sites_ == found.ignored_sites && found.ignored_sites > 0)
      thiessen::warn(state(), strict, no_site_left(found));
    else if (sites_ == 0 && call_.sites == nullptr)
      warn_of_no_point(state(), strict, {});
    else if (sites_ == 0)
      warn_of_no_site(state(), strict, rule_, 1, 0, 1);
    warnings_ = std::exchange(state().warnings, {});
  }

  // --- outputs

  void computed(const SlabRows& rows, const CostDistanceOutputs& out) {
    if (call_.on_rows) call_.on_rows(rows, out);
    outputs_.write(rows);
  }

  void write() {
    stage("write", 0.9, 1);
    const std::int64_t at_once = rows_at_once();
    HeldSlab held;
    for (std::int64_t first = 0; first < raster_[0]; first += held.own.count) {
      progress().check();
      held.own = {first, std::min(at_once, raster_[0] - first)};
      held.rows = cost_slab_rows(raster_, held.own, options_.connectivity);
      for (const CellArray which : {CellArray::map, CellArray::resistance, CellArray::cost,
                                    CellArray::site_index, CellArray::labels, CellArray::hops}) {
        if (!types_[which]) continue;
        if (!held.rasters[which] ||
            held.rasters[which].extents() != slab_extents(raster_, held.rows.count))
          held.rasters[which] = raster_of(which, held.rows.count);
        read(which, held.rows, held.rasters[which]);
      }
      const CostDistanceOutputs out = outputs_.next(held.own);
      finish_cost_slab(context_, slab_of(held, CostStage::hops, false), options_, out);
      computed(held.own, out);
    }
  }

  const CostDistanceStream& call_;
  const Extents& raster_;
  CostDistanceOptions options_;
  RowOutputs<CostDistanceOutputs> outputs_;
  PerCellArray<std::optional<ElementType>> types_;
  std::optional<DirectInputs> inputs_;
  std::optional<RowStore> store_;
  PerCellArray<std::size_t> places_;
  HeldSlabs held_;
  PerCellArray<Raster> spare_;
  std::int64_t uses_ = 0;
  std::vector<bool> is_begun_;  ///< in this stage
  std::vector<std::int64_t> sites_before_;
  std::int64_t sites_ = 0, first_ignored_ = 0;
  SiteRule rule_;
};

}  // namespace

std::size_t scratch_per_cell(const CostDistanceOptions& options, int axes) {
  const std::size_t wide = options.distance_type == FloatType::f64 ? 2 : 1;
  if (options.method == CostMethod::eikonal) return axes == 2 ? 42 : 46;
  const std::size_t ground = (options.elevation ? 8 * wide : 0) + (options.blocked_faces ? 5 : 0);
  const bool heap = options.method == CostMethod::exact &&
                    (axes == 3 || options.connectivity == Connectivity::knights);
  if (options.k > 0)
    return ground + (4 + 4 * wide) * (static_cast<std::size_t>(options.k) + 3) + 8 * wide;
  if (heap || options.method == CostMethod::dijkstra) return 28 + 8 * wide + ground;
  return (options.method == CostMethod::relaxation ? 14 : 10) + 4 * wide + ground;
}

std::optional<BrokenRule> why_at_once(const Context& context, const CostDistanceStream& call) {
  const CostDistanceOptions& options = call.options;
  const auto is_not = [](std::string_view argument, std::string_view value, const char* rule) {
    return BrokenRule{std::string(argument), std::string(value), rule};
  };
  if (options.method != CostMethod::exact)
    return is_not("method", name_of(options.method), "slabs have exact only");
  if (options.elevation) return is_not("elevation", {}, "is for all rows at once");
  if (std::ranges::find(options.periodic, true) != options.periodic.end())
    return is_not("periodic", {}, "goes over the ends of the raster");
  if (options.blocked_faces) return is_not("blocked_faces", {}, "are for all rows at once");
  if (options.metric != Metric::euclidean)
    return is_not("metric", name_of(options.metric), "slabs have the plane only");
  if (options.k > 0) return is_not("k", std::to_string(options.k), "slabs have the nearest alone");
  if (options.labels_carried) return is_not("labels_carried", {}, "labels of slabs are settled");
  if (context.device() != "cpu")
    return is_not("device", context.device(), "slabs are done on the cpu");
  for (const StreamedOutput& given : call.outputs)
    for (const Output& output : TableOf<CostDistanceOutputs>::kRows)
      if (output.name == given.name && output.subject == Subject::other_label)
        return is_not(output.name, {}, "is for all rows at once");
  return std::nullopt;
}

StreamPlan plan_stream(const Context& context, const CostDistanceStream& call,
                       const StreamLimits& limits) {
  auto why = why_at_once(context, call);
  if (limits.communicator != nullptr && limits.communicator->size() > 1)
    why = BrokenRule{"the least cost", {}, "is for one rank"};
  return choose_plan(call.map->extents(), needs_of(call), limits, std::move(why));
}

StreamReport stream(Context& context, const CostDistanceStream& call, const StreamPlan& plan,
                    const StreamEvents& events) {
  return guarded(context.state(),
                 [&] { return CostDistanceRun(context, call, plan, events).run(); });
}

}  // namespace thiessen
