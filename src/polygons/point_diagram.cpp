// SPDX-License-Identifier: Apache-2.0
//
// Boost.Polygon builds the diagram of points with integer coordinates; which polygons meet is
// decided exactly. Here its edges are cut off at the grid, a rectangle, and put together into
// rings.
//
// Notation: X and Y are coordinates in the integers of the diagram, where both axes have the same
// unit and Y counts upwards, so that Boost's counter-clockwise polygons are ours. An edge between
// the sites a and b lies on their bisector m + t·d, where m is the middle between them and d is at
// right angles to b - a, with a on its left: the polygon of a is left of the edge as t grows. Both
// polygons get the points of the edge of one of them, so these have the same bits.
//
// An edge is cut off at the values of t where the bisector crosses the sides of the rectangle. What
// is left of a polygon's edges are runs along the inside of the rectangle; from the end of one to
// the begin of the next the ring follows the sides, counter-clockwise, over those corners whose
// nearest site it is.
#include "polygons/point_diagram.hpp"

#include <algorithm>
#include <array>
#include <boost/polygon/voronoi.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/int128.hpp"
#include "core/order/weights.hpp"
#include "thiessen/error.hpp"

namespace thiessen::polygons {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHalf = 0.5;
/// A corner of the rectangle belongs to all sites that are as near as the nearest one, to within
/// rounding: where none but it is shared, the ring gains no area.
constexpr double kTie = 1 + 1e-9;
/// What is left of an edge, or lies off a side, by no more than this part of the rectangle's size
/// is rounding.
constexpr double kShort = 1e-12;

/// A site in the integers of the diagram.
struct Site {
  std::int32_t x, y;
  std::int64_t place;  ///< in the list
};

/// From the integers of the diagram to cells: cell = offset + integer·unit, for x and y.
struct Scale {
  double unit_x = 1, unit_y = 1;
  double offset_x = 0, offset_y = 0;
};

/// Throws Error{unsupported}.
[[noreturn]] void refuse_size() {
  throw Error(ErrorCode::unsupported, {"points",
                                       {},
                                       "lie too far apart, or need too fine a grid, for polygons "
                                       "with exact edges: their coordinates must fit 32 bits"});
}

/// Coordinates along one axis, in units that both axes share.
class AxisOfSites {
 public:
  AxisOfSites(const PointSites& points, std::size_t axis, Int128 weight) : weight_(weight) {
    values_.reserve(static_cast<std::size_t>(points.count));
    for (std::int64_t i = 0; i < points.count; ++i) {
      const Int128 value = weight * points.at[i][axis];
      if (value > kMost || value < -kMost) refuse_size();
      values_.push_back(static_cast<std::int64_t>(value));
    }
  }

  std::int64_t least() const { return *std::min_element(values_.begin(), values_.end()); }

  /// The greatest number of which all differences from `from` are multiples.
  std::int64_t divisor(std::int64_t from) const {
    std::int64_t divisor = 0;
    for (const std::int64_t value : values_) divisor = std::gcd(divisor, value - from);
    return divisor;
  }

  /// All of them as (value - middle) / divisor; throws Error{unsupported} if that needs more than
  /// 32 bits.
  std::vector<std::int32_t> to_integers(std::int64_t middle, std::int64_t divisor) const {
    std::vector<std::int32_t> integers;
    integers.reserve(values_.size());
    for (const std::int64_t value : values_) {
      const std::int64_t integer = (value - middle) / divisor;
      if (!std::in_range<std::int32_t>(integer)) refuse_size();
      integers.push_back(static_cast<std::int32_t>(integer));
    }
    return integers;
  }

  /// A value near the middle that differs from the least one by a multiple of the divisor.
  std::int64_t middle(std::int64_t divisor) const {
    const std::int64_t most = *std::max_element(values_.begin(), values_.end());
    return least() + (most - least()) / divisor / 2 * divisor;
  }

  Int128 weight() const { return weight_; }

 private:
  static constexpr Int128 kMost = Int128{1} << 61;
  Int128 weight_;
  std::vector<std::int64_t> values_;
};

}  // namespace

class PointDiagram::Diagram {
 public:
  Diagram(const PointSites& points, const Extents& extents, std::span<const double> spacing) {
    if (points.count == 0) return;
    take_sites(points, spacing);
    measure_sides(extents);
    for (std::size_t i = 0; i < corner_distances_.size(); ++i)
      corner_distances_[i] = distance(nearest_to(corners()[i]), corners()[i]);
    boost::polygon::default_voronoi_builder builder;
    for (const Site& site : sites_) builder.insert_point(site.x, site.y);
    builder.construct(&diagram_);
    cut_edges();
  }

  void for_each_polygon(const VisitPolygon& visit) const {
    if (sites_.empty()) return;
    if (!some_edge_inside_) return visit(nearest_to(middle()).place, whole_grid());
    std::vector<Point> ring;
    for (const auto& cell : diagram_.cells()) {
      ring.clear();
      make_ring(cell, ring);
      if (ring.size() > 2) visit(sites_[cell.source_index()].place, ring);
    }
  }

  void for_each_edge(const std::function<void(const DiagramEdge& edge)>& visit) const {
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      const Cut& cut = cuts_[i];
      if (!cut.inside || !is_first(diagram_.edges()[i])) continue;
      const std::int64_t a = left_of(diagram_.edges()[i]).place;
      const std::int64_t b = left_of(*diagram_.edges()[i].twin()).place;
      const Point from = to_cells(cut.from), to = to_cells(cut.to);
      if (!(from == to)) visit({a, b, from, to});
    }
  }

 private:
  using Edge = boost::polygon::voronoi_diagram<double>::edge_type;
  using Cell = boost::polygon::voronoi_diagram<double>::cell_type;

  /// The sides of the rectangle, counter-clockwise.
  enum class Side : std::int8_t { none = -1, bottom, right, top, left };

  struct PlanePoint {
    double x, y;
    Side side = Side::none;  ///< on which it lies because an edge was cut off there
  };

  /// What is left of an edge.
  struct Cut {
    bool inside = false;
    PlanePoint from{}, to{};
  };

  void take_sites(const PointSites& points, std::span<const double> spacing) {
    const Weights weights = make_weights({1, 1, 1}, spacing, Metric::manhattan);
    if (weights.approximated) refuse_size();
    const AxisOfSites y(points, 1, weights.factor[1]), x(points, 2, weights.factor[2]);
    const std::int64_t divisor =
        std::max<std::int64_t>(std::gcd(y.divisor(y.least()), x.divisor(x.least())), 1);
    const std::int64_t middle_y = y.middle(divisor), middle_x = x.middle(divisor);
    const std::vector<std::int32_t> down = y.to_integers(middle_y, divisor);
    const std::vector<std::int32_t> along = x.to_integers(middle_x, divisor);
    const double fraction = std::ldexp(1.0, points.fraction_bits);
    const auto per_cell = [&](Int128 weight) { return static_cast<double>(weight) * fraction; };
    scale_ = {.unit_x = static_cast<double>(divisor) / per_cell(x.weight()),
              .unit_y = -static_cast<double>(divisor) / per_cell(y.weight()),
              .offset_x = static_cast<double>(middle_x) / per_cell(x.weight()),
              .offset_y = static_cast<double>(middle_y) / per_cell(y.weight())};
    for (std::size_t i = 0; i < down.size(); ++i) {
      if (down[i] == std::numeric_limits<std::int32_t>::min()) refuse_size();
      sites_.push_back({along[i], -down[i], static_cast<std::int64_t>(i)});
    }
    keep_first_of_place();
  }

  void keep_first_of_place() {
    const auto key = [](const Site& site) { return std::pair(site.x, site.y); };
    std::sort(sites_.begin(), sites_.end(), [&](const Site& a, const Site& b) {
      return key(a) != key(b) ? key(a) < key(b) : a.place < b.place;
    });
    const auto same = [&](const Site& a, const Site& b) { return key(a) == key(b); };
    sites_.erase(std::unique(sites_.begin(), sites_.end(), same), sites_.end());
  }

  void measure_sides(const Extents& extents) {
    left_ = (-kHalf - scale_.offset_x) / scale_.unit_x;
    right_ = (static_cast<double>(extents[1]) - kHalf - scale_.offset_x) / scale_.unit_x;
    top_ = (-kHalf - scale_.offset_y) / scale_.unit_y;
    bottom_ = (static_cast<double>(extents[0]) - kHalf - scale_.offset_y) / scale_.unit_y;
    shortest_ = kShort * (right_ - left_ + top_ - bottom_);
    last_row_ = static_cast<double>(extents[0]) - kHalf;
    last_column_ = static_cast<double>(extents[1]) - kHalf;
  }

  const Site& left_of(const Edge& edge) const { return sites_[edge.cell()->source_index()]; }

  /// Whether the site on its left comes first in the list.
  bool is_first(const Edge& edge) const {
    return left_of(edge).place < left_of(*edge.twin()).place;
  }

  std::size_t number_of(const Edge& edge) const {
    return static_cast<std::size_t>(&edge - diagram_.edges().data());
  }

  void cut_edges() {
    cuts_.resize(diagram_.edges().size());
    for (const Edge& edge : diagram_.edges()) {
      if (!is_first(edge)) continue;
      const Cut cut = cut_off(edge);
      cuts_[number_of(edge)] = cut;
      cuts_[number_of(*edge.twin())] = {cut.inside, cut.to, cut.from};
      some_edge_inside_ = some_edge_inside_ || cut.inside;
    }
  }

  /// A part of the bisector, and the sides at which it was cut off.
  struct Span {
    double begin = -kInfinity, end = kInfinity;
    Side begin_side = Side::none, end_side = Side::none;

    void from(double t, Side side) {
      if (t > begin) begin = t, begin_side = side;
    }
    void until(double t, Side side) {
      if (t < end) end = t, end_side = side;
    }
  };

  Cut cut_off(const Edge& edge) const {
    const Site& a = left_of(edge);
    const Site& b = left_of(*edge.twin());
    const double dx = static_cast<double>(a.y) - b.y, dy = static_cast<double>(b.x) - a.x;
    const double mx = (static_cast<double>(a.x) + b.x) / 2;
    const double my = (static_cast<double>(a.y) + b.y) / 2;
    const auto t_of = [&](const boost::polygon::voronoi_diagram<double>::vertex_type& vertex) {
      return ((vertex.x() - mx) * dx + (vertex.y() - my) * dy) / (dx * dx + dy * dy);
    };
    Span span;
    if (edge.vertex0() != nullptr) span.begin = t_of(*edge.vertex0());
    if (edge.vertex1() != nullptr) span.end = t_of(*edge.vertex1());
    cut_along(mx, dx, left_, right_, {Side::left, Side::right}, span);
    cut_along(my, dy, bottom_, top_, {Side::bottom, Side::top}, span);
    const bool is_cut = span.begin_side != Side::none || span.end_side != Side::none;
    const double shortest = is_cut ? shortest_ : 0;
    if (!((span.end - span.begin) * std::hypot(dx, dy) > shortest)) return {};
    const auto at = [&](double t, Side side,
                        const boost::polygon::voronoi_diagram<double>::vertex_type* vertex) {
      if (side == Side::none) return PlanePoint{vertex->x(), vertex->y(), Side::none};
      PlanePoint point{mx + t * dx, my + t * dy, side};
      if (side == Side::left || side == Side::right) point.x = side == Side::left ? left_ : right_;
      if (side == Side::bottom || side == Side::top)
        point.y = side == Side::bottom ? bottom_ : top_;
      return point;
    };
    const PlanePoint from = at(span.begin, span.begin_side, edge.vertex0());
    const PlanePoint to = at(span.end, span.end_side, edge.vertex1());
    return {!lie_on_one_side(from, to), from, to};
  }

  /// Whether an edge runs along a side, to within rounding.
  bool lie_on_one_side(const PlanePoint& a, const PlanePoint& b) const {
    const auto both = [&](double a_to_side, double b_to_side) {
      return a_to_side <= shortest_ && b_to_side <= shortest_;
    };
    return both(a.x - left_, b.x - left_) || both(right_ - a.x, right_ - b.x) ||
           both(a.y - bottom_, b.y - bottom_) || both(top_ - a.y, top_ - b.y);
  }

  /// Cuts a span off where m + t·d leaves least … greatest. An edge along a side lies outside.
  static void cut_along(double m, double d, double least, double greatest,
                        std::array<Side, 2> sides, Span& span) {
    if (d == 0) {
      if (!(m > least && m < greatest)) span.until(-kInfinity, sides[0]);
      return;
    }
    const double to_least = (least - m) / d, to_greatest = (greatest - m) / d;
    if (d > 0) {
      span.from(to_least, sides[0]);
      span.until(to_greatest, sides[1]);
    } else {
      span.from(to_greatest, sides[1]);
      span.until(to_least, sides[0]);
    }
  }

  /// The ring of a polygon: its cut edges in order, and the corners between them.
  void make_ring(const Cell& cell, std::vector<Point>& ring) const {
    const Edge* const start = cell.incident_edge();
    if (start == nullptr) return;
    const Site& site = sites_[cell.source_index()];
    const Cut *first = nullptr, *last = nullptr;
    const Edge* edge = start;
    do {
      const Cut& cut = cuts_[number_of(*edge)];
      if (cut.inside) {
        if (last != nullptr) add_corners(site, last->to, cut.from, ring);
        if (first == nullptr) first = &cut;
        add(to_cells(cut.from), ring);
        add(to_cells(cut.to), ring);
        last = &cut;
      }
      edge = edge->next();
    } while (edge != start);
    if (first == nullptr) return;
    add_corners(site, last->to, first->from, ring);
    if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  }

  static void add(const Point& point, std::vector<Point>& ring) {
    if (ring.empty() || !(ring.back() == point)) ring.push_back(point);
  }

  /// The corners on the way along the sides that belong to a site. On one and the same side there
  /// is none, for a polygon is convex.
  void add_corners(const Site& site, const PlanePoint& from, const PlanePoint& to,
                   std::vector<Point>& ring) const {
    if (from.x == to.x && from.y == to.y) return;  // one corner of the diagram
    const auto last = static_cast<std::size_t>(side_of(to));
    for (auto side = static_cast<std::size_t>(side_of(from)); side != last; side = (side + 1) % 4)
      if (distance(site, corners()[side]) <= kTie * corner_distances_[side])
        add(to_cells(corners()[side]), ring);
  }

  /// The side on which a point lies, or to within rounding.
  Side side_of(const PlanePoint& point) const {
    if (point.side != Side::none) return point.side;
    const double to_sides[] = {point.y - bottom_, right_ - point.x, top_ - point.y,
                               point.x - left_};
    return static_cast<Side>(std::min_element(to_sides, to_sides + 4) - to_sides);
  }

  /// The ends of the sides.
  std::array<PlanePoint, 4> corners() const {
    return {PlanePoint{right_, bottom_}, {right_, top_}, {left_, top_}, {left_, bottom_}};
  }

  std::vector<Point> whole_grid() const {
    std::vector<Point> ring;
    for (const PlanePoint& corner : corners()) ring.push_back(to_cells(corner));
    return ring;
  }

  PlanePoint middle() const { return {(left_ + right_) / 2, (bottom_ + top_) / 2}; }

  static double distance(const Site& site, const PlanePoint& point) {
    return std::hypot(site.x - point.x, site.y - point.y);
  }

  const Site& nearest_to(const PlanePoint& point) const {
    const auto is_nearer = [&](const Site& a, const Site& b) {
      return distance(a, point) < distance(b, point);
    };
    return *std::min_element(sites_.begin(), sites_.end(), is_nearer);
  }

  /// In cells; points on a side, or as near as rounding brings them, lie there exactly.
  Point to_cells(const PlanePoint& point) const {
    Point cells{scale_.offset_y + point.y * scale_.unit_y,
                scale_.offset_x + point.x * scale_.unit_x};
    if (point.y >= top_ - shortest_) cells.y = -kHalf;
    if (point.y <= bottom_ + shortest_) cells.y = last_row_;
    if (point.x <= left_ + shortest_) cells.x = -kHalf;
    if (point.x >= right_ - shortest_) cells.x = last_column_;
    return cells;
  }

  std::vector<Site> sites_;
  Scale scale_;
  double left_ = 0, right_ = 0, bottom_ = 0, top_ = 0;  ///< the rectangle in the diagram
  double last_row_ = 0, last_column_ = 0;               ///< its last sides in cells
  double shortest_ = 0;                                 ///< kShort there
  boost::polygon::voronoi_diagram<double> diagram_;
  std::vector<Cut> cuts_;                     ///< of each edge of the diagram
  std::array<double, 4> corner_distances_{};  ///< from each corner of the rectangle to its site
  bool some_edge_inside_ = false;
};

PointDiagram::PointDiagram(ContextState& state, const PointSites& points, const Extents& extents,
                           std::span<const double> spacing)
    : diagram_(std::make_unique<Diagram>(points, extents, spacing)) {
  state.progress.check();
}
PointDiagram::~PointDiagram() = default;

void PointDiagram::for_each_polygon(const VisitPolygon& visit) const {
  diagram_->for_each_polygon(visit);
}

void PointDiagram::for_each_edge(const std::function<void(const DiagramEdge& edge)>& visit) const {
  diagram_->for_each_edge(visit);
}

}  // namespace thiessen::polygons
