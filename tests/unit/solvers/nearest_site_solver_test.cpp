// SPDX-License-Identifier: Apache-2.0
//
// What a caller of NearestSiteSolver can get wrong, and that it leaves the solver as it was; what
// Changes tell of a small map; cancellation and memory.
#include "thiessen/solvers/nearest_site_solver.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/base/context_state.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using Indices = std::vector<std::int64_t>;

void expect_error(ErrorCode code, const std::string& message, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
        << error.what() << "\n  must have: " << message;
  }
}

void expect_refused(const std::string& message, const std::function<void()>& call) {
  expect_error(ErrorCode::invalid_argument, message, call);
}

/// A raster of 3 x 6 cells with the sites 7 at 1 and 9 at 17.
class RasterSolver : public ::testing::Test {
 protected:
  RasterSolver() {
    sites_[1] = 7;
    sites_[17] = 9;
  }

  View<const std::int32_t> sites() const { return {sites_.data(), extents_}; }
  NearestSiteOutputs outputs() {
    return {.labels = View<std::int32_t>(labels_.data(), extents_),
            .site_index = View<std::int64_t>(index_.data(), extents_),
            .distance = View<float>(distance_.data(), extents_)};
  }
  NearestSiteSolver make(const NearestSiteOptions& options = {}) {
    return {context_, sites(), options, outputs()};
  }
  static View<const std::int32_t> list(const std::vector<std::int32_t>& values) {
    return {values.data(), {std::ssize(values)}};
  }
  void expect_fresh(const NearestSiteOptions& options = {}) {
    const NearestSite fresh = nearest_site(sites(), options, {.site_index = true});
    for (std::int64_t i = 0; i < extents_.count(); ++i) {
      const std::int64_t y = i / 6, x = i % 6;
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(index_[at], fresh.site_index.view()(y, x));
    }
  }

  Extents extents_{3, 6};
  Context context_{{.device = "cpu", .threads = 1}};
  std::vector<std::int32_t> sites_ = std::vector<std::int32_t>(18);
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(18);
  std::vector<std::int64_t> index_ = std::vector<std::int64_t>(18);
  std::vector<float> distance_ = std::vector<float>(18);
};

TEST_F(RasterSolver, TellsWhatChanged) {
  NearestSiteSolver solver = make();
  expect_fresh();
  EXPECT_EQ(solver.solve().cells, 0);
  solver.remove_sites(Indices{17});
  sites_[17] = 0;
  const Changes& changes = solver.solve();
  expect_fresh();
  EXPECT_EQ(changes.cells, 7);
  EXPECT_TRUE(std::ranges::equal(solver.changed_cells().cell, Indices{4, 5, 10, 11, 15, 16, 17}));
  EXPECT_TRUE(std::ranges::equal(solver.changed_cells().site_before, Indices(7, 17)));
  EXPECT_EQ(changes.first, (Indices{0, 3}));
  EXPECT_EQ(changes.last, (Indices{2, 5}));
  EXPECT_EQ(changes.sites, (Indices{1, 17}));
  EXPECT_FALSE(solver.has_site(17));
  EXPECT_EQ(solver.positions(), 18);
  solver.remove_sites(Indices{1});
  EXPECT_EQ(solver.solve().sites, (Indices{1}));
  EXPECT_EQ(index_, Indices(18, kUnreached));
  EXPECT_EQ(distance_[0], std::numeric_limits<float>::infinity());
}

/// A label that changes is written, and is no change of a site or distance.
TEST_F(RasterSolver, WritesNewLabels) {
  NearestSiteSolver solver = make();
  solver.update_sites(Indices{17}, list({8}));
  const Changes& changes = solver.solve();
  EXPECT_TRUE(changes.cells == 0 && changes.sites.empty() && changes.first.empty());
  EXPECT_EQ(labels_[17], 8);
  EXPECT_EQ(labels_[5], 8);
  EXPECT_EQ(labels_[0], 7);
}

/// Updates that undo each other leave nothing to do.
TEST_F(RasterSolver, DoesNothingForNoOps) {
  NearestSiteSolver solver = make();
  solver.move_sites(Indices{17}, Indices{12});
  solver.move_sites(Indices{12}, Indices{17});
  solver.update_sites(Indices{4, 4}, list({3, 0}));
  solver.add_sites(Indices{}, list({}));
  labels_[0] = 123;  // nothing is written
  EXPECT_EQ(solver.solve().cells, 0);
  EXPECT_EQ(labels_[0], 123);
}

/// Sites may take each other's cells.
TEST_F(RasterSolver, SwapsSites) {
  NearestSiteSolver solver = make();
  solver.move_sites(Indices{17, 1}, Indices{1, 17});
  EXPECT_EQ(solver.solve().cells, 0);
  EXPECT_EQ(labels_[1], 9);
  EXPECT_EQ(labels_[17], 7);
}

TEST_F(RasterSolver, RefusesBadUpdates) {
  NearestSiteSolver solver = make();
  const std::vector<std::int64_t> wide = {1};
  const std::vector<std::int32_t> box(4);
  expect_refused("sites[0] = 0 is no site; must be one", [&] { solver.remove_sites(Indices{0}); });
  expect_refused("sites[1] = 18; must be from 0 to 17", [&] {
    solver.remove_sites(Indices{1, 18});
  });
  expect_refused("sites has 1 twice", [&] { solver.remove_sites(Indices{1, 1}); });
  expect_refused("cells[0] = 1 is a site already; must be none",
                 [&] { solver.add_sites(Indices{1}, list({1})); });
  expect_refused("cells has 2 twice", [&] { solver.add_sites(Indices{2, 2}, list({1, 1})); });
  expect_refused("labels[0] is no site", [&] { solver.add_sites(Indices{2}, list({0})); });
  expect_refused("labels must be a list of 1", [&] { solver.add_sites(Indices{2}, list({1, 1})); });
  expect_refused("labels are i64; must be of the sites' type i32",
                 [&] { solver.add_sites(Indices{2}, View<const std::int64_t>(wide.data(), {1})); });
  expect_refused("labels are a null pointer",
                 [&] { solver.add_sites(Indices{2}, View<const std::int32_t>(nullptr, {1})); });
  expect_refused("to has 2 cells; must have as many as from, 1", [&] {
    solver.move_sites(Indices{1}, Indices{2, 3});
  });
  expect_refused("from[0] = 2 is no site", [&] { solver.move_sites(Indices{2}, Indices{3}); });
  expect_refused("to[0] = 17 is a site already",
                 [&] { solver.move_sites(Indices{1}, Indices{17}); });
  expect_refused("to has 3 twice", [&] { solver.move_sites(Indices{1, 17}, Indices{3, 3}); });
  expect_refused("cells[0] = -1; must be from 0 to 17",
                 [&] { solver.update_sites(Indices{-1}, list({1})); });
  expect_refused("first[1] = 5 of a box of 2 cells", [&] {
    solver.update_box(Indices{0, 5}, View<const std::int32_t>(box.data(), {2, 2}));
  });
  expect_refused("must have 2 axes", [&] {
    solver.update_box(Indices{0, 0, 0}, View<const std::int32_t>(box.data(), {1, 2, 2}));
  });
  expect_refused("values are f32; must be of the sites' type i32", [&] {
    solver.update_box(Indices{0, 0}, View<const float>(distance_.data(), {1, 1}));
  });
  expect_refused("site = 18; must be from 0 to 17", [&] { (void)solver.has_site(18); });
  expect_refused("add_sites() of points", [&] { (void)solver.add_sites(PointList{}); });
  expect_refused("move_sites() of points", [&] { solver.move_sites(Indices{1}, list({})); });
  EXPECT_EQ(solver.solve().cells, 0);
  expect_fresh();
}

/// Where 0 is a site, none can leave its cell.
TEST_F(RasterSolver, RefusesToLeaveZero) {
  NearestSiteSolver solver = make({.zero_is_site = true});
  expect_refused("remove_sites() would leave 0", [&] { solver.remove_sites(Indices{1}); });
  expect_refused("move_sites() would leave 0", [&] { solver.move_sites(Indices{1}, Indices{2}); });
}

TEST_F(RasterSolver, RefusesWhatItCannot) {
  const auto refuse = [&](const std::string& message, const NearestSiteOptions& options) {
    expect_error(ErrorCode::unsupported, message, [&] { make(options); });
  };
  refuse("method = jfa; must be exact", {.method = Method::jfa});
  refuse("signed_distance = true", {.signed_distance = true});
  refuse("distance_to = boundary", {.distance_to = DistanceTo::boundary});
  refuse("strict = true", {.strict = true});
  refuse("metric_function is given",
         {.metric_function = [](std::span<const double>) { return 0.0; }});
  refuse("octagonal", {.metric = Metric::octagonal});
  expect_refused("max_distance = -1", [&] { make({.max_distance = -1}); });
  const std::array<bool, 2> mask{true, false};
  expect_error(ErrorCode::unsupported, "labels of boolean sites are wanted", [&] {
    NearestSiteSolver(context_, View<const bool>(mask.data(), {1, 2}), {},
                      {.labels = View<std::int32_t>(labels_.data(), {1, 2})});
  });
  expect_error(ErrorCode::unsupported, "the raster has no cells", [&] {
    NearestSiteSolver(context_, View<const std::int32_t>(sites_.data(), {0, 4}), {}, {});
  });
}

/// A cancelled solve() leaves outputs as they were, and what the next one makes right.
TEST_F(RasterSolver, GoesOnAfterCancel) {
  NearestSiteSolver solver = make();
  for (const bool anew : {false, true}) {
    if (anew) context_.state().limits.repair_steps = 0;
    const std::int64_t from = anew ? 3 : 17;
    const std::int64_t to = anew ? 16 : 3;
    const auto labels = labels_;
    const auto index = index_;
    const auto distance = distance_;
    solver.move_sites(Indices{from}, Indices{to});
    std::swap(sites_[static_cast<std::size_t>(from)], sites_[static_cast<std::size_t>(to)]);
    for (const int last : {0, 1}) {  // before the solve, or at its first report
      int reports = 0;
      context_.on_progress([&](double) {
        if (++reports == last) context_.cancel();
      });
      if (last == 0) context_.cancel();
      expect_error(ErrorCode::cancelled, "cancelled", [&] { solver.solve(); });
      EXPECT_GE(reports, last);
      EXPECT_EQ(labels_, labels);
      EXPECT_EQ(index_, index);
      EXPECT_EQ(distance_, distance);
      EXPECT_EQ(solver.changes().cells, 0);
      EXPECT_TRUE(solver.changed_cells().cell.empty());
    }
    context_.on_progress({});
    EXPECT_EQ(solver.solve().sites, (Indices{1, std::min(from, to), std::max(from, to)}));
    expect_fresh();
  }
}

/// At whatever report a solve ends: all outputs stay.
TEST(NearestSiteSolver, KeepsOutputsWhenItIsCancelled) {
  const Extents extents{150, 160};
  const auto cells = static_cast<std::size_t>(extents.count());
  Context context({.device = "cpu", .threads = 2});
  std::vector<std::int32_t> labels(cells), offset(2 * cells);
  std::vector<std::int64_t> index(cells), squared(cells);
  std::vector<float> direction(cells);
  std::vector<double> distance(cells);
  std::vector<std::uint8_t> domain(cells, 1);
  std::fill_n(domain.begin(), 1000, std::uint8_t{0});
  std::vector<double> places;
  for (int i = 0; i < 40; ++i) {
    places.push_back(i * 37 % 150);
    places.push_back(i * 53 % 160);
  }
  const auto points = [&] { return View<const double>(places.data(), {40, 2}); };
  const NearestSiteOutputs out{.labels = View<std::int32_t>(labels.data(), extents),
                               .site_index = View<std::int64_t>(index.data(), extents),
                               .distance = View<double>(distance.data(), extents),
                               .squared = View<std::int64_t>(squared.data(), extents),
                               .offset = View<std::int32_t>(offset.data(), {2, 150, 160}),
                               .direction = View<float>(direction.data(), extents)};
  const View<const std::uint8_t> inside(domain.data(), extents);
  NearestSiteSolver solver(context, {.coordinates = points()}, {.extents = extents}, {}, out,
                           inside);
  const auto bytes = [&] {
    std::vector<std::byte> all;
    const auto add = [&](const auto& values) {
      const auto part = std::as_bytes(std::span(values));
      all.insert(all.end(), part.begin(), part.end());
    };
    add(labels), add(index), add(distance), add(squared), add(offset), add(direction);
    return all;
  };
  std::vector<std::int64_t> all(40);
  std::iota(all.begin(), all.end(), 0);
  for (double& each : places) each = 149 - each;
  solver.move_sites(all, points());
  const auto before = bytes();
  int reports = 1;
  for (int last = 1; reports >= last - 1 && last < 500; ++last) {
    reports = 0;
    context.on_progress([&](double) {
      if (++reports == last) context.cancel();
    });
    bool was_cancelled = false;
    try {
      solver.solve();
    } catch (const Error& error) {
      was_cancelled = error.code() == ErrorCode::cancelled;
    }
    context.on_progress({});
    ASSERT_EQ(was_cancelled, reports >= last);
    if (!was_cancelled) break;
    ASSERT_EQ(bytes(), before) << last;
  }
  EXPECT_GT(solver.changes().cells, 0);
  const auto found = bytes();
  EXPECT_NE(found, before);
  voronoi(context, {.coordinates = points()}, {.extents = extents}, {}, out, inside);
  EXPECT_EQ(bytes(), found);
}

/// Points at (0, 0), (2, 5) of a grid of 3 x 6 cells.
class PointSolver : public RasterSolver {
 protected:
  NearestSiteSolver make_points(const NearestSiteOptions& options = {}) {
    return {context_, points({0, 0, 2, 5}), grid_, options, outputs()};
  }
  static PointList points(const std::vector<double>& places) {
    static std::vector<std::vector<double>> kept;  // views do not own
    kept.push_back(places);
    return {.coordinates = View<const double>(kept.back().data(), {std::ssize(places) / 2, 2})};
  }

  Grid grid_{.extents = {3, 6}};
};

/// An absent point keeps its position, and comes back with its label.
TEST_F(PointSolver, KeepsPositions) {
  NearestSiteSolver solver = make_points();
  solver.remove_sites(Indices{0});
  EXPECT_EQ(solver.add_sites(points({0, 1.5})), 2);
  EXPECT_EQ(solver.solve().sites, (Indices{0, 1, 2}));
  EXPECT_EQ(index_[0], 2);
  EXPECT_EQ(labels_[0], 3);
  EXPECT_FALSE(solver.has_site(0));
  EXPECT_EQ(solver.positions(), 3);
  solver.move_sites(Indices{0}, points({0, 0.25}).coordinates);
  solver.solve();
  EXPECT_EQ(labels_[0], 1);
}

/// A point that moves over a cell's centre to the other side is as far as before.
TEST_F(PointSolver, TellsOfDistancesOnly) {
  NearestSiteSolver solver = make_points();
  solver.remove_sites(Indices{0});
  solver.solve();
  solver.move_sites(Indices{1}, points({2, 5.25}).coordinates);
  const Changes& changes = solver.solve();
  EXPECT_TRUE(changes.sites.empty());
  EXPECT_GT(changes.cells, 0);
  for (const std::int64_t before : solver.changed_cells().site_before) EXPECT_EQ(before, 1);
  solver.move_sites(Indices{1}, points({2, 4.75}).coordinates);
  EXPECT_EQ(distance_[17], 0.25F);
  solver.solve();
  for (const std::int64_t cell : solver.changed_cells().cell) EXPECT_NE(cell, 17);
  EXPECT_EQ(distance_[17], 0.25F);
}

/// Points may go so far that S needs 128 bits, and come back.
TEST_F(PointSolver, GoesFarAway) {
  NearestSiteSolver solver = make_points();
  for (const double far : {1e6, 2e9, 7.0}) {
    solver.move_sites(Indices{0}, points({far, 1}).coordinates);
    solver.solve();
    const NearestSite fresh = voronoi(points({far, 1, 2, 5}), grid_, {}, {.site_index = true});
    EXPECT_EQ(index_[0], fresh.site_index.view()(0, 0));
    EXPECT_EQ(index_[17], 1);
  }
  solver.remove_sites(Indices{1});
  solver.solve();
  EXPECT_EQ(index_[17], 0);
}

TEST_F(PointSolver, RefusesBadUpdates) {
  NearestSiteSolver solver = make_points();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused("points[1, 0] = nan", [&] { solver.add_sites(points({0, 0, nan, 0})); });
  expect_refused("(points, 2)", [&] {
    solver.add_sites({.coordinates = View<const float>(distance_.data(), {2, 3})});
  });
  expect_refused("labels of the points are given; must be as for the first points", [&] {
    PointList labelled = points({0, 0});
    labelled.labels = list({1});
    solver.add_sites(labelled);
  });
  expect_refused("sites[0] = 2; must be from 0 to 1", [&] { solver.remove_sites(Indices{2}); });
  expect_refused("coordinates are of 2 points; must be of as many as sites, 1", [&] {
    solver.move_sites(Indices{0}, points({0, 0, 1, 1}).coordinates);
  });
  expect_refused("sites has 0 twice", [&] {
    solver.move_sites(Indices{0, 0}, points({0, 0, 1, 1}).coordinates);
  });
  solver.remove_sites(Indices{0});
  expect_refused("sites[0] = 0 is no site", [&] { solver.remove_sites(Indices{0}); });
  expect_refused("update_sites() of cells", [&] { solver.update_sites(Indices{0}, list({1})); });
  expect_refused("update_box() of cells", [&] { solver.update_box(Indices{0, 0}, sites()); });
  expect_refused("add_sites() of cells", [&] { solver.add_sites(Indices{0}, list({1})); });
  expect_refused("move_sites() of cells", [&] { solver.move_sites(Indices{0}, Indices{1}); });
  solver.solve();
  EXPECT_EQ(index_, Indices(18, 1));
}

/// Outputs in whole cells keep points on centres.
TEST_F(PointSolver, RefusesPlacesOffCentres) {
  NearestSiteSolver solver(context_, points({0, 0}), grid_, {},
                           {.squared = View<std::int64_t>(index_.data(), extents_)});
  expect_refused(
      "squared is wanted; it exists only if all points lie on centres of cells, and "
      "points[0] does not",
      [&] {
        solver.add_sites(points({0.5, 0}));
      });
  expect_refused("points[1] does not", [&] {
    NearestSiteSolver(context_, points({0, 0, 0.5, 0}), grid_, {},
                      {.squared = View<std::int64_t>(index_.data(), extents_)});
  });
  solver.add_sites(points({2, 5}));
  solver.solve();
  EXPECT_EQ(index_[17], 0);
}

/// Scratch and the solver's own lists reach their size soon. (The test `long` looks at the
/// process.)
TEST_F(PointSolver, KeepsItsMemory) {
  NearestSiteSolver solver = make_points();
  testing::Draw draw(1);
  std::size_t scratch = 0;
  for (int i = 0; i < 2000; ++i) {
    solver.move_sites(Indices{draw.below(2)},
                      points({3 * draw.real(), 6 * draw.real()}).coordinates);
    solver.solve();
    if (i == 100) scratch = context_.scratch_bytes();
  }
  EXPECT_EQ(context_.scratch_bytes(), scratch);
}

/// The same by the C interface.
/// The list is made when it is asked for, but tells of the answer, not of updates since.
TEST(NearestSiteSolver, ListsChangedCellsAfterFurtherUpdates) {
  constexpr std::int64_t kPoints = 20;
  const Extents extents{12, 15};
  std::vector<double> places;
  for (std::int64_t i = 0; i < kPoints; ++i) {
    places.push_back(static_cast<double>(i * 7 % 12));
    places.push_back(static_cast<double>(i * 4 % 15));
  }
  Context context({.device = "cpu", .threads = 1});
  std::vector<std::int64_t> index(static_cast<std::size_t>(extents.count()));
  std::vector<double> distance(index.size());
  NearestSiteSolver solver(context,
                           {.coordinates = View<const double>(places.data(), {kPoints, 2})},
                           {.extents = extents}, {},
                           {.site_index = View<std::int64_t>(index.data(), extents),
                            .distance = View<double>(distance.data(), extents)});
  const auto before = index;
  const auto distance_before = distance;
  std::vector<std::int64_t> all(kPoints);
  std::iota(all.begin(), all.end(), 0);
  const auto move_all = [&] {
    for (double& each : places) each += 0.25;
    solver.move_sites(all, View<const double>(places.data(), {kPoints, 2}));
  };
  move_all();
  const std::int64_t cells = solver.solve().cells;
  move_all();
  const ChangedCells changed = solver.changed_cells();
  ASSERT_EQ(std::ssize(changed.cell), cells);
  std::size_t next = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] == before[i] && distance[i] == distance_before[i]) continue;
    ASSERT_LT(next, changed.cell.size());
    EXPECT_EQ(changed.cell[next], static_cast<std::int64_t>(i));
    EXPECT_EQ(changed.site_before[next++], before[i]);
  }
  EXPECT_EQ(next, changed.cell.size());
}

/// A list that somebody holds stays as it is; else the next solve writes to the same memory.
TEST(NearestSiteSolver, ChangedCellsStayForThoseWhoHoldThem) {
  std::vector<double> places = {1, 1, 6, 6};
  const Extents extents{8, 8};
  std::vector<std::int64_t> index(64);
  Context context({.device = "cpu", .threads = 1});
  NearestSiteSolver solver(context, {.coordinates = View<const double>(places.data(), {2, 2})},
                           {.extents = extents}, {},
                           {.site_index = View<std::int64_t>(index.data(), extents)});
  EXPECT_GT(solver.bytes(), 64u);
  const auto move = [&](double by) {
    places[0] += by;
    solver.move_sites(Indices{0}, View<const double>(places.data(), {1, 2}));
    solver.solve();
  };
  move(2);
  ChangedCells held = solver.changed_cells();
  const std::vector<std::int64_t> cells(held.cell.begin(), held.cell.end());
  move(1);
  EXPECT_TRUE(std::ranges::equal(held.cell, cells));
  held = solver.changed_cells();
  const std::int64_t* const memory = held.cell.data();
  held = {};
  move(-1);
  EXPECT_EQ(solver.changed_cells().cell.data(), memory);
}

}  // namespace
}  // namespace thiessen
