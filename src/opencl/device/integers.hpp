// SPDX-License-Identifier: Apache-2.0
//
// Chooses the integers that a problem needs on a device, for all methods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "backend/backend.hpp"
#include "opencl/device/device.hpp"
#include "opencl/device/programs.hpp"

namespace thiessen::opencl {

inline std::int64_t parts(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

/// Whether 32 bits hold S and coordinates, with room for a greatest value that none has. (The
/// octagon doubles sums of differences, which are up to 3/2 S.)
inline bool is_narrow(const Problem& problem) {
  return problem.weights.greatest < Int128{1} << (problem.metric == Metric::octagonal ? 29 : 30);
}

/// Whether a device has the integers for S.
inline Support supports_exact_distances(const Capabilities& capabilities, const Problem& problem) {
  if (problem.wide)
    return {"distances of this spacing need 128 bits, which only the cpu and cuda backends have"};
  if (!is_narrow(problem) && !capabilities.int64)
    return {"distances of this raster need 64 bits, which the device does not have"};
  return {};
}

inline constexpr std::int64_t kMostLanes = 16;  ///< cells of a work item, on any device

/// The cells of a work item: as many as the device has such integers in a vector.
template <class Scalar>
std::int64_t lanes_of(const Capabilities& device) {
  return std::clamp<std::int64_t>(sizeof(Scalar) == 8 ? device.int64_lanes : device.int32_lanes, 4,
                                  kMostLanes);
}

/// The period of an axis; a period that never gives the shorter way stands for none.
template <class Scalar>
Scalar period_of(const Problem& problem, std::size_t axis) {
  return static_cast<Scalar>(
      std::min<std::int64_t>(problem.period[axis], std::numeric_limits<Scalar>::max()));
}

/// The definitions for measure.cl.
template <class Scalar>
Definitions measure_definitions(const Problem& problem, std::int64_t lanes) {
  constexpr bool kWide = sizeof(Scalar) == 8;
  const bool periodic = std::any_of(problem.period.begin(), problem.period.end(),
                                    [](std::int64_t period) { return period != kNoPeriod; });
  return {{"SCALAR", kWide ? "long" : "int"},
          {"GREATEST", kWide ? "LONG_MAX" : "INT_MAX"},
          {"WIDTH", std::to_string(lanes)},
          {"METRIC", std::to_string(static_cast<int>(problem.metric))},
          {"PERIODIC", periodic ? "1" : "0"}};
}

}  // namespace thiessen::opencl
