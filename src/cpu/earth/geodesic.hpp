// SPDX-License-Identifier: Apache-2.0
//
// Lengths of ways on the ellipsoid, by GeographicLib.
#pragma once

#include <GeographicLib/Geodesic.hpp>
#include <cmath>

#include "thiessen/choices/earth.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen::cpu::earth {

/// In degrees.
struct LatLon {
  double latitude = 0;
  double longitude = 0;
};

/// The ellipsoid of a call; a sphere, if the flattening is 0.
struct Ellipsoid {
  double radius = 0;  ///< at the equator
  double flattening = 0;
};

/// That on which a metric measures.
inline Ellipsoid ellipsoid_of(const Earth& earth, Metric metric) {
  const bool sphere = metric == Metric::great_circle;
  return {earth.radius.value_or(sphere ? kMeanRadius : kEquatorialRadius),
          sphere ? 0 : earth.flattening};
}

/// Source: C. F. F. Karney, "Algorithms for geodesics" (2013), as GeographicLib has it.
class Geodesic {
 public:
  explicit Geodesic(const Ellipsoid& ellipsoid)
      : geodesic_(ellipsoid.radius, ellipsoid.flattening) {}

  /// The shortest way from one place to another in whole micrometres, half to even.
  double micrometres(const LatLon& from, const LatLon& to) const {
    double metres;
    geodesic_.Inverse(from.latitude, from.longitude, to.latitude, to.longitude, metres);
    return std::nearbyint(metres * 1e6);
  }

  /// The direction in which it begins, clockwise from north, in degrees from 0 (not itself, but for
  /// the same place) to 360.
  double azimuth(const LatLon& from, const LatLon& to) const {
    double metres;
    double begin;
    double end;
    geodesic_.Inverse(from.latitude, from.longitude, to.latitude, to.longitude, metres, begin, end);
    if (metres == 0) return 0;
    return begin > 0 ? begin : begin + 360;
  }

 private:
  GeographicLib::Geodesic geodesic_;
};

}  // namespace thiessen::cpu::earth
