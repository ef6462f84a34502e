// SPDX-License-Identifier: Apache-2.0
//
// Compares every cell with every site: by the scan's vectors if they take the problem, else chunk
// by chunk with integers as wide as S needs, or with the user's metric.
#include "cpu/raster/brute_force.hpp"

#include <array>
#include <span>
#include <type_traits>

#include "core/order/measure.hpp"
#include "core/problem/user_metric.hpp"
#include "core/search/geometry.hpp"
#include "core/search/site_cells.hpp"
#include "cpu/earth/earth.hpp"
#include "cpu/raster/scan.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

struct Site {
  Axes at;
  std::int64_t index;
};

std::span<const Site> list_cells(ContextState& state, Scratch::Frame& scratch,
                                 const Problem& problem, const ProblemViews& views) {
  Site* sites = nullptr;
  Site* next = nullptr;
  list_site_cells(
      problem, views.sites, state.progress,
      [&](std::int64_t count) { sites = next = scratch.array<Site>(count); },
      [&](const Axes& cell) {
        *next++ = {cell, to_index(problem.extent, cell)};
      });
  return {sites, next};
}

std::span<const Site> list_points(Scratch::Frame& scratch, const PointSites& points) {
  auto* const sites = scratch.array<Site>(points.count);
  for (std::int64_t i = 0; i < points.count; ++i) sites[i] = {points.at[i], i};
  return {sites, static_cast<std::size_t>(points.count)};
}

std::span<const Site> list_sites(ContextState& state, Scratch::Frame& scratch,
                                 const Problem& problem, const ProblemViews& views) {
  return problem.point_sites ? list_points(scratch, views.points)
                             : list_cells(state, scratch, problem, views);
}

/// S of a chunk's cells to one site after the other, by the metrics of the library.
template <class Geometry, class Scalar>
class GridMetric {
 public:
  explicit GridMetric(const Problem& problem) : problem_(problem) {}

  /// Computes S from consecutive cells of a row, beginning at `from`, to one site.
  class FromRow {
   public:
    FromRow(const GridMetric& metric, const Axes& from, const Axes& site)
        : metric_(metric),
          base_(
              Geometry::join(metric.along(0, from[0], site[0]), metric.along(1, from[1], site[1]))),
          x_(from[2]),
          site_x_(site[2]) {}

    Scalar operator()(std::int64_t right) const {
      return Geometry::join(base_, metric_.along(2, x_ + right, site_x_));
    }

   private:
    const GridMetric& metric_;
    Scalar base_;
    std::int64_t x_;
    std::int64_t site_x_;
  };

 private:
  Scalar along(std::size_t axis, std::int64_t a, std::int64_t b) const {
    return Geometry::along(factor_[axis], apart(a, b, problem_.period[axis]));
  }

  const Problem& problem_;
  std::array<Scalar, kAxes> factor_ = factors_of<Scalar>(problem_);
};

/// The same for the octagonal metric, which takes both axes at once.
class OctagonalMetric {
 public:
  explicit OctagonalMetric(const Problem& problem) : period_(problem.period) {}

  class FromRow {
   public:
    FromRow(const OctagonalMetric& metric, const Axes& from, const Axes& site)
        : period_(metric.period_[2]),
          dy_(apart(from[1], site[1], metric.period_[1])),
          x_(from[2]),
          site_x_(site[2]) {}

    std::int64_t operator()(std::int64_t right) const {
      return across<thiessen::Metric::octagonal>(dy_, apart(x_ + right, site_x_, period_));
    }

   private:
    std::int64_t period_;
    std::int64_t dy_;
    std::int64_t x_;
    std::int64_t site_x_;
  };

 private:
  Axes period_;
};

/// The same for a metric of the user.
class OwnMetric {
 public:
  explicit OwnMetric(const Problem& problem) : metric_(problem) {}

  class FromRow {
   public:
    FromRow(const OwnMetric& metric, const Axes& from, const Axes& site)
        : metric_(metric.metric_), from_(from), site_(site) {}

    double operator()(std::int64_t right) const {
      return metric_({from_[0], from_[1], from_[2] + right}, site_);
    }

   private:
    const UserMetric& metric_;
    Axes from_;
    const Axes& site_;
  };

 private:
  UserMetric metric_;
};

template <class Metric, class Scalar>
class BruteForce {
 public:
  BruteForce(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        scratch_(state.scratch),
        sites_(list_sites(state, scratch_, problem, views)) {}

  void run() {
    const PhaseTimer phase(state_, "brute force");
    const std::int64_t height = problem_.extent[1];
    parallel_for(state_, problem_.extent[0] * height, 1, problem_.extent[2],
                 [&](std::int64_t begin, std::int64_t end, int) {
                   Winners<Scalar> winners;
                   for (std::int64_t row = begin; row < end; ++row)
                     for_each_chunk(row / height, row % height, problem_.extent[2],
                                    [&](const Chunk& chunk) { solve(chunk, winners); });
                 });
  }

 private:
  static constexpr std::size_t kSitesBetweenChecks = 1024;

  void solve(const Chunk& chunk, Winners<Scalar>& winners) const {
    winners.site.fill(kUnreached);
    winners.exact.fill(0);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      compare(sites_[i], chunk, winners);
      if (i % kSitesBetweenChecks == 0) state_.progress.check();
    }
    writer_.write(chunk, winners);
  }

  void compare(const Site& site, const Chunk& chunk, Winners<Scalar>& winners) const {
    const typename Metric::FromRow metric(metric_, problem_.centre({chunk.z, chunk.y, chunk.x}),
                                          site.at);
    const std::int64_t cell = std::int64_t{1} << problem_.fraction_bits;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Scalar exact = metric(i * cell);
      // Sites come in the order of their index, so an equally near one does not win.
      if (winners.site[at] != kUnreached && exact >= winners.exact[at]) continue;
      winners.site[at] = site.index;
      winners.exact[at] = exact;
    }
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab slab_;
  ResultWriter<Scalar> writer_;
  Scratch::Frame scratch_;
  std::span<const Site> sites_;
  Metric metric_{problem_};
};

/// Takes any problem.
void search_any(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  if (problem.metric_function != nullptr)
    return BruteForce<OwnMetric, double>(state, problem, views, write).run();
  if (problem.metric == Metric::octagonal)
    return BruteForce<OctagonalMetric, std::int64_t>(state, problem, views, write).run();
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    BruteForce<GridMetric<Geometry, Scalar>, Scalar>(state, problem, views, write).run();
  });
}

void search_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  compare_with_all(state, problem, views, write);
}

}  // namespace

void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write) {
  if (!can_scan(problem, 1)) return search_any(state, problem, views, write);
  Scratch::Frame scratch(state.scratch);
  compare_with_all(state, problem, views, write, raster::read_bits(state, scratch, problem, views));
}

void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write, const raster::SiteBits& bits) {
  if (!can_scan(problem, bits.count)) return search_any(state, problem, views, write);
  Scratch::Frame scratch(state.scratch);
  scan_sites(state, problem, views, write, raster::list_sites(scratch, problem, bits));
}

Support supports_brute_force(const ContextState&, const Problem& problem) {
  if (problem.raster.allotment)
    return {"it has no allotment, since its threads take rows; cuda and opencl have it"};
  return problem.earth != nullptr ? Support{} : thiessen::supports_scan(problem);
}

void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (problem.earth != nullptr) return run_earth_by_force(state, problem, views);
  make_maps(state, problem, views, 2 * problem.cells(), search_map);
}

}  // namespace thiessen::cpu
