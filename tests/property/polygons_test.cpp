// SPDX-License-Identifier: Apache-2.0
//
// Outlines of random regions and of random points: drawn again as cells they are the raster, and
// neighbours have the same points.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include "thiessen/polygons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/components.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

struct Corner {
  double y, x;
  auto operator<=>(const Corner&) const = default;
};

using Ring = std::vector<Corner>;  // closed

/// A polygon of a region: its outer ring, then its holes.
struct Part {
  std::int64_t region;  ///< the row of the table
  std::vector<Ring> rings;
};

std::vector<Part> parts_of(const Polygons& polygons) {
  std::vector<Part> parts;
  const std::int64_t regions = polygons.labels.extents()[0];
  EXPECT_EQ(polygons.parts.size(), static_cast<std::size_t>(regions) + 1);
  for (std::size_t i = 0; i + 1 < polygons.parts.size(); ++i)
    for (std::int64_t j = polygons.parts[i]; j < polygons.parts[i + 1]; ++j) {
      Part part{static_cast<std::int64_t>(i), {}};
      const auto polygon = static_cast<std::size_t>(j);
      for (std::int64_t k = polygons.rings[polygon]; k < polygons.rings[polygon + 1]; ++k) {
        Ring ring;
        const auto at = static_cast<std::size_t>(k);
        for (std::int64_t p = polygons.points[at]; p < polygons.points[at + 1]; ++p) {
          const auto place = 2 * static_cast<std::size_t>(p);
          ring.push_back({polygons.coordinates[place], polygons.coordinates[place + 1]});
        }
        part.rings.push_back(std::move(ring));
      }
      parts.push_back(std::move(part));
    }
  return parts;
}

/// > 0 if the ring runs counter-clockwise where y counts downwards.
double area_of(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i)
    sum += (ring[i + 1].x - ring[i].x) * (ring[i + 1].y + ring[i].y) / 2;
  return sum;
}

double area_of(const Part& part) {
  double sum = 0;
  for (const Ring& ring : part.rings) sum += area_of(ring);
  return sum;
}

/// Whether an odd number of edges lies to the right of the point.
bool holds(const Part& part, const Corner& point) {
  bool inside = false;
  for (const Ring& ring : part.rings)
    for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
      const Corner &a = ring[i], &b = ring[i + 1];
      if ((a.y > point.y) == (b.y > point.y)) continue;
      if (point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
  return inside;
}

using Segment = std::pair<Corner, Corner>;

/// The edges of all rings; each is there once.
std::set<Segment> segments_of(const std::vector<Part>& parts) {
  std::set<Segment> segments;
  for (const Part& part : parts)
    for (const Ring& ring : part.rings) {
      EXPECT_GT(ring.size(), 3U);
      EXPECT_EQ(ring.front(), ring.back());
      for (std::size_t i = 0; i + 1 < ring.size(); ++i)
        EXPECT_TRUE(segments.insert({ring[i], ring[i + 1]}).second);
    }
  return segments;
}

struct Regions {
  Extents extents;
  std::vector<float> cells;
  View<const float> view() const { return {cells.data(), extents}; }
  float at(std::int64_t y, std::int64_t x) const {
    return cells[static_cast<std::size_t>(y * extents[1] + x)];
  }
  bool is_region(std::int64_t y, std::int64_t x) const {
    if (y < 0 || x < 0 || y >= extents[0] || x >= extents[1]) return false;
    return at(y, x) != 0 && !std::isnan(at(y, x));
  }
};

Regions draw_regions(Draw& draw) {
  Regions regions{{1 + draw.below(14), 1 + draw.below(14)}, {}};
  const std::int64_t values = 1 + draw.below(4);
  const std::int64_t sparsity = 1 + draw.below(4);
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  regions.cells.resize(static_cast<std::size_t>(regions.extents.count()));
  for (float& cell : regions.cells)
    cell = !draw.once_in(sparsity) ? 0.0F
           : draw.once_in(30)      ? kNaN
                                   : static_cast<float>(draw.below(values)) - 1.0F;
  return regions;
}

/// The label of a row of a table of f32 or i64.
double label_at(const Raster& labels, std::int64_t row) {
  return labels.element_type() == ElementType::f32
             ? static_cast<double>(labels.view<float>()(row))
             : static_cast<double>(labels.view<std::int64_t>()(row));
}

/// Every cell lies in one polygon, that of its label; polygons are as large as their cells.
void expect_same_cells(const Regions& regions, const Polygons& polygons,
                       const std::vector<Part>& parts) {
  std::map<double, double> cells, areas;
  for (std::int64_t y = 0; y < regions.extents[0]; ++y)
    for (std::int64_t x = 0; x < regions.extents[1]; ++x) {
      int found = 0;
      for (const Part& part : parts) {
        if (!holds(part, {static_cast<double>(y), static_cast<double>(x)})) continue;
        ++found;
        EXPECT_EQ(label_at(polygons.labels, part.region), regions.at(y, x));
      }
      EXPECT_EQ(found, regions.is_region(y, x) ? 1 : 0);
      if (regions.is_region(y, x)) ++cells[regions.at(y, x)];
    }
  for (const Part& part : parts) areas[label_at(polygons.labels, part.region)] += area_of(part);
  EXPECT_EQ(areas, cells);
}

/// Outer rings first, and no corner twice in a ring: they are simple.
void expect_valid(const std::vector<Part>& parts) {
  for (const Part& part : parts)
    for (std::size_t i = 0; i < part.rings.size(); ++i) {
      const Ring& ring = part.rings[i];
      EXPECT_EQ(area_of(ring) > 0, i == 0);
      const std::set<Corner> corners(ring.begin(), ring.end() - 1);
      EXPECT_EQ(corners.size(), ring.size() - 1);
    }
}

/// The cells on both sides of an edge along the sides of cells, at its middle.
std::array<std::pair<std::int64_t, std::int64_t>, 2> sides_of(const Corner& a, const Corner& b) {
  const double y = (a.y + b.y) / 2, x = (a.x + b.x) / 2;
  const auto cell = [](double value) { return static_cast<std::int64_t>(std::lround(value)); };
  if (a.x == b.x) {
    const double row = std::min(a.y, b.y) + 0.5;
    return {{{cell(row), cell(x - 0.5)}, {cell(row), cell(x + 0.5)}}};
  }
  const double column = std::min(a.x, b.x) + 0.5;
  return {{{cell(y - 0.5), cell(column)}, {cell(y + 0.5), cell(column)}}};
}

/// Where two regions meet, both have the edge, each in its own direction.
void expect_same_edges(const Regions& regions, const std::vector<Part>& parts) {
  const std::set<Segment> segments = segments_of(parts);
  for (const auto& [from, to] : segments) {
    const auto sides = sides_of(from, to);
    const bool inner = regions.is_region(sides[0].first, sides[0].second) &&
                       regions.is_region(sides[1].first, sides[1].second);
    EXPECT_EQ(segments.contains({to, from}), inner);
  }
}

/// As many polygons as areas that hang together across edges.
void expect_components(Context& context, const Regions& regions, const std::vector<Part>& parts) {
  std::vector<float> image = regions.cells;
  Raster numbers = Raster::of<std::int32_t>(regions.extents);
  EXPECT_EQ(connected_components(context, View<const float>(image.data(), regions.extents),
                                 {.connectivity = Connectivity::faces}, numbers.view()),
            static_cast<std::int64_t>(parts.size()));
}

/// Borders cover each edge of a cell between two regions once, under their labels.
void expect_borders(Context& context, const Regions& regions) {
  const Borders borders = region_borders(context, regions.view());
  std::set<Segment> seen;
  std::int64_t expected = 0;
  for (std::int64_t y = 0; y < regions.extents[0]; ++y)
    for (std::int64_t x = 0; x < regions.extents[1]; ++x) {
      if (!regions.is_region(y, x)) continue;
      expected += regions.is_region(y, x + 1) && regions.at(y, x) != regions.at(y, x + 1) ? 1 : 0;
      expected += regions.is_region(y + 1, x) && regions.at(y, x) != regions.at(y + 1, x) ? 1 : 0;
    }
  for (std::size_t i = 0; i + 1 < borders.points.size(); ++i) {
    const double a = label_at(borders.a, static_cast<std::int64_t>(i));
    const double b = label_at(borders.b, static_cast<std::int64_t>(i));
    EXPECT_LT(a, b);
    EXPECT_GE(borders.points[i + 1] - borders.points[i], 2);
    for (std::int64_t p = borders.points[i]; p + 1 < borders.points[i + 1]; ++p) {
      const double* at = borders.coordinates.data() + 2 * p;
      Corner from{at[0], at[1]};
      const Corner end{at[2], at[3]};
      while (from != end) {
        Corner to = from;
        to.y += from.y < end.y ? 1 : from.y > end.y ? -1 : 0;
        to.x += from.x < end.x ? 1 : from.x > end.x ? -1 : 0;
        EXPECT_TRUE(seen.insert({std::min(from, to), std::max(from, to)}).second);
        const auto sides = sides_of(from, to);
        const double one = regions.at(sides[0].first, sides[0].second);
        const double other = regions.at(sides[1].first, sides[1].second);
        EXPECT_EQ(std::min(one, other), a);
        EXPECT_EQ(std::max(one, other), b);
        from = to;
      }
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), expected);
}

TEST(Polygons, OfRandomRegions) {
  Context context;
  for (std::uint64_t seed = 0; seed < 3 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const Regions regions = draw_regions(draw);
    const Polygons polygons = region_polygons(context, regions.view());
    const std::vector<Part> parts = parts_of(polygons);
    expect_same_cells(regions, polygons, parts);
    expect_valid(parts);
    expect_same_edges(regions, parts);
    expect_components(context, regions, parts);
    expect_borders(context, regions);
    if (HasFailure()) break;
  }
}

/// Any element type and strides; what is left out.
TEST(Polygons, OfAllKindsOfLabels) {
  Context context;
  const std::uint8_t flags[] = {0, 7, 1, 0};
  const Polygons truth = region_polygons(View<const void>(flags, ElementType::boolean, {1, 4}));
  EXPECT_EQ(truth.labels.extents()[0], 1);
  EXPECT_EQ(truth.coordinates,
            (std::vector<double>{0.5, 0.5, 0.5, 2.5, -0.5, 2.5, -0.5, 0.5, 0.5, 0.5}));
  const std::int16_t column[] = {-3, 99, 0, 99, -3, 99};
  const View<const void> view(column, ElementType::i16, {3, 1}, {4, 2});
  EXPECT_EQ(region_polygons(context, view).parts, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(region_polygons(context, view, {.background = {}}).parts,
            (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(region_polygons(context, view, {.nodata = std::int64_t{-3}}).parts,
            (std::vector<std::int64_t>{0}));
  EXPECT_EQ(region_polygons(context, View<const int>(nullptr, {0, 5})).rings,
            (std::vector<std::int64_t>{0}));
}

TEST(Polygons, RefuseWhatIsWrong) {
  Context context;
  const int cells[8] = {};
  const View<const int> volume(cells, {2, 2, 2}), plane(cells, {2, 4});
  EXPECT_EQ(message_of([&] { region_polygons(context, volume); }),
            "labels has 3 axes; must have 2");
  EXPECT_NE(message_of([&] {
              region_polygons(context, View<const std::uint8_t>(nullptr, {0, 0}),
                              {.nodata = std::int64_t{300}});
            }).find("nodata = 300"),
            std::string::npos);
  const float distance[4] = {};
  EXPECT_EQ(message_of([&] { region_borders(context, plane, plane); }),
            "distance is i32; must be f32 or f64");
  EXPECT_EQ(message_of([&] {
              region_borders(context, plane, View<const float>(distance, {2, 2}));
            }),
            "distance has other extents than the labels; must have the same");
}

/// The mean of the cells around a point, without those that are NaN.
TEST(Polygons, BordersTellDistances) {
  Context context;
  const int labels[] = {1, 2, 1, 2};
  const double distance[] = {1, 2, std::numeric_limits<double>::quiet_NaN(), 4};
  const Borders borders = region_borders(context, View<const int>(labels, {2, 2}),
                                         View<const double>(distance, {2, 2}));
  EXPECT_EQ(borders.coordinates, (std::vector<double>{1.5, 0.5, -0.5, 0.5}));
  EXPECT_EQ(borders.distance, (std::vector<double>{4, 1.5}));
}

// ---------------------------------------------------------------- points

struct PointProblem {
  Extents extents;
  std::vector<double> coordinates;
  std::vector<double> spacing;
  std::vector<double> weights = {};  ///< empty: there are none

  VoronoiPolygonsOptions options() const {
    return {.spacing = spacing, .weighting = weights.empty() ? Weighting::none : Weighting::power};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(coordinates.size()) / 2; }
  PointList list() const {
    PointList list{.coordinates = View<const double>(coordinates.data(), {count(), 2})};
    if (!weights.empty()) list.weights = View<const double>(weights.data(), {count()});
    return list;
  }
};

/// Points on a lattice, in a row, at one place, outside, or anywhere.
PointProblem draw_points(Draw& draw) {
  PointProblem problem{{1 + draw.below(20), 1 + draw.below(20)}, {}, {}};
  const auto rows = static_cast<double>(problem.extents[0]);
  const auto columns = static_cast<double>(problem.extents[1]);
  const std::int64_t count = 1 + draw.below(draw.once_in(3) ? 3 : 30);
  const std::int64_t kind = draw.below(4);
  const double steps = kind == 0 ? 1 : kind == 1 ? 2 : 65536;
  const double margin = draw.once_in(3) ? 6 : 0.5;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto any = [&](double length) {
      const double at = draw.real() * (length - 1 + 2 * margin) - margin;
      return std::nearbyint(at * steps) / steps;
    };
    problem.coordinates.push_back(kind == 3 ? 2.0 : any(rows));
    problem.coordinates.push_back(any(columns));
  }
  if (draw.once_in(3)) problem.spacing = {0.5 * static_cast<double>(1 + draw.below(5)), 1.5};
  if (draw.once_in(2)) {
    const std::int64_t most = draw.once_in(2) ? 4 : 60;
    for (std::int64_t i = 0; i < count; ++i)
      problem.weights.push_back(static_cast<double>(draw.below(most)) / (kind == 2 ? 10 : 1));
  }
  return problem;
}

/// The site that wins each cell, and how much lower its key is than that of the next one.
struct Winners {
  Raster site, lead;
};

Winners find_winners(Context& context, const PointProblem& problem) {
  const Grid grid{.extents = problem.extents};
  const Extents two{2, problem.extents[0], problem.extents[1]};
  const bool has_weights = !problem.weights.empty();
  Raster site = Raster::of<std::int64_t>(two), key = Raster::of<double>(two);
  NearestSiteOutputs out{.site_index = site.view<std::int64_t>()};
  (has_weights ? out.weighted_distance : out.distance) = key.view();
  NearestSiteOptions options{.spacing = problem.spacing, .k = 2};
  options.weighting = problem.options().weighting;
  voronoi(context, problem.list(), grid, options, out);
  Winners winners{Raster::of<std::int64_t>(problem.extents), Raster::of<double>(problem.extents)};
  for (std::int64_t y = 0; y < problem.extents[0]; ++y)
    for (std::int64_t x = 0; x < problem.extents[1]; ++x) {
      winners.site.view<std::int64_t>()(y, x) = site.view<std::int64_t>()(0, y, x);
      winners.lead.view<double>()(y, x) = key.view<double>()(1, y, x) - key.view<double>()(0, y, x);
    }
  return winners;
}

void expect_polygons(Context& context, const PointProblem& problem) {
  const Polygons polygons =
      voronoi_polygons(context, problem.list(), problem.extents, problem.options());
  const std::vector<Part> parts = parts_of(polygons);
  const Winners winners = find_winners(context, problem);
  double area = 0;
  for (const Part& part : parts) {
    EXPECT_EQ(part.rings.size(), 1U);
    EXPECT_GT(area_of(part), 0);
    area += area_of(part);
  }
  const auto cells = static_cast<double>(problem.extents.count());
  EXPECT_NEAR(area / cells, 1, 1e-9);
  for (std::int64_t y = 0; y < problem.extents[0]; ++y)
    for (std::int64_t x = 0; x < problem.extents[1]; ++x) {
      if (winners.lead.view<double>()(y, x) < 1e-9) continue;  // a tie
      for (const Part& part : parts)
        EXPECT_EQ(holds(part, {static_cast<double>(y), static_cast<double>(x)}),
                  label_at(polygons.labels, part.region) ==
                      static_cast<double>(winners.site.view<std::int64_t>()(y, x)));
    }
  const std::set<Segment> segments = segments_of(parts);
  const double bottom = static_cast<double>(problem.extents[0]) - 0.5;
  const double right = static_cast<double>(problem.extents[1]) - 0.5;
  std::int64_t inner = 0;
  for (const auto& [from, to] : segments) {
    const bool on_side = (from.y == to.y && (from.y == -0.5 || from.y == bottom)) ||
                         (from.x == to.x && (from.x == -0.5 || from.x == right));
    EXPECT_EQ(segments.contains({to, from}), !on_side);
    inner += on_side ? 0 : 1;
  }
  const Borders borders =
      voronoi_borders(context, problem.list(), problem.extents, problem.options());
  EXPECT_EQ(2 * borders.a.extents()[0], inner);
  for (std::size_t i = 0; i + 1 < borders.points.size(); ++i) {
    const double* at = borders.coordinates.data() + 4 * i;
    EXPECT_TRUE(segments.contains({{at[0], at[1]}, {at[2], at[3]}}));
  }
}

TEST(Polygons, OfRandomPoints) {
  Context context;
  for (std::uint64_t seed = 0; seed < 3 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    expect_polygons(context, draw_points(draw));
    if (HasFailure()) break;
  }
}

TEST(Polygons, OfFewPoints) {
  Context context;
  const double points[] = {1, 1, 1, 1, 1, 3};
  const auto polygons_of = [&](std::int64_t count, const Extents& extents) {
    return voronoi_polygons(context, {.coordinates = View<const double>(points, {count, 2})},
                            extents);
  };
  EXPECT_EQ(polygons_of(0, {3, 5}).rings, (std::vector<std::int64_t>{0}));
  const std::vector<double> grid{2.5, 4.5, -0.5, 4.5, -0.5, -0.5, 2.5, -0.5, 2.5, 4.5};
  EXPECT_EQ(polygons_of(2, {3, 5}).coordinates, grid);  // the second one is a duplicate
  const Polygons two = polygons_of(3, {3, 5});
  EXPECT_EQ(two.labels.view<std::int64_t>()(0), 0);
  EXPECT_EQ(two.labels.view<std::int64_t>()(1), 2);
  const Borders border =
      voronoi_borders(context, {.coordinates = View<const double>(points, {3, 2})}, Extents{3, 5},
                      {.spacing = {1, 2}});
  EXPECT_EQ(border.coordinates.size(), 4U);
  EXPECT_EQ(border.coordinates[1], 2);
  EXPECT_DOUBLE_EQ(border.distance[0], 2.5);  // 2 along x, 1.5 along y
}

TEST(Polygons, RefusePointsThatDoNotFit) {
  Context context;
  const double far[] = {0.0000152587890625, 0, 0, 1e9};
  const PointList list{.coordinates = View<const double>(far, {2, 2})};
  const double weights[] = {1e-9, 2};
  const PointList weighted{.coordinates = list.coordinates,
                           .weights = View<const double>(weights, {2})};
  EXPECT_NE(message_of([&] {
              voronoi_polygons(context, weighted, {3, 3}, {.weighting = Weighting::power});
            }).find("must fit 121 bits"),
            std::string::npos);
  EXPECT_EQ(message_of([&] {
              voronoi_polygons(context, weighted, {3, 3}, {.weighting = Weighting::additive});
            }),
            "weighting = additive; must be power; others bend edges, which region_polygons() of "
            "the labels has");
  EXPECT_EQ(message_of([&] {
              voronoi_polygons(context, list, {3, 0});
            }),
            "extents[1] = 0; must be 1 to 2^30");
  EXPECT_EQ(message_of([&] {
              voronoi_polygons(context, list, {3, 3, 3});
            }),
            "extents has 3 axes; must have 2");
  EXPECT_NE(message_of([&] {
              voronoi_borders(context, list, {3, 3}, {.spacing = {1, 0}});
            }).find("spacing[1] = 0"),
            std::string::npos);
}

}  // namespace
}  // namespace thiessen
