// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "threads/parallel.hpp"

namespace thiessen {

/// Sorts by `<` on all threads: pieces first, which are then merged in pairs. Elements that are
/// equal end in any order. As much memory again as `values`.
template <class T>
void parallel_sort(ContextState& state, std::vector<T>& values) {
  constexpr std::int64_t kPiece = 1 << 15;
  const std::int64_t count = std::ssize(values);
  const auto at = [count](std::vector<T>& of, std::int64_t place) {
    return of.begin() + std::min(place, count);
  };
  parallel_for(state, (count + kPiece - 1) / kPiece, 1, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t i = begin; i < end; ++i)
                   std::sort(at(values, i * kPiece), at(values, (i + 1) * kPiece));
               });
  std::vector<T> merged(values.size());
  for (std::int64_t width = kPiece; width < count; width *= 2) {
    parallel_for(state, (count + 2 * width - 1) / (2 * width), 1, 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; ++i)
                     std::merge(at(values, 2 * i * width), at(values, (2 * i + 1) * width),
                                at(values, (2 * i + 1) * width), at(values, (2 * i + 2) * width),
                                at(merged, 2 * i * width));
                 });
    values.swap(merged);
  }
}

}  // namespace thiessen
