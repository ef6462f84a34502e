// SPDX-License-Identifier: Apache-2.0
//
// A CostSolver has after every step of a random sequence of updates what a fresh call has.
#include <gtest/gtest.h>

#include "support/solvers/cost_solver_model.hpp"

namespace thiessen {
namespace {

class CostSolverSequence : public ::testing::TestWithParam<int> {};

TEST_P(CostSolverSequence, EqualsFreshCalls) {
  for (int problem = 0; problem < 20; ++problem) {
    testing::CostSolverModel model(static_cast<std::uint64_t>(GetParam()) * 1000 +
                                   static_cast<std::uint64_t>(problem));
    ASSERT_NO_FATAL_FAILURE(model.check());
    for (int step = 0; step < 20; ++step) {
      ASSERT_NO_FATAL_FAILURE(model.step()) << "problem " << problem << ", step " << step;
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Property, CostSolverSequence, ::testing::Range(0, 20));

}  // namespace
}  // namespace thiessen
