// SPDX-License-Identifier: Apache-2.0
//
// Cost distance on every device, and labels that are carried along, against a program written from
// the text of Toss and Comba's paper alone (tests/oracle/papers), on 20 rasters of each material.
#include <gtest/gtest.h>

#include "oracle/papers/toss_comba.hpp"
#include "support/problems/paper_scenes.hpp"

namespace thiessen {
namespace {

using oracle::papers::TossComba;
using testing::PaperScene;
using testing::PaperSites;

/// What a device says of each cell.
struct FoundCosts {
  std::vector<float> cost;
  std::vector<std::int64_t> site;
  std::size_t iterations = 0;
};

FoundCosts solve_costs(Context& context, const Raster& map, const PaperSites& sites,
                       const CostDistanceOptions& options) {
  const auto cells = static_cast<std::size_t>(map.extents().count());
  FoundCosts found{std::vector<float>(cells), std::vector<std::int64_t>(cells)};
  const CostDistanceReport report =
      cost_distance(context, CostMap::stiffness(map.view()), sites.raster.view(), options,
                    {.site_index = View<std::int64_t>(found.site.data(), map.extents()),
                     .distance = View<float>(found.cost.data(), map.extents())});
  found.iterations = report.active_cells.size();
  return found;
}

/// Every method by steps of every device has the paper's costs, and relaxation its iterations.
void expect_costs(const Raster& map, const PaperSites& sites, const TossComba& paper) {
  for (const DeviceInfo& device : devices())
    for (const CostMethod method : device.cost_methods) {
      if (!device.available || method == CostMethod::eikonal) continue;
      SCOPED_TRACE(device.name + ", " + std::string(name_of(method)));
      Context context({.device = device.name});
      const FoundCosts found = solve_costs(context, map, sites, {.method = method});
      EXPECT_EQ(found.cost, paper.cost);
      if (method != CostMethod::relaxation) continue;
      EXPECT_EQ(found.iterations, static_cast<std::size_t>(paper.iterations));
      if (device.name == "cpu") continue;
      EXPECT_THROW(solve_costs(context, map, sites, {.method = method, .labels_carried = true}),
                   Error);
    }
}

TEST(Papers, TossAndComba) {
  int differing = 0;
  for (const Material material :
       {Material::uniform, Material::gradient, Material::noise, Material::maze})
    for (const PaperScene& scene : testing::paper_scenes()) {
      SCOPED_TRACE(std::string(name_of(material)) + ", " + std::to_string(scene.seed));
      const PaperSites sites = testing::draw(scene);
      Raster map = Raster::of<float>({scene.rows, scene.columns});
      Context context({.device = "cpu", .threads = 3});
      material_map(context, map.view(), material, scene.seed);
      const float* const stiffness = map.view<float>().data();
      const TossComba paper = oracle::papers::toss_comba(
          scene.rows, scene.columns, {stiffness, stiffness + map.extents().count()}, sites.cells);
      expect_costs(map, sites, paper);
      const std::vector<std::int64_t> vor(paper.vor.begin(), paper.vor.end());
      const CostDistanceOptions options{.method = CostMethod::relaxation, .labels_carried = true};
      const FoundCosts found = solve_costs(context, map, sites, options);
      EXPECT_EQ(found.cost, paper.cost);
      EXPECT_EQ(found.site, vor);
      EXPECT_EQ(found.iterations, static_cast<std::size_t>(paper.iterations));
      differing += solve_costs(context, map, sites, {}).site != vor ? 1 : 0;
    }
  EXPECT_GT(differing, 5) << "labels carried along hardly ever differ from settled ones";
}

}  // namespace
}  // namespace thiessen
