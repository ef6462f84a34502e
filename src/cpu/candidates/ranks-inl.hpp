// SPDX-License-Identifier: Apache-2.0
//
// Lists of candidates for the k nearest sites of different groups: points, labels, or the images of
// a point on periodic axes. Ties are those at the least key, with k = 1.
//
// As in walk-inl.hpp, with k rivals of different groups, the best ones at the centre of a tile. A
// site is dropped where every one of them has a lesser key in all cells, and where the rival of its
// own group has. Either way it is not the best of its group, or k groups come before it. So is a
// node whose least key is more than the greatest one of all rivals.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_RANKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_RANKS_INL
#undef THIESSEN_CPU_CANDIDATES_RANKS_INL
#else
#define THIESSEN_CPU_CANDIDATES_RANKS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "cpu/candidates/lists-inl.hpp"
#include "cpu/candidates/rank_leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

template <template <std::size_t> class KeyOf, int kRank>
class RankWalk : TileSearch<KeyOf, kRank> {
  using Base = TileSearch<KeyOf, kRank>;

 public:
  RankWalk(const Search& search, Workspace& memory)
      : Base(search, memory),
        ranks_(*search.ranks),
        k_(static_cast<std::size_t>(ranks_.k)),
        rivals_(memory.ranks.rivals) {
    memory.ranks.results.resize(
        static_cast<std::size_t>(ranks_.slots() * cells_of_block(kRank) + kSlack));
  }

  void run(const Tile& tile) {
    Base::run([&](const Candidates& top) { solve(tile, top, 1); });
  }

 private:
  using Base::add_sites;
  using Base::count_cells;
  using Base::for_each_part;
  using Base::keep;
  using Base::kFirst;
  using Base::memory_;
  using Base::node_at;
  using Base::open_children;
  using Base::search_;
  using Base::sites_;
  using Base::take_sites;
  using typename Base::Eyes;
  using typename Base::Key;
  using Leaf = RankLeaf<KeyOf, kRank>;

  /// Writes the cells of a tile.
  // NOLINTNEXTLINE(misc-no-recursion): tiles are halved at most 31 times
  void solve(const Tile& tile, const Candidates& above, std::size_t depth) {
    std::int32_t* const results = memory_.ranks.results.data();
    const RankHooks& hooks = ranks_.hooks;
    if (tile.edge == kBlockEdge && hooks.answer != nullptr &&
        hooks.answer(hooks.self, tile, results))
      return write(tile);
    if (tile.edge == kBlockEdge)
      for (const Search& rank : ranks_.rows) {
        fetch_block<kFirst>(rank, rank.labels, tile);
        fetch_block<kFirst>(rank, rank.distance, tile);
        fetch_block<kFirst>(rank, rank.key, tile);
      }
    Candidates& here = memory_.levels[depth];
    const Box box(sites_, tile, kFirst);
    narrow(box, above, here);
    if (tile.edge > kBlockEdge)
      return for_each_part(tile, [&](const Tile& part) { solve(part, here, depth + 1); });
    fill_block(box, here, depth);
    if (hooks.receive != nullptr) hooks.receive(hooks.self, tile, results);
    write(tile);
  }

  void write(const Tile& block) {
    std::int32_t* const results = memory_.ranks.results.data();
    for (std::size_t rank = 0; rank < ranks_.rows.size(); ++rank)
      write_block<kFirst, Key::kMetric>(
          ranks_.rows[rank], block,
          results + static_cast<std::int64_t>(rank) * cells_of_block(kRank));
    count_cells(block);
  }

  /// Puts the results of a tile into those of the block.
  // NOLINTNEXTLINE(misc-no-recursion): tiles are halved at most 31 times
  void fill_block(const Box& box, Candidates& here, std::size_t depth) {
    const Tile& tile = box.tile;
    if (tile.edge <= Leaf::kEdge && (tile.edge <= Leaf::kLeastEdge || here.count <= most_in_leaf()))
      return Leaf(search_, memory_, box).run(here);
    for_each_part(tile, [&](const Tile& part) {
      Candidates& below = memory_.levels[depth + 1];
      const Box box_of_part(sites_, part, kFirst);
      narrow(box_of_part, here, below);
      fill_block(box_of_part, below, depth + 1);
    });
  }

  /// The cells of a small leaf have more of many ranks in common.
  std::size_t most_in_leaf() const {
    constexpr std::size_t kMany = 32;
    return static_cast<std::size_t>(search_.state->limits.candidates_per_leaf) / 2 +
           2 * std::min(k_, kMany);
  }

  /// Makes the list of a tile from that of the tile above.
  void narrow(const Box& box, const Candidates& above, Candidates& here) {
    take_sites(above, here);
    rivals_.clear();
    see(box, here, 0);
    open_nodes(box, above, here);
    drop_beaten(box, here);
  }

  /// Finds the keys of the sites of a list from `begin` on, and the rivals among them.
  void see(const Box& box, Candidates& list, std::size_t begin) {
    find_keys<Key, kFirst>(sites_, box, list, begin);
    for (std::size_t i = begin; i < list.count; ++i) enter(list.site[i], list.key[i]);
  }

  void challenge(const Box& box, const Node& node) {
    enter(node.best, Key::key(Eyes(sites_, box).see_one(node.best)));
  }

  /// Makes a site a rival if it is one of the best.
  void enter(std::uint32_t site, double key) {
    if (rivals_.size() == k_ && !is_before(key, site, rivals_.back())) return;
    const std::uint32_t own = sites_.group_of(site);
    const auto same = std::find_if(rivals_.begin(), rivals_.end(),
                                   [&](const Rival& rival) { return rival.group == own; });
    if (same != rivals_.end()) {
      if (!is_before(key, site, *same)) return;
      rivals_.erase(same);
    } else if (rivals_.size() == k_) {
      rivals_.pop_back();
    }
    const auto behind = std::find_if(rivals_.begin(), rivals_.end(), [&](const Rival& rival) {
      return is_before(key, site, rival);
    });
    rivals_.insert(behind, {site, own, key});
    are_new_ = true;
  }

  bool is_before(double key, std::uint32_t site, const Rival& rival) const {
    return key < rival.key || (key == rival.key && sites_.index[site] < sites_.index[rival.site]);
  }

  /// Takes over the nodes of the tile above: drops those that are beaten, and opens large ones.
  void open_nodes(const Box& box, const Candidates& above, Candidates& here) {
    if (above.nodes.empty()) return;
    for (const NodeRef& ref : above.nodes) challenge(box, node_at(ref));
    are_new_ = true;
    std::vector<NodeRef>& open = memory_.open;
    open.assign(above.nodes.begin(), above.nodes.end());
    double greatest = 0;
    while (!open.empty()) {
      const NodeRef ref = open.back();
      open.pop_back();
      if (are_new_) greatest = greatest_key(box);
      const Node& node = node_at(ref);
      if (Key::least(sites_, box, node) > greatest || is_beaten(box, node)) continue;
      if (box.tile.edge > Leaf::kEdge && node.extent <= static_cast<float>(box.tile.edge))
        here.nodes.push_back(ref);
      else if (ref.level > 0)
        open_children(ref, [&](const Node& child) { challenge(box, child); });
      else
        see(box, here, add_sites(ref, here));
    }
  }

  /// The greatest key of all rivals; infinite if there are too few.
  double greatest_key(const Box& box) {
    are_new_ = false;
    if (rivals_.size() < k_) return std::numeric_limits<double>::infinity();
    const Eyes eyes(sites_, box);
    double greatest = -std::numeric_limits<double>::infinity();
    for (const Rival& rival : rivals_)
      greatest = std::max(greatest, Key::greatest(box, eyes.see_one(rival.site)));
    return greatest;
  }

  /// The last rival is the first one that does not beat others.
  bool is_beaten(const Box& box, const Node& node) const {
    constexpr std::size_t kMany = 8;
    if (rivals_.size() < k_ || k_ > kMany) return false;
    const Eyes eyes(sites_, box);
    return std::all_of(rivals_.rbegin(), rivals_.rend(), [&](const Rival& rival) {
      return Key::beats_node(sites_, box, eyes.see_one(rival.site), node);
    });
  }

  void drop_beaten(const Box& box, Candidates& list) {
    if (sites_.group != nullptr) return drop_beaten_by_groups(box, list);
    if (rivals_.size() < k_ || list.count <= k_) return;
    constexpr std::size_t kMany = 64;
    if (k_ > kMany) return drop_far(box, list);
    const Doubles d;
    const Eyes eyes(sites_, box);
    for (std::size_t i = 0; i < list.count; i += hn::Lanes(d)) {
      const auto seen = eyes.see(list.site.data() + i);
      const auto key = hn::LoadU(d, list.key.data() + i);
      auto least = hn::Set(d, std::numeric_limits<double>::infinity());
      for (std::size_t j = k_; j-- > 0;) {
        least = hn::Min(least, Key::lead(box, seen, key, eyes.see_one(rivals_[j].site)));
        if (hn::AllFalse(d, hn::Ge(least, hn::Zero(d)))) break;
      }
      hn::StoreU(least, d, list.lead.data() + i);
    }
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    if (sites_.are_keys_exact && !ranks_.counts_ties) last = last_index();
    keep(list, [&](std::size_t i) {
      return !(list.lead[i] > 0 || (list.lead[i] == 0 && sites_.index[list.site[i]] > last));
    });
  }

  /// The greatest site index of the rivals: where keys are exact, they also come before those that
  /// tie with them and have a greater one.
  std::int64_t last_index() const {
    std::int64_t last = 0;
    for (const Rival& rival : rivals_) last = std::max(last, sites_.index[rival.site]);
    return last;
  }

  /// Drops the sites whose least key is more than the greatest one of all rivals.
  void drop_far(const Box& box, Candidates& list) {
    const double greatest = greatest_key(box);
    keep(list, [&](std::size_t i) {
      return !(Key::least(sites_, box, sites_.node_of(list.site[i], kFirst)) > greatest);
    });
  }

  void drop_beaten_by_groups(const Box& box, Candidates& list) const {
    const Doubles d;
    const Eyes eyes(sites_, box);
    std::vector<std::uint32_t>& beaten = memory_.ranks.beaten;
    beaten.assign(list.count, 0);
    const auto all = static_cast<std::uint32_t>(k_);
    for (const Rival& rival : rivals_) {
      const Seen of_rival = eyes.see_one(rival.site);
      for (std::size_t i = 0; i < list.count; i += hn::Lanes(d)) {
        const auto key = hn::LoadU(d, list.key.data() + i);
        hn::StoreU(Key::lead(box, eyes.see(list.site.data() + i), key, of_rival), d,
                   list.lead.data() + i);
      }
      for (std::size_t i = 0; i < list.count; ++i)
        if (list.lead[i] > 0)
          beaten[i] = sites_.group_of(list.site[i]) == rival.group ? all : beaten[i] + 1;
    }
    keep(list, [&](std::size_t i) { return beaten[i] < all; });
  }

  const RankSearch& ranks_;
  const std::size_t k_;
  std::vector<Rival>& rivals_;
  bool are_new_ = false;  ///< since greatest_key() looked at the rivals
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
