// SPDX-License-Identifier: Apache-2.0
#include "placing/images.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "threads/rows.hpp"

namespace thiessen::placing {
namespace {

/// By how many periods the image of a cell nearest to a point lies off the cell.
int nearest_shift(double cell, double point, double period) {
  const double twice = 2 * (cell - point);
  return twice > period ? -1 : twice <= -period ? 1 : 0;
}

}  // namespace

Periods make_periods(const Extents& extents, const std::vector<bool>& periodic) {
  Periods periods(static_cast<std::size_t>(extents.rank()),
                  std::numeric_limits<double>::infinity());
  for (std::size_t axis = 0; axis < std::min(periods.size(), periodic.size()); ++axis)
    if (periodic[axis]) periods[axis] = static_cast<double>(extents[static_cast<int>(axis)]);
  return periods;
}

bool has_period(const Periods& periods) {
  return std::any_of(periods.begin(), periods.end(),
                     [](double period) { return !std::isinf(period); });
}

std::int64_t wrap(std::int64_t place, double period) {
  if (std::isinf(period) || period == 0) return place;
  const std::int64_t whole = static_cast<std::int64_t>(period) << kFractionBits;
  return ((place % whole) + whole) % whole;
}

std::vector<double> snap_to_first_period(const View<const void>& points, const Periods& periods) {
  check_points({.coordinates = points, .labels = {}}, static_cast<int>(periods.size()),
               ReachableMemory());
  std::vector<Axes> places(static_cast<std::size_t>(points.extent(0)));
  const PointSites sites = snap_points(points, places.data());
  std::vector<double> coordinates;
  coordinates.reserve(places.size() * periods.size());
  for (const Axes& place : places)
    for (std::size_t axis = 0; axis < periods.size(); ++axis) {
      const std::int64_t units = place[kAxes - periods.size() + axis]
                                 << (kFractionBits - sites.fraction_bits);
      coordinates.push_back(to_coordinate(wrap(units, periods[axis])));
    }
  return coordinates;
}

Shift shift_of(std::int32_t label) {
  const std::int32_t image = (label - 1) % kImages;
  return {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
}

void mark_images(ContextState& state, const Axes& extent, const Periods& periods,
                 const std::vector<double>& coordinates, std::int32_t* labels) {
  const std::size_t rank = periods.size();
  state.progress.begin(extent[0] * extent[1] * extent[2]);
  const auto mark_row = [&](std::int64_t row) {
    const Axes cell = to_cell(extent, row * extent[2]);
    std::int32_t last = 0;
    const double* point = nullptr;
    std::int32_t first_image = 0;  // of the cells in this row, along the other axes
    for (std::int64_t x = 0; x < extent[2]; ++x) {
      std::int32_t& label = labels[row * extent[2] + x];
      if (label <= 0) continue;
      if (label != last) {
        last = label;
        point = coordinates.data() + static_cast<std::size_t>(label - 1) * rank;
        int image = 0;
        for (std::size_t axis = 0; axis + 1 < kAxes; ++axis) {
          const std::size_t missing = kAxes - rank;
          const int shift = axis < missing
                                ? 0
                                : nearest_shift(static_cast<double>(cell[axis]),
                                                point[axis - missing], periods[axis - missing]);
          image = 3 * image + shift + 1;
        }
        first_image = kImages * (label - 1) + 3 * image + 1;
      }
      label = first_image + 1 +
              nearest_shift(static_cast<double>(x), point[rank - 1], periods[rank - 1]);
    }
  };
  if (extent[2] == 0) return;
  parallel_for(state, extent[0] * extent[1], rows_per_task(extent[2]), extent[2],
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row) mark_row(row);
               });
}

}  // namespace thiessen::placing
