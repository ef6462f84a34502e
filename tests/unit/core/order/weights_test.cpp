// SPDX-License-Identifier: Apache-2.0
#include "core/order/weights.hpp"

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
  EXPECT_EQ(weights.unit, (Unit{0.125, 5}));  // 1/40
  EXPECT_FALSE(weights.approximated);
  expect_factors(weights_of({1.5, 0.325, 0.325}, Metric::euclidean), {3600, 169, 169});
}

TEST(WeightsTest, UnitIsAFractionWithoutPowersOfTwoBelow) {
  EXPECT_EQ(weights_of({0.1, 0.3, 0.7}).unit, (Unit{0.5, 5}));
  EXPECT_EQ(weights_of({0.3, 0.6, 0.9}).unit, (Unit{1.5, 5}));
  EXPECT_EQ(weights_of({1000, 2000, 3000}).unit, (Unit{1000, 1}));
  EXPECT_EQ(weights_of({1.5, 0.375}).unit, (Unit{0.375, 1}));
  EXPECT_EQ(weights_of({1.1920928955078125e-07, 1}).unit, (Unit{std::ldexp(1.0, -23), 1}));
  const double longest = (1 << 24) - 3;
  EXPECT_EQ(weights_of({longest / 10, longest / 10}).unit, (Unit{longest / 2, 5}));
}

TEST(WeightsTest, UnitIsTheDoubleNearestToAFractionOfManyDigits) {
  EXPECT_EQ(weights_of({1.0 / 3, 1.0 / 3}).unit, (Unit{1.0 / 3, 1}));
  const double longer = (1 << 24) + 1;
  EXPECT_EQ(weights_of({longer / 10, longer / 10}).unit, (Unit{longer / 10, 1}));
  EXPECT_EQ(weights_of({1e-8, 3e-8}).unit, (Unit{1e-8, 1}));
  EXPECT_EQ(weights_of({3e30, 6e30}).unit, (Unit{3e30, 1}));
}

TEST(WeightsTest, CellsOfDecimalsAreWhatIsWritten) {
  // Tenths and hundredths of any number of digits: k cells of d/100 are k·d/100, read as decimals.
  for (int d = 1; d < 2000; d += 7)
    for (int k = 1; k < 60; ++k) {
      const Weights weights = weights_of({d / 100.0, d / 100.0}, Metric::euclidean);
      ASSERT_EQ(to_distance(weights, Metric::euclidean, k * k), k * d / 100.0) << d << ' ' << k;
    }
}

TEST(WeightsTest, EqualSpacingsHaveWeightOne) {
  const Weights weights = weights_of({0.1, 0.1, 0.1});
  expect_factors(weights, {1, 1, 1});
  EXPECT_EQ(weights.unit, (Unit{0.5, 5}));
  expect_factors(weights_of({1.0 / 3, 1.0 / 3}), {1, 1, 1});
}

TEST(WeightsTest, SpacingsThatDifferByRoundingAreEqual) {
  const Weights weights = weights_of({30, 30 + 1e-12, 30 - 1e-12});
  expect_factors(weights, {1, 1, 1});
  EXPECT_EQ(weights.unit, (Unit{30, 1}));
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
  EXPECT_EQ(weights_of({5e-324, 5e-324}).unit.numerator, 5e-324);
  EXPECT_EQ(weights_of({1e308, 1e308}).unit.numerator, 1e308);
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

TEST(ThresholdTest, ReachesTheCellsThatDecimalsName) {
  // One row of p/10 and one column of q/10 at the limits p/10 and q/10.
  for (int p = 1; p < 60; ++p)
    for (int q = 1; q < 60; ++q) {
      const Weights weights = weights_of({p / 10.0, q / 10.0}, Metric::euclidean);
      const auto within = [&](double limit) {
        return greatest_within(weights, Metric::euclidean, limit);
      };
      ASSERT_TRUE(within(p / 10.0) >= weights.factor[1]) << p << ' ' << q;
      ASSERT_TRUE(within(q / 10.0) >= weights.factor[2]) << p << ' ' << q;
      ASSERT_TRUE(within(std::nextafter(q / 10.0, 0.0)) < weights.factor[2]) << p << ' ' << q;
    }
}

}  // namespace
}  // namespace thiessen
