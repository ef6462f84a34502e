// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace thiessen::oracle::papers {

/// A raster of W. Tu and J. Wang, "Raster-based method for Voronoi diagram using GPU parallel
/// technology": cells in `sites`, ascending, are sites.
struct TuWangCase {
  int rows = 0;
  int columns = 0;
  std::vector<int> sites;
  std::string distance;  ///< "city-block", "octagonal" or "chessboard"
};

/// Distance and site of a cell; the site is -1 if there is none.
using TuWangCell = std::pair<int, int>;

/// "scan" (逐点法), "distance transform" (代数距离变换法), "circles" (圆检测法), "dilation"
/// (数学形态学) or "expansion" (step 5 of the GPU method: until a site is met).
std::vector<TuWangCell> tu_wang(const TuWangCase& c, const std::string& method);

}  // namespace thiessen::oracle::papers
