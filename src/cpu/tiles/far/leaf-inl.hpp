// SPDX-License-Identifier: Apache-2.0
//
// Finds the winner of each cell of a leaf in a list of sites in the order of their index.
//
// A key holds S, or S minus that of a reference site, above the rank of the site in the list: the
// least key is the winner, ties included. For euclidean distance S(q, p) - S(reference, p) grows by
// the same amount from cell to cell along each axis, so a row of a leaf takes one addition and one
// minimum for each site.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_LEAF_INL
#undef THIESSEN_CPU_TILES_FAR_LEAF_INL
#else
#define THIESSEN_CPU_TILES_FAR_LEAF_INL
#endif

#include <hwy/highway.h>

#include "cpu/tiles/far/lists-inl.hpp"
#include "cpu/tiles/write/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Rows of a leaf that are worked on together: as many as there are registers for.
inline constexpr int kRowsAtOnce = HWY_TARGET <= HWY_AVX3 ? 16 : 8;

/// Where a leaf lies, and how its keys are made.
struct LeafFrame {
  const Pyramid* pyramid = nullptr;
  PerWord<std::int32_t> origin;     ///< the words of its first cell
  PerWord<std::int32_t> reference;  ///< a site
  int rank_bits = 0;
  bool wants_exact = false;
};

/// The halves of words as coordinates relative to `origin`.
HWY_INLINE V32 low_halves(V32 v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); }
HWY_INLINE V32 high_halves(V32 v) { return hn::ShiftRight<16>(v); }
HWY_INLINE V32 relative(V32 v, std::int32_t origin) {
  return word(hn::Sub(halves(v), halves(all(origin))));
}

/// Words of the cells (column, …) of a row of a leaf.
template <int kRank>
HWY_INLINE V32 cells_of_row(const LeafFrame& frame, std::int64_t row, std::int64_t column,
                            std::size_t w) {
  const auto& weight = frame.pyramid->weight;
  const std::int64_t y = kRank == 2 ? row : row % 4;
  if (w == 1) return all(add_halves(frame.origin[1], to_word(row / 4 * weight[0], 0)));
  const V32 columns = hn::Mul(iota(column), all(weight[2]));
  const std::int32_t first = add_halves(frame.origin[0], to_word(0, y * weight[1]));
  return word(hn::Add(halves(columns), halves(all(first))));
}

/// S from a site to the cells of a row.
template <int kRank, Metric kMetric>
HWY_INLINE V32 distances_of_row(const LeafFrame& frame, const PerWord<std::int32_t>& site,
                                std::int64_t row, std::int64_t column) {
  V32 s = distance<kMetric>(all(site[0]), cells_of_row<kRank>(frame, row, column, 0));
  if constexpr (kRank == 3)
    s = hn::Add(s, distance<kMetric>(all(site[1]), cells_of_row<kRank>(frame, row, column, 1)));
  return s;
}

/// S of the cells of a row, from their keys.
template <int kRank, Metric kMetric>
HWY_INLINE V32 exact_of_keys(const LeafFrame& frame, V32 keys, std::int64_t row,
                             std::int64_t column) {
  const V32 s = hn::ShiftRightSame(keys, frame.rank_bits);
  if constexpr (kMetric != Metric::euclidean) return s;
  return hn::Add(s, distances_of_row<kRank, kMetric>(frame, frame.reference, row, column));
}

/// A sink that turns the keys of kRowsAtOnce rows into ranks and S.
template <int kRank, Metric kMetric>
struct WinnerSink {
  const LeafFrame& frame;
  LeafWinners& winners;

  HWY_INLINE void operator()(const V32* keys, std::int64_t first_row, std::int64_t column) const {
    const hn::Rebind<std::uint16_t, D32> d16;
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const std::int64_t row = first_row + r;
      const std::int64_t at = row * kLeafWidth + column;
      const V32 rank = hn::And(keys[r], all((1 << frame.rank_bits) - 1));
      hn::StoreU(hn::DemoteTo(d16, rank), d16, winners.rank + at);
      if (!frame.wants_exact) continue;
      hn::StoreU(exact_of_keys<kRank, kMetric>(frame, keys[r], row, column), D32(),
                 winners.exact + at);
    }
  }
};

/// The rows of a leaf in a raster.
template <int kRank>
struct LeafRows {
  std::byte* first = nullptr;
  std::int64_t stride_y = 0;
  std::int64_t stride_z = 0;

  HWY_INLINE std::int32_t* at(std::int64_t row, std::int64_t column) const {
    std::byte* const line =
        first + (kRank == 2 ? row * stride_y : row / 4 * stride_z + row % 4 * stride_y);
    return reinterpret_cast<std::int32_t*>(line) + column;
  }
};

template <int kRank>
HWY_INLINE LeafRows<kRank> rows_of(const Cells<std::byte>& cells, const Place& at) {
  return {cells.at(at.z, at.y, at.x), cells.stride[1], cells.stride[0]};
}

/// A sink that writes labels of 4 bytes straight to the output, where nothing else is wanted.
template <int kRank>
struct LabelSink {
  LeafRows<kRank> to;
  std::int32_t rank_mask;
  const std::int32_t* labels;
  std::int64_t count;

  template <class Find>
  HWY_INLINE void write(const V32* keys, std::int64_t row, std::int64_t column, Find&& find) const {
#pragma GCC unroll 16
    for (int r = 0; r < kRowsAtOnce; ++r)
      hn::StoreU(find(hn::And(keys[r], all(rank_mask))), D32(), to.at(row + r, column));
  }

  HWY_INLINE void operator()(const V32* keys, std::int64_t row, std::int64_t column) const {
    const V32 first = load(labels);
    if (count <= kLanes) {
      write(keys, row, column,
            [&](V32 rank) { return hn::TableLookupLanes(first, hn::IndicesFromVec(D32(), rank)); });
    } else if (count <= std::int64_t{2} * kLanes) {
      const V32 second = load(labels + kLanes);
      write(keys, row, column, [&](V32 rank) {
        const auto low = hn::IndicesFromVec(D32(), hn::And(rank, all(kLanes - 1)));
        return hn::IfThenElse(hn::Gt(rank, all(kLanes - 1)), hn::TableLookupLanes(second, low),
                              hn::TableLookupLanes(first, low));
      });
    } else {
      write(keys, row, column, [&](V32 rank) { return hn::GatherIndex(D32(), labels, rank); });
    }
  }
};

/// A sink that writes distances straight to the output.
template <int kRank, Metric kMetric>
struct DistanceSink {
  const Job& job;
  const LeafFrame& frame;
  LeafRows<kRank> to;

  HWY_INLINE void operator()(const V32* keys, std::int64_t row, std::int64_t column) const {
    const hn::RebindToFloat<D32> d;
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const V32 s = exact_of_keys<kRank, kMetric>(frame, keys[r], row + r, column);
      hn::StoreU(distances(d, job, s), d, reinterpret_cast<float*>(to.at(row + r, column)));
    }
  }
};

/// Writes their own labels to cells that are sites, in a leaf that lies wholly in the raster.
template <int kRank>
void put_own_labels(const Job& job, const Place& at) {
  for_each_leaf_row<kRank>(job, at, [&](std::int64_t, std::int64_t z, std::int64_t y) {
    const std::uint32_t bits = leaf_bits(job.bits, z, y, at.x);
    if (bits == 0) return;
    const auto* from = reinterpret_cast<const std::int32_t*>(job.labels.at(z, y, at.x));
    auto* const to = reinterpret_cast<std::int32_t*>(job.out_labels.at(z, y, at.x));
    for (int x = 0; x < kLeafWidth; x += kLanes) {
      const std::uint32_t part = bits >> x;
      const M32 mask = hn::LoadMaskBits(D32(), reinterpret_cast<const std::uint8_t*>(&part));
      const V32 own = hn::LoadU(D32(), from + x);
      hn::StoreU(hn::IfThenElse(mask, own, hn::LoadU(D32(), to + x)), D32(), to + x);
    }
  });
}

/// Writes one label to all cells of a leaf that lies wholly in the raster.
template <int kRank>
HWY_INLINE void fill_leaf(const LeafRows<kRank>& to, std::int32_t label) {
  const V32 v = all(label);
#pragma GCC unroll 4
  for (int row = 0; row < kLeafRows; ++row)
    for (int x = 0; x < kLeafWidth; x += kLanes) hn::StoreU(v, D32(), to.at(row, x));
}

/// Copies the labels of a leaf whose cells are all sites.
template <int kRank>
void copy_labels(const Job& job, const Place& at) {
  for_each_leaf_row<kRank>(job, at, [&](std::int64_t, std::int64_t z, std::int64_t y) {
    const auto* from = reinterpret_cast<const std::int32_t*>(job.labels.at(z, y, at.x));
    auto* const to = reinterpret_cast<std::int32_t*>(job.out_labels.at(z, y, at.x));
    for (std::int64_t x = 0; x < kLeafWidth; x += kLanes)
      hn::StoreU(hn::LoadU(D32(), from + x), D32(), to + x);
  });
}

/// Computes base and slopes of the keys of euclidean distance.
template <int kRank>
HWY_INLINE void make_slopes(const LeafFrame& frame, const SiteList& sites, FarMemory& memory) {
  constexpr Metric kMetric = Metric::euclidean;
  const auto& weight = frame.pyramid->weight;
  const auto scale = [&](std::size_t axis) { return all(2 * weight[axis] << frame.rank_bits); };
  const V32 reference = relative(all(frame.reference[0]), frame.origin[0]);
  V32 at_reference = norm<kMetric>(halves(reference));
  V32 reference_z = reference;
  if constexpr (kRank == 3) {
    reference_z = relative(all(frame.reference[1]), frame.origin[1]);
    at_reference = hn::Add(at_reference, norm<kMetric>(halves(reference_z)));
  }
  for (std::int64_t i = 0; i < sites.count; i += kLanes) {
    const V32 at = relative(load(sites.at[0] + i), frame.origin[0]);
    V32 s = hn::Sub(norm<kMetric>(halves(at)), at_reference);
    const V32 x = hn::Sub(low_halves(reference), low_halves(at));
    const V32 y = hn::Sub(high_halves(reference), high_halves(at));
    hn::StoreU(hn::Mul(x, scale(2)), D32(), memory.slope[2] + i);
    hn::StoreU(hn::Mul(y, scale(1)), D32(), memory.slope[1] + i);
    if constexpr (kRank == 3) {
      const V32 at_z = relative(load(sites.at[1] + i), frame.origin[1]);
      s = hn::Add(s, norm<kMetric>(halves(at_z)));
      const V32 z = hn::Sub(low_halves(reference_z), low_halves(at_z));
      // The step from the last row of a plane of the leaf to the first row of the next plane.
      const V32 back = hn::Mul(y, all(6 * weight[1] << frame.rank_bits));
      hn::StoreU(hn::Sub(hn::Mul(z, scale(0)), back), D32(), memory.slope[0] + i);
    }
    const V32 rank = iota(i);
    hn::StoreU(hn::Add(hn::ShiftLeftSame(s, frame.rank_bits), rank), D32(), memory.base + i);
  }
}

/// Finds the least keys of kRowsAtOnce rows from `row` on.
template <int kRank>
HWY_INLINE void least_keys_affine(std::int64_t count, const FarMemory& memory, std::int64_t row,
                                  std::int64_t column, V32* key) {
  const V32 columns = iota(column);
  for (std::int64_t i = 0; i < count; ++i) {
    V32 k = hn::Add(all(memory.base[i]), hn::Mul(all(memory.slope[2][i]), columns));
    const V32 step = all(memory.slope[1][i]);
    const V32 jump = kRank == 3 ? all(memory.slope[0][i]) : step;
    if (row != 0) {
      const auto rows = static_cast<std::int32_t>(row);
      const std::int32_t jumps = kRank == 3 ? rows / 4 * memory.slope[0][i] : 0;
      const std::int32_t steps = kRank == 3 ? rows / 4 * 3 : rows;
      k = hn::Add(k, all(jumps + steps * memory.slope[1][i]));
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRowsAtOnce; ++r) {
      key[r] = hn::Min(key[r], k);
      k = hn::Add(k, kRank == 3 && r % 4 == 3 ? jump : step);
    }
  }
}

/// The coordinates of sites relative to the leaf's first cell, for manhattan distance.
template <int kRank>
HWY_INLINE void make_coordinates(const LeafFrame& frame, const SiteList& sites, FarMemory& memory) {
  for (std::int64_t i = 0; i < sites.count; i += kLanes) {
    const V32 at = relative(load(sites.at[0] + i), frame.origin[0]);
    hn::StoreU(low_halves(at), D32(), memory.slope[2] + i);
    hn::StoreU(high_halves(at), D32(), memory.slope[1] + i);
    if constexpr (kRank == 3)
      hn::StoreU(low_halves(relative(load(sites.at[1] + i), frame.origin[1])), D32(),
                 memory.slope[0] + i);
  }
}

template <int kRank>
HWY_INLINE void least_keys_manhattan(const LeafFrame& frame, std::int64_t count,
                                     const FarMemory& memory, std::int64_t row, std::int64_t column,
                                     V32* key) {
  const auto& weight = frame.pyramid->weight;
  const V32 columns = hn::Mul(iota(column), all(weight[2]));
  for (std::int64_t i = 0; i < count; ++i) {
    const V32 x = hn::Abs(hn::Sub(all(memory.slope[2][i]), columns));
    const V32 k = hn::Add(hn::ShiftLeftSame(x, frame.rank_bits), all(static_cast<std::int32_t>(i)));
#pragma GCC unroll 16
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const auto y = static_cast<std::int32_t>(kRank == 2 ? row + r : r % 4);
      std::int32_t across = std::abs(memory.slope[1][i] - y * weight[1]);
      if constexpr (kRank == 3) {
        const auto z = static_cast<std::int32_t>((row + r) / 4);
        across += std::abs(memory.slope[0][i] - z * weight[0]);
      }
      key[r] = hn::Min(key[r], hn::Add(k, all(across << frame.rank_bits)));
    }
  }
}

/// Finds the winners of a leaf by keys; they fit.
template <int kRank, Metric kMetric, class Sink>
HWY_INLINE void find_by_keys(const LeafFrame& frame, const SiteList& sites, FarMemory& memory,
                             const Sink& sink) {
  if constexpr (kMetric == Metric::euclidean)
    make_slopes<kRank>(frame, sites, memory);
  else
    make_coordinates<kRank>(frame, sites, memory);
  for (std::int64_t column = 0; column < kLeafWidth; column += kLanes)
    for (std::int64_t row = 0; row < kLeafRows; row += kRowsAtOnce) {
      V32 key[kRowsAtOnce];
#pragma GCC unroll 16
      for (V32& least : key) least = all(INT32_MAX);
      if constexpr (kMetric == Metric::euclidean)
        least_keys_affine<kRank>(sites.count, memory, row, column, key);
      else
        least_keys_manhattan<kRank>(frame, sites.count, memory, row, column, key);
      sink(key, row, column);
    }
}

/// Finds the winners of a leaf among any number of sites at any distance: S and the place in the
/// list apart.
template <int kRank, Metric kMetric>
void find_wide(const LeafFrame& frame, const SiteList& sites, std::int32_t* winner,
               LeafWinners& winners) {
  for (std::int64_t row = 0; row < kLeafRows; ++row)
    for (std::int64_t column = 0; column < kLeafWidth; column += kLanes) {
      const V32 xy = cells_of_row<kRank>(frame, row, column, 0);
      const V32 z = kRank == 3 ? cells_of_row<kRank>(frame, row, column, 1) : xy;
      V32 best = all(INT32_MAX);
      V32 who = hn::Zero(D32());
      for (std::int64_t i = 0; i < sites.count; ++i) {
        V32 s = distance<kMetric>(all(sites.at[0][i]), xy);
        if constexpr (kRank == 3) s = hn::Add(s, distance<kMetric>(all(sites.at[1][i]), z));
        who = hn::IfThenElse(hn::Lt(s, best), all(static_cast<std::int32_t>(i)), who);
        best = hn::Min(s, best);
      }
      const std::int64_t at = row * kLeafWidth + column;
      hn::StoreU(best, D32(), winners.exact + at);
      hn::StoreU(who, D32(), winner + at);
    }
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
