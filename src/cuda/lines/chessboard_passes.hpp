// SPDX-License-Identifier: Apache-2.0
//
// The passes of chessboard.cu. Index is an integer for coordinates.
#pragma once

#include <cstdint>

#include "core/order/first_in_box.hpp"
#include "cuda/lines/separable_passes.hpp"

namespace thiessen::cuda::lines {

/// A binary tree for each line along y: the least number of cells to a site of the row. Level 0 is
/// not stored, since `near` of the rows gives it. The other levels of a plane lie one behind the
/// other.
struct NearTree {
  static constexpr int kMostLevels = 31;

  const std::int32_t* least = nullptr;
  std::int64_t rows_of_plane = 0;  ///< in all stored levels
  std::int64_t width = 0;
  int top = 0;
  std::int64_t first_row[kMostLevels] = {};  ///< one for each level

  /// The least number of cells from column x to a site, in the rows below node `row` of a level.
  THIESSEN_HD std::int32_t at(int level, std::int64_t z, std::int64_t row, std::int64_t x) const {
    return least[(z * rows_of_plane + first_row[level] + row) * width + x];
  }
};

/// The further data of the chessboard passes.
template <class TheScalar>
struct ChessboardPassOf : PassOf<Chessboard, TheScalar> {
  sites::LineBits rows;  ///< sites along x

  /// Cells to the nearest site of a row, or kNoneAfter.
  THIESSEN_HD std::int32_t near(std::int64_t z, std::int64_t y, std::int32_t x) const {
    return rows.cells_to_nearest(z * this->job.extent[1] + y, 0, x);
  }
  THIESSEN_HD TheScalar across_row(std::int32_t near) const {
    return Chessboard::along(this->factor[2], near);
  }
  /// Cells along an axis that S covers.
  THIESSEN_HD std::int64_t cells_within(TheScalar exact, std::size_t axis) const {
    return to_cells(exact / this->factor[axis]);
  }
  /// Writes the outputs of a cell, once S and the row of the winner are known.
  THIESSEN_HD void finish_cell(std::int64_t cell, std::int32_t x, std::int64_t row,
                               TheScalar exact) const {
    const std::int64_t site_x =
        first_in_box(x, cells_within(exact, 2), this->width(), this->job.period[2],
                     [&](std::int64_t from) -> std::int64_t {
                       return rows.first_from(row, 0, static_cast<std::int32_t>(from));
                     });
    write_result(this->job, cell, row * this->width() + site_x, exact);
  }
};

/// The pass along y. Leaves hold the cells to the nearest site of each row; -1: it has none. In 2-D
/// this pass finishes the cells, in 3-D it keeps the first of the nearest rows.
template <class TheScalar, class Index>
struct ChessboardColumns : ChessboardPassOf<TheScalar> {
  using Leaf = Index;
  using Line = ColumnLine;
  static constexpr std::int32_t kMostTogether = 32;

  Index* first_y = nullptr;  ///< 3-D: for each cell; -1: none

  THIESSEN_HD static constexpr std::size_t axis() { return 1; }
  THIESSEN_HD Line line(std::int64_t number) const { return ColumnLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t y) const {
    const std::int32_t near = this->near(line.z, y, line.x);
    return static_cast<Leaf>(near == sites::kNoneAfter ? -1 : near);
  }
  THIESSEN_HD bool exists(Leaf near) const { return near >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line&, Leaf near, std::int32_t y,
                                       std::int32_t position) const {
    return {this->across_row(near), y, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t y, Leaf, std::int32_t at,
                          TheScalar exact) const {
    const std::int64_t plane = std::int64_t{line.z} * this->job.extent[1];
    const std::int64_t cell = (plane + y) * this->width() + line.x;
    if (first_y != nullptr)
      first_y[cell] = static_cast<Index>(at);
    else
      this->finish_cell(cell, line.x, plane + at, exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t y) const {
    const std::int64_t cell =
        (std::int64_t{line.z} * this->job.extent[1] + y) * this->width() + line.x;
    if (first_y != nullptr)
      first_y[cell] = -1;
    else
      write_result(this->job, cell, kUnreached, TheScalar{0});
  }
};

/// A line along z: (y, x).
struct DepthLine {
  std::int32_t y;
  std::int32_t x;
  std::int64_t cell;  ///< its first cell
};

/// The pass along z in 3-D. Leaves hold S within each plane; -1: it has no site.
template <class TheScalar, class Index>
struct ChessboardDepths : ChessboardPassOf<TheScalar> {
  using Leaf = TheScalar;
  using Line = DepthLine;
  static constexpr std::int32_t kMostTogether = 32;

  const Index* first_y = nullptr;
  NearTree tree;

  THIESSEN_HD static constexpr std::size_t axis() { return 0; }
  THIESSEN_HD Line line(std::int64_t number) const {
    return {static_cast<std::int32_t>(number / this->width()),
            static_cast<std::int32_t>(number % this->width()), number};
  }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t z) const {
    const std::int32_t y = first_y[cell(line, z)];
    if (y < 0) return -1;
    return Chessboard::combine(this->across_row(this->near(z, y, line.x)),
                               this->across(1, line.y, y));
  }
  THIESSEN_HD bool exists(Leaf in_plane) const { return in_plane >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line&, Leaf in_plane, std::int32_t z,
                                       std::int32_t position) const {
    return {in_plane, z, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t z, Leaf in_plane, std::int32_t at,
                          TheScalar exact) const {
    const std::int64_t y = exact == in_plane ? std::int64_t{first_y[cell(line, at)]}
                                             : first_row_within(at, line.y, line.x, exact);
    this->finish_cell(cell(line, z), line.x, at * this->job.extent[1] + y, exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t z) const {
    write_result(this->job, cell(line, z), kUnreached, TheScalar{0});
  }

 private:
  THIESSEN_HD std::int64_t cell(const Line& line, std::int64_t z) const {
    return z * this->job.extent[1] * this->width() + line.cell;
  }
  THIESSEN_HD std::int64_t first_row_within(std::int32_t z, std::int32_t y, std::int32_t x,
                                            TheScalar exact) const {
    const std::int64_t reach = this->cells_within(exact, 2);
    return first_in_box(y, this->cells_within(exact, 1), this->job.extent[1], this->job.period[1],
                        [&](std::int64_t from) { return first_row_from(z, from, x, reach); });
  }
  /// First row at or below `row` with a site no more than `reach` cells from column x; beyond the
  /// last row if there is none.
  THIESSEN_HD std::int64_t first_row_from(std::int32_t z, std::int64_t row, std::int32_t x,
                                          std::int64_t reach) const {
    const auto near = [&](int level) {
      return level == 0 ? this->near(z, row, x) : tree.at(level, z, row, x);
    };
    const auto rows_of = [&](int level) {
      return (this->job.extent[1] + (std::int64_t{1} << level) - 1) >> level;
    };
    int level = 0;
    while (near(level) > reach) {
      ++row;
      for (; row % 2 == 0 && level < tree.top; row /= 2) ++level;
      if (row >= rows_of(level)) return this->job.extent[1];
    }
    while (level > 0) {
      --level;
      row *= 2;
      if (near(level) > reach) ++row;
    }
    return row;
  }
};

}  // namespace thiessen::cuda::lines
