// SPDX-License-Identifier: Apache-2.0
//
// The steps of a repair (solver_repair.cu), each for all threads of some warps. For sources
// compiled as CUDA.
//
// A group of lanes works on a cell, one lane for each of its neighbours. Cells of a round are
// listed for the next one at most once. Within a round other threads change what a cell depends on,
// so all of that is read past the first cache, and a cell is listed for the next round whenever
// something changes that it may depend on. So what a cell has seen is old only if it is looked at
// again.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/cost/solver_answer.cuh"
#include "cuda/device/lanes.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda {

enum class RepairStep : std::uint32_t {
  end,
  settle,
  settle_all,
  restart_rounds,
  suspect_around_edits,
  suspect_sites,
  raise_suspects,
  raise,
  forget_raised,
  pull_costs_of_suspects,
  pull_costs_of_touched,
  push_costs,
  lose_changed,
  list_suspects,
  lose,
  list_touched,
  pull_sites,
  push_sites,
  list_for_hops,
  lose_hops,
  list_with_hops,
  pull_hops,
  push_hops,
  list_for_links,
  link,
  tell,
};

/// Some warps of a grid.
struct Warps {
  std::uint32_t own;
  std::uint32_t count;
};

/// Lowers a cost; returns whether it was greater.
__device__ inline bool lower(float* place, float cost) {
  const std::uint32_t bits = __float_as_uint(cost);
  return atomicMin(reinterpret_cast<std::uint32_t*>(place), bits) > bits;
}
__device__ inline bool lower(double* place, double cost) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(cost));
  return atomicMin(reinterpret_cast<unsigned long long*>(place), bits) > bits;
}

template <class T>
class RepairSteps {
 public:
  __device__ explicit RepairSteps(const SolverJob<T>& job)
      : job_(job),
        work_(*job.work),
        lanes_(job.now.edges.count <= static_cast<int>(kFewLanes) ? kFewLanes : kLanes),
        is_plain_(!job.now.edges.tight_barriers && job.now.edges.count != 16),
        k_(static_cast<int>(static_cast<std::uint32_t>(lane_of_thread()) % lanes_)) {
    if (k_ >= job.now.edges.count) return;
    offset_ = job.now.edges.offset[static_cast<std::size_t>(k_)];
    delta_ = job.now.tiling.raster_delta[k_];
  }

  /// The lanes of a cell.
  __device__ std::uint32_t lanes() const { return lanes_; }

  /// A step for so many items.
  __device__ void run(RepairStep step, std::uint32_t items, std::uint32_t round, Warps warps) {
    round_ = round;
    warps_ = warps;
    items_ = items;
    const std::uint32_t* const list = job_.list[round % 2];
    switch (step) {
      case RepairStep::settle:
        return settle();
      case RepairStep::settle_all:
        return for_each(nullptr, [&](std::int64_t cell, bool exists) {
          if (exists) settle(cell);
        });
      case RepairStep::restart_rounds:
        return for_each(nullptr, [&](std::int64_t cell, bool exists) {
          if (exists) job_.queued[cell] = 0;
        });
      case RepairStep::suspect_around_edits:
        return suspect_around_edits();
      case RepairStep::suspect_sites:
        return for_each(job_.site_cells,
                        [&](std::int64_t cell, bool exists) { suspect(cell, exists); });
      case RepairStep::raise_suspects:
        return for_cells(job_.suspects, [&](const Lane& lane) { raise(lane); });
      case RepairStep::raise:
        return for_cells(list, [&](const Lane& lane) { raise(lane); });
      case RepairStep::forget_raised:
        return for_each(job_.touched, [&](std::int64_t cell, bool exists) {
          if (exists && has(cell, kMarkRaised))
            job_.now.cost[cell] = std::numeric_limits<T>::infinity();
        });
      case RepairStep::pull_costs_of_suspects:
        return for_cells(job_.suspects, [&](const Lane& lane) { pull_cost(lane); });
      case RepairStep::pull_costs_of_touched:
        return for_cells(job_.touched, [&](const Lane& lane) { pull_cost(lane); });
      case RepairStep::push_costs:
        return for_cells(list, [&](const Lane& lane) { push_cost(lane); });
      case RepairStep::end:
        return;
      default:
        return run_on_answer(step, list);
    }
  }

 private:
  /// The steps behind those of costs.
  __device__ void run_on_answer(RepairStep step, const std::uint32_t* list) {
    switch (step) {
      case RepairStep::lose_changed:
        return for_cells(job_.touched, [&](const Lane& lane) { lose_changed(lane); });
      case RepairStep::list_suspects:
        return for_each(job_.suspects,
                        [&](std::int64_t cell, bool exists) { queue(cell, exists); });
      case RepairStep::lose:
        return for_cells(list, [&](const Lane& lane) { lose(lane); });
      case RepairStep::list_touched:
        return for_cells(job_.touched, [&](const Lane& lane) {
          queue(lane.cell, lane.is_first());
          queue(lane.next, lane.next >= 0 && has_other_cost(lane.cell));
        });
      case RepairStep::pull_sites:
        return for_cells(list, [&](const Lane& lane) { pull_site(lane); });
      case RepairStep::push_sites:
        return for_cells(list, [&](const Lane& lane) { push_site(lane); });
      case RepairStep::list_for_hops:
        return for_cells(job_.touched, [&](const Lane& lane) { list_around(lane); });
      case RepairStep::lose_hops:
        return for_cells(list, [&](const Lane& lane) { lose_hops(lane); });
      case RepairStep::list_with_hops:
        return for_each(job_.with_hops,
                        [&](std::int64_t cell, bool exists) { queue(cell, exists); });
      case RepairStep::pull_hops:
        return for_cells(list, [&](const Lane& lane) { pull_hops(lane); });
      case RepairStep::push_hops:
        return for_cells(list, [&](const Lane& lane) { push_hops(lane); });
      case RepairStep::list_for_links:
        return for_cells(job_.with_hops, [&](const Lane& lane) { list_around(lane); });
      case RepairStep::link:
        return for_cells(list, [&](const Lane& lane) { link(lane); });
      case RepairStep::tell:
        return tell();
      default:
        return;
    }
  }

  static constexpr std::uint32_t kFewLanes = 8;

  /// What a lane works on; `next` is the neighbour, or -1 if there is none.
  struct Lane {
    std::int64_t cell;
    std::int64_t next;
    int k;
    bool exists;

    __device__ bool is_first() const { return exists && k == 0; }
  };

  // --- cells in turns

  /// Calls visit(cell, exists) with all lanes of a warp, a cell a lane; without a list, cells have
  /// the numbers of the items.
  template <class Visit>
  __device__ void for_each(const std::uint32_t* list, const Visit& visit) const {
    for (std::uint64_t first = std::uint64_t{warps_.own} * kLanes; first < items_;
         first += std::uint64_t{warps_.count} * kLanes) {
      const std::uint64_t i = first + static_cast<std::uint64_t>(lane_of_thread());
      const bool exists = i < items_;
      visit(!exists ? 0 : list == nullptr ? static_cast<std::int64_t>(i) : read(list + i), exists);
    }
  }

  /// Calls visit(lane) with all lanes of a warp, a cell a group of lanes.
  template <class Visit>
  __device__ void for_cells(const std::uint32_t* list, const Visit& visit) const {
    const std::uint32_t at_once = kLanes / lanes_;
    const auto own = static_cast<std::uint32_t>(lane_of_thread());
    for (std::uint64_t first = std::uint64_t{warps_.own} * at_once; first < items_;
         first += std::uint64_t{warps_.count} * at_once) {
      const std::uint64_t i = first + own / lanes_;
      Lane lane{0, -1, k_, i < items_};
      if (lane.exists) {
        lane.cell = read(list + i);
        if (has_neighbour_of(lane.cell)) lane.next = lane.cell + delta_;
      }
      visit(lane);
    }
  }

  /// Whether this lane's neighbour of a cell lies in the raster, which has less than 2^32 cells.
  __device__ bool has_neighbour_of(std::int64_t cell) const {
    const Axes& extent = job_.now.tiling.extent;
    const auto width = static_cast<std::uint32_t>(extent[2]);
    const auto height = static_cast<std::uint32_t>(extent[1]);
    const std::uint32_t row = static_cast<std::uint32_t>(cell) / width;
    const std::uint32_t x = static_cast<std::uint32_t>(cell) - row * width;
    const std::uint32_t z = extent[0] > 1 ? row / height : 0;
    const std::uint32_t y = row - z * height;
    // What lies before the first is a large number.
    return delta_ != 0 && x + static_cast<std::uint32_t>(offset_.x) < width &&
           y + static_cast<std::uint32_t>(offset_.y) < height &&
           z + static_cast<std::uint32_t>(offset_.z) < static_cast<std::uint32_t>(extent[0]);
  }

  /// Whether any lane of the cell has it; for all lanes of a warp.
  __device__ bool any(bool own) const {
    const std::uint32_t all = __ballot_sync(~0u, own);
    if (lanes_ == kLanes) return all != 0;
    const auto first = static_cast<std::uint32_t>(lane_of_thread()) / kFewLanes * kFewLanes;
    return (all >> first & ((1u << kFewLanes) - 1)) != 0;
  }

  /// The least value of the cell's lanes; for all lanes of a warp.
  template <class Value>
  __device__ Value least(Value own) const {
    for (int step = static_cast<int>(lanes_) / 2; step > 0; step /= 2) {
      const Value other = exchange(own, step);
      if (other < own) own = other;
    }
    return own;
  }

  // --- marks and lists

  __device__ bool has(std::int64_t cell, std::uint32_t bit) const {
    return has_mark(&job_.mark[cell], bit);
  }
  __device__ void suspect(std::int64_t cell, bool wanted) const {
    append_bounded(job_.suspects, &work_.suspects, job_.capacity,
                   wanted && set_mark(&job_.mark[cell], kMarkSuspect),
                   static_cast<std::uint32_t>(cell));
  }
  /// Lists a cell for the next round.
  __device__ void queue(std::int64_t cell, bool wanted) const {
    const std::uint32_t round = round_ + 1;
    append_bounded(job_.list[round % 2], &work_.count[round % 3], job_.capacity,
                   wanted && atomicMax(&job_.queued[cell], round) < round,
                   static_cast<std::uint32_t>(cell));
  }

  /// A list of cells that have a mark for it.
  struct Marked {
    std::uint32_t* cells;
    std::uint32_t* count;
    std::uint32_t bit;
  };
  __device__ Marked touched() const { return {job_.touched, &work_.touched, kMarkTouched}; }
  __device__ Marked with_hops() const { return {job_.with_hops, &work_.with_hops, kMarkHops}; }

  /// Puts a cell on a list, with another bit in its mark if that is not 0, and lists a cell for the
  /// next round. As one thing does not wait for the other, this takes half the time of two.
  __device__ void put(const Marked& list, std::int64_t cell, bool puts, std::uint32_t bit,
                      std::int64_t next, bool queues) const {
    const std::uint32_t round = round_ + 1;
    std::uint32_t mark = list.bit;
    std::uint32_t queued = round;
    if (puts) mark = atomicOr(&job_.mark[cell], list.bit | bit);
    if (queues) queued = atomicMax(&job_.queued[next], round);
    const bool is_put = (mark & list.bit) == 0;
    const bool is_queued = queued < round;
    const std::uint32_t putting = __ballot_sync(~0u, is_put);
    const std::uint32_t queuing = __ballot_sync(~0u, is_queued);
    if ((putting | queuing) == 0) return;
    const bool adds = lane_of_thread() == 0 ? putting != 0 : lane_of_thread() == 1 && queuing != 0;
    std::uint32_t before = 0;
    if (adds)
      before =
          atomicAdd(lane_of_thread() == 0 ? list.count : &work_.count[round % 3],
                    static_cast<std::uint32_t>(__popc(lane_of_thread() == 0 ? putting : queuing)));
    put_in_list(list.cells, job_.capacity, __shfl_sync(~0u, before, 0), putting, is_put,
                static_cast<std::uint32_t>(cell));
    put_in_list(job_.list[round % 2], job_.capacity, __shfl_sync(~0u, before, 1), queuing,
                is_queued, static_cast<std::uint32_t>(next));
  }

  // --- the solve before

  __device__ void settle(std::int64_t cell) const {
    job_.cost_before[cell] = job_.now.cost[cell];
    job_.site_before[cell] = job_.now.rank[cell];
    job_.mark[cell] = 0;
  }

  /// Forgets what the solve before has listed, one list behind the other.
  __device__ void settle() const {
    const std::uint32_t touched = read(&work_.touched);
    const std::uint32_t suspects = touched + read(&work_.suspects);
    const std::uint32_t with_hops = suspects + read(&work_.with_hops);
    for_each(nullptr, [&](std::int64_t item, bool exists) {
      const auto i = static_cast<std::uint32_t>(item);
      if (!exists) return;
      if (i < touched)
        settle(job_.touched[i]);
      else if (i < suspects)
        job_.mark[job_.suspects[i - touched]] = 0;
      else if (i < with_hops)
        job_.mark[job_.with_hops[i - suspects]] = 0;
      else
        job_.site_mark[job_.changed_sites[i - with_hops]] = 0;
    });
  }

  // --- steps of paths

  __device__ T cost_of(std::int64_t cell) const { return read(&job_.now.cost[cell]); }
  __device__ std::uint32_t site_of(std::int64_t cell) const { return read(&job_.now.rank[cell]); }
  /// What the step between the lane's cell and its neighbour costs; NaN without one.
  __device__ T weight_of(const Lane& lane) const {
    if (lane.next < 0) return std::numeric_limits<T>::quiet_NaN();
    const T* const resistance = job_.now.resistance;
    return is_plain_ ? job_.now.edges.weight(lane.k,
                                             step_sum(resistance[lane.cell], resistance[lane.next]))
                     : raster_weight(job_.now, lane.cell, lane.k);
  }
  __device__ bool has_other_cost(std::int64_t cell) const {
    return job_.now.cost[cell] != job_.cost_before[cell];
  }

  // --- what may be wrong

  /// Cells to and from which steps may touch a cell whose value is another; a warp for each edit.
  __device__ void suspect_around_edits() const {
    const CostTiling& tiling = job_.now.tiling;
    const int side = 2 * tiling.halo[1] + 1;
    const int planes = 2 * tiling.halo[0] + 1;
    const int lane = lane_of_thread();
    for (std::uint32_t i = warps_.own; i < items_; i += warps_.count) {
      const std::int64_t cell = read(job_.edits + i);
      const std::int64_t near =
          lane >= side * side * planes
              ? -1
              : cell_at(tiling, to_cell(tiling.extent, cell), lane / (side * side) - planes / 2,
                        lane / side % side - side / 2, lane % side - side / 2);
      suspect(near, near >= 0);
      append_bounded(job_.touched, &work_.touched, job_.capacity,
                     lane == 0 && set_mark(&job_.mark[cell], kMarkTouched),
                     static_cast<std::uint32_t>(cell));
      if (lane != 0) continue;
      if (is_outside(job_.now.resistance[cell]))
        job_.now.rank[cell] = kOutsideSite;
      else if (job_.now.rank[cell] == kOutsideSite)
        job_.now.rank[cell] = kNoRank;
    }
  }

  // --- costs

  __device__ void raise(const Lane& lane) const {
    const T own = lane.exists ? cost_of(lane.cell) : std::numeric_limits<T>::infinity();
    const bool is_open = own < std::numeric_limits<T>::infinity() && !has(lane.cell, kMarkRaised);
    T there = std::numeric_limits<T>::infinity();
    T weight = there;
    bool explains = false;
    if (is_open && lane.next >= 0) {
      there = cost_of(lane.next);
      weight = weight_of(lane);
      explains = there < own && along(there, weight) <= own && !has(lane.next, kMarkRaised);
    }
    if (is_open && lane.k == 0) explains = explains || job_.start_of(lane.cell) <= own;
    const bool is_raised = !any(explains) && is_open;
    put(touched(), lane.cell, is_raised && lane.k == 0, kMarkRaised, lane.next,
        is_raised && lane.next >= 0 && there >= own && there < std::numeric_limits<T>::infinity() &&
            along(own, weight) <= there);
  }

  /// Takes the least cost that starts and neighbours offer.
  __device__ void pull_cost(const Lane& lane) const {
    T offer = std::numeric_limits<T>::infinity();
    if (lane.next >= 0) {
      const T cost = along(cost_of(lane.next), weight_of(lane));
      if (cost < offer) offer = cost;
    }
    if (lane.is_first()) {
      const T start = job_.start_of(lane.cell);
      if (start < offer) offer = start;
    }
    const T best = least(offer);
    const bool falls = lane.is_first() && best <= job_.now.limit && best < cost_of(lane.cell) &&
                       lower(&job_.now.cost[lane.cell], best);
    put(touched(), lane.cell, falls, 0, lane.cell, falls);
  }

  __device__ void push_cost(const Lane& lane) const {
    bool falls = false;
    if (lane.next >= 0) {
      const T cost = along(cost_of(lane.cell), weight_of(lane));
      falls = cost <= job_.now.limit && cost < cost_of(lane.next) &&
              lower(&job_.now.cost[lane.next], cost);
    }
    put(touched(), lane.next, falls, 0, lane.next, falls);
  }

  // --- sites

  /// Takes their sites from cells with other costs, and suspects those around them.
  __device__ void lose_changed(const Lane& lane) const {
    const bool is_changed = lane.exists && has_other_cost(lane.cell);
    if (is_changed && lane.k == 0) {
      set_mark(&job_.mark[lane.cell], kMarkLost);
      if (site_of(lane.cell) != kOutsideSite) job_.now.rank[lane.cell] = kNoRank;
    }
    queue(lane.next, is_changed && lane.next >= 0);
  }

  __device__ void lose(const Lane& lane) const {
    const T own = lane.exists ? cost_of(lane.cell) : std::numeric_limits<T>::infinity();
    const bool is_open = own < std::numeric_limits<T>::infinity() && !has(lane.cell, kMarkLost);
    const std::uint32_t site = is_open ? site_of(lane.cell) : kNoRank;
    T there = std::numeric_limits<T>::infinity();
    T weight = there;
    bool is_same = false;
    bool explains = false;
    if (is_open && lane.next >= 0) {
      there = cost_of(lane.next);
      weight = weight_of(lane);
      is_same = site_of(lane.next) == site;
      explains =
          is_same && there < own && is_tight(there, weight, own) && !has(lane.next, kMarkLost);
    }
    if (is_open && lane.k == 0) explains = explains || job_.root_of(lane.cell, own) == site;
    const bool is_lost = !any(explains) && is_open;
    if (is_lost && lane.k == 0) job_.now.rank[lane.cell] = kNoRank;
    put(touched(), lane.cell, is_lost && lane.k == 0, kMarkLost, lane.next,
        is_lost && is_same && is_tight(own, weight, there));
  }

  /// Takes the least site that tight steps bring.
  __device__ void pull_site(const Lane& lane) const {
    const T own = lane.exists ? cost_of(lane.cell) : std::numeric_limits<T>::infinity();
    const bool is_reached = own < std::numeric_limits<T>::infinity();
    std::uint32_t offer = kNoRank;
    if (is_reached && lane.next >= 0 && is_tight(cost_of(lane.next), weight_of(lane), own))
      offer = site_of(lane.next);
    if (is_reached && lane.k == 0) offer = min(offer, job_.root_of(lane.cell, own));
    const std::uint32_t best = least(offer);
    const bool falls = is_reached && lane.k == 0 && best < site_of(lane.cell) &&
                       atomicMin(&job_.now.rank[lane.cell], best) > best;
    put(touched(), lane.cell, falls, 0, lane.cell, falls);
  }

  __device__ void push_site(const Lane& lane) const {
    bool falls = false;
    if (lane.next >= 0) {
      const std::uint32_t site = site_of(lane.cell);
      falls = site < site_of(lane.next) &&
              is_tight(cost_of(lane.cell), weight_of(lane), cost_of(lane.next)) &&
              atomicMin(&job_.now.rank[lane.next], site) > site;
    }
    put(touched(), lane.next, falls, 0, lane.next, falls);
  }

  // --- hops and back links

  __device__ void list_around(const Lane& lane) const {
    queue(lane.cell, lane.is_first());
    queue(lane.next, lane.next >= 0);
  }

  __device__ std::uint32_t hops_of(std::int64_t cell) const { return read(&job_.now.hops[cell]); }
  /// Whether the neighbour has the cell's site and a tight step leads from there to the cell.
  __device__ bool is_hop_back(const Lane& lane) const {
    return lane.next >= 0 && job_.now.rank[lane.next] == job_.now.rank[lane.cell] &&
           is_tight(cost_of(lane.next), weight_of(lane), cost_of(lane.cell));
  }
  __device__ bool is_first_of_site(std::int64_t cell) const {
    const std::uint32_t site = job_.now.rank[cell];
    return site < kOutsideSite && job_.now.listed_cell[job_.record_of_site(site)] == cell;
  }

  __device__ void lose_hops(const Lane& lane) const {
    const std::uint32_t own = lane.exists ? hops_of(lane.cell) : kNoHops;
    const bool is_open = own != kNoHops && !has(lane.cell, kMarkUnhooked);
    bool explains = false;
    if (is_open && job_.now.rank[lane.cell] < kOutsideSite) {
      if (is_first_of_site(lane.cell))
        explains = own == 0;
      else
        explains = own > 0 && is_hop_back(lane) && hops_of(lane.next) == own - 1 &&
                   !has(lane.next, kMarkUnhooked);
    }
    const bool is_lost = !any(explains) && is_open;
    const bool leads_on = is_lost && lane.next >= 0 && hops_of(lane.next) == own + 1;
    if (is_lost && lane.k == 0) job_.now.hops[lane.cell] = kNoHops;
    put(with_hops(), lane.cell, is_lost && lane.k == 0, kMarkUnhooked, lane.next, leads_on);
  }

  __device__ void pull_hops(const Lane& lane) const {
    std::uint32_t offer = kNoHops;
    if (lane.exists && job_.now.rank[lane.cell] < kOutsideSite) {
      if (is_first_of_site(lane.cell)) {
        offer = 0;
      } else if (is_hop_back(lane)) {
        const std::uint32_t there = hops_of(lane.next);
        if (there != kNoHops) offer = there + 1;
      }
    }
    const std::uint32_t best = least(offer);
    const bool falls = lane.is_first() && best < hops_of(lane.cell) &&
                       atomicMin(&job_.now.hops[lane.cell], best) > best;
    put(with_hops(), lane.cell, falls, 0, lane.cell, falls);
  }

  __device__ void push_hops(const Lane& lane) const {
    bool falls = false;
    if (lane.next >= 0) {
      const std::uint32_t hops = hops_of(lane.cell) + 1;
      falls = hops < hops_of(lane.next) && job_.now.rank[lane.next] == job_.now.rank[lane.cell] &&
              is_tight(cost_of(lane.cell), weight_of(lane), cost_of(lane.next)) &&
              atomicMin(&job_.now.hops[lane.next], hops) > hops;
    }
    put(with_hops(), lane.next, falls, 0, lane.next, falls);
  }

  /// Writes the back link of a cell.
  __device__ void link(const Lane& lane) const {
    const bool leads_back = is_hop_back(lane) && hops_of(lane.next) < hops_of(lane.cell);
    const std::uint32_t all = __ballot_sync(~0u, leads_back);
    if (!lane.is_first()) return;
    const std::uint32_t own = all >> lane_of_thread();
    const std::uint32_t site = job_.now.rank[lane.cell];
    std::uint8_t link = 0;
    if (site == kOutsideSite)
      link = kBackLinkNodata;
    else if (site == kNoRank)
      link = kBackLinkUnreached;
    else if (hops_of(lane.cell) > 0)
      link = static_cast<std::uint8_t>(lowest_bit(own) + 1);
    const Axes& extent = job_.now.tiling.extent;
    job_.out.back_link.put(extent, lane.cell, link);
    const Axes place = to_cell(extent, lane.cell);
    const auto row = static_cast<std::uint32_t>(extent[0] > 1 ? place[0] : place[1]);
    if (row < read(&work_.first_link)) atomicMin(&work_.first_link, row);
    if (row > read(&work_.last_link)) atomicMax(&work_.last_link, row);
  }

  // --- the end

  __device__ void tell() const {
    ChangeNotes<T> notes(job_);
    for_each(job_.touched, [&](std::int64_t cell, bool exists) {
      if (!exists || !is_changed(job_, cell)) return;
      notes.add(cell);
      write_answer(job_, cell);
    });
    notes.finish();
  }

  const SolverJob<T>& job_;
  SolverWork& work_;
  std::uint32_t lanes_;
  bool is_plain_;  ///< steps depend only on the two cells
  int k_;          ///< this lane's neighbour
  CostOffset offset_{};
  std::int64_t delta_ = 0;
  std::uint32_t round_ = 0;
  Warps warps_{};
  std::uint64_t items_ = 0;
};

}  // namespace thiessen::cuda
