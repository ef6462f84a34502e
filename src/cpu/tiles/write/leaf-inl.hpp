// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs of a leaf from its winners, while they are in the first-level cache.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_WRITE_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_WRITE_LEAF_INL
#undef THIESSEN_CPU_TILES_WRITE_LEAF_INL
#else
#define THIESSEN_CPU_TILES_WRITE_LEAF_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/search/special_values.hpp"
#include "cpu/simd/units-inl.hpp"
#include "cpu/tiles/job/job.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// The first cell of a leaf.
struct Place {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
};

/// The most sites that a leaf can choose from; two more ranks mean "unreached" and "nodata".
inline constexpr int kMostSites = 1024;

/// The sites of the ranks of a leaf. A table lists at least one.
struct SiteTable {
  int count = 0;
  alignas(64) std::uint32_t label32[kMostSites + 64];  ///< if labels have 4 bytes
  alignas(64) std::uint64_t label64[kMostSites + 64];  ///< else
  alignas(64) std::int64_t site[kMostSites + 64];      ///< site indices, for Job::write_general
};

/// The rank of the site and S for each cell of a leaf, row by row. `exact` is needed only if
/// Job::wants_exact().
struct LeafWinners {
  alignas(64) std::uint16_t rank[kLeafCells];
  alignas(64) std::int32_t exact[kLeafCells];
};

template <class D, class V>
HWY_INLINE void store(D d, V v, hn::TFromD<D>* to, bool stream) {
  if (stream)
    hn::Stream(v, d, to);
  else
    hn::StoreU(v, d, to);
}

/// lower[index] or upper[index - lanes], by the low bits of `index`.
template <class D, class V, class I>
HWY_INLINE V look_up_two(D d, V lower, V upper, I index) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(d) == 16)
    return V{_mm512_permutex2var_epi32(lower.raw, index.raw, upper.raw)};
#endif
  constexpr std::uint32_t kTable = hn::MaxLanes(d);
  const auto low = hn::IndicesFromVec(d, hn::And(index, hn::Set(d, kTable - 1)));
  const auto is_upper = hn::Ne(hn::And(index, hn::Set(d, kTable)), hn::Zero(d));
  return hn::IfThenElse(is_upper, hn::TableLookupLanes(upper, low),
                        hn::TableLookupLanes(lower, low));
}

/// Looks up labels or other words in a table that is kept in kPairs pairs of registers; with 0
/// pairs, in memory.
template <int kPairs>
struct LabelTable {
  using D = hn::CappedTag<std::uint32_t, 16>;
  using V = hn::VFromD<D>;
  static constexpr std::ptrdiff_t kPart = hn::MaxLanes(D());

  HWY_INLINE explicit LabelTable(const std::uint32_t* labels) : labels_(labels) {
    for (int i = 0; i < 2 * kPairs; ++i) part_[i] = hn::Load(D(), labels + i * kPart);
  }

  HWY_INLINE V operator()(V rank) const {
    const D d;
    if constexpr (kPairs == 0)
      return hn::GatherIndex(d, labels_, hn::BitCast(hn::RebindToSigned<D>(), rank));
    const auto has_bit = [&](std::uint32_t bit) HWY_ATTR {
      return hn::Ne(hn::And(rank, hn::Set(d, bit)), hn::Zero(d));
    };
    auto label = look_up_two(d, part_[0], part_[1], rank);
    if constexpr (kPairs > 1) {
      const auto odd_pair = has_bit(2 * kPart);
      label = hn::IfThenElse(odd_pair, look_up_two(d, part_[2], part_[3], rank), label);
      if constexpr (kPairs > 2) {
        const auto upper = hn::IfThenElse(odd_pair, look_up_two(d, part_[6], part_[7], rank),
                                          look_up_two(d, part_[4], part_[5], rank));
        label = hn::IfThenElse(has_bit(4 * kPart), upper, label);
      }
    }
    return label;
  }

 private:
  const std::uint32_t* labels_;
  V part_[kPairs == 0 ? 1 : 2 * kPairs];
};

/// The labels of the 16 cells of a row. Cells that `own` selects get their own labels, which lie at
/// `cells`.
template <int kPairs>
HWY_INLINE void look_up(const LabelTable<kPairs>& table, const std::uint16_t* rank,
                        std::uint32_t own, const std::byte* cells, std::uint32_t* to, bool stream) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kLeafWidth); i += hn::MaxLanes(d)) {
    auto label = table(hn::PromoteTo(d, hn::LoadU(narrow, rank + i)));
    if (own != 0) {
      const std::uint64_t bits = own >> i;
      const auto is_own = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
      label = hn::IfThenElse(
          is_own, hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(cells) + i), label);
    }
    store(d, label, to + i, stream);
  }
}

/// Calls visit(table) with the table of `count` labels. Registers are loaded whole.
template <class Visit>
HWY_INLINE void with_label_table(const std::uint32_t* labels, int count, Visit&& visit) {
  constexpr int kTable = hn::MaxLanes(hn::CappedTag<std::uint32_t, 16>());
  if (count <= 2 * kTable) return visit(LabelTable<1>(labels));
  if (count <= 4 * kTable) return visit(LabelTable<2>(labels));
  if (count <= 8 * kTable) return visit(LabelTable<4>(labels));
  visit(LabelTable<0>(labels));
}

/// √S or S units, rounded to double at each step and to float last, as everywhere in this library.
template <class D>
HWY_INLINE hn::VFromD<D> distances(D d, const Job& job, hn::VFromD<hn::RebindToSigned<D>> s) {
  const hn::RebindToSigned<D> di;
  // √ in single precision gives the same if S is exact in it: rounding twice is harmless if the
  // wider type has more than twice the digits.
  constexpr std::int32_t kExactFloat = 1 << 24;
  if (job.weights->unit.is_one() && hn::AllTrue(di, hn::Lt(s, hn::Set(di, kExactFloat)))) {
    const auto v = hn::ConvertTo(d, s);
    return job.is_root() ? hn::Sqrt(v) : v;
  }
  alignas(64) std::int32_t exact[16];
  alignas(64) float rounded[16];
  hn::Store(s, di, exact);
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<std::int32_t, decltype(wide)> from;
  const hn::Rebind<float, decltype(wide)> to;
  for (std::size_t i = 0; i < hn::MaxLanes(d); i += hn::MaxLanes(wide)) {
    auto v = hn::PromoteTo(wide, hn::Load(from, exact + i));
    if (job.is_root()) v = hn::Sqrt(v);
    hn::Store(hn::DemoteTo(to, cpu::HWY_NAMESPACE::in_units(wide, v, job.weights->unit)), to,
              rounded + i);
  }
  return hn::Load(d, rounded);
}

/// Distances of the 16 cells of a row; S < 0 means none: -1 unreached, -2 nodata.
HWY_INLINE void write_distances(const Job& job, const std::int32_t* exact, float* to) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kLeafWidth); i += hn::MaxLanes(d)) {
    const auto s = hn::Load(di, exact + i);
    auto distance = distances(d, job, s);
    if (job.special) {
      const auto none = hn::RebindMask(d, hn::Lt(s, hn::Zero(di)));
      const auto nodata = hn::RebindMask(d, hn::Eq(s, hn::Set(di, -2)));
      distance = hn::IfThenElse(none, hn::Set(d, static_cast<float>(kUnreachedDistance)), distance);
      distance = hn::IfThenElse(nodata, hn::Set(d, static_cast<float>(kNodataDistance)), distance);
    }
    store(d, distance, to + i, job.stream_distance);
  }
}

template <class T, class Entry>
HWY_INLINE void look_up(const std::uint16_t* rank, const Entry* table, T* to) {
  for (std::int64_t i = 0; i < kLeafWidth; ++i) to[i] = static_cast<T>(table[rank[i]]);
}

/// Writes their own labels to cells that are sites.
HWY_INLINE void blend_own(const Job& job, std::uint32_t bits, std::int64_t z, std::int64_t y,
                          std::int64_t x, std::byte* row) {
  for (; bits != 0; bits &= bits - 1) {
    const std::int64_t i = std::countr_zero(bits);
    std::memcpy(row + i * job.labels.element, job.labels.at(z, y, x + i),
                static_cast<std::size_t>(job.labels.element));
  }
}

/// Calls visit(row, z, y) for the rows of a leaf that lie in the raster.
template <int kRank, class Visit>
HWY_INLINE void for_each_leaf_row(const Job& job, const Place& at, Visit&& visit) {
  using B = Blocks<kRank>;
  for (std::int64_t z = 0; z < B::kLeafZ && at.z + z < job.extent[0]; ++z)
    for (std::int64_t y = 0; y < B::kLeafY && at.y + y < job.extent[1]; ++y)
      visit(z * B::kLeafY + y, at.z + z, at.y + y);
}

/// The 16 bits of a bitmap for a row of a leaf.
HWY_INLINE std::uint32_t leaf_bits(const Bitmap& bitmap, std::int64_t z, std::int64_t y,
                                   std::int64_t x) {
  return static_cast<std::uint32_t>(bitmap.own_row(z, y)[x / 64] >> (x % 64)) & 0xffff;
}

/// Whether all cells of a leaf lie in the raster.
template <int kRank>
HWY_INLINE bool whole_leaf(const Job& job, const Place& at) {
  using B = Blocks<kRank>;
  return at.z + B::kLeafZ <= job.extent[0] && at.y + B::kLeafY <= job.extent[1] &&
         at.x + kLeafWidth <= job.extent[2];
}

/// The search that wrote the leaf which begins there.
template <int kRank>
HWY_INLINE SolvedBy& solved_by(const Job& job, const Place& leaf) {
  using B = Blocks<kRank>;
  return job.solved[job.leaf_index(leaf.z / B::kLeafZ, leaf.y / B::kLeafY, leaf.x / kLeafWidth)];
}

/// The label at an address of the labels.
HWY_INLINE std::uint64_t load_label(const Job& job, const std::byte* at) {
  std::uint64_t label = 0;  // all machines with these instruction sets are little-endian
  std::memcpy(&label, at, static_cast<std::size_t>(job.labels.element));
  return label;
}

/// Fills in entry `rank` of the table.
HWY_INLINE void describe_site(const Job& job, const Axes& site, int rank, SiteTable& table) {
  table.site[rank] = to_index(job.extent, site);
  if (!job.out_labels) return;
  table.label64[rank] = load_label(job, job.labels.at(site[0], site[1], site[2]));
  table.label32[rank] = static_cast<std::uint32_t>(table.label64[rank]);
}

/// Makes cells beyond the limit unreached, and nodata cells nodata.
template <int kRank>
HWY_INLINE void mark_special(const Job& job, const Place& at, int count, LeafWinners& winners) {
  for (std::int64_t i = 0; i < kLeafCells; ++i) {
    if (winners.exact[i] <= job.limit) continue;
    winners.rank[i] = static_cast<std::uint16_t>(count);
    winners.exact[i] = -1;
  }
  if (!job.nodata) return;
  for_each_leaf_row<kRank>(job, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) {
    for (std::uint32_t bits = leaf_bits(job.nodata, z, y, at.x); bits != 0; bits &= bits - 1) {
      const std::int64_t i = r * kLeafWidth + std::countr_zero(bits);
      winners.rank[i] = static_cast<std::uint16_t>(count + 1);
      winners.exact[i] = -2;
    }
  });
}

HWY_INLINE void look_up_row(const Job& job, const SiteTable& table, const std::uint16_t* rank,
                            std::byte* to) {
  switch (job.out_labels.element) {
    case 1:
      return look_up(rank, table.label64, reinterpret_cast<std::uint8_t*>(to));
    case 2:
      return look_up(rank, table.label64, reinterpret_cast<std::uint16_t*>(to));
    case 4:
      return look_up(rank, table.label32, reinterpret_cast<std::uint32_t*>(to));
    default:
      return look_up(rank, table.label64, reinterpret_cast<std::uint64_t*>(to));
  }
}

/// Writes labels of 4 bytes to a leaf that lies wholly in the raster.
template <int kRank>
HWY_INLINE void write_whole_leaf(const Job& job, const Place& at, const SiteTable& table, int count,
                                 const LeafWinners& winners, bool own) {
  with_label_table(table.label32, count, [&](const auto& labels) HWY_ATTR {
    for_each_leaf_row<kRank>(job, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) HWY_ATTR {
      look_up(labels, winners.rank + r * kLeafWidth, own ? leaf_bits(job.bits, z, y, at.x) : 0,
              job.labels.at(z, y, at.x),
              reinterpret_cast<std::uint32_t*>(job.out_labels.at(z, y, at.x)), job.stream_labels);
    });
  });
}

template <int kRank>
HWY_INLINE void write_labels(const Job& job, const Place& at, const SiteTable& table, int count,
                             const LeafWinners& winners, bool own) {
  if (job.out_labels.element == 4 && whole_leaf<kRank>(job, at) &&
      (!own || job.labels.contiguous()))
    return write_whole_leaf<kRank>(job, at, table, count, winners, own);
  const std::int64_t columns = std::min(kLeafWidth, job.extent[2] - at.x);
  for_each_leaf_row<kRank>(job, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) {
    std::byte row[kLeafWidth * 8];
    look_up_row(job, table, winners.rank + r * kLeafWidth, row);
    if (own) blend_own(job, leaf_bits(job.bits, z, y, at.x), z, y, at.x, row);
    std::memcpy(job.out_labels.at(z, y, at.x), row,
                static_cast<std::size_t>(columns * job.out_labels.element));
  });
}

HWY_INLINE void write_rest_of_row(const Job& job, const SiteTable& table, const std::uint16_t* rank,
                                  const std::int32_t* exact, std::uint32_t own,
                                  const Chunk& chunk) {
  Winners<std::int64_t> row;
  for (std::int64_t i = 0; i < chunk.count; ++i) {
    row.site[static_cast<std::size_t>(i)] = table.site[rank[i]];
    row.exact[static_cast<std::size_t>(i)] = exact[i];
  }
  for (; own != 0; own &= own - 1) {
    const int i = std::countr_zero(own);
    row.site[static_cast<std::size_t>(i)] = to_index(job.extent, {chunk.z, chunk.y, chunk.x + i});
  }
  job.write_general(job.general_writer, chunk, row);
}

template <int kRank>
HWY_INLINE void write_others(const Job& job, const Place& at, const SiteTable& table,
                             const LeafWinners& winners, bool own) {
  const std::int64_t columns = std::min(kLeafWidth, job.extent[2] - at.x);
  for_each_leaf_row<kRank>(job, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) {
    const std::int32_t* exact = winners.exact + r * kLeafWidth;
    if (job.write_general != nullptr)
      write_rest_of_row(job, table, winners.rank + r * kLeafWidth, exact,
                        own ? leaf_bits(job.bits, z, y, at.x) : 0, {z, y, at.x, columns});
    if (!job.out_distance) return;
    auto* to = reinterpret_cast<float*>(job.out_distance.at(z, y, at.x));
    if (columns == kLeafWidth) return write_distances(job, exact, to);
    alignas(64) float row[kLeafWidth];
    write_distances(job, exact, row);
    std::memcpy(to, row, static_cast<std::size_t>(columns) * sizeof(float));
  });
}

/// Writes the cells of a leaf. Entries of `table` behind its last one are free to use, and
/// `winners` is changed where the problem has special cells. `own`: site cells of the leaf are
/// their own winners, whatever their rank and S are.
template <int kRank>
HWY_INLINE void write_leaf(const Job& job, const Place& at, SiteTable& table, LeafWinners& winners,
                           bool own) {
  if (own && job.wants_exact())
    for_each_leaf_row<kRank>(job, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) {
      for (std::uint32_t bits = leaf_bits(job.bits, z, y, at.x); bits != 0; bits &= bits - 1)
        winners.exact[r * kLeafWidth + std::countr_zero(bits)] = 0;
    });
  int count = table.count;
  if (job.special) {
    for (const auto& [label, site] :
         {std::pair{job.unreached_label, kUnreached}, std::pair{job.nodata_label, kNodata}}) {
      table.label32[count] = static_cast<std::uint32_t>(label);
      table.label64[count] = label;
      table.site[count++] = site;
    }
    mark_special<kRank>(job, at, table.count, winners);
  }
  if (job.out_labels) write_labels<kRank>(job, at, table, count, winners, own);
  if (job.out_distance || job.write_general != nullptr)
    write_others<kRank>(job, at, table, winners, own);
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
