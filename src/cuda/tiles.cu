// SPDX-License-Identifier: Apache-2.0
#include "cuda/launch.hpp"
#include "cuda/results.hpp"
#include "cuda/tiles.hpp"
#include "cuda/window.hpp"
#include "cuda/window_tables.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kLanes;
/// Sites that a cell should find on average for a level to be tried first.
constexpr std::int64_t kSitesInReach = 6;
/// More would often be more than a window's list takes.
constexpr std::int64_t kSitesInWindow = WindowSites::kMost * 3 / 4;

/// Tiles along each axis, and the sites of each.
struct TileCounts {
  std::int32_t along[kAxes];
  std::uint16_t* sites;
};

template <int kRank>
__global__ void __launch_bounds__(kThreads)
    count_sites(const __grid_constant__ Job job, const Bits bits, const TileCounts counts) {
  const std::int64_t tile = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (tile >= std::int64_t{counts.along[0]} * counts.along[1] * counts.along[2]) return;
  const std::int64_t x = tile % counts.along[2];
  const std::int64_t y = tile / counts.along[2] % counts.along[1] * tile_size<kRank>(1);
  const std::int64_t z = tile / counts.along[2] / counts.along[1] * tile_size<kRank>(0);
  int sites = 0;
#pragma unroll
  for (int row = 0; row < kTileRows; ++row) {
    const std::int64_t at_z = z + row / tile_size<kRank>(1);
    const std::int64_t at_y = y + row % tile_size<kRank>(1);
    if (at_z < job.extent[0] && at_y < job.extent[1])
      sites += __popc(bits.words[(at_z * job.extent[1] + at_y) * bits.row_words + x]);
  }
  counts.sites[tile] = static_cast<std::uint16_t>(sites);
}

/// The levels that a tile is searched with; none if `first` > `last`.
struct Tries {
  int first;
  int last;
};

template <int kRank>
__device__ Tries choose_tries(const WindowTables& tables, const TileCounts& counts,
                              const std::int32_t (&at)[kAxes]) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  // Lane by lane the tiles around, this one among them.
  const std::int32_t z = at[0] + (kRank == 3 ? lane / 9 - 1 : 0);
  const std::int32_t y = at[1] + lane / 3 % 3 - 1;
  const std::int32_t x = at[2] + lane % 3 - 1;
  const bool exists = lane < (kRank == 3 ? 27 : 9) && z >= 0 && z < counts.along[0] && y >= 0 &&
                      y < counts.along[1] && x >= 0 && x < counts.along[2];
  DeviceWarp::Lanes<std::int32_t> own;
  own.value =
      exists ? counts.sites[(std::int64_t{z} * counts.along[1] + y) * counts.along[2] + x] : 0;
  const std::int64_t sites = DeviceWarp::sum(own);
  const std::int64_t cells = std::int64_t{__popc(__ballot_sync(~0u, exists))} * kLanes * kTileRows;
  const Level& level = tables.level[lane < tables.levels ? lane : 0];
  const bool finds = lane < tables.levels && level.offsets * sites >= kSitesInReach * cells;
  const bool fits = lane < tables.levels && level.window * sites <= kSitesInWindow * cells;
  const std::uint32_t finding = __ballot_sync(~0u, finds);
  const std::uint32_t fitting = __ballot_sync(~0u, fits);
  return {finding != 0 ? __ffs(static_cast<int>(finding)) - 1 : tables.levels,
          31 - __clz(static_cast<int>(fitting))};
}

/// Calls visit(row, cell) for the cells of a lane that the raster has.
template <int kRank, class Visit>
__device__ void for_each_cell(const Job& job, const Window& window, const Visit& visit) {
  constexpr int kHeight = tile_size<kRank>(1);
  const std::int64_t x = window.tile[2] + threadIdx.x % kLanes;
  if (x >= job.extent[2]) return;
#pragma unroll
  for (int row = 0; row < kTileRows; ++row) {
    const std::int64_t z = window.tile[0] + row / kHeight;
    const std::int64_t y = window.tile[1] + row % kHeight;
    if (z < job.extent[0] && y < job.extent[1]) visit(row, to_index(job.extent, {z, y, x}));
  }
}

__device__ std::int64_t cell_of(const Job& job, const Window& window, std::uint32_t place) {
  return to_index(job.extent,
                  {window.corner[0] + (place >> 16), window.corner[1] + (place >> 8 & 0xff),
                   window.corner[2] + (place & 0xff)});
}

template <class Label, int kRank>
__device__ void write_labels(const Job& job, const Window& window, const WindowSites& sites,
                             const LaneKeys& keys, int bits, std::uint64_t* labels) {
  const auto* const source = reinterpret_cast<const Label*>(job.labels.bytes);
  auto* const out = reinterpret_cast<Label*>(job.out.labels.bytes);
  for (int i = static_cast<int>(threadIdx.x % kLanes); i < sites.count; i += kLanes)
    labels[i] = source[cell_of(job, window, sites.place[i])];
  __syncwarp();
  for_each_cell<kRank>(job, window, [&](int row, std::int64_t cell) {
    __stcs(out + cell, static_cast<Label>(labels[keys.of_row(row) & (1u << bits) - 1]));
  });
}

/// Whether nothing is wanted but what write_tile() has a fast way for.
__device__ bool is_simple(const Job& job) {
  const Outputs& out = job.out;
  return out.site_index == nullptr && out.squared == nullptr && out.offset == nullptr &&
         out.direction == nullptr && !job.limited && !job.inside && !job.rule.has_nodata;
}

template <int kRank>
__device__ void write_tile(const Job& job, const Window& window, const WindowSites& sites,
                           const LaneKeys& keys, int bits, std::uint64_t* labels) {
  if (!is_simple(job))
    return for_each_cell<kRank>(job, window, [&](int row, std::int64_t cell) {
      write_result(job, cell,
                   cell_of(job, window, sites.place[keys.of_row(row) & (1u << bits) - 1]),
                   static_cast<std::int32_t>(keys.of_row(row) >> bits));
    });
  if (job.out.distance)
    for_each_cell<kRank>(job, window, [&](int row, std::int64_t cell) {
      store_distance(
          job, cell,
          to_distance(job.unit, job.metric, static_cast<std::int32_t>(keys.of_row(row) >> bits)));
    });
  if (!job.out.labels) return;
  switch (job.out.labels.element) {
    case 1:
      return write_labels<std::uint8_t, kRank>(job, window, sites, keys, bits, labels);
    case 2:
      return write_labels<std::uint16_t, kRank>(job, window, sites, keys, bits, labels);
    case 4:
      return write_labels<std::uint32_t, kRank>(job, window, sites, keys, bits, labels);
    default:
      return write_labels<std::uint64_t, kRank>(job, window, sites, keys, bits, labels);
  }
}

template <Metric kMetric, int kRank>
__global__ void __launch_bounds__(kThreads)
    search_windows(const __grid_constant__ Job job, const __grid_constant__ WindowTables tables,
                   const Bits bits, const TileCounts counts, std::int32_t* open) {
  __shared__ WindowSites shared_sites[kWarps];
  __shared__ std::uint64_t shared_labels[kWarps][WindowSites::kMost];
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t tile = std::int64_t{blockIdx.x} * kWarps + warp;
  if (tile >= std::int64_t{counts.along[0]} * counts.along[1] * counts.along[2]) return;
  const std::int32_t at[kAxes] = {
      static_cast<std::int32_t>(tile / counts.along[2] / counts.along[1]),
      static_cast<std::int32_t>(tile / counts.along[2] % counts.along[1]),
      static_cast<std::int32_t>(tile % counts.along[2])};
  const std::int32_t first[kAxes] = {at[0] * tile_size<kRank>(0), at[1] * tile_size<kRank>(1),
                                     at[2] * tile_size<kRank>(2)};
  WindowSites& sites = shared_sites[warp];
  const Tries tries = choose_tries<kRank>(tables, counts, at);
  for (int i = tries.first; i <= tries.last; i += i + 2 < tries.last ? 3 : 1) {
    const Level& level = tables.level[i];
    const Window window = make_window<kRank>(job, level, first);
    if (!gather<DeviceWarp, kRank>(job, bits, window, sites)) break;
    const int rank = rank_bits(sites.count);
    if (sites.count == 0) continue;
    if (level.bound >= most_of_part(rank)) break;
    prepare_parts<DeviceWarp, kMetric, kRank>(tables, window, rank, sites);
    const auto least = find_least<DeviceWarp, kMetric>(tables, window, rank, sites);
    if (is_settled<DeviceWarp, kRank>(job, window, level.bound, rank, least))
      return write_tile<kRank>(job, window, sites, least.value, rank, shared_labels[warp]);
    __syncwarp();
  }
  if (threadIdx.x % kLanes == 0) atomicAdd(open, 1);
}

template <Metric kMetric, int kRank>
void launch(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
            std::int32_t* open, Scratch::Frame& device) {
  TileCounts counts;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    counts.along[axis] = static_cast<std::int32_t>(parts(job.extent[axis], tile_size<kRank>(axis)));
  const std::int64_t tiles = std::int64_t{counts.along[0]} * counts.along[1] * counts.along[2];
  counts.sites = device.array<std::uint16_t>(tiles);
  check(cudaMemsetAsync(open, 0, sizeof *open, session.stream()), "count of the tiles left");
  count_sites<kRank>
      <<<blocks_for(tiles, kThreads), kThreads, 0, session.stream()>>>(job, bits, counts);
  check_launch("counts of the sites");
  search_windows<kMetric, kRank><<<blocks_for(tiles, kWarps), kThreads, 0, session.stream()>>>(
      job, make_window_tables(problem), bits, counts, open);
  check_launch("window search");
}

template <int kRank>
void launch_metric(const CudaSession& session, const Problem& problem, const Job& job,
                   const Bits& bits, std::int32_t* open, Scratch::Frame& device) {
  switch (problem.metric) {
    case Metric::euclidean:
      return launch<Metric::euclidean, kRank>(session, problem, job, bits, open, device);
    case Metric::manhattan:
      return launch<Metric::manhattan, kRank>(session, problem, job, bits, open, device);
    case Metric::chessboard:
      return launch<Metric::chessboard, kRank>(session, problem, job, bits, open, device);
  }
}

}  // namespace

void run_windows(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, std::int32_t* open, Scratch::Frame& device) {
  if (problem.rank == 2)
    launch_metric<2>(session, problem, job, bits, open, device);
  else
    launch_metric<3>(session, problem, job, bits, open, device);
}

}  // namespace thiessen::cuda
