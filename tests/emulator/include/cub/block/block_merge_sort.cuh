// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace cub {

template <class Key, int kThreads, int kItems>
class BlockMergeSort {
 public:
  struct TempStorage {
    Key key[kThreads * kItems];
  };

  explicit BlockMergeSort(TempStorage& memory) : memory_(memory) {}

  template <class Less>
  void Sort(Key (&own)[kItems], const Less& less) {
    Key* const first = memory_.key + threadIdx.x * kItems;
    std::copy_n(own, kItems, first);
    __syncthreads();
    if (threadIdx.x == 0) std::stable_sort(memory_.key, memory_.key + kThreads * kItems, less);
    __syncthreads();
    std::copy_n(first, kItems, own);
    __syncthreads();
  }

 private:
  TempStorage& memory_;
};

}  // namespace cub
