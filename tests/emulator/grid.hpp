// SPDX-License-Identifier: Apache-2.0
//
// Grids of a kernel on the CPU. A thread of the host stands for a multiprocessor: it runs one block
// at a time, whose threads are fibers that run until they wait for each other. So blocks really run
// in parallel on shared memory, and the order of a block's threads changes from one barrier to the
// next.
//
// What a kernel may not do ends the program with a message: threads of a warp that meet in
// different operations; a block or a grid in which all wait for a thread that never comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace emulator {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kMostThreads = 1024;  ///< of a block
/// Multiprocessors of the device: few, so that grids of as many blocks as they hold take turns.
inline constexpr int kProcessors = 3;
inline constexpr std::size_t kSharedBytes = 227 * 1024;        ///< most that a block may request
inline constexpr std::size_t kUnaskedSharedBytes = 48 * 1024;  ///< most without a request
inline constexpr std::uint64_t kMostBlocks = (std::uint64_t{1} << 31) - 1;

struct Grid {
  unsigned blocks;
  unsigned threads;  ///< of a block
  std::size_t shared_bytes;
};

/// Calls the kernel once for each thread of the grid, and returns when all are done.
void run(const Grid& grid, const std::function<void()>& kernel);

// ---- what threads of a kernel do together

enum class Meeting : std::uint8_t { sync, ballot, shuffle };

/// What the lanes of a warp bring to a meeting.
using Slots = std::array<std::uint64_t, kLanes>;

/// Waits for the lanes of `mask` that have not ended. The slots stay until the next but one.
const Slots& meet(Meeting what, unsigned mask, std::uint64_t own);
/// Ends the program if a lane brought nothing to the last meeting.
void need_lane(unsigned lane);
void sync_block();
/// The number of threads of the block that bring true.
int count_in_block(bool own);
void sync_grid();
/// Another thread of the block may run before what follows, which others see.
void give_way();

}  // namespace emulator
