// SPDX-License-Identifier: Apache-2.0
//
// Weighted points on the plane, and what is decided about them in integers.
//
// The key of a site p at a place q is fy·(qy − py)² + fx·(qx − px)² − w. Between two sites the keys
// are equal along a straight line, their bisector. Where those of three sites are equal lies their
// centre, a corner of the power diagram. With coordinates d from the site p, and
//   lift = fy·dy² + fx·dx² − (w − wp),
// the bisector of p is 2·fy·dy·y + 2·fx·dx·x = lift.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/int128.hpp"
#include "core/base/int256.hpp"

namespace thiessen::polygons {

/// A place or a way, (y, x), in the units of PointSites.
using Plane = std::array<std::int64_t, 2>;

struct PowerSite {
  Plane at{};
  Int128 weight = 0;
  double rounded_weight = 0;
  std::int64_t place = -1;  ///< in the caller's list
};

/// The way from one site to another.
struct SiteStep {
  Plane way;
  Int128 lift;
};

/// More than 0 if the way b turns counter-clockwise from the way a, in coordinates (y, x); 0 if
/// both lie on a line.
inline Int128 turn_of(const Plane& a, const Plane& b) {
  return Int128{a[0]} * b[1] - Int128{a[1]} * b[0];
}

inline Plane way(const Plane& from, const Plane& to) { return {to[0] - from[0], to[1] - from[1]}; }

class PowerSites {
 public:
  explicit PowerSites(const std::array<Int128, 2>& factor)
      : factor_(factor), rounded_{static_cast<double>(factor[0]), static_cast<double>(factor[1])} {}

  std::vector<PowerSite> list;

  const PowerSite& operator[](std::int32_t site) const {
    return list[static_cast<std::size_t>(site)];
  }
  Int128 factor(std::size_t axis) const { return factor_[axis]; }
  /// The squared length of a way.
  Int128 square(const Plane& way) const {
    return factor_[0] * way[0] * way[0] + factor_[1] * way[1] * way[1];
  }
  SiteStep step(const PowerSite& from, const PowerSite& to) const {
    const Plane between = way(from.at, to.at);
    return {between, square(between) - (to.weight - from.weight)};
  }

  /// 1, 0 or -1 as the key of `site` at the centre of a triangle of sites, which turn
  /// counter-clockwise, is less than theirs, equal to them or greater.
  int beats(const std::array<std::int32_t, 3>& triangle, const PowerSite& site) const {
    // The determinant of the three rows (y, x, lift).
    std::array<double, 3> y, x, lift, size;
    for (std::size_t i = 0; i < 3; ++i) {
      const PowerSite& corner = (*this)[triangle[i]];
      y[i] = static_cast<double>(corner.at[0] - site.at[0]);
      x[i] = static_cast<double>(corner.at[1] - site.at[1]);
      const double square = rounded_[0] * y[i] * y[i] + rounded_[1] * x[i] * x[i];
      lift[i] = square - (corner.rounded_weight - site.rounded_weight);
      size[i] = square + std::abs(corner.rounded_weight) + std::abs(site.rounded_weight);
    }
    double sum = 0, bound = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      const double left = y[j] * x[k], right = x[j] * y[k];
      sum += lift[i] * (left - right);
      bound += size[i] * (std::abs(left) + std::abs(right));
    }
    if (std::abs(sum) > kError * bound) return sum > 0 ? 1 : -1;
    return beats_exactly(triangle, site);
  }

 private:
  /// At most 14 roundings of 2^-53 lie behind each term.
  static constexpr double kError = 0x1p-49;

  int beats_exactly(const std::array<std::int32_t, 3>& triangle, const PowerSite& site) const {
    std::array<SiteStep, 3> steps;
    for (std::size_t i = 0; i < 3; ++i) steps[i] = step(site, (*this)[triangle[i]]);
    const auto term = [&](std::size_t i, std::size_t j, std::size_t k) {
      return Int256::product_of(steps[i].lift, turn_of(steps[j].way, steps[k].way));
    };
    return (term(0, 1, 2) + term(1, 2, 0) + term(2, 0, 1)).sign();
  }

  std::array<Int128, 2> factor_;
  std::array<double, 2> rounded_;
};

}  // namespace thiessen::polygons
