// SPDX-License-Identifier: Apache-2.0
//
// The threads of raster-gpu on CUDA, run on the host: the keys of the tuned scan, and the expansion
// along bits of rows, compared with the comparison with all sites.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/search/neighbourhood.hpp"
#include "cuda/raster/cell_rows.hpp"
#include "cuda/raster/scan_keys.hpp"
#include "unit/cuda/line_bits.hpp"
#include "unit/cuda/scene.hpp"

namespace thiessen::cuda::raster {
namespace {

struct Shape {
  Extents extents;
  std::vector<double> spacing;
  std::int64_t one_in;
};

std::vector<Shape> shapes(Metric metric) {
  std::vector<Shape> all{{{37, 70}, {}, 400}, {{37, 70}, {}, 9},   {{1, 200}, {}, 30},
                         {{150, 1}, {}, 25},  {{40, 41}, {}, 900}, {{16, 33}, {}, 2}};
  if (!is_by_axes(metric)) return all;
  all.insert(all.end(), {{{23, 40}, {1, 3}, 60},
                         {{23, 40}, {2.5, 1}, 12},
                         {{6, 11, 35}, {}, 150},
                         {{9, 8, 33}, {3, 2, 1}, 40}});
  return all;
}

template <class Visit>
void for_each_scene(Metric metric, const std::vector<double>& limits, const Visit& visit) {
  std::uint64_t seed = 0;
  for (const Shape& shape : shapes(metric))
    for (const double limit : limits) {
      NearestSiteOptions options = options_of(metric, shape.spacing);
      if (limit > 0) options.max_distance = limit;
      const Scene scene(shape.extents, shape.one_in, options, ++seed);
      SCOPED_TRACE("scene " + std::to_string(seed));
      visit(scene);
    }
}

// ---- the tuned scan

constexpr int kRows = 4;

/// The cells of kRows rows in a column, by groups of as many sites as the keys allow.
template <Metric kMetric>
void scan_column(const Scene& scene, const ScanKeys& keys, std::int64_t first_row, std::int64_t x) {
  const Axes& extent = scene.problem.extent;
  const auto narrow = [](std::int64_t coordinate) { return static_cast<std::int32_t>(coordinate); };
  ScanColumn<kMetric, kRows> column;
  const auto count = static_cast<std::int32_t>(scene.sites.size());
  for (std::int32_t first = 0; first < count; first += keys.sites_of_group()) {
    const std::int32_t some = std::min(count - first, keys.sites_of_group());
    for (std::int32_t rank = 0; rank < some; ++rank) {
      const Axes at = to_cell(extent, scene.sites[static_cast<std::size_t>(first + rank)]);
      const ScanPlace site{narrow(at[0]), narrow(at[1]), narrow(at[2])};
      std::array<std::int32_t, kRows> rows{};
      for (int i = 0; i < kRows; ++i) {
        const std::int64_t row = std::min(first_row + i, extent[0] * extent[1] - 1);
        const ScanPlace cell{narrow(row / extent[1]), narrow(row % extent[1]), 0};
        rows[static_cast<std::size_t>(i)] = row_key<kMetric>(keys, cell, site, rank);
      }
      column.compare(rows.data(), column_key<kMetric>(keys, narrow(x), site.x, rank));
    }
    column.end_group(keys.bits, first);
  }
  for (int i = 0; i < kRows && first_row + i < extent[0] * extent[1]; ++i) {
    const std::int64_t row = first_row + i;
    const auto [site, exact] = scene.nearest({row / extent[1], row % extent[1], x});
    const std::int32_t place = column.nearest[i];
    ASSERT_EQ(place < 0 ? -1 : scene.sites[static_cast<std::size_t>(place)], site)
        << "row " << row << ", x " << x;
    if (site >= 0) {
      ASSERT_EQ(Int128{column.exact[i]}, exact) << "row " << row << ", x " << x;
    }
  }
}

template <Metric kMetric>
void check_scan() {
  for_each_scene(kMetric, {0}, [](const Scene& scene) {
    ScanKeys keys;
    ASSERT_TRUE(make_scan_keys(scene.problem, keys));
    for (keys.bits = ScanKeys::kLeastBits; keys.bits <= ScanKeys::kMostBits; ++keys.bits)
      for (std::int64_t row = 0; row < scene.problem.extent[0] * scene.problem.extent[1];
           row += kRows)
        for (std::int64_t x = 0; x < scene.problem.extent[2]; ++x)
          scan_column<kMetric>(scene, keys, row, x);
  });
}

TEST(CudaScan, KeysFindTheFirstNearestSite) {
  check_scan<Metric::euclidean>();
  check_scan<Metric::manhattan>();
  check_scan<Metric::chessboard>();
}

ScanKeys keys_of(const Extents& extents, const NearestSiteOptions& options, bool expected) {
  const Raster raster(ElementType::u8, {1, 1});
  const View<const void> sites(raster.view().bytes(), ElementType::u8, extents,
                               View<const void>::c_strides(ElementType::u8, extents));
  ScanKeys keys;
  EXPECT_EQ(make_scan_keys(make_problem(sites, options, {}), keys), expected);
  return keys;
}

TEST(CudaScan, KeysHaveWhatSLeaves) {
  EXPECT_EQ(keys_of({100, 100}, options_of(Metric::euclidean, {}), true).bits, 6);
  EXPECT_EQ(keys_of({4000, 5000}, options_of(Metric::euclidean, {}), true).bits, 5);
  EXPECT_EQ(keys_of({4000, 5000}, options_of(Metric::manhattan, {}), true).bits, 6);
  EXPECT_EQ(keys_of({10000, 10000}, options_of(Metric::euclidean, {}), true).bits, 3);
  keys_of({20000, 20000}, options_of(Metric::euclidean, {}), false);
  keys_of({100, 100}, options_of(Metric::octagonal, {}), false);
  NearestSiteOptions periodic;
  periodic.periodic = {false, true};
  keys_of({100, 100}, periodic, false);
}

// ---- expansion

template <Metric kMetric>
void expand(const Scene& scene) {
  const auto is_site = [&](const Axes& cell) {
    return scene.bits.has(cell[0] * scene.problem.extent[1] + cell[1], cell[2]);
  };
  const sites::HostLineBits lines(scene.job, 2, is_site);
  const CellRows rows{lines.bits, scene.problem.extent[1]};
  const CellMetric<kMetric> metric(scene.job.factor);
  Neighbourhood neighbourhood(scene.problem.extent, static_cast<std::int64_t>(scene.job.limit),
                              metric, rows);
  for (std::int64_t cell = 0; cell < scene.problem.cells(); ++cell) {
    const Axes at = to_cell(scene.problem.extent, cell);
    const NearestCell found = neighbourhood.search(at);
    const auto [site, exact] = scene.nearest(at);
    const bool reached = site >= 0 && exact <= scene.problem.limit;
    ASSERT_EQ(found.site, reached ? site : kUnreached) << "cell " << cell;
    if (reached) {
      ASSERT_EQ(Int128{found.exact}, exact) << "cell " << cell;
    }
  }
}

template <Metric kMetric>
void check_expansion() {
  for_each_scene(kMetric, {0, 3}, [](const Scene& scene) { expand<kMetric>(scene); });
}

TEST(CudaExpansion, FindsTheFirstNearestSite) {
  check_expansion<Metric::euclidean>();
  check_expansion<Metric::manhattan>();
  check_expansion<Metric::chessboard>();
  check_expansion<Metric::octagonal>();
}

}  // namespace
}  // namespace thiessen::cuda::raster
