// SPDX-License-Identifier: Apache-2.0
//
// Compares every cell with every site, a chunk of cells with one site after the other.
#include "papers/brute_force.hpp"

#include <span>

#include "core/search/site_cells.hpp"
#include "papers/methods.hpp"
#include "papers/place_metric.hpp"
#include "papers/rows.hpp"

namespace thiessen::papers {
namespace {

constexpr std::int64_t kSitesBetweenChecks = 1024;

/// The places of all sites in the order of their index, and that of a cell.
struct SiteList {
  const Axes* at = nullptr;
  std::int64_t count = 0;
  const Problem& problem;

  std::int64_t index(std::int64_t rank) const {
    return problem.point_sites ? rank : to_index(problem.extent, at[rank]);
  }
};

SiteList list_sites(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                    const ProblemViews& views) {
  if (problem.point_sites) return {views.points.at, views.points.count, problem};
  Axes* sites = nullptr;
  const std::int64_t count = list_site_cells(
      problem, views.sites, state.progress,
      [&](std::int64_t most) { sites = scratch.array<Axes>(most); },
      [&, next = std::int64_t{0}](const Axes& cell) mutable { sites[next++] = cell; });
  return {sites, count, problem};
}

/// Sites come in the order of their index, so an equally near one does not win.
template <class Metric, class Scalar>
void compare(const Metric metric, const Problem& problem, const SiteList& sites, std::int64_t rank,
             const Chunk& chunk, Winners<Scalar>& winners) {
  const Axes site = sites.at[rank];
  const std::int64_t index = sites.index(rank);
  Axes from = problem.centre({chunk.z, chunk.y, chunk.x});
  const std::int64_t cell = std::int64_t{1} << problem.fraction_bits;
  for (std::size_t i = 0; i < static_cast<std::size_t>(chunk.count); ++i, from[2] += cell) {
    const Scalar exact = metric(from, site);
    if (rank > 0 && exact >= winners.exact[i]) continue;
    winners.site[i] = index;
    winners.exact[i] = exact;
  }
}

}  // namespace

void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write) {
  const PhaseTimer phase(state, "scan");
  Scratch::Frame scratch(state.scratch);
  const SiteList sites = list_sites(state, scratch, problem, views);
  with_place_metric(problem, [&]<class Scalar>(const auto& metric, Scalar) {
    write_map<Scalar>(state, problem, views, write, 1,
                      [&](const Chunk& chunk, Winners<Scalar>& winners) {
                        winners.site.fill(kUnreached);
                        winners.exact.fill(0);
                        for (std::int64_t rank = 0; rank < sites.count; ++rank) {
                          if (rank % kSitesBetweenChecks == 0) state.progress.check();
                          compare(metric, problem, sites, rank, chunk, winners);
                        }
                      });
  });
}

void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, problem.cells(), compare_with_all);
}

}  // namespace thiessen::papers
