// SPDX-License-Identifier: Apache-2.0
//
// The methods of jump flooding that are papers to the letter, on every device, against programs
// written from the papers' text alone (tests/oracle/papers), on 20 rasters.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/problem/flooding.hpp"
#include "oracle/papers/coeurjolly.hpp"
#include "oracle/papers/czyzewski.hpp"
#include "support/problems/paper_scenes.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::papers::CzyzewskiCase;
using oracle::papers::Place;
using testing::paper_scenes;
using testing::PaperScene;
using testing::PaperSites;

/// Compares what every device with the method says.
void expect_site_index(const PaperSites& sites, const NearestSiteOptions& options,
                       const std::vector<std::int64_t>& expected) {
  SCOPED_TRACE(std::string(name_of(options.method)));
  for (const std::string& device : testing::devices_with(options.method)) {
    Context context({.device = device});
    std::vector<std::int64_t> found(expected.size());
    nearest_site(context, sites.raster.view(), options,
                 {.site_index = View<std::int64_t>(found.data(), sites.raster.extents())});
    EXPECT_EQ(found, expected) << device;
  }
}

TEST(Papers, Coeurjolly) {
  for (const PaperScene& scene : paper_scenes()) {
    SCOPED_TRACE(scene.seed);
    const PaperSites sites = testing::draw(scene);
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
CzyzewskiCase case_of(const PaperScene& scene, const PaperSites& sites) {
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
  for (const PaperScene& scene : paper_scenes()) {
    SCOPED_TRACE(scene.seed);
    const PaperSites sites = testing::draw(scene);
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
