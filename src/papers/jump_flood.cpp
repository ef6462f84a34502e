// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of any problem: core/problem/flooding.hpp defines a pass, and this file does it row
// by row.
//
// The state of a cell is the code of the site that it holds, or kNone. Codes are ordered like site
// indices and lead to the site's place without a division: for cells they are the coordinates side
// by side in one number, for points the place in the list.
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "core/problem/flooding_passes.hpp"
#include "papers/methods.hpp"
#include "papers/place_metric.hpp"
#include "papers/rows.hpp"
#include "threads/rows.hpp"

namespace thiessen::papers {
namespace {

using Code = std::int64_t;
constexpr Code kNone = std::numeric_limits<Code>::max();

/// More than any S.
template <class Scalar>
constexpr Scalar kFarthest = Scalar{1} << (8 * sizeof(Scalar) - 2);
template <>
constexpr double kFarthest<double> = std::numeric_limits<double>::infinity();

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

/// A pass, as its rows need it.
struct Pass {
  std::int64_t step = 0;
  const Code* seen = nullptr;      ///< the state, as cells see it of others
  std::vector<Axes> offsets = {};  ///< empty: random circles
  std::uint64_t circle_seed = 0;
};

template <class Codes, class Metric, class Scalar>
class JumpFlood {
 public:
  JumpFlood(ContextState& state, const Problem& problem, const ProblemViews& views,
            const Metric& metric)
      : state_(state),
        problem_(problem),
        flooding_(*problem.flooding),
        views_(views),
        watcher_(problem, problem.rule.complement),
        scratch_(state.scratch),
        codes_(problem, views),
        metric_(metric),
        directions_(flooding_directions()),
        below_{0, problem.extent[1], 0},
        old_(scratch_.array<Code>(problem.cells())),
        new_(scratch_.array<Code>(problem.cells())) {}

  void run(Write write) {
    start();
    const std::vector<std::int64_t> steps = flooding_steps(flooding_, problem_.extent, sites_);
    state_.phases.reserve(state_.phases.size() + steps.size() + 2);
    for_each_pass(
        steps, [this](std::int64_t number, std::int64_t step) { run_pass(number, step); },
        [this](const FloodingPass& pass) { show(pass); });
    finish(write);
  }

 private:
  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }
  bool periodic(std::size_t axis) const { return problem_.period[axis] != kNoPeriod; }

  /// Calls visit(z, y) for all rows, on all threads.
  template <class Visit>
  void for_each_row(const Visit& visit) {
    papers::for_each_row(state_, problem_, rows_per_task(width()), visit);
  }

  template <class Cell>
  Cell* row_of(Cell* cells, std::int64_t z, std::int64_t y) const {
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
    if (flooding_.noise == FloodingNoise::mask) put_noise();
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

  /// Gives empty cells random sites.
  void put_noise() {
    for_each_row([&](std::int64_t z, std::int64_t y) {
      Code* const row = row_of(old_, z, y);
      for (std::int64_t x = 0; x < width(); ++x)
        if (row[x] == kNone || (flooding_.noise == FloodingNoise::mask && is_hidden(row[x])))
          row[x] = noise_of(row + x - old_);
    });
  }

  void run_pass(std::int64_t number, std::int64_t step) {
    // The first pass sees the same noise in place as in a mask.
    if (number == 0 && flooding_.noise == FloodingNoise::in_place && sites_ > 0) put_noise();
    PhaseTimer phase(state_, "pass");
    phase.note("step " + std::to_string(step));
    if (flooding_.paper == FloodingPaper::czyzewski) hide();
    const Code* const seen = hidden_ != nullptr ? hidden_ : old_;
    Pass pass{.step = step, .seen = seen};
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

  /// Makes the state as others see it.
  void hide() {
    if (hidden_ == nullptr) hidden_ = scratch_.template array<Code>(problem_.cells());
    for_each_row([&](std::int64_t z, std::int64_t y) {
      const Code* const row = row_of(old_, z, y);
      for (std::int64_t x = 0; x < width(); ++x)
        row_of(hidden_, z, y)[x] = !is_hidden(row[x]) ? row[x]
                                   : flooding_.noise == FloodingNoise::in_place
                                       ? noise_of(row + x - old_)
                                       : kNone;
    });
  }

  /// What the paper takes for no site where others look.
  bool is_hidden(Code site) const {
    return site == 0 && flooding_.paper == FloodingPaper::czyzewski;
  }

  void flood(const Pass& pass, const Chunk& chunk, Winners<Scalar>& best) const {
    const Code* const own = row_of(old_, chunk.z, chunk.y) + chunk.x;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      best.site[at] = own[i];
      best.exact[at] = own[i] != kNone ? distance(chunk, i, own[i])
                       : flooding_.literal
                           ? metric_(problem_.centre({chunk.z, chunk.y, chunk.x + i}), below_)
                           : kFarthest<Scalar>;
    }
    if (flooding_.pattern == FloodingPattern::random_circle)
      look_around(pass, chunk, best);
    else
      for (const Axes& offset : pass.offsets) look_along(pass, offset, chunk, best);
    std::copy_n(best.site.begin(), chunk.count, row_of(new_, chunk.z, chunk.y) + chunk.x);
  }

  Scalar distance(const Chunk& chunk, std::int64_t i, Code site) const {
    return metric_(problem_.centre({chunk.z, chunk.y, chunk.x + i}), codes_.place(site));
  }

  /// Looks at the neighbours at one offset.
  void look_along(const Pass& pass, const Axes& offset, const Chunk& chunk,
                  Winners<Scalar>& best) const {
    const std::int64_t z = neighbour_along(chunk.z, offset[0], problem_.extent[0], periodic(0));
    const std::int64_t y = neighbour_along(chunk.y, offset[1], height(), periodic(1));
    if (z < 0 || y < 0) return;
    const Code* const row = row_of(pass.seen, z, y);
    const auto look = [&](std::int64_t shift) {
      const std::int64_t begin = std::max(chunk.x, -shift);
      const std::int64_t end = std::min(chunk.x + chunk.count, width() - shift);
      consider(row + begin + shift, end - begin, chunk, begin - chunk.x, best);
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
        if (y >= 0 && x >= 0) consider(row_of(pass.seen, chunk.z, y) + x, 1, chunk, i, best);
      }
  }

  /// Considers the sites that `count` neighbours side by side hold, for the cells of the chunk from
  /// the first on. Copies of members stay in registers.
  void consider(const Code* neighbour, std::int64_t count, const Chunk& chunk, std::int64_t first,
                Winners<Scalar>& best) const {
    const Metric metric = metric_;
    const Codes codes = codes_;
    const FloodingPaper paper = flooding_.paper;
    const std::int64_t cell = std::int64_t{1} << problem_.fraction_bits;
    Axes centre = problem_.centre({chunk.z, chunk.y, chunk.x + first});
    for (std::int64_t i = 0; i < count; ++i, centre[2] += cell) {
      const Code site = neighbour[i];
      if (site == kNone) continue;
      const Scalar exact = metric(centre, codes.place(site));
      const auto at = static_cast<std::size_t>(first + i);
      const Code before = best.site[at];
      const Scalar least = best.exact[at];
      const bool taken = takes(paper, exact, site, least, before);
      best.site[at] = taken ? site : before;
      best.exact[at] = taken ? exact : least;
    }
  }

  void show(const FloodingPass& pass) {
    watcher_.show(pass, [this](std::int64_t* site_index) {
      for (std::int64_t i = 0; i < problem_.cells(); ++i)
        site_index[i] = old_[i] == kNone ? kUnreached : codes_.index(old_[i]);
    });
  }

  void finish(Write write) {
    const PhaseTimer phase(state_, "write");
    write_map<Scalar>(state_, problem_, views_, write, rows_per_task(width()),
                      [&](const Chunk& chunk, Winners<Scalar>& winners) {
                        const Code* const codes = row_of(old_, chunk.z, chunk.y) + chunk.x;
                        for (std::int64_t i = 0; i < chunk.count; ++i) {
                          const auto at = static_cast<std::size_t>(i);
                          const bool reached = codes[i] != kNone;
                          winners.site[at] = reached ? codes_.index(codes[i]) : kUnreached;
                          winners.exact[at] = reached ? distance(chunk, i, codes[i]) : Scalar{0};
                        }
                      });
  }

  ContextState& state_;
  const Problem& problem_;
  const Flooding& flooding_;
  const ProblemViews& views_;
  PassWatcher watcher_;
  Scratch::Frame scratch_;
  Codes codes_;
  Metric metric_;
  std::array<UnitVector, kDirections> directions_;
  Axes below_;  ///< the place below column 0, of FloodingOptions::literal
  Code* old_;
  Code* new_;
  Code* hidden_ = nullptr;
  const Code* by_rank_ = nullptr;
  std::int64_t sites_ = 0;
};

void flood_map(ContextState& state, const Problem& problem, const ProblemViews& views,
               Write write) {
  with_place_metric(problem, [&]<class Metric, class Scalar>(const Metric& metric, Scalar) {
    if (problem.point_sites)
      JumpFlood<PointCodes, Metric, Scalar>(state, problem, views, metric).run(write);
    else
      JumpFlood<CellCodes, Metric, Scalar>(state, problem, views, metric).run(write);
  });
}

/// Units of progress of one run with as many sites as possible.
std::int64_t flood_units(const Problem& problem) {
  const auto passes = flooding_steps(*problem.flooding, problem.extent, problem.cells()).size();
  const bool noisy = problem.flooding->noise != FloodingNoise::none;
  return problem.cells() * (static_cast<std::int64_t>(passes) + (noisy ? 3 : 2));
}

}  // namespace

void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, flood_units(problem), flood_map);
}

}  // namespace thiessen::papers
