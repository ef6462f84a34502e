// SPDX-License-Identifier: Apache-2.0
//
// Chooses the unit in which both S and the weights are integers. With lengths as decimals D·10^E of
// what √S counts in, and weights m·10^e:
//   power           the unit of length is 10^F with F <= E and 2F <= e for all weights
//   additive        the greatest length that divides D·10^E and all weights
//   multiplicative  weights have a unit of their own, since only their ratios count
// Lengths of fractions of a cell count in units of 2^-fraction_bits besides.
#include "core/problem/site_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

std::string name_of_weight(std::int64_t i) { return "weights[" + std::to_string(i) + "]"; }

Decimal decimal_of(double value) { return to_decimal(value); }
Decimal decimal_of(float value) { return to_decimal(value); }
template <class Integer>
Decimal decimal_of(Integer value) {
  return without_trailing_zeros({static_cast<Int128>(value), 0});
}

/// The integers that weights become.
class Integers {
 public:
  Integers(Problem& problem, const std::vector<Decimal>& weights, const double* typed)
      : problem_(problem), weights_(weights), typed_(typed) {
    for (const Decimal& weight : weights) least_ = std::min(least_, weight.exponent);
  }

  void write(Int128* to) {
    switch (problem_.keys.weighting) {
      case Weighting::power:
        return write_squares(to);
      case Weighting::additive:
        return write_lengths(to);
      default:
        return write_ratios(to);
    }
  }

 private:
  void write_squares(Int128* to) {
    const Decimal& length = checked_length();
    // Rounded down also below 0.
    const int exponent = std::min(length.exponent, (least_ - (least_ < 0 ? 1 : 0)) / 2);
    set_unit({1, exponent}, times_power_of_ten(length.digits, length.exponent - exponent));
    constexpr Int128 kMost = Int128{1} << 124;
    write_all(to, 2 * exponent, 1, 2 * problem_.fraction_bits, kMost);
  }

  void write_lengths(Int128* to) {
    const Decimal& length = checked_length();
    const int exponent = std::min(length.exponent, least_);
    const auto cell = times_power_of_ten(length.digits, length.exponent - exponent);
    if (!cell) refuse_digits(finest());
    const Int128 common = common_divisor(exponent, *cell);
    set_unit({common, exponent}, *cell / common);
    constexpr Int128 kMost = Int128{1} << 61;
    write_all(to, exponent, common, problem_.fraction_bits, kMost);
  }

  void write_ratios(Int128* to) {
    constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
    write_all(to, least_, common_divisor(least_, 0), 0, kMost);
  }

  /// The length of 1 in √S, without fractions of a cell.
  const Decimal& checked_length() const {
    if (problem_.weights.approximated)
      refuse("spacing and weights are given; this spacing is too uneven for exact keys");
    return problem_.weights.length;
  }

  /// `factor` units are the length of 1 in √S. S in units must fit.
  void set_unit(const Decimal& unit, const std::optional<Int128>& factor) {
    const auto square = factor ? multiply(*factor, *factor) : std::nullopt;
    if (!square || !multiply(problem_.weights.greatest, *square)) refuse_digits(finest());
    problem_.keys.factor = *factor;
    problem_.keys.unit = scaled(unit_of(unit, 1), -problem_.fraction_bits);
  }

  /// The greatest divisor of all weights, in units of 10^exponent, and of another number.
  Int128 common_divisor(int exponent, Int128 other) const {
    Int128 common = other;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const auto number = number_of(i, exponent);
      if (!number) refuse_digits(i);
      common = greatest_common_divisor(*number, common);
    }
    return common == 0 ? 1 : common;
  }

  std::optional<Int128> number_of(std::size_t i, int exponent) const {
    return times_power_of_ten(weights_[i].digits, weights_[i].exponent - exponent);
  }

  void write_all(Int128* to, int exponent, Int128 divisor, int bits, Int128 most) const {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const auto number = number_of(i, exponent);
      const auto scaled =
          number ? multiply(*number / divisor, Int128{1} << bits) : std::optional<Int128>();
      if (!scaled || *scaled > most || *scaled < -most) refuse_digits(i);
      to[i] = *scaled;
    }
  }

  /// The first weight with the most decimals.
  std::size_t finest() const {
    const auto found = std::find_if(weights_.begin(), weights_.end(), [&](const Decimal& weight) {
      return weight.digits != 0 && weight.exponent == least_;
    });
    return found == weights_.end() ? 0 : static_cast<std::size_t>(found - weights_.begin());
  }

  [[noreturn]] void refuse_digits(std::size_t i) const {
    refuse(
        name_of_weight(static_cast<std::int64_t>(i)), shortest_decimal(typed_[i]),
        "has more digits than exact keys have on this grid; round the weights to fewer decimals");
  }

  Problem& problem_;
  const std::vector<Decimal>& weights_;
  const double* typed_;
  int least_ = 0;  ///< exponent of all weights
};

}  // namespace

void check_weights(const View<const void>& weights, const Extents& expected,
                   const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  const Weighting weighting = options.weighting;
  const std::string text = "weighting = " + std::string(name_of(weighting));
  if (!weights) {
    if (out.weighted_distance)
      refuse("weighted_distance", "is wanted; it exists only with weights");
    if (weighting != Weighting::none) refuse(text + "; needs weights, one for each site");
    return;
  }
  if (weighting == Weighting::none)
    refuse("weighting", "none",
           "must be power, additive or multiplicative where weights are given");
  if (weights.space() != MemorySpace::host)
    refuse("weights", "lie in device memory; must be on the host");
  if (weights.extents() != expected)
    refuse("weights", "have other extents than the sites; must be one for each site");
  if (weights.element_type() == ElementType::boolean)
    refuse("weights", "are bool; must be integers or floats");
  if (expected.count() > 0 && weights.bytes() == nullptr)
    refuse("weights", "are a null pointer; must be memory for them");
  check_strides("weights", weights);
  if (options.metric != Metric::euclidean || options.metric_function)
    refuse(text + " and another metric are given; weights are for metric = euclidean");
}

void set_weights(Problem& problem, ProblemViews& views, const View<const void>& weights,
                 Scratch::Frame& scratch) {
  const std::int64_t count = weights.extents().count();
  auto* typed = scratch.array<double>(count);
  auto* exact = scratch.array<Int128>(count);
  std::vector<Decimal> decimals;
  decimals.reserve(static_cast<std::size_t>(count));
  visit_element_type(weights.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, weights.bytes() + i * weights.stride(0), sizeof value);
      typed[i] = static_cast<double>(value);
      const bool divides = problem.keys.weighting == Weighting::multiplicative;
      if (!std::isfinite(typed[i]) || (divides && !(value > 0)))
        refuse(name_of_weight(i), shortest_decimal(typed[i]),
               divides ? "must be finite and > 0" : "must be finite");
      decimals.push_back(decimal_of(value));
    }
  });
  Integers(problem, decimals, typed).write(exact);
  views.weights = {exact, typed};
}

}  // namespace thiessen
