// SPDX-License-Identifier: Apache-2.0
//
// A pass along all lines of one axis: what kernels do of it.
//
// A group of threads takes up to 32 lines that lie side by side in memory, loads a leaf for each
// cell of them (on periodic axes for images, too), finds the winners of all cells level by level
// (winners.hpp), and hands them over. Lines along x are taken one by one: there threads that are
// neighbours take neighbouring cells of the same line.
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

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/torus.hpp"
#include "cuda/device/block.hpp"
#include "cuda/job.hpp"
#include "cuda/lines/winners.hpp"

namespace thiessen::cuda {

/// Threads of a group.
inline constexpr int kMostLineThreads = 512;

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

/// Of a group's leaves: so that at least two blocks share a multiprocessor.
inline constexpr std::int64_t kLineBytes = 100 << 10;

/// The same on a device whose blocks may have so much shared memory, `heads` of which are taken.
inline std::int64_t room_for_leaves(std::int64_t shared, std::int64_t heads) {
  return std::min(kLineBytes, shared - heads);
}

/// Numbers of leaves have 32 bits, and a thread may look at some behind the last.
inline constexpr std::int64_t kMostLeaves = (std::int64_t{1} << 31) - 1024;

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

/// How lines are shared out, if a group keeps `bytes` a leaf, of which it has `room` for so many. A
/// line may need more than that.
inline LinePlan plan_lines(const Job& job, std::size_t axis, const LineCount& lines,
                           std::int32_t most_together, std::int64_t bytes, std::int64_t room) {
  LinePlan plan;
  plan.period = job.period[axis];
  plan.length = static_cast<std::int32_t>(job.extent[axis]);
  plan.images = static_cast<std::int32_t>(images_of(plan.length, plan.period));
  plan.lines = lines.all;
  plan.side = lines.side;
  plan.together = most_together;
  while (plan.together > 1 && (plan.together / 2 >= plan.side ||
                               std::int64_t{plan.images} * plan.together * bytes > room))
    plan.together /= 2;
  plan.groups = plan.lines / plan.side * plan.groups_of_side();
  return plan;
}

/// Where a group keeps the leaves and winners of its lines, and the heads of its threads: number i
/// of line l is at i · together + l.
template <class Scalar, class Leaf, class Turn>
struct LineMemory {
  Scalar* head_exact;
  Leaf* leaf;
  Turn* winner;
  Turn* head_leaf;

  static constexpr std::int64_t kLeafBytes = sizeof(Leaf) + sizeof(Turn);
  static constexpr std::int64_t kHeadBytes = kMostLineThreads * (sizeof(Scalar) + sizeof(Turn));

  static std::int64_t bytes(const LinePlan& plan) {
    return kHeadBytes + std::int64_t{plan.together} * plan.images * kLeafBytes;
  }
  THIESSEN_HD static LineMemory at(std::byte* bytes, const LinePlan& plan) {
    const std::int64_t leaves = std::int64_t{plan.images} * plan.together;
    LineMemory memory;
    memory.head_exact = reinterpret_cast<Scalar*>(bytes);
    memory.leaf = reinterpret_cast<Leaf*>(memory.head_exact + kMostLineThreads);
    memory.winner = reinterpret_cast<Turn*>(memory.leaf + leaves);
    memory.head_leaf = memory.winner + leaves;
    return memory;
  }
};

template <class Pass, class Turn>
using MemoryOf = LineMemory<typename Pass::Scalar, typename Pass::Leaf, Turn>;

/// The leaves of one line, as its levels see them.
template <class Pass, class Turn>
struct LineLeaves {
  using Scalar = typename Pass::Scalar;
  using Unit = std::conditional_t<sizeof(Turn) < sizeof(std::int32_t), std::int32_t, std::int64_t>;

  const Pass& pass;
  const LinePlan& plan;
  const MemoryOf<Pass, Turn>& memory;
  const typename Pass::Line& line;
  std::int32_t own;  ///< line of the group

  THIESSEN_HD std::int32_t count() const { return plan.images; }
  THIESSEN_HD std::int32_t length() const { return plan.length; }
  THIESSEN_HD Scalar factor() const { return pass.factor[pass.axis()]; }
  THIESSEN_HD std::int32_t winner(std::int64_t x) const {
    return memory.winner[x * plan.together + own];
  }
  THIESSEN_HD void set_winner(std::int64_t x, std::int32_t i) const {
    memory.winner[x * plan.together + own] = static_cast<Turn>(i);
  }
  THIESSEN_HD SeenLeaf<Scalar> head(std::int32_t part) const {
    const std::int32_t place = part * plan.together + own;
    return {memory.head_exact[place], memory.head_leaf[place]};
  }
  THIESSEN_HD void set_head(std::int32_t part, const SeenLeaf<Scalar>& seen) const {
    const std::int32_t place = part * plan.together + own;
    memory.head_exact[place] = seen.exact;
    memory.head_leaf[place] = static_cast<Turn>(seen.leaf);
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
};

/// A group of lines while it is settled.
template <class Block, class Pass, class Turn>
class LineGroup {
 public:
  using Memory = MemoryOf<Pass, Turn>;

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
    for (std::int32_t step = first_step(plan_.length); step > 0; step /= 2) settle_level(step);
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

  template <class Visit>
  THIESSEN_HD void each_line(const Visit& visit) const {
    Block::each([&](int thread) {
      const Member& member = members_[thread];
      if (member.exists) visit(Leaves{pass_, plan_, memory_, member.line, member.own}, member.part);
    });
    Block::sync();
  }

  THIESSEN_HD void settle_level(std::int32_t step) const {
    using Winners = WinnerLevel<Geometry, Leaves>;
    typename Block::template Own<typename Winners::Tail> tails;
    each_line([&](const Leaves& leaves, std::int32_t part) {
      tails[leaves.own + part * plan_.together] = Winners(leaves, step, step_).walk(part);
    });
    each_line([&](const Leaves& leaves, std::int32_t part) {
      Winners(leaves, step, step_).settle_tail(part, tails[leaves.own + part * plan_.together]);
    });
  }

  THIESSEN_HD void finish(const Leaves& leaves, std::int32_t x) const {
    const std::int32_t winner = leaves.winner(x);
    if (!leaves.exists(winner)) return pass_.finish_none(leaves.line, x);
    const Interval<Scalar> site = leaves.site(winner);
    const Scalar exact = Geometry::join(
        site.base, Geometry::along(leaves.factor(), std::int64_t{x} - site.position));
    pass_.finish(leaves.line, x, leaves.leaf(winner), leaves.at(winner), exact);
  }

  const Pass& pass_;
  const LinePlan& plan_;
  const Memory& memory_;
  std::int32_t step_;  ///< threads of a line
  typename Block::template Own<Member> members_;
};

/// Settles the lines of a group.
template <class Block, class Pass, class Turn>
THIESSEN_HD void solve_lines(const Pass& pass, const LinePlan& plan, std::int64_t group,
                             const MemoryOf<Pass, Turn>& memory) {
  LineGroup<Block, Pass, Turn>(pass, plan, group, memory).solve();
}

}  // namespace thiessen::cuda
