// SPDX-License-Identifier: Apache-2.0
//
// What a step costs, and how it lowers the cost of a cell.
#pragma once

#include <cstdint>

#include "core/cost/edges.hpp"
#include "cpu/cost/cost.hpp"

namespace thiessen::cpu {

/// What the steps of any problem cost.
template <class T>
class StepWeights {
 public:
  explicit StepWeights(const CostJob<T>& job)
      : job_(job),
        is_plain_(!job.edges.tight_barriers && job.edges.count != 16 && job.placed == nullptr) {}

  /// The cost of step k, which leads to the cell `to`; NaN if it does not pass.
  T operator()(std::int64_t from, int k, std::int64_t to) const {
    const T* const resistance = job_.resistance;
    return is_plain_
               ? job_.edges.weight(k, step_sum(resistance[from], resistance[to]))
               : step_weight(job_.edges, job_.placed, k, resistance, from, job_.problem.extent);
  }

 private:
  const CostJob<T>& job_;
  bool is_plain_;  ///< steps depend only on the two cells
};

/// Takes any problem.
template <class T>
class FallingCosts {
 public:
  explicit FallingCosts(const CostJob<T>& job) : job_(job), weights_(job) {}

  /// Lowers the cost of the cell that step k leads to, if it can; whether it did.
  bool lower(std::int64_t from, int k, std::int64_t to) const {
    if (!(job_.cost[from] < job_.cost[to])) return false;
    const T cost = along(job_.cost[from], weights_(from, k, to));
    if (!(cost < job_.cost[to]) || cost > job_.limit) return false;
    job_.cost[to] = cost;
    return true;
  }

 private:
  const CostJob<T>& job_;
  StepWeights<T> weights_;
};

}  // namespace thiessen::cpu
