// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles/lines/line_plan.hpp"

#include <algorithm>

#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/near/windows.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// Whether codes tell the winners, and lanes of 32 bits their places in a strip.
bool tells_sites(const Problem& problem) {
  constexpr std::int64_t kMostExtent = (1 << (kLineCodeBits - 1)) - 1;
  constexpr std::int64_t kMostCells = std::int64_t{1} << 30;
  return problem.metric != Metric::chessboard && problem.extent[1] <= kMostExtent &&
         problem.extent[2] <= kMostExtent &&
         problem.extent[0] * (problem.extent[1] + 1) * kUnitWidth <= kMostCells;
}

}  // namespace

std::optional<LinePlan> plan_lines(const Problem& problem, const EngineLimits& limits,
                                   bool wants_sites) {
  constexpr std::int64_t kFar32 = std::int64_t{1} << 29;
  constexpr std::int64_t kFar64 = std::int64_t{1} << 62;
  const Int128 greatest = problem.weights.greatest;
  const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
  if (limits.line_work < 0 || problem.point_sites || problem.has_period() || greatest >= kFar64 ||
      longest >= kFar32)
    return std::nullopt;
  if (wants_sites && !tells_sites(problem)) return std::nullopt;
  LinePlan plan;
  plan.takes_greatest = problem.metric == Metric::chessboard;
  plan.wide = plan.takes_greatest || greatest >= kFar32;
  plan.far = plan.wide ? kFar64 : kFar32;
  plan.columns = kFar32;
  plan.squared = problem.metric == Metric::euclidean;
  plan.factor = static_cast<std::int64_t>(problem.weights.factor[2]);
  for (std::size_t axis = 0; axis < plan.factor_across.size(); ++axis)
    plan.factor_across[axis] = static_cast<std::int64_t>(problem.weights.factor[axis]);
  plan.work = limits.line_work * problem.cells();
  return plan;
}

}  // namespace thiessen::cpu::tiles
