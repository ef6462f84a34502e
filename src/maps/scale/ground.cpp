// SPDX-License-Identifier: Apache-2.0
#include "maps/scale/ground.hpp"

#include <cmath>
#include <numbers>

#include "io/raster/crs.hpp"
#include "maps/scale/numbers.hpp"

namespace thiessen::maps {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

/// Metres of a degree along the parallel of a latitude.
double metres_of_degree(double latitude, const io::CrsEllipsoid& figure) {
  const double f = figure.flattening;
  const double sine = std::sin(latitude * kRadians);
  const double normal = figure.radius / std::sqrt(1 - f * (2 - f) * sine * sine);
  return normal * std::cos(latitude * kRadians) * kRadians;
}

std::string latitude_text(double latitude) {
  const double whole = std::round(std::fabs(latitude));
  if (whole == 0) return "at the equator";
  return "at " + number_text(whole) + "° " + (latitude > 0 ? "N" : "S");
}

void set_degrees(const Extents& extents, const Georeference& place, Ground& ground) {
  constexpr io::CrsEllipsoid kWgs84{6378137, 1 / 298.257223563};
  const std::array<double, 6>& t = place.transform;
  const double latitude = t[3] + t[4] * static_cast<double>(extents[1]) / 2 +
                          t[5] * static_cast<double>(extents[0]) / 2;
  const io::CrsEllipsoid figure = io::ellipsoid_of(place.crs).value_or(kWgs84);
  ground.length_unit = "m";
  ground.cell_width = std::fabs(t[1]) * metres_of_degree(latitude, figure);
  ground.note = latitude_text(latitude);
}

/// The direction of rising y, by the inverse of the transform's matrix.
double north_of(const std::array<double, 6>& t) {
  const double determinant = t[1] * t[5] - t[2] * t[4];
  const double columns = -t[2] / determinant;
  const double rows = t[1] / determinant;
  return std::atan2(columns, -rows);
}

}  // namespace

Ground ground_of(const Extents& extents, const std::optional<Georeference>& georeference,
                 const std::optional<io::VoxelSize>& voxels, const std::optional<CellSize>& given) {
  Ground ground;
  if (georeference) {
    const std::array<double, 6>& t = georeference->transform;
    ground.north = north_of(t);
    if (georeference->degrees) {
      set_degrees(extents, *georeference, ground);
    } else {
      const auto unit = io::length_unit_of(georeference->crs);
      ground.length_unit = unit ? unit->symbol : "";
      ground.cell_width = std::hypot(t[1], t[4]);
      ground.cell_area = std::fabs(t[1] * t[5] - t[2] * t[4]);
    }
  } else if (voxels && !voxels->spacing.empty()) {
    ground.length_unit = voxels->unit;
    const std::vector<double>& spacing = voxels->spacing;
    ground.cell_width = spacing.back();
    ground.cell_area = spacing[spacing.size() - 2] * spacing.back();
  }
  if (given) {
    ground.cell_width = given->size;
    ground.cell_area = given->size * given->size;
    ground.length_unit = given->unit;
    ground.note.clear();
  }
  return ground;
}

}  // namespace thiessen::maps
