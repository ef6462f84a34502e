// SPDX-License-Identifier: Apache-2.0
//
// Polygons and borders of points, with straight edges.
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/site_weights.hpp"
#include "polygons/outlines.hpp"
#include "polygons/point_diagram.hpp"
#include "thiessen/error.hpp"
#include "thiessen/polygons.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace polygons {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 30;

/// A call with checked arguments.
class Call {
 public:
  Call(ContextState& state, const PointList& list, const Extents& extents,
       const VoronoiPolygonsOptions& options)
      : scratch_(state.scratch) {
    const ReachableMemory reachable(state);
    check(list, extents, options, reachable);
    views_.points = snap_points(list.coordinates, scratch_.array<Axes>(list.coordinates.extent(0)));
    spacing_ = checked_spacing(options.spacing, 2);
    NearestSiteOptions same;
    same.spacing = options.spacing;
    same.weighting = options.weighting;
    const PointList sites{.coordinates = list.coordinates, .weights = list.weights};
    problem_ = make_problem(sites, views_.points, {.extents = extents}, same, {}, reachable);
    if (problem_.has_weights()) set_weights(problem_, views_, sites, scratch_);
  }

  PointDiagram diagram(ContextState& state) const { return {state, problem_, views_}; }

  double distance(std::int64_t site, const Point& point) const {
    const Axes& at = views_.points.at[site];
    const double unit = std::ldexp(1.0, -problem_.fraction_bits);
    return std::hypot((point.y - static_cast<double>(at[1]) * unit) * spacing_[0],
                      (point.x - static_cast<double>(at[2]) * unit) * spacing_[1]);
  }

 private:
  static void check(const PointList& list, const Extents& extents,
                    const VoronoiPolygonsOptions& options, const ReachableMemory& reachable) {
    if (extents.rank() != 2)
      refuse("extents", "has " + std::to_string(extents.rank()) + " axes; must have 2");
    for (int axis = 0; axis < 2; ++axis)
      if (extents[axis] < 1 || extents[axis] > kMostCells)
        refuse("extents[" + std::to_string(axis) + "]", std::to_string(extents[axis]),
               "must be 1 to 2^30");
    check_points({.coordinates = list.coordinates}, 2, reachable);
    if (list.metrics)
      refuse("metrics", "are given; they bend edges, which region_polygons() of the labels has");
    if (!has_straight_edges(options.weighting))
      refuse("weighting", std::string(name_of(options.weighting)),
             "must be power; others bend edges, which region_polygons() of the labels has");
    if (list.coordinates.space() != MemorySpace::host)
      throw Error(ErrorCode::unsupported,
                  {"points", {}, "lie on a device; outlines are found on the host"});
  }

  Scratch::Frame scratch_;
  std::vector<double> spacing_;  ///< along y and x
  Problem problem_;
  ProblemViews views_;
};

}  // namespace
}  // namespace polygons

Polygons voronoi_polygons(Context& context, const PointList& sites, const Extents& extents,
                          const VoronoiPolygonsOptions& options) {
  ContextState& state = context.state();
  Polygons result;
  guarded(state, [&] {
    const polygons::Call call(state, sites, extents, options);
    polygons::RingList<polygons::Point> rings;
    std::vector<polygons::Point> points;
    call.diagram(state).for_each_polygon([&](std::int64_t site, const auto& ring) {
      points.clear();
      for (const polygons::DiagramCorner& corner : ring) points.push_back(corner.point);
      rings.add_ring(rings.add_polygon(static_cast<LabelKey>(site)), points.begin(), points.end());
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
    const polygons::Call call(state, sites, extents, options);
    polygons::LineList<polygons::Point> lines;
    call.diagram(state).for_each_edge([&](const polygons::DiagramEdge& edge) {
      lines.begin(static_cast<LabelKey>(edge.a), static_cast<LabelKey>(edge.b));
      lines.add(edge.from);
      lines.add(edge.to);
    });
    const std::function<double(LabelKey, const polygons::Point&)> distance_at =
        [&](LabelKey site, const polygons::Point& point) {
          return call.distance(static_cast<std::int64_t>(site), point);
        };
    result = lines.finish(
        ElementType::i64, [](const polygons::Point& point) { return point; }, distance_at);
  });
  return result;
}

}  // namespace thiessen
