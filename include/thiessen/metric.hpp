// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

namespace thiessen {

/// How far apart two cells are, with δ the difference of their coordinates times the spacing.
enum class Metric {
  euclidean,   ///< √Σδ²
  manhattan,   ///< Σ|δ|, also called city-block
  chessboard,  ///< max|δ|
};

/// A metric of one's own: how far a site is whose place minus that of the cell is `offset`, one
/// component an axis in array order, in units of the spacing. Must be >= 0, not NaN, the same for
/// the same offset, and may be called from many threads at once.
using MetricFunction = std::function<double(std::span<const double> offset)>;

}  // namespace thiessen
