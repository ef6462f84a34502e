// SPDX-License-Identifier: Apache-2.0
//
// Leaves of the search for the k nearest: every cell looks at every candidate.
//
// A vector of cells keeps its k + 1 least keys in floats, in order, by insertion. Where each
// differs from the next by more than what rounding could change, the cell is decided; so it is
// where floats are exact, as in leaf-inl.hpp. Other cells order their candidates once more in
// doubles, and where these do not tell, in integers. A group keeps the least key of its sites
// alone.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_RANK_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_RANK_LEAF_INL
#undef THIESSEN_CPU_CANDIDATES_RANK_LEAF_INL
#else
#define THIESSEN_CPU_CANDIDATES_RANK_LEAF_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "cpu/candidates/leaf-inl.hpp"
#include "cpu/candidates/numbered.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

template <template <std::size_t> class KeyOf, int kRank>
class RankLeaf {
 public:
  /// The edges of leaves.
  static constexpr std::int64_t kEdge = kRank == 2 ? 16 : 8;
  static constexpr std::int64_t kLeastEdge = kEdge / 2;

  RankLeaf(const Search& search, Workspace& memory, const Box& box)
      : search_(search),
        ranks_(*search.ranks),
        memory_(memory.ranks),
        sites_(memory.leaf),
        block_(memory.ranks.results.data()),
        box_(box),
        cells_(box.tile.edge == kEdge ? cells_of<kEdge>() : cells_of<kLeastEdge>()) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      length_[axis] = static_cast<float>(search.sites.length[axis]);
  }

  /// Puts the results of the leaf into the block.
  void run(Candidates& list) {
    memory_.leaf.resize(static_cast<std::size_t>(ranks_.slots()) * cells_.count);
    const bool has_own = find_own();
    if (list.count == 0) {
      fill_without_sites();
    } else {
      sites_.resize(std::max(sites_.size(), list.count));
      with_terms<KeyOf, kRank>(search_, list, [&]<class Term>(std::type_identity<Term>) HWY_ATTR {
        const LeafMargin margin = prepare_leaf<Key, Term>(search_, box_, list, sites_);
        for (std::size_t i = 0; i < list.count; ++i)
          sites_[i].value = static_cast<std::int32_t>(list.site[i]);
        const bool repeats = find_groups(list);
        compare<Term>(list, margin, has_own || repeats);
      });
    }
    for (std::int64_t slot = 0; slot < ranks_.slots(); ++slot)
      put_into_block(box_.tile, block_ + slot * cells_of_block(kRank), kFirst,
                     [&](std::int64_t z, std::int64_t y) {
                       return result(slot, (z * box_.tile.edge + y) * box_.tile.edge);
                     });
  }

 private:
  static constexpr std::size_t kFirst = kAxes - kRank;
  static constexpr float kInfinite = std::numeric_limits<float>::infinity();
  using Key = KeyOf<kFirst>;
  using Eyes = Eyesight<Key, kFirst>;
  using MaskV = hn::Mask<Floats>;

  /// The cells of the leaf, as in LeafCells.
  struct Cells {
    std::array<const float*, kAxes> at;
    std::size_t count;
  };
  template <std::int64_t kEdgeOf>
  static Cells cells_of() {
    const auto& cells = kLeafCells<kEdgeOf, kRank>;
    return {{cells.at[0].data(), cells.at[1].data(), cells.at[2].data()},
            LeafCells<kEdgeOf, kRank>::kCount};
  }

  std::int32_t* result(std::int64_t slot, std::int64_t cell) const {
    return memory_.leaf.data() + slot * static_cast<std::int64_t>(cells_.count) + cell;
  }

  Axes cell_of(std::size_t i) const {
    Axes cell = box_.tile.first;
    const float half = 0.5f * static_cast<float>(box_.tile.edge - 1);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      cell[axis] += static_cast<std::int64_t>(cells_.at[axis][i] + half);
    return cell;
  }

  /// Reads which cells are sites of their own. Returns whether there are any.
  bool find_own() {
    if (ranks_.own == nullptr) return false;
    memory_.own.assign(cells_.count, 0);
    const Axes& extent = search_.problem->extent;
    bool has_own = false;
    for (std::size_t i = 0; i < cells_.count; ++i) {
      const Axes cell = cell_of(i);
      if (cell[0] >= extent[0] || cell[1] >= extent[1] || cell[2] >= extent[2]) continue;
      memory_.own[i] = ranks_.own[to_index(extent, cell)];
      has_own = has_own || memory_.own[i] != 0;
    }
    return has_own;
  }

  bool is_own(std::size_t i) const { return ranks_.own != nullptr && memory_.own[i] != 0; }

  void fill_without_sites() {
    std::fill(memory_.leaf.begin(), memory_.leaf.end(), kNoSite);
    for (std::size_t i = 0; i < cells_.count; ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      if (is_own(i)) *result(0, cell) = kOwnSite;
      if (ranks_.counts_ties) *result(1, cell) = is_own(i) ? 1 : 0;
    }
  }

  std::uint32_t group(std::uint32_t site) const { return search_.sites.group_of(site); }

  /// Returns whether a group has several candidates.
  bool find_groups(const Candidates& list) {
    memory_.group.resize(list.count);
    for (std::size_t i = 0; i < list.count; ++i) memory_.group[i] = group(list.site[i]);
    if (search_.sites.group == nullptr) return false;
    memory_.seen = memory_.group;
    std::sort(memory_.seen.begin(), memory_.seen.end());
    return std::adjacent_find(memory_.seen.begin(), memory_.seen.end()) != memory_.seen.end();
  }

  template <class Term>
  void compare(Candidates& list, const LeafMargin& margin, bool has_groups) {
    if (has_groups) return compare_any<Term>(list, margin, true);
    if (ranks_.k > kMany) return compare_many<Term>(list, margin);
    if (ranks_.k > kFew) return compare_any<Term>(list, margin, false);
    if (ranks_.k == 1) return compare_few<Term, 1>(list, margin);
    compare_few<Term, kFew>(list, margin);
  }

  /// At most this many ranks stay in registers.
  static constexpr int kFew = 4;
  /// More ranks are sorted for each cell, which is faster than insertion then.
  static constexpr int kMany = 256;

  HWY_INLINE FloatV enough(const LeafMargin& margin, FloatV key) const {
    const Floats d;
    return hn::Add(hn::Set(d, margin.absolute), hn::Mul(hn::Abs(key), hn::Set(d, margin.relative)));
  }

  /// Whether a key is the next one after `key` for sure. Not a number is not.
  HWY_INLINE MaskV is_apart(const LeafMargin& margin, FloatV key, FloatV next) const {
    const Floats d;
    return hn::Or(hn::Gt(hn::Sub(next, key), enough(margin, next)),
                  hn::Eq(next, hn::Set(d, kInfinite)));
  }

  /// At most kMost ranks, each group with one candidate.
  template <class Term, int kMost>
  HWY_INLINE void compare_few(Candidates& list, const LeafMargin& margin) {
    const Floats d;
    const Words dw;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t first = 0; first < cells_.count; first += lanes) {
      const auto x = hn::Load(d, cells_.at[2] + first);
      const auto y = hn::Load(d, cells_.at[1] + first);
      const auto z = hn::Load(d, cells_.at[0] + first);
      FloatV least[kMost + 1];
      WordV value[kMost + 1];
      for (int j = 0; j <= kMost; ++j) {
        least[j] = hn::Set(d, kInfinite);
        value[j] = hn::Set(dw, kNoSite);
      }
      for (std::size_t i = 0; i < list.count; ++i) {
        const LeafSite& site = sites_[i];
        const auto key = Term(site, x, length_)(y, z);
        const auto own = hn::Set(dw, site.value);
        auto is_less = hn::RebindMask(dw, hn::Lt(key, least[kMost - 1]));
        least[kMost] = hn::Max(least[kMost - 1], hn::Min(least[kMost], key));
        HWY_UNROLL(4)
        for (int j = kMost - 1; j > 0; --j) {
          const auto is_less_above = hn::RebindMask(dw, hn::Lt(key, least[j - 1]));
          least[j] = hn::Max(least[j - 1], hn::Min(least[j], key));
          value[j] =
              hn::IfThenElse(is_less_above, value[j - 1], hn::IfThenElse(is_less, own, value[j]));
          is_less = is_less_above;
        }
        least[0] = hn::Min(least[0], key);
        value[0] = hn::IfThenElse(is_less, own, value[0]);
      }
      auto is_decided = hn::FirstN(d, lanes);
      for (int j = 0; j < kMost; ++j) {
        if (j >= ranks_.k) break;
        hn::StoreU(value[j], dw, result(j, static_cast<std::int64_t>(first)));
        if (ranks_.counts_ties || !margin.is_exact)
          is_decided = hn::And(is_decided, is_apart(margin, least[j], least[j + 1]));
      }
      finish(list, first, hn::Not(is_decided));
    }
  }

  /// Orders the candidates of cells that floats leave open.
  HWY_INLINE void finish(Candidates& list, std::size_t first, MaskV is_open) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    if (ranks_.counts_ties)
      std::fill_n(result(1, static_cast<std::int64_t>(first)), lanes, std::int32_t{1});
    if (hn::AllFalse(d, is_open)) return;
    alignas(64) std::array<float, 16> open{};
    hn::Store(hn::IfThenElseZero(is_open, hn::Set(d, 1)), d, open.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (open[lane] != 0) order(list, first + lane);
  }

  /// Any number of ranks. The nearer candidates come first, so that most others go far behind.
  template <class Term>
  void compare_any(Candidates& list, const LeafMargin& margin, bool has_groups) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    const auto k = static_cast<std::size_t>(ranks_.k);
    memory_.levels.resize(k + 1);
    sort_by_key(list);
    for (std::size_t first = 0; first < cells_.count; first += lanes) {
      const auto x = hn::Load(d, cells_.at[2] + first);
      const auto y = hn::Load(d, cells_.at[1] + first);
      const auto z = hn::Load(d, cells_.at[0] + first);
      clear_levels(first);
      auto is_open = hn::Not(hn::FirstN(d, lanes));
      for (const std::uint32_t i : memory_.turn) {
        const auto key = Term(sites_[i], x, length_)(y, z);
        if (hn::AllFalse(d, hn::Le(key, hn::Load(d, memory_.levels[k].key.data())))) continue;
        if (has_groups)
          is_open = hn::Or(is_open, insert_one_of_group(key, i, margin));
        else
          insert(key, i);
      }
      for (std::size_t rank = 0; rank < k; ++rank) {
        const RankLevel& level = memory_.levels[rank];
        const RankLevel& next = memory_.levels[rank + 1];
        std::int32_t* const results =
            result(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(first));
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::int32_t place = level.place[lane];
          results[lane] = place < 0 ? place : sites_[static_cast<std::size_t>(place)].value;
        }
        if (ranks_.counts_ties || !margin.is_exact)
          is_open = hn::Or(is_open, hn::Not(is_apart(margin, hn::Load(d, level.key.data()),
                                                     hn::Load(d, next.key.data()))));
      }
      finish(list, first, is_open);
    }
  }

  /// Very many ranks, each group with one candidate: sorts the keys of each cell.
  template <class Term>
  void compare_many(Candidates& list, const LeafMargin& margin) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    memory_.keys.resize(list.count * lanes);
    memory_.sorted.resize(2 * list.count);
    for (std::size_t first = 0; first < cells_.count; first += lanes) {
      const auto x = hn::Load(d, cells_.at[2] + first);
      const auto y = hn::Load(d, cells_.at[1] + first);
      const auto z = hn::Load(d, cells_.at[0] + first);
      for (std::size_t i = 0; i < list.count; ++i)
        hn::StoreU(Term(sites_[i], x, length_)(y, z), d, memory_.keys.data() + i * lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (!sort_cell(list, margin, first + lane, lane)) order(list, first + lane);
    }
  }

  /// Finds the ranks of a cell from its keys in floats. Returns whether these tell them.
  bool sort_cell(const Candidates& list, const LeafMargin& margin, std::size_t cell,
                 std::size_t lane) {
    const std::size_t lanes = hn::Lanes(Floats());
    const std::span all(memory_.sorted);
    const auto sorted = all.first(list.count);
    for (std::size_t i = 0; i < list.count; ++i)
      sorted[i] = {in_order(memory_.keys[i * lanes + lane]), static_cast<std::uint32_t>(i)};
    sort_numbered(sorted, all.subspan(list.count));
    const auto k = static_cast<std::size_t>(ranks_.k);
    const auto key = [&](std::size_t rank) {
      return memory_.keys[sorted[rank].place * lanes + lane];
    };
    for (std::size_t rank = 0; rank < k; ++rank) {
      const bool is_some = rank < list.count;
      *result(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(cell)) =
          is_some ? sites_[sorted[rank].place].value : kNoSite;
      if (margin.is_exact || rank + 1 >= list.count) continue;
      const float next = key(rank + 1);
      if (!(next - key(rank) > margin.absolute + std::fabs(next) * margin.relative)) return false;
    }
    return true;
  }

  /// Integers in the order of floats, with one for both zeros.
  static std::uint32_t in_order(float key) {
    constexpr std::uint32_t kSign = 0x80000000u;
    const auto bits = std::bit_cast<std::uint32_t>(key + 0.0f);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }

  /// Lists the candidates by their keys at the centre of the leaf.
  void sort_by_key(Candidates& list) {
    find_keys<Key, kFirst>(search_.sites, box_, list, 0);
    memory_.turn.resize(list.count);
    std::iota(memory_.turn.begin(), memory_.turn.end(), 0u);
    std::sort(memory_.turn.begin(), memory_.turn.end(),
              [&](std::uint32_t a, std::uint32_t b) { return list.key[a] < list.key[b]; });
  }

  /// No keys but those of cells that are sites of their own.
  void clear_levels(std::size_t first) {
    for (RankLevel& level : memory_.levels) {
      level.key.fill(kInfinite);
      level.place.fill(kNoSite);
      level.group.fill(-1);
    }
    for (std::size_t lane = 0; lane < hn::Lanes(Floats()); ++lane) {
      if (!is_own(first + lane)) continue;
      memory_.levels[0].key[lane] = -kInfinite;
      memory_.levels[0].place[lane] = kOwnSite;
      memory_.levels[0].group[lane] = static_cast<std::int32_t>(memory_.own[first + lane] - 1);
    }
  }

  /// Whether a candidate comes before another one. If floats are exact, the list is in the order of
  /// the site index; if not, equal keys are looked at again.
  HWY_INLINE static MaskV precedes(FloatV key, WordV place, FloatV other, WordV other_place) {
    const Floats d;
    return hn::Or(hn::Lt(key, other),
                  hn::And(hn::Eq(key, other), hn::RebindMask(d, hn::Lt(place, other_place))));
  }

  void insert(FloatV key, std::uint32_t i) {
    const Floats d;
    const Words dw;
    const auto own = hn::Set(dw, static_cast<std::int32_t>(i));
    RankLevel* const levels = memory_.levels.data();
    auto least = hn::Load(d, levels[ranks_.k].key.data());
    auto place = hn::Load(dw, levels[ranks_.k].place.data());
    auto is_before = precedes(key, own, least, place);
    for (std::int64_t j = ranks_.k; j >= 0 && !hn::AllFalse(d, is_before); --j) {
      RankLevel& level = levels[j];
      const RankLevel& above = levels[std::max<std::int64_t>(j - 1, 0)];
      const auto key_above = hn::Load(d, above.key.data());
      const auto place_above = hn::Load(dw, above.place.data());
      auto comes_down = precedes(key, own, key_above, place_above);
      if (j == 0) comes_down = hn::Not(hn::FirstN(d, hn::Lanes(d)));
      const auto comes_down_word = hn::RebindMask(dw, comes_down);
      const auto is_before_word = hn::RebindMask(dw, is_before);
      hn::Store(hn::IfThenElse(is_before, hn::IfThenElse(comes_down, key_above, key), least), d,
                level.key.data());
      hn::Store(
          hn::IfThenElse(is_before_word, hn::IfThenElse(comes_down_word, place_above, own), place),
          dw, level.place.data());
      is_before = comes_down;
      least = key_above;
      place = place_above;
    }
  }

  /// Whether floats tell which of two keys of a group is less. An infinite one is none.
  HWY_INLINE MaskV is_known(FloatV key, FloatV before, const LeafMargin& margin) const {
    const Floats d;
    if (margin.is_exact) return hn::FirstN(d, hn::Lanes(d));
    return hn::Or(hn::Eq(before, hn::Set(d, kInfinite)),
                  hn::Gt(hn::Abs(hn::Sub(key, before)), enough(margin, hn::Max(key, before))));
  }

  /// The same for a site whose group may be there already: only the first one stays. Returns where
  /// floats do not tell which one that is.
  MaskV insert_one_of_group(FloatV key, std::uint32_t i, const LeafMargin& margin) {
    const Floats d;
    const Words dw;
    const auto own = hn::Set(dw, static_cast<std::int32_t>(i));
    const auto group = hn::Set(dw, static_cast<std::int32_t>(memory_.group[i]));
    RankLevel* const levels = memory_.levels.data();
    auto before = hn::Set(d, kInfinite);  // the key of the group so far
    auto place_before = hn::Set(dw, kNoSite);
    const auto look_at = [&](std::int64_t j) HWY_ATTR {
      const auto is_it = hn::Eq(hn::Load(dw, levels[j].group.data()), group);
      before = hn::IfThenElse(hn::RebindMask(d, is_it), hn::Load(d, levels[j].key.data()), before);
      place_before = hn::IfThenElse(is_it, hn::Load(dw, levels[j].place.data()), place_before);
    };
    for (std::int64_t j = 0; j < ranks_.k; ++j) look_at(j);
    const auto is_open = hn::Not(is_known(key, before, margin));
    look_at(ranks_.k);
    const auto is_new = hn::Eq(before, hn::Set(d, kInfinite));
    key = hn::IfThenElse(hn::Or(is_new, precedes(key, own, before, place_before)), key,
                         hn::Set(d, kInfinite));
    auto is_within = is_new;  // levels up to where the group was
    for (std::int64_t j = ranks_.k; j >= 0; --j) {
      RankLevel& level = levels[j];
      const auto least = hn::Load(d, level.key.data());
      const auto place = hn::Load(dw, level.place.data());
      const auto here = hn::Load(dw, level.group.data());
      is_within = hn::Or(is_within, hn::RebindMask(d, hn::Eq(here, group)));
      const auto is_before =
          hn::And(precedes(key, own, least, place), hn::Lt(key, hn::Set(d, kInfinite)));
      if (hn::AllFalse(d, is_before)) break;
      auto shifted = key;
      auto place_here = own;
      auto group_here = group;
      if (j > 0) {
        const RankLevel& above = levels[j - 1];
        const auto key_above = hn::Load(d, above.key.data());
        const auto place_above = hn::Load(dw, above.place.data());
        const auto comes_down = precedes(key, own, key_above, place_above);
        const auto comes_down_word = hn::RebindMask(dw, comes_down);
        shifted = hn::IfThenElse(comes_down, key_above, key);
        place_here = hn::IfThenElse(comes_down_word, place_above, own);
        group_here = hn::IfThenElse(comes_down_word, hn::Load(dw, above.group.data()), group);
      }
      const auto is_changed = hn::And(is_before, is_within);
      const auto is_changed_word = hn::RebindMask(dw, is_changed);
      hn::Store(hn::IfThenElse(is_changed, shifted, least), d, level.key.data());
      hn::Store(hn::IfThenElse(is_changed_word, place_here, place), dw, level.place.data());
      hn::Store(hn::IfThenElse(is_changed_word, group_here, here), dw, level.group.data());
    }
    return is_open;
  }

  /// Finds the results of a cell exactly.
  void order(Candidates& list, std::size_t i) {
    if (ranks_.counts_ties && is_own(i)) return;
    const CellOrder order(*this, list, cell_of(i));
    const auto at = static_cast<std::int64_t>(i);
    if (ranks_.counts_ties) return count_ties(order, at);
    memory_.seen.clear();
    std::int64_t rank = 0;
    if (is_own(i)) {
      *result(rank++, at) = kOwnSite;
      memory_.seen.push_back(memory_.own[i] - 1);
    }
    const bool has_groups = search_.sites.group != nullptr;
    std::vector<RankedSite>& sites = memory_.order;
    const auto most = static_cast<std::ptrdiff_t>(
        has_groups ? sites.size() : std::min(sites.size(), static_cast<std::size_t>(ranks_.k)));
    std::partial_sort(sites.begin(), sites.begin() + most, sites.end(),
                      [&](const RankedSite& a, const RankedSite& b) { return order.has(a, b); });
    for (auto site = sites.begin(); site < sites.begin() + most && rank < ranks_.k; ++site) {
      if (has_groups && !is_first_of(group(site->site))) continue;
      *result(rank++, at) = static_cast<std::int32_t>(site->site);
    }
    for (; rank < ranks_.k; ++rank) *result(rank, at) = kNoSite;
  }

  /// The order of the candidates at a cell: by keys in doubles where these tell it, else by
  /// integers.
  class CellOrder {
   public:
    CellOrder(RankLeaf& leaf, Candidates& list, const Axes& cell)
        : search_(leaf.search_), cell_(cell), is_exact_(leaf.search_.sites.are_keys_exact) {
      const Doubles d;
      const Tile tile{cell, 1};
      const Box box(search_.sites, tile, kFirst);
      const Eyes eyes(search_.sites, box);
      for (std::size_t i = 0; i < list.count; i += hn::Lanes(d)) {
        const SeenV seen = eyes.see(list.site.data() + i);
        const auto key = Key::key(seen);
        hn::StoreU(key, d, list.key.data() + i);
        hn::StoreU(uncertainty<Key>(seen, key), d, list.lead.data() + i);
      }
      leaf.memory_.order.resize(list.count);
      for (std::size_t i = 0; i < list.count; ++i)
        leaf.memory_.order[i] = {list.key[i], is_exact_ ? 0 : list.lead[i], list.site[i]};
    }

    int compare(const RankedSite& a, const RankedSite& b) const {
      if (a.key + a.margin < b.key - b.margin) return -1;
      if (b.key + b.margin < a.key - a.margin) return 1;
      return is_exact_ ? 0 : compare_exactly<KeyOf>(search_, a.site, b.site, cell_);
    }
    bool has(const RankedSite& first, const RankedSite& second) const {
      const int order = compare(first, second);
      const std::int64_t* const index = search_.sites.index;
      return order < 0 || (order == 0 && index[first.site] < index[second.site]);
    }

   private:
    const Search& search_;
    Axes cell_;
    bool is_exact_;
  };

  void count_ties(const CellOrder& order, std::int64_t at) {
    const std::vector<RankedSite>& sites = memory_.order;
    const auto first =
        std::min_element(sites.begin(), sites.end(),
                         [&](const RankedSite& a, const RankedSite& b) { return order.has(a, b); });
    memory_.seen.clear();
    for (const RankedSite& each : sites)
      if (order.compare(*first, each) == 0) memory_.seen.push_back(group(each.site));
    std::sort(memory_.seen.begin(), memory_.seen.end());
    const auto end = std::unique(memory_.seen.begin(), memory_.seen.end());
    *result(0, at) = static_cast<std::int32_t>(first->site);
    *result(1, at) =
        static_cast<std::int32_t>(std::min<std::int64_t>(end - memory_.seen.begin(), kMostTies));
  }

  /// Whether no site before was of this group.
  bool is_first_of(std::uint32_t group) {
    std::vector<std::uint32_t>& seen = memory_.seen;
    if (std::find(seen.begin(), seen.end(), group) != seen.end()) return false;
    seen.push_back(group);
    return true;
  }

  const Search& search_;
  const RankSearch& ranks_;
  RankMemory& memory_;
  std::vector<LeafSite>& sites_;
  std::int32_t* block_;
  const Box& box_;
  const Cells cells_;
  std::array<float, kAxes> length_{};
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
