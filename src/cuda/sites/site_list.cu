// SPDX-License-Identifier: Apache-2.0
//
// Lists the sites from their bits: counts them in each piece of the raster, sums the counts, and
// writes the cells. (CUB has this, but nvcc takes longer for it than for all of brute force.)
#include <algorithm>

#include "cuda/device/grid.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/sites/site_list.hpp"

namespace thiessen::cuda::sites {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;
constexpr int kRounds = 4;
constexpr std::int64_t kPiece = std::int64_t{kThreads} * kRounds;  ///< words of a block

/// The word of a thread in a round, and its bits; 0 if the word does not exist.
struct Word {
  __device__ Word(const Bits& sites, std::int64_t words, int round)
      : number(blockIdx.x * kPiece + round * kThreads + threadIdx.x),
        bits(number < words ? sites.words[number] : 0) {}

  std::int64_t number;
  std::uint32_t bits;
};

/// The sums over the threads before this one, and over all.
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

__global__ void __launch_bounds__(kThreads)
    count_sites(const Bits bits, std::int64_t words, std::int64_t* counts) {
  follow();
  std::int64_t count = 0;
  for (int round = 0; round < kRounds; ++round) count += __popc(Word(bits, words, round).bits);
  const Sums sums = sum_of_block(count);
  if (threadIdx.x == 0) counts[blockIdx.x] = sums.all;
}

/// The number of sites.
struct Total {
  std::int64_t* sites;
  std::int64_t most;
  std::int32_t* is_long;  ///< whether there are more
};

/// One block turns the counts into the sums of those before, and of all.
__global__ void __launch_bounds__(kThreads)
    add_up(std::int64_t* counts, std::int64_t pieces, const Total total) {
  follow();
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < pieces; first += kThreads) {
    const std::int64_t piece = first + threadIdx.x;
    const Sums sums = sum_of_block(piece < pieces ? counts[piece] : 0);
    if (piece < pieces) counts[piece] = before + sums.before;
    before += sums.all;
  }
  if (threadIdx.x != 0) return;
  *total.sites = before;
  *total.is_long = before > total.most ? 1 : 0;
}

__global__ void __launch_bounds__(kThreads)
    list_cells(const Bits bits, std::int64_t words, std::int64_t width, const std::int64_t* before,
               const std::int32_t* is_long, std::int64_t* cells) {
  follow();
  if (*is_long != 0) return;
  std::int64_t next = before[blockIdx.x];
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    const Word word(bits, words, round);
    const Sums sums = sum_of_block(__popc(word.bits));
    const std::int64_t row = word.number / bits.row_words;
    const std::int64_t first = row * width + (word.number - row * bits.row_words) * kWarp;
    std::int64_t* to = cells + next + sums.before;
    for (std::uint32_t rest = word.bits; rest != 0; rest &= rest - 1)
      *to++ = first + lowest_bit(rest);
    next += sums.all;
  }
}

}  // namespace

SiteList list_sites(const CudaSession& session, const Job& job, const Bits& bits,
                    Scratch::Frame& device, std::int64_t most) {
  const std::int64_t words = bits.row_words * job.extent[0] * job.extent[1];
  const std::int64_t pieces = parts(words, kPiece);
  const unsigned blocks = blocks_for(pieces, 1);
  auto* const cells = device.array<std::int64_t>(std::min(job.cells(), most));
  auto* const counts = device.array<std::int64_t>(pieces);
  auto* const all = device.array<std::int64_t>(1);
  auto* const is_long = device.array<std::int32_t>(1);
  launch_next(session, "list of the sites", {blocks, kThreads}, count_sites, bits, words, counts);
  launch_next(session, "list of the sites", {1, kThreads}, add_up, counts, pieces,
              {all, most, is_long});
  launch_next(session, "list of the sites", {blocks, kThreads}, list_cells, bits, words,
              job.extent[2], counts, is_long, cells);
  return {cells, all, is_long};
}

SiteList list_all_sites(const CudaSession& session, const Job& job, Scratch::Frame& device) {
  if (job.points != nullptr) return {};
  const Bits bits = allocate_bits(job, device);
  mark_sites(session, job, bits);
  return list_sites(session, job, bits, device);
}

}  // namespace thiessen::cuda::sites
