// SPDX-License-Identifier: Apache-2.0
//
// The slab's face is cut into blocks of columns. In each, the site of the slab that is nearest to
// the face and the outer site that is nearest to it bound from above how far the places on the face
// are from a site. An outer site farther out than the greatest of these bounds wins nowhere on the
// face. Nor does it in the slab: the line from a cell to its site would cross the face, at a place
// that has a nearer site, and so would the cell.
//
// The slab is read from its end on, four times as many rows each time, until more rows cannot make
// the bounds smaller.
//
// Notation: v[y][x] is S, along the first axis alone, from the face to the nearest site in a block
// of columns; kNone: there is none.
#include "cpu/slabs/outer_reach.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/cell_access.hpp"
#include "core/cell_class.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// One end of a slab.
class SlabEnd {
 public:
  SlabEnd(ContextState& state, const Problem& problem, const Slab& slab,
          const View<const void>& sites, End end)
      : state_(state),
        problem_(problem),
        slab_(slab),
        cells_(sites),
        end_(end),
        outer_(end == End::first ? slab.above : slab.below),
        v_(static_cast<std::size_t>(block_rows() * block_columns()), kNone) {}

  /// Rows from the face to the farthest site beyond it that counts.
  std::int64_t reach() {
    const std::int64_t farthest = take_outer_sites();
    if (farthest == 0) return 0;
    for (std::int64_t looked = 0; looked < slab_.count;) {
      const std::int64_t next = std::min(slab_.count, std::max(kFirstLook * kBlock, 4 * looked));
      take_own_sites(looked, next);
      looked = next;
      const std::int64_t reach = rows_within(greatest_bound(), farthest);
      if (reach <= looked || looked == slab_.count) return reach;
    }
    return farthest;
  }

 private:
  static constexpr Int128 kNone = std::numeric_limits<Int128>::max();
  static constexpr std::int64_t kBlock = 16;
  static constexpr std::int64_t kFirstLook = 4;

  static std::int64_t blocks_of(std::int64_t cells) { return (cells + kBlock - 1) / kBlock; }
  std::size_t first_axis() const { return static_cast<std::size_t>(problem_.first_axis()); }
  bool is_volume() const { return problem_.rank == 3; }
  std::int64_t block_rows() const { return is_volume() ? blocks_of(problem_.extent[1]) : 1; }
  std::int64_t block_columns() const { return blocks_of(problem_.extent[2]); }

  Int128 along(std::size_t axis, std::int64_t delta) const {
    const Int128 factor = problem_.weights.factor[axis];
    return problem_.metric == Metric::euclidean ? factor * delta * delta : factor * delta;
  }

  /// The most rows, up to `most`, whose S along the first axis is at most `bound`.
  std::int64_t rows_within(Int128 bound, std::int64_t most) const {
    std::int64_t least = 0;
    while (least < most) {
      const std::int64_t middle = (least + most + 1) / 2;
      if (along(first_axis(), middle) <= bound)
        least = middle;
      else
        most = middle - 1;
    }
    return least;
  }

  Int128& v_at(std::int64_t column) {
    const std::int64_t y = is_volume() ? column / problem_.extent[2] / kBlock : 0;
    const std::int64_t x = column % problem_.extent[2] / kBlock;
    return v_[static_cast<std::size_t>(y * block_columns() + x)];
  }

  /// Returns how many rows beyond the face the farthest outer site lies, of those in range.
  std::int64_t take_outer_sites() {
    if (outer_.coordinate == nullptr) return 0;
    const std::int64_t face = end_ == End::first ? slab_.first : slab_.first + slab_.count - 1;
    std::int64_t farthest = 0;
    for (std::int64_t column = 0; column < slab_columns(problem_); ++column) {
      if (outer_.coordinate[column] == kNoSite) continue;
      const std::int64_t rows = std::abs(face - outer_.coordinate[column]);
      const Int128 s = along(first_axis(), rows);
      if (problem_.limited && s > problem_.limit) continue;
      farthest = std::max(farthest, rows);
      v_at(column) = std::min(v_at(column), s);
    }
    return farthest;
  }

  /// Takes the sites of the slab that are `begin` to `end` - 1 rows from the face.
  void take_own_sites(std::int64_t begin, std::int64_t end) {
    parallel_for(state_, block_rows(), 1, 0, [&](std::int64_t first, std::int64_t last, int) {
      for (std::int64_t row = first; row < last; ++row)
        for (std::int64_t step = begin; step < end; ++step) take_row(row, step);
    });
  }

  void take_row(std::int64_t block_row, std::int64_t step) {
    const std::int64_t k = end_ == End::first ? step : slab_.count - 1 - step;
    const Int128 s = along(first_axis(), step);
    if (!is_volume()) return take_cells(0, k, s, 0);
    const std::int64_t bottom = std::min((block_row + 1) * kBlock, problem_.extent[1]);
    for (std::int64_t y = block_row * kBlock; y < bottom; ++y) take_cells(k, y, s, block_row);
  }

  void take_cells(std::int64_t z, std::int64_t y, Int128 s, std::int64_t block_row) {
    std::array<std::uint8_t, kChunk> classes;
    ChunkBuffer buffer;
    for (std::int64_t x = 0; x < problem_.extent[2]; x += kChunk) {
      const std::int64_t count = std::min(kChunk, problem_.extent[2] - x);
      Int128* const v = &v_[static_cast<std::size_t>(block_row * block_columns() + x / kBlock)];
      if (std::all_of(v, v + blocks_of(count), [&](Int128 own) { return own <= s; })) continue;
      classify(problem_.rule, cells_.read(z, y, x, count, buffer), count, classes.data());
      for (std::int64_t i = 0; i < count; i += kBlock) {
        const auto* const first = classes.data() + i;
        const auto* const last = classes.data() + std::min(count, i + kBlock);
        if (std::find(first, last, kSiteCell) != last) v[i / kBlock] = std::min(v[i / kBlock], s);
      }
    }
  }

  /// The greatest S from a place on the face to the nearest of the sites taken, at most.
  Int128 greatest_bound() const {
    std::vector<Int128> bound = v_;
    const auto at = [&](std::int64_t y, std::int64_t x) -> Int128& {
      return bound[static_cast<std::size_t>(y * block_columns() + x)];
    };
    std::vector<Int128> line(static_cast<std::size_t>(std::max(block_rows(), block_columns())));
    for (std::int64_t x = 0; is_volume() && x < block_columns(); ++x) {
      for (std::int64_t y = 0; y < block_rows(); ++y) line[static_cast<std::size_t>(y)] = at(y, x);
      for (std::int64_t y = 0; y < block_rows(); ++y) at(y, x) = nearest(line, block_rows(), y, 1);
    }
    Int128 greatest = 0;
    for (std::int64_t y = 0; y < block_rows(); ++y) {
      std::copy_n(&at(y, 0), block_columns(), line.begin());
      for (std::int64_t x = 0; x < block_columns(); ++x)
        greatest = std::max(greatest, nearest(line, block_columns(), x, 2));
    }
    return greatest;
  }

  /// The least of line[i] and S from block `here` to block i, along an axis.
  Int128 nearest(const std::vector<Int128>& line, std::int64_t count, std::int64_t here,
                 std::size_t axis) const {
    Int128 least = kNone;
    for (std::int64_t way = 0; way < count; ++way) {
      const Int128 s = along(axis, (way + 1) * kBlock);
      if (s >= least) break;
      for (const std::int64_t i : {here - way, here + way})
        if (i >= 0 && i < count && line[static_cast<std::size_t>(i)] != kNone)
          least = std::min(least, line[static_cast<std::size_t>(i)] + s);
    }
    return least;
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab& slab_;
  CellReader cells_;
  End end_;
  const Neighbours& outer_;
  std::vector<Int128> v_;
};

}  // namespace

OuterReach find_outer_reach(ContextState& state, const Problem& problem, const Slab& slab,
                            const View<const void>& sites) {
  const PhaseTimer phase(state, "outer reach");
  return {SlabEnd(state, problem, slab, sites, End::first).reach(),
          SlabEnd(state, problem, slab, sites, End::last).reach()};
}

}  // namespace thiessen::cpu
