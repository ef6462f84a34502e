// SPDX-License-Identifier: Apache-2.0
//
// The Voronoi diagram of points on the plane, cut off at the edges of a grid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/problem/points.hpp"
#include "polygons/outlines.hpp"

namespace thiessen::polygons {

/// An edge between two sites, a < b by their places in the list.
struct DiagramEdge {
  std::int64_t a, b;
  Point from, to;
};

class PointDiagram {
 public:
  /// `spacing` has a length for y and one for x. Throws Error{unsupported} if the points do not fit
  /// the integers in which they are compared.
  PointDiagram(ContextState& state, const PointSites& points, const Extents& extents,
               std::span<const double> spacing);
  ~PointDiagram();
  PointDiagram(const PointDiagram&) = delete;
  PointDiagram& operator=(const PointDiagram&) = delete;

  /// Calls visit(place in the list, open ring) for each polygon, in some order.
  using VisitPolygon = std::function<void(std::int64_t site, const std::vector<Point>& ring)>;
  void for_each_polygon(const VisitPolygon& visit) const;

  /// Calls visit(edge) for each edge inside the grid, in some order.
  void for_each_edge(const std::function<void(const DiagramEdge& edge)>& visit) const;

 private:
  class Diagram;
  std::unique_ptr<Diagram> diagram_;
};

}  // namespace thiessen::polygons
