// SPDX-License-Identifier: Apache-2.0
#include "core/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

Weights weights_of(const std::vector<double>& spacing, Metric metric = Metric::manhattan,
                   const Axes& extent = {100, 100, 100}) {
  return make_weights({extent[0] - 1, extent[1] - 1, extent[2] - 1}, spacing, metric);
}

void expect_factors(const Weights& weights, const std::array<std::int64_t, kAxes>& expected) {
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    EXPECT_TRUE(weights.factor[axis] == expected[axis]) << "axis " << axis;
}

TEST(WeightsTest, DecimalsBecomeIntegersWithoutCommonDivisor) {
  const Weights weights = weights_of({1.5, 0.325, 0.325});
  expect_factors(weights, {60, 13, 13});
  EXPECT_EQ(weights.unit, 0.025);
  EXPECT_FALSE(weights.approximated);
  expect_factors(weights_of({1.5, 0.325, 0.325}, Metric::euclidean), {3600, 169, 169});
}

TEST(WeightsTest, UnitIsTheDoubleNearestToTheDecimal) {
  EXPECT_EQ(weights_of({0.1, 0.3, 0.7}).unit, 0.1);
  EXPECT_EQ(weights_of({0.3, 0.6, 0.9}).unit, 0.3);  // 0.9 / 3 would be 0.3 with another last bit
  EXPECT_EQ(weights_of({1000, 2000, 3000}).unit, 1000);
}

TEST(WeightsTest, EqualSpacingsHaveWeightOne) {
  const Weights weights = weights_of({0.1, 0.1, 0.1});
  expect_factors(weights, {1, 1, 1});
  EXPECT_EQ(weights.unit, 0.1);
  expect_factors(weights_of({1.0 / 3, 1.0 / 3}), {1, 1, 1});
}

TEST(WeightsTest, SpacingsThatDifferByRoundingAreEqual) {
  const Weights weights = weights_of({30, 30 + 1e-12, 30 - 1e-12});
  expect_factors(weights, {1, 1, 1});
  EXPECT_EQ(weights.unit, 30);
  const Weights pair = weights_of({2, 1, 1 + 1e-13});
  expect_factors(pair, {2, 1, 1});
}

TEST(WeightsTest, ManyDigitsAreApproximated) {
  const std::vector<double> spacing = {3.141592653589793, 2.718281828459045};
  const Weights weights = weights_of(spacing, Metric::euclidean, {1, 4096, 4096});
  EXPECT_TRUE(weights.approximated);
  const double ratio =
      static_cast<double>(weights.factor[2]) / static_cast<double>(weights.factor[1]);
  const double truth = (spacing[1] / spacing[0]) * (spacing[1] / spacing[0]);
  EXPECT_NEAR(ratio / truth, 1, 1e-12);
  // One cell along the longest axis is exactly its spacing.
  EXPECT_EQ(to_distance(weights, Metric::euclidean, weights.factor[1]), spacing[0]);
}

TEST(WeightsTest, GreatestDistanceIsTheCorner) {
  const Weights weights = weights_of({1, 2}, Metric::euclidean, {1, 11, 101});
  EXPECT_GE(weights.greatest, Int128{10 * 10 + 4 * 100 * 100});
}

TEST(WeightsTest, LongAxesNeed128Bits) {
  const std::int64_t longest = std::int64_t{1} << 30;
  const Weights weights = weights_of({1, 1, 1}, Metric::euclidean, {longest, longest, longest});
  EXPECT_LT(weights.greatest, Int128{1} << 62);
  EXPECT_GT(weights_of({3, 5}, Metric::euclidean, {1, longest, longest}).greatest, Int128{1} << 62);
}

TEST(WeightsTest, RefusesWhatIsNoLength) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(weights_of({1, bad}), Error) << bad;
}

TEST(WeightsTest, RefusesWhatIsTooUneven) {
  try {
    weights_of({1e-200, 1.2345678912345e200}, Metric::euclidean);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("spacing = 1e-200,1.2345678912345e+200"),
              std::string::npos)
        << error.what();
  }
}

TEST(WeightsTest, ExtremeButEqualSpacingsWork) {
  EXPECT_EQ(weights_of({5e-324, 5e-324}).unit, 5e-324);
  EXPECT_EQ(weights_of({1e308, 1e308}).unit, 1e308);
  EXPECT_THROW(weights_of({5e-324, 1e-323}), Error);  // a unit of few digits would be wrong
}

TEST(ThresholdTest, IsTheLargestWithinTheLimit) {
  const Weights weights = weights_of({1, 1}, Metric::euclidean);
  const auto within = [&](double limit) {
    return static_cast<std::int64_t>(greatest_within(weights, Metric::euclidean, limit));
  };
  EXPECT_EQ(within(0), 0);
  EXPECT_EQ(within(0.99), 0);
  EXPECT_EQ(within(1), 1);
  EXPECT_EQ(within(std::sqrt(2.0)), 2);
  EXPECT_EQ(within(std::nextafter(std::sqrt(2.0), 0.0)), 1);
  EXPECT_EQ(within(5), 25);
  EXPECT_TRUE(greatest_within(weights, Metric::euclidean, 1e300) == weights.greatest);
}

TEST(ThresholdTest, IsInclusiveInTheUnitsOfTheSpacing) {
  const Weights weights = weights_of({0.1, 0.1});
  for (std::int64_t cells = 0; cells < 200; ++cells) {
    const double limit = to_distance(weights, Metric::manhattan, cells);
    EXPECT_EQ(static_cast<std::int64_t>(greatest_within(weights, Metric::manhattan, limit)), cells);
  }
}

}  // namespace
}  // namespace thiessen
