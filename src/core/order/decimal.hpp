// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people type them: a double is read as the shortest decimal that gives it.
#pragma once

#include <concepts>
#include <optional>

#include "core/base/int128.hpp"

namespace thiessen {

/// digits · 10^exponent; the digits end in no zero. 0 is 0 · 10^0.
struct Decimal {
  Int128 digits = 0;
  int exponent = 0;
};

/// The shortest decimal that gives this finite number.
Decimal to_decimal(double value);
Decimal to_decimal(float value);

/// The same number with digits that end in no zero.
Decimal without_trailing_zeros(Decimal decimal);

template <std::integral Integer>
Decimal to_decimal(Integer value) {
  return without_trailing_zeros({static_cast<Int128>(value), 0});
}

/// The double nearest to a decimal >= 0.
double to_double(const Decimal& decimal);

/// Integers that are made of decimals stay below it in magnitude.
inline constexpr Int128 kGreatestInteger = (Int128{1} << 126) - 1;

/// a·b for b >= 0; empty if its magnitude is above kGreatestInteger.
std::optional<Int128> multiply(Int128 a, Int128 b);

/// a·10^tens, for tens >= 0; empty in the same case.
std::optional<Int128> times_power_of_ten(Int128 a, int tens);

/// The greatest common divisor of both magnitudes; the magnitude of `a` if b is 0.
Int128 greatest_common_divisor(Int128 a, Int128 b);

}  // namespace thiessen
