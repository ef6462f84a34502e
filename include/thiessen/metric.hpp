// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thiessen {

/// How far apart two cells are, with δ the difference of their coordinates times the spacing.
enum class Metric {
  euclidean,   ///< √Σδ²
  manhattan,   ///< Σ|δ|, also called city-block
  chessboard,  ///< max|δ|
};

}  // namespace thiessen
