// SPDX-License-Identifier: Apache-2.0
//
// What kernels see of a call: plain data, all addresses in device memory.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/problem.hpp"
#include "cuda/points/cells.hpp"

namespace thiessen::cuda {

/// Cells of a raster, in C order without gaps; aligned to an element, but to no more.
template <class Byte>
struct Cells {
  Byte* bytes = nullptr;
  std::int32_t element = 0;  ///< bytes of one

  THIESSEN_HD explicit operator bool() const { return bytes != nullptr; }
};

/// SiteRule, with its values in device memory.
struct Rule {
  ElementType type = ElementType::u8;
  SiteSelection selection = SiteSelection::nonzero;
  bool has_nodata = false;
  bool complement = false;
  LabelBits nodata = {};
  const LabelBits* values = nullptr;
  std::int32_t value_count = 0;
};

/// Where results go; null: not wanted.
struct Outputs {
  Cells<std::byte> labels = {};
  std::int64_t* site_index = nullptr;
  Cells<std::byte> distance;  ///< of 4 or 8 bytes
  std::int64_t* squared = nullptr;
  std::int32_t* offset = nullptr;  ///< component by component
  float* direction = nullptr;
};

struct Job {
  int rank = 2;
  Metric metric = Metric::euclidean;
  Axes extent{};
  Axes period{};
  int fraction_bits = 0;
  std::array<Int128, kAxes> factor{};  ///< of S
  double unit = 1;
  std::array<double, kAxes> spacing{};
  bool limited = false;
  Int128 limit = 0;
  bool inside = false;  ///< write only `distance`, negated, of the cells that have S > 0
  /// 2-D: extent[0] counts rasters that have nothing to do with each other, and indices of sites
  /// that are written count within their own. Without layers extent[0] is 1 in 2-D.
  bool layered = false;

  Cells<const std::byte> sites = {};
  Rule rule = {};
  Cells<const std::byte> labels = {};  ///< of cells, or of points
  const Axes* points = nullptr;        ///< instead of `sites`
  std::int64_t point_count = 0;
  /// Instead of both: a site is a cell, and equally near ones are told apart by their numbers.
  PointCells point_cells = {};
  LabelBits unreached = {};
  Outputs out = {};

  constexpr std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
};

}  // namespace thiessen::cuda
