// SPDX-License-Identifier: Apache-2.0
//
// Lists of candidates for the cells of a tile, and how they are pruned.
//
// A site q cannot win in a tile if some other site w is nearer to each of its cells. For euclidean
// distance S(q, p) - S(w, p) is affine in p, for manhattan distance a sum of monotone functions of
// the coordinates of p: its least value in a box is at a corner. The same holds for all sites in a
// box at once, with the distance from a corner to the nearest place of that box instead of S(q, p).
// Candidates that are as near are kept, so only the end decides ties. With manhattan distance,
// though, thousands of sites on a diagonal may be as near to all cells of a tile: there those that
// come after w in the order of sites are dropped.
//
// Any site may serve as w. Good ones are the winners at the points of a lattice over the tile: for
// a candidate the winner at the nearest point ("projected"), for a child of the tile those at its
// corners.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_LISTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_LISTS_INL
#undef THIESSEN_CPU_TILES_FAR_LISTS_INL
#else
#define THIESSEN_CPU_TILES_FAR_LISTS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "cpu/tiles/far/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// The distance from a place to the nearest place of a box.
HWY_INLINE V16 to_box(V32 low, V32 high, V32 from) {
  const V16 below = hn::Sub(halves(low), halves(from));
  const V16 above = hn::Sub(halves(from), halves(high));
  return hn::Max(hn::Max(below, above), hn::Zero(D16()));
}

/// S of a word at the corners of a tile: at the low one, then those at the high end of x, of y, of
/// both.
struct CornerNorms {
  V32 at[4];
};

template <Metric kMetric>
HWY_INLINE CornerNorms norms_of_xy(V16 low, V16 high) {
  // The odd halves are y.
  return {{norm<kMetric>(low), norm<kMetric>(hn::OddEven(low, high)),
           norm<kMetric>(hn::OddEven(high, low)), norm<kMetric>(high)}};
}

/// Adds the halves of two words.
inline std::int32_t add_halves(std::int32_t a, std::int32_t b) {
  const auto add = [&](int shift) {
    return (static_cast<std::uint32_t>(a) >> shift) + (static_cast<std::uint32_t>(b) >> shift);
  };
  return to_word(add(0), add(16));
}

/// The shift from a node to an entry of a list, which may be an image of it on a periodic axis.
template <int kRank>
PerWord<std::int32_t> moved_from(const NodeList& list, std::int64_t entry, const NodeLevel& nodes,
                                 std::int64_t node) {
  PerWord<std::int32_t> moved{};
  for (std::size_t w = 0; w < kRank - 1; ++w) {
    const auto difference = [&](int shift) {
      return (static_cast<std::uint32_t>(list.low[w][entry]) >> shift) -
             (static_cast<std::uint32_t>(nodes.low[w][node]) >> shift);
    };
    moved[w] = to_word(difference(0), difference(16));
  }
  return moved;
}

/// A number that orders sites as their index does: y above x, signed; `origin` is any place near
/// all of them. The z of word 1 comes before it.
HWY_INLINE V32 order_of_xy(V32 at, std::int32_t origin) {
  return word(hn::Sub(halves(at), halves(all(add_halves(origin, 0x8000)))));
}
HWY_INLINE V32 order_of_z(V32 at, std::int32_t origin) {
  return hn::ShiftLeft<16>(word(hn::Sub(halves(at), halves(all(origin)))));
}

/// The order of places. It is that of site indices, except for points and on periodic axes.
template <int kRank>
struct PlaceOrder {
  PerWord<std::int32_t> origin;  ///< any place near all of them

  /// Where place `a` comes before place `b`.
  HWY_INLINE M32 before(const V32* a, const V32* b) const {
    const auto less = hn::Lt(order_of_xy(a[0], origin[0]), order_of_xy(b[0], origin[0]));
    if constexpr (kRank == 2) {
      return less;
    } else {
      const V32 a_z = order_of_z(a[1], origin[1]);
      const V32 b_z = order_of_z(b[1], origin[1]);
      return hn::Or(hn::Lt(a_z, b_z), hn::And(hn::Eq(a_z, b_z), less));
    }
  }
};

/// S of the lower halves of two words.
template <Metric kMetric>
std::int32_t norm_of_word(std::int32_t a, std::int32_t b) {
  const std::int32_t difference = static_cast<std::int16_t>(a - b);
  return kMetric == Metric::euclidean ? difference * difference : std::abs(difference);
}

/// A tile between two corners, as words.
struct Tile {
  PerWord<std::int32_t> low;
  PerWord<std::int32_t> high;
};

/// S of one vector of candidates at the corners of a tile.
template <int kRank>
struct CornerDistances {
  CornerNorms xy;
  V32 z[2];
};

template <int kRank, Metric kMetric>
HWY_INLINE CornerDistances<kRank> corner_distances(const Tile& tile, const V32* low,
                                                   const V32* high) {
  const auto from = [&](std::size_t w, std::int32_t corner)
                        HWY_ATTR { return to_box(low[w], high[w], all(corner)); };
  CornerDistances<kRank> s;
  s.xy = norms_of_xy<kMetric>(from(0, tile.low[0]), from(0, tile.high[0]));
  if constexpr (kRank == 3) {
    s.z[0] = norm<kMetric>(from(1, tile.low[1]));
    s.z[1] = norm<kMetric>(from(1, tile.high[1]));
  }
  return s;
}

/// The same for sites.
template <int kRank, Metric kMetric>
HWY_INLINE CornerDistances<kRank> corner_distances(const Tile& tile, const V32* at) {
  const auto from = [&](std::size_t w, std::int32_t corner)
                        HWY_ATTR { return hn::Sub(halves(at[w]), halves(all(corner))); };
  CornerDistances<kRank> s;
  s.xy = norms_of_xy<kMetric>(from(0, tile.low[0]), from(0, tile.high[0]));
  if constexpr (kRank == 3) {
    s.z[0] = norm<kMetric>(from(1, tile.low[1]));
    s.z[1] = norm<kMetric>(from(1, tile.high[1]));
  }
  return s;
}

/// The least difference in the tile between S of candidates and of their dominators; > 0:
/// dominated.
template <int kRank>
HWY_INLINE V32 slack(const CornerDistances<kRank>& s, const V32* xy, const V32* z) {
  V32 least = hn::Min(hn::Min(hn::Sub(s.xy.at[0], xy[0]), hn::Sub(s.xy.at[1], xy[1])),
                      hn::Min(hn::Sub(s.xy.at[2], xy[2]), hn::Sub(s.xy.at[3], xy[3])));
  if constexpr (kRank == 3)
    least = hn::Add(least, hn::Min(hn::Sub(s.z[0], z[0]), hn::Sub(s.z[1], z[1])));
  return least;
}

/// The winners at the corners of a child, and their S at these corners.
struct Dominators {
  static constexpr int kMost = 8;
  Tile tile;
  int count = 0;
  alignas(16) std::int32_t xy[kMost][4];
  std::int32_t z[kMost][2];
  PerWord<std::int32_t> first;  ///< winner at the low corner
};

template <int kRank>
HWY_INLINE M32 alive(const CornerDistances<kRank>& s, const Dominators& dominators) {
  V32 most = all(INT32_MIN);
  const int count = kRank == 2 ? 4 : dominators.count;
#pragma GCC unroll 4
  for (int i = 0; i < count; ++i) {
    const std::int32_t* xy = dominators.xy[i];
    const std::int32_t* z = dominators.z[i];
    const V32 of_xy[4] = {all(xy[0]), all(xy[1]), all(xy[2]), all(xy[3])};
    const V32 of_z[2] = {all(z[0]), all(z[1])};
    most = hn::Max(most, slack<kRank>(s, of_xy, of_z));
  }
  return hn::Lt(most, all(1));
}

/// A tile with the winners at the corners of its children.
template <int kRank>
struct Lattice {
  const LatticeShape* shape;
  PerWord<std::int32_t> origin;
  alignas(64) PerWord<std::array<std::int32_t, LatticeShape::kMostPoints>> place;
  alignas(64) PerWord<std::array<std::int32_t, LatticeShape::kMostPoints>> winner;

  Lattice(const LatticeShape& of, const PerWord<std::int32_t>& first) : shape(&of), origin(first) {
    for (std::size_t w = 0; w < kRank - 1; ++w)
      for (int i = 0; i < padded_points(); i += kLanes) {
        const V16 offset = halves(hn::Load(D32(), shape->offset[w].data() + i));
        hn::Store(word(hn::Add(offset, halves(all(first[w])))), D32(), place[w].data() + i);
      }
  }

  /// Winners are searched for two vectors of points at a time.
  int padded_points() const {
    return (shape->points + 2 * kLanes - 1) / (2 * kLanes) * (2 * kLanes);
  }

  Tile tile() const {
    return {origin,
            {add_halves(origin[0], shape->extent[0]), add_halves(origin[1], shape->extent[1])}};
  }
};

/// The winners at the corners of `span` steps of the lattice from step `child` on.
template <int kRank, Metric kMetric>
HWY_INLINE void find_dominators(const Lattice<kRank>& lattice, const Axes& child, const Axes& span,
                                Dominators& dominators) {
  const hn::CappedTag<std::int32_t, 4> d;
  const hn::Half<decltype(d)> half;
  const hn::Repartition<std::int16_t, decltype(d)> d16;
  const LatticeShape& shape = *lattice.shape;
  const auto line = static_cast<int>(shape.fan[2] + 1);
  const auto layer = static_cast<int>(line * (shape.fan[1] + 1));
  const auto corner = static_cast<int>(child[0] * layer + child[1] * line + child[2]);
  const auto column = static_cast<int>(span[2]);
  const int row = line * static_cast<int>(span[1]);
  const int plane = layer * static_cast<int>(span[0]);
  const auto at_corners_of = [&](const std::int32_t* points) {
    if (column == 1) return hn::Combine(d, hn::LoadU(half, points + row), hn::LoadU(half, points));
    const auto pair = [&](const std::int32_t* from) {
      return hn::InterleaveLower(half, hn::Set(half, from[0]), hn::Set(half, from[column]));
    };
    return hn::Combine(d, pair(points + row), pair(points));
  };
  const std::int32_t* const place = lattice.place[0].data() + corner;
  const std::int32_t* const place_z = lattice.place[1].data() + corner;
  dominators.tile = {{place[0], kRank == 3 ? place_z[0] : 0},
                     {place[row + column], kRank == 3 ? place_z[plane] : 0}};
  const auto xy = hn::BitCast(d16, at_corners_of(place));
  const auto norms = [&](auto winner) {
    return norm<kMetric>(d, hn::Sub(hn::BitCast(d16, winner), xy));
  };
  const std::int32_t* const winner = lattice.winner[0].data() + corner;
  const std::int32_t* const winner_z = lattice.winner[1].data() + corner;
  dominators.first = {winner[0], kRank == 3 ? winner_z[0] : 0};
  if constexpr (kRank == 2) {
    const auto winners = at_corners_of(winner);
    hn::Store(norms(hn::Broadcast<0>(winners)), d, dominators.xy[0]);
    hn::Store(norms(hn::Broadcast<1>(winners)), d, dominators.xy[1]);
    hn::Store(norms(hn::Broadcast<2>(winners)), d, dominators.xy[2]);
    hn::Store(norms(hn::Broadcast<3>(winners)), d, dominators.xy[3]);
    dominators.count = 4;
    return;
  }
  dominators.count = 0;
  for (const int point :
       {0, column, row, row + column, plane, plane + column, plane + row, plane + row + column}) {
    if (point > 0 && winner[point] == winner[0] && winner_z[point] == winner_z[0]) continue;
    hn::Store(norms(hn::Set(d, winner[point])), d, dominators.xy[dominators.count]);
    dominators.z[dominators.count][0] = norm_of_word<kMetric>(winner_z[point], place_z[0]);
    dominators.z[dominators.count][1] = norm_of_word<kMetric>(winner_z[point], place_z[plane]);
    ++dominators.count;
  }
}

/// Finds the winners among `count` (> 0) sites at the points of the lattice.
template <int kRank, Metric kMetric>
void find_winners(const Words& site, std::int64_t count, Lattice<kRank>& lattice) {
  const auto place = [&](std::size_t w, int i) { return load(lattice.place[w].data() + i); };
  for (int i = 0; i < lattice.padded_points(); i += 2 * kLanes) {
    const V32 x0 = place(0, i);
    const V32 x1 = place(0, i + kLanes);
    const V32 z0 = kRank == 3 ? place(1, i) : x0;
    const V32 z1 = kRank == 3 ? place(1, i + kLanes) : x0;
    V32 best0 = all(INT32_MAX);
    V32 best1 = best0;
    V32 winner0 = all(site[0][0]);
    V32 winner1 = winner0;
    V32 winner_z0 = all(kRank == 3 ? site[1][0] : 0);
    V32 winner_z1 = winner_z0;
    for (std::int64_t k = 0; k < count; ++k) {
      const V32 at = all(site[0][k]);
      V32 s0 = distance<kMetric>(at, x0);
      V32 s1 = distance<kMetric>(at, x1);
      V32 at_z = at;
      if constexpr (kRank == 3) {
        at_z = all(site[1][k]);
        s0 = hn::Add(s0, distance<kMetric>(at_z, z0));
        s1 = hn::Add(s1, distance<kMetric>(at_z, z1));
      }
      const auto nearer0 = hn::Lt(s0, best0);
      const auto nearer1 = hn::Lt(s1, best1);
      best0 = hn::Min(s0, best0);
      best1 = hn::Min(s1, best1);
      winner0 = hn::IfThenElse(nearer0, at, winner0);
      winner1 = hn::IfThenElse(nearer1, at, winner1);
      if constexpr (kRank == 3) {
        winner_z0 = hn::IfThenElse(nearer0, at_z, winner_z0);
        winner_z1 = hn::IfThenElse(nearer1, at_z, winner_z1);
      }
    }
    hn::StoreU(winner0, D32(), lattice.winner[0].data() + i);
    hn::StoreU(winner1, D32(), lattice.winner[0].data() + i + kLanes);
    if constexpr (kRank == 3) {
      hn::StoreU(winner_z0, D32(), lattice.winner[1].data() + i);
      hn::StoreU(winner_z1, D32(), lattice.winner[1].data() + i + kLanes);
    }
  }
}

/// The same, but among equally near sites the first in the order of places wins.
template <int kRank, Metric kMetric>
void find_first_winners(const Words& site, std::int64_t count, Lattice<kRank>& lattice) {
  const PlaceOrder<kRank> order{lattice.origin};
  for (int i = 0; i < lattice.padded_points(); i += kLanes) {
    V32 place[kRank - 1];
    V32 winner[kRank - 1];
    for (std::size_t w = 0; w < kRank - 1; ++w) {
      place[w] = load(lattice.place[w].data() + i);
      winner[w] = all(site[w][0]);
    }
    V32 best = all(INT32_MAX);
    for (std::int64_t k = 0; k < count; ++k) {
      V32 at[kRank - 1];
      V32 s = hn::Zero(D32());
      for (std::size_t w = 0; w < kRank - 1; ++w) {
        at[w] = all(site[w][k]);
        s = hn::Add(s, distance<kMetric>(at[w], place[w]));
      }
      const auto wins = hn::Or(hn::Lt(s, best), hn::And(hn::Eq(s, best), order.before(at, winner)));
      best = hn::Min(s, best);
      for (std::size_t w = 0; w < kRank - 1; ++w)
        winner[w] = hn::IfThenElse(wins, at[w], winner[w]);
    }
    for (std::size_t w = 0; w < kRank - 1; ++w)
      hn::StoreU(winner[w], D32(), lattice.winner[w].data() + i);
  }
}

/// The winners at those lattice points that are nearest to places.
template <int kRank>
HWY_INLINE void project(const Lattice<kRank>& lattice, const V32* place, V32* winner) {
  const LatticeShape& shape = *lattice.shape;
  V32 point = hn::Zero(D32());
  for (std::size_t w = 0; w < kRank - 1; ++w) {
    const auto clamped =
        hn::Min(hn::Max(hn::Sub(halves(place[w]), halves(all(lattice.origin[w]))), hn::Zero(D16())),
                halves(all(shape.extent[w])));
    const auto rounded = hn::BitCast(DU16(), hn::Add(clamped, halves(all(shape.half[w]))));
    const auto child = hn::MulHigh(rounded, hn::BitCast(DU16(), all(shape.reciprocal[w])));
    point = hn::Add(point, cpu::HWY_NAMESPACE::sum_of_products(D32(), hn::BitCast(D16(), child),
                                                               halves(all(shape.stride[w]))));
  }
  for (std::size_t w = 0; w < kRank - 1; ++w)
    winner[w] = hn::GatherIndex(D32(), lattice.winner[w].data(), point);
}

/// The candidates that their projected dominators do not dominate.
template <int kRank, Metric kMetric>
HWY_INLINE M32 alive(const CornerDistances<kRank>& s, const Tile& tile, const V32* dominator) {
  const CornerDistances<kRank> d = corner_distances<kRank, kMetric>(tile, dominator);
  return hn::Lt(slack<kRank>(s, d.xy.at, d.z), all(1));
}

/// One vector of a list of nodes.
template <int kRank>
struct NodeVector {
  V32 low[kRank - 1];
  V32 high[kRank - 1];
};

template <int kRank>
HWY_INLINE NodeVector<kRank> load_boxes(const NodeList& list, std::int64_t i) {
  NodeVector<kRank> v;
  for (std::size_t w = 0; w < kRank - 1; ++w) {
    v.low[w] = load(list.low[w] + i);
    v.high[w] = load(list.high[w] + i);
  }
  return v;
}

/// Appends entries i … of `from` that `mask` selects to `to`, which may be the same list.
template <int kRank>
HWY_INLINE void append(const NodeList& from, std::int64_t i, M32 mask, const NodeVector<kRank>& v,
                       NodeList& to) {
  V32 site[kRank - 1];
  for (std::size_t w = 0; w < kRank - 1; ++w) site[w] = load(from.site[w] + i);
  const V32 id = load(from.id + i);
  const std::int64_t n = to.count;
  const Compressor32 kept(mask);
  for (std::size_t w = 0; w < kRank - 1; ++w) {
    kept.put(v.low[w], to.low[w] + n);
    kept.put(v.high[w], to.high[w] + n);
    kept.put(site[w], to.site[w] + n);
  }
  kept.put(id, to.id + n);
  to.count += kept.count();
}

/// Keeps the nodes that keep(boxes) selects.
template <int kRank, class Keep>
HWY_INLINE void filter(const NodeList& from, NodeList& to, Keep&& keep) {
  const std::int64_t count = from.count;
  to.count = 0;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const NodeVector<kRank> v = load_boxes<kRank>(from, i);
    const M32 mask = hn::And(keep(v), first_lanes(count - i));
    append<kRank>(from, i, mask, v, to);
  }
}

template <int kRank, Metric kMetric>
void prune_projected(const Lattice<kRank>& lattice, NodeList& list) {
  const Tile tile = lattice.tile();
  filter<kRank>(list, list, [&](const NodeVector<kRank>& v) {
    V32 middle[kRank - 1];
    for (std::size_t w = 0; w < kRank - 1; ++w) {
      const V16 size = hn::Sub(halves(v.high[w]), halves(v.low[w]));
      middle[w] = word(hn::Add(halves(v.low[w]), hn::ShiftRight<1>(size)));
    }
    V32 dominator[kRank - 1];
    project<kRank>(lattice, middle, dominator);
    return alive<kRank, kMetric>(corner_distances<kRank, kMetric>(tile, v.low, v.high), tile,
                                 dominator);
  });
}

template <int kRank, Metric kMetric>
void prune(const Dominators& dominators, const NodeList& from, NodeList& to) {
  filter<kRank>(from, to, [&](const NodeVector<kRank>& v) {
    return alive<kRank>(corner_distances<kRank, kMetric>(dominators.tile, v.low, v.high),
                        dominators);
  });
}

/// Drops nodes that are farther than `limit` (< INT32_MAX) from the whole tile.
template <int kRank, Metric kMetric>
void prune_beyond(const Tile& tile, std::int32_t limit, NodeList& list) {
  filter<kRank>(list, list, [&](const NodeVector<kRank>& v) {
    V32 s = hn::Zero(D32());
    for (std::size_t w = 0; w < kRank - 1; ++w) {
      const V16 below = hn::Sub(halves(v.low[w]), halves(all(tile.high[w])));
      const V16 above = hn::Sub(halves(all(tile.low[w])), halves(v.high[w]));
      s = hn::Add(s, norm<kMetric>(hn::Max(hn::Max(below, above), hn::Zero(D16()))));
    }
    return hn::Lt(s, all(limit + 1));
  });
}

/// Keeps the sites that keep(places) selects.
template <int kRank, class Keep>
HWY_INLINE void filter(const SiteList& from, SiteList& to, Keep&& keep) {
  const std::int64_t count = from.count;
  to.count = 0;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    V32 at[kRank - 1];
    for (std::size_t w = 0; w < kRank - 1; ++w) at[w] = load(from.at[w] + i);
    const Compressor32 kept(hn::And(keep(at), first_lanes(count - i)));
    if (from.payload != nullptr) kept.put(load(from.payload + i), to.payload + to.count);
    for (std::size_t w = 0; w < kRank - 1; ++w) kept.put(at[w], to.at[w] + to.count);
    to.count += kept.count();
  }
}

template <int kRank, Metric kMetric>
void prune_projected(const Lattice<kRank>& lattice, SiteList& list) {
  const Tile tile = lattice.tile();
  filter<kRank>(list, list, [&](const V32* at) {
    V32 dominator[kRank - 1];
    project<kRank>(lattice, at, dominator);
    return alive<kRank, kMetric>(corner_distances<kRank, kMetric>(tile, at), tile, dominator);
  });
}

/// The same, and drops sites that are nowhere nearer than a dominator that comes before them.
template <int kRank, Metric kMetric>
void prune_projected_and_ties(const Lattice<kRank>& lattice, SiteList& list) {
  const Tile tile = lattice.tile();
  const PlaceOrder<kRank> order{lattice.origin};
  filter<kRank>(list, list, [&](const V32* at) {
    V32 dominator[kRank - 1];
    project<kRank>(lattice, at, dominator);
    const CornerDistances<kRank> d = corner_distances<kRank, kMetric>(tile, dominator);
    const V32 least = slack<kRank>(corner_distances<kRank, kMetric>(tile, at), d.xy.at, d.z);
    return hn::Lt(least, hn::IfThenElseZero(hn::Not(order.before(dominator, at)), all(1)));
  });
}

template <int kRank, Metric kMetric>
HWY_INLINE void prune(const Dominators& dominators, const SiteList& from, SiteList& to) {
  filter<kRank>(from, to, [&](const V32* at) {
    return alive<kRank>(corner_distances<kRank, kMetric>(dominators.tile, at), dominators);
  });
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
