// SPDX-License-Identifier: Apache-2.0
//
// Circle growing: in each round the circles around all sites grow by a step, and cover the cells
// that they newly reach. If several circles reach a cell in the same round, the first in the order
// (S, site index) gets it; a later round has a greater S. So the step does not change results.
//
// A round looks only at the rims of the circles, between the old radius and the new one: they are
// the frontier. Everything inside is covered. Covered cells are counted by rows, and covered rows
// are left out. A site whose 8 neighbours are sites is left out as well: from any other cell one of
// these is nearer. All rounds are done for a few rows at a time, which stay in the cache.
//
// Source: Luo and Wang, "Raster graphics algorithm for Voronoi diagrams in the plane" (2003), as
// described by Tu and Wang, "Raster-based method for Voronoi diagram using GPU parallel technology"
// (2015).
//
// Notation: a circle, in the metric, is the half width of its rows, by their distance from its
// middle.
#include "cpu/raster/circle_growing.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/problem/cell_metric.hpp"
#include "core/problem/raster_choice.hpp"
#include "cpu/raster/site_bits.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

/// The site that has covered a cell, and its S.
struct Cover {
  std::int64_t exact = std::numeric_limits<std::int64_t>::max();
  std::int64_t site = kUnreached;
};

/// The greatest S of each round, until all cells are covered at the latest. A step is one of the
/// longest spacing: with the shortest many rounds might reach no new cell.
class Radii {
 public:
  explicit Radii(const Problem& problem) : problem_(problem) {
    longest_ = std::max(problem.spacing[1], problem.spacing[2]);
    most_ = std::min(problem.limit, problem.weights.greatest);
  }

  /// False after the last round.
  bool grow() {
    if (bound_ >= most_) return false;
    ++rounds_;
    const double radius = static_cast<double>(rounds_ * problem_.raster.growth_step) * longest_;
    const Int128 within = greatest_within(problem_.weights, problem_.metric, radius);
    bound_ = std::min(within, most_);
    return true;
  }
  std::int64_t bound() const { return static_cast<std::int64_t>(bound_); }

 private:
  const Problem& problem_;
  double longest_;
  Int128 most_;
  Int128 bound_ = -1;
  std::int64_t rounds_ = -1;
};

bool is_site(const raster::SiteBits& bits, const Problem& problem, std::int64_t y, std::int64_t x) {
  if (y < 0 || y >= problem.extent[1] || x < 0 || x >= problem.extent[2]) return false;
  return (bits.row(0, y)[x / 64] >> (x % 64) & 1) != 0;
}

/// Whether a site has 8 neighbours that are all sites.
bool is_inside(const raster::SiteBits& bits, const Problem& problem, std::int64_t y,
               std::int64_t x) {
  for (std::int64_t dy = -1; dy <= 1; ++dy)
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      if (!is_site(bits, problem, y + dy, x + dx)) return false;
  return true;
}

struct Middle {
  std::int64_t y;
  std::int64_t x;
};

/// The part of all circles that lies in some rows of the raster.
template <class Metric>
class CircleSlab {
 public:
  /// `covers` are the cells of the rows begin..end-1.
  CircleSlab(const Problem& problem, const Metric& metric, std::int64_t begin, std::int64_t end,
             Cover* covers)
      : problem_(problem), metric_(metric), begin_(begin), covers_(covers) {
    std::fill_n(covers, (end - begin) * width(), Cover{});
    for (std::int64_t y = begin; y < end; ++y) open_rows_.push_back({y, width()});
  }

  /// `sites` in the order of their rows.
  void grow(std::span<const Middle> sites, ContextState& state) {
    Radii radii(problem_);
    while (!open_rows_.empty() && radii.grow()) {
      state.progress.check();
      set_radius(radii.bound());
      const auto radius = static_cast<std::int64_t>(outer_.size()) - 1;
      auto site = std::lower_bound(sites.begin(), sites.end(), open_rows_.front().y - radius,
                                   [](const Middle& each, std::int64_t y) { return each.y < y; });
      for (; site != sites.end() && site->y <= open_rows_.back().y + radius; ++site)
        cover_rim(*site);
      std::erase_if(open_rows_, [](const OpenRow& row) { return row.cells == 0; });
    }
  }

  /// Covers the cell of a site that has no circle; to be called first.
  void cover_own(const Middle& site) {
    cover(site, open_rows_[static_cast<std::size_t>(site.y - begin_)], 0, site.x, site.x);
  }

 private:
  struct OpenRow {
    std::int64_t y;
    std::int64_t cells;  ///< not covered yet
  };

  std::int64_t width() const { return problem_.extent[2]; }

  void set_radius(std::int64_t bound) {
    std::swap(inner_, outer_);
    outer_.clear();
    for (std::int64_t dy = 0; dy < problem_.extent[1]; ++dy) {
      const std::int64_t reach = metric_.reach(metric_.share(0, 0, 1, dy), 2, bound);
      if (reach < 0) break;
      outer_.push_back(reach);
    }
  }

  void cover_rim(const Middle& site) {
    const auto radius = static_cast<std::int64_t>(outer_.size()) - 1;
    auto row = std::lower_bound(open_rows_.begin(), open_rows_.end(), site.y - radius,
                                [](const OpenRow& each, std::int64_t y) { return each.y < y; });
    for (; row != open_rows_.end() && row->y <= site.y + radius; ++row) {
      const std::int64_t dy = std::abs(row->y - site.y);
      const auto at = static_cast<std::size_t>(dy);
      const std::int64_t outer = outer_[at];
      const std::int64_t inner = at < inner_.size() ? inner_[at] : -1;
      cover(site, *row, dy, site.x - outer, site.x - inner - 1);
      cover(site, *row, dy, site.x + std::max<std::int64_t>(inner + 1, 0), site.x + outer);
    }
  }

  void cover(const Middle& site, OpenRow& row, std::int64_t dy, std::int64_t first,
             std::int64_t last) {
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, width() - 1);
    Cover* const covers = covers_ + (row.y - begin_) * width();
    const std::int64_t share = metric_.share(0, 0, 1, dy);
    const std::int64_t index = site.y * width() + site.x;
    for (std::int64_t x = first; x <= last; ++x) {
      const std::int64_t exact = metric_.exact(share, 2, x < site.x ? site.x - x : x - site.x);
      Cover& cell = covers[x];
      if (exact > cell.exact || (exact == cell.exact && index > cell.site)) continue;
      row.cells -= cell.site == kUnreached ? 1 : 0;
      cell = {exact, index};
    }
  }

  const Problem& problem_;
  Metric metric_;
  std::int64_t begin_;
  Cover* covers_;
  std::vector<OpenRow> open_rows_;
  std::vector<std::int64_t> inner_;
  std::vector<std::int64_t> outer_;
};

void write_covers(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write, const Cover* covers) {
  const PhaseTimer phase(state, "write");
  const Slab slab = whole_raster(problem);
  const ResultWriter<std::int64_t> writer(problem, slab, views, write);
  const std::int64_t width = problem.extent[2];
  parallel_for(state, problem.extent[1], rows_at_once(width), width,
               [&](std::int64_t begin, std::int64_t end, int) {
                 Winners<std::int64_t> winners;
                 for (std::int64_t y = begin; y < end; ++y)
                   for_each_chunk(0, y, width, [&](const Chunk& chunk) {
                     for (std::int64_t i = 0; i < chunk.count; ++i) {
                       const Cover& cell = covers[y * width + chunk.x + i];
                       winners.site[static_cast<std::size_t>(i)] = cell.site;
                       winners.exact[static_cast<std::size_t>(i)] = cell.exact;
                     }
                     writer.write(chunk, winners);
                   });
               });
}

/// The sites that have circles and those that have none, each in the order of their rows.
struct Middles {
  std::span<const Middle> circles;
  std::span<const Middle> inside;
};

Middles list_middles(Scratch::Frame& scratch, const Problem& problem,
                     const raster::SiteBits& bits) {
  auto* const circles = scratch.array<Middle>(bits.count);
  auto* const inside = scratch.array<Middle>(bits.count);
  std::size_t count[2] = {0, 0};
  for (std::int64_t y = 0; y < problem.extent[1]; ++y)
    raster::for_each_bit(bits.row(0, y), bits.row_words, [&](std::int64_t x) {
      if (is_inside(bits, problem, y, x))
        inside[count[1]++] = {y, x};
      else
        circles[count[0]++] = {y, x};
    });
  return {{circles, count[0]}, {inside, count[1]}};
}

void grow_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  constexpr std::int64_t kCellsAtOnce = 1 << 16;
  Scratch::Frame scratch(state.scratch);
  const raster::SiteBits bits = raster::read_bits(state, scratch, problem, views);
  const Middles middles = list_middles(scratch, problem, bits);
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  auto* const covers = scratch.array<Cover>(height * width);
  const std::int64_t rows = std::max<std::int64_t>(kCellsAtOnce / width, 1);
  {
    const PhaseTimer phase(state, "circles");
    with_cell_metric(problem, [&](const auto& metric) {
      parallel_for(state, height, rows, width, [&](std::int64_t begin, std::int64_t end, int) {
        CircleSlab slab(problem, metric, begin, end, covers + begin * width);
        for (const Middle& site : middles.inside)
          if (site.y >= begin && site.y < end) slab.cover_own(site);
        if (bits.count > 0) slab.grow(middles.circles, state);
      });
    });
  }
  write_covers(state, problem, views, write, covers);
}

}  // namespace

Support supports_circle_growing(const ContextState& /*state*/, const Problem& problem) {
  return thiessen::supports_circle_growing(problem);
}

void run_circle_growing(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 3 * problem.cells(), grow_map);
}

}  // namespace thiessen::cpu
