// SPDX-License-Identifier: Apache-2.0
//
// Slabs against the whole: with one row of sites from above and one from below, each slab computes
// its part of the map of the whole raster, bit for bit.
#include "core/slab.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/context_state.hpp"
#include "cpu/exact.hpp"
#include "property/maps.hpp"

namespace thiessen {
namespace {

using testing::make_map;
using testing::Map;
using testing::Solution;
using testing::solve;

/// Nearest sites beyond a slab in one direction, one a column.
struct FaceSites {
  std::vector<std::int32_t> coordinate;
  std::vector<std::int32_t> labels;

  Neighbours neighbours() const {
    return {coordinate.data(), reinterpret_cast<const std::byte*>(labels.data())};
  }
};

/// The sites nearest to row `from` on the way from a slab in steps of `step`; on a periodic axis
/// once round and back into the slab, whose own rows are images then.
FaceSites face_sites(const Map& map, std::int64_t columns, std::int64_t from, std::int64_t step,
                     bool periodic = false) {
  const auto count = static_cast<std::size_t>(columns);
  const auto rows = static_cast<std::int64_t>(map.cells.size()) / columns;
  FaceSites face{std::vector<std::int32_t>(count, kNoSite), std::vector<std::int32_t>(count)};
  for (std::size_t column = 0; column < count; ++column)
    for (std::int64_t k = from; std::abs(k - from) < rows; k += step) {
      if (!periodic && (k < 0 || k >= rows)) break;
      const std::int64_t row = (k + rows) % rows;
      const std::int32_t label = map.cells[static_cast<std::size_t>(row * columns) + column];
      if (label == 0) continue;
      face.coordinate[column] = static_cast<std::int32_t>(k);
      face.labels[column] = label;
      break;
    }
  return face;
}

class Slabs : public ::testing::TestWithParam<std::tuple<cases::Case, Metric, int>> {
 protected:
  void solve_slab(std::int64_t first, std::int64_t count, Solution& solution) {
    const Extents extents = map_.extent[0] == 1 ? Extents{count, map_.extent[2]}
                                                : Extents{count, map_.extent[1], map_.extent[2]};
    const std::int64_t offset = first * columns_;
    const NearestSiteOutputs out{
        .labels = View<std::int32_t>(solution.labels.data() + offset, extents),
        .site_index = View<std::int64_t>(solution.site_index.data() + offset, extents),
        .distance = View<double>(solution.distance.data() + offset, extents)};
    const View<const std::int32_t> sites(map_.cells.data() + offset, extents);
    const bool periodic = !options_.periodic.empty() && options_.periodic[0];
    const FaceSites above = face_sites(map_, columns_, first - 1, -1, periodic);
    const FaceSites below = face_sites(map_, columns_, first + count, 1, periodic);
    const Slab slab{first, count, above.neighbours(), below.neighbours()};
    cpu::run_exact_slab(context_.state(), problem_, slab, make_views(sites, out));
  }

  Context context_{ContextOptions{.device = "cpu", .threads = 2}};
  Map map_ = make_map(std::get<0>(GetParam()));
  NearestSiteOptions options_{.metric = std::get<1>(GetParam()),
                              .spacing = std::get<0>(GetParam()).options.spacing,
                              .periodic = std::get<0>(GetParam()).options.periodic};
  Problem problem_ =
      make_problem(View<const std::int32_t>(map_.cells.data(), map_.extents()), options_, {});
  std::int64_t rows_ = map_.extents()[0];
  std::int64_t columns_ = slab_columns(problem_);
};

/// Slabs with a max distance and nodata, with all outputs, strided: all cases differ.
TEST(SlabOutputs, EqualTheWhole) {
  const Map map = make_map({.name = "", .extents = {30, 37}, .amount = 60});
  const NearestSiteOptions options{.max_distance = 6, .nodata = std::int64_t{map.cells[0]}};
  const Extents extents = map.extents();
  const View<const std::int32_t> sites(map.cells.data(), extents);
  struct Outputs {
    std::vector<std::int64_t> squared = std::vector<std::int64_t>(30 * 37);
    std::vector<std::int32_t> offset = std::vector<std::int32_t>(2 * 30 * 37);
    std::vector<float> direction = std::vector<float>(30 * 37);
    std::vector<std::int32_t> labels = std::vector<std::int32_t>(30 * 37);
  };
  const auto rows_of = [&](Outputs& out, std::int64_t first, std::int64_t count) {
    const auto start = first * 37;
    return NearestSiteOutputs{
        .labels = View<std::int32_t>(out.labels.data() + start, {count, 37}),
        .squared = View<std::int64_t>(out.squared.data() + start, {count, 37}),
        .offset =
            View<std::int32_t>(out.offset.data() + start, {2, count, 37}, {30 * 37 * 4, 37 * 4, 4}),
        .direction = View<float>(out.direction.data() + start, {count, 37})};
  };
  Outputs whole;
  Outputs parts;
  Context context;
  nearest_site(context, sites, options, rows_of(whole, 0, 30));
  const Problem problem = make_problem(sites, options, rows_of(parts, 0, 30));
  // The upper slab knows nothing above it, the lower one nothing below: null neighbours.
  FaceSites above = face_sites(map, 37, 17, -1);
  FaceSites below = face_sites(map, 37, 18, 1);
  const Slab upper{0, 18, {}, below.neighbours()};
  const Slab lower{18, 12, above.neighbours(), {}};
  const Slab empty{18, 0, above.neighbours(), below.neighbours()};
  for (const Slab& slab : {upper, empty, lower}) {
    const View<const std::int32_t> rows(map.cells.data() + slab.first * 37, {slab.count, 37});
    cpu::run_exact_slab(context.state(), problem, slab,
                        make_views(rows, rows_of(parts, slab.first, slab.count)));
  }
  EXPECT_EQ(parts.labels, whole.labels);
  EXPECT_EQ(parts.squared, whole.squared);
  EXPECT_EQ(parts.offset, whole.offset);
  for (std::size_t i = 0; i < whole.direction.size(); ++i)
    EXPECT_TRUE(parts.direction[i] == whole.direction[i] ||
                (std::isnan(parts.direction[i]) && std::isnan(whole.direction[i])));
}

TEST(SlabOutputs, RefuseWhatNeighboursDoNotDetermine) {
  const Map map = make_map({.name = "", .extents = {8, 9}, .amount = 6});
  const View<const std::int32_t> sites(map.cells.data(), map.extents());
  Context context;
  for (const NearestSiteOptions& options :
       {NearestSiteOptions{.metric = Metric::chessboard},
        NearestSiteOptions{.signed_distance = true},
        NearestSiteOptions{.distance_to = DistanceTo::boundary}}) {
    const Problem problem = make_problem(sites, options, {});
    EXPECT_THROW(
        cpu::run_exact_slab(context.state(), problem, whole_raster(problem), make_views(sites, {})),
        Error);
  }
}

TEST_P(Slabs, EqualTheWhole) {
  const Solution whole = solve(map_, options_);
  Solution parts = whole;
  std::fill(parts.labels.begin(), parts.labels.end(), -1);
  const std::int64_t rows = std::get<2>(GetParam());
  for (std::int64_t first = 0; first < rows_; first += rows)
    solve_slab(first, std::min(rows, rows_ - first), parts);
  EXPECT_EQ(parts.labels, whole.labels);
  EXPECT_EQ(parts.site_index, whole.site_index);
  EXPECT_EQ(parts.distance, whole.distance);
}

const std::vector<cases::Case>& slab_cases() {
  static const std::vector<cases::Case> list = {
      {.name = "sparse", .extents = {60, 70}, .amount = 12},
      {.name = "dense", .extents = {41, 50}, .amount = 900},
      {.name = "lattice", .extents = {40, 41}, .pattern = cases::Pattern::lattice, .amount = 8},
      {.name = "one", .extents = {30, 20}, .pattern = cases::Pattern::one, .amount = 333},
      {.name = "none", .extents = {10, 9}, .pattern = cases::Pattern::none},
      {.name = "volume", .extents = {17, 12, 15}, .amount = 40},
      {.name = "volume_spacing",
       .extents = {13, 12, 15},
       .amount = 40,
       .options = {.spacing = {1.5, 0.325, 0.5}}},
      {.name = "periodic_sparse",
       .extents = {60, 70},
       .amount = 12,
       .options = {.periodic = {true, true}}},
      {.name = "periodic_lattice",
       .extents = {40, 41},
       .pattern = cases::Pattern::lattice,
       .amount = 8,
       .options = {.periodic = {true, false}}},
      {.name = "periodic_one",
       .extents = {30, 20},
       .pattern = cases::Pattern::one,
       .amount = 333,
       .options = {.periodic = {true, true}}},
      {.name = "periodic_volume",
       .extents = {17, 12, 15},
       .amount = 40,
       .options = {.periodic = {true, false, true}}},
  };
  return list;
}

std::string slab_test_name(const ::testing::TestParamInfo<Slabs::ParamType>& test) {
  constexpr const char* kMetrics[] = {"euclidean", "manhattan"};
  return std::get<0>(test.param).name + "_" +
         kMetrics[static_cast<std::size_t>(std::get<1>(test.param))] + "_" +
         std::to_string(std::get<2>(test.param));
}

INSTANTIATE_TEST_SUITE_P(Maps, Slabs,
                         ::testing::Combine(::testing::ValuesIn(slab_cases()),
                                            ::testing::Values(Metric::euclidean, Metric::manhattan),
                                            ::testing::Values(1, 7, 16)),
                         slab_test_name);

}  // namespace
}  // namespace thiessen
