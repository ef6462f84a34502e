// SPDX-License-Identifier: Apache-2.0
//
// The order of points along a Hilbert curve, after J. Skilling, "Programming the Hilbert curve"
// (2004).
#pragma once

#include <cstdint>

#include "core/base/cells.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::points {

/// How places become keys along the curve.
struct CurveScale {
  Axes low{};     ///< first place of the curve
  int shift = 0;  ///< shift of the differences to it; the same for all axes, so that boxes become
                  ///< cubes
  int bits = 0;   ///< bits of a key for each axis
  int rank = 2;
};

/// The curve covers the grid and as much around it on each side, as finely as a key of 64 bits
/// allows.
inline CurveScale make_scale(const Job& job) {
  CurveScale scale{.bits = job.rank == 2 ? 32 : 21, .rank = job.rank};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t extent = job.extent[axis] << job.fraction_bits;
    scale.low[axis] = -extent;
    while ((3 * extent) >> scale.shift >> scale.bits != 0) ++scale.shift;
  }
  return scale;
}

/// The place of a point along the curve; a point beyond its reach counts as its edge. Any order is
/// correct: this one makes small boxes.
THIESSEN_HD inline std::uint64_t curve_key(const CurveScale& scale, const Axes& at) {
  const std::int64_t greatest = (std::int64_t{1} << scale.bits) - 1;
  const int first = kAxes - scale.rank;
  std::uint32_t part[kAxes] = {};
  for (int axis = first; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    const std::int64_t from_low = at[own] - scale.low[own];
    const std::int64_t cut = from_low < 0 ? 0 : from_low >> scale.shift;
    part[axis] = static_cast<std::uint32_t>(cut < greatest ? cut : greatest);
  }
  // Turns coordinates into the bits of the key in place, like Skilling.
  for (std::uint32_t bit = 1u << (scale.bits - 1); bit > 1; bit /= 2)
    for (int axis = first; axis < kAxes; ++axis) {
      const std::uint32_t below = bit - 1;
      if ((part[axis] & bit) != 0) {
        part[first] ^= below;
      } else {
        const std::uint32_t both = (part[first] ^ part[axis]) & below;
        part[first] ^= both;
        part[axis] ^= both;
      }
    }
  for (int axis = first + 1; axis < kAxes; ++axis) part[axis] ^= part[axis - 1];
  std::uint32_t turned = 0;
  for (std::uint32_t bit = 1u << (scale.bits - 1); bit > 1; bit /= 2)
    if ((part[kAxes - 1] & bit) != 0) turned ^= bit - 1;
  std::uint64_t key = 0;
  for (int bit = scale.bits - 1; bit >= 0; --bit)
    for (int axis = first; axis < kAxes; ++axis)
      key = key << 1 | ((part[axis] ^ turned) >> bit & 1);
  return key;
}

}  // namespace thiessen::cuda::points
