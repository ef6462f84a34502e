// SPDX-License-Identifier: Apache-2.0
//
// Distance to the boundary of the own label, for all labels at once.
//
// Along any line the cells form runs of equal value. The two cells next to a run are a boundary
// themselves, and everything beyond them is at least as far along the line. So a run needs only its
// own cells, with their distance across the line, and these two with distance 0: the passes of
// separable.cpp, run by run. This holds for all three metrics, also for chessboard, because only
// distances are wanted.
//
// On a periodic axis a line is a circle. It is turned so that it begins with a run; then every run
// has both neighbours. If the whole circle is one run, only its own images can be nearer.
//
// Notation: count[k][c] cells along the first axis to the nearest other value (kFar: none);
// across[x] S to the nearest other value on the axes done so far, or kNone.
#include "cpu/lines/boundary.hpp"

#include <algorithm>

#include "core/search/geometry.hpp"
#include "cpu/lines/first_axis.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

template <class Geometry, class Scalar>
class Boundary {
 public:
  Boundary(ContextState& state, const Problem& problem, const Slab& slab, const ProblemViews& views)
      : state_(state),
        problem_(problem),
        slab_(slab),
        views_(views),
        cells_(views.sites),
        writer_(problem, whole_, views, Write::distances),
        scratch_(state.scratch) {}

  void run() {
    count_ = scratch_.array<std::int32_t>(problem_.cells());
    {
      const PhaseTimer phase(state_, "boundary: first axis");
      boundary_in_columns(state_, problem_, slab_, views_.sites, count_);
    }
    // A run in the middle of a line has a neighbour at both ends: one site more than cells.
    stacks_ = scratch_.array<Site>(state_.threads * stack_size());
    lines_ = scratch_.array<Scalar>(state_.threads * line_size());
    changes_ = scratch_.array<std::uint8_t>(state_.threads * line_size());
    const PhaseTimer phase(state_, problem_.rank == 2 ? "boundary: rows" : "boundary: planes");
    if (problem_.rank == 2)
      run_rows();
    else
      run_planes();
  }

 private:
  using Envelope = LowerEnvelope<Geometry, Scalar>;
  using Site = typename Envelope::Site;

  static constexpr Scalar kNone = -1;

  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }
  std::int64_t line_size() const {
    return problem_.rank == 2 ? width() : std::max(width(), block_cells(problem_));
  }
  std::int64_t stack_size() const {
    const std::int64_t row = images_of(width(), problem_.period[2]);
    return (problem_.rank == 2 ? row : std::max(images_of(height(), problem_.period[1]), row)) + 2;
  }

  /// Whether the cells first..end-1 of a row, or all of them, or all of a plane are written
  /// already.
  bool is_solved(std::int64_t z, std::int64_t y, std::int64_t first, std::int64_t end) const {
    return views_.solved != nullptr && views_.solved->covers(z, y, first, end - first);
  }
  bool is_solved(std::int64_t z, std::int64_t y) const { return is_solved(z, y, 0, width()); }
  bool is_solved(std::int64_t z) const {
    if (views_.solved == nullptr) return false;
    for (std::int64_t y = 0; y < height(); y += views_.solved->size[1])
      if (!is_solved(z, y)) return false;
    return true;
  }

  /// Runs of a line whose results nobody needs: none.
  static constexpr auto kNeedsAll = [](std::int64_t, std::int64_t) { return false; };

  Scalar from_count(std::int32_t count) const {
    return count == kFar
               ? kNone
               : Geometry::along(factor_[static_cast<std::size_t>(problem_.first_axis())], count);
  }

  void run_rows() {
    parallel_for(state_, height(), rows_per_task(width()), width(),
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t y = begin; y < end; ++y) {
                     if (is_solved(0, y)) continue;
                     Scalar* line = lines_ + worker * line_size();
                     const std::int32_t* count = count_ + y * width();
                     std::transform(count, count + width(), line,
                                    [&](std::int32_t cells) { return from_count(cells); });
                     finish_row(0, y, line, worker);
                   }
                 });
  }

  void run_planes() {
    const std::int64_t plane = height() * width();
    Scalar* across = scratch_.array<Scalar>(planes_per_batch(problem_.extent[0], plane) * plane);
    for_each_plane(
        state_, problem_, problem_.extent[0],
        [&](std::int64_t z, std::int64_t x, std::int64_t i, int worker) {
          along_y(z, x, across + i * plane, worker);
        },
        [&](std::int64_t z, std::int64_t y, std::int64_t i, int worker) {
          finish_row(z, y, across + i * plane + y * width(), worker);
        });
  }

  /// The pass along y for the columns x, x + 1, … of one block in plane z.
  void along_y(std::int64_t z, std::int64_t x, Scalar* across, int worker) {
    if (is_solved(z)) return;
    const std::int64_t count = std::min(kLines, width() - x);
    Scalar* lines = lines_ + worker * line_size();
    std::uint8_t* changes = changes_ + worker * line_size();
    gather_changes(z, x, count, changes);
    for (std::int64_t y = 0; y < height(); ++y)
      for (std::int64_t i = 0; i < count; ++i)
        lines[i * height() + y] = from_count(count_[(z * height() + y) * width() + x + i]);
    for (std::int64_t i = 0; i < count; ++i)
      solve_line(lines + i * height(), changes + i * height(), 1, worker, kNeedsAll);
    for (std::int64_t y = 0; y < height(); ++y)
      for (std::int64_t i = 0; i < count; ++i)
        across[y * width() + x + i] = lines[i * height() + y];
  }

  /// changes[i·height + y] = 1 where cell (y, x + i) differs from the one before it along y.
  void gather_changes(std::int64_t z, std::int64_t x, std::int64_t count, std::uint8_t* changes) {
    std::array<ChunkBuffer, 2> buffers;
    std::array<std::uint8_t, kLines> same;
    // Only on a periodic axis the first row has one before it; else it is compared with itself.
    const bool periodic = problem_.period[1] != kNoPeriod;
    const std::byte* previous = cells_.read(z, periodic ? height() - 1 : 0, x, count, buffers[1]);
    for (std::int64_t y = 0; y < height(); ++y) {
      const std::byte* row = cells_.read(z, y, x, count, buffers[static_cast<std::size_t>(y % 2)]);
      compare_cells(cells_.element_type(), previous, row, count, same.data());
      for (std::int64_t i = 0; i < count; ++i)
        changes[i * height() + y] = same[static_cast<std::size_t>(i)] == 0 ? 1 : 0;
      previous = row;
    }
  }

  void row_changes(std::int64_t z, std::int64_t y, std::uint8_t* changes) {
    // Chunks overlap by one cell: the last cell of one is compared with the first of the next.
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> same;
    changes[0] = 0;
    const auto element = size_of(cells_.element_type());
    for (std::int64_t x = 0; x + 1 < width(); x += kChunk - 1) {
      const std::int64_t count = std::min(kChunk, width() - x);
      const std::byte* row = cells_.read(z, y, x, count, buffer);
      compare_cells(cells_.element_type(), row, row + element, count - 1, same.data());
      for (std::int64_t i = 0; i + 1 < count; ++i)
        changes[x + i + 1] = same[static_cast<std::size_t>(i)] == 0 ? 1 : 0;
    }
    if (problem_.period[2] == kNoPeriod) return;
    ChunkBuffer last;
    compare_cells(cells_.element_type(), cells_.read(z, y, 0, 1, buffer),
                  cells_.read(z, y, width() - 1, 1, last), 1, same.data());
    changes[0] = same[0] == 0 ? 1 : 0;
  }

  /// Replaces S across the line by S to the nearest other value, run by run. `changes` is used up.
  /// On an axis that is not periodic, is_solved(begin, end) tells which runs are left out.
  template <class IsSolved>
  void solve_line(Scalar* line, std::uint8_t* changes, std::size_t axis, int worker,
                  const IsSolved& is_solved) {
    const std::int64_t length = problem_.extent[axis];
    if (problem_.period[axis] == kNoPeriod)
      return solve_runs(line, changes, axis, false, worker, is_solved);
    const auto turn = std::find(changes, changes + length, 1) - changes;
    if (turn == length) return solve_circle(line, axis, worker);
    std::rotate(line, line + turn, line + length);
    std::rotate(changes, changes + turn, changes + length);
    solve_runs(line, changes, axis, true, worker, kNeedsAll);
    std::rotate(line, line + length - turn, line + length);
  }

  /// `closed`: cells with other values lie beyond both ends of the line.
  template <class IsSolved>
  void solve_runs(Scalar* line, const std::uint8_t* changes, std::size_t axis, bool closed,
                  int worker, const IsSolved& is_solved) {
    const std::int64_t length = problem_.extent[axis];
    for (std::int64_t begin = 0; begin < length;) {
      std::int64_t end = begin + 1;
      while (end < length && changes[end] == 0) ++end;
      if (is_solved(begin, end)) {
        begin = end;
        continue;
      }
      const auto first = static_cast<std::int32_t>(begin);
      const auto last = static_cast<std::int32_t>(end - 1);
      Envelope envelope(stacks_ + worker * stack_size(), factor_[axis], first, last);
      if (closed || begin > 0) envelope.add(0, 0, first - 1);
      for (std::int32_t x = first; x <= last; ++x)
        if (line[x] != kNone) envelope.add(line[x], 0, x);
      if (closed || end < length) envelope.add(0, 0, last + 1);
      put(envelope, line, first, last);
      begin = end;
    }
  }

  /// Solves a periodic line that holds one value only.
  void solve_circle(Scalar* line, std::size_t axis, int worker) {
    const auto last = static_cast<std::int32_t>(problem_.extent[axis] - 1);
    Envelope envelope(stacks_ + worker * stack_size(), factor_[axis], 0, last);
    for_each_image(problem_.extent[axis], problem_.period[axis],
                   [&](std::int64_t position, std::int64_t x) {
                     if (line[x] != kNone)
                       envelope.add(line[x], 0, static_cast<std::int32_t>(position));
                   });
    put(envelope, line, 0, last);
  }

  /// S of the cells first..last; kNone if nothing is on the envelope.
  static void put(const Envelope& envelope, Scalar* line, std::int32_t first, std::int32_t last) {
    std::fill(line + first, line + last + 1, kNone);
    envelope.for_each_interval([&](const Site& site, std::int32_t from, std::int32_t to) {
      for (std::int32_t x = from; x < to; ++x) line[x] = envelope.exact(site, x);
    });
  }

  void finish_row(std::int64_t z, std::int64_t y, Scalar* line, int worker) {
    if (is_solved(z, y)) return;
    std::uint8_t* changes = changes_ + worker * line_size();
    row_changes(z, y, changes);
    solve_line(line, changes, 2, worker,
               [&](std::int64_t begin, std::int64_t end) { return is_solved(z, y, begin, end); });
    Winners<Scalar> winners;
    for_each_chunk(z, y, width(), [&](const Chunk& chunk) {
      for (std::int64_t i = 0; i < chunk.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        winners.exact[at] = line[chunk.x + i];
        winners.site[at] = line[chunk.x + i] == kNone ? kUnreached : 0;
      }
      writer_.write(chunk, winners);
    });
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab& slab_;
  const Slab whole_ = whole_raster(problem_);
  const ProblemViews& views_;
  CellReader cells_;
  ResultWriter<Scalar> writer_;
  Scratch::Frame scratch_;
  std::array<Scalar, kAxes> factor_ = factors_of<Scalar>(problem_);
  std::int32_t* count_ = nullptr;
  Site* stacks_ = nullptr;
  Scalar* lines_ = nullptr;
  std::uint8_t* changes_ = nullptr;
};

}  // namespace

void run_boundary(ContextState& state, const Problem& problem, const Slab& slab,
                  const ProblemViews& views) {
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    Boundary<Geometry, Scalar>(state, problem, slab, views).run();
  });
}

std::int64_t boundary_units(const Problem& problem) { return problem.rank * problem.cells(); }

}  // namespace thiessen::cpu
