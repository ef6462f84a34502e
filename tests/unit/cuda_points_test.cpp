// SPDX-License-Identifier: Apache-2.0
//
// The CUDA search among points, by warps of the host, against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/problem.hpp"
#include "core/rng.hpp"
#include "cuda/points/curve.hpp"
#include "cuda/points/search.hpp"
#include "oracle/point_oracle.hpp"

namespace thiessen::cuda {
namespace {

struct Setting {
  const char* name;
  Extents extents;
  std::int64_t count;
  double grain;       ///< coordinates are multiples of it
  double margin = 0;  ///< cells by which points may lie outside
  std::vector<double> spacing = {};
  std::vector<bool> periodic = {};
};

std::vector<oracle::Point> make_points(const Setting& setting) {
  const Axes extent = to_axes(setting.extents);
  std::uint64_t draw = 0;
  std::vector<oracle::Point> points(static_cast<std::size_t>(setting.count));
  for (oracle::Point& point : points)
    for (auto axis = static_cast<std::size_t>(kAxes - setting.extents.rank()); axis < kAxes;
         ++axis) {
      const double part = std::ldexp(static_cast<double>(splitmix64(3, draw++) >> 11), -53);
      const double at =
          part * (static_cast<double>(extent[axis]) + 2 * setting.margin) - setting.margin;
      point[axis] = std::floor(at / setting.grain) * setting.grain;
    }
  for (std::size_t i = 0; i + 3 < points.size(); i += 5) points[i + 3] = points[i];
  return points;
}

/// A tree as the device builds it, of points in the order of the curve.
template <class Coordinate, class Scalar>
struct HostTree {
  HostTree(const Problem& problem, const std::vector<Axes>& points) {
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    const CurveScale scale = make_scale(
        {.rank = problem.rank, .extent = problem.extent, .fraction_bits = problem.fraction_bits});
    const auto key = [&](std::uint32_t i) { return curve_key(scale, points[i]); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    index = order;
    for (const std::uint32_t i : order)
      places.push_back(
          {{static_cast<Coordinate>(points[i][0]), static_cast<Coordinate>(points[i][1]),
            static_cast<Coordinate>(points[i][2])}});
    std::vector<PointBox<Coordinate>> children;
    for (const auto& place : places)
      children.push_back(
          {{place.at[0], place.at[1], place.at[2]}, {place.at[0], place.at[1], place.at[2]}});
    do {
      children = boxes_around(children);
      boxes.push_back(children);
    } while (children.size() > kChildren);
    fill(problem);
  }

  static std::vector<PointBox<Coordinate>> boxes_around(
      const std::vector<PointBox<Coordinate>>& children) {
    std::vector<PointBox<Coordinate>> all;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i % kChildren == 0) all.push_back(children[i]);
      for (int axis = 0; axis < kAxes; ++axis) {
        all.back().low[axis] = std::min(all.back().low[axis], children[i].low[axis]);
        all.back().high[axis] = std::max(all.back().high[axis], children[i].high[axis]);
      }
    }
    return all;
  }

  void fill(const Problem& problem) {
    tree.place = places.data();
    tree.index = index.data();
    tree.count = static_cast<std::int64_t>(places.size());
    tree.levels = static_cast<int>(boxes.size());
    tree.fraction_bits = problem.fraction_bits;
    tree.is_plain = true;
    for (std::size_t level = 0; level < boxes.size(); ++level) {
      tree.box[level] = boxes[level].data();
      tree.nodes[level] = static_cast<std::int64_t>(boxes[level].size());
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const bool periodic = problem.period[axis] != kNoPeriod;
      tree.factor[axis] = static_cast<Scalar>(problem.weights.factor[axis]);
      tree.period[axis] = periodic ? static_cast<Coordinate>(problem.period[axis])
                                   : std::numeric_limits<Coordinate>::max();
      const bool counts = axis > 0 || problem.rank == 3;
      tree.is_plain = tree.is_plain && !periodic && (!counts || problem.weights.factor[axis] == 1);
    }
  }

  std::vector<PointPlace<Coordinate>> places;
  std::vector<std::uint32_t> index;
  std::vector<std::vector<PointBox<Coordinate>>> boxes;
  PointTree<Coordinate, Scalar> tree;
};

template <class Coordinate, class Scalar, Metric kMetric, int kCells>
void search(const Problem& problem, const Job& job, const std::vector<Axes>& points) {
  const HostTree<Coordinate, Scalar> host(problem, points);
  const PointTileShape shape = make_tile_shape(job.rank, kCells);
  std::int64_t tiles = 1;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    tiles *= (job.extent[axis] + shape.size[axis] - 1) / shape.size[axis];
  SearchMemory<Coordinate, Scalar> memory;
  for (std::int64_t tile = 0; tile < tiles; ++tile)
    PointTileSearch<HostSearchWarp, kMetric, PointTree<Coordinate, Scalar>, kCells>(
        job, host.tree, shape, tile, memory)
        .run();
}

template <Metric kMetric>
void check(const Setting& setting) {
  SCOPED_TRACE(setting.name);
  const std::vector<oracle::Point> list = make_points(setting);
  NearestSiteOptions options;
  options.metric = kMetric;
  options.periodic = setting.periodic;
  const Grid grid{.extents = setting.extents, .spacing = setting.spacing};
  const oracle::Result truth = oracle::nearest_point(list, grid, options);

  const int rank = setting.extents.rank();
  std::vector<double> coordinates;
  for (const oracle::Point& point : list)
    for (int axis = kAxes - rank; axis < kAxes; ++axis)
      coordinates.push_back(point[static_cast<std::size_t>(axis)]);
  const PointList sites{View<const double>(coordinates.data(), {setting.count, rank})};
  std::vector<Axes> points(list.size());
  PointSites snapped = snap_points(sites.coordinates, points.data());
  const Problem problem = make_problem(sites, snapped, grid, options, {});
  wrap_points(snapped, problem.period);

  std::vector<std::int64_t> site_index(truth.site.size(), 77);
  std::vector<double> distance(truth.site.size(), 77);
  Job job{.rank = problem.rank,
          .metric = problem.metric,
          .extent = problem.extent,
          .period = problem.period,
          .fraction_bits = problem.fraction_bits,
          .factor = problem.weights.factor,
          .unit = problem.weights.unit,
          .spacing = problem.spacing};
  job.points = points.data();
  job.point_count = setting.count;
  job.out.site_index = site_index.data();
  job.out.distance = {reinterpret_cast<std::byte*>(distance.data()), 8};
  const auto expect_equal = [&](const char* what) {
    ASSERT_EQ(site_index, truth.site) << what;
    ASSERT_EQ(distance, truth.distance) << what;
  };
  search<std::int64_t, Int128, kMetric, 4>(problem, job, points);
  expect_equal("128 bits");
  if (problem.wide) return;
  search<std::int64_t, std::int64_t, kMetric, 4>(problem, job, points);
  expect_equal("64 bits");
  if (problem.weights.greatest >= 1 << 30) return;
  search<std::int32_t, std::int64_t, kMetric, 16>(problem, job, points);
  expect_equal("64 bits for S");
  search<std::int32_t, std::int32_t, kMetric, 1>(problem, job, points);
  expect_equal("32 bits");
  search<std::int32_t, std::int32_t, kMetric, 16>(problem, job, points);
  expect_equal("32 bits, large tiles");
}

TEST(CudaPoints, EqualTheOracle) {
  const Setting settings[] = {
      {"one", {9, 11}, 1, 1},
      {"few", {33, 41}, 31, 1},
      {"leaves", {33, 41}, 33, 0.5, 3},
      {"levels", {33, 41}, 1100, 0.25, 5},
      {"fractions", {20, 37}, 300, 1e-9, 5},
      {"far", {12, 13}, 40, 0.5, 2e9},
      {"outside", {20, 21}, 90, 1, 300},
      {"dense", {9, 9}, 3000, 1},
      {"weights", {30, 31}, 200, 0.5, 2, {2, 3}},
      {"periodic", {14, 15}, 40, 0.5, 30, {}, {false, true}},
      {"torus", {13, 16}, 3, 1, 0, {}, {true, true}},
      {"volume", {9, 10, 11}, 300, 0.5, 2},
      {"volume_torus", {5, 6, 7}, 20, 0.25, 9, {1, 2, 1}, {true, true, true}},
  };
  for (const Setting& setting : settings) {
    check<Metric::euclidean>(setting);
    check<Metric::manhattan>(setting);
    check<Metric::chessboard>(setting);
  }
}

}  // namespace
}  // namespace thiessen::cuda
