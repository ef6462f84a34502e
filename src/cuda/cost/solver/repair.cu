// SPDX-License-Identifier: Apache-2.0
//
// Repairs the answer of a CostSolver after some values of the map and some sites have changed, in
// one kernel that no host looks after, at the cost of the tiles that this concerns.
//
//   costs   A cell is raised if nothing explains its old cost: neither a start nor a step from a
//           cell that cost less and is not raised itself. Raised cells get new costs from their
//           rim, as do cells that have become cheaper.
//   sites   The same on tight steps of the final costs: a cell loses its site if its cost has
//           changed, or if neither a root nor a tight step from a cheaper cell that has not lost it
//           brings it that site. Then it takes the least one that tight steps bring.
//   hops    The same once more, where back links are wanted: a cell's hops are explained by a tight
//           step from a cell of its site with one hop less.
//
// This is the scheme of G. Ramalingam and T. Reps, "An incremental algorithm for a generalization
// of the shortest-path problem" (1996), as src/cpu/cost/repair.hpp has it, but by tiles: each of
// these phases looks at all cells of the tiles on the list, a tile a block (tile.cuh), and
// then at those of tiles that this concerns, round by round (rounds.cuh), until it concerns
// none. So what waits for the barriers of the grid is a way from tile to tile, not from cell to
// cell. The order changes nothing. Raised cells are the least set that has every cell that nothing
// outside of it explains, lost ones likewise. Costs only fall then, to the greatest fixed point,
// which is unique; so do sites, to the least one.
//
// Every phase begins with the tiles of all phases before, whose halos have what these changed. A
// cell whose explanation an edit or a cost has taken lies in one of them: whoever changes a cost
// enters the tiles with cells that it explained, or that it lowers.
//
// If there are too many tiles, the answer is to be made anew, and the answer before, which nobody
// has touched, is what that is compared with.
#include <algorithm>

#include "cuda/cost/solver/tile.cuh"
#include "cuda/device/grid.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"

namespace thiessen::cuda::cost {
namespace {

__device__ inline bool is_leader() { return blockIdx.x == 0 && threadIdx.x == 0; }

/// The work that the solve before and updates have left; the same for all threads of a grid.
struct PendingWork {
  std::uint32_t list, tiles, edited, changed_sites;
  bool is_whole, was_afresh, is_stale;
};

template <class T>
__device__ PendingWork read_pending_work(const SolverJob<T>& job) {
  const SolverWork& work = *job.work;
  return {work.list,
          work.tiles,
          work.edited,
          work.changed_sites,
          work.whole != 0,
          work.afresh != 0,
          work.generation != job.generation};
}

/// Makes the answer the one before, and clears the marks of the solve before.
template <class T>
__device__ void settle(const SolverJob<T>& job, const PendingWork& pending) {
  const auto settle_cell = [&](std::int64_t cell) {
    job.cost_before[cell] = job.now.cost[cell];
    job.site_before[cell] = job.now.rank[cell];
  };
  const std::uint32_t* const list = job.list[pending.list];
  if (pending.was_afresh)
    grid_stride_loop<kCostThreads>(job.now.cells(), settle_cell);
  else
    for_cells_of_tiles(job.now.tiling, list, pending.tiles, settle_cell);
  grid_stride_loop<kCostThreads>(pending.tiles, [&](std::int64_t i) {
    job.tile_mark[list[i]] &= ~mark_of_list(pending.list);
  });
  grid_stride_loop<kCostThreads>(pending.changed_sites,
                                 [&](std::int64_t i) { job.site_mark[job.changed_sites[i]] = 0; });
  if (is_leader())
    for (auto& entered : job.work->entered) entered = 0;
}

/// Counts the sites on barriers for the next answer.
template <class T>
__device__ void count_ignored(const SolverJob<T>& job, std::uint32_t list) {
  grid_stride_loop<kCostThreads>(*job.now.site_count, [&](std::int64_t record) {
    const std::int64_t cell = job.now.listed_cell[record];
    if (cell == kNoCell || is_passable(job.now.resistance[cell])) return;
    atomicAdd(&job.work->ignored[list], 1u);
    atomicMin(&job.work->first_ignored[list],
              job.site_of_record(static_cast<std::uint32_t>(record)));
  });
}

/// Begins the notes of what changes; for one thread, once all have read what was left.
__device__ inline void begin_notes(SolverWork& work) {
  work.ignored[work.list] = 0;
  work.first_ignored[work.list] = kNoRank;
  work.edited = 0;
  work.whole = 0;
  work.changed_sites = 0;
  work.changed = 0;
  work.first_link = ~0u;
  work.last_link = 0;
  for (int axis = 0; axis < kAxes; ++axis) {
    work.first[axis] = ~0u;
    work.last[axis] = 0;
  }
}

/// Returns false if there are too many tiles.
template <class T>
__device__ bool repair_tiles(const SolverJob<T>& job, TileRounds<T>& rounds,
                             RepairMemory<T>& memory) {
  TileRepair<T> repair(job, rounds, memory);
  const std::uint32_t most = job.most_tiles;
  if (!rounds.spread(most, [&](std::uint32_t tile) { repair.raise(tile); }) ||
      !rounds.spread(most, [&](std::uint32_t tile) { repair.lower(tile); }) ||
      !rounds.spread(most, [&](std::uint32_t tile) { repair.drop_stale_sites(tile); }) ||
      !rounds.spread(most, [&](std::uint32_t tile) { repair.find_sites(tile); }))
    return false;
  if (!job.out.back_link) return true;
  if (!rounds.spread(most, [&](std::uint32_t tile) { repair.drop_stale_hops(tile); }) ||
      !rounds.spread(most, [&](std::uint32_t tile) { repair.find_hops(tile); }))
    return false;
  rounds.for_each([&](std::uint32_t tile) { repair.enter_around(tile); });
  rounds.spread(~0u, [&](std::uint32_t tile) { repair.link(tile); });
  return true;
}

/// Writes the outputs of cells that changed, and tells which these are.
template <class T>
__device__ void tell(const SolverJob<T>& job, const std::uint32_t* list, std::uint32_t tiles) {
  ChangeNotes<T> notes(job);
  for_cells_of_tiles(job.now.tiling, list, tiles, [&](std::int64_t cell) {
    if (!is_changed(job, cell)) return;
    notes.add(cell);
    write_answer(job, cell);
  });
  notes.finish();
}

template <class T>
__global__ void __launch_bounds__(kCostThreads) repair(const __grid_constant__ SolverJob<T> job) {
  __shared__ RepairMemory<T> memory;
  SolverWork& work = *job.work;
  const PendingWork pending = read_pending_work(job);
  if (pending.is_stale) {  // all is left as it is, as arrays of sites are gone
    if (is_leader()) {
      work.is_stale = 1;
      work.wanted = 0;
    }
    return;
  }
  settle(job, pending);
  count_ignored(job, 1 - pending.list);
  sync_grid();
  if (is_leader()) begin_notes(work);
  TileRounds<T> rounds(job, 1 - pending.list, pending.edited);
  const bool is_repaired =
      !pending.is_whole && pending.edited <= job.most_tiles && repair_tiles(job, rounds, memory);
  if (is_repaired) tell(job, job.list[1 - pending.list], rounds.tiles());
  if (is_leader()) {
    work.list = 1 - pending.list;
    work.tiles = rounds.tiles();
    work.afresh = work.wanted = is_repaired ? 0 : 1;
  }
}

}  // namespace

template <class T>
void repair_costs(const CudaSession& session, const SolverJob<T>& job) {
  const auto blocks =
      static_cast<unsigned>(std::min<std::int64_t>(job.now.tiling.count(), session.processors()));
  launch_together(session, "repair of costs", {blocks, kCostThreads}, repair<T>, job);
}

template void repair_costs(const CudaSession&, const SolverJob<float>&);
template void repair_costs(const CudaSession&, const SolverJob<double>&);

}  // namespace thiessen::cuda::cost
