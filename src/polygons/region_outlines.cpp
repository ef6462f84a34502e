// SPDX-License-Identifier: Apache-2.0
//
// Polygons and borders along the edges of cells, from walks around regions.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <unordered_map>

#include "core/base/int128.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "polygons/outlines.hpp"
#include "polygons/region_walks.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/error.hpp"
#include "thiessen/polygons.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace polygons {
namespace {

/// The corners of cells lie between their centres.
Point to_point(const Corner& corner) { return {corner.row - 0.5, corner.column - 0.5}; }

/// Twice the area inside, > 0 if the ring runs counter-clockwise with row 0 on top.
Int128 twice_area(const std::vector<Vertex>& vertices, std::size_t first) {
  Int128 sum = 0;
  for (std::size_t i = first; i < vertices.size(); ++i) {
    const Corner& from = vertices[i].at;
    const Corner& to = vertices[i + 1 < vertices.size() ? i + 1 : first].at;
    sum += static_cast<Int128>(to.column) * from.row - static_cast<Int128>(from.column) * to.row;
  }
  return sum;
}

/// Cuts walks into simple rings, and gathers those into polygons.
class PolygonBuilder {
 public:
  std::int32_t add(const Walk& walk, const OwnerBefore& before) {
    path_.clear();
    pinches_.clear();
    holes_.clear();
    polygon_ = Runs::kUnseen;
    for (const Vertex& vertex : walk.vertices) {
      if (vertex.pinch) close_loop_at(vertex.at, walk.label);
      path_.push_back(vertex);
    }
    append_ring(0, walk.label);
    if (polygon_ == Runs::kUnseen) polygon_ = before();
    for (const std::vector<Corner>& hole : holes_)
      rings_.add_ring(polygon_, hole.begin(), hole.end());
    return polygon_;
  }

  Polygons finish(ElementType type) { return rings_.finish(type, to_point); }

 private:
  /// If the path has come through this corner before, what came since is a ring of its own.
  void close_loop_at(const Corner& corner, LabelKey label) {
    const std::uint64_t key =
        static_cast<std::uint64_t>(corner.row) << 32 | static_cast<std::uint32_t>(corner.column);
    const auto [found, is_new] = pinches_.try_emplace(key, path_.size());
    if (is_new) return;
    const std::size_t first = found->second;
    for (std::size_t i = first; i < path_.size(); ++i)
      if (path_[i].pinch)
        pinches_.erase(static_cast<std::uint64_t>(path_[i].at.row) << 32 |
                       static_cast<std::uint32_t>(path_[i].at.column));
    append_ring(first, label);
    path_.resize(first);
    pinches_[key] = first;
  }

  /// Takes the path from there on as a ring.
  void append_ring(std::size_t first, LabelKey label) {
    std::vector<Corner> corners;
    corners.reserve(path_.size() - first);
    for (std::size_t i = first; i < path_.size(); ++i) corners.push_back(path_[i].at);
    if (twice_area(path_, first) < 0) return holes_.push_back(std::move(corners));
    if (rings_.polygons() == std::numeric_limits<std::int32_t>::max())
      throw Error(ErrorCode::unsupported, {"labels", {}, "has more than 2^31 - 1 polygons"});
    polygon_ = static_cast<std::int32_t>(rings_.add_polygon(label));
    rings_.add_ring(polygon_, corners.begin(), corners.end());
  }

  RingList<Corner> rings_;
  std::vector<Vertex> path_;
  std::unordered_map<std::uint64_t, std::size_t> pinches_;  ///< corners on the path, their places
  std::vector<std::vector<Corner>> holes_;
  std::int32_t polygon_ = Runs::kUnseen;
};

/// Cuts walks into borders, each of which it takes from the walk around the lesser label.
class BorderBuilder {
 public:
  explicit BorderBuilder(ElementType type) : type_(type) {}

  std::int32_t add(const Walk& walk, const OwnerBefore& /*before*/) {
    const std::vector<Vertex>& vertices = walk.vertices;
    std::size_t start = 0;
    while (start < vertices.size() && !vertices[start].junction) ++start;
    if (start == vertices.size()) start = 0;  // a closed border
    bool in_line = false;
    for (std::size_t i = 0; i <= vertices.size(); ++i) {
      const Vertex& vertex = vertices[(start + i) % vertices.size()];
      if (in_line) lines_.add(vertex.at);
      if (i == vertices.size() || (i > 0 && !vertex.junction)) continue;
      in_line = vertex.borders && order_of(walk.label, type_) < order_of(vertex.right, type_);
      if (!in_line) continue;
      lines_.begin(walk.label, vertex.right);
      lines_.add(vertex.at);
    }
    return 0;
  }

  template <class DistanceAt>
  Borders finish(const DistanceAt& distance_at) {
    return lines_.finish(type_, to_point, distance_at);
  }

 private:
  ElementType type_;
  LineList<Corner> lines_;
};

/// The mean of the distances in the cells around a corner.
template <class T>
double mean_around(const View<const void>& distance, const Corner& corner) {
  double sum = 0;
  int count = 0;
  for (std::int64_t y = corner.row - 1; y <= corner.row; ++y)
    for (std::int64_t x = corner.column - 1; x <= corner.column; ++x) {
      if (y < 0 || x < 0 || y >= distance.extent(0) || x >= distance.extent(1)) continue;
      const T value = *reinterpret_cast<const T*>(distance.bytes() + y * distance.stride(0) +
                                                  x * distance.stride(1));
      if (std::isnan(value)) continue;
      sum += static_cast<double>(value);
      ++count;
    }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

LabelCells checked_labels(const View<const void>& labels, const RegionPolygonsOptions& options,
                          const ReachableMemory& reachable) {
  check_aligned_cells("labels", labels, reachable);
  if (labels.rank() != 2)
    refuse("labels", "has " + std::to_string(labels.rank()) + " axes; must have 2");
  if (labels.space() != MemorySpace::host)
    throw Error(ErrorCode::unsupported,
                {"labels", {}, "lie on a device; outlines are found on the host"});
  LabelCells cells{.labels = labels, .left_out = {}};
  const ElementType type = labels.element_type();
  const auto leave_out = [&](const std::optional<LabelValue>& value, const char* name) {
    if (value) cells.left_out.push_back(label_key(to_label_bits(*value, type, name), type));
  };
  leave_out(options.background, "background");
  leave_out(options.nodata, "nodata");
  return cells;
}

void check_distance(const View<const void>& distance, const View<const void>& labels,
                    const ReachableMemory& reachable) {
  if (!distance) return;
  check_aligned_cells("distance", distance, reachable);
  check_distance_type({"distance", distance});
  if (distance.space() != MemorySpace::host)
    throw Error(ErrorCode::unsupported, "distance lies on a device; must be on the host");
  if (distance.extents() != labels.extents())
    refuse("distance", "has other extents than the labels; must have the same");
}

}  // namespace
}  // namespace polygons

Polygons region_polygons(Context& context, View<const void> labels,
                         const RegionPolygonsOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const polygons::LabelCells cells =
        polygons::checked_labels(labels, options, ReachableMemory(state));
    polygons::PolygonBuilder builder;
    polygons::for_each_walk(state, cells,
                            [&](const polygons::Walk& walk, const polygons::OwnerBefore& before) {
                              return builder.add(walk, before);
                            });
    return builder.finish(labels.element_type());
  });
}

Borders region_borders(Context& context, View<const void> labels, View<const void> distance,
                       const RegionPolygonsOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const polygons::LabelCells cells =
        polygons::checked_labels(labels, options, ReachableMemory(state));
    polygons::check_distance(distance, labels, ReachableMemory(state));
    polygons::BorderBuilder builder(labels.element_type());
    polygons::for_each_walk(state, cells,
                            [&](const polygons::Walk& walk, const polygons::OwnerBefore& before) {
                              return builder.add(walk, before);
                            });
    std::function<double(LabelKey, const polygons::Corner&)> distance_at;
    if (distance)
      distance_at = [&](LabelKey, const polygons::Corner& corner) {
        return distance.element_type() == ElementType::f64
                   ? polygons::mean_around<double>(distance, corner)
                   : polygons::mean_around<float>(distance, corner);
      };
    return builder.finish(distance_at);
  });
}

}  // namespace thiessen
