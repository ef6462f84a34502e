// SPDX-License-Identifier: Apache-2.0
//
// Costs of cells that steps lower, one step at a time.
#pragma once

#include <cstdint>

#include "core/cost_edges.hpp"
#include "cpu/cost/call.hpp"

namespace thiessen::cpu {

/// Any problem.
template <class T>
class FallingCosts {
 public:
  explicit FallingCosts(const CostCall<T>& call)
      : call_(call),
        width_(call.problem.extent[2]),
        plane_(call.problem.extent[1] * width_),
        is_plain_(!call.edges.tight_barriers && call.edges.count != 16) {}

  /// Whether step k lowers the cost of the cell that it leads to; then it has.
  bool lower(std::int64_t from, int k, std::int64_t to) const {
    return call_.cost[from] < call_.cost[to] && lower(from, to, weight(from, k, to));
  }
  /// The same, where it is known what the step costs.
  bool lower(std::int64_t from, std::int64_t to, T weight) const {
    const T cost = along(call_.cost[from], weight);
    if (!(cost < call_.cost[to]) || cost > call_.limit) return false;
    call_.cost[to] = cost;
    return true;
  }

 private:
  T weight(std::int64_t from, int k, std::int64_t to) const {
    const T* const resistance = call_.resistance;
    return is_plain_ ? call_.edges.weight(k, step_sum(resistance[from], resistance[to]))
                     : step_weight(call_.edges, k, resistance + from, plane_, width_);
  }

  const CostCall<T>& call_;
  std::int64_t width_;
  std::int64_t plane_;
  bool is_plain_;  ///< steps depend on the two cells alone
};

}  // namespace thiessen::cpu
