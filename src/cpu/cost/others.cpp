// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/others.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/cost_labels.hpp"
#include "core/label_groups.hpp"
#include "cpu/cost/dijkstra.hpp"

namespace thiessen::cpu {
namespace {

/// The number of a label, or of no label.
using Region = std::uint32_t;
inline constexpr Region kNoRegion = 0xFFFFFFFFu;

/// The region of each site: sites without labels have one each.
template <class T>
const Region* regions_of_sites(const CostSites<T>& sites, ElementType label_type,
                               Scratch::Frame& scratch) {
  auto* const regions = scratch.array<Region>(sites.count);
  LabelGroups groups(label_type);
  const std::size_t element = size_of(label_type);
  for (std::int64_t rank = 0; rank < sites.count; ++rank)
    regions[rank] = sites.label == nullptr
                        ? static_cast<Region>(rank)
                        : groups.group_of(sites.label + static_cast<std::size_t>(rank) * element);
  return regions;
}

template <class T>
class OtherFinder {
 public:
  OtherFinder(ContextState& state, const CostJob<T>& job, const Rank* rank,
              const Region* region_of_site, const Loop& loop, Scratch::Frame& scratch)
      : state_(state),
        job_(job),
        rank_(rank),
        region_of_site_(region_of_site),
        loop_(loop),
        deltas_(neighbour_deltas(job.edges, job.problem.extent)),
        region_(scratch.array<Region>(job.problem.cells())),
        other_{scratch.array<T>(job.problem.cells()), scratch.array<Rank>(job.problem.cells())} {}

  OtherSites<T> run() {
    find_regions();
    start_costs();
    settle_costs();
    start_ranks();
    spread_ranks();
    return other_;
  }

 private:
  struct Seed {
    Rank rank;
    std::int64_t cell;
  };

  /// Calls visit(cell) for all cells, on all threads.
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    const Axes& extent = job_.problem.extent;
    loop_(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin * extent[2]; cell < end * extent[2]; ++cell) visit(cell);
    });
  }

  /// Calls visit(neighbour, weight) for the neighbours of a cell; the step costs the same both
  /// ways, and NaN if it does not pass.
  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    const Axes& extent = job_.problem.extent;
    std::uint32_t inside = neighbours_inside(job_.edges, extent, to_cell(extent, cell));
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      visit(cell + deltas_[static_cast<std::size_t>(k)],
            step_weight(job_.edges, k, job_.resistance + cell, extent[1] * extent[2], extent[2]));
    }
  }

  /// Calls visit(rank, cell) for the sites that lie in a region of another label.
  template <class Visit>
  void for_each_site_elsewhere(const Visit& visit) const {
    for (std::int64_t rank = 0; rank < job_.sites.count; ++rank) {
      const std::int64_t cell = job_.sites.cell[rank];
      if (cell != kNoCell && region_[cell] != kNoRegion && region_[cell] != region_of_site_[rank])
        visit(static_cast<Rank>(rank), cell);
    }
  }

  void find_regions() {
    for_each_cell([&](std::int64_t cell) {
      region_[cell] = rank_[cell] == kNoRank ? kNoRegion : region_of_site_[rank_[cell]];
    });
  }

  /// What reaches a cell from the sites in it and from the neighbours of another label.
  void start_costs() {
    for_each_cell([&](std::int64_t cell) {
      T least = std::numeric_limits<T>::infinity();
      if (region_[cell] != kNoRegion)
        for_each_neighbour(cell, [&](std::int64_t from, T weight) {
          const T cost = along(job_.cost[from], weight);
          if (region_[from] != region_[cell] && cost < least && cost <= job_.limit) least = cost;
        });
      other_.cost[cell] = least;
    });
    for_each_site_elsewhere([&](Rank rank, std::int64_t cell) {
      const T initial = job_.sites.initial_of(rank);
      if (initial <= job_.limit) other_.cost[cell] = std::min(other_.cost[cell], initial);
    });
  }

  void settle_costs() {
    CostJob<T> inside = job_;
    inside.cost = other_.cost;
    solve_within_regions(state_, inside, region_);
  }

  /// The cost of a cell without the sites of a region.
  T cost_without(Region region, std::int64_t cell) const {
    return region_[cell] == region ? other_.cost[cell] : job_.cost[cell];
  }

  /// The ranks that enter a region from its neighbours, or begin in it.
  void start_ranks() {
    for_each_cell([&](std::int64_t cell) {
      Rank least = kNoRank;
      const T own = other_.cost[cell];
      if (own < std::numeric_limits<T>::infinity())
        for_each_neighbour(cell, [&](std::int64_t from, T weight) {
          if (region_[from] != region_[cell] && is_tight(job_.cost[from], weight, own))
            least = std::min(least, rank_[from]);
        });
      other_.rank[cell] = least;
    });
    for_each_site_elsewhere([&](Rank rank, std::int64_t cell) {
      if (job_.sites.initial_of(rank) == other_.cost[cell])
        other_.rank[cell] = std::min(other_.rank[cell], rank);
    });
  }

  /// In ascending order, so that no cell is lowered twice.
  void spread_ranks() {
    std::vector<Seed> seeds;
    for (std::int64_t cell = 0; cell < job_.problem.cells(); ++cell)
      if (other_.rank[cell] != kNoRank) seeds.push_back({other_.rank[cell], cell});
    std::sort(seeds.begin(), seeds.end(), [](const Seed& a, const Seed& b) {
      return std::pair(a.rank, a.cell) < std::pair(b.rank, b.cell);
    });
    constexpr std::size_t kStride = 4096;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      if (i % kStride == 0) state_.progress.check();
      if (other_.rank[seeds[i].cell] == seeds[i].rank) spread(seeds[i]);
    }
  }

  void spread(const Seed& seed) {
    const Region region = region_[seed.cell];
    stack_.push_back(seed.cell);
    while (!stack_.empty()) {
      const std::int64_t cell = stack_.back();
      stack_.pop_back();
      const T own = cost_without(region, cell);
      for_each_neighbour(cell, [&](std::int64_t next, T weight) {
        if (is_tight(own, weight, cost_without(region, next)) && lower(region, next, seed.rank))
          stack_.push_back(next);
      });
    }
  }

  /// Lowers the rank that a cell has without the sites of a region; whether it was greater.
  bool lower(Region region, std::int64_t cell, Rank rank) {
    if (region_[cell] != region)
      return rank < rank_[cell] && outside_.insert({region, cell}).second;
    if (rank >= other_.rank[cell]) return false;
    other_.rank[cell] = rank;
    return true;
  }

  ContextState& state_;
  const CostJob<T>& job_;
  const Rank* rank_;
  const Region* region_of_site_;
  const Loop& loop_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  Region* region_;  ///< of each cell
  OtherSites<T> other_;
  std::vector<std::int64_t> stack_;
  /// Cells outside of a region that have a lesser rank without its sites. Ranks come in ascending
  /// order, so the first one stays.
  std::set<std::pair<Region, std::int64_t>> outside_;
};

}  // namespace

template <class T>
OtherSites<T> find_others(ContextState& state, const CostJob<T>& job, const Rank* rank,
                          ElementType label_type, const Loop& loop, Scratch::Frame& scratch) {
  const PhaseTimer phase(state, "other labels");
  const Region* const regions = regions_of_sites(job.sites, label_type, scratch);
  return OtherFinder<T>(state, job, rank, regions, loop, scratch).run();
}
template OtherSites<float> find_others(ContextState&, const CostJob<float>&, const Rank*,
                                       ElementType, const Loop&, Scratch::Frame&);
template OtherSites<double> find_others(ContextState&, const CostJob<double>&, const Rank*,
                                        ElementType, const Loop&, Scratch::Frame&);

}  // namespace thiessen::cpu
