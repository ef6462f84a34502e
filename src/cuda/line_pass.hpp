// SPDX-License-Identifier: Apache-2.0
//
// A pass along all lines of one axis: what kernels do of it.
//
// A group of threads takes up to 32 lines that lie side by side in memory, loads a leaf for each
// cell of them (on periodic axes for images, too), builds their tournaments (tournament.hpp) level
// by level, and then looks up the winner of each cell. Lines along x are taken one by one: there
// threads that are neighbours take neighbouring cells of the same line.
//
// A pass P has
//   Geometry, Scalar  as in lower_envelope.hpp
//   Leaf              what is kept of a leaf
//   Line              a line; P::line(number) -> Line
//   axis()            along which it goes
//   load(line, at)             -> the leaf of the cell `at` of a line
//   exists(leaf)
//   site(line, leaf, at, position) -> its Interval
//   finish(line, x, winner or null, its `at`, S)
#pragma once

#include <cstdint>

#include "core/torus.hpp"
#include "cuda/block.hpp"
#include "cuda/job.hpp"
#include "cuda/tournament.hpp"

namespace thiessen::cuda {

/// The lines of a pass, and how they are shared out.
struct LinePlan {
  std::int64_t lines = 0;     ///< of the axis
  std::int64_t side = 1;      ///< lines that lie side by side
  std::int32_t together = 1;  ///< lines of a group: a power of two
  std::int64_t groups = 0;    ///< of all; a group's lines are of one side
  std::int32_t length = 0;    ///< cells of a line
  std::int32_t images = 0;    ///< leaves of a line
  std::int64_t period = kNoPeriod;

  THIESSEN_HD std::int64_t groups_of_side() const { return (side + together - 1) / together; }
};

/// So that at least two blocks share a multiprocessor.
inline constexpr std::int64_t kLineBytes = 100 << 10;

/// How the lines of an axis are shared out, if a group keeps at most `bytes` a leaf.
inline LinePlan plan_lines(const Job& job, std::size_t axis, std::int32_t most_together,
                           std::int64_t bytes) {
  LinePlan plan;
  plan.period = job.period[axis];
  plan.length = static_cast<std::int32_t>(job.extent[axis]);
  plan.images = static_cast<std::int32_t>(images_of(plan.length, plan.period));
  plan.lines = job.cells() / plan.length;
  plan.side = axis == 0 ? job.extent[1] * job.extent[2] : axis == 1 ? job.extent[2] : 1;
  if (axis == 2) plan.side = plan.lines;
  plan.together = most_together;
  while (plan.together > 1 &&
         (plan.together / 2 >= plan.side || plan.images * plan.together * bytes > kLineBytes))
    plan.together /= 2;
  plan.groups = plan.lines / plan.side * plan.groups_of_side();
  return plan;
}

/// Where a group keeps the leaves and the tournament of its lines: leaf i of line l is at
/// i · together + l.
template <class Leaf, class Turn>
struct LineMemory {
  Leaf* leaf;
  Turn* turn;

  static constexpr std::int64_t bytes(std::int64_t leaves) {
    return leaves * static_cast<std::int64_t>(sizeof(Leaf) + sizeof(Turn));
  }
  THIESSEN_HD static LineMemory at(std::byte* bytes, std::int64_t leaves) {
    auto* const first = reinterpret_cast<Leaf*>(bytes);
    return {first, reinterpret_cast<Turn*>(first + leaves)};
  }
};

/// The leaves of one line, as a tournament sees them.
template <class Pass, class Turn>
struct LineLeaves {
  using Scalar = typename Pass::Scalar;

  const Pass& pass;
  const LinePlan& plan;
  const LineMemory<typename Pass::Leaf, Turn>& memory;
  const typename Pass::Line& line;
  std::int32_t own;  ///< line of the group

  THIESSEN_HD std::int32_t count() const { return plan.images; }
  THIESSEN_HD std::int32_t length() const { return plan.length; }
  THIESSEN_HD Scalar factor() const { return pass.factor[pass.axis()]; }
  THIESSEN_HD std::int32_t turn(std::int32_t i) const {
    return memory.turn[i * plan.together + own];
  }
  THIESSEN_HD typename Pass::Leaf leaf(std::int32_t i) const {
    return memory.leaf[i * plan.together + own];
  }
  THIESSEN_HD bool exists(std::int32_t i) const { return pass.exists(leaf(i)); }
  THIESSEN_HD std::int32_t position(std::int32_t i) const {
    return plan.period == kNoPeriod ? i : i - plan.length / 2;
  }
  THIESSEN_HD std::int32_t at(std::int32_t i) const {
    return plan.period == kNoPeriod ? i
                                    : static_cast<std::int32_t>(unwrap(position(i), plan.period));
  }
  THIESSEN_HD Interval<Scalar> site(std::int32_t i) const {
    return pass.site(line, leaf(i), at(i), position(i));
  }
  THIESSEN_HD std::int32_t cell_of(std::int32_t i) const {
    const std::int32_t cell = position(i);
    return cell < 0 ? 0 : cell >= plan.length ? plan.length - 1 : cell;
  }
};

/// Settles the lines of a group.
template <class Block, class Pass, class Turn>
THIESSEN_HD void solve_lines(const Pass& pass, const LinePlan& plan, std::int64_t group,
                             const LineMemory<typename Pass::Leaf, Turn>& memory) {
  using Geometry = typename Pass::Geometry;
  using Scalar = typename Pass::Scalar;
  using Leaves = LineLeaves<Pass, Turn>;
  const std::int64_t side = group / plan.groups_of_side();
  const std::int64_t first = group % plan.groups_of_side() * plan.together;
  const std::int32_t step = Block::threads() / plan.together;
  // Calls visit(leaves, part) for the threads that have a line: its work is shared by `step` parts.
  const auto each_line = [&](const auto& visit) {
    Block::each([&](int thread) {
      const std::int32_t own = thread % plan.together;
      if (first + own >= plan.side) return;
      const typename Pass::Line line = pass.line(side * plan.side + first + own);
      visit(Leaves{pass, plan, memory, line, own}, thread / plan.together);
    });
    Block::sync();
  };

  each_line([&](const Leaves& leaves, std::int32_t part) {
    for (std::int32_t i = part; i < plan.images; i += step)
      memory.leaf[i * plan.together + leaves.own] = pass.load(leaves.line, leaves.at(i));
  });
  for (std::int32_t half = 1; half < plan.images; half *= 2)
    each_line([&](const Leaves& leaves, std::int32_t part) {
      const std::int64_t two = 2 * std::int64_t{half};
      for (std::int64_t middle = half + two * part; middle < plan.images; middle += two * step)
        memory.turn[middle * plan.together + leaves.own] =
            static_cast<Turn>(find_turn<Geometry>(leaves, static_cast<std::int32_t>(middle), half));
    });
  each_line([&](const Leaves& leaves, std::int32_t part) {
    for (std::int32_t x = part; x < plan.length; x += step) {
      const std::int32_t winner = find_winner(leaves, x);
      if (!leaves.exists(winner)) {
        pass.finish_none(leaves.line, x);
        continue;
      }
      const Interval<Scalar> site = leaves.site(winner);
      const Scalar exact = Geometry::join(
          site.base, Geometry::along(leaves.factor(), std::int64_t{x} - site.position));
      pass.finish(leaves.line, x, leaves.leaf(winner), leaves.at(winner), exact);
    }
  });
}

}  // namespace thiessen::cuda
