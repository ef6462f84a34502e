// SPDX-License-Identifier: Apache-2.0
//
// Random sites on a raster, and the times of the raster methods for them on all devices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// A method on a device.
struct RasterWay {
  Method method = Method::exact;
  std::string device;
  int threads = 0;  ///< of the CPU; 0 for other devices
  /// Which cells a thread of a GPU takes, by brute-force.
  std::optional<Allotment> allotment = std::nullopt;
  /// As the document describes the method, which looks at the whole raster (whole_raster.hpp).
  bool whole_raster = false;

  /// "chamfer, cpu, 1 thread".
  std::string name() const;
  /// Whether the document's figure 2 has the method, or it is `exact`.
  bool is_of_figure() const;
};

/// What Tu and Wang compare, and also `exact`: scan and distance transform on one core, then their
/// own method on each device; the growing methods on one core, the library's and as the document
/// describes them; and the scan on each GPU by both allotments. `wanted` names devices; empty: all
/// of this machine. Throws UsageError for a device that does not exist.
std::vector<RasterWay> raster_ways(const std::vector<std::string>& wanted, int threads);

struct RasterTime {
  RasterWay way;
  std::string reason = {};  ///< why it was not run; else empty
  double milliseconds = 0;  ///< median, without copies to and from a device
  double copies = 0;        ///< median of the copies
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

/// Runs all ways on `sites` random sites. A first round, which takes memory and is compared with
/// the first way, does not count. Calls `advance` with the share that is done.
RasterResult run_raster_case(const Extents& extents, std::int64_t sites,
                             const std::vector<RasterWay>& ways, const RasterRounds& rounds,
                             const std::function<void(double)>& advance);

/// The bytes a cell that a case takes, including those of the methods.
inline constexpr std::size_t kRasterBytesPerCell = 4 + 4 + 4 + 4 + 4 + 24;

}  // namespace thiessen::cli
