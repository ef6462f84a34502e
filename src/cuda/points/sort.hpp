// SPDX-License-Identifier: Apache-2.0
//
// A stable merge sort with one thread for each element, in runs of more and more sorted elements. A
// step merges each two runs that lie side by side; an element finds its place by a search in the
// other run.
#pragma once

#include "core/base/host_device.hpp"

namespace thiessen::cuda::points {

/// The new place of the i-th of `count` keys when runs of `run` keys are merged.
template <class Key, class Index>
THIESSEN_HD Index merged_place(const Key* keys, Index count, Index run, Index i) {
  const Index own = i / run * run;
  const bool is_left = i / run % 2 == 0;
  const Index other = is_left ? own + run : own - run;
  Index low = other < count ? other : count;
  Index high = low + run < count ? low + run : count;
  const Index first = low;
  while (low < high) {  // among equal keys those on the left come first
    const Index middle = low + (high - low) / 2;
    const bool before = is_left ? keys[middle] < keys[i] : !(keys[i] < keys[middle]);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return (is_left ? own : other) + (i - own) + (low - first);
}

}  // namespace thiessen::cuda::points
