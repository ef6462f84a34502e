// SPDX-License-Identifier: Apache-2.0
//
// Several passes of jump flooding in one tile (flood_plan.hpp) of packed sites (flood_packing.hpp).
//
// A pass reads one of two buffers and writes the other. A thread goes down a chain of cells that
// are a step apart on the top axis: what it reads of a line of the chain, the cells to the left and
// right of it (and, in 3-D, before and behind), are neighbours of three cells of the chain, and
// their part of S along the other axes is the same for all three. Per neighbour that leaves a
// subtraction, a multiplication, a minimum, and two operations to find the first code among those
// whose S is the least. Where nobody in a warp sees two different sites there is nothing to do.
//
// A neighbour beyond an end of the raster is replaced by the cell's own line or column, which is
// looked at anyway: to look twice changes nothing, as a pass takes the least of a set.
#pragma once

#include <cstdint>

#include "core/measure.hpp"
#include "cuda/device/block.hpp"
#include "cuda/flood/packing.hpp"
#include "cuda/flood/plan.hpp"
#include "cuda/site_bits.hpp"
#include "cuda/tiles/output.hpp"

namespace thiessen::cuda {

/// From where to where a group of passes goes.
struct FloodMove {
  Bits bits = {};                    ///< sites, if `from` is null
  const PackedCell* from = nullptr;  ///< a cell each
  PackedCell* to = nullptr;          ///< null: to the outputs of the job
};

/// A range of indices.
struct Range {
  std::int32_t begin;
  std::int32_t end;
  THIESSEN_HD std::int32_t count() const { return begin < end ? end - begin : 0; }
};

THIESSEN_HD inline Range overlap(const Range& a, const Range& b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

THIESSEN_HD inline PackedCell load_once(const PackedCell* address) {
#ifdef __CUDA_ARCH__
  return __ldg(address);
#else
  return *address;
#endif
}

/// first = min(first, site) if exact == least: of the device in two instructions, as the compiler
/// does not do it.
THIESSEN_HD inline void take_equal(std::uint32_t exact, std::uint32_t least, PackedCell site,
                                   PackedCell& first) {
#ifdef __CUDA_ARCH__
  asm("{ .reg .pred equal; setp.eq.u32 equal, %1, %2; @equal min.u32 %0, %0, %3; }"
      : "+r"(first)
      : "r"(exact), "r"(least), "r"(site));
#else
  if (exact == least && site < first) first = site;
#endif
}

template <class Block, Metric kMetric, int kRank, bool kPlain>
class FloodTile {
 public:
  /// Tile number `tile` of the group; `memory` is for 2 · group.cells() sites.
  THIESSEN_HD FloodTile(const Packing& packing, const FloodGroup& group, std::int64_t tile,
                        PackedCell* memory)
      : packing_(packing), group_(group), old_(memory), new_(memory + group.cells()) {
    // Tiles that lie side by side in memory come one after the other.
    std::int32_t lattice[3];
    THIESSEN_UNROLL
    for (int axis = 2; axis >= 0; --axis) {
      lattice[axis] = static_cast<std::int32_t>(tile % group.lattices[axis]);
      tile /= group.lattices[axis];
    }
    THIESSEN_UNROLL
    for (int axis = 2; axis >= 0; --axis) {
      const auto number = static_cast<std::int32_t>(tile % group.tiles[axis]);
      tile /= group.tiles[axis];
      const std::int32_t run = axis == 2 ? lattice[2] << group.run_bits : lattice[axis];
      const std::int32_t first = number * group.tile[axis] - group.halo[axis];
      origin_[axis] = run + first * group.unit;
      const std::int32_t rest = packing.extent[axis] - origin_[axis];
      valid_[axis] = overlap({first < 0 ? -first : 0, (rest + group.unit - 1) / group.unit},
                             {0, group.size(axis)});
    }
    lattice_x_ = lattice[2] << group.run_bits;
  }

  THIESSEN_HD void run(const Job& job, const FloodMove& move) {
    load(move);
    Block::sync();
    std::int32_t rest = 0;
    for (int pass = 0; pass < group_.passes; ++pass) rest += group_.step[pass];
    THIESSEN_NO_UNROLL
    for (int pass = 0; pass < group_.passes; ++pass) {
      rest -= group_.step[pass];
      run_pass(group_.step[pass], rest);
      Block::sync();
      PackedCell* const former = old_;
      old_ = new_;
      new_ = former;
    }
    if (move.to != nullptr)
      for_each_settled([&](std::int32_t, std::int32_t, std::int32_t, std::int64_t cell,
                           PackedCell site) { move.to[cell] = site; });
    else
      write(job);
  }

 private:
  static constexpr int kRows = kRank == 2 ? 1 : 3;
  static constexpr int kLine = 3 * kRows;  ///< cells of a line
  static constexpr int kMiddle = kLine / 2;
  static constexpr int kOutputs = 6;  ///< cells of a chain that a thread does
  static constexpr int kWarp = 32;

  /// Those at one place of the top axis.
  struct Line {
    PackedCell site[kLine];
    std::uint32_t beside[kLine];  ///< of S, along the other axes
    std::uint32_t top[kRank == 2 ? kLine : 1];
    PackedCell mixed;  ///< 0 if all sites are the same
  };

  /// Where the neighbours of a chain are, relative to its cells.
  struct Around {
    std::int32_t row[kRows];
    std::int32_t column[3];
  };

  THIESSEN_HD std::int32_t at(int axis, std::int32_t i) const {
    return origin_[axis] + i * group_.unit;
  }
  THIESSEN_HD std::int32_t x_of(std::int32_t column) const {
    return at(2, column >> group_.run_bits) + (column & (group_.run() - 1));
  }
  /// Whether there is such a column of the lattices in the raster.
  THIESSEN_HD bool has_column(std::int32_t column) const {
    return lattice_x_ + (column & (group_.run() - 1)) < group_.unit &&
           x_of(column) < packing_.extent[2];
  }
  THIESSEN_HD std::int32_t place(std::int32_t top, std::int32_t middle, std::int32_t column) const {
    return (top * group_.size(1) + middle) * group_.row() + column;
  }

  /// Calls visit(top, middle, column, cell) for the cells in some ranges, a warp a row.
  template <class Visit>
  THIESSEN_HD void for_each_cell(const Range (&range)[3], const Visit& visit) const {
    const std::int32_t rows = range[0].count() * range[1].count();
    const std::int32_t end = range[2].end << group_.run_bits;
    Block::each([&](int thread) {
      for (std::int32_t row = thread / kWarp; row < rows; row += Block::threads() / kWarp) {
        const std::int32_t top = range[0].begin + (kRank == 2 ? row : row / range[1].count());
        const std::int32_t middle = kRank == 2 ? 0 : range[1].begin + row % range[1].count();
        const std::int64_t cell = packing_.index(at(0, top), kRank == 2 ? 0 : at(1, middle), 0);
        std::int32_t column = (range[2].begin << group_.run_bits) + thread % kWarp;
#ifdef __CUDACC__
#pragma unroll 4
#endif
        for (; column < end; column += kWarp)
          if (has_column(column)) visit(top, middle, column, cell + x_of(column));
      }
    });
  }

  THIESSEN_HD void load(const FloodMove& move) {
    PackedCell* const to = old_;
    if (move.from != nullptr)
      return for_each_cell(valid_, [&](std::int32_t top, std::int32_t middle, std::int32_t column,
                                       std::int64_t cell) {
        to[place(top, middle, column)] = load_once(move.from + cell);
      });
    for_each_cell(valid_, [&](std::int32_t top, std::int32_t middle, std::int32_t column,
                              std::int64_t) {
      const std::int32_t y = at(0, top);
      const std::int32_t z = kRank == 2 ? 0 : at(1, middle);
      const std::int32_t x = x_of(column);
      const std::int64_t row = std::int64_t{y} * packing_.extent[1] + z;
      const std::uint32_t word = load_once(move.bits.words + row * move.bits.row_words + x / 32);
      to[place(top, middle, column)] =
          (word >> x % 32 & 1) != 0 ? packing_.pack(y, z, x) : packing_.none;
    });
  }

  /// What is settled of an axis if so many cells around the tile are needed yet.
  THIESSEN_HD Range range(int axis, std::int32_t rest) const {
    const std::int32_t around = rest < group_.halo[axis] ? rest : group_.halo[axis];
    return overlap(valid_[axis],
                   {group_.halo[axis] - around, group_.halo[axis] + group_.tile[axis] + around});
  }

  THIESSEN_HD void run_pass(std::int32_t step, std::int32_t rest) const {
    const Range tops = range(0, rest);
    const Range middles = range(1, rest);
    const Range columns = range(2, rest);
    if (tops.count() == 0) return;
    const std::int32_t width = columns.count() << group_.run_bits;
    const std::int32_t lines = width * (kRank == 2 ? 1 : middles.count());
    const std::int32_t chains = step < tops.count() ? step : tops.count();
    const std::int32_t length = (tops.count() + step - 1) / step;
    const std::int32_t pieces = (length + kOutputs - 1) / kOutputs;
    const std::int32_t items = lines * chains * pieces;
    Block::each([&](int thread) {
      for (std::int32_t item = thread; item < items; item += Block::threads()) {
        const std::int32_t line = item % lines;
        const std::int32_t chain = item / lines;
        const std::int32_t column =
            (columns.begin << group_.run_bits) + (kRank == 2 ? line : line % width);
        if (!has_column(column)) continue;
        const std::int32_t middle = kRank == 2 ? 0 : middles.begin + line / width;
        const std::int32_t first = tops.begin + chain % chains + chain / chains * kOutputs * step;
        if (first < tops.end) run_chain(step, first, tops.end, middle, column);
      }
    });
  }

  THIESSEN_HD Around look_around(std::int32_t step, std::int32_t middle,
                                 std::int32_t column) const {
    Around around;
    const std::int32_t side = step << group_.run_bits;
    const std::int32_t lattice_column = column >> group_.run_bits;
    around.column[0] = lattice_column - step >= valid_[2].begin ? -side : 0;
    around.column[1] = 0;
    around.column[2] =
        lattice_column + step < valid_[2].end && has_column(column + side) ? side : 0;
    around.row[kRows / 2] = 0;
    if constexpr (kRank == 3) {
      const std::int32_t row = step * group_.row();
      around.row[0] = middle - step >= valid_[1].begin ? -row : 0;
      around.row[2] = middle + step < valid_[1].end ? row : 0;
    }
    return around;
  }

  /// Cells first, first + step … of a chain, kOutputs of them at most.
  THIESSEN_HD void run_chain(std::int32_t step, std::int32_t first, std::int32_t end,
                             std::int32_t middle, std::int32_t column) const {
    const Around around = look_around(step, middle, column);
    const auto x = static_cast<std::uint32_t>(x_of(column));
    const auto y = static_cast<std::uint32_t>(kRank == 2 ? 0 : at(1, middle));
    const std::int32_t down = step * group_.size(1) * group_.row();
    const PackedCell* own = old_ + place(first, middle, column);
    PackedCell* out = new_ + place(first, middle, column);
    std::uint32_t top_at = static_cast<std::uint32_t>(at(0, first));
    Line line[3];
    line[0] = load_line(first - step >= valid_[0].begin ? own - down : own, around, y, x);
    line[1] = load_line(own, around, y, x);
    THIESSEN_UNROLL
    for (int i = 0; i < kOutputs; ++i) {
      if (first + i * step >= end) return;
      if (first + (i + 1) * step < valid_[0].end) own += down;
      line[(i + 2) % 3] = load_line(own, around, y, x);
      *out = first_of(line[i % 3], line[(i + 1) % 3], line[(i + 2) % 3], top_at);
      out += down;
      top_at += static_cast<std::uint32_t>(step * group_.unit);
    }
  }

  THIESSEN_HD Line load_line(const PackedCell* own, const Around& around, std::uint32_t y,
                             std::uint32_t x) const {
    Line line;
    line.mixed = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) {
      const PackedCell site = own[around.row[i / 3] + around.column[i % 3]];
      line.site[i] = site;
      line.beside[i] = packed_along<kMetric, kPlain>(packing_.factor[2], packing_.x(site), x);
      if constexpr (kRank == 3)
        line.beside[i] = join<kMetric>(
            packed_along<kMetric, kPlain>(packing_.factor[1], packing_.middle(site), y),
            line.beside[i]);
      else
        line.top[i] = packing_.top(site);
      line.mixed |= site ^ line.site[0];
    }
    return line;
  }

  /// The first site, in the order (S, site), of those that three lines hold.
  THIESSEN_HD PackedCell first_of(const Line& before, const Line& own, const Line& behind,
                                  std::uint32_t top) const {
    const PackedCell site = own.site[kMiddle];
    const PackedCell mixed = before.mixed | own.mixed | behind.mixed |
                             (site ^ before.site[kMiddle]) | (site ^ behind.site[kMiddle]);
    if (mixed == 0) return site;
    std::uint32_t exact[3 * kLine];
    const std::uint32_t least_before = measure(before, top, exact);
    const std::uint32_t least_own = measure(own, top, exact + kLine);
    const std::uint32_t least_behind = measure(behind, top, exact + 2 * kLine);
    std::uint32_t least = least_before < least_own ? least_before : least_own;
    least = least_behind < least ? least_behind : least;
    PackedCell first = ~PackedCell{0};
    first = first_with(before, exact, least, first);
    first = first_with(own, exact + kLine, least, first);
    return first_with(behind, exact + 2 * kLine, least, first);
  }

  THIESSEN_HD std::uint32_t measure(const Line& line, std::uint32_t top,
                                    std::uint32_t* exact) const {
    std::uint32_t least = ~std::uint32_t{0};
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) {
      std::uint32_t site_top;
      if constexpr (kRank == 2)
        site_top = line.top[i];
      else
        site_top = packing_.top(line.site[i]);
      exact[i] = join<kMetric>(packed_along<kMetric, kPlain>(packing_.factor[0], site_top, top),
                               line.beside[i]);
      least = exact[i] < least ? exact[i] : least;
    }
    return least;
  }

  THIESSEN_HD static PackedCell first_with(const Line& line, const std::uint32_t* exact,
                                           std::uint32_t least, PackedCell first) {
    THIESSEN_UNROLL
    for (int i = 0; i < kLine; ++i) take_equal(exact[i], least, line.site[i], first);
    return first;
  }

  /// Calls visit(top, middle, column, cell, site) for the cells that the tile is for.
  template <class Visit>
  THIESSEN_HD void for_each_settled(const Visit& visit) const {
    const Range ranges[3] = {range(0, 0), range(1, 0), range(2, 0)};
    const PackedCell* const sites = old_;
    for_each_cell(
        ranges, [&](std::int32_t top, std::int32_t middle, std::int32_t column, std::int64_t cell) {
          visit(top, middle, column, cell, sites[place(top, middle, column)]);
        });
  }

  template <class Label>
  THIESSEN_HD void write_labels(const Job& job) const {
    const auto* const labels = reinterpret_cast<const Label*>(job.labels.bytes);
    auto* const out = reinterpret_cast<Label*>(job.out.labels.bytes);
    const auto unreached = value_of<Label>(job.unreached);
    for_each_settled(
        [&](std::int32_t, std::int32_t, std::int32_t, std::int64_t cell, PackedCell site) {
          out[cell] = site == packing_.none ? unreached : labels[packing_.site_index(site)];
        });
  }

  THIESSEN_HD void write(const Job& job) const {
    if (!is_simple(job) || job.out.distance) return write_all(job);
    switch (job.out.labels.element) {
      case 1:
        return write_labels<std::uint8_t>(job);
      case 2:
        return write_labels<std::uint16_t>(job);
      case 4:
        return write_labels<std::uint32_t>(job);
      default:
        return write_labels<std::uint64_t>(job);
    }
  }

  THIESSEN_HD void write_all(const Job& job) const {
    for_each_settled([&](std::int32_t top, std::int32_t middle, std::int32_t column,
                         std::int64_t cell, PackedCell site) {
      const bool none = site == packing_.none;
      const std::uint32_t exact = none ? 0 : distance(top, middle, column, site);
      write_result(job, cell, none ? kUnreached : packing_.site_index(site), std::int64_t{exact});
    });
  }

  THIESSEN_HD std::uint32_t distance(std::int32_t top, std::int32_t middle, std::int32_t column,
                                     PackedCell site) const {
    const auto along = [&](int axis, std::uint32_t a, std::int32_t b) {
      return packed_along<kMetric, kPlain>(packing_.factor[axis], a, static_cast<std::uint32_t>(b));
    };
    std::uint32_t exact = join<kMetric>(along(0, packing_.top(site), at(0, top)),
                                        along(2, packing_.x(site), x_of(column)));
    if constexpr (kRank == 3)
      exact = join<kMetric>(exact, along(1, packing_.middle(site), at(1, middle)));
    return exact;
  }

  const Packing& packing_;
  const FloodGroup& group_;
  std::int32_t origin_[3];  ///< where the first cell of the storage lies; of an axis below 0, too
  Range valid_[3];          ///< of the storage, what the raster has
  std::int32_t lattice_x_;
  PackedCell* old_;
  PackedCell* new_;
};

}  // namespace thiessen::cuda
