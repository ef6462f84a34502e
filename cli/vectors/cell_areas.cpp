// SPDX-License-Identifier: Apache-2.0
//
// The area of an ellipsoid between the equator and the latitude φ is, for each radian of longitude,
//
//   a²(1 - e²)/2 · (sin φ / (1 - e² sin² φ) + artanh(e sin φ) / e)
//
// with the equatorial radius a and the eccentricity e, e² = f(2 - f); on a sphere a² sin φ.
// Source: J. P. Snyder, "Map projections: a working manual" (1987), equation 3-12.
#include "vectors/cell_areas.hpp"

#include <algorithm>
#include <cmath>

namespace thiessen::cli {
namespace {

constexpr double kRadians = 3.14159265358979323846 / 180;

class Zone {
 public:
  Zone(double radius, double flattening)
      : radius_(radius),
        square_(flattening * (2 - flattening)),
        eccentricity_(std::sqrt(square_)) {}

  /// The area from the equator to a latitude in degrees, for each radian of longitude.
  double from_equator(double latitude) const {
    constexpr double kPole = 90;
    const double sine = std::sin(std::clamp(latitude, -kPole, kPole) * kRadians);
    if (eccentricity_ == 0) return radius_ * radius_ * sine;
    const double sum =
        sine / (1 - square_ * sine * sine) + std::atanh(eccentricity_ * sine) / eccentricity_;
    return radius_ * radius_ * (1 - square_) / 2 * sum;
  }

 private:
  double radius_;
  double square_;  ///< of the eccentricity
  double eccentricity_;
};

}  // namespace

std::vector<double> cell_areas(const Grid& grid, const Earth& earth, Metric metric) {
  const bool sphere = metric == Metric::great_circle;
  const Zone zone(earth.radius.value_or(sphere ? kMeanRadius : kEquatorialRadius),
                  sphere ? 0 : earth.flattening);
  const auto& t = grid.georeference->transform;
  std::vector<double> areas;
  for (std::int64_t row = 0; row < grid.extents[0]; ++row) {
    const double upper = zone.from_equator(t[3] + static_cast<double>(row) * t[5]);
    const double lower = zone.from_equator(t[3] + static_cast<double>(row + 1) * t[5]);
    areas.push_back(std::abs(upper - lower) * std::abs(t[1]) * kRadians);
  }
  return areas;
}

Raster area_raster(const Extents& extents, const std::vector<double>& of_rows) {
  Raster areas = Raster::of<double>(extents);
  double* cell = areas.view<double>().data();
  for (const double area : of_rows) cell = std::fill_n(cell, extents[1], area);
  return areas;
}

}  // namespace thiessen::cli
