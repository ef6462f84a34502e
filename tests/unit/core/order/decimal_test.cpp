// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the shortest decimals that give them.
#include "core/order/decimal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "support/draw.hpp"

namespace thiessen {
namespace {

using testing::Draw;

std::string text_of(const Decimal& decimal) {
  return std::to_string(static_cast<std::int64_t>(decimal.digits)) + "e" +
         std::to_string(decimal.exponent);
}

/// The digits and the exponent that the standard library writes for a number.
template <class Float>
std::string written(Float value) {
  if (value == 0) return "0e0";
  char text[64];
  char* const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  std::string digits;
  int exponent = 0;
  const char* const e = std::find(text, end, 'e');
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  bool is_behind = false;
  for (const char* each = text; each != e; ++each) {
    if (*each == '.') {
      is_behind = true;
      continue;
    }
    digits += *each;
    if (is_behind) --exponent;
  }
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  return digits + "e" + std::to_string(exponent);
}

template <class Float>
void expect_shortest(Float value) {
  ASSERT_EQ(text_of(to_decimal(value)), written(value));
}

TEST(Decimals, AreTheShortestOnes) {
  Draw draw(3);
  for (int i = 0; i < 20000; ++i) {
    const double power = std::pow(10.0, static_cast<double>(draw.below(7)));
    const auto digits = static_cast<double>(draw.below(draw.once_in(2) ? 1000 : 2000000000));
    for (const double value : {digits / power, -digits / power, digits * power}) {
      expect_shortest(value);
      expect_shortest(static_cast<float>(value));
      expect_shortest(std::nextafter(value, 1e300));
      expect_shortest(std::nextafter(static_cast<float>(value), 1e30F));
    }
    const auto bits = static_cast<std::uint64_t>(draw.below(std::numeric_limits<int>::max()))
                          << 33 |
                      static_cast<std::uint64_t>(draw.below(std::numeric_limits<int>::max()));
    double any;
    std::memcpy(&any, &bits, sizeof any);
    if (std::isfinite(any)) expect_shortest(any);
    if (std::isfinite(static_cast<float>(any))) expect_shortest(static_cast<float>(any));
  }
  for (const double value : {0.0, -0.0, 1e6, 1e15, 999999.0, 1e22, 0.0001, 0.00001, 123456789.5})
    expect_shortest(value);
}

}  // namespace
}  // namespace thiessen
