// SPDX-License-Identifier: Apache-2.0
#include "operations/rows/field.hpp"

#include <cmath>
#include <string>

#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

/// "2^30" of a large power of two.
std::string bound_of(double number) {
  int exponent = 0;
  constexpr double kLarge = 1 << 20;
  if (number >= kLarge && std::frexp(number, &exponent) == 0.5)
    return "2^" + std::to_string(exponent - 1);
  return shortest_decimal(number);
}

}  // namespace

bool Range::has(double number) const {
  if (!takes_infinity && std::isinf(number)) return false;
  return (is_open ? number > least : number >= least) && number <= greatest;
}

std::string text_of(const Range& range) {
  const bool has_least = std::isfinite(range.least);
  if (has_least && std::isfinite(range.greatest))
    return "must be from " + shortest_decimal(range.least) + " to " + bound_of(range.greatest);
  std::string rule = range.takes_infinity ? "must be " : "must be finite";
  if (has_least && !range.takes_infinity) rule += " and ";
  if (has_least) rule += (range.is_open ? "> " : ">= ") + shortest_decimal(range.least);
  if (std::isfinite(range.greatest))
    rule += (range.takes_infinity ? "<= " : " and <= ") + shortest_decimal(range.greatest);
  return range.takes_infinity && !has_least && !std::isfinite(range.greatest) ? "must be a number"
                                                                              : rule;
}

std::string text_of(const Condition& condition, std::string_view name) {
  if (!condition.words.empty()) return std::string(condition.words);
  return std::string(name) + " " + std::string(condition.values.front());
}

}  // namespace thiessen
