// SPDX-License-Identifier: Apache-2.0
//
// The CUDA passes of jump flooding, by blocks of the host, against the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cuda/flood/pass.hpp"
#include "cuda/flood/plan.hpp"
#include "cuda/flood/thrust_functors.hpp"
#include "cuda/flood/tiles.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"
#include "unit/cuda_job.hpp"

namespace thiessen::cuda {
namespace {

using testing::Draw;

/// What the CPU finds, and the same problem as kernels see it.
struct FloodScene {
  FloodScene(const Extents& extents, std::int64_t one_in, NearestSiteOptions own,
             std::uint64_t seed)
      : options(std::move(own)),
        sites(ElementType::u16, extents),
        site_index(ElementType::i64, extents),
        distance(ElementType::f64, extents),
        expected_index(ElementType::i64, extents),
        expected_distance(ElementType::f64, extents) {
    Draw draw(seed);
    auto* const cells = reinterpret_cast<std::uint16_t*>(sites.bytes());
    for (std::int64_t i = 0; i < extents.count(); ++i)
      cells[i] = draw.once_in(one_in) ? static_cast<std::uint16_t>(1 + draw.below(65535)) : 0;
    Context context({.device = "cpu"});
    nearest_site(context, View<const void>(sites.view()), options,
                 outputs(expected_index, expected_distance));
    const NearestSiteOutputs out = outputs(site_index, distance);
    problem = make_problem(View<const void>(sites.view()), options, out);
    job = host_job(problem, make_views(View<const void>(sites.view()), out));
    mark();
  }

  static NearestSiteOutputs outputs(Raster& index, Raster& distance) {
    NearestSiteOutputs out;
    out.site_index =
        View<std::int64_t>(reinterpret_cast<std::int64_t*>(index.bytes()), index.view().extents());
    out.distance = distance.view();
    return out;
  }

  void mark() {
    const Axes& extent = problem.extent;
    bits.row_words = (extent[2] + 31) / 32;
    words.resize(static_cast<std::size_t>(bits.row_words * extent[0] * extent[1]));
    bits.words = words.data();
    for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
      if (class_of(job, cell) != kSiteCell) continue;
      list.push_back(cell);
      words[static_cast<std::size_t>(cell / extent[2] * bits.row_words + cell % extent[2] / 32)] |=
          1u << cell % extent[2] % 32;
    }
  }

  void expect_equal() const {
    for (std::int64_t i = 0; i < problem.cells(); ++i) {
      const auto at = [&](const Raster& raster) {
        std::uint64_t value;
        std::memcpy(&value, raster.bytes() + i * 8, 8);
        return value;
      };
      ASSERT_EQ(at(site_index), at(expected_index)) << "cell " << i;
      ASSERT_EQ(at(distance), at(expected_distance)) << "cell " << i;
    }
  }

  NearestSiteOptions options;
  Raster sites;
  Raster site_index;
  Raster distance;
  Raster expected_index;
  Raster expected_distance;
  Problem problem;
  Job job;
  Bits bits;
  std::vector<std::uint32_t> words;
  std::vector<std::int64_t> list;
};

template <Metric kMetric, int kRank, bool kPlain>
void run_tiles(const Job& job, const Packing& packing, const FloodGroup& group,
               const FloodMove& move) {
  std::vector<PackedCell> memory(static_cast<std::size_t>(2 * group.cells()));
  for (std::int64_t tile = 0; tile < group.blocks(); ++tile) {
    std::fill(memory.begin(), memory.end(), 0xDEADBEEFu);
    FloodTile<HostBlock, kMetric, kRank, kPlain>(packing, group, tile, memory.data())
        .run(job, move);
  }
}

template <Metric kMetric, int kRank>
void run_tiles(const Job& job, const Packing& packing, const FloodGroup& group,
               const FloodMove& move) {
  if (packing.plain && kMetric == Metric::euclidean)
    return run_tiles<kMetric, kRank, true>(job, packing, group, move);
  run_tiles<kMetric, kRank, false>(job, packing, group, move);
}

template <int kRank>
void run_tiles(const Job& job, const Packing& packing, const FloodGroup& group,
               const FloodMove& move) {
  switch (job.metric) {
    case Metric::euclidean:
      return run_tiles<Metric::euclidean, kRank>(job, packing, group, move);
    case Metric::manhattan:
      return run_tiles<Metric::manhattan, kRank>(job, packing, group, move);
    default:
      return run_tiles<Metric::chessboard, kRank>(job, packing, group, move);
  }
}

/// As the launcher does it.
void flood_by_tiles(FloodScene& scene, const FloodRoom& room) {
  const auto packing = make_packing(scene.problem);
  ASSERT_TRUE(packing);
  const Flooding& flooding = *scene.problem.flooding;
  const auto steps = flooding_steps(flooding, scene.problem.extent, 0);
  const auto groups = plan_flooding(steps, packing->extents(), room);
  std::vector<PackedCell> state[2];
  FloodMove move{.bits = scene.bits};
  const auto cells = static_cast<std::size_t>(scene.problem.cells());
  if (flooding.noise == FloodingNoise::mask) {
    state[0].resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      const auto sites = static_cast<std::int64_t>(scene.list.size());
      std::int64_t site = class_of(scene.job, cell) == kSiteCell ? cell : -1;
      if (site < 0 && sites > 0)
        site = scene.list[static_cast<std::size_t>(noise_rank(flooding.seed, cell, sites))];
      const Axes at = to_cell(scene.problem.extent, site < 0 ? 0 : site);
      const bool flat = scene.problem.rank == 2;
      state[0][i] = site < 0 ? packing->none
                             : packing->pack(static_cast<std::int32_t>(at[flat ? 1 : 0]),
                                             static_cast<std::int32_t>(at[flat ? 0 : 1]),
                                             static_cast<std::int32_t>(at[2]));
    }
    move.from = state[0].data();
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ASSERT_LE(groups[i].cells(), room.cells);
    std::vector<PackedCell>& to = state[(i + 1) % 2];
    to.assign(cells, 0xDEADBEEFu);
    move.to = i + 1 < groups.size() ? to.data() : nullptr;
    if (scene.problem.rank == 2)
      run_tiles<2>(scene.job, *packing, groups[i], move);
    else
      run_tiles<3>(scene.job, *packing, groups[i], move);
    move.from = move.to;
  }
}

template <class Codes, class Scalar>
void flood_by_cells(FloodScene& scene, const Codes& codes) {
  const Flooding& flooding = *scene.problem.flooding;
  const auto cells = static_cast<std::size_t>(scene.problem.cells());
  const auto sites = static_cast<std::int64_t>(scene.list.size());
  Flood<Codes, Scalar> flood;
  flood.codes = codes;
  flood.measure.metric = scene.job.metric;
  flood.measure.fraction_bits = scene.job.fraction_bits;
  flood.extent = scene.job.extent;
  flood.noise = flooding.noise;
  flood.seed = flooding.seed;
  flood.known = sites;
  using Coordinate = typename FloodMeasure<Scalar>::Coordinate;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    flood.periodic[axis] = scene.job.period[axis] != kNoPeriod;
    flood.measure.factor[axis] = static_cast<Scalar>(scene.job.factor[axis]);
    flood.measure.period[axis] = flood.periodic[axis]
                                     ? static_cast<Coordinate>(scene.job.period[axis])
                                     : std::numeric_limits<Coordinate>::max();
  }
  std::vector<typename Codes::Code> state[2];
  std::vector<typename Codes::Code> by_rank;
  for (const std::int64_t site : scene.list)
    by_rank.push_back(codes.code(to_cell(flood.extent, site)));
  flood.by_rank = by_rank.data();
  for (auto& each : state) each.assign(cells, Codes::kNone);
  for (std::size_t i = 0; i < by_rank.size(); ++i)
    state[0][static_cast<std::size_t>(scene.list[i])] = by_rank[i];
  for (std::size_t i = 0; i < cells && flood.noise == FloodingNoise::mask && sites > 0; ++i)
    if (state[0][i] == Codes::kNone)
      state[0][i] = flood.noise_of(static_cast<std::int64_t>(i), sites);
  // As many as there can be; the number of sites leaves some out.
  const bool star = flooding.rule == FloodingSteps::star && flooding.steps.empty();
  const auto steps = flooding_steps(flooding, flood.extent, scene.problem.cells());
  const auto directions = flooding_directions();
  FloodPass pass;
  pass.turn = {.last = static_cast<std::int64_t>(steps.size()) - 1, .star = star};
  pass.directions = directions.data();
  for (const std::int64_t step : steps) {
    pass.step = step;
    pass.offsets = pass.points = 0;
    if (flooding.pattern == FloodingPattern::random_circle) {
      pass.points = flooding.points;
    } else {
      for (const Axes& offset : flooding_offsets(flooding, scene.problem.rank, step)) {
        for (std::size_t axis = 0; axis < kAxes; ++axis)
          pass.offset[pass.offsets][axis] = static_cast<std::int32_t>(offset[axis]);
        ++pass.offsets;
      }
    }
    if (pass.turn.is_done(sites)) {
      const auto from = static_cast<std::size_t>(pass.turn.number(sites) % 2);
      for (std::size_t i = 0; i < cells; ++i)
        state[1 - from][i] = flood_cell(flood, pass, state[from].data(),
                                        to_cell(flood.extent, static_cast<std::int64_t>(i)), sites);
    }
    ++pass.turn.place;
  }
  const auto& last = state[pass.turn.number(sites) % 2];
  for (std::size_t i = 0; i < cells; ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const bool none = last[i] == Codes::kNone;
    const Scalar exact =
        none ? Scalar{0} : flood.measure(to_cell(flood.extent, cell), codes.place(last[i]));
    write_result(scene.job, cell, none ? kUnreached : codes.index(last[i]), exact);
  }
}

template <class Word>
CellCodes<Word> codes_of(const FloodScene& scene) {
  const auto bits = [](std::int64_t extent) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
  };
  const Axes& extent = scene.problem.extent;
  return {extent, bits(extent[2]), bits(extent[1])};
}

Extents random_extents(Draw& draw, int rank) {
  const auto extent = [&](std::int64_t most) {
    return draw.once_in(6) ? 1 + draw.below(3) : 1 + draw.below(most);
  };
  return rank == 2 ? Extents{extent(90), extent(150)} : Extents{extent(24), extent(20), extent(40)};
}

NearestSiteOptions random_options(Draw& draw, int rank) {
  constexpr Metric kMetrics[] = {Metric::euclidean, Metric::manhattan, Metric::chessboard};
  NearestSiteOptions options;
  options.metric = kMetrics[draw.below(3)];
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis)
      options.spacing.push_back(static_cast<double>(1 + draw.below(5)));
  if (draw.once_in(4)) options.max_distance = static_cast<double>(1 + draw.below(30));
  options.flooding.seed = static_cast<std::uint64_t>(draw.below(100));
  return options;
}

std::string text_of(const FloodScene& scene) {
  std::string text = scene.options.method + ", extents";
  for (const std::int64_t extent : scene.problem.extent) text += ' ' + std::to_string(extent);
  text += ", metric " + std::to_string(static_cast<int>(scene.options.metric)) + ", steps";
  for (const std::int64_t step : scene.options.flooding.steps) text += ' ' + std::to_string(step);
  return text + ", pattern " + scene.options.flooding.pattern + ", noise " +
         scene.options.flooding.noise;
}

TEST(CudaFloodTiles, EqualTheCpu) {
  constexpr const char* kMethods[] = {"jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise"};
  constexpr std::int64_t kRooms[] = {216, 400, 1000, 3000, 14000};
  Draw draw(1);
  for (int round = 0; round < 250; ++round) {
    const int rank = draw.once_in(3) ? 3 : 2;
    const Extents extents = random_extents(draw, rank);
    NearestSiteOptions options = random_options(draw, rank);
    options.method = kMethods[draw.below(6)];
    if (draw.once_in(3))
      for (std::int64_t count = 1 + draw.below(6); count > 0; --count)
        options.flooding.steps.push_back(1 + draw.below(draw.once_in(4) ? 300 : 20));
    const std::int64_t one_in = std::int64_t{1} << draw.below(12);
    FloodScene scene(extents, one_in, options, static_cast<std::uint64_t>(round));
    SCOPED_TRACE(std::to_string(round) + ": " + text_of(scene));
    flood_by_tiles(scene, {.cells = kRooms[draw.below(5)],
                           .blocks = 1 + draw.below(20),
                           .warps = static_cast<std::int32_t>(1 + draw.below(20))});
    scene.expect_equal();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// S, and what is compared instead of it, come close to 2^32.
TEST(CudaFloodTiles, EqualTheCpuFarAway) {
  const Extents flat[] = {{27000, 2}, {2, 45000}, {9000, 5}};
  const Extents deep[] = {{16000, 2, 3}, {2, 20000, 2}, {3, 2, 20000}};
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
    for (int round = 0; round < 6; ++round) {
      NearestSiteOptions options;
      options.method = "jfa";
      options.metric = metric;
      if (round == 2) options.spacing = {3, 2};
      FloodScene scene(round < 3 ? flat[round] : deep[round - 3], 20000, options,
                       static_cast<std::uint64_t>(round));
      SCOPED_TRACE(text_of(scene));
      flood_by_tiles(scene, {.cells = 14464, .blocks = 264, .warps = 10});
      scene.expect_equal();
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// Tiles of the size that a device has room for; many of them hold nothing but one site.
TEST(CudaFloodTiles, EqualTheCpuInLargeTiles) {
  Draw draw(5);
  for (int round = 0; round < 8; ++round) {
    const bool deep = round % 4 == 3;
    const Extents extents = deep ? Extents{60 + draw.below(30), 50 + draw.below(30), 90}
                                 : Extents{500 + draw.below(200), 600 + draw.below(200)};
    NearestSiteOptions options;
    options.method = round % 2 == 0 ? "jfa" : "1+jfa";
    FloodScene scene(extents, std::int64_t{1} << (round < 4 ? 16 : 2 + draw.below(8)), options,
                     static_cast<std::uint64_t>(round));
    SCOPED_TRACE(text_of(scene));
    flood_by_tiles(scene, {.cells = 14464, .blocks = 264, .warps = 10});
    scene.expect_equal();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(CudaFloodCells, EqualTheCpu) {
  constexpr const char* kMethods[] = {"jfa", "jfa-noise", "jfa-plus", "jfa-star", "jfa2"};
  constexpr const char* kPatterns[] = {"", "square", "circle:12", "circle:5", "random-circle:9"};
  constexpr const char* kNoises[] = {"", "none", "in-place", "mask"};
  Draw draw(2);
  for (int round = 0; round < 120; ++round) {
    const int rank = draw.once_in(4) ? 3 : 2;
    const Extents extents = random_extents(draw, rank);
    NearestSiteOptions options = random_options(draw, rank);
    options.method = kMethods[draw.below(5)];
    options.flooding.pattern = rank == 3 ? "square" : kPatterns[draw.below(5)];
    options.flooding.noise = kNoises[draw.below(4)];
    if (draw.once_in(2))
      for (int axis = 0; axis < rank; ++axis) options.periodic.push_back(draw.once_in(2));
    if (draw.once_in(3))
      for (std::int64_t count = 1 + draw.below(5); count > 0; --count)
        options.flooding.steps.push_back(1 + draw.below(draw.once_in(4) ? 300 : 20));
    const std::int64_t one_in = std::int64_t{1} << draw.below(12);
    FloodScene scene(extents, one_in, options, static_cast<std::uint64_t>(round));
    SCOPED_TRACE(std::to_string(round) + ": " + text_of(scene));
    switch (round % 3) {
      case 0:
        flood_by_cells<CellCodes<std::uint32_t>, std::int32_t>(scene,
                                                               codes_of<std::uint32_t>(scene));
        break;
      case 1:
        flood_by_cells<CellCodes<std::uint32_t>, std::int64_t>(scene,
                                                               codes_of<std::uint32_t>(scene));
        break;
      default:
        flood_by_cells<CellCodes<std::uint64_t>, Int128>(scene, codes_of<std::uint64_t>(scene));
    }
    scene.expect_equal();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// A tuple of shifted iterators, at one cell.
struct Shifted {
  const std::int32_t* own;
  std::int32_t step;
  std::int32_t width;
  template <int kNumber>
  std::int32_t get() const {
    constexpr int kRight[] = {0, 1, 0, -1, 0, 1, 1, -1, -1};
    constexpr int kDown[] = {0, 0, 1, 0, -1, 1, -1, 1, -1};
    return own[kRight[kNumber] * step + kDown[kNumber] * step * width];
  }
};

TEST(CudaFloodThrust, EqualsTheCpu) {
  Draw draw(3);
  for (int round = 0; round < 40; ++round) {
    const Extents extents = random_extents(draw, 2);
    FloodScene scene(extents, std::int64_t{1} << draw.below(12), {.method = "1+jfa"},
                     static_cast<std::uint64_t>(round));
    SCOPED_TRACE(std::to_string(round) + ": " + text_of(scene));
    const auto width = static_cast<std::int32_t>(extents[1]);
    const auto height = static_cast<std::int32_t>(extents[0]);
    std::vector<std::int32_t> state(static_cast<std::size_t>(scene.problem.cells()), kNoCell);
    for (const std::int64_t site : scene.list)
      state[static_cast<std::size_t>(site)] = static_cast<std::int32_t>(site);
    for (const std::int64_t step :
         flooding_steps(*scene.problem.flooding, scene.problem.extent, 0)) {
      const std::vector<std::int32_t> old = state;
      const auto own_step = static_cast<std::int32_t>(step);
      for (std::size_t i = 0; i < state.size(); ++i)
        state[i] = MinFunctor{width, height, own_step}.flood(static_cast<std::int32_t>(i),
                                                             Shifted{&old[i], own_step, width});
    }
    for (std::size_t i = 0; i < state.size(); ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      const Axes from = to_cell(scene.problem.extent, cell);
      const Axes to = to_cell(scene.problem.extent, state[i] < 0 ? 0 : state[i]);
      write_result(scene.job, cell, std::int64_t{state[i]},
                   static_cast<std::int64_t>(exact_between(scene.problem, from, to)));
    }
    scene.expect_equal();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(CudaFloodThrust, DividesAsIntegersAre) {
  Draw draw(4);
  constexpr std::int32_t kMost = 0x7FFFFFFF;
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t bits = std::int64_t{1} << draw.below(31);
    const auto width = static_cast<std::int32_t>(1 + draw.below(bits));
    const RowDivision division(width);
    for (int i = 0; i < 100; ++i) {
      const auto row = static_cast<std::int32_t>(draw.below(std::int64_t{kMost / width} + 1));
      const std::int32_t first = row * width;
      const std::int32_t last = width - 1 < kMost - first ? first + (width - 1) : kMost;
      for (const std::int32_t cell : {first, last}) {
        ASSERT_EQ(division.row(cell), row) << cell << " / " << width;
        ASSERT_EQ(division.column(cell, row), cell - first);
      }
    }
  }
}

Problem problem_of(const Extents& extents, Metric metric, const std::vector<double>& spacing = {}) {
  NearestSiteOptions options;
  options.method = "jfa";
  options.metric = metric;
  options.spacing = spacing;
  std::uint8_t cell = 0;  // that nobody reads
  return make_problem(View<const void>(&cell, ElementType::u8, extents), options, {});
}

/// No site is farther away than any, where it is least and where it is most.
TEST(CudaFloodPacking, NoSiteLosesEverywhere) {
  const auto check = [](const Problem& problem, bool fits) {
    const auto packing = make_packing(problem);
    ASSERT_EQ(packing.has_value(), fits);
    if (!fits) return;
    const bool flat = problem.rank == 2;
    const Int128 far = packing->top(packing->none);
    const std::int64_t last = packing->extent[0] - 1;
    EXPECT_GT(far, last);
    EXPECT_GT(packing->none, packing->pack(packing->extent[0] - 1, packing->extent[1] - 1,
                                           packing->extent[2] - 1));
    const bool square = problem.metric == Metric::euclidean;
    const Int128 factor = problem.weights.factor[flat ? 1 : 0];
    EXPECT_GT(factor * (square ? (far - last) * (far - last) : far - last),
              problem.weights.greatest);
    EXPECT_LT(factor * (square ? far * far : far) + problem.weights.greatest, Int128{1} << 32);
  };
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    check(problem_of({16384, 16384}, metric), true);
    check(problem_of({1, 1}, metric), true);
    check(problem_of({1, 30000}, metric), true);
    check(problem_of({512, 512, 512}, metric), true);
    check(problem_of({1024, 1024, 1024}, metric), true);
    check(problem_of({1000, 700, 3}, metric, {3, 2, 7}), true);
    check(problem_of({65537, 3}, metric), false);
    check(problem_of({65536, 65536}, metric), false);
    check(problem_of({2000, 2000, 2000}, metric), false);
  }
  check(problem_of({32768, 32768}, Metric::euclidean), false);
  check(problem_of({23000, 23000}, Metric::euclidean), true);
}

/// Every cell is in one tile, and what a tile needs of the raster it has.
TEST(CudaFloodPlan, FewGroupsForLargeRasters) {
  const auto plan = [](const Extents& extents, std::int64_t room) {
    const Problem problem = problem_of(extents, Metric::euclidean);
    return plan_flooding(flooding_steps(*problem.flooding, problem.extent, 0),
                         make_packing(problem)->extents(),
                         {.cells = room, .blocks = 264, .warps = 16});
  };
  constexpr std::int64_t kRoom = 14000;
  const auto large = plan({16384, 16384}, kRoom);
  EXPECT_LE(large.size(), 6u);
  for (const std::int32_t halo : large[0].halo) EXPECT_EQ(halo, 0);
  EXPECT_LE(plan({1280, 1280}, kRoom).size(), 4u);
  EXPECT_EQ(plan({1, 1}, kRoom).size(), 1u);
  std::int64_t passes = 0;
  for (const FloodGroup& group : plan({512, 512, 512}, kRoom)) passes += group.passes;
  EXPECT_EQ(passes, 9);
}

}  // namespace
}  // namespace thiessen::cuda
