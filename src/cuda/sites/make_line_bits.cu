// SPDX-License-Identifier: Apache-2.0
//
// Makes the bits along lines from the bits of rows: transposes words, then carries the next cell
// set from word to word along each line, in both directions.
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::sites {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;

/// LineBits before they are complete.
struct Making {
  const std::int32_t* open;
  std::uint32_t* words;
  std::int32_t* before;
  std::int32_t* after;
  std::int64_t blocks;
  std::int64_t outer_count;
  std::int64_t inner_count;
  std::int64_t period;

  __device__ bool is_off() const { return open != nullptr && *open == 0; }
};

/// Transposes 32 × 32 bits: bit j of lane i comes from bit i of lane j.
__device__ std::uint32_t turn_bits(std::uint32_t word) {
  const auto lane = static_cast<int>(threadIdx.x % kWarp);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    // The lower half of each group of 2·step bits.
    const std::uint32_t low = step == 16  ? 0x0000ffffu
                              : step == 8 ? 0x00ff00ffu
                              : step == 4 ? 0x0f0f0f0fu
                              : step == 2 ? 0x33333333u
                                          : 0x55555555u;
    const std::uint32_t other = __shfl_xor_sync(~0u, word, step);
    word = (lane & step) == 0 ? (word & low) | (other & low) << step
                              : (word & ~low) | (other & ~low) >> step;
  }
  return word;
}

/// A warp transposes the word of 32 rows (planes): `rows` of them lie `stride` words apart, and
/// each has `lines` words beside each other.
__global__ void __launch_bounds__(kThreads)
    turn(const Making making, const Bits bits, std::int64_t length, std::int64_t stride,
         std::int64_t width) {
  if (making.is_off()) return;
  const auto lane = static_cast<int>(threadIdx.x % kWarp);
  const std::int64_t rows = making.inner_count / width;  // rows of a plane, if lines go across
                                                         // planes
  const std::int64_t groups = making.outer_count * making.blocks * rows * bits.row_words;
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarp);
  for (std::int64_t group = std::int64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
       group < groups; group += warps) {
    const std::int64_t at = group % bits.row_words;
    const std::int64_t row = group / bits.row_words % rows;
    const std::int64_t block = group / bits.row_words / rows % making.blocks;
    const std::int64_t outer = group / bits.row_words / rows / making.blocks;
    const std::int64_t own = block * kWarp + lane;
    // Lines along y: outer is the plane and row 0; across planes: outer is 0.
    const std::int64_t first = (outer * length * stride + row) * bits.row_words + at;
    const std::uint32_t word = own < length ? bits.words[first + own * stride * bits.row_words] : 0;
    const std::uint32_t turned = turn_bits(word);
    const std::int64_t x = at * kWarp + lane;
    if (x < width)
      making.words[((outer * making.blocks + block) * rows + row) * width + x] = turned;
  }
}

__device__ std::int32_t highest_of(std::int64_t block, std::uint32_t word) {
  return static_cast<std::int32_t>(block * kWarp) + highest_bit(word);
}
__device__ std::int32_t lowest_of(std::int64_t block, std::uint32_t word) {
  return static_cast<std::int32_t>(block * kWarp) + lowest_bit(word);
}

/// The cells beyond the ends of a line: on a periodic axis they are images of its own.
struct Beyond {
  std::int32_t before = kNoneBefore;
  std::int32_t after = kNoneAfter;
};

__device__ Beyond find_beyond(const Making& making, const std::uint32_t* words) {
  Beyond beyond;
  if (making.period == kNoPeriod) return beyond;
  const auto period = static_cast<std::int32_t>(making.period);
  std::int64_t block = 0;
  while (block < making.blocks && words[block * making.inner_count] == 0) ++block;
  if (block == making.blocks) return beyond;
  beyond.after = lowest_of(block, words[block * making.inner_count]) + period;
  for (block = making.blocks - 1; words[block * making.inner_count] == 0;) --block;
  beyond.before = highest_of(block, words[block * making.inner_count]) - period;
  return beyond;
}

/// A thread goes along a line.
__global__ void __launch_bounds__(kThreads) carry_by_threads(const Making making) {
  if (making.is_off()) return;
  const std::int64_t lines = making.outer_count * making.inner_count;
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t line = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; line < lines;
       line += threads) {
    const std::int64_t first =
        line / making.inner_count * making.blocks * making.inner_count + line % making.inner_count;
    const std::uint32_t* const __restrict__ words = making.words + first;
    Beyond carried = find_beyond(making, words);
    std::int32_t* const __restrict__ all_before = making.before + first;
    std::int32_t* const __restrict__ all_after = making.after + first;
#pragma unroll 8
    for (std::int64_t block = 0; block < making.blocks; ++block) {
      const std::uint32_t word = __ldg(words + block * making.inner_count);
      all_before[block * making.inner_count] = carried.before;
      if (word != 0) carried.before = highest_of(block, word);
    }
#pragma unroll 8
    for (std::int64_t block = making.blocks - 1; block >= 0; --block) {
      const std::uint32_t word = __ldg(words + block * making.inner_count);
      all_after[block * making.inner_count] = carried.after;
      if (word != 0) carried.after = lowest_of(block, word);
    }
  }
}

/// A warp goes along a line, 32 words at a time.
__global__ void __launch_bounds__(kThreads) carry_by_warps(const Making making) {
  if (making.is_off()) return;
  const auto lane = static_cast<int>(threadIdx.x % kWarp);
  const std::int64_t lines = making.outer_count * making.inner_count;
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarp);
  for (std::int64_t line = std::int64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
       line < lines; line += warps) {
    const std::int64_t first =
        line / making.inner_count * making.blocks * making.inner_count + line % making.inner_count;
    const std::uint32_t* const words = making.words + first;
    Beyond carried = find_beyond(making, words);
    const std::int64_t steps = (making.blocks + kWarp - 1) / kWarp;
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t block = step * kWarp + lane;
      const bool exists = block < making.blocks;
      const std::uint32_t word = exists ? words[block * making.inner_count] : 0;
      const std::uint32_t some = __ballot_sync(~0u, word != 0);
      const std::uint32_t before = some & ((1u << lane) - 1);
      const std::int32_t own = word != 0 ? highest_of(block, word) : 0;
      const std::int32_t last = __shfl_sync(~0u, own, before != 0 ? highest_bit(before) : 0);
      if (exists)
        making.before[first + block * making.inner_count] = before != 0 ? last : carried.before;
      const std::int32_t next = __shfl_sync(~0u, own, some != 0 ? highest_bit(some) : 0);
      if (some != 0) carried.before = next;
    }
    for (std::int64_t step = steps - 1; step >= 0; --step) {
      const std::int64_t block = step * kWarp + lane;
      const bool exists = block < making.blocks;
      const std::uint32_t word = exists ? words[block * making.inner_count] : 0;
      const std::uint32_t some = __ballot_sync(~0u, word != 0);
      const std::uint32_t behind = lane == 31 ? 0 : some & ~0u << (lane + 1);
      const std::int32_t own = word != 0 ? lowest_of(block, word) : 0;
      const std::int32_t next = __shfl_sync(~0u, own, behind != 0 ? lowest_bit(behind) : 0);
      if (exists)
        making.after[first + block * making.inner_count] = behind != 0 ? next : carried.after;
      const std::int32_t last = __shfl_sync(~0u, own, some != 0 ? lowest_bit(some) : 0);
      if (some != 0) carried.after = last;
    }
  }
}

}  // namespace

LineBits make_line_bits(const CudaSession& session, const Job& job, const Bits& bits,
                        std::size_t axis, const std::int32_t* open, Scratch::Frame& device) {
  const Axes& extent = job.extent;
  const std::int64_t length = extent[axis];
  Making making{.open = open, .blocks = parts(length, kWarp), .period = job.period[axis]};
  making.outer_count = axis == 0 ? 1 : axis == 1 ? extent[0] : extent[0] * extent[1];
  making.inner_count = axis == 0 ? extent[1] * extent[2] : axis == 1 ? extent[2] : 1;
  const std::int64_t lines = making.outer_count * making.inner_count;
  const std::int64_t words = lines * making.blocks;
  making.words = axis == 2 ? bits.words : device.array<std::uint32_t>(words);
  making.before = device.array<std::int32_t>(words);
  making.after = device.array<std::int32_t>(words);
  const auto blocks = [&](std::int64_t pieces, std::int64_t of_a_block) {
    constexpr std::int64_t kBlocksPerProcessor = 16;
    return static_cast<unsigned>(
        std::min(parts(pieces, of_a_block), session.processors() * kBlocksPerProcessor));
  };
  constexpr int kWarps = kThreads / kWarp;
  if (axis != 2) {
    launch(session, "bits along lines",
           {blocks(words / extent[2] * bits.row_words, kWarps), kThreads}, turn, making, bits,
           length, axis == 0 ? extent[1] : 1, extent[2]);
  }
  constexpr std::int64_t kManyLines = 8192;
  if (axis == 2 || lines < kManyLines)
    launch(session, "bits along lines, carried", {blocks(lines, kWarps), kThreads}, carry_by_warps,
           making);
  else
    launch(session, "bits along lines, carried", {blocks(lines, kThreads), kThreads},
           carry_by_threads, making);
  return {.words = making.words,
          .before = making.before,
          .after = making.after,
          .blocks = making.blocks,
          .inner_count = making.inner_count,
          .period = making.period};
}

}  // namespace thiessen::cuda::sites
