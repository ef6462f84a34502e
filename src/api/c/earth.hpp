// SPDX-License-Identifier: Apache-2.0
//
// Where cells lie on the Earth, as options of C tell.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/refuse.hpp"
#include "thiessen/earth.hpp"

namespace thiessen::c {

inline std::vector<double> to_degrees(const char* name, const double* degrees, std::size_t count) {
  if (degrees == nullptr) return {};
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (count > kMost)
    refuse(std::string(name) + "_count = " + std::to_string(count) + "; must be at most 2^30");
  return {degrees, degrees + count};
}

/// Nothing without latitudes and longitudes.
template <class Options>
std::optional<Earth> to_earth(const Options& options) {
  if (options.latitude == nullptr && options.longitude == nullptr) return std::nullopt;
  Earth earth{.latitude = to_degrees("latitude", options.latitude, options.latitude_count),
              .longitude = to_degrees("longitude", options.longitude, options.longitude_count),
              .flattening = options.flattening};
  if (options.earth_radius != 0) earth.radius = options.earth_radius;
  return earth;
}

}  // namespace thiessen::c
