// SPDX-License-Identifier: Apache-2.0
//
// The only read of the raster: its sites become bits, counts and lists.
//
// Lists are made while the labels are in registers (Job::fused).
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/problem/cell_class.hpp"
#include "cpu/simd/dispatch.hpp"
#include "cpu/tiles/job/kernels.hpp"
#include "cpu/tiles/job/near_choice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/mark/mark.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

MarkKernels marking(int) { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// 64 cells as bits: set where the cell is neither zero nor NaN.
template <class T>
HWY_INLINE std::uint64_t nonzero_word(const T* cells) {
  const hn::ScalableTag<T> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::MaxLanes(d)) {
    const auto v = hn::LoadU(d, cells + i);
    auto mask = hn::Ne(v, hn::Zero(d));
    if constexpr (std::is_floating_point_v<T>) mask = hn::And(mask, hn::Eq(v, v));
    std::uint64_t part = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&part));
    word |= part << i;
  }
  return word;
}

/// Appends the sites of word `w` of a row to the lists, from place n on; `cells` are the labels of
/// these 64 cells, if labels are listed.
template <bool kLabels>
HWY_INLINE std::int64_t list_word(const SiteLists& lists, std::uint64_t sites, std::int64_t w,
                                  const std::uint32_t* cells, std::int64_t n) {
#if HWY_TARGET <= HWY_AVX3
  // There is no branch: at one percent of sites every other word would be predicted wrong.
  const hn::CappedTag<std::uint16_t, 32> d16;
  const hn::CappedTag<std::uint32_t, 16> d32;
  std::int64_t at = n;
  for (int i = 0; i < 2; ++i) {
    const auto part = static_cast<std::uint32_t>(sites >> 32 * i);
    const auto mask = hn::LoadMaskBits(d16, reinterpret_cast<const std::uint8_t*>(&part));
    const auto x = hn::Iota(d16, static_cast<std::uint16_t>(w * 64 + 32 * i));
    hn::StoreU(hn::Compress(x, mask), d16, lists.x + at);
    at += std::popcount(part);
  }
  for (int i = 0; kLabels && i < 4; ++i) {
    const auto part = static_cast<std::uint16_t>(sites >> 16 * i);
    const auto mask = hn::LoadMaskBits(d32, reinterpret_cast<const std::uint8_t*>(&part));
    hn::StoreU(hn::Compress(hn::LoadU(d32, cells + 16 * i), mask), d32, lists.label + n);
    n += std::popcount(part);
  }
  return at;
#else
  for (; sites != 0; sites &= sites - 1) {
    const int x = std::countr_zero(sites);
    lists.x[n] = static_cast<std::uint16_t>(w * 64 + x);
    if constexpr (kLabels) lists.label[n] = cells[x];
    ++n;
  }
  return n;
#endif
}

/// Where the next site of a unit row goes.
struct ListEnd {
  std::int64_t used = 0;
  std::int64_t last = 0;
  bool full = false;   ///< no more sites are listed
  bool sparse = true;  ///< there seem to be few sites
};

/// Prefetches into the second-level cache; that does no harm beyond the end of the array.
HWY_INLINE void prefetch(const void* cells, std::size_t bytes) {
  constexpr std::size_t kAhead = 4096;
  for (std::size_t line = 0; line < bytes; line += 64)
    __builtin_prefetch(static_cast<const std::byte*>(cells) + kAhead + line, 0, 2);
}

template <class T, class Visit>
HWY_INLINE void mark_cells(const T* cells, std::int64_t count, std::uint64_t* words,
                           Visit&& visit) {
  std::int64_t x = 0;
  for (; x + 64 <= count; x += 64) {
    prefetch(cells + x, 64 * sizeof(T));
    words[x / 64] = nonzero_word(cells + x);
    visit(x / 64, words[x / 64], cells + x);
  }
  if (x == count) return;
  T rest[64] = {};
  std::memcpy(rest, cells + x, static_cast<std::size_t>(count - x) * sizeof(T));
  words[x / 64] = nonzero_word(rest);
  visit(x / 64, words[x / 64], rest);
}

template <class T, bool kLabels>
void mark_and_list(const SiteLists& lists, const T* cells, std::int64_t count, std::int64_t x,
                   std::uint64_t* words, ListEnd& end) {
  if (end.full)
    return mark_cells(cells, count, words, [](std::int64_t, std::uint64_t, const T*) {});
  const std::int64_t before = end.used;
  const auto list = [&](std::int64_t w, std::uint64_t sites, const T* labels) HWY_ATTR {
    end.full |= end.used + 64 > end.last;
    if (!end.full)
      end.used = list_word<kLabels>(lists, sites, x / 64 + w,
                                    reinterpret_cast<const std::uint32_t*>(labels), end.used);
  };
  // The next piece is mostly like this one. If few words have sites, a branch for them pays; if
  // more have sites than the near search takes, a list is useless.
  constexpr std::int64_t kSparse = 1024;
  constexpr std::int64_t kDense = 16;
  if (end.sparse)
    mark_cells(cells, count, words,
               [&](std::int64_t w, std::uint64_t sites, const T* labels) HWY_ATTR {
                 if (HWY_UNLIKELY(sites != 0)) list(w, sites, labels);
               });
  else
    mark_cells(cells, count, words, list);
  end.sparse = (end.used - before) * kSparse < count;
  // A short row tells little.
  constexpr std::int64_t kShort = 256;
  end.full = end.full || (end.used - before) * kDense > std::max(count, kShort);
}

template <class T>
void mark_plain(const Job& job, const std::byte* bytes, std::int64_t count, std::int64_t x,
                std::uint64_t* words, ListEnd& end) {
  const auto* cells = reinterpret_cast<const T*>(bytes);
  if constexpr (sizeof(T) == 4)
    if (job.fused) return mark_and_list<T, true>(job.lists, cells, count, x, words, end);
  mark_and_list<T, false>(job.lists, cells, count, x, words, end);
}

void mark_piece(const Job& job, const std::byte* cells, std::int64_t count, std::int64_t x,
                std::uint64_t* words, ListEnd& end) {
  const ElementType type = job.rule->type;
  if (type == ElementType::f32) return mark_plain<float>(job, cells, count, x, words, end);
  if (type == ElementType::f64) return mark_plain<double>(job, cells, count, x, words, end);
  switch (size_of(type)) {
    case 1:
      return mark_plain<std::uint8_t>(job, cells, count, x, words, end);
    case 2:
      return mark_plain<std::uint16_t>(job, cells, count, x, words, end);
    case 4:
      return mark_plain<std::uint32_t>(job, cells, count, x, words, end);
    default:
      return mark_plain<std::uint64_t>(job, cells, count, x, words, end);
  }
}

/// The same for any rule.
void mark_classes(const Job& job, const std::byte* cells, std::int64_t count, std::int64_t x,
                  std::uint64_t* words, ListEnd& end, std::uint64_t* nodata) {
  std::uint8_t classes[kChunk];
  std::uint8_t marks[kChunk];
  classify(*job.rule, cells, count, classes);
  const auto find = [&](std::uint8_t wanted) {
    for (std::int64_t i = 0; i < count; ++i) marks[i] = classes[i] == wanted ? 1 : 0;
  };
  find(kSiteCell);
  mark_and_list<std::uint8_t, false>(job.lists, marks, count, x, words, end);
  if (nodata == nullptr) return;
  find(kNodataCell);
  mark_cells(marks, count, nodata, [](std::int64_t, std::uint64_t, const std::uint8_t*) {});
}

void mark_row(const Job& job, std::int64_t z, std::int64_t y, ListEnd& end) {
  const std::int64_t width = job.extent[2];
  std::uint64_t* words = job.bits.own_row(z, y);
  words[-1] = 0;
  words[job.units[2]] = 0;
  job.lists.row[z * job.extent[1] + y] = static_cast<std::uint32_t>(end.used);
  ChunkBuffer buffer;
  for (std::int64_t x = 0; x < width; x += kChunk) {
    const std::int64_t count = std::min(kChunk, width - x);
    const std::byte* cells = job.sites->read(z, y, x, count, buffer);
    if (job.plain)
      mark_piece(job, cells, count, x, words + x / 64, end);
    else
      mark_classes(job, cells, count, x, words + x / 64, end,
                   job.nodata ? job.nodata.own_row(z, y) + x / 64 : nullptr);
  }
}

/// Counts the patches that begin in the words of a row; `above`: the same words of the row above.
void count_patches(const Job& job, const std::uint64_t* words, const std::uint64_t* above,
                   std::uint16_t* patches) {
  for (std::int64_t x = 0; x < job.units[2]; ++x) {
    const std::uint64_t before = words[x] << 1 | words[x - 1] >> 63;
    const std::uint64_t over =
        above[x] | above[x] << 1 | above[x - 1] >> 63 | above[x] >> 1 | above[x + 1] << 63;
    patches[x] = static_cast<std::uint16_t>(patches[x] + std::popcount(words[x] & ~before & ~over));
  }
}

/// All other cells of the row become sites.
void invert_row(const Job& job, std::int64_t z, std::int64_t y) {
  std::uint64_t* words = job.bits.own_row(z, y);
  for (std::int64_t x = 0; x < job.units[2]; ++x) words[x] = ~words[x];
  const std::int64_t behind = job.units[2] * 64 - job.extent[2];
  words[job.units[2] - 1] &= ~std::uint64_t{0} >> behind;
}

template <int kRank>
void mark(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  std::uint16_t* counts = job.unit_sites + job.unit_index(unit_z, unit_y, 0);
  std::fill_n(counts, job.units[2], std::uint16_t{0});
  std::uint16_t* patches = nullptr;
  if (job.unit_patches != nullptr) {
    patches = job.unit_patches + job.unit_index(unit_z, unit_y, 0);
    std::fill_n(patches, job.units[2], std::uint16_t{0});
  }
  const std::int64_t unit_row = unit_z * job.units[1] + unit_y;
  ListEnd end{.used = unit_row * job.lists.capacity, .last = (unit_row + 1) * job.lists.capacity};
  for_each_row<kRank>(job.extent, unit_z, unit_y, [&](std::int64_t z, std::int64_t y) {
    if (job.inverts_bits)
      invert_row(job, z, y);
    else
      mark_row(job, z, y, end);
    const std::uint64_t* words = job.bits.own_row(z, y);
    for (std::int64_t x = 0; x < job.units[2]; ++x)
      counts[x] = static_cast<std::uint16_t>(counts[x] + std::popcount(words[x]));
    if (patches != nullptr && y > unit_y * Blocks<kRank>::kUnitY)
      count_patches(job, words, job.bits.own_row(z, y - 1), patches);
  });
  job.lists.state[unit_row] = end.full ? ListState::full : ListState::all;
}

/// Makes the ranges of a row's words in its list.
void list_ranges(const Job& job, std::int64_t z, std::int64_t y) {
  constexpr std::int64_t kTail = 64 - kMarginX;
  const std::uint64_t* words = job.bits.own_row(z, y);
  const std::int64_t row = z * job.extent[1] + y;
  std::uint32_t* begin = job.lists.begin + row * job.units[2];
  std::uint32_t* end = job.lists.end + row * job.units[2];
  std::int64_t n = job.lists.row[row];
  std::uint64_t before = 0;
  for (std::int64_t w = 0; w < job.units[2]; ++w) {
    begin[w] = static_cast<std::uint32_t>(n - std::popcount(before >> kTail));
    if (w > 0) end[w - 1] = static_cast<std::uint32_t>(n + std::popcount(words[w] << kTail));
    n += std::popcount(words[w]);
    before = words[w];
  }
  end[job.units[2] - 1] = static_cast<std::uint32_t>(n);
}

template <int kRank>
void list(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  ListState& state = job.lists.state[unit_z * job.units[1] + unit_y];
  if (!is_list_needed<kRank>(job, unit_z, unit_y)) state = ListState::none;
  if (state == ListState::all)
    for_each_row<kRank>(job.extent, unit_z, unit_y,
                        [&](std::int64_t z, std::int64_t y) { list_ranges(job, z, y); });
}

MarkKernels marking(int rank) {
  if (rank == 2) return {mark<2>, list<2>};
  return {mark<3>, list<3>};
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(marking);

MarkKernels mark_kernels(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(marking)[dispatch_index(targets)](rank);
}

}  // namespace thiessen::cpu::tiles
#endif
