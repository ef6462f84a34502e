// SPDX-License-Identifier: Apache-2.0
//
// The figures of M. Czyżewski's slides, as pictures.
#pragma once

#include "bench/flooding_case.hpp"

namespace thiessen::cli {

/// Keeps states of a case and paints them side by side. All pictures are (y, x, 3).
class JfaStarFigures {
 public:
  /// Bytes a cell of the case, pictures included.
  static constexpr std::size_t kBytesPerCell = 4 * 8 + 4 + 3 + 9 + 6;

  explicit JfaStarFigures(const Extents& extents);

  /// Takes the states that the figures show.
  void take(Method method, const FloodingPass& pass);

  /// "The difference at the same step": jfa-star and jfa+1 after pass 4 (or the last one if there
  /// are fewer), and the exact answer.
  Raster same_step(const FloodingCase& of) const;

  /// The figure of the first slide: the answers of jfa-star-paper, "4 steps" for 2000 sites, and of
  /// jfa+1-paper, "10 steps".
  Raster answers(const FloodingCase& of) const;

  /// "Difference in entropy": the local entropy of the states of same_step(), of the middle of the
  /// raster, up to 180 cells a side; black is 0, white the most. A cell has 2 x 2 pixels.
  Raster entropy(const FloodingCase& of) const;

 private:
  Extents extents_;
  Raster circle_, grid_, circle_answer_, grid_answer_;
};

}  // namespace thiessen::cli
