// SPDX-License-Identifier: Apache-2.0
//
// The refusals of the raster methods and their metrics, and their messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/problem/raster_choice.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

class RasterArguments : public ::testing::Test {
 protected:
  RasterArguments() { sites_.view<std::int32_t>().data()[5] = 3; }

  /// The message of the error, or an empty one.
  std::string run(const NearestSiteOptions& options) { return run(options, sites_); }
  std::string run(const NearestSiteOptions& options, const Raster& sites) {
    Raster labels(sites.element_type(), sites.extents());
    try {
      nearest_site(context_, sites.view(), options, {.labels = labels.view()});
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  std::string run(const NearestSiteOptions& options, double y) {
    const double points[2] = {y, 2};
    Raster labels = Raster::of<std::int32_t>({4, 5});
    try {
      voronoi(context_, {.coordinates = View<const double>(points, {1, 2})},
              Grid{.extents = {4, 5}}, options, {.labels = labels.view()});
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  Context context_;
  Raster sites_ = Raster::of<std::int32_t>({4, 5});
  Raster volume_ = Raster::of<std::int32_t>({2, 3, 4});
};

void expect_words(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos)
      << "'" << message << "' lacks '" << words << "'";
}

TEST_F(RasterArguments, MetricsOfTwoAxesAtOnce) {
  expect_words(run({.method = Method::brute_force, .metric = Metric::octagonal}, volume_),
               "metric = octagonal of a 3-D raster; it exists only in 2-D");
  expect_words(run({.method = Method::chamfer, .metric = Metric::chamfer_3_4, .spacing = {1, 2}}),
               "metric = chamfer-3-4 and a spacing other than 1");
  EXPECT_EQ(run({.method = Method::brute_force, .metric = Metric::octagonal}, 1.0), "");
  expect_words(run({.method = Method::brute_force, .metric = Metric::octagonal}, 1.5),
               "it exists only if all points lie on centres of cells, and points[0] does not");
}

TEST_F(RasterArguments, MethodsThatLackAMetric) {
  expect_words(run({.metric = Metric::octagonal}),
               "method = exact on cpu: has the metrics euclidean, manhattan and chessboard, not "
               "octagonal");
  expect_words(run({.method = Method::jfa, .metric = Metric::chamfer_5_7_11}),
               "not chamfer-5-7-11");
  expect_words(run({.method = Method::brute_force, .metric = Metric::chamfer_3_4}),
               "chamfer-3-4 is a path of steps, for method chamfer only");
}

/// An option is refused by other methods, and out of its range.
TEST_F(RasterArguments, Options) {
  expect_words(run({.raster = {.scan_sites = 5}}),
               "scan_sites is given; it is for method raster-gpu, not for exact");
  expect_words(run({.method = Method::raster_gpu, .raster = {.growth_step = 2}}),
               "growth_step is given; it is for method circle-growing, not for raster-gpu");
  expect_words(run({.method = Method::raster_gpu, .raster = {.scan_sites = -2}}),
               "scan_sites = -2; must be >= -1");
  expect_words(run({.method = Method::circle_growing, .raster = {.growth_step = -1}}),
               "growth_step = -1; must be from 1 to 2^30");
  expect_words(run({.raster = {.labels_carried = true}}),
               "labels_carried is given; it is for methods dilation and expansion, not for exact");
  expect_words(run({.method = Method::raster_gpu, .raster = {.allotment = Allotment::cyclic}}),
               "allotment is given; it is for method brute-force, not for raster-gpu");
  expect_words(run({.method = Method::brute_force, .raster = {.allotment = Allotment::cyclic}}),
               "method = brute-force on cpu: it has no allotment, since its threads take rows");
}

/// Every cell goes to one thread, and no thread has more than its count.
TEST(Allotment, GivesEachCellToOneThread) {
  for (const Allotment allotment : {Allotment::cyclic, Allotment::contiguous})
    for (const std::int64_t threads : {1, 2, 7, 64})
      for (const std::int64_t cells : {0, 1, 6, 7, 8, 63, 64, 65, 1000}) {
        std::vector<std::int64_t> owners(static_cast<std::size_t>(cells), 0);
        for (std::int64_t thread = 0; thread < threads; ++thread) {
          const AllottedCells own = allot(allotment, thread, threads, cells);
          EXPECT_LT(own.count * threads, cells + threads);
          for (std::int64_t turn = 0; turn < own.count; ++turn) {
            const std::int64_t cell = own.first + turn * own.stride;
            if (cell < cells) ++owners[static_cast<std::size_t>(cell)];
          }
        }
        EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), cells)
            << name_of(allotment) << ", " << threads << " threads, " << cells << " cells";
      }
}

}  // namespace
}  // namespace thiessen
