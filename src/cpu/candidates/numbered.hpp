// SPDX-License-Identifier: Apache-2.0
//
// A radix sort of places by 32 bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace thiessen::cpu::candidates {

/// A place of a list, and the number by which it is sorted.
struct Numbered {
  std::uint32_t number;
  std::uint32_t place;
};

/// Sorts by number, then by place, a list that is in the order of its places. Three passes over 11
/// bits each.
inline void sort_numbered(std::span<Numbered> list, std::span<Numbered> buffer) {
  constexpr std::size_t kFew = 64;
  constexpr std::uint32_t kDigits = 1 << 11;
  const auto by_number = [](const Numbered& a, const Numbered& b) {
    return a.number < b.number || (a.number == b.number && a.place < b.place);
  };
  if (list.size() <= kFew) return std::sort(list.begin(), list.end(), by_number);
  for (const int shift : {0, 11, 22}) {
    std::array<std::uint32_t, kDigits + 1> begin{};
    const auto digit = [&](const Numbered& each) { return each.number >> shift & (kDigits - 1); };
    for (const Numbered& each : list) ++begin[digit(each) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const Numbered& each : list) buffer[begin[digit(each)]++] = each;
    std::copy(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(list.size()),
              list.begin());
  }
}

}  // namespace thiessen::cpu::candidates
