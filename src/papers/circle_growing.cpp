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
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/problem/cell_metric.hpp"
#include "core/search/site_cells.hpp"
#include "papers/methods.hpp"
#include "papers/rows.hpp"
#include "threads/rows.hpp"

namespace thiessen::papers {
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

struct Middle {
  std::int64_t y;
  std::int64_t x;
};

/// The part of all circles that lies in some rows of the raster.
template <class Metric>
class CircleSlab {
 public:
  /// `covers` are the cells of the rows begin..end-1; those of sites are covered.
  CircleSlab(const Problem& problem, const Metric& metric, std::int64_t begin, std::int64_t end,
             Cover* covers)
      : problem_(problem), metric_(metric), begin_(begin), covers_(covers) {
    for (std::int64_t y = begin; y < end; ++y, covers += width()) {
      const std::int64_t cells = std::count_if(
          covers, covers + width(), [](const Cover& cell) { return cell.site == kUnreached; });
      if (cells > 0) open_rows_.push_back({y, cells});
    }
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

class CircleGrowing {
 public:
  CircleGrowing(ContextState& state, const Problem& problem)
      : state_(state),
        problem_(problem),
        scratch_(state.scratch),
        covers_(scratch_.array<Cover>(problem.cells())) {
    std::fill_n(covers_, problem.cells(), Cover{});
  }

  void run(const ProblemViews& views, Write write) {
    cover_sites(views);
    grow();
    write_all(views, write);
  }

 private:
  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }

  /// Covers the cells of sites, and lists the sites that have a circle.
  void cover_sites(const ProblemViews& views) {
    Middle* sites = nullptr;
    const std::int64_t count = list_site_cells(
        problem_, views.sites, state_.progress,
        [&](std::int64_t most) { sites = scratch_.array<Middle>(most); },
        [&, next = std::int64_t{0}](const Axes& cell) mutable {
          sites[next++] = {cell[1], cell[2]};
          const std::int64_t index = to_index(problem_.extent, cell);
          covers_[index] = {0, index};
        });
    Middle* const end = std::remove_if(sites, sites + count,
                                       [this](const Middle& site) { return is_inside(site); });
    circles_ = {sites, end};
  }

  bool is_site(std::int64_t y, std::int64_t x) const {
    return y >= 0 && y < height() && x >= 0 && x < width() && covers_[y * width() + x].exact == 0;
  }

  /// Whether a site has 8 neighbours that are all sites.
  bool is_inside(const Middle& site) const {
    for (std::int64_t dy = -1; dy <= 1; ++dy)
      for (std::int64_t dx = -1; dx <= 1; ++dx)
        if (!is_site(site.y + dy, site.x + dx)) return false;
    return true;
  }

  void grow() {
    constexpr std::int64_t kCellsAtOnce = 1 << 16;
    const PhaseTimer phase(state_, "circles");
    const std::int64_t rows = std::max<std::int64_t>(kCellsAtOnce / width(), 1);
    with_cell_metric(problem_, [&](const auto& metric) {
      parallel_for(state_, height(), rows, width(), [&](std::int64_t begin, std::int64_t end, int) {
        CircleSlab slab(problem_, metric, begin, end, covers_ + begin * width());
        if (!circles_.empty()) slab.grow(circles_, state_);
      });
    });
  }

  void write_all(const ProblemViews& views, Write write) const {
    const PhaseTimer phase(state_, "write");
    write_map<std::int64_t>(state_, problem_, views, write, rows_per_task(width()),
                            [&](const Chunk& chunk, Winners<std::int64_t>& winners) {
                              const Cover* cell = covers_ + chunk.y * width() + chunk.x;
                              for (std::size_t i = 0; i < static_cast<std::size_t>(chunk.count);
                                   ++i, ++cell) {
                                winners.site[i] = cell->site;
                                winners.exact[i] = cell->exact;
                              }
                            });
  }

  ContextState& state_;
  const Problem& problem_;
  Scratch::Frame scratch_;
  Cover* covers_;
  std::span<const Middle> circles_;
};

void grow_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  CircleGrowing(state, problem).run(views, write);
}

}  // namespace

void run_circle_growing(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), grow_map);
}

}  // namespace thiessen::papers
