// SPDX-License-Identifier: Apache-2.0
//
// What a warp does in a pass of jump flooding: it goes down a chain of lines that are a step apart
// on the top axis. Each lane has two columns that are a step apart, so only the columns differ
// between lanes.
//
// A lane reads 4 sites of a line: those of its own columns and those to the left and to the right
// of them; in 3-D 12, as many before and behind. A line counts for three cells of each column's
// chain. With s and c the places of a site and of a cell on an axis, and f its factor, euclidean
// distance is
//
//   S = sum of f·(s - c)² = sum of f·s² + sum of s·(-2·f·c) + sum of f·c²
//
// The last sum is the same for all sites that a cell compares, so it is left out; instead, `lift`
// keeps S from falling below 0. The part that depends on the site alone is computed once, and the
// part of the column's coordinates once for three cells: that leaves one multiplication and one
// addition for each site and cell. Then the least S is found, three values at a time, and then the
// least site that has it, with two instructions each: the order is (S, site). These instructions
// take most of the time.
//
// If lines hold only one site in all lanes, that is noticed while they are read: they are skipped
// in 2-D, and only one site of them is looked at in 3-D. In 2-D three lines are held in registers
// that take turns. In 3-D these would be too many, so the results of a line for each of its three
// cells are joined with those of the lines before.
//
// A neighbour beyond an end of the raster is replaced by the cell's own line or column, which is
// looked at anyway. Looking twice changes nothing, as a pass takes the least of a set. For sources
// compiled as CUDA.
#pragma once

#include <cstdint>

#include "core/order/measure.hpp"
#include "cuda/flood/packing.hpp"

namespace thiessen::cuda::flood {

/// A range of indices.
struct Range {
  std::int32_t begin;
  std::int32_t end;
  __device__ std::int32_t count() const { return begin < end ? end - begin : 0; }
};

__device__ inline Range overlap(const Range& a, const Range& b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

/// first = exact == least ? min(first, site) : first. On the device in two instructions, which the
/// compiler does not find.
__device__ inline void take_equal(std::uint32_t exact, std::uint32_t least, PackedCell site,
                                  PackedCell& first) {
#ifdef __CUDA_ARCH__
  asm("{ .reg .pred equal; setp.eq.u32 equal, %1, %2; @equal min.u32 %0, %0, %3; }"
      : "+r"(first)
      : "r"(exact), "r"(least), "r"(site));
#else
  if (exact == least && site < first) first = site;
#endif
}

/// a·b + c in one instruction. The compiler alone would first multiply what several sums share, and
/// then need more additions.
__device__ inline std::uint32_t multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#ifdef __CUDA_ARCH__
  std::uint32_t sum;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
#else
  return a * b + c;
#endif
}

/// Cells of a tile's storage, from one on. On the device this is an address in shared memory whose
/// origin is hidden from the compiler: else it would compute it again for every cell.
class StoredCells {
 public:
  StoredCells() = default;
#ifdef __CUDA_ARCH__
  __device__ explicit StoredCells(PackedCell* first)
      : first_(static_cast<std::uint32_t>(__cvta_generic_to_shared(first))) {
    asm("" : "+r"(first_));
  }
  __device__ PackedCell load(std::int32_t offset) const {
    PackedCell site;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(site) : "r"(address(offset)) : "memory");
    return site;
  }
  __device__ void store(std::int32_t offset, PackedCell site) const {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address(offset)), "r"(site) : "memory");
  }

 private:
  __device__ std::uint32_t address(std::int32_t offset) const {
    return first_ + static_cast<std::uint32_t>(offset) * std::uint32_t{sizeof(PackedCell)};
  }

  std::uint32_t first_;
#else
  __device__ explicit StoredCells(PackedCell* first) : first_(first) {}
  __device__ PackedCell load(std::int32_t offset) const { return first_[offset]; }
  __device__ void store(std::int32_t offset, PackedCell site) const { first_[offset] = site; }

 private:
  PackedCell* first_;
#endif
};

/// Columns of a lane.
inline constexpr int kFloodColumns = 2;

/// A lane's columns, a step apart, in line 0 of a tile.
struct FloodLanes {
  StoredCells from[kFloodColumns + 2];  ///< to the left, own, to the right
  StoredCells to[kFloodColumns];
  bool exists[kFloodColumns];  ///< whether the raster has the column; the lane reads one in any
                               ///< case
  std::int32_t side[2];        ///< 3-D: the way to the neighbours before and behind on the middle
                               ///< axis
  std::uint32_t x[kFloodColumns];  ///< coordinates in the raster
  std::uint32_t middle;
};

/// The chain of a warp, counted in lines of the tile, like the raster's coordinate.
struct FloodLines {
  std::int32_t first;
  std::int32_t end;
  std::int32_t step;
  Range chain;           ///< the first and the last line of the chain
  std::int32_t size;     ///< cells of a line
  std::uint32_t origin;  ///< coordinate of line 0, modulo 2^32
  std::uint32_t unit;
};

template <Metric kMetric, int kRank, bool kPlain>
class FloodChain {
 public:
  __device__ FloodChain(const Packing& packing, const FloodLanes& lanes)
      : packing_(packing), lanes_(lanes) {
    THIESSEN_UNROLL
    for (int column = 0; column < kColumns; ++column) along_x_[column] = along(2, lanes.x[column]);
    if constexpr (kRank == 3) along_middle_ = along(1, lanes.middle);
  }

  /// Does the lines from the first on; there is at least one.
  __device__ void run(const FloodLines& lines) const {
    if constexpr (kRank == 2)
      run_flat(lines);
    else
      run_deep(lines);
  }

 private:
  static constexpr int kRows = kRank == 2 ? 1 : 3;
  static constexpr int kColumns = kFloodColumns;
  static constexpr int kAcross = kColumns + 2;
  static constexpr int kLine = kAcross * kRows;  ///< sites of a line
  static constexpr int kSeen = 3 * kRows;        ///< those that a cell of a column sees
  static constexpr int kMiddle = kRows / 2 * kAcross + 1;
  static constexpr bool kSquare = kMetric == Metric::euclidean;

  struct Line {
    PackedCell site[kLine];
    std::uint32_t top[kLine];
    std::uint32_t beside[kColumns][kSeen];
  };

  /// The site of a line that is number i among those that a column sees.
  __device__ static constexpr int site_of(int column, int i) {
    return i / 3 * kAcross + i % 3 + column;
  }

  /// The first, in the order, of the sites seen so far.
  struct First {
    std::uint32_t least = ~std::uint32_t{0};
    PackedCell site = ~PackedCell{0};
  };

  /// 3-D: the cells of a chain that a line counts for.
  struct Cells {
    std::uint32_t top = 0;   ///< for the cells in the line
    std::uint32_t more = 0;  ///< from one line to the next
    First above[kColumns] = {};
    First own[kColumns] = {};
    First below[kColumns] = {};
  };

  // ---- S

  /// S without the part that all sites share. `top`: along() for the place of the cell.
  __device__ std::uint32_t exact(const Line& line, int column, int i, std::uint32_t top) const {
    return with(0, line.top[site_of(column, i)], top, line.beside[column][i]);
  }

  /// What with() needs of the coordinate of a cell, or of the difference between two cells.
  __device__ std::uint32_t along(int axis, std::uint32_t cell) const {
    if constexpr (kSquare) return 0u - 2u * (kPlain ? cell : packing_.factor[axis] * cell);
    return cell;
  }

  /// Joins the part of an axis; for squares, all of it but the square of the site.
  __device__ std::uint32_t with(int axis, std::uint32_t site, std::uint32_t cell,
                                std::uint32_t others) const {
    if constexpr (kSquare) return multiply_add(site, cell, others);
    return combine<kMetric>(packed_along<kMetric, kPlain>(packing_.factor[axis], site, cell),
                            others);
  }

  /// Adds the square of a site's coordinate.
  __device__ void add_square(int axis, std::uint32_t site, std::uint32_t& sum) const {
    if constexpr (kSquare)
      sum = multiply_add(kPlain ? site : packing_.factor[axis] * site, site, sum);
  }

  __device__ void see(Line& line, int i) const {
    const PackedCell site = line.site[i];
    const std::uint32_t top = site >> (kRank == 2 ? packing_.x_bits : packing_.top_shift());
    line.top[i] = top;
    std::uint32_t all = kSquare ? packing_.lift : 0;  // the same for all columns
    add_square(0, top, all);
    // Shifts and masks are slow; a number minus its upper part is the lower one.
    std::uint32_t upper = top;
    if constexpr (kRank == 3) {
      upper = site >> packing_.x_bits;
      const std::uint32_t middle = multiply_add(top, packing_.without_top, upper);
      add_square(1, middle, all);
      all = with(1, middle, along_middle_, all);
    }
    const std::uint32_t x = multiply_add(upper, packing_.without_upper, site);
    add_square(2, x, all);
    THIESSEN_UNROLL
    for (int column = 0; column < kColumns; ++column) {
      const int place = i % kAcross - column;
      if (place >= 0 && place < 3)
        line.beside[column][i / kAcross * 3 + place] = with(2, x, along_x_[column], all);
    }
  }

  __device__ void see(Line& line) const {
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) see(line, i);
  }

  // ---- lines

  /// Loads the line that is so many cells behind line 0.
  __device__ void load(PackedCell (&site)[kLine], std::int32_t offset) const {
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) {
      const int row = i / kAcross;
      const std::int32_t side = kRank == 2 || row == 1 ? 0 : lanes_.side[row / 2];
      site[i] = lanes_.from[i % kAcross].load(offset + side);
    }
  }

  /// 0 if all sites are the same as `site`.
  __device__ static PackedCell mixed(const PackedCell (&sites)[kLine], PackedCell site) {
    PackedCell bits = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) bits |= sites[i] ^ site;
    return bits;
  }

  __device__ void store(int column, std::int32_t offset, PackedCell site) const {
    if (lanes_.exists[column]) lanes_.to[column].store(offset, site);
  }

  /// along() for a line.
  __device__ std::uint32_t along_top_of(const FloodLines& lines, std::int32_t line) const {
    return along(0, lines.origin + static_cast<std::uint32_t>(line) * lines.unit);
  }

  // ---- 2-D

  __device__ void run_flat(const FloodLines& lines) const {
    constexpr int kTurns = 3;  // lines, and cells that are done together
    const std::int32_t down = lines.step * lines.size;
    const std::int32_t last = lines.chain.end * lines.size;
    const std::uint32_t more = along(0, static_cast<std::uint32_t>(lines.step) * lines.unit);
    std::uint32_t top = along_top_of(lines, lines.first);
    std::int32_t to = lines.first * lines.size;
    const std::int32_t end = lines.end * lines.size;
    std::int32_t from = to;
    Line line[kTurns];
    load(line[0].site, lines.first > lines.chain.begin ? to - down : to);
    load(line[1].site, to);
    bool seen = false;  // whether lines 0 and 1 were seen
    THIESSEN_NO_UNROLL
    while (to < end) {
      PackedCell sites[kTurns][kLine];
      const PackedCell own = line[1].site[kMiddle];
      PackedCell bits = mixed(line[0].site, own) | mixed(line[1].site, own);
      THIESSEN_UNROLL
      for (int i = 0; i < kTurns; ++i) {
        from = from + down < last ? from + down : last;
        load(sites[i], from);
        bits |= mixed(sites[i], own);
      }
      if (__all_sync(~0u, bits == 0)) {
        THIESSEN_UNROLL
        for (int i = 0; i < kTurns; ++i, to += down) THIESSEN_UNROLL
        for (int column = 0; column < kColumns; ++column)
          if (to < end) store(column, to, own);
        top += kTurns * more;
        seen = false;
        continue;
      }
      if (!seen) {
        see(line[0]);
        see(line[1]);
        seen = true;
      }
      THIESSEN_UNROLL
      for (int i = 0; i < kTurns; ++i) {
        if (to >= end) return;
        Line& behind = line[(i + 2) % kTurns];
        THIESSEN_UNROLL
        for (int j = 0; j < kLine; ++j) behind.site[j] = sites[i][j];
        see(behind);
        THIESSEN_UNROLL
        for (int column = 0; column < kColumns; ++column)
          store(column, to, first_of(line[i], line[(i + 1) % kTurns], behind, column, top));
        top += more;
        to += down;
      }
    }
  }

  __device__ PackedCell first_of(const Line& before, const Line& own, const Line& behind,
                                 int column, std::uint32_t top) const {
    std::uint32_t of_before[kSeen];
    std::uint32_t of_own[kSeen];
    std::uint32_t of_behind[kSeen];
    std::uint32_t least = measure(before, column, top, of_before);
    const std::uint32_t least_own = measure(own, column, top, of_own);
    const std::uint32_t least_behind = measure(behind, column, top, of_behind);
    least = least_own < least ? least_own : least;
    least = least_behind < least ? least_behind : least;
    PackedCell first = of_before[0] == least ? before.site[column] : ~PackedCell{0};
    take_equals<1>(before, column, of_before, least, first);
    take_equals(own, column, of_own, least, first);
    take_equals(behind, column, of_behind, least, first);
    return first;
  }

  __device__ std::uint32_t measure(const Line& line, int column, std::uint32_t top,
                                   std::uint32_t (&of)[kSeen]) const {
    std::uint32_t least = ~std::uint32_t{0};
    THIESSEN_UNROLL
    for (int i = 0; i < kSeen; ++i) {
      of[i] = exact(line, column, i, top);
      least = of[i] < least ? of[i] : least;
    }
    return least;
  }

  template <int kBegin = 0>
  __device__ static void take_equals(const Line& line, int column, const std::uint32_t (&of)[kSeen],
                                     std::uint32_t least, PackedCell& first) {
    THIESSEN_UNROLL
    for (int i = kBegin; i < kSeen; ++i)
      take_equal(of[i], least, line.site[site_of(column, i)], first);
  }

  // ---- 3-D

  __device__ void run_deep(const FloodLines& lines) const {
    Cells cells;
    std::int32_t line = lines.first - lines.step;
    cells.top = along_top_of(lines, line);
    cells.more = along(0, static_cast<std::uint32_t>(lines.step) * lines.unit);
    THIESSEN_NO_UNROLL
    for (; line < lines.end + lines.step; line += lines.step) {
      const std::int32_t offset = line * lines.size;
      THIESSEN_UNROLL
      for (First& below : cells.below) below = {};
      if (line >= lines.chain.begin && line <= lines.chain.end) {
        Line sites;
        load(sites.site, offset);
        const bool wanted[3] = {line > lines.first, line >= lines.first && line < lines.end,
                                line + lines.step < lines.end};
        if (__all_sync(~0u, mixed(sites.site, sites.site[kMiddle]) == 0)) {
          see(sites, kMiddle);
          look<true>(sites, wanted, cells);
        } else {
          see(sites);
          look<false>(sites, wanted, cells);
        }
      }
      THIESSEN_UNROLL
      for (int column = 0; column < kColumns; ++column) {
        if (line > lines.first)
          store(column, offset - lines.step * lines.size, cells.above[column].site);
        cells.above[column] = cells.own[column];
        cells.own[column] = cells.below[column];
      }
      cells.top += cells.more;
    }
  }

  /// Adds what a line of the chain means for its cell and for those above and below it, as far as
  /// they are wanted.
  template <bool kOne>
  __device__ void look(const Line& line, const bool (&wanted)[3], Cells& cells) const {
    if (wanted[0]) take<kOne>(line, cells.top - cells.more, cells.above);
    if (wanted[1]) take<kOne>(line, cells.top, cells.own);
    if (wanted[2]) take<kOne>(line, cells.top + cells.more, cells.below);
  }

  /// kOne: the line has only its own site.
  template <bool kOne>
  __device__ void take(const Line& line, std::uint32_t top, First (&first)[kColumns]) const {
    THIESSEN_UNROLL
    for (int column = 0; column < kColumns; ++column) {
      std::uint32_t of[kSeen];
      std::uint32_t least;
      if constexpr (kOne)
        least = exact(line, column, kSeen / 2 - column, top);
      else
        least = measure(line, column, top, of);
      First& own = first[column];
      if (least < own.least) own.site = ~PackedCell{0};
      own.least = least < own.least ? least : own.least;
      if constexpr (kOne)
        take_equal(least, own.least, line.site[kMiddle], own.site);
      else
        take_equals(line, column, of, own.least, own.site);
    }
  }

  const Packing& packing_;
  const FloodLanes& lanes_;
  std::uint32_t along_x_[kColumns];
  std::uint32_t along_middle_ = 0;
};

}  // namespace thiessen::cuda::flood
