// SPDX-License-Identifier: Apache-2.0
//
// Labels on the device: reading them, and a hash table that gives each a slot. For sources compiled
// as CUDA.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/statistics_problem.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda {

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

  template <class T>
  __device__ T at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const T label =
        *reinterpret_cast<const T*>(cells + z * stride[0] + y * stride[1] + x * stride[2]);
    if constexpr (std::is_same_v<T, std::uint8_t>)
      if (boolean) return label != 0 ? 1 : 0;
    return label;
  }
};

/// Where a search for a key begins in a table of so many places, a power of two.
__device__ inline std::uint32_t first_place(std::uint64_t key, std::uint32_t capacity) {
  const int bits = highest_bit(capacity);
  return static_cast<std::uint32_t>(key * 0x9E3779B97F4A7C15u >> (64 - bits));
}

/// Open addressing with linear probing. Slots are places in it; one more for the key that stands
/// for a free place, and another for all labels that do not count.
struct LabelTable {
  static constexpr LabelKey kFree = 0x8181818181818181u;
  static constexpr int kFreeByte = 0x81;
  static constexpr int kMostProbes = 128;

  Word* keys = nullptr;
  std::uint32_t capacity = 0;     ///< a power of two
  std::uint32_t* full = nullptr;  ///< becomes 1 if a label finds no place

  THIESSEN_HD std::uint32_t slots() const { return capacity + 1; }
  THIESSEN_HD std::uint32_t none() const { return capacity + 1; }
  __device__ LabelKey key(std::uint32_t slot) const { return slot < capacity ? keys[slot] : kFree; }

  /// Threads that look for a label at the same time agree on its slot.
  __device__ std::uint32_t slot_of_key(LabelKey key) const {
    if (key == kFree) return capacity;
    std::uint32_t place = first_place(key, capacity);
    for (int probe = 0; probe < kMostProbes; ++probe) {
      Word found = __ldcg(keys + place);
      if (found == kFree) found = atomicCAS(keys + place, Word{kFree}, Word{key});
      if (found == key || found == kFree) return place;
      place = (place + 1) & (capacity - 1);
    }
    atomicExch(full, 1u);
    return none();
  }

  template <class T>
  __device__ std::uint32_t slot_of(const LabelCells& raster, T label) const {
    if constexpr (std::is_floating_point_v<T>)
      if (label != label) return none();
    const LabelKey key = label_key(label);
    for (int i = 0; i < raster.left_out_count; ++i)
      if (raster.left_out[i] == key) return none();
    return slot_of_key(key);
  }
};

/// A part of a row that a warp goes through.
struct Segment {
  static constexpr std::int64_t kCells = 1024;

  std::int64_t z;
  std::int64_t y;
  std::int64_t begin;
  std::int64_t end;
};

/// The segments of a raster are numbered; false behind the last.
__device__ inline bool find_segment(const LabelCells& raster, std::int64_t number,
                                    Segment& segment) {
  const std::int64_t in_row = (raster.extent[2] + Segment::kCells - 1) / Segment::kCells;
  const std::int64_t row = number / in_row;
  if (row >= raster.extent[0] * raster.extent[1]) return false;
  const std::int64_t begin = number % in_row * Segment::kCells;
  const std::int64_t end = begin + Segment::kCells;
  segment = {row / raster.extent[1], row % raster.extent[1], begin,
             end < raster.extent[2] ? end : raster.extent[2]};
  return true;
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
template <class T>
__device__ T from_word(LabelWord<T> word) {
  T label;
  memcpy(&label, &word, sizeof label);
  return label;
}

}  // namespace thiessen::cuda
