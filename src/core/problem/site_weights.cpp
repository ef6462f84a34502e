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
#include <type_traits>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/site_metrics.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// The weights that count, in their order: all of a list, or of some cells of a raster.
class WeightList {
 public:
  explicit WeightList(const View<const void>& list) : view_(list), count_(list.extents().count()) {}
  WeightList(const View<const void>& raster, std::span<const std::int64_t> cells)
      : view_(raster), cells_(cells), is_raster_(true), count_(std::ssize(cells)) {}

  std::int64_t count() const { return count_; }
  ElementType element_type() const { return view_.element_type(); }
  const std::byte* at(std::int64_t i) const {
    if (!is_raster_) return view_.bytes() + i * view_.stride(0);
    std::int64_t rest = cells_[static_cast<std::size_t>(i)];
    const std::byte* to = view_.bytes();
    for (int axis = view_.rank() - 1; axis >= 0; --axis) {
      to += rest % view_.extent(axis) * view_.stride(axis);
      rest /= view_.extent(axis);
    }
    return to;
  }
  /// "weights[3]", "weights[0, 12]".
  std::string name(std::int64_t i) const {
    std::string place;
    std::int64_t rest = is_raster_ ? cells_[static_cast<std::size_t>(i)] : i;
    for (int axis = view_.rank() - 1; axis >= 0; --axis) {
      place.insert(0, std::to_string(rest % view_.extent(axis)) + (place.empty() ? "" : ", "));
      rest /= view_.extent(axis);
    }
    return "weights[" + place + "]";
  }

 private:
  const View<const void>& view_;
  std::span<const std::int64_t> cells_;
  bool is_raster_ = false;
  std::int64_t count_;
};

/// The integers that weights become.
class Integers {
 public:
  /// `metrics` may be null.
  Integers(Problem& problem, const WeightList& list, const std::vector<Decimal>& weights,
           const double* typed, const SiteMetrics* metrics)
      : problem_(problem), list_(list), weights_(weights), typed_(typed), metrics_(metrics) {
    for (const Decimal& weight : weights) least_ = std::min(least_, weight.exponent);
  }

  /// The unit of length with `power` is 10^exponent().
  int exponent() const { return exponent_; }

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
    const auto half = [](int exponent) { return (exponent - (exponent < 0 ? 1 : 0)) / 2; };
    int exponent = std::min(length.exponent, half(least_));
    if (metrics_ != nullptr) {
      exponent = std::min(exponent, length.exponent + half(metrics_->least_exponent()));
      problem_.keys.unit = scaled(unit_of({1, exponent}, 1), -problem_.fraction_bits);
    } else {
      set_unit({1, exponent}, times_power_of_ten(length.digits, length.exponent - exponent));
    }
    constexpr Int128 kMost = Int128{1} << 124;
    write_all(to, 2 * exponent, 1, 2 * problem_.fraction_bits, kMost);
    exponent_ = exponent;
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
        list_.name(static_cast<std::int64_t>(i)), shortest_decimal(typed_[i]),
        "has more digits than exact keys have with this spacing and the other weights; round the "
        "weights to fewer decimals");
  }

  Problem& problem_;
  const WeightList& list_;
  const std::vector<Decimal>& weights_;
  const double* typed_;
  const SiteMetrics* metrics_;
  int least_ = 0;     ///< exponent of all weights
  int exponent_ = 0;  ///< of the unit of length
};

double signed_double(Decimal decimal) {
  if (decimal.digits >= 0) return to_double(decimal);
  decimal.digits = -decimal.digits;
  return -to_double(decimal);
}

/// Reads weights, and makes them and metrics, if there are any, integers for ways up to `reach`.
SiteWeights read(Problem& problem, const WeightList& list, Scratch::Frame& scratch,
                 const SiteMetrics* metrics = nullptr, const Axes& reach = {}) {
  auto* typed = scratch.array<double>(list.count());
  auto* exact = scratch.array<Int128>(list.count());
  std::vector<Decimal> decimals;
  decimals.reserve(static_cast<std::size_t>(list.count()));
  visit_element_type(list.element_type(), [&]<class T>(std::type_identity<T>) {
    T last{};
    for (std::int64_t i = 0; i < list.count(); ++i) {
      T value;
      std::memcpy(&value, list.at(i), sizeof value);
      typed[i] = static_cast<double>(value);
      const bool divides = problem.keys.weighting == Weighting::multiplicative;
      if (!std::isfinite(typed[i]) || (divides && !(value > 0)))
        refuse(list.name(i), shortest_decimal(typed[i]),
               divides ? "must be finite and > 0" : "must be finite");
      // Many sites in a row may have one weight, and decimals take long.
      decimals.push_back(i > 0 && value == last ? decimals.back() : to_decimal(value));
      last = value;
      if constexpr (std::is_same_v<T, float>) typed[i] = signed_double(decimals.back());
    }
  });
  Integers integers(problem, list, decimals, typed, metrics);
  integers.write(exact);
  Int128 greatest = 0;
  for (std::int64_t i = 0; i < list.count(); ++i)
    greatest = std::max(greatest, exact[i] < 0 ? -exact[i] : exact[i]);
  return {.exact = exact,
          .form = metrics == nullptr ? nullptr
                                     : metrics->write(reach, 2 * integers.exponent(), scratch),
          .typed = typed,
          .count = list.count(),
          .greatest = greatest};
}

}  // namespace

void check_numbers_of_sites(const char* name, const View<const void>& numbers,
                            const Extents& expected, const char* rule) {
  if (numbers.space() != MemorySpace::host)
    refuse(name, "lie in device memory; must be on the host");
  if (numbers.extents() != expected) refuse(name, std::string("have other extents than ") + rule);
  if (numbers.element_type() == ElementType::boolean)
    refuse(name, "are bool; must be integers or floats");
  if (expected.count() > 0 && numbers.bytes() == nullptr)
    refuse(name, "are a null pointer; must be memory for them");
  check_strides(name, numbers);
}

void check_weights(const View<const void>& weights, const Extents& expected,
                   const NearestSiteOptions& options, const NearestSiteOutputs& out,
                   bool has_metrics) {
  const Weighting weighting = options.weighting;
  const std::string text = "weighting = " + std::string(name_of(weighting));
  if (!weights) {
    if (out.weighted_distance && !has_metrics)
      refuse("weighted_distance", "is wanted; it exists only with weights");
    return;
  }
  if (weighting == Weighting::none)
    refuse("weighting", "none",
           "must be power, additive or multiplicative where weights are given");
  check_numbers_of_sites("weights", weights, expected, "the sites; must be one for each site");
  if (options.metric != Metric::euclidean || options.metric_function)
    refuse(text + " and another metric are given; weights are for metric = euclidean");
}

void set_weights(Problem& problem, ProblemViews& views, const PointList& list,
                 Scratch::Frame& scratch) {
  if (!list.metrics) {
    views.weights = read(problem, WeightList(list.weights), scratch);
    return;
  }
  static constexpr std::int8_t kNothing = 0;
  const View<const void> nothing =
      View<const std::int8_t>(&kNothing, Extents{list.coordinates.extent(0)}, {0});
  const WeightList weights(list.weights ? list.weights : nothing);
  const SiteMetrics metrics(list.metrics, problem);
  views.weights = read(problem, weights, scratch, &metrics,
                       reach_of(views.points, problem.extent, problem.period));
  problem.weights.unit = problem.keys.unit;
  problem.wide = true;
}

void set_weights_of_cells(Problem& problem, ProblemViews& views, const View<const void>& weights,
                          std::span<const std::int64_t> cells, Scratch::Frame& scratch) {
  auto* exact = scratch.array<Int128>(problem.cells());
  auto* typed = scratch.array<double>(problem.cells());
  const SiteWeights own = read(problem, WeightList(weights, cells), scratch);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    exact[cells[i]] = own.exact[i];
    typed[cells[i]] = own.typed[i];
  }
  views.weights = {.exact = exact, .typed = typed, .count = own.count, .greatest = own.greatest};
}

Int128 greatest_part_of_keys(const Problem& problem, Int128 greatest_weight) {
  const Int128 unit = problem.keys.factor * problem.keys.factor;
  return std::max(std::max<Int128>(problem.weights.greatest, 1) * unit, greatest_weight);
}

bool fits_keys_of_lines(const Problem& problem, Int128 greatest_weight) {
  // Lower envelopes add and double a few parts.
  constexpr Int128 kMost = Int128{1} << 58;
  return problem.keys.weighting == Weighting::power &&
         greatest_part_of_keys(problem, greatest_weight) < kMost;
}

}  // namespace thiessen
