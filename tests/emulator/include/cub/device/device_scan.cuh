// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "emulator/stream.hpp"

namespace cub {

struct DeviceScan {
  template <class From, class To>
  static cudaError_t InclusiveSum(void* memory, std::size_t& bytes, From from, To to,
                                  std::int64_t count, cudaStream_t stream) {
    const auto no_key = [](std::int64_t) { return 0; };
    return scan(memory, bytes, no_key, from, to, count, stream);
  }

  template <class Keys, class From, class To, class Equal>
  static cudaError_t InclusiveSumByKey(void* memory, std::size_t& bytes, Keys keys, From from,
                                       To to, std::int64_t count, Equal /*equal*/,
                                       cudaStream_t stream) {
    const auto key = [keys](std::int64_t i) { return keys[i]; };
    return scan(memory, bytes, key, from, to, count, stream);
  }

 private:
  template <class Key, class From, class To>
  static cudaError_t scan(void* memory, std::size_t& bytes, Key key, From from, To to,
                          std::int64_t count, cudaStream_t stream) {
    if (memory == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    emulator::enqueue(stream, [=] {
      std::decay_t<decltype(*to)> sum{};
      for (std::int64_t i = 0; i < count; ++i) {
        if (i > 0 && key(i) != key(i - 1)) sum = {};
        to[i] = sum += from[i];
      }
    });
    return cudaSuccess;
  }
};

}  // namespace cub
