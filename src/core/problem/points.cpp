// SPDX-License-Identifier: Apache-2.0
#include "core/problem/points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

double load_coordinate(const View<const void>& coordinates, std::int64_t point, int axis) {
  const std::byte* address =
      coordinates.bytes() + point * coordinates.stride(0) + axis * coordinates.stride(1);
  if (coordinates.element_type() == ElementType::f64) {
    double value;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

std::int64_t snap(double coordinate, std::int64_t point, int axis) {
  if (!(std::fabs(coordinate) <= kFarthestPoint))
    refuse("points[" + std::to_string(point) + ", " + std::to_string(axis) + "]",
           shortest_decimal(coordinate), "must be finite and at most 2^31 cells away");
  // Scaling by a power of two is exact, and nearbyint rounds half to even.
  return static_cast<std::int64_t>(std::nearbyint(std::ldexp(coordinate, kFractionBits)));
}

void check_list(const char* name, const View<const void>& view, const ReachableMemory& reachable) {
  reachable.check(name, view, "lie");
  if (view.extents().count() > 0 && view.bytes() == nullptr)
    refuse(name, "are a null pointer; must be memory for them");
  check_strides(name, view);
}

}  // namespace

void check_points(const PointList& points, int rank, const ReachableMemory& reachable) {
  const View<const void>& coordinates = points.coordinates;
  if (coordinates.rank() != 2 || coordinates.extent(1) != rank)
    refuse("points",
           "have the extents (" +
               (coordinates.rank() > 0 ? std::to_string(coordinates.extent(0)) : "") +
               (coordinates.rank() > 1 ? ", " + std::to_string(coordinates.extent(1)) : "") +
               "); must be (points, " + std::to_string(rank) + ") for a grid of " +
               std::to_string(rank) + " axes");
  if (coordinates.element_type() != ElementType::f32 &&
      coordinates.element_type() != ElementType::f64)
    refuse("points",
           "are " + std::string(name_of(coordinates.element_type())) + "; must be f32 or f64");
  constexpr std::int64_t kMostPoints = std::int64_t{1} << 40;
  if (coordinates.extent(0) > kMostPoints) refuse("points", "are more than 2^40");
  check_list("points", coordinates, reachable);
  if (!points.labels) return;
  if (points.labels.rank() != 1 || points.labels.extent(0) != coordinates.extent(0))
    refuse("labels of the points must be a list of " + std::to_string(coordinates.extent(0)) +
           ", one for each point");
  if (points.labels.element_type() == ElementType::boolean)
    refuse("labels of the points are bool; must be integers or floats");
  check_list("labels of the points", points.labels, reachable);
}

PointSites snap_points(const View<const void>& coordinates, Axes* at) {
  const auto rank = static_cast<int>(coordinates.extent(1));
  PointSites points{.at = at, .count = coordinates.extent(0)};
  std::uint64_t used_bits = 0;
  for (std::int64_t i = 0; i < points.count; ++i) {
    at[i] = {0, 0, 0};
    for (int axis = 0; axis < rank; ++axis) {
      std::int64_t& place = at[i][static_cast<std::size_t>(kAxes - rank + axis)];
      place = snap(load_coordinate(coordinates, i, axis), i, axis);
      used_bits |= static_cast<std::uint64_t>(place);
      const bool on_centre = place % (std::int64_t{1} << kFractionBits) == 0;
      if (!on_centre && points.first_off_centre < 0) points.first_off_centre = i;
    }
  }
  const int unused = std::min(std::countr_zero(used_bits), kFractionBits);
  points.fraction_bits = kFractionBits - unused;
  for (std::int64_t i = 0; i < points.count; ++i)
    for (std::int64_t& place : at[i]) place >>= unused;
  return points;
}

void wrap_points(const PointSites& points, const Axes& period) {
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (period[axis] == kNoPeriod || period[axis] == 0) continue;
    for (std::int64_t i = 0; i < points.count; ++i) {
      std::int64_t& place = points.at[i][axis];
      place = ((place % period[axis]) + period[axis]) % period[axis];
    }
  }
}

Axes reach_of(const PointSites& points, const Axes& extent, const Axes& period) {
  Axes reach;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (period[axis] != kNoPeriod) {
      reach[axis] = 2 * period[axis];
      continue;
    }
    const std::int64_t last = std::max<std::int64_t>(extent[axis] - 1, 0) << points.fraction_bits;
    std::int64_t least = 0;
    std::int64_t greatest = last;
    for (std::int64_t i = 0; i < points.count; ++i) {
      least = std::min(least, points.at[i][axis]);
      greatest = std::max(greatest, points.at[i][axis]);
    }
    // The difference from a point on one side to the cell on the other.
    reach[axis] = std::max(last - least, greatest);
  }
  return reach;
}

}  // namespace thiessen
