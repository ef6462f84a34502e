// SPDX-License-Identifier: Apache-2.0
//
// What does the work of a NearestSiteSolver on the CPU: repairs the map, or makes a fresh call
// whose labels are site indices and compares its map with the one before.
#include "cpu/solvers/nearest_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/base/cell_access.hpp"
#include "core/base/cell_value.hpp"
#include "core/base/element_width.hpp"
#include "core/search/site_cells.hpp"
#include "cpu/solvers/change_list.hpp"
#include "cpu/solvers/nearest_repair.hpp"
#include "cpu/solvers/site_table.hpp"
#include "cpu/solvers/tile_tree.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::solvers {
namespace {

/// Chunks of cells that one piece of work takes.
constexpr std::int64_t kChunksAtOnce = 16;

class Engine final : public NearestSolverEngine {
 public:
  Engine(ContextState& state, const NearestSolverData& data, const FreshCalls& calls);

  void change_integers() override { make_repair(); }
  void reserve(std::int64_t points) override { table_.reserve(points); }
  void add_site(std::int64_t site) noexcept override { table_.add(site); }
  void remove_site(std::int64_t site) noexcept override { table_.remove(site); }
  void solve(const SiteEdits& edits, bool is_stale) override;
  const Changes& changes() override { return list_.changes(); }
  ChangedCells changed_cells() override;
  std::size_t bytes() const override {
    return table_.bytes() + (map_.capacity() + other_.capacity()) * sizeof(std::int32_t) +
           moved_.capacity() * sizeof moved_[0] + repair_->bytes() + list_.bytes();
  }

 private:
  const Problem& problem() const { return data_.problem; }
  void make_repair() { repair_ = make_nearest_repair(problem(), tree_, table_, map_); }
  bool are_few(const SiteEdits& edits) const;
  bool repair(const SiteEdits& edits);
  void find_anew(const SiteEdits& edits);
  void write_anew();
  void call_for_points(const NearestSiteOptions& options, const NearestSiteOutputs& out);
  void call_for_cells(NearestSiteOptions options, const NearestSiteOutputs& out);
  void number_sites(std::int32_t* numbers, std::uint8_t* inside);
  template <class T>
  void write_labels(std::int64_t z, std::int64_t y) const;

  ContextState& state_;
  const NearestSolverData& data_;
  const FreshCalls& calls_;
  TileTree tree_;
  SiteTable table_;
  NearestMap map_;
  NearestMap other_;                    ///< of a fresh call; after its solve() the map before it
  std::vector<SiteEdits::Move> moved_;  ///< between the two
  bool is_listed_ = true;               ///< whether the list has the changed cells
  std::unique_ptr<NearestRepair> repair_;
  ChangeList list_;
};

Engine::Engine(ContextState& state, const NearestSolverData& data, const FreshCalls& calls)
    : state_(state),
      data_(data),
      calls_(calls),
      tree_(data.problem.extent, data.problem.rank),
      table_(data, tree_),
      map_(static_cast<std::size_t>(data.problem.cells()), static_cast<std::int32_t>(kUnreached)) {
  make_repair();
  if (data.is_list()) return;
  const View<const void> cells =
      with_three_axes(View<const void>(data.cells.data(), data.type, data.extents));
  for_each_site(problem(), cells, state.progress,
                [&](const Axes& cell) { table_.add_uncounted(cell); });
  table_.count_all();
}

/// Whether a repair may be faster than a fresh call: not if a good share of the sites goes.
bool Engine::are_few(const SiteEdits& edits) const {
  constexpr std::int64_t kSitesPerEdit = 64;
  const std::int64_t count =
      std::max(std::ssize(edits.went), std::ssize(edits.came)) + std::ssize(edits.relabelled);
  return count <= 1 || count * kSitesPerEdit <= table_.sites();
}

bool Engine::repair(const SiteEdits& edits) {
  const PhaseTimer phase(state_, "repair");
  const std::int64_t work =
      state_.limits.repair_steps + problem().cells() / state_.limits.cells_per_repair_step;
  if (!repair_->repair(state_, edits, work)) return false;
  list_.begin(data_.rank(), data_.positions());
  repair_->list(list_);
  list_.finish();
  is_listed_ = true;
  state_.progress.commit();
  repair_->write(data_.views);
  return true;
}

/// Solves the points that are there as a list of their own, labelled with their positions.
void Engine::call_for_points(const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  const int rank = data_.rank();
  std::vector<std::int32_t> present;
  for (std::int64_t site = 0; site < data_.points; ++site)
    if (data_.is_present[static_cast<std::size_t>(site)] != 0)
      present.push_back(static_cast<std::int32_t>(site));
  const std::int64_t count = std::ssize(present);
  std::vector<double> coordinates;
  coordinates.reserve(static_cast<std::size_t>(count * rank));
  for (const std::int32_t site : present) {
    const Axes place = data_.place(site);
    for (auto axis = static_cast<std::size_t>(kAxes - rank); axis < kAxes; ++axis)
      coordinates.push_back(std::ldexp(static_cast<double>(place[axis]), -problem().fraction_bits));
  }
  calls_.of_points({.coordinates = View<const double>(coordinates.data(), {count, rank}),
                    .labels = View<const std::int32_t>(present.data(), {count})},
                   options, out, data_.domain_view());
}

/// Numbers the sites of the raster with their index and one, others 0; and tells which cells are
/// neither nodata nor outside of the domain, if that is wanted.
void Engine::number_sites(std::int32_t* numbers, std::uint8_t* inside) {
  const std::int64_t cells = problem().cells();
  const std::size_t element = data_.element();
  parallel_for(
      state_, (cells + kChunk - 1) / kChunk, kChunksAtOnce, 0,
      [&](std::int64_t begin, std::int64_t end, int) {
        std::array<std::uint8_t, kChunk> classes;
        for (std::int64_t first = begin * kChunk; first < std::min(end * kChunk, cells);
             first += kChunk) {
          const std::int64_t count = std::min(kChunk, cells - first);
          classify(problem().rule, data_.cells.data() + static_cast<std::size_t>(first) * element,
                   count, classes.data());
          for (std::int64_t i = 0; i < count; ++i) {
            const std::uint8_t own = classes[static_cast<std::size_t>(i)];
            numbers[first + i] = own == kSiteCell ? static_cast<std::int32_t>(first + i + 1) : 0;
            if (inside != nullptr)
              inside[first + i] = own != kNodataCell && data_.is_inside(first + i) ? 1 : 0;
          }
        }
      });
}

/// Solves a raster in which sites are labelled with their index and one.
void Engine::call_for_cells(NearestSiteOptions options, const NearestSiteOutputs& out) {
  Scratch::Frame scratch(state_.scratch);
  const std::int64_t cells = problem().cells();
  auto* const numbers = scratch.array<std::int32_t>(cells);
  const bool has_domain = problem().rule.nodata.has_value() || !data_.domain.empty();
  auto* const inside = scratch.array<std::uint8_t>(has_domain ? cells : 0);
  number_sites(numbers, has_domain ? inside : nullptr);
  options.nodata.reset();
  options.values.clear();
  options.zero_is_site = options.free_nodata = false;
  View<const void> domain;
  if (has_domain) {
    domain = View<const std::uint8_t>(inside, data_.extents);
    options.nodata_label = kNodata;
  }
  calls_.of_raster(View<const std::int32_t>(numbers, data_.extents), options, out, domain);
}

/// Writes labels from the fresh map, for a row.
template <class T>
void Engine::write_labels(std::int64_t z, std::int64_t y) const {
  const View<void>& out = data_.views.out.labels;
  const std::int64_t first = to_index(problem().extent, {z, y, 0});
  const std::byte* const labels = data_.is_list() ? data_.labels.data() : data_.cells.data();
  std::byte* cell = address_of(out, {z, y, 0});
  std::int32_t last = static_cast<std::int32_t>(kUnreached);
  T label = value_of<T>(problem().unreached);
  for (std::int64_t index = first; index < first + problem().extent[2];
       ++index, cell += out.stride(2)) {
    const std::int32_t site = other_[static_cast<std::size_t>(index)];
    if (site == kNodata)
      label = value_of<T>(data_.is_inside(index) ? *problem().rule.nodata : problem().nodata_label);
    else if (site == kUnreached)
      label = value_of<T>(problem().unreached);
    else if (site != last)
      std::memcpy(&label, labels + static_cast<std::size_t>(site) * sizeof(T), sizeof label);
    last = site;
    std::memcpy(cell, &label, sizeof label);
  }
}

/// By a fresh call whose labels are the map; it writes no output.
void Engine::find_anew(const SiteEdits& edits) {
  other_.resize(map_.size());
  const NearestSiteOutputs out{.labels = View<std::int32_t>(other_.data(), data_.extents)};
  NearestSiteOptions options = data_.options;
  options.unreached = kUnreached;
  if (!data_.domain.empty()) options.nodata_label = kNodata;
  moved_ = edits.moved;
  if (data_.is_list())
    call_for_points(options, out);
  else
    call_for_cells(options, out);
  state_.warnings.clear();
}

void Engine::write_anew() {
  const PhaseTimer phase(state_, "compare");
  list_.begin(data_.rank(), data_.positions());
  repair_->compare(other_, data_.is_list() ? 0 : 1, moved_, list_);
  list_.finish();
  is_listed_ = false;
  state_.progress.commit();
  repair_->write_all(state_, other_, data_.views, [this](std::int64_t z, std::int64_t y) {
    if (!data_.views.out.labels) return;
    visit_element_width(data_.type, [&]<class T>(std::type_identity<T>) { write_labels<T>(z, y); });
  });
  repair_->replace(other_);
}

void Engine::solve(const SiteEdits& edits, bool is_stale) {
  try {
    if (!is_stale && are_few(edits) && repair(edits)) return;
    find_anew(edits);
    write_anew();
  } catch (...) {
    repair_->roll_back();
    throw;
  }
}

ChangedCells Engine::changed_cells() {
  if (!is_listed_) {
    list_.cells().clear();
    repair_->list(other_, moved_, list_.cells());
    is_listed_ = true;
  }
  return list_.cells().view();
}

}  // namespace

std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                         const NearestSolverData& data,
                                                         const FreshCalls& calls) {
  return std::make_unique<Engine>(state, data, calls);
}

}  // namespace thiessen::cpu::solvers
