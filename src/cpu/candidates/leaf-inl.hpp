// SPDX-License-Identifier: Apache-2.0
//
// Leaves of the search by candidates: every cell looks at every candidate.
//
// A vector of cells keeps the least and the second least key in floats. Where they differ by more
// than what rounding could change, the cell is decided. Where all floats are whole multiples of a
// common unit, and few enough, they are exact: then a cell is decided anyway, and because the list
// is in the order of the site index, the first one of several equal keys is the right one. Cells
// that are left are looked at once more in doubles, and last in integers.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_LEAF_INL
#undef THIESSEN_CPU_CANDIDATES_LEAF_INL
#else
#define THIESSEN_CPU_CANDIDATES_LEAF_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "cpu/candidates/keys-inl.hpp"
#include "cpu/candidates/write-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

using FloatV = hn::Vec<Floats>;
using WordV = hn::Vec<Words>;

/// Floats have at most 16 roundings: more than 16 units of 2^-24 of the sum of all terms.
inline constexpr double kFloatRounding = 0x1p-20;

/// Sites as seen from the centre of a box.
template <class Key, std::size_t kFirst>
class Eyesight {
 public:
  HWY_INLINE Eyesight(const Sites& sites, const Box& box) : sites_(sites), box_(box) {}

  HWY_INLINE SeenV see(const std::uint32_t* site) const {
    const Doubles d;
    const hn::RebindToUnsigned<Doubles> du;
    const hn::RebindToSigned<Doubles> di;
    const hn::Rebind<std::uint32_t, Doubles> narrow;
    const auto place = hn::BitCast(di, hn::PromoteTo(du, hn::LoadU(narrow, site)));
    SeenV seen;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const auto at = cpu::HWY_NAMESPACE::gather(d, sites_.at[axis], place);
      seen.delta[axis] =
          hn::Mul(hn::Sub(hn::Set(d, box_.centre[axis]), at), hn::Set(d, sites_.length[axis]));
    }
    if constexpr (Key::kHasForm) {
      const auto in_doubles = hn::Add(hn::ShiftLeft<2>(place), hn::ShiftLeft<1>(place));
      const auto entry = [&](const double& first)
                             HWY_ATTR { return cpu::HWY_NAMESPACE::gather(d, &first, in_doubles); };
      static_assert(sizeof(*sites_.form) == 6 * sizeof(double));
      for (std::size_t axis = kFirst; axis < kAxes; ++axis)
        seen.square[axis] = entry(sites_.form->square[axis]);
      for (std::size_t other = 0; other < (kFirst > 0 ? 1 : kAxes); ++other)
        seen.cross[other] = entry(sites_.form->cross[other]);
    }
    if constexpr (Key::kHasScale) {
      seen.weight = hn::Zero(d);
      seen.scale = cpu::HWY_NAMESPACE::gather(d, sites_.scale, place);
    } else {
      seen.weight = sites_.weight == nullptr ? hn::Zero(d)
                                             : cpu::HWY_NAMESPACE::gather(d, sites_.weight, place);
      seen.scale = hn::Set(d, 1);
    }
    return seen;
  }

  HWY_INLINE Seen see_one(std::uint32_t site) const {
    Seen seen;
    seen.site = site;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      seen.delta[axis] = (box_.centre[axis] - sites_.at[axis][site]) * sites_.length[axis];
    if (sites_.weight != nullptr) seen.weight = sites_.weight[site];
    if (sites_.scale != nullptr) seen.scale = sites_.scale[site];
    if constexpr (Key::kHasForm) seen.form = sites_.form[site];
    return seen;
  }

 private:
  const Sites& sites_;
  const Box& box_;
};

/// Finds the keys at the centre of a box of the sites of a list, from `begin` on.
template <class Key, std::size_t kFirst>
void find_keys(const Sites& sites, const Box& box, Candidates& list, std::size_t begin) {
  const Doubles d;
  const Eyesight<Key, kFirst> eyes(sites, box);
  for (std::size_t i = begin; i < list.count; i += hn::Lanes(d))
    hn::StoreU(Key::key(eyes.see(list.site.data() + i)), d, list.key.data() + i);
}

/// The cells of a leaf, as coordinates from its centre, in the order of (z, y, x).
template <std::int64_t kEdge, int kRank>
struct LeafCells {
  static constexpr std::size_t kCount =
      static_cast<std::size_t>(kRank == 2 ? kEdge * kEdge : kEdge * kEdge * kEdge);
  alignas(64) std::array<float, kCount> at[kAxes];

  constexpr LeafCells() : at{} {
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      const std::int64_t row = cell / kEdge;
      const std::int64_t plane = row / kEdge;
      const float half = 0.5f * static_cast<float>(kEdge - 1);
      at[2][i] = static_cast<float>(cell % kEdge) - half;
      at[1][i] = static_cast<float>(row % kEdge) - half;
      if (kRank == 3) at[0][i] = static_cast<float>(plane) - half;
    }
  }
};

template <std::int64_t kEdge, int kRank>
inline constexpr LeafCells<kEdge, kRank> kLeafCells;

/// When the two least keys of a cell tell the winner: if they differ by more than `absolute`, or by
/// more than `relative` of the second one. If floats are exact, they always do.
struct LeafMargin {
  bool is_exact = false;
  float absolute = 0;
  float relative = 0;
};

/// Differences of keys S − w to that of one of the candidates: linear functions. A leaf of other
/// keys whose weights are all the same has these, too, without weights.
template <int kRank>
struct LinearTerm {
  static constexpr std::size_t kFirst = kAxes - kRank;
  FloatV base, along_y, along_z;

  HWY_INLINE LinearTerm(const LeafSite& site, FloatV x, const std::array<float, kAxes>&) {
    const Floats d;
    base = hn::Add(hn::Set(d, site.constant), hn::Mul(hn::Set(d, site.part[2]), x));
    along_y = hn::Set(d, site.part[1]);
    along_z = hn::Set(d, site.part[0]);
  }
  HWY_INLINE FloatV operator()(FloatV y, FloatV z) const {
    auto key = hn::Add(base, hn::Mul(along_y, y));
    if constexpr (kRank == 3) key = hn::Add(key, hn::Mul(along_z, z));
    return key;
  }

  template <class Key>
  static LeafMargin prepare(const Search& search, const Box& box, const Candidates& list,
                            std::vector<LeafSite>& leaf) {
    constexpr bool kHasWeights = std::is_same_v<Key, PowerKey<kFirst>>;
    const Sites& sites = search.sites;
    const Eyesight<Key, kFirst> eyes(sites, box);
    const auto key = [&](const Seen& seen) {
      return square_of<kFirst>(seen) - (kHasWeights ? seen.weight : 0);
    };
    const Seen reference = eyes.see_one(list.site[0]);
    double top = 0;
    double terms = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      const Seen seen = eyes.see_one(list.site[i]);
      const double constant = key(seen) - key(reference);
      double sum = std::fabs(constant);
      leaf[i].constant = static_cast<float>(constant);
      for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
        const double slope = 2 * (seen.delta[axis] - reference.delta[axis]);
        leaf[i].part[axis] = static_cast<float>(slope * sites.length[axis]);
        sum += std::fabs(slope) * box.half[axis];
      }
      top = std::max(top, sum);
      terms = std::max(terms, 4 * (square_of<kFirst>(seen) + box.square) +
                                  (kHasWeights ? std::fabs(seen.weight) : 0));
    }
    constexpr double kMostInFloat = 0x1p24, kMostInDouble = 0x1p50;
    if (top < kMostInFloat * sites.quantum && terms < kMostInDouble * sites.quantum)
      return {.is_exact = true};
    const double margin = kFloatRounding * top + 2 * kRounding * terms;
    return {.absolute = static_cast<float>(2.5 * margin)};
  }
};

/// Differences of keys dᵀMd − w to that of one of the candidates: polynomials.
template <int kRank>
struct QuadraticTerm {
  static constexpr std::size_t kFirst = kAxes - kRank;
  FloatV base, along_y, along_z, bend_y, bend_z, cross;

  HWY_INLINE QuadraticTerm(const LeafSite& site, FloatV x, const std::array<float, kAxes>&) {
    const Floats d;
    const auto along = [&](std::size_t axis, float with_x) HWY_ATTR {
      return hn::Add(hn::Set(d, site.part[axis]), hn::Mul(hn::Set(d, with_x), x));
    };
    base = hn::Add(hn::Set(d, site.constant), hn::Mul(along(2, site.bend.square[2]), x));
    along_y = along(1, site.bend.cross[0]);
    along_z = along(0, site.bend.cross[1]);
    bend_y = hn::Set(d, site.bend.square[1]);
    bend_z = hn::Set(d, site.bend.square[0]);
    cross = hn::Set(d, site.bend.cross[2]);
  }
  HWY_INLINE FloatV operator()(FloatV y, FloatV z) const {
    auto key = hn::Add(base, hn::Mul(hn::Add(along_y, hn::Mul(bend_y, y)), y));
    if constexpr (kRank == 3) {
      const auto slope = hn::Add(hn::Add(along_z, hn::Mul(cross, y)), hn::Mul(bend_z, z));
      key = hn::Add(key, hn::Mul(slope, z));
    }
    return key;
  }

  template <class Key>
  static LeafMargin prepare(const Search& search, const Box& box, const Candidates& list,
                            std::vector<LeafSite>& leaf) {
    const Sites& sites = search.sites;
    const Eyesight<Key, kFirst> eyes(sites, box);
    const Seen reference = eyes.see_one(list.site[0]);
    double top = 0;
    double terms = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      const Seen seen = eyes.see_one(list.site[i]);
      const double constant = Key::key(seen) - Key::key(reference);
      double sum = std::fabs(constant);
      leaf[i].constant = static_cast<float>(constant);
      for (std::size_t a = kFirst; a < kAxes; ++a) {
        double slope = 0;
        for (std::size_t b = kFirst; b < kAxes; ++b) {
          slope +=
              2 * (seen.form(a, b) * seen.delta[b] - reference.form(a, b) * reference.delta[b]);
          const double bend = seen.form(a, b) - reference.form(a, b);
          leaf[i].bend(a, b) = static_cast<float>(a == b ? bend : 2 * bend);
          sum += std::fabs(bend) * box.half[a] * box.half[b];
        }
        leaf[i].part[a] = static_cast<float>(slope);
        sum += std::fabs(slope) * box.half[a];
      }
      top = std::max(top, sum);
      terms = std::max(terms, Key::terms(seen, 0) + Key::trace(seen) * box.square);
    }
    // Centres of cells are half a cell from that of a leaf, so that terms are whole quarters.
    constexpr double kMostInFloat = 0x1p21, kMostInDouble = 0x1p48;
    if (top < kMostInFloat * sites.quantum && terms < kMostInDouble * sites.quantum)
      return {.is_exact = true};
    const double margin = kFloatRounding * top + 8 * kRounding * terms;
    return {.absolute = static_cast<float>(2.5 * margin)};
  }
};

/// The way from a site along an axis.
HWY_INLINE FloatV way(float site, FloatV cell, float length) {
  const Floats d;
  return hn::Mul(hn::Sub(cell, hn::Set(d, site)), hn::Set(d, length));
}

/// Puts the coordinates of the candidates, from the centre of the leaf, into the list of a leaf.
/// Returns the greatest sum of the ways along all axes.
template <class Key, std::size_t kFirst>
HWY_INLINE double prepare_ways(const Sites& sites, const Box& box, const Candidates& list,
                               std::vector<LeafSite>& leaf) {
  const Eyesight<Key, kFirst> eyes(sites, box);
  double longest = 0;
  for (std::size_t i = 0; i < list.count; ++i) {
    const Seen seen = eyes.see_one(list.site[i]);
    double sum = 0;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      leaf[i].part[axis] = static_cast<float>(sites.at[axis][list.site[i]] - box.centre[axis]);
      sum += std::fabs(seen.delta[axis]) + box.half[axis];
    }
    longest = std::max(longest, sum);
  }
  return longest;
}

/// Squared distances, and a constant of the site.
template <int kRank>
struct SquareTerm {
  static constexpr std::size_t kFirst = kAxes - kRank;
  FloatV base, at_y, at_z, constant;
  float length_y, length_z;

  HWY_INLINE SquareTerm(const LeafSite& site, FloatV x, const std::array<float, kAxes>& length)
      : length_y(length[1]), length_z(length[0]) {
    const Floats d;
    const auto dx = way(site.part[2], x, length[2]);
    base = hn::Mul(dx, dx);
    at_y = hn::Set(d, site.part[1]);
    at_z = hn::Set(d, site.part[0]);
    constant = hn::Set(d, site.constant);
  }
  HWY_INLINE FloatV square(FloatV y, FloatV z) const {
    const Floats d;
    const auto dy = hn::Mul(hn::Sub(y, at_y), hn::Set(d, length_y));
    auto square = hn::Add(base, hn::Mul(dy, dy));
    if constexpr (kRank == 3) {
      const auto dz = hn::Mul(hn::Sub(z, at_z), hn::Set(d, length_z));
      square = hn::Add(square, hn::Mul(dz, dz));
    }
    return square;
  }
};

/// Keys √S − w, less the weight of one of the candidates.
template <int kRank>
struct AdditiveTerm : SquareTerm<kRank> {
  using Base = SquareTerm<kRank>;

  HWY_INLINE AdditiveTerm(const LeafSite& site, FloatV x, const std::array<float, kAxes>& length)
      : Base(site, x, length) {}
  HWY_INLINE FloatV operator()(FloatV y, FloatV z) const {
    return hn::Sub(hn::Sqrt(Base::square(y, z)), Base::constant);
  }

  template <class Key>
  static LeafMargin prepare(const Search& search, const Box& box, const Candidates& list,
                            std::vector<LeafSite>& leaf) {
    const Sites& sites = search.sites;
    const double longest = prepare_ways<Key, Base::kFirst>(sites, box, list, leaf);
    const double reference = sites.weight[list.site[0]];
    double margin = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      const double weight = sites.weight[list.site[i]];
      leaf[i].constant = static_cast<float>(weight - reference);
      margin = std::max(margin, kFloatRounding * (longest + std::fabs(weight - reference)) +
                                    kRounding * (std::fabs(weight) + std::fabs(reference)));
    }
    return {.absolute = static_cast<float>(2.5 * margin)};
  }
};

/// Keys S / w². They are products, so that rounding changes them in proportion.
template <int kRank>
struct MultiplicativeTerm : SquareTerm<kRank> {
  using Base = SquareTerm<kRank>;

  HWY_INLINE MultiplicativeTerm(const LeafSite& site, FloatV x,
                                const std::array<float, kAxes>& length)
      : Base(site, x, length) {}

  HWY_INLINE FloatV operator()(FloatV y, FloatV z) const {
    return hn::Mul(Base::square(y, z), Base::constant);
  }

  template <class Key>
  static LeafMargin prepare(const Search& search, const Box& box, const Candidates& list,
                            std::vector<LeafSite>& leaf) {
    const Sites& sites = search.sites;
    prepare_ways<Key, Base::kFirst>(sites, box, list, leaf);
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      least = std::min(least, sites.scale[list.site[i]]);
      greatest = std::max(greatest, sites.scale[list.site[i]]);
    }
    for (std::size_t i = 0; i < list.count; ++i)
      leaf[i].constant = static_cast<float>(sites.scale[list.site[i]] / greatest);
    // Beyond that, floats could become 0.
    constexpr double kMostApart = 0x1p-60;
    return {.relative = least < kMostApart * greatest ? std::numeric_limits<float>::infinity()
                                                      : static_cast<float>(2.5 * kFloatRounding)};
  }
};

/// Keys that are sums or maxima of the ways along the axes.
template <int kRank, bool kIsSum>
struct WayTerm {
  static constexpr std::size_t kFirst = kAxes - kRank;
  FloatV base, at_y, at_z;
  float length_y, length_z;

  HWY_INLINE WayTerm(const LeafSite& site, FloatV x, const std::array<float, kAxes>& length)
      : length_y(length[1]), length_z(length[0]) {
    const Floats d;
    base = hn::Abs(way(site.part[2], x, length[2]));
    at_y = hn::Set(d, site.part[1]);
    at_z = hn::Set(d, site.part[0]);
  }
  HWY_INLINE static FloatV join(FloatV a, FloatV b) {
    return kIsSum ? hn::Add(a, b) : hn::Max(a, b);
  }
  HWY_INLINE FloatV operator()(FloatV y, FloatV z) const {
    const Floats d;
    auto key = join(base, hn::Abs(hn::Mul(hn::Sub(y, at_y), hn::Set(d, length_y))));
    if constexpr (kRank == 3)
      key = join(key, hn::Abs(hn::Mul(hn::Sub(z, at_z), hn::Set(d, length_z))));
    return key;
  }

  template <class Key>
  static LeafMargin prepare(const Search& search, const Box& box, const Candidates& list,
                            std::vector<LeafSite>& leaf) {
    const double longest = prepare_ways<Key, kFirst>(search.sites, box, list, leaf);
    constexpr double kMostInFloat = 0x1p22;
    if (longest < kMostInFloat * search.sites.quantum) return {.is_exact = true};
    return {.absolute = static_cast<float>(2.5 * kFloatRounding * longest)};
  }
};

/// How floats find the keys of a kind.
template <template <std::size_t> class KeyOf, int kRank>
struct TermOf;
template <int kRank>
struct TermOf<PowerKey, kRank> : std::type_identity<LinearTerm<kRank>> {};
template <int kRank>
struct TermOf<AdditiveKey, kRank> : std::type_identity<AdditiveTerm<kRank>> {};
template <int kRank>
struct TermOf<MultiplicativeKey, kRank> : std::type_identity<MultiplicativeTerm<kRank>> {};
template <int kRank>
struct TermOf<MetricKey, kRank> : std::type_identity<QuadraticTerm<kRank>> {};
template <int kRank>
struct TermOf<ManhattanKey, kRank> : std::type_identity<WayTerm<kRank, true>> {};
template <int kRank>
struct TermOf<ChessboardKey, kRank> : std::type_identity<WayTerm<kRank, false>> {};

template <template <std::size_t> class KeyOf>
struct WeightingOf : std::integral_constant<Weighting, Weighting::power> {};
template <>
struct WeightingOf<AdditiveKey> : std::integral_constant<Weighting, Weighting::additive> {};
template <>
struct WeightingOf<MultiplicativeKey>
    : std::integral_constant<Weighting, Weighting::multiplicative> {};

/// Bounds of what rounding changes in a key.
template <class Key>
HWY_INLINE double uncertainty(const Seen& seen, double key) {
  return kRounding * Key::terms(seen, key);
}
template <class Key>
HWY_INLINE DoubleV uncertainty(const SeenV& seen, DoubleV key) {
  return hn::Mul(Key::terms(seen, key), hn::Set(Doubles(), kRounding));
}

/// Less than 0, 0 or more than 0, as the key of `a` at a cell is less than that of `b`, equal to it
/// or greater.
template <template <std::size_t> class KeyOf>
int compare_exactly(const Search& search, std::uint32_t a, std::uint32_t b, const Axes& cell) {
  return compare_keys<WeightingOf<KeyOf>::value>(exact_key(search, a, cell),
                                                 exact_key(search, b, cell));
}

HWY_INLINE bool has_one_weight(const Search& search, const Candidates& list) {
  const auto weight = [&](std::size_t i) {
    return search.weights.exact[search.sites.index[list.site[i]]];
  };
  for (std::size_t i = 1; i < list.count; ++i)
    if (weight(i) != weight(0)) return false;
  return true;
}

/// Whether floats hold at least differences of one unit of work.
HWY_INLINE bool may_be_exact(const Sites& sites) { return sites.quantum > 0x1p-24; }

/// Sorts by site index.
HWY_INLINE void sort_by_index(const Sites& sites, Candidates& list) {
  const std::int64_t* const index = sites.index;
  constexpr std::size_t kFew = 24;
  std::uint32_t* const site = list.site.data();
  if (list.count > kFew) {
    std::sort(site, site + list.count,
              [&](std::uint32_t a, std::uint32_t b) { return index[a] < index[b]; });
    return;
  }
  for (std::size_t i = 1; i < list.count; ++i) {
    const std::uint32_t moved = site[i];
    std::size_t to = i;
    for (; to > 0 && index[site[to - 1]] > index[moved]; --to) site[to] = site[to - 1];
    site[to] = moved;
  }
}

/// Prepares the candidates of a leaf, in the order of their indices if that is to decide ties.
template <class Key, class Term>
HWY_INLINE LeafMargin prepare_leaf(const Search& search, const Box& box, Candidates& list,
                                   std::vector<LeafSite>& leaf) {
  const bool is_sorted = may_be_exact(search.sites);
  if (is_sorted) sort_by_index(search.sites, list);
  LeafMargin margin = Term::template prepare<Key>(search, box, list, leaf);
  // In another order only keys that differ are decided.
  if (!is_sorted) margin.is_exact = false;
  return margin;
}

/// Calls visit with the terms of a leaf: linear ones where all candidates have one weight.
template <template <std::size_t> class KeyOf, int kRank, class Visit>
HWY_INLINE void with_terms(const Search& search, const Candidates& list, const Visit& visit) {
  using Term = typename TermOf<KeyOf, kRank>::type;
  constexpr bool kHasRoots = WeightingOf<KeyOf>::value != Weighting::power;
  if constexpr (kHasRoots)
    if (has_one_weight(search, list)) return visit(std::type_identity<LinearTerm<kRank>>());
  visit(std::type_identity<Term>());
}

template <template <std::size_t> class KeyOf, int kRank>
class LeafSearch {
 public:
  /// The edge of the largest leaf.
  static constexpr std::int64_t kEdge = kRank == 2 ? 16 : 8;

  LeafSearch(const Search& search, Workspace& memory, const Box& box)
      : search_(search), memory_(memory), box_(box) {
    if (box.tile.edge == kBlockEdge) winner_ = memory.block.data();
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      length_[axis] = static_cast<float>(search.sites.length[axis]);
  }

  void run(Candidates& list) {
    if (box_.tile.edge == 16) {
      if constexpr (kEdge == 16) run<16>(list);
    } else if (box_.tile.edge == 8) {
      run<8>(list);
    } else {
      run<4>(list);
    }
  }

 private:
  static constexpr std::size_t kFirst = kAxes - kRank;
  static constexpr std::size_t kGroup = 16;  ///< cells with bits in one word
  using Key = KeyOf<kFirst>;
  using Eyes = Eyesight<Key, kFirst>;
  using OpenCells = std::array<std::uint16_t, kMostLeafCells / kGroup>;

  template <std::int64_t kEdgeOf>
  void run(Candidates& list) {
    with_terms<KeyOf, kRank>(search_, list, [&]<class Term>(std::type_identity<Term>) HWY_ATTR {
      run<kEdgeOf, Term>(list);
    });
  }

  template <std::int64_t kEdgeOf, class Term>
  void run(Candidates& list) {
    memory_.leaf.resize(std::max(memory_.leaf.size(), list.count));
    const LeafMargin margin = prepare_leaf<Key, Term>(search_, box_, list, memory_.leaf);
    for (std::size_t i = 0; i < list.count; ++i)
      memory_.leaf[i].value = result_of(search_, list.site[i]);
    OpenCells open{};
    compare<kEdgeOf, Term>(list.count, margin, open);
    decide<kEdgeOf>(list, open);
    if (kEdgeOf == kBlockEdge) return;
    put_into_block(box_.tile, memory_.block.data(), kFirst, [&](std::int64_t z, std::int64_t y) {
      return winner_ + (z * kEdgeOf + y) * kEdgeOf;
    });
  }

  /// Finds the winners in floats, and marks the cells that these do not decide.
  template <std::int64_t kEdgeOf, class Term>
  HWY_INLINE void compare(std::size_t count, const LeafMargin& margin, OpenCells& open) {
    const Floats d;
    constexpr std::size_t kLanes = hn::MaxLanes(d);
    constexpr std::size_t kVectors = LeafCells<kEdgeOf, kRank>::kCount / kLanes;
    // Vectors that begin at the same x go together.
    constexpr std::size_t kParts =
        static_cast<std::size_t>(kEdgeOf) > kLanes ? static_cast<std::size_t>(kEdgeOf) / kLanes : 1;
    constexpr std::size_t kMost = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 ? 4 : 8;
    constexpr std::size_t kAtOnce = std::min(kMost, kVectors / kParts);
    for (std::size_t part = 0; part < kParts; ++part)
      for (std::size_t first = part; first < kVectors; first += kParts * kAtOnce)
        compare<kEdgeOf, Term, kAtOnce, kParts>(first, count, margin, open);
  }

  /// The same for kAtOnce vectors of cells, each kStep vectors after the one before.
  template <std::int64_t kEdgeOf, class Term, std::size_t kAtOnce, std::size_t kStep>
  HWY_INLINE void compare(std::size_t first, std::size_t count, const LeafMargin& margin,
                          OpenCells& open) {
    const Floats d;
    const Words dw;
    constexpr std::size_t kLanes = hn::MaxLanes(d);
    const auto& cells = kLeafCells<kEdgeOf, kRank>;
    const auto cell = [&](std::size_t i) { return (first + i * kStep) * kLanes; };
    FloatV least[kAtOnce], second[kAtOnce];
    WordV winner[kAtOnce];
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      least[i] = second[i] = hn::Set(d, std::numeric_limits<float>::infinity());
      winner[i] = hn::Zero(dw);
    }
    const auto x = hn::Load(d, cells.at[2].data() + cell(0));
    for (std::size_t k = 0; k < count; ++k) {
      const LeafSite& site = memory_.leaf[k];
      const Term term(site, x, length_);
      const auto value = hn::Set(dw, site.value);
      HWY_UNROLL(8)
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        const auto key = term(hn::Load(d, cells.at[1].data() + cell(i)),
                              hn::Load(d, cells.at[0].data() + cell(i)));
        const auto is_less = hn::Lt(key, least[i]);
        second[i] = hn::Min(second[i], hn::Max(key, least[i]));
        winner[i] = hn::IfThenElse(hn::RebindMask(dw, is_less), value, winner[i]);
        least[i] = hn::Min(key, least[i]);
      }
    }
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      hn::StoreU(winner[i], dw, winner_ + cell(i));
      if (margin.is_exact) continue;
      // Not a number is undecided, too.
      const auto enough = hn::Add(hn::Set(d, margin.absolute),
                                  hn::Mul(hn::Abs(second[i]), hn::Set(d, margin.relative)));
      const auto decided = hn::Gt(hn::Sub(second[i], least[i]), enough);
      if (hn::AllTrue(d, decided)) continue;
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Not(decided), bytes);
      std::uint16_t bits = 0;
      std::memcpy(&bits, bytes, sizeof bits);
      open[cell(i) / kGroup] |= static_cast<std::uint16_t>(bits << cell(i) % kGroup);
    }
  }

  template <std::int64_t kEdgeOf>
  void decide(const Candidates& list, const OpenCells& open) {
    constexpr std::size_t kGroups = LeafCells<kEdgeOf, kRank>::kCount / kGroup;
    constexpr int kFew = 2;
    for (std::size_t group = 0; group < kGroups; ++group) {
      std::uint32_t bits = open[group];
      if (bits == 0) continue;
      if (std::popcount(bits) > kFew) bits &= compare_doubles<kEdgeOf>(list, group);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t i = group * kGroup + static_cast<std::size_t>(std::countr_zero(bits));
        put(i, winner_of(list, cell_of<kEdgeOf>(i)));
      }
    }
  }

  void put(std::size_t i, std::uint32_t site) { winner_[i] = result_of(search_, site); }

  template <std::int64_t kEdgeOf>
  Axes cell_of(std::size_t i) const {
    Axes cell = box_.tile.first;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const float half = 0.5f * static_cast<float>(kEdgeOf - 1);
      cell[axis] += static_cast<std::int64_t>(kLeafCells<kEdgeOf, kRank>.at[axis][i] + half);
    }
    return cell;
  }

  /// Puts the winners of 16 cells where doubles tell them, and returns the bits of the others.
  template <std::int64_t kEdgeOf>
  std::uint32_t compare_doubles(const Candidates& list, std::size_t group) {
    const Doubles d;
    const Sites& sites = search_.sites;
    std::uint32_t open = 0;
    for (std::size_t first = 0; first < kGroup; first += hn::Lanes(d)) {
      const std::size_t cell = group * kGroup + first;
      DoubleV at[kAxes];
      for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
        const hn::Rebind<float, Doubles> narrow;
        at[axis] = hn::Add(
            hn::PromoteTo(d, hn::LoadU(narrow, kLeafCells<kEdgeOf, kRank>.at[axis].data() + cell)),
            hn::Set(d, box_.centre[axis]));
      }
      auto least = hn::Set(d, std::numeric_limits<double>::infinity());
      auto highest = least;  // that the least key may be
      auto others = least;   // that all others are at least
      auto lowest = least;   // that the least key may be
      auto winner = hn::Zero(d);
      for (std::size_t i = 0; i < list.count; ++i) {
        const std::uint32_t site = list.site[i];
        SeenV seen;
        for (std::size_t axis = kFirst; axis < kAxes; ++axis)
          seen.delta[axis] = hn::Mul(hn::Sub(at[axis], hn::Set(d, sites.at[axis][site])),
                                     hn::Set(d, sites.length[axis]));
        seen.weight = hn::Set(d, sites.weight == nullptr ? 0 : sites.weight[site]);
        seen.scale = hn::Set(d, sites.scale == nullptr ? 1 : sites.scale[site]);
        if constexpr (Key::kHasForm)
          for (std::size_t axis = 0; axis < kAxes; ++axis) {
            seen.square[axis] = hn::Set(d, sites.form[site].square[axis]);
            seen.cross[axis] = hn::Set(d, sites.form[site].cross[axis]);
          }
        const auto key = Key::key(seen);
        const auto margin = uncertainty<Key>(seen, key);
        const auto is_less = hn::Lt(key, least);
        const auto low = hn::Sub(key, margin);
        others = hn::Min(others, hn::IfThenElse(is_less, lowest, low));
        lowest = hn::IfThenElse(is_less, low, lowest);
        highest = hn::IfThenElse(is_less, hn::Add(key, margin), highest);
        winner = hn::IfThenElse(is_less, hn::Set(d, static_cast<double>(site)), winner);
        least = hn::Min(key, least);
      }
      alignas(64) double site[8], gain[8];
      hn::Store(winner, d, site);
      hn::Store(hn::Sub(others, highest), d, gain);
      for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
        if (gain[i] > 0)
          put(cell + i, static_cast<std::uint32_t>(site[i]));
        else
          open |= std::uint32_t{1} << (first + i);
      }
    }
    return open;
  }

  /// The exact winner of a cell.
  std::uint32_t winner_of(const Candidates& list, const Axes& cell) const {
    const Tile tile{cell, 1};
    const Box box(search_.sites, tile, kFirst);
    const Eyes eyes(search_.sites, box);
    double highest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < list.count; ++i) {
      const Seen seen = eyes.see_one(list.site[i]);
      const double key = Key::key(seen);
      highest = std::min(highest, key + uncertainty<Key>(seen, key));
    }
    std::uint32_t winner = 0;
    bool has_winner = false;
    for (std::size_t i = 0; i < list.count; ++i) {
      const std::uint32_t site = list.site[i];
      const Seen seen = eyes.see_one(site);
      const double key = Key::key(seen);
      if (key - uncertainty<Key>(seen, key) > highest) continue;
      if (!has_winner || precedes(site, winner, cell)) winner = site;
      has_winner = true;
    }
    return winner;
  }

  bool precedes(std::uint32_t a, std::uint32_t b, const Axes& cell) const {
    const int order = compare_exactly<KeyOf>(search_, a, b, cell);
    return order < 0 || (order == 0 && search_.sites.index[a] < search_.sites.index[b]);
  }

  const Search& search_;
  Workspace& memory_;
  const Box& box_;
  std::int32_t* winner_ = memory_.winner.data();  ///< of the cells; a leaf may be the whole block
  std::array<float, kAxes> length_{};
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
