// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site by the chessboard metric.
//
// The maximum hides how far the loser of a column is: a site with a smaller index that is farther
// along one axis may be just as near. So carrying one site an axis, as separable.cpp does, loses
// ties. But once the distance S of a cell is known, all sites in the box of that radius around the
// cell are at exactly S (none is nearer), and the winner is the first of them in the order (z, y,
// x):
//
//   1. Along x in every row: near = cells to the nearest site, next = first site at or to the
//      right.
//   2. Along y in every plane: lower envelope of near, keeping the leftmost of equals: first_y.
//   3. 3-D only, along z: the same with the plane's distances: first_z.
//   4. In every cell: the last axis that was done gives S and the first coordinate of the winner,
//      since the smallest one at which S is reached is the first in the box. The others follow with
//      the radius S: y as the first row from the top of the box whose near is within S, x as next
//      from the left of the box.
//
// In step 4 of 3-D the row is first_y, unless S is larger than the distance within that plane (S
// was decided along z). Then a tree of minima of near along y gives the row in log(height) steps.
//
// On periodic axes `near` counts the shorter way round, the envelopes get the images of their sites
// and rank them by coordinate, and the box may reach over an end of the raster: then the part of it
// that comes in again at the beginning is searched first.
//
// Notation: all arrays have the raster's cells in C order; factor[axis] as in Weights.
#include "cpu/lines/chessboard.hpp"

#include <algorithm>
#include <array>

#include "core/order/first_in_box.hpp"
#include "core/search/geometry.hpp"
#include "cpu/lines/first_axis.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

/// A binary tree for each column of a plane: the minima of `near` over stretches of rows. Level 0
/// is `near` itself; level l has one row for 2^l of them, and lies in `upper` behind the level
/// below.
class MinTree {
 public:
  MinTree(const std::int32_t* near, std::int64_t height, std::int64_t width, std::int32_t* upper)
      : height_(height), width_(width) {
    levels_[0] = near;
    for (std::int64_t rows = height; rows > 1;) {
      rows = (rows + 1) / 2;
      levels_[++top_] = upper;
      upper += rows * width;
    }
  }

  /// Rows above level 0 of a tree over `height` rows.
  static std::int64_t upper_rows(std::int64_t height) {
    std::int64_t sum = 0;
    while (height > 1) {
      height = (height + 1) / 2;
      sum += height;
    }
    return sum;
  }

  void build(std::int32_t* upper) const {
    std::int64_t rows = height_;
    for (std::size_t level = 0; level < top_; ++level) {
      for (std::int64_t row = 0; row < (rows + 1) / 2; ++row, upper += width_) {
        const std::int32_t* left = levels_[level] + 2 * row * width_;
        const std::int32_t* right = 2 * row + 1 < rows ? left + width_ : left;
        std::transform(left, left + width_, right, upper,
                       [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
      }
      rows = (rows + 1) / 2;
    }
  }

  /// First row at or below `row` whose value in column x is at most `limit`; there must be one.
  std::int64_t first_within(std::int64_t row, std::int64_t x, std::int32_t limit) const {
    std::size_t level = 0;
    const auto within = [&] { return levels_[level][row * width_ + x] <= limit; };
    while (!within()) {
      ++row;
      for (; row % 2 == 0 && level < top_; row /= 2) ++level;
    }
    while (level > 0) {
      --level;
      row *= 2;
      if (!within()) ++row;
    }
    return row;
  }

 private:
  static constexpr std::size_t kMostLevels = 32;  // an axis has at most 2^30 cells

  std::int64_t height_;
  std::int64_t width_;
  std::array<const std::int32_t*, kMostLevels> levels_{};
  std::size_t top_ = 0;
};

template <class Scalar>
class ChessboardRun {
 public:
  ChessboardRun(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        slab_(whole_raster(problem)),
        cells_(views.sites),
        writer_(problem, slab_, views, write),
        scratch_(state.scratch),
        depth_(problem.extent[0]),
        height_(problem.extent[1]),
        width_(problem.extent[2]) {}

  void run() {
    allocate();
    {
      const PhaseTimer phase(state_, "rows");
      parallel_for(state_, depth_ * height_, rows_per_task(width_), width_,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t row = begin; row < end; ++row) scan_row(row);
                   });
    }
    {
      const PhaseTimer phase(state_, "columns");
      for_each_block(depth_, height_, [&](std::int64_t z, std::int64_t x, int worker) {
        columns_of_plane(z, x, worker);
      });
      if (problem_.rank == 3) build_trees();
      if (problem_.rank == 3)
        for_each_block(height_, depth_, [&](std::int64_t y, std::int64_t x, int worker) {
          columns_across_planes(y, x, worker);
        });
    }
    const PhaseTimer phase(state_, "winners");
    parallel_for(state_, depth_ * height_, rows_per_task(width_), width_,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row)
                     finish_row(row / height_, row % height_);
                 });
  }

 private:
  using Envelope = LowerEnvelope<Chessboard, Scalar>;
  using Site = typename Envelope::Site;

  void allocate() {
    const std::int64_t cells = problem_.cells();
    near_ = scratch_.array<std::int32_t>(cells);
    next_ = scratch_.array<std::int32_t>(cells);
    first_y_ = scratch_.array<std::int32_t>(cells);
    stacks_ = scratch_.array<Site>(state_.threads * stack_size());
    if (problem_.rank == 2) return;
    first_z_ = scratch_.array<std::int32_t>(cells);
    trees_ = scratch_.array<std::int32_t>(depth_ * tree_cells());
  }

  std::int64_t plane() const { return height_ * width_; }
  std::int64_t tree_cells() const { return MinTree::upper_rows(height_) * width_; }
  std::int64_t stack_size() const {
    return std::max(images_of(depth_, problem_.period[0]), images_of(height_, problem_.period[1]));
  }
  Site* stack(int worker) const { return stacks_ + worker * stack_size(); }

  /// S of the difference of two coordinates along an axis.
  Scalar along(std::size_t axis, std::int64_t a, std::int64_t b) const {
    return Chessboard::along(factor_[axis], periodic_distance(a, b, problem_.period[axis]));
  }

  /// Calls visit(i, x, worker) for all i below `count` and the first columns x of all blocks of
  /// lines.
  template <class Visit>
  void for_each_block(std::int64_t count, std::int64_t length, const Visit& visit) {
    const std::int64_t blocks = (width_ + kLines - 1) / kLines;
    parallel_for(state_, count * blocks, 1, length * width_ / blocks,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     visit(i / blocks, i % blocks * kLines, worker);
                 });
  }

  void scan_row(std::int64_t row) {
    std::int32_t* near = near_ + row * width_;
    std::int32_t* next = next_ + row * width_;
    std::int32_t last = kNoSite;
    std::array<std::uint8_t, kChunk> classes;
    ChunkBuffer buffer;
    for_each_chunk(row / height_, row % height_, width_, [&](const Chunk& chunk) {
      classify(problem_.rule, cells_.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer),
               chunk.count, classes.data());
      for (std::int64_t i = 0; i < chunk.count; ++i) {
        const auto x = static_cast<std::int32_t>(chunk.x + i);
        if (classes[static_cast<std::size_t>(i)] == kSiteCell) last = x;
        near[x] = std::min(x - last, kFar);
      }
    });
    std::int32_t following = kFar;
    for (auto x = static_cast<std::int32_t>(width_ - 1); x >= 0; --x) {
      if (near[x] == 0) following = x;
      next[x] = following;
      near[x] = following == kFar ? near[x] : std::min(near[x], following - x);
    }
    if (problem_.period[2] == kNoPeriod || following == kFar) return;
    const auto width = static_cast<std::int32_t>(width_);
    for (std::int32_t x = 0; x < width; ++x)
      near[x] = std::min({near[x], x + width - last, following + width - x});
  }

  /// S of a row's nearest site, seen from the row itself.
  Scalar across_row(std::int64_t cell) const { return Chessboard::along(factor_[2], near_[cell]); }

  /// S within the plane of `z`, from the row that wins there.
  Scalar across_plane(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const std::int32_t row = first_y_[z * plane() + y * width_ + x];
    return Chessboard::combine(across_row(z * plane() + row * width_ + x), along(1, y, row));
  }

  void columns_of_plane(std::int64_t z, std::int64_t x, int worker) {
    for (std::int64_t column = x; column < std::min(x + kLines, width_); ++column) {
      Envelope envelope(stack(worker), factor_[1], 0, static_cast<std::int32_t>(height_ - 1));
      for_each_image(height_, problem_.period[1], [&](std::int64_t position, std::int64_t y) {
        const std::int64_t cell = z * plane() + y * width_ + column;
        if (near_[cell] != kFar)
          envelope.add(across_row(cell), y, static_cast<std::int32_t>(position));
      });
      put(envelope, first_y_ + z * plane() + column, height_, width_);
    }
  }

  void columns_across_planes(std::int64_t y, std::int64_t x, int worker) {
    for (std::int64_t column = x; column < std::min(x + kLines, width_); ++column) {
      Envelope envelope(stack(worker), factor_[0], 0, static_cast<std::int32_t>(depth_ - 1));
      for_each_image(depth_, problem_.period[0], [&](std::int64_t position, std::int64_t z) {
        if (first_y_[z * plane() + y * width_ + column] != kNoSite)
          envelope.add(across_plane(z, y, column), z, static_cast<std::int32_t>(position));
      });
      put(envelope, first_z_ + y * width_ + column, depth_, plane());
    }
  }

  /// Positions of the winners along one line.
  static void put(const Envelope& envelope, std::int32_t* line, std::int64_t length,
                  std::int64_t stride) {
    bool any = false;
    envelope.for_each_interval([&](const Site& site, std::int32_t begin, std::int32_t end) {
      any = true;
      for (std::int32_t i = begin; i < end; ++i)
        line[i * stride] = static_cast<std::int32_t>(site.order);
    });
    for (std::int64_t i = 0; !any && i < length; ++i) line[i * stride] = kNoSite;
  }

  MinTree tree_of(std::int64_t z) const {
    return {near_ + z * plane(), height_, width_, trees_ + z * tree_cells()};
  }

  void build_trees() {
    parallel_for(state_, depth_, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t z = begin; z < end; ++z) tree_of(z).build(trees_ + z * tree_cells());
    });
  }

  void finish_row(std::int64_t z, std::int64_t y) {
    Winners<Scalar> winners;
    for_each_chunk(z, y, width_, [&](const Chunk& chunk) {
      for (std::int64_t i = 0; i < chunk.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        winners.site[at] = kUnreached;
        winners.exact[at] = 0;
        find_winner(z, y, chunk.x + i, winners.site[at], winners.exact[at]);
      }
      writer_.write(chunk, winners);
    });
  }

  void find_winner(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t& site,
                   Scalar& exact) const {
    const std::int64_t site_z =
        problem_.rank == 3 ? first_z_[z * plane() + y * width_ + x] : std::int64_t{0};
    if (site_z == kNoSite || first_y_[site_z * plane() + y * width_ + x] == kNoSite) return;
    const Scalar in_plane = across_plane(site_z, y, x);
    exact = Chessboard::combine(in_plane, along(0, z, site_z));
    const std::int64_t site_y = exact == in_plane ? first_y_[site_z * plane() + y * width_ + x]
                                                  : first_row_within(site_z, y, x, exact);
    const std::int64_t row = site_z * height_ + site_y;
    site = row * width_ + first_in_box(x, cells_within(exact, 2), width_, problem_.period[2],
                                       [&](std::int64_t from) {
                                         return std::int64_t{next_[row * width_ + from]};
                                       });
  }

  std::int64_t first_row_within(std::int64_t z, std::int64_t y, std::int64_t x,
                                Scalar exact) const {
    const std::int64_t reach = std::min<std::int64_t>(cells_within(exact, 2), kFar - 1);
    return first_in_box(y, cells_within(exact, 1), height_, problem_.period[1],
                        [&](std::int64_t from) {
                          return tree_of(z).first_within(from, x, static_cast<std::int32_t>(reach));
                        });
  }

  /// Cells along an axis that S covers.
  std::int64_t cells_within(Scalar exact, std::size_t axis) const {
    return to_cells(exact / factor_[axis]);
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab slab_;
  CellReader cells_;
  ResultWriter<Scalar> writer_;
  Scratch::Frame scratch_;
  std::int64_t depth_;
  std::int64_t height_;
  std::int64_t width_;
  std::array<Scalar, kAxes> factor_ = factors_of<Scalar>(problem_);
  std::int32_t* near_ = nullptr;
  std::int32_t* next_ = nullptr;
  std::int32_t* first_y_ = nullptr;
  std::int32_t* first_z_ = nullptr;
  std::int32_t* trees_ = nullptr;
  Site* stacks_ = nullptr;
};

}  // namespace

void run_chessboard(ContextState& state, const Problem& problem, const ProblemViews& views,
                    Write write) {
  if (problem.wide)
    ChessboardRun<Int128>(state, problem, views, write).run();
  else
    ChessboardRun<std::int64_t>(state, problem, views, write).run();
}

std::int64_t chessboard_units(const Problem& problem) {
  return (problem.rank + 1) * problem.cells();
}

}  // namespace thiessen::cpu
