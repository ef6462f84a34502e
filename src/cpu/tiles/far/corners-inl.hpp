// SPDX-License-Identifier: Apache-2.0
//
// Lists of sites for the parts of a tile of level 1. A part has 8 corners in 3-D. A site is tested
// against the winner of the nearest corner; another corner seldom prunes more. It is also tested
// against the winner of the low corner, to which keys are relative (leaf-inl.hpp): so no site
// is left that is farther than that one everywhere.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_CORNERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_CORNERS_INL
#undef THIESSEN_CPU_TILES_FAR_CORNERS_INL
#else
#define THIESSEN_CPU_TILES_FAR_CORNERS_INL
#endif

#include <hwy/highway.h>

#include <array>

#include "cpu/tiles/far/lists-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// A place, and its winner.
struct Corner {
  PerWord<std::int32_t> place;
  PerWord<std::int32_t> winner;
};

/// Winners at the 8 corners of a part of a tile in 3-D, and their S at these corners. The number of
/// a corner has its side along x in bit 0, along y in bit 1, and along z in bit 2.
struct CornerWinners {
  static constexpr int kMost = 16;  ///< 8, and once more to fill a vector
  Tile tile;
  PerWord<std::int32_t> middle;
  PerWord<std::int32_t> first;  ///< winner of the low corner
  alignas(64) std::int32_t xy[4][kMost];
  alignas(64) std::int32_t z[2][kMost];
};

template <Metric kMetric>
void find_corner_winners(const Lattice<3>& lattice, const Axes& child, const Axes& span,
                         CornerWinners& corners) {
  const LatticeShape& shape = *lattice.shape;
  const auto line = static_cast<int>(shape.fan[2] + 1);
  const auto layer = static_cast<int>(line * (shape.fan[1] + 1));
  const auto low = static_cast<int>(child[0] * layer + child[1] * line + child[2]);
  const auto column = static_cast<int>(span[2]);
  const auto row = static_cast<int>(line * span[1]);
  const auto plane = static_cast<int>(layer * span[0]);
  const int point[8] = {
      low,         low + column,         low + row,         low + row + column,
      low + plane, low + plane + column, low + plane + row, low + plane + row + column};
  alignas(64) PerWord<std::array<std::int32_t, CornerWinners::kMost>> winner;
  for (std::size_t w = 0; w < 2; ++w) {
    corners.tile.low[w] = lattice.place[w][static_cast<std::size_t>(point[0])];
    corners.tile.high[w] = lattice.place[w][static_cast<std::size_t>(point[7])];
    const auto half_size = [&](int shift) {
      return static_cast<std::uint16_t>(
                 (static_cast<std::uint32_t>(corners.tile.high[w]) >> shift) -
                 (static_cast<std::uint32_t>(corners.tile.low[w]) >> shift)) /
             2;
    };
    corners.middle[w] = add_halves(corners.tile.low[w], to_word(half_size(0), half_size(16)));
    for (std::size_t i = 0; i < 8; ++i)
      winner[w][i] = winner[w][i + 8] = lattice.winner[w][static_cast<std::size_t>(point[i])];
    corners.first[w] = winner[w][0];
  }
  for (int i = 0; i < CornerWinners::kMost; i += kLanes) {
    const V32 at[2] = {load(winner[0].data() + i), load(winner[1].data() + i)};
    const CornerDistances<3> s = corner_distances<3, kMetric>(corners.tile, at);
    for (int k = 0; k < 4; ++k) hn::Store(s.xy.at[k], D32(), corners.xy[k] + i);
    for (int k = 0; k < 2; ++k) hn::Store(s.z[k], D32(), corners.z[k] + i);
  }
}

/// Keeps the sites that are dominated neither by the winner at the nearest corner nor by that at
/// the low corner.
template <Metric kMetric>
void prune(const CornerWinners& corners, const SiteList& from, SiteList& to) {
  V32 xy[4];
  V32 z[2];
  for (int k = 0; k < 4; ++k) xy[k] = all(corners.xy[k][0]);
  for (int k = 0; k < 2; ++k) z[k] = all(corners.z[k][0]);
  const auto upper_sign = [](V16 v) {
    return hn::ShiftRight<31>(hn::BitCast(hn::RebindToUnsigned<D32>(), v));
  };
  const auto lower_sign = [&](V16 v) { return upper_sign(halves(hn::ShiftLeft<16>(word(v)))); };
  filter<3>(from, to, [&](const V32* at) {
    const V16 from_middle = hn::Sub(halves(all(corners.middle[0])), halves(at[0]));
    const V16 from_middle_z = hn::Sub(halves(all(corners.middle[1])), halves(at[1]));
    const auto corner =
        hn::BitCast(D32(), hn::Or(hn::Or(lower_sign(from_middle),
                                         hn::Add(upper_sign(from_middle), upper_sign(from_middle))),
                                  hn::ShiftLeft<2>(lower_sign(from_middle_z))));
    const auto lane = hn::IndicesFromVec(D32(), corner);
    const auto pick = [&](const std::int32_t* table) {
      return hn::TableLookupLanes(hn::Load(D32(), table), lane);
    };
    const V32 nearest[4] = {pick(corners.xy[0]), pick(corners.xy[1]), pick(corners.xy[2]),
                            pick(corners.xy[3])};
    const V32 nearest_z[2] = {pick(corners.z[0]), pick(corners.z[1])};
    const CornerDistances<3> s = corner_distances<3, kMetric>(corners.tile, at);
    return hn::Lt(hn::Max(slack<3>(s, xy, z), slack<3>(s, nearest, nearest_z)), all(1));
  });
}

/// Makes the list of a part of the lattice's tile: `span` steps of the lattice from step `child`
/// on.
template <int kRank, Metric kMetric>
HWY_INLINE Corner prune_for(const Lattice<kRank>& lattice, const Axes& child, const Axes& span,
                            const SiteList& from, SiteList& to) {
  if constexpr (kRank == 3 && kLanes >= 8) {
    CornerWinners corners;
    find_corner_winners<kMetric>(lattice, child, span, corners);
    prune<kMetric>(corners, from, to);
    return {corners.tile.low, corners.first};
  } else {
    Dominators dominators;
    find_dominators<kRank, kMetric>(lattice, child, span, dominators);
    prune<kRank, kMetric>(dominators, from, to);
    return {dominators.tile.low, dominators.first};
  }
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
