// SPDX-License-Identifier: Apache-2.0
//
// The raster methods, those that are the paper of Tu and Wang to the letter among them, on every
// device, against a program written from its text alone (tests/oracle/papers), on 20 rasters.
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "cpu/simd/instruction_sets.hpp"
#include "oracle/papers/tu_wang.hpp"
#include "support/problems/paper_scenes.hpp"

namespace thiessen {
namespace {

using oracle::papers::TuWangCell;
using testing::PaperScene;
using testing::PaperSites;

/// A method of the paper, and ours.
struct PaperMethod {
  const char* name;
  NearestSiteOptions options;
};

std::vector<PaperMethod> paper_methods() {
  return {{"scan", {.method = Method::brute_force}},
          {"scan", {.method = Method::raster_gpu}},
          {"distance transform", {.method = Method::chamfer}},
          {"circles", {.method = Method::circle_growing}},
          {"dilation", {.method = Method::dilation, .raster = {.labels_carried = true}}},
          {"expansion", {.method = Method::expansion, .raster = {.labels_carried = true}}}};
}

constexpr std::pair<Metric, const char*> kPaperMetrics[] = {{Metric::manhattan, "city-block"},
                                                            {Metric::octagonal, "octagonal"},
                                                            {Metric::chessboard, "chessboard"}};

/// What a device says of each cell: distance and site.
std::vector<TuWangCell> solve_paper(Context& context, const PaperSites& sites,
                                    const NearestSiteOptions& options) {
  const Extents& extents = sites.raster.extents();
  std::vector<std::int64_t> index(static_cast<std::size_t>(extents.count()));
  std::vector<double> distance(index.size());
  nearest_site(context, sites.raster.view(), options,
               {.site_index = View<std::int64_t>(index.data(), extents),
                .distance = View<double>(distance.data(), extents)});
  std::vector<TuWangCell> found;
  for (std::size_t i = 0; i < index.size(); ++i)
    found.emplace_back(index[i] < 0 ? 1 << 30 : static_cast<int>(distance[i]),
                       static_cast<int>(index[i]));
  return found;
}

TEST(Papers, TuAndWang) {
  int differing = 0;
  for (const PaperScene& scene : testing::paper_scenes()) {
    const PaperSites sites = testing::draw(scene);
    for (const auto& [metric, distance] : kPaperMetrics)
      for (auto [name, options] : paper_methods()) {
        SCOPED_TRACE(std::to_string(scene.seed) + ", " + name + ", " + distance);
        const std::vector<TuWangCell> expected =
            oracle::papers::tu_wang({scene.rows, scene.columns, sites.cells, distance}, name);
        options.metric = metric;
        for (const std::string& device : testing::devices_with(options.method)) {
          SCOPED_TRACE(device);
          Context context({.device = device});
          if (options.raster.labels_carried && device != "cpu") {
            EXPECT_THROW(solve_paper(context, sites, options), Error);
            continue;
          }
          EXPECT_EQ(solve_paper(context, sites, options), expected);
        }
        if (!options.raster.labels_carried) continue;
        Context context({.device = "cpu", .threads = 3});
        options.raster = {};
        differing += solve_paper(context, sites, options) != expected ? 1 : 0;
      }
  }
  EXPECT_GT(differing, 5) << "labels carried along hardly ever differ from settled ones";
}

/// Which of the ways to a cell the two passes keep does not depend on the width of vectors, nor on
/// that of S.
TEST(Papers, TwoPassesOfOctagonalDistanceHaveTheSameBits) {
  const NearestSiteOptions options{.method = Method::chamfer, .metric = Metric::octagonal};
  for (const PaperScene& scene : testing::paper_scenes()) {
    SCOPED_TRACE(scene.seed);
    const PaperSites sites = testing::draw(scene);
    const std::vector<TuWangCell> expected = oracle::papers::tu_wang(
        {scene.rows, scene.columns, sites.cells, "octagonal"}, "distance transform");
    for (const std::string_view set : cpu::instruction_set_names()) {
      Context context({.device = "cpu", .instructions = find_instructions(set)});
      EXPECT_EQ(solve_paper(context, sites, options), expected) << set;
    }
  }
  PaperSites sites{Raster::of<std::int32_t>({3, 100003}), {}};
  Context context({.device = "cpu"});
  random_sites(context, sites.raster.view(), 40000, 3);
  for (int i = 0; i < 3 * 100003; ++i)
    if (sites.raster.view<std::int32_t>().data()[i] != 0) sites.cells.push_back(i);
  EXPECT_EQ(solve_paper(context, sites, options),
            oracle::papers::tu_wang({3, 100003, sites.cells, "octagonal"}, "distance transform"));
}

}  // namespace
}  // namespace thiessen
