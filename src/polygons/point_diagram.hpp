// SPDX-License-Identifier: Apache-2.0
//
// The power diagram of points on the plane, cut off at the edges of a grid. Without weights it is
// Voronoi's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "polygons/outlines.hpp"
#include "polygons/triangulation.hpp"

namespace thiessen::polygons {

/// A corner of a polygon, and what lies beyond the edge that begins there: the place of a site in
/// the caller's list (its number in PowerSites as long as the ring is cut off), or kGridSide.
struct DiagramCorner {
  Point point;
  std::int64_t beyond;
};

inline constexpr std::int64_t kGridSide = -1;

/// An edge between two sites, a < b by their places in the list.
struct DiagramEdge {
  std::int64_t a, b;
  Point from, to;
};

class PointDiagram {
 public:
  /// `problem` and `views` are those of points on the plane, perhaps with weights of the kind
  /// power. Throws Error{unsupported} if their keys do not fit the integers in which they are
  /// compared.
  PointDiagram(ContextState& state, const Problem& problem, const ProblemViews& views);

  /// Calls visit(place in the list, open ring) for each polygon, in some order.
  using VisitPolygon =
      std::function<void(std::int64_t site, const std::vector<DiagramCorner>& ring)>;
  void for_each_polygon(const VisitPolygon& visit) const;

  /// Calls visit(edge) for each edge inside the grid, in some order.
  using VisitEdge = std::function<void(const DiagramEdge& edge)>;
  void for_each_edge(const VisitEdge& visit) const;

 private:
  using Ring = std::vector<DiagramCorner>;

  /// A side of the grid.
  struct Side {
    std::size_t axis;  ///< across which it lies: 0 is y
    bool is_last;
    std::int64_t twice;  ///< twice its coordinate, in the units of sites
    double cells;        ///< its coordinate in cells
  };

  void take_sites(const Problem& problem, const ProblemViews& views);
  const Triangle& triangle(std::int32_t number) const;
  void find_centres();
  bool have_one_centre(const Triangle& a, const Triangle& b) const;
  Point centre(const Triangle& triangle) const;
  double crossing(std::int64_t a, std::int64_t b, const Side& side) const;
  void make_ring(std::int32_t site, std::int32_t first, Ring& ring) const;
  Point end_of(std::int32_t site, const DiagramCorner& from, const DiagramCorner& to,
               const Point& inner, const Side& side) const;
  void cut_off(std::int32_t site, const Side& side, Ring& ring, Ring& rest) const;
  template <class LiesOn>
  double in_cells(std::size_t axis, std::int64_t site, double numerator, double denominator,
                  const LiesOn& lies_on) const;

  PowerSites sites_;
  int fraction_bits_;
  std::array<Side, 4> sides_{};
  std::vector<Triangle> triangles_;
  std::vector<Point> centres_;  ///< of the triangles; those of equal centres have the same bits
};

}  // namespace thiessen::polygons
