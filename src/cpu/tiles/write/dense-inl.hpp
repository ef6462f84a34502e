// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs of what the dense search finds.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_WRITE_DENSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_WRITE_DENSE_INL
#undef THIESSEN_CPU_TILES_WRITE_DENSE_INL
#else
#define THIESSEN_CPU_TILES_WRITE_DENSE_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "cpu/tiles/write/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of offsets, 16 at a time.
HWY_INLINE hn::Vec<hn::CappedTag<std::uint32_t, 16>> load_offsets(const std::uint8_t* offset) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  return hn::PromoteTo(d, hn::LoadU(d8, offset));
}

/// Distances of 16 cells.
template <class Table>
HWY_INLINE void fetch_distances(const Job& job, const Table& table, const std::uint8_t* offset,
                                float* to) {
  const hn::CappedTag<float, 16> d;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kLeafWidth); i += hn::MaxLanes(d))
    store(d, hn::BitCast(d, table(load_offsets(offset + i))), to + i, job.stream_distance);
}

/// The labels, of 4 bytes, of 16 cells; `own` is that of the first cell.
template <class Table>
HWY_INLINE void fetch_labels(const Job& job, const Table& table, const std::byte* own,
                             const std::uint8_t* offset, std::uint32_t* to) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto* first = reinterpret_cast<const std::uint32_t*>(own);
  for (std::size_t i = 0; i < static_cast<std::size_t>(kLeafWidth); i += hn::MaxLanes(d)) {
    const auto index = load_offsets(offset + i);
    const auto bytes = hn::Add(hn::BitCast(di, table(index)), hn::ShiftLeft<2>(hn::Iota(di, 0)));
    auto v = hn::GatherOffset(d, first + i, bytes);
    if (job.special) {
      const auto put = [&](std::uint32_t special, std::uint64_t label) HWY_ATTR {
        v = hn::IfThenElse(hn::Eq(index, hn::Set(d, special)),
                           hn::Set(d, static_cast<std::uint32_t>(label)), v);
      };
      put(DenseTables::kUnreached, job.unreached_label);
      put(DenseTables::kNodata, job.nodata_label);
    }
    store(d, v, to + i, job.stream_labels);
  }
}

template <class T>
HWY_INLINE void copy_labels(const Job& job, const Place& at, std::int64_t count,
                            const std::uint8_t* offset, std::byte* to) {
  const std::byte* own = job.labels.at(at.z, at.y, at.x);
  for (std::int64_t i = 0; i < count; ++i, own += job.labels.stride[2], to += sizeof(T)) {
    auto label = static_cast<T>(job.unreached_label);
    if (offset[i] == DenseTables::kNodata)
      label = static_cast<T>(job.nodata_label);
    else if (offset[i] != DenseTables::kUnreached)
      std::memcpy(&label, own + job.dense->label[offset[i]], sizeof label);
    std::memcpy(to, &label, sizeof label);
  }
}

/// Copies the labels of cells that are all sites.
HWY_INLINE void copy_own_labels(const Job& job, const Place& at, std::int64_t count,
                                std::byte* to) {
  const std::byte* own = job.labels.at(at.z, at.y, at.x);
  const std::int64_t whole = job.stream_labels ? count / kLeafWidth * kLeafWidth : 0;
  const hn::CappedTag<std::uint32_t, 16> d;
  const auto* from = reinterpret_cast<const std::uint32_t*>(own);
  for (std::int64_t i = 0; i < whole; i += static_cast<std::int64_t>(hn::MaxLanes(d)))
    hn::Stream(hn::LoadU(d, from + i), d, reinterpret_cast<std::uint32_t*>(to) + i);
  const std::int64_t done = whole * job.labels.element;
  std::memcpy(to + done, own + done, static_cast<std::size_t>(count * job.labels.element - done));
}

HWY_INLINE void write_offset_labels(const Job& job, const Place& at, std::int64_t count,
                                    const std::uint8_t* offset, int offsets) {
  std::byte* to = job.out_labels.at(at.z, at.y, at.x);
  const bool all_own =
      offset[0] == 0 && std::memcmp(offset, offset + 1, static_cast<std::size_t>(count - 1)) == 0;
  if (all_own && job.labels.contiguous()) return copy_own_labels(job, at, count, to);
  switch (job.out_labels.element) {
    case 1:
      return copy_labels<std::uint8_t>(job, at, count, offset, to);
    case 2:
      return copy_labels<std::uint16_t>(job, at, count, offset, to);
    case 8:
      return copy_labels<std::uint64_t>(job, at, count, offset, to);
    default:
      break;
  }
  const bool fast = job.labels.contiguous() && job.dense->short_labels;
  const std::int64_t whole = fast ? count / kLeafWidth * kLeafWidth : 0;
  const std::byte* own = job.labels.at(at.z, at.y, at.x);
  const auto* bytes = reinterpret_cast<const std::uint32_t*>(job.dense->label32.data());
  with_label_table(bytes, offsets, [&](const auto& table) HWY_ATTR {
    for (std::int64_t i = 0; i < whole; i += kLeafWidth)
      fetch_labels(job, table, own + i * 4, offset + i, reinterpret_cast<std::uint32_t*>(to) + i);
  });
  copy_labels<std::uint32_t>(job, {at.z, at.y, at.x + whole}, count - whole, offset + whole,
                             to + whole * 4);
}

HWY_INLINE void write_offset_distances(const Job& job, const Place& at, std::int64_t count,
                                       const std::uint8_t* offset, int offsets) {
  auto* to = reinterpret_cast<float*>(job.out_distance.at(at.z, at.y, at.x));
  const float* distance = job.dense->distance.data();
  const std::int64_t whole = count / kLeafWidth * kLeafWidth;
  with_label_table(reinterpret_cast<const std::uint32_t*>(distance), offsets,
                   [&](const auto& table) HWY_ATTR {
                     for (std::int64_t i = 0; i < whole; i += kLeafWidth)
                       fetch_distances(job, table, offset + i, to + i);
                   });
  for (std::int64_t i = whole; i < count; ++i) to[i] = distance[offset[i]];
}

HWY_INLINE void write_offset_rest(const Job& job, const Place& at, std::int64_t count,
                                  const std::uint8_t* offset) {
  const std::int64_t own = to_index(job.extent, {at.z, at.y, at.x});
  Winners<std::int64_t> row;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t site = job.dense->site[offset[i]];
    const bool special = offset[i] >= DenseTables::kUnreached;
    row.site[static_cast<std::size_t>(i)] = special ? site : own + i + site;
    row.exact[static_cast<std::size_t>(i)] = job.dense->exact[offset[i]];
  }
  job.write_general(job.general_writer, {at.z, at.y, at.x, count}, row);
}

/// Writes up to 64 cells of a row, from column x of a leaf on. Their offsets (DenseTables) are
/// given and less than `offsets`.
HWY_INLINE void write_offsets(const Job& job, const Place& at, std::int64_t count,
                              const std::uint8_t* offset, int offsets) {
  if (job.out_labels) write_offset_labels(job, at, count, offset, offsets);
  if (job.out_distance) write_offset_distances(job, at, count, offset, offsets);
  if (job.write_general != nullptr) write_offset_rest(job, at, count, offset);
}

#if HWY_TARGET <= HWY_AVX3

// If most cells find their site within a few steps, labels need not be gathered. For each step,
// rows of labels are read where they lie, shifted by the offset, into the lanes of the cells that
// have their site there. Only for targets that have masks of lanes.

inline constexpr int kMaskedSteps = 32;

/// For each step, the cells of a vector's rows that find their site there.
struct Hits {
  int steps = 0;
  alignas(64) std::uint64_t cells[kMaskedSteps][8];
};

/// Writes 64 cells, row r of the hits. The 16 cells from i on that have step k get value(k, i).
template <class D, class Value>
HWY_INLINE void write_hits(D d, const Hits& hits, std::int64_t r, hn::TFromD<D>* to, bool stream,
                           Value&& value) {
  auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0;
  const int steps = hits.cells[0][r] == ~std::uint64_t{0} ? 1 : hits.steps;
  for (int k = 0; k < steps; ++k) {
    const auto* bits = reinterpret_cast<const std::uint8_t*>(&hits.cells[k][r]);
    v0 = hn::IfThenElse(hn::LoadMaskBits(d, bits), value(k, 0), v0);
    v1 = hn::IfThenElse(hn::LoadMaskBits(d, bits + 2), value(k, 16), v1);
    v2 = hn::IfThenElse(hn::LoadMaskBits(d, bits + 4), value(k, 32), v2);
    v3 = hn::IfThenElse(hn::LoadMaskBits(d, bits + 6), value(k, 48), v3);
  }
  store(d, v0, to, stream);
  store(d, v1, to + 16, stream);
  store(d, v2, to + 32, stream);
  store(d, v3, to + 48, stream);
}

HWY_NOINLINE inline void write_hit_row(const Job& job, const Hits& hits, std::int64_t r,
                                       const Place& at) {
  if (job.out_labels) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const std::byte* own = job.labels.at(at.z, at.y, at.x);
    const std::int64_t* label = job.dense->label.data();
    write_hits(d, hits, r, reinterpret_cast<std::uint32_t*>(job.out_labels.at(at.z, at.y, at.x)),
               job.stream_labels, [&](int k, int i) {
                 return hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(own + label[k]) + i);
               });
  }
  if (job.out_distance) {
    const hn::CappedTag<float, 16> d;
    const float* distance = job.dense->distance.data();
    write_hits(d, hits, r, reinterpret_cast<float*>(job.out_distance.at(at.z, at.y, at.x)),
               job.stream_distance, [&](int k, int) { return hn::Set(d, distance[k]); });
  }
}

#endif

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
