// SPDX-License-Identifier: Apache-2.0
//
// Polygons and borders, put together in any order and sorted by label at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/statistics/label_key.hpp"
#include "thiessen/polygons.hpp"

namespace thiessen::polygons {

/// A point in cells, where the centre of the first cell is (0, 0).
struct Point {
  double y, x;
  bool operator==(const Point&) const = default;
};

/// Collects polygons. A ring belongs to the polygon that it names; the first ring of a polygon that
/// is added is its outer one.
template <class P>
class RingList {
 public:
  /// The number of a new polygon of a region.
  std::int64_t add_polygon(LabelKey label) {
    labels_.push_back(label);
    return static_cast<std::int64_t>(labels_.size()) - 1;
  }
  /// Adds an open ring.
  template <class Iterator>
  void add_ring(std::int64_t polygon, Iterator first, Iterator last) {
    rings_.push_back({polygon, static_cast<std::int64_t>(points_.size()), last - first});
    points_.insert(points_.end(), first, last);
  }
  std::int64_t polygons() const { return static_cast<std::int64_t>(labels_.size()); }

  /// All of it by label, then in the order in which it was added, with closed rings;
  /// to_point(P) gives the coordinates.
  template <class ToPoint>
  Polygons finish(ElementType type, const ToPoint& to_point) {
    std::stable_sort(rings_.begin(), rings_.end(), [this, type](const Ring& a, const Ring& b) {
      const auto order = [this, type](const Ring& ring) { return order_of(label(ring), type); };
      return order(a) != order(b) ? order(a) < order(b) : a.polygon < b.polygon;
    });
    Polygons result;
    std::vector<LabelKey> labels;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      const bool new_region = i == 0 || label(rings_[i]) != label(rings_[i - 1]);
      const bool new_polygon = i == 0 || rings_[i].polygon != rings_[i - 1].polygon;
      if (new_region) {
        labels.push_back(label(rings_[i]));
        result.parts.push_back(static_cast<std::int64_t>(result.rings.size()));
      }
      if (new_polygon) result.rings.push_back(static_cast<std::int64_t>(result.points.size()));
      append(rings_[i], to_point, result);
    }
    result.parts.push_back(static_cast<std::int64_t>(result.rings.size()));
    result.rings.push_back(static_cast<std::int64_t>(result.points.size()));
    result.points.push_back(static_cast<std::int64_t>(result.coordinates.size()) / 2);
    result.labels = to_labels(labels, type);
    return result;
  }

 private:
  struct Ring {
    std::int64_t polygon;
    std::int64_t first, count;  ///< points
  };

  LabelKey label(const Ring& ring) const { return labels_[static_cast<std::size_t>(ring.polygon)]; }

  template <class ToPoint>
  void append(const Ring& ring, const ToPoint& to_point, Polygons& result) const {
    result.points.push_back(static_cast<std::int64_t>(result.coordinates.size()) / 2);
    for (std::int64_t i = 0; i <= ring.count; ++i) {
      const Point point = to_point(points_[static_cast<std::size_t>(ring.first + i % ring.count)]);
      result.coordinates.insert(result.coordinates.end(), {point.y, point.x});
    }
  }

  std::vector<LabelKey> labels_;  ///< of each polygon
  std::vector<Ring> rings_;
  std::vector<P> points_;
};

/// Collects borders: lines of points P.
template <class P>
class LineList {
 public:
  void begin(LabelKey a, LabelKey b) {
    lines_.push_back({a, b, static_cast<std::int64_t>(points_.size()), 0});
  }
  void add(const P& point) {
    points_.push_back(point);
    ++lines_.back().count;
  }

  /// All of it by labels, then in the order in which it was added. `distance_at` may be null.
  template <class ToPoint, class DistanceAt>
  Borders finish(ElementType type, const ToPoint& to_point, const DistanceAt& distance_at) {
    std::stable_sort(lines_.begin(), lines_.end(), [type](const Line& one, const Line& other) {
      const std::uint64_t a = order_of(one.a, type), other_a = order_of(other.a, type);
      return a != other_a ? a < other_a : order_of(one.b, type) < order_of(other.b, type);
    });
    Borders result;
    std::vector<LabelKey> a, b;
    for (const Line& line : lines_) {
      a.push_back(line.a);
      b.push_back(line.b);
      result.points.push_back(static_cast<std::int64_t>(result.coordinates.size()) / 2);
      for (std::int64_t i = line.first; i < line.first + line.count; ++i) {
        const P& at = points_[static_cast<std::size_t>(i)];
        const Point point = to_point(at);
        result.coordinates.insert(result.coordinates.end(), {point.y, point.x});
        if (distance_at) result.distance.push_back(distance_at(line.a, at));
      }
    }
    result.points.push_back(static_cast<std::int64_t>(result.coordinates.size()) / 2);
    result.a = to_labels(a, type);
    result.b = to_labels(b, type);
    return result;
  }

 private:
  struct Line {
    LabelKey a, b;
    std::int64_t first, count;  ///< points
  };
  std::vector<Line> lines_;
  std::vector<P> points_;
};

}  // namespace thiessen::polygons
