// SPDX-License-Identifier: Apache-2.0
//
// Launches of passes along lines. For sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "core/problem/problem.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/session.hpp"
#include "cuda/lines/group.cuh"
#include "cuda/lines/pass.hpp"

namespace thiessen::cuda::lines {

/// The blocks that a processor should hold at once, by which registers are allotted. Turing has
/// room for 1024 threads, later ones for at least 1536.
constexpr int blocks_at_once(std::size_t scalar_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  constexpr int kMost = 2;
#else
  constexpr int kMost = 3;
#endif
  return scalar_bytes == 4 ? kMost : 1;
}

/// Numbers of leaves are as wide as coordinates; narrow ones are kept in shared memory.
template <class Index>
inline constexpr bool kInShared = sizeof(Index) == 2;

template <class Pass, class Index>
__global__ void __launch_bounds__(kMostLineThreads, blocks_at_once(sizeof(typename Pass::Scalar)))
    run_line_passes(const __grid_constant__ Pass pass, const __grid_constant__ LinePlan plan,
                    std::byte* memory, std::int64_t bytes) {
  using Memory = MemoryOf<Pass, Index>;
  if (pass.open != nullptr && *pass.open == 0) return;
  std::byte* own = dynamic_shared<std::byte>();
  if constexpr (!kInShared<Index>) own = memory + blockIdx.x * bytes;
  const Memory lines = Memory::at(own, plan);
  for (std::int64_t group = blockIdx.x; group < plan.groups; group += gridDim.x)
    solve_lines(pass, plan, group, lines);
}

/// Memory on the device for the blocks that run at once, and their number.
struct LineBlocks {
  std::byte* memory = nullptr;
  std::int64_t count = 0;
};

/// Blocks that take the groups in turns. For long lines there are only as many as fit the memory
/// beside a raster of that size, at so many bytes a block.
inline LineBlocks allocate_line_blocks(const CudaSession& session, const Job& job,
                                       const LinePlan& plan, std::int64_t bytes, bool in_shared,
                                       Scratch::Frame& device) {
  if (in_shared) {
    // Enough blocks wait behind those that run; more would cost time even where nothing is open.
    constexpr std::int64_t kWaiting = 64;
    return {nullptr, std::min(plan.groups, session.processors() * kWaiting)};
  }
  constexpr std::int64_t kAtLeast = 64 << 20;
  constexpr std::int64_t kBlocksPerProcessor = 4;
  const std::int64_t room = std::max(kAtLeast, job.cells()) / bytes;
  LineBlocks blocks;
  blocks.count = std::min(
      {std::max<std::int64_t>(room, 1), plan.groups, session.processors() * kBlocksPerProcessor});
  blocks.memory = device.array<std::byte>(blocks.count * bytes);
  return blocks;
}

/// Throws Error{unsupported} if a line has more leaves than can be numbered.
inline void check_length(const Job& job, std::size_t axis) {
  if (images_of(job.extent[axis], job.period[axis]) > kMostLeaves)
    throw Error(ErrorCode::unsupported,
                "cuda: an axis of " + std::to_string(job.extent[axis]) +
                    " cells is too long; must be at most 2^31 - 1024, half of it if periodic");
}

/// Runs a pass over all lines of its axis.
template <class Index, class Pass>
void run_pass(const CudaSession& session, const Pass& pass, const char* what,
              Scratch::Frame& device) {
  using Memory = MemoryOf<Pass, Index>;
  check_length(pass.job, pass.axis());
  const std::int64_t room =
      kInShared<Index> ? room_for_leaves(most_shared_bytes(), Memory::kHeadBytes) : kLineBytes;
  const LinePlan plan = plan_lines(pass.job, pass.axis(), pass.lines(pass.axis()),
                                   Pass::kMostTogether, Memory::kLeafBytes, room);
  const std::int64_t bytes = parts(Memory::bytes(plan), 256) * 256;
  const LineBlocks blocks =
      allocate_line_blocks(session, pass.job, plan, bytes, kInShared<Index>, device);
  constexpr std::int64_t kLeavesPerThread = 16;
  const std::int64_t leaves = std::int64_t{plan.images} * plan.together;
  const auto threads = static_cast<int>(
      std::clamp<std::int64_t>(parts(leaves, kLeavesPerThread * 32) * 32, 32, kMostLineThreads));
  std::size_t shared = 0;
  if constexpr (kInShared<Index>) {
    shared = static_cast<std::size_t>(bytes);
    allow_all_shared(run_line_passes<Pass, Index>, what);
  }
  launch(session, what, {static_cast<unsigned>(blocks.count), threads, shared},
         run_line_passes<Pass, Index>, pass, plan, blocks.memory, bytes);
}

/// Whether all lines are short, and S, or both parts of a key, small enough for narrow integers; a
/// leaf has `bytes`.
inline bool is_narrow(const Job& job, Int128 greatest, std::int64_t bytes) {
  for (const std::int64_t period : job.period)
    if (period != kNoPeriod) return false;
  constexpr std::int64_t kHeads = LineMemory<std::int32_t, std::int16_t, std::int16_t>::kHeadBytes;
  const std::int64_t longest = *std::max_element(job.extent.begin(), job.extent.end());
  return longest < std::numeric_limits<std::int16_t>::max() && greatest < 1 << 30 &&
         longest * bytes + kHeads <= most_shared_bytes();
}

/// Calls run(Scalar{}, Index{}) with integers that are wide enough.
template <class Run>
void with_integers(const Problem& problem, const Job& job, std::int64_t bytes, const Run& run) {
  if (is_narrow(job, problem.weights.greatest, bytes)) return run(std::int32_t{}, std::int16_t{});
  if (problem.wide) return run(Int128{}, std::int32_t{});
  run(std::int64_t{}, std::int32_t{});
}

}  // namespace thiessen::cuda::lines
