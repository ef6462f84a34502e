// SPDX-License-Identifier: Apache-2.0
//
// Bad arguments and interruptions leave a CostSolver as it was; bytes do not grow with updates.
#include "thiessen/solvers/cost_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/context_state.hpp"
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
  CostMap map_view() const { return CostMap::stiffness(View<const float>(map.data(), extents)); }
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
            "method = dijkstra; of a solver it must be exact or eikonal");
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
            "cells has 5 twice; must have it once");
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
            "sites has 9 twice; must have it once");
  EXPECT_EQ(error_of([&] { solver.move_sites(Cells{9}, Cells{38}); }),
            "to[0] = 38; must be no site that stays");
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
  EXPECT_TRUE(std::ranges::equal(solver.changed_cells().cell, Cells{0}));
  EXPECT_TRUE(std::ranges::equal(solver.changed_cells().site_before, Cells{9}));
  solver.solve();
  EXPECT_EQ(changes.cells, 0);
  EXPECT_TRUE(changes.first.empty());
}

/// A scene large enough for cancel() to come in time; `GetParam()` decides whether answers are
/// repaired or made anew.
class Interrupted : public ::testing::TestWithParam<std::int64_t> {
 protected:
  Interrupted() {
    context_.state().limits.cells_per_changed_cell = GetParam();
    random_sites(context_, sites_.view(), 20, 1);
  }

  struct Answer {
    std::vector<std::int32_t> labels = std::vector<std::int32_t>(120 * 130);
    std::vector<std::int64_t> site_index = std::vector<std::int64_t>(120 * 130);
    std::vector<float> distance = std::vector<float>(120 * 130);
    std::vector<std::uint8_t> back_link = std::vector<std::uint8_t>(120 * 130);

    CostDistanceOutputs views() {
      return {.labels = View<std::int32_t>(labels.data(), {120, 130}),
              .site_index = View<std::int64_t>(site_index.data(), {120, 130}),
              .distance = View<float>(distance.data(), {120, 130}),
              .back_link = View<std::uint8_t>(back_link.data(), {120, 130})};
    }
    bool operator==(const Answer&) const = default;
  };

  void solve_fresh(Answer& into) {
    Context context({.device = "cpu", .threads = 1});
    cost_distance(context, CostMap::stiffness(map_.view()), std::as_const(sites_).view(), {},
                  into.views());
  }
  void change(CostSolver& solver, float value) {
    const std::int64_t rows = GetParam() == 1 ? 10 : 60;
    std::fill_n(map_.view().data(), 130 * rows, value);
    solver.update_box(Cells{0, 0}, View<const float>(map_.view().data(), {rows, 130}));
  }

  Context context_{{.device = "cpu", .threads = 2}};
  const Extents extents_{120, 130};
  Array<float> map_ = material_map(extents_, Material::noise, 3);
  Raster sites_ = Raster::of<std::int32_t>(extents_);
};

/// At whatever report the solve ends: outputs are those of before, and updates are still to be
/// done. The last report is that all is done.
TEST_P(Interrupted, LeavesTheSolverAsItWas) {
  Answer own;
  Answer before;
  Answer expected;
  CostSolver solver(context_, CostMap::stiffness(map_.view()), std::as_const(sites_).view(), {},
                    own.views());
  solve_fresh(before);
  ASSERT_TRUE(own == before);
  change(solver, 0.2F);
  solve_fresh(expected);
  context_.cancel();
  EXPECT_EQ(error_of([&] { solver.solve(); }), "cancelled");
  EXPECT_TRUE(own == before);
  EXPECT_EQ(solver.changes().cells, 0);
  int reports = 0;
  for (int last = 1;; ++last) {
    double share = 0;
    reports = 0;
    context_.on_progress([&](double now) {
      share = now;
      if (++reports == last) context_.cancel();
    });
    const std::string error = error_of([&] { solver.solve(); });
    if (reports < last) {
      EXPECT_EQ(error, "no error");
      break;
    }
    ASSERT_EQ(error, "cancelled") << share;
    ASSERT_TRUE(own == before) << share;
    EXPECT_EQ(solver.changes().cells, 0);
    EXPECT_TRUE(solver.changed_cells().cell.empty());
    context_.on_progress({});
  }
  context_.on_progress({});
  EXPECT_TRUE(own == expected);
  EXPECT_GT(solver.changes().cells, 0);
  EXPECT_EQ(std::ssize(solver.changed_cells().cell), solver.changes().cells);
}

INSTANTIATE_TEST_SUITE_P(CostSolver, Interrupted, ::testing::Values(1, 64));

/// Points with labels that no output has.
TEST(CostSolver, LabelsMayBeUnwanted) {
  Scene scene;
  std::vector<std::int64_t> index(48, -9);
  CostSolver solver(scene.context, scene.map_view(), scene.point_list(), {},
                    {.site_index = View<std::int64_t>(index.data(), scene.extents)});
  EXPECT_EQ(index.front(), 0);
  EXPECT_EQ(index.back(), 1);
  const std::vector<double> place = {5, 0};
  const View<const double> one(place.data(), {1, 2});
  EXPECT_EQ(error_of([&] {
              solver.add_sites({one, {}});
            }),
            "points have no labels; must be as the list of the solver");
  EXPECT_EQ(solver.add_sites({one, list(std::vector<std::int32_t>{11})}), 2);
  solver.remove_sites(Cells{0});
  solver.move_sites(Cells{1}, one);
  solver.set_initial_cost(Cells{1}, list(std::vector<double>{3}));
  EXPECT_EQ(solver.solve().sites, (Cells{0, 1, 2}));
  EXPECT_EQ(index, Cells(48, 2));
}

/// Sites whose cells become barriers are told and counted as by a fresh call, while they stay
/// there.
TEST(CostSolver, WarnsOfSitesOnBarriers) {
  using Texts = std::vector<std::string>;
  Scene scene;
  const auto told = [](const Context& context) {
    Texts texts;
    for (const Warning& warning : context.warnings()) texts.push_back(warning.message);
    return texts;
  };
  const auto fresh = [&](const auto& sites) {
    Context context({.device = "cpu", .threads = 1});
    cost_distance(context, scene.map_view(), sites, {}, scene.out());
    return told(context);
  };
  const auto cut = [&](CostSolver& solver, std::int64_t cell, float value) {
    scene.map[static_cast<std::size_t>(cell)] = value;
    solver.update_map(Cells{cell}, list(std::vector<float>{value}));
    solver.solve();
  };
  const View<const std::int32_t> raster(scene.sites.data(), scene.extents);
  const Texts one = {
      "1 site on barriers or outside of the map is ignored, the first with the index 38"};
  const Texts both = {
      "2 sites on barriers or outside of the map are ignored, the first with the index 9",
      "no site: all 2 are ignored, so every cell is unreached"};
  for (const std::int64_t cells_per_changed_cell : {1, 1 << 20}) {
    scene.context.state().limits.cells_per_changed_cell = cells_per_changed_cell;
    CostSolver solver = scene.of_raster();
    EXPECT_EQ(told(scene.context), Texts());
    cut(solver, 38, 0);
    EXPECT_EQ(told(scene.context), one);
    EXPECT_EQ(told(scene.context), fresh(raster));
    solver.solve();
    EXPECT_EQ(told(scene.context), one) << "it is still there";
    cut(solver, 9, 0);
    EXPECT_EQ(told(scene.context), both);
    EXPECT_EQ(told(scene.context), fresh(raster));
    solver.move_sites(Cells{9}, Cells{10});
    solver.solve();
    EXPECT_EQ(told(scene.context), one);
    solver.remove_sites(Cells{38});
    solver.solve();
    EXPECT_EQ(told(scene.context), Texts());
    cut(solver, 38, 1);
    cut(solver, 9, 1);
  }
  CostSolver solver = scene.of_points();
  solver.move_sites(Cells{0}, View<const double>(std::vector<double>{50, 50}.data(), {1, 2}));
  solver.solve();
  scene.points = {50, 50, 4, 6};
  EXPECT_EQ(told(scene.context),
            (Texts{"1 site on barriers or outside of the map is ignored, the first with the index "
                   "0"}));
  EXPECT_EQ(told(scene.context), fresh(scene.point_list()));
  cut(solver, 4 * 8 + 6, 0);
  EXPECT_EQ(told(scene.context).size(), 2U);
  EXPECT_EQ(told(scene.context), fresh(scene.point_list()));
  solver.remove_sites(Cells{0});
  solver.solve();
  EXPECT_EQ(told(scene.context),
            (Texts{"1 site on barriers or outside of the map is ignored, the first with the index "
                   "1",
                   "no site: the only one is ignored, so every cell is unreached"}));
}

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
