// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace thiessen::oracle::papers {

/// Row and column of a cell; they may lie outside of the raster.
struct Place {
  int x = 0;
  int y = 0;
};

/// What M. Czyżewski's "GPU-Accelerated Jump Flooding Algorithm for Voronoi Diagram in log*(n)"
/// leaves open: where the sites are, and the random numbers.
struct CzyzewskiCase {
  int rows = 0;
  int columns = 0;
  std::vector<Place> sites;            ///< PTS_g
  std::function<int(int cell)> noise;  ///< NOISE_g: a site from 0 on; -1 if none
  /// One of the 12 points on a circle around a cell.
  std::function<Place(int pass, int cell, int step, int point)> circle;
};

/// "JFA+1", "JFA+", "JFA*+1" in the 4 steps of the caption, or "JFA*, +1": log*(n) steps and one
/// more. Gives each cell the number of its site (IDS_g, from 1 on), or 0.
std::vector<int> czyzewski(const CzyzewskiCase& c, const std::string& method);

}  // namespace thiessen::oracle::papers
