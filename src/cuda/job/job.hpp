// SPDX-License-Identifier: Apache-2.0
//
// A call as kernels see it: plain data, all addresses in device memory.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/problem/problem.hpp"
#include "cuda/job/point_cells.hpp"

namespace thiessen::cuda {
inline namespace job {

/// Cells of a raster, in C order without gaps; aligned only to an element.
template <class Byte>
struct Cells {
  Byte* bytes = nullptr;
  std::int32_t element = 0;  ///< bytes of an element

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
  Cells<std::byte> distance;           ///< 4 or 8 bytes each
  Cells<std::byte> weighted_distance;  ///< the same
  std::int64_t* squared = nullptr;
  std::int32_t* offset = nullptr;  ///< component by component
  float* direction = nullptr;
};

/// Whether some output tells which site is nearest, not only how far away it is.
inline bool wants_sites(const Outputs& out) {
  return out.labels || out.site_index != nullptr || out.offset != nullptr ||
         out.direction != nullptr;
}

/// Weights of sites by site index, and what keys they make (Problem::keys).
struct JobWeights {
  Keys keys = {};
  const Int128* exact = nullptr;
  const double* typed = nullptr;  ///< null: keys are written from `exact`
  Int128 greatest = 0;            ///< the greatest absolute value of `exact`
  bool limited = false;           ///< the written keys are
  double max_distance = 0;        ///< in this case

  THIESSEN_HD explicit operator bool() const { return exact != nullptr; }
};

struct Job {
  int rank = 2;
  Metric metric = Metric::euclidean;
  Axes extent{};
  Axes period{};
  int fraction_bits = 0;
  std::array<Int128, kAxes> factor{};  ///< factors of S
  Unit unit;
  std::array<double, kAxes> spacing{};
  bool limited = false;
  Int128 limit = 0;
  bool inside = false;  ///< write only `distance`, negated, in the cells with S > 0
  /// 2-D: extent[0] counts independent rasters, and the site indices that are written count within
  /// their own raster. Without layers extent[0] is 1 in 2-D.
  bool layered = false;
  std::int64_t first_site = 0;  ///< as of Problem

  Cells<const std::byte> sites = {};
  Rule rule = {};
  Cells<const std::byte> labels = {};  ///< labels of cells, or of points
  const Axes* points = nullptr;        ///< instead of `sites`
  std::int64_t point_count = 0;
  JobWeights weights = {};
  /// Instead of both: sites are cells, and the numbers of their points order equally near ones.
  PointCells point_cells = {};
  LabelBits unreached = {};
  Cells<const std::byte> domain = {};  ///< cells where all bytes are 0 become nodata
  LabelBits nodata_label = {};         ///< the label of such cells
  Outputs out = {};

  constexpr std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
};

}  // namespace job
}  // namespace thiessen::cuda
