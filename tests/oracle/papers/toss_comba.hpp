// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace thiessen::oracle::papers {

/// What algorithms 1 and 2 of J. Toss and J. Comba, "Parallel Voronoi Diagram computation on scaled
/// distance planes using CUDA", leave behind.
struct TossComba {
  std::vector<float> cost;  ///< C_o; infinity if no path leads to a cell
  std::vector<int> vor;     ///< VOR: the cell of the site, or -1
  int iterations = 0;       ///< of both kernels
};

/// On a raster of rows · columns cells with the stiffness w, where 0 stands for no material.
TossComba toss_comba(int rows, int columns, const std::vector<float>& w,
                     const std::vector<int>& sites);

}  // namespace thiessen::oracle::papers
