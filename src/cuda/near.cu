// SPDX-License-Identifier: Apache-2.0
//
// A warp settles a tile by the dense search or the window search, as the number of sites around
// lets it expect.
#include "cuda/dense.hpp"
#include "cuda/dense_tables.hpp"
#include "cuda/launch.hpp"
#include "cuda/near.hpp"
#include "cuda/tile_output.hpp"
#include "cuda/window.hpp"
#include "cuda/window_tables.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kLanes;
constexpr int kBlocksOfAProcessor = 4;
/// Sites that a cell should find on average for a search to be tried.
constexpr std::int64_t kSitesInReach = 8;
constexpr std::int64_t kSitesInDenseReach = 6;
/// More would often be more than a window's list takes.
constexpr std::int64_t kSitesInWindow = WindowSites::kMost * 3 / 4;

struct Tables {
  WindowTables window;
  DenseTables dense;
};

/// What a warp works with.
template <int kRank>
union Memory {
  struct {
    WindowSites sites;
    std::uint64_t labels[WindowSites::kMost];
    Numbers ranks;
  } window;
  struct {
    DenseRows<kRank> rows;
    Numbers numbers;
  } dense;
};

/// The sites of the tiles around a tile, it among them, and the cells of these tiles.
struct Crowd {
  std::int64_t sites;
  std::int64_t cells;
};

template <int kRank>
__device__ Crowd count_crowd(const Pyramid& pyramid, const Node& tile) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const Pyramid::Level& tiles = pyramid.level[0];
  const std::int32_t z = tile.at[0] + (kRank == 3 ? lane / 9 - 1 : 0);
  const std::int32_t y = tile.at[1] + lane / 3 % 3 - 1;
  const std::int32_t x = tile.at[2] + lane % 3 - 1;
  const bool is_there =
      lane < (kRank == 3 ? 27 : 9) && z >= 0 && y >= 0 && x >= 0 && exists(tiles, {{z, y, x}});
  DeviceWarp::Lanes<std::int32_t> own;
  own.value = is_there ? pyramid.sites[number_of(tiles, {{z, y, x}})] : 0;
  return {DeviceWarp::sum(own), std::int64_t{__popc(__ballot_sync(~0u, is_there))} * kTileCells};
}

/// The levels that a tile is searched with, each in its turn; none if `first` > `last`.
struct Tries {
  int first;
  int last;
};

__device__ Tries choose_tries(const WindowTables& tables, const Crowd& crowd) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const Level& level = tables.level[lane < tables.levels ? lane : 0];
  const bool finds =
      lane < tables.levels && level.offsets * crowd.sites >= kSitesInReach * crowd.cells;
  const bool fits =
      lane < tables.levels && level.window * crowd.sites <= kSitesInWindow * crowd.cells;
  const std::uint32_t finding = __ballot_sync(~0u, finds);
  const std::uint32_t fitting = __ballot_sync(~0u, fits);
  return {finding != 0 ? __ffs(static_cast<int>(finding)) - 1 : tables.levels,
          31 - __clz(static_cast<int>(fitting))};
}

/// What the window search found for a lane's cells.
template <Metric kMetric, int kRank>
struct WindowFound {
  const Job& job;
  const WindowTables& tables;
  const Tile& tile;
  const WindowSites& sites;
  const std::uint64_t* labels;
  const Numbers& ranks;
  const LaneKeys& keys;
  int bits;

  __device__ std::int64_t cell_of(std::uint32_t place) const {
    return to_index(job.extent, {tile.first[0] + WindowSites::z_of(place),
                                 tile.first[1] + WindowSites::y_of(place),
                                 tile.first[2] + WindowSites::x_of(place)});
  }
  __device__ std::uint32_t place(int row) const {
    return sites.place[ranks.of[row][threadIdx.x % kLanes]];
  }
  __device__ std::int64_t site(int row, std::int64_t) const { return cell_of(place(row)); }
  __device__ std::int32_t exact(int row, std::int64_t) const {
    constexpr int kHeight = tile_size<kRank>(1);
    const std::int32_t z = WindowSites::z_of(place(row)) - row / kHeight;
    const std::int32_t y = WindowSites::y_of(place(row)) - row % kHeight;
    const std::int32_t x =
        WindowSites::x_of(place(row)) - static_cast<std::int32_t>(threadIdx.x % kLanes);
    return join<kMetric>(
        join<kMetric>(along<kMetric>(tables.factor[0], z), along<kMetric>(tables.factor[1], y)),
        along<kMetric>(tables.factor[2], x));
  }
  template <class Label>
  __device__ Label label(int row, std::int64_t) const {
    return static_cast<Label>(labels[keys.of_row(row) & ((1u << bits) - 1)]);
  }
};

/// Keeps the ranks where they can be found by a row's number.
__device__ void store_ranks(const LaneKeys& keys, int bits, Numbers& ranks) {
#pragma unroll
  for (int row = 0; row < kTileRows; ++row)
    ranks.of[row][threadIdx.x % kLanes] =
        static_cast<std::uint8_t>(keys.of_row(row) & ((1u << bits) - 1));
}

/// Fetches the labels of a window's sites.
template <class Found>
__device__ void load_labels(const Found& found, std::uint64_t* labels) {
  for (int i = static_cast<int>(threadIdx.x % kLanes); i < found.sites.count; i += kLanes)
    labels[i] = load_label(found.job, found.cell_of(found.sites.place[i]));
  __syncwarp();
}

template <Metric kMetric, int kRank>
__device__ bool try_window(const Job& job, const WindowTables& tables, const Bits& bits,
                           const Tile& tile, const Tries& tries, const RowParts& row_parts,
                           Memory<kRank>& memory) {
  WindowSites& sites = memory.window.sites;
  for (int i = tries.first; i <= tries.last; i += i + 2 < tries.last ? 3 : 1) {
    const Level& level = tables.level[i];
    if (!gather<DeviceWarp, kRank>(job, bits, tile, level, sites)) return false;
    const int rank = rank_bits(sites.count);
    if (sites.count == 0) continue;
    if (level.bound >= most_of_part<kRank>(rank)) return false;
    const auto least = find_least<DeviceWarp, kMetric, kRank>(tables, row_parts, rank, sites);
    if (is_settled<DeviceWarp, kRank>(job, tile, level.bound, rank, least)) {
      const WindowFound<kMetric, kRank> found{
          job, tables, tile, sites, memory.window.labels, memory.window.ranks, least.value, rank};
      if (job.out.labels && is_simple(job)) load_labels(found, memory.window.labels);
      if (job.out.distance || !is_simple(job)) store_ranks(least.value, rank, memory.window.ranks);
      write_tile<kRank>(job, tile, found);
      return true;
    }
    __syncwarp();
  }
  return false;
}

/// What the dense search found for a lane's cells.
struct DenseFound {
  const Job& job;
  const Numbers& numbers;
  const std::int32_t* cells;
  const std::int32_t* exacts;

  __device__ std::uint8_t number(int row) const { return numbers.of[row][threadIdx.x % kLanes]; }
  __device__ std::int64_t site(int row, std::int64_t cell) const {
    return cell + cells[number(row)];
  }
  __device__ std::int32_t exact(int row, std::int64_t) const { return exacts[number(row)]; }
  template <class Label>
  __device__ Label label(int row, std::int64_t cell) const {
    return __ldg(reinterpret_cast<const Label*>(job.labels.bytes) + site(row, cell));
  }
};

template <int kRank>
__device__ bool try_dense(const Job& job, const DenseTables& tables, const Bits& bits,
                          const Tile& tile, const std::int32_t* cells, const std::int32_t* exacts,
                          Memory<kRank>& memory) {
  load_rows<DeviceWarp, kRank>(job, bits, tile, memory.dense.rows);
  DeviceWarp::Lanes<Planes> planes;
  if (!search_dense<DeviceWarp, kRank>(job, tables, tile, memory.dense.rows, planes)) {
    __syncwarp();
    return false;
  }
  store_numbers(planes.value, memory.dense.numbers.of[threadIdx.x % kLanes]);
  __syncwarp();
  write_tile<kRank>(job, tile, DenseFound{job, memory.dense.numbers, cells, exacts});
  return true;
}

template <Metric kMetric, int kRank>
__global__ void __launch_bounds__(kThreads, kBlocksOfAProcessor)
    search_near(const __grid_constant__ Job job, const __grid_constant__ Tables tables,
                const Bits bits, const __grid_constant__ Pyramid pyramid, std::uint8_t* settled) {
  __shared__ RowParts row_parts;
  __shared__ std::int32_t dense_cells[DenseTables::kMost];
  __shared__ std::int32_t dense_exacts[DenseTables::kMost];
  __shared__ Memory<kRank> memory[kWarps];
  for (int i = threadIdx.x; i < RowParts::kWords; i += kThreads)
    (&row_parts.pair[0][0][0][0])[i] = RowParts::word<kMetric, kRank>(tables.window.factor[1], i);
  for (int i = threadIdx.x; i < DenseTables::kMost; i += kThreads) {
    dense_cells[i] = tables.dense.cell[i];
    dense_exacts[i] = tables.dense.exact[i];
  }
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t number = std::int64_t{blockIdx.x} * kWarps + warp;
  if (number >= pyramid.tiles()) return;
  const Node node = node_of(pyramid.level[0], number);
  const Tile tile = tile_at<kRank>(node.at);
  const Crowd crowd = count_crowd<kRank>(pyramid, node);
  bool done = false;
  if (tables.dense.count > 0 &&
      tables.dense.count * crowd.sites >= kSitesInDenseReach * crowd.cells)
    done = try_dense<kRank>(job, tables.dense, bits, tile, dense_cells, dense_exacts, memory[warp]);
  if (!done)
    done = try_window<kMetric, kRank>(job, tables.window, bits, tile,
                                      choose_tries(tables.window, crowd), row_parts, memory[warp]);
  if (threadIdx.x % kLanes == 0) settled[number] = done ? 1 : 0;
}

template <int kRank>
void launch(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
            const Pyramid& pyramid, std::uint8_t* settled) {
  const Tables tables{make_window_tables(problem), make_dense_tables(problem)};
  const unsigned blocks = blocks_for(pyramid.tiles(), kWarps);
  const auto with_metric = [&]<Metric kMetric>() {
    search_near<kMetric, kRank>
        <<<blocks, kThreads, 0, session.stream()>>>(job, tables, bits, pyramid, settled);
  };
  switch (problem.metric) {
    case Metric::euclidean:
      with_metric.template operator()<Metric::euclidean>();
      break;
    case Metric::manhattan:
      with_metric.template operator()<Metric::manhattan>();
      break;
    case Metric::chessboard:
      with_metric.template operator()<Metric::chessboard>();
      break;
  }
  check_launch("near search");
}

}  // namespace

void run_near(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
              const Pyramid& pyramid, std::uint8_t* settled) {
  if (problem.rank == 2)
    launch<2>(session, problem, job, bits, pyramid, settled);
  else
    launch<3>(session, problem, job, bits, pyramid, settled);
}

}  // namespace thiessen::cuda
