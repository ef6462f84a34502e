// SPDX-License-Identifier: Apache-2.0
//
// The passes of separable.cu. Index is an integer for coordinates.
#pragma once

#include <cstdint>

#include "cuda/job/results.hpp"
#include "cuda/lines/pass.hpp"
#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda::lines {

/// The data that all passes use.
template <class TheGeometry, class TheScalar>
struct PassOf {
  using Geometry = TheGeometry;
  using Scalar = TheScalar;

  Job job;
  const std::int32_t* open = nullptr;  ///< null, or on the device: 0 if there is nothing to do
  sites::LineBits first;               ///< sites along the first axis
  Scalar factor[kAxes];

  /// The part of a difference of coordinates in S. Only wide integers do periodic axes.
  THIESSEN_HD Scalar across(std::size_t axis, std::int32_t a, std::int32_t b) const {
    if constexpr (sizeof(Scalar) < sizeof(std::int64_t))
      return Geometry::along(factor[axis], a - b);
    else
      return Geometry::along(factor[axis], periodic_distance(a, b, job.period[axis]));
  }
  THIESSEN_HD LineCount lines(std::size_t axis) const { return all_lines(job, axis); }
  THIESSEN_HD std::int32_t height() const { return static_cast<std::int32_t>(job.extent[1]); }
  THIESSEN_HD std::int64_t width() const { return job.extent[2]; }
};

/// A row: (z, y).
struct RowLine {
  std::int32_t z;
  std::int32_t y;
  std::int64_t cell;  ///< its first cell

  THIESSEN_HD static RowLine at(const Job& job, std::int64_t number) {
    return {static_cast<std::int32_t>(number / job.extent[1]),
            static_cast<std::int32_t>(number % job.extent[1]), number * job.extent[2]};
  }
};

/// A line along y: (z, x).
struct ColumnLine {
  std::int32_t z;
  std::int32_t x;

  THIESSEN_HD static ColumnLine at(const Job& job, std::int64_t number) {
    return {static_cast<std::int32_t>(number / job.extent[2]),
            static_cast<std::int32_t>(number % job.extent[2])};
  }
};

/// 2-D, along x. Leaves hold the row of the nearest site of each column; -1: the column has none.
template <class Geometry, class TheScalar, class Index>
struct FlatRows : PassOf<Geometry, TheScalar> {
  using Leaf = Index;
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    const std::int32_t y = this->first.nearest(line.z, x, line.y);
    return static_cast<Leaf>(y == kNoSite ? -1 : y);
  }
  THIESSEN_HD bool exists(Leaf y) const { return y >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, Leaf y, std::int32_t x,
                                       std::int32_t position) const {
    return {this->across(1, line.y, y), std::int64_t{y} * this->width() + x, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, Leaf y, std::int32_t at,
                          TheScalar exact) const {
    const std::int64_t row = std::int64_t{line.z} * this->job.extent[1] + y;
    write_result(this->job, line.cell + x, row * this->width() + at, exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    write_result(this->job, line.cell + x, kUnreached, TheScalar{0});
  }
};

/// 3-D, along y in a plane. Leaves hold the z of the nearest site of each line along z; -1: it has
/// none. The y of the winner is kept.
template <class Geometry, class TheScalar, class Index>
struct PlaneColumns : PassOf<Geometry, TheScalar> {
  using Leaf = Index;
  using Line = ColumnLine;
  static constexpr std::int32_t kMostTogether = 32;

  Index* winner = nullptr;  ///< y of the winner of each cell; -1: none

  THIESSEN_HD static constexpr std::size_t axis() { return 1; }
  THIESSEN_HD Line line(std::int64_t number) const { return ColumnLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t y) const {
    const std::int32_t z = this->first.nearest(0, y * this->width() + line.x, line.z);
    return static_cast<Leaf>(z == kNoSite ? -1 : z);
  }
  THIESSEN_HD bool exists(Leaf z) const { return z >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, Leaf z, std::int32_t y,
                                       std::int32_t position) const {
    return {this->across(0, line.z, z), std::int64_t{z} * this->height() + y, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t y, Leaf, std::int32_t at,
                          TheScalar) const {
    winner[cell(line, y)] = static_cast<Index>(at);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t y) const {
    winner[cell(line, y)] = -1;
  }

 private:
  THIESSEN_HD std::int64_t cell(const Line& line, std::int32_t y) const {
    return (std::int64_t{line.z} * this->height() + y) * this->width() + line.x;
  }
};

/// 3-D, along x. Leaves are the results of the planes' columns.
template <class Geometry, class TheScalar, class Index>
struct PlaneRows : PassOf<Geometry, TheScalar> {
  struct Leaf {
    Index z;
    Index y;  ///< -1: none
  };
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  const Index* winner = nullptr;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    const Index y = winner[line.cell + x];
    if (y < 0) return {0, -1};
    return {static_cast<Index>(this->first.nearest(0, y * this->width() + x, line.z)), y};
  }
  THIESSEN_HD bool exists(const Leaf& leaf) const { return leaf.y >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, const Leaf& leaf, std::int32_t x,
                                       std::int32_t position) const {
    return {Geometry::combine(this->across(0, line.z, leaf.z), this->across(1, line.y, leaf.y)),
            index_of(leaf, x), position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, const Leaf& leaf, std::int32_t at,
                          TheScalar exact) const {
    write_result(this->job, line.cell + x, index_of(leaf, at), exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    write_result(this->job, line.cell + x, kUnreached, TheScalar{0});
  }

 private:
  THIESSEN_HD std::int64_t index_of(const Leaf& leaf, std::int32_t x) const {
    return (std::int64_t{leaf.z} * this->height() + leaf.y) * this->width() + x;
  }
};

}  // namespace thiessen::cuda::lines
