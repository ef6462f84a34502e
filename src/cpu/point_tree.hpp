// SPDX-License-Identifier: Apache-2.0
//
// A k-d tree over points with exact coordinates.
//
// J. L. Bentley, "Multidimensional binary search trees used for associative searching" (1975), with
// the boxes of J. H. Friedman, J. L. Bentley, R. A. Finkel, "An algorithm for finding best matches
// in logarithmic expected time" (1977), in integers: a box that is as far as the best point so far
// is still looked into, because a point of smaller index may lie there.
//
// The tree is complete, so it needs no links: level l has 2^l nodes, the children of node i of a
// level are 2i and 2i + 1 of the next, and node i holds the points from count·i/2^l on. Each node
// halves its points along the axis on which its box is longest. A box without extent holds one
// place; of all points there only the first of the list can win, so that many points at one place
// cost no more than one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/points.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {

/// A point, or the image of one on a periodic axis, and how far it is.
template <class Scalar>
struct NearestPoint {
  std::int64_t index = -1;  ///< -1: none
  Axes at{};
  Scalar exact = 0;

  bool operator==(const NearestPoint& other) const {
    return index == other.index && at == other.at;
  }
};

/// The order (S, index); images of one point by their place.
template <class Scalar>
bool wins(const NearestPoint<Scalar>& challenger, const NearestPoint<Scalar>& other) {
  if (challenger.exact != other.exact) return challenger.exact < other.exact;
  if (challenger.index != other.index) return challenger.index < other.index;
  return challenger.at < other.at;
}

template <class Geometry, class Scalar>
class PointTree {
 public:
  using Nearest = NearestPoint<Scalar>;

  PointTree(ContextState& state, Scratch::Frame& scratch, const PointSites& points,
            const std::array<Scalar, kAxes>& factor)
      : count_(points.count), factor_(factor) {
    while ((count_ >> levels_) > kLeafPoints) ++levels_;
    points_ = scratch.array<Point>(count_);
    nodes_ = scratch.array<Node>(std::int64_t{2} << levels_);
    for (std::int64_t i = 0; i < count_; ++i) points_[i] = {points.at[i], i};
    if (count_ == 0) return;
    for (int level = 0; level <= levels_; ++level)
      parallel_for(state, std::int64_t{1} << level, nodes_at_once(level), 0,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t i = begin; i < end; ++i) make_node(level, i);
                   });
  }

  bool empty() const { return count_ == 0; }

  Scalar exact(const Axes& from, const Axes& at) const {
    return measure({at[0] - from[0], at[1] - from[1], at[2] - from[2]});
  }

  /// Replaces `best` by the point that wins over it seen from `from`, if there is one. The points
  /// are taken to be moved by `shift`.
  void search(const Axes& from, const Axes& shift, Nearest& best) const {
    const Axes seen{from[0] - shift[0], from[1] - shift[1], from[2] - shift[2]};
    std::array<Entry, kMostLevels> stack;
    std::size_t size = 0;
    stack[size++] = {1, to_box(seen, nodes_[1])};
    while (size > 0) {
      const Entry entry = stack[--size];
      if (best.index >= 0 && entry.exact > best.exact) continue;
      const Node& node = nodes_[entry.node];
      if (node.count >= 0) {
        for (std::int64_t i = node.first; i < node.first + node.count; ++i)
          challenge(points_[i], seen, shift, best);
        continue;
      }
      Entry near{2 * entry.node, to_box(seen, nodes_[2 * entry.node])};
      Entry far{2 * entry.node + 1, to_box(seen, nodes_[2 * entry.node + 1])};
      if (far.exact < near.exact) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
    }
  }

 private:
  static constexpr std::int64_t kLeafPoints = 8;
  static constexpr std::size_t kMostLevels = 64;

  struct Point {
    Axes at;
    std::int64_t index;
  };

  /// Node i of level l is nodes_[2^l + i].
  struct Node {
    Axes low;
    Axes high;
    std::int64_t first;
    std::int64_t count;  ///< points to look at; -1: look at the children
  };

  struct Entry {
    std::int64_t node;
    Scalar exact;
  };

  static std::int64_t nodes_at_once(int level) {
    return std::max<std::int64_t>(1, (std::int64_t{1} << level) >> 6);
  }

  std::int64_t first_point(int level, std::int64_t i) const {
    return static_cast<std::int64_t>((static_cast<UInt128>(count_) * static_cast<UInt128>(i)) >>
                                     level);
  }

  void make_node(int level, std::int64_t i) {
    Point* const begin = points_ + first_point(level, i);
    Point* const end = points_ + first_point(level, i + 1);
    Node& node = nodes_[(std::int64_t{1} << level) + i];
    node = {begin->at, begin->at, begin - points_, end - begin};
    for (const Point* point = begin; point != end; ++point)
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        node.low[axis] = std::min(node.low[axis], point->at[axis]);
        node.high[axis] = std::max(node.high[axis], point->at[axis]);
      }
    if (node.low == node.high) {
      std::iter_swap(begin, std::min_element(begin, end, [](const Point& a, const Point& b) {
                       return a.index < b.index;
                     }));
      node.count = 1;
      return;
    }
    if (level == levels_) return;
    node.count = -1;
    const std::size_t axis = longest_axis(node);
    std::nth_element(begin, points_ + first_point(level + 1, 2 * i + 1), end,
                     [axis](const Point& a, const Point& b) { return a.at[axis] < b.at[axis]; });
  }

  std::size_t longest_axis(const Node& node) const {
    std::size_t longest = 0;
    Scalar most = -1;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const Scalar length = Geometry::along(factor_[axis], node.high[axis] - node.low[axis]);
      if (length > most) {
        most = length;
        longest = axis;
      }
    }
    return longest;
  }

  Scalar measure(const Axes& delta) const {
    return Geometry::join(Geometry::join(Geometry::along(factor_[0], delta[0]),
                                         Geometry::along(factor_[1], delta[1])),
                          Geometry::along(factor_[2], delta[2]));
  }

  /// S of the box's nearest place.
  Scalar to_box(const Axes& from, const Node& node) const {
    Axes delta;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      delta[axis] =
          std::max({node.low[axis] - from[axis], from[axis] - node.high[axis], std::int64_t{0}});
    return measure(delta);
  }

  void challenge(const Point& point, const Axes& seen, const Axes& shift, Nearest& best) const {
    Nearest challenger{point.index, {}, exact(seen, point.at)};
    if (best.index >= 0 && challenger.exact > best.exact) return;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      challenger.at[axis] = point.at[axis] + shift[axis];
    if (best.index < 0 || wins(challenger, best)) best = challenger;
  }

  std::int64_t count_;
  std::array<Scalar, kAxes> factor_;
  int levels_ = 0;
  Point* points_ = nullptr;
  Node* nodes_ = nullptr;
};

}  // namespace thiessen::cpu
