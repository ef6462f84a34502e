// SPDX-License-Identifier: Apache-2.0
//
// The far search, from macro tiles down to leaves: each tile prunes the list of its parent to those
// that may win in it, and replaces nodes of the pyramid by their children.
//
//   tile     its list when it is handed over   what it does
//   level 3  all nodes near enough             coarse nodes down to level 2
//   level 2  nodes of level 2                  to level 1, to leaves
//   level 1  leaves                            to sites
//   leaf     sites                             to winners
//
// A tile with one site left is filled with it.
#include "cpu/tiles/far/far.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/far/far.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/tiles/far/nodes-inl.hpp"
#include "cpu/tiles/far/solve-inl.hpp"
#include "cpu/tiles/write/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

FarKernel far_search(int, Metric) { return nullptr; }

#else

template <int kRank, Metric kMetric>
class FarSearch : public TileBase<kRank> {
 public:
  using Base = TileBase<kRank>;
  using typename Base::Point;

  FarSearch(const Job& job, const Pyramid& pyramid, FarMemory& memory)
      : Base(job, pyramid, memory),
        outputs_(job, memory.staged_labels, memory.staged_distance),
        nodes_(job, pyramid, memory),
        leaves_(outputs_, pyramid, memory) {}

  void solve(std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) solve(piece);
    outputs_.finish();
  }

 private:
  using Base::job_;
  using Base::memory_;
  using Base::pyramid_;

  /// Pieces go from left to right, then to the next row of the macro tile, then to the next macro
  /// tiles.
  void solve(std::int64_t piece) {
    const NodeLevel& macros = pyramid_.level[kMacroLevel];
    const std::int64_t row = piece / macros.count[2] % (macros.fan[0] * macros.fan[1]);
    const std::int64_t macro = piece / macros.count[2] / (macros.fan[0] * macros.fan[1]);
    const Axes at{macro / macros.count[1], macro % macros.count[1], piece % macros.count[2]};
    Area area{{at[0] * macros.size[0], at[1] * macros.size[1], at[2] * macros.size[2]},
              macros.size};
    Axes child{row / macros.fan[1], row % macros.fan[1], 0};
    const Area strip = area_of_row(area, child);
    if (!this->needs_work(strip)) return;
    Lattice<kRank> lattice = this->lattice_of(area, kMacroLevel);
    if (!nodes_.gather(area, lattice, memory_.macro)) return;
    for (; child[2] < macros.fan[2]; ++child[2]) {
      const Area tile = Base::child_of(area, kMacroLevel, child);
      if (!this->needs_work(tile)) continue;
      nodes_.prune_for(lattice, child, memory_.macro, memory_.tile);
      solve_coarse(tile, memory_.tile);
    }
  }

  static Area area_of_row(const Area& area, const Axes& child) {
    Area strip = Base::child_of(area, kMacroLevel, child);
    strip.first[2] = area.first[2];
    strip.size[2] = area.size[2];
    return strip;
  }

  static bool is_single(const NodeList& list) {
    if (list.count != 1 || list.low[0][0] != list.high[0][0]) return false;
    return kRank == 2 || list.low[1][0] == list.high[1][0];
  }
  static Point site_of(const NodeList& list) {
    return {list.site[0][0], kRank == 3 ? list.site[1][0] : 0};
  }

  /// Solves a tile of level 2.
  void solve_coarse(const Area& area, const NodeList& list) {
    if (is_single(list) && leaves_.can_fill(area, 2)) return fill_coarse(area, site_of(list));
    Lattice<kRank> lattice = this->lattice_of(area, 2);
    if (!nodes_.expand_nodes(2, list, memory_.nodes)) return;
    nodes_.prune_all(lattice, memory_.nodes);
    if (!nodes_.expand_leaves(memory_.nodes, memory_.leaves)) return;
    nodes_.prune_all(lattice, memory_.leaves);
    if (job_.labels && job_.numbers == nullptr && memory_.leaves.count <= kFewLabels)
      for (std::int64_t i = 0; i < memory_.leaves.count; ++i)
        __builtin_prefetch(this->label_of(
            area, {memory_.leaves.site[0][i], kRank == 3 ? memory_.leaves.site[1][i] : 0}));
    for_each_fine(area, [&](const Area& tile, const Axes& child) {
      if (leaves_.copy_leaves(tile)) return;
      nodes_.prune_for(lattice, child, memory_.leaves, memory_.few);
      solve_fine(tile, memory_.few);
    });
  }

  /// Fills tiles of level 2 and of level 1 with their only site.
  void fill_coarse(const Area& area, const Point& site) {
    if (outputs_.can_fill()) return leaves_.stream(area, site);
    for_each_fine(area, [&](const Area& tile, const Axes&) { leaves_.fill(tile, site); });
  }
  void fill_fine(const Area& area, const Point& site) {
    if (outputs_.can_fill()) return leaves_.stream(area, site);
    leaves_.fill(area, site);
  }

  /// Calls solve(tile, child) for the open tiles of level 1 in a tile of level 2.
  template <class Solve>
  void for_each_fine(const Area& area, Solve&& solve) {
    const Axes fan = Base::fan(2);
    Axes child;
    for (child[0] = 0; child[0] < fan[0]; ++child[0])
      for (child[1] = 0; child[1] < fan[1]; ++child[1])
        for (child[2] = 0; child[2] < fan[2]; ++child[2]) {
          const Area tile = Base::child_of(area, 2, child);
          const std::uint32_t open = this->open_leaves(tile);
          if (open == 0) continue;
          outputs_.begin(tile, open);
          solve(tile, child);
          outputs_.end(this->open_leaves(tile));
        }
  }

  /// Solves a tile of level 1.
  void solve_fine(const Area& area, NodeList& list) {
    if (is_single(list) && leaves_.can_fill(area, 1)) return fill_fine(area, site_of(list));
    Lattice<kRank> lattice = this->lattice_of(area, 1);
    nodes_.prune_all(lattice, list);
    if (!expand_sites<kRank>(job_, pyramid_, list, memory_.most_sites, memory_.expanded)) return;
    SiteList& found = memory_.expanded;
    if (found.count > 0) prune_sites(lattice, found);
    if (found.count == 1 && leaves_.can_fill(area, 1))
      return fill_fine(area, {found.at[0][0], kRank == 3 ? found.at[1][0] : 0});
    leaves_.solve(area, lattice);
  }

  /// Drops sites by the sites of nodes, and then by the nearest of those that are left.
  void prune_sites(Lattice<kRank>& lattice, SiteList& found) const {
    prune_projected<kRank, kMetric>(lattice, found);
    if (kMetric == Metric::manhattan && !job_.orders_sites_itself()) {
      find_first_winners<kRank, kMetric>(found.at, found.count, lattice);
      prune_projected_and_ties<kRank, kMetric>(lattice, found);
    } else {
      find_winners<kRank, kMetric>(found.at, found.count, lattice);
      prune_projected<kRank, kMetric>(lattice, found);
    }
  }

  /// Labels stay in the cache until they are needed if they are at most so many.
  static constexpr std::int64_t kFewLabels = 128;

  TileOutputs<NodeTiles<kRank>> outputs_;
  NodeSearch<kRank, kMetric> nodes_;
  LeafSearch<kRank, kMetric> leaves_;
};

template <int kRank, Metric kMetric>
void solve_far(const Job& job, const Pyramid& pyramid, std::int64_t begin, std::int64_t end,
               FarMemory& memory) {
  FarSearch<kRank, kMetric>(job, pyramid, memory).solve(begin, end);
}

FarKernel far_search(int rank, Metric metric) {
  if (metric == Metric::euclidean)
    return rank == 2 ? solve_far<2, Metric::euclidean> : solve_far<3, Metric::euclidean>;
  return rank == 2 ? solve_far<2, Metric::manhattan> : solve_far<3, Metric::manhattan>;
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(far_search);

FarKernel far_kernel(std::int64_t targets, int rank, Metric metric) {
  return HWY_DISPATCH_TABLE(far_search)[dispatch_index(targets)](rank, metric);
}

std::int64_t far_pieces(const Pyramid& pyramid) {
  const NodeLevel& macros = pyramid.level[kMacroLevel];
  return macros.nodes() * macros.fan[0] * macros.fan[1];
}

namespace {

StagedOutput allocate_staged(Scratch::Frame& scratch, const Cells<std::byte>& out,
                             const Pyramid& pyramid) {
  StagedOutput staged;
  const auto rows = [&](int level) {
    const Axes& size = pyramid.level[static_cast<std::size_t>(level)].size;
    return size[0] * size[1];
  };
  constexpr std::int64_t kLine = StagedOutput::kLine;
  const std::int64_t bytes = rows(1) * pyramid.level[1].size[2] * out.element;
  for (std::byte*& tile : staged.tile) tile = scratch.array<std::byte>(bytes + 2 * kLine) + kLine;
  staged.cut = scratch.array<std::byte>((rows(2) + 1) * kLine);
  return staged;
}

}  // namespace

FarMemory allocate_far_memory(Scratch::Frame& scratch, const Job& job, int rank,
                              const Pyramid& pyramid) {
  const std::int64_t leaves = pyramid.level[0].nodes();
  FarMemory memory;
  // In 3-D the surfaces around a tile have many sites. A few tiles that are given up cost as much
  // as all, since the method that takes them over goes through the whole raster.
  memory.most_nodes =
      std::min(EngineLimits::of_rank(job.limits->far_nodes_per_tile, rank), leaves + 64);
  memory.most_sites = std::min(EngineLimits::of_rank(job.limits->far_sites_per_tile, rank),
                               (leaves + 1) * kLeafCells);
  memory.counted_sites = EngineLimits::of_rank(job.limits->far_counted_sites, rank);
  const auto words = [&](Words& to, std::int64_t count) {
    for (std::size_t w = 0; w + 1 < static_cast<std::size_t>(rank); ++w)
      to[w] = scratch.array<std::int32_t>(count + FarMemory::kPad);
  };
  for (NodeList* list : {&memory.macro, &memory.tile, &memory.nodes, &memory.leaves, &memory.few}) {
    for (Words* each : {&list->low, &list->high, &list->site}) words(*each, memory.most_nodes);
    list->id = scratch.array<std::int32_t>(memory.most_nodes + FarMemory::kPad);
  }
  memory.partly = scratch.array<std::int32_t>(2 * memory.most_nodes);
  words(memory.expanded.at, memory.most_sites);
  const std::int64_t sites = memory.most_sites + FarMemory::kPad;
  const auto take = [&](SiteList& list) {
    words(list.at, memory.most_sites);
    list.payload = scratch.array<std::int32_t>(sites);
  };
  take(memory.sites);
  take(memory.leaf);
  if (rank == 3)
    for (SiteList& list : memory.eighth) take(list);
  memory.rank = scratch.array<std::int32_t>(sites);
  memory.key = scratch.array<std::uint64_t>(sites);
  memory.spare_key = scratch.array<std::uint64_t>(sites);
  memory.label32 = scratch.array<std::uint32_t>(sites);
  memory.label64 = scratch.array<std::uint64_t>(sites);
  memory.index = scratch.array<std::int64_t>(sites);
  memory.compact = scratch.array<std::uint16_t>(sites);
  std::fill_n(memory.compact, sites, UINT16_MAX);
  for (auto& slope : memory.slope) slope = scratch.array<std::int32_t>(sites);
  memory.base = scratch.array<std::int32_t>(sites);
  if (job.large_labels) memory.staged_labels = allocate_staged(scratch, job.out_labels, pyramid);
  if (job.large_distance)
    memory.staged_distance = allocate_staged(scratch, job.out_distance, pyramid);
  return memory;
}

}  // namespace thiessen::cpu::tiles
#endif
