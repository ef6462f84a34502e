// SPDX-License-Identifier: Apache-2.0
//
// Polygons and borders of points, with straight edges.
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "polygons/outlines.hpp"
#include "polygons/point_diagram.hpp"
#include "thiessen/error.hpp"
#include "thiessen/polygons.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace polygons {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 30;

/// The checked arguments of a call.
struct Arguments {
  std::vector<Axes> places;
  PointSites points;
  std::vector<double> spacing;  ///< along y and x

  /// In cells.
  Point place(std::int64_t point) const {
    const Axes& at = points.at[point];
    const double unit = std::ldexp(1.0, -points.fraction_bits);
    return {static_cast<double>(at[1]) * unit, static_cast<double>(at[2]) * unit};
  }
  double distance(const Point& a, const Point& b) const {
    return std::hypot((a.y - b.y) * spacing[0], (a.x - b.x) * spacing[1]);
  }
};

Arguments check_arguments(const PointList& sites, const Extents& extents,
                          const VoronoiPolygonsOptions& options, const ReachableMemory& reachable) {
  if (extents.rank() != 2)
    refuse("extents", "has " + std::to_string(extents.rank()) + " axes; must have 2");
  for (int axis = 0; axis < 2; ++axis)
    if (extents[axis] < 1 || extents[axis] > kMostCells)
      refuse("extents[" + std::to_string(axis) + "]", std::to_string(extents[axis]),
             "must be 1 to 2^30");
  check_points({.coordinates = sites.coordinates}, 2, reachable);
  if (sites.weights || sites.metrics)
    refuse(sites.weights ? "weights" : "metrics",
           "are given; straight edges have none, region_polygons() of the labels has");
  if (sites.coordinates.space() != MemorySpace::host)
    throw Error(ErrorCode::unsupported,
                {"points", {}, "lie on a device; outlines are found on the host"});
  Arguments arguments;
  arguments.places.resize(static_cast<std::size_t>(sites.coordinates.extent(0)));
  arguments.points = snap_points(sites.coordinates, arguments.places.data());
  arguments.spacing = checked_spacing(options.spacing, 2);
  return arguments;
}

}  // namespace
}  // namespace polygons

Polygons voronoi_polygons(Context& context, const PointList& sites, const Extents& extents,
                          const VoronoiPolygonsOptions& options) {
  ContextState& state = context.state();
  Polygons result;
  guarded(state, [&] {
    const auto arguments =
        polygons::check_arguments(sites, extents, options, ReachableMemory(state));
    const polygons::PointDiagram diagram(state, arguments.points, extents, arguments.spacing);
    polygons::RingList<polygons::Point> rings;
    diagram.for_each_polygon([&](std::int64_t site, const std::vector<polygons::Point>& ring) {
      const auto key = static_cast<LabelKey>(site);
      rings.add_ring(rings.add_polygon(key), ring.begin(), ring.end());
    });
    result = rings.finish(ElementType::i64, [](const polygons::Point& point) { return point; });
  });
  return result;
}

Borders voronoi_borders(Context& context, const PointList& sites, const Extents& extents,
                        const VoronoiPolygonsOptions& options) {
  ContextState& state = context.state();
  Borders result;
  guarded(state, [&] {
    const auto arguments =
        polygons::check_arguments(sites, extents, options, ReachableMemory(state));
    const polygons::PointDiagram diagram(state, arguments.points, extents, arguments.spacing);
    polygons::LineList<polygons::Point> lines;
    diagram.for_each_edge([&](const polygons::DiagramEdge& edge) {
      lines.begin(static_cast<LabelKey>(edge.a), static_cast<LabelKey>(edge.b));
      lines.add(edge.from);
      lines.add(edge.to);
    });
    const std::function<double(LabelKey, const polygons::Point&)> distance_at =
        [&](LabelKey site, const polygons::Point& point) {
          return arguments.distance(point, arguments.place(static_cast<std::int64_t>(site)));
        };
    result = lines.finish(
        ElementType::i64, [](const polygons::Point& point) { return point; }, distance_at);
  });
  return result;
}

}  // namespace thiessen
