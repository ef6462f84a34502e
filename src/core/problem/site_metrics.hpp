// SPDX-License-Identifier: Apache-2.0
//
// Metrics of sites as integers: matrices M for the squared lengths dᵀMd of ways d in units of the
// spacing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/scratch.hpp"
#include "core/order/decimal.hpp"
#include "core/order/form.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Checks shape and type of the metrics of points, and that they go together with the rest of the
/// call. Throws Error{invalid_argument} naming the argument, its value and the rule.
void check_metrics(const PointList& list, int rank, const NearestSiteOptions& options,
                   const NearestSiteOutputs& out);

/// The matrices of some points, each entry as the decimal that was typed.
class SiteMetrics {
 public:
  /// Throws Error{invalid_argument} naming the first matrix that has an entry that is not finite,
  /// is not symmetric, or is not positive definite by a clear margin.
  SiteMetrics(const View<const void>& metrics, const Problem& problem);

  /// The least exponent of an entry.
  int least_exponent() const { return least_; }

  /// The matrices for ways in units of points, where keys count in units of 10^exponent, besides
  /// the fractions of a cell. Throws Error{invalid_argument} naming the first one that needs more
  /// digits than exact keys have, for ways up to `reach`.
  const Form* write(const Axes& reach, int exponent, Scratch::Frame& scratch) const;

 private:
  const Problem& problem_;
  std::size_t rank_;
  std::size_t count_;
  std::vector<Decimal> entries_;  ///< of each matrix, in the order of its rows
  int least_ = 0;
  std::size_t finest_ = 0;  ///< the first matrix with an entry of that exponent
};

}  // namespace thiessen
