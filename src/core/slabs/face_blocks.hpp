// SPDX-License-Identifier: Apache-2.0
//
// How far the places on a slab's face are from a site, bounded from above: the columns of the face
// are cut into blocks, and each block tells how many rows it is to the nearest site in its columns.
//
// Notation: v[y][x] is S, along the first axis alone, from the face to the nearest site in a block
// of columns; kNone: there is none.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/problem/problem.hpp"

namespace thiessen {

class FaceBlocks {
 public:
  static constexpr Int128 kNone = std::numeric_limits<Int128>::max();
  /// Columns of a block along each axis of the face.
  static constexpr std::int64_t kBlock = 16;

  explicit FaceBlocks(const Problem& problem) : problem_(problem) {}

  static std::int64_t blocks_of(std::int64_t cells) { return (cells + kBlock - 1) / kBlock; }
  std::int64_t rows() const { return problem_.rank == 3 ? blocks_of(problem_.extent[1]) : 1; }
  std::int64_t columns() const { return blocks_of(problem_.extent[2]); }
  std::int64_t count() const { return rows() * columns(); }
  /// The block of a column.
  std::size_t block_of(std::int64_t column) const;

  /// The part of a difference of rows in S; of points, in units of their coordinates. kNone: it has
  /// more than 127 bits.
  Int128 along_first_axis(std::int64_t rows) const { return along(first_axis(), rows); }
  /// The most rows, up to `most`, whose S along the first axis is at most `bound`.
  std::int64_t rows_within(Int128 bound, std::int64_t most) const;

  /// The greatest S from a place on the face to the nearest site, at most; kNone: there is none.
  Int128 greatest_bound(const std::vector<Int128>& v) const;

 private:
  std::size_t first_axis() const { return static_cast<std::size_t>(problem_.first_axis()); }
  Int128 along(std::size_t axis, std::int64_t delta) const;
  Int128 nearest(const std::vector<Int128>& line, std::int64_t count, std::int64_t here,
                 std::size_t axis) const;

  const Problem& problem_;
};

}  // namespace thiessen
