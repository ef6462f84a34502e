// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles/near/window_plan.hpp"

#include <algorithm>
#include <limits>

namespace thiessen::cpu::tiles {
namespace {

constexpr std::size_t kX = 2;

/// The part of a difference along an axis in S, or more than any S of a lane.
std::int64_t part_of(const Problem& problem, std::size_t axis, std::int64_t delta) {
  const std::int64_t power = problem.metric == Metric::euclidean ? delta * delta : delta;
  const Int128 part = problem.weights.factor[axis] * power;
  return part > std::numeric_limits<std::int32_t>::max() ? std::numeric_limits<std::int32_t>::max()
                                                         : static_cast<std::int64_t>(part);
}

/// The greatest difference up to `most` whose part is less than `far`.
std::int64_t reach_below(const Problem& problem, std::size_t axis, std::int64_t most,
                         std::int64_t far) {
  std::int64_t reach = 0;
  while (reach < most && part_of(problem, axis, reach + 1) < far) ++reach;
  return reach;
}

/// The greatest S that no site beyond `reach` cells of an axis can have.
std::int64_t bound_of(const Problem& problem, std::size_t axis, std::int64_t reach) {
  const bool is_all = problem.extent[axis] - 1 <= reach;
  return is_all ? std::numeric_limits<std::int64_t>::max() : part_of(problem, axis, reach + 1) - 1;
}

/// How many rows or planes a window looks away: no farther than the raster or a max distance, and
/// in steps of two.
std::int64_t even_reach(const Problem& problem, std::int64_t most_reach, std::size_t axis,
                        std::int64_t far) {
  const std::int64_t most = std::min(most_reach, kMostReach);
  const std::int64_t useful = std::min(most, problem.extent[axis] - 1);
  const std::int64_t in_range =
      problem.limited && problem.limit < far ? static_cast<std::int64_t>(problem.limit) + 1 : far;
  const std::int64_t wanted = reach_below(problem, axis, useful, in_range);
  return std::min(reach_below(problem, axis, most, far) / 2 * 2, (wanted + 1) / 2 * 2);
}

WindowPlan plan_with(const Problem& problem, std::int64_t most_reach, bool wide) {
  WindowPlan plan;
  plan.wide = wide;
  plan.takes_greatest = problem.metric == Metric::chessboard;
  plan.squared = problem.metric == Metric::euclidean;
  plan.far = wide ? std::int64_t{1} << 30 : std::numeric_limits<std::int16_t>::max();
  plan.columns = reach_below(problem, kX, kMostColumns, plan.far);
  plan.factor = part_of(problem, kX, 1);
  plan.bound = std::min(plan.far - 1, bound_of(problem, kX, plan.columns));
  for (std::size_t axis = 0; axis < plan.reach.size(); ++axis) {
    const std::int64_t reach = even_reach(problem, most_reach, axis, plan.far);
    plan.reach[axis] = reach;
    plan.bound = std::min(plan.bound, bound_of(problem, axis, reach));
    for (std::int64_t delta = 0; delta <= reach + 1; ++delta)
      plan.part[axis][static_cast<std::size_t>(delta)] =
          static_cast<std::uint32_t>(std::min(part_of(problem, axis, delta), plan.far));
  }
  plan.complete = problem.limited && plan.bound >= problem.limit;
  return plan;
}

/// Whether windows know all sites that are at most `reach` cells away along one axis, or in range.
bool looks_far(const Problem& problem, const WindowPlan& plan, std::int64_t reach) {
  if (plan.complete) return true;
  std::int64_t longest = 0;  // the greatest S over so many cells of an axis
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    longest = std::max(longest, part_of(problem, axis, std::min(reach, problem.extent[axis] - 1)));
  return plan.bound >= longest;
}

/// Whether codes tell the winners: the metric is a sum over the axes, the order of sites that of
/// their places, and the strips of the planes in reach have places of 32 bits.
bool tells_sites(const Problem& problem) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 18;
  return problem.metric != Metric::chessboard && !problem.point_sites &&
         (problem.rank == 2 || problem.extent[1] <= kMostRows);
}

}  // namespace

std::optional<WindowPlan> plan_windows(const Problem& problem, const EngineLimits& limits,
                                       bool wants_sites) {
  constexpr std::int64_t kEnough = 24;
  constexpr std::int64_t kLeast = 4;
  if (wants_sites && !tells_sites(problem)) return std::nullopt;
  const EngineLimits::Windows& windows = limits.windows(wants_sites);
  const std::int64_t reach = EngineLimits::of_rank(windows.reach, problem.rank);
  if (reach == 0) return std::nullopt;
  WindowPlan plan = plan_with(problem, reach, false);
  if (!looks_far(problem, plan, std::min(kEnough, reach))) {
    plan = plan_with(problem, reach, true);
    if (!looks_far(problem, plan, std::min(kLeast, reach))) return std::nullopt;
  }
  plan.fewest_sites = EngineLimits::of_rank(windows.sites, problem.rank);
  // Windows that go around an axis are not tried then.
  if (wants_sites && problem.has_period()) plan.complete = false;
  return plan;
}

}  // namespace thiessen::cpu::tiles
