// SPDX-License-Identifier: Apache-2.0
//
// What each operation refuses through the C API, beyond what its tables refuse.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/c/call.hpp"
#include "support/c/rasters.hpp"

namespace thiessen {
namespace {

using testing::CCall;
using testing::CContext;
using testing::kCells;
using testing::kColumns;
using testing::kRows;
using testing::list_view;

class CRefusals : public testing::CRasters {
 protected:
  /// A slab that is given the whole raster.
  CCall& with_map_of_slab(CCall& call) const {
    return call.input("cost", stiffness())
        .input("sites", sites())
        .integers("shape", {kRows, kColumns});
  }
};

/// A spoiled call of an operation, and the words of its refusal.
struct Refusal {
  const char* operation;
  const char* words;
  std::function<void(CCall&)> spoil;
};

void expect_refusals(const CContext& context, const std::vector<Refusal>& refusals) {
  for (const Refusal& each : refusals) {
    CCall call(each.operation);
    each.spoil(call);
    const std::string refusal = call.refusal(context);
    EXPECT_NE(refusal.find(each.words), std::string::npos)
        << each.operation << ": \"" << refusal << "\" lacks \"" << each.words << '"';
  }
}

TEST_F(CRefusals, SayWhatIsWrongOfSites) {
  const auto with_sites = [this](CCall& call) -> CCall& {
    return call.input("sites", sites()).want("labels");
  };
  expect_refusals(
      c_,
      {{"nearest_site", "sites is missing", [](CCall& call) { call.want("labels"); }},
       {"nearest_site", "zero_is_site",
        [&](CCall& call) { with_sites(call).flag("zero_is_site").integers("values", {1}); }},
       {"nearest_site", "needs earth",
        [&](CCall& call) { with_sites(call).text("metric", "great-circle"); }},
       {"nearest_site", "earth.latitude has 3 values; must have one for each of 9",
        [&](CCall& call) {
          with_sites(call).text("metric", "ellipsoidal").numbers("latitude", {1, 2, 3});
        }},
       {"nearest_site", "nodata_label",
        [&](CCall& call) { with_sites(call).input("domain", regions()); }},
       {"nearest_site", "domain is f32; must be of integers or bool",
        [&](CCall& call) { with_sites(call).input("domain", stiffness()); }},
       {"nearest_site", "growth_step",
        [&](CCall& call) { with_sites(call).integer("growth_step", 2); }},
       {"nearest_site", "allotment",
        [&](CCall& call) { with_sites(call).text("allotment", "contiguous"); }},
       {"nearest_site", "labels_carried",
        [&](CCall& call) { with_sites(call).flag("labels_carried"); }},
       {"nearest_site", "seed", [&](CCall& call) { with_sites(call).integer("seed", 3); }},
       {"nearest_site", "step_rule",
        [&](CCall& call) {
          with_sites(call)
              .text("method", "jfa")
              .integers("steps", {2, 1})
              .text("step_rule", "half");
        }},
       {"nearest_site", "literal",
        [&](CCall& call) { with_sites(call).text("method", "jfa").flag("literal"); }},
       {"nearest_site", "jfa-thrust",
        [&](CCall& call) { with_sites(call).text("method", "jfa-thrust"); }},
       {"nearest_site", "nodata = 300",
        [&](CCall& call) { with_sites(call).integer("nodata", 300); }},
       {"nearest_site", "spacing",
        [&](CCall& call) {
          with_sites(call).numbers("spacing", {1, 2, 3});
        }},
       {"voronoi", "shape", [&](CCall& call) { call.input("points", points()).want("labels"); }},
       {"voronoi", "points",
        [](CCall& call) {
          call.integers("shape", {2, 2}).want("labels");
        }},
       {"coverage_distance", "coverage[0, ",
        [&](CCall& call) { call.input("coverage", stiffness()).want("distance"); }}});
}

TEST_F(CRefusals, SayWhatIsWrongOfCosts) {
  std::vector<float> negative(kCells, 1);
  negative[2] = -1;
  const auto with_map = [this](CCall& call) -> CCall& {
    return call.input("sites", sites()).input("stiffness", stiffness()).want("labels");
  };
  expect_refusals(
      c_,
      {{"cost_distance", "sites is missing; must be one of sites, points",
        [&](CCall& call) { call.input("cost", stiffness()); }},
       {"cost_distance", "points is one too many; must be one of sites, points",
        [&](CCall& call) { with_map(call).input("points", points()); }},
       {"cost_distance", "stiffness is given beside cost",
        [&](CCall& call) { with_map(call).input("cost", stiffness()); }},
       {"cost_distance", "stiffness[0, 2] = -1",
        [&](CCall& call) {
          with_map(call).input("stiffness", View<const float>(negative.data(), extents()));
        }},
       {"cost_distance", "must be corners, faces or knights in 2-D",
        [&](CCall& call) { with_map(call).text("connectivity", "edges"); }},
       {"cost_distance", "connectivity = 26; must be a number of neighbours",
        [&](CCall& call) { with_map(call).integer("connectivity", 26); }},
       {"cost_distance", "labels_carried",
        [&](CCall& call) { with_map(call).flag("labels_carried"); }},
       {"cost_table", "origins is missing; must be one of origins, origin_points", [](CCall&) {}},
       {"cost_table", "map is missing; must be given, or an elevation",
        [&](CCall& call) { call.input("origins", sites()).input("destinations", sites()); }},
       {"least_cost_network", "points is one too many; must be one of sites, points",
        [&](CCall& call) { call.input("sites", sites()).input("points", points()); }},
       {"corridor", "inside is wanted; needs within or within_percent",
        [&](CCall& call) {
          call.input("cost", stiffness()).input("first", sites()).input("second", sites());
          call.want("inside");
        }},
       {"relax_cost_sites", "map is missing; must be one of cost, stiffness", [](CCall&) {}},
       {"material_map", "map", [](CCall&) {}},
       {"least_cost_path", "back_link is missing", [](CCall&) {}},
       {"begin_cost_slab", "map is missing; must be one of cost, stiffness", [](CCall&) {}},
       {"begin_cost_slab", "own are the rows 7 to 11; must lie in the raster",
        [&](CCall& call) { with_map_of_slab(call).integer("first", 7).integer("count", 4); }},
       {"begin_cost_slab", "cost has other extents",
        [&](CCall& call) { with_map_of_slab(call).integer("first", 3).integer("count", 2); }}});
}

TEST_F(CRefusals, SayWhatIsWrongOfTheRest) {
  const std::vector<std::uint8_t> nonsense(9, 1);
  expect_refusals(
      c_, {{"site_statistics", "labels is missing", [](CCall&) {}},
           {"site_statistics", "distance is u8; must be f32 or f64",
            [&](CCall& call) { call.input("labels", regions()).input("distance", sites()); }},
           {"adjacency", "connectivity",
            [&](CCall& call) { call.input("labels", regions()).integer("connectivity", 16); }},
           {"region_polygons", "labels is missing", [](CCall&) {}},
           {"voronoi_borders", "extents", [&](CCall& call) { call.input("points", points()); }},
           {"contour_lines", "levels", [&](CCall& call) { call.input("distance", distance()); }},
           {"compare", "labels, site_index and distance are missing", [](CCall&) {}},
           {"compare", "distance_b", [&](CCall& call) { call.input("distance_a", distance()); }},
           {"random_sites", "count",
            [](CCall& call) {
              call.integers("shape", {2, 2}).integer("count", 5).want("sites");
            }},
           {"random_sites", "shape differs from the extents of sites",
            [&](CCall& call) {
              call.output("sites", View<std::uint8_t>(sites_.data(), extents()));
              call.integers("shape", {2, 2});
            }},
           {"render", "labels",
            [](CCall& call) {
              call.integers("shape", {2, 2}).want("pixels");
            }},
           {"relax_sites", "axes", [&](CCall& call) { call.input("points", points()); }},
           {"summarise_slab", "slab begins at 3 and has 9 rows or planes",
            [&](CCall& call) {
              call.input("sites", sites()).integers("shape", {kRows, kColumns}).integer("first", 3);
            }},
           {"finish_slab", "neighbours has bytes that no function of slabs gave",
            [&](CCall& call) {
              call.input("sites", sites()).integers("shape", {kRows, kColumns});
              call.input("neighbours", list_view(nonsense));
            }},
           {"update_box", "runs on a solver, and not on a context", [](CCall&) {}},
           {"region_statistics", "makes a solver, and does not run", [](CCall&) {}}});
}

}  // namespace
}  // namespace thiessen
