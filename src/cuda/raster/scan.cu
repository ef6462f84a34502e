// SPDX-License-Identifier: Apache-2.0
//
// The tuned scan: compares every cell with all sites, by keys (scan_keys.hpp).
//
// Blocks take pieces of 16 rows and 256 columns in turns; a thread has a column of 16 cells. For
// each group of sites the block makes the row keys of its rows once, in shared memory, where all
// threads read the same four at a time. A thread makes the column key of a site once for its 16
// cells. So a cell and a site take one instruction on Hopper (an addition with a minimum), two
// elsewhere.
#include <algorithm>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/job/tile_output.hpp"
#include "cuda/raster/brute_force.hpp"
#include "cuda/raster/scan.hpp"
#include "cuda/raster/scan_keys.hpp"

namespace thiessen::cuda::raster {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 3;
constexpr int kRows = 16;
static_assert(kThreads % kRows == 0);

struct ScanSites {
  const ScanPlace* place;
  sites::SiteList list;
};

__device__ std::int32_t count_of(const Job& job, const sites::SiteList& list) {
  return static_cast<std::int32_t>(list.cell == nullptr ? job.point_count : *list.count);
}

/// Computes the places of the sites, which each block needs for each of its pieces.
__global__ void __launch_bounds__(kThreads)
    find_places(const __grid_constant__ Job job, const sites::SiteList list, ScanPlace* places) {
  if (!list.exists()) return;
  const std::int32_t count = count_of(job, list);
  const auto threads = static_cast<int>(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += threads) {
    const Axes at = list.cell == nullptr ? job.points[i] : to_cell(job.extent, list.cell[i]);
    places[i] = {static_cast<std::int32_t>(at[0]), static_cast<std::int32_t>(at[1]),
                 static_cast<std::int32_t>(at[2])};
  }
}

/// The sites of a group, as the threads of a block see them.
struct Group {
  alignas(16) std::int32_t rows[ScanKeys::kMostSites][kRows];
  std::int32_t x[ScanKeys::kMostSites];
};

/// The centre of a cell of row `row`, counted over all planes, or of the last row.
__device__ ScanPlace middle_of_row(const Job& job, std::int64_t row) {
  const std::int64_t last = job.extent[0] * job.extent[1] - 1;
  if (row > last) row = last;
  const std::int64_t z = row / job.extent[1];
  return {static_cast<std::int32_t>(z << job.fraction_bits),
          static_cast<std::int32_t>((row - z * job.extent[1]) << job.fraction_bits), 0};
}

template <Metric kMetric>
__device__ void fill(const ScanKeys& keys, const ScanPlace& row, const ScanPlace* places, int count,
                     Group& group) {
  const int own_row = static_cast<int>(threadIdx.x) % kRows;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x) / kRows; i < count; i += kThreads / kRows) {
    const ScanPlace site = places[i];
    group.rows[i][own_row] = row_key<kMetric>(keys, row, site, i);
    if (own_row == 0) group.x[i] = site.x;
  }
  __syncthreads();
}

template <Metric kMetric>
__device__ void compare(const ScanKeys& keys, const Group& group, int count, std::int32_t x,
                        ScanColumn<kMetric, kRows>& column) {
#pragma unroll 2
  for (int i = 0; i < count; ++i) {
    std::int32_t rows[kRows];
#pragma unroll
    for (int row = 0; row < kRows; row += 4)
      *reinterpret_cast<int4*>(rows + row) = *reinterpret_cast<const int4*>(group.rows[i] + row);
    column.compare(rows, column_key<kMetric>(keys, x, group.x[i], i));
  }
}

template <Metric kMetric>
__global__ void __launch_bounds__(kThreads, kBlocksPerProcessor)
    scan(const __grid_constant__ Job job, const __grid_constant__ ScanKeys keys,
         const ScanSites sites) {
  __shared__ Group group;
  if (!sites.list.exists()) return;
  const std::int32_t count = count_of(job, sites.list);
  const std::int64_t rows = job.extent[0] * job.extent[1];
  const std::int64_t width = job.extent[2];
  const std::int64_t pieces_of_row = (width + kThreads - 1) / kThreads;
  const std::int64_t pieces = (rows + kRows - 1) / kRows * pieces_of_row;
  for (std::int64_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const std::int64_t first_row = piece / pieces_of_row * kRows;
    const std::int64_t x = piece % pieces_of_row * kThreads + threadIdx.x;
    const ScanPlace own_row = middle_of_row(job, first_row + threadIdx.x % kRows);
    const auto own_x = static_cast<std::int32_t>((x < width ? x : width - 1) << job.fraction_bits);
    ScanColumn<kMetric, kRows> column;
    for (std::int32_t first = 0; first < count; first += keys.sites_of_group()) {
      const int some = min(count - first, keys.sites_of_group());
      fill<kMetric>(keys, own_row, sites.place + first, some, group);
      compare<kMetric>(keys, group, some, own_x, column);
      column.end_group(keys.bits, first);
    }
    if (x >= width) continue;
    const bool labels_alone = labels_are_all(job);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first_row + row >= rows) break;
      const std::int64_t nearest = column.nearest[row];
      const bool listed = sites.list.cell != nullptr && nearest >= 0;
      write_cell(job, labels_alone, (first_row + row) * width + x,
                 listed ? sites.list.cell[nearest] : nearest, column.exact[row]);
    }
  }
}

template <Metric kMetric>
void run(const CudaSession& session, const Job& job, const ScanKeys& keys, const ScanSites& sites) {
  const auto blocks = static_cast<unsigned>(session.processors() * kBlocksPerProcessor);
  launch(session, "scan", {blocks, kThreads}, scan<kMetric>, job, keys, sites);
}

}  // namespace

void scan_cells(const CudaSession& session, const Problem& problem, const Job& job,
                const sites::SiteList& list, std::int64_t most, Scratch::Frame& device) {
  // Places in the list, and the first one behind its last group, must fit 32 bits.
  constexpr std::int64_t kMostSites = std::int64_t{1} << 30;
  ScanKeys keys;
  if (most > kMostSites || !make_scan_keys(problem, keys))
    return compare_with_all(session, problem, job, list);
  auto* const places = device.array<ScanPlace>(most);
  const auto blocks = static_cast<unsigned>(session.processors() * kBlocksPerProcessor);
  launch(session, "places of the sites", {blocks, kThreads}, find_places, job, list, places);
  switch (problem.metric) {
    case Metric::euclidean:
      return run<Metric::euclidean>(session, job, keys, {places, list});
    case Metric::manhattan:
      return run<Metric::manhattan>(session, job, keys, {places, list});
    default:
      return run<Metric::chessboard>(session, job, keys, {places, list});
  }
}

}  // namespace thiessen::cuda::raster
