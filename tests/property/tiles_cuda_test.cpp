// SPDX-License-Identifier: Apache-2.0
//
// CUDA's search by tiles, its tree of points and its jump flooding by tiles, on the emulated
// device, against the CPU's linear-time methods and jump flooding. Each problem runs with the
// limits of the kernels as they are, and with smaller ones: only then do small rasters fill the
// lists that large ones fill.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/problems/answer.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/small_cuda_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Answer;
using testing::AxisRange;
using testing::Draw;
using testing::ImagesByEighths;
using testing::problem_count;
using testing::RasterProblem;
using testing::SmallCudaLimits;
using testing::Wanted;

/// Solves a problem on the device: solve(context, outputs).
template <class Solve>
void compare_with_cpu(const RasterProblem& problem, const Wanted& wanted, const Solve& solve,
                      std::uint64_t seed) {
  Draw draw(seed);
  Answer expected(problem, wanted);
  Context linear({.device = "cpu", .threads = 2, .instructions = Instructions::none});
  solve(linear, expected.views());
  for (const bool is_small : {false, true}) {
    std::optional<SmallCudaLimits> limits;
    if (is_small) limits.emplace(draw);
    Context context({.device = "cuda"});
    Answer answer(problem, wanted);
    solve(context, answer.views());
    ASSERT_TRUE(answer == expected && answer.is_within_cells())
        << "problem " << seed << (is_small ? " with small limits" : "") << ": "
        << describe(problem);
  }
}

/// What tests/support/problems/tile_problems.hpp calls for each problem.
constexpr auto kCompare = [](const auto&... arguments) { compare_with_cpu(arguments...); };

/// The names of the stages of a call on a raster of the host, if the context asks for their times.
std::vector<std::string> stages_of_a_call(bool stage_times) {
  std::vector<std::uint8_t> sites(64 * 64);
  sites[70] = 1;
  std::vector<float> distance(sites.size());
  Context context({.device = "cuda", .stage_times = stage_times});
  nearest_site(context, View<const std::uint8_t>(sites.data(), {64, 64}), {},
               {.distance = View<float>(distance.data(), {64, 64})});
  std::vector<std::string> names;
  for (const Phase& phase : context.phases()) names.emplace_back(phase.name);
  return names;
}

TEST(TilesCuda, StagesAreToldToThoseWhoAsk) {
  const std::vector<std::string> names = stages_of_a_call(true);
  EXPECT_NE(std::find(names.begin(), names.end(), "near along lines"), names.end());
  EXPECT_EQ(names.front(), "copy to device");
  EXPECT_EQ(names.back(), "copy to host");
  const std::vector<std::string> silent = stages_of_a_call(false);
  EXPECT_EQ(std::find(silent.begin(), silent.end(), "near along lines"), silent.end());
}

/// Enough tiles for lists of nodes, and for tiles that are left to the linear methods.
TEST(TilesCuda, RastersEqualTheCpu) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_rasters(seed, {}, kCompare);
}

TEST(TilesCuda, LabelsAloneEqualTheCpu) {
  const AxisRange range{.longest_2d = 128, .longest_3d = 32, .longest_thin = 512};
  for (std::uint64_t seed = 0; seed < problem_count() / 2 && !HasFatalFailure(); ++seed)
    testing::compare_labels(seed, range, kCompare);
}

TEST(TilesCuda, PointsEqualTheCpu) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_points(seed, kCompare);
}

constexpr Method kFloodings[] = {Method::jfa,     Method::one_jfa, Method::jfa_one,
                                 Method::jfa_two, Method::jfa2,    Method::jfa_noise};

/// Tiles with halos, of some lattices, or of the whole raster.
TEST(TilesCuda, FloodingEqualsTheCpu) {
  const AxisRange range{.longest_2d = 150, .longest_3d = 30, .longest_thin = 900};
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed) {
    RasterProblem problem = testing::draw_raster_problem(seed, range);
    Draw draw(~seed);
    problem.options.distance_to = DistanceTo::sites;  // flooding knows no other
    problem.options.method = kFloodings[draw.below(std::size(kFloodings))];
    problem.options.flooding.seed = seed;
    if (draw.once_in(3))
      for (std::int64_t count = 1 + draw.below(6); count > 0; --count)
        problem.options.flooding.steps.push_back(1 + draw.below(draw.once_in(4) ? 300 : 20));
    const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
      nearest_site(context, problem.view(), problem.options, out);
    };
    compare_with_cpu(problem, Wanted::draw(draw, problem), solve, seed);
  }
}

/// Thrust's jump flooding is CUDA's alone, with the bits of `1+jfa`.
void compare_with_cpu(const Raster& raster, const NearestSiteOptions& options) {
  const Extents& extents = raster.extents();
  std::vector<std::int64_t> found[2];
  std::vector<double> distance[2];
  for (const std::size_t own : {0, 1}) {
    Context context({.device = own == 0 ? "cpu" : "cuda", .threads = 2});
    NearestSiteOptions on_device = options;
    if (own == 0 && options.method == Method::jfa_thrust) on_device.method = Method::jfa_coeurjolly;
    found[own].resize(static_cast<std::size_t>(extents.count()));
    distance[own].resize(found[own].size());
    nearest_site(context, raster.view(), on_device,
                 {.site_index = View<std::int64_t>(found[own].data(), extents),
                  .distance = View<double>(distance[own].data(), extents)});
  }
  ASSERT_EQ(found[1], found[0]) << name_of(options.method) << ", " << extents[0] << " x "
                                << extents[1];
  ASSERT_EQ(distance[1], distance[0])
      << name_of(options.method) << ", " << extents[0] << " x " << extents[1];
}

Raster with_sites(const Extents& extents, std::int64_t count) {
  Raster raster = Raster::of<std::int32_t>(extents);
  Context context({.device = "cpu"});
  random_sites(context, raster.view(), count, 5);
  return raster;
}

/// Sites near a circle around the middle: for many cells all of them are about as near.
Raster with_circle(const Extents& extents, std::int64_t radius) {
  Raster raster = Raster::of<std::int32_t>(extents);
  auto* const cells = reinterpret_cast<std::int32_t*>(raster.bytes());
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    const std::int64_t y = i / extents[1] - extents[0] / 2;
    const std::int64_t x = i % extents[1] - extents[1] / 2;
    cells[i] = std::abs(y * y + x * x - radius * radius) < radius ? 1 : 0;
  }
  return raster;
}

/// The labels alone, for every size of a label: lists of a few sites, of one, and of none at all.
TEST(TilesCuda, LabelsOfFewSitesEqualTheCpu) {
  testing::CudaLimits limits;
  limits.set(cuda::TileLimits::kFewCells, 0);
  for (const ElementType type :
       {ElementType::u8, ElementType::i16, ElementType::i32, ElementType::f64})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
      for (const Extents& extents : {Extents{96, 160}, Extents{64, 101}, Extents{32, 32, 64}})
        for (const std::int64_t sites : {0, 1, 7, 50}) {
          Raster raster(type, extents);
          std::memset(raster.bytes(), 0, raster.size_bytes());
          Draw draw(5);
          for (std::int64_t site = 1; site <= sites; ++site)
            raster.bytes()[static_cast<std::size_t>(draw.below(extents.count())) * size_of(type)] =
                static_cast<std::byte>(site);
          Context cpu({.device = "cpu", .instructions = Instructions::none});
          Context cuda({.device = "cuda"});
          Raster labels[2] = {Raster(type, extents), Raster(type, extents)};
          const NearestSiteOptions options{.metric = metric};
          nearest_site(cpu, raster.view(), options, {.labels = labels[0].view()});
          nearest_site(cuda, raster.view(), options, {.labels = labels[1].view()});
          ASSERT_EQ(std::memcmp(labels[0].bytes(), labels[1].bytes(), raster.size_bytes()), 0)
              << name_of(type) << ", " << name_of(metric) << ", rank " << extents.rank() << ", "
              << sites << " sites";
        }
}

/// Distances alone, for both sizes, and for units that are no whole number.
TEST(TilesCuda, DistancesOfSitesEqualTheCpu) {
  testing::CudaLimits limits;
  limits.set(cuda::TileLimits::kFewCells, 0);
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const Extents& extents : {Extents{96, 160}, Extents{300, 331}, Extents{32, 32, 64}})
      for (const std::int64_t sites : {0, 1, 7, 50, 300, 4000})
        for (const double spacing : {1.0, 2.3}) {
          const Raster raster = with_sites(extents, sites);
          Raster distance[2] = {Raster(type, extents), Raster(type, extents)};
          for (const std::size_t own : {0, 1}) {
            Context context({.device = own == 0 ? "cpu" : "cuda"});
            const NearestSiteOptions options{.spacing =
                                                 std::vector<double>(extents.rank(), spacing)};
            nearest_site(context, raster.view(), options, {.distance = distance[own].view()});
          }
          ASSERT_EQ(std::memcmp(distance[0].bytes(), distance[1].bytes(), distance[0].size_bytes()),
                    0)
              << name_of(type) << ", rank " << extents.rank() << ", " << sites << " sites, spacing "
              << spacing;
        }
}

/// The tile in the middle of a ring needs more points than a list takes: it is left to the tree.
TEST(TilesCuda, RingsOfPointsEqualTheCpu) {
  testing::CudaLimits limits;
  limits.set(cuda::TileLimits::kGatheredSites, 1024);
  const Extents extents{416, 416};
  const Raster ring = with_circle(extents, 190);
  const auto* const cells = reinterpret_cast<const std::int32_t*>(ring.bytes());
  std::vector<double> coordinates;
  for (std::int64_t i = extents.count() - 1; i >= 0; --i)
    if (cells[i] != 0)
      for (const std::int64_t at : {i / extents[1], i % extents[1]})
        coordinates.push_back(static_cast<double>(at));
  const PointList points{
      .coordinates = View<const double>(coordinates.data(), {std::ssize(coordinates) / 2, 2})};
  std::vector<std::int64_t> found[2];
  for (const std::size_t own : {0, 1}) {
    Context context({.device = own == 0 ? "cpu" : "cuda", .instructions = Instructions::none});
    found[own].resize(static_cast<std::size_t>(extents.count()));
    voronoi(context, points, Grid{.extents = extents}, {},
            {.site_index = View<std::int64_t>(found[own].data(), extents)});
  }
  EXPECT_EQ(found[1], found[0]);
}

/// S takes more than 32 bits, in rasters of all densities.
TEST(TilesCuda, LongCellsEqualTheCpu) {
  for (const std::int64_t sites : {1, 40, 500, 5000})
    compare_with_cpu(with_sites({150, 305}, sites), {.spacing = {3000, 3001}});
  compare_with_cpu(with_circle({200, 210}, 80), {.spacing = {3000, 3001}});
}

/// In 2-D, tiles are solved between edges: ranges of columns are as short as can be, longer than
/// the table, or so long that blocks take the tile.
TEST(TilesCuda, TilesThatAreLeftEqualTheCpu) {
  const testing::NoTileIsSearched limits;
  for (const double spacing : {1.0, 2.0}) {
    for (const std::int64_t sites : {1, 3, 60, 4000})
      compare_with_cpu(with_sites({40, 705}, sites), {.spacing = {spacing, 1}});
    for (const std::int64_t radius : {19, 80, 140})
      compare_with_cpu(with_circle({300, 310}, radius), {.spacing = {spacing, 1}});
  }
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    compare_with_cpu(with_sites({90, 140}, 30), {.metric = metric});
    compare_with_cpu(with_sites({30, 34, 70}, 40), {.metric = metric});
  }
}

/// Areas with wavy borders; few cells are sites if `share` is small.
Raster with_areas(const Extents& extents, double share) {
  Raster raster = Raster::of<std::int32_t>(extents);
  auto* const cells = reinterpret_cast<std::int32_t*>(raster.bytes());
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    double height = 0;
    std::int64_t rest = i;
    for (int axis = static_cast<int>(extents.rank()); axis-- > 0; rest /= extents[axis]) {
      const auto at = static_cast<double>(rest % extents[axis]);
      height += std::sin(at / (19 + 8.0 * axis)) + 0.4 * std::sin(at / 5);
    }
    cells[i] = height > 1 - 2 * share ? static_cast<std::int32_t>(i % 200 + 1) : 0;
  }
  return raster;
}

/// Lines of several segments of 512 cells, and ranges of candidates of all lengths.
TEST(TilesCuda, EighthsEqualTheCpu) {
  const testing::NoTileIsSearched limits;
  for (const Extents& extents : {Extents{705, 70}, Extents{1090, 65}, Extents{64, 64},
                                 Extents{5, 530, 66}, Extents{530, 4, 66}, Extents{40, 36, 68}}) {
    NearestSiteOptions options;
    options.spacing = std::vector<double>(extents.rank(), 1);
    for (const std::int64_t sites : {0, 1, 60, 3000})
      compare_with_cpu(with_sites(extents, sites), options);
    for (const double share : {0.05, 0.9}) compare_with_cpu(with_areas(extents, share), options);
    options.spacing.front() = 3;
    compare_with_cpu(with_areas(extents, 0.3), options);
    options.max_distance = 21;
    options.signed_distance = true;
    compare_with_cpu(with_areas(extents, 0.4), options);
  }
  compare_with_cpu(with_circle({1300, 310}, 150), {});
}

/// The names of the stages that a problem takes on the device.
std::vector<std::string> stages_of(const Raster& sites, const NearestSiteOptions& options) {
  Context context({.device = "cuda", .stage_times = true});
  Raster distance = Raster::of<float>(sites.extents());
  nearest_site(context, sites.view(), options, {.distance = distance.view()});
  std::vector<std::string> names;
  for (const Phase& phase : context.phases()) names.emplace_back(phase.name);
  return names;
}

/// Compares with the CPU, and tells whether the search by eighths did it.
void compare_eighths(const Raster& sites, const NearestSiteOptions& options) {
  const std::vector<std::string> stages = stages_of(sites, options);
  EXPECT_NE(std::find(stages.begin(), stages.end(), "near along lines"), stages.end());
  compare_with_cpu(sites, options);
}

/// S of 64 bits: rows and columns longer than ways of 16 bits, rows of several chunks of words.
TEST(TilesCuda, EighthsOfLongLinesEqualTheCpu) {
  compare_eighths(with_sites({33000, 33}, 5), {});
  for (const Extents& extents : {Extents{3, 33001}, Extents{2, 70001}}) {
    for (const std::int64_t sites : {0, 1, 40}) compare_with_cpu(with_sites(extents, sites), {});
    compare_eighths(with_areas(extents, 0.2), {});
  }
}

/// Factors too large for keys of 32 bits: slices that lie apart, and cells that are not square.
TEST(TilesCuda, EighthsOfLargeFactorsEqualTheCpu) {
  for (const Extents& extents :
       {Extents{530, 66}, Extents{90, 131}, Extents{530, 3, 34}, Extents{20, 36, 67}}) {
    std::vector<double> spacing{1.5, 0.325, 0.325};
    if (extents.rank() == 2) spacing = {3000, 3001};
    for (const std::int64_t sites : {0, 1, 60})
      compare_with_cpu(with_sites(extents, sites), {.spacing = spacing});
    compare_eighths(with_areas(extents, 0.9), {.spacing = spacing});
    std::swap(spacing.front(), spacing.back());
    compare_with_cpu(with_areas(extents, 0.3), {.spacing = spacing, .max_distance = 9});
    compare_with_cpu(with_areas(extents, 0.3), {.spacing = spacing, .signed_distance = true});
  }
}

/// Sites at equal distances, in rows that are shifted.
Raster with_lattice(const Extents& extents, std::int64_t step) {
  Raster raster = Raster::of<std::int32_t>(extents);
  auto* const cells = reinterpret_cast<std::int32_t*>(raster.bytes());
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    bool is_site = true;
    std::int64_t rest = i;
    for (int axis = static_cast<int>(extents.rank()); axis-- > 0; rest /= extents[axis])
      is_site = is_site && (rest % extents[axis] + axis * step / 4) % step == step / 2;
    cells[i] = is_site ? 1 : 0;
  }
  return raster;
}

/// Each set of periodic axes. Sites few and many, and such as are equally near on both sides.
void compare_periodic(const Extents& extents, const NearestSiteOptions& options) {
  const ImagesByEighths limits;
  for (unsigned set = 1; set < 1u << extents.rank(); ++set) {
    NearestSiteOptions periodic = options;
    for (int axis = 0; axis < static_cast<int>(extents.rank()); ++axis)
      periodic.periodic.push_back((set >> axis & 1) != 0);
    compare_eighths(with_areas(extents, 0.2), periodic);
    for (const std::int64_t sites : {set == 1 ? 0 : 1, 3000})
      compare_with_cpu(with_sites(extents, sites), periodic);
    for (const std::int64_t step : {extents[1] / 2, std::int64_t{12}})
      compare_with_cpu(with_lattice(extents, step), periodic);
  }
}

TEST(TilesCuda, PeriodicEighthsEqualTheCpu) {
  for (const Extents& extents :
       {Extents{64, 70}, Extents{600, 130}, Extents{257, 511}, Extents{1100, 33}})
    compare_periodic(extents, {});
  compare_periodic({300, 131}, {.spacing = {1.5, 0.325}});
}

TEST(TilesCuda, PeriodicEighthsOfVolumesEqualTheCpu) {
  for (const Extents& extents : {Extents{16, 36, 68}, Extents{300, 4, 33}})
    compare_periodic(extents, {});
  compare_periodic({20, 22, 41}, {.spacing = {1.5, 0.325, 0.325}});
}

/// The rasters of a batch are planes of one search.
TEST(TilesCuda, BatchesOfPeriodicRastersEqualTheCpu) {
  const Raster sites = with_sites({3, 70, 66}, 40);
  std::vector<std::int64_t> found[2];
  for (const std::size_t own : {0, 1}) {
    Context context({.device = own == 0 ? "cpu" : "cuda"});
    found[own].resize(static_cast<std::size_t>(sites.extents().count()));
    nearest_site_batch(context, sites.view(), {.periodic = {true, true}},
                       {.site_index = View<std::int64_t>(found[own].data(), sites.extents())});
  }
  EXPECT_EQ(found[1], found[0]);
}

/// What the search by eighths does not take goes along lines in another way.
TEST(TilesCuda, RastersWithoutEighthsEqualTheCpu) {
  for (const NearestSiteOptions& options : {NearestSiteOptions{.periodic = {true, true}},
                                            NearestSiteOptions{.spacing = {1, 0.123456789}},
                                            NearestSiteOptions{.spacing = {300, 301}}}) {
    const Raster sites = with_areas({90, 31}, 0.2);
    const std::vector<std::string> stages = stages_of(sites, options);
    EXPECT_EQ(std::find(stages.begin(), stages.end(), "near along lines"), stages.end());
    compare_with_cpu(sites, options);
  }
}

/// Labels and distances alone, of four bytes: pairs of cells are one word.
TEST(TilesCuda, SimpleEighthsEqualTheCpu) {
  const testing::NoTileIsSearched limits;
  for (const Extents& extents : {Extents{530, 68}, Extents{40, 36, 68}})
    for (const double share : {0.0, 0.1, 0.6}) {
      const Raster sites = with_areas(extents, share);
      for (const double spacing : {1.0, 0.5}) {
        Raster labels[2] = {Raster::of<std::int32_t>(extents), Raster::of<std::int32_t>(extents)};
        Raster distance[2] = {Raster::of<float>(extents), Raster::of<float>(extents)};
        for (const std::size_t own : {0, 1}) {
          Context context({.device = own == 0 ? "cpu" : "cuda"});
          const NearestSiteOptions options{.spacing = std::vector<double>(extents.rank(), spacing)};
          nearest_site(context, sites.view(), options,
                       {.labels = labels[own].view(), .distance = distance[own].view()});
        }
        EXPECT_EQ(std::memcmp(labels[0].bytes(), labels[1].bytes(), labels[0].size_bytes()), 0);
        EXPECT_EQ(std::memcmp(distance[0].bytes(), distance[1].bytes(), distance[0].size_bytes()),
                  0);
      }
    }
}

/// S, and what is compared instead of it, come close to 2^32.
TEST(TilesCuda, FloodingFarAwayEqualsTheCpu) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    compare_with_cpu(with_sites({2, 45000}, 3), {.method = Method::jfa, .metric = metric});
    compare_with_cpu(with_sites({3, 2, 20000}, 3), {.method = Method::jfa, .metric = metric});
  }
  compare_with_cpu(with_sites({27000, 2}, 3), {.method = Method::jfa});
  compare_with_cpu(with_sites({2, 20000, 2}, 3), {.method = Method::jfa});
  compare_with_cpu(with_sites({16000, 2, 3}, 3),
                   {.method = Method::jfa, .metric = Metric::chessboard});
  compare_with_cpu(with_sites({9000, 5}, 3), {.method = Method::jfa, .spacing = {3, 2}});
}

/// Tiles as large as the device has room for; many of them hold nothing but one site.
TEST(TilesCuda, FloodingInLargeTilesEqualsTheCpu) {
  for (const std::int64_t sites : {5, 2000}) {
    compare_with_cpu(with_sites({520, 640}, sites), {.method = Method::jfa});
    compare_with_cpu(with_sites({70, 60, 90}, sites), {.method = Method::one_jfa});
  }
}

TEST(TilesCuda, FloodingByThrustEqualsTheCpu) {
  for (const Extents& extents : {Extents{90, 150}, Extents{1, 130}, Extents{77, 2}})
    for (const std::int64_t sites : {1, 40, 70})
      compare_with_cpu(with_sites(extents, sites), {.method = Method::jfa_thrust});
}

}  // namespace
}  // namespace thiessen
