// SPDX-License-Identifier: Apache-2.0
//
// The sites are triangulated; the centres of the triangles around a site are the corners of its
// polygon, which is then cut off at the four sides of the grid.
//
// Integers decide which polygons meet, and whether a corner lies on a side. Each corner has its
// coordinates once: a centre by its triangle, where neighbours of equal centres share it, and the
// place where an edge crosses a side by the edge's two sites. So both polygons of an edge have the
// same bits.
//
// Three outer sites are a triangle around all others and the grid. Their weights are so small that
// their regions lie outside of the grid, and every region inside of it is bounded.
#include "polygons/point_diagram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/rng.hpp"
#include "thiessen/error.hpp"

namespace thiessen::polygons {
namespace {

constexpr std::int32_t kOuterSites = 3;
/// Numbers of triangles have 31 bits.
constexpr std::int64_t kMostSites = std::int64_t{1} << 29;

[[noreturn]] void refuse_size() {
  throw Error(ErrorCode::unsupported,
              {"points",
               {},
               "lie too far apart, or have too many digits, for polygons with exact edges: their "
               "squared distances must fit 121 bits"});
}

// ---- the order of sites: rounds of twice as many, each along Hilbert's curve ----

constexpr int kCurveBits = 29;

/// The place of a point along the curve; coordinates have kCurveBits.
std::uint64_t along_curve(std::uint32_t y, std::uint32_t x) {
  std::uint64_t along = 0;
  for (std::uint32_t bit = 1U << (kCurveBits - 1); bit > 0; bit /= 2) {
    const bool down = (y & bit) != 0, right = (x & bit) != 0;
    along = along << 2 | ((right ? 3U : 0U) ^ (down ? 1U : 0U));
    if (down) continue;
    if (right) y = ~y, x = ~x;
    std::swap(y, x);
  }
  return along;
}

/// How often 2 divides a random number: 0 for half of all places.
std::uint64_t round_of(std::int64_t place) {
  constexpr std::uint64_t kSeed = 1, kMost = 1U << 20;
  return static_cast<std::uint64_t>(
      std::countr_zero(splitmix64(kSeed, static_cast<std::uint64_t>(place)) | kMost));
}

struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  std::int64_t length() const { return greatest - least; }
};

using Box = std::array<Range, 2>;

Box box_of(std::span<const PowerSite> sites) {
  Box box;
  for (const PowerSite& site : sites)
    for (std::size_t axis = 0; axis < 2; ++axis) box[axis].add(site.at[axis]);
  return box;
}

void sort_for_triangulation(std::span<PowerSite> sites, const Box& box) {
  int shift = 0;
  while (std::max(box[0].length(), box[1].length()) >> shift >> kCurveBits != 0) ++shift;
  struct Turn {
    std::uint64_t key;
    PowerSite site;
  };
  std::vector<Turn> turns;
  turns.reserve(sites.size());
  for (const PowerSite& site : sites) {
    const auto part = [&](std::size_t axis) {
      return static_cast<std::uint32_t>((site.at[axis] - box[axis].least) >> shift);
    };
    const std::uint64_t late = 63 - round_of(site.place);
    turns.push_back({late << (2 * kCurveBits) | along_curve(part(0), part(1)), site});
  }
  std::ranges::sort(turns, {}, &Turn::key);
  std::ranges::transform(turns, sites.begin(), &Turn::site);
}

/// Three sites around a box and others in it, with so small a weight that in all of the box each of
/// the others has a lesser key.
std::array<PowerSite, kOuterSites> outer_sites(const PowerSites& sites,
                                               std::span<const PowerSite> others, const Box& box) {
  const Plane first{box[0].least - 1, box[1].least - 1};
  const Plane length{2 * box[0].length() + 4, 2 * box[1].length() + 4};
  const auto [least, greatest] = std::ranges::minmax(others, {}, &PowerSite::weight);
  double lift = static_cast<double>(greatest.weight) - static_cast<double>(least.weight);
  for (std::size_t axis = 0; axis < 2; ++axis)
    lift += 2 * static_cast<double>(sites.factor(axis)) * static_cast<double>(length[axis]) *
            static_cast<double>(length[axis]);
  constexpr double kMostLift = 0x1p122;
  if (!(lift < kMostLift)) refuse_size();
  const Int128 weight = least.weight - sites.square(length);
  const PowerSite corner{first, weight, static_cast<double>(weight)};
  PowerSite down = corner, right = corner;
  down.at[0] += length[0];
  right.at[1] += length[1];
  return {corner, down, right};
}

double& coordinate(Point& point, std::size_t axis) { return axis == 0 ? point.y : point.x; }
double coordinate(const Point& point, std::size_t axis) { return axis == 0 ? point.y : point.x; }

/// Leaves out corners at which an edge without length begins.
void drop_equal_corners(std::vector<DiagramCorner>& ring) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (!(ring[i].point == ring[(i + 1) % ring.size()].point)) ring[kept++] = ring[i];
  ring.resize(kept);
}

/// So that the begin of a ring does not depend on the order of triangles.
void begin_with_greatest(std::vector<DiagramCorner>& ring) {
  const auto order = [](const DiagramCorner& corner) {
    return std::pair(corner.point.y, corner.point.x);
  };
  // clang 14 does not compile std::ranges::rotate.
  std::rotate(ring.begin(), std::ranges::max_element(ring, {}, order), ring.end());
}

}  // namespace

PointDiagram::PointDiagram(ContextState& state, const Problem& problem, const ProblemViews& views)
    : sites_({problem.weights.factor[1] * problem.keys.factor * problem.keys.factor,
              problem.weights.factor[2] * problem.keys.factor * problem.keys.factor}),
      fraction_bits_(problem.fraction_bits) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool is_last = i % 2 == 1;
    const std::int64_t twice = is_last ? 2 * problem.extent[1 + i / 2] - 1 : -1;
    sides_[i] = {i / 2, is_last, twice * (std::int64_t{1} << fraction_bits_),
                 static_cast<double>(twice) / 2};
  }
  if (views.points.count == 0) return;
  if (views.points.count > kMostSites) refuse_size();
  state.progress.begin(views.points.count);
  take_sites(problem, views);
  triangles_ = triangulate(sites_, [&](std::int64_t sites) { state.progress.advance(sites); });
  find_centres();
}

void PointDiagram::take_sites(const Problem& problem, const ProblemViews& views) {
  sites_.list.resize(kOuterSites);
  sites_.list.reserve(static_cast<std::size_t>(views.points.count + kOuterSites));
  for (std::int64_t i = 0; i < views.points.count; ++i) {
    const Axes& at = views.points.at[i];
    const Int128 weight = problem.has_weights() ? views.weights.exact[i] : 0;
    sites_.list.push_back({{at[1], at[2]}, weight, static_cast<double>(weight), i});
  }
  const std::span<PowerSite> own = std::span(sites_.list).subspan(kOuterSites);
  Box box = box_of(own);
  sort_for_triangulation(own, box);
  for (const Side& side : sides_) {
    box[side.axis].add(side.twice >> 1);  // which rounds down
    box[side.axis].add((side.twice >> 1) + 1);
  }
  std::ranges::copy(outer_sites(sites_, own, box), sites_.list.begin());
}

const Triangle& PointDiagram::triangle(std::int32_t number) const {
  return triangles_[static_cast<std::size_t>(number)];
}

/// Triangles beside each other whose sites have one centre get the same.
void PointDiagram::find_centres() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  centres_.assign(triangles_.size(), {kNone, kNone});
  const auto is_open = [&](std::int32_t number) {
    return std::isnan(centres_[static_cast<std::size_t>(number)].y);
  };
  std::vector<std::int32_t> open;
  for (std::int32_t first = 0; first < std::ssize(triangles_); ++first) {
    if (!triangle(first).exists() || !is_open(first)) continue;
    const Point point = centre(triangle(first));
    for (open.assign(1, first); !open.empty();) {
      const Triangle& at = triangle(open.back());
      centres_[static_cast<std::size_t>(open.back())] = point;
      open.pop_back();
      for (const std::int32_t across : at.across)
        if (across != kNoTriangle && is_open(across) && have_one_centre(at, triangle(across)))
          open.push_back(across);
    }
  }
}

bool PointDiagram::have_one_centre(const Triangle& a, const Triangle& b) const {
  const auto is_new = [&](std::int32_t site) {
    return std::ranges::find(a.site, site) == a.site.end();
  };
  return sites_.beats(a.site, sites_[*std::ranges::find_if(b.site, is_new)]) == 0;
}

/// The coordinate numerator / denominator from a site, in cells. It is that of a side exactly where
/// lies_on(side) says so, which is asked if it may be.
template <class LiesOn>
double PointDiagram::in_cells(std::size_t axis, std::int64_t site, double numerator,
                              double denominator, const LiesOn& lies_on) const {
  constexpr double kNear = 0x1p-40;
  const double unit = std::ldexp(1.0, -fraction_bits_);
  const double start = static_cast<double>(site) * unit, offset = numerator / denominator * unit;
  for (const Side& side : sides_)
    if (side.axis == axis &&
        std::abs(start + offset - side.cells) <= kNear * (std::abs(start) + std::abs(offset)) &&
        lies_on(side))
      return side.cells;
  return start + offset;
}

/// By Cramer's rule for the bisectors of the first site with the two others.
Point PointDiagram::centre(const Triangle& triangle) const {
  const PowerSite& site = sites_[triangle.site[0]];
  const SiteStep a = sites_.step(site, sites_[triangle.site[1]]);
  const SiteStep b = sites_.step(site, sites_[triangle.site[2]]);
  Point point{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::size_t other = 1 - axis;
    const Int128 turn = axis == 0 ? turn_of(a.way, b.way) : -turn_of(a.way, b.way);
    const Int128 factor = sites_.factor(axis);
    const Int256 numerator =
        Int256::product_of(a.lift, b.way[other]) - Int256::product_of(b.lift, a.way[other]);
    coordinate(point, axis) = in_cells(
        axis, site.at[axis], static_cast<double>(numerator),
        2 * static_cast<double>(turn) * static_cast<double>(factor), [&](const Side& side) {
          return numerator == Int256::product_of(factor * (side.twice - 2 * site.at[axis]), turn);
        });
  }
  return point;
}

/// Where the bisector of two sites crosses a side, along this one.
double PointDiagram::crossing(std::int64_t a, std::int64_t b, const Side& side) const {
  const PowerSite& site = sites_[static_cast<std::int32_t>(std::min(a, b))];
  const SiteStep step = sites_.step(site, sites_[static_cast<std::int32_t>(std::max(a, b))]);
  const std::size_t across = side.axis, along = 1 - side.axis;
  const Int128 numerator =
      step.lift - sites_.factor(across) * step.way[across] * (side.twice - 2 * site.at[across]);
  const Int128 half = sites_.factor(along) * step.way[along];
  return in_cells(
      along, site.at[along], static_cast<double>(numerator), 2 * static_cast<double>(half),
      [&](const Side& at) { return numerator == half * (at.twice - 2 * site.at[along]); });
}

/// The corners around a site, counter-clockwise from the centre of one of its triangles on.
void PointDiagram::make_ring(std::int32_t site, std::int32_t first, Ring& ring) const {
  ring.clear();
  std::int32_t number = first;
  do {
    const Triangle& at = triangle(number);
    const auto own = static_cast<std::size_t>(std::ranges::find(at.site, site) - at.site.begin());
    ring.push_back({centres_[static_cast<std::size_t>(number)], at.site[(own + 2) % 3]});
    number = at.across[(own + 1) % 3];
  } while (number != first);
}

/// Where an edge from a corner to the next one ends at a side; `inner` is the one that stays.
Point PointDiagram::end_of(std::int32_t site, const DiagramCorner& from, const DiagramCorner& to,
                           const Point& inner, const Side& side) const {
  if (coordinate(inner, side.axis) == side.cells) return inner;
  Point point = inner;
  coordinate(point, side.axis) = side.cells;
  if (from.beyond == kGridSide) return point;
  const std::size_t along = 1 - side.axis;
  const auto [least, most] =
      std::minmax({coordinate(from.point, along), coordinate(to.point, along)});
  coordinate(point, along) = std::clamp(crossing(site, from.beyond, side), least, most);
  return point;
}

void PointDiagram::cut_off(std::int32_t site, const Side& side, Ring& ring, Ring& rest) const {
  const auto is_beyond = [&](const DiagramCorner& corner) {
    const double at = coordinate(corner.point, side.axis);
    return side.is_last ? at > side.cells : at < side.cells;
  };
  if (std::ranges::none_of(ring, is_beyond)) return;
  rest.clear();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const DiagramCorner &from = ring[i], &to = ring[(i + 1) % ring.size()];
    if (!is_beyond(from)) rest.push_back(from);
    if (is_beyond(from) == is_beyond(to)) continue;
    rest.push_back({end_of(site, from, to, is_beyond(to) ? from.point : to.point, side),
                    is_beyond(to) ? kGridSide : from.beyond});
  }
  ring.swap(rest);
}

void PointDiagram::for_each_polygon(const VisitPolygon& visit) const {
  std::vector<std::int32_t> first(sites_.list.size(), kNoTriangle);
  for (std::int32_t number = 0; number < std::ssize(triangles_); ++number)
    if (triangle(number).exists())
      for (const std::int32_t site : triangle(number).site)
        first[static_cast<std::size_t>(site)] = number;
  Ring ring, rest;
  for (std::int32_t site = kOuterSites; site < std::ssize(sites_.list); ++site) {
    if (first[static_cast<std::size_t>(site)] == kNoTriangle) continue;
    make_ring(site, first[static_cast<std::size_t>(site)], ring);
    for (const Side& side : sides_) cut_off(site, side, ring, rest);
    drop_equal_corners(ring);
    if (ring.size() < 3) continue;
    begin_with_greatest(ring);
    for (DiagramCorner& corner : ring)
      if (corner.beyond != kGridSide)
        corner.beyond = sites_[static_cast<std::int32_t>(corner.beyond)].place;
    visit(sites_[site].place, ring);
  }
}

void PointDiagram::for_each_edge(const VisitEdge& visit) const {
  for_each_polygon([&](std::int64_t site, const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point &from = ring[i].point, &to = ring[(i + 1) % ring.size()].point;
      const auto holds_both = [&](const Side& side) {
        return coordinate(from, side.axis) == side.cells && coordinate(to, side.axis) == side.cells;
      };
      if (site < ring[i].beyond && std::ranges::none_of(sides_, holds_both))
        visit({site, ring[i].beyond, from, to});
    }
  });
}

}  // namespace thiessen::polygons
