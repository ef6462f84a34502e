// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/order/torus.hpp"
#include "core/order/weights.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::tiles {

/// A raster whose cells are numbered as if rows had a whole number of strips (line_grid.cuh).
struct PaddedRaster {
  Job job;
  std::int32_t columns;
  std::int64_t factor[kAxes];  ///< of S

  THIESSEN_HD std::int32_t width() const { return static_cast<std::int32_t>(job.extent[2]); }
  THIESSEN_HD std::int64_t rows() const { return job.extent[0] * job.extent[1]; }
  THIESSEN_HD std::int64_t cells() const { return rows() * columns; }
  THIESSEN_HD std::int64_t number(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * job.extent[1] + y) * columns + x;
  }
  /// The number without padding.
  THIESSEN_HD std::int64_t cell(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return to_index(job.extent, {z, y, x});
  }
  /// The cell of an image along an axis.
  THIESSEN_HD std::int32_t wrap(std::size_t axis, std::int32_t place) const {
    if (job.period[axis] == kNoPeriod) return place;
    const auto period = static_cast<std::int32_t>(job.period[axis]);
    while (place < 0) place += period;
    while (place >= period) place -= period;
    return place;
  }
  /// A part of S.
  template <class Exact>
  THIESSEN_HD Exact part(int axis, std::int32_t delta) const {
    return static_cast<Exact>(factor[axis]) * (static_cast<Exact>(delta) * delta);
  }
};

}  // namespace thiessen::cuda::tiles
