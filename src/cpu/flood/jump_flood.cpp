// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of any problem: core/problem/flooding.hpp defines a pass, and this file does it row
// by row.
//
// The state of a cell is the code of the site that it holds, or kNone. Codes are ordered like site
// indices and lead to the site's place without a division: for cells they are the coordinates side
// by side in one number, for points the place in the list.
#include "cpu/flood/jump_flood.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "core/problem/flooding_passes.hpp"
#include "core/problem/user_metric.hpp"
#include "core/search/geometry.hpp"
#include "cpu/flood/deep.hpp"
#include "cpu/flood/packed.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

using Code = std::int64_t;
constexpr Code kNone = -1;

/// Sites that are cells. An axis takes the bits of its last coordinate: at most 62 together, as a
/// raster has at most 2^60 cells.
class CellCodes {
 public:
  CellCodes(const Problem& problem, const ProblemViews&)
      : extent_(problem.extent),
        x_bits_(bits(problem.extent[2])),
        y_bits_(bits(problem.extent[1])) {}

  Code code(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return ((z << y_bits_ | y) << x_bits_) | x;
  }
  Axes place(Code code) const {
    const Code row = code >> x_bits_;
    return {row >> y_bits_, row & ((Code{1} << y_bits_) - 1), code & ((Code{1} << x_bits_) - 1)};
  }
  std::int64_t index(Code code) const { return to_index(extent_, place(code)); }

 private:
  static int bits(std::int64_t extent) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
  }

  Axes extent_;
  int x_bits_;
  int y_bits_;
};

/// Sites that are points of a list.
class PointCodes {
 public:
  PointCodes(const Problem&, const ProblemViews& views) : at_(views.points.at) {}

  const Axes& place(Code code) const { return at_[code]; }
  std::int64_t index(Code code) const { return code; }

 private:
  const Axes* at_;
};

/// S by the metrics of the library.
template <class Geometry, class Integer>
class GridMetric {
 public:
  explicit GridMetric(const Problem& problem)
      : factor_(factors_of<Integer>(problem)), period_(problem.period) {}

  Integer operator()(const Axes& from, const Axes& to) const {
    return Geometry::join(Geometry::join(along(0, from, to), along(1, from, to)),
                          along(2, from, to));
  }

 private:
  Integer along(std::size_t axis, const Axes& from, const Axes& to) const {
    return Geometry::along(factor_[axis], apart(from[axis], to[axis], period_[axis]));
  }

  std::array<Integer, kAxes> factor_;
  Axes period_;
};

/// A pass, as its rows need it.
struct Pass {
  std::int64_t number = 0;  ///< from 0
  std::int64_t step = 0;
  std::vector<Axes> offsets = {};  ///< empty: random circles
  std::uint64_t circle_seed = 0;
};

template <class Codes, class Metric, class Scalar>
class JumpFlood {
 public:
  JumpFlood(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        flooding_(*problem.flooding),
        views_(views),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        watcher_(problem, problem.rule.complement),
        scratch_(state.scratch),
        codes_(problem, views),
        metric_(problem),
        directions_(flooding_directions()),
        below_{0, problem.extent[1], 0},
        old_(scratch_.array<Code>(problem.cells())),
        new_(scratch_.array<Code>(problem.cells())) {}

  void run() {
    start();
    const std::vector<std::int64_t> steps = flooding_steps(flooding_, problem_.extent, sites_);
    state_.phases.reserve(state_.phases.size() + steps.size() + 2);
    for_each_pass(
        steps, [this](std::int64_t number, std::int64_t step) { run_pass(number, step); },
        [this](const FloodingPass& pass) { show(pass); });
    finish();
  }

 private:
  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }
  bool periodic(std::size_t axis) const { return problem_.period[axis] != kNoPeriod; }

  /// Calls visit(z, y) for all rows, on all threads.
  template <class Visit>
  void for_each_row(const Visit& visit) {
    parallel_for(state_, problem_.extent[0] * height(), rows_at_once(width()), width(),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row)
                     visit(row / height(), row % height());
                 });
  }

  Code* row_of(Code* cells, std::int64_t z, std::int64_t y) const {
    return cells + (z * height() + y) * width();
  }

  void start() {
    const PhaseTimer phase(state_, "start");
    if constexpr (std::is_same_v<Codes, PointCodes>)
      start_points();
    else
      start_cells();
    if (flooding_.noise == FloodingNoise::none || sites_ == 0) return;
    list_sites();
    if (flooding_.noise == FloodingNoise::mask) mask();
  }

  void start_points() {
    sites_ = views_.points.count;
    std::fill_n(old_, problem_.cells(), kNone);
    for (std::int64_t i = sites_ - 1; i >= 0; --i) {
      Axes cell;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        cell[axis] = start_of(views_.points.at[i][axis], problem_.fraction_bits,
                              problem_.extent[axis], periodic(axis));
      old_[to_index(problem_.extent, cell)] = i;
    }
    state_.progress.advance(problem_.cells());
  }

  void start_cells() {
    const CellReader cells(views_.sites);
    std::atomic<std::int64_t> sites{0};
    for_each_row([&](std::int64_t z, std::int64_t y) {
      ChunkBuffer buffer;
      std::array<std::uint8_t, kChunk> classes;
      for_each_chunk(z, y, width(), [&](const Chunk& chunk) {
        classify(problem_.rule, cells.read(z, y, chunk.x, chunk.count, buffer), chunk.count,
                 classes.data());
        Code* const code = row_of(old_, z, y) + chunk.x;
        std::int64_t found = 0;
        for (std::int64_t i = 0; i < chunk.count; ++i) {
          const bool is_site = classes[static_cast<std::size_t>(i)] == kSiteCell;
          code[i] = is_site ? codes_.code(z, y, chunk.x + i) : kNone;
          found += is_site ? 1 : 0;
        }
        sites.fetch_add(found, std::memory_order_relaxed);
      });
    });
    sites_ = sites;
  }

  /// Lists the codes by rank. The codes of points are their ranks.
  void list_sites() {
    if constexpr (!std::is_same_v<Codes, PointCodes>) {
      auto* next = scratch_.template array<Code>(sites_);
      by_rank_ = next;
      for (std::int64_t i = 0; i < problem_.cells(); ++i)
        if (old_[i] != kNone) *next++ = old_[i];
    }
  }

  Code noise_of(std::int64_t cell) const {
    const std::int64_t rank = noise_rank(flooding_.seed, cell, sites_);
    return by_rank_ != nullptr ? by_rank_[rank] : rank;
  }

  void mask() {
    for_each_row([&](std::int64_t z, std::int64_t y) {
      Code* const row = row_of(old_, z, y);
      for (std::int64_t x = 0; x < width(); ++x)
        if (row[x] == kNone || is_hidden(row[x])) row[x] = noise_of(row + x - old_);
    });
  }

  void run_pass(std::int64_t number, std::int64_t step) {
    PhaseTimer phase(state_, "pass");
    phase.note("step " + std::to_string(step));
    Pass pass{.number = number, .step = step};
    if (flooding_.pattern == FloodingPattern::random_circle)
      pass.circle_seed = circle_seed(flooding_.seed, number);
    else
      pass.offsets = flooding_offsets(flooding_, problem_.rank, step);
    for_each_row([&](std::int64_t z, std::int64_t y) {
      Winners<Scalar> best;
      for_each_chunk(z, y, width(), [&](const Chunk& chunk) { flood(pass, chunk, best); });
    });
    std::swap(old_, new_);
  }

  void flood(const Pass& pass, const Chunk& chunk, Winners<Scalar>& best) const {
    const Code* const own = row_of(old_, chunk.z, chunk.y) + chunk.x;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      best.site[at] = held(own[i], own + i);
      if (best.site[at] != kNone)
        best.exact[at] = distance(chunk, i, best.site[at]);
      else if (flooding_.literal)
        best.exact[at] = metric_(problem_.centre({chunk.z, chunk.y, chunk.x + i}), below_);
    }
    if (flooding_.pattern == FloodingPattern::random_circle)
      look_around(pass, chunk, best);
    else
      for (const Axes& offset : pass.offsets) look_along(offset, chunk, best);
    std::copy_n(best.site.begin(), chunk.count, row_of(new_, chunk.z, chunk.y) + chunk.x);
  }

  Scalar distance(const Chunk& chunk, std::int64_t i, Code site) const {
    return metric_(problem_.centre({chunk.z, chunk.y, chunk.x + i}), codes_.place(site));
  }

  /// Looks at the neighbours at one offset.
  void look_along(const Axes& offset, const Chunk& chunk, Winners<Scalar>& best) const {
    const std::int64_t z = neighbour_along(chunk.z, offset[0], problem_.extent[0], periodic(0));
    const std::int64_t y = neighbour_along(chunk.y, offset[1], height(), periodic(1));
    if (z < 0 || y < 0) return;
    const Code* const row = row_of(old_, z, y);
    const auto look = [&](std::int64_t shift) {
      const std::int64_t begin = std::max(chunk.x, -shift);
      const std::int64_t end = std::min(chunk.x + chunk.count, width() - shift);
      for (std::int64_t x = begin; x < end; ++x)
        consider(row + x + shift, chunk, x - chunk.x, best);
    };
    if (!periodic(2)) return look(offset[2]);
    const std::int64_t shift = neighbour_along(0, offset[2], width(), true);
    look(shift);
    if (shift != 0) look(shift - width());
  }

  /// Looks at the neighbours on a random circle.
  void look_around(const Pass& pass, const Chunk& chunk, Winners<Scalar>& best) const {
    const std::int64_t first = to_index(problem_.extent, {chunk.z, chunk.y, chunk.x});
    for (std::int64_t i = 0; i < chunk.count; ++i)
      for (int point = 0; point < flooding_.points; ++point) {
        const int direction =
            random_direction(pass.circle_seed, first + i, flooding_.points, point);
        const UnitVector& unit = directions_[static_cast<std::size_t>(direction)];
        const std::int64_t y =
            neighbour_along(chunk.y, along_direction(pass.step, unit.y), height(), periodic(1));
        const std::int64_t x =
            neighbour_along(chunk.x + i, along_direction(pass.step, unit.x), width(), periodic(2));
        if (y >= 0 && x >= 0) consider(row_of(old_, chunk.z, y) + x, chunk, i, best);
      }
  }

  /// What the paper takes for no site where others look.
  bool is_hidden(Code site) const {
    return site == 0 && flooding_.paper == FloodingPaper::czyzewski;
  }

  /// The site that a cell counts as holding whose state is `site`.
  Code held(Code site, const Code* cell) const {
    if (site == kNone && flooding_.noise == FloodingNoise::in_place && sites_ > 0)
      return noise_of(cell - old_);
    return site;
  }

  /// Considers the site that a neighbour of cell i of the chunk holds.
  void consider(const Code* neighbour, const Chunk& chunk, std::int64_t i,
                Winners<Scalar>& best) const {
    const auto at = static_cast<std::size_t>(i);
    const Code site = held(is_hidden(*neighbour) ? kNone : *neighbour, neighbour);
    if (site == kNone || site == best.site[at]) return;
    const Scalar exact = distance(chunk, i, site);
    if ((best.site[at] != kNone || flooding_.literal) &&
        !takes(flooding_.paper, exact, site, best.exact[at], best.site[at]))
      return;
    best.site[at] = site;
    best.exact[at] = exact;
  }

  void show(const FloodingPass& pass) {
    watcher_.show(pass, [this](std::int64_t* site_index) {
      for (std::int64_t i = 0; i < problem_.cells(); ++i)
        site_index[i] = old_[i] == kNone ? kUnreached : codes_.index(old_[i]);
    });
  }

  void finish() {
    const PhaseTimer phase(state_, "write");
    for_each_row([&](std::int64_t z, std::int64_t y) {
      Winners<Scalar> winners;
      for_each_chunk(z, y, width(), [&](const Chunk& chunk) {
        const Code* const codes = row_of(old_, z, y) + chunk.x;
        for (std::int64_t i = 0; i < chunk.count; ++i) {
          const auto at = static_cast<std::size_t>(i);
          winners.site[at] = codes[i] == kNone ? kUnreached : codes_.index(codes[i]);
          winners.exact[at] = codes[i] == kNone ? Scalar{0} : distance(chunk, i, codes[i]);
        }
        writer_.write(chunk, winners);
      });
    });
  }

  ContextState& state_;
  const Problem& problem_;
  const Flooding& flooding_;
  const ProblemViews& views_;
  const Slab slab_;
  ResultWriter<Scalar> writer_;
  PassWatcher watcher_;
  Scratch::Frame scratch_;
  Codes codes_;
  Metric metric_;
  std::array<UnitVector, kDirections> directions_;
  Axes below_;  ///< the place below column 0, of FloodingOptions::literal
  Code* old_;
  Code* new_;
  const Code* by_rank_ = nullptr;
  std::int64_t sites_ = 0;
};

template <class Codes>
void flood_by(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  if (problem.metric_function != nullptr)
    return JumpFlood<Codes, UserMetric, double>(state, problem, views, write).run();
  with_geometry(problem, [&]<class Geometry, class Integer>(Geometry, Integer) {
    JumpFlood<Codes, GridMetric<Geometry, Integer>, Integer>(state, problem, views, write).run();
  });
}

void flood_map(ContextState& state, const Problem& problem, const ProblemViews& views,
               Write write) {
  if (flood::supports_packed(state, problem))
    flood::run_packed(state, problem, views, write);
  else if (flood::supports_deep(state, problem))
    flood::run_deep(state, problem, views, write);
  else if (problem.point_sites)
    flood_by<PointCodes>(state, problem, views, write);
  else
    flood_by<CellCodes>(state, problem, views, write);
}

/// Units of progress of one run with as many sites as possible.
std::int64_t flood_units(const Problem& problem) {
  const auto passes = flooding_steps(*problem.flooding, problem.extent, problem.cells()).size();
  const bool noisy = problem.flooding->noise != FloodingNoise::none;
  return problem.cells() * (static_cast<std::int64_t>(passes) + (noisy ? 3 : 2));
}

}  // namespace

Support supports_jump_flood(const ContextState& /*state*/, const Problem& problem) {
  return supports_flooding(problem);
}

void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, flood_units(problem), flood_map);
}

}  // namespace thiessen::cpu
