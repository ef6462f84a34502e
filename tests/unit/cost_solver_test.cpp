// SPDX-License-Identifier: Apache-2.0
//
// Bad arguments and interruptions leave a CostSolver as it was; bytes do not grow with updates.
#include "thiessen/cost_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/context_state.hpp"
#include "thiessen/random_sites.hpp"

namespace thiessen {
namespace {

using Cells = std::vector<std::int64_t>;

template <class T>
View<const void> list(const std::vector<T>& values) {
  return View<const T>(values.data(), {static_cast<std::int64_t>(values.size())});
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A level map of 6 x 8 cells.
struct Scene {
  Context context{{.device = "cpu", .threads = 1}};
  Extents extents{6, 8};
  std::vector<float> map = std::vector<float>(48, 1.0F);
  std::vector<std::int32_t> sites = std::vector<std::int32_t>(48, 0);
  std::vector<std::int32_t> labels = std::vector<std::int32_t>(48, -1);
  std::vector<float> distance = std::vector<float>(48, -1.0F);
  std::vector<double> points = {1, 1, 4, 6};
  std::vector<std::int32_t> point_labels = {7, 9};

  Scene() {
    sites[9] = 3;
    sites[38] = 5;
  }

  CostDistanceOutputs out() {
    return {.labels = View<std::int32_t>(labels.data(), extents),
            .distance = View<float>(distance.data(), extents)};
  }
  View<const void> map_view() const { return View<const float>(map.data(), extents); }
  CostSolver of_raster(const CostDistanceOptions& options = {}) {
    return {context, map_view(), View<const std::int32_t>(sites.data(), extents), options, out()};
  }
  PointList point_list() const {
    return {View<const double>(points.data(), {2, 2}), list(point_labels)};
  }
  CostSolver of_points(const CostDistanceOptions& options = {}) {
    return {context, map_view(), point_list(), options, out()};
  }
};

TEST(CostSolver, RefusesOptionsThatItLacks) {
  Scene scene;
  EXPECT_EQ(error_of([&] { scene.of_raster({.method = CostMethod::dijkstra}); }),
            "method = dijkstra; of a solver it must be exact");
  EXPECT_EQ(error_of([&] { scene.of_raster({.strict = true}); }),
            "strict is given; a solver ignores sites on barriers");
  EXPECT_EQ(error_of([&] {
              const std::vector<std::uint8_t> flags(48, 1);
              CostSolver(
                  scene.context, scene.map_view(),
                  View<const bool>(reinterpret_cast<const bool*>(flags.data()), scene.extents), {},
                  scene.out());
            }),
            "sites is bool, and labels are wanted; numbers would change with every site");
  scene.map[10] = -1;
  EXPECT_EQ(
      error_of([&] { scene.of_raster(); }),
      "map[1, 2] = -1; a stiffness must be >= 0, finite and at most a quarter of the greatest "
      "float");
}

TEST(CostSolver, RefusesABoolRasterButForIndices) {
  Scene scene;
  const std::array<bool, 48> flags{true};
  std::vector<std::int64_t> index(48);
  CostSolver solver(scene.context, scene.map_view(), View<const bool>(flags.data(), scene.extents),
                    {}, {.site_index = View<std::int64_t>(index.data(), scene.extents)});
  EXPECT_EQ(index, Cells(48, 0));
  solver.add_sites(Cells{47}, {});
  EXPECT_EQ(solver.solve().sites, (Cells{0, 47}));
  EXPECT_EQ(index.back(), 47);
}

TEST(CostSolver, UpdatesOfTheMapThatThrowChangeNothing) {
  Scene scene;
  CostSolver solver = scene.of_raster();
  const std::vector<float> before = scene.distance;
  const std::vector<float> values = {2, 2, -1};
  EXPECT_EQ(error_of([&] {
              solver.update_map(Cells{0, 1, 2}, list(values));
            }),
            "values[0, 2] = -1; a stiffness must be >= 0, finite and at most a quarter of the "
            "greatest float");
  EXPECT_EQ(error_of([&] {
              solver.update_map(Cells{0, 1}, list(values));
            }),
            "values must have the extents (2)");
  EXPECT_EQ(error_of([&] {
              solver.update_map(Cells{0, 1, 48}, list(values));
            }),
            "cells[2] = 48; must be 0 to 47");
  EXPECT_EQ(error_of([&] {
              solver.update_map(Cells{0, -1, 4}, list(values));
            }),
            "cells[1] = -1; must be 0 to 47");
  EXPECT_EQ(error_of([&] {
              solver.update_map(Cells{0, 1, 2}, list(std::vector<int>{1, 2, 3}));
            }),
            "values is i32; must be of the type of the map, f32");
  const View<const float> box(values.data(), {1, 3});
  EXPECT_EQ(error_of([&] {
              solver.update_box(Cells{0, 6}, box);
            }),
            "first[1] = 6 with 3 values along that axis; must lie in the map, which has 8 cells");
  EXPECT_EQ(error_of([&] {
              solver.update_box(Cells{-1, 0}, box);
            }),
            "first[0] = -1 with 1 values along that axis; must lie in the map, which has 6 cells");
  EXPECT_EQ(error_of([&] { solver.update_box(Cells{0}, box); }),
            "first has 1 values; must have one for each of the 2 axes");
  EXPECT_EQ(error_of([&] {
              solver.update_box(Cells{0, 0}, list(values));
            }),
            "values has 1 axes; must have as many as the map");
  EXPECT_EQ(error_of([&] {
              solver.update_box(Cells{2, 1}, box);
            }),
            "values[0, 2] = -1; a stiffness must be >= 0, finite and at most a quarter of the "
            "greatest float");
  EXPECT_EQ(solver.solve().cells, 0);
  EXPECT_EQ(scene.distance, before);
}

TEST(CostSolver, UpdatesOfRasterSitesThatThrowChangeNothing) {
  Scene scene;
  CostSolver solver = scene.of_raster();
  const std::vector<std::int32_t> label = {4};
  EXPECT_EQ(error_of([&] { solver.add_sites(Cells{9}, list(label)); }),
            "cells[0] = 9; must be no site yet");
  EXPECT_EQ(error_of([&] {
              solver.add_sites(Cells{5, 5}, list(std::vector<std::int32_t>{1, 2}));
            }),
            "cells[1] = 5; must be no site yet");
  EXPECT_EQ(error_of([&] { solver.add_sites(Cells{5}, list(std::vector<std::int32_t>{0})); }),
            "labels[0] is no site by the options of the solver; must be one");
  EXPECT_EQ(error_of([&] { solver.add_sites(Cells{5}, list(std::vector<float>{1})); }),
            "labels must be i32 like the raster of sites");
  EXPECT_EQ(
      error_of([&] { solver.add_sites(Cells{5}, list(label), list(std::vector{-1.0})); }),
      "initial_cost of site 0 = -1; must be >= 0 and at most a quarter of the greatest float");
  EXPECT_EQ(error_of([&] {
              solver.remove_sites(Cells{9, 8});
            }),
            "sites[1] = 8; must be a site of the solver");
  EXPECT_EQ(error_of([&] {
              solver.remove_sites(Cells{9, 9});
            }),
            "sites[1] = 9 is given twice; must be given once");
  EXPECT_EQ(error_of([&] { solver.move_sites(Cells{9}, Cells{38}); }),
            "to[0] = 38; must be no site that stays, and come once");
  EXPECT_EQ(error_of([&] { solver.move_sites(Cells{9}, Cells{}); }),
            "to has 0 values; must have as many as from, 1");
  EXPECT_EQ(error_of([&] {
              solver.move_sites(Cells{9}, list(std::vector{1.0, 1.0}));
            }),
            "coordinates are given; the solver has sites of a raster, which move by cell");
  EXPECT_EQ(error_of([&] { solver.add_sites(scene.point_list()); }),
            "points are given; the solver has sites of a raster, which are added by cell");
  EXPECT_EQ(
      error_of([&] { solver.set_initial_cost(Cells{9}, list(std::vector{-2.0})); }),
      "initial_cost of site 9 = -2; must be >= 0 and at most a quarter of the greatest float");
  EXPECT_EQ(error_of([&] { solver.set_initial_cost(Cells{9}, list(label)); }),
            "costs is i32; must be f32 or f64");
  EXPECT_EQ(error_of([&] { solver.set_initial_cost(Cells{9}, {}); }),
            "costs is empty; must have one value for each site");
  EXPECT_EQ(solver.solve().cells, 0);
}

TEST(CostSolver, UpdatesOfPointsThatThrowChangeNothing) {
  Scene scene;
  CostSolver solver = scene.of_points();
  const std::vector<double> place = {2, 2};
  const View<const double> one(place.data(), {1, 2});
  EXPECT_EQ(error_of([&] {
              solver.add_sites({one, {}});
            }),
            "points have no labels; must be as the list of the solver");
  EXPECT_EQ(error_of([&] {
              solver.add_sites({one, list(std::vector<float>{1})});
            }),
            "labels is f32; must be i32 like those of the solver");
  EXPECT_EQ(error_of([&] { solver.add_sites(Cells{1}, list(scene.point_labels)); }),
            "cells are given; the solver has a list of points, to which points are added");
  EXPECT_EQ(error_of([&] {
              solver.move_sites(Cells{0, 1}, one);
            }),
            "coordinates are 1; must be one place for each of the 2 sites");
  EXPECT_EQ(error_of([&] { solver.move_sites(Cells{2}, one); }),
            "sites[0] = 2; must be a site of the solver");
  EXPECT_EQ(error_of([&] { solver.move_sites(Cells{0}, Cells{1}); }),
            "cells are given; the solver has a list of points, which move to coordinates");
  solver.remove_sites(Cells{0});
  EXPECT_EQ(error_of([&] { solver.remove_sites(Cells{0}); }),
            "sites[0] = 0; must be a site of the solver");
  const std::vector<double> nan = {2, std::nan("")};
  EXPECT_NE(error_of([&] {
              solver.move_sites(Cells{1}, View<const double>(nan.data(), {1, 2}));
            }),
            "no error");
  EXPECT_EQ(solver.solve().sites, (Cells{0, 1}));
  EXPECT_EQ(scene.labels, std::vector<std::int32_t>(48, 9));
  solver.move_sites(Cells{0}, one);
  solver.solve();
  EXPECT_EQ(scene.labels[18], 7);
}

TEST(CostSolver, TellsWhatChanged) {
  Scene scene;
  CostSolver solver = scene.of_raster();
  solver.update_map(Cells{0}, list(std::vector<float>{0.5F}));
  const Changes& changes = solver.solve();
  EXPECT_EQ(changes.cells, 1);
  EXPECT_EQ(changes.first, (Cells{0, 0}));
  EXPECT_EQ(changes.last, (Cells{0, 0}));
  EXPECT_TRUE(changes.sites.empty());
  EXPECT_EQ(solver.changed_cells().cell, Cells{0});
  EXPECT_EQ(solver.changed_cells().site_before, Cells{9});
  solver.solve();
  EXPECT_EQ(changes.cells, 0);
  EXPECT_TRUE(changes.first.empty());
}

/// A scene large enough for cancel() to come in time.
class Interrupted : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(Interrupted, LeavesTheSolverAsItWas) {
  Context context({.device = "cpu", .threads = 2});
  context.state().limits.cells_of_a_change = GetParam();
  const Extents extents{120, 130};
  Array<float> map = material_map(extents, Material::noise, 3);
  Raster sites = Raster::of<std::int32_t>(extents);
  random_sites(context, sites.view(), 20, 1);
  Raster distance = Raster::of<float>(extents);
  Raster expected = Raster::of<float>(extents);
  CostSolver solver(context, map.view(), std::as_const(sites).view(), {},
                    {.distance = distance.view()});
  const std::int64_t rows = GetParam() == 1 ? 10 : 60;
  std::fill_n(map.view().data(), 130 * rows, 0.2F);
  solver.update_box(Cells{0, 0}, View<const float>(map.view().data(), {rows, 130}));
  context.cancel();
  EXPECT_EQ(error_of([&] { solver.solve(); }), "cancelled");
  context.on_progress([&](double share) {
    if (share > 0.3) context.cancel();
  });
  const bool is_repaired = GetParam() == 1;
  EXPECT_EQ(error_of([&] { solver.solve(); }), is_repaired ? "no error" : "cancelled");
  context.on_progress({});
  solver.solve();
  cost_distance(context, map.view(), std::as_const(sites).view(), {},
                {.distance = expected.view()});
  EXPECT_TRUE(
      std::equal(distance.bytes(), distance.bytes() + distance.size_bytes(), expected.bytes()));
}

INSTANTIATE_TEST_SUITE_P(CostSolver, Interrupted, ::testing::Values(1, 64));

TEST(CostSolver, BytesDoNotGrowWithUpdates) {
  Scene scene;
  CostSolver solver = scene.of_raster();
  const auto update = [&](int i) {
    const std::vector<float> value = {i % 3 == 0 ? 0.0F : 1.0F};
    solver.update_map(Cells{i % 48}, list(value));
    solver.move_sites(Cells{i % 2 == 0 ? 9 : 20}, Cells{i % 2 == 0 ? 20 : 9});
    solver.remove_sites(Cells{38});
    solver.add_sites(Cells{38}, list(std::vector<std::int32_t>{1 + i % 4}));
    solver.solve();
  };
  for (int i = 0; i < 200; ++i) update(i);
  const std::size_t bytes = solver.bytes();
  for (int i = 0; i < 20000; ++i) update(i);
  EXPECT_EQ(solver.bytes(), bytes);
}

}  // namespace
}  // namespace thiessen
