// SPDX-License-Identifier: Apache-2.0
//
// Cells on periodic axes, as their points see them: at the image that is nearest to the point.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/problem/points.hpp"

namespace thiessen::placing {

/// The number of cells along each axis that is periodic; infinite for the others. As many as the
/// raster has axes.
using Periods = std::vector<double>;

/// `periodic` has a value for each axis, or is empty: no axis.
Periods make_periods(const Extents& extents, const std::vector<bool>& periodic);

bool has_period(const Periods& periods);

/// The coordinate, in units of 2^-16 of a cell, of the same place in the first period.
std::int64_t wrap(std::int64_t place, double period);

/// A coordinate in cells, rounded half to even to units of 2^-16.
inline std::int64_t to_units(double coordinate) {
  return static_cast<std::int64_t>(std::nearbyint(std::ldexp(coordinate, kFractionBits)));
}

/// The same coordinate in cells.
inline double to_coordinate(std::int64_t units) {
  return std::ldexp(static_cast<double>(units), -kFractionBits);
}

/// Coordinates of points as of PointList, rounded, in the first period: as many for each as there
/// are periods. Throws Error{invalid_argument} naming what is wrong with the points.
std::vector<double> snap_to_first_period(const View<const void>& points, const Periods& periods);

/// By how many periods an image of a cell lies off the cell along each axis of the raster: -1, 0
/// or 1.
using Shift = std::array<std::int64_t, kAxes>;

/// Labels that name the images of cells, too: of point i, from 0 on, kImages·i + 1 and the
/// following.
inline constexpr std::int32_t kImages = 27;
inline std::int64_t point_of(std::int32_t label) { return (label - 1) / kImages; }
Shift shift_of(std::int32_t label);

/// Makes such labels of the labels i + 1. The image of a cell is that nearest to the point; of two
/// that are equally near along an axis the one with the greater coordinate, so that the way from
/// the cell to the point comes first in lexicographic order.
///
/// coordinates  of the points, in the first period, as many for each as there are periods
void mark_images(ContextState& state, const Axes& extent, const Periods& periods,
                 const std::vector<double>& coordinates, std::int32_t* labels);

}  // namespace thiessen::placing
