// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "emulator/stream.hpp"

namespace cub {

struct DeviceRadixSort {
  template <class Key, class Value>
  static cudaError_t SortPairs(void* memory, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                               const Value* values, Value* sorted_values, std::int64_t count,
                               int begin_bit, int end_bit, cudaStream_t stream) {
    if (memory == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    emulator::enqueue(stream, [=] {
      const auto digits = [=](std::int64_t i) {
        const Key low = keys[i] >> begin_bit;
        const int bits = end_bit - begin_bit;
        return bits == 8 * static_cast<int>(sizeof(Key)) ? low : low & ((Key{1} << bits) - 1);
      };
      std::vector<std::int64_t> places(static_cast<std::size_t>(count));
      std::iota(places.begin(), places.end(), 0);
      std::stable_sort(places.begin(), places.end(),
                       [&](std::int64_t a, std::int64_t b) { return digits(a) < digits(b); });
      std::int64_t row = 0;
      for (const std::int64_t place : places) {
        sorted_keys[row] = keys[place];
        sorted_values[row++] = values[place];
      }
    });
    return cudaSuccess;
  }
};

}  // namespace cub
