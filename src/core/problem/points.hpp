// SPDX-License-Identifier: Apache-2.0
//
// Point sites as exact coordinates.
#pragma once

#include <cstdint>

#include "core/base/cells.hpp"
#include "core/order/torus.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {

class ReachableMemory;

/// Points (z, y, x) in units of 2^-fraction_bits of a cell, in the order of their list.
struct PointSites {
  Axes* at = nullptr;  ///< null: they are in device memory, unread
  std::int64_t count = 0;
  /// The fewest bits that all points need, at most 16: 0 if all lie on centres of cells. With fewer
  /// bits S fits 64 bits more often; the results have the same bits.
  int fraction_bits = 0;
  std::int64_t first_off_centre = -1;  ///< first point that lies off centre; -1: none
};

/// Points are snapped to multiples of 2^-16 of a cell,
inline constexpr int kFractionBits = 16;
/// and lie at most 2^31 cells away.
inline constexpr double kFarthestPoint = 2147483648.0;

/// Checks the shapes and types of the list for a grid of `rank` axes, and that it can be reached.
/// Throws Error{invalid_argument} naming the argument.
void check_points(const PointList& points, int rank, const ReachableMemory& reachable);

/// Rounds coordinates half to even to 2^-16 of a cell and writes them to `at`, which has room for
/// all. Throws Error{invalid_argument} naming the first point that is not finite or lies more than
/// 2^31 cells away.
PointSites snap_points(const View<const void>& coordinates, Axes* at);

/// Moves points into the first period of each periodic axis.
void wrap_points(const PointSites& points, const Axes& period);

/// For each axis the greatest difference between a point, or an image of it on a periodic axis, and
/// a cell of the grid.
Axes reach_of(const PointSites& points, const Axes& extent, const Axes& period);

}  // namespace thiessen
