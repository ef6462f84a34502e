// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the near search, for one instruction set.
#pragma once

#include <algorithm>
#include <atomic>
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
enum class WindowResult : std::uint8_t {
  distance,  ///< S alone
  boundary,  ///< S to the nearest cell of another value
  label,     ///< S, and the label of the winner, which has at most 4 bytes
  place,     ///< S, and the place of the winner
};

constexpr bool tells_sites(WindowResult result) {
  return result == WindowResult::label || result == WindowResult::place;
}

/// The code of a winner in its plane is the rows down to it times 2^bits, plus the columns to the
/// right: so many bits in windows, and so many in the line search.
inline constexpr int kWindowCodeBits = 8;
inline constexpr int kLineCodeBits = 16;
static_assert(kMostColumns < 1 << (kWindowCodeBits - 1));

/// For one strip of a volume at a time: the results within the plane for each cell, (z, y, x).
struct StripVolume {
  void* exact = nullptr;            ///< S, of 16 or 32 bits
  std::uint32_t* winner = nullptr;  ///< its label or its place, if they are wanted
  std::int64_t plane_size = 0;      ///< cells from a plane to the next
  std::uint8_t* gave_up = nullptr;  ///< not 0: some plane took too long, and the strip is left open
};

/// Strips that begin where lines of the cache do in an output.
Strips plan_strips(const Job& job);

/// Whether windows are tried in a part of a strip: whether they are worth their while.
enum class WindowUse : std::uint8_t {
  no,
  yes,
  crowded,  ///< so many sites that other searches take very long
};

/// How far the first cell of a strip is, in a row, from the next site before it, and from the next
/// one behind the strip. For distances to the boundary: from the next edges.
struct Gap {
  static constexpr std::int32_t kNone = (std::int32_t{1} << 30) + 64;

  std::int32_t before = kNone;
  std::int32_t behind = kNone;
};

struct LinePlan;

/// What the near search and the line search work on.
struct WindowJob {
  const Job* job = nullptr;
  const WindowPlan* plan = nullptr;           ///< of windows alone
  const LinePlan* lines = nullptr;            ///< of the line search alone
  std::atomic<std::int64_t>* work = nullptr;  ///< … what it may still do: LinePlan::work
  const RowPlan* rows = nullptr;
  WindowResult result = WindowResult::distance;
  Axes leaf{};  ///< size of a leaf
  int code_bits = kWindowCodeBits;
  Strips strips;
  /// For each strip of each row. If null, rows see kMostColumns alone.
  const Gap* gaps = nullptr;
  /// For each strip of each unit row, whether windows are tried.
  const WindowUse* use = nullptr;
  std::uint8_t* failed = nullptr;  ///< for each leaf, whether it has a cell without a result
  StripVolume* volumes = nullptr;  ///< in 3-D, one for each strip that is done at the same time
  std::int64_t first_strip = 0;    ///< in 3-D, that of the first volume

  /// Whether some leaf of a row of leaves, counted through all planes, is open in a strip.
  bool is_open(std::int64_t strip, std::int64_t leaf_row) const {
    const std::int64_t column = strips.first_column(strip);
    const std::int64_t end = std::min(column + kUnitWidth, job->extent[2]);
    const SolvedBy* const row = job->solved + leaf_row * job->leaves[2];
    const SolvedBy* const behind = row + parts(end, leaf[2]);
    return std::find(row + std::max<std::int64_t>(column, 0) / leaf[2], behind, SolvedBy::none) !=
           behind;
  }

  std::int64_t window_use_index(std::int64_t unit_row, std::int64_t strip) const {
    return unit_row * strips.count + strip;
  }
};

/// Works on the rows (planes) begin..end-1 of a strip. `memory` is aligned to 64; windows need
/// kWindowMemory bytes.
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

WindowKernels window_kernels(std::int64_t targets, const WindowPlan& plan, WindowResult result);

}  // namespace thiessen::cpu::tiles
