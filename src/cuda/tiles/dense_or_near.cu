// SPDX-License-Identifier: Apache-2.0
//
// A warp does a tile by the dense search or by the near search (near/lists.cuh), whichever suits
// the number of sites around it.
#include <algorithm>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/job/tile_output.hpp"
#include "cuda/tiles/dense/dense.cuh"
#include "cuda/tiles/dense/tables.hpp"
#include "cuda/tiles/dense_or_near.hpp"
#include "cuda/tiles/job/dominators.cuh"
#include "cuda/tiles/near/lists.cuh"
#include "cuda/tiles/near/point_order.cuh"
#include "cuda/tiles/near/tables.hpp"

namespace thiessen::cuda::tiles {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kLanes;
constexpr int kBlocksPerProcessor = 4;
/// Blocks take several groups of tiles, so that they make their tables only once. There are still
/// so many blocks that none runs alone for long at the end.
constexpr int kRounds = 8;

struct Tables {
  WindowTables window;
  DenseTables dense;
};

/// The points of a window whose nearest sites become dominators.
template <int kRank>
using NearLattice = Lattice<kRank, kRank == 2 ? 3 : 2>;
/// Windows with a smaller margin have few sites that are not needed.
template <int kRank>
constexpr int kNarrow = kRank == 2 ? 8 : 2;

/// The memory of a warp.
template <int kRank>
union Memory {
  struct {
    WindowSites sites;
    Place dominator[NearLattice<kRank>::kPoints];
    std::uint64_t labels[WindowSites::kMost];
    Numbers ranks;
  } window;
  struct {
    DenseRows<kRank> rows;
    DenseNumbers numbers;
  } dense;
};

/// A tile, and the searches to try for it.
struct Choice {
  std::uint32_t tile;
  std::uint8_t dense;  ///< whether the dense search is tried
  /// The levels whose windows are tried, one after the other; none if `first` > `last`.
  std::int8_t first;
  std::int8_t last;
};

/// The choices for all tiles that have any, in no order.
struct Choices {
  Choice* list;
  std::int32_t* count;
};

/// The sites of the tiles around a tile and of the tile itself, and the cells of these tiles.
struct Surroundings {
  std::int64_t sites = 0;
  std::int64_t cells = 0;
};

template <int kRank>
__device__ Surroundings count_surroundings(const Pyramid& pyramid, const Node& tile) {
  const Pyramid::Level& tiles = pyramid.level[0];
  Surroundings around;
#pragma unroll
  for (int i = 0; i < (kRank == 3 ? 27 : 9); ++i) {
    const Node other{{tile.at[0] + (kRank == 3 ? i / 9 - 1 : 0), tile.at[1] + i / 3 % 3 - 1,
                      tile.at[2] + i % 3 - 1}};
    if (other.at[0] < 0 || other.at[1] < 0 || other.at[2] < 0 || !exists(tiles, other)) continue;
    around.sites += pyramid.sites[number_of(tiles, other)];
    around.cells += kTileCells;
  }
  return around;
}

template <int kRank>
__device__ Choice choose(const Tables& tables, const Surroundings& around, std::uint32_t tile) {
  Choice choice{.tile = tile, .first = static_cast<std::int8_t>(tables.window.levels), .last = -1};
  if (around.sites == 0) return choice;
  const std::int64_t in_reach =
      kRank == 2 ? TileLimits::kSitesInReach2d : TileLimits::kSitesInReach3d;
  const std::int64_t dense_from = kRank == 2 ? TileLimits::kDenseFrom2d : TileLimits::kDenseFrom3d;
  choice.dense = 1000 * around.sites >= dense_from * around.cells &&
                         tables.dense.count * around.sites >= in_reach * around.cells
                     ? 1
                     : 0;
  const int widest = tables.window.levels - 1;
  for (int i = widest; i >= 0; --i) {
    const Level& level = tables.window.level[i];
    const std::int64_t wanted = i == widest ? TileLimits::kSitesInWidest : in_reach;
    if (level.offsets * around.sites >= wanted * around.cells)
      choice.first = static_cast<std::int8_t>(i);
    if (choice.last < 0 && level.window * around.sites <= TileLimits::kSitesInWindow * around.cells)
      choice.last = static_cast<std::int8_t>(i);
  }
  return choice;
}

/// Adds up the sites of the tiles of a block, and their squares.
__device__ void add_up(std::int32_t sites, ListLengths& lengths) {
  __shared__ std::int32_t sum[2][kWarps];
  const std::int32_t own[2] = {sum_of_warp(sites), sum_of_warp(sites * sites)};
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  if (lane_of_thread() == 0)
    for (int k = 0; k < 2; ++k) sum[k][warp] = own[k];
  __syncthreads();
  if (threadIdx.x >= 2) return;
  unsigned long long all = 0;
  for (const std::int32_t some : sum[threadIdx.x]) all += static_cast<unsigned long long>(some);
  if (all != 0) atomicAdd(threadIdx.x == 0 ? &lengths.sites : &lengths.squares, all);
}

/// Whether lines are faster than the search by tiles: for all but sites that stand alone, with few
/// others around them. As a measure for clumps the variance of the sites in a tile is compared with
/// their mean; it is the same for sites at random.
template <int kRank>
__device__ bool are_for_lines(const Pyramid& pyramid) {
  const auto sites = static_cast<double>(pyramid.lengths->sites);
  const auto squares = static_cast<double>(pyramid.lengths->squares);
  const auto tiles = static_cast<double>(pyramid.tiles());
  if (sites < static_cast<double>(TileLimits::kFewSites)) return false;
  if (kRank == 3 && sites * static_cast<double>(TileLimits::kCellsPerSite3d) > tiles * kTileCells)
    return true;
  return squares - sites * sites / tiles > static_cast<double>(TileLimits::kClumps) * sites;
}

/// Makes the list. Marks all tiles as open; or all as done, if there is nothing to do.
template <int kRank>
__global__ void __launch_bounds__(kThreads)
    choose_tiles(const __grid_constant__ Tables tables, const __grid_constant__ Pyramid pyramid,
                 const PointCells cells, const Choices choices, std::uint8_t* solved) {
  follow();
  const bool nothing = cells && !cells.hold_all();
  const std::int64_t number = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  Choice choice{.first = 0, .last = -1};
  if (number < pyramid.tiles()) {
    const auto tile = static_cast<std::uint32_t>(number);
    solved[tile] = nothing ? kTileSolved : kTileOpen;
    if (!nothing)
      choice = choose<kRank>(
          tables, count_surroundings<kRank>(pyramid, node_of(pyramid.level[0], tile)), tile);
  }
  add_up(number < pyramid.tiles() ? pyramid.sites[number] : 0, *pyramid.lengths);
  const bool any = choice.dense != 0 || choice.first <= choice.last;
  append(choices.list, *choices.count, any, choice);
}

/// The sites that the near search found for a lane's cells.
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
    return sites.place[ranks.of[row][lane_of_thread()]];
  }
  __device__ std::int64_t site(int row, std::int64_t) const { return cell_of(place(row)); }
  __device__ std::int32_t exact(int row, std::int64_t) const {
    constexpr int kHeight = tile_size<kRank>(1);
    const std::int32_t z = WindowSites::z_of(place(row)) - row / kHeight;
    const std::int32_t y = WindowSites::y_of(place(row)) - row % kHeight;
    const std::int32_t x = WindowSites::x_of(place(row)) - lane_of_thread();
    return combine<kMetric>(
        combine<kMetric>(along<kMetric>(tables.factor[0], z), along<kMetric>(tables.factor[1], y)),
        along<kMetric>(tables.factor[2], x));
  }
  template <class Label>
  __device__ Label label(int row, std::int64_t) const {
    return static_cast<Label>(labels[keys.of_row(row) & ((1u << bits) - 1)]);
  }
  __device__ std::uint16_t known_exact(int row, std::int64_t) const {
    return static_cast<std::uint16_t>(keys.of_row(row) >> bits);
  }
};

/// Stores the ranks so that they can be found by the number of a row.
__device__ void store_ranks(const LaneKeys& keys, int bits, Numbers& ranks) {
#pragma unroll
  for (int row = 0; row < kTileRows; ++row)
    ranks.of[row][lane_of_thread()] =
        static_cast<std::uint8_t>(keys.of_row(row) & ((1u << bits) - 1));
}

/// Fetches the labels of a window's sites.
template <class Found>
__device__ void load_labels(const Found& found, std::uint64_t* labels) {
  for (int i = lane_of_thread(); i < found.sites.count; i += kLanes)
    labels[i] = load_label(found.job, found.cell_of(found.sites.place[i]));
  __syncwarp();
}

/// Drops the sites of a window that its tile does not need (prune.hpp).
template <Metric kMetric, int kRank>
__device__ void drop_needless(const WindowTables& tables, WindowSites& sites, Place* dominators) {
  const int lane = lane_of_thread();
  const Ruler<kMetric, kRank, std::int32_t> ruler{
      {tables.factor[0], tables.factor[1], tables.factor[2]}};
  const Box tile{{0, 0, 0},
                 {tile_size<kRank>(0) - 1, tile_size<kRank>(1) - 1, tile_size<kRank>(2) - 1}};
  const auto place_of = [&](std::int32_t i) {
    const std::uint32_t place = sites.place[i];
    return Place{{WindowSites::z_of(place), WindowSites::y_of(place), WindowSites::x_of(place)}};
  };
  find_dominators<NearLattice<kRank>>(ruler, tile, place_of, sites.count, dominators);
  const Pruner<kMetric, kRank, std::int32_t, NearLattice<kRank>> pruner(ruler, tile, dominators);
  std::int32_t kept = 0;
  for (std::int32_t first = 0; first < sites.count; first += kLanes) {
    const bool needed = first + lane < sites.count && pruner.may_need(place_of(first + lane));
    const std::uint32_t place = needed ? sites.place[first + lane] : 0;
    const std::uint32_t all = __ballot_sync(~0u, needed);
    if (needed) sites.place[kept + __popc(all & ((1u << lane) - 1))] = place;
    kept += __popc(all);
  }
  __syncwarp();
  if (lane == 0) sites.count = kept;
  __syncwarp();
}

template <Metric kMetric, int kRank>
__device__ bool try_window(const Job& job, const WindowTables& tables, const Bits& bits,
                           const Tile& tile, const Choice& choice, const RowParts& row_parts,
                           Memory<kRank>& memory) {
  WindowSites& sites = memory.window.sites;
  for (int i = choice.first; i <= choice.last;
       i = i == choice.last ? i + 1 : min(i + 1 + TileLimits::kLevelsToSkip, int{choice.last})) {
    const Level& level = tables.level[i];
    if (!gather<kRank>(job, bits, tile, level, sites)) return false;
    if (sites.count == 0) continue;
    if (level.margin[2] >= kNarrow<kRank>)
      drop_needless<kMetric, kRank>(tables, sites, memory.window.dominator);
    if (job.point_cells) sort_by_number(job, tile, sites, memory.window.labels);
    const int rank = rank_bits(sites.count);
    // A site whose part was cut is farther away than that.
    const std::int32_t bound = min(level.bound, most_of_part<kRank>(rank) - 1);
    const auto least = find_least<kMetric, kRank>(tables, row_parts, rank, sites);
    if (is_solved<kRank>(job, tile, bound, rank, least)) {
      const bool simple = is_simple_tile<kRank>(job, tile);
      const WindowFound<kMetric, kRank> found{
          job, tables, tile, sites, memory.window.labels, memory.window.ranks, least, rank};
      if (simple && job.out.labels) load_labels(found, memory.window.labels);
      if (!simple) store_ranks(least, rank, memory.window.ranks);
      write_tile<kRank>(job, tile, found);
      return true;
    }
    __syncwarp();
  }
  return false;
}

/// The sites that the dense search found for a lane's cells.
struct DenseFound {
  const Job& job;
  const DenseNumbers& numbers;
  const std::int32_t* cells;
  const std::uint16_t* exacts;

  __device__ std::uint16_t number(int row) const { return numbers.of[row][lane_of_thread()]; }
  __device__ std::int64_t site(int row, std::int64_t cell) const {
    return cell + cells[number(row)];
  }
  __device__ std::int32_t exact(int row, std::int64_t) const { return exacts[number(row)]; }
  __device__ std::uint16_t known_exact(int row, std::int64_t) const { return exacts[number(row)]; }
  template <class Label>
  __device__ Label label(int row, std::int64_t cell) const {
    return __ldg(reinterpret_cast<const Label*>(job.labels.bytes) + site(row, cell));
  }
};

template <int kRank>
__device__ bool try_dense(const Job& job, const DenseTables& tables, const Bits& bits,
                          const Tile& tile, const std::int32_t* cells, const std::uint16_t* exacts,
                          Memory<kRank>& memory) {
  load_rows<kRank>(job, bits, tile, memory.dense.rows);
  if (!search_dense<kRank>(job, tables, tile, memory.dense.rows, memory.dense.numbers))
    return false;
  write_tile<kRank>(job, tile, DenseFound{job, memory.dense.numbers, cells, exacts});
  return true;
}

template <Metric kMetric, int kRank>
__global__ void __launch_bounds__(kThreads, kBlocksPerProcessor)
    search_near(const __grid_constant__ Job job, const __grid_constant__ Tables tables,
                const Bits bits, const __grid_constant__ Pyramid pyramid, const Choices choices,
                bool may_skip, std::uint8_t* solved) {
  follow();
  if (may_skip && are_for_lines<kRank>(pyramid)) {
    if (blockIdx.x == 0 && threadIdx.x == 0) pyramid.lengths->left = 1;
    return;
  }
  if (*choices.count <= static_cast<std::int32_t>(blockIdx.x) * kWarps) return;
  __shared__ RowParts row_parts;
  __shared__ std::int32_t dense_cells[DenseTables::kMost];
  __shared__ std::uint16_t dense_exacts[DenseTables::kMost];
  __shared__ Memory<kRank> memory[kWarps];
  for (int i = threadIdx.x; i < RowParts::kWords; i += kThreads)
    (&row_parts.pair[0][0][0][0])[i] = RowParts::word<kMetric, kRank>(tables.window.factor[1], i);
  for (int i = threadIdx.x; i < DenseTables::kMost; i += kThreads) {
    dense_cells[i] = tables.dense.cell[i];
    dense_exacts[i] = tables.dense.exact[i];
  }
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  for (std::int32_t i = static_cast<std::int32_t>(blockIdx.x) * kWarps + warp; i < *choices.count;
       i += static_cast<std::int32_t>(gridDim.x) * kWarps) {
    const Choice choice = choices.list[i];
    const Tile tile = tile_at<kRank>(node_of(pyramid.level[0], choice.tile).at);
    bool done = false;
    if (choice.dense != 0)
      done =
          try_dense<kRank>(job, tables.dense, bits, tile, dense_cells, dense_exacts, memory[warp]);
    if (!done)
      done = try_window<kMetric, kRank>(job, tables.window, bits, tile, choice, row_parts,
                                        memory[warp]);
    if (done && lane_of_thread() == 0) solved[choice.tile] = kTileSolved;
    __syncwarp();
  }
}

template <int kRank>
void launch(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
            const Pyramid& pyramid, bool may_skip, std::uint8_t* solved, Scratch::Frame& device) {
  // The dense search orders sites by their cells, not by numbers.
  const Tables tables{make_window_tables(problem),
                      job.point_cells ? DenseTables{} : make_dense_tables(problem)};
  const Choices choices{device.array<Choice>(pyramid.tiles()), &pyramid.lengths->near};
  launch_next(session, "choice of the searches", {blocks_for(pyramid.tiles(), kThreads), kThreads},
              choose_tiles<kRank>, tables, pyramid, job.point_cells, choices, solved);
  const auto blocks = static_cast<unsigned>(
      std::min(parts(pyramid.tiles(), kWarps),
               std::int64_t{session.processors()} * kBlocksPerProcessor * kRounds));
  const auto search = [&](auto* kernel) {
    launch_next(session, "near search", {blocks, kThreads}, kernel, job, tables, bits, pyramid,
                choices, may_skip, solved);
  };
  switch (problem.metric) {
    case Metric::euclidean:
      return search(search_near<Metric::euclidean, kRank>);
    case Metric::manhattan:
      return search(search_near<Metric::manhattan, kRank>);
    default:
      return search(search_near<Metric::chessboard, kRank>);
  }
}

}  // namespace

void run_near(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
              const Pyramid& pyramid, bool may_skip, std::uint8_t* solved, Scratch::Frame& device) {
  if (problem.rank == 2)
    launch<2>(session, problem, job, bits, pyramid, may_skip, solved, device);
  else
    launch<3>(session, problem, job, bits, pyramid, may_skip, solved, device);
}

}  // namespace thiessen::cuda::tiles
