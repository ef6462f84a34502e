// SPDX-License-Identifier: Apache-2.0
//
// Compares the cells of a row with those before them, 64 at a time, to a word of bits. Most words
// are zero where regions are large; the places of the others' bits are written four at once, so
// that how many there are is hardly ever guessed wrong.
#include <bit>

#include "cpu/simd/dispatch.hpp"
#include "cpu/statistics/runs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/statistics/runs_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::statistics {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Which of 64 cells differ from the ones before them.
template <class T>
HWY_INLINE std::uint64_t differing_word(const T* cells) {
  const hn::ScalableTag<T> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::MaxLanes(d)) {
    const auto mask = hn::Ne(hn::LoadU(d, cells + i), hn::LoadU(d, cells + i - 1));
    std::uint64_t part = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&part));
    word |= part << i;
  }
  return word;
}

/// Writes the places of the bits, and up to kPlaceSlack - 1 more; returns the end of them.
HWY_INLINE std::uint32_t* write_places(std::uint64_t word, std::uint32_t first,
                                       std::uint32_t* places) {
  std::uint32_t* const end = places + std::popcount(word);
  for (; places < end; places += kPlaceSlack)
    for (std::int64_t i = 0; i < kPlaceSlack; ++i) {
      constexpr std::uint64_t kLast = std::uint64_t{1} << 63;  // spares a branch for no bit
      places[i] = first + static_cast<std::uint32_t>(std::countr_zero(word | kLast));
      word &= word - 1;
    }
  return end;
}

#endif

template <class T>
std::int64_t find_runs(const std::byte* row, std::int64_t begin, std::int64_t end,
                       std::uint32_t* places) {
  const T* const cells = reinterpret_cast<const T*>(row);
  std::uint32_t* next = places;
  std::int64_t x = begin;
#if HWY_TARGET != HWY_SCALAR
  for (; x + 64 <= end; x += 64)
    if (const std::uint64_t word = differing_word(cells + x); word != 0)
      next = write_places(word, static_cast<std::uint32_t>(x), next);
#endif
  for (; x < end; ++x) {
    *next = static_cast<std::uint32_t>(x);
    next += cells[x] != cells[x - 1] ? 1 : 0;
  }
  return next - places;
}

FindRuns find_runs_of(std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return find_runs<std::uint8_t>;
    case 2:
      return find_runs<std::uint16_t>;
    case 4:
      return find_runs<std::uint32_t>;
    default:
      return find_runs<std::uint64_t>;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::statistics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::statistics {

HWY_EXPORT(find_runs_of);

FindRuns find_runs_kernel(std::int64_t targets, std::size_t element_bytes) {
  return HWY_DISPATCH_TABLE(find_runs_of)[dispatch_index_or_scalar(targets)](element_bytes);
}

}  // namespace thiessen::cpu::statistics
#endif
