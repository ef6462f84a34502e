// SPDX-License-Identifier: Apache-2.0
//
// What the searches over halved tiles share: their memory, and the nodes and parts of a tile.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_LISTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_LISTS_INL
#undef THIESSEN_CPU_CANDIDATES_LISTS_INL
#else
#define THIESSEN_CPU_CANDIDATES_LISTS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/candidates/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

template <template <std::size_t> class KeyOf, int kRank>
class TileSearch {
 protected:
  static constexpr std::size_t kFirst = kAxes - kRank;
  using Key = KeyOf<kFirst>;
  using Eyes = Eyesight<Key, kFirst>;

  TileSearch(const Search& search, Workspace& memory)
      : search_(search), sites_(search.sites), memory_(memory) {}

  /// Calls solve(list) with a list of all sites, and counts the cells of the tile as done.
  template <class Solve>
  void run(const Solve& solve) {
    Candidates& top = memory_.levels[0];
    top.clear();
    if (!sites_.levels.empty())
      top.nodes.push_back({static_cast<std::uint32_t>(sites_.levels.size() - 1), 0});
    solve(top);
    hwy::FlushStream();  // other threads may read the outputs next
    search_.state->progress.advance(memory_.done);
    memory_.done = 0;
  }

  /// All parts are made before the first one is visited: see Box.
  template <class Visit>
  void for_each_part(const Tile& tile, const Visit& visit) const {
    std::array<Tile, std::size_t{1} << kRank> parts;
    std::size_t count = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Tile& child = parts[count];
      child.edge = tile.edge / 2;
      bool is_inside = true;
      for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
        const std::int64_t side = static_cast<std::int64_t>(part >> (kAxes - 1 - axis)) & 1;
        child.first[axis] = tile.first[axis] + side * child.edge;
        is_inside = is_inside && child.first[axis] < search_.problem->extent[axis];
      }
      count += is_inside ? 1 : 0;
    }
    for (std::size_t part = 0; part < count; ++part) visit(parts[part]);
  }

  void count_cells(const Tile& tile) {
    constexpr std::int64_t kManyCells = 1 << 16;
    const Axes end = end_of(search_, tile, kFirst);
    memory_.done += (end[0] - tile.first[0]) * (end[1] - tile.first[1]) * (end[2] - tile.first[2]);
    if (memory_.done < kManyCells) return;
    search_.state->progress.advance(memory_.done);
    memory_.done = 0;
  }

  /// Takes over the sites of the tile above.
  void take_sites(const Candidates& above, Candidates& here) const {
    here.clear();
    here.make_room(above.count);
    std::copy_n(above.site.begin(), above.count, here.site.begin());
    here.count = above.count;
  }

  /// Keeps the sites of a list for which is_kept(i) holds, with their keys.
  template <class IsKept>
  HWY_INLINE static void keep(Candidates& list, const IsKept& is_kept) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      const bool stays = is_kept(i);
      list.site[kept] = list.site[i];
      list.key[kept] = list.key[i];
      kept += stays ? 1 : 0;
    }
    list.count = kept;
  }

  /// Adds the sites of a node of the lowest level to a list. Returns where they begin there.
  std::size_t add_sites(const NodeRef& ref, Candidates& here) const {
    const std::size_t from = here.count;
    const std::uint32_t begin = ref.place * kFan;
    const std::uint32_t end = std::min<std::uint32_t>(begin + kFan, sites_.count);
    for (std::uint32_t site = begin; site < end; ++site) here.push(site);
    return from;
  }

  /// Puts the nodes below another one on the list of open ones, and calls visit(node) for them.
  template <class Visit>
  void open_children(const NodeRef& ref, const Visit& visit) {
    const std::uint32_t begin = ref.place * kFan;
    const std::uint32_t level = ref.level - 1;
    const auto end = std::min<std::size_t>(begin + kFan, sites_.levels[level].size());
    for (std::uint32_t i = begin; i < end; ++i) {
      visit(sites_.levels[level][i]);
      memory_.open.push_back({level, i});
    }
  }

  const Node& node_at(const NodeRef& ref) const { return sites_.levels[ref.level][ref.place]; }

  const Search& search_;
  const Sites& sites_;
  Workspace& memory_;
};

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
