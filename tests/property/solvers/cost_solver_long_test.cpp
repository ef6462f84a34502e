// SPDX-License-Identifier: Apache-2.0
//
// The sequences of cost_solver_test.cpp for THIESSEN_TEST_SECONDS on each kind of device; a failure
// names the seed that shows it again.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/problems/seeds.hpp"
#include "support/solvers/cost_solver_model.hpp"
#include "thiessen/devices.hpp"

namespace thiessen {
namespace {

void expect_fresh_calls(const std::string& device) {
  for (testing::Seeds seeds; seeds.goes_on() && !::testing::Test::HasFatalFailure();) {
    const std::uint64_t seed = seeds.next();
    testing::CostSolverModel model(seed, device);
    ASSERT_NO_FATAL_FAILURE(model.check());
    for (int step = 0; step < 50 && !::testing::Test::HasFatalFailure(); ++step) {
      SCOPED_TRACE("THIESSEN_TEST_SEED=" + std::to_string(seed) + ", step " + std::to_string(step));
      model.step();
    }
  }
}

TEST(Long, CostSolversEqualFreshCalls) { expect_fresh_calls("cpu"); }

TEST(Long, CostSolversOnCudaEqualFreshCalls) {
  const std::vector<DeviceInfo> all = devices();
  const bool is_there = std::any_of(all.begin(), all.end(), [](const DeviceInfo& device) {
    return device.available && device.name == "cuda:0";
  });
  if (!is_there) GTEST_SKIP() << "no CUDA device";
  expect_fresh_calls("cuda");
}

}  // namespace
}  // namespace thiessen
