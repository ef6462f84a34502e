// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "thiessen/view.hpp"

namespace thiessen {

/// State of jump flooding between two passes.
struct FloodingPass {
  std::int64_t number = 0;  ///< passes that are done; 0 is the start, after a mask of noise
  std::int64_t count = 0;   ///< passes in all
  std::int64_t step = 0;    ///< jump length of the last pass in cells; 0 at the start
  /// For each cell the index of the site that it holds, or -1; nodata cells hold sites as others
  /// do, and a max distance is not looked at. On the host, valid until the callback returns.
  View<const std::int64_t> site_index = {};
};

/// What the methods of the jump flooding family can be told. What is not given is the method's own
/// (docs/methods.md has the table); all other methods refuse it.
struct FloodingOptions {
  /// Jump lengths of the passes in cells, each from 1 to 2^30: {256, 64, 8, 1}. Steps longer than
  /// the raster are legal.
  std::vector<std::int64_t> steps = {};

  /// Where a cell looks: "square", the 8 cells (26 in 3-D) that lie a step away along some of the
  /// axes; "circle:N", N points evenly on a circle whose radius is the step; "random-circle:N", N
  /// random points on it, others for each cell and pass. N is 1 to 64, circles are for 2-D.
  std::string pattern = {};

  /// Random sites for cells that hold none: "mask", put into them before the first pass;
  /// "in-place", taken for what an empty neighbour holds, in every pass; "none".
  std::string noise = {};

  /// Seed of the noise and of random circles.
  std::uint64_t seed = 0;

  /// Called with the start and after each pass, from the thread that called the library; it costs
  /// 8 bytes a cell, and the passes are then done one by one. What it throws ends the call.
  std::function<void(const FloodingPass&)> on_pass = {};
};

}  // namespace thiessen
