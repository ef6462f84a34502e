// SPDX-License-Identifier: Apache-2.0
//
// Cost distance by tiles as the kernels do it, one thread of a warp or block after the other,
// against the CPU's; and where tiles lie.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/cost_problem.hpp"
#include "cuda/cost/flat_tile.hpp"
#include "cuda/cost/flow.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cuda {
namespace {

/// Tiles to be worked on, generation by generation, and why (cuda/cost/queue.cuh).
class HostQueue {
 public:
  HostQueue(const CostTiling& tiling, const std::vector<std::int64_t>& cells)
      : reason_(static_cast<std::size_t>(tiling.count())) {
    for (const std::int64_t cell : cells) enter(tile_of(tiling, cell), kSetWithin);
  }

  void enter(std::int64_t tile, std::uint32_t reason) {
    if (tile < 0) return;
    std::uint32_t& reasons = reason_[static_cast<std::size_t>(tile)];
    if (reasons == 0) next_.push_back(static_cast<std::uint32_t>(tile));
    reasons |= reason;
  }

  /// Calls work(tile, reasons) until there is none left. Of the tiles of a generation those that
  /// were listed last come first: no order changes the result.
  template <class Work>
  void run(const Work& work) {
    while (!next_.empty()) {
      const std::vector<std::uint32_t> list = std::exchange(next_, {});
      for (auto tile = list.rbegin(); tile != list.rend(); ++tile)
        work(*tile, std::exchange(reason_[*tile], 0));
    }
  }

 private:
  std::vector<std::uint32_t> reason_;
  std::vector<std::uint32_t> next_;
};

/// What warps do (cuda/cost/warp_worker.cuh).
template <class Flow>
void flood_by_warps(const Flow& flow, const std::vector<std::int64_t>& cells) {
  const CostTiling& tiling = flow.job.tiling;
  HostQueue queue(tiling, cells);
  const auto storage = std::make_unique<FlatTile<Flow>>();
  queue.run([&](std::uint32_t tile, std::uint32_t reasons) {
    FlatSweep<HostWarp, Flow> sweep(flow, origin_of(tiling, tile), *storage);
    sweep.settle(reasons);
    sweep.store();
    const std::uint32_t reached = sweep.reached();
    for (int i = 0; i < kFlatAround; ++i)
      if ((reached >> i & 1) != 0)
        queue.enter(tile_around(tiling, tile, flat_around(i).code), flat_around(i).reason);
  });
}

/// What a block does (cuda/cost/block_worker.cuh).
template <class Flow>
class BlockFlood {
 public:
  using Value = typename Flow::Value;

  BlockFlood(const Flow& flow, const std::vector<std::int64_t>& cells)
      : flow_(flow), tiling_(flow.job.tiling), queue_(tiling_, cells) {
    queue_.run([this](std::uint32_t tile, std::uint32_t reasons) { work_on(tile, reasons); });
  }

 private:
  int place_of(int thread) const {
    const auto place = place_in(tiling_.size, thread);
    return ((place[0] + tiling_.halo[0]) * tiling_.padded[1] + place[1] + tiling_.halo[1]) *
               tiling_.padded[2] +
           place[2] + tiling_.halo[2];
  }

  std::int64_t cell_of(const Axes& origin, int thread) const {
    const auto place = place_in(tiling_.size, thread);
    return cell_at(tiling_, origin, place[0], place[1], place[2]);
  }

  void load(const Axes& origin) {
    const auto& halo = tiling_.halo;
    for (int i = 0; i < tiling_.padded_cells(); ++i) {
      const auto place = place_in(tiling_.padded, i);
      const std::int64_t cell =
          cell_at(tiling_, origin, place[0] - halo[0], place[1] - halo[1], place[2] - halo[2]);
      value_[i] = cell < 0 ? Flow::kNothing : flow_.values()[cell];
      if constexpr (std::is_floating_point_v<Value>)
        resistance_[i] =
            cell < 0 ? std::numeric_limits<Value>::quiet_NaN() : flow_.job.resistance[cell];
    }
    steps_.assign(kCostThreads, {});
    for (int thread = 0; thread < kCostThreads; ++thread) {
      const std::int64_t cell = cell_of(origin, thread);
      if (cell < 0) continue;
      if constexpr (std::is_floating_point_v<Value>)
        steps_[static_cast<std::size_t>(thread)] = flow_.steps_of(resistance_ + place_of(thread));
      else
        steps_[static_cast<std::size_t>(thread)] = flow_.steps_of(cell);
    }
  }

  bool run_warp(const Axes& origin, int warp) {
    bool fell = false;
    for (int thread = warp * kCostWarp; thread < (warp + 1) * kCostWarp; ++thread) {
      if (cell_of(origin, thread) < 0) continue;
      volatile Value* const at = value_ + place_of(thread);
      const Value own = *at;
      const Value least =
          least_around<Flow::kCount>(tiling_, steps_[static_cast<std::size_t>(thread)], at, own);
      if (!(least < own) || !flow_.allows(least)) continue;
      *at = least;
      fell = true;
    }
    return fell;
  }

  void settle(const Axes& origin) {
    for (std::uint32_t before = 0xFFFFFFFFu; before != 0;) {
      std::uint32_t lowered = 0;
      for (int warp = kCostThreads / kCostWarp - 1; warp >= 0; --warp)
        if ((before & warps_near(tiling_, warp)) != 0 && run_warp(origin, warp))
          lowered |= std::uint32_t{1} << warp;
      before = lowered;
    }
  }

  void work_on(std::uint32_t tile, std::uint32_t reasons) {
    const Axes origin = origin_of(tiling_, tile);
    load(origin);
    settle(origin);
    std::uint32_t reached = 0;
    for (int thread = 0; thread < kCostThreads; ++thread) {
      const std::int64_t cell = cell_of(origin, thread);
      if (cell < 0) continue;
      const Value now = value_[place_of(thread)];
      if (now < ((reasons & kSetWithin) != 0 ? Flow::kNothing : flow_.values()[cell]))
        reached |= tiles_reached(tiling_, place_in(tiling_.size, thread));
      flow_.values()[cell] = now;
    }
    for (int code = 0; code < kTileCodes; ++code)
      if ((reached >> code & 1) != 0) queue_.enter(tile_around(tiling_, tile, code), 1);
  }

  const Flow flow_;
  const CostTiling& tiling_;
  volatile Value value_[kMostPadded];
  Value resistance_[kMostPadded];
  std::vector<typename Flow::Steps> steps_;
  HostQueue queue_;
};

template <class Flow>
void flood(const Flow& flow, const std::vector<std::int64_t>& cells) {
  if constexpr (kIsFlat<Flow>)
    flood_by_warps(flow, cells);
  else
    BlockFlood<Flow>(flow, cells);
}

template <int kCount>
void find_tight_steps(const CostJob<float>& job) {
  if constexpr (kIsFlat<CostFlow<float, kCount>>) {
    const CostFlow<float, kCount> flow{job};
    const auto storage = std::make_unique<FlatTile<CostFlow<float, kCount>>>();
    for (std::uint32_t tile = 0; tile < job.tiling.count(); ++tile)
      FlatSweep<HostWarp, CostFlow<float, kCount>>(flow, origin_of(job.tiling, tile), *storage)
          .store_tight_steps();
  } else {
    for (std::int64_t cell = 0; cell < job.cells(); ++cell)
      job.steps[cell] = tight_steps_to(job, cell);
  }
}

struct CostCase {
  Extents extents;
  const char* material;  ///< or "plateaus": costs of 0 and 1
  int connectivity;
  std::int64_t sites;
};

/// A call, and what the CPU makes of it.
struct CostOnCpu {
  explicit CostOnCpu(const CostCase& scene)
      : map(Raster::of<float>(scene.extents)),
        sites(Raster::of<std::int32_t>(scene.extents)),
        distance(Raster::of<float>(scene.extents)),
        index(Raster::of<std::int64_t>(scene.extents)),
        link(Raster::of<std::uint8_t>(scene.extents)) {
    Context context;
    const bool plateaus = std::string(scene.material) == "plateaus";
    material_map(context, map.view(), plateaus ? "noise" : scene.material, 3);
    for (std::int64_t i = 0; plateaus && i < scene.extents.count(); ++i)
      cells_of<float>(map)[i] = cells_of<float>(map)[i] < 0.7F ? 0.0F : 1.0F;
    random_sites(context, sites.view(), scene.sites, 4);
    options.connectivity = scene.connectivity;
    options.tight_barriers = true;
    if (plateaus) options.edge_weight = EdgeWeight::cost;
    out = {.site_index = index.view<std::int64_t>(),
           .distance = distance.view(),
           .back_link = link.view<std::uint8_t>()};
    cost_distance(context, map.view(), sites.view(), options, out);
  }

  template <class T>
  static T* cells_of(Raster& raster) {
    return reinterpret_cast<T*>(raster.bytes());
  }

  Raster map, sites, distance, index, link;
  CostDistanceOptions options;
  CostDistanceOutputs out;
};

/// What the device has.
struct CostOnDevice {
  explicit CostOnDevice(CostOnCpu& call) {
    const CostProblem problem =
        make_cost_problem(call.map.view(), call.sites.view(), call.options, call.out);
    const auto cells = static_cast<std::size_t>(problem.cells());
    job.edges = make_edges<float>(problem);
    job.tiling = make_tiling(problem.extent, job.edges);
    job.limit = greatest_cost<float>(problem);
    resistance.resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
      resistance[i] =
          to_resistance<float>(CostOnCpu::cells_of<float>(call.map)[i], job.edges.stiffness).value;
      if (CostOnCpu::cells_of<std::int32_t>(call.sites)[i] != 0 && is_passable(resistance[i]))
        site_cells.push_back(static_cast<std::int64_t>(i));
    }
    cost.assign(cells, std::numeric_limits<float>::infinity());
    steps.assign(cells, 0);
    rank.assign(cells, kNoRank);
    hops.assign(cells, kNoHops);
    job.resistance = resistance.data();
    job.cost = cost.data();
    job.steps = steps.data();
    job.rank = rank.data();
    job.hops = hops.data();
  }

  template <int kCount>
  void run() {
    for (const std::int64_t cell : site_cells) job.cost[cell] = 0;
    flood(CostFlow<float, kCount>{job}, site_cells);
    find_tight_steps<kCount>(job);
    for (std::size_t i = 0; i < site_cells.size(); ++i)
      job.rank[site_cells[i]] = static_cast<std::uint32_t>(i);
    flood(RankFlow<kCount>{job}, site_cells);
    for (std::int64_t cell = 0; cell < job.cells(); ++cell)
      job.steps[cell] = same_site_steps(job, cell);
    for (std::size_t i = 0; i < site_cells.size(); ++i)
      if (job.rank[site_cells[i]] == i) job.hops[site_cells[i]] = 0;
    flood(HopFlow<kCount>{job}, site_cells);
  }

  CostJob<float> job;
  std::vector<float> resistance, cost;
  std::vector<std::int64_t> site_cells;
  std::vector<std::uint32_t> steps, rank, hops;
};

TEST(CudaCostTest, FloodsByTilesAreTheSameBits) {
  const CostCase scenes[] = {
      {{70, 101}, "noise", 8, 4},       {{33, 65}, "maze", 8, 2},     {{64, 64}, "plateaus", 8, 9},
      {{40, 97}, "noise", 4, 3},        {{67, 66}, "maze", 16, 3},    {{1, 200}, "noise", 8, 2},
      {{70, 50}, "plateaus", 16, 5},    {{97, 33}, "maze", 4, 2},     {{11, 17, 37}, "noise", 6, 3},
      {{9, 20, 33}, "plateaus", 26, 4}, {{16, 8, 16}, "noise", 18, 2}};
  for (const CostCase& scene : scenes) {
    SCOPED_TRACE(std::string(scene.material) + ", " + std::to_string(scene.connectivity));
    CostOnCpu call(scene);
    CostOnDevice device(call);
    visit_count(scene.connectivity, [&](auto count) { device.run<decltype(count)::value>(); });
    for (std::int64_t cell = 0; cell < device.job.cells(); ++cell) {
      const std::uint32_t rank = device.job.rank[cell];
      ASSERT_EQ(device.job.cost[cell], CostOnCpu::cells_of<float>(call.distance)[cell]) << cell;
      ASSERT_EQ(rank == kNoRank ? kUnreached : device.site_cells[rank],
                CostOnCpu::cells_of<std::int64_t>(call.index)[cell])
          << cell;
      ASSERT_EQ(rank == kNoRank ? kBackLinkUnreached : back_link_of(device.job, cell),
                CostOnCpu::cells_of<std::uint8_t>(call.link)[cell])
          << cell;
    }
  }
}

CostTiling tiling_of(const Axes& extent, int connectivity) {
  CostEdges<float> edges;
  set_neighbours(edges, connectivity);
  return make_tiling(extent, edges);
}

TEST(CudaCostTest, TilesCoverTheRaster) {
  for (const int connectivity : {8, 16, 26}) {
    const Axes extent{connectivity == 26 ? 9 : 1, 33, 70};
    const CostTiling tiling = tiling_of(extent, connectivity);
    EXPECT_LE(tiling.padded_cells(), kMostPadded);
    EXPECT_EQ(tiling.size[0] * tiling.size[1] * tiling.size[2], kCostThreads);
    std::vector<int> seen(static_cast<std::size_t>(extent[0] * extent[1] * extent[2]));
    for (std::uint32_t tile = 0; tile < tiling.count(); ++tile)
      for (int i = 0; i < kCostThreads; ++i) {
        const auto place = place_in(tiling.size, i);
        const std::int64_t cell =
            cell_at(tiling, origin_of(tiling, tile), place[0], place[1], place[2]);
        if (cell < 0) continue;
        ++seen[static_cast<std::size_t>(cell)];
        EXPECT_EQ(tile_of(tiling, cell), tile);
      }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  }
}

TEST(CudaCostTest, ACellReachesTheTilesInWhoseHaloItLies) {
  const CostTiling flat = tiling_of({1, 96, 96}, 8);
  EXPECT_EQ(tiles_reached(flat, {0, 5, 5}), 0U);
  EXPECT_EQ(tiles_reached(flat, {0, 0, 5}), 1U << 10);
  EXPECT_EQ(tiles_reached(flat, {0, 31, 31}), 1U << 14 | 1U << 16 | 1U << 17);
  EXPECT_EQ(tiles_reached(tiling_of({1, 96, 96}, 16), {0, 5, 1}), 1U << 12);
  EXPECT_EQ(tile_around(flat, 0, 10), -1);
  EXPECT_EQ(tile_around(flat, 4, 10), 1);
  EXPECT_EQ(tile_around(flat, 4, 17), 8);
}

TEST(CudaCostTest, AFlatTileKnowsItsNeighbours) {
  for (int i = 0; i < kFlatAround; ++i) {
    const FlatAround there = flat_around(i);
    EXPECT_NE(there.code, kTileCodes / 2);
    EXPECT_EQ(there.code / 9, 1) << "in the same plane";
  }
  EXPECT_EQ(flat_around(static_cast<int>(Way::down)).code, 16);
  EXPECT_EQ(flat_around(static_cast<int>(Way::left)).code, 12);
  EXPECT_EQ(flat_around(kWays).code, 9);
  EXPECT_EQ(flat_around(kWays + 1).reason, side_bit(Way::up));
  for (int k = 0; k < 8; ++k) EXPECT_EQ(offset_of<8>(k), -offset_of<8>(7 - k));
  EXPECT_EQ(neighbour_behind<8>(Way::down, -1), 0);
  EXPECT_EQ(neighbour_behind<8>(Way::left, 1), 7);
  EXPECT_EQ(neighbour_behind<4>(Way::right, 0), 1);
}

TEST(CudaCostTest, WarpsAStepAwayAreNear) {
  EXPECT_EQ(warps_near(tiling_of({1, 96, 96}, 8), 4), 0x38U);
  EXPECT_EQ(warps_near(tiling_of({1, 96, 96}, 16), 4), 0x7CU);
  EXPECT_EQ(warps_near(tiling_of({1, 96, 96}, 8), 31), 0xC0000000U);
  EXPECT_EQ(warps_near(tiling_of({9, 96, 96}, 26), 0), 0x33U);
}

}  // namespace
}  // namespace thiessen::cuda
