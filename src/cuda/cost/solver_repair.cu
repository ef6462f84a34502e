// SPDX-License-Identifier: Apache-2.0
//
// Repairs the answer of a CostSolver after some values of the map and some sites have changed, in
// one kernel that no host looks after, at the cost of what changes with them.
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
// of the shortest-path problem" (1996), as src/cpu/cost/repair.hpp has it, but in rounds: all cells
// of a list at once, and those that this concerns in the next round, like the phases of U. Meyer,
// P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm" (2003), with a single bucket:
// what changes lies together, so there are few cells to be lowered twice. The order changes
// nothing. Raised cells are the least set that has every cell that nothing outside of it explains,
// lost ones likewise. Costs only fall then, to the greatest fixed point, which is unique; so do
// sites, to the least one.
//
// The first block leads. While a list is short, it works alone, and its threads meet at barriers of
// the block. For a long list it calls the others, which wait at the barrier of the grid. If lists
// overflow, too much changes: then the answer is to be made anew, and the answer before, which
// nobody has touched, is what that is compared with.
#include <cooperative_groups.h>

#include <algorithm>

#include "cuda/cost/solver_steps.cuh"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"

namespace thiessen::cuda {
namespace {

constexpr int kRepairThreads = 1024;
constexpr std::uint32_t kRepairWarps = kRepairThreads / kLanes;
/// The first block alone takes lists for which each of its threads has at most so many turns.
constexpr std::uint32_t kTurnsAlone = 2;

/// What the first block knows of the lists between two steps.
struct Lists {
  std::uint32_t next;  ///< the cells of the next round
  std::uint32_t touched;
  std::uint32_t suspects;
  std::uint32_t with_hops;
  std::uint32_t edits;
  std::uint32_t site_cells;
  std::uint32_t changed_sites;
};

__device__ inline void tell_step(SolverWork& work, RepairStep step, std::uint32_t items,
                                 std::uint32_t round) {
  volatile SolverWork& to = work;
  to.step = static_cast<std::uint32_t>(step);
  to.items = items;
  to.round = round;
}

/// Leads a repair; for all threads of the first block, which all compute the same.
template <class T>
class Leader {
 public:
  __device__ Leader(const SolverJob<T>& job, Lists& shared)
      : job_(job), work_(*job.work), shared_(shared), steps_(job) {
    round_ = read(&work_.round);
  }

  __device__ void lead() {
    see();
    const bool is_stale = read(&work_.generation) != job_.generation;
    const bool was_afresh = read(&work_.afresh) != 0;
    if (is_stale) return refuse();
    settle(was_afresh);
    const bool is_afresh = lists_.edits > job_.capacity || lists_.site_cells > job_.capacity;
    begin();
    finish(is_afresh || !repair());
  }

 private:
  /// Reads how long lists are, and empties that of the round after the next, between two barriers.
  __device__ void see() {
    if (threadIdx.x == 0) {
      shared_ = {read(&work_.count[(round_ + 1) % 3]),
                 read(&work_.touched),
                 read(&work_.suspects),
                 read(&work_.with_hops),
                 read(&work_.edits),
                 read(&work_.site_cells),
                 read(&work_.changed_sites)};
      static_cast<volatile std::uint32_t&>(work_.count[(round_ + 2) % 3]) = 0;
    }
    __syncthreads();
    lists_ = shared_;
  }

  /// Runs a step for so many items.
  __device__ void run(RepairStep step, std::uint32_t items) {
    if (items == 0) return;
    const std::uint64_t lanes = std::uint64_t{items} * steps_.lanes();
    const std::uint32_t warp = threadIdx.x / kLanes;
    if (gridDim.x == 1 || lanes <= std::uint64_t{kTurnsAlone} * kRepairThreads) {
      steps_.run(step, items, round_, {warp, kRepairWarps});
      __syncthreads();
    } else {
      if (threadIdx.x == 0) tell_step(work_, step, items, round_);
      cooperative_groups::this_grid().sync();
      steps_.run(step, items, round_, {warp, kRepairWarps * gridDim.x});
      cooperative_groups::this_grid().sync();
    }
    see();
  }

  /// The cells that were listed become those of the round. Each round has a step that is not empty.
  __device__ void next_round() {
    ++round_;
    lists_.next = 0;
  }

  /// A round for all that is listed.
  __device__ bool run_listed(RepairStep step) {
    const std::uint32_t items = lists_.next;
    if (is_full()) return false;
    next_round();
    run(step, items);
    return true;
  }

  /// Rounds until nothing is listed.
  __device__ bool run_rounds(RepairStep step) {
    for (std::uint32_t items = lists_.next; items > 0; items = lists_.next) {
      if (is_full()) return false;
      next_round();
      run(step, items);
    }
    return true;
  }

  __device__ bool is_full() const {
    return max(max(lists_.next, lists_.touched), max(lists_.suspects, lists_.with_hops)) >
           job_.capacity;
  }

  /// Makes the answer the one before, and clears the marks of the solve before. Where that gave up,
  /// its lists do not have all cells.
  __device__ void settle(bool was_afresh) {
    if (was_afresh) {
      run(RepairStep::settle_all, static_cast<std::uint32_t>(job_.now.cells()));
      if (threadIdx.x == 0) clear_lists();
      __syncthreads();
      lists_.touched = lists_.suspects = lists_.with_hops = 0;
    }
    run(RepairStep::settle,
        lists_.touched + lists_.suspects + lists_.with_hops + lists_.changed_sites);
  }

  __device__ void clear_lists() {
    volatile SolverWork& to = work_;
    to.touched = 0;
    to.suspects = 0;
    to.with_hops = 0;
  }

  __device__ void begin() {
    if (round_ > kMostRounds) {
      run(RepairStep::restart_rounds, static_cast<std::uint32_t>(job_.now.cells()));
      round_ = 1;
    }
    if (threadIdx.x == 0) {
      volatile SolverWork& to = work_;
      for (int i = 0; i < 3; ++i) to.count[i] = 0;
      clear_lists();
      to.changed_sites = 0;
      to.changed = 0;
      to.first_link = ~0u;
      to.last_link = 0;
      for (int axis = 0; axis < kAxes; ++axis) {
        to.first[axis] = ~0u;
        to.last[axis] = 0;
      }
    }
    __syncthreads();
    lists_.next = lists_.touched = lists_.suspects = lists_.with_hops = 0;
  }

  __device__ bool repair() {
    run(RepairStep::suspect_around_edits, lists_.edits);
    run(RepairStep::suspect_sites, lists_.site_cells);
    if (is_full() || lists_.suspects == 0) return !is_full();
    if (!repair_costs() || !repair_sites()) return false;
    if (job_.with_hops != nullptr && !repair_hops()) return false;
    run(RepairStep::tell, lists_.touched);
    return true;
  }

  __device__ bool repair_costs() {
    next_round();
    run(RepairStep::raise_suspects, lists_.suspects);
    if (!run_rounds(RepairStep::raise) || is_full()) return false;
    run(RepairStep::forget_raised, lists_.touched);
    next_round();
    const std::uint32_t touched = lists_.touched;
    run(RepairStep::pull_costs_of_suspects, lists_.suspects);
    run(RepairStep::pull_costs_of_touched, touched);
    return run_rounds(RepairStep::push_costs) && !is_full();
  }

  __device__ bool repair_sites() {
    next_round();
    run(RepairStep::lose_changed, lists_.touched);
    run(RepairStep::list_suspects, lists_.suspects);
    if (!run_rounds(RepairStep::lose) || is_full()) return false;
    next_round();
    run(RepairStep::list_touched, lists_.touched);
    run(RepairStep::list_suspects, lists_.suspects);
    if (!run_listed(RepairStep::pull_sites)) return false;
    return run_rounds(RepairStep::push_sites) && !is_full();
  }

  __device__ bool repair_hops() {
    next_round();
    run(RepairStep::list_for_hops, lists_.touched);
    run(RepairStep::list_suspects, lists_.suspects);
    if (!run_rounds(RepairStep::lose_hops) || is_full()) return false;
    next_round();
    run(RepairStep::list_for_hops, lists_.touched);
    run(RepairStep::list_suspects, lists_.suspects);
    run(RepairStep::list_with_hops, lists_.with_hops);
    if (!run_listed(RepairStep::pull_hops)) return false;
    if (!run_rounds(RepairStep::push_hops) || is_full()) return false;
    next_round();
    run(RepairStep::list_for_hops, lists_.touched);
    run(RepairStep::list_suspects, lists_.suspects);
    run(RepairStep::list_for_links, lists_.with_hops);
    return run_listed(RepairStep::link);
  }

  __device__ void finish(bool is_afresh) {
    if (threadIdx.x == 0) {
      volatile SolverWork& to = work_;
      to.edits = 0;
      to.site_cells = 0;
      to.afresh = is_afresh ? 1 : 0;
      to.wanted = is_afresh ? 1 : 0;
    }
    end();
  }

  /// Leaves all as it is, as arrays of sites are gone.
  __device__ void refuse() {
    if (threadIdx.x == 0) {
      volatile SolverWork& to = work_;
      to.is_stale = 1;
      to.wanted = 0;
    }
    end();
  }

  __device__ void end() {
    if (threadIdx.x == 0) tell_step(work_, RepairStep::end, 0, round_ + 1);
    if (gridDim.x > 1) cooperative_groups::this_grid().sync();
  }

  const SolverJob<T>& job_;
  SolverWork& work_;
  Lists& shared_;
  RepairSteps<T> steps_;
  Lists lists_{};
  std::uint32_t round_ = 0;
};

template <class T>
__global__ void __launch_bounds__(kRepairThreads) repair(const __grid_constant__ SolverJob<T> job) {
  __shared__ Lists shared;
  if (blockIdx.x == 0) {
    Leader<T>(job, shared).lead();
    return;
  }
  RepairSteps<T> steps(job);
  const auto grid = cooperative_groups::this_grid();
  for (;;) {
    grid.sync();
    const SolverWork& work = *job.work;
    const auto step = static_cast<RepairStep>(read(&work.step));
    if (step == RepairStep::end) return;
    steps.run(step, read(&work.items), read(&work.round),
              {blockIdx.x * kRepairWarps + threadIdx.x / kLanes, kRepairWarps * gridDim.x});
    grid.sync();
  }
}

}  // namespace

template <class T>
void repair_costs(const CudaSession& session, const SolverJob<T>& job) {
  const std::int64_t blocks =
      std::min<std::int64_t>(parts(job.now.cells(), kRepairThreads), session.processors());
  launch_together(session, "repair of costs", {static_cast<unsigned>(blocks), kRepairThreads},
                  repair<T>, job);
}

template void repair_costs(const CudaSession&, const SolverJob<float>&);
template void repair_costs(const CudaSession&, const SolverJob<double>&);

}  // namespace thiessen::cuda
