// SPDX-License-Identifier: Apache-2.0
//
// Lists of candidates over halved tiles.
//
// A tile has a list of sites, and of nodes of the tree over the sites, that may win one of its
// cells. The best of them at the centre of the tile is the rival: whatever it beats in every cell
// of the tile is dropped, and nodes that are larger than the tile are opened. What is left goes to
// each half (quarter, eighth) of the tile. Where one site is left, it fills the tile; a small tile
// with few sites is a leaf (leaf-inl.hpp).
//
// A site is dropped only if another one has a lesser key in every cell of the tile, by more than
// what rounding could change. The winner of a cell, which no site precedes in the order
// (key, site index), is never dropped, so that it is in the list of every tile around the cell.
// Nothing else is needed: lists need no order, and the rival itself need not stay.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_WALK_INL
#undef THIESSEN_CPU_CANDIDATES_WALK_INL
#else
#define THIESSEN_CPU_CANDIDATES_WALK_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "cpu/candidates/lists-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

/// The search of one tile on the top, in the memory of one thread.
template <template <std::size_t> class KeyOf, int kRank>
class Walk : TileSearch<KeyOf, kRank> {
  using Base = TileSearch<KeyOf, kRank>;

 public:
  Walk(const Search& search, Workspace& memory) : Base(search, memory) {}

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
  using Leaf = LeafSearch<KeyOf, kRank>;

  /// The site that has the least key at the centre so far.
  struct Rival {
    std::uint32_t site = 0;
    double key = std::numeric_limits<double>::infinity();
  };

  /// Writes the cells of a tile.
  // NOLINTNEXTLINE(misc-no-recursion): tiles are halved at most 31 times
  void solve(const Tile& tile, const Candidates& above, std::size_t depth) {
    if (is_solved(tile)) return count_cells(tile);
    if (tile.edge == kBlockEdge) {
      fetch_block<kFirst>(search_, search_.labels, tile);
      fetch_block<kFirst>(search_, search_.distance, tile);
      fetch_block<kFirst>(search_, search_.key, tile);
    }
    Candidates& here = memory_.levels[depth];
    const Box box(sites_, tile, kFirst);
    narrow(box, above, here);
    if (is_settled(here)) {
      write_tile<kFirst, Key::kMetric>(search_, tile, here.site[0]);
    } else if (tile.edge > kBlockEdge) {
      return for_each_part(tile, [&](const Tile& part) { solve(part, here, depth + 1); });
    } else {
      fill_block(box, here, depth);
      write_block<kFirst, Key::kMetric>(search_, tile, memory_.block.data());
    }
    count_cells(tile);
  }

  /// Puts the winners of a tile into the block.
  // NOLINTNEXTLINE(misc-no-recursion): tiles are halved at most 31 times
  void fill_block(const Box& box, Candidates& here, std::size_t depth) {
    const Tile& tile = box.tile;
    if (is_settled(here)) {
      std::array<std::int32_t, kBlockEdge> row;
      row.fill(result_of(search_, here.site[0]));
      return put_into_block(tile, memory_.block.data(), kFirst,
                            [&](std::int64_t, std::int64_t) { return row.data(); });
    }
    if (tile.edge <= Leaf::kEdge && (tile.edge <= kLeastEdge || here.count <= most_in_leaf()))
      return Leaf(search_, memory_, box).run(here);
    for_each_part(tile, [&](const Tile& part) {
      Candidates& below = memory_.levels[depth + 1];
      const Box box_of_part(sites_, part, kFirst);
      narrow(box_of_part, here, below);
      fill_block(box_of_part, below, depth + 1);
    });
  }

  /// Whether one site has all of a tile.
  static bool is_settled(const Candidates& list) { return list.nodes.empty() && list.count == 1; }

  /// Makes the list of a tile from that of the tile above.
  void narrow(const Box& box, const Candidates& above, Candidates& here) {
    take_sites(above, here);
    Rival rival;
    see(box, here, 0, rival);
    open_nodes(box, above, here, rival);
    drop_beaten(box, here, rival);
  }

  /// Smaller leaves take no less time.
  static constexpr std::int64_t kLeastEdge = 4;

  std::size_t most_in_leaf() const {
    return static_cast<std::size_t>(search_.state->limits.candidates_per_leaf);
  }

  bool is_solved(const Tile& tile) const {
    if (search_.solved == nullptr) return false;
    const Axes end = end_of(search_, tile, kFirst);
    for (std::int64_t z = tile.first[0]; z < end[0]; ++z)
      for (std::int64_t y = tile.first[1]; y < end[1]; ++y)
        if (!search_.solved->covers(z, y, tile.first[2], end[2] - tile.first[2])) return false;
    return true;
  }

  /// Finds the keys of the sites of a list from `begin` on, and the rival.
  void see(const Box& box, Candidates& list, std::size_t begin, Rival& rival) const {
    find_keys<Key, kFirst>(sites_, box, list, begin);
    std::size_t best = list.count;
    for (std::size_t i = begin; i < list.count; ++i)
      if (list.key[i] < rival.key) {
        rival.key = list.key[i];
        best = i;
      }
    if (best < list.count) rival.site = list.site[best];
  }

  void challenge(const Box& box, const Node& node, Rival& rival) const {
    const double key = Key::key(Eyes(sites_, box).see_one(node.best));
    if (key >= rival.key) return;
    rival.key = key;
    rival.site = node.best;
  }

  /// Takes over the nodes of the tile above: drops those that are beaten, and opens large ones.
  void open_nodes(const Box& box, const Candidates& above, Candidates& here, Rival& rival) {
    if (above.nodes.empty()) return;
    for (const NodeRef& ref : above.nodes) challenge(box, node_at(ref), rival);
    std::vector<NodeRef>& open = memory_.open;
    open.assign(above.nodes.begin(), above.nodes.end());
    Seen seen = Eyes(sites_, box).see_one(rival.site);
    double greatest = Key::greatest(box, seen);
    while (!open.empty()) {
      const NodeRef ref = open.back();
      open.pop_back();
      const Node& node = node_at(ref);
      if (Key::least(sites_, box, node) > greatest || Key::beats_node(sites_, box, seen, node))
        continue;
      if (box.tile.edge > Leaf::kEdge && node.extent <= static_cast<float>(box.tile.edge)) {
        here.nodes.push_back(ref);
        continue;
      }
      const double before = rival.key;
      open_node(box, ref, here, rival);
      if (rival.key >= before) continue;
      seen = Eyes(sites_, box).see_one(rival.site);
      greatest = Key::greatest(box, seen);
    }
  }

  void open_node(const Box& box, const NodeRef& ref, Candidates& here, Rival& rival) {
    if (ref.level > 0)
      open_children(ref, [&](const Node& node) { challenge(box, node, rival); });
    else
      see(box, here, add_sites(ref, here), rival);
  }

  void drop_beaten(const Box& box, Candidates& here, const Rival& rival) {
    if (here.count == 0 || (here.count == 1 && here.site[0] == rival.site)) return;
    drop_beaten_by(box, here, rival.site);
    constexpr std::int64_t kSmall = 2 * Leaf::kEdge;
    constexpr std::size_t kFew = 3;
    constexpr std::size_t kMany = 24;
    if (box.tile.edge > kSmall || here.count <= kFew) return;
    if (here.count > kMany)
      drop_by_parts(box, here);
    else
      drop_beaten_by(box, here, second(here, rival.site));
  }

  /// The best site at the centre besides another one.
  static std::uint32_t second(const Candidates& here, std::uint32_t besides) {
    std::size_t best = here.count;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < here.count; ++i)
      if (here.site[i] != besides && here.key[i] < least) {
        least = here.key[i];
        best = i;
      }
    return here.site[best < here.count ? best : 0];
  }

  /// Keeps the sites that a site does not beat in all cells, and that itself.
  void drop_beaten_by(const Box& box, Candidates& list, std::uint32_t site) const {
    const Doubles d;
    const Eyes eyes(sites_, box);
    const Seen rival = eyes.see_one(site);
    for (std::size_t i = 0; i < list.count; i += hn::Lanes(d)) {
      const auto key = hn::LoadU(d, list.key.data() + i);
      hn::StoreU(Key::lead(box, eyes.see(list.site.data() + i), key, rival), d,
                 list.lead.data() + i);
    }
    keep(list, [&](std::size_t i) { return !(list.lead[i] > 0) || list.site[i] == rival.site; });
  }

  /// Lets the sites on each side of the centre be beaten by the best among them in the middle of
  /// that part of the tile.
  void drop_by_parts(const Box& box, Candidates& list) {
    for (Candidates& part : memory_.parts) part.clear();
    for (std::size_t i = 0; i < list.count; ++i) {
      std::size_t side = 0;
      for (std::size_t axis = kFirst; axis < kAxes; ++axis)
        side = 2 * side + (sites_.at[axis][list.site[i]] > box.centre[axis] ? 1 : 0);
      Candidates& part = memory_.parts[side];
      part.push(list.site[i]);
      part.key[part.count - 1] = list.key[i];
    }
    list.count = 0;
    for (std::size_t side = 0; side < std::size_t{1} << kRank; ++side) {
      Candidates& part = memory_.parts[side];
      if (part.count == 0) continue;
      drop_beaten_by(box, part, best_in_middle(box, part, side));
      std::copy_n(part.site.begin(), part.count,
                  list.site.begin() + static_cast<std::ptrdiff_t>(list.count));
      std::copy_n(part.key.begin(), part.count,
                  list.key.begin() + static_cast<std::ptrdiff_t>(list.count));
      list.count += part.count;
    }
  }

  std::uint32_t best_in_middle(const Box& box, Candidates& part, std::size_t side) const {
    constexpr double kMiddle = 0.6;
    Box middle = box;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      const double cells = kMiddle * 0.5 * static_cast<double>(box.tile.edge - 1);
      middle.centre[axis] += (side >> (kAxes - 1 - axis) & 1) != 0 ? cells : -cells;
    }
    const Doubles d;
    const Eyes eyes(sites_, middle);
    for (std::size_t i = 0; i < part.count; i += hn::Lanes(d))
      hn::StoreU(Key::key(eyes.see(part.site.data() + i)), d, part.lead.data() + i);
    const auto* const first = part.lead.data();
    const auto best = std::min_element(first, first + part.count) - first;
    return part.site[static_cast<std::size_t>(best)];
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
