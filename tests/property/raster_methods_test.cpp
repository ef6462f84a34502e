// SPDX-License-Identifier: Apache-2.0
//
// The raster methods for labels and distances in f32, which kernels write, by every instruction
// set; and options that must not change their results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "core/order/measure.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr Method kMethods[] = {Method::brute_force,    Method::raster_gpu, Method::chamfer,
                               Method::circle_growing, Method::dilation,   Method::expansion};

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
  Answer solve(Context& context, Method method) const {
    NearestSiteOptions own = options;
    own.method = method;
    return solve(context, own);
  }
  bool is_exact(const Context& context, Method method) const {
    if (!thiessen::is_exact(method, options.metric)) return false;
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

/// Compares every cell with every site, for the metrics that method exact does not have.
Answer compare_all(const Scene& scene) {
  Answer answer(scene.extents());
  const auto cells = scene.sites.view<std::int32_t>();
  const double unit = mask_unit(scene.options.metric);
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
          answer.distance[at] = static_cast<float>(static_cast<double>(exact) / unit);
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
  const auto sets = cpu::instruction_set_names();
  std::vector<Context> contexts;
  for (const std::string_view set : sets)
    contexts.emplace_back(ContextOptions{.threads = 1 + static_cast<int>(contexts.size() % 2),
                                         .instructions = find_instructions(set)});
  int compared = 0;
  for (int round = 0; round < 12; ++round)
    for (const std::string_view name : kMetricNames) {
      if (is_on_earth(*find_metric(name))) continue;
      const Scene scene = draw_scene(draw, *find_metric(name));
      const bool has_exact = is_by_axes(scene.options.metric);
      const Answer truth = has_exact ? scene.solve(contexts[0], Method::exact) : compare_all(scene);
      for (std::size_t i = 0; i < contexts.size(); ++i)
        for (const Method method : kMethods) {
          if (!scene.is_exact(contexts[i], method)) continue;
          SCOPED_TRACE(std::string(name_of(method)) + ", " + std::string(name) + ", " +
                       std::string(sets[i]) + ", round " + std::to_string(round));
          expect_equal(scene.solve(contexts[i], method), truth);
          if (::testing::Test::HasFatalFailure()) return;
          ++compared;
        }
    }
  EXPECT_GT(compared, 150);
}

/// Results larger than the caches are written past them; ranks need several groups of a scan.
TEST(RasterMethods, LargeRastersAgree) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
    Scene scene{.sites = Raster::of<std::int32_t>({1601, 1503})};
    scene.options.metric = metric;
    Context context({.threads = 2});
    random_sites(context, scene.sites.view(), 80, 3);
    const Answer truth = scene.solve(context, Method::exact);
    for (const Method method : {Method::brute_force, Method::chamfer}) {
      SCOPED_TRACE(name_of(method));
      if (scene.is_exact(context, method)) expect_equal(scene.solve(context, method), truth);
    }
  }
}

/// There are more sites than go together in a scan.
TEST(RasterMethods, ManySitesAreScannedInBlocks) {
  Scene scene{.sites = Raster::of<std::int32_t>({3, 22027})};
  Context context({.threads = 1});
  random_sites(context, scene.sites.view(), 66000, 3);
  expect_equal(scene.solve(context, Method::brute_force), scene.solve(context, Method::expansion));
}

/// S leaves no bit of 31 to ranks, or too few bits for chamfer keys: other integers, the same
/// answer.
TEST(RasterMethods, LongRastersAgree) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    Scene scene{.sites = Raster::of<std::int32_t>({3, 100003})};
    scene.options.metric = metric;
    Context context({.threads = 1});
    random_sites(context, scene.sites.view(), 40000, 3);
    const Answer truth = scene.solve(context, Method::exact);
    for (const Method method :
         {Method::chamfer, Method::expansion, Method::dilation, Method::circle_growing}) {
      SCOPED_TRACE(name_of(method));
      if (scene.is_exact(context, method)) expect_equal(scene.solve(context, method), truth);
    }
    random_sites(context, scene.sites.view(), 20, 4);
    expect_equal(scene.solve(context, Method::brute_force), scene.solve(context, Method::exact));
  }
}

TEST(RasterMethods, OptionsDoNotChangeResults) {
  for (const Metric metric : {Metric::euclidean, Metric::octagonal}) {
    Scene scene{.sites = Raster::of<std::int32_t>({97, 101})};
    scene.options.metric = metric;
    Context context({.threads = 2});
    random_sites(context, scene.sites.view(), 60, 11);
    const Answer truth = scene.solve(context, Method::brute_force);
    NearestSiteOptions options = scene.options;
    options.method = Method::raster_gpu;
    for (const std::int64_t sites : {0, 59, 60, 1000000}) {
      options.raster = {.scan_sites = sites};
      expect_equal(scene.solve(context, options), truth);
      const std::string_view phase = context.phases().back().name;
      EXPECT_EQ(phase, sites < 60 ? "expansion" : "scan") << sites;
    }
    options.method = Method::circle_growing;
    for (const std::int64_t step : {1, 2, 7, 1 << 30}) {
      options.raster = {.growth_step = step};
      expect_equal(scene.solve(context, options), truth);
    }
  }
}

/// Every octagon at distance 2k has many labels: the first of all must win.
TEST(RasterMethods, OctagonsSolveTies) {
  for (const std::int64_t apart : {2, 3, 5}) {
    Scene scene{.sites = Raster::of<std::int32_t>({41, 43})};
    scene.options.metric = Metric::octagonal;
    const auto cells = scene.sites.view<std::int32_t>();
    for (std::int64_t y = apart / 2; y < 41; y += apart)
      for (std::int64_t x = (y / apart) % 2; x < 43; x += apart)
        cells(y, x) = static_cast<std::int32_t>(y * 43 + x + 1);
    Context context({.threads = 1});
    const Answer truth = compare_all(scene);
    for (const Method method :
         {Method::dilation, Method::circle_growing, Method::expansion, Method::brute_force}) {
      SCOPED_TRACE(std::string(name_of(method)) + ", " + std::to_string(apart) + " apart");
      expect_equal(scene.solve(context, method), truth);
    }
  }
}

/// A max distance takes away what is farther from the site that was found, and nothing else, also
/// where that may not be the nearest one; so does the number of threads.
TEST(RasterMethods, MethodsToTheLetterKeepTheMaxDistance) {
  Scene scene{.sites = Raster::of<std::int32_t>({97, 101})};
  scene.options.metric = Metric::octagonal;
  Context context({.threads = 1});
  Context threads({.threads = 3});
  random_sites(context, scene.sites.view(), 90, 11);
  for (const Method method : {Method::chamfer, Method::dilation, Method::expansion}) {
    NearestSiteOptions options = scene.options;
    options.method = method;
    options.raster.labels_carried = method != Method::chamfer;
    const Answer all = scene.solve(context, options);
    for (const int limit : {0, 1, 4, 9, 200}) {
      SCOPED_TRACE(std::string(name_of(method)) + ", " + std::to_string(limit));
      Answer expected = all;
      for (std::size_t i = 0; i < all.labels.size(); ++i) {
        if (all.distance[i] <= static_cast<float>(limit)) continue;
        expected.labels[i] = 0;
        expected.distance[i] = std::numeric_limits<float>::infinity();
      }
      options.max_distance = limit;
      expect_equal(scene.solve(threads, options), expected);
    }
  }
}

TEST(RasterMethods, RepeatedCallsTakeNoMoreScratch) {
  for (const Method method : kMethods) {
    Scene scene{.sites = Raster::of<std::int32_t>({97, 101})};
    scene.options.metric = Metric::manhattan;
    Context context({.threads = 1});
    random_sites(context, scene.sites.view(), 60, 11);
    scene.solve(context, method);
    const std::size_t first = context.scratch_bytes();
    scene.solve(context, method);
    EXPECT_EQ(context.scratch_bytes(), first) << name_of(method);
    EXPECT_GT(first, 0U) << name_of(method);
  }
}

}  // namespace
}  // namespace thiessen
