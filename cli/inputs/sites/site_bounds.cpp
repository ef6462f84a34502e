// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/site_bounds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bounds kNothing = {kInfinity, kInfinity, -kInfinity, -kInfinity};

void extend(Bounds& bounds, double x, double y) {
  bounds = {std::min(bounds[0], x), std::min(bounds[1], y), std::max(bounds[2], x),
            std::max(bounds[3], y)};
}

bool meet(const Bounds& a, const Bounds& b) {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

bool are_degrees(const Bounds& bounds) {
  constexpr double kMostLongitude = 360, kMostLatitude = 90;
  return std::max(std::abs(bounds[0]), std::abs(bounds[2])) <= kMostLongitude &&
         std::max(std::abs(bounds[1]), std::abs(bounds[3])) <= kMostLatitude;
}

/// A number with about 7 digits.
std::string text_of(double value) {
  constexpr int kDigits = 8;
  char text[32];
  const auto end =
      std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, kDigits)
          .ptr;
  return {std::begin(text), end};
}

std::string text_of(const Bounds& bounds) {
  return "x " + text_of(bounds[0]) + " to " + text_of(bounds[2]) + ", y " + text_of(bounds[1]) +
         " to " + text_of(bounds[3]);
}

std::string likely_cause(const Bounds& sites, const Bounds& grid, const Grid& of,
                         const GridArguments& arguments) {
  const bool by_bounds = !arguments.bounds.empty();
  if (meet(sites, {grid[1], grid[0], grid[3], grid[2]}))
    return by_bounds ? "; x and y of --bounds seem to be exchanged: x0,y0,x1,y1 is its order"
                     : "; x and y seem to be exchanged";
  if (by_bounds) {
    const std::vector<double> given = parse_reals("--bounds", arguments.bounds);
    if (meet(sites, {given[0], given[2], given[1], given[3]}))
      return "; --bounds seems to be x0,x1,y0,y1: x0,y0,x1,y1 is its order";
  }
  const bool grid_in_degrees = of.georeference && of.georeference->degrees;
  if (!grid_in_degrees && are_degrees(sites) && !are_degrees(grid))
    return "; they look like degrees of longitude and latitude: transform them to the coordinates "
           "of the grid";
  return "";
}

}  // namespace

Bounds bounds_of(const Grid& grid) {
  Georeference cells{.transform = {-0.5, 1, 0, -0.5, 0, 1}, .crs = {}};
  const auto& t = grid.georeference.value_or(cells).transform;
  const int rank = grid.extents.rank();
  Bounds bounds = kNothing;
  for (const double row : {0.0, static_cast<double>(grid.extents[rank - 2])})
    for (const double column : {0.0, static_cast<double>(grid.extents[rank - 1])})
      extend(bounds, t[0] + column * t[1] + row * t[2], t[3] + column * t[4] + row * t[5]);
  return bounds;
}

Bounds bounds_of(const io::PointsFile& points) {
  Bounds bounds = kNothing;
  const auto axes = static_cast<std::size_t>(points.axes);
  for (std::size_t i = 0; i < points.coordinates.size(); i += axes)
    extend(bounds, points.coordinates[i], points.coordinates[i + 1]);
  return bounds;
}

std::string why_outside(const Bounds& sites, const Grid& grid, const GridArguments& arguments) {
  const Bounds own = bounds_of(grid);
  if (meet(sites, own)) return "";
  return "they lie at " + text_of(sites) + ", the grid at " + text_of(own) +
         likely_cause(sites, own, grid, arguments);
}

}  // namespace thiessen::cli
