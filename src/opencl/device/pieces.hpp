// SPDX-License-Identifier: Apache-2.0
//
// Work that is cut up: a raster into pieces, whose results lie on the host together, and launches
// so that each is short.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/cells.hpp"
#include "opencl/device/cl.hpp"
#include "opencl/device/integers.hpp"

namespace thiessen::opencl {

inline constexpr std::int64_t kPieceCells = std::int64_t{1} << 20;

/// The cells from (z, y, x) on in so many rows: whole rows, or a part of a single row.
struct Piece {
  std::int64_t row = 0;  ///< z times the rows of a plane, plus y
  std::int64_t rows = 0;
  std::int64_t x = 0;
  std::int64_t width = 0;

  std::int64_t cells() const { return rows * width; }
};

/// The raster, cut into pieces of at most so many cells.
class Pieces {
 public:
  explicit Pieces(const Axes& extent, std::int64_t cells = kPieceCells)
      : rows_(extent[0] * extent[1]),
        width_(extent[2]),
        cells_(cells),
        rows_at_once_(std::max<std::int64_t>(cells / whole_items(width_), 1)),
        in_row_(parts(width_, cells)) {}

  std::int64_t count() const { return parts(rows_, rows_at_once_) * in_row_; }

  Piece operator[](std::int64_t i) const {
    const std::int64_t row = i / in_row_ * rows_at_once_;
    const std::int64_t x = i % in_row_ * cells_;
    return {row, std::min(rows_at_once_, rows_ - row), x, std::min(cells_, width_ - x)};
  }

 private:
  /// The cells of a row that is filled up to whole work items, for any device.
  static std::int64_t whole_items(std::int64_t width) {
    return parts(width, kMostLanes) * kMostLanes;
  }

  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t cells_;
  std::int64_t rows_at_once_;
  std::int64_t in_row_;
};

/// How much the next launch takes, in the units of the method.
class Pace {
 public:
  explicit Pace(std::int64_t first) : units_(first) {}

  std::int64_t units() const { return units_; }

  /// Learns from a launch that is done.
  void learn(const cl::Event& launch) {
    constexpr double kLaunchNanoseconds = 5e7;
    constexpr std::int64_t kMost = std::int64_t{1} << 48;
    const auto begin = launch.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = launch.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    const auto nanoseconds = static_cast<double>(end - begin);
    if (nanoseconds < kLaunchNanoseconds / 2 && units_ < kMost) units_ *= 2;
    if (nanoseconds > kLaunchNanoseconds * 2 && units_ > 1) units_ /= 2;
  }

 private:
  std::int64_t units_;
};

}  // namespace thiessen::opencl
