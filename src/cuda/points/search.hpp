// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest point, a tile of cells at a time.
//
// Points are sorted along a Hilbert curve, and 32 of them that follow each other make a leaf of a
// tree, 32 leaves a node above them, and so on: so the tree needs no links, and the lanes of a warp
// look at all children of a node at once. I. Kamel, C. Faloutsos, "On packing R-trees" (1993), for
// the tree; J. Skilling, "Programming the Hilbert curve" (2004), for the curve; N. Roussopoulos,
// S. Kelley, F. Vincent, "Nearest neighbor queries" (1995), for the search by boxes.
//
// A warp has a tile of cells, some for each lane. It knows a bound: every cell of the tile has
// found a point with S <= bound. A box whose nearest place is farther than that from the nearest
// cell of the tile cannot hold a winner; one that is just as far can, since of equally near points
// the first in the list wins. The first bound comes from the point that a descent towards the
// middle of the tile ends at, seen from the farthest cell. Points of leaves that are left are
// listed; when the list is full, each cell is compared with all of them, and the bound falls to the
// greatest S of the tile.
//
// A box without extent holds one place; of its points only the first of the list can win, and
// the order of points in a leaf is that of the list. So many points at one place cost no more than
// one in each node.
//
// Coordinate is an integer for places, Scalar one for S.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/measure.hpp"
#include "cuda/device/block.hpp"
#include "cuda/points/search_warp.hpp"
#include "cuda/results.hpp"

namespace thiessen::cuda {

inline constexpr int kChildren = kLanes;
/// 2^31 points are 2^26 leaves.
inline constexpr int kMostTreeLevels = 7;

/// More than any S.
template <class Scalar>
THIESSEN_HD constexpr Scalar beyond_all() {
  if constexpr (sizeof(Scalar) > sizeof(std::int64_t))
    return Scalar{1} << 126;
  else
    return std::numeric_limits<Scalar>::max();
}

template <class Coordinate>
struct PointPlace {
  Coordinate at[kAxes];
};

template <class Coordinate>
struct PointBox {
  Coordinate low[kAxes];
  Coordinate high[kAxes];

  THIESSEN_HD bool is_place() const {
    return low[0] == high[0] && low[1] == high[1] && low[2] == high[2];
  }
};

template <class Coordinate>
THIESSEN_HD PointBox<Coordinate> box_of_place(const PointPlace<Coordinate>& place) {
  return {{place.at[0], place.at[1], place.at[2]}, {place.at[0], place.at[1], place.at[2]}};
}

/// Node i of level l has the nodes 32·i to 32·i + 31 of level l - 1 as children; of level 0 these
/// are points.
template <class TheCoordinate, class TheScalar>
struct PointTree {
  using Coordinate = TheCoordinate;
  using Scalar = TheScalar;

  const PointPlace<Coordinate>* place = nullptr;  ///< of points along the curve
  const std::uint32_t* index = nullptr;           ///< in the list
  std::int64_t count = 0;
  int levels = 0;
  const PointBox<Coordinate>* box[kMostTreeLevels] = {};
  std::int64_t nodes[kMostTreeLevels] = {};  ///< of each level
  Scalar factor[kAxes] = {};
  Coordinate period[kAxes] = {};  ///< the greatest number where there is none
  bool is_plain = false;          ///< all factors are 1, and no axis is periodic
  int fraction_bits = 0;
};

/// The greatest number stands for no period.
template <class Coordinate>
THIESSEN_HD bool is_periodic(Coordinate period) {
  return period != std::numeric_limits<Coordinate>::max();
}

template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar measure_axis(const Tree& tree, int axis,
                                               typename Tree::Coordinate delta) {
  return along<kMetric>(tree.factor[axis], static_cast<typename Tree::Scalar>(delta));
}

/// S between a cell and a point along one axis.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar measure_between(const Tree& tree, int axis,
                                                  typename Tree::Coordinate a,
                                                  typename Tree::Coordinate b) {
  using Scalar = typename Tree::Scalar;
  auto delta = a < b ? b - a : a - b;
  if (tree.is_plain) {
    const auto cells = static_cast<Scalar>(delta);
    return kMetric == Metric::euclidean ? cells * cells : cells;
  }
  if (tree.period[axis] - delta < delta) delta = tree.period[axis] - delta;
  return measure_axis<kMetric>(tree, axis, delta);
}

/// Cells of a tile, and how the lanes share them: a lane has kCells, `step` apart from each other.
struct PointTileShape {
  static constexpr int kMostCells = 16;

  std::int32_t lanes[kAxes] = {};  ///< along each axis
  std::int32_t size[kAxes] = {};
  std::int32_t cell_y[kMostCells] = {};  ///< of a lane's cells, relative to its first
  std::int32_t cell_z[kMostCells] = {};
};

/// A tile: the box around the centres of its cells, and its first cell.
template <class Coordinate>
struct PointTile {
  PointBox<Coordinate> box;
  std::int64_t first[kAxes];
};

template <class Coordinate>
THIESSEN_HD PointTile<Coordinate> make_tile(const Job& job, const PointTileShape& shape,
                                            std::int64_t number) {
  PointTile<Coordinate> tile;
  for (int axis = kAxes - 1; axis >= 0; --axis) {
    const std::int64_t extent = job.extent[static_cast<std::size_t>(axis)];
    const std::int64_t tiles = (extent + shape.size[axis] - 1) / shape.size[axis];
    tile.first[axis] = number % tiles * shape.size[axis];
    number /= tiles;
    const std::int64_t end = tile.first[axis] + shape.size[axis];
    tile.box.low[axis] = static_cast<Coordinate>(tile.first[axis] << job.fraction_bits);
    tile.box.high[axis] =
        static_cast<Coordinate>(((end < extent ? end : extent) - 1) << job.fraction_bits);
  }
  return tile;
}

/// Between two stretches of an axis; 0 if they meet.
template <class Coordinate>
THIESSEN_HD Coordinate gap_between(Coordinate low, Coordinate high, Coordinate other_low,
                                   Coordinate other_high) {
  if (low > other_high) return low - other_high;
  return other_low > high ? other_low - high : 0;
}

/// Least S between a place of the box and a cell of the tile; no less than that of any, and equal
/// to that of the corners that face each other.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar least_to_box(const Tree& tree,
                                               const PointTile<typename Tree::Coordinate>& tile,
                                               const PointBox<typename Tree::Coordinate>& box) {
  using Coordinate = typename Tree::Coordinate;
  typename Tree::Scalar exact = 0;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const Coordinate low = box.low[axis];
    const Coordinate high = box.high[axis];
    Coordinate gap = gap_between(low, high, tile.box.low[axis], tile.box.high[axis]);
    const Coordinate period = tree.period[axis];
    if (is_periodic(period)) {
      const auto left = static_cast<Coordinate>(tile.box.low[axis] - (high - period));
      const auto right = static_cast<Coordinate>(low + period - tile.box.high[axis]);
      if (left < gap) gap = left;
      if (right < gap) gap = right;
      if (gap < 0) gap = 0;
    }
    exact = join<kMetric>(exact, measure_axis<kMetric>(tree, axis, gap));
  }
  return exact;
}

/// S from a place to the farthest place of a box, or more.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar greatest_to_box(
    const Tree& tree, const PointBox<typename Tree::Coordinate>& box,
    const PointPlace<typename Tree::Coordinate>& place) {
  using Coordinate = typename Tree::Coordinate;
  typename Tree::Scalar exact = 0;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const Coordinate to_low = place.at[axis] - box.low[axis];
    const Coordinate to_high = box.high[axis] - place.at[axis];
    Coordinate reach = to_low < to_high ? to_high : to_low;
    const Coordinate period = tree.period[axis];
    if (is_periodic(period)) {
      // The image that is nearest to the middle is as good as any other.
      const Coordinate half = (box.high[axis] - box.low[axis] + 1) / 2;
      const Coordinate middle = box.low[axis] + (box.high[axis] - box.low[axis]) / 2;
      Coordinate delta =
          place.at[axis] < middle ? middle - place.at[axis] : place.at[axis] - middle;
      if (period - delta < delta) delta = period - delta;
      if (delta + half < reach) reach = delta + half;
      if (period / 2 < reach) reach = period / 2;
    }
    exact = join<kMetric>(exact, measure_axis<kMetric>(tree, axis, reach));
  }
  return exact;
}

/// What a warp keeps beside its lanes.
template <class Coordinate, class Scalar>
struct SearchMemory {
  static constexpr int kMostListed = 64;
  static constexpr int kMostOpen = kChildren * kMostTreeLevels;

  PointPlace<Coordinate> place[kMostListed];
  std::uint32_t index[kMostListed];
  std::uint32_t open[kMostOpen];  ///< nodes still to be looked into
  Scalar open_exact[kMostOpen];   ///< least S to them
};

/// A node in the list of those to be looked into.
struct OpenNode {
  static constexpr std::uint32_t kIsPlace = 1u << 31;

  THIESSEN_HD static std::uint32_t make(int level, std::int64_t node, bool is_place) {
    return static_cast<std::uint32_t>(node) | static_cast<std::uint32_t>(level) << 27 |
           (is_place ? kIsPlace : 0);
  }
  THIESSEN_HD static int level(std::uint32_t open) { return static_cast<int>(open >> 27 & 15); }
  THIESSEN_HD static std::int64_t node(std::uint32_t open) { return open & ((1u << 27) - 1); }
};

/// Winners of a lane's cells.
template <class Scalar, int kCells>
struct LaneWinners {
  static constexpr std::uint32_t kNone = ~0u;

  Scalar exact[kCells];
  std::uint32_t index[kCells];
};

/// write_result(), once in a kernel for all cells of a lane.
template <class Scalar>
THIESSEN_HD THIESSEN_NOINLINE void write_point(const Job& job, std::int64_t cell,
                                               std::int64_t point, Scalar exact) {
  write_result(job, cell, point, exact);
}

/// Whether nothing is wanted but labels of four bytes, of every cell.
THIESSEN_HD inline bool wants_labels_alone(const Job& job) {
  const Outputs& out = job.out;
  return out.labels.element == 4 && out.labels && out.site_index == nullptr && !out.distance &&
         out.squared == nullptr && out.offset == nullptr && out.direction == nullptr &&
         !job.limited && job.point_count > 0;
}

/// The search for one tile.
template <class Warp, Metric kMetric, class Tree, int kCells>
class PointTileSearch {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Scalar = typename Tree::Scalar;
  using Winners = LaneWinners<Scalar, kCells>;

  THIESSEN_HD PointTileSearch(const Job& job, const Tree& tree, const PointTileShape& shape,
                              std::int64_t number, SearchMemory<Coordinate, Scalar>& memory)
      : job_(job),
        tree_(tree),
        shape_(shape),
        tile_(make_tile<Coordinate>(job, shape, number)),
        memory_(memory) {}

  THIESSEN_HD const std::int64_t (&first_cell() const)[kAxes] { return tile_.first; }

  THIESSEN_HD void run() {
    Warp::each([&](int lane) {
      const std::int32_t rest = lane / shape_.lanes[2];
      first_cell_[lane] = {{static_cast<std::int32_t>(tile_.first[0]) + rest / shape_.lanes[1],
                            static_cast<std::int32_t>(tile_.first[1]) + rest % shape_.lanes[1],
                            static_cast<std::int32_t>(tile_.first[2]) + lane % shape_.lanes[2]}};
      THIESSEN_UNROLL
      for (int i = 0; i < kCells; ++i) {
        winners_[lane].exact[i] = beyond_all<Scalar>();
        winners_[lane].index[i] = Winners::kNone;
      }
    });
    if (tree_.count > 0) search();
    Warp::each([&](int lane) { write(lane); });
  }

 private:
  template <class T>
  using Lanes = typename Warp::template Lanes<T>;

  THIESSEN_HD void search() {
    bound_ = greatest_to_box<kMetric>(tree_, tile_.box, tree_.place[descend()]);
    open_children(tree_.levels, 0);
    while (open_ > 0) {
      const std::uint32_t next = memory_.open[--open_];
      const Scalar exact = memory_.open_exact[open_];
      Warp::sync();
      if (bound_ < exact) continue;
      const int level = OpenNode::level(next);
      const std::int64_t node = OpenNode::node(next);
      if ((next & OpenNode::kIsPlace) != 0)
        list_points(node << 5 * (level + 1), 1);
      else if (level == 0)
        list_points(node * kChildren, kChildren);
      else
        open_children(level, node);
      if (listed_ > SearchMemory<Coordinate, Scalar>::kMostListed - kChildren) compare_listed();
    }
    compare_listed();
  }

  /// Children of a node: `points` on level 0.
  THIESSEN_HD std::int64_t children(int level) const {
    return level == 0 ? tree_.count : tree_.nodes[level - 1];
  }

  /// A point near the middle of the tile: always on to the child that is nearest to it as a whole.
  THIESSEN_HD std::int64_t descend() const {
    PointPlace<Coordinate> middle;
    THIESSEN_UNROLL
    for (int axis = 0; axis < kAxes; ++axis)
      middle.at[axis] = tile_.box.low[axis] + (tile_.box.high[axis] - tile_.box.low[axis]) / 2;
    std::int64_t node = 0;
    for (int level = tree_.levels; level >= 0; --level) {
      Lanes<Scalar> exact;
      Warp::each([&](int lane) {
        const std::int64_t child = node * kChildren + lane;
        exact[lane] = beyond_all<Scalar>();
        if (child < children(level))
          exact[lane] = greatest_to_box<kMetric>(tree_, box_of_child(level, child), middle);
      });
      node = node * kChildren + Warp::lane_of_least(exact);
    }
    return node;
  }

  THIESSEN_HD PointBox<Coordinate> box_of_child(int level, std::int64_t child) const {
    if (level > 0) return tree_.box[level - 1][child];
    return box_of_place(tree_.place[child]);
  }

  /// Of the children of a node those that may hold a winner are to be looked into, the nearest one
  /// first.
  THIESSEN_HD void open_children(int level, std::int64_t node) {
    Lanes<bool> counts;
    Lanes<Scalar> exact;
    Lanes<std::uint32_t> child;
    Warp::each([&](int lane) {
      const std::int64_t own = node * kChildren + lane;
      counts[lane] = false;
      exact[lane] = beyond_all<Scalar>();
      if (own >= children(level)) return;
      const PointBox<Coordinate> box = box_of_child(level, own);
      exact[lane] = least_to_box<kMetric>(tree_, tile_, box);
      counts[lane] = !(bound_ < exact[lane]);
      child[lane] = OpenNode::make(level - 1, own, box.is_place());
    });
    const std::uint32_t some = Warp::ballot(counts);
    if (some == 0) return;
    const int nearest = Warp::lane_of_least(exact);
    const int last = open_ + Warp::count_bits(some) - 1;
    Warp::each([&](int lane) {
      if (!counts[lane]) return;
      const std::uint32_t before = some & ((1u << lane) - 1);
      const int at = open_ + Warp::count_bits(before) - (nearest < lane ? 1 : 0);
      memory_.open[lane == nearest ? last : at] = child[lane];
      memory_.open_exact[lane == nearest ? last : at] = exact[lane];
    });
    open_ = last + 1;
    Warp::sync();
  }

  /// Lists those of the points that may win. Each of them makes the bound fall to its S seen from
  /// the farthest cell.
  THIESSEN_HD void list_points(std::int64_t first, int count) {
    Lanes<bool> counts;
    Lanes<Scalar> farthest;
    Lanes<PointPlace<Coordinate>> place;
    Warp::each([&](int lane) {
      const std::int64_t own = first + lane;
      farthest[lane] = bound_;
      if (lane >= count || own >= tree_.count) return;
      place[lane] = tree_.place[own];
      farthest[lane] = greatest_to_box<kMetric>(tree_, tile_.box, place[lane]);
    });
    const Scalar bound = Warp::least_of(farthest);
    if (bound < bound_) bound_ = bound;
    Warp::each([&](int lane) {
      const std::int64_t own = first + lane;
      counts[lane] = lane < count && own < tree_.count &&
                     !(bound_ < least_to_box<kMetric>(tree_, tile_, box_of_place(place[lane])));
    });
    const std::uint32_t some = Warp::ballot(counts);
    Warp::each([&](int lane) {
      if (!counts[lane]) return;
      const int at = listed_ + Warp::count_bits(some & ((1u << lane) - 1));
      memory_.place[at] = place[lane];
      memory_.index[at] = tree_.index[first + lane];
    });
    listed_ += Warp::count_bits(some);
    Warp::sync();
  }

  THIESSEN_HD bool has_cell(int lane, int i) const {
    const PointPlace<std::int32_t>& first = first_cell_[lane];
    return first.at[2] < job_.extent[2] && first.at[1] + shape_.cell_y[i] < job_.extent[1] &&
           first.at[0] + shape_.cell_z[i] < job_.extent[0];
  }

  THIESSEN_HD Coordinate place_of_cell(std::int64_t cell) const {
    return static_cast<Coordinate>(cell << job_.fraction_bits);
  }

  THIESSEN_HD void compare_listed() {
    Lanes<Scalar> most;
    Warp::each([&](int lane) {
      const Coordinate x = place_of_cell(first_cell_[lane].at[2]);
      const Coordinate y = place_of_cell(first_cell_[lane].at[1]);
      const Coordinate z = place_of_cell(first_cell_[lane].at[0]);
      Winners& winners = winners_[lane];
      for (int at = 0; at < listed_; ++at) {
        const PointPlace<Coordinate> place = memory_.place[at];
        const std::uint32_t index = memory_.index[at];
        const Scalar in_x = measure_between<kMetric>(tree_, 2, x, place.at[2]);
        THIESSEN_UNROLL
        for (int i = 0; i < kCells; ++i) {
          Scalar exact = join<kMetric>(
              in_x,
              measure_between<kMetric>(tree_, 1, y + place_of_cell(shape_.cell_y[i]), place.at[1]));
          if (job_.rank == 3)
            exact = join<kMetric>(
                exact, measure_between<kMetric>(tree_, 0, z + place_of_cell(shape_.cell_z[i]),
                                                place.at[0]));
          const bool wins =
              exact < winners.exact[i] || (exact == winners.exact[i] && index < winners.index[i]);
          winners.exact[i] = wins ? exact : winners.exact[i];
          winners.index[i] = wins ? index : winners.index[i];
        }
      }
      most[lane] = 0;
      THIESSEN_UNROLL
      for (int i = 0; i < kCells; ++i)
        if (has_cell(lane, i) && most[lane] < winners.exact[i]) most[lane] = winners.exact[i];
    });
    const Scalar bound = Warp::greatest_of(most);
    if (bound < bound_) bound_ = bound;
    listed_ = 0;
    Warp::sync();
  }

  THIESSEN_HD void write(int lane) const {
    const bool simple = wants_labels_alone(job_);
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      if (!has_cell(lane, i)) continue;
      const PointPlace<std::int32_t>& first = first_cell_[lane];
      const std::int64_t cell =
          to_index(job_.extent,
                   {first.at[0] + shape_.cell_z[i], first.at[1] + shape_.cell_y[i], first.at[2]});
      const std::uint32_t index = winners_[lane].index[i];
      if (simple) {
        reinterpret_cast<std::uint32_t*>(job_.out.labels.bytes)[cell] =
            reinterpret_cast<const std::uint32_t*>(job_.labels.bytes)[index];
        continue;
      }
      const bool none = index == Winners::kNone;
      write_point(job_, cell, none ? kUnreached : std::int64_t{index}, winners_[lane].exact[i]);
    }
  }

  const Job& job_;
  const Tree& tree_;
  const PointTileShape& shape_;
  PointTile<Coordinate> tile_;
  SearchMemory<Coordinate, Scalar>& memory_;
  Lanes<PointPlace<std::int32_t>> first_cell_;
  Lanes<Winners> winners_;
  Scalar bound_ = 0;
  int open_ = 0;
  int listed_ = 0;
};

/// The shape of tiles whose lanes have so many cells: 1, 4 or 16.
inline PointTileShape make_tile_shape(int rank, int cells) {
  PointTileShape shape;
  const bool is_flat = rank == 2;
  const std::array<std::int32_t, kAxes> lanes =
      cells == 1   ? (is_flat ? std::array{1, 4, 8} : std::array{2, 2, 8})
      : cells == 4 ? (is_flat ? std::array{1, 2, 16} : std::array{1, 4, 8})
                   : (is_flat ? std::array{1, 1, 32} : std::array{1, 2, 16});
  const std::int32_t rows = is_flat ? cells : cells == 16 ? 4 : 1;
  const std::int32_t planes = cells / rows;
  for (int i = 0; i < cells; ++i) {
    shape.cell_y[i] = i % rows * lanes[1];
    shape.cell_z[i] = i / rows * lanes[0];
  }
  const std::array<std::int32_t, kAxes> times{planes, rows, 1};
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    shape.lanes[axis] = lanes[own];
    shape.size[axis] = lanes[own] * times[own];
  }
  return shape;
}

}  // namespace thiessen::cuda
