// SPDX-License-Identifier: Apache-2.0
//
// The methods of jump flooding that are papers to the letter, on every device, against programs
// written from the papers' text alone (tests/oracle/papers), on 20 rasters.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "backend/backend.hpp"
#include "core/flooding.hpp"
#include "oracle/papers/coeurjolly.hpp"
#include "oracle/papers/czyzewski.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::papers::CzyzewskiCase;
using oracle::papers::Place;

/// A raster with random sites; in every other one, cell 0 is a site.
struct Scene {
  int rows;
  int columns;
  std::int64_t count;
  std::uint64_t seed;
};

std::vector<Scene> scenes() {
  return {{1, 1, 0, 0},     {1, 1, 1, 1},     {1, 2, 1, 2},      {3, 2, 2, 3},
          {5, 5, 3, 4},     {1, 40, 3, 5},    {37, 1, 5, 6},     {16, 16, 8, 7},
          {17, 31, 1, 8},   {17, 31, 40, 9},  {23, 64, 9, 10},   {64, 64, 0, 11},
          {64, 65, 64, 12}, {50, 81, 70, 13}, {72, 72, 2, 14},   {72, 72, 4, 15},
          {72, 72, 5, 16},  {72, 72, 17, 17}, {90, 128, 20, 18}, {100, 99, 990, 19}};
}

struct Sites {
  Raster raster;
  std::vector<int> cells;
};

Sites draw(const Scene& scene) {
  Sites sites{Raster::of<std::int32_t>({scene.rows, scene.columns}), {}};
  Context context;
  random_sites(context, sites.raster.view(), scene.count, scene.seed);
  std::int32_t* const label = sites.raster.view<std::int32_t>().data();
  if (scene.seed % 2 == 1) label[0] = 1;
  for (int i = 0; i < scene.rows * scene.columns; ++i)
    if (label[i] != 0) sites.cells.push_back(i);
  return sites;
}

/// Compares what every device with the method says.
void expect_site_index(const Sites& sites, const NearestSiteOptions& options,
                       const std::vector<std::int64_t>& expected) {
  SCOPED_TRACE(std::string(name_of(options.method)));
  for (const DeviceInfo& device : devices()) {
    const auto has =
        std::any_of(device.methods.begin(), device.methods.end(),
                    [&](const MethodInfo& each) { return each.method == options.method; });
    if (!device.available || !has) continue;
    Context context({.device = device.name});
    std::vector<std::int64_t> found(expected.size());
    nearest_site(context, sites.raster.view(), options,
                 {.site_index = View<std::int64_t>(found.data(), sites.raster.extents())});
    EXPECT_EQ(found, expected) << device.name;
  }
}

TEST(Papers, Coeurjolly) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.seed);
    const Sites sites = draw(scene);
    for (const bool literal : {false, true}) {
      const std::vector<int> states =
          oracle::papers::coeurjolly(scene.columns, scene.rows, sites.cells, literal);
      std::vector<std::int64_t> expected(states.begin(), states.end());
      std::replace(expected.begin(), expected.end(), std::int64_t{scene.rows} * scene.columns,
                   kUnreached);
      for (const Method method : {Method::jfa_coeurjolly, Method::jfa_thrust})
        expect_site_index(sites, {.method = method, .flooding = {.literal = literal}}, expected);
    }
  }
}

/// His raster, with the random numbers of ours.
CzyzewskiCase case_of(const Scene& scene, const Sites& sites) {
  CzyzewskiCase input{
      .rows = scene.rows, .columns = scene.columns, .sites = {}, .noise = {}, .circle = {}};
  for (const int cell : sites.cells)
    input.sites.push_back({cell / scene.columns, cell % scene.columns});
  const auto count = static_cast<std::int64_t>(sites.cells.size());
  input.noise = [seed = scene.seed, count](int cell) {
    return count == 0 ? -1 : static_cast<int>(noise_rank(seed, cell, count));
  };
  input.circle = [columns = scene.columns, seed = scene.seed, directions = flooding_directions()](
                     int pass, int cell, int step, int point) {
    const int direction = random_direction(circle_seed(seed, pass), cell, 12, point);
    const UnitVector& unit = directions[static_cast<std::size_t>(direction)];
    return Place{cell / columns + static_cast<int>(along_direction(step, unit.y)),
                 cell % columns + static_cast<int>(along_direction(step, unit.x))};
  };
  return input;
}

TEST(Papers, Czyzewski) {
  constexpr std::pair<Method, const char*> kMethods[] = {{Method::jfa_one_paper, "JFA+1"},
                                                         {Method::jfa_plus_paper, "JFA+"},
                                                         {Method::jfa_star_paper, "JFA*+1"},
                                                         {Method::jfa_star_one_paper, "JFA*, +1"}};
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.seed);
    const Sites sites = draw(scene);
    const CzyzewskiCase input = case_of(scene, sites);
    for (const auto& [method, name] : kMethods) {
      std::vector<std::int64_t> expected;
      for (const int label : oracle::papers::czyzewski(input, name))
        expected.push_back(label == 0 ? kUnreached
                                      : sites.cells[static_cast<std::size_t>(label - 1)]);
      expect_site_index(sites, {.method = method, .flooding = {.seed = scene.seed}}, expected);
    }
  }
}

}  // namespace
}  // namespace thiessen
