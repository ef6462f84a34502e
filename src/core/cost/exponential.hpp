// SPDX-License-Identifier: Apache-2.0
//
// The exponential function, since libraries differ in its last bit: additions, multiplications and
// operations on bits only, in one fixed order, so that the bits are the same on every machine.
//
// x = n·ln 2 + r with an integer n and |r| <= ln 2 / 2, so that e^x = 2^n·e^r. The first terms of
// Taylor's series of e^r, 1, r and r²/2, are kept as the sum of two doubles. The rest of the series
// is less than 0.01, so that its rounding errors are far below the last bit of the sum. The result
// is within 0.53 units in the last place, and a subnormal one within 1.
//
//   high, low    a value as the sum of two doubles, the second being what the first has lost
//   T. J. Dekker, "A floating-point technique for extending the available precision" (1971)
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "core/base/host_device.hpp"

namespace thiessen {

/// The numbers of the reduction to r.
struct ExponentialParts {
  static constexpr double kGreatest = 0x1.62e42fefa39efp+9;  ///< above, the result is infinite
  static constexpr double kLeast = -0x1.74910d52d3051p+9;    ///< below, it is 0
  static constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42feep-1;  ///< so few bits that n·kLn2High is exact
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kRound = 0x1.8p52;  ///< adding it rounds to an integer
};

/// What x·x loses when it is rounded to `square`; |x| < 2^500.
THIESSEN_HD inline double lost_by_squaring(double x, double square) {
  constexpr double kSplitter = 0x1p27 + 1;
  const double scaled = kSplitter * x;
  const double upper = scaled - (scaled - x);
  const double lower = x - upper;
  return ((upper * upper - square) + 2 * upper * lower) + lower * lower;
}

/// The terms from r³/6 to r^14/14! of e^r, for |r| <= ln 2 / 2: what follows is less than 2^-63.
THIESSEN_HD inline double end_of_series(double r, double square) {
  // Even and odd powers apart: half as many operations wait for each other.
  double even = 1 / 87178291200.0;
  even = 1 / 479001600.0 + square * even;
  even = 1 / 3628800.0 + square * even;
  even = 1 / 40320.0 + square * even;
  even = 1 / 720.0 + square * even;
  even = 1 / 24.0 + square * even;
  double odd = 1 / 6227020800.0;
  odd = 1 / 39916800.0 + square * odd;
  odd = 1 / 362880.0 + square * odd;
  odd = 1 / 5040.0 + square * odd;
  odd = 1 / 120.0 + square * odd;
  odd = 1 / 6.0 + square * odd;
  return square * (r * odd + square * even);
}

/// 2^n for -1022 <= n <= 1023.
THIESSEN_HD inline double power_of_two(std::int64_t n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// e^x; NaN for NaN.
THIESSEN_HD inline double exponential(double x) {
  using Parts = ExponentialParts;
  if (x != x) return x;
  if (x > Parts::kGreatest) return std::numeric_limits<double>::infinity();
  if (x < Parts::kLeast) return 0;
  const double turns = (x * Parts::kInverseLn2 + Parts::kRound) - Parts::kRound;
  const double exact = x - turns * Parts::kLn2High;
  const double correction = turns * Parts::kLn2Low;
  const double r = exact - correction;
  const double rest = (exact - r) - correction;
  const double square = r * r;
  const double linear = 1 + r;
  const double high = linear + square / 2;
  const double low = ((r - (linear - 1)) + (square / 2 - (high - linear))) +
                     (lost_by_squaring(r, square) / 2 + rest * linear);
  const double result = high + (low + end_of_series(r, square));
  const auto n = static_cast<std::int64_t>(turns);
  const std::int64_t half = n / 2;  // 2^n itself may be no double
  return result * power_of_two(half) * power_of_two(n - half);
}

}  // namespace thiessen
