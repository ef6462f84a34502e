// SPDX-License-Identifier: Apache-2.0
//
// The sequences of cost_solver_test.cpp for THIESSEN_TEST_SECONDS; a failure names the seed that
// shows it again.
#include <gtest/gtest.h>

#include "support/cost_solver_model.hpp"
#include "support/seeds.hpp"

namespace thiessen {
namespace {

TEST(Long, CostSolversEqualFreshCalls) {
  for (testing::Seeds seeds; seeds.goes_on() && !HasFatalFailure();) {
    const std::uint64_t seed = seeds.next();
    testing::CostSolverModel model(seed);
    ASSERT_NO_FATAL_FAILURE(model.check());
    for (int step = 0; step < 50 && !HasFatalFailure(); ++step) {
      SCOPED_TRACE("THIESSEN_TEST_SEED=" + std::to_string(seed) + ", step " + std::to_string(step));
      model.step();
    }
  }
}

}  // namespace
}  // namespace thiessen
