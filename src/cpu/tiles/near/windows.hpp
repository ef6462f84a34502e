// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the near search for distances alone, for one instruction set.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/near/window_plan.hpp"

namespace thiessen::cpu::tiles {

/// A strip is 64 columns wide; its first one may lie before those of the raster.
struct Strips {
  std::int64_t count = 0;
  std::int64_t before = 0;  ///< columns of the first strip that lie before the raster's

  std::int64_t first_column(std::int64_t strip) const { return strip * kUnitWidth - before; }
};

/// For one strip of a volume at a time: S within the plane for each cell, (z, y, x).
struct StripVolume {
  void* lanes = nullptr;        ///< of 16 or 32 bits
  std::int64_t plane_size = 0;  ///< lanes from a plane to the next
};

/// Strips that begin where lines of the cache do in the output.
Strips plan_strips(const Job& job);

struct WindowJob {
  const Job* job = nullptr;
  const WindowPlan* plan = nullptr;
  Axes leaf{};  ///< size of a leaf
  Strips strips;
  const std::uint8_t* worth = nullptr;  ///< for each unit, whether windows are tried
  StripVolume* volumes = nullptr;  ///< in 3-D, one for each strip that is done at the same time
  std::int64_t first_strip = 0;    ///< in 3-D, that of the first volume
};

/// Works on the rows (planes) begin..end-1 of a strip. `memory` has kWindowMemory bytes and is
/// aligned to 64.
using WindowKernel = void (*)(const WindowJob& job, std::int64_t strip, std::int64_t begin,
                              std::int64_t end, void* memory);

/// In 2-D the rows that a thread has in memory at once; in 3-D planes or rows of a plane.
inline constexpr std::int64_t kWindowBlock = 128;
inline constexpr std::int64_t kWindowMemory =
    (kWindowBlock + 2 * kMostReach) * kUnitWidth * std::int64_t{sizeof(std::uint32_t)};

struct WindowKernels {
  WindowKernel flat = nullptr;  ///< 2-D: rows
  /// 3-D: S within the planes begin..end-1, into the volume of the strip.
  WindowKernel in_planes = nullptr;
  /// … and S in all from there, for the rows y = begin..end-1 of all planes.
  WindowKernel across_planes = nullptr;
};

/// The unit whose columns are those of a strip, but for a few.
inline std::int64_t unit_of_strip(const Job& job, std::int64_t strip) {
  return std::min(strip, job.units[2] - 1);
}

WindowKernels window_kernels(std::int64_t targets, const WindowPlan& plan);

}  // namespace thiessen::cpu::tiles
