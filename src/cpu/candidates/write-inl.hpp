// SPDX-License-Identifier: Apache-2.0
//
// Writes what the search by candidates finds.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_WRITE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_WRITE_INL
#undef THIESSEN_CPU_CANDIDATES_WRITE_INL
#else
#define THIESSEN_CPU_CANDIDATES_WRITE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "core/order/weights.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/candidates/search.hpp"
#include "cpu/simd/gather-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::int32_t, 16>;
using Floats = hn::CappedTag<float, 16>;
using Doubles = hn::CappedTag<double, 8>;
using DoubleV = hn::Vec<Doubles>;
/// Rows of leaves in 3-D have no more.
using HalfWords = hn::CappedTag<std::int32_t, 8>;
/// As many floats as there are doubles in a vector.
using Halves = hn::Rebind<float, Doubles>;

/// The cell after the last one of a tile that the raster has, along each axis.
HWY_INLINE Axes end_of(const Search& search, const Tile& tile, std::size_t first_axis) {
  Axes end{1, 1, 1};
  for (std::size_t axis = first_axis; axis < kAxes; ++axis)
    end[axis] = std::min(tile.first[axis] + tile.edge, search.problem->extent[axis]);
  return end;
}

/// Leaves keep one number for the winner of a cell: its label where nothing else is wanted, else
/// its place in the order of the tree.
HWY_INLINE std::int32_t result_of(const Search& search, std::uint32_t site) {
  return static_cast<std::int32_t>(search.writes_labels_alone() ? search.label[site] : site);
}

/// Whether words may be written past the caches: whole lines.
HWY_INLINE bool may_stream(const Rows& rows, const void* to, std::int64_t count) {
  constexpr std::uintptr_t kLine = 64;
  constexpr std::int64_t kWords = 16;
  return rows.streams && reinterpret_cast<std::uintptr_t>(to) % kLine == 0 && count % kWords == 0;
}

/// Fetches the lines of a block that will be written, so that its writes do not keep others
/// waiting.
template <std::size_t kFirst>
HWY_INLINE void fetch_block(const Search& search, const Rows& rows, const Tile& block) {
  if (rows.first == nullptr || rows.streams) return;
  const Axes end = end_of(search, block, kFirst);
  for (std::int64_t z = block.first[0]; z < end[0]; ++z)
    for (std::int64_t y = block.first[1]; y < end[1]; ++y) {
      __builtin_prefetch(rows.at<std::int32_t>({z, y, block.first[2]}), 1);
      __builtin_prefetch(rows.at<std::int32_t>({z, y, end[2] - 1}), 1);
    }
}

/// Writes `count` words from `to` on, of which value(i) are those from the i-th on.
template <class D, class Value>
HWY_INLINE void write_words(D d, const Rows& rows, hn::TFromD<D>* to, std::int64_t count,
                            const Value& value) {
  constexpr bool kIsWhole = hn::MaxLanes(d) >= 4;  // parts of vectors cannot be streamed
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  if (kIsWhole && may_stream(rows, to, count))
    for (; i < count; i += lanes) hn::Stream(value(i), d, to + i);
  else
    for (; i + lanes <= count; i += lanes) hn::StoreU(value(i), d, to + i);
  if (i == count) return;
  alignas(64) hn::TFromD<D> rest[16];
  hn::Store(value(i), d, rest);
  std::copy_n(rest, count - i, to + i);
}

/// The distances from cells to their sites, as floats.
///
/// The distance is √S units, rounded to double at each step and to float last. Here S is rounded at
/// each step, too, so that the distance is right to within 2^-48. Where it lies so close to the
/// middle of two floats that this could matter, it is found from the exact S.
template <std::size_t kFirst, Metric kMetric>
class Distances {
 public:
  HWY_INLINE explicit Distances(const Search& search) : search_(&search) {
    const Doubles d;
    unit_ = hn::Set(d, search.distance_unit);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      at_[axis] = search.sites.at[axis];
      factor_[axis] = hn::Set(d, search.factor[axis]);
    }
  }

  /// Those of as many cells, from `cell` on, as a vector of doubles has.
  HWY_INLINE hn::Vec<Halves> operator()(const Axes& cell, const std::int32_t* sites) const {
    const Doubles d;
    const auto squared = squared_of(cell, sites);
    auto length = squared;
    if constexpr (kMetric == Metric::euclidean) length = hn::Sqrt(squared);
    const auto distance = hn::Mul(length, unit_);
    const auto rounded = hn::DemoteTo(Halves(), distance);
    const auto sure = hn::Or(is_sure(distance), hn::Eq(squared, hn::Zero(d)));
    return hn::AllTrue(d, sure) ? rounded : with_exact(*search_, cell, sites, sure, rounded);
  }

 private:
  /// S in cells times factors, rounded.
  HWY_INLINE DoubleV squared_of(const Axes& cell, const std::int32_t* sites) const {
    const Doubles d;
    const hn::RebindToSigned<Doubles> di;
    const hn::Rebind<std::int32_t, Doubles> narrow;
    const auto place = hn::PromoteTo(di, hn::LoadU(narrow, sites));
    auto sum = hn::Zero(d);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      auto at = hn::Set(d, static_cast<double>(cell[axis]));
      if (axis == 2) at = hn::Add(at, hn::Iota(d, 0));
      const auto way = hn::Sub(at, cpu::HWY_NAMESPACE::gather(d, at_[axis], place));
      if constexpr (kMetric == Metric::euclidean)
        sum = hn::Add(sum, hn::Mul(factor_[axis], hn::Mul(way, way)));
      else if constexpr (kMetric == Metric::manhattan)
        sum = hn::Add(sum, hn::Mul(factor_[axis], hn::Abs(way)));
      else
        sum = hn::Max(sum, hn::Mul(factor_[axis], hn::Abs(way)));
    }
    return sum;
  }

  /// Whether a distance is far enough from the middle of two floats.
  HWY_INLINE static hn::Mask<Doubles> is_sure(DoubleV distance) {
    const Doubles d;
    const hn::RebindToSigned<Doubles> di;
    constexpr std::int64_t kMiddle = std::int64_t{1} << 28, kSure = 1 << 8;
    const auto below = hn::And(hn::BitCast(di, distance), hn::Set(di, 2 * kMiddle - 1));
    const auto apart = hn::Abs(hn::Sub(below, hn::Set(di, kMiddle)));
    return hn::RebindMask(d, hn::Gt(apart, hn::Set(di, kSure)));
  }

  HWY_NOINLINE static hn::Vec<Halves> with_exact(const Search& search, const Axes& first,
                                                 const std::int32_t* sites, hn::Mask<Doubles> sure,
                                                 hn::Vec<Halves> rounded) {
    const Doubles d;
    alignas(64) double is_known[8];
    alignas(64) float distance[8];
    hn::Store(hn::IfThenElseZero(sure, hn::Set(d, 1)), d, is_known);
    hn::Store(rounded, Halves(), distance);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if (is_known[lane] != 0) continue;
      const Axes cell{first[0], first[1], first[2] + static_cast<std::int64_t>(lane)};
      const auto site = static_cast<std::uint32_t>(sites[lane]);
      distance[lane] = static_cast<float>(
          to_distance(search.problem->weights, kMetric, squared_at(search, site, cell)));
    }
    return hn::Load(Halves(), distance);
  }

  const Search* search_;
  const double* at_[kAxes] = {};
  DoubleV factor_[kAxes];
  DoubleV unit_;
};

/// Writes rows of winners, with room for a vector more among them.
template <std::size_t kFirst, Metric kMetric>
class RowsOfWinners {
 public:
  HWY_INLINE explicit RowsOfWinners(const Search& search)
      : search_(search),
        label_(reinterpret_cast<const std::int32_t*>(search.label)),
        distances_(search) {}

  HWY_INLINE void write(const Axes& cell, std::int64_t count, const std::int32_t* winners) const {
    const HalfWords d;
    if (search_.writes_labels_alone())
      return write_words(d, search_.labels, search_.labels.at<std::int32_t>(cell), count,
                         [&](std::int64_t i) HWY_ATTR { return hn::LoadU(d, winners + i); });
    if (label_ != nullptr)
      write_words(d, search_.labels, search_.labels.at<std::int32_t>(cell), count,
                  [&](std::int64_t i)
                      HWY_ATTR { return hn::GatherIndex(d, label_, hn::LoadU(d, winners + i)); });
    if (search_.distance.first != nullptr)
      write_words(Halves(), search_.distance, search_.distance.at<float>(cell), count,
                  [&](std::int64_t i) HWY_ATTR {
                    return distances_({cell[0], cell[1], cell[2] + i}, winners + i);
                  });
    if (search_.write_row != nullptr) search_.write_row(search_.writer, cell, count, winners);
  }

 private:
  const Search& search_;
  const std::int32_t* label_;
  Distances<kFirst, kMetric> distances_;
};

/// Gives all cells of a tile to one site.
template <std::size_t kFirst, Metric kMetric>
HWY_INLINE void write_tile(const Search& search, const Tile& tile, std::uint32_t site) {
  constexpr std::int64_t kAtOnce = kChunk;
  const Axes end = end_of(search, tile, kFirst);
  const RowsOfWinners<kFirst, kMetric> rows(search);
  const std::int64_t width = std::min(kAtOnce, end[2] - tile.first[2]);
  std::int32_t winners[kAtOnce + kSlack];
  std::fill_n(winners, width + kSlack, result_of(search, site));
  for (std::int64_t z = tile.first[0]; z < end[0]; ++z)
    for (std::int64_t y = tile.first[1]; y < end[1]; ++y)
      for_each_chunk(z, y, tile.first[2], end[2], [&](const Chunk& chunk) HWY_ATTR {
        rows.write({chunk.z, chunk.y, chunk.x}, chunk.count, winners);
      });
}

/// Writes a block of cells, whose winners lie in the order of (z, y, x).
template <std::size_t kFirst, Metric kMetric>
HWY_INLINE void write_block(const Search& search, const Tile& block, const std::int32_t* winners) {
  const Axes end = end_of(search, block, kFirst);
  const RowsOfWinners<kFirst, kMetric> rows(search);
  for (std::int64_t z = block.first[0]; z < end[0]; ++z)
    for (std::int64_t y = block.first[1]; y < end[1]; ++y) {
      const std::int64_t row = (z - block.first[0]) * kBlockEdge + (y - block.first[1]);
      rows.write({z, y, block.first[2]}, end[2] - block.first[2], winners + row * kBlockEdge);
    }
}

/// Puts the winners of a tile, row(z, y) for each of its rows, into the block around it.
template <class Row>
HWY_INLINE void put_into_block(const Tile& tile, std::int32_t* block, std::size_t first_axis,
                               const Row& row) {
  Axes at{};
  for (std::size_t axis = first_axis; axis < kAxes; ++axis)
    at[axis] = tile.first[axis] % kBlockEdge;
  const std::int64_t planes = first_axis == 0 ? tile.edge : 1;
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < tile.edge; ++y) {
      std::int32_t* const to = block + ((at[0] + z) * kBlockEdge + at[1] + y) * kBlockEdge + at[2];
      std::copy_n(row(z, y), tile.edge, to);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
