// SPDX-License-Identifier: Apache-2.0
//
// The raster methods where only labels and distances in f32 are wanted, which kernels write, by
// every instruction set; and what must not change their results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "core/measure.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr const char* kMethods[] = {"brute-force",    "raster-gpu", "chamfer",
                                    "circle-growing", "dilation",   "expansion"};

struct Answer {
  explicit Answer(const Extents& extents)
      : labels(static_cast<std::size_t>(extents.count())), distance(labels.size()) {}

  std::vector<std::int32_t> labels;
  std::vector<float> distance;
};

void expect_equal(const Answer& a, const Answer& b) {
  const auto label = std::mismatch(a.labels.begin(), a.labels.end(), b.labels.begin());
  ASSERT_EQ(label.first, a.labels.end()) << "label of cell " << label.first - a.labels.begin();
  const auto far = std::mismatch(a.distance.begin(), a.distance.end(), b.distance.begin());
  ASSERT_EQ(far.first, a.distance.end()) << "distance of cell " << far.first - a.distance.begin();
}

/// A nearest-site problem with numbered sites.
struct Scene {
  Raster sites;
  NearestSiteOptions options = {};

  const Extents& extents() const { return sites.extents(); }

  Answer solve(Context& context, const NearestSiteOptions& own) const {
    Answer answer(extents());
    nearest_site(context, sites.view(), own,
                 {.labels = View<std::int32_t>(answer.labels.data(), extents()),
                  .distance = View<float>(answer.distance.data(), extents())});
    return answer;
  }
  Answer solve(Context& context, const std::string& method) const {
    NearestSiteOptions own = options;
    own.method = method;
    return solve(context, own);
  }
  bool is_supported(const Context& context, const std::string& method) const {
    NearestSiteOptions own = options;
    own.method = method;
    const Problem problem = make_problem(sites.view(), own, {});
    return bool(find_method(*find_backend("cpu"), method)
                    .supports(const_cast<Context&>(context).state(), problem));
  }
};

std::int64_t steps_between(Metric metric, std::int64_t dy, std::int64_t dx) {
  switch (metric) {
    case Metric::octagonal:
      return across<Metric::octagonal>(dy, dx);
    case Metric::chamfer_3_4:
      return across<Metric::chamfer_3_4>(dy, dx);
    default:
      return across<Metric::chamfer_5_7_11>(dy, dx);
  }
}

/// Every cell against every site, of the metrics that method exact does not have.
Answer compare_all(const Scene& scene) {
  Answer answer(scene.extents());
  const auto cells = scene.sites.view<std::int32_t>();
  const double unit = 1.0 / mask_unit(scene.options.metric);
  for (std::int64_t y = 0; y < cells.extent(0); ++y)
    for (std::int64_t x = 0; x < cells.extent(1); ++x) {
      std::int64_t least = -1;
      const auto at = static_cast<std::size_t>(y * cells.extent(1) + x);
      for (std::int64_t v = 0; v < cells.extent(0); ++v)
        for (std::int64_t u = 0; u < cells.extent(1); ++u) {
          if (cells(v, u) == 0) continue;
          const std::int64_t exact =
              steps_between(scene.options.metric, std::abs(v - y), std::abs(u - x));
          if (least >= 0 && exact >= least) continue;
          least = exact;
          answer.labels[at] = cells(v, u);
          answer.distance[at] = static_cast<float>(static_cast<double>(exact) * unit);
        }
    }
  return answer;
}

Scene draw_scene(testing::Draw& draw, Metric metric) {
  const bool by_axes = is_by_axes(metric);
  const std::int64_t most = by_axes ? 150 : 45;
  Extents extents{1 + draw.below(most), 1 + draw.below(most)};
  if (by_axes && draw.once_in(4))
    extents = {1 + draw.below(9), 1 + draw.below(20), 1 + draw.below(60)};
  Scene scene{.sites = Raster::of<std::int32_t>(extents)};
  scene.options.metric = metric;
  if (by_axes && draw.once_in(3))
    for (int axis = 0; axis < extents.rank(); ++axis)
      scene.options.spacing.push_back(static_cast<double>(1 + draw.below(3)));
  const std::int64_t share = draw.once_in(3) ? 3 : draw.once_in(2) ? 50 : 700;
  const std::int64_t sites = 1 + draw.below(std::max<std::int64_t>(extents.count() / share, 1));
  Context context({.threads = 1});
  random_sites(context, scene.sites.view(), sites, static_cast<std::uint64_t>(draw.below(1 << 30)));
  return scene;
}

TEST(RasterMethods, KernelsOfAllInstructionSetsAgree) {
  testing::Draw draw(7);
  const auto sets = cpu::tiles::instruction_set_names();
  std::vector<Context> contexts;
  for (const std::string_view set : sets)
    contexts.emplace_back(ContextOptions{.threads = 1 + static_cast<int>(contexts.size() % 2),
                                         .instructions = std::string(set)});
  int compared = 0;
  for (int round = 0; round < 12; ++round)
    for (const std::string_view name : kMetricNames) {
      const Scene scene = draw_scene(draw, *find_metric(name));
      const bool has_exact = is_by_axes(scene.options.metric);
      const Answer truth = has_exact ? scene.solve(contexts[0], "exact") : compare_all(scene);
      for (std::size_t i = 0; i < contexts.size(); ++i)
        for (const char* const method : kMethods) {
          if (!scene.is_supported(contexts[i], method)) continue;
          SCOPED_TRACE(std::string(method) + ", " + std::string(name) + ", " +
                       std::string(sets[i]) + ", round " + std::to_string(round));
          expect_equal(scene.solve(contexts[i], method), truth);
          if (::testing::Test::HasFatalFailure()) return;
          ++compared;
        }
    }
  EXPECT_GT(compared, 150);
}

/// Results larger than the caches are written past them; ranks take several groups of a scan.
TEST(RasterMethods, LargeRastersAgree) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
    Scene scene{.sites = Raster::of<std::int32_t>({1601, 1503})};
    scene.options.metric = metric;
    Context context({.threads = 2});
    random_sites(context, scene.sites.view(), 80, 3);
    const Answer truth = scene.solve(context, "exact");
    for (const char* const method : {"brute-force", "chamfer"}) {
      SCOPED_TRACE(method);
      if (scene.is_supported(context, method)) expect_equal(scene.solve(context, method), truth);
    }
  }
}

/// More sites than go together in a scan.
TEST(RasterMethods, ManySitesAreScannedInBlocks) {
  Scene scene{.sites = Raster::of<std::int32_t>({3, 22027})};
  Context context({.threads = 1});
  random_sites(context, scene.sites.view(), 66000, 3);
  expect_equal(scene.solve(context, "brute-force"), scene.solve(context, "expansion"));
}

/// S leaves ranks no bit of 31, nor a chamfer key enough: other integers, the same answer.
TEST(RasterMethods, LongRastersAgree) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    Scene scene{.sites = Raster::of<std::int32_t>({3, 100003})};
    scene.options.metric = metric;
    Context context({.threads = 1});
    random_sites(context, scene.sites.view(), 40000, 3);
    const Answer truth = scene.solve(context, "exact");
    for (const char* const method : {"chamfer", "expansion", "dilation", "circle-growing"}) {
      SCOPED_TRACE(method);
      if (scene.is_supported(context, method)) expect_equal(scene.solve(context, method), truth);
    }
    random_sites(context, scene.sites.view(), 20, 4);
    expect_equal(scene.solve(context, "brute-force"), scene.solve(context, "exact"));
  }
}

TEST(RasterMethods, OptionsDoNotChangeResults) {
  for (const Metric metric : {Metric::euclidean, Metric::octagonal}) {
    Scene scene{.sites = Raster::of<std::int32_t>({97, 101})};
    scene.options.metric = metric;
    Context context({.threads = 2});
    random_sites(context, scene.sites.view(), 60, 11);
    const Answer truth = scene.solve(context, "brute-force");
    NearestSiteOptions options = scene.options;
    options.method = "raster-gpu";
    for (const std::int64_t sites : {0, 59, 60, 1000000}) {
      options.raster = {.scan_sites = sites};
      expect_equal(scene.solve(context, options), truth);
      const std::string_view phase = context.phases().back().name;
      EXPECT_EQ(phase, sites < 60 ? "expansion" : "scan") << sites;
    }
    options.method = "circle-growing";
    for (const std::int64_t step : {1, 2, 7, 1 << 30}) {
      options.raster = {.growth_step = step};
      expect_equal(scene.solve(context, options), truth);
    }
  }
}

/// Every label of an octagon at distance 2k is one of many: the first of all must come through.
TEST(RasterMethods, OctagonsSettleTies) {
  for (const std::int64_t apart : {2, 3, 5}) {
    Scene scene{.sites = Raster::of<std::int32_t>({41, 43})};
    scene.options.metric = Metric::octagonal;
    const auto cells = scene.sites.view<std::int32_t>();
    for (std::int64_t y = apart / 2; y < 41; y += apart)
      for (std::int64_t x = (y / apart) % 2; x < 43; x += apart)
        cells(y, x) = static_cast<std::int32_t>(y * 43 + x + 1);
    Context context({.threads = 1});
    const Answer truth = compare_all(scene);
    for (const char* const method : {"dilation", "circle-growing", "expansion", "brute-force"}) {
      SCOPED_TRACE(std::string(method) + ", " + std::to_string(apart) + " apart");
      expect_equal(scene.solve(context, method), truth);
    }
  }
}

TEST(RasterMethods, RepeatedCallsTakeNoMoreScratch) {
  for (const char* const method : kMethods) {
    Scene scene{.sites = Raster::of<std::int32_t>({97, 101})};
    scene.options.metric = Metric::manhattan;
    Context context({.threads = 1});
    random_sites(context, scene.sites.view(), 60, 11);
    scene.solve(context, method);
    const std::size_t first = context.scratch_bytes();
    scene.solve(context, method);
    EXPECT_EQ(context.scratch_bytes(), first) << method;
    EXPECT_GT(first, 0U) << method;
  }
}

}  // namespace
}  // namespace thiessen
