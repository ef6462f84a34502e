// SPDX-License-Identifier: Apache-2.0
//
// The sequences of cost_solver_test.cpp on a CUDA device: a CostSolver has after every step what a
// fresh call on the CPU has. As many problems as THIESSEN_TEST_PROBLEMS says.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/solvers/cost_solver_model.hpp"

namespace thiessen {
namespace {

TEST(CostSolverOnDevice, EqualsFreshCalls) {
  const char* const wanted = std::getenv("THIESSEN_TEST_PROBLEMS");
  const int problems = wanted != nullptr ? std::atoi(wanted) : 400;
  for (int problem = 0; problem < problems; ++problem) {
    testing::CostSolverModel model(static_cast<std::uint64_t>(problem), "cuda");
    ASSERT_NO_FATAL_FAILURE(model.check()) << "problem " << problem;
    for (int step = 0; step < 20; ++step) {
      SCOPED_TRACE("problem " + std::to_string(problem) + ", step " + std::to_string(step));
      model.step();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace thiessen
