// SPDX-License-Identifier: Apache-2.0
//
// Lists the sites of leaves, and orders them.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_SITES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_SITES_INL
#undef THIESSEN_CPU_TILES_FAR_SITES_INL
#else
#define THIESSEN_CPU_TILES_FAR_SITES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "cpu/tiles/far/lists-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Appends the sites of an unlisted leaf, entry `entry` of a list, from the bitmap. On a periodic
/// axis the entry may be an image of the leaf: then its box and its sites are moved.
template <int kRank>
void expand_from_bits(const Job& job, const Pyramid& pyramid, const NodeList& leaves,
                      std::int64_t entry, SiteList& to) {
  using B = Blocks<kRank>;
  const NodeLevel& nodes = pyramid.level[1];
  const auto leaf = static_cast<std::int64_t>(static_cast<std::uint32_t>(leaves.id[entry]));
  const auto moved = moved_from<kRank>(leaves, entry, pyramid.level[0], leaf);
  const std::int64_t node = leaf / kLeavesOfNode;
  const std::int64_t i = leaf % kLeavesOfNode;
  const Axes first{
      node / nodes.count[2] / nodes.count[1] * nodes.size[0] + (kRank == 2 ? 0 : i / 4 * B::kLeafZ),
      node / nodes.count[2] % nodes.count[1] * nodes.size[1] +
          (kRank == 2 ? i / 4 : i % 4) * B::kLeafY,
      node % nodes.count[2] * nodes.size[2] + (kRank == 2 ? i % 4 * kLeafWidth : 0)};
  for (std::int64_t z = first[0]; z < first[0] + B::kLeafZ; ++z)
    for (std::int64_t y = first[1]; y < first[1] + B::kLeafY; ++y) {
      std::uint64_t bits = job.bits.row(z, y)[first[2] / 64] >> first[2] % 64 & 0xffff;
      for (; bits != 0; bits &= bits - 1) {
        const auto place = to_place(pyramid, z, y, first[2] + std::countr_zero(bits));
        for (std::size_t w = 0; w < kRank - 1; ++w)
          to.at[w][to.count] = add_halves(place[w], moved[w]);
        ++to.count;
      }
    }
}

/// Lists the sites of leaves; false if they are more than `most`.
template <int kRank>
bool expand_sites(const Job& job, const Pyramid& pyramid, const NodeList& leaves, std::int64_t most,
                  SiteList& to) {
  const auto& weight = pyramid.weight;
  const V16 weights = halves(all(to_word(weight[2], weight[1])));
  const V16 weight_z = halves(all(to_word(weight[0], 0)));
  const hn::Rebind<std::uint8_t, D32> d8;
  to.count = 0;
  for (std::int64_t i = 0; i < leaves.count; ++i) {
    if (to.count + kLeafCells > most) return false;
    const auto leaf = static_cast<std::int64_t>(static_cast<std::uint32_t>(leaves.id[i]));
    const std::uint32_t first = pyramid.first[leaf];
    if (first == Pyramid::kUnlisted) {
      expand_from_bits<kRank>(job, pyramid, leaves, i, to);
      continue;
    }
    const std::int64_t count = pyramid.count[leaf];
    const V16 low = halves(all(leaves.low[0][i]));
    for (std::int64_t k = 0; k < count; k += kLanes) {
      const V32 cell = hn::PromoteTo(D32(), hn::LoadU(d8, pyramid.sites + first + k));
      const V32 joined = hn::Or(cell, hn::ShiftLeft<12>(cell));
      const V32 xy = hn::And(joined, all(kRank == 2 ? 0x000f000f : 0x0003000f));
      hn::StoreU(word(hn::Add(low, hn::Mul(halves(xy), weights))), D32(), to.at[0] + to.count + k);
      if constexpr (kRank == 3) {
        const V16 z = hn::Mul(halves(hn::ShiftRight<6>(cell)), weight_z);
        hn::StoreU(word(hn::Add(halves(all(leaves.low[1][i])), z)), D32(), to.at[1] + to.count + k);
      }
    }
    to.count += count;
  }
  return true;
}

template <int kRank>
HWY_INLINE void copy_site(const SiteList& from, std::int64_t i, SiteList& to, std::int64_t k) {
  for (std::size_t w = 0; w < kRank - 1; ++w) to.at[w][k] = from.at[w][i];
  if (from.payload != nullptr) to.payload[k] = from.payload[i];
}

/// Sorts a short list of sites: counts for each one how many come before it.
template <int kRank>
void sort_few(const PerWord<std::int32_t>& origin, const SiteList& from, SiteList& to,
              FarMemory& memory) {
  std::int32_t* const xy = memory.slope[2];
  std::int32_t* const z = memory.slope[0];
  const std::int64_t count = from.count;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    hn::StoreU(order_of_xy(load(from.at[0] + i), origin[0]), D32(), xy + i);
    if constexpr (kRank == 3) hn::StoreU(order_of_z(load(from.at[1] + i), origin[1]), D32(), z + i);
  }
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const V32 mine = load(xy + i);
    const V32 mine_z = kRank == 3 ? load(z + i) : mine;
    V32 before = hn::Zero(D32());
    for (std::int64_t k = 0; k < count; ++k) {
      auto less = hn::Lt(all(xy[k]), mine);
      if constexpr (kRank == 3) {
        const V32 other = all(z[k]);
        less = hn::Or(hn::Lt(other, mine_z), hn::And(hn::Eq(other, mine_z), less));
      }
      before = hn::Sub(before, hn::VecFromMask(D32(), less));
    }
    hn::StoreU(before, D32(), memory.rank + i);
  }
  for (std::int64_t i = 0; i < count; ++i) copy_site<kRank>(from, i, to, memory.rank[i]);
}

/// The range of signed halves of words, relative to a place.
struct HalfRange {
  std::int32_t low[2];  ///< lower and upper half
  int bits[2];          ///< bits of the greatest difference
};

inline HalfRange range_of_halves(std::int32_t origin, const std::int32_t* at, std::int64_t count) {
  const V16 from = halves(all(origin));
  const V16 first = hn::Sub(halves(all(at[0])), from);
  V16 low = first;
  V16 high = first;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const V16 v = hn::Sub(halves(load(at + i)), from);
    const M32 mask = first_lanes(count - i);
    const V16 known = halves(hn::IfThenElse(mask, word(v), word(first)));
    low = hn::Min(low, known);
    high = hn::Max(high, known);
  }
  const auto side = [](V32 v, bool greatest) {
    return hn::GetLane(greatest ? hn::MaxOfLanes(D32(), v) : hn::MinOfLanes(D32(), v));
  };
  const auto lower = [](V16 v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(word(v))); };
  const auto upper = [](V16 v) { return hn::ShiftRight<16>(word(v)); };
  HalfRange range{{side(lower(low), false), side(upper(low), false)}, {}};
  const std::int32_t most[2] = {side(lower(high), true), side(upper(high), true)};
  for (int i = 0; i < 2; ++i)
    range.bits[i] = std::bit_width(static_cast<std::uint32_t>(most[i] - range.low[i]));
  return range;
}

/// The lower bits of a sort key hold the number of a site.
inline constexpr int kNumberBits = 17;
inline constexpr std::uint64_t kNumber = (1 << kNumberBits) - 1;

/// Sorts `count` keys by the `bits` bits above the number; returns where they end up: `keys` or
/// `spare`.
inline std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* spare, std::int64_t count,
                                int bits) {
  constexpr int kDigit = 8;
  for (int shift = kNumberBits; shift < kNumberBits + bits; shift += kDigit) {
    std::uint32_t place[1 << kDigit] = {};
    const auto digit = [&](std::uint64_t key) { return key >> shift & ((1 << kDigit) - 1); };
    for (std::int64_t i = 0; i < count; ++i) ++place[digit(keys[i])];
    std::uint32_t sum = 0;
    for (std::uint32_t& each : place) {
      const std::uint32_t of_digit = each;
      each = sum;
      sum += of_digit;
    }
    for (std::int64_t i = 0; i < count; ++i) spare[place[digit(keys[i])]++] = keys[i];
    std::swap(keys, spare);
  }
  return keys;
}

/// Sorts the sites of a list by their index. Long lists are sorted digit by digit: the sites of a
/// tile lie in a box that takes only a few bits. Returns false if it takes too many: a box that is
/// longer than 2^15 along each of three axes.
template <int kRank>
bool sort_by_index(const PerWord<std::int32_t>& origin, const SiteList& from, SiteList& to,
                   FarMemory& memory) {
  to.count = from.count;
  if (from.count <= memory.counted_sites) {
    sort_few<kRank>(origin, from, to, memory);
    return true;
  }
  const HalfRange xy = range_of_halves(origin[0], from.at[0], from.count);
  const HalfRange z = kRank == 3 ? range_of_halves(origin[1], from.at[1], from.count) : HalfRange{};
  const int row_bits = xy.bits[0] + xy.bits[1];
  if (row_bits + z.bits[0] > 64 - kNumberBits) return false;
  for (std::int64_t i = 0; i < from.count; ++i) {
    const auto half = [&](std::size_t w, int shift, std::int32_t low) {
      const auto at = static_cast<std::uint32_t>(from.at[w][i]) >> shift;
      return static_cast<std::uint64_t>(static_cast<std::uint16_t>(
          at - (static_cast<std::uint32_t>(origin[w]) >> shift) - static_cast<std::uint32_t>(low)));
    };
    std::uint64_t key = half(0, 16, xy.low[1]) << xy.bits[0] | half(0, 0, xy.low[0]);
    if constexpr (kRank == 3) key |= half(1, 0, z.low[0]) << row_bits;
    memory.key[i] = key << kNumberBits | static_cast<std::uint64_t>(i);
  }
  const std::uint64_t* const sorted =
      sort_keys(memory.key, memory.spare_key, from.count, row_bits + z.bits[0]);
  for (std::int64_t i = 0; i < from.count; ++i)
    copy_site<kRank>(from, static_cast<std::int64_t>(sorted[i] & kNumber), to, i);
  return true;
}

/// Distances in bytes between labels of 4 bytes along each axis, if labels can be gathered from a
/// tile's first cell on.
struct LabelSteps {
  bool gather = false;
  std::int32_t x = 0, y = 0, z = 0;
};

inline LabelSteps label_steps(const Job& job, const Pyramid& pyramid) {
  LabelSteps steps;
  std::int64_t sum = 0;
  bool whole = reinterpret_cast<std::uintptr_t>(job.labels.bytes) % 4 == 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (job.extent[axis] == 1) continue;
    whole = whole && job.labels.stride[axis] % 4 == 0 && pyramid.weight[axis] == 1;
    sum += std::abs(job.labels.stride[axis]) / 4;
  }
  steps.gather = whole && sum < 65536;  // differences of coordinates are less than 32768
  if (!steps.gather) return steps;
  const auto step = [&](std::size_t axis) {
    return job.extent[axis] == 1 ? 0 : static_cast<std::int32_t>(job.labels.stride[axis] / 4);
  };
  steps.z = step(0);
  steps.y = step(1);
  steps.x = step(2);
  return steps;
}

/// Where the labels of sites i, … of a list lie, relative to that of the cell at `origin`.
template <int kRank>
HWY_INLINE V32 labels_from(const LabelSteps& steps, const PerWord<std::int32_t>& origin,
                           const SiteList& list, std::int64_t i) {
  const V32 at = word(hn::Sub(halves(load(list.at[0] + i)), halves(all(origin[0]))));
  const V32 x = hn::ShiftRight<16>(hn::ShiftLeft<16>(at));
  V32 label = hn::Add(hn::Mul(x, all(steps.x)), hn::Mul(hn::ShiftRight<16>(at), all(steps.y)));
  if constexpr (kRank == 3) {
    const V32 z = order_of_z(load(list.at[1] + i), origin[1]);
    label = hn::Add(label, hn::Mul(hn::ShiftRight<16>(z), all(steps.z)));
  }
  return hn::IfThenElseZero(first_lanes(list.count - i), label);
}

template <int kRank>
void prefetch_labels(const LabelSteps& steps, const PerWord<std::int32_t>& origin,
                     const std::byte* first, const SiteList& list, std::int32_t* labels) {
  for (std::int64_t i = 0; i < list.count; i += kLanes)
    hn::StoreU(labels_from<kRank>(steps, origin, list, i), D32(), labels + i);
  for (std::int64_t i = 0; i < list.count; ++i)
    __builtin_prefetch(first + std::int64_t{4} * labels[i]);
}

/// Makes the labels of the sites of a list its payload.
template <int kRank>
void gather_labels(const LabelSteps& steps, const PerWord<std::int32_t>& origin,
                   const std::byte* first, const SiteList& list) {
  for (std::int64_t i = 0; i < list.count; i += kLanes) {
    const V32 at = labels_from<kRank>(steps, origin, list, i);
    const V32 label = hn::GatherIndex(D32(), reinterpret_cast<const std::int32_t*>(first), at);
    hn::StoreU(label, D32(), list.payload + i);
  }
}

/// The greatest sum of the differences of coordinates of sites and a place.
template <int kRank>
std::int64_t farthest_apart(const PerWord<std::int32_t>& place, const SiteList& list) {
  V32 most = hn::Zero(D32());
  for (std::int64_t i = 0; i < list.count; i += kLanes) {
    V32 sum = distance<Metric::manhattan>(load(list.at[0] + i), all(place[0]));
    if constexpr (kRank == 3)
      sum = hn::Add(sum, distance<Metric::manhattan>(load(list.at[1] + i), all(place[1])));
    most = hn::Max(most, hn::IfThenElseZero(first_lanes(list.count - i), sum));
  }
  return hn::GetLane(hn::MaxOfLanes(D32(), most));
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
