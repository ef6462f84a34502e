// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context_state.hpp"

namespace thiessen::placing {

/// Knows at any time which cell of a raster has the greatest key, while keys change: a tree over
/// pieces of 64 cells in which each node has the greatest key below it.
///
/// The key of a cell is its distance, times its weight if there are weights. Cells with a weight of
/// 0 or a distance that is NaN have none.
class GreatestKeys {
 public:
  struct Top {
    std::int64_t cell = -1;  ///< the smallest index of those with the greatest key; -1: none
    double key = -1;
  };

  /// `distance` and `weight` are read by this and by update(); without weights null. Time O(cells),
  /// memory 1/8 of a byte a cell.
  GreatestKeys(ContextState& state, const double* distance, const double* weight,
               std::int64_t cells);

  /// The keys of these cells changed, which ascend. Time O(64 · cells) at most, less where they lie
  /// together.
  void update(ContextState& state, std::span<const std::int64_t> cells);

  Top top() const;

 private:
  static constexpr std::int64_t kFan = 64;
  static constexpr double kNoKey = -1;

  double key(std::int64_t cell) const;
  double greatest_below(std::size_t level, std::int64_t node) const;

  const double* distance_;
  const double* weight_;
  std::int64_t cells_;
  std::vector<std::vector<double>> levels_;  ///< from pieces of cells to a single node
};

}  // namespace thiessen::placing
