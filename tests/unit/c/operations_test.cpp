// SPDX-License-Identifier: Apache-2.0
//
// Each operation through the C API, against the C++ function: the same bits, types and extents.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "operations/tables/sites/making_sites.hpp"
#include "operations/tables/sites/placing.hpp"
#include "support/c/call.hpp"
#include "support/c/rasters.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::CCall;
using testing::CContext;
using testing::kCells;
using testing::kColumns;
using testing::kRows;
using testing::list_view;

using COperations = testing::CRasters;

TEST_F(COperations, NearestSite) {
  CCall call("nearest_site");
  call.input("sites", sites()).numbers("spacing", {2, 1.5}).number("max_distance", 4.5);
  for (const char* name : {"labels", "site_index", "distance", "offset", "direction",
                           "other_labels", "other_site_index", "other_distance", "ties"})
    call.want(name);
  call.run(c_);
  NearestSite expected = nearest_site(sites(), {.spacing = {2, 1.5}, .max_distance = 4.5},
                                      {.site_index = true,
                                       .offset = true,
                                       .direction = true,
                                       .other_labels = true,
                                       .other_site_index = true,
                                       .other_distance = true,
                                       .ties = true});
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, NearestSiteIntoMemoryOfTheCaller) {
  std::vector<double> distances(kCells * 2, -7);
  const View<double> every_second(distances.data(), extents(), {-16 * kColumns, 16});
  const View<double> reversed(distances.data() + (kRows - 1) * kColumns * 2, extents(),
                              every_second.strides());
  CCall call("nearest_site");
  call.input("sites", sites()).output("distance", reversed).text("metric", "manhattan");
  call.run(c_);
  const NearestSite expected = nearest_site(sites(), {.metric = Metric::manhattan});
  EXPECT_EQ(reversed(0, 0), expected.distance.view<float>()(0, 0));
  EXPECT_EQ(reversed(8, 11), expected.distance.view<float>()(8, 11));
  EXPECT_EQ(distances[1], -7);
}

TEST_F(COperations, NearestSiteByEachKindOfOption) {
  CCall call("nearest_site");
  call.input("sites", sites())
      .integers("values", {1, 3})
      .integers("periodic", {0, 1})
      .text("distance_type", "f64")
      .integer("k", 2)
      .flag("distinct_labels")
      .integer("unreached", 9)
      .want("labels")
      .want("distance")
      .want("squared");
  call.run(c_);
  NearestSite expected = nearest_site(sites(),
                                      {.periodic = {false, true},
                                       .values = {std::int64_t{1}, std::int64_t{3}},
                                       .unreached = std::int64_t{9},
                                       .k = 2,
                                       .distinct_labels = true,
                                       .distance_type = FloatType::f64},
                                      {.squared = true});
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, NearestSiteByJumpFlooding) {
  CCall call("nearest_site");
  call.input("sites", sites())
      .text("method", "jfa")
      .text("pattern", "circle:5")
      .text("noise", "mask")
      .integers("steps", {8, 4, 2, 1})
      .want("site_index");
  EXPECT_EQ(thiessen_set_unsigned(call.get(), "seed", 1ULL << 63), THIESSEN_OK);
  call.run(c_);
  NearestSite expected = nearest_site(sites(),
                                      {.method = Method::jfa,
                                       .flooding = {.steps = {8, 4, 2, 1},
                                                    .pattern = find_pattern("circle:5"),
                                                    .noise = Noise::mask,
                                                    .seed = 1ULL << 63}},
                                      {.labels = false, .site_index = true, .distance = false});
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, NearestSiteInADomain) {
  CCall call("nearest_site");
  call.input("sites", sites()).input("domain", regions()).integer("nodata_label", 5);
  call.want("labels").want("site_index").run(c_);
  NearestSite expected = nearest_site(sites(), {.nodata_label = std::int64_t{5}},
                                      {.site_index = true, .distance = false}, regions());
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, NearestSiteOfABatch) {
  const View<const std::uint8_t> batch(sites_.data(), {3, 3, 12});
  CCall call("nearest_site_batch");
  call.input("sites", batch).want("labels").want("offset").run(c_);
  std::vector<std::uint8_t> labels(kCells);
  std::vector<std::int32_t> offset(kCells * 2);
  const NearestSiteOutputs expected{.labels = View<std::uint8_t>(labels.data(), batch.extents()),
                                    .offset = View<std::int32_t>(offset.data(), {2, 3, 3, 12})};
  nearest_site_batch(context_, batch, {}, expected);
  call.expect_outputs(expected);
}

TEST_F(COperations, NearestSiteOnTheEarth) {
  std::vector<double> latitude, longitude;
  for (int row = 0; row < kRows; ++row) latitude.push_back(60 - row);
  for (int column = 0; column < kColumns; ++column) longitude.push_back(column * 0.5);
  CCall call("nearest_site");
  call.input("sites", sites())
      .text("metric", "ellipsoidal")
      .numbers("latitude", latitude)
      .numbers("longitude", longitude)
      .number("flattening", 0.001)
      .want("distance");
  call.run(c_);
  NearestSite expected = nearest_site(
      sites(), {.metric = Metric::ellipsoidal,
                .earth = Earth{.latitude = latitude, .longitude = longitude, .flattening = 0.001}});
  call.expect_same("distance", expected.distance.view());
}

TEST_F(COperations, Voronoi) {
  const std::vector<std::int16_t> labels = {-5, 6, 7, 8};
  CCall call("voronoi");
  call.input("points", points()).input("point_labels", list_view(labels));
  call.integers("shape", {kRows, kColumns}).want("labels").want("site_index").want("distance");
  call.run(c_);
  NearestSite expected = voronoi({.coordinates = points(), .labels = list_view(labels)},
                                 {.extents = extents()}, {}, {.site_index = true});
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, CostDistance) {
  for (const char* const map : {"cost", "stiffness"}) {
    CCall call("cost_distance");
    call.input(map, stiffness()).input("sites", sites()).integer("connectivity", 4);
    for (const char* name : {"labels", "site_index", "distance", "back_link", "other_labels"})
      call.want(name);
    call.run(c_);
    const EdgeWeight weight = std::string(map) == "cost" ? EdgeWeight::cost : EdgeWeight::stiffness;
    CostDistance expected =
        cost_distance({stiffness(), weight}, sites(), {.connectivity = Connectivity::faces},
                      {.site_index = true, .back_link = true, .other_labels = true});
    call.expect_outputs(expected.outputs());
    call.expect_results(expected.report);
    CCall path("least_cost_path");
    path.input("back_link", expected.back_link.view()).integer("connectivity", 4);
    path.integers("from", {8, 11}).run(c_);
    path.expect_results(LeastCostPathResults{
        least_cost_path(expected.back_link.view(), Connectivity::faces, {8, 11})});
  }
}

TEST_F(COperations, CostDistanceOfPointsAndWalks) {
  const std::vector<float> start = {0, 1, 2, 0.5F};
  CCall call("cost_distance");
  call.input("elevation", stiffness()).input("points", points());
  call.input("initial_cost", list_view(start)).text("walk", "langmuir");
  call.numbers("walk_coefficients", {0.7, 5, 2, -2}).want("labels").want("distance").run(c_);
  CostDistance expected = cost_distance(CostMap(), PointList{.coordinates = points()},
                                        {.elevation = stiffness(),
                                         .walk = Walk::langmuir,
                                         .walk_coefficients = std::array<double, 4>{0.7, 5, 2, -2}},
                                        {}, list_view(start));
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, TablesNetworksAndCorridors) {
  const CostMap map = CostMap::stiffness(stiffness());
  const std::vector<std::int64_t> pairs = {2, 0, 0, 3};
  const View<const std::int64_t> some(pairs.data(), {2, 2});
  CCall table("cost_table");
  table.input("stiffness", stiffness()).input("origins", sites());
  table.input("destination_points", points()).input("pairs", some).flag("paths").run(c_);
  table.expect_results(cost_table(map, sites(), PointList{.coordinates = points()}, {},
                                  {.pairs = some, .paths = true}));

  CCall network("least_cost_network");
  network.input("stiffness", stiffness()).input("points", points()).integer("connectivity", 4);
  network.run(c_);
  network.expect_results(least_cost_network(map, PointList{.coordinates = points()},
                                            {.connectivity = Connectivity::faces}));

  CCall call("corridor");
  call.input("stiffness", stiffness()).input("first", sites()).input("second_points", points());
  call.number("within_percent", 10).want("excess_cost").want("inside").run(c_);
  Array<float> excess_cost(extents());
  Array<std::uint8_t> inside(extents());
  const CorridorOutputs out{.excess_cost = excess_cost.view(), .inside = inside.view()};
  call.expect_results(corridor(context_, map, sites(), PointList{.coordinates = points()}, {},
                               {.within_percent = 10}, out));
  call.expect_outputs(out);
}

TEST_F(COperations, CostDistanceWithBlockedFaces) {
  std::vector<std::uint8_t> faces(kCells);
  for (std::size_t cell = 0; cell < faces.size(); cell += 3) faces[cell] = 1 + cell % 2;
  const View<const std::uint8_t> blocked(faces.data(), extents());
  CCall call("cost_distance");
  call.input("stiffness", stiffness()).input("sites", sites()).input("blocked_faces", blocked);
  call.want("labels").want("distance").run(c_);
  CostDistance expected =
      cost_distance({stiffness(), EdgeWeight::stiffness}, sites(), {.blocked_faces = blocked});
  call.expect_outputs(expected.outputs());
}

TEST_F(COperations, CoverageDistance) {
  CCall call("coverage_distance");
  call.input("coverage", sites()).number("max_distance", 5).want("distance").run(c_);
  call.expect_same("distance", coverage_distance(sites(), {.max_distance = 5}).view());
}

TEST_F(COperations, StatisticsOfRegions) {
  CCall call("site_statistics");
  call.input("labels", regions()).input("field", stiffness()).input("distance", distance());
  call.numbers("spacing", {2, 3}).integer("nodata", 2).text("background", "none").run(c_);
  call.expect_results(
      site_statistics(regions(), {.field = stiffness(), .distance = distance()},
                      {.spacing = {2, 3}, .background = std::nullopt, .nodata = std::int64_t{2}}));
  EXPECT_EQ(call.get("centroid").rank, 2);
  EXPECT_EQ(call.get("second_moments").rank, 3);
  CCall bare("site_statistics");
  bare.input("labels", regions()).run(c_);
  bare.expect_results(site_statistics(regions()));
  EXPECT_EQ(bare.get("mass").extents[0], 0);
  CCall pairs("adjacency");
  pairs.input("labels", regions()).integer("connectivity", 8).run(c_);
  pairs.expect_results(adjacency(regions(), {.connectivity = Connectivity::corners}));
}

TEST_F(COperations, PolygonsBordersAndLines) {
  CCall polygons("region_polygons");
  polygons.input("labels", regions()).run(c_);
  polygons.expect_results(region_polygons(regions()));
  CCall borders("region_borders");
  borders.input("labels", regions()).input("distance", distance()).run(c_);
  borders.expect_results(region_borders(regions(), distance()));
  CCall cells("voronoi_polygons");
  cells.input("points", points()).integers("shape", {kRows, kColumns}).run(c_);
  cells.expect_results(voronoi_polygons({.coordinates = points()}, extents()));
  CCall edges("voronoi_borders");
  edges.input("points", points()).integers("shape", {kRows, kColumns}).numbers("spacing", {1, 2});
  edges.run(c_);
  edges.expect_results(voronoi_borders({.coordinates = points()}, extents(), {.spacing = {1, 2}}));
  CCall lines("contour_lines");
  lines.input("distance", distance()).numbers("levels", {1.5, 0.5}).run(c_);
  lines.expect_results(contour_lines(distance(), {.levels = {1.5, 0.5}}));
}

TEST_F(COperations, Comparison) {
  std::vector<float> other = distance_;
  other[17] += 1;
  CCall call("compare");
  call.input("distance_a", distance())
      .input("distance_b", View<const float>(other.data(), extents()));
  call.number("tolerance", 0.5).run(c_);
  call.expect_results(
      compare({.distance_a = distance(), .distance_b = View<const float>(other.data(), extents())},
              {.tolerance = 0.5}));
  EXPECT_EQ(call.list<std::int64_t>("first_cell"), (std::vector<std::int64_t>{1, 5}));
}

TEST_F(COperations, Pictures) {
  CCall call("render");
  call.input("labels", regions()).input("sites", sites()).integers("shape", {30, 40, 4});
  call.text("edge_colour", "FF8800").text("background", "102030").number("opacity", 0.5);
  call.want("pixels").run(c_);
  const Array<std::uint8_t> expected =
      render({.labels = regions(), .sites = sites()},
             {.edge_colour = Colour{255, 136, 0}, .background = {16, 32, 48}, .opacity = 0.5},
             {30, 40, 4});
  call.expect_same("pixels", expected.view());
  CCall distances("render");
  distances.input("distance", distance()).text("ramp", "viridis").text("ramp_scale", "sqrt");
  distances.numbers("range", {0, 3}).flag("contours").want("pixels").run(c_);
  distances.expect_same("pixels",
                        render({.distance = distance()}, {.contours = true,
                                                          .ramp = Ramp::viridis,
                                                          .ramp_scale = RampScale::sqrt,
                                                          .range = std::array<double, 2>{0, 3}})
                            .view());
}

TEST_F(COperations, SitesAndMaps) {
  CCall components("connected_components");
  components.input("image", regions()).text("connectivity", "faces").want("labels").run(c_);
  const Components areas = connected_components(regions(), {.connectivity = Connectivity::faces});
  components.expect_same("labels", areas.labels.view());
  components.expect_results(ComponentsResults{areas.count});
  CCall drawn("random_sites");
  drawn.integers("shape", {kRows, kColumns}).integer("count", 9).integer("seed", 4);
  drawn.want("sites").run(c_);
  drawn.expect_same("sites", random_sites(extents(), 9, 4).view());
  CCall map("material_map");
  map.integers("shape", {kRows, kColumns}).text("material", "noise").integer("seed", 4);
  map.want("map").run(c_);
  map.expect_same("map", material_map(extents(), Material::noise, 4).view());
}

TEST_F(COperations, PlacingOfPoints) {
  CCall relaxed("relax_sites");
  relaxed.input("points", points()).input("density", stiffness());
  relaxed.integers("shape", {kRows, kColumns}).integer("steps", 3).integers("periodic", {1, 0});
  relaxed.run(c_);
  const RelaxedPoints points_then =
      relax_sites(context_, points(), {.extents = extents()},
                  {.steps = 3, .periodic = {true, false}}, stiffness());
  relaxed.expect_results(RelaxResults{
      .rank = 2, .coordinates = points_then.coordinates, .relaxation = points_then.relaxation});
  CCall farthest("farthest_sites");
  farthest.input("points", points()).integers("shape", {kRows, kColumns}).integer("count", 4);
  farthest.run(c_);
  farthest.expect_results(farthest_sites(context_, {.extents = extents()}, {.count = 4}, points()));
}

TEST_F(COperations, PlacingByCosts) {
  const std::vector<std::int64_t> cells = {3, 50, 90};
  CCall relaxed("relax_cost_sites");
  relaxed.input("cost", stiffness()).input("cells", list_view(cells)).integer("steps", 2);
  relaxed.run(c_);
  const RelaxedCells cells_then =
      relax_cost_sites(context_, CostMap::cost(stiffness()), cells, {}, {.steps = 2});
  relaxed.expect_results(
      RelaxResults{.cells = cells_then.cells, .relaxation = cells_then.relaxation});
  CCall farthest("farthest_cost_sites");
  farthest.input("stiffness", stiffness()).input("cells", list_view(cells)).integer("count", 3);
  farthest.run(c_);
  farthest.expect_results(
      farthest_cost_sites(context_, CostMap::stiffness(stiffness()), {}, {.count = 3}, cells));
}

TEST_F(COperations, ComponentsNeedCellsOfTheirOwn) {
  alignas(8) std::array<std::byte, kCells * 4 + 1> memory{};
  CCall call("connected_components");
  call.input("image", regions());
  call.output("labels", View<void>(memory.data() + 1, ElementType::i32, extents()));
  EXPECT_NE(call.refusal(c_).find("not aligned"), std::string::npos) << thiessen_last_error();
  call.output("labels", View<std::uint8_t>(regions_.data(), extents()));
  EXPECT_NE(call.refusal(c_).find("labels"), std::string::npos) << thiessen_last_error();
  std::vector<std::int32_t> image(kCells, 1);
  call.input("image", View<const std::int32_t>(image.data(), extents()));
  call.output("labels", View<std::int32_t>(image.data(), extents()));
  EXPECT_NE(call.refusal(c_).find("overlap"), std::string::npos) << thiessen_last_error();
}

}  // namespace
}  // namespace thiessen
