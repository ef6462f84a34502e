// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the near search, for one instruction set.
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

/// What the near search finds out for each cell.
enum class Finds : std::uint8_t {
  distance,  ///< S alone
  boundary,  ///< S to the nearest cell of another value
  label,     ///< S, and the label of the winner, which has at most 4 bytes
  place,     ///< S, and the place of the winner
};

constexpr bool tells_sites(Finds finds) { return finds == Finds::label || finds == Finds::place; }

/// The code of a winner in its plane: rows down times kOfARow, plus columns to the right.
struct InPlane {
  static constexpr std::int32_t kOfARow = 256;  ///< codes of each row
  static_assert(kMostColumns < kOfARow / 2);
};

/// For one strip of a volume at a time: the results within the plane for each cell, (z, y, x).
struct StripVolume {
  void* exact = nullptr;            ///< S, of 16 or 32 bits
  std::uint32_t* winner = nullptr;  ///< its label or its place, if they are wanted
  std::int64_t plane_size = 0;      ///< cells from a plane to the next
};

/// Strips that begin where lines of the cache do in an output.
Strips plan_strips(const Job& job);

/// Whether it is worth its while to try windows in a part of a strip.
enum class Worth : std::uint8_t {
  no,
  yes,
  crowded,  ///< so many sites that other searches take very long
};

struct WindowJob {
  const Job* job = nullptr;
  const WindowPlan* plan = nullptr;
  Finds finds = Finds::distance;
  Axes leaf{};  ///< size of a leaf
  Strips strips;
  /// For each strip of each unit row, whether windows are tried.
  const Worth* worth = nullptr;
  std::uint8_t* failed = nullptr;  ///< for each leaf, whether it has a cell without a result
  StripVolume* volumes = nullptr;  ///< in 3-D, one for each strip that is done at the same time
  std::int64_t first_strip = 0;    ///< in 3-D, that of the first volume

  std::int64_t worth_index(std::int64_t unit_row, std::int64_t strip) const {
    return unit_row * strips.count + strip;
  }
};

/// Works on the rows (planes) begin..end-1 of a strip. `memory` has kWindowMemory bytes and is
/// aligned to 64.
using WindowKernel = void (*)(const WindowJob& job, std::int64_t strip, std::int64_t begin,
                              std::int64_t end, void* memory);

/// The rows that a thread has in memory at once; in 3-D planes or rows of a plane.
inline constexpr std::int64_t kWindowRows = 768;
inline constexpr std::int64_t kWindowMemory =
    kWindowRows * 3 * kUnitWidth * std::int64_t{sizeof(std::uint32_t)};

struct WindowKernels {
  WindowKernel flat = nullptr;  ///< 2-D: rows
  /// 3-D: S within the planes begin..end-1, into the volume of the strip.
  WindowKernel in_planes = nullptr;
  /// … and S in all from there, for the rows y = begin..end-1 of all planes.
  WindowKernel across_planes = nullptr;
};

WindowKernels window_kernels(std::int64_t targets, const WindowPlan& plan, Finds finds);

}  // namespace thiessen::cpu::tiles
