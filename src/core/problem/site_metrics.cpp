// SPDX-License-Identifier: Apache-2.0
//
// With spacings L_a·D·10^E, of whole L_a, the squared length of a way d in cells is
//   Σ M_ab·L_a·L_b·(D·10^E)²·d_a·d_b
// so that all entries are integers in a unit that divides the typed ones times 10^2E.
#include "core/problem/site_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

#include "core/base/refuse.hpp"
#include "core/problem/site_weights.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

std::string name_of_matrix(std::size_t point) { return "metrics[" + std::to_string(point) + "]"; }

/// L_a of each axis.
std::array<Int128, kAxes> lengths_of(const Problem& problem) {
  std::array<Int128, kAxes> lengths{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 square = problem.weights.factor[axis];
    auto root = static_cast<Int128>(std::sqrt(static_cast<double>(square)));
    while (root * root > square) --root;
    while ((root + 1) * (root + 1) <= square) ++root;
    lengths[axis] = root;
  }
  return lengths;
}

}  // namespace

void check_metrics(const PointList& list, int rank, const NearestSiteOptions& options,
                   const NearestSiteOutputs& out) {
  const View<const void>& metrics = list.metrics;
  if (!metrics) return;
  check_numbers_of_sites("metrics", metrics, {list.coordinates.extent(0), rank, rank},
                         "(points, axes, axes)");
  if (options.weighting != Weighting::none && options.weighting != Weighting::power)
    refuse("weighting", std::string(name_of(options.weighting)),
           "must be power where metrics are given");
  if (options.metric != Metric::euclidean || options.metric_function)
    refuse("metrics and another metric are given; each point has its own already");
  if (out.squared)
    refuse("squared", "is wanted; it exists only where points have no metrics of their own");
}

SiteMetrics::SiteMetrics(const View<const void>& metrics, const Problem& problem)
    : problem_(problem),
      rank_(static_cast<std::size_t>(problem.rank)),
      count_(static_cast<std::size_t>(metrics.extent(0))) {
  if (problem.weights.approximated)
    refuse("spacing and metrics are given; this spacing is too uneven for exact keys");
  entries_.reserve(count_ * rank_ * rank_);
  const double longest = std::ranges::max(problem.spacing);
  const std::size_t first = kAxes - rank_;
  visit_element_type(metrics.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t point = 0; point < count_; ++point) {
      T typed[kAxes][kAxes] = {};
      Symmetric<double> form;
      for (std::size_t a = first; a < kAxes; ++a)
        for (std::size_t b = first; b < kAxes; ++b) {
          T& value = typed[a][b];
          std::memcpy(&value,
                      metrics.bytes() + static_cast<std::int64_t>(point) * metrics.stride(0) +
                          static_cast<std::int64_t>(a - first) * metrics.stride(1) +
                          static_cast<std::int64_t>(b - first) * metrics.stride(2),
                      sizeof value);
          if (!std::isfinite(static_cast<double>(value)))
            refuse(name_of_matrix(point),
                   "holds " + shortest_decimal(static_cast<double>(value)) + "; must be finite");
          if (b < a && value != typed[b][a])
            refuse(name_of_matrix(point),
                   "is not symmetric: it holds " + shortest_decimal(static_cast<double>(value)) +
                       " and " + shortest_decimal(static_cast<double>(typed[b][a])) +
                       "; must be (M + Mᵀ) / 2");
          const std::size_t mirrored = entries_.size() - (a - b) * (rank_ - 1);
          entries_.push_back(b < a ? entries_[mirrored] : to_decimal(value));
          if (entries_.back().exponent < least_) {
            least_ = entries_.back().exponent;
            finest_ = point;
          }
          form(a, b) = static_cast<double>(value) * (problem.spacing[a] / longest) *
                       (problem.spacing[b] / longest);
        }
      if (!is_definite(form, first))
        refuse(name_of_matrix(point),
               "is not clearly positive definite; the axes of its ellipse must be at most 50000 "
               "times as long as each other, in cells");
    }
  });
}

const Form* SiteMetrics::write(const Axes& reach, int exponent, Scratch::Frame& scratch) const {
  constexpr Int128 kMost = Int128{1} << 124;
  const std::size_t first = kAxes - rank_;
  auto* forms = scratch.array<Form>(static_cast<std::int64_t>(count_));
  const auto lengths = lengths_of(problem_);
  const Decimal& unit = problem_.weights.length;
  const auto refuse_digits = [&] {
    refuse(name_of_matrix(finest_),
           "has more digits than exact keys have with the other metrics, the weights and the "
           "digits of the spacing; round all metrics to fewer decimals");
  };
  for (std::size_t point = 0; point < count_; ++point) {
    Int128 longest = 0;
    forms[point] = {};
    for (std::size_t a = first; a < kAxes; ++a)
      for (std::size_t b = first; b < kAxes; ++b) {
        const Decimal& typed = entries_[(point * rank_ + a - first) * rank_ + b - first];
        std::optional<Int128> entry = typed.digits;
        for (const Int128 factor : {unit.digits, unit.digits, lengths[a], lengths[b]})
          if (entry) entry = multiply(*entry, factor);
        if (entry)
          entry = times_power_of_ten(*entry, typed.exponent + 2 * unit.exponent - exponent);
        if (!entry) refuse_digits();
        const auto way = multiply(*entry < 0 ? -*entry : *entry, reach[a]);
        const auto part = way ? multiply(*way, reach[b]) : std::nullopt;
        if (!part || longest + *part > kMost) refuse_digits();
        longest += *part;
        forms[point](a, b) = *entry;
      }
  }
  return forms;
}

}  // namespace thiessen
