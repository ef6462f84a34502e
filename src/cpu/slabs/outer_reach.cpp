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
#include "cpu/slabs/outer_reach.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "core/base/cell_access.hpp"
#include "core/problem/cell_class.hpp"
#include "core/slabs/face_blocks.hpp"
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
        blocks_(problem),
        v_(static_cast<std::size_t>(blocks_.count()), FaceBlocks::kNone) {}

  /// Rows from the face to the farthest site beyond it that counts.
  std::int64_t reach() {
    const std::int64_t farthest = take_outer_sites();
    if (farthest == 0) return 0;
    for (std::int64_t looked = 0; looked < slab_.count;) {
      const std::int64_t next = std::min(slab_.count, std::max(kFirstLook * kBlock, 4 * looked));
      take_own_sites(looked, next);
      looked = next;
      const std::int64_t reach = blocks_.rows_within(blocks_.greatest_bound(v_), farthest);
      if (reach <= looked || looked == slab_.count) return reach;
    }
    return farthest;
  }

 private:
  static constexpr std::int64_t kBlock = FaceBlocks::kBlock;
  static constexpr std::int64_t kFirstLook = 4;

  bool is_volume() const { return problem_.rank == 3; }

  /// Returns how many rows beyond the face the farthest outer site lies, of those in range.
  std::int64_t take_outer_sites() {
    if (outer_.coordinate == nullptr) return 0;
    const std::int64_t face = end_ == End::first ? slab_.first : slab_.first + slab_.count - 1;
    std::int64_t farthest = 0;
    for (std::int64_t column = 0; column < slab_columns(problem_); ++column) {
      if (outer_.coordinate[column] == kNoSite) continue;
      const std::int64_t rows = std::abs(face - outer_.coordinate[column]);
      const Int128 s = blocks_.along_first_axis(rows);
      if (problem_.limited && s > problem_.limit) continue;
      farthest = std::max(farthest, rows);
      Int128& v = v_[blocks_.block_of(column)];
      v = std::min(v, s);
    }
    return farthest;
  }

  /// Takes the sites of the slab that are `begin` to `end` - 1 rows from the face.
  void take_own_sites(std::int64_t begin, std::int64_t end) {
    parallel_for(state_, blocks_.rows(), 1, 0, [&](std::int64_t first, std::int64_t last, int) {
      for (std::int64_t row = first; row < last; ++row)
        for (std::int64_t step = begin; step < end; ++step) take_row(row, step);
    });
  }

  void take_row(std::int64_t block_row, std::int64_t step) {
    const std::int64_t k = end_ == End::first ? step : slab_.count - 1 - step;
    const Int128 s = blocks_.along_first_axis(step);
    if (!is_volume()) return take_cells(0, k, s, 0);
    const std::int64_t bottom = std::min((block_row + 1) * kBlock, problem_.extent[1]);
    for (std::int64_t y = block_row * kBlock; y < bottom; ++y) take_cells(k, y, s, block_row);
  }

  void take_cells(std::int64_t z, std::int64_t y, Int128 s, std::int64_t block_row) {
    std::array<std::uint8_t, kChunk> classes;
    ChunkBuffer buffer;
    for (std::int64_t x = 0; x < problem_.extent[2]; x += kChunk) {
      const std::int64_t count = std::min(kChunk, problem_.extent[2] - x);
      Int128* const v = &v_[static_cast<std::size_t>(block_row * blocks_.columns() + x / kBlock)];
      if (std::all_of(v, v + FaceBlocks::blocks_of(count), [&](Int128 own) { return own <= s; }))
        continue;
      classify(problem_.rule, cells_.read(z, y, x, count, buffer), count, classes.data());
      for (std::int64_t i = 0; i < count; i += kBlock) {
        const auto* const first = classes.data() + i;
        const auto* const last = classes.data() + std::min(count, i + kBlock);
        if (std::find(first, last, kSiteCell) != last) v[i / kBlock] = std::min(v[i / kBlock], s);
      }
    }
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab& slab_;
  CellReader cells_;
  End end_;
  const Neighbours& outer_;
  FaceBlocks blocks_;
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
