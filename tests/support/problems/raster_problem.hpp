// SPDX-License-Identifier: Apache-2.0
//
// Random problems with raster sites of all densities and layouts, so that every stage does some.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

using Sizes = std::vector<std::int64_t>;  ///< (z, y, x)

struct RasterProblem {
  Sizes size;
  ElementType type = ElementType::i32;
  std::vector<std::uint8_t> sites;  ///< 1: a site
  NearestSiteOptions options;
  std::vector<std::byte> cells;

  Extents extents() const {
    return size[0] == 1 ? Extents{size[1], size[2]} : Extents{size[0], size[1], size[2]};
  }
  int rank() const { return size[0] == 1 ? 2 : 3; }
  std::uint8_t& at(std::int64_t z, std::int64_t y, std::int64_t x) {
    return sites[static_cast<std::size_t>((z * size[1] + y) * size[2] + x)];
  }
  View<const void> view() const { return {cells.data(), type, extents()}; }
};

/// How long axes may be.
struct AxisRange {
  std::int64_t shortest = 1;
  std::int64_t longest_2d = 300;
  std::int64_t longest_3d = 90;
  std::int64_t longest_thin = 2500;  ///< for rasters with few rows
  std::int64_t multiple = 1;         ///< longer axes than one cell are rounded up to it
};

/// The problem of a seed, the same on every machine.
RasterProblem draw_raster_problem(std::uint64_t seed, const AxisRange& range = {});

/// The problem in one line, for messages.
std::string describe(const RasterProblem& problem);

}  // namespace thiessen::testing
