// SPDX-License-Identifier: Apache-2.0
//
// The near search by lists: where sites are dots that are not rare, a leaf needs only those in a
// window around it.
//
// All sites with S <= bound from a cell of the leaf lie in a window of a known margin (NearLevel).
// If the greatest S of the leaf, measured to the sites of the window, is at most `bound`, then no
// site outside the window can be nearer or as near, and the winners are final. If not, a wider
// window is tried, and at last the leaf is left to another search.
//
// S is separable, so it is looked up instead of computed: a key of 16 bits, S << kRankBits | rank,
// is the sum of the parts of x, y and z in S (NearTables) and the rank of the site in the order of
// site indices. One add and one min for each site and row of the leaf find the least key, which is
// the winner by (S, site index).
#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/simd/dispatch.hpp"
#include "cpu/tiles/cells/cell_search.hpp"
#include "cpu/tiles/job/kernels.hpp"
#include "cpu/tiles/job/near_choice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/near/lists.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/tiles/job/compress-inl.hpp"
#include "cpu/tiles/write/leaf-inl.hpp"
#include "cpu/tiles/write/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

Kernel near_search(int) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Sites are gathered for so many units side by side.
inline constexpr std::int64_t kUnits = 2;
template <int kRank>
using Tiles = UnitTiles<kRank, kUnits>;
/// The most sites in the window of a tile; if there are more, the dense search is faster.
inline constexpr int kMostGathered = 1024 * kUnits;
static_assert(EngineLimits{}.near_sites_per_tile <= kMostGathered);
static_assert(EngineLimits{}.near_sites_per_leaf <= NearTables::kMostRanks);
/// The fewest sites in the window of a leaf. With fewer, another search is faster: most such leaves
/// have a cell that is too far from its site.
inline constexpr int kFewestSites = 4;
/// By how many levels the next try is wider.
inline constexpr int kNextLevel = 4;

/// Places of sites relative to the corner of a tile's window, a byte for each axis: x, y << 8, z <<
/// 16.
template <int kRank>
using Code = std::conditional_t<kRank == 2, std::uint16_t, std::uint32_t>;

template <int kRank>
struct Window {
  int count = 0;
  alignas(64) Code<kRank> code[kMostGathered + 64];
  alignas(64) std::uint32_t label[kMostGathered + 64];
};

/// The search of a tile.
template <int kRank>
struct NearSearch {
  // A constructor, since an aggregate would set all of its arrays to zero.
  explicit NearSearch(const Job& raster)
      : outputs(raster, labels.staged(), distance.staged()), job(outputs.job()) {}

  TileBuffer<Tiles<kRank>> labels;
  TileBuffer<Tiles<kRank>> distance;
  TileOutputs<Tiles<kRank>> outputs;
  const Job& job;
  Place tile;
  std::int64_t first_unit = 0;  ///< of the tile, and its last unit
  std::int64_t last_unit = 0;
  const NearLevel* level = nullptr;
  bool last = false;  ///< no wider level will be tried
  Window<kRank> window;
  /// Codes of those of the window's sites that are in the window of one leaf; the table has their
  /// number and labels.
  alignas(64) Code<kRank> code[kMostGathered + 64];
  SiteTable table;
  LeafWinners winners;
};

/// Copies a row's sites around a tile into its window. At one percent of sites most rows have one
/// or two, and a branch on the number would be predicted wrong: so the first 16 are always copied.
template <int kRank>
HWY_INLINE void gather_row(const Job& job, std::int64_t first, std::int64_t last, std::uint32_t at,
                           std::uint16_t base, Window<kRank>& window) {
  const hn::CappedTag<std::uint16_t, 16> d16;
  const hn::CappedTag<std::uint32_t, 16> d32;
  const std::uint16_t* x = job.lists.x + first;
  const std::uint32_t* label = job.lists.label + first;
  for (std::int64_t i = 0;;) {
    Code<kRank>* code = window.code + window.count + i;
    if constexpr (kRank == 2) {
      const auto add = hn::Set(d16, static_cast<std::uint16_t>(at - base));
      for (std::size_t k = 0; k < 16; k += hn::MaxLanes(d16))
        hn::StoreU(hn::Add(hn::LoadU(d16, x + i + k), add), d16, code + k);
    } else {
      const hn::Rebind<std::uint16_t, decltype(d32)> half;
      for (std::size_t k = 0; k < 16; k += hn::MaxLanes(d32)) {
        const auto column = hn::Sub(hn::LoadU(half, x + i + k), hn::Set(half, base));
        hn::StoreU(hn::Add(hn::PromoteTo(d32, column), hn::Set(d32, at)), d32, code + k);
      }
    }
    for (std::size_t k = 0; k < 16; k += hn::MaxLanes(d32))
      hn::StoreU(hn::LoadU(d32, label + i + k), d32, window.label + window.count + i + k);
    i += 16;
    if (HWY_LIKELY(i >= last - first)) break;
  }
  window.count += static_cast<int>(last - first);
}

/// Collects the sites around a tile, within the margins of the level, in the order of site indices;
/// false if they are too many, or not listed.
template <int kRank>
bool gather(NearSearch<kRank>& search) {
  using B = Blocks<kRank>;
  const Job& job = search.job;
  const Place& tile = search.tile;
  const auto base = static_cast<std::uint16_t>(tile.x - kMarginX);
  const auto& margin = search.level->margin;
  const std::int64_t z_end = std::min(tile.z + B::kUnitZ + margin[0], job.extent[0]);
  const std::int64_t y_end = std::min(tile.y + B::kUnitY + margin[1], job.extent[1]);
  search.window.count = 0;
  for (std::int64_t z = std::max<std::int64_t>(tile.z - margin[0], 0); z < z_end; ++z)
    for (std::int64_t y = std::max<std::int64_t>(tile.y - margin[1], 0); y < y_end; ++y) {
      const std::int64_t row = (z * job.extent[1] + y) * job.units[2];
      const std::int64_t first = job.lists.begin[row + search.first_unit];
      const std::int64_t last = job.lists.end[row + search.last_unit];
      if (search.window.count + (last - first) > job.limits->near_sites_per_tile) return false;
      const auto at = static_cast<std::uint32_t>((z - tile.z + B::kMarginZ) << 16 |
                                                 (y - tile.y + B::kMarginY) << 8);
      gather_row<kRank>(job, first, last, at, base, search.window);
    }
  return true;
}

/// Appends the lanes of `v` that `bits` selects to `to`, and then lanes without meaning.
template <class D>
HWY_INLINE void append(D d, hn::VFromD<D> v, std::uint64_t bits, hn::TFromD<D>* to) {
  if constexpr (sizeof(hn::TFromD<D>) == 2)
    compress_halves(d, v, bits, to);
  else
    Compressor<D>(bits).put(v, to);
}

/// Chooses the sites of the window that lie in the window of the leaf. Greater codes follow the
/// last one.
template <int kRank>
HWY_INLINE void filter(NearSearch<kRank>& search, const Place& leaf) {
  using B = Blocks<kRank>;
  using T = Code<kRank>;
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  const hn::CappedTag<std::uint32_t, 16> d32;
  constexpr int kLanes = hn::MaxLanes(d);
  constexpr int kLanes32 = hn::MaxLanes(d32);
  const auto& margin = search.level->margin;
  const auto join = [&](std::int64_t z, std::int64_t y, std::int64_t x) HWY_ATTR {
    return hn::BitCast(bytes, hn::Set(d, static_cast<T>(z << 16 | y << 8 | x)));
  };
  const auto low = join(leaf.z - search.tile.z + B::kMarginZ - margin[0],
                        leaf.y - search.tile.y + B::kMarginY - margin[1],
                        leaf.x - search.tile.x + kMarginX - margin[2]);
  const auto last = join(B::kLeafZ - 1 + 2 * margin[0], B::kLeafY - 1 + 2 * margin[1],
                         kLeafWidth - 1 + 2 * margin[2]);
  int n = 0;
  for (int i = 0; i < search.window.count; i += kLanes) {
    const auto code = hn::Load(d, search.window.code + i);
    const auto from_low = hn::Sub(hn::BitCast(bytes, code), low);
    // A place is within if no byte is greater than that of `last`.
    const auto within = hn::Eq(hn::BitCast(d, hn::Min(from_low, last)), hn::BitCast(d, from_low));
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, within, reinterpret_cast<std::uint8_t*>(&bits));
    bits &= ~std::uint64_t{0} >> (64 - std::min(kLanes, search.window.count - i));
    append(d, code, bits, search.code + n);
    for (int part = 0; part < kLanes; part += kLanes32) {
      const std::uint64_t some = bits >> part & (~std::uint64_t{0} >> (64 - kLanes32));
      append(d32, hn::Load(d32, search.window.label + i + part), some, search.table.label32 + n);
      n += std::popcount(some);
    }
  }
  search.table.count = n;
  hn::StoreU(hn::Set(d, std::numeric_limits<std::make_signed_t<T>>::max()), d, search.code + n);
}

/// The least key of each cell of a leaf, row by row.
struct Keys {
  alignas(64) std::uint16_t cell[kLeafCells];
};

template <bool kSum, class V>
HWY_INLINE V combine(V a, V b) {
  return kSum ? hn::SaturatedAdd(a, b) : hn::Max(a, b);
}

/// The number of the leaf's sites with a code below `code`; they come first.
template <int kRank>
HWY_INLINE int count_below(const NearSearch<kRank>& search, std::int64_t code) {
  using T = std::make_signed_t<Code<kRank>>;
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const auto* codes = reinterpret_cast<const T*>(search.code);
  int below = 0;
  for (int i = 0; i < search.table.count; i += static_cast<int>(hn::MaxLanes(d)))
    below += static_cast<int>(
        hn::CountTrue(d, hn::Lt(hn::Load(d, codes + i), hn::Set(d, static_cast<T>(code)))));
  return below;
}

struct SiteRange {
  int begin = 0;
  int end = 0;
};

/// The sites within the margins of the rows first .. last of a leaf.
template <int kRank>
HWY_INLINE SiteRange sites_near_rows(const NearSearch<kRank>& search, const Place& leaf, int first,
                                     int last) {
  using B = Blocks<kRank>;
  constexpr std::size_t kAxis = kRank == 2 ? 1 : 0;
  constexpr int kShift = kRank == 2 ? 8 : 16;
  constexpr int kRowsOfSlice = kRank == 2 ? 1 : B::kLeafY;
  const std::int64_t origin =
      kRank == 2 ? leaf.y - search.tile.y + B::kMarginY : leaf.z - search.tile.z + B::kMarginZ;
  const std::int64_t margin = search.level->margin[kAxis];
  return {count_below<kRank>(search, (origin + first / kRowsOfSlice - margin) << kShift),
          count_below<kRank>(search, (origin + last / kRowsOfSlice + margin + 1) << kShift)};
}

/// Measures the sites of the leaf's window to all of its cells, a few rows at a time, since rows
/// far from each other share few sites. kSum: S is the sum over the axes, not the maximum.
template <int kRank, bool kSum>
HWY_INLINE void scan(const NearSearch<kRank>& search, const Place& leaf, Keys& keys) {
  using B = Blocks<kRank>;
  const hn::CappedTag<std::uint16_t, 32> d;
  constexpr int kLanes = hn::MaxLanes(d);
  constexpr int kWidth = kLeafWidth;
  constexpr int kVectors = kLeafCells / kLanes;
  constexpr int kAtOnce = 8;  // vectors of least keys
  const NearTables& tables = *search.job.near;
  const std::int64_t x0 = leaf.x - search.tile.x;
  const std::int64_t y0 = leaf.y - search.tile.y + B::kMarginY - NearTables::kReach;
  const std::int64_t z0 = leaf.z - search.tile.z + B::kMarginZ - NearTables::kReach;
  for (int first = 0; first < kVectors; first += kAtOnce) {
    SiteRange range{0, search.table.count};
    if constexpr (kAtOnce < kVectors)
      range = sites_near_rows<kRank>(search, leaf, first * kLanes / kWidth,
                                     ((first + kAtOnce) * kLanes - 1) / kWidth);
    hn::VFromD<decltype(d)> least[kAtOnce];
    for (auto& v : least) v = hn::Set(d, 0xffff);
    auto rank = hn::Set(d, static_cast<std::uint16_t>(range.begin));
    const auto one = hn::Set(d, 1);
    for (int i = range.begin; i < range.end; ++i) {
      const auto code = search.code[i];
      const std::uint16_t* x = tables.x[static_cast<std::size_t>((code & 0xff) - x0)].data();
      const auto* y = &tables.y[static_cast<std::size_t>((code >> 8 & 0xff) - y0)];
      const auto* z = &tables.z[static_cast<std::size_t>((code >> 8 >> 8) - z0)];
#pragma GCC unroll 8
      for (int k = 0; k < kAtOnce; ++k) {
        // If a vector is shorter than a row, `first` selects the part of the row that it holds.
        const int cell = (first + k) * kLanes;
        auto key = hn::Load(d, x + cell % kWidth);
        if constexpr (kSum) key = hn::Add(key, rank);
        if constexpr (kRank == 3)
          key = combine<kSum>(key, hn::Load(d, z[-(cell / kWidth / B::kLeafY)].data()));
        key = combine<kSum>(key, hn::Load(d, y[-(cell / kWidth % B::kLeafY)].data()));
        if constexpr (!kSum) key = hn::Add(key, rank);
        least[k] = hn::Min(least[k], key);
      }
      rank = hn::Add(rank, one);
    }
    std::uint16_t* cells = keys.cell + static_cast<std::ptrdiff_t>(first) * kLanes;
    for (std::ptrdiff_t k = 0; k < kAtOnce; ++k) hn::Store(least[k], d, cells + k * kLanes);
  }
}

/// Sets the keys of cells outside of the raster to 0.
template <int kRank>
void clear_outside(const Job& job, const Place& leaf, Keys& keys) {
  const std::int64_t columns = std::min(kLeafWidth, job.extent[2] - leaf.x);
  std::array<std::int64_t, kLeafRows> inside{};
  for_each_leaf_row<kRank>(job, leaf, [&](std::int64_t r, std::int64_t, std::int64_t) {
    inside[static_cast<std::size_t>(r)] = columns;
  });
  for (std::int64_t r = 0; r < kLeafRows; ++r) {
    std::uint16_t* const row = keys.cell + r * kLeafWidth;
    std::fill(row + inside[static_cast<std::size_t>(r)], row + kLeafWidth, std::uint16_t{0});
  }
}

HWY_INLINE std::uint16_t greatest(const Keys& keys) {
  const hn::CappedTag<std::uint16_t, 32> d;
  auto most = hn::Zero(d);
  for (int i = 0; i < kLeafCells; i += static_cast<int>(hn::MaxLanes(d)))
    most = hn::Max(most, hn::Load(d, keys.cell + i));
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

HWY_INLINE void split(const Keys& keys, bool exact, LeafWinners& winners) {
  const hn::CappedTag<std::uint16_t, 32> d;
  for (std::size_t i = 0; i < kLeafCells; i += hn::MaxLanes(d))
    hn::Store(hn::And(hn::Load(d, keys.cell + i), hn::Set(d, NearTables::kMostRanks - 1)), d,
              winners.rank + i);
  if (!exact) return;
  const hn::CappedTag<std::int32_t, 16> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  for (std::size_t i = 0; i < kLeafCells; i += hn::MaxLanes(wide))
    hn::Store(
        hn::PromoteTo(wide, hn::ShiftRight<NearTables::kRankBits>(hn::Load(narrow, keys.cell + i))),
        wide, winners.exact + i);
}

/// The place of the site with a rank.
template <int kRank>
HWY_INLINE Axes site_of(const NearSearch<kRank>& search, int rank) {
  using B = Blocks<kRank>;
  const auto code = static_cast<std::int64_t>(search.code[rank]);
  return {search.tile.z - B::kMarginZ + (code >> 16),
          search.tile.y - B::kMarginY + (code >> 8 & 0xff),
          search.tile.x - kMarginX + (code & 0xff)};
}

/// S between two cells; not for the chessboard metric.
HWY_INLINE std::int64_t exact_of(const Job& job, const Axes& a, const Axes& b) {
  std::int64_t exact = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    exact += job.along(axis, std::abs(a[axis] - b[axis]));
  return exact;
}

/// Adds what the labels in the lists do not have.
template <int kRank>
void describe_sites(NearSearch<kRank>& search) {
  for (int i = 0; i < search.table.count; ++i)
    describe_site(search.job, site_of(search, i), i, search.table);
}

/// Cells whose keys are beyond the bound: a site outside of the window could be nearer.
struct OpenCells {
  static constexpr int kMost = 24;  ///< if there are more, a wider window is better
  int count = 0;
  std::array<std::uint8_t, kMost> cell;
};
static_assert(EngineLimits{}.open_cells_per_leaf <= OpenCells::kMost);

HWY_INLINE OpenCells open_cells(const Keys& keys, std::int32_t bound) {
  const hn::CappedTag<std::uint16_t, 32> d;
  const auto last =
      hn::Set(d, static_cast<std::uint16_t>((bound + 1) * NearTables::kMostRanks - 1));
  OpenCells open;
  for (std::size_t i = 0; i < kLeafCells; i += hn::MaxLanes(d)) {
    const auto key = hn::Load(d, keys.cell + i);
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, hn::Ne(hn::Max(key, last), last), reinterpret_cast<std::uint8_t*>(&bits));
    for (; bits != 0; bits &= bits - 1, ++open.count)
      if (open.count < OpenCells::kMost)
        open.cell[static_cast<std::size_t>(open.count)] =
            static_cast<std::uint8_t>(i + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  return open;
}

/// Searches open cells one by one: their sites become further ranks of the leaf. Returns false if
/// one of them is too far.
template <int kRank>
bool solve_open_cells(NearSearch<kRank>& search, const Place& leaf, const OpenCells& open) {
  using B = Blocks<kRank>;
  const int last = search.table.count - 1;
  for (int i = 0; i < open.count; ++i) {
    const std::int64_t number = open.cell[static_cast<std::size_t>(i)];
    const Axes cell{leaf.z + number / kLeafWidth / B::kLeafY,
                    leaf.y + number / kLeafWidth % B::kLeafY, leaf.x + number % kLeafWidth};
    // The greatest key holds no rank; any site serves.
    const Axes known = site_of(search, std::min<int>(search.winners.rank[number], last));
    NearestCell found{exact_of(search.job, cell, known), known};
    if (!search_cell(search.job, cell, kMarkedRows<kRank>, found)) return false;
    const int rank = search.table.count++;
    describe_site(search.job, found.site, rank, search.table);
    search.winners.rank[number] = static_cast<std::uint16_t>(rank);
    search.winners.exact[number] = static_cast<std::int32_t>(found.exact);
  }
  return true;
}

template <int kRank>
bool solve_leaf(NearSearch<kRank>& search, const Place& leaf) {
  const Job& job = search.job;
  filter<kRank>(search, leaf);
  if (search.table.count < kFewestSites || search.table.count > job.limits->near_sites_per_leaf)
    return false;
  Keys keys;
  if (job.metric == Metric::chessboard)
    scan<kRank, false>(search, leaf, keys);
  else
    scan<kRank, true>(search, leaf, keys);
  if (!whole_leaf<kRank>(job, leaf)) clear_outside<kRank>(job, leaf, keys);
  OpenCells open;
  if (greatest(keys) >> NearTables::kRankBits > search.level->bound) {
    open = open_cells(keys, search.level->bound);
    if (!search.last || open.count > job.limits->open_cells_per_leaf ||
        job.metric == Metric::chessboard)
      return false;
  }
  split(keys, job.wants_exact(), search.winners);
  if (!job.fused || job.write_general != nullptr) describe_sites(search);
  if (!solve_open_cells(search, leaf, open)) return false;
  write_leaf<kRank>(job, leaf, search.table, search.winners, false);
  return true;
}

/// Calls visit(leaf) for the leaves of a tile that lie in the raster.
template <int kRank, class Visit>
HWY_INLINE void for_each_leaf(const Job& job, const Place& tile, Visit&& visit) {
  using B = Blocks<kRank>;
  constexpr Axes kSize = Tiles<kRank>::kSize;
  for (std::int64_t z = tile.z; z < std::min(tile.z + kSize[0], job.extent[0]); z += B::kLeafZ)
    for (std::int64_t y = tile.y; y < std::min(tile.y + kSize[1], job.extent[1]); y += B::kLeafY)
      for (std::int64_t x = tile.x; x < std::min(tile.x + kSize[2], job.extent[2]); x += kLeafWidth)
        visit(Place{z, y, x});
}

/// Writes the leaves of a tile whose sites are all within the level; false if some are left.
template <int kRank>
bool solve_tile(NearSearch<kRank>& search) {
  bool all = true;
  const bool gathered = gather<kRank>(search);
  for_each_leaf<kRank>(search.job, search.tile, [&](const Place& leaf) {
    SolvedBy& solved = solved_by<kRank>(search.job, leaf);
    if (solved == SolvedBy::none && gathered && solve_leaf<kRank>(search, leaf))
      solved = SolvedBy::near;
    all = all && solved != SolvedBy::none;
    search.outputs.advance();
  });
  return all;
}

template <int kRank>
void near(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  using B = Blocks<kRank>;
  using Leaves = TileLeaves<Tiles<kRank>>;
  const NearTables& tables = *job.near;
  if (tables.levels_of_next == 0 || !are_listed(job, unit_z, unit_y, 1)) return;
  const int levels = are_listed(job, unit_z, unit_y, 2) ? tables.levels : tables.levels_of_next;
  NearSearch<kRank> search(job);
  for (std::int64_t first = 0; first < job.units[2]; first += kUnits) {
    search.first_unit = first;
    search.last_unit = std::min(first + kUnits, job.units[2]) - 1;
    search.tile = {unit_z * B::kUnitZ, unit_y * B::kUnitY, first * kUnitWidth};
    const Area tile{{search.tile.z, search.tile.y, search.tile.x}, Tiles<kRank>::kSize};
    const std::uint32_t open = Leaves::open_leaves(job, tile);
    if (open == 0) continue;
    const LevelRange tried_levels = choose_levels(
        tables, levels,
        neighbourhood<kRank>(job, unit_z, unit_y, search.first_unit, search.last_unit));
    if (tried_levels.last < tried_levels.first) continue;
    search.outputs.begin(tile, open);
    for (int i = tried_levels.first; i <= tried_levels.last; ++i) {
      search.level = &tables.level[static_cast<std::size_t>(i)];
      search.last = i == tried_levels.last;
      if (solve_tile<kRank>(search)) break;
      if (!search.last) i = std::min(i + kNextLevel, tried_levels.last) - 1;
    }
    search.outputs.end(Leaves::open_leaves(job, tile));
  }
  search.outputs.finish();
}

Kernel near_search(int rank) { return rank == 2 ? near<2> : near<3>; }

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(near_search);

Kernel near_kernel(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(near_search)[dispatch_index(targets)](rank);
}

}  // namespace thiessen::cpu::tiles
#endif
