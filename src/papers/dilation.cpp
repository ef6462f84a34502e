// SPDX-License-Identifier: Apache-2.0
//
// The morphological distance transform: in round k the cells that were reached in round k - 1 reach
// their neighbours by a structuring element: the cross (manhattan distance), the square
// (chessboard), or both in turn, the cross first (octagonal). A cell that is reached in round k is
// at distance k, and is looked at once: the cells of the last round are the frontier, one piece of
// a queue. When it is empty, all cells are reached.
//
// Labels. Cross and square: a cell takes the first of the sites of the neighbours that reach it. If
// a site is nearest to a cell, it is also nearest to a neighbour on a shortest way there; so that
// neighbour passes on the first of all nearest sites. Octagon: such a neighbour may have a nearer
// site, and then does not know this one. That happens in rounds of the square, if a diagonal
// neighbour of the cell was reached two rounds before: a way from its sites could not go on in the
// round between, which has no diagonal steps, but a way from a site that is a round farther arrives
// at the same time. Such cells look for the first site on their octagon themselves, at the end of
// the round, before others take it from them. With labels_carried they take what the dilation of
// the whole image gives them: also the sites of those diagonal neighbours, which the frontier has
// passed.
//
// The raster has a frame of cells that nothing reaches, so that neighbours are offsets.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/problem/cell_metric.hpp"
#include "core/search/site_cells.hpp"
#include "papers/methods.hpp"
#include "papers/rows.hpp"
#include "threads/rows.hpp"

namespace thiessen::papers {
namespace {

/// How many cells are done between two checks whether the call is cancelled.
constexpr std::int64_t kAtOnce = 1 << 16;

constexpr std::uint32_t kNotReached = std::numeric_limits<std::uint32_t>::max();

class Dilation {
 public:
  Dilation(ContextState& state, const Problem& problem)
      : state_(state),
        problem_(problem),
        scratch_(state.scratch),
        first_axis_(problem.first_axis()),
        site_rows_(static_cast<std::size_t>(problem.extent[1]), problem.extent[1]) {
    cells_ = 1;
    for (int axis = kAxes - 1; axis >= first_axis_; --axis) {
      step_[static_cast<std::size_t>(axis)] = cells_;
      cells_ *= problem.extent[static_cast<std::size_t>(axis)] + 2;
    }
    diagonals_ = {-step_[1] - 1, -step_[1] + 1, step_[1] - 1, step_[1] + 1};
    rounds_ = scratch_.array<std::uint32_t>(cells_);
    sites_ = scratch_.array<std::int64_t>(cells_);
    queue_ = scratch_.array<std::int64_t>(problem.cells());
  }

  void grow(const ProblemViews& views) {
    const PhaseTimer phase(state_, "dilation");
    start(views);
    const std::vector<std::int64_t> cross = element(false);
    const std::vector<std::int64_t> square = element(true);
    std::int64_t begin = 0;
    for (std::uint32_t round = 1; begin < queued_ && round <= problem_.limit; ++round) {
      const std::int64_t end = queued_;
      const bool is_square = problem_.metric == Metric::chessboard ||
                             (problem_.metric == Metric::octagonal && round % 2 == 0);
      for (; begin < end; begin += kAtOnce) {
        const std::int64_t piece_end = std::min(begin + kAtOnce, end);
        reach(begin, piece_end, round, is_square ? square : cross);
        state_.progress.advance(piece_end - begin);
      }
      begin = end;
      if (problem_.metric == Metric::octagonal && is_square) revise(end, round);
    }
  }

  void write_all(const ProblemViews& views, Write write) const {
    const PhaseTimer phase(state_, "write");
    write_map<std::int64_t>(
        state_, problem_, views, write, rows_per_task(problem_.extent[2]),
        [&](const Chunk& chunk, Winners<std::int64_t>& winners) { find(chunk, winners); });
  }

 private:
  /// Place of a cell in the framed raster.
  std::int64_t framed(const Axes& cell) const {
    std::int64_t place = 0;
    for (auto axis = static_cast<std::size_t>(first_axis_); axis < kAxes; ++axis)
      place += (cell[axis] + 1) * step_[axis];
    return place;
  }

  Axes cell_at(std::int64_t place) const {
    Axes cell{};
    for (auto axis = static_cast<std::size_t>(first_axis_); axis < kAxes; ++axis) {
      cell[axis] = place / step_[axis] - 1;
      place %= step_[axis];
    }
    return cell;
  }

  void start(const ProblemViews& views) {
    std::fill_n(rounds_, cells_, std::uint32_t{0});
    if (problem_.raster.labels_carried)  // revise() may read those of the frame
      std::fill_n(sites_, cells_, std::numeric_limits<std::int64_t>::max());
    for (std::int64_t z = 0; z < problem_.extent[0]; ++z)
      for (std::int64_t y = 0; y < problem_.extent[1]; ++y)
        std::fill_n(rounds_ + framed({z, y, 0}), problem_.extent[2], kNotReached);
    for_each_site(problem_, views.sites, state_.progress, [&](const Axes& cell) {
      const std::int64_t place = framed(cell);
      rounds_[place] = 0;
      sites_[place] = place;
      queue_[queued_++] = place;
      site_rows_[static_cast<std::size_t>(cell[1])] = cell[1];
    });
    for (std::size_t y = site_rows_.size() - 1; y-- > 0;)
      site_rows_[y] = std::min(site_rows_[y], site_rows_[y + 1]);
  }

  /// Offsets of the neighbours: all, or those along one axis.
  std::vector<std::int64_t> element(bool square) const {
    std::vector<std::int64_t> offsets;
    const std::int64_t deep = first_axis_ == 0 ? 1 : 0;
    for (std::int64_t dz = -deep; dz <= deep; ++dz)
      for (std::int64_t dy = -1; dy <= 1; ++dy)
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
          const std::int64_t axes = dz * dz + dy * dy + dx * dx;
          if (axes == 1 || (square && axes > 1))
            offsets.push_back(dz * step_[0] + dy * step_[1] + dx * step_[2]);
        }
    return offsets;
  }

  /// Reaches the neighbours of the frontier: they become the next one.
  void reach(std::int64_t begin, std::int64_t end, std::uint32_t round,
             const std::vector<std::int64_t>& offsets) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t site = sites_[queue_[i]];
      for (const std::int64_t offset : offsets) {
        const std::int64_t to = queue_[i] + offset;
        if (rounds_[to] < round) continue;
        if (rounds_[to] == round) {
          sites_[to] = std::min(sites_[to], site);
          continue;
        }
        rounds_[to] = round;
        sites_[to] = site;
        queue_[queued_++] = to;
      }
    }
  }

  /// Revises the sites of an octagon's round, from `begin` of the queue on, that may not know all
  /// sites.
  void revise(std::int64_t begin, std::uint32_t round) {
    for (std::int64_t i = begin; i < queued_; ++i) {
      const std::int64_t place = queue_[i];
      bool hidden = false;
      for (const std::int64_t offset : diagonals_) {
        if (rounds_[place + offset] != round - 2) continue;
        hidden = true;
        if (problem_.raster.labels_carried)
          sites_[place] = std::min(sites_[place], sites_[place + offset]);
      }
      if (hidden && !problem_.raster.labels_carried) sites_[place] = first_site(place, round);
    }
  }

  /// The first site at this octagonal distance from a place; there is one.
  std::int64_t first_site(std::int64_t place, std::int64_t exact) const {
    const CellMetric<Metric::octagonal> metric(problem_.weights.factor);
    const Axes cell = cell_at(place);
    for (std::int64_t y = site_row(cell[1] - exact);; y = site_row(y + 1)) {
      const std::int64_t dy = std::abs(y - cell[1]);
      const std::int64_t nearer = metric.reach(dy, 2, exact - 1);  // -1: the whole row is as far
      const std::int64_t reach = metric.reach(dy, 2, exact);
      const std::int64_t row = framed({0, y, 0});
      for (std::int64_t dx = -reach; dx <= reach; ++dx) {
        if (dx == -nearer && nearer >= 0) dx = nearer + 1;
        const std::int64_t x = cell[2] + dx;
        if (x >= 0 && x < problem_.extent[2] && rounds_[row + x] == 0) return row + x;
      }
    }
  }

  /// The next row with a site from a row on, which may lie before the first.
  std::int64_t site_row(std::int64_t y) const {
    return site_rows_[static_cast<std::size_t>(std::max<std::int64_t>(y, 0))];
  }

  void find(const Chunk& chunk, Winners<std::int64_t>& winners) const {
    const std::int64_t first = framed({chunk.z, chunk.y, chunk.x});
    std::int64_t last = -1;
    std::int64_t site = kUnreached;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool reached = rounds_[first + i] != kNotReached;
      if (reached && sites_[first + i] != last) {
        last = sites_[first + i];
        site = to_index(problem_.extent, cell_at(last));
      }
      winners.site[at] = reached ? site : kUnreached;
      winners.exact[at] = reached ? rounds_[first + i] : 0;
    }
  }

  ContextState& state_;
  const Problem& problem_;
  Scratch::Frame scratch_;
  int first_axis_;
  Axes step_{};
  std::int64_t cells_ = 0;           ///< with the frame
  std::uint32_t* rounds_ = nullptr;  ///< the round in which a cell was reached; 0 in the frame
  std::int64_t* sites_ = nullptr;    ///< places of their sites
  std::int64_t* queue_ = nullptr;    ///< cells in the order in which they were reached
  std::int64_t queued_ = 0;
  std::array<std::int64_t, 4> diagonals_{};  ///< offsets in a plane
  std::vector<std::int64_t> site_rows_;      ///< octagonal: the next row with a site from each on
};

void dilate_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  Dilation dilation(state, problem);
  dilation.grow(views);
  dilation.write_all(views, write);
}

}  // namespace

void run_dilation(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), dilate_map);
}

}  // namespace thiessen::papers
