// SPDX-License-Identifier: Apache-2.0
//
// Compares every scene, by every method of cost distance on every device, with the oracle, bit for
// bit.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

#include "backend/backend.hpp"
#include "cases/cost_scenes.hpp"
#include "core/cost/inputs.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "oracle/cost_oracle.hpp"
#include "support/earth_lengths.hpp"
#include "support/guarded_array.hpp"
#include "support/results.hpp"
#include "support/support_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::GuardedArray;
using testing::Layout;

struct Way {
  std::string device;
  CostMethod method;
  int threads = 1;
  std::string instructions = "auto";
  Layout layout = Layout::contiguous;
};

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const DeviceInfo& device : devices()) {
    if (!device.available) continue;
    for (const CostMethod method : device.cost_methods) {
      if (method == CostMethod::eikonal)
        continue;  // its costs are others: property/eikonal_test.cpp
      ways.push_back({device.name, method, 1, "auto", Layout::contiguous});
      ways.push_back({device.name, method, 2, "auto", Layout::padded});
      ways.push_back({device.name, method, 3, "auto", Layout::reversed});
    }
  }
  for (const std::string_view name : cpu::instruction_set_names())
    ways.push_back({"cpu", CostMethod::exact, 1, std::string(name)});
  ways.push_back({"cpu", CostMethod::exact, 7, "auto"});  // so many that 3-D is done tile by tile
  return ways;
}

/// The expected outputs.
struct Expected {
  std::vector<std::byte> labels, site_index, distance32, distance64, back_link;
  std::int64_t iterations = 0;
  std::int64_t ignored = 0;
};

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof value);
  std::memcpy(bytes.data() + end, &value, sizeof value);
}

/// One value of the map, as cost_distance() reads it; the test has no other types.
template <class T>
T resistance_of(const CostProblem& problem, const Raster& map, std::int64_t i) {
  const bool stiffness = problem.edge_weight == EdgeWeight::stiffness;
  const auto convert = [&](auto value) {
    std::memcpy(&value, map.bytes() + i * static_cast<std::int64_t>(sizeof value), sizeof value);
    if (problem.nodata && std::memcmp(problem.nodata->bytes.data(), &value, sizeof value) == 0)
      return std::numeric_limits<T>::quiet_NaN();
    return to_resistance<T>(value, stiffness).value;
  };
  if (map.element_type() == ElementType::f32) return convert(float{});
  if (map.element_type() == ElementType::f64) return convert(double{});
  return convert(std::uint16_t{});
}

/// An elevation as it stands in its raster.
double height_of(const Raster& elevation, std::int64_t i) {
  const auto load = [&](auto value) {
    std::memcpy(&value, elevation.bytes() + i * static_cast<std::int64_t>(sizeof value),
                sizeof value);
    return static_cast<double>(value);
  };
  if (elevation.element_type() == ElementType::f32) return load(float{});
  if (elevation.element_type() == ElementType::f64) return load(double{});
  return load(std::uint16_t{});
}

bool is_nodata(const cases::CostScene& scene, const cases::CostInputs& inputs, std::int64_t i) {
  if (scene.options.map_nodata && scene.map_type == ElementType::f32) {
    float value = 0;
    std::memcpy(&value, inputs.map.bytes() + i * 4, 4);
    if (value == -9999) return true;
  }
  return scene.options.elevation_nodata && height_of(inputs.elevation, i) == -9999;
}

template <class T>
oracle::CostGround<T> ground_of(const cases::CostScene& scene, const cases::CostInputs& inputs,
                                const CostProblem& problem) {
  oracle::CostGround<T> ground;
  ground.length = testing::earth_lengths(problem);
  ground.blocked_faces = inputs.blocked_faces;
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    ground.resistance.push_back(scene.has_map ? resistance_of<T>(problem, inputs.map, i) : 1);
    if (!problem.walk) continue;
    ground.elevation.push_back(static_cast<T>(height_of(inputs.elevation, i)));
    if (std::isnan(ground.elevation.back()) || is_nodata(scene, inputs, i))
      ground.resistance.back() = std::numeric_limits<T>::quiet_NaN();
  }
  return ground;
}

template <class T>
std::vector<oracle::CostSite> list_sites(const cases::CostScene& scene,
                                         const cases::CostInputs& inputs,
                                         const CostProblem& problem, const std::vector<T>& map,
                                         std::int64_t& ignored) {
  std::vector<oracle::CostSite> sites;
  const auto add = [&](std::int64_t index, std::int64_t cell) {
    if (cell < 0 || !is_passable(map[static_cast<std::size_t>(cell)])) {
      ++ignored;
      return;
    }
    const double initial =
        inputs.initial.empty() ? 0 : inputs.initial[static_cast<std::size_t>(index)];
    sites.push_back({index, cell, static_cast<T>(initial)});
  };
  if (!scene.points) {
    const auto* cells = reinterpret_cast<const std::int32_t*>(inputs.sites.bytes());
    for (std::int64_t i = 0; i < problem.cells(); ++i)
      if (cells[i] != 0) add(i, i);
    return sites;
  }
  const auto rank = static_cast<std::size_t>(problem.rank);
  for (std::size_t i = 0; i < inputs.point_labels.size(); ++i) {
    Axes cell{};
    bool inside = true;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::size_t own = kAxes - rank + axis;
      cell[own] = static_cast<std::int64_t>(std::floor(inputs.points[i * rank + axis] + 0.5));
      if (problem.periodic[own])
        cell[own] = (cell[own] + problem.extent[own]) % problem.extent[own];
      inside = inside && cell[own] >= 0 && cell[own] < problem.extent[own];
    }
    add(static_cast<std::int64_t>(i), inside ? to_index(problem.extent, cell) : -1);
  }
  return sites;
}

template <class T>
Expected expect(const cases::CostScene& scene, const cases::CostInputs& inputs,
                const CostProblem& problem) {
  Expected expected;
  const oracle::CostGround<T> ground = ground_of<T>(scene, inputs, problem);
  const auto sites = list_sites(scene, inputs, problem, ground.resistance, expected.ignored);
  const oracle::CostResult truth = oracle::cost_distance(problem, ground, sites);
  expected.iterations = oracle::count_iterations(problem, ground, sites);
  for (std::size_t i = 0; i < ground.resistance.size(); ++i) {
    const bool nodata = is_nodata(scene, inputs, static_cast<std::int64_t>(i));
    const std::int64_t site = nodata ? kNodata : truth.site[i];
    std::int32_t label = nodata ? -9999 : -7;
    if (site >= 0 && scene.points) label = inputs.point_labels[static_cast<std::size_t>(site)];
    if (site >= 0 && !scene.points) std::memcpy(&label, inputs.sites.bytes() + site * 4, 4);
    const double cost = nodata ? std::numeric_limits<double>::quiet_NaN() : truth.cost[i];
    append(expected.labels, label);
    append(expected.site_index, site);
    append(expected.distance64, cost);
    append(expected.distance32, static_cast<float>(cost));
    append(expected.back_link, nodata ? kBackLinkNodata : truth.back_link[i]);
  }
  return expected;
}

CostDistanceReport call(Context& context, const cases::CostScene& scene,
                        const cases::CostInputs& inputs, const View<const void>& map,
                        const CostDistanceOptions& options, const CostDistanceOutputs& out) {
  if (scene.points)
    return cost_distance(context, CostMap(map, scene.weight), inputs.list(scene.extents.rank()),
                         options, out, inputs.initial_cost(scene));
  return cost_distance(context, CostMap(map, scene.weight), inputs.sites.view(), options, out,
                       inputs.initial_cost(scene));
}

void check_active(CostMethod method, const CostDistanceReport& report, const Expected& expected) {
  if (method == CostMethod::relaxation)
    EXPECT_EQ(static_cast<std::int64_t>(report.active_cells.size()), expected.iterations);
  else
    EXPECT_TRUE(report.active_cells.empty());
}

void check(const cases::CostScene& scene, const cases::CostInputs& inputs, const Way& way,
           CostDistanceOptions options, const Expected& expected) {
  SCOPED_TRACE(way.device + " " + std::string(name_of(way.method)) + ", threads " +
               std::to_string(way.threads) + ", instructions " + way.instructions + ", layout " +
               std::to_string(static_cast<int>(way.layout)));
  options.method = way.method;
  GuardedArray map(scene.map_type, scene.extents, way.layout);
  if (scene.has_map) map.assign(inputs.map.bytes());
  const View<const void> map_view = scene.has_map ? map.view() : View<const void>();
  GuardedArray elevation(inputs.elevation.element_type(), scene.extents, way.layout);
  if (options.elevation) {
    elevation.assign(inputs.elevation.bytes());
    options.elevation = elevation.view();
  }
  GuardedArray faces(ElementType::u8, scene.extents, way.layout);
  if (options.blocked_faces) {
    faces.assign(reinterpret_cast<const std::byte*>(inputs.blocked_faces.data()));
    options.blocked_faces = faces.view<const std::uint8_t>();
  }
  GuardedArray labels(ElementType::i32, scene.extents, way.layout);
  GuardedArray site_index(ElementType::i64, scene.extents, way.layout);
  GuardedArray distance32(ElementType::f32, scene.extents, way.layout);
  GuardedArray distance64(ElementType::f64, scene.extents, way.layout);
  GuardedArray back_link(ElementType::u8, scene.extents, way.layout);
  Context context({.device = way.device,
                   .threads = way.threads,
                   .instructions = find_instructions(way.instructions)});
  const CostDistanceReport report = call(context, scene, inputs, map_view, options,
                                         {labels.view(), site_index.view<std::int64_t>(),
                                          distance64.view(), back_link.view<std::uint8_t>()});
  EXPECT_EQ(report.ignored_sites, expected.ignored);
  check_active(way.method, report, expected);
  testing::compare("distance (f64)", distance64, expected.distance64);
  testing::compare("site_index", site_index, expected.site_index);
  testing::compare("labels", labels, expected.labels);
  testing::compare("back_link", back_link, expected.back_link);
  call(context, scene, inputs, map_view, options, {.distance = distance32.view()});
  testing::compare("distance (f32)", distance32, expected.distance32);
  EXPECT_TRUE(map.intact());
  EXPECT_TRUE(elevation.intact());
  EXPECT_TRUE(faces.intact());
}

class CostDistance : public ::testing::TestWithParam<cases::CostScene> {};

TEST_P(CostDistance, EqualsTheOracle) {
  const cases::CostScene& scene = GetParam();
  const cases::CostInputs inputs = cases::make_inputs(scene);
  CostDistanceOptions options = inputs.options;
  options.unreached = std::int64_t{-7};
  GuardedArray labels(ElementType::i32, scene.extents, Layout::contiguous);
  const CostDistanceOutputs out{.labels = labels.view()};
  const CostProblem problem =
      scene.points ? make_cost_problem(inputs.map_view(scene), inputs.list(scene.extents.rank()),
                                       options, out)
                   : make_cost_problem(inputs.map_view(scene), inputs.sites.view(), options, out);
  const Expected expected =
      problem.wide ? expect<double>(scene, inputs, problem) : expect<float>(scene, inputs, problem);
  for (const Way& way : all_ways()) {
    const CostMethodEntry& method = find_cost_method(*find_backend(way.device), way.method);
    if (const Support support = method.supports(Context({.device = way.device}).state(), problem);
        !support) {
      EXPECT_TRUE(testing::is_pinned_refusal(way.device, scene.extents.rank(), way.method, options))
          << support.reason;
      continue;
    }
    check(scene, inputs, way, options, expected);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, CostDistance, ::testing::ValuesIn(cases::cost_scenes()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace thiessen
