// SPDX-License-Identifier: Apache-2.0
//
// The list of the sites: a count for each piece of the raster, what is before it, and the cells.
// (CUB has this ready, and takes nvcc longer than all of the search of brute force.)
#include "cuda/launch.hpp"
#include "cuda/site_class.hpp"
#include "cuda/site_list.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;
constexpr int kRounds = 16;
constexpr std::int64_t kPiece = std::int64_t{kThreads} * kRounds;  ///< cells of a block

/// The cell of a thread in a round; one that does not exist is no site.
__device__ bool is_site_of_round(const Job& job, int round, std::int64_t& cell) {
  cell = blockIdx.x * kPiece + round * kThreads + threadIdx.x;
  return cell < job.cells() && class_of(job, cell) == kSiteCell;
}

__global__ void __launch_bounds__(kThreads)
    count_sites(const __grid_constant__ Job job, std::int64_t* counts) {
  int count = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t cell;
    count += __syncthreads_count(is_site_of_round(job, round, cell) ? 1 : 0);
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

/// What is in the threads before this one, and in all.
struct Sums {
  std::int64_t before;
  std::int64_t all;
};

__device__ Sums sum_of_block(std::int64_t own) {
  __shared__ std::int64_t of_warp[kWarps];
  const int lane = static_cast<int>(threadIdx.x % kWarp);
  const int warp = static_cast<int>(threadIdx.x / kWarp);
  std::int64_t sum = own;
  for (int step = 1; step < kWarp; step *= 2) {
    const std::int64_t other = __shfl_up_sync(~0u, sum, static_cast<unsigned>(step));
    if (lane >= step) sum += other;
  }
  __syncthreads();
  if (lane == kWarp - 1) of_warp[warp] = sum;
  __syncthreads();
  Sums sums{sum - own, 0};
  for (int i = 0; i < kWarps; ++i) {
    if (i < warp) sums.before += of_warp[i];
    sums.all += of_warp[i];
  }
  return sums;
}

/// One block: from counts to the sums of those before, and of all.
__global__ void __launch_bounds__(kThreads)
    add_up(std::int64_t* counts, std::int64_t pieces, std::int64_t* all) {
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < pieces; first += kThreads) {
    const std::int64_t piece = first + threadIdx.x;
    const Sums sums = sum_of_block(piece < pieces ? counts[piece] : 0);
    if (piece < pieces) counts[piece] = before + sums.before;
    before += sums.all;
  }
  if (threadIdx.x == 0) *all = before;
}

__global__ void __launch_bounds__(kThreads)
    list_cells(const __grid_constant__ Job job, const std::int64_t* before, std::int64_t* cells) {
  std::int64_t next = before[blockIdx.x];
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t cell;
    const bool site = is_site_of_round(job, round, cell);
    const Sums sums = sum_of_block(site ? 1 : 0);
    if (site) cells[next + sums.before] = cell;
    next += sums.all;
  }
}

}  // namespace

SiteList list_sites(const CudaSession& session, const Job& job, Scratch::Frame& device) {
  if (job.points != nullptr) return {};
  const std::int64_t pieces = parts(job.cells(), kPiece);
  const unsigned blocks = blocks_for(pieces, 1);
  auto* const cells = device.array<std::int64_t>(job.cells());
  auto* const counts = device.array<std::int64_t>(pieces);
  auto* const all = device.array<std::int64_t>(1);
  count_sites<<<blocks, kThreads, 0, session.stream()>>>(job, counts);
  add_up<<<1, kThreads, 0, session.stream()>>>(counts, pieces, all);
  list_cells<<<blocks, kThreads, 0, session.stream()>>>(job, counts, cells);
  check_launch("list of the sites");
  return {cells, all};
}

}  // namespace thiessen::cuda
