// SPDX-License-Identifier: Apache-2.0
//
// The algebraic distance transform: a downward pass, in which a cell takes the least of its own
// value and those of the neighbours before it plus the step from there, and an upward pass with the
// neighbours behind it. (A. Rosenfeld, J. L. Pfaltz, "Sequential operations in digital picture
// processing", 1966; masks by G. Borgefors, "Distance transformations in digital images", 1986.)
//
// A value is (S, site) in one number: steps are added to it, and the lesser number is the first in
// the order. That makes labels exact, too. Between each site and cell there is a shortest path that
// goes forward first and backward then, and never leaves the box of both. So each cell gets (S,
// site) of every site or less, and never less than that of some site.
//
// Octagonal distance is the exception: whether a way may go on along a diagonal depends on how long
// it is, steps to 4 and to 8 neighbours being in turn. S tells: from an odd S a diagonal step is 1,
// from an even S it is 2, two steps of another kind. A way that is longer now may be shorter later,
// and a pass keeps one only. So S is that of a way, which may not be the shortest.
#include <algorithm>
#include <bit>
#include <vector>

#include "core/order/measure.hpp"
#include "core/search/site_cells.hpp"
#include "papers/methods.hpp"
#include "papers/rows.hpp"
#include "threads/rows.hpp"

namespace thiessen::papers {
namespace {

/// S of a cell above the index of its site.
using Key = std::int64_t;
/// More than any such number, with room for a step.
constexpr Key kNoKey = Key{1} << 62;
/// Cells between rows, which stay without a site: as far as masks reach.
constexpr std::int64_t kPad = 2;

/// A step of a mask, from a neighbour that is before the cell in raster order.
struct MaskStep {
  std::int64_t dz = 0;
  std::int64_t dy = 0;
  std::int64_t dx = 0;
  std::int64_t length = 0;      ///< in S
  bool is_less_if_odd = false;  ///< by one from an odd S: octagonal
};

std::vector<MaskStep> mask_steps(const Problem& problem) {
  std::vector<MaskStep> steps;
  const auto add = [&](std::int64_t dz, std::int64_t dy, std::int64_t dx, Int128 length) {
    steps.push_back({dz, dy, dx, static_cast<std::int64_t>(length)});
  };
  const auto& factor = problem.weights.factor;
  switch (problem.metric) {
    case Metric::manhattan:
      add(0, 0, -1, factor[2]);
      add(0, -1, 0, factor[1]);
      if (problem.rank == 3) add(-1, 0, 0, factor[0]);
      break;
    case Metric::chessboard:
      add(0, 0, -1, factor[2]);
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        add(0, -1, dx, factor[1]);
        for (std::int64_t dy = -1; dy <= 1 && problem.rank == 3; ++dy) add(-1, dy, dx, factor[0]);
      }
      break;
    case Metric::chamfer_3_4:
      add(0, 0, -1, 3);
      for (std::int64_t dx = -1; dx <= 1; ++dx) add(0, -1, dx, dx == 0 ? 3 : 4);
      break;
    case Metric::octagonal:
      add(0, 0, -1, 1);
      add(0, -1, 0, 1);
      for (const std::int64_t side : {-1, 1}) steps.push_back({0, -1, side, 2, true});
      break;
    default:
      add(0, 0, -1, 5);
      for (std::int64_t dx = -1; dx <= 1; ++dx) add(0, -1, dx, dx == 0 ? 5 : 7);
      for (const std::int64_t side : {-1, 1}) {
        add(0, -1, 2 * side, 11);
        add(0, -2, side, 11);
      }
  }
  return steps;
}

class Chamfer {
 public:
  Chamfer(ContextState& state, const Problem& problem)
      : state_(state),
        problem_(problem),
        site_bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(problem.cells())))),
        stride_(problem.extent[2] + kPad),
        scratch_(state.scratch) {
    const std::int64_t count = problem.extent[0] * problem.extent[1] * stride_ + kPad;
    keys_ = scratch_.array<Key>(count) + kPad;
    std::fill_n(keys_ - kPad, count, kNoKey);
  }

  void run(const ProblemViews& views, Write write) {
    for_each_site(problem_, views.sites, state_.progress, [&](const Axes& cell) {
      row_of(cell[0], cell[1])[cell[2]] = to_index(problem_.extent, cell);
    });
    pass("downward pass", 1);
    pass("upward pass", -1);
    write_all(views, write);
  }

 private:
  /// A neighbour of each cell of a row, and the cost of the step from there.
  struct Source {
    const Key* row;
    Key cost;
    Key less;  ///< the bit of the neighbour's key that is subtracted from the cost
  };

  Key* row_of(std::int64_t z, std::int64_t y) const {
    return keys_ + (z * problem_.extent[1] + y) * stride_;
  }

  /// From the first cell to the last, or back.
  void pass(const char* name, std::int64_t direction) {
    const PhaseTimer phase(state_, name);
    const std::vector<MaskStep> steps = mask_steps(problem_);
    std::vector<Source> sources;
    const std::int64_t rows = problem_.extent[0] * problem_.extent[1];
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t row = direction > 0 ? i : rows - 1 - i;
      find_sources(row / problem_.extent[1], row % problem_.extent[1], direction, steps, sources);
      sweep(row_of(0, row), direction, sources);
      state_.progress.advance(problem_.extent[2]);
    }
  }

  void find_sources(std::int64_t z, std::int64_t y, std::int64_t direction,
                    const std::vector<MaskStep>& steps, std::vector<Source>& sources) const {
    sources.clear();
    for (const MaskStep& step : steps) {
      const std::int64_t from_z = z + direction * step.dz;
      const std::int64_t from_y = y + direction * step.dy;
      if (from_z < 0 || from_z >= problem_.extent[0] || from_y < 0 || from_y >= problem_.extent[1])
        continue;
      sources.push_back({row_of(from_z, from_y) + direction * step.dx, step.length << site_bits_,
                         Key{step.is_less_if_odd} << site_bits_});
    }
  }

  void sweep(Key* row, std::int64_t direction, const std::vector<Source>& sources) const {
    const std::int64_t width = problem_.extent[2];
    for (std::int64_t i = 0; i < width; ++i) {
      const std::int64_t x = direction > 0 ? i : width - 1 - i;
      Key least = row[x];
      for (const Source& source : sources) {
        const Key key = source.row[x];
        least = std::min(least, key + source.cost - (key & source.less));
      }
      row[x] = least;
    }
  }

  void write_all(const ProblemViews& views, Write write) const {
    const PhaseTimer phase(state_, "write");
    const Key site_mask = (Key{1} << site_bits_) - 1;
    write_map<std::int64_t>(state_, problem_, views, write, rows_per_task(problem_.extent[2]),
                            [&](const Chunk& chunk, Winners<std::int64_t>& winners) {
                              const Key* const keys = row_of(chunk.z, chunk.y) + chunk.x;
                              for (std::int64_t i = 0; i < chunk.count; ++i) {
                                const auto at = static_cast<std::size_t>(i);
                                winners.site[at] =
                                    keys[i] == kNoKey ? kUnreached : keys[i] & site_mask;
                                winners.exact[at] = keys[i] >> site_bits_;
                              }
                            });
  }

  ContextState& state_;
  const Problem& problem_;
  int site_bits_;
  std::int64_t stride_;
  Scratch::Frame scratch_;
  Key* keys_;
};

void chamfer_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                 Write write) {
  Chamfer(state, problem).run(views, write);
}

}  // namespace

void run_chamfer(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 3 * problem.cells(), chamfer_map);
}

}  // namespace thiessen::papers
