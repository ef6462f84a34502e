// SPDX-License-Identifier: Apache-2.0
//
// A run of equal labels in a row adds closed forms of its length and place to its label: a label is
// looked up once a run, not once a cell. Every worker has sums of its own for the labels that it
// has seen; they are integers, so it does not matter which worker saw which cell.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/statistics/tables.hpp"
#include "cpu/statistics/field_sums.hpp"
#include "cpu/statistics/row_runs.hpp"
#include "cpu/statistics/statistics.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace statistics {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// How the values of the fields of a call are summed.
struct Plan {
  const StatisticsProblem& problem;
  FixedPoint field;
  FixedPoint distance;
};

/// What one worker has seen.
template <int kRank, class Sum>
class Shares {
 public:
  Shares(const Plan& plan, std::int64_t targets)
      : extent_(plan.problem.raster.extent),
        labels_(plan.problem.raster.left_out),
        finder_(plan.problem.raster, targets) {
    if (plan.problem.field) mass_.emplace(plan.problem.field, plan.field);
    if (plan.problem.distance) distance_.emplace(plan.problem.distance, plan.distance);
    resize();
  }

  void add_row(std::int64_t z, std::int64_t y) {
    finder_.begin_row(z, y);
    if (mass_) mass_->begin_row(z, y);
    if (distance_) distance_->begin_row(z, y);
    for (std::int64_t x = 0; x < extent_[2]; x += kPiece) {
      finder_.find(x, std::min(x + kPiece, extent_[2]), labels_, runs_);
      if (places_.size() < labels_.size()) resize();
      add_places(z, y);
      if (mass_ || distance_) add_fields(z, y);
    }
  }

  /// Adds what another worker has seen.
  void add(const Shares& other) {
    first_bad_ = std::min(first_bad_, other.first_bad_);
    for (std::uint32_t from = 1; from < other.labels_.size(); ++from) {
      const std::uint32_t slot = labels_.slot_of(other.labels_.key(from));
      resize();
      places_[slot].moments.add(other.places_[from].moments);
      places_[slot].box.add(other.places_[from].box);
      if (mass_) mass_->add(slot, *other.mass_, from);
      if (distance_) distance_->add(slot, *other.distance_, from);
    }
  }

  /// The linear index of the first cell with a label whose field is not finite, or kNone.
  std::int64_t first_bad() const { return first_bad_; }

  SiteStatistics table(const LabelRaster& raster) {
    const ElementType type = raster.labels.element_type();
    const std::vector<std::uint32_t> slots = labels_.in_order(type);
    SiteStatistics table{.rank = kRank};
    begin_rows(slots.size(), table);
    std::vector<LabelKey> keys;
    keys.reserve(slots.size());
    for (const std::uint32_t slot : slots) {
      keys.push_back(labels_.key(slot));
      append_row(slot, raster, table);
    }
    table.labels = to_labels(keys, type);
    return table;
  }

 private:
  using Cell = std::array<std::int64_t, kRank>;

  static Cell cell_at(std::int64_t z, std::int64_t y, std::int64_t x) {
    if constexpr (kRank == 2)
      return {y, x};
    else
      return {z, y, x};
  }

  void resize() {
    places_.resize(labels_.size());
    if (mass_) mass_->resize(labels_.size());
    if (distance_) distance_->resize(labels_.size());
  }

  void add_places(std::int64_t z, std::int64_t y) {
    for (std::int64_t i = 0; i < runs_.count; ++i) {
      const Cell cell = cell_at(z, y, runs_.begin(i));
      const std::int64_t length = runs_.begin(i + 1) - runs_.begin(i);
      LabelPlace<kRank, Sum>& place = places_[runs_.slot(i)];
      finder_.fetch(runs_.begin(i) + kPiece);
      place.moments.add_run(cell, length);
      place.box.add_run(cell, length);
    }
  }

  void add_fields(std::int64_t z, std::int64_t y) {
    for (std::int64_t i = 0; i < runs_.count; ++i) {
      const std::uint32_t slot = runs_.slot(i);
      if (slot == kLeftOut) continue;
      const Cell cell = cell_at(z, y, runs_.begin(i));
      const std::int64_t length = runs_.begin(i + 1) - runs_.begin(i);
      if (mass_)
        if (const std::int64_t x = mass_->add_run(slot, cell, length); x >= 0)
          first_bad_ = std::min(first_bad_, to_index(extent_, {z, y, x}));
      if (distance_) distance_->add_run(slot, runs_.begin(i), length);
    }
  }

  void append_row(std::uint32_t slot, const LabelRaster& raster, SiteStatistics& table) {
    append_place(places_[slot], raster, table);
    if (mass_) append_mass<kRank>([&](int i) { return mass_->sum(slot, i); }, raster, table);
    if (distance_) append_distances(distance_->counts(slot), distance_->sum(slot), table);
  }

  Axes extent_;
  LabelSlots labels_;
  RunFinder finder_;
  Runs runs_;
  std::vector<LabelPlace<kRank, Sum>> places_;  ///< of each slot
  std::optional<MassSums<kRank>> mass_;
  std::optional<DistanceSums> distance_;
  std::int64_t first_bad_ = kNone;
};

template <int kRank, class Sum>
SiteStatistics make_table(ContextState& state, const Plan& plan) {
  const LabelRaster& raster = plan.problem.raster;
  const Axes& extent = raster.extent;
  using Worker = Shares<kRank, Sum>;
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(state.threads));
  parallel_for(state, extent[2] == 0 ? 0 : extent[0] * extent[1], rows_per_task(extent[2] + 1),
               extent[2], [&](std::int64_t begin, std::int64_t end, int index) {
                 auto& worker = workers[static_cast<std::size_t>(index)];
                 if (!worker) worker = std::make_unique<Worker>(plan, state.instruction_sets);
                 for (std::int64_t i = begin; i < end; ++i)
                   worker->add_row(i / extent[1], i % extent[1]);
               });
  std::unique_ptr<Worker> all;
  for (auto& worker : workers) {
    if (!worker) continue;
    if (all)
      all->add(*worker);
    else
      all = std::move(worker);
    worker.reset();
  }
  if (!all) all = std::make_unique<Worker>(plan, state.instruction_sets);
  if (all->first_bad() != kNone) refuse_field(plan.problem, all->first_bad());
  return all->table(raster);
}

}  // namespace
}  // namespace statistics

SiteStatistics run_site_statistics(ContextState& state, const StatisticsProblem& problem) {
  const Axes& extent = problem.raster.extent;
  statistics::Plan plan{.problem = problem, .field = {}, .distance = {}};
  const int passes = 1 + (problem.field ? 1 : 0) + (problem.distance ? 1 : 0);
  state.progress.begin(passes * extent[0] * extent[1] * extent[2]);
  if (problem.field) plan.field = statistics::find_fixed_point(state, problem.field, extent);
  if (problem.distance)
    plan.distance = statistics::find_fixed_point(state, problem.distance, extent);
  const bool is_short = has_short_sums(extent[0] * extent[1] * extent[2],
                                       *std::max_element(extent.begin(), extent.end()));
  if (problem.raster.rank == 2)
    return is_short ? statistics::make_table<2, std::uint64_t>(state, plan)
                    : statistics::make_table<2, UInt128>(state, plan);
  return is_short ? statistics::make_table<3, std::uint64_t>(state, plan)
                  : statistics::make_table<3, UInt128>(state, plan);
}

}  // namespace thiessen::cpu
