// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest point of every cell, for points anywhere: far beyond the grid, on a circle around
// it, on periodic axes, with S of 128 bits.
//
// Blocks of cells hand a list of candidates down to smaller blocks. A block finds the winners at
// its corners in its list, and drops every candidate that one of these winners beats in all its
// cells. The rest goes to each half (quarter, eighth) of the block. A block with few candidates is
// written row by row. corners.hpp does the test at the corners, and proves it.
//
//
// Candidates are partitioned in place: those that a half keeps come first, and its own halves
// partition only these. So a list takes no more memory than that of the first block.
//
// With euclidean and manhattan distance the winners along a row come in the order of their x, ties
// included: for two points "the right one wins" turns from false to true at most once. So the
// winner of the middle cell of a row splits the candidates, sorted by x, for the cells on its left
// and on its right. With chessboard distance every cell looks at all of them.
//
// On periodic axes each image of a point is a candidate of its own; images share index and label.
#include "cpu/points/points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/problem/points.hpp"
#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/points/corners.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// Cells of the grid.
struct Block {
  Axes first;
  Axes size;

  std::int64_t cells() const { return size[0] * size[1] * size[2]; }
};

/// The shifts of the images of a point: 1, 3, 9 or 27 of them, the point itself first.
std::vector<Axes> image_shifts(const Axes& period) {
  std::vector<Axes> shifts{{0, 0, 0}};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (period[axis] == kNoPeriod) continue;
    const std::size_t count = shifts.size();
    for (const std::int64_t shift : {-period[axis], period[axis]})
      for (std::size_t i = 0; i < count; ++i) {
        shifts.push_back(shifts[i]);
        shifts.back()[axis] = shift;
      }
  }
  return shifts;
}

/// Orders candidates by place, then by index.
template <class Scalar>
bool comes_before(const Candidate<Scalar>& a, const Candidate<Scalar>& b) {
  return a.at != b.at ? a.at < b.at : a.index < b.index;
}

template <class Geometry, class Scalar>
class Points {
 public:
  Points(ContextState& state, const Problem& problem, const ProblemViews& views)
      : state_(state),
        problem_(problem),
        points_(views.points),
        ruler_{factors_of<Scalar>(problem)},
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, Write::all),
        solved_(views.solved),
        scratch_(state.scratch),
        shifts_(image_shifts(problem.period)),
        limit_(static_cast<Scalar>(problem.limited ? problem.limit : 0)) {}

  void run() {
    if (problem_.cells() == 0) return;
    cut_into_pieces();
    list_candidates();
    const PhaseTimer phase(state_, "blocks");
    parallel_for(state_, std::ssize(pieces_), 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) solve(pieces_[static_cast<std::size_t>(i)]);
    });
  }

 private:
  using BlockCorners = Corners<Geometry, Scalar>;
  using Candidate = cpu::Candidate<Scalar>;

  /// Whether a block is written without dividing it: its rows are short, or its candidates are few.
  static bool is_small(const Block& block, std::int64_t candidates) {
    constexpr std::int64_t kFewCandidates = 12;
    constexpr std::int64_t kFewCells = 8;
    constexpr std::int64_t kShortRow = 32;
    constexpr std::int64_t kCandidatesPerCell = 4;
    if (candidates <= kFewCandidates || block.cells() <= kFewCells) return true;
    return Geometry::kMetric != Metric::chessboard && block.size[2] <= kShortRow &&
           candidates <= kCandidatesPerCell * block.size[2];
  }

  /// A block for one thread, with a list of its own.
  struct Piece {
    Block block;
    Candidate* list = nullptr;
    std::int64_t count = 0;
  };

  /// Halves the longest blocks until there are enough for all threads.
  void cut_into_pieces() {
    constexpr std::int64_t kFewestCells = 4096;
    const std::size_t wanted =
        state_.threads == 1 ? 1 : 4 * static_cast<std::size_t>(state_.threads);
    std::vector<Block> blocks{{{0, 0, 0}, problem_.extent}};
    while (blocks.size() < wanted && blocks.front().cells() > kFewestCells) {
      std::vector<Block> parts;
      for (const Block& block : blocks)
        for_each_part(block, [&](const Block& part) { parts.push_back(part); });
      blocks.swap(parts);
    }
    for (const Block& block : blocks) pieces_.push_back({block});
  }

  /// Gives each piece the list of its candidates: counted first, then written.
  void list_candidates() {
    const PhaseTimer phase(state_, "candidates");
    const auto for_each_piece = [&](auto&& visit) {
      parallel_for(state_, std::ssize(pieces_), 1, 0,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t i = begin; i < end; ++i)
                       visit(pieces_[static_cast<std::size_t>(i)]);
                   });
    };
    for_each_piece([&](Piece& piece) {
      for_each_winner(piece.block, [&](const Candidate&) { ++piece.count; });
    });
    for (Piece& piece : pieces_) piece.list = scratch_.template array<Candidate>(piece.count);
    for_each_piece([&](Piece& piece) {
      Candidate* to = piece.list;
      for_each_winner(piece.block, [&](const Candidate& candidate) { *to++ = candidate; });
      drop_points_at_one_place(piece);
    });
  }

  /// Calls visit(candidate) for the points and images that may win in a block.
  template <class Visit>
  void for_each_winner(const Block& block, Visit&& visit) const {
    BlockCorners corners = corners_of(block);
    for_each_image([&](const Candidate& candidate) { corners.offer(candidate); });
    corners.close();
    for_each_image([&](const Candidate& candidate) {
      if (corners.may_win(candidate)) visit(candidate);
    });
  }

  template <class Visit>
  void for_each_image(Visit&& visit) const {
    for (const Axes& shift : shifts_) {
      state_.progress.check();
      for (std::int64_t i = 0; i < points_.count; ++i) {
        const Axes& at = points_.at[i];
        visit(Candidate{{at[0] + shift[0], at[1] + shift[1], at[2] + shift[2]}, i, 0});
      }
    }
  }

  /// Drops points at the same place: only the first of the list can win.
  static void drop_points_at_one_place(Piece& piece) {
    Candidate* const end = piece.list + piece.count;
    std::sort(piece.list, end, comes_before<Scalar>);
    piece.count = std::unique(piece.list, end,
                              [](const Candidate& a, const Candidate& b) { return a.at == b.at; }) -
                  piece.list;
  }

  BlockCorners corners_of(const Block& block) const {
    const Axes last{block.first[0] + block.size[0] - 1, block.first[1] + block.size[1] - 1,
                    block.first[2] + block.size[2] - 1};
    return {ruler_, problem_.centre(block.first), problem_.centre(last),
            problem_.limited ? &limit_ : nullptr};
  }

  void solve(const Piece& piece) const {
    std::int64_t done = 0;
    solve(piece.block, piece.list, piece.count, done);
    state_.progress.advance(done);
  }

  /// Writes the cells of a block. Changes the order of the list. `done`: cells that the progress
  /// does not know yet.
  void solve(const Block& block, Candidate* list, std::int64_t count, std::int64_t& done) const {
    constexpr std::int64_t kManyCells = 1 << 16;
    const std::int64_t kept = is_solved(block) ? -1 : keep_winners(block, list, count);
    if (kept > 0 && !is_small(block, kept))
      return for_each_part(block, [&](const Block& part) { solve(part, list, kept, done); });
    if (kept >= 0) write(block, list, kept);
    done += block.cells();
    if (done < kManyCells) return;
    state_.progress.advance(done);
    done = 0;
  }

  bool is_solved(const Block& block) const {
    if (solved_ == nullptr) return false;
    for (std::int64_t z = block.first[0]; z < block.first[0] + block.size[0]; ++z)
      for (std::int64_t y = block.first[1]; y < block.first[1] + block.size[1]; ++y)
        if (!solved_->covers(z, y, block.first[2], block.size[2])) return false;
    return true;
  }

  /// Moves the candidates that may win in a block to the front of its list, and counts them.
  std::int64_t keep_winners(const Block& block, Candidate* list, std::int64_t count) const {
    if (count <= 1 && !problem_.limited) return count;
    BlockCorners corners = corners_of(block);
    for (std::int64_t i = 0; i < count; ++i) corners.offer(list[i]);
    corners.close();
    return std::partition(list, list + count,
                          [&](const Candidate& each) { return corners.may_win(each); }) -
           list;
  }

  /// Calls visit(part) for the halves of a block along each axis that is not much shorter than the
  /// longest one. Rows count half their length: long ones are quicker to write.
  template <class Visit>
  void for_each_part(const Block& block, Visit&& visit) const {
    std::array<double, kAxes> length;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      length[axis] =
          block.size[axis] == 1
              ? 0
              : length_of_cell(axis) * static_cast<double>(block.size[axis]) / (axis == 2 ? 2 : 1);
    const double longest = *std::max_element(length.begin(), length.end());
    Axes parts{1, 1, 1};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (block.size[axis] > 1 && 2 * length[axis] > longest) parts[axis] = 2;
    const auto begin = [&](std::size_t axis, std::int64_t part) {
      return block.first[axis] + block.size[axis] * part / parts[axis];
    };
    Axes at;
    for (at[0] = 0; at[0] < parts[0]; ++at[0])
      for (at[1] = 0; at[1] < parts[1]; ++at[1])
        for (at[2] = 0; at[2] < parts[2]; ++at[2]) {
          Block part;
          for (std::size_t axis = 0; axis < kAxes; ++axis) {
            part.first[axis] = begin(axis, at[axis]);
            part.size[axis] = begin(axis, at[axis] + 1) - part.first[axis];
          }
          visit(part);
        }
  }

  double length_of_cell(std::size_t axis) const {
    const auto factor = static_cast<double>(ruler_.factor[axis]);
    return Geometry::kMetric == Metric::euclidean ? std::sqrt(factor) : factor;
  }

  /// Writes a block from its candidates, and sorts them.
  void write(const Block& block, Candidate* list, std::int64_t count) const {
    std::sort(list, list + count,
              [](const Candidate& a, const Candidate& b) { return a.at[2] < b.at[2]; });
    for (std::int64_t z = block.first[0]; z < block.first[0] + block.size[0]; ++z)
      for (std::int64_t y = block.first[1]; y < block.first[1] + block.size[1]; ++y)
        for_each_chunk(z, y, block.first[2], block.first[2] + block.size[2],
                       [&](const Chunk& chunk) { write(chunk, list, count); });
  }

  void write(const Chunk& chunk, Candidate* list, std::int64_t count) const {
    const Axes row = problem_.centre({chunk.z, chunk.y, 0});
    for (std::int64_t k = 0; k < count; ++k)
      list[k].across = Geometry::combine(ruler_.along(0, list[k].at[0] - row[0]),
                                         ruler_.along(1, list[k].at[1] - row[1]));
    Winners<Scalar> winners;
    const Row cells{problem_, ruler_.factor[2], chunk, list, winners};
    if (count == 0)
      cells.fill_unreached();
    else if (Geometry::kMetric == Metric::chessboard)
      cells.solve_one_by_one(count);
    else
      cells.solve(0, chunk.count - 1, 0, count - 1);
    writer_.write(chunk, winners);
  }

  /// A piece of a row, and the candidates for its cells.
  struct Row {
    const Problem& problem;
    Scalar factor;
    const Chunk& chunk;
    const Candidate* list;
    Winners<Scalar>& winners;

    void fill_unreached() const {
      std::fill_n(winners.site.begin(), chunk.count, kUnreached);
      std::fill_n(winners.exact.begin(), chunk.count, Scalar{0});
    }

    /// Solves the cells from `begin` to `end`, whose winners are among the candidates from `first`
    /// to `last`, sorted by x.
    void solve(std::int64_t begin, std::int64_t end, std::int64_t first, std::int64_t last) const {
      if (first == last) return fill(begin, end, list[first]);
      const std::int64_t middle = begin + (end - begin) / 2;
      const std::int64_t winner = search(middle, first, last);
      put(middle, list[winner]);
      if (begin < middle) solve(begin, middle - 1, first, winner);
      if (middle < end) solve(middle + 1, end, winner, last);
    }

    void solve_one_by_one(std::int64_t count) const {
      for (std::int64_t i = 0; i < chunk.count; ++i) put(i, list[search(i, 0, count - 1)]);
    }

    void fill(std::int64_t begin, std::int64_t end, const Candidate& winner) const {
      for (std::int64_t i = begin; i <= end; ++i) put(i, winner);
    }

    void put(std::int64_t i, const Candidate& winner) const {
      winners.site[static_cast<std::size_t>(i)] = winner.index;
      winners.exact[static_cast<std::size_t>(i)] = exact(i, winner);
    }

    Scalar exact(std::int64_t i, const Candidate& candidate) const {
      const std::int64_t x = (chunk.x + i) << problem.fraction_bits;
      return Geometry::combine(candidate.across, Geometry::along(factor, candidate.at[2] - x));
    }

    /// The candidate that wins cell i.
    std::int64_t search(std::int64_t i, std::int64_t first, std::int64_t last) const {
      std::int64_t best = first;
      Scalar least = exact(i, list[first]);
      for (std::int64_t k = first + 1; k <= last; ++k) {
        const Scalar other = exact(i, list[k]);
        if (other > least || (other == least && list[k].index >= list[best].index)) continue;
        best = k;
        least = other;
      }
      return best;
    }
  };

  ContextState& state_;
  const Problem& problem_;
  const PointSites& points_;
  Ruler<Geometry, Scalar> ruler_;
  const Slab slab_;
  ResultWriter<Scalar> writer_;
  const Solved* solved_;
  Scratch::Frame scratch_;
  std::vector<Axes> shifts_;
  Scalar limit_;
  std::vector<Piece> pieces_;
};

}  // namespace

void run_points(ContextState& state, const Problem& problem, const ProblemViews& views) {
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    Points<Geometry, Scalar>(state, problem, views).run();
  });
}

std::int64_t points_units(const Problem& problem) { return problem.cells(); }

}  // namespace thiessen::cpu
