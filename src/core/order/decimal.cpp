// SPDX-License-Identifier: Apache-2.0
#include "core/order/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace thiessen {
namespace {

/// A number of few digits and decimals, found by trial, which is ten times as fast as writing it.
/// No two decimals of so few digits are one float, so that it is the shortest one.
template <class Float>
std::optional<Decimal> few_digits(Float value) {
  constexpr int kMostDecimals = 4;
  static_assert(std::numeric_limits<float>::digits10 == 6);
  static_assert(std::numeric_limits<double>::digits10 == 15);
  constexpr double kMost = sizeof(Float) == sizeof(float) ? 1e6 : 1e15;
  double power = 1;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, power *= 10) {
    const double digits = std::nearbyint(static_cast<double>(value) * power);
    if (!(std::fabs(digits) < kMost)) return std::nullopt;
    if (static_cast<Float>(digits / power) != value) continue;
    auto whole = static_cast<std::int64_t>(digits);
    int exponent = -decimals;
    for (; whole != 0 && whole % 10 == 0; whole /= 10) ++exponent;
    return Decimal{whole, whole == 0 ? 0 : exponent};
  }
  return std::nullopt;
}

template <class Float>
Decimal decimal_of(Float value) {
  if (value == 0) return {};
  if (const auto found = few_digits(value)) return *found;
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char* const e = std::find(text, end, 'e');
  const bool is_negative = *text == '-';
  const char* const first = text + (is_negative ? 1 : 0);
  Decimal decimal;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, decimal.exponent);
  for (const char* digit = first; digit != e; ++digit) {
    if (*digit == '.') continue;
    decimal.digits = decimal.digits * 10 + (*digit - '0');
    if (digit != first) --decimal.exponent;
  }
  if (is_negative) decimal.digits = -decimal.digits;
  return without_trailing_zeros(decimal);
}

}  // namespace

Decimal to_decimal(double value) { return decimal_of(value); }
Decimal to_decimal(float value) { return decimal_of(value); }

Decimal without_trailing_zeros(Decimal decimal) {
  while (decimal.digits != 0 && decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  return decimal;
}

double to_double(const Decimal& decimal) {
  constexpr Int128 kMostInDouble = Int128{1} << 53;
  constexpr int kMostPower = 22;  // 10^22 is a double
  if (decimal.digits < kMostInDouble && decimal.exponent <= kMostPower &&
      decimal.exponent >= -kMostPower) {
    double power = 1;
    for (int i = 0; i < std::abs(decimal.exponent); ++i) power *= 10;
    const auto digits = static_cast<double>(decimal.digits);
    return decimal.exponent < 0 ? digits / power : digits * power;
  }
  std::string text;
  for (Int128 rest = decimal.digits; rest > 0; rest /= 10)
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  text += "e" + std::to_string(decimal.exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<Int128> multiply(Int128 a, Int128 b) {
  const auto is_narrow = [](Int128 number) { return number == static_cast<std::int64_t>(number); };
  if (is_narrow(a) && is_narrow(b)) return a * b;
  const Int128 magnitude = a < 0 ? -a : a;
  if (magnitude != 0 && b > kGreatestInteger / magnitude) return std::nullopt;
  return a * b;
}

std::optional<Int128> times_power_of_ten(Int128 a, int tens) {
  std::optional<Int128> product = a;
  for (; tens > 0 && product && *product != 0; --tens) product = multiply(*product, 10);
  return product;
}

Int128 greatest_common_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

}  // namespace thiessen
