// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest point of every cell.
//
// By Euclidean and Manhattan distance "q wins over p" turns from false to true at most once along a
// row for any two points p, q, ties included. So the cells of a row that a point wins lie together,
// and a row is solved from its winners at both ends: where their contest turns, the two cells on
// either side are searched in the tree. Either the same two win there, and all cells between are
// known, or others do, and the stretches left and right are solved in the same way. A row costs
// about three searches for each cell of the diagram that it crosses, not one for each of its own.
//
// By chessboard distance a point's cells need not lie together; there every cell is searched, from
// the winner of the cell before it as a first guess.
//
// On periodic axes each image of a point is a point of its own here, so that all of this holds for
// them too; images of one point share its index and its label.
#include "cpu/points.hpp"

#include <vector>

#include "cpu/point_tree.hpp"
#include "cpu/rows.hpp"

namespace thiessen::cpu {
namespace {

/// By how much the images of a point are moved: 1, 3, 9 or 27 of them, the point itself first.
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

template <class Geometry, class Scalar>
class Points {
 public:
  Points(ContextState& state, const Problem& problem, const ProblemViews& views)
      : state_(state),
        problem_(problem),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, Write::all),
        settled_(views.settled),
        scratch_(state.scratch),
        shifts_(image_shifts(problem.period)),
        tree_(make_tree(views.points)) {}

  void run() {
    const PhaseTimer phase(state_, "rows");
    const std::int64_t height = problem_.extent[1];
    const std::int64_t width = problem_.extent[2];
    parallel_for(state_, problem_.extent[0] * height, rows_at_once(width), width,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row)
                     for_each_chunk(row / height, row % height, width,
                                    [&](const Chunk& chunk) { solve(chunk); });
                 });
  }

 private:
  using Tree = PointTree<Geometry, Scalar>;
  using Nearest = typename Tree::Nearest;

  Tree make_tree(const PointSites& points) {
    const PhaseTimer phase(state_, "tree of points");
    return Tree(state_, scratch_, points, factors_of<Scalar>(problem_));
  }

  void solve(const Chunk& chunk) const {
    if (settled_ != nullptr && settled_->covers(chunk.z, chunk.y, chunk.x, chunk.count)) return;
    Winners<Scalar> winners;
    if (tree_.empty()) {
      winners.site.fill(kUnreached);
      winners.exact.fill(0);
    } else if constexpr (Geometry::kMetric == Metric::chessboard) {
      solve_cell_by_cell(chunk, winners);
    } else {
      const Nearest left = search(chunk, 0, {});
      const Nearest right = search(chunk, chunk.count - 1, left);
      solve_between(chunk, 0, left, chunk.count - 1, right, winners);
    }
    writer_.write(chunk, winners);
  }

  Axes place(const Chunk& chunk, std::int64_t i) const {
    return problem_.centre({chunk.z, chunk.y, chunk.x + i});
  }

  /// The same point seen from another cell.
  Nearest seen_from(const Axes& from, Nearest point) const {
    point.exact = tree_.exact(from, point.at);
    return point;
  }

  /// Winner of cell i; the search begins with a guess, if it is one.
  Nearest search(const Chunk& chunk, std::int64_t i, const Nearest& guess) const {
    const Axes from = place(chunk, i);
    Nearest best = guess.index < 0 ? guess : seen_from(from, guess);
    for (const Axes& shift : shifts_) tree_.search(from, shift, best);
    return best;
  }

  void solve_cell_by_cell(const Chunk& chunk, Winners<Scalar>& winners) const {
    Nearest last;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      last = search(chunk, i, last);
      winners.site[static_cast<std::size_t>(i)] = last.index;
      winners.exact[static_cast<std::size_t>(i)] = last.exact;
    }
  }

  /// The cells from `begin`, won by `left`, to `end`, won by `right`.
  void solve_between(const Chunk& chunk, std::int64_t begin, const Nearest& left, std::int64_t end,
                     const Nearest& right, Winners<Scalar>& winners) const {
    if (left == right) return fill(chunk, begin, end, left, winners);
    const std::int64_t turn = first_won_by(chunk, begin, left, end, right);
    const Nearest before = turn - 1 == begin ? left : search(chunk, turn - 1, left);
    const Nearest after = turn == end ? right : search(chunk, turn, right);
    solve_between(chunk, begin, left, turn - 1, before, winners);
    solve_between(chunk, turn, after, end, right, winners);
  }

  /// First cell in which `right` wins over `left`: it does not at `begin`, and does at `end`.
  std::int64_t first_won_by(const Chunk& chunk, std::int64_t begin, const Nearest& left,
                            std::int64_t end, const Nearest& right) const {
    while (end - begin > 1) {
      const std::int64_t middle = begin + (end - begin) / 2;
      const Axes from = place(chunk, middle);
      (wins(seen_from(from, right), seen_from(from, left)) ? end : begin) = middle;
    }
    return end;
  }

  void fill(const Chunk& chunk, std::int64_t begin, std::int64_t end, const Nearest& winner,
            Winners<Scalar>& winners) const {
    for (std::int64_t i = begin; i <= end; ++i) {
      winners.site[static_cast<std::size_t>(i)] = winner.index;
      winners.exact[static_cast<std::size_t>(i)] = tree_.exact(place(chunk, i), winner.at);
    }
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab slab_;
  ResultWriter<Scalar> writer_;
  const Settled* settled_;
  Scratch::Frame scratch_;
  std::vector<Axes> shifts_;
  Tree tree_;
};

}  // namespace

void run_points(ContextState& state, const Problem& problem, const ProblemViews& views) {
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    Points<Geometry, Scalar>(state, problem, views).run();
  });
}

std::int64_t points_units(const Problem& problem) { return problem.cells(); }

}  // namespace thiessen::cpu
