// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/others.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/cost/labels.hpp"
#include "cpu/cost/dijkstra.hpp"
#include "cpu/others/label_codes.hpp"
#include "cpu/others/label_groups.hpp"

namespace thiessen::cpu {
namespace {

/// The number of a label, or of no label.
using Region = std::uint32_t;
inline constexpr Region kNoRegion = 0xFFFFFFFFu;

/// Fills in the region of each site, and returns how many there are: sites without labels have one
/// each.
template <class T>
std::int64_t find_regions_of_sites(const CostSites<T>& sites, ElementType label_type,
                                   Region* regions) {
  LabelGroups groups(label_type);
  const std::size_t element = size_of(label_type);
  for (std::int64_t rank = 0; rank < sites.count; ++rank)
    regions[rank] = sites.label == nullptr
                        ? static_cast<Region>(rank)
                        : groups.group_of(sites.label + static_cast<std::size_t>(rank) * element);
  return sites.label == nullptr ? sites.count : groups.count();
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

  OtherSites<T> run(std::int64_t labels) {
    find_regions();
    list_rims();
    if (solves_by_passes(state_, job_))
      settle_by_parts(labels);
    else
      settle_within_regions();
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

  /// Calls visit(neighbour, k) for the neighbours of a cell.
  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    thiessen::for_each_neighbour(job_.edges, deltas_, job_.problem.extent, cell, visit);
  }

  /// The same with what the step to the neighbour costs; NaN if it does not pass.
  template <class Visit>
  void for_each_step(std::int64_t cell, const Visit& visit) const {
    for_each_neighbour(cell, [&](std::int64_t next, int k) { visit(next, weight_of(cell, k)); });
  }

  /// The same with what the step from the neighbour costs.
  template <class Visit>
  void for_each_step_into(std::int64_t cell, const Visit& visit) const {
    for_each_neighbour(cell, [&](std::int64_t from, int k) {
      visit(from, weight_of(from, job_.edges.count - 1 - k));
    });
  }

  /// The cost of step k from a cell.
  T weight_of(std::int64_t cell, int k) const {
    return step_weight(job_.edges, job_.placed, k, job_.resistance, cell, job_.problem.extent);
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

  /// Lists the cells that have a neighbour of another label.
  void list_rims() {
    for (std::int64_t cell = 0; cell < job_.problem.cells(); ++cell) {
      if (region_[cell] == kNoRegion) continue;
      bool is_rim = false;
      for_each_neighbour(cell, [&](std::int64_t other, int) {
        is_rim |= region_[other] != region_[cell] && region_[other] != kNoRegion;
      });
      if (is_rim) rims_.push_back(cell);
    }
  }

  void settle_within_regions() {
    state_.progress.begin_rest(kUnitsOfOthers * job_.problem.cells());
    fill_costs(other_.cost);
    for (const std::int64_t cell : rims_)
      for_each_step_into(cell, [&](std::int64_t from, T weight) {
        const T cost = along(job_.cost[from], weight);
        if (region_[from] != region_[cell] && cost <= job_.limit)
          other_.cost[cell] = std::min(other_.cost[cell], cost);
      });
    for_each_site_elsewhere([&](Rank rank, std::int64_t cell) {
      lower(other_.cost[cell], job_.sites.initial_of(rank));
    });
    CostJob<T> inside = job_;
    inside.cost = other_.cost;
    solve_within_regions(state_, inside, region_);
  }

  void settle_by_parts(std::int64_t labels) {
    Scratch::Frame scratch(state_.scratch);
    const int digits = digits_for(labels);
    auto* const codes = scratch.array<std::uint64_t>(labels);
    list_codes(digits, labels, codes);
    CostJob<T> part = job_;
    part.cost = scratch.array<T>(job_.problem.cells());
    state_.progress.begin_rest((digits * kUnitsOfCost + 3) * job_.problem.cells());
    fill_costs(other_.cost);
    for (int digit = 0; digit < digits; ++digit)
      settle_part(part, [&](Region region) { return (codes[region] >> digit & 1) != 0; });
  }

  /// Takes the costs from the sites whose regions have a digit, in the other regions.
  template <class HasDigit>
  void settle_part(CostJob<T>& part, const HasDigit& has_digit) {
    starts_.clear();
    for_each_cell([&](std::int64_t cell) {
      const bool known = region_[cell] != kNoRegion && has_digit(region_[cell]);
      part.cost[cell] = known ? job_.cost[cell] : std::numeric_limits<T>::infinity();
    });
    for (const std::int64_t cell : rims_)
      if (has_digit(region_[cell])) starts_.push_back(cell);
    for_each_site_elsewhere([&](Rank rank, std::int64_t cell) {
      if (!has_digit(region_of_site_[rank]) || has_digit(region_[cell])) return;
      lower(part.cost[cell], job_.sites.initial_of(rank));
      starts_.push_back(cell);
    });
    part.sites = {.count = std::ssize(starts_), .cell = starts_.data()};
    CostDistanceReport report;
    solve_exactly(state_, part, report);
    for_each_cell([&](std::int64_t cell) {
      if (region_[cell] != kNoRegion && !has_digit(region_[cell]))
        other_.cost[cell] = std::min(other_.cost[cell], part.cost[cell]);
    });
  }

  void fill_costs(T* costs) const {
    for_each_cell([&](std::int64_t cell) { costs[cell] = std::numeric_limits<T>::infinity(); });
  }

  /// Lowers a cost to an initial one in range.
  void lower(T& cost, T initial) const {
    if (initial <= job_.limit) cost = std::min(cost, initial);
  }

  /// The cost of a cell without the sites of a region.
  T cost_without(Region region, std::int64_t cell) const {
    return region_[cell] == region ? other_.cost[cell] : job_.cost[cell];
  }

  /// The ranks that enter a region from its neighbours, or begin in it.
  void start_ranks() {
    for_each_cell([&](std::int64_t cell) { other_.rank[cell] = kNoRank; });
    for (const std::int64_t cell : rims_)
      for_each_step_into(cell, [&](std::int64_t from, T weight) {
        if (region_[from] != region_[cell] && is_tight(job_.cost[from], weight, other_.cost[cell]))
          other_.rank[cell] = std::min(other_.rank[cell], rank_[from]);
      });
    starts_ = rims_;
    for_each_site_elsewhere([&](Rank rank, std::int64_t cell) {
      if (job_.sites.initial_of(rank) != other_.cost[cell]) return;
      other_.rank[cell] = std::min(other_.rank[cell], rank);
      starts_.push_back(cell);
    });
  }

  /// In ascending order, so that no cell is lowered twice.
  void spread_ranks() {
    std::vector<Seed> seeds;
    for (const std::int64_t cell : starts_)
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
      for_each_step(cell, [&](std::int64_t next, T weight) {
        if (is_tight(own, weight, cost_without(region, next)) &&
            lower_rank(region, next, seed.rank))
          stack_.push_back(next);
      });
    }
  }

  /// Lowers the rank that a cell has without the sites of a region; whether it was greater.
  bool lower_rank(Region region, std::int64_t cell, Rank rank) {
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
  std::vector<std::int64_t> rims_;
  std::vector<std::int64_t> starts_;
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
  auto* const regions = scratch.array<Region>(job.sites.count);
  const std::int64_t labels = find_regions_of_sites(job.sites, label_type, regions);
  return OtherFinder<T>(state, job, rank, regions, loop, scratch).run(labels);
}
template OtherSites<float> find_others(ContextState&, const CostJob<float>&, const Rank*,
                                       ElementType, const Loop&, Scratch::Frame&);
template OtherSites<double> find_others(ContextState&, const CostJob<double>&, const Rank*,
                                        ElementType, const Loop&, Scratch::Frame&);

}  // namespace thiessen::cpu
