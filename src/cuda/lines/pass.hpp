// SPDX-License-Identifier: Apache-2.0
//
// A pass along all lines of one axis: what its kernels do.
//
// A group of threads takes up to 32 lines that lie side by side in memory, loads a leaf for each
// cell of them (on periodic axes also for images), finds the winners of all cells level by level
// (winners.hpp), and passes them to the pass. Lines along x are taken one by one: there
// neighbouring threads take neighbouring cells of the same line.
//
// A pass P has
//   Geometry, Scalar  as in lower_envelope.hpp
//   Leaf              the data that are kept for a leaf
//   Line              a line; P::line(number) -> Line
//   axis()            the axis along which it goes
//   lines(axis())     -> the number of lines
//   load(line, at)             -> the leaf of the cell `at` of a line
//   exists(leaf)
//   site(line, leaf, at, position) -> its Interval
//   finish(line, x, winner or null, its `at`, S)
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/order/torus.hpp"
#include "cuda/job/job.hpp"
#include "cuda/lines/winners.hpp"

namespace thiessen::cuda::lines {

/// Threads of a group.
inline constexpr int kMostLineThreads = 512;

/// The lines of a pass, and how groups divide them.
struct LinePlan {
  std::int64_t lines = 0;     ///< along the axis
  std::int64_t side = 1;      ///< lines that lie side by side
  std::int32_t together = 1;  ///< lines of a group: a power of two
  std::int64_t groups = 0;    ///< number of groups; the lines of a group lie side by side
  std::int32_t length = 0;    ///< cells of a line
  std::int32_t images = 0;    ///< leaves of a line
  std::int64_t period = kNoPeriod;

  THIESSEN_HD std::int64_t groups_of_side() const { return (side + together - 1) / together; }
};

/// Memory for the leaves of a group: little enough for two blocks on a multiprocessor.
inline constexpr std::int64_t kLineBytes = 100 << 10;

/// The same on a device that allows a block so much shared memory; `heads` bytes of it are taken.
inline std::int64_t room_for_leaves(std::int64_t shared, std::int64_t heads) {
  return std::min(kLineBytes, shared - heads);
}

/// Numbers of leaves have 32 bits, and a thread may read some behind the last.
inline constexpr std::int64_t kMostLeaves = (std::int64_t{1} << 31) - 1024;

/// The lines of a pass, and how many of them lie side by side.
struct LineCount {
  std::int64_t all;
  std::int64_t side;
};

/// All lines of an axis.
THIESSEN_HD inline LineCount all_lines(const Job& job, std::size_t axis) {
  const std::int64_t all = job.cells() / job.extent[axis];
  return {all, axis == 0 ? job.extent[1] * job.extent[2] : axis == 1 ? job.extent[2] : all};
}

/// Divides lines into groups that keep `bytes` for a leaf and have `room` for so many. A line may
/// need more than that.
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

/// Memory of a group: leaves and winners of its lines, and heads of its threads. Number i of line l
/// is at i · together + l.
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
  /// Only wide integers do periodic lines.
  THIESSEN_HD bool has_images() const {
    return sizeof(Turn) > sizeof(std::int16_t) && plan.period != kNoPeriod;
  }
};

}  // namespace thiessen::cuda::lines
