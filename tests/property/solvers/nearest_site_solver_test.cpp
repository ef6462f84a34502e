// SPDX-License-Identifier: Apache-2.0
//
// Random sequences of updates: after each solve() a NearestSiteSolver holds what a fresh call
// gives, and tells what changed.
#include <gtest/gtest.h>

#include "support/solvers/solver_steps.hpp"

namespace thiessen {
namespace {

using testing::PointSteps;
using testing::RasterProblem;
using testing::RasterSteps;

constexpr testing::AxisRange kRange{
    .shortest = 1, .longest_2d = 110, .longest_3d = 22, .longest_thin = 600};
constexpr int kSteps = 25;

class Solver : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  template <class Steps>
  void run(RasterProblem problem) {
    SCOPED_TRACE(describe(problem));
    Steps steps(GetParam(), std::move(problem));
    for (int i = 0; i < kSteps && !HasFailure(); ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      steps.step();
    }
    RecordProperty("repairs", static_cast<int>(steps.repairs()));
  }
};

TEST_P(Solver, RastersEqualFreshCalls) {
  run<RasterSteps>(testing::draw_raster_problem(GetParam(), kRange));
}

TEST_P(Solver, PointsEqualFreshCalls) {
  constexpr std::ptrdiff_t kMost = 2000;  // a fresh call of many points takes its time
  RasterProblem problem = testing::draw_raster_problem(GetParam() + 1000, kRange);
  std::ptrdiff_t count = 0;
  for (auto& site : problem.sites)
    if (site != 0 && ++count > kMost) site = 0;
  run<PointSteps>(std::move(problem));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Solver, ::testing::Range<std::uint64_t>(0, 60));

}  // namespace
}  // namespace thiessen
