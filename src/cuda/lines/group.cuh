// SPDX-License-Identifier: Apache-2.0
//
// A block finds the winners of a group of lines (pass.hpp). For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/lines/pass.hpp"
#include "cuda/lines/winners.hpp"

namespace thiessen::cuda::lines {

/// A group of lines while its winners are found, as a thread of its block sees it.
template <class Pass, class Turn>
class LineGroup {
 public:
  using Memory = MemoryOf<Pass, Turn>;

  __device__ LineGroup(const Pass& pass, const LinePlan& plan, std::int64_t group,
                       const Memory& memory)
      : pass_(pass),
        plan_(plan),
        memory_(memory),
        step_(static_cast<std::int32_t>(blockDim.x) / plan.together) {
    const std::int64_t side = group / plan.groups_of_side();
    const std::int64_t first = group % plan.groups_of_side() * plan.together;
    const auto thread = static_cast<std::int32_t>(threadIdx.x);
    member_.own = thread % plan.together;
    member_.part = thread / plan.together;
    member_.exists = first + member_.own < plan.side;
    if (member_.exists) member_.line = pass.line(side * plan.side + first + member_.own);
  }

  __device__ void solve() {
    each_line([&](const Leaves& leaves, std::int32_t part) {
      for (std::int32_t i = part; i < plan_.images; i += step_)
        memory_.leaf[i * plan_.together + leaves.own] = pass_.load(leaves.line, leaves.at(i));
    });
    for (std::int32_t step = first_step(plan_.length); step > 0; step /= 2) solve_level(step);
    each_line([&](const Leaves& leaves, std::int32_t part) {
      for (std::int32_t x = part; x < plan_.length; x += step_) finish(leaves, x);
    });
  }

 private:
  using Geometry = typename Pass::Geometry;
  using Scalar = typename Pass::Scalar;
  using Leaves = LineLeaves<Pass, Turn>;

  /// The part of a thread: the same number of threads shares each line of a group.
  struct Member {
    typename Pass::Line line;
    std::int32_t own;
    std::int32_t part;
    bool exists;
  };

  template <class Visit>
  __device__ void each_line(const Visit& visit) const {
    if (member_.exists)
      visit(Leaves{pass_, plan_, memory_, member_.line, member_.own}, member_.part);
    __syncthreads();
  }

  __device__ void solve_level(std::int32_t step) const {
    using Winners = WinnerLevel<Geometry, Leaves>;
    typename Winners::Tail tail;
    each_line([&](const Leaves& leaves, std::int32_t part) {
      tail = Winners(leaves, step, step_).walk(part);
    });
    each_line([&](const Leaves& leaves, std::int32_t part) {
      Winners(leaves, step, step_).solve_tail(part, tail);
    });
  }

  __device__ void finish(const Leaves& leaves, std::int32_t x) const {
    const std::int32_t winner = leaves.winner(x);
    if (!leaves.exists(winner)) return pass_.finish_none(leaves.line, x);
    const Interval<Scalar> site = leaves.site(winner);
    const Scalar exact = Geometry::combine(
        site.base, Geometry::along(leaves.factor(), std::int64_t{x} - site.position));
    pass_.finish(leaves.line, x, leaves.leaf(winner), leaves.at(winner), exact);
  }

  const Pass& pass_;
  const LinePlan& plan_;
  const Memory& memory_;
  std::int32_t step_;  ///< threads of a line
  Member member_;
};

/// Finds the winners of the lines of a group.
template <class Pass, class Turn>
__device__ void solve_lines(const Pass& pass, const LinePlan& plan, std::int64_t group,
                            const MemoryOf<Pass, Turn>& memory) {
  LineGroup<Pass, Turn>(pass, plan, group, memory).solve();
}

}  // namespace thiessen::cuda::lines
