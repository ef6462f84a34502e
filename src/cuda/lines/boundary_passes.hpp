// SPDX-License-Identifier: Apache-2.0
//
// The passes of boundary.cu. Index is an integer for coordinates.
#pragma once

#include <cstdint>

#include "cuda/lines/boundary.hpp"
#include "cuda/lines/separable_passes.hpp"

namespace thiessen::cuda::lines {

/// What lies beyond a line: coordinates of the nearest cells with another value, or kNoSite.
struct BeyondLine {
  std::int32_t above = kNoSite;
  std::int32_t below = kNoSite;
};

/// Bit i of a line of changes is set where cell i holds another value than the one before it.
struct Changes {
  /// Cells to the nearest cell with another value, or kNoneAfter.
  THIESSEN_HD static std::int32_t cells_to_other(const sites::LineBits& changes, std::int64_t outer,
                                                 std::int64_t inner, std::int32_t at,
                                                 const BeyondLine& beyond = {}) {
    const std::int32_t last = changes.last_to(outer, inner, at);
    const std::int32_t next = changes.first_behind(outer, inner, at);
    std::int32_t to_last = last == sites::kNoneBefore ? sites::kNoneAfter : at - last + 1;
    std::int32_t to_next = next == sites::kNoneAfter ? sites::kNoneAfter : next - at;
    if (last == sites::kNoneBefore && beyond.above != kNoSite) to_last = at - beyond.above;
    if (next == sites::kNoneAfter && beyond.below != kNoSite) to_next = beyond.below - at;
    return to_last < to_next ? to_last : to_next;
  }
};

/// A line of a pass along y or x.
struct BoundaryLine {
  std::int64_t outer;  ///< its place among the changes
  std::int64_t inner;
  std::int64_t cell;  ///< its first cell
  std::int32_t z;
};

/// The pass along y or x. Leaves hold S across the line; -1: there is no other value. kColumns:
/// along y.
template <class Geometry, class TheScalar, bool kColumns>
struct BoundaryLines : PassOf<Geometry, TheScalar> {
  using Leaf = TheScalar;
  using Line = BoundaryLine;
  static constexpr std::int32_t kMostTogether = kColumns ? 32 : 1;

  sites::LineBits own;                ///< changes along this axis
  BoundaryBeyond beyond;              ///< beyond the lines along the first axis
  const TheScalar* before = nullptr;  ///< results of the pass before; null: see `first`
  TheScalar* after = nullptr;         ///< results of this pass; null: the outputs are written

  THIESSEN_HD static constexpr std::size_t axis() { return kColumns ? 1 : 2; }
  THIESSEN_HD Line line(std::int64_t number) const {
    const Axes& extent = this->job.extent;
    if constexpr (kColumns) {
      const std::int64_t z = number / extent[2];
      const std::int64_t x = number % extent[2];
      return {z, x, z * extent[1] * extent[2] + x, static_cast<std::int32_t>(z)};
    } else {
      return {number, 0, number * extent[2], static_cast<std::int32_t>(number / extent[1])};
    }
  }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t at) const {
    const std::int64_t cell = cell_of(line, at);
    if (before != nullptr) return before[cell];
    const Axes& extent = this->job.extent;
    // In 2-D the first axis is y and this one x; in 3-D they are z and y.
    const bool is_flat = this->job.rank == 2;
    const std::int64_t plane = extent[1] * extent[2];
    const std::int64_t inner = is_flat ? cell % extent[2] : cell % plane;
    const auto place =
        static_cast<std::int32_t>(is_flat ? line.outer - line.z * extent[1] : line.z);
    BeyondLine outer;
    if (beyond.above != nullptr) outer.above = beyond.above[inner];
    if (beyond.below != nullptr) outer.below = beyond.below[inner];
    const std::int32_t cells =
        Changes::cells_to_other(this->first, is_flat ? line.z : 0, inner, place, outer);
    return cells == sites::kNoneAfter ? TheScalar{-1}
                                      : Geometry::along(this->factor[is_flat ? 1 : 0], cells);
  }
  THIESSEN_HD bool exists(Leaf base) const { return base >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line&, Leaf base, std::int32_t,
                                       std::int32_t position) const {
    return {base, 0, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t at, Leaf, std::int32_t,
                          TheScalar exact) const {
    const TheScalar on_line = to_other(line, at);
    put(cell_of(line, at), on_line >= 0 && on_line < exact ? on_line : exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t at) const {
    put(cell_of(line, at), to_other(line, at));
  }

 private:
  THIESSEN_HD std::int64_t cell_of(const Line& line, std::int64_t at) const {
    return line.cell + (kColumns ? at * this->job.extent[2] : at);
  }
  /// S to the nearest other value on the line itself; -1: there is none.
  THIESSEN_HD TheScalar to_other(const Line& line, std::int32_t at) const {
    const std::int32_t cells = Changes::cells_to_other(own, line.outer, line.inner, at);
    return cells == sites::kNoneAfter ? TheScalar{-1}
                                      : Geometry::along(this->factor[axis()], cells);
  }
  THIESSEN_HD void put(std::int64_t cell, TheScalar exact) const {
    if (after != nullptr)
      after[cell] = exact;
    else
      write_result(this->job, cell, exact < 0 ? kUnreached : 0, exact < 0 ? TheScalar{0} : exact);
  }
};

}  // namespace thiessen::cuda::lines
