// SPDX-License-Identifier: Apache-2.0
//
// Random sites on a raster, and how long the raster methods take for it on all devices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// A method where it runs.
struct RasterWay {
  std::string algorithm;
  std::string device;
  int threads = 0;  ///< of the CPU; 0 for other devices

  /// "chamfer, cpu, 1 thread".
  std::string name() const;
};

/// What Tu and Wang compare, and `exact` beside it: scan and distance transform on one core, the
/// method of their own on each device, in that order. `wanted` names devices; none:
/// all that this machine has. Throws UsageError for one that is not there.
std::vector<RasterWay> raster_ways(const std::vector<std::string>& wanted, int threads);

struct RasterTime {
  RasterWay way;
  std::string reason = {};  ///< why it was not run; empty: it was
  double milliseconds = 0;  ///< median, without copies to and from a device
  double copies = 0;        ///< median of these
  bool agrees = true;       ///< labels and distances are those of the first way
};

struct RasterResult {
  Extents extents;
  std::int64_t sites = 0;
  std::vector<RasterTime> times;
};

struct RasterRounds {
  Metric metric = Metric::manhattan;
  int rounds = 1;
  std::uint64_t seed = 0;
};

/// Runs all ways on `sites` random sites. A round before the first, which asks for memory and is
/// compared with that of the first way, does not count. `advance` is called with the share done.
RasterResult run_raster_case(const Extents& extents, std::int64_t sites,
                             const std::vector<RasterWay>& ways, const RasterRounds& rounds,
                             const std::function<void(double)>& advance);

/// Bytes a cell that a case takes, with what the methods take.
inline constexpr std::size_t kRasterBytesPerCell = 4 + 4 + 4 + 4 + 4 + 24;

}  // namespace thiessen::cli
