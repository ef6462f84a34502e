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
#include <array>
#include <cmath>
#include <cstring>

#include "core/order/weights.hpp"
#include "core/search/result_writer.hpp"
#include "core/search/written_key.hpp"
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

/// S of cells and their sites, rounded at each step: right to within 2^-50.
///
/// In a row, neighbours mostly share their site, and with it all but the part of S along x.
template <std::size_t kFirst, Metric kMetric>
class Squares {
 public:
  HWY_INLINE Squares(const Search& search, std::int64_t z, std::int64_t y) {
    const Doubles d;
    cell_ = {static_cast<double>(z), static_cast<double>(y)};
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      at_[axis] = search.sites.at[axis];
      factor_[axis] = search.factor[axis];
    }
    along_ = hn::Set(d, factor_[2]);
  }

  /// Those of as many cells, from x on, as a vector of doubles has.
  HWY_INLINE DoubleV operator()(std::int64_t x, const std::int32_t* sites) {
    const Doubles d;
    const hn::Rebind<std::int32_t, Doubles> narrow;
    const auto winners = hn::LoadU(narrow, sites);
    const auto at = hn::Add(hn::Set(d, static_cast<double>(x)), hn::Iota(d, 0));
    if (!hn::AllTrue(narrow, hn::Eq(winners, hn::Set(narrow, sites[0]))))
      return of_several(at, winners);
    if (sites[0] != site_) see(sites[0]);
    return join(hn::Set(d, across_), part(hn::Sub(at, hn::Set(d, x_)), along_));
  }

 private:
  HWY_INLINE void see(std::int32_t site) {
    site_ = site;
    x_ = at_[2][site];
    across_ = 0;
    for (std::size_t axis = kFirst; axis < 2; ++axis) {
      const double way = std::fabs(cell_[axis] - at_[axis][site]);
      const double part = factor_[axis] * (kMetric == Metric::euclidean ? way * way : way);
      across_ = kMetric == Metric::chessboard ? std::max(across_, part) : across_ + part;
    }
  }

  HWY_INLINE DoubleV of_several(DoubleV x,
                                hn::Vec<hn::Rebind<std::int32_t, Doubles>> winners) const {
    const Doubles d;
    const hn::RebindToSigned<Doubles> di;
    const auto place = hn::PromoteTo(di, winners);
    auto sum = part(hn::Sub(x, cpu::HWY_NAMESPACE::gather(d, at_[2], place)), along_);
    for (std::size_t axis = kFirst; axis < 2; ++axis) {
      const auto at = cpu::HWY_NAMESPACE::gather(d, at_[axis], place);
      sum = join(sum, part(hn::Sub(hn::Set(d, cell_[axis]), at), hn::Set(d, factor_[axis])));
    }
    return sum;
  }

  HWY_INLINE static DoubleV part(DoubleV way, DoubleV factor) {
    return hn::Mul(factor, kMetric == Metric::euclidean ? hn::Mul(way, way) : hn::Abs(way));
  }
  HWY_INLINE static DoubleV join(DoubleV a, DoubleV b) {
    return kMetric == Metric::chessboard ? hn::Max(a, b) : hn::Add(a, b);
  }

  std::array<double, 2> cell_{};  ///< z and y
  std::array<const double*, kAxes> at_{};
  std::array<double, kAxes> factor_{};
  DoubleV along_;
  std::int32_t site_ = kNoSite;  ///< the last one that was seen, with its x, and S but along x
  double x_ = 0, across_ = 0;
};

/// Floats that lie within `margin` of numbers, where there is one alone; else exact(lane).
template <class Exact>
HWY_INLINE hn::Vec<Halves> rounded_surely(DoubleV number, DoubleV margin, const Exact& exact) {
  const Doubles d;
  const Halves dh;
  const auto low = hn::DemoteTo(dh, hn::Sub(number, margin));
  const auto is_sure = hn::Eq(low, hn::DemoteTo(dh, hn::Add(number, margin)));
  if (hn::AllTrue(dh, is_sure)) return low;
  alignas(64) float is_known[8];
  alignas(64) float result[8];
  hn::Store(hn::IfThenElseZero(is_sure, hn::Set(dh, 1)), dh, is_known);
  hn::Store(low, dh, result);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
    if (is_known[lane] == 0) result[lane] = exact(static_cast<std::int64_t>(lane));
  return hn::Load(dh, result);
}

/// The lengths of cells and their sites, as floats.
///
/// Distances are √S units, and keys come of them, rounded to double at each step and to float last.
/// Here S is rounded at each step, too, so that they are right to within a margin. Where another
/// float lies within it, they are found from the exact S.
template <std::size_t kFirst, Metric kMetric>
class Lengths {
 public:
  HWY_INLINE Lengths(const Search& search, std::int64_t z, std::int64_t y)
      : search_(search), squares_(search, z, y), z_(z), y_(y) {}

  HWY_INLINE hn::Vec<Halves> distance(std::int64_t x, const std::int32_t* sites) {
    const Doubles d;
    const auto found = distance_of(squares_(x, sites));
    return rounded_surely(found, hn::Mul(found, hn::Set(d, kRelative)), [&](std::int64_t lane) {
      return static_cast<float>(exact_distance(x, sites, lane));
    });
  }

  HWY_INLINE hn::Vec<Halves> key(std::int64_t x, const std::int32_t* sites) {
    const Doubles d;
    const hn::RebindToSigned<Doubles> di;
    const hn::Rebind<std::int32_t, Doubles> narrow;
    const Weighting weighting = search_.problem->keys.weighting;
    const auto squared = squares_(x, sites);
    const auto weight =
        cpu::HWY_NAMESPACE::gather(d, search_.typed, hn::PromoteTo(di, hn::LoadU(narrow, sites)));
    DoubleV length, found;
    if (weighting == Weighting::power) {
      length = hn::Mul(squared, hn::Set(d, search_.distance_unit * search_.distance_unit));
      found = hn::Sub(length, weight);
    } else {
      length = distance_of(squared);
      found = weighting == Weighting::additive ? hn::Sub(length, weight) : hn::Div(length, weight);
    }
    const auto terms =
        weighting == Weighting::multiplicative ? found : hn::Add(length, hn::Abs(weight));
    return rounded_surely(found, hn::Mul(terms, hn::Set(d, kRelative)),
                          [&](std::int64_t lane) { return exact_key_of(x, sites, lane); });
  }

 private:
  static constexpr double kRelative = 0x1p-46;

  HWY_INLINE DoubleV distance_of(DoubleV squared) const {
    const auto length = kMetric == Metric::euclidean ? hn::Sqrt(squared) : squared;
    return hn::Mul(length, hn::Set(Doubles(), search_.distance_unit));
  }

  Int128 squared(std::int64_t x, const std::int32_t* sites, std::int64_t lane) const {
    return squared_at(search_, static_cast<std::uint32_t>(sites[lane]), {z_, y_, x + lane});
  }
  HWY_NOINLINE double exact_distance(std::int64_t x, const std::int32_t* sites,
                                     std::int64_t lane) const {
    return to_distance(search_.problem->weights, kMetric, squared(x, sites, lane));
  }
  HWY_NOINLINE float exact_key_of(std::int64_t x, const std::int32_t* sites,
                                  std::int64_t lane) const {
    const std::int64_t index = search_.sites.index[sites[lane]];
    return static_cast<float>(
        written_key(search_.problem->keys, squared(x, sites, lane), exact_distance(x, sites, lane),
                    search_.weights.exact[index], search_.weights.typed[index]));
  }

  const Search& search_;
  Squares<kFirst, kMetric> squares_;
  std::int64_t z_, y_;
};

/// Writes rows of winners, with room for a vector more among them.
template <std::size_t kFirst, Metric kMetric>
class RowsOfWinners {
 public:
  HWY_INLINE explicit RowsOfWinners(const Search& search)
      : search_(search), label_(reinterpret_cast<const std::int32_t*>(search.label)) {}

  HWY_INLINE void write(const Axes& cell, std::int64_t count, const std::int32_t* winners) const {
    const HalfWords d;
    if (search_.writes_labels_alone())
      return write_words(d, search_.labels, search_.labels.at<std::int32_t>(cell), count,
                         [&](std::int64_t i) HWY_ATTR { return hn::LoadU(d, winners + i); });
    if (label_ != nullptr)
      write_words(d, search_.labels, search_.labels.at<std::int32_t>(cell), count,
                  [&](std::int64_t i)
                      HWY_ATTR { return hn::GatherIndex(d, label_, hn::LoadU(d, winners + i)); });
    Lengths<kFirst, kMetric> lengths(search_, cell[0], cell[1]);
    if (search_.distance.first != nullptr)
      write_words(Halves(), search_.distance, search_.distance.at<float>(cell), count,
                  [&](std::int64_t i)
                      HWY_ATTR { return lengths.distance(cell[2] + i, winners + i); });
    if (search_.key.first != nullptr)
      write_words(Halves(), search_.key, search_.key.at<float>(cell), count,
                  [&](std::int64_t i) HWY_ATTR { return lengths.key(cell[2] + i, winners + i); });
    if (search_.write_row != nullptr) search_.write_row(search_.writer, cell, count, winners);
  }

 private:
  const Search& search_;
  const std::int32_t* label_;
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
