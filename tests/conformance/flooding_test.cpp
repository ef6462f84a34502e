// SPDX-License-Identifier: Apache-2.0
//
// Compares every case, by every method of jump flooding on every device, with the plain reference,
// bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "backend/backend.hpp"
#include "cases/cases.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "oracle/flooding_oracle.hpp"
#include "support/results.hpp"
#include "support/support_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::FloodingScheme;
using testing::Layout;

/// A method and options, and their form for the reference.
struct Variant {
  std::string name;
  Method method = Method::jfa;
  FloodingOptions options = {};
};

std::vector<Variant> variants() {
  return {
      {"jfa", Method::jfa},
      {"one_jfa", Method::one_jfa},
      {"jfa_one", Method::jfa_one},
      {"jfa_two", Method::jfa_two},
      {"jfa_twice", Method::jfa2},
      {"jfa_noise", Method::jfa_noise, {.seed = 3}},
      {"jfa_plus", Method::jfa_plus},
      {"jfa_star", Method::jfa_star, {.seed = 0xFEDCBA9876543210u}},
      {"steps", Method::jfa, {.steps = {5, 2000, 1, 3}}},
      {"circle", Method::jfa, {.pattern = Pattern::circle(12)}},
      {"circle_of_five",
       Method::one_jfa,
       {.pattern = Pattern::circle(5), .noise = Noise::in_place}},
      {"random_circle",
       Method::jfa_one,
       {.pattern = Pattern::random_circle(9), .noise = Noise::mask, .seed = 5}},
      {"random_circle_in_place",
       Method::jfa_star,
       {.steps = {9, 3, 1, 1}, .pattern = Pattern::random_circle(3), .noise = Noise::in_place}},
      {"square_star", Method::jfa_star, {.pattern = Pattern::square(), .noise = Noise::none}},
      {"thrust", Method::jfa_thrust},
      {"thrust_literal", Method::jfa_thrust, {.literal = true}},
      {"coeurjolly", Method::jfa_coeurjolly},
      {"coeurjolly_literal",
       Method::jfa_coeurjolly,
       {.step_rule = StepRule::pow2, .literal = true}},
      {"jfa_one_paper", Method::jfa_one_paper},
      {"jfa_plus_paper", Method::jfa_plus_paper, {.seed = 6}},
      {"jfa_star_paper", Method::jfa_star_paper, {.seed = 7}},
      {"jfa_star_one_paper", Method::jfa_star_one_paper, {.seed = 8}},
      {"half", Method::jfa2, {.step_rule = StepRule::half}},
      {"quarter", Method::jfa_noise, {.step_rule = StepRule::quarter}},
      {"third", Method::one_jfa, {.step_rule = StepRule::third}},
      {"star_of_halves", Method::jfa_star, {.step_rule = StepRule::half}},
  };
}

FloodingScheme scheme_of(const Variant& variant, const Problem& problem, std::int64_t sites) {
  const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
  const FloodingOptions& options = variant.options;
  FloodingScheme scheme =
      oracle::scheme_of(std::string(name_of(variant.method)), longest, sites,
                        std::string(options.step_rule ? name_of(*options.step_rule) : ""));
  scheme.literal = options.literal;
  if (!options.steps.empty()) scheme.steps = options.steps;
  if (options.pattern) {
    const std::string pattern = name_of(*options.pattern);
    scheme.pattern = pattern.substr(0, pattern.find(':'));
    scheme.points = options.pattern->points;
  }
  if (options.noise) scheme.noise = name_of(*options.noise);
  scheme.seed = options.seed;
  return scheme;
}

std::vector<oracle::Site> list_sites(const Problem& problem,
                                     const std::vector<std::uint8_t>& classes, bool inside) {
  std::vector<oracle::Site> sites;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if ((classes[i] == kSiteCell) != inside)
      sites.push_back({to_cell(problem.extent, index), index});
  }
  return sites;
}

/// oracle::nearest_site() for the result of jump flooding.
oracle::Result flood(const Variant& variant, const Problem& problem, const Raster& sites) {
  std::vector<std::uint8_t> classes(static_cast<std::size_t>(problem.cells()));
  classify(problem.rule, sites.bytes(), problem.cells(), classes.data());
  const auto run = [&](const std::vector<oracle::Site>& list) {
    std::vector<std::int64_t> held = oracle::flood(
        problem, list, scheme_of(variant, problem, static_cast<std::int64_t>(list.size())));
    for (std::int64_t& each : held)
      if (each >= 0) each = list[static_cast<std::size_t>(each)].index;
    return held;
  };
  const auto map = run(list_sites(problem, classes, false));
  const auto inside = problem.signed_distance ? run(list_sites(problem, classes, true)) : map;
  const auto measure = [&](std::size_t i, std::int64_t site) {
    return oracle::exact_distance(problem, to_cell(problem.extent, static_cast<std::int64_t>(i)),
                                  to_cell(problem.extent, site));
  };
  const auto in_range = [&](std::size_t i, std::int64_t site) {
    return site >= 0 && measure(i, site) > problem.limit ? kUnreached : site;
  };
  oracle::Result result;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const bool is_inside = problem.signed_distance && classes[i] == kSiteCell;
    std::int64_t site = in_range(i, map[i]);
    std::int64_t measured = is_inside ? in_range(i, inside[i]) : site;
    if (classes[i] == kNodataCell) site = measured = kNodata;
    const Int128 exact = measured < 0 ? Int128{measured} : measure(i, measured);
    const double distance = measured == kNodata ? std::numeric_limits<double>::quiet_NaN()
                            : measured < 0      ? std::numeric_limits<double>::infinity()
                                           : to_distance(problem.weights, problem.metric, exact);
    result.site.push_back(site);
    result.exact.push_back(exact);
    result.distance.push_back(is_inside ? -distance : distance);
  }
  return result;
}

struct Way {
  std::string device;
  int threads = 1;
  std::string instructions = "auto";
  Layout layout = Layout::contiguous;
};

/// Every device as it is, and one of the other ways in turn: all ways for all variants of all cases
/// would take minutes.
std::vector<Way> ways_of(std::size_t turn) {
  std::vector<Way> ways;
  std::vector<Way> others;
  for (const DeviceInfo& device : devices()) {
    if (!device.available) continue;
    ways.push_back({device.name, 1, "auto", Layout::contiguous});
    for (const Layout layout : {Layout::padded, Layout::reversed})
      others.push_back({device.name, 2, "auto", layout});
  }
  for (const std::string_view name : cpu::instruction_set_names())
    others.push_back({"cpu", 2, std::string(name), Layout::contiguous});
  ways.push_back(others[turn % others.size()]);
  return ways;
}

/// Some methods are of one backend alone.
bool has_method(const Backend& backend, Method method) {
  const auto methods = backend.methods();
  return std::any_of(methods.begin(), methods.end(),
                     [&](const MethodEntry& entry) { return entry.method == method; });
}

class Flooding : public ::testing::TestWithParam<cases::Case> {};

void check(const cases::Case& item, const Way& way, const Raster& sites,
           const NearestSiteOptions& options, const testing::Expected& expected) {
  const Backend& backend = *find_backend(way.device);
  if (!has_method(backend, options.method)) return;
  SCOPED_TRACE(way.device + ", threads " + std::to_string(way.threads) + ", instructions " +
               way.instructions + ", layout " + std::to_string(static_cast<int>(way.layout)));
  testing::GuardedArray input(item.type, item.extents, way.layout);
  input.assign(sites.bytes());
  testing::Outputs outputs(item, way.layout);
  Context context({.device = way.device,
                   .threads = way.threads,
                   .instructions = find_instructions(way.instructions)});
  const NearestSiteOutputs out = testing::views(item, outputs, true);
  const Problem problem = make_problem(input.view(), options, out);
  if (const Support support =
          find_method(backend, options.method).supports(context.state(), problem);
      !support) {
    EXPECT_TRUE(testing::is_pinned_refusal(way.device, item.extents.rank(), options, out))
        << support.reason;
    EXPECT_THROW(nearest_site(context, input.view(), options, out), Error);
    return;
  }
  nearest_site(context, input.view(), options, out);
  EXPECT_TRUE(input.intact());
  testing::compare("site_index", outputs.site_index, expected.site_index);
  testing::compare("distance (f64)", outputs.distance64, expected.distance64);
  testing::compare("labels", outputs.labels, expected.labels);
  testing::compare("offset", outputs.offset, expected.offset);
  if (testing::has_squared(item)) testing::compare("squared", outputs.squared, expected.squared);
  if (item.extents.rank() == 2)
    testing::compare("direction", outputs.direction, expected.direction);
  if (way.layout != Layout::contiguous) return;
  nearest_site(context, input.view(), options, {.labels = outputs.labels.view()});
  testing::compare("labels alone", outputs.labels, expected.labels);
}

/// Whether a case takes a variant. Each takes some in turn, since all of them would take minutes;
/// with THIESSEN_TEST_ALL it takes all.
bool is_taken(std::size_t turn, std::size_t variant) {
  constexpr std::size_t kEvery = 5;
  return std::getenv("THIESSEN_TEST_ALL") != nullptr || (turn + variant) % kEvery == 0;
}

TEST_P(Flooding, EqualsTheReference) {
  const cases::Case& item = GetParam();
  const Raster sites = cases::make_sites(item);
  std::size_t turn = std::hash<std::string>()(item.name);
  const std::size_t first = turn;
  const std::vector<Variant> all = variants();
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (!is_taken(first, number)) continue;
    const Variant& variant = all[number];
    SCOPED_TRACE(variant.name);
    testing::Outputs outputs(item, Layout::contiguous);
    NearestSiteOptions options = item.options;
    options.method = variant.method;
    options.flooding = variant.options;
    const Problem problem =
        make_problem(sites.view(), options, testing::views(item, outputs, true));
    const bool circle = variant.options.pattern ? variant.options.pattern->points > 0
                                                : variant.method == Method::jfa_star;
    if (problem.distance_to == DistanceTo::boundary || (circle && problem.rank == 3)) {
      Context context;
      EXPECT_THROW(
          nearest_site(context, sites.view(), options, testing::views(item, outputs, true)), Error);
      continue;
    }
    const testing::Expected expected =
        testing::expect(item, problem, sites, flood(variant, problem, sites));
    for (const Way& way : ways_of(++turn)) {
      check(item, way, sites, options, expected);
      if (HasFatalFailure()) return;
    }
  }
}

/// A cell counts its own noise too, so noise in place gives what a mask gives; the start alone
/// shows empty cells. In some of these rasters the first steps lead out on both sides.
TEST(FloodingInPlace, EqualsAMaskButAtTheStart) {
  struct Instance {
    Extents extents;
    std::vector<std::int64_t> steps;
  };
  const Instance instances[] = {{{5, 9}, {}},        {{9, 1}, {}},      {{1, 63}, {}},
                                {{7, 101}, {}},      {{7, 101}, {200}}, {{40, 33}, {100, 17, 3}},
                                {{31, 31}, {16, 30}}};
  for (const Instance& instance : instances) {
    Raster sites = Raster::of<std::int32_t>(instance.extents);
    Context context;
    random_sites(context, sites.view(), 1 + instance.extents.count() / 50, 3);
    std::vector<std::vector<std::int64_t>> found;
    for (const std::string set : {"none", "auto"})
      for (const Noise noise : {Noise::mask, Noise::in_place}) {
        Context way({.device = "cpu", .threads = 2, .instructions = find_instructions(set)});
        auto& index = found.emplace_back(static_cast<std::size_t>(instance.extents.count()));
        NearestSiteOptions options{.method = Method::jfa_plus};
        options.flooding.steps = instance.steps;
        options.flooding.noise = noise;
        const NearestSiteOutputs out{.site_index =
                                         View<std::int64_t>(index.data(), instance.extents)};
        nearest_site(way, sites.view(), options, out);
        EXPECT_EQ(index, found.front()) << set;
        std::int64_t passes = 0;
        options.flooding.on_pass = [&](const FloodingPass& pass) {
          EXPECT_EQ(pass.number, passes++);
          const std::int64_t* const held = pass.site_index.data();
          const auto empty = std::count(held, held + pass.site_index.extents().count(), kUnreached);
          EXPECT_EQ(empty > 0, pass.number == 0 && noise == Noise::in_place);
        };
        nearest_site(way, sites.view(), options, out);
        EXPECT_EQ(index, found.front()) << set;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Flooding, ::testing::ValuesIn(cases::small_cases_by_axes()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace thiessen
