// SPDX-License-Identifier: Apache-2.0
//
// What a block does with a tile in a repair (repair.cu), one cell a thread. For sources
// compiled as CUDA.
//
// It loads the tile with its halo into shared memory, changes cells in rounds of its own until one
// changes none, writes those that changed, and enters the tiles in which that changes something.
// Threads read cells that others of the block are changing (racecheck reports that): what they get
// is older or newer, and if it is older, another round follows.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/cost/solver/rounds.cuh"
#include "cuda/cost/tiles/block_worker.cuh"

namespace thiessen::cuda::cost {

template <class T>
struct RepairMemory {
  T resistance[kMostPadded];
  volatile T cost[kMostPadded];
  volatile std::uint32_t site[kMostPadded];
  volatile std::uint32_t hops[kMostPadded];
  std::int32_t delta[kMostNeighbours];  ///< that of the tiling, where lanes read different ones
  /// 1: something changed in the round with this number modulo 3.
  volatile std::uint32_t changed[3];
  std::uint32_t reached;  ///< codes of tiles
};

/// The weight of the step between a cell of a padded tile and its neighbour k, where it depends on
/// other cells, too.
template <class T>
__device__ THIESSEN_NOINLINE T weight_across(const CostJob<T>& job, const T* resistance, int k) {
  const CostTiling& tiling = job.tiling;
  return step_weight(job.edges, k, resistance, std::int64_t{tiling.padded[1]} * tiling.padded[2],
                     tiling.padded[2]);
}

template <class T>
class TileRepair {
 public:
  __device__ TileRepair(const SolverJob<T>& job, TileRounds<T>& rounds, RepairMemory<T>& memory)
      : job_(job),
        tiling_(job.now.tiling),
        rounds_(rounds),
        memory_(memory),
        is_plain_(!job.now.edges.tight_barriers && job.now.edges.count != 16) {
    const auto thread = static_cast<std::int32_t>(threadIdx.x);
    place_ = place_in(tiling_.size, thread);
    at_ = ((place_[0] + tiling_.halo[0]) * tiling_.padded[1] + place_[1] + tiling_.halo[1]) *
              tiling_.padded[2] +
          place_[2] + tiling_.halo[2];
    if (thread < tiling_.neighbours) memory.delta[thread] = tiling_.delta[thread];
    for (int k = 0; k < tiling_.neighbours; ++k)
      if (code_of(k) != kTileCodes / 2) beyond_ |= std::uint32_t{1} << k;
    THIESSEN_UNROLL
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto place = place_in(tiling_.padded, thread + turn * kCostThreads);
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        loaded_[turn][axis] = static_cast<std::int8_t>(place[axis] - tiling_.halo[axis]);
    }
  }

  /// Raises costs that nothing explains to infinity.
  __device__ void raise(std::uint32_t tile) {
    open<Loads::costs>(tile);
    const T own = memory_.cost[at_];
    const bool is_open = own < kFar && !(start() <= own);
    const std::uint32_t reasons = steps_for([&](T weight, int at) {
      const T there = memory_.cost[at];
      return there < own && along(there, weight) <= own;
    });
    if (drop(memory_.cost, is_open, reasons, kFar)) {
      write(job_.now.cost, kFar);
      reach([&](T weight, int at) {
        const T there = memory_.cost[at];
        return there >= own && there < kFar && along(own, weight) <= there;
      });
    }
    close(tile);
  }

  /// Lowers costs to what starts and neighbours offer.
  __device__ void lower(std::uint32_t tile) {
    open<Loads::costs>(tile);
    const T before = memory_.cost[at_];
    T own;
    switch (tiling_.neighbours) {
      case 4:
        own = lower_costs<4>();
        break;
      case 6:
        own = lower_costs<6>();
        break;
      case 8:
        own = lower_costs<8>();
        break;
      case 16:
        own = lower_costs<16>();
        break;
      case 18:
        own = lower_costs<18>();
        break;
      default:
        own = lower_costs<26>();
    }
    if (own < before) {
      write(job_.now.cost, own);
      reach([&](T weight, int at) {
        const T cost = along(own, weight);
        return cost < memory_.cost[at] && cost <= job_.now.limit;
      });
    }
    close(tile);
  }

  /// Takes their sites from cells with other costs, and from those whose sites nothing explains.
  __device__ void drop_stale_sites(std::uint32_t tile) {
    find(tile);
    const std::uint32_t before = cell_ < 0 ? kNoRank : read(&job_.now.rank[cell_]);
    load<Loads::explained_sites>();
    const T own = memory_.cost[at_];
    const std::uint32_t site = memory_.site[at_];
    const bool is_open = site < kOutsideSite && job_.root_of(record_, own) != site;
    const std::uint32_t reasons = steps_for([&](T weight, int at) {
      const T there = memory_.cost[at];
      return there < own && is_tight(there, weight, own) && memory_.site[at] == site;
    });
    const std::uint32_t now = drop(memory_.site, is_open, reasons, kNoRank) ? kNoRank : site;
    if (now != before) {
      write(job_.now.rank, now);
      // Where a step has ceased to be tight, a cost has changed, and the tile is on the list.
      reach([&](T weight, int at) {
        return memory_.site[at] == before && is_tight(own, weight, T{memory_.cost[at]});
      });
    }
    close(tile);
  }

  /// Gives cells the least sites that roots and tight steps bring.
  __device__ void find_sites(std::uint32_t tile) {
    open<Loads::sites>(tile);
    const T own = memory_.cost[at_];
    const std::uint32_t before = memory_.site[at_];
    const std::uint32_t root = own < kFar ? job_.root_of(record_, own) : kNoRank;
    const std::uint32_t steps =
        steps_for([&](T weight, int at) { return is_tight(T{memory_.cost[at]}, weight, own); });
    const std::uint32_t site = lower_in_rounds(memory_.site, root, [&](std::uint32_t least) {
      return least_along(steps, memory_.site, 0, least);
    });
    if (site < before) {
      write(job_.now.rank, site);
      reach([&](T weight, int at) {
        return site < memory_.site[at] && is_tight(own, weight, T{memory_.cost[at]});
      });
    }
    close(tile);
  }

  /// Takes their hops from cells where nothing explains them.
  __device__ void drop_stale_hops(std::uint32_t tile) {
    open<Loads::hops>(tile);
    const std::uint32_t hops = memory_.hops[at_];
    const bool is_first = is_first_of_site();
    const bool is_open = hops != kNoHops && !(is_first && hops == 0);
    const std::uint32_t back = steps_of_site([&](int at) { return memory_.hops[at] == hops - 1; });
    if (drop(memory_.hops, is_open, is_first || hops == 0 ? 0 : back, kNoHops)) {
      write(job_.now.hops, kNoHops);
      reach([&](T, int at) { return memory_.hops[at] == hops + 1; });
    }
    close(tile);
  }

  /// Gives cells the fewest hops from the cells of their sites.
  __device__ void find_hops(std::uint32_t tile) {
    open<Loads::hops>(tile);
    const std::uint32_t before = memory_.hops[at_];
    const std::uint32_t steps = steps_of_site([](int) { return true; });
    const std::uint32_t hops = lower_in_rounds(
        memory_.hops, is_first_of_site() ? 0 : kNoHops,
        [&](std::uint32_t least) { return least_along(steps, memory_.hops, 1, least); });
    if (hops < before) write(job_.now.hops, hops);
    // A cell may have the hops that it had, but another site.
    reach([&](T weight, int at) {
      return hops != kNoHops && hops + 1 < memory_.hops[at] &&
             memory_.site[at] == memory_.site[at_] &&
             is_tight(T{memory_.cost[at_]}, weight, T{memory_.cost[at]});
    });
    close(tile);
  }

  /// Writes back links that have changed.
  __device__ void link(std::uint32_t tile) {
    open<Loads::hops>(tile);
    if (cell_ >= 0) put_link(link_of_cell());
    __syncthreads();
  }

  /// Enters the tiles around one that are not on the list.
  __device__ void enter_around(std::uint32_t tile) {
    if (threadIdx.x >= kTileCodes) return;
    const std::int64_t next = tile_around(tiling_, tile, static_cast<int>(threadIdx.x));
    if (next >= 0 && !rounds_.is_listed(static_cast<std::uint32_t>(next)))
      rounds_.enter(static_cast<std::uint32_t>(next));
  }

 private:
  static constexpr T kFar = std::numeric_limits<T>::infinity();
  /// The cells that a thread loads.
  static constexpr int kTurns = (kMostPadded + kCostThreads - 1) / kCostThreads;

  using Place = std::array<std::int32_t, kAxes>;

  /// What is loaded beside resistances and costs. Sites that may be explained are those whose cells
  /// have the cost that they had before.
  enum class Loads { costs, explained_sites, sites, hops };

  struct Cell {
    T resistance = std::numeric_limits<T>::quiet_NaN();
    T cost = kFar;
    std::uint32_t site = kNoRank;
    std::uint32_t hops = kNoHops;
  };

  template <Loads kLoads>
  __device__ Cell read_cell(std::int64_t cell) const {
    Cell found;
    if (cell < 0) return found;
    found.cost = read(&job_.now.cost[cell]);
    found.resistance = job_.now.resistance[cell];
    if constexpr (kLoads != Loads::costs) found.site = read(&job_.now.rank[cell]);
    if constexpr (kLoads == Loads::hops) found.hops = read(&job_.now.hops[cell]);
    if constexpr (kLoads == Loads::explained_sites) {
      const T before = job_.cost_before[cell];
      if (found.site == kOutsideSite || found.cost != before) found.site = kNoRank;
      if (is_outside(found.resistance)) found.site = kOutsideSite;
    }
    return found;
  }

  /// The cell at a place of the tile or its halo, in 32 bits, as a raster here has fewer cells; -1
  /// outside of the raster.
  __device__ std::int64_t cell_there(std::int32_t z, std::int32_t y, std::int32_t x) const {
    const Axes& extent = tiling_.extent;
    const auto height = static_cast<std::uint32_t>(extent[1]);
    const auto width = static_cast<std::uint32_t>(extent[2]);
    // What lies before the first is a large number.
    const auto plane = static_cast<std::uint32_t>(origin_[0] + z);
    const auto row = static_cast<std::uint32_t>(origin_[1] + y);
    const auto column = static_cast<std::uint32_t>(origin_[2] + x);
    if (plane >= static_cast<std::uint32_t>(extent[0]) || row >= height || column >= width)
      return -1;
    return (plane * height + row) * width + column;
  }

  template <Loads kLoads>
  __device__ void open(std::uint32_t tile) {
    find(tile);
    load<kLoads>();
  }

  /// Finds the thread's own cell in a tile.
  __device__ void find(std::uint32_t tile) {
    const Axes origin = origin_of(tiling_, tile);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      origin_[axis] = static_cast<std::int32_t>(origin[axis]);
    cell_ = cell_there(place_[0], place_[1], place_[2]);
    record_ = cell_ < 0 ? kNoRecord : job_.first[cell_];
  }

  /// Loads the tile; all cells of a thread are on their way at once.
  template <Loads kLoads>
  __device__ void load() {
    Cell cells[kTurns];
    THIESSEN_UNROLL
    for (int turn = 0; turn < kTurns; ++turn)
      if (static_cast<int>(threadIdx.x) + turn * kCostThreads < tiling_.padded_cells())
        cells[turn] =
            read_cell<kLoads>(cell_there(loaded_[turn][0], loaded_[turn][1], loaded_[turn][2]));
    THIESSEN_UNROLL
    for (int turn = 0; turn < kTurns; ++turn) {
      const int i = static_cast<int>(threadIdx.x) + turn * kCostThreads;
      if (i >= tiling_.padded_cells()) break;
      memory_.resistance[i] = cells[turn].resistance;
      memory_.cost[i] = cells[turn].cost;
      if constexpr (kLoads != Loads::costs) memory_.site[i] = cells[turn].site;
      if constexpr (kLoads == Loads::hops) memory_.hops[i] = cells[turn].hops;
    }
    if (threadIdx.x < 3) memory_.changed[threadIdx.x] = threadIdx.x == 2 ? 1 : 0;
    if (threadIdx.x == 0) memory_.reached = 0;
    __syncthreads();
    resistance_ = memory_.resistance[at_];
  }

  /// Enters the tiles that were reached.
  __device__ void close(std::uint32_t tile) {
    __syncthreads();
    if (threadIdx.x < kTileCodes && (memory_.reached >> threadIdx.x & 1) != 0) {
      const std::int64_t next = tile_around(tiling_, tile, static_cast<int>(threadIdx.x));
      if (next >= 0) rounds_.enter(static_cast<std::uint32_t>(next));
    }
    __syncthreads();
  }

  /// Reaches the tiles of neighbours beyond the border; depends(weight, at) says whether the
  /// neighbour at a place depends on what was done to the cell.
  template <class Depends>
  __device__ void reach(const Depends& depends) {
    std::uint32_t reached = 0;
    for (std::uint32_t rest = beyond_; rest != 0; rest &= rest - 1) {
      const int k = lowest_bit(rest);
      if (depends(weight_of(k), at_ + tiling_.delta[k])) reached |= std::uint32_t{1} << code_of(k);
    }
    if (reached != 0) atomicOr(&memory_.reached, reached);
  }

  /// Takes values from open cells, and then from those that only these explain. `reasons` are the
  /// neighbours that explain the thread's own cell. Returns whether that lost its value.
  template <class Value>
  __device__ bool drop(volatile Value* values, bool is_open, std::uint32_t reasons, Value nothing) {
    bool is_dropped = false;
    change_in_rounds(memory_.changed, [&] {
      if (!is_open || is_dropped) return false;
      while (reasons != 0 && values[at_ + memory_.delta[lowest_bit(reasons)]] == nothing)
        reasons &= reasons - 1;
      is_dropped = reasons == 0;
      if (is_dropped) values[at_] = nothing;
      return is_dropped;
    });
    return is_dropped;
  }

  /// Lowers values to what the thread's own cell is offered, and to what least_of(own) finds around
  /// it; returns the own value.
  template <class Value, class Least>
  __device__ Value lower_in_rounds(volatile Value* values, Value offer, const Least& least_of) {
    Value own = values[at_];
    if (offer < own) values[at_] = own = offer;
    __syncthreads();
    change_in_rounds(memory_.changed, [&] {
      const Value least = least_of(own);
      const bool falls = least < own;
      if (falls) values[at_] = own = least;
      return falls;
    });
    return own;
  }

  template <class Value>
  __device__ void write(Value* to, Value value) const {
    static_cast<volatile Value*>(to)[cell_] = value;
  }

  // --- the thread's own cell

  __device__ T start() const { return job_.start_of(record_, resistance_); }

  /// The weight of the step from neighbour k, and to it; NaN outside of the raster.
  __device__ T weight_of(int k) const {
    if (!is_plain_) return weight_across(job_.now, memory_.resistance + at_, k);
    const T sum = step_sum(resistance_, memory_.resistance[at_ + tiling_.delta[k]]);
    // A quotient that is NaN takes a device ten times as long.
    return is_passable(sum) ? job_.now.edges.weight(k, sum) : sum;
  }
  /// The code of the tile in which neighbour k lies.
  __device__ int code_of(int k) const {
    return code_beside(tiling_, place_, job_.now.edges.offset[static_cast<std::size_t>(k)]);
  }

  template <int kCount>
  __device__ T lower_costs() {
    struct {
      T weight[kCount];
      __device__ T along(int k, T cost) const { return thiessen::along(cost, weight[k]); }
    } steps;
    THIESSEN_UNROLL
    for (int k = 0; k < kCount; ++k) steps.weight[k] = weight_of(k);
    return lower_in_rounds(memory_.cost, start(), [&](T cost) {
      const T least = least_around<kCount>(tiling_, steps, memory_.cost + at_, cost);
      return least <= job_.now.limit ? least : cost;
    });
  }

  /// A bit for each neighbour for which holds(weight, at).
  template <class Holds>
  __device__ std::uint32_t steps_for(const Holds& holds) const {
    std::uint32_t steps = 0;
    THIESSEN_UNROLL
    for (int k = 0; k < tiling_.neighbours; ++k)
      if (holds(weight_of(k), at_ + tiling_.delta[k])) steps |= std::uint32_t{1} << k;
    return steps;
  }

  /// Those of tight steps from cells of its site for which holds(at).
  template <class Holds>
  __device__ std::uint32_t steps_of_site(const Holds& holds) const {
    const T own = memory_.cost[at_];
    const std::uint32_t site = memory_.site[at_];
    return steps_for([&](T weight, int at) {
      return memory_.site[at] == site && holds(at) && is_tight(T{memory_.cost[at]}, weight, own);
    });
  }

  /// The least of `own` and of what these neighbours have, with `added`.
  __device__ std::uint32_t least_along(std::uint32_t steps, const volatile std::uint32_t* values,
                                       std::uint32_t added, std::uint32_t own) const {
    std::uint32_t least = own;
    for (; steps != 0; steps &= steps - 1) {
      const std::uint32_t there = values[at_ + memory_.delta[lowest_bit(steps)]];
      if (there != kNoRank) least = min(least, there + added);
    }
    return least;
  }

  __device__ bool is_first_of_site() const {
    const std::uint32_t site = memory_.site[at_];
    return site < kOutsideSite && job_.now.listed_cell[job_.record_of_site(site)] == cell_;
  }

  __device__ std::uint8_t link_of_cell() const {
    const std::uint32_t site = memory_.site[at_];
    if (site == kOutsideSite) return kBackLinkNodata;
    if (site == kNoRank) return kBackLinkUnreached;
    const std::uint32_t hops = memory_.hops[at_];
    const std::uint32_t back = steps_of_site([&](int at) { return memory_.hops[at] < hops; });
    return link_along<T>(job_.now.edges, nullptr, back, 0);
  }

  /// Writes a back link if it is another one.
  __device__ void put_link(std::uint8_t link) const {
    const Axes& extent = tiling_.extent;
    if (!job_.out.back_link.replace(extent, cell_, link)) return;
    const Axes place = to_cell(extent, cell_);
    const auto row = static_cast<std::uint32_t>(extent[0] > 1 ? place[0] : place[1]);
    SolverWork& work = *job_.work;
    if (row < read(&work.first_link)) atomicMin(&work.first_link, row);
    if (row > read(&work.last_link)) atomicMax(&work.last_link, row);
  }

  const SolverJob<T>& job_;
  const CostTiling& tiling_;
  TileRounds<T>& rounds_;
  RepairMemory<T>& memory_;
  Place place_;
  int at_;                             ///< the place of the own cell in the padded tile
  bool is_plain_;                      ///< steps depend only on the two cells
  std::uint32_t beyond_ = 0;           ///< the neighbours in other tiles
  std::int8_t loaded_[kTurns][kAxes];  ///< the cells that the thread loads, relative to the first
  // of the tile that was loaded last
  Place origin_;
  std::int64_t cell_ = -1;
  T resistance_;
  std::uint32_t record_ = kNoRecord;  ///< of the first site of the cell
};

}  // namespace thiessen::cuda::cost
