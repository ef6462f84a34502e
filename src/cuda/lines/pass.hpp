// SPDX-License-Identifier: Apache-2.0
//
// A pass along all lines of one axis: what kernels do of it.
//
// A group of threads takes up to 32 lines that lie side by side in memory, loads a leaf for each
// cell of them (on periodic axes for images, too), builds their tournaments (tournament.hpp) level
// by level, and then looks up the winner of each cell: first those of every 32nd, because they
// leave little of the tree to the cells between. Lines along x are taken one by one: there threads
// that are neighbours take neighbouring cells of the same line.
//
// A pass P has
//   Geometry, Scalar  as in lower_envelope.hpp
//   Leaf              what is kept of a leaf
//   Line              a line; P::line(number) -> Line
//   axis()            along which it goes
//   lines(axis())     -> how many there are
//   load(line, at)             -> the leaf of the cell `at` of a line
//   exists(leaf)
//   site(line, leaf, at, position) -> its Interval
//   finish(line, x, winner or null, its `at`, S)
#pragma once

#include <cstdint>

#include "core/torus.hpp"
#include "cuda/device/block.hpp"
#include "cuda/job.hpp"
#include "cuda/lines/tournament.hpp"

namespace thiessen::cuda {

/// Cells from one mark to the next; the winners of those between lie between those of the two.
inline constexpr std::int32_t kMarkCells = 32;

/// The lines of a pass, and how they are shared out.
struct LinePlan {
  std::int64_t lines = 0;     ///< of the axis
  std::int64_t side = 1;      ///< lines that lie side by side
  std::int32_t together = 1;  ///< lines of a group: a power of two
  std::int64_t groups = 0;    ///< of all; a group's lines are of one side
  std::int32_t length = 0;    ///< cells of a line
  std::int32_t images = 0;    ///< leaves of a line
  std::int32_t marks = 0;     ///< cells of a line whose winners are looked up first
  std::int32_t half_of_root = 0;
  std::int64_t period = kNoPeriod;

  THIESSEN_HD std::int64_t groups_of_side() const { return (side + together - 1) / together; }
};

/// So that at least two blocks share a multiprocessor.
inline constexpr std::int64_t kLineBytes = 100 << 10;

/// Lines of a pass, and how many of them lie side by side.
struct LineCount {
  std::int64_t all;
  std::int64_t side;
};

/// All lines of an axis.
THIESSEN_HD inline LineCount all_lines(const Job& job, std::size_t axis) {
  const std::int64_t all = job.cells() / job.extent[axis];
  return {all, axis == 0 ? job.extent[1] * job.extent[2] : axis == 1 ? job.extent[2] : all};
}

/// How lines are shared out, if a group keeps at most `bytes` a leaf.
inline LinePlan plan_lines(const Job& job, std::size_t axis, const LineCount& lines,
                           std::int32_t most_together, std::int64_t bytes) {
  LinePlan plan;
  plan.period = job.period[axis];
  plan.length = static_cast<std::int32_t>(job.extent[axis]);
  plan.images = static_cast<std::int32_t>(images_of(plan.length, plan.period));
  plan.marks = (plan.length - 1) / kMarkCells + 2;
  plan.half_of_root = half_of_root(plan.images);
  plan.lines = lines.all;
  plan.side = lines.side;
  plan.together = most_together;
  while (plan.together > 1 &&
         (plan.together / 2 >= plan.side || plan.images * plan.together * bytes > kLineBytes))
    plan.together /= 2;
  plan.groups = plan.lines / plan.side * plan.groups_of_side();
  return plan;
}

/// Where a group keeps the leaves and the tournament of its lines, and the winners of its marks:
/// number i of line l is at i · together + l.
template <class Leaf, class Turn>
struct LineMemory {
  Leaf* leaf;
  Turn* turn;
  Turn* mark;

  static constexpr std::int64_t kLeafBytes = sizeof(Leaf) + sizeof(Turn);

  static std::int64_t bytes(const LinePlan& plan) {
    return plan.together *
           (plan.images * kLeafBytes + plan.marks * static_cast<std::int64_t>(sizeof(Turn)));
  }
  THIESSEN_HD static LineMemory at(std::byte* bytes, const LinePlan& plan) {
    const std::int64_t leaves = std::int64_t{plan.images} * plan.together;
    auto* const first = reinterpret_cast<Leaf*>(bytes);
    auto* const turn = reinterpret_cast<Turn*>(first + leaves);
    return {first, turn, turn + leaves};
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
    return has_images() ? i - plan.length / 2 : i;
  }
  THIESSEN_HD std::int32_t at(std::int32_t i) const {
    return has_images() ? static_cast<std::int32_t>(unwrap(position(i), plan.period)) : i;
  }
  THIESSEN_HD Interval<Scalar> site(std::int32_t i) const {
    return pass.site(line, leaf(i), at(i), position(i));
  }
  /// Periodic lines are left to wide integers.
  THIESSEN_HD bool has_images() const {
    return sizeof(Turn) > sizeof(std::int16_t) && plan.period != kNoPeriod;
  }
  THIESSEN_HD std::int32_t cell_of(std::int32_t i) const {
    const std::int32_t cell = position(i);
    return cell < 0 ? 0 : cell >= plan.length ? plan.length - 1 : cell;
  }
};

/// A group of lines while it is settled.
template <class Block, class Pass, class Turn>
class LineGroup {
 public:
  using Memory = LineMemory<typename Pass::Leaf, Turn>;

  THIESSEN_HD LineGroup(const Pass& pass, const LinePlan& plan, std::int64_t group,
                        const Memory& memory)
      : pass_(pass), plan_(plan), memory_(memory), step_(Block::threads() / plan.together) {
    const std::int64_t side = group / plan.groups_of_side();
    const std::int64_t first = group % plan.groups_of_side() * plan.together;
    Block::each([&](int thread) {
      Member& member = members_[thread];
      member.own = thread % plan.together;
      member.part = thread / plan.together;
      member.exists = first + member.own < plan.side;
      if (member.exists) member.line = pass.line(side * plan.side + first + member.own);
    });
  }

  THIESSEN_HD void solve() {
    each_line([&](const Leaves& leaves, std::int32_t part) {
      for (std::int32_t i = part; i < plan_.images; i += step_)
        memory_.leaf[i * plan_.together + leaves.own] = pass_.load(leaves.line, leaves.at(i));
    });
    for (std::int32_t half = 1; half < plan_.images; half *= 2)
      each_line([&](const Leaves& leaves, std::int32_t part) { find_turns(leaves, half, part); });
    each_line([&](const Leaves& leaves, std::int32_t part) {
      for (std::int32_t i = part; i < plan_.marks; i += step_)
        memory_.mark[i * plan_.together + leaves.own] = static_cast<Turn>(
            find_winner(leaves, plan_.half_of_root, min_of(i * kMarkCells, plan_.length - 1)));
    });
    each_line([&](const Leaves& leaves, std::int32_t part) {
      for (std::int32_t x = part; x < plan_.length; x += step_) finish(leaves, x);
    });
  }

 private:
  using Geometry = typename Pass::Geometry;
  using Scalar = typename Pass::Scalar;
  using Leaves = LineLeaves<Pass, Turn>;

  /// What a thread works on: the lines of a group are shared by as many threads each.
  struct Member {
    typename Pass::Line line;
    std::int32_t own;
    std::int32_t part;
    bool exists;
  };

  THIESSEN_HD static std::int32_t min_of(std::int32_t a, std::int32_t b) { return a < b ? a : b; }

  template <class Visit>
  THIESSEN_HD void each_line(const Visit& visit) const {
    Block::each([&](int thread) {
      const Member& member = members_[thread];
      if (member.exists) visit(Leaves{pass_, plan_, memory_, member.line, member.own}, member.part);
    });
    Block::sync();
  }

  THIESSEN_HD void find_turns(const Leaves& leaves, std::int32_t half, std::int32_t part) const {
    const std::int64_t apart = 2 * std::int64_t{half};
    for (std::int64_t middle = half + apart * part; middle < plan_.images; middle += apart * step_)
      memory_.turn[middle * plan_.together + leaves.own] =
          static_cast<Turn>(find_turn<Geometry>(leaves, static_cast<std::int32_t>(middle), half));
  }

  THIESSEN_HD void finish(const Leaves& leaves, std::int32_t x) const {
    const std::int32_t mark = x / kMarkCells * plan_.together + leaves.own;
    const std::int32_t winner =
        find_winner_between(leaves, memory_.mark[mark], memory_.mark[mark + plan_.together], x);
    if (!leaves.exists(winner)) return pass_.finish_none(leaves.line, x);
    const Interval<Scalar> site = leaves.site(winner);
    const Scalar exact = Geometry::join(
        site.base, Geometry::along(leaves.factor(), std::int64_t{x} - site.position));
    pass_.finish(leaves.line, x, leaves.leaf(winner), leaves.at(winner), exact);
  }

  const Pass& pass_;
  const LinePlan& plan_;
  const Memory& memory_;
  std::int32_t step_;
  typename Block::template Own<Member> members_;
};

/// Settles the lines of a group.
template <class Block, class Pass, class Turn>
THIESSEN_HD void solve_lines(const Pass& pass, const LinePlan& plan, std::int64_t group,
                             const LineMemory<typename Pass::Leaf, Turn>& memory) {
  LineGroup<Block, Pass, Turn>(pass, plan, group, memory).solve();
}

}  // namespace thiessen::cuda
