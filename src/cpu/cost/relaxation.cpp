// SPDX-License-Identifier: Apache-2.0
//
// J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using CUDA",
// algorithms 1 and 2; labels are left to a later phase, unless labels_carried asks for theirs:
//
//   mask M     cells whose cost has fallen, and which have not passed it on yet
//   C_o, C_u   costs as they were, and as they are being lowered
//   phase 1    every cell of M lowers C_u of its neighbours by C_o of its own and the step
//   phase 2    cells where C_u is less than C_o take it over and are the next M; if there are none,
//              no flag is set and the loop ends
//
// An iteration extends all paths by one step, so its costs are those of the shortest paths with
// that many steps. The order within an iteration does not matter: minimum is commutative.
//
// Labels carried along (VOR in the paper) do depend on it. Their cells pass on in ascending order,
// one after the other. A neighbour takes the label that the cell has at that time, if the cost is
// C_u of the neighbour, whether it was lowered to that or had it before. A cell whose label changes
// while its cost stays is not in M, and does not tell others.
#include <atomic>
#include <limits>

#include "core/cost/labels.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/methods.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

/// Lowers a cost that other threads may be lowering.
template <class T>
void lower(T& place, T cost) {
  const std::atomic_ref<T> shared(place);
  T known = shared.load(std::memory_order_relaxed);
  while (cost < known && !shared.compare_exchange_weak(known, cost, std::memory_order_relaxed)) {
  }
}

template <class T>
class Relaxation {
 public:
  Relaxation(ContextState& state, const CostJob<T>& job, Scratch::Frame& scratch)
      : state_(state),
        job_(job),
        extent_(job.problem.extent),
        deltas_(neighbour_deltas(job.edges, extent_)),
        lowered_(scratch.array<T>(job.problem.cells())),
        mask_(scratch.array<std::uint8_t>(job.problem.cells())) {}

  void run(CostDistanceReport& report) {
    for_rows([&](std::int64_t first, std::int64_t end) {
      for (std::int64_t cell = first; cell < end; ++cell) {
        lowered_[cell] = job_.cost[cell];
        mask_[cell] = job_.cost[cell] < std::numeric_limits<T>::infinity() ? 1 : 0;
      }
    });
    for (bool go_on = true; go_on;) {
      report.active_cells.push_back(job_.carried == nullptr ? relax() : relax_in_order());
      go_on = update();
      state_.progress.check();
    }
  }

 private:
  /// Visits rows one after the other, as ranges of cells.
  template <class Visit>
  void for_rows(const Visit& visit) {
    parallel_for(state_, extent_[0] * extent_[1], rows_per_task(extent_[2]), 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   visit(begin * extent_[2], end * extent_[2]);
                 });
  }

  /// Algorithm 1; returns how many cells were in the mask.
  std::int64_t relax() {
    std::atomic<std::int64_t> active{0};
    for_rows([&](std::int64_t first, std::int64_t end) {
      std::int64_t count = 0;
      for (std::int64_t cell = first; cell < end; ++cell) {
        if (mask_[cell] == 0) continue;
        propagate(cell);
        mask_[cell] = 0;
        ++count;
      }
      active += count;
    });
    return active;
  }

  /// The same with labels, by one thread.
  std::int64_t relax_in_order() {
    std::int64_t count = 0;
    for (std::int64_t cell = 0; cell < job_.problem.cells(); ++cell) {
      if (mask_[cell] == 0) continue;
      for_each_step(cell, [&](std::int64_t to, T cost) {
        lowered_[to] = std::min(lowered_[to], cost);
        if (cost == lowered_[to]) job_.carried[to] = job_.carried[cell];
      });
      mask_[cell] = 0;
      ++count;
    }
    return count;
  }

  void propagate(std::int64_t cell) {
    for_each_step(cell, [&](std::int64_t to, T cost) { lower(lowered_[to], cost); });
  }

  /// Calls visit(neighbour, cost there) for all steps that pass, in ascending order of neighbours.
  template <class Visit>
  void for_each_step(std::int64_t cell, const Visit& visit) {
    for_each_neighbour(job_.edges, deltas_, extent_, cell, [&](std::int64_t next, int k) {
      const T weight = step_weight(job_.edges, job_.placed, k, job_.resistance, cell, extent_);
      const T cost = along(job_.cost[cell], weight);
      if (cost <= job_.limit && cost < std::numeric_limits<T>::infinity()) visit(next, cost);
    });
  }

  /// Algorithm 2; returns the flag.
  bool update() {
    std::atomic<bool> any{false};
    for_rows([&](std::int64_t first, std::int64_t end) {
      bool changed = false;
      for (std::int64_t cell = first; cell < end; ++cell) {
        const bool fell = lowered_[cell] < job_.cost[cell];
        job_.cost[cell] = lowered_[cell];
        mask_[cell] = fell ? 1 : 0;
        changed |= fell;
      }
      if (changed) any.store(true, std::memory_order_relaxed);
    });
    return any;
  }

  ContextState& state_;
  const CostJob<T>& job_;
  Axes extent_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  T* lowered_;
  std::uint8_t* mask_;
};

template <class T>
Fronts solve_by_relaxing(ContextState& state, const CostJob<T>& job, CostDistanceReport& report) {
  Scratch::Frame scratch(state.scratch);
  Relaxation<T>(state, job, scratch).run(report);
  return Fronts::winding;
}

}  // namespace

void run_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report) {
  run_cost(state, problem, views, report, {solve_by_relaxing<float>, solve_by_relaxing<double>});
}

}  // namespace thiessen::cpu
