// SPDX-License-Identifier: Apache-2.0
//
// Labels on the device: reading them, and a table that gives each a place. For sources compiled as
// CUDA.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/statistics/problem.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::statistics {

/// The words that atomic functions take.
using Word = unsigned long long;  // NOLINT(google-runtime-int): as atomicAdd has it
static_assert(sizeof(Word) == sizeof(std::uint64_t));

/// A raster of labels as kernels see it.
struct LabelCells {
  const std::byte* cells = nullptr;
  std::int64_t stride[kAxes] = {};
  std::int64_t extent[kAxes] = {};
  bool boolean = false;
  LabelKey left_out[2] = {};
  int left_out_count = 0;

  __device__ const std::byte* address(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return cells + z * stride[0] + y * stride[1] + x * stride[2];
  }
  template <class T>
  __device__ T read(const std::byte* cell) const {
    const T label = *reinterpret_cast<const T*>(cell);
    if constexpr (std::is_same_v<T, std::uint8_t>)
      if (boolean) return label != 0 ? 1 : 0;
    return label;
  }
  template <class T>
  __device__ T at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return read<T>(address(z, y, x));
  }
};

/// Where a search for a key begins in a hash table of so many places, a power of two.
__device__ inline std::uint32_t first_place(std::uint64_t key, std::uint32_t capacity) {
  const int bits = highest_bit(capacity);
  return static_cast<std::uint32_t>(key * 0x9E3779B97F4A7C15u >> (64 - bits));
}

/// How far a search in a hash table goes before the table counts as full.
inline constexpr int kMostProbes = 128;

/// What the host must know of a table. All 0 at first.
struct TableState {
  std::uint32_t full;    ///< 1: an entry found no place; the table is worth nothing
  std::uint32_t hashed;  ///< labels that are not their own places
  std::uint32_t rows;    ///< of the result
  std::uint32_t unused;
};

/// Finds the place of a key in a hash table with linear probing, whose free places hold 0, and
/// takes one for a key that is new: then on_new() is called. False if the table is full. Threads
/// that look for a key at the same time agree on its place.
template <class OnNew>
__device__ bool find_place(Word* keys, std::uint32_t capacity, Word key, const OnNew& on_new,
                           std::uint32_t& place) {
  place = first_place(key, capacity);
  for (int probe = 0; probe < kMostProbes; ++probe) {
    Word found = __ldcg(keys + place);
    if (found == 0) {
      found = atomicCAS(keys + place, Word{0}, key);
      if (found == 0) on_new(place);
    }
    if (found == key || found == 0) return true;
    place = (place + 1) & (capacity - 1);
  }
  return false;
}

/// The same for a small hash table in memory of the block: false after a few places that others
/// have. Free places hold `free`.
template <int kPlaces, class Key>
__device__ bool find_own_place(Key (&keys)[kPlaces], Key key, Key free, int& place) {
  constexpr int kFewProbes = 8;
  place = static_cast<int>(first_place(key, kPlaces));
  for (int probe = 0; probe < kFewProbes; ++probe, place = (place + 1) % kPlaces) {
    Key found = *static_cast<volatile Key*>(keys + place);
    if (found == free) found = atomicCAS(keys + place, free, key);
    if (found == key || found == free) return true;
  }
  return false;
}

/// Labels have places. Keys below the capacity are their own ones; behind these is a hash table for
/// all others. So small integers, which most labels are, need no search, and lie in their order.
struct LabelTable {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;  ///< the place of labels that are left out

  Word* keys = nullptr;        ///< of the hash table; 0, which is its own place, is none
  std::uint32_t capacity = 0;  ///< of each half: a power of two, at most 2^30
  TableState* state = nullptr;

  THIESSEN_HD std::uint32_t places() const { return 2 * capacity; }
  /// The key of a place; 0 for a free one of the hash table.
  __device__ LabelKey key(std::uint32_t place) const {
    return place < capacity ? place : keys[place - capacity];
  }
  __device__ bool is_free(std::uint32_t place) const {
    return place >= capacity && keys[place - capacity] == 0;
  }
  /// For all lanes of a warp.
  __device__ bool is_full() const { return __any_sync(~0u, __ldcg(&state->full) != 0) != 0; }
  __device__ void set_full() const { atomicExch(&state->full, 1u); }

  __device__ std::uint32_t place_of_key(LabelKey key) const {
    if (key < capacity) return static_cast<std::uint32_t>(key);
    const auto count = [&](std::uint32_t) {
      if (atomicAdd(&state->hashed, 1u) >= capacity / 2) set_full();
    };
    std::uint32_t place;
    if (find_place(keys, capacity, key, count, place)) return capacity + place;
    set_full();
    return kNone;
  }

  template <class T>
  __device__ std::uint32_t place_of(const LabelCells& raster, T label) const {
    if constexpr (std::is_floating_point_v<T>)
      if (label != label) return kNone;
    const LabelKey key = label_key(label);
    for (int i = 0; i < raster.left_out_count; ++i)
      if (raster.left_out[i] == key) return kNone;
    return place_of_key(key);
  }
};

/// A part of a plane that a block goes through: cells side by side in rows below each other.
struct Patch {
  static constexpr int kRows = 16;
  static constexpr int kCells = kLanes * kLanes;  ///< of a row: a word of bits for each lane

  std::int64_t z;
  std::int64_t y;
  std::int64_t x;
  int rows;
  int length;
};

inline constexpr int kPatchThreads = 256;
inline constexpr int kPatchWarps = kPatchThreads / kLanes;

__device__ inline Patch find_patch(const LabelCells& raster) {
  const auto in_row = static_cast<std::uint32_t>(parts(raster.extent[2], Patch::kCells));
  const auto in_plane = static_cast<std::uint32_t>(parts(raster.extent[1], Patch::kRows));
  Patch patch;
  patch.x = std::int64_t{blockIdx.x % in_row} * Patch::kCells;
  patch.y = std::int64_t{blockIdx.x / in_row % in_plane} * Patch::kRows;
  patch.z = blockIdx.x / in_row / in_plane;
  const std::int64_t rows = raster.extent[1] - patch.y;
  const std::int64_t length = raster.extent[2] - patch.x;
  patch.rows = rows < Patch::kRows ? static_cast<int>(rows) : Patch::kRows;
  patch.length = length < Patch::kCells ? static_cast<int>(length) : Patch::kCells;
  return patch;
}

/// A row of a patch, which a warp goes along.
struct Segment {
  std::int64_t z;
  std::int64_t y;
  std::int64_t begin;
  int length;
};

/// Calls visit(segment) for the rows that this warp takes.
template <class Visit>
__device__ void visit_segments(const Patch& patch, const Visit& visit) {
  for (int row = static_cast<int>(threadIdx.x) / kLanes; row < patch.rows; row += kPatchWarps)
    visit(Segment{patch.z, patch.y + row, patch.x, patch.length});
}

/// What a warp has found in a segment, in shared memory, so that all lanes have some of it to do.
using SegmentList = std::uint16_t[Patch::kCells];

/// Lists what value() says of each cell whose bit is set in the word of a lane; returns how many
/// they are.
template <class Value>
__device__ int list_cells(std::uint32_t word, const Value& value, SegmentList& list) {
  std::int32_t place = sum_before_lane(__popc(word));
  const int count = __shfl_sync(~0u, place + __popc(word), kLanes - 1);
  for (; word != 0; word &= word - 1)
    list[place++] = static_cast<std::uint16_t>(value(lowest_bit(word)));
  return count;
}

/// So many of the lowest bits, none or all if that is beyond the word.
__device__ inline std::uint32_t bits_below(int count) {
  return count >= kLanes ? ~0u : count <= 0 ? 0u : (1u << count) - 1;
}

/// A label as a number that lanes can exchange.
template <class T>
using LabelWord = std::conditional_t<sizeof(T) == 8, Word, unsigned>;

template <class T>
__device__ LabelWord<T> to_word(T label) {
  LabelWord<T> word = 0;
  memcpy(&word, &label, sizeof label);
  return word;
}

/// So many cells a lane reads before it looks at any, so that it waits for several reads at once.
inline constexpr int kReads = 16;

/// Reads a segment: own[i] is cell 32·i + lane. Returns which of the cells from 32·lane on have
/// another label than the cell before them in the row.
template <class T>
__device__ std::uint32_t read_runs(const LabelCells& raster, const Segment& segment,
                                   LabelWord<T> (&own)[kLanes]) {
  const int lane = lane_of_thread();
  const std::byte* cell = raster.address(segment.z, segment.y, segment.begin + lane);
  // In lane 0: the label before the next word.
  LabelWord<T> last = 0;
  if (lane == 0)
    last = to_word(raster.template read<T>(segment.begin > 0 ? cell - raster.stride[2] : cell));
  std::uint32_t beginning = 0;
  THIESSEN_UNROLL
  for (int word = 0; word < kLanes; word += kReads) {
    if (word * kLanes >= segment.length) break;
    THIESSEN_UNROLL
    for (int i = word; i < word + kReads; ++i, cell += kLanes * raster.stride[2])
      own[i] = i * kLanes + lane < segment.length ? to_word(raster.template read<T>(cell)) : 0;
    THIESSEN_UNROLL
    for (int i = word; i < word + kReads; ++i) {
      const LabelWord<T> turned = __shfl_sync(~0u, own[i], (lane + kLanes - 1) % kLanes);
      const std::uint32_t bits = __ballot_sync(~0u, own[i] != (lane == 0 ? last : turned));
      if (lane == i) beginning = bits;
      last = turned;
    }
  }
  return beginning & bits_below(segment.length - lane * kLanes);
}

}  // namespace thiessen::cuda::statistics
