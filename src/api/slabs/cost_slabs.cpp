// SPDX-License-Identifier: Apache-2.0
//
// The public functions of cost distance on slabs, and the order of visits.
#include "thiessen/slabs/cost_slabs.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "backend/backend.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/slab.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// Slabs are on the host, and done there.
const CostSlabEntry& cost_slab_entry() {
  const Backend* const backend = find_backend("cpu");
  if (backend == nullptr || backend->cost_slabs() == nullptr)
    throw Error(ErrorCode::unsupported,
                "this build has no slabs of cost distance; they need the backend cpu");
  return *backend->cost_slabs();
}

bool has_own_cells(const CostSlabProblem& slab) { return slab.own_end() > slab.own_begin(); }

}  // namespace

CostSlabReport begin_cost_slab(Context& context, const CostSlab& slab,
                               const CostDistanceOptions& options, CostStage stage) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const CostSlabProblem problem = make_cost_slab_problem(slab, options, stage, true);
    if (!slab.sites && !problem.problem.point_sites && stage != CostStage::hops)
      refuse("sites", "are empty; must be a raster or points");
    return has_own_cells(problem) ? cost_slab_entry().begin(state, problem, stage)
                                  : CostSlabReport();
  });
}

CostSlabReport continue_cost_slab(Context& context, const CostSlab& slab,
                                  const CostDistanceOptions& options, CostStage stage) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const CostSlabProblem problem = make_cost_slab_problem(slab, options, stage, false);
    return has_own_cells(problem) ? cost_slab_entry().go_on(state, problem, stage)
                                  : CostSlabReport();
  });
}

void finish_cost_slab(Context& context, const CostSlab& slab, const CostDistanceOptions& options,
                      const CostDistanceOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] {
    const CostSlabProblem problem = make_cost_slab_problem(slab, options, out);
    if (has_own_cells(problem)) cost_slab_entry().finish(state, problem);
  });
}

CostSlabQueue::CostSlabQueue(std::span<const std::int64_t> heights) : first_{0} {
  first_.reserve(heights.size() + 1);
  waiting_.reserve(heights.size());
  for (std::size_t slab = 0; slab < heights.size(); ++slab) {
    if (heights[slab] < 0)
      refuse("heights[" + std::to_string(slab) + "]", std::to_string(heights[slab]),
             "must be >= 0");
    if (heights[slab] > std::numeric_limits<std::int64_t>::max() - first_.back())
      refuse("heights", "add up to 2^63 rows or more");
    first_.push_back(first_.back() + heights[slab]);
    waiting_.emplace_back(false, 0, slab);
    if (heights[slab] > 0) order_.insert(waiting_.back());
  }
}

std::optional<CostSlabQueue::Visit> CostSlabQueue::next() {
  if (order_.empty()) return std::nullopt;
  return take(*order_.begin());
}

std::optional<CostSlabQueue::Visit> CostSlabQueue::next_among(std::span<const std::size_t> slabs) {
  const Waiting* best = nullptr;
  for (const std::size_t slab : slabs) {
    check(slab);
    const Waiting& own = waiting_[slab];
    if (order_.contains(own) && (best == nullptr || own < *best)) best = &own;
  }
  if (best == nullptr) return std::nullopt;
  return take(*best);
}

std::optional<CostSlabQueue::Visit> CostSlabQueue::take(const Waiting& next) {
  const auto [is_begun, cost, slab] = next;
  order_.erase(waiting_[slab]);
  waiting_[slab] = {true, CostSlabReport::kNone, slab};
  ++visits_;
  return Visit{slab, !is_begun};
}

void CostSlabQueue::check(std::size_t slab) const {
  if (slab >= waiting_.size())
    refuse("slab", std::to_string(slab), "there are " + std::to_string(waiting_.size()));
}

void CostSlabQueue::add(std::size_t slab, const CostSlabReport& report) {
  check(slab);
  for (std::int64_t i = 0; i < std::ssize(report.above); ++i) {
    wait(first_[slab] - 1 - i, report.above[static_cast<std::size_t>(i)]);
    wait(first_[slab + 1] + i, report.below[static_cast<std::size_t>(i)]);
  }
}

/// Those that have not been visited wait anyway.
void CostSlabQueue::wait(std::int64_t row, double cost) {
  if (cost == CostSlabReport::kNone || row < 0 || row >= first_.back()) return;
  const auto after = std::upper_bound(first_.begin(), first_.end(), row);
  Waiting& own = waiting_[static_cast<std::size_t>(after - first_.begin()) - 1];
  auto& [is_begun, least, slab] = own;
  if (!is_begun || cost >= least) return;
  order_.erase(own);
  least = cost;
  order_.insert(own);
}

}  // namespace thiessen
