// SPDX-License-Identifier: Apache-2.0
//
// Writes tiles of leaves: orders their sites and fetches the labels, fills or copies what it can,
// and finds the winners of each other leaf.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_SOLVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_SOLVE_INL
#undef THIESSEN_CPU_TILES_FAR_SOLVE_INL
#else
#define THIESSEN_CPU_TILES_FAR_SOLVE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/tiles/far/corners-inl.hpp"
#include "cpu/tiles/far/cubes-inl.hpp"
#include "cpu/tiles/far/leaf-inl.hpp"
#include "cpu/tiles/far/sites-inl.hpp"
#include "cpu/tiles/far/tile-inl.hpp"
#include "cpu/tiles/write/leaf-inl.hpp"
#include "cpu/tiles/write/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

static_assert(EngineLimits{}.far_sites_per_leaf <= kMostSites);

/// Writes tiles whose list has only sites.
template <int kRank, Metric kMetric>
class LeafSearch : public TileBase<kRank> {
 public:
  using Base = TileBase<kRank>;
  using typename Base::B;
  using typename Base::Point;

  LeafSearch(TileOutputs<NodeTiles<kRank>>& outputs, const Pyramid& pyramid, FarMemory& memory)
      : Base(outputs.job(), pyramid, memory),
        outputs_(outputs),
        direct_(job_.out_labels.element == 4 && !job_.wants_exact()),
        has_label_payload_(direct_ || (kRank == 2 && job_.out_labels.element == 4 &&
                                       job_.write_general == nullptr)),
        has_order_(job_.out_labels || job_.write_general != nullptr),
        copies_(direct_ && job_.labels.contiguous()),
        fills_(job_.write_general == nullptr && !job_.special),
        steps_(has_label_payload_ && !job_.orders_sites_itself() ? label_steps(job_, pyramid)
                                                                 : LabelSteps{}) {}

  /// Writes the leaves of a tile of level 1 with memory_.expanded, or gives up.
  void solve(const Area& area, const Lattice<kRank>& lattice) {
    if (!list_tile(area)) return;
    dropped_ = pyramid_.leaf_dropped + kLeavesOfNode * node_of(area);
    solve_leaves(area, lattice);
  }

  /// Whether all cells of a tile of a level get the same from its only site.
  bool can_fill(const Area& area, int level) const {
    if (!fills_ || !this->untouched(area)) return false;
    const NodeLevel& nodes = pyramid_.level[static_cast<std::size_t>(level)];
    const std::int64_t node = nodes.index(
        area.first[0] / area.size[0], area.first[1] / area.size[1], area.first[2] / area.size[2]);
    return nodes.dropped[node] == 0;
  }

  /// Fills a tile of level 1 with its only site.
  void fill(const Area& area, const Point& site) const {
    fill_cells(area, site, label_of_site(area, site));
    this->set_solved(area);
  }

  /// The same for a tile of level 1 or 2, straight to the outputs.
  void stream(const Area& area, const Point& site) {
    outputs_.fill(area, label_of_site(area, site), [&](std::int64_t z, std::int64_t y) HWY_ATTR {
      const DistanceRow row = distances_of(area, {z, y, area.first[2]}, site);
      return [&job = job_, row](std::int64_t offset)
                 HWY_ATTR { return hn::BitCast(DBytes(), row(job, offset / 4)); };
    });
    this->set_solved(area);
  }

  /// Copies what it can in a tile of level 1 with dropped sites. Returns true if nothing is left.
  bool copy_leaves(const Area& area) const {
    if (!copies_) return false;
    const NodeLevel& nodes = pyramid_.level[1];
    const std::int64_t node = node_of(area);
    if (nodes.dropped[node] == 0) return false;
    int copied = 0;
    for (int leaf = 0; leaf < kLeavesOfNode; ++leaf)
      if (pyramid_.leaf_dropped[node * kLeavesOfNode + leaf] != 0)
        copied += try_copy(this->leaf_of(area, leaf)) ? 1 : 0;
    return copied == kLeavesOfNode || (copied > 0 && !this->needs_work(area));
  }

 private:
  using Base::job_;
  using Base::memory_;
  using Base::pyramid_;

  /// The node of level 1 for a tile.
  std::int64_t node_of(const Area& area) const {
    constexpr Axes kSize = NodeTiles<kRank>::kSize;
    return pyramid_.level[1].index(area.first[0] / kSize[0], area.first[1] / kSize[1],
                                   area.first[2] / kSize[2]);
  }

  /// Puts the sites that were found into memory_.sites, with labels; false if they cannot be
  /// sorted.
  bool list_tile(const Area& area) {
    const Point origin = this->place_of(area);
    SiteList& found = memory_.expanded;
    SiteList& sites = memory_.sites;
    if (steps_.gather) prefetch_labels<kRank>(steps_, origin, label_at(area), found, memory_.base);
    if (!has_order_)
      copy_sites(found, sites);
    else if (job_.orders_sites_itself())
      sort_by_result(area, found, sites);
    else if (!sort_by_index<kRank>(origin, found, sites, memory_))
      return false;
    rank_bits_ = bits_for(farthest_apart<kRank>(origin, sites));
    fetch_labels(area);
    return true;
  }

  static void copy_sites(const SiteList& from, SiteList& to) {
    for (std::size_t w = 0; w < kRank - 1; ++w) std::copy_n(from.at[w], from.count, to.at[w]);
    to.count = from.count;
  }

  /// Orders the sites of a list by the index that results hold.
  void sort_by_result(const Area& area, const SiteList& from, SiteList& to) {
    to.count = from.count;
    for (std::int64_t i = 0; i < from.count; ++i)
      memory_.key[i] = static_cast<std::uint64_t>(this->index_of(area, site_at(from, i)))
                           << kNumberBits |
                       static_cast<std::uint64_t>(i);
    const std::uint64_t* sorted = memory_.key;
    if (from.count <= memory_.counted_sites)
      std::sort(memory_.key, memory_.key + from.count);
    else
      sorted = sort_keys(memory_.key, memory_.spare_key, from.count, kIndexBits);
    for (std::int64_t i = 0; i < from.count; ++i)
      copy_site<kRank>(from, static_cast<std::int64_t>(sorted[i] & kNumber), to, i);
  }

  /// Fetches the labels and indices of the sites of a tile.
  void fetch_labels(const Area& area) {
    SiteList& sites = memory_.sites;
    if (steps_.gather)
      return gather_labels<kRank>(steps_, this->place_of(area), label_at(area), sites);
    if (has_label_payload_) {
      for (std::int64_t i = 0; i < sites.count; ++i)
        std::memcpy(sites.payload + i, this->label_of(area, site_at(sites, i)), 4);
      return;
    }
    for (std::int64_t i = 0; i < sites.count; ++i) {
      sites.payload[i] = static_cast<std::int32_t>(i);
      const Point site = site_at(sites, i);
      if (job_.out_labels) keep_label(this->label_of(area, site), i);
      if (job_.write_general != nullptr) memory_.index[i] = this->index_of(area, site);
    }
  }

  void keep_label(const std::byte* label, std::int64_t i) const {
    memory_.label64[i] = load_label(job_, label);
    memory_.label32[i] = static_cast<std::uint32_t>(memory_.label64[i]);
  }

  std::uint64_t label_of_site(const Area& area, const Point& site) const {
    return job_.out_labels ? load_label(job_, this->label_of(area, site)) : 0;
  }

  static Point site_at(const SiteList& list, std::int64_t i) {
    return {list.at[0][i], kRank == 3 ? list.at[1][i] : 0};
  }

  const std::byte* label_at(const Area& area) const {
    return job_.labels.at(area.first[0], area.first[1], area.first[2]);
  }

  /// The bits of keys that are left for ranks. `longest` is the greatest sum of the differences of
  /// coordinates from the tile's first cell.
  int bits_for(std::int64_t longest) const {
    if (kMetric != Metric::euclidean) return 13;
    // Two sites are at most 2 · longest apart. In a leaf, with no axis longer than 16 cells, S
    // minus that of the reference is at most 2 · 16 cells times that, and its base as much again.
    const std::int32_t weight = *std::max_element(pyramid_.weight.begin(), pyramid_.weight.end());
    const auto greatest = static_cast<std::uint64_t>(longest * 128 * weight + 1);
    return std::max(31 - static_cast<int>(std::bit_width(greatest)), 0);
  }

  /// Writes the leaves of a tile, in 3-D with many sites cube by cube.
  void solve_leaves(const Area& area, const Lattice<kRank>& lattice) {
    const bool many = memory_.sites.count > job_.limits->far_sites_per_cube;
    for (const int first : {0, 2, 8, 10}) {
      if constexpr (kRank == 3) {
        if (many && solve_by_cubes(area, lattice, first)) continue;
      }
      for (const int leaf : {first, first + 1, first + 4, first + 5})
        solve_leaf(this->leaf_of(area, leaf), lattice, leaf);
    }
  }

  /// Writes the leaves of a quarter in 3-D with many sites: each half along x has a list of its
  /// own. Returns false and does nothing if these lists are not much shorter.
  bool solve_by_cubes(const Area& area, const Lattice<kRank>& lattice, int first) {
    for (std::int64_t half = 0; half < 2; ++half) {
      Axes step = Base::kLeaf[static_cast<std::size_t>(first)];
      step[2] = 2 * half;
      prune_for<kRank, kMetric>(lattice, step, {2, 2, 2}, memory_.sites,
                                memory_.eighth[static_cast<std::size_t>(half)]);
    }
    if (2 * (memory_.eighth[0].count + memory_.eighth[1].count) > 3 * memory_.sites.count)
      return false;
    for (const int leaf : {first, first + 1, first + 4, first + 5}) {
      const Area part = this->leaf_of(area, leaf);
      SolvedBy* const solved = solved_of(part);
      if (solved == nullptr || *solved != SolvedBy::none) continue;
      if (direct_ && !is_direct(part, dropped_[leaf] != 0)) {
        solve_leaf(part, lattice, leaf);
        continue;
      }
      *solved = SolvedBy::far;
      outputs_.advance();
      CubeWinners winners;
      for (std::int64_t cube = 0; cube < 4; ++cube)
        solve_cube(lattice, Base::kLeaf[static_cast<std::size_t>(leaf)], cube, winners);
      write_cubes(part, dropped_[leaf] != 0, winners);
    }
    return true;
  }

  void solve_cube(const Lattice<kRank>& lattice, const Axes& leaf, std::int64_t cube,
                  CubeWinners& winners) {
    const SiteList& list = memory_.eighth[static_cast<std::size_t>(cube / 2)];
    const Corner corner = prune_for<kRank, kMetric>(lattice, {leaf[0], leaf[1], cube}, Base::kOne,
                                                    list, memory_.leaf);
    const SiteList& sites = memory_.leaf;
    LeafFrame frame{&pyramid_, corner.place, corner.winner, 0, job_.wants_exact()};
    frame.rank_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sites.count - 1)));
    if (frame.rank_bits > rank_bits_)
      find_wide_in_cube<kMetric>(frame, sites, cube, winners);
    else
      find_in_cube<kMetric>(frame, sites, cube, memory_, winners);
  }

  void write_cubes(const Area& area, bool own, CubeWinners& found) {
    const Place at = place_of_leaf(area);
    if (direct_) {
      const LeafRows<kRank> to = rows_of<kRank>(job_.out_labels, at);
      for (int row = 0; row < kLeafRows; ++row)
        for (int x = 0; x < kLeafWidth; x += kLanes)
          hn::StoreU(load(found.payload + row * kLeafWidth + x), D32(), to.at(row, x));
      if (own) put_own_labels<kRank>(job_, at);
      return;
    }
    LeafWinners winners;
    std::copy_n(found.exact, job_.wants_exact() ? kLeafCells : 0, winners.exact);
    rank_winners(
        found.payload, [](std::int32_t payload) { return payload; }, winners);
    write_leaf<kRank>(job_, at, table_, winners, own);
  }

  SolvedBy* solved_of(const Area& leaf) const {
    if (leaf.first[0] >= job_.extent[0] || leaf.first[1] >= job_.extent[1] ||
        leaf.first[2] >= job_.extent[2])
      return nullptr;
    return &solved_by<kRank>(job_, place_of_leaf(leaf));
  }

  static Place place_of_leaf(const Area& leaf) {
    return {leaf.first[0], leaf.first[1], leaf.first[2]};
  }

  bool is_whole(const Area& leaf) const { return whole_leaf<kRank>(job_, place_of_leaf(leaf)); }

  /// Whether the labels of a leaf can be written as they are found, if only labels are wanted.
  bool is_direct(const Area& leaf, bool own) const { return is_whole(leaf) && (!own || copies_); }

  /// Copies the labels of a leaf if all its cells are sites.
  bool try_copy(const Area& area) const {
    SolvedBy* const solved = solved_of(area);
    if (solved == nullptr || *solved != SolvedBy::none || !is_whole(area)) return false;
    const Place at = place_of_leaf(area);
    std::uint32_t bits = 0xffff;
    for_each_leaf_row<kRank>(job_, at, [&](std::int64_t, std::int64_t z, std::int64_t y) {
      bits &= leaf_bits(job_.bits, z, y, at.x);
    });
    if (bits != 0xffff) return false;
    copy_labels<kRank>(job_, at);
    *solved = SolvedBy::far;
    return true;
  }

  void solve_leaf(const Area& area, const Lattice<kRank>& lattice, int leaf_number) {
    SolvedBy* const solved = solved_of(area);
    if (solved == nullptr || *solved != SolvedBy::none) return;
    *solved = SolvedBy::far;
    outputs_.advance();
    const Place at = place_of_leaf(area);
    const bool own = dropped_[leaf_number] != 0;
    if (memory_.sites.count == 0) return write_without_sites(at, own);
    const Corner corner = list_leaf(lattice, leaf_number);
    const bool direct = direct_ && is_direct(area, own);
    if (memory_.leaf.count == 1 && !own) {
      const std::int32_t payload = memory_.leaf.payload[0];
      if (direct) return fill_leaf(rows_of<kRank>(job_.out_labels, at), payload);
      if (fills_)
        return fill_cells(
            area, site_at(memory_.leaf, 0),
            has_label_payload_ ? static_cast<std::uint32_t>(payload) : memory_.label64[payload]);
    }
    const SiteList& leaf = memory_.leaf;
    LeafFrame frame{&pyramid_, corner.place, corner.winner, 0, job_.wants_exact()};
    frame.rank_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(leaf.count - 1)));
    const bool wide = leaf.count > job_.limits->far_sites_per_leaf || frame.rank_bits > rank_bits_;
    if (!wide && (direct || (writes_straight() && is_whole(area) && !own))) {
      write_straight(at, frame, leaf);
      if (own) put_own_labels<kRank>(job_, at);
      return;
    }
    LeafWinners winners;
    if (wide) {
      find_wide<kRank, kMetric>(frame, leaf, memory_.rank, winners);
      rank_winners(
          memory_.rank, [&](std::int32_t site) { return leaf.payload[site]; }, winners);
    } else {
      find_by_keys<kRank, kMetric>(frame, leaf, memory_,
                                   WinnerSink<kRank, kMetric>{frame, winners});
      for (std::int64_t i = 0; i < leaf.count; ++i)
        put_in_table(static_cast<int>(i), leaf.payload[i]);
      table_.count = static_cast<int>(leaf.count);
    }
    write_leaf<kRank>(job_, at, table_, winners, own);
  }

  /// Whether a leaf without dropped sites is written as its winners are found.
  bool writes_straight() const { return fills_ && (!job_.out_labels || has_label_payload_); }

  void write_straight(const Place& at, const LeafFrame& frame, const SiteList& leaf) {
    const DistanceSink<kRank, kMetric> distance{
        job_, frame, job_.out_distance ? rows_of<kRank>(job_.out_distance, at) : LeafRows<kRank>{}};
    if (!job_.out_labels) return find_by_keys<kRank, kMetric>(frame, leaf, memory_, distance);
    const LabelSink<kRank> labels{rows_of<kRank>(job_.out_labels, at), (1 << frame.rank_bits) - 1,
                                  leaf.payload, leaf.count};
    if (!job_.out_distance) return find_by_keys<kRank, kMetric>(frame, leaf, memory_, labels);
    find_by_keys<kRank, kMetric>(
        frame, leaf, memory_, [&](const V32* keys, std::int64_t row, std::int64_t column) HWY_ATTR {
          labels(keys, row, column);
          distance(keys, row, column);
        });
  }

  /// Puts the sites of the tile that may win in a leaf into memory_.leaf.
  Corner list_leaf(const Lattice<kRank>& lattice, int leaf_number) {
    return prune_for<kRank, kMetric>(lattice, Base::kLeaf[static_cast<std::size_t>(leaf_number)],
                                     kRank == 2 ? Base::kOne : Axes{1, 1, 4}, memory_.sites,
                                     memory_.leaf);
  }

  /// `site`: the place of the site in the tile's list, or its label.
  void put_in_table(int rank, std::int32_t site) {
    if (has_label_payload_)
      table_.label32[rank] = static_cast<std::uint32_t>(site);
    else if (job_.labels.element == 4)
      table_.label32[rank] = memory_.label32[site];
    else
      table_.label64[rank] = memory_.label64[site];
    if (job_.write_general != nullptr) table_.site[rank] = memory_.index[site];
  }

  /// Ranks only the sites that win somewhere in the leaf. `found` holds the winners of its cells,
  /// and payload_of() their payload.
  template <class PayloadOf>
  void rank_winners(const std::int32_t* found, PayloadOf&& payload_of, LeafWinners& winners) {
    table_.count = 0;
    for (std::int64_t i = 0; i < kLeafCells; ++i) {
      std::uint16_t& rank = memory_.compact[found[i]];
      if (rank == UINT16_MAX) {
        rank = static_cast<std::uint16_t>(table_.count);
        put_in_table(table_.count++, payload_of(found[i]));
      }
      winners.rank[i] = rank;
    }
    for (std::int64_t i = 0; i < kLeafCells; ++i) memory_.compact[found[i]] = UINT16_MAX;
  }

  /// Writes a leaf without a site in range, except for cells that are sites themselves.
  void write_without_sites(const Place& at, bool own) {
    LeafWinners winners;
    std::fill_n(winners.rank, kLeafCells, std::uint16_t{0});
    std::fill_n(winners.exact, kLeafCells, INT32_MAX);
    table_.count = 1;
    write_leaf<kRank>(job_, at, table_, winners, own);
  }

  /// Writes an area whose cells all belong to one site.
  void fill_cells(const Area& area, const Point& site, std::uint64_t label) const {
    Axes end;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      end[axis] = std::min(area.first[axis] + area.size[axis], job_.extent[axis]);
    const std::int64_t columns = end[2] - area.first[2];
    for (std::int64_t z = area.first[0]; z < end[0]; ++z)
      for (std::int64_t y = area.first[1]; y < end[1]; ++y) {
        const Axes row{z, y, area.first[2]};
        if (job_.out_labels) fill_labels(row, columns, label);
        if (job_.out_distance) fill_distances(row, columns, distances_of(area, row, site));
      }
  }

  void fill_labels(const Axes& row, std::int64_t columns, std::uint64_t label) const {
    std::byte* const to = job_.out_labels.at(row[0], row[1], row[2]);
    if (job_.out_labels.element == 4)
      fill_words(reinterpret_cast<std::int32_t*>(to), columns, label);
    else
      fill_elements(to, columns, label);
  }

  /// A cell of an area, in coordinates that do not wrap around within it.
  Point place_in(const Area& area, const Axes& cell) const {
    const Point origin = this->place_of(area);
    const auto offset = [&](std::size_t axis) {
      return (cell[axis] - area.first[axis]) * pyramid_.weight[axis];
    };
    return {add_halves(origin[0], to_word(offset(2), offset(1))),
            add_halves(origin[1], to_word(offset(0), 0))};
  }

  /// Distances to one site along a row of cells.
  struct DistanceRow {
    V16 cells;  ///< the first cells
    V16 site;
    V32 across;  ///< the part of z in S
    std::int32_t weight;

    /// The distances of the cells from column i on.
    HWY_INLINE hn::Vec<hn::RebindToFloat<D32>> operator()(const Job& job, std::int64_t i) const {
      const V16 at = hn::Add(cells, halves(all(to_word(i * weight, 0))));
      const V32 s = hn::Add(norm<kMetric>(hn::Sub(site, at)), across);
      return distances(hn::RebindToFloat<D32>(), job, s);
    }
  };

  /// The distances to a site, beginning at a cell of an area.
  HWY_INLINE DistanceRow distances_of(const Area& area, const Axes& row, const Point& site) const {
    const Point first = place_in(area, row);
    const std::int32_t weight = pyramid_.weight[2];
    const V32 across = kRank == 3 ? distance<kMetric>(all(site[1]), all(first[1])) : all(0);
    return {hn::Add(halves(hn::Mul(iota(0), all(weight))), halves(all(first[0]))),
            halves(all(site[0])), across, weight};
  }

  HWY_INLINE void fill_distances(const Axes& row, std::int64_t columns,
                                 const DistanceRow& distance) const {
    const hn::RebindToFloat<D32> d;
    auto* const to = reinterpret_cast<float*>(job_.out_distance.at(row[0], row[1], row[2]));
    std::int64_t i = 0;
    for (; i + kLanes <= columns; i += kLanes) hn::StoreU(distance(job_, i), d, to + i);
    if (i == columns) return;
    alignas(64) float last[kLanes];
    hn::Store(distance(job_, i), d, last);
    std::memcpy(to + i, last, static_cast<std::size_t>(columns - i) * sizeof(float));
  }

  HWY_INLINE void fill_words(std::int32_t* to, std::int64_t columns, std::uint64_t label) const {
    const auto word = static_cast<std::int32_t>(label);
    std::int64_t i = 0;
    for (; i + kLanes <= columns; i += kLanes) hn::StoreU(all(word), D32(), to + i);
    for (; i < columns; ++i) to[i] = word;
  }

  void fill_elements(std::byte* to, std::int64_t columns, std::uint64_t label) const {
    const auto fill_with = [&]<class T>(T value) {
      for (std::int64_t i = 0; i < columns; ++i)
        std::memcpy(to + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
    };
    switch (job_.out_labels.element) {
      case 1:
        return fill_with(static_cast<std::uint8_t>(label));
      case 2:
        return fill_with(static_cast<std::uint16_t>(label));
      default:
        return fill_with(label);
    }
  }

  /// Bits of a site index: the engine takes at most 2^34 cells.
  static constexpr int kIndexBits = 34;

  TileOutputs<NodeTiles<kRank>>& outputs_;
  bool direct_;             ///< only labels of 4 bytes are wanted
  bool has_label_payload_;  ///< labels are the payload of site lists, not their places there
  bool has_order_;          ///< some output tells the site, so ties must be decided
  bool copies_;             ///< and rows of labels can be copied
  bool fills_;              ///< an area of one site can be filled without reading its cells
  LabelSteps steps_;
  const std::uint8_t* dropped_ = nullptr;  ///< for the leaves of a tile of level 1
  int rank_bits_ = 0;
  SiteTable table_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
