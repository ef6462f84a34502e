// SPDX-License-Identifier: Apache-2.0
//
// The outputs of another label of cost_distance(), by their definition: for each label the oracle
// without its sites, at the cells that have that label.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include "oracle/cost_oracle.hpp"
#include "support/draw.hpp"
#include "support/earth_lengths.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;

constexpr float kHole = -9999;
/// From here on floats are 2 apart.
constexpr double kTwoApart = 16777216;

/// A problem, and its sites as the oracle takes them.
struct CostCase {
  Extents extents;
  std::vector<float> map;
  std::vector<float> elevation;  ///< of a walk
  std::vector<std::uint8_t> blocked_faces;
  CostDistanceOptions options;
  EdgeWeight weight = EdgeWeight::stiffness;
  bool by_cell = true;
  bool numbered = false;
  std::vector<std::int32_t> raster;        ///< of labels, if sites are cells
  std::unique_ptr<bool[]> mask;            ///< the same where sites are numbered
  std::vector<double> points;              ///< (y, x) or (z, y, x)
  std::vector<std::int32_t> point_labels;  ///< empty: numbered
  std::vector<double> initial;             ///< empty: 0
  std::vector<oracle::CostSite> sites;     ///< also those on barriers
  std::vector<std::int32_t> labels;        ///< of these

  std::int64_t cells() const { return extents.count(); }
};

void draw_map(Draw& draw, CostCase& problem) {
  const std::int64_t kind = draw.below(5);
  const std::int64_t barriers = draw.once_in(2) ? 0 : 2 + draw.below(6);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    float value = static_cast<float>(1 + draw.below(3));
    if (kind == 1) value = static_cast<float>(0.1 + draw.real());
    if (kind == 2) value = 1;
    if (kind == 3) value = static_cast<float>(std::pow(10, 6 * draw.real() - 3));
    if (kind == 4) value = static_cast<float>(draw.below(2));
    if (barriers > 0 && draw.once_in(barriers))
      value = draw.once_in(2) ? std::numeric_limits<float>::quiet_NaN() : kHole;
    problem.map.push_back(value);
  }
  problem.options.map_nodata = kHole;
}

/// Terraces, or any heights.
void draw_elevation(Draw& draw, CostCase& problem) {
  const bool terraces = draw.once_in(2);
  for (std::int64_t i = 0; i < problem.cells(); ++i)
    problem.elevation.push_back(terraces ? static_cast<float>(draw.below(3))
                                         : static_cast<float>(draw.real()));
  problem.options.elevation = View<const float>(problem.elevation.data(), problem.extents);
  problem.options.walk = draw.once_in(2) ? Walk::tobler : Walk::langmuir;
  if (draw.once_in(2)) problem.options.walk_direction = WalkDirection::to_site;
  if (draw.once_in(3)) problem.options.walk_map = WalkMap::adds;
}

void draw_blocked_faces(Draw& draw, CostCase& problem) {
  const std::int64_t one_of = 2 + draw.below(9);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    unsigned faces = 0;
    for (int axis = 0; axis < problem.extents.rank(); ++axis)
      if (draw.once_in(one_of)) faces |= 1u << axis;
    problem.blocked_faces.push_back(static_cast<std::uint8_t>(faces));
  }
  problem.options.blocked_faces =
      View<const std::uint8_t>(problem.blocked_faces.data(), problem.extents);
}

/// A part of the Earth of cells of centimetres, over the date line.
void draw_earth(Draw& draw, CostCase& problem) {
  problem.options.spacing = {};
  problem.options.metric = draw.once_in(2) ? Metric::great_circle : Metric::ellipsoidal;
  Earth earth;
  const double top = 180 * draw.real() - 90;
  for (std::int64_t y = 0; y < problem.extents[0]; ++y)
    earth.latitude.push_back(top - std::copysign(2e-7 * static_cast<double>(y), top));
  for (std::int64_t x = 0; x < problem.extents[1]; ++x)
    earth.longitude.push_back(180 + 1e-7 * static_cast<double>(x - 3));
  problem.options.earth = earth;
}

void draw_options(Draw& draw, int rank, CostCase& problem) {
  CostDistanceOptions& options = problem.options;
  constexpr Connectivity kFlat[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::knights};
  constexpr Connectivity kDeep[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::edges};
  options.connectivity = (rank == 2 ? kFlat : kDeep)[draw.below(3)];
  problem.weight = draw.once_in(2) ? EdgeWeight::cost : EdgeWeight::stiffness;
  options.distance_type = draw.once_in(3) ? FloatType::f64 : FloatType::f32;
  options.method = static_cast<CostMethod>(draw.below(3));
  options.tight_barriers = draw.once_in(4);
  options.unreached = std::int64_t{-7};
  if (draw.once_in(4)) options.max_distance = 5 * draw.real();
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis) options.spacing.push_back(0.5 + draw.real());
}

/// None, a few, such that paths merge by rounding, or such that they swallow all steps.
double draw_initial(Draw& draw, std::int64_t kind) {
  if (kind == 1) return static_cast<double>(draw.below(4));
  if (kind == 2) return kTwoApart + static_cast<double>(2 * draw.below(4));
  return 1e9 + 64 * static_cast<double>(draw.below(3));
}

void draw_cells(Draw& draw, std::int64_t sparsity, std::int64_t labels, CostCase& problem) {
  problem.raster.assign(static_cast<std::size_t>(problem.cells()), 0);
  problem.mask = std::make_unique<bool[]>(static_cast<std::size_t>(problem.cells()));
  for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
    if (!draw.once_in(sparsity)) continue;
    const auto at = static_cast<std::size_t>(cell);
    problem.raster[at] = static_cast<std::int32_t>(1 + draw.below(labels));
    problem.mask[at] = true;
    problem.sites.push_back({cell, cell, 0});
    problem.labels.push_back(problem.numbered ? static_cast<std::int32_t>(problem.sites.size())
                                              : problem.raster[at]);
  }
}

void draw_points(Draw& draw, std::int64_t count, std::int64_t labels, CostCase& problem) {
  const int rank = problem.extents.rank();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t cell = 0;
    for (int axis = 0; axis < rank; ++axis) {
      const std::int64_t place = draw.below(problem.extents[axis]);
      problem.points.push_back(static_cast<double>(place));
      cell = cell * problem.extents[axis] + place;
    }
    if (!problem.numbered)
      problem.point_labels.push_back(static_cast<std::int32_t>(1 + draw.below(labels)));
    problem.sites.push_back({i, cell, 0});
    problem.labels.push_back(problem.numbered ? static_cast<std::int32_t>(i + 1)
                                              : problem.point_labels.back());
  }
}

/// Axes of up to `longest` cells in 2-D.
CostCase draw_case(std::uint64_t seed, std::int64_t longest = 14) {
  Draw draw(seed);
  CostCase problem;
  const bool volume = draw.once_in(3);
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < (volume ? 3 : 2); ++axis)
    sizes.push_back(1 + draw.below(volume ? 6 : longest));
  problem.extents = Extents(sizes);
  draw_map(draw, problem);
  draw_options(draw, volume ? 3 : 2, problem);
  if (!volume && draw.once_in(3)) draw_elevation(draw, problem);
  if (!volume && draw.once_in(3)) draw_earth(draw, problem);
  if (draw.once_in(3)) draw_blocked_faces(draw, problem);
  problem.by_cell = draw.once_in(2);
  problem.numbered = draw.once_in(4);
  const std::int64_t labels = 1 + draw.below(draw.once_in(2) ? 3 : 12);
  if (problem.by_cell)
    draw_cells(draw, 1 + draw.below(12), labels, problem);
  else
    draw_points(draw, draw.below(20), labels, problem);
  if (const std::int64_t kind = draw.below(4); kind > 0) {
    problem.initial.assign(
        static_cast<std::size_t>(problem.by_cell ? problem.cells() : std::ssize(problem.sites)), 0);
    for (oracle::CostSite& site : problem.sites)
      site.initial = problem.initial[static_cast<std::size_t>(site.index)] =
          draw_initial(draw, kind);
  }
  return problem;
}

/// What is said of each cell.
struct Said {
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;

  explicit Said(std::int64_t cells)
      : labels(static_cast<std::size_t>(cells)),
        site_index(static_cast<std::size_t>(cells)),
        distance(static_cast<std::size_t>(cells)) {}
};

template <class T>
oracle::CostGround<T> ground_of(const CostCase& problem) {
  oracle::CostGround<T> ground;
  ground.elevation.assign(problem.elevation.begin(), problem.elevation.end());
  ground.blocked_faces = problem.blocked_faces;
  for (const float value : problem.map)
    ground.resistance.push_back(
        value == kHole ? std::numeric_limits<T>::quiet_NaN()
                       : to_resistance<T>(value, problem.weight == EdgeWeight::stiffness).value);
  return ground;
}

/// The oracle's answer from the sites that `counts(place in the list)`.
template <class T, class Counts>
oracle::CostResult answer(const CostCase& given, const CostProblem& problem,
                          const oracle::CostGround<T>& ground, const Counts& counts) {
  std::vector<oracle::CostSite> sites;
  for (std::size_t i = 0; i < given.sites.size(); ++i) {
    oracle::CostSite site = given.sites[i];
    site.initial = static_cast<T>(site.initial);
    if (counts(i) && is_passable(ground.resistance[static_cast<std::size_t>(site.cell)]))
      sites.push_back(site);
  }
  return oracle::cost_distance(problem, ground, sites);
}

/// The label of a site index.
std::int32_t label_of(const CostCase& problem, std::int64_t index) {
  for (std::size_t i = 0; i < problem.sites.size(); ++i)
    if (problem.sites[i].index == index) return problem.labels[i];
  return -7;
}

template <class T>
Said expect(const CostCase& given, const CostProblem& problem) {
  oracle::CostGround<T> ground = ground_of<T>(given);
  ground.length = testing::earth_lengths(problem);
  const oracle::CostResult all = answer(given, problem, ground, [](std::size_t) { return true; });
  std::map<std::int32_t, oracle::CostResult> without;
  for (const std::int32_t label : given.labels)
    if (!without.contains(label))
      without[label] =
          answer(given, problem, ground, [&](std::size_t i) { return given.labels[i] != label; });
  Said said(given.cells());
  for (std::size_t cell = 0; cell < given.map.size(); ++cell) {
    const bool hole = given.map[cell] == kHole;
    std::int64_t site = kUnreached;
    double cost = std::numeric_limits<double>::infinity();
    if (all.site[cell] >= 0) {
      const oracle::CostResult& other = without.at(label_of(given, all.site[cell]));
      site = other.site[cell];
      cost = other.cost[cell];
    }
    said.site_index[cell] = hole ? kNodata : site;
    said.labels[cell] = hole ? static_cast<std::int32_t>(kHole) : label_of(given, site);
    said.distance[cell] = hole ? std::nan("") : cost;
  }
  return said;
}

/// The outputs of a call; only those of another label, or with the others.
Said call(const CostCase& given, int threads, bool all) {
  Context context({.threads = threads});
  Said said(given.cells());
  Said first(given.cells());
  const auto view = [&]<class T>(std::vector<T>& cells) {
    return View<T>(cells.data(), given.extents);
  };
  CostDistanceOutputs out{.other_labels = view(said.labels),
                          .other_site_index = view(said.site_index),
                          .other_distance = view(said.distance)};
  if (all) {
    out.labels = view(first.labels);
    out.distance = view(first.distance);
  }
  const View<const float> map(given.map.data(), given.extents);
  if (given.by_cell) {
    View<const void> sites = View<const std::int32_t>(given.raster.data(), given.extents);
    if (given.numbered) sites = View<const bool>(given.mask.get(), given.extents);
    const View<const double> initial(given.initial.data(), given.extents);
    cost_distance(context, CostMap(map, given.weight), sites, given.options, out,
                  given.initial.empty() ? View<const void>() : View<const void>(initial));
    return said;
  }
  const auto count = static_cast<std::int64_t>(given.sites.size());
  const PointList points{
      .coordinates = View<const double>(given.points.data(), {count, given.extents.rank()}),
      .labels = given.numbered ? View<const void>()
                               : View<const void>(
                                     View<const std::int32_t>(given.point_labels.data(), {count}))};
  const View<const double> initial(given.initial.data(), {count});
  cost_distance(context, CostMap(map, given.weight), points, given.options, out,
                given.initial.empty() ? View<const void>() : View<const void>(initial));
  return said;
}

void check(const CostCase& given) {
  CostDistanceOptions options = given.options;
  std::vector<std::int32_t> none(static_cast<std::size_t>(given.cells()));
  const CostProblem problem =
      make_cost_problem({View<const float>(given.map.data(), given.extents), given.weight},
                        View<const std::int32_t>(none.data(), given.extents), options, {});
  const Said expected =
      problem.wide ? expect<double>(given, problem) : expect<float>(given, problem);
  for (const int threads : {1, 4}) {
    const Said said = call(given, threads, threads == 4);
    ASSERT_EQ(said.labels, expected.labels);
    ASSERT_EQ(said.site_index, expected.site_index);
    for (std::size_t cell = 0; cell < said.distance.size(); ++cell)
      ASSERT_TRUE(said.distance[cell] == expected.distance[cell] ||
                  (std::isnan(said.distance[cell]) && std::isnan(expected.distance[cell])))
          << "cell " << cell << ": " << said.distance[cell] << ", " << expected.distance[cell];
  }
}

TEST(OtherCosts, EqualTheOracleWithoutTheSitesOfTheLabel) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(draw_case(seed));
    if (HasFatalFailure()) return;
  }
}

/// So large that they have several tiles.
TEST(OtherCosts, EqualTheOracleOnLargerMaps) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(draw_case(seed, 200));
    if (HasFatalFailure()) return;
  }
}

/// A row of cells 0 to 3, each with a site. Without the label 3 the cost of cell 1 comes from cell
/// 0 and is greater by 2; both are rounded to the cost that cell 2 has from its own site. So site 0
/// is that of cell 2 then, and, from there, of cell 3.
TEST(OtherCosts, ALesserRankLeavesARegionThroughRounding) {
  CostCase given;
  given.extents = {1, 4};
  given.map = {1, 3, 3, 1};
  given.weight = EdgeWeight::cost;
  given.options.map_nodata = kHole;
  given.options.unreached = std::int64_t{-7};
  given.by_cell = false;
  given.points = {0, 0, 0, 2, 0, 1, 0, 3};
  given.labels = given.point_labels = {1, 2, 3, 3};
  given.initial = {kTwoApart, kTwoApart + 4, kTwoApart, kTwoApart + 2};
  const std::int64_t cells[] = {0, 2, 1, 3};
  for (std::size_t i = 0; i < std::size(cells); ++i)
    given.sites.push_back({static_cast<std::int64_t>(i), cells[i], given.initial[i]});
  check(given);
  EXPECT_EQ(call(given, 1, false).site_index[3], 0);
}

/// Two NaN are one label, as are 0 and -0.
TEST(OtherCosts, LabelsAreComparedByValue) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> map(6, 1);
  const std::vector<float> labels{nan, 0, 2, -nan, -0.0f, 1};
  const std::vector<double> points{0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5};
  std::vector<std::int64_t> site(6);
  Context context;
  cost_distance(context, CostMap::stiffness(View<const float>(map.data(), {1, 6})),
                {.coordinates = View<const double>(points.data(), {6, 2}),
                 .labels = View<const float>(labels.data(), {6})},
                {}, {.other_site_index = View<std::int64_t>(site.data(), {1, 6})});
  EXPECT_EQ(site, (std::vector<std::int64_t>{1, 0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace thiessen
