// SPDX-License-Identifier: Apache-2.0
//
// The slab is cut into blocks, and a raster of one cell a block says which ones hold a site. The
// nearest such block bounds from above how far any place in a block is from a site. Where a whole
// row of blocks has bounds below the distance to the nearest row with a site beyond the slab, no
// outer site wins there. Nor does it farther inside: the line from a cell to its outer site would
// cross this row of blocks, at a place that has a nearer site, and so would the cell.
//
// Rows of blocks are looked at from the end on, four times as many each time, until one is found.
#include "cpu/lines/outer_reach.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include "core/cell_access.hpp"
#include "core/cell_class.hpp"
#include "cpu/lines/separable.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

class OuterReach {
 public:
  OuterReach(ContextState& state, const Problem& problem, const Slab& slab,
             const View<const void>& sites, End end)
      : state_(state), problem_(problem), slab_(slab), cells_(sites), end_(end) {}

  std::int64_t rows() {
    gap_ = rows_to_outer_site();
    if (gap_ == kNone || is_beyond_limit(0)) return 0;
    const std::int64_t all = blocks_of(slab_.count);
    for (std::int64_t looked = 0; looked < all;) {
      const std::int64_t next = std::min(all, std::max(kFirstLook, 4 * looked));
      mark_blocks(looked, next);
      looked = next;
      const std::int64_t safe = first_safe_row(looked);
      if (safe < looked) return safe * block();
    }
    return slab_.count;
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kFirstLook = 4;

  std::int64_t block() const { return problem_.rank == 2 ? 16 : 8; }
  std::int64_t blocks_of(std::int64_t cells) const { return (cells + block() - 1) / block(); }
  std::size_t first_axis() const { return static_cast<std::size_t>(problem_.first_axis()); }

  /// Blocks along z, y, x, where `rows` of them are looked at along the first axis.
  Axes blocks(std::int64_t rows) const {
    Axes count{1, blocks_of(problem_.extent[1]), blocks_of(problem_.extent[2])};
    count[first_axis()] = rows;
    return count;
  }

  /// From the row at the end of the slab to the nearest one beyond it that holds a site.
  std::int64_t rows_to_outer_site() const {
    const Neighbours& outer = end_ == End::first ? slab_.above : slab_.below;
    if (outer.coordinate == nullptr) return kNone;
    const std::int64_t row = end_ == End::first ? slab_.first : slab_.first + slab_.count - 1;
    std::int64_t least = kNone;
    for (std::int64_t column = 0; column < slab_columns(problem_); ++column)
      if (outer.coordinate[column] != kNoSite)
        least = std::min(least, std::abs(row - outer.coordinate[column]));
    return least;
  }

  Int128 along(std::size_t axis, std::int64_t delta) const {
    const Int128 factor = problem_.weights.factor[axis];
    return problem_.metric == Metric::euclidean ? factor * delta * delta : factor * delta;
  }

  /// S from a row of blocks to the nearest row with an outer site.
  Int128 to_outer_site(std::int64_t row) const { return along(first_axis(), gap_ + row * block()); }

  bool is_beyond_limit(std::int64_t row) const {
    return problem_.limited && to_outer_site(row) > problem_.limit;
  }

  /// Reads the rows of blocks from `begin` to before `end`.
  void mark_blocks(std::int64_t begin, std::int64_t end) {
    const std::int64_t columns = blocks(1)[0] * blocks(1)[1] * blocks(1)[2];
    has_site_.resize(static_cast<std::size_t>(end * columns));
    const bool is_volume = problem_.rank == 3;
    const std::int64_t layers = is_volume ? blocks(1)[1] : 1;
    parallel_for(state_, (end - begin) * layers, 1, 0,
                 [&](std::int64_t first, std::int64_t last, int) {
                   for (std::int64_t i = first; i < last; ++i)
                     mark_row(begin + i / layers, i % layers,
                              has_site_.data() + begin * columns + i * blocks(1)[2]);
                 });
  }

  /// Marks the blocks of one row along x: that of the row `row` along the first axis and, in a
  /// volume, `layer` along y.
  void mark_row(std::int64_t row, std::int64_t layer, std::uint8_t* blocks_of_row) const {
    std::fill_n(blocks_of_row, blocks(1)[2], std::uint8_t{0});
    const std::int64_t last = std::min((row + 1) * block(), slab_.count);
    for (std::int64_t step = row * block(); step < last; ++step) {
      const std::int64_t k = end_ == End::first ? step : slab_.count - 1 - step;
      if (problem_.rank == 2) {
        mark_cells(0, k, blocks_of_row);
        continue;
      }
      const std::int64_t bottom = std::min((layer + 1) * block(), problem_.extent[1]);
      for (std::int64_t y = layer * block(); y < bottom; ++y) mark_cells(k, y, blocks_of_row);
    }
  }

  void mark_cells(std::int64_t z, std::int64_t y, std::uint8_t* blocks_of_row) const {
    std::array<std::uint8_t, kChunk> classes;
    ChunkBuffer buffer;
    for (std::int64_t x = 0; x < problem_.extent[2]; x += kChunk) {
      const std::int64_t count = std::min(kChunk, problem_.extent[2] - x);
      classify(problem_.rule, cells_.read(z, y, x, count, buffer), count, classes.data());
      for (std::int64_t i = 0; i < count; i += block()) {
        const auto* const begin = classes.data() + i;
        const auto* const end = classes.data() + std::min(count, i + block());
        if (std::find(begin, end, kSiteCell) != end) blocks_of_row[(x + i) / block()] = 1;
      }
    }
  }

  /// The first of the rows of blocks looked at where no outer site wins; `looked` if there is none.
  std::int64_t first_safe_row(std::int64_t looked) {
    const std::vector<std::int64_t> nearest = nearest_blocks(looked);
    const Axes count = blocks(looked);
    const std::int64_t of_row = count[0] * count[1] * count[2] / looked;
    for (std::int64_t row = 0; row < looked; ++row) {
      const auto* const begin = nearest.data() + row * of_row;
      if (is_beyond_limit(row) || is_safe(count, row * of_row, {begin, begin + of_row}, row))
        return row;
    }
    return looked;
  }

  bool is_safe(const Axes& count, std::int64_t first, std::span<const std::int64_t> nearest,
               std::int64_t row) const {
    const Int128 outer = to_outer_site(row);
    return std::ranges::all_of(nearest, [&, at = first](std::int64_t site) mutable {
      const Axes here = to_cell(count, at++);
      if (site < 0) return false;
      const Axes there = to_cell(count, site);
      Int128 farthest = 0;
      for (auto axis = first_axis(); axis < kAxes; ++axis)
        farthest += along(axis, (std::abs(here[axis] - there[axis]) + 1) * block());
      return farthest < outer;
    });
  }

  /// For each block the index of the nearest one with a site, or -1.
  std::vector<std::int64_t> nearest_blocks(std::int64_t looked) {
    Problem coarse;
    coarse.rank = problem_.rank;
    coarse.extent = blocks(looked);
    coarse.metric = problem_.metric;
    coarse.weights = problem_.weights;
    coarse.wide = problem_.wide;
    coarse.rule = {.type = ElementType::u8};
    const Extents extents{coarse.extent[0], coarse.extent[1], coarse.extent[2]};
    std::vector<std::int64_t> nearest(static_cast<std::size_t>(coarse.cells()));
    ProblemViews views;
    views.sites = View<const std::uint8_t>(has_site_.data(), extents);
    views.out.site_index = View<std::int64_t>(nearest.data(), extents);
    run_separable(state_, coarse, whole_raster(coarse), views, Write::all);
    return nearest;
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab& slab_;
  CellReader cells_;
  End end_;
  std::int64_t gap_ = kNone;
  std::vector<std::uint8_t> has_site_;
};

}  // namespace

std::int64_t rows_in_outer_reach(ContextState& state, const Problem& problem, const Slab& slab,
                                 const View<const void>& sites, End end) {
  return OuterReach(state, problem, slab, sites, end).rows();
}

}  // namespace thiessen::cpu
