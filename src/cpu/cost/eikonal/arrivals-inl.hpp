// SPDX-License-Identifier: Apache-2.0
//
// The second pass over a tile: each cell once, as soon as its earlier neighbours have answers.
//
// Cells that are ready wait in a list. No cell of the list depends on another one, so that they are
// taken as vectors. Then each of their neighbours waits for one cell less, and joins the list if it
// waits for none.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_COST_EIKONAL_ARRIVALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_COST_EIKONAL_ARRIVALS_INL
#undef THIESSEN_CPU_COST_EIKONAL_ARRIVALS_INL
#else
#define THIESSEN_CPU_COST_EIKONAL_ARRIVALS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "cpu/cost/eikonal/sort-inl.hpp"
#include "cpu/cost/eikonal/tile_arrivals.hpp"
#include "cpu/simd/gather-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::eikonal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::gather;

using ArrivalD = hn::CappedTag<double, 8>;
using ArrivalI = hn::Repartition<std::int64_t, ArrivalD>;
using ArrivalV = hn::Vec<ArrivalD>;
using ArrivalM = hn::Mask<ArrivalD>;
using WordV = hn::Vec<ArrivalI>;
using WordM = hn::Mask<ArrivalI>;

HWY_INLINE WordV words(CellWord value) { return hn::Set(ArrivalI(), value); }

HWY_INLINE WordM has_bits(WordV word, WordV bits) {
  return hn::Ne(hn::And(word, bits), hn::Zero(ArrivalI()));
}

HWY_INLINE ArrivalM of_doubles(WordM mask) { return hn::RebindMask(ArrivalD(), mask); }
HWY_INLINE WordM of_words(ArrivalM mask) { return hn::RebindMask(ArrivalI(), mask); }

/// The steps from cell to cell, and the sides, along the axes of a raster.
template <int kRank>
struct Steps {
  static WordV step(const Axes& stride, int axis, bool is_above) {
    const std::int64_t size = stride[static_cast<std::size_t>(kFirst + axis)];
    return words(is_above ? size : -size);
  }
  static WordV bit(int axis, bool is_above, int shift) {
    return words(CellWord{1} << (side(axis, is_above) + shift));
  }
  static constexpr int side(int axis, bool is_above) {
    return static_cast<int>(side_of(static_cast<std::size_t>(kFirst + axis), is_above));
  }

  static constexpr int kFirst = static_cast<int>(kAxes) - kRank;
};

/// What an axis tells of t: that of the earlier neighbour q of the lesser t, extrapolated by a
/// third of the rise to q where the cell behind q counts. Infinity where no neighbour is earlier.
struct ArrivalsV {
  ArrivalV v;
  ArrivalV scale;  ///< 1 / h, or 1.5 / h where it is extrapolated
  ArrivalV near;   ///< t of q
  WordV from;      ///< q
  WordV word;      ///< of q
  ArrivalM is_above;
  ArrivalM counts;  ///< whether t follows from it
};

/// t of cells of these costs: axis after axis counts, the least v first, until t is not above v.
template <int kRank>
HWY_INLINE ArrivalV solve_arrivals(const ArrivalsV* along, ArrivalV own, ArrivalV& least) {
  const ArrivalD d;
  ArrivalV v[kRank], scale[kRank];
  for (int axis = 0; axis < kRank; ++axis) {
    v[axis] = along[axis].v;
    scale[axis] = along[axis].scale;
  }
  sort_axes<kRank>(v, scale);
  least = v[0];
  const auto square = hn::Mul(own, own);
  auto a = hn::Mul(scale[0], scale[0]), b = hn::Zero(d), c = b;
  const auto root = [&]() HWY_ATTR {
    const auto inner = hn::Sub(hn::Mul(b, b), hn::Mul(a, hn::Sub(c, square)));
    return hn::Div(hn::Add(b, hn::Sqrt(hn::Max(inner, hn::Zero(d)))), a);
  };
  auto x = root();
  auto counts = hn::Eq(a, a);
  for (int i = 1; i < kRank; ++i) {
    const auto later = hn::Sub(v[i], v[0]);
    counts = hn::And(counts, hn::Gt(x, later));
    const auto weight = hn::Mul(scale[i], scale[i]);
    a = hn::Add(a, weight);
    b = hn::Add(b, hn::Mul(weight, later));
    c = hn::Add(c, hn::Mul(hn::Mul(weight, later), later));
    x = hn::IfThenElse(counts, root(), x);
  }
  return hn::Add(v[0], x);
}

template <int kRank, bool kHasSites>
class AnswerCells {
 public:
  AnswerCells(const Ground& ground, const Cells& cells, CellList& ready, CellList& beyond)
      : ground_(ground), cells_(cells), answers_(cells.answers), ready_(ready), beyond_(beyond) {
    for (int axis = 0; axis < kRank; ++axis)
      spacing_[axis] = ground_.spacing[static_cast<std::size_t>(S::kFirst + axis)];
  }

  void run() {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(ArrivalD()));
    for (std::int64_t done = 0; done < ready_.count;) {
      const std::int64_t count = std::min(lanes, ready_.count - done);
      answer(ready_.data() + done, count);
      done += count;
    }
  }

 private:
  using S = Steps<kRank>;
  static constexpr int kDirectionWords = (kRank + 1) / 2;

  /// Answers cells, and tells their neighbours. Lanes without a cell have the first one again.
  HWY_INLINE void answer(const std::int64_t* cells, std::int64_t count) {
    const ArrivalD d;
    const ArrivalI di;
    const auto is_there = hn::FirstN(di, static_cast<std::size_t>(count));
    const auto at = hn::IfThenElse(is_there, hn::LoadU(di, cells), words(cells[0]));
    const auto word = hn::GatherIndex(di, answers_.word, at);
    ArrivalsV along[kRank];
    for (int axis = 0; axis < kRank; ++axis) along[axis] = look_along(at, word, axis);
    const auto own = cost_of(at);
    ArrivalV least;
    const auto cost = solve_arrivals<kRank>(along, own, least);
    hn::ScatterIndex(cost, d, answers_.cost, at);
    auto answered = hn::Or(word, words(kWaitsForEver));
    if constexpr (kHasSites) answered = choose_site(at, answered, along, own, cost, least);
    hn::ScatterIndex(answered, di, answers_.word, at);
    tell_neighbours(at, word, is_there);
  }

  HWY_INLINE ArrivalV cost_of(WordV at) const {
    const ArrivalD d;
    const auto value = gather(d, cells_.resistance, at);
    return ground_.is_stiffness ? hn::Div(hn::Set(d, 1), value) : value;
  }

  HWY_INLINE ArrivalsV look_along(WordV at, WordV word, int axis) const {
    const ArrivalD d;
    const ArrivalI di;
    const auto infinity = hn::Set(d, kInfinity);
    const auto look = [&](bool is_above) HWY_ATTR {
      const auto is_earlier = has_bits(word, S::bit(axis, is_above, kEarlierShift));
      const auto step = hn::IfThenElseZero(is_earlier, S::step(cells_.stride, axis, is_above));
      const auto cost = gather(d, answers_.cost, hn::Add(at, step));
      return hn::IfThenElse(of_doubles(is_earlier), cost, infinity);
    };
    const auto below = look(false), above = look(true);
    ArrivalsV told;
    told.is_above = hn::Lt(above, below);
    told.near = hn::Min(above, below);
    const auto exists = hn::Lt(told.near, infinity);
    const auto is_above = of_words(told.is_above);
    const auto way = hn::IfThenElseZero(of_words(exists),
                                        hn::IfThenElse(is_above, S::step(cells_.stride, axis, true),
                                                       S::step(cells_.stride, axis, false)));
    told.from = hn::Add(at, way);
    told.word = hn::GatherIndex(di, answers_.word, told.from);
    const auto bit = hn::IfThenElse(is_above, S::bit(axis, true, kEarlierShift),
                                    S::bit(axis, false, kEarlierShift));
    auto counts = hn::And(of_words(exists), has_bits(told.word, bit));
    const auto behind =
        gather(d, answers_.cost, hn::Add(told.from, hn::IfThenElseZero(counts, way)));
    const auto is_extrapolated = hn::And(of_doubles(counts), hn::Le(behind, told.near));
    const auto third = hn::Div(hn::Sub(told.near, behind), hn::Set(d, 3));
    told.v = hn::IfThenElse(is_extrapolated, hn::Add(told.near, third), told.near);
    const double inverse = 1 / spacing_[axis];
    told.scale = hn::IfThenElse(is_extrapolated, hn::Set(d, 1.5 * inverse), hn::Set(d, inverse));
    return told;
  }

  /// The site of the neighbour whose front, if it went straight on to the cell as a plane, would be
  /// the first. Gives the word of the cell.
  HWY_INLINE WordV choose_site(WordV at, WordV word, ArrivalsV* along, ArrivalV own, ArrivalV cost,
                               ArrivalV least) const {
    const ArrivalD d;
    const ArrivalI di;
    auto first = hn::Set(d, kInfinity);
    auto site = words(std::numeric_limits<CellWord>::max());
    auto low = site, high = words(-1), link = hn::Zero(di), from = at;
    auto has_least = hn::Ne(least, least);
    for (int axis = 0; axis < kRank; ++axis) {
      ArrivalsV& told = along[axis];
      const auto is_least = hn::AndNot(has_least, hn::Eq(told.v, least));
      has_least = hn::Or(has_least, is_least);
      told.counts = hn::Or(is_least, hn::Lt(told.v, cost));
      const auto rank = hn::BitCast(
          di, hn::ShiftRight<kRankShift>(hn::BitCast(hn::RebindToUnsigned<ArrivalI>(), told.word)));
      low = hn::IfThenElse(of_words(told.counts), hn::Min(low, rank), low);
      high = hn::IfThenElse(of_words(told.counts), hn::Max(high, rank), high);
      const auto straight = straight_on(told, own, axis);
      const auto ties = hn::And(hn::Eq(straight, first), of_doubles(hn::Lt(rank, site)));
      const auto better = hn::And(told.counts, hn::Or(hn::Lt(straight, first), ties));
      first = hn::IfThenElse(better, straight, first);
      site = hn::IfThenElse(of_words(better), rank, site);
      from = hn::IfThenElse(of_words(better), told.from, from);
      link = hn::IfThenElse(of_words(better),
                            hn::IfThenElse(of_words(told.is_above), words(S::side(axis, true)),
                                           words(S::side(axis, false))),
                            link);
    }
    const auto turns = hn::And(of_doubles(hn::Eq(low, high)), hn::Gt(own, hn::Zero(d)));
    const auto is_zero = turn(at, along, own, cost, turns, from);
    const auto kept = hn::AndNot(words(kLink | word_of_rank(kNoRank)), word);
    return hn::Or(hn::Or(kept, hn::IfThenElseZero(is_zero, words(kHasNoDirection))),
                  hn::Or(hn::ShiftLeft<kRankShift>(site), hn::ShiftLeft<kLinkShift>(link)));
  }

  HWY_INLINE ArrivalV straight_on(const ArrivalsV& told, ArrivalV own, int axis) const {
    const ArrivalD d;
    const auto part = direction_of(told.from, axis);
    auto along = hn::IfThenElse(told.is_above, hn::Neg(part), part);
    along = hn::IfThenElse(of_doubles(has_bits(told.word, words(kHasNoDirection))), hn::Set(d, 1),
                           along);
    const auto mean = hn::Mul(hn::Add(own, cost_of(told.from)), hn::Set(d, 0.5));
    return hn::Add(told.near, hn::Mul(hn::Mul(mean, hn::Set(d, spacing_[axis])), along));
  }

  /// Gives cells their direction, from what the axes tell where `turns`, else from the cells
  /// `from`. Returns which have none.
  HWY_INLINE WordM turn(WordV at, const ArrivalsV* along, ArrivalV own, ArrivalV cost,
                        ArrivalM turns, WordV from) const {
    const ArrivalD d;
    const ArrivalI di;
    const hn::Rebind<float, ArrivalD> df;
    const hn::Rebind<std::uint32_t, ArrivalD> du32;
    const hn::RebindToUnsigned<ArrivalI> du;
    auto is_zero = hn::Eq(cost, cost);
    hn::Vec<decltype(du)> two[kDirectionWords];
    for (int axis = 0; axis < kRank; ++axis) {
      const ArrivalsV& told = along[axis];
      const auto size = hn::Div(hn::Mul(hn::Sub(cost, told.v), told.scale), own);
      auto part =
          hn::IfThenElseZero(told.counts, hn::IfThenElse(told.is_above, hn::Neg(size), size));
      if (!hn::AllTrue(d, turns)) part = hn::IfThenElse(turns, part, direction_of(from, axis));
      const auto rounded = hn::DemoteTo(df, part);
      is_zero = hn::And(is_zero, hn::Eq(hn::PromoteTo(d, rounded), hn::Zero(d)));
      const auto bits = hn::PromoteTo(du, hn::BitCast(du32, rounded));
      auto& word = two[axis / 2];
      word = axis % 2 == 0 ? bits : hn::Or(word, hn::ShiftLeft<32>(bits));
    }
    for (int i = 0; i < kDirectionWords; ++i)
      hn::ScatterIndex(hn::BitCast(di, two[i]), di, answers_.direction[i], at);
    return of_words(is_zero);
  }

  /// A component of directions.
  HWY_INLINE ArrivalV direction_of(WordV cells, int axis) const {
    const ArrivalI di;
    const hn::RebindToUnsigned<ArrivalI> du;
    const hn::Rebind<std::uint32_t, ArrivalI> du32;
    const hn::Rebind<float, ArrivalI> df;
    auto two = hn::BitCast(du, hn::GatherIndex(di, answers_.direction[axis / 2], cells));
    if (axis % 2 == 1) two = hn::ShiftRight<32>(two);
    return hn::PromoteTo(ArrivalD(), hn::BitCast(df, hn::TruncateTo(du32, two)));
  }

  HWY_INLINE void tell_neighbours(WordV at, WordV own, WordM is_there) {
    const ArrivalI di;
    for (int axis = 0; axis < kRank; ++axis)
      for (const bool is_above : {false, true}) {
        const auto other = hn::Add(at, S::step(cells_.stride, axis, is_above));
        const auto bit = S::bit(axis, !is_above, kWaitsShift);
        const auto word = hn::GatherIndex(di, answers_.word, other);
        const auto waited = hn::And(is_there, has_bits(word, bit));
        const auto left = hn::AndNot(bit, word);
        hn::ScatterIndex(left, di, answers_.word, other);
        const auto is_free = hn::And(waited, hn::Eq(hn::And(left, words(kWaits)), hn::Zero(di)));
        const auto is_beyond = hn::And(is_free, has_bits(own, S::bit(axis, is_above, kEdgesShift)));
        add(ready_, other, hn::AndNot(is_beyond, is_free));
        if (!hn::AllFalse(di, is_beyond)) add(beyond_, other, is_beyond);
      }
  }

  static HWY_INLINE void add(CellList& list, WordV cells, WordM which) {
    list.count += static_cast<std::int64_t>(
        hn::CompressStore(cells, which, ArrivalI(), list.data() + list.count));
  }

  const Ground& ground_;
  const Cells& cells_;
  const Answers& answers_;
  CellList& ready_;
  CellList& beyond_;
  double spacing_[kRank];
};

/// For whom the cells of a row wait. Behind a known cell, only a known cell counts.
template <int kRank>
class RowWaits {
 public:
  RowWaits(const ArrivalField& field, std::int64_t row)
      : field_(field),
        extent_(field.ground.extent),
        first_(row * extent_[2]),
        place_{row / extent_[1], row % extent_[1], 0} {}

  void run() {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(ArrivalD()));
    const std::int64_t width = extent_[2];
    std::int64_t x = 0;
    find_one(x++);
    for (; x + lanes < width; x += lanes) find_some(x);
    for (; x < width; ++x) find_one(x);
  }

 private:
  using S = Steps<kRank>;
  static constexpr std::size_t kFirstSide = side_of(S::kFirst, false);

  bool has_side(std::size_t side, std::int64_t x) const {
    return has_beyond(side, {place_[0], place_[1], x}, extent_);
  }

  /// Whether another tile begins beyond a side of a cell.
  bool is_edge(std::size_t side, std::int64_t x) const {
    const std::size_t axis = axis_of(side);
    const std::int64_t size = TileShape<kRank>::kSize[axis];
    return (axis == 2 ? x : place_[axis]) % size == (is_upper(side) ? size - 1 : 0);
  }

  bool is_known(std::int64_t cell) const {
    return field_.order[cell] < kInfinity && field_.answers.cost[cell] == field_.order[cell];
  }

  void find_one(std::int64_t x) const {
    const std::int64_t cell = first_ + x;
    const double own = field_.order[cell];
    const bool known = is_known(cell);
    CellWord earlier = 0, waits = 0, edges = 0;
    for (std::size_t side = kFirstSide; side < kSides; ++side) {
      const CellWord bit = CellWord{1} << side;
      if (is_edge(side, x)) edges |= bit;
      if (!has_side(side, x) || !(own < kInfinity)) continue;
      const std::int64_t other = cell + step_over(side, extent_);
      const double value = field_.order[other];
      const bool is_earlier = is_upper(side) ? value < own : value <= own;
      if (!is_earlier || (known && !is_known(other))) continue;
      earlier |= bit;
      if (!is_known(other)) waits |= bit;
    }
    CellWord word = earlier << kEarlierShift | edges << kEdgesShift | kLink;
    word |= known || earlier == 0 ? kWaitsForEver : waits << kWaitsShift;
    finish(cell, known, word);
  }

  /// The rest of a word, which known cells have from the start.
  void finish(std::int64_t cell, bool known, CellWord word) const {
    CellWord& place = field_.answers.word[cell];
    if (known)
      place = word | kIsKnown | (place & (word_of_rank(kNoRank) | kHasNoDirection));
    else
      place = word | word_of_rank(kNoRank);
  }

  void find_some(std::int64_t x) const {
    const ArrivalD d;
    const ArrivalI di;
    const double* const order = field_.order + first_ + x;
    const double* const cost = field_.answers.cost + first_ + x;
    const auto own = hn::LoadU(d, order);
    const auto is_reached = hn::Lt(own, hn::Set(d, kInfinity));
    const auto known = hn::And(is_reached, hn::Eq(own, hn::LoadU(d, cost)));
    auto earlier = hn::Zero(di), waits = earlier, edges = earlier;
    for (std::size_t side = kFirstSide; side < kSides; ++side) {
      const auto bit = words(CellWord{1} << side);
      edges = hn::Or(edges, edge_bits(side, x));
      if (!has_side(side, x)) continue;
      const std::int64_t step = step_over(side, extent_);
      const auto other = hn::LoadU(d, order + step);
      const auto also = hn::Eq(other, hn::LoadU(d, cost + step));
      auto counts = is_upper(side) ? hn::Lt(other, own) : hn::Le(other, own);
      counts = hn::And(hn::And(counts, is_reached), hn::Or(also, hn::Not(known)));
      earlier = hn::Or(earlier, hn::IfThenElseZero(of_words(counts), bit));
      waits = hn::Or(waits, hn::IfThenElseZero(of_words(hn::AndNot(also, counts)), bit));
    }
    const auto never = hn::Or(of_words(known), hn::Eq(earlier, hn::Zero(di)));
    auto word = hn::Or(hn::ShiftLeft<kEarlierShift>(earlier), hn::ShiftLeft<kEdgesShift>(edges));
    word = hn::Or(word,
                  hn::IfThenElse(never, words(kWaitsForEver), hn::ShiftLeft<kWaitsShift>(waits)));
    CellWord* const place = field_.answers.word + first_ + x;
    const auto kept = hn::And(hn::LoadU(di, place), words(word_of_rank(kNoRank) | kHasNoDirection));
    const auto rest = hn::IfThenElse(of_words(known), hn::Or(kept, words(kIsKnown)),
                                     words(word_of_rank(kNoRank)));
    hn::StoreU(hn::Or(hn::Or(word, words(kLink)), rest), di, place);
  }

  WordV edge_bits(std::size_t side, std::int64_t x) const {
    const ArrivalI di;
    const auto bit = words(CellWord{1} << side);
    if (axis_of(side) != 2) return is_edge(side, x) ? bit : hn::Zero(di);
    constexpr std::int64_t kLast = TileShape<kRank>::kSize[2] - 1;
    const auto at = hn::And(hn::Iota(di, x), words(kLast));
    return hn::IfThenElseZero(hn::Eq(at, words(is_upper(side) ? kLast : 0)), bit);
  }

  const ArrivalField& field_;
  const Axes& extent_;
  std::int64_t first_;
  Axes place_;
};

template <int kRank>
void find_waits(const ArrivalField& field, std::int64_t row) {
  RowWaits<kRank>(field, row).run();
}

template <int kRank, bool kHasSites>
void answer_cells(const Ground& ground, const Cells& cells, CellList& ready, CellList& beyond) {
  AnswerCells<kRank, kHasSites>(ground, cells, ready, beyond).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::eikonal
HWY_AFTER_NAMESPACE();

#endif
