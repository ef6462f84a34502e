// SPDX-License-Identifier: Apache-2.0
//
// Slabs against one call: rasters of all densities and layouts, cut anywhere, bit for bit. Each
// problem runs with the usual capacities and with smaller ones (support/small_limits.hpp).
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/base/context_state.hpp"
#include "support/message_of.hpp"
#include "support/problems/answer.hpp"
#include "support/problems/points_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/slabs/array_rows.hpp"
#include "support/slabs/slabs.hpp"
#include "support/small_limits.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {
namespace {

using testing::Answer;
using testing::Draw;
using testing::draw_cuts;
using testing::message_of;
using testing::problem_count;
using testing::RasterProblem;
using testing::Rows;
using testing::rows_of;
using testing::solve_by_slabs;
using testing::Wanted;

/// What tests/support/problems/tile_problems.hpp calls for each problem.
constexpr auto kCompare = [](const RasterProblem& problem, const Wanted& wanted, const auto& solve,
                             std::uint64_t seed) {
  if (problem.options.metric == Metric::chessboard) return;
  Draw draw(seed + 77);
  const testing::Placement placement{draw.below(4) * draw.below(6),
                                     draw.once_in(3) ? draw.below(20) : 0};
  const EngineLimits small = testing::draw_small_limits(draw);
  Answer expected(problem, wanted);
  Context whole({.threads = 2});
  solve(whole, expected.views());
  for (const bool is_small : {false, true}) {
    const std::vector<Rows> cuts = draw_cuts(draw, problem.extents()[0]);
    Context context({.threads = is_small ? 3 : 1});
    if (is_small) context.state().limits = small;
    Answer answer(problem, wanted, placement);
    solve_by_slabs(context, problem.view(), problem.options, cuts, answer.views());
    ASSERT_TRUE(answer == expected && answer.is_within_cells())
        << "problem " << seed << (is_small ? " with small limits" : "") << ", slabs of "
        << cuts.front().count << " … rows: " << describe(problem);
  }
  Context context({.threads = 2});
  Answer answer(problem, wanted, placement);
  testing::ArraySource sites(problem.view(), draw);
  const testing::ArraySinks sinks(answer.views(), draw);
  const NearestSiteStream call{
      .sites = &sites, .options = problem.options, .outputs = sinks.outputs};
  const StreamPlan plan =
      plan_stream(context, call, {.rows = draw.once_in(4) ? 0 : 1 + draw.below(40)});
  stream(context, call, plan);
  ASSERT_TRUE(answer == expected && answer.is_within_cells())
      << "problem " << seed << " as a stream, slabs of " << plan.rows
      << " rows: " << describe(problem);
};

TEST(Slabs, EqualOneCall) {
  for (std::uint64_t seed = 0; seed < 2 * problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_rasters(seed, {}, kCompare);
}

TEST(Slabs, EqualOneCallOfLabels) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_labels(seed, {.longest_2d = 700}, kCompare);
}

TEST(Slabs, EqualOneCallOfDistances) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_distances(seed, {}, kCompare);
}

TEST(Slabs, EqualOneCallToBoundaries) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_boundaries(seed, {}, kCompare);
}

TEST(Slabs, EqualOneCallOfPoints) {
  for (std::uint64_t seed = 0; seed < 2 * problem_count() && !HasFatalFailure(); ++seed) {
    const RasterProblem problem = testing::draw_raster_problem(seed);
    if (std::ranges::count(problem.sites, 1) > 1000) continue;
    Draw draw(seed);
    testing::PointsOf points(problem, draw);
    if (draw.once_in(4))  // some lie beyond the grid
      for (double& coordinate : points.coordinates)
        if (draw.once_in(6)) coordinate = std::floor(coordinate * 3) - 20;
    const NearestSiteOptions options = options_of_points(problem);
    const Grid grid{.extents = problem.extents(), .spacing = problem.options.spacing};
    const bool are_cells = std::ranges::all_of(
        points.coordinates, [](double coordinate) { return coordinate == std::floor(coordinate); });
    const Wanted wanted{.labels = !draw.once_in(4),
                        .site_index = draw.once_in(2),
                        .distance = true,
                        .offset = are_cells && draw.once_in(2),
                        .direction = grid.extents.rank() == 2 && draw.once_in(2)};
    Answer expected(problem, wanted);
    Context context({.threads = 2});
    voronoi(context, points.list, grid, options, expected.views());
    for (const bool is_small : {false, true}) {
      if (is_small) context.state().limits = testing::draw_small_limits(draw);
      Answer answer(problem, wanted);
      for (const Rows& cut : draw_cuts(draw, grid.extents[0]))
        voronoi_slab(context, points.list, grid, cut.first, cut.count, options,
                     rows_of(answer.views(), cut));
      ASSERT_TRUE(answer == expected && answer.is_within_cells())
          << "problem " << seed << (is_small ? " with small limits" : "") << ": "
          << describe(problem);
    }
  }
}

TEST(Slabs, EqualOneCallOfOtherPoints) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const Grid grid{.extents = {1 + draw.below(40), 1 + draw.below(40)}};
    const std::int64_t count = 1 + draw.below(30);
    std::vector<double> coordinates;
    std::vector<std::int32_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const int axis : {0, 1})
        coordinates.push_back(0.25 * static_cast<double>(draw.below(4 * grid.extents[axis])));
      numbers.push_back(static_cast<std::int32_t>(1 + draw.below(5)));
    }
    PointList points{.coordinates = View<const double>(coordinates.data(), {count, 2})};
    if (draw.once_in(2)) points.labels = View<const std::int32_t>(numbers.data(), {count});
    NearestSiteOptions options;
    if (draw.once_in(2)) options.periodic = {true, draw.once_in(2)};
    const auto cells = static_cast<std::size_t>(grid.extents.count());
    const auto solve = [&](const auto& call) {
      std::vector<std::int64_t> own(cells), other(cells);
      call({.site_index = View<std::int64_t>(own.data(), grid.extents),
            .other_site_index = View<std::int64_t>(other.data(), grid.extents)});
      own.insert(own.end(), other.begin(), other.end());
      return own;
    };
    Context context({.threads = 2});
    const auto whole =
        solve([&](const NearestSiteOutputs& out) { voronoi(context, points, grid, options, out); });
    const auto slabs = solve([&](const NearestSiteOutputs& out) {
      for (const Rows& cut : draw_cuts(draw, grid.extents[0]))
        voronoi_slab(context, points, grid, cut.first, cut.count, options, rows_of(out, cut));
    });
    ASSERT_EQ(slabs, whole) << seed;
  }
}

/// One call of so many cells keeps the numbers of few points otherwise than slabs of it.
TEST(Slabs, EqualOneCallOfFewPointsOnManyCells) {
  constexpr std::int64_t kSide = 4100, kPoints = 500;
  const Grid grid{.extents = {kSide, kSide}};
  Draw draw(1);
  std::vector<double> coordinates;
  for (std::int64_t i = 0; i < 2 * kPoints; ++i)
    coordinates.push_back(static_cast<double>(draw.below((kSide - 1) * 16)) / 16);
  const PointList points{.coordinates = View<const double>(coordinates.data(), {kPoints, 2})};
  Context context({.threads = 2});
  std::vector<std::int32_t> whole(static_cast<std::size_t>(kSide * kSide)), slabs(whole.size());
  const View<std::int32_t> out(slabs.data(), grid.extents);
  voronoi(context, points, grid, {}, {.labels = View<std::int32_t>(whole.data(), grid.extents)});
  for (const Rows& cut : {Rows{0, kSide / 2}, Rows{kSide / 2, kSide - kSide / 2}})
    voronoi_slab(context, points, grid, cut.first, cut.count, {},
                 rows_of(NearestSiteOutputs{.labels = out}, cut));
  EXPECT_TRUE(whole == slabs);
}

/// Warnings of points come once, with the slab that begins at 0.
TEST(Slabs, WarnOfPointsOnce) {
  Context context;
  const std::vector<double> coordinates = {40, 3};
  const PointList points{.coordinates = View<const double>(coordinates.data(), {1, 2})};
  const Grid grid{.extents = {10, 5}};
  std::vector<double> distance(10);
  const NearestSiteOutputs out{.distance = View<double>(distance.data(), {2, 5})};
  voronoi_slab(context, points, grid, 0, 2, {}, out);
  EXPECT_EQ(context.warnings().size(), 1U);
  voronoi_slab(context, points, grid, 2, 2, {}, out);
  EXPECT_EQ(context.warnings().size(), 0U);
}

/// Boolean sites are numbered through all slabs, and a domain is marked in each.
TEST(Slabs, NumberSitesAndMarkDomains) {
  for (std::uint64_t seed = 0; seed < problem_count() / 2 && !HasFatalFailure(); ++seed) {
    Draw draw(seed);
    const testing::NumberedMask problem(draw);
    Context whole({.threads = 2});
    Context context({.threads = 2});
    testing::expect_equal(problem.solve(context, draw_cuts(draw, problem.extents[0])),
                          problem.solve(whole, {}), "problem " + std::to_string(seed));
  }
}

/// Summaries can be joined in any grouping: that of all slabs is that of the raster.
TEST(Slabs, JoinInAnyGrouping) {
  for (std::uint64_t seed = 0; seed < problem_count() / 2 && !HasFatalFailure(); ++seed) {
    RasterProblem problem =
        testing::draw_raster_problem(seed, {.longest_2d = 60, .longest_3d = 20});
    Draw draw(seed);
    problem.options.metric = Metric::euclidean;
    problem.options.signed_distance = false;
    problem.options.distance_to = draw.once_in(2) ? DistanceTo::boundary : DistanceTo::sites;
    if (problem.options.distance_to == DistanceTo::sites)
      problem.options.signed_distance = draw.once_in(2);
    Context context({.threads = 2});
    const std::vector<Rows> cuts = draw_cuts(draw, problem.extents()[0]);
    std::vector<SlabSummary> all;
    for (const Rows& cut : cuts)
      all.push_back(summarise_slab(context, rows_of(problem.view(), cut),
                                   {problem.extents(), cut.first}, problem.options));
    const auto neighbours = combine_slabs(all, problem.extents(), problem.options);
    std::vector<SlabSummary> joined = all;
    while (joined.size() > 1) {
      const auto at = draw.below(static_cast<std::int64_t>(joined.size()) - 1);
      auto& upper = joined[static_cast<std::size_t>(at)];
      upper = join_slabs(upper, joined[static_cast<std::size_t>(at) + 1]);
      joined.erase(joined.begin() + at + 1);
    }
    EXPECT_EQ(joined.front(),
              summarise_slab(context, problem.view(), {problem.extents(), 0}, problem.options))
        << seed;
    const auto k = static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(all.size())));
    if (k == 0 || k + 1 == all.size()) continue;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(k);
    const std::vector<SlabSummary> three = {
        std::accumulate(all.begin() + 1, middle, all.front(), join_slabs), *middle,
        std::accumulate(middle + 2, all.end(), *(middle + 1), join_slabs)};
    EXPECT_EQ(combine_slabs(three, problem.extents(), problem.options)[1], neighbours[k]) << seed;
  }
}

/// The message of an error, or "".
TEST(Streams, EqualOneCallOfPointsInADomain) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed) {
    Draw draw(seed);
    const Grid grid{.extents = {1 + draw.below(80), 1 + draw.below(80)}};
    const std::int64_t count = draw.below(40);
    std::vector<double> at;
    for (std::int64_t i = 0; i < 2 * count; ++i) at.push_back(90 * draw.real() - 5);
    std::vector<std::uint8_t> inside;
    for (std::int64_t i = 0; i < grid.extents.count(); ++i) inside.push_back(draw.once_in(3));
    const PointList points{.coordinates = View<const double>(at.data(), {count, 2})};
    const View<const std::uint8_t> domain(inside.data(), grid.extents);
    const NearestSiteOptions options{.nodata_label = std::int64_t{-2}};
    std::vector<std::int32_t> expected(inside.size()), labels(inside.size());
    Context context({.threads = 2});
    voronoi(context, points, grid, options,
            {.labels = View<std::int32_t>(expected.data(), grid.extents)}, domain);
    const std::vector<Warning> warnings = context.warnings();
    testing::ArraySource rows(domain, draw);
    const testing::ArraySinks sinks(
        NearestSiteOutputs{.labels = View<std::int32_t>(labels.data(), grid.extents)}, draw);
    const NearestSiteStream call{.points = points,
                                 .grid = grid,
                                 .domain = &rows,
                                 .options = options,
                                 .outputs = sinks.outputs};
    stream(context, call, plan_stream(context, call, {.rows = 1 + draw.below(30)}));
    ASSERT_EQ(labels, expected) << "problem " << seed;
    ASSERT_EQ(testing::messages_of(context.warnings(), {"no_site", "outside_of_grid"}),
              testing::messages_of(warnings, {"no_site", "outside_of_grid"}));
  }
}

/// A raster of 6 x 4 cells in slabs of 2 rows.
struct StreamOfMask {
  std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(24);
  std::vector<float> distance = std::vector<float>(24);
  Draw draw{1};
  testing::ArraySource sites{View<const std::uint8_t>(mask.data(), {6, 4}), draw};
  testing::ArraySink sink{View<float>(distance.data(), {6, 4}), 0, false};
  NearestSiteStream call{.sites = &sites, .outputs = {{"distance", &sink}}};
  Context context{{.threads = 1}};

  StreamReport run(const StreamEvents& events = {}) {
    return stream(context, call, plan_stream(context, call, {.rows = 2}), events);
  }
};

TEST(Streams, WarnAndRefuseAsOneCallDoes) {
  StreamOfMask run;
  run.run();
  ASSERT_EQ(run.context.warnings().size(), 1U);
  EXPECT_EQ(run.context.warnings()[0].kind, WarningKind::no_site);
  EXPECT_TRUE(run.sink.is_finished);
  run.call.options.strict = true;
  run.sink = {View<float>(run.distance.data(), {6, 4}), 0, false};
  EXPECT_EQ(message_of([&] { run.run(); }),
            "no site: all cells are 0, NaN or nodata, so every cell is unreached (strict)");
  EXPECT_EQ(run.sink.written, 0);
  EXPECT_TRUE(run.sink.is_abandoned);
  run.call.options = {.method = Method::jfa};
  EXPECT_EQ(message_of([&] { run.run(); }),
            "slab_rows = 2; the call is not done in slabs: method = jfa; slabs have exact only");
  run.call.outputs[0].name = "distances";
  EXPECT_EQ(message_of([&] {
              stream(run.context, run.call, {.rows = 6, .part = {0, 6}});
            }),
            "outputs = distances; is no output of the call");
}

/// What is odd depends on what the distances lead to.
TEST(Streams, WarnOfRastersWithoutSitesOrFreeCellsAsOneCallDoes) {
  std::vector<NearestSiteOptions> cases(5);
  cases[1].distance_to = DistanceTo::boundary;
  cases[2].signed_distance = true;
  cases[3].nodata = std::int64_t{1};
  cases[4].nodata = std::int64_t{0};
  cases[4].free_nodata = true;
  for (const NearestSiteOptions& options : cases)
    for (const int value : {0, 1, 2}) {
      StreamOfMask run;
      std::ranges::fill(run.mask, static_cast<std::uint8_t>(value));
      run.call.options = options;
      run.run();
      Context plain({.threads = 1});
      std::vector<float> distance(run.mask.size());
      nearest_site(plain, View<const std::uint8_t>(run.mask.data(), {6, 4}), options,
                   {.distance = View<float>(distance.data(), {6, 4})});
      const auto kinds = [](const Context& context) {
        std::vector<WarningKind> all;
        for (const Warning& warning : context.warnings()) all.push_back(warning.kind);
        return all;
      };
      EXPECT_EQ(kinds(run.context), kinds(plain)) << &options - cases.data() << ": " << value;
      EXPECT_EQ(std::memcmp(run.distance.data(), distance.data(), 4 * distance.size()), 0);
    }
}

TEST(Streams, TellHowFarTheyAreAndAreCancelled) {
  StreamOfMask run;
  run.mask[5] = 1;
  std::vector<std::string> stages;
  double last = 0;
  run.context.on_progress([&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
  });
  run.run({.on_stage = [&](std::string_view name, double, double) { stages.emplace_back(name); }});
  EXPECT_EQ(stages, (std::vector<std::string>{"summarise", "compute", "finish"}));
  EXPECT_EQ(last, 1);
  run.context.on_progress({});
  run.call.on_rows = [&](const SlabRows& rows, const auto&, const auto&) {
    if (rows.first == 2) run.context.cancel();
  };
  EXPECT_EQ(message_of([&] { run.run(); }), "cancelled");
  EXPECT_TRUE(run.sink.is_abandoned);
}

TEST(Streams, RefuseTooLittleMemory) {
  StreamOfMask run;
  const std::string message =
      message_of([&] { plan_stream(run.context, run.call, {.memory = 100}); });
  EXPECT_NE(message.find("memory = 100; is too little: at once the call takes"), std::string::npos)
      << message;
}

TEST(Streams, HaveWholeBlocksOfFilesInASlab) {
  const std::vector<std::uint8_t> mask(2000 * 500);
  std::vector<float> distance(mask.size());
  const Context context({.threads = 1});
  const auto plan = [&](std::int64_t rows, const StreamLimits& limits) {
    Draw draw(1);
    testing::ArraySource sites(View<const std::uint8_t>(mask.data(), {rows, 500}), draw);
    testing::ArraySink sink(View<float>(distance.data(), {rows, 500}), 0, false);
    const NearestSiteStream call{.sites = &sites, .outputs = {{"distance", &sink}}};
    return plan_stream(context, call, limits);
  };
  for (const auto& [block, wanted] :
       {std::pair{100, 300}, std::pair{256, 256}, std::pair{300, 300}, std::pair{500, 352}}) {
    const StreamPlan found = plan(2000, {.memory = 4 << 20, .block = block, .of_process = 0});
    EXPECT_EQ(found.rows, wanted) << block;
    EXPECT_LE(found.bytes, 4 << 20);
  }
  EXPECT_EQ(plan(100, {.memory = 300'000, .of_process = 0}).rows, 8);
  const std::string message = message_of([&] { plan(100, {.memory = 200'000, .of_process = 0}); });
  EXPECT_TRUE(message.ends_with("in slabs it takes 0.3 MiB at least, with 4 rows each")) << message;
}

TEST(Slabs, SayWhatTheyRefuse) {
  Context context;
  const std::vector<std::int32_t> cells(20, 1);
  const View<const std::int32_t> slab(cells.data(), {4, 5});
  const SlabPlace place{{10, 5}, 3};
  const auto message = [&](const SlabPlace& at, const NearestSiteOptions& options) {
    return message_of([&] { summarise_slab(context, slab, at, options); });
  };
  EXPECT_EQ(message(place, {}), "");
  EXPECT_NE(message(place, {.metric = Metric::chessboard}).find("metric = chessboard"),
            std::string::npos);
  EXPECT_NE(message(place, {.method = Method::jfa}).find("method = jfa"), std::string::npos);
  EXPECT_NE(message(place, {.strict = true}).find("strict = true"), std::string::npos);
  EXPECT_NE(message({{10, 5}, 7}, {}).find("slab begins at 7 and has 4 rows"), std::string::npos);
  EXPECT_NE(message({{10, 5}, -1}, {}).find("slab begins at -1"), std::string::npos);
  EXPECT_NE(message({{10, 6}, 3}, {}).find("slab has the extent[1] = 5"), std::string::npos);
  EXPECT_NE(message({{10, 5, 5}, 3}, {}).find("slab has 2 axes"), std::string::npos);

  std::vector<double> distance(20);
  const NearestSiteOutputs out{.distance = View<double>(distance.data(), {4, 5})};
  SlabNeighbours neighbours;
  EXPECT_NE(message_of([&] {
              finish_slab(context, slab, place, {}, neighbours, out);
            }).find("a face has 0 columns"),
            std::string::npos);
  const SlabSummary summary = summarise_slab(context, slab, place, {});
  neighbours = {summary.first, summary.last, 0};
  EXPECT_NE(message_of([&] {
              finish_slab(context, slab, place, {}, neighbours, out);
            }).find("neighbours.above has the coordinate 3"),
            std::string::npos);
  EXPECT_TRUE(combine_slabs({}, {10, 5}, {}).empty());

  const std::vector<double> at{1, 2};
  const PointList points{.coordinates = View<const double>(at.data(), {1, 2})};
  NearestSiteOptions options{.metric = Metric::ellipsoidal,
                             .earth = Earth{{4, 3, 2, 1}, {1, 2, 3, 4, 5}}};
  const auto refusal = [&] {
    return message_of([&] {
      voronoi_slab(context, points, {.extents = {4, 5}}, 0, 4, options, out);
    });
  };
  EXPECT_EQ(refusal(), "metric = ellipsoidal; slabs of points have the metrics of the plane only");
  options = {.metric_function = [](std::span<const double> way) { return way[0] * way[0]; }};
  EXPECT_NE(refusal().find("metric_function is given"), std::string::npos);
}

}  // namespace
}  // namespace thiessen
