// SPDX-License-Identifier: Apache-2.0
//
// Placing sites against loops over all cells and sites, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "oracle/placing_oracle.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::Place;
using oracle::PlacingScene;
using oracle::SiteNumbers;
using testing::Draw;

constexpr double kUnit = 65536;

Context& threads_of(int threads) {
  static Context one({.threads = 1});
  static Context four({.threads = 4});
  return threads == 1 ? one : four;
}

/// A small raster: thin ones and single cells, too. Some have long rows, if they may.
PlacingScene draw_scene(Draw& draw, bool long_rows = false) {
  PlacingScene scene;
  scene.rank = draw.once_in(3) ? 3 : 2;
  const std::int64_t longest = scene.rank == 3 ? 9 : 40;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    scene.extent[axis] = draw.once_in(5) ? 1 : 1 + draw.below(longest);
  if (scene.rank == 2) scene.extent[0] = 1;
  if (scene.rank == 2 && long_rows && draw.once_in(6))
    scene.extent = {1, 1 + draw.below(3), 1000 + draw.below(1500)};
  const std::vector<double> lengths{1, 0.5, 2, 1.25, 30};
  const auto rank = static_cast<std::size_t>(scene.rank);
  scene.spacing.assign(rank, 1.0);
  if (draw.once_in(2))
    for (double& length : scene.spacing) length = lengths[static_cast<std::size_t>(draw.below(5))];
  const auto cells = static_cast<std::size_t>(scene.extent[0] * scene.extent[1] * scene.extent[2]);
  if (draw.once_in(2))
    for (std::size_t i = 0; i < cells; ++i)
      scene.quarters.push_back(draw.once_in(4) ? 0 : draw.below(1000));
  if (draw.once_in(3))
    for (std::size_t i = 0; i < cells; ++i) scene.domain.push_back(draw.once_in(3) ? 0 : 1);
  return scene;
}

/// Makes some axes periodic.
void draw_periodic(Draw& draw, PlacingScene& scene) {
  if (draw.once_in(2)) return;
  for (int axis = 0; axis < scene.rank; ++axis) scene.periodic.push_back(!draw.once_in(3));
}

/// Moves places into the first period of periodic axes.
void wrap(const PlacingScene& scene, std::vector<Place>& places) {
  for (Place& place : places)
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (const std::int64_t period = scene.period(axis) * 65536; period > 0)
        place[axis] = (place[axis] % period + period) % period;
}

/// The arrays of a scene as calls take them.
struct Arrays {
  explicit Arrays(const PlacingScene& scene) : domain_cells(scene.domain) {
    const std::vector<std::int64_t> sizes(scene.extent.end() - scene.rank, scene.extent.end());
    grid = {.extents = Extents(sizes), .spacing = scene.spacing};
    for (const std::int64_t quarters : scene.quarters)
      densities.push_back(static_cast<float>(quarters) / 4);
    if (!densities.empty()) density = View<const float>(densities.data(), grid.extents);
    if (!domain_cells.empty()) domain = View<const std::uint8_t>(domain_cells.data(), grid.extents);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  std::vector<float> densities;
  std::vector<std::uint8_t> domain_cells;
  Grid grid;
  View<const void> density;
  View<const void> domain;
};

std::vector<Place> draw_points(Draw& draw, const PlacingScene& scene, std::int64_t count) {
  std::vector<Place> points;
  const bool on_centres = draw.once_in(3);
  for (std::int64_t i = 0; i < count; ++i) {
    Place place{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (scene.rank == 2 && axis == 0) continue;
      // Some lie outside, and some at the same place.
      place[axis] = (draw.below(scene.extent[axis] + 2) - 1) * 65536;
      if (!on_centres) place[axis] += draw.below(65536);
    }
    points.push_back(!points.empty() && draw.once_in(10) ? points.front() : place);
  }
  return points;
}

std::vector<double> coordinates_of(const PlacingScene& scene, const std::vector<Place>& points) {
  std::vector<double> coordinates;
  for (const Place& point : points)
    for (auto axis = static_cast<std::size_t>(kAxes - scene.rank); axis < kAxes; ++axis)
      coordinates.push_back(static_cast<double>(point[axis]) / kUnit);
  return coordinates;
}

double farthest_way(const PlacingScene& scene, const std::vector<Place>& from,
                    const std::vector<Place>& to) {
  double farthest = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    double squares = 0;
    for (std::size_t axis = 0; axis < scene.spacing.size(); ++axis) {
      const std::size_t own = kAxes - scene.spacing.size() + axis;
      const double way =
          static_cast<double>(to[i][own] - from[i][own]) / kUnit * scene.spacing[axis];
      squares += way * way;
    }
    farthest = std::max(farthest, std::sqrt(squares));
  }
  return farthest;
}

double energy_of_points(const PlacingScene& scene, const SiteNumbers& sites,
                        const std::vector<Place>& points) {
  std::vector<double> squares(sites.size());
  for (std::size_t cell = 0; cell < sites.size(); ++cell)
    if (sites[cell] > 0)
      squares[cell] = oracle::squared_distance(scene, static_cast<std::int64_t>(cell),
                                               points[static_cast<std::size_t>(sites[cell] - 1)]);
  return oracle::energy(scene, sites, squares);
}

TEST(Placing, LloydStepsAreThoseOfTheOracle) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Draw draw(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlacingScene scene = draw_scene(draw, true);
    draw_periodic(draw, scene);
    const Arrays arrays(scene);
    std::vector<Place> points = draw_points(draw, scene, draw.below(12));
    const std::vector<double> coordinates = coordinates_of(scene, points);
    const auto count = static_cast<std::int64_t>(points.size());
    const View<const double> view(coordinates.data(), {count, scene.rank});
    RelaxedPoints relaxed[2];
    for (const int threads : {1, 4})
      relaxed[threads / 4] =
          relax_sites(threads_of(threads), view, arrays.grid,
                      {.steps = 4, .periodic = scene.periodic}, arrays.density, arrays.domain);
    wrap(scene, points);
    SiteNumbers sites = oracle::nearest_points(scene, points);
    std::vector<double> energy{energy_of_points(scene, sites, points)};
    std::vector<double> ways;
    while (ways.size() < 4 && (ways.empty() || ways.back() > 0)) {
      const std::vector<Place> before = points;
      oracle::move_to_centroids(scene, sites, points);
      ways.push_back(farthest_way(scene, before, points));
      wrap(scene, points);
      sites = oracle::nearest_points(scene, points);
      energy.push_back(energy_of_points(scene, sites, points));
    }
    for (const RelaxedPoints& own : relaxed) {
      EXPECT_EQ(own.coordinates, coordinates_of(scene, points));
      EXPECT_EQ(own.relaxation.energy, energy);
      EXPECT_EQ(own.relaxation.farthest_move, ways);
      EXPECT_EQ(own.relaxation.end, ways.back() > 0 ? RelaxEnd::steps : RelaxEnd::settled);
    }
  }
}

TEST(Placing, AStepNeverRaisesTheEnergyByMoreThanTheRoundingOfPoints) {
  Draw draw(7);
  constexpr std::int64_t kPoints = 300;
  std::vector<double> points;
  for (std::int64_t i = 0; i < 2 * kPoints; ++i) points.push_back(draw.real() * 200);
  const RelaxedPoints relaxed =
      relax_sites(threads_of(4), View<const double>(points.data(), {kPoints, 2}),
                  {.extents = {200, 200}, .spacing = {}}, {.steps = 60});
  const std::vector<double>& energy = relaxed.relaxation.energy;
  ASSERT_EQ(energy.size(), 61u);
  for (std::size_t step = 1; step < energy.size(); ++step)
    EXPECT_LE(energy[step], energy[step - 1] + 200 * 200 * 0x1p-32) << step;
  EXPECT_LT(energy.back(), 0.75 * energy.front());
}

// ---- costs
// ---------------------------------------------------------------------------------------

/// A map of stiffness with barriers, and cells that are nodata.
constexpr float kNodata = -9;

std::vector<float> draw_map(Draw& draw, const PlacingScene& scene) {
  std::vector<float> map;
  const std::int64_t cells = scene.extent[0] * scene.extent[1] * scene.extent[2];
  const bool walls = draw.once_in(2);
  for (std::int64_t i = 0; i < cells; ++i) {
    const bool is_wall = walls && draw.once_in(4);
    map.push_back(is_wall           ? draw.once_in(3) ? kNodata : 0
                  : draw.once_in(2) ? 1
                                    : static_cast<float>(1 + draw.below(8)));
  }
  return map;
}

CostDistanceOptions draw_cost_options(Draw& draw, const PlacingScene& scene) {
  CostDistanceOptions options;
  options.spacing = scene.spacing;
  options.map_nodata = kNodata;
  if (draw.once_in(2)) options.distance_type = FloatType::f64;
  if (draw.once_in(4)) options.connectivity = Connectivity::faces;
  if (draw.once_in(5)) options.max_distance = 6;
  return options;
}

struct CostAnswer {
  SiteNumbers labels;
  std::vector<double> distance;

  std::vector<double> squares() const {
    std::vector<double> squares;
    for (const double each : distance) squares.push_back(each * each);
    return squares;
  }
};

CostAnswer fresh_costs(const PlacingScene& scene, const View<const void>& map,
                       const CostDistanceOptions& options, const std::vector<std::int64_t>& cells) {
  CostAnswer answer;
  const Extents& extents = map.extents();
  answer.labels.resize(static_cast<std::size_t>(extents.count()));
  answer.distance.resize(answer.labels.size());
  std::vector<double> points;
  for (const std::int64_t cell : cells) {
    const Axes at = to_cell(scene.extent, cell);
    for (auto axis = static_cast<std::size_t>(kAxes - scene.rank); axis < kAxes; ++axis)
      points.push_back(static_cast<double>(at[axis]));
  }
  CostDistanceOptions own = options;
  own.nodata_label = std::int64_t{0};
  const auto count = static_cast<std::int64_t>(cells.size());
  cost_distance(threads_of(1), CostMap::stiffness(map),
                PointList{.coordinates = View<const double>(points.data(), {count, scene.rank})},
                own,
                {.labels = View<std::int32_t>(answer.labels.data(), extents),
                 .distance = View<double>(answer.distance.data(), extents)});
  return answer;
}

std::vector<std::int64_t> draw_cells(Draw& draw, const PlacingScene& scene, std::int64_t count) {
  std::vector<std::int64_t> cells;
  for (std::int64_t i = 0; i < count; ++i)
    cells.push_back(draw.below(scene.extent[0] * scene.extent[1] * scene.extent[2]));
  return cells;
}

std::vector<Place> places_of(const PlacingScene& scene, const std::vector<std::int64_t>& cells) {
  std::vector<Place> places;
  for (const std::int64_t cell : cells) {
    Place place = to_cell(scene.extent, cell);
    for (std::int64_t& coordinate : place) coordinate *= 65536;
    places.push_back(place);
  }
  return places;
}

TEST(Placing, StepsByCostAreThoseOfALoopOverAllCells) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Draw draw(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlacingScene scene = draw_scene(draw, true);
    scene.domain.clear();
    const Arrays arrays(scene);
    const std::vector<float> cells_of_map = draw_map(draw, scene);
    const View<const float> map(cells_of_map.data(), arrays.grid.extents);
    const CostDistanceOptions options = draw_cost_options(draw, scene);
    std::vector<std::int64_t> cells = draw_cells(draw, scene, draw.below(8));
    RelaxedCells relaxed[2];
    for (const int threads : {1, 4})
      relaxed[threads / 4] = relax_cost_sites(threads_of(threads), CostMap::stiffness(map), cells,
                                              options, {.steps = 4}, arrays.density);
    CostAnswer answer = fresh_costs(scene, map, options, cells);
    std::vector<double> energy{oracle::energy(scene, answer.labels, answer.squares())};
    std::vector<double> ways;
    while (ways.size() < 4 && (ways.empty() || ways.back() > 0)) {
      std::vector<Place> places = places_of(scene, cells);
      const std::vector<Place> before = places;
      oracle::move_to_centroids(scene, answer.labels, places);
      const auto nearest = oracle::nearest_own_cells(scene, answer.labels, places);
      for (std::size_t i = 0; i < cells.size(); ++i)
        // Where nothing has mass, the place is still that of the site itself.
        if (nearest[i] >= 0) cells[i] = nearest[i];
      ways.push_back(farthest_way(scene, before, places_of(scene, cells)));
      answer = fresh_costs(scene, map, options, cells);
      energy.push_back(oracle::energy(scene, answer.labels, answer.squares()));
    }
    for (const RelaxedCells& own : relaxed) {
      EXPECT_EQ(own.cells, cells);
      EXPECT_EQ(own.relaxation.energy, energy);
      EXPECT_EQ(own.relaxation.farthest_move, ways);
    }
  }
}

// ---- farthest cells
// ------------------------------------------------------------------------------

/// The loop of fresh calls: distances(cells) are those from these sites, NaN where no site may be.
template <class Distances>
FarthestSites loop_of_fresh_calls(const PlacingScene& scene, const FarthestOptions& options,
                                  const Distances& distances) {
  FarthestSites placed;
  for (;;) {
    const std::vector<double> distance = distances(placed.cells);
    double greatest = 0;
    std::int64_t farthest = -1;
    for (std::size_t i = 0; i < distance.size(); ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      if (std::isnan(distance[i]) || scene.mass(cell) == 0) continue;
      const double mass = static_cast<double>(scene.mass(cell)) / 4;
      const double own = scene.quarters.empty() ? distance[i] : distance[i] * mass;
      if (own > greatest) {
        greatest = own;
        farthest = cell;
      }
    }
    placed.radius = greatest;
    if (greatest <= options.max_distance || std::ssize(placed.cells) == options.count)
      return placed;
    placed.cells.push_back(farthest);
    placed.distance.push_back(greatest);
  }
}

void expect_same(const FarthestSites& own, const FarthestSites& wanted) {
  EXPECT_EQ(own.cells, wanted.cells);
  EXPECT_EQ(own.distance, wanted.distance);
  EXPECT_EQ(own.radius, wanted.radius);
}

FarthestOptions draw_farthest_options(Draw& draw) {
  FarthestOptions options{.count = draw.below(30)};
  if (draw.once_in(3)) options = {.count = 1 << 20, .max_distance = draw.real() * 5};
  if (draw.once_in(6)) options = {.count = 1 << 20, .max_distance = 0};
  return options;
}

TEST(Placing, FarthestCellsAreThoseOfALoopOfFreshCalls) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Draw draw(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlacingScene scene = draw_scene(draw);
    draw_periodic(draw, scene);
    const Arrays arrays(scene);
    FarthestOptions options = draw_farthest_options(draw);
    options.periodic = scene.periodic;
    const std::vector<double> given =
        coordinates_of(scene, draw_points(draw, scene, draw.below(4)));
    const auto given_count = static_cast<std::int64_t>(given.size()) / scene.rank;
    View<const void> points;
    if (given_count > 0) points = View<const double>(given.data(), {given_count, scene.rank});
    const auto distances = [&](const std::vector<std::int64_t>& cells) {
      std::vector<double> all = given;
      for (const double each : coordinates_of(scene, places_of(scene, cells))) all.push_back(each);
      std::vector<double> distance(
          static_cast<std::size_t>(scene.extent[0] * scene.extent[1] * scene.extent[2]));
      const std::int64_t count = given_count + std::ssize(cells);
      voronoi(threads_of(1), {.coordinates = View<const double>(all.data(), {count, scene.rank})},
              arrays.grid, {.periodic = scene.periodic},
              {.distance = View<double>(distance.data(), arrays.grid.extents)}, arrays.domain);
      return distance;
    };
    const FarthestSites wanted = loop_of_fresh_calls(scene, options, distances);
    for (const int threads : {1, 4})
      expect_same(farthest_sites(threads_of(threads), arrays.grid, options, points, arrays.density,
                                 arrays.domain),
                  wanted);
  }
}

TEST(Placing, FarthestCellsByCostAreThoseOfALoopOfFreshCalls) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Draw draw(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlacingScene scene = draw_scene(draw);
    scene.domain.clear();
    const Arrays arrays(scene);
    const std::vector<float> cells_of_map = draw_map(draw, scene);
    const View<const float> map(cells_of_map.data(), arrays.grid.extents);
    const CostDistanceOptions cost = draw_cost_options(draw, scene);
    const FarthestOptions options = draw_farthest_options(draw);
    const std::vector<std::int64_t> given = draw_cells(draw, scene, draw.below(4));
    const auto distances = [&](const std::vector<std::int64_t>& cells) {
      std::vector<std::int64_t> all = given;
      all.insert(all.end(), cells.begin(), cells.end());
      std::vector<double> distance = fresh_costs(scene, map, cost, all).distance;
      for (std::size_t i = 0; i < distance.size(); ++i)
        if (cells_of_map[i] <= 0) distance[i] = std::numeric_limits<double>::quiet_NaN();
      return distance;
    };
    const FarthestSites wanted = loop_of_fresh_calls(scene, options, distances);
    for (const int threads : {1, 4})
      expect_same(farthest_cost_sites(threads_of(threads), CostMap::stiffness(map), cost, options,
                                      given, arrays.density),
                  wanted);
  }
}

TEST(Placing, FarthestCellsOfALargerRasterAreThoseOfALoopOfFreshCalls) {
  PlacingScene scene;
  scene.extent = {1, 300, 411};
  scene.spacing = {1, 1};
  const Arrays arrays(scene);
  const auto distances = [&](const std::vector<std::int64_t>& cells) {
    const std::vector<double> all = coordinates_of(scene, places_of(scene, cells));
    std::vector<double> distance(300 * 411);
    voronoi(threads_of(1), {.coordinates = View<const double>(all.data(), {std::ssize(cells), 2})},
            arrays.grid, {}, {.distance = View<double>(distance.data(), arrays.grid.extents)});
    return distance;
  };
  const FarthestOptions options{.count = 150};
  const FarthestSites wanted = loop_of_fresh_calls(scene, options, distances);
  for (const int threads : {1, 4})
    expect_same(farthest_sites(threads_of(threads), arrays.grid, options), wanted);
}

TEST(Placing, FarthestCellsByCostOfALargerRasterAreThoseOfALoopOfFreshCalls) {
  Draw draw(11);
  PlacingScene scene;
  scene.extent = {1, 301, 303};
  scene.spacing = {1, 1};
  const Arrays arrays(scene);
  const std::vector<float> cells_of_map = draw_map(draw, scene);
  const View<const float> map(cells_of_map.data(), arrays.grid.extents);
  CostDistanceOptions cost;
  cost.map_nodata = kNodata;
  const auto distances = [&](const std::vector<std::int64_t>& cells) {
    std::vector<double> distance = fresh_costs(scene, map, cost, cells).distance;
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (cells_of_map[i] <= 0) distance[i] = std::numeric_limits<double>::quiet_NaN();
    return distance;
  };
  const FarthestOptions options{.count = 90};
  const FarthestSites wanted = loop_of_fresh_calls(scene, options, distances);
  for (const int threads : {1, 4})
    expect_same(farthest_cost_sites(threads_of(threads), CostMap::stiffness(map), cost, options),
                wanted);
}

}  // namespace
}  // namespace thiessen
