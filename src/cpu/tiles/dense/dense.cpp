// SPDX-License-Identifier: Apache-2.0
//
// The dense search: where sites are many, all 64 cells of a word search at the same time.
//
// Offsets are tried in the order of DenseTables. A row of sites, shifted by dx and taken from dy
// rows below, has bit x set where cell x has a site at this offset:
//   need &= ~shifted sites,
// and the first offset at which a cell leaves `need` is its winner. A cell is in `need` before step
// k exactly if its offset is >= k. So bit b of its offset, which changes at multiples of 2^b, is
// the exclusive or of its bits of `need` before the steps m·2^b, m >= 1. Step k changes only the
// planes b with 2^b | k, two on average; to note k for each hit would take one step a row.

#include <algorithm>
#include <bit>

#include "cpu/simd/dispatch.hpp"
#include "cpu/tiles/cells/cell_search.hpp"
#include "cpu/tiles/job/kernels.hpp"
#include "cpu/tiles/job/near_choice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/dense/dense.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/tiles/write/dense-inl.hpp"
#include "cpu/tiles/write/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

Kernel dense_search(int) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Rows that are searched together: one vector of words.
using Words = hn::CappedTag<std::uint64_t, 8>;
constexpr std::int64_t kWordLanes = hn::MaxLanes(Words());

/// The sites around a unit, as DenseWindow numbers its rows.
template <int kRank>
struct Window {
  using Size = DenseWindow<kRank>;
  static constexpr std::int64_t kCentre = kDenseX * Size::kRows;

  const std::uint64_t* row[Size::kRows];
  /// Words x - 1, x and x + 1 of the rows; word i is in column[(i + 3) % 3].
  alignas(64) std::uint64_t column[3][Size::kRows];
  std::int64_t loaded[3] = {-2, -2, -2};
  /// Bit i of a row in words[kCentre + dx * kRows …] says whether cell i + dx is a site. Made for
  /// |dx| <= reach.
  alignas(64) std::uint64_t words[Size::kColumns * Size::kRows];
  std::int32_t reach = 0;

  Window(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
    using B = Blocks<kRank>;
    for (std::int64_t i = 0; i < Size::kRows; ++i) {
      const std::int64_t z = unit_z * B::kUnitZ - B::kDenseZ + i / Size::kPlaneRows;
      const std::int64_t y = unit_y * B::kUnitY - B::kDenseY + i % Size::kPlaneRows;
      row[i] = job.bits.row(z, y);
    }
  }

  void load(std::int64_t x) {
    for (std::int64_t i = x - 1; i <= x + 1; ++i) {
      const std::int64_t slot = (i + 3) % 3;
      if (loaded[slot] == i) continue;
      loaded[slot] = i;
      for (std::int64_t r = 0; r < Size::kRows; ++r) column[slot][r] = row[r][i];
    }
    std::copy_n(column[(x + 3) % 3], Size::kRows, words + kCentre);
    reach = 0;
  }

  /// Makes the words for shifts by up to `to`.
  HWY_INLINE void widen(std::int64_t x, std::int32_t to) {
    while (reach < to) shift(x, ++reach);
  }

  void shift(std::int64_t x, std::int32_t by) {
    const Words d;
    std::uint64_t* before = words + kCentre - by * Size::kRows;
    std::uint64_t* behind = words + kCentre + by * Size::kRows;
    for (std::int64_t r = 0; r < Size::kRows; r += kWordLanes) {
      const auto own = hn::Load(d, column[(x + 3) % 3] + r);
      const auto left = hn::Load(d, column[(x + 2) % 3] + r);
      const auto right = hn::Load(d, column[(x + 4) % 3] + r);
      const int rest = 64 - by;
      hn::Store(hn::Or(hn::ShiftLeftSame(own, by), hn::ShiftRightSame(left, rest)), d, before + r);
      hn::Store(hn::Or(hn::ShiftRightSame(own, by), hn::ShiftLeftSame(right, rest)), d, behind + r);
    }
  }
};

/// The rows of a unit that fill a vector.
struct Rows {
  alignas(64) std::uint64_t need[8];  ///< cells to search for; then those without an offset
  /// Bit b of the cells' offsets is in plane[b]. There is room behind them, as masks of few bits
  /// are loaded as whole words.
  alignas(64) std::uint64_t plane[8 + 1][8];
  int planes = 0;  ///< the others are zero
};

/// A leaf that still has half of its cells to find after so many steps is left to other searches.
constexpr int kPatience = 64;

/// Leaves with at least half of their cells in `need`, as words to take out of it.
HWY_INLINE std::uint64_t slow_leaves(const std::uint64_t* need) {
  std::uint64_t slow = 0;
  for (int q = 0; q < 4; ++q) {
    const std::uint64_t leaf = std::uint64_t{0xffff} << (16 * q);
    std::int64_t cells = 0;
    for (std::int64_t r = 0; r < kWordLanes; ++r) cells += std::popcount(need[r] & leaf);
    if (cells * 2 >= kWordLanes * kLeafWidth) slow |= leaf;
  }
  return slow;
}

/// Updates those planes b >= 3 that change before step k, a multiple of 8.
template <class V>
HWY_INLINE void change_planes(V need, int k, Rows& rows) {
  const Words d;
  for (int b = 3; b < 8 && k % (1 << b) == 0; ++b)
    hn::Store(hn::Xor(hn::Load(d, rows.plane[b]), need), d, rows.plane[b]);
}

/// Marks the cells that are left: they have no site in range.
HWY_INLINE void mark_unreached(Rows& rows) {
  static_assert(DenseTables::kUnreached == 254);
  rows.planes = 8;
  for (std::int64_t r = 0; r < kWordLanes; ++r) {
    rows.plane[0][r] &= ~rows.need[r];
    for (int b = 1; b < 8; ++b) rows.plane[b][r] |= rows.need[r];
    rows.need[r] = 0;
  }
}

/// Finds the offsets of the cells rows.need; `row` is the row of the first one in the window.
template <int kRank>
HWY_INLINE void search(const DenseTables& tables, Window<kRank>& window, std::int64_t x,
                       std::int64_t row, Rows& rows) {
  const Words d;
  const std::uint64_t* own = window.words + Window<kRank>::kCentre + row;
  const auto zero = hn::Zero(d);
  for (int b = 3; b < 8; ++b) hn::Store(zero, d, rows.plane[b]);
  auto need = hn::Load(d, rows.need);
  auto given_up = zero;
  auto p0 = zero, p1 = zero, p2 = zero;
  int k = 0;
  for (; k < tables.count && !hn::AllTrue(d, hn::Eq(need, zero)); k += 8) {
    if (k == kPatience && !tables.complete) {
      hn::Store(need, d, rows.need);
      given_up = hn::And(need, hn::Set(d, slow_leaves(rows.need)));
      need = hn::AndNot(given_up, need);
    }
    window.widen(x, tables.columns[static_cast<std::size_t>(k + 7)]);
    if (k > 0) {
      p0 = hn::Xor(p0, need);
      p1 = hn::Xor(p1, need);
      p2 = hn::Xor(p2, need);
      change_planes(need, k, rows);
    }
    const std::int32_t* word = tables.word.data() + k;
    const auto without = [&](auto cells, int i) {
      return hn::AndNot(hn::LoadU(d, own + word[i]), cells);
    };
    const auto n1 = without(need, 0);
    const auto n2 = without(n1, 1);
    const auto n3 = without(n2, 2);
    const auto n4 = without(n3, 3);
    const auto n5 = without(n4, 4);
    const auto n6 = without(n5, 5);
    const auto n7 = without(n6, 6);
    need = without(n7, 7);
    const auto even = hn::Xor3(n2, n4, n6);
    p0 = hn::Xor3(p0, even, hn::Xor3(n1, n3, hn::Xor(n5, n7)));
    p1 = hn::Xor(p1, even);
    p2 = hn::Xor(p2, n4);
  }
  rows.planes = static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(k, 1) - 1)));
  hn::Store(hn::Or(need, given_up), d, rows.need);
  hn::Store(p0, d, rows.plane[0]);
  hn::Store(p1, d, rows.plane[1]);
  hn::Store(p2, d, rows.plane[2]);
  if (tables.complete) mark_unreached(rows);
}

/// Makes the offsets of the 64 cells of row r from the planes.
HWY_INLINE void spread(const Rows& rows, std::int64_t r, std::uint8_t* offset) {
  const hn::CappedTag<std::uint8_t, 64> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  for (std::size_t i = 0; i < 64; i += kLanes) {
    auto v = hn::Zero(d);
    for (int b = 0; b < rows.planes; ++b) {
      const auto* bits = reinterpret_cast<const std::uint8_t*>(&rows.plane[b][r]) + i / 8;
      const auto bit = hn::Set(d, static_cast<std::uint8_t>(1 << b));
      v = hn::Or(v, hn::IfThenElseZero(hn::LoadMaskBits(d, bits), bit));
    }
    hn::StoreU(v, d, offset + i);
  }
}

#if HWY_TARGET <= HWY_AVX3

/// Finds the offsets of all cells of a vector's rows; false if some find no site within the steps.
template <int kRank>
HWY_INLINE bool find_hits(const DenseTables& tables, Window<kRank>& window, std::int64_t x,
                          std::int64_t row, Hits& hits) {
  const Words d;
  const std::uint64_t* own = window.words + Window<kRank>::kCentre + row;
  const int most = std::min(tables.count, kMaskedSteps);
  auto need = hn::Set(d, ~std::uint64_t{0});
  for (hits.steps = 0; hits.steps < most && !hn::AllTrue(d, hn::Eq(need, hn::Zero(d)));
       ++hits.steps) {
    const auto k = static_cast<std::size_t>(hits.steps);
    window.widen(x, tables.columns[k]);
    const auto sites = hn::LoadU(d, own + tables.word[k]);
    hn::Store(hn::And(need, sites), d, hits.cells[k]);
    need = hn::AndNot(sites, need);
  }
  return hn::AllTrue(d, hn::Eq(need, hn::Zero(d)));
}

/// Whether the labels around a unit may be read where they lie, and whether that pays. The next row
/// lies beyond the end of a row, and what is read there is masked.
template <int kRank>
bool suits_masks(const Job& job, const Place& at, std::int64_t sites) {
  using B = Blocks<kRank>;
  constexpr std::int64_t kPercent = 45;
  if (sites * 100 < kPercent * B::kUnitZ * B::kUnitY * kUnitWidth) return false;
  if (job.special || job.write_general != nullptr) return false;
  if (at.z + B::kUnitZ > job.extent[0] || at.y + B::kUnitY > job.extent[1] ||
      at.x + kUnitWidth > job.extent[2])
    return false;
  if (!job.out_labels) return true;
  const Axes& stride = job.labels.stride;
  if (job.labels.element != 4 || !job.labels.contiguous() || stride[0] < 0 || stride[1] < 0)
    return false;
  const auto bytes = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return z * stride[0] + y * stride[1] + x * stride[2];
  };
  const std::int64_t around = bytes(B::kDenseZ, B::kDenseY, kDenseX);
  const std::int64_t first = bytes(at.z, at.y, at.x);
  return first >= around && first + bytes(B::kUnitZ - 1, B::kUnitY - 1, kUnitWidth) + around <=
                                bytes(job.extent[0] - 1, job.extent[1] - 1, job.extent[2]);
}

#endif

/// Prefetches labels that are read soon: those of the next unit in one of its rows, and in 3-D also
/// those of this unit two planes further.
HWY_INLINE void prefetch(const Job& job, const Place& at) {
  if (!job.out_labels) return;
  const std::int64_t bytes = kUnitWidth * job.labels.element;
  if (at.x + 2 * kUnitWidth <= job.extent[2])
    for (std::int64_t i = 0; i < bytes; i += 64)
      __builtin_prefetch(job.labels.at(at.z, at.y, at.x + kUnitWidth) + i, 0, 2);
  if (at.z + 2 < job.extent[0])
    for (std::int64_t i = 0; i < bytes; i += 64)
      __builtin_prefetch(job.labels.at(at.z + 2, at.y, at.x) + i);
}

/// A unit: 64 cells in each of its rows.
template <int kRank>
struct Unit {
  using B = Blocks<kRank>;
  static constexpr std::int64_t kRows = B::kUnitZ * B::kUnitY;
  static constexpr std::int64_t kLeavesY = B::kUnitY / B::kLeafY;
  static constexpr std::int64_t kLeafRows = B::kUnitZ / B::kLeafZ * kLeavesY;

  Place at;  ///< its first cell
  alignas(64) std::uint8_t offset[kRows * kUnitWidth];
  std::uint64_t open[kLeafRows] = {};  ///< cells without an offset, of all rows of a row of leaves
  std::uint64_t open_cells[kRows] = {};    ///< the same for each row
  int planes = 0;                          ///< bits of the greatest offset
  bool masks = false;                      ///< suits_masks()
  bool has_hits[kRows / kWordLanes] = {};  ///< whether a vector of rows has hits instead of offsets
#if HWY_TARGET <= HWY_AVX3
  Hits hits[kRows / kWordLanes];
#endif

  /// Whether no leaf is open.
  bool is_solved() const {
    return std::all_of(open, open + kLeafRows, [](std::uint64_t cells) { return cells == 0; });
  }
  static std::int64_t leaf_row(std::int64_t r) {
    return r / B::kUnitY / B::kLeafZ * kLeavesY + r % B::kUnitY / B::kLeafY;
  }
  /// The cells of row r that lie in the raster; rows count plane by plane.
  static std::uint64_t inside(const Job& job, const Place& at, std::int64_t r) {
    const std::int64_t columns = std::min(kUnitWidth, job.extent[2] - at.x);
    const bool is_inside =
        at.z + r / B::kUnitY < job.extent[0] && at.y + r % B::kUnitY < job.extent[1];
    return is_inside ? ~std::uint64_t{0} >> (kUnitWidth - columns) : 0;
  }
};

/// Finds the offsets of a vector's rows from row `first` of the unit on.
template <int kRank>
HWY_INLINE void search_rows(const Job& job, Window<kRank>& window, std::int64_t first,
                            Unit<kRank>& unit) {
  using B = Blocks<kRank>;
  const std::int64_t x = unit.at.x / kUnitWidth;
  const std::int64_t z = first / B::kUnitY;
  const std::int64_t y = first % B::kUnitY;
  const std::int64_t row = (z + B::kDenseZ) * DenseWindow<kRank>::kPlaneRows + y + B::kDenseY;
#if HWY_TARGET <= HWY_AVX3
  const std::int64_t vector = first / kWordLanes;
  unit.has_hits[vector] = unit.masks && find_hits(*job.dense, window, x, row, unit.hits[vector]);
  if (unit.has_hits[vector]) return;
#endif
  Rows rows;
  std::uint64_t nodata[8] = {};
  for (std::int64_t r = 0; r < kWordLanes; ++r) {
    rows.need[r] = Unit<kRank>::inside(job, unit.at, first + r);
    if (!job.nodata || rows.need[r] == 0) continue;
    nodata[r] = job.nodata.own_row(unit.at.z + z, unit.at.y + y + r)[x];
    rows.need[r] &= ~nodata[r];
  }
  search(*job.dense, window, x, row, rows);
  for (std::int64_t r = 0; r < kWordLanes; ++r) {
    if (job.nodata) {
      rows.planes = 8;
      for (int b = 0; b < 8; ++b) rows.plane[b][r] |= nodata[r];
    }
    unit.open_cells[first + r] = rows.need[r];
    // They are written as if they were their own sites, and again when these are found.
    for (int b = 0; rows.need[r] != 0 && b < rows.planes; ++b) rows.plane[b][r] &= ~rows.need[r];
    unit.planes = std::max(unit.planes, rows.planes);
    spread(rows, r, unit.offset + (first + r) * kUnitWidth);
  }
}

/// Cells that found no site among the offsets, and the site that a search found for them.
struct FoundCells {
  static constexpr int kOfALeaf = 24;  ///< leaves with more are left to other searches
  static constexpr int kMost = 16 * kOfALeaf;
  int count = 0;
  Axes cell[kMost];
  NearestCell winner[kMost];
};
static_assert(EngineLimits{}.open_cells_per_leaf <= FoundCells::kOfALeaf);

/// Calls visit(r, cells) for the rows of a unit that go through a row of leaves, with the open
/// cells of the leaf that `mask` selects.
template <int kRank, class Visit>
HWY_INLINE void for_each_open_row(const Unit<kRank>& unit, std::int64_t leaf_row,
                                  std::uint64_t mask, Visit&& visit) {
  for (std::int64_t r = 0; r < Unit<kRank>::kRows; ++r)
    if (Unit<kRank>::leaf_row(r) == leaf_row) visit(r, unit.open_cells[r] & mask);
}

/// Searches the open cells of a leaf one by one; false if they are too many or a site is too far.
template <int kRank>
bool search_open_cells(const Job& job, const Unit<kRank>& unit, std::int64_t leaf_row,
                       std::uint64_t mask, FoundCells& found) {
  using B = Blocks<kRank>;
  if (job.metric == Metric::chessboard) return false;
  int count = 0;
  for_each_open_row(unit, leaf_row, mask,
                    [&](std::int64_t, std::uint64_t cells) { count += std::popcount(cells); });
  if (count > job.limits->open_cells_per_leaf) return false;
  bool all = true;
  for_each_open_row(unit, leaf_row, mask, [&](std::int64_t r, std::uint64_t cells) {
    for (; all && cells != 0; cells &= cells - 1) {
      const Axes cell{unit.at.z + r / B::kUnitY, unit.at.y + r % B::kUnitY,
                      unit.at.x + std::countr_zero(cells)};
      NearestCell winner;
      all = search_cell(job, cell, kMarkedRows<kRank>, winner);
      found.cell[found.count] = cell;
      found.winner[found.count++] = winner;
    }
  });
  return all;
}

/// Separates leaves with only a few open cells, which are searched here, from open leaves.
template <int kRank>
void choose_open_leaves(const Job& job, Unit<kRank>& unit, FoundCells& found) {
  found.count = 0;
  std::uint64_t any = 0;
  for (const std::uint64_t cells : unit.open_cells) any |= cells;
  for (int i = 0; any != 0 && i < 4; ++i) {
    const std::uint64_t leaf = std::uint64_t{0xffff} << (16 * i);
    for (std::int64_t leaf_row = 0; leaf_row < Unit<kRank>::kLeafRows; ++leaf_row) {
      const int before = found.count;
      if (search_open_cells(job, unit, leaf_row, leaf, found)) continue;
      unit.open[leaf_row] |= leaf;
      found.count = before;
    }
  }
}

/// Calls visit(first, last) for each run of leaves without open cells in a row of leaves.
template <class Visit>
HWY_INLINE void for_each_solved(std::uint64_t open, std::int64_t leaves, Visit&& visit) {
  const auto is_open = [&](std::int64_t i) { return (open >> (16 * i) & 0xffff) != 0; };
  for (std::int64_t i = 0; i < leaves; ++i) {
    if (is_open(i)) continue;
    const std::int64_t first = i;
    while (i < leaves && !is_open(i)) ++i;
    visit(first, i);
  }
}

/// Returns false if there are no hits of this row. Cells of open leaves get a site that others
/// replace.
template <int kRank>
HWY_INLINE bool write_row_of_hits([[maybe_unused]] const Job& job, const Unit<kRank>& unit,
                                  std::int64_t r, [[maybe_unused]] const Place& at) {
  const std::int64_t vector = r / kWordLanes;
  if (!unit.has_hits[vector]) return false;
#if HWY_TARGET <= HWY_AVX3
  write_hit_row(job, unit.hits[vector], r % kWordLanes, at);
#endif
  return true;
}

template <int kRank>
void write_unit(const Job& job, const Unit<kRank>& unit) {
  using B = Blocks<kRank>;
  const std::int64_t columns = std::min(kUnitWidth, job.extent[2] - unit.at.x);
  const std::int64_t leaves = parts(columns, kLeafWidth);
  for (std::int64_t r = 0; r < Unit<kRank>::kRows; ++r) {
    const std::int64_t z = unit.at.z + r / B::kUnitY;
    const std::int64_t y = unit.at.y + r % B::kUnitY;
    if (!job.is_written(z, y)) continue;
    prefetch(job, {z, y, unit.at.x});
    const bool is_written = write_row_of_hits(job, unit, r, {z, y, unit.at.x});
    const std::uint64_t open = unit.open[Unit<kRank>::leaf_row(r)];
    for_each_solved(open, leaves, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t x = first * kLeafWidth;
      if (!is_written)
        write_offsets(job, {z, y, unit.at.x + x}, std::min(columns, last * kLeafWidth) - x,
                      unit.offset + r * kUnitWidth + x, 1 << unit.planes);
      if (z % B::kLeafZ != 0 || y % B::kLeafY != 0) return;
      const std::int64_t leaf =
          job.leaf_index(z / B::kLeafZ, y / B::kLeafY, unit.at.x / kLeafWidth + first);
      std::fill_n(job.solved + leaf, last - first, SolvedBy::dense);
    });
  }
}

/// The cells of a unit that lie in the raster.
template <int kRank>
std::int64_t cells_of(const Job& job, const Place& at) {
  using B = Blocks<kRank>;
  return std::min(B::kUnitZ, job.extent[0] - at.z) * std::min(B::kUnitY, job.extent[1] - at.y) *
         std::min(kUnitWidth, job.extent[2] - at.x);
}

template <int kRank>
void dense(const Job& raster, std::int64_t unit_z, std::int64_t unit_y) {
  using B = Blocks<kRank>;
  using Tiles = UnitTiles<kRank>;
  using Leaves = TileLeaves<Tiles>;
  if (!raster.dense->complete && !may_be_dots<kRank>(raster, unit_z, unit_y)) return;
  TileBuffer<Tiles> labels;
  TileBuffer<Tiles> distance;
  TileOutputs<Tiles> outputs(raster, labels.staged(), distance.staged());
  const Job& job = outputs.job();
  Window<kRank> window(job, unit_z, unit_y);
  Unit<kRank> unit;
  FoundCells found;
  const std::int64_t percent = EngineLimits::of_rank(job.limits->dense_percent, kRank);
  const std::uint16_t* unit_sites = job.unit_sites + job.unit_index(unit_z, unit_y, 0);
  for (std::int64_t x = 0; x < job.units[2]; ++x) {
    unit.at = {unit_z * B::kUnitZ, unit_y * B::kUnitY, x * kUnitWidth};
    const std::int64_t cells = cells_of<kRank>(job, unit.at);
    const std::int64_t sites = unit_sites[x];
    if (!job.dense->complete && sites * 100 < percent * cells) continue;
    unit.planes = 0;
    std::fill_n(unit.open, Unit<kRank>::kLeafRows, 0);
    std::fill_n(unit.open_cells, Unit<kRank>::kRows, std::uint64_t{0});
    const Area tile{{unit.at.z, unit.at.y, unit.at.x}, Tiles::kSize};
    if (sites == cells) {
      std::fill_n(unit.has_hits, Unit<kRank>::kRows / kWordLanes, false);
      std::fill_n(unit.offset, Unit<kRank>::kRows * kUnitWidth, std::uint8_t{0});
    } else {
#if HWY_TARGET <= HWY_AVX3
      unit.masks = suits_masks<kRank>(job, unit.at, sites);
#endif
      window.load(x);
      for (std::int64_t first = 0; first < Unit<kRank>::kRows; first += kWordLanes) {
        search_rows(job, window, first, unit);
        outputs.advance();
      }
    }
    choose_open_leaves(job, unit, found);
    outputs.begin(tile, unit.is_solved() ? Leaves::open_leaves(job, tile) : 0);
    write_unit(job, unit);
    for (int i = 0; i < found.count; ++i)
      if (job.is_written(found.cell[i][0], found.cell[i][1]))
        write_cell(job, found.cell[i], found.winner[i]);
    outputs.end(0);
  }
  outputs.finish();
}

Kernel dense_search(int rank) { return rank == 2 ? dense<2> : dense<3>; }

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(dense_search);

Kernel dense_kernel(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(dense_search)[dispatch_index(targets)](rank);
}

}  // namespace thiessen::cpu::tiles
#endif
