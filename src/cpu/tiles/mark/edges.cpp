// SPDX-License-Identifier: Apache-2.0
//
// Marks the cells whose next one along an axis has another value.
#include <algorithm>
#include <cstring>

#include "core/problem/cell_class.hpp"
#include "cpu/simd/dispatch.hpp"
#include "cpu/tiles/job/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/mark/edges.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

Kernel edge_marking(int) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Booleans: all bytes but zero are one value.
struct Boolean {
  std::uint8_t byte;
};

/// The lanes with different values; NaN is one value.
template <class Cell, class D, class V>
HWY_INLINE hn::Mask<D> differ(D d, V a, V b) {
  if constexpr (std::is_same_v<Cell, Boolean>) {
    return hn::Ne(hn::Min(a, hn::Set(d, 1)), hn::Min(b, hn::Set(d, 1)));
  } else if constexpr (std::is_floating_point_v<Cell>) {
    // Instruction sets differ in what Ne says of NaN, but not in Eq.
    const auto are_numbers = hn::Or(hn::Eq(a, a), hn::Eq(b, b));
    return hn::And(hn::Not(hn::Eq(a, b)), are_numbers);
  } else {
    return hn::Ne(a, b);
  }
}

/// Which of 64 cells differ from 64 others, as bits.
template <class Cell>
HWY_INLINE std::uint64_t differing_word(const std::byte* a, const std::byte* b) {
  using T = std::conditional_t<std::is_same_v<Cell, Boolean>, std::uint8_t, Cell>;
  const hn::ScalableTag<T> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::MaxLanes(d)) {
    const auto mask = differ<Cell>(d, hn::LoadU(d, reinterpret_cast<const T*>(a) + i),
                                   hn::LoadU(d, reinterpret_cast<const T*>(b) + i));
    std::uint64_t part = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&part));
    word |= part << i;
  }
  return word;
}

/// Sets the bits of the cells that differ from others.
template <class Cell>
HWY_INLINE void mark_differing(const std::byte* a, const std::byte* b, std::int64_t count,
                               std::uint64_t* words) {
  constexpr std::int64_t kSize = sizeof(Cell);
  std::int64_t x = 0;
  for (; x + 64 <= count; x += 64)
    words[x / 64] = differing_word<Cell>(a + x * kSize, b + x * kSize);
  if (x == count) return;
  std::byte rest[2][64 * kSize] = {};
  std::memcpy(rest[0], a + x * kSize, static_cast<std::size_t>((count - x) * kSize));
  std::memcpy(rest[1], b + x * kSize, static_cast<std::size_t>((count - x) * kSize));
  words[x / 64] = differing_word<Cell>(rest[0], rest[1]);
}

void mark_differing(ElementType type, const std::byte* a, const std::byte* b, std::int64_t count,
                    std::uint64_t* words) {
  switch (type) {
    case ElementType::boolean:
      return mark_differing<Boolean>(a, b, count, words);
    case ElementType::f32:
      return mark_differing<float>(a, b, count, words);
    case ElementType::f64:
      return mark_differing<double>(a, b, count, words);
    default:
      break;
  }
  switch (size_of(type)) {
    case 1:
      return mark_differing<std::uint8_t>(a, b, count, words);
    case 2:
      return mark_differing<std::uint16_t>(a, b, count, words);
    case 4:
      return mark_differing<std::uint32_t>(a, b, count, words);
    default:
      return mark_differing<std::uint64_t>(a, b, count, words);
  }
}

/// A row of the raster, and the next one along an axis or in its own.
struct RowPair {
  std::int64_t z;
  std::int64_t y;
  std::int64_t next_z;
  std::int64_t next_y;
};

/// Marks the cells of a row that differ from those of the next row.
void mark_row(const Job& job, const RowPair& rows, std::uint64_t* words) {
  ChunkBuffer buffer[2];
  for (std::int64_t x = 0; x < job.extent[2]; x += kChunk) {
    const std::int64_t count = std::min(kChunk, job.extent[2] - x);
    mark_differing(job.sites->element_type(), job.sites->read(rows.z, rows.y, x, count, buffer[0]),
                   job.sites->read(rows.next_z, rows.next_y, x, count, buffer[1]), count,
                   words + x / 64);
  }
}

/// The same for the next cells of the row itself.
void mark_columns(const Job& job, std::int64_t z, std::int64_t y, std::uint64_t* words) {
  const ElementType type = job.sites->element_type();
  const std::int64_t last = job.extent[2] - 1;
  ChunkBuffer buffer[2];
  words[last / 64] = 0;
  for (std::int64_t x = 0; x < last; x += kChunk) {
    const std::int64_t count = std::min(kChunk, last - x);
    mark_differing(type, job.sites->read(z, y, x, count, buffer[0]),
                   job.sites->read(z, y, x + 1, count, buffer[1]), count, words + x / 64);
  }
  if (!job.periodic[2]) return;
  std::uint64_t differs = 0;
  mark_differing(type, job.sites->read(z, y, last, 1, buffer[0]),
                 job.sites->read(z, y, 0, 1, buffer[1]), 1, &differs);
  words[last / 64] |= differs << last % 64;
}

template <int kRank>
void mark_edges(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  const auto next = [&](std::size_t axis, std::int64_t i) {
    if (i + 1 < job.extent[axis]) return i + 1;
    return job.periodic[axis] ? std::int64_t{0} : i;  // compared with itself
  };
  for_each_row<kRank>(job.extent, unit_z, unit_y, [&](std::int64_t z, std::int64_t y) {
    mark_columns(job, z, y, job.edges[2].own_row(z, y));
    mark_row(job, {z, y, z, next(1, y)}, job.edges[1].own_row(z, y));
    if constexpr (kRank == 3) mark_row(job, {z, y, next(0, z), y}, job.edges[0].own_row(z, y));
    for (std::size_t axis = 3 - kRank; axis < kAxes; ++axis) {
      std::uint64_t* const words = job.edges[axis].own_row(z, y);
      words[-1] = 0;
      words[job.units[2]] = 0;
    }
  });
}

Kernel edge_marking(int rank) { return rank == 2 ? mark_edges<2> : mark_edges<3>; }

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(edge_marking);

Kernel edge_kernel(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(edge_marking)[dispatch_index(targets)](rank);
}

}  // namespace thiessen::cpu::tiles
#endif
