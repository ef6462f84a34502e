// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of random problems with random options: sites of rasters, points, metrics of the
// user, and observed passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/problem/problem.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "oracle/flooding_oracle.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::FloodingScheme;
using testing::Draw;

constexpr Method kMethods[] = {Method::jfa,  Method::one_jfa,   Method::jfa_one,  Method::jfa_two,
                               Method::jfa2, Method::jfa_noise, Method::jfa_plus, Method::jfa_star};
constexpr Method kPapers[] = {Method::jfa_coeurjolly, Method::jfa_one_paper, Method::jfa_plus_paper,
                              Method::jfa_star_paper, Method::jfa_star_one_paper};
constexpr std::string_view kRules[] = {"pow2", "half", "quarter", "third"};

std::string text_of(Method method) { return std::string(name_of(method)); }

/// Options for the library, and their form for the reference.
struct Choice {
  NearestSiteOptions options;
  FloodingScheme scheme;
};

/// `papers`: methods that are as papers have them, too.
Choice choose(Draw& draw, const Extents& extents, std::int64_t sites, bool papers) {
  Choice choice;
  FloodingOptions& flooding = choice.options.flooding;
  const bool paper = papers && extents.rank() == 2 && draw.once_in(3);
  choice.options.method =
      paper ? kPapers[draw.below(std::size(kPapers))] : kMethods[draw.below(std::size(kMethods))];
  const bool tutorial = choice.options.method == Method::jfa_coeurjolly;
  if (!tutorial) choice.options.metric = static_cast<Metric>(draw.below(3));
  std::int64_t longest = 0;
  for (int axis = 0; axis < extents.rank(); ++axis) longest = std::max(longest, extents[axis]);
  const bool ruled = draw.once_in(4);
  const std::string_view rule = ruled ? kRules[draw.below(std::size(kRules))] : "";
  choice.scheme =
      oracle::scheme_of(text_of(choice.options.method), longest, sites, std::string(rule));
  FloodingScheme& scheme = choice.scheme;
  flooding.step_rule = find_step_rule(rule);
  flooding.literal = scheme.literal = tutorial && draw.once_in(2);
  flooding.seed = scheme.seed = static_cast<std::uint64_t>(draw.below(1 << 30));
  if (!ruled && draw.once_in(2)) {
    for (std::int64_t i = draw.below(5); i >= 0; --i)
      flooding.steps.push_back(1 + draw.below(2 * longest + 2));
    scheme.steps = flooding.steps;
  }
  if (draw.once_in(2)) {
    flooding.noise = static_cast<Noise>(draw.below(3));
    scheme.noise = name_of(*flooding.noise);
  }
  if (extents.rank() == 3 || draw.once_in(3)) {
    scheme.pattern = "square";
    flooding.pattern = Pattern::square();
  } else if (draw.once_in(2)) {
    const bool even = draw.once_in(2);
    scheme.pattern = even ? "circle" : "random-circle";
    scheme.points = static_cast<int>(1 + draw.below(64));
    flooding.pattern =
        even ? Pattern::circle(scheme.points) : Pattern::random_circle(scheme.points);
  }
  if (!paper && draw.once_in(3))
    for (int axis = 0; axis < extents.rank(); ++axis)
      choice.options.periodic.push_back(draw.once_in(2));
  if (!tutorial && draw.once_in(3))
    for (int axis = 0; axis < extents.rank(); ++axis)
      choice.options.spacing.push_back(static_cast<double>(1 + draw.below(3)));
  return choice;
}

Extents draw_extents(Draw& draw) {
  if (draw.once_in(4)) return {1 + draw.below(9), 1 + draw.below(9), 1 + draw.below(9)};
  if (draw.once_in(8)) return {1 + draw.below(3), 1 + draw.below(300)};
  return {1 + draw.below(40), 1 + draw.below(70)};
}

/// The site index of every cell, by the reference.
std::vector<std::int64_t> flooded(const Problem& problem, const Raster& cells,
                                  const FloodingScheme& scheme) {
  std::vector<oracle::Site> sites;
  for (std::int64_t i = 0; i < problem.cells(); ++i)
    if (reinterpret_cast<const std::int32_t*>(cells.bytes())[i] != 0)
      sites.push_back({to_cell(problem.extent, i), i});
  std::vector<std::int64_t> held = oracle::flood(problem, sites, scheme);
  for (std::int64_t& each : held)
    if (each >= 0) each = sites[static_cast<std::size_t>(each)].index;
  return held;
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names{"auto"};
  for (const std::string_view name : cpu::instruction_set_names()) names.emplace_back(name);
  return names;
}

TEST(FloodingProperty, RandomRastersEqualTheReference) {
  const std::vector<std::string> sets = instruction_sets();
  for (std::uint64_t run = 0; run < 600; ++run) {
    SCOPED_TRACE(run);
    Draw draw(run);
    const Extents extents = draw_extents(draw);
    const std::int64_t wanted = draw.below(1 + std::min<std::int64_t>(extents.count(), 90));
    Context context(
        {.threads = static_cast<int>(1 + draw.below(3)),
         .instructions = find_instructions(
             sets[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(sets.size())))])});
    Raster cells = Raster::of<std::int32_t>(extents);
    random_sites(context, cells.view(), wanted, run);
    const Choice choice = choose(draw, extents, wanted, true);
    const Problem problem = make_problem(std::as_const(cells).view(), choice.options, {});
    const std::vector<std::int64_t> expected = flooded(problem, cells, choice.scheme);
    std::vector<std::int64_t> found(expected.size());
    nearest_site(context, std::as_const(cells).view(), choice.options,
                 {.site_index = View<std::int64_t>(found.data(), extents)});
    ASSERT_EQ(found, expected) << run;
  }
}

TEST(FloodingProperty, RandomPointsEqualTheReference) {
  for (std::uint64_t run = 0; run < 300; ++run) {
    SCOPED_TRACE(run);
    Draw draw(run ^ 0xABCD);
    const Extents extents = draw_extents(draw);
    const std::int64_t count = draw.below(60);
    const double grain = draw.once_in(3) ? 1 : draw.once_in(2) ? 2 : 65536;
    std::vector<double> list;
    for (std::int64_t i = 0; i < count; ++i)
      for (int axis = 0; axis < extents.rank(); ++axis)
        list.push_back(
            std::floor((draw.real() * 1.5 - 0.25) * static_cast<double>(extents[axis]) * grain) /
            grain);
    const Choice choice = choose(draw, extents, count, false);
    const PointList points{View<const double>(list.data(), {count, extents.rank()})};
    const Grid grid{.extents = extents};
    std::vector<Axes> places(static_cast<std::size_t>(count));
    const PointSites snapped = snap_points(points.coordinates, places.data());
    const Problem problem = make_problem(points, snapped, grid, choice.options, {});
    wrap_points(snapped, problem.period);
    std::vector<oracle::Site> sites;
    for (const Axes& place : places)
      sites.push_back({place, static_cast<std::int64_t>(sites.size())});
    const std::vector<std::int64_t> expected = oracle::flood(problem, sites, choice.scheme);
    for (const DeviceInfo& device : devices()) {
      if (!device.available) continue;
      Context context({.device = device.name, .threads = 2});
      std::vector<std::int64_t> found(expected.size());
      try {
        voronoi(context, points, grid, choice.options,
                {.site_index = View<std::int64_t>(found.data(), extents)});
      } catch (const Error& error) {
        ASSERT_NE(device.name, "cpu") << error.what();
        continue;
      }
      ASSERT_EQ(found, expected) << device.name << " " << name_of(choice.options.method);
    }
  }
}

/// A problem that the CPU does by vectors in 3-D, or just not.
struct Deep {
  Extents extents;
  std::vector<double> spacing = {};
};

const Deep kDeep[] = {
    {{1, 1, 1}},
    {{3, 4, 1}},
    {{1, 9, 7}},
    {{2, 3, 8}},
    {{3, 2, 15}},
    {{2, 3, 16}},
    {{4, 3, 17}},
    {{5, 6, 33}},
    {{9, 1, 40}},
    {{1, 40, 1}},
    {{6, 7, 20}, {1, 2, 3}},
    {{6, 5, 18}, {0.5, 0.5, 0.5}},
    {{7, 9, 19}, {4, 1, 2}},
    {{3, 4, 2}, {1, 1, 65535}},
    {{3, 4, 3}, {1, 1, 65535}},
};

template <class T>
void expect_same_labels(Context& context, const Raster& cells, const NearestSiteOptions& options,
                        const std::vector<std::int64_t>& sites) {
  Raster own = Raster::of<T>(cells.extents());
  Raster labels = Raster::of<T>(cells.extents());
  const auto* const from = reinterpret_cast<const std::int32_t*>(cells.bytes());
  auto* const to = reinterpret_cast<T*>(own.bytes());
  for (std::size_t i = 0; i < sites.size(); ++i)
    to[i] = static_cast<T>(from[i] == 0 ? 0 : 1 + from[i] % 100);
  nearest_site(context, std::as_const(own).view(), options, {.labels = labels.view()});
  const auto* const found = reinterpret_cast<const T*>(labels.bytes());
  for (std::size_t i = 0; i < sites.size(); ++i)
    ASSERT_EQ(found[i], sites[i] < 0 ? T{0} : to[sites[i]]) << i;
}

void check_deep(const Raster& cells, const NearestSiteOptions& options) {
  const Extents& extents = cells.extents();
  const Problem problem = make_problem(cells.view(), options, {});
  const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
  FloodingScheme scheme = oracle::scheme_of(text_of(options.method), longest, 0);
  if (!options.flooding.steps.empty()) scheme.steps = options.flooding.steps;
  const std::vector<std::int64_t> expected = flooded(problem, cells, scheme);
  for (const std::string_view name : cpu::instruction_set_names())
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(std::string(name) + ", threads " + std::to_string(threads));
      Context context({.threads = threads, .instructions = find_instructions(name)});
      std::vector<std::int64_t> found(expected.size());
      std::vector<double> distance(expected.size());
      nearest_site(context, cells.view(), options,
                   {.site_index = View<std::int64_t>(found.data(), extents),
                    .distance = View<double>(distance.data(), extents)});
      ASSERT_EQ(found, expected);
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] < 0) continue;
        const Int128 exact =
            oracle::exact_distance(problem, to_cell(problem.extent, static_cast<std::int64_t>(i)),
                                   to_cell(problem.extent, found[i]));
        ASSERT_EQ(distance[i], to_distance(problem.weights, problem.metric, exact)) << i;
      }
      expect_same_labels<std::int32_t>(context, cells, options, expected);
      expect_same_labels<std::uint8_t>(context, cells, options, expected);
      expect_same_labels<std::int64_t>(context, cells, options, expected);
      expect_same_labels<float>(context, cells, options, expected);
    }
}

/// Takes all schedules without noise, from no sites to many, with some cells unreached.
TEST(FloodingProperty, DeepRastersEqualTheReference) {
  const std::vector<std::pair<Method, std::vector<std::int64_t>>> schedules = {
      {Method::jfa, {}},           {Method::one_jfa, {}}, {Method::jfa_one, {}},
      {Method::jfa_two, {}},       {Method::jfa2, {}},    {Method::jfa, {5, 3, 1}},
      {Method::one_jfa, {2, 100}}, {Method::jfa, {1}}};
  std::uint64_t run = 0;
  for (const Deep& deep : kDeep)
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
      for (const auto& [method, steps] : schedules) {
        SCOPED_TRACE(run);
        Raster cells = Raster::of<std::int32_t>(deep.extents);
        Context drawing;
        const std::int64_t count = deep.extents.count();
        const std::int64_t wanted[] = {0, 1, std::min<std::int64_t>(count, 5), count / 8, count};
        random_sites(drawing, cells.view(), wanted[run % std::size(wanted)], run);
        NearestSiteOptions options{.method = method, .metric = metric, .spacing = deep.spacing};
        options.flooding.steps = steps;
        check_deep(cells, options);
        if (HasFatalFailure()) return;
        ++run;
      }
}

/// Tests the largest packed coordinates, and the widths around.
TEST(FloodingProperty, LongRastersAreTheSameByEveryInstructionSet) {
  for (const Extents& extents :
       {Extents{3, 32767}, Extents{2, 32768}, Extents{32768, 3}, Extents{2, 32769},
        Extents{2, 2, 32768}, Extents{2, 32768, 2}, Extents{32768, 1, 1}, Extents{32767, 2, 1},
        Extents{20000, 2, 3}, Extents{2, 1, 32769}})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
      Raster cells = Raster::of<std::int32_t>(extents);
      Context drawing;
      random_sites(drawing, cells.view(), 12, 4);
      reinterpret_cast<std::int32_t*>(cells.bytes())[extents.count() - 1] = 99;
      const NearestSiteOptions options{
          .method = extents.rank() == 2 ? Method::jfa_noise : Method::jfa_one, .metric = metric};
      std::vector<std::int64_t> first;
      for (const std::string_view name : cpu::instruction_set_names()) {
        Context context({.threads = 2, .instructions = find_instructions(name)});
        std::vector<std::int64_t> found(static_cast<std::size_t>(extents.count()));
        nearest_site(context, std::as_const(cells).view(), options,
                     {.site_index = View<std::int64_t>(found.data(), extents)});
        if (first.empty()) first = found;
        ASSERT_EQ(found, first) << name;
      }
    }
}

/// A site that is very far away must still win against none.
TEST(FloodingProperty, OneSiteReachesTheOtherEndOfDeepRasters) {
  for (const Extents& extents : {Extents{32768, 1, 2}, Extents{20000, 2, 1}, Extents{9000, 1, 3}})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
      for (const std::string_view name : cpu::instruction_set_names()) {
        Raster cells = Raster::of<std::int32_t>(extents);
        auto* const values = reinterpret_cast<std::int32_t*>(cells.bytes());
        std::fill_n(values, extents.count(), 0);
        values[0] = 1;
        Context context({.instructions = find_instructions(name)});
        std::vector<std::int64_t> found(static_cast<std::size_t>(extents.count()), kUnreached);
        nearest_site(context, std::as_const(cells).view(),
                     {.method = Method::jfa, .metric = metric},
                     {.site_index = View<std::int64_t>(found.data(), extents)});
        ASSERT_EQ(std::count(found.begin(), found.end(), 0), extents.count()) << name;
      }
}

/// Rasters with several bands and groups of passes.
TEST(FloodingProperty, TallRastersAreTheSameByEveryInstructionSet) {
  const Extents extents{1500, 430};
  Raster cells = Raster::of<std::int32_t>(extents);
  Context drawing;
  random_sites(drawing, cells.view(), 900, 4);
  for (const std::vector<std::int64_t>& steps :
       {std::vector<std::int64_t>{8, 4, 2, 1}, {700, 350, 50, 10, 4, 4, 2, 1}, {1, 2, 3, 1000}})
    for (const Pattern pattern : {Pattern::square(), Pattern::circle(12)}) {
      NearestSiteOptions options{.method = Method::jfa};
      options.flooding.steps = steps;
      options.flooding.pattern = pattern;
      std::vector<std::int64_t> first;
      for (const std::string_view name : cpu::instruction_set_names())
        for (const int threads : {1, 3}) {
          Context context({.threads = threads, .instructions = find_instructions(name)});
          std::vector<std::int64_t> found(static_cast<std::size_t>(extents.count()));
          nearest_site(context, std::as_const(cells).view(), options,
                       {.site_index = View<std::int64_t>(found.data(), extents)});
          if (first.empty()) first = found;
          ASSERT_EQ(found, first) << name << " " << threads;
        }
    }
}

Raster drawn(const Extents& extents, std::int64_t count) {
  Raster cells = Raster::of<std::int32_t>(extents);
  Context context;
  random_sites(context, cells.view(), count, 7);
  return cells;
}

/// The state after the last pass is the answer; the state after pass k is the answer of k passes.
TEST(FloodingPasses, AreSeenOneByOne) {
  const Extents extents{60, 83};
  const Raster cells = drawn(extents, 40);
  for (const Method method : kMethods) {
    SCOPED_TRACE(name_of(method));
    std::vector<std::vector<std::int64_t>> states;
    std::vector<std::int64_t> steps;
    NearestSiteOptions options{.method = method};
    options.flooding.seed = 3;
    options.flooding.on_pass = [&](const FloodingPass& pass) {
      EXPECT_EQ(pass.number, static_cast<std::int64_t>(states.size()));
      EXPECT_EQ(pass.site_index.extents(), extents);
      states.emplace_back(pass.site_index.data(), pass.site_index.data() + extents.count());
      if (pass.number > 0) steps.push_back(pass.step);
      EXPECT_EQ(pass.step > 0, pass.number > 0);
    };
    Context context;
    std::vector<std::int64_t> found(static_cast<std::size_t>(extents.count()));
    const NearestSiteOutputs out{.site_index = View<std::int64_t>(found.data(), extents)};
    nearest_site(context, cells.view(), options, out);
    EXPECT_EQ(found, states.back());
    options.flooding.on_pass = {};
    nearest_site(context, cells.view(), options, out);
    EXPECT_EQ(found, states.back());
    for (std::size_t count = 1; count < states.size(); ++count) {
      const auto end = steps.begin() + static_cast<std::ptrdiff_t>(count);
      options.flooding.steps.assign(steps.begin(), end);
      nearest_site(context, cells.view(), options, out);
      EXPECT_EQ(found, states[count]) << count;
    }
  }
}

TEST(FloodingPasses, TakeNoMoreScratchTheSecondTime) {
  const Extents extents{300, 1000};
  const Raster cells = drawn(extents, 400);
  std::vector<std::int64_t> found(static_cast<std::size_t>(extents.count()));
  const NearestSiteOutputs out{.site_index = View<std::int64_t>(found.data(), extents)};
  for (const Method method : {Method::jfa, Method::jfa_noise, Method::jfa_plus, Method::jfa_star}) {
    Context context;
    nearest_site(context, cells.view(), {.method = method}, out);
    const std::size_t bytes = context.scratch_bytes();
    nearest_site(context, cells.view(), {.method = method}, out);
    EXPECT_EQ(context.scratch_bytes(), bytes) << name_of(method);
  }
}

TEST(FloodingPasses, CanEndTheCall) {
  const Raster cells = drawn({20, 20}, 4);
  struct Enough {};
  NearestSiteOptions options{.method = Method::jfa};
  options.flooding.on_pass = [](const FloodingPass& pass) {
    if (pass.number == 2) throw Enough();
  };
  Context context;
  std::vector<std::int64_t> found(400);
  const NearestSiteOutputs out{.site_index = View<std::int64_t>(found.data(), {20, 20})};
  EXPECT_THROW(nearest_site(context, cells.view(), options, out), Enough);
  options.flooding.on_pass = {};
  EXPECT_NO_THROW(nearest_site(context, cells.view(), options, out));
}

double euclidean_distance(std::span<const double> offset) {
  double sum = 0;
  for (const double each : offset) sum += each * each;
  return std::sqrt(sum);
}

TEST(MetricFunction, StandsForThatOfTheLibrary) {
  for (const Extents& extents : {Extents{30, 41}, Extents{7, 8, 9}}) {
    const Raster cells = drawn(extents, 25);
    const auto count = static_cast<std::size_t>(extents.count());
    const auto rank = static_cast<std::size_t>(extents.rank());
    for (const Method method :
         {Method::brute_force, Method::jfa, Method::jfa_noise, Method::jfa_plus}) {
      NearestSiteOptions options{.method = method};
      options.spacing.assign(rank, 2.0);
      options.max_distance = 9;
      std::vector<std::int64_t> site[2] = {std::vector<std::int64_t>(count),
                                           std::vector<std::int64_t>(count)};
      std::vector<double> distance[2] = {std::vector<double>(count), std::vector<double>(count)};
      Context context({.threads = 2});
      for (std::size_t own = 0; own < 2; ++own) {
        if (own == 1) options.metric_function = euclidean_distance;
        nearest_site(context, cells.view(), options,
                     {.site_index = View<std::int64_t>(site[own].data(), extents),
                      .distance = View<double>(distance[own].data(), extents)});
      }
      EXPECT_EQ(site[0], site[1]) << name_of(method);
      EXPECT_EQ(distance[0], distance[1]) << name_of(method);
    }
  }
}

TEST(MetricFunction, MeasuresOffsetsFromCellToPoint) {
  const double places[] = {0.5, 1.25};
  const PointList points{View<const double>(places, {1, 2})};
  NearestSiteOptions options{.method = Method::jfa};
  options.metric_function = [](std::span<const double> offset) {
    return offset[0] >= 0 ? 10 + offset[1] : 20 + offset[1];
  };
  std::vector<double> distance(6);
  Context context;
  voronoi(context, points, {.extents = {2, 3}, .spacing = {4, 2}}, options,
          {.distance = View<double>(distance.data(), {2, 3})});
  EXPECT_EQ(distance, std::vector<double>({12.5, 10.5, 8.5, 22.5, 20.5, 18.5}));
}

void expect_error(const NearestSiteOptions& options, const NearestSiteOutputs& out, ErrorCode code,
                  const std::string& message) {
  const Raster cells = drawn({9, 9}, 4);
  Context context;
  try {
    nearest_site(context, cells.view(), options, out);
    ADD_FAILURE() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(MetricFunction, BadOnesAreRefused) {
  std::vector<double> distance(81);
  std::vector<std::int64_t> squared(81);
  const NearestSiteOutputs out{.distance = View<double>(distance.data(), {9, 9})};
  for (const Method method : {Method::jfa, Method::brute_force}) {
    NearestSiteOptions options{.method = method};
    options.metric_function = [](std::span<const double>) { return -1.0; };
    try {
      nearest_site(*std::make_unique<Context>(), drawn({9, 9}, 4).view(), options, out);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(") = -1; must be >= 0"), std::string::npos)
          << error.what();
    }
    options.metric_function = [](std::span<const double>) {
      return std::numeric_limits<double>::quiet_NaN();
    };
    EXPECT_THROW(nearest_site(*std::make_unique<Context>(), drawn({9, 9}, 4).view(), options, out),
                 Error);
  }
  NearestSiteOptions options{.metric_function = euclidean_distance};
  expect_error(options, out, ErrorCode::unsupported,
               "metric_function is given; method = exact on cpu has its own metrics only");
  options.method = Method::jfa;
  expect_error(options, {.squared = View<std::int64_t>(squared.data(), {9, 9})},
               ErrorCode::invalid_argument,
               "squared is wanted; it exists only for the euclidean metric and a spacing of 1");
  options.metric = Metric::manhattan;
  expect_error(options, out, ErrorCode::invalid_argument,
               "metric_function and metric are given; must be one of them");
  options.metric = Metric::euclidean;
  options.signed_distance = true;
  expect_error(options, out, ErrorCode::invalid_argument,
               "signed_distance = true; must be false where there is a metric_function");
  options.signed_distance = false;
  options.periodic = {true, false};
  expect_error(options, out, ErrorCode::invalid_argument,
               "periodic is given; must not be where there is a metric_function");
}

TEST(FloodingArguments, BadOnesAreRefused) {
  std::vector<double> distance(81);
  const NearestSiteOutputs out{.distance = View<double>(distance.data(), {9, 9})};
  NearestSiteOptions options{.method = Method::jfa};
  options.distance_to = DistanceTo::boundary;
  expect_error(
      options, out, ErrorCode::unsupported,
      "method = jfa on cpu: the distance to the boundary is measured by method exact only");
  options.distance_to = DistanceTo::sites;
  options.flooding.steps = {3, 0};
  expect_error(options, out, ErrorCode::invalid_argument, "steps[1] = 0; must be from 1 to 2^30");
}

}  // namespace
}  // namespace thiessen
