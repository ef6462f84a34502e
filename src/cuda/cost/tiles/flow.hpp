// SPDX-License-Identifier: Apache-2.0
//
// The values that flow from cell to cell in cost distance: first costs, then ranks, then hops.
// Plain data for the kernels, all addresses in device memory, and functions of host and device.
//
// Each flow lowers one value a cell, from kNothing down, by the values that neighbours pass along
// steps. A step never turns a lesser value into a greater one, so the least values that can be
// reached are one fixed point, whatever the order (core/cost/labels.hpp, docs/methods.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cost/inputs.hpp"
#include "cuda/cost/tiles/tile.hpp"

namespace thiessen::cuda::cost {

inline constexpr std::uint32_t kNoHops = 0xFFFFFFFFu;

/// Bit k for the step from neighbour k of each cell: a byte a cell where that suffices, else a
/// word.
struct StepBits {
  std::byte* bytes = nullptr;
  bool wide = false;

  static bool are_wide(int neighbours) { return neighbours > 8; }
  THIESSEN_HD std::uint32_t at(std::int64_t cell) const {
    return wide ? reinterpret_cast<const std::uint32_t*>(bytes)[cell]
                : static_cast<std::uint32_t>(bytes[cell]);
  }
  THIESSEN_HD void set(std::int64_t cell, std::uint32_t bits) const {
    if (wide)
      reinterpret_cast<std::uint32_t*>(bytes)[cell] = bits;
    else
      bytes[cell] = static_cast<std::byte>(bits);
  }
};

/// The data from which ranks and hops are found, one element a cell.
struct LabelJob {
  CostTiling tiling;
  StepBits steps;                 ///< those that are tight; for hops, they also come from the same
                                  ///< site
  std::uint32_t* link = nullptr;  ///< the next cell on a tight path to a root; itself: no further
  std::uint32_t* rank = nullptr;  ///< kNoRank: none
  std::uint32_t* hops = nullptr;  ///< kNoHops: none
  /// Kernels leave everything as it is if there is a word here that is 0: a kernel before them
  /// decides whether they are needed.
  const std::uint32_t* wanted = nullptr;

  THIESSEN_HD bool is_wanted() const { return wanted == nullptr || *wanted != 0; }
  THIESSEN_HD std::int64_t cells() const {
    return tiling.extent[0] * tiling.extent[1] * tiling.extent[2];
  }
};

/// The data of a whole call.
template <class T>
struct CostJob : LabelJob {
  CostEdges<T> edges;
  T limit = 0;              ///< the greatest cost that is not unreached
  T* resistance = nullptr;  ///< NaN: barrier
  T* cost = nullptr;
  std::int64_t most_sites = 0;                ///< not fewer than there are
  const std::int64_t* site_count = nullptr;   ///< how many there are
  const std::int64_t* listed_cell = nullptr;  ///< by rank; kNoCell: outside
  std::int64_t* site_cell = nullptr;          ///< by rank; kNoCell: ignored
  const T* initial = nullptr;                 ///< by rank; null: 0
  /// Sites are in any order in the arrays above, and their ranks are the indices of their cells.
  bool ranks_are_cells = false;

  THIESSEN_HD T initial_of(std::int64_t site_rank) const {
    return initial == nullptr ? T{0} : initial[site_rank];
  }
  /// The rank of the site at a place of the arrays, which has a cell.
  THIESSEN_HD std::uint32_t rank_of(std::int64_t place) const {
    return static_cast<std::uint32_t>(ranks_are_cells ? site_cell[place] : place);
  }
};

/// Costs flow along all steps.
template <class T, int kNeighbours>
struct CostFlow {
  using Value = T;
  static constexpr int kCount = kNeighbours;
  static constexpr Value kNothing = std::numeric_limits<T>::infinity();
  struct Steps {
    T weight[kCount];
    THIESSEN_HD T along(int k, T cost) const { return thiessen::along(cost, weight[k]); }
  };

  CostJob<T> job;

  THIESSEN_HD Value* values() const { return job.cost; }
  THIESSEN_HD bool allows(Value cost) const { return cost <= job.limit; }
  /// `resistance` is that of the cell, in a padded tile that has NaN outside of the raster.
  THIESSEN_HD Steps steps_of(const T* resistance) const {
    const CostTiling& tiling = job.tiling;
    Steps steps;
    THIESSEN_UNROLL
    for (int k = 0; k < kCount; ++k)
      steps.weight[k] =
          step_weight(job.edges, k, resistance, std::int64_t{tiling.padded[1]} * tiling.padded[2],
                      tiling.padded[2]);
    return steps;
  }
};

/// Steps for values that flow only along tight steps.
struct TightSteps {
  std::uint32_t tight;
  std::uint32_t added;  ///< to the value that is passed on
  THIESSEN_HD std::uint32_t along(int k, std::uint32_t value) const {
    return (tight >> k & 1) != 0 && value != 0xFFFFFFFFu ? value + added : 0xFFFFFFFFu;
  }
};

/// Flows along the tight steps of the job: ranks; and hops, once only steps from cells of the same
/// site are left.
template <int kNeighbours, std::uint32_t kAdded>
struct TightFlow {
  using Value = std::uint32_t;
  static constexpr int kCount = kNeighbours;
  static constexpr Value kNothing = 0xFFFFFFFFu;
  using Steps = TightSteps;

  LabelJob job;

  THIESSEN_HD Value* values() const { return kAdded == 0 ? job.rank : job.hops; }
  THIESSEN_HD bool allows(Value) const { return true; }
  THIESSEN_HD Steps steps_of(std::int64_t cell) const { return {job.steps.at(cell), kAdded}; }
};
static_assert(kNoRank == 0xFFFFFFFFu && kNoHops == kNoRank);

template <int kNeighbours>
using RankFlow = TightFlow<kNeighbours, 0>;
template <int kNeighbours>
using HopFlow = TightFlow<kNeighbours, 1>;

/// The tight steps to a cell that come from cells of its site.
THIESSEN_HD inline std::uint32_t same_site_steps(const LabelJob& job, std::int64_t cell) {
  const std::uint32_t all = job.steps.at(cell);
  std::uint32_t same = 0;
  for (int k = 0; k < job.tiling.neighbours; ++k)
    if ((all >> k & 1) != 0 && job.rank[cell + job.tiling.raster_delta[k]] == job.rank[cell])
      same |= std::uint32_t{1} << k;
  return same;
}

/// Whether neighbour k of a cell lies in the raster.
template <class T>
THIESSEN_HD bool has_neighbour(const CostJob<T>& job, const Axes& cell, int k) {
  const CostOffset o = job.edges.offset[static_cast<std::size_t>(k)];
  return cell_at(job.tiling, cell, o.z, o.y, o.x) >= 0;
}

/// The weight of the step between a cell and its neighbour k in the raster.
template <class T>
THIESSEN_HD T raster_weight(const CostJob<T>& job, std::int64_t cell, int k) {
  return step_weight(job.edges, k, job.resistance + cell,
                     job.tiling.extent[1] * job.tiling.extent[2], job.tiling.extent[2]);
}

/// The tight steps to a cell, and the first neighbour of lesser cost among them, else the cell.
struct TightCell {
  std::uint32_t steps;
  std::int64_t link;
};

/// For any neighbours, once costs are final.
template <class T>
THIESSEN_HD TightCell find_tight(const CostJob<T>& job, std::int64_t cell) {
  const T own = job.cost[cell];
  TightCell found{0, cell};
  if (!(own < std::numeric_limits<T>::infinity())) return found;
  const Axes place = to_cell(job.tiling.extent, cell);
  for (int k = job.tiling.neighbours - 1; k >= 0; --k) {
    const std::int64_t from = cell + job.tiling.raster_delta[k];
    if (!has_neighbour(job, place, k) ||
        !is_tight(job.cost[from], raster_weight(job, cell, k), own))
      continue;
    found.steps |= std::uint32_t{1} << k;
    if (job.cost[from] < own) found.link = from;
  }
  return found;
}

/// The back link of a cell that has a rank, once hops are known and only steps of its site are
/// left.
template <class T>
THIESSEN_HD std::uint8_t back_link_of(const CostJob<T>& job, std::int64_t cell) {
  const std::uint32_t hops = job.hops[cell];
  if (hops == 0) return 0;
  const std::uint32_t steps = job.steps.at(cell);
  std::uint32_t back = 0;
  for (int k = 0; k < job.tiling.neighbours; ++k)
    if ((steps >> k & 1) != 0 && job.hops[cell + job.tiling.raster_delta[k]] < hops)
      back |= std::uint32_t{1} << k;
  return link_along<T>(job.edges, nullptr, back, 0);
}

/// Calls visit(std::integral_constant<int, count>) for a number of neighbours.
template <class Visit>
void visit_count(int count, const Visit& visit) {
  switch (count) {
    case 4:
      return visit(std::integral_constant<int, 4>());
    case 6:
      return visit(std::integral_constant<int, 6>());
    case 8:
      return visit(std::integral_constant<int, 8>());
    case 16:
      return visit(std::integral_constant<int, 16>());
    case 18:
      return visit(std::integral_constant<int, 18>());
    default:
      return visit(std::integral_constant<int, 26>());
  }
}

}  // namespace thiessen::cuda::cost
