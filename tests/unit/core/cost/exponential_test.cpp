// SPDX-License-Identifier: Apache-2.0
#include "core/cost/exponential.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/draw.hpp"

namespace thiessen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// The greatest argument with a finite result, and the least one with a result that is not 0.
constexpr double kGreatest = 0x1.62e42fefa39efp+9;
constexpr double kLeast = -0x1.74910d52d3051p+9;

/// How far e^x is from the true value, in units of its last place.
double error_of(double x) {
  const long double truth = std::exp(static_cast<long double>(x));
  int exponent = 0;
  std::frexp(static_cast<double>(truth), &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::abs(exponential(x) - truth) / unit);
}

/// Where long double is no wider than double, the truth itself is a unit off.
constexpr bool kKnowsTruth = std::numeric_limits<long double>::digits > 53;
constexpr double kOff = kKnowsTruth ? 0.53 : 1.6;
constexpr double kSubnormalOff = kKnowsTruth ? 1 : 2;

TEST(Exponential, IsRightToTheLastPlace) {
  testing::Draw draw(1);
  double worst = 0;
  for (int i = 0; i < 500'000; ++i) {
    worst = std::max(worst, error_of(1416 * draw.real() - 708));
    worst = std::max(worst, error_of(6 * draw.real() - 3));
  }
  EXPECT_LT(worst, kOff);
}

TEST(Exponential, OfTinyNumbersAndWithSubnormalResults) {
  testing::Draw draw(2);
  double worst = 0;
  double worst_subnormal = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double tiny = std::ldexp(2 * draw.real() - 1, -static_cast<int>(draw.below(80)));
    worst = std::max(worst, error_of(tiny));
    worst_subnormal = std::max(worst_subnormal, error_of(-708 - 37 * draw.real()));
  }
  EXPECT_LT(worst, kOff);
  EXPECT_LT(worst_subnormal, kSubnormalOff);
}

TEST(Exponential, OfSpecialValues) {
  EXPECT_EQ(exponential(0.0), 1);
  EXPECT_EQ(exponential(-0.0), 1);
  EXPECT_EQ(exponential(std::numeric_limits<double>::denorm_min()), 1);
  EXPECT_EQ(exponential(kInfinity), kInfinity);
  EXPECT_EQ(exponential(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(exponential(kGreatest), 0x1.fffffffffff2ap+1023);
  EXPECT_EQ(exponential(std::nextafter(kGreatest, kInfinity)), kInfinity);
  EXPECT_EQ(exponential(kLeast), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(exponential(std::nextafter(kLeast, -kInfinity)), 0);
  EXPECT_EQ(exponential(1e300), kInfinity);
  EXPECT_EQ(exponential(-1e300), 0);
}

/// The bits are the same on every machine.
TEST(Exponential, Golden) {
  EXPECT_EQ(exponential(1), 0x1.5bf0a8b145769p+1);
  EXPECT_EQ(exponential(-1), 0x1.78b56362cef38p-2);
  EXPECT_EQ(exponential(0.175), 0x1.30f58315d5749p+0);
  EXPECT_EQ(exponential(3.5), 0x1.08ec721396bdbp+5);
  EXPECT_EQ(exponential(-745), 0x1p-1074);
  std::uint64_t all = 0;
  for (int i = -40'000; i <= 40'000; ++i)
    all = splitmix64(all, std::bit_cast<std::uint64_t>(exponential(i * 0x1.2cp-6)));
  EXPECT_EQ(all, 0x4125854cc6ca8458u);
}

}  // namespace
}  // namespace thiessen
