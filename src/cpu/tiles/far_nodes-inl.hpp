// SPDX-License-Identifier: Apache-2.0
//
// From the nodes of the whole raster to the leaves that matter for a tile.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_NODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_NODES_INL
#undef THIESSEN_CPU_TILES_FAR_NODES_INL
#else
#define THIESSEN_CPU_TILES_FAR_NODES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "cpu/tiles/far_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Lists of nodes for tiles of the levels above 1.
template <int kRank, Metric kMetric>
class NodeSearch : public TileBase<kRank> {
 public:
  using Base = TileBase<kRank>;
  using Base::Base;
  using typename Base::Point;

  /// Lists the nodes of level 2 that may matter for a macro tile. False: too many, or sites out of
  /// reach may matter.
  bool gather(const Area& area, Lattice<kRank>& lattice, NodeList& list) {
    beyond_ = false;
    list.count = 0;
    memory_.nodes.count = 0;
    partly_ = 0;
    const int top = pyramid_.levels - 1;
    const NodeLevel& nodes = pyramid_.top();
    for (std::int64_t z = 0; z < nodes.count[0]; ++z)
      for (std::int64_t y = 0; y < nodes.count[1]; ++y)
        for (std::int64_t x = 0; x < nodes.count[2]; ++x)
          if (!sort_in(area, top, {z, y, x}, list)) return false;
    for (int level = top;; --level) {
      prune_all(lattice, list);
      if (level == 2) break;
      std::swap(list, memory_.nodes);
      list.count = 0;
      if (!expand_nodes(level, memory_.nodes, list) || !expand_partly(area, level, list))
        return false;
    }
    return partly_ == 0 && !beyond_ ? true : reaches_all(area, lattice, list);
  }

  /// The children of nodes of a level above 1; false if they are too many.
  bool expand_nodes(int level, const NodeList& from, NodeList& to) const {
    const NodeLevel& below = pyramid_.level[static_cast<std::size_t>(level - 1)];
    to.count = 0;
    for (std::int64_t i = 0; i < from.count; ++i) {
      if (to.count + 64 > memory_.most_nodes) return false;
      for_each_child(level, static_cast<std::uint32_t>(from.id[i]), [&](const Axes& child) {
        push(below, below.index(child[0], child[1], child[2]), to);
      });
    }
    return true;
  }

  /// Appends the leaves of nodes of level 1; false if they are too many.
  bool expand_leaves(const NodeList& from, NodeList& to) const {
    const NodeLevel& nodes = pyramid_.level[1];
    const NodeLevel& leaves = pyramid_.level[0];
    to.count = 0;
    for (std::int64_t i = 0; i < from.count; ++i) {
      if (to.count + kLeavesOfNode > memory_.most_nodes) return false;
      const auto node = static_cast<std::int64_t>(static_cast<std::uint32_t>(from.id[i]));
      const std::uint64_t children = nodes.children[node];
      for (std::int64_t k = 0; k < kLeavesOfNode; k += kLanes) {
        const std::uint64_t bits = children >> k;
        const Compressor32 full(bits);
        const std::int64_t leaf = node * kLeavesOfNode + k;
        for (std::size_t w = 0; w < kRank - 1; ++w) {
          full.put(load(leaves.low[w] + leaf), to.low[w] + to.count);
          full.put(load(leaves.high[w] + leaf), to.high[w] + to.count);
          full.put(load(leaves.site[w] + leaf), to.site[w] + to.count);
        }
        full.put(iota(leaf), to.id + to.count);
        to.count += full.count();
      }
    }
    return true;
  }

  void prune_all(Lattice<kRank>& lattice, NodeList& list) const {
    if (const auto limit = job_.limit32())
      prune_beyond<kRank, kMetric>(lattice.tile(), *limit, list);
    if (list.count == 0) return;
    find_winners<kRank, kMetric>(list.site, list.count, lattice);
    if (list.count > kFewCandidates) prune_projected<kRank, kMetric>(lattice, list);
  }

  /// The list of a child of the lattice's tile.
  void prune_for(const Lattice<kRank>& lattice, const Axes& child, const NodeList& from,
                 NodeList& to) const {
    to.count = 0;
    if (from.count == 0) return;
    Dominators dominators;
    find_dominators<kRank, kMetric>(lattice, child, Base::kOne, dominators);
    prune<kRank, kMetric>(dominators, from, to);
    if (const auto limit = job_.limit32())
      prune_beyond<kRank, kMetric>(dominators.tile, *limit, to);
  }

 private:
  using Base::job_;
  using Base::memory_;
  using Base::pyramid_;

  enum class Within { yes, partly, no };

  /// Whether all sites of a node can be compared with all cells of an area.
  Within within_reach(const Area& area, int level, const Axes& node) const {
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    Within within = Within::yes;
    for (std::size_t axis = kAxes - kRank; axis < kAxes; ++axis) {
      const std::int64_t low = node[axis] * nodes.size[axis];
      const std::int64_t high = std::min(low + nodes.size[axis], job_.extent[axis]) - 1;
      const std::int64_t first = area.first[axis];
      const std::int64_t last = first + area.size[axis];
      const std::int64_t reach = pyramid_.reach[axis];
      if (low - first > reach || last - high > reach) return Within::no;
      if (high - first > reach || last - low > reach) within = Within::partly;
    }
    return within;
  }

  bool sort_in(const Area& area, int level, const Axes& at, NodeList& list) {
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    const std::int64_t node = nodes.index(at[0], at[1], at[2]);
    if (nodes.children[node] == 0) return true;
    const Within within = within_reach(area, level, at);
    if (within == Within::no) {
      beyond_ = true;
      return true;
    }
    if (within == Within::partly) {
      if (partly_ == memory_.most_nodes) return false;
      memory_.partly[partly_++] = static_cast<std::int32_t>(node);
      return true;
    }
    if (list.count == memory_.most_nodes) return false;
    push(nodes, node, list);
    return true;
  }

  void push(const NodeLevel& nodes, std::int64_t node, NodeList& list) const {
    for (std::size_t w = 0; w < kRank - 1; ++w) {
      list.low[w][list.count] = nodes.low[w][node];
      list.high[w][list.count] = nodes.high[w][node];
      list.site[w][list.count] = nodes.site[w][node];
    }
    list.id[list.count++] = static_cast<std::int32_t>(node);
  }

  /// Calls visit(child) for the children of a node that have sites.
  template <class Visit>
  void for_each_child(int level, std::int64_t node, Visit&& visit) const {
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    const Axes at{node / nodes.count[2] / nodes.count[1], node / nodes.count[2] % nodes.count[1],
                  node % nodes.count[2]};
    for (std::uint64_t bits = nodes.children[node]; bits != 0; bits &= bits - 1) {
      const std::int64_t child = std::countr_zero(bits);
      visit(Axes{at[0] * nodes.fan[0] + child / 16, at[1] * nodes.fan[1] + child / 4 % 4,
                 at[2] * nodes.fan[2] + child % 4});
    }
  }

  bool expand_partly(const Area& area, int level, NodeList& list) {
    const std::int64_t count = std::exchange(partly_, 0);
    std::copy_n(memory_.partly, count, memory_.partly + memory_.most_nodes);
    bool fits = true;
    for (std::int64_t i = 0; i < count; ++i)
      for_each_child(
          level, static_cast<std::uint32_t>(memory_.partly[memory_.most_nodes + i]),
          [&](const Axes& child) { fits = fits && sort_in(area, level - 1, child, list); });
    return fits;
  }

  /// Whether each cell of the macro tile has a site nearer than all that are out of reach.
  bool reaches_all(const Area& area, const Lattice<kRank>& lattice, const NodeList& list) const {
    std::int64_t farthest = list.count == 0 ? INT64_MAX : 0;
    std::int64_t nearest = INT64_MAX;
    const Point winner = {lattice.winner[0][0], kRank == 3 ? lattice.winner[1][0] : 0};
    for (std::size_t axis = kAxes - kRank; axis < kAxes; ++axis) {
      const std::int64_t weight = pyramid_.weight[axis];
      const std::int64_t size = area.size[axis] * weight;
      const std::size_t w = axis == 0 ? 1 : 0;
      const auto shifted = [&](std::int32_t of) {
        return static_cast<std::uint32_t>(of) >> (axis == 1 ? 16 : 0);
      };
      const std::int64_t from =
          static_cast<std::int16_t>(shifted(winner[w]) - shifted(lattice.origin[w]));
      if (list.count > 0) farthest += along(std::max(std::abs(from), std::abs(size - from)));
      nearest = std::min(nearest, along(pyramid_.reach[axis] * weight - size));
    }
    return std::min<std::int64_t>(farthest, job_.limit) < nearest;
  }
  static std::int64_t along(std::int64_t difference) {
    return kMetric == Metric::euclidean ? difference * difference : difference;
  }

  bool beyond_ = false;  ///< there are sites out of reach
  std::int64_t partly_ = 0;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
