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

#include "cpu/tiles/far/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Lists of nodes for tiles of the levels above 1.
///
/// On periodic axes a node has images, one period to either side. They are nodes of their own in
/// lists: their places are moved, their ids are the same.
template <int kRank, Metric kMetric>
class NodeSearch : public TileBase<kRank> {
 public:
  using Base = TileBase<kRank>;
  using Base::Base;
  using typename Base::Point;

  /// Lists the nodes of level 2 that may matter for a macro tile. Returns false if they are too
  /// many, or if sites out of reach may matter.
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
          if (!sort_in_images(area, top, {z, y, x}, list)) return false;
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

  /// Lists the children of nodes of a level above 1; false if they are too many.
  bool expand_nodes(int level, const NodeList& from, NodeList& to) const {
    const NodeLevel& below = pyramid_.level[static_cast<std::size_t>(level - 1)];
    to.count = 0;
    for (std::int64_t i = 0; i < from.count; ++i) {
      if (to.count + 64 > memory_.most_nodes) return false;
      const auto node = static_cast<std::int64_t>(static_cast<std::uint32_t>(from.id[i]));
      const Point moved =
          job_.is_periodic()
              ? moved_from<kRank>(from, i, pyramid_.level[static_cast<std::size_t>(level)], node)
              : Point{};
      for_each_child(level, node, [&](const Axes& child) {
        push(below, below.index(child[0], child[1], child[2]), moved, to);
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
      const Point moved = job_.is_periodic() ? moved_from<kRank>(from, i, nodes, node) : Point{};
      for (std::int64_t k = 0; k < kLeavesOfNode; k += kLanes) {
        const std::uint64_t bits = children >> k;
        const Compressor32 full(bits);
        const std::int64_t leaf = node * kLeavesOfNode + k;
        for (std::size_t w = 0; w < kRank - 1; ++w) {
          const auto put = [&](const Words& words, const Words& list) HWY_ATTR {
            const V16 place = halves(load(words[w] + leaf));
            full.put(word(hn::Add(place, halves(all(moved[w])))), list[w] + to.count);
          };
          put(leaves.low, to.low);
          put(leaves.high, to.high);
          put(leaves.site, to.site);
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
    prune_projected<kRank, kMetric>(lattice, list);
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

  /// Whether all sites of an image of a node can be compared with all cells of an area.
  Within within_reach(const Area& area, int level, const Axes& node, const Axes& image) const {
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    Within within = Within::yes;
    for (std::size_t axis = kAxes - kRank; axis < kAxes; ++axis) {
      const std::int64_t moved = image[axis] * job_.extent[axis];
      const std::int64_t low = node[axis] * nodes.size[axis] + moved;
      const std::int64_t high = std::min(low + nodes.size[axis], job_.extent[axis] + moved) - 1;
      const std::int64_t first = area.first[axis];
      const std::int64_t last = first + area.size[axis];
      const std::int64_t reach = pyramid_.reach[axis];
      if (low - first > reach || last - high > reach) return Within::no;
      if (high - first > reach || last - low > reach) within = Within::partly;
    }
    return within;
  }

  /// The first and the last image along an axis.
  std::int64_t first_image(std::size_t axis) const { return job_.periodic[axis] ? -1 : 0; }
  std::int64_t last_image(std::size_t axis) const { return job_.periodic[axis] ? 1 : 0; }

  bool sort_in_images(const Area& area, int level, const Axes& at, NodeList& list) {
    Axes image;
    for (image[0] = first_image(0); image[0] <= last_image(0); ++image[0])
      for (image[1] = first_image(1); image[1] <= last_image(1); ++image[1])
        for (image[2] = first_image(2); image[2] <= last_image(2); ++image[2])
          if (!sort_in(area, level, at, image, list)) return false;
    return true;
  }

  bool sort_in(const Area& area, int level, const Axes& at, const Axes& image, NodeList& list) {
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    const std::int64_t node = nodes.index(at[0], at[1], at[2]);
    if (nodes.children[node] == 0) return true;
    const Within within = within_reach(area, level, at, image);
    if (within == Within::no) {
      beyond_ = true;
      return true;
    }
    if (within == Within::partly) {
      if (partly_ == memory_.most_nodes) return false;
      memory_.partly[partly_++] = static_cast<std::int32_t>(node * kImages + (image[0] + 1) * 9 +
                                                            (image[1] + 1) * 3 + image[2] + 1);
      return true;
    }
    if (list.count == memory_.most_nodes) return false;
    push(nodes, node, to_move(image), list);
    return true;
  }

  Point to_move(const Axes& image) const {
    return to_place(pyramid_, image[0] * job_.extent[0], image[1] * job_.extent[1],
                    image[2] * job_.extent[2]);
  }

  void push(const NodeLevel& nodes, std::int64_t node, const Point& moved, NodeList& list) const {
    for (std::size_t w = 0; w < kRank - 1; ++w) {
      list.low[w][list.count] = add_halves(nodes.low[w][node], moved[w]);
      list.high[w][list.count] = add_halves(nodes.high[w][node], moved[w]);
      list.site[w][list.count] = add_halves(nodes.site[w][node], moved[w]);
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
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t entry = static_cast<std::uint32_t>(memory_.partly[memory_.most_nodes + i]);
      const std::int64_t code = entry % kImages;
      const Axes image{code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
      for_each_child(level, entry / kImages, [&](const Axes& child) {
        fits = fits && sort_in(area, level - 1, child, image, list);
      });
    }
    return fits;
  }

  /// Whether each cell of the macro tile has a site that is nearer than all sites out of reach.
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

  static constexpr std::int64_t kImages = 27;

  bool beyond_ = false;  ///< there are sites out of reach
  std::int64_t partly_ = 0;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
