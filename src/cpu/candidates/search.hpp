// SPDX-License-Identifier: Apache-2.0
//
// What the search by candidates works on, the same for every instruction set: see walk-inl.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/base/scratch.hpp"
#include "core/order/key_order.hpp"
#include "core/problem/problem.hpp"
#include "cpu/candidates/numbered.hpp"

namespace thiessen::cpu::candidates {

/// How many neighbours in the order of the tree a node holds, sites or nodes of the level below.
inline constexpr std::int64_t kFan = 8;

/// Some sites that lie close together.
struct Node {
  std::array<double, kAxes> low{}, high{};  ///< the box around them, in cells
  double weight = 0;                        ///< the greatest w
  double scale = 1;                         ///< the least 1/w², or FormBounds::least
  std::array<float, kAxes> along{};         ///< the least FormBounds::along
  float extent = 0;                         ///< the longest side of the box, in cells
  std::uint32_t best = 0;                   ///< the site with that weight or scale
};

/// A node by its level, 0 for the lowest, and its place there.
struct NodeRef {
  std::uint32_t level = 0;
  std::uint32_t place = 0;
};

/// Sites and their images on periodic axes, in the order of the tree over them.
///
/// Lengths are in units of work: a cell is `length` long. The longest is at least 1 and less than
/// 2, so that nothing overflows, and a power of two of what √S counts in, so that whole lengths
/// stay exact. Where sites have metrics, a cell is 1 long, and the greatest entry of the matrices
/// is in 0.25 … 2.
struct Sites {
  std::uint32_t count = 0;
  std::array<const double*, kAxes> at{};    ///< in cells
  const double* weight = nullptr;           ///< w, in units of work or their squares; 0
  const double* scale = nullptr;            ///< 1/w²; null: all are 1
  const Symmetric<double>* form = nullptr;  ///< for ways in cells; null: sites have no metrics
  const FormBounds* bounds = nullptr;       ///< of `form`
  const std::int64_t* index = nullptr;      ///< site indices
  const std::uint32_t* group = nullptr;     ///< as in SiteList; null: each site is one
  std::vector<std::vector<Node>> levels;    ///< nodes, the lowest level first

  std::array<double, kAxes> length{1, 1, 1};
  /// Keys of sites on whole cells are multiples of it, where that is known; 0: they need not be.
  double quantum = 0;
  bool are_keys_exact = false;  ///< all keys S − w, in doubles, and their differences

  std::uint32_t group_of(std::uint32_t site) const { return group == nullptr ? site : group[site]; }

  /// A node of one site.
  Node node_of(std::uint32_t site, std::size_t first_axis) const {
    Node node;
    node.best = site;
    for (std::size_t axis = first_axis; axis < kAxes; ++axis)
      node.low[axis] = node.high[axis] = at[axis][site];
    if (weight != nullptr) node.weight = weight[site];
    if (scale != nullptr) node.scale = scale[site];
    if (form != nullptr) {
      node.scale = bounds[site].least;
      for (std::size_t axis = first_axis; axis < kAxes; ++axis)
        node.along[axis] = static_cast<float>(bounds[site].along[axis]);
    }
    return node;
  }
};

/// A cube of cells. It may reach beyond the end of the raster.
struct Tile {
  Axes first{};
  std::int64_t edge = 1;
};

/// The sites and nodes that may win a cell of a tile.
struct Candidates {
  std::vector<std::uint32_t> site;  ///< with room for whole vectors
  std::vector<double> key;          ///< at the centre of the tile
  std::vector<double> lead;         ///< of a site that may beat them
  std::size_t count = 0;
  std::vector<NodeRef> nodes;

  void make_room(std::size_t sites) {
    constexpr std::size_t kBeyond = 16;  // vectors write beyond the end
    if (site.size() >= sites + kBeyond) return;
    site.resize(2 * sites + kBeyond);
    key.resize(site.size());
    lead.resize(site.size());
  }
  void push(std::uint32_t added) {
    make_room(count + 1);
    site[count++] = added;
  }
  void clear() {
    count = 0;
    nodes.clear();
  }
};

/// A candidate as the cells of a leaf see it.
struct LeafSite {
  float constant = 0;
  std::array<float, kAxes> part{};
  std::int32_t value = 0;
  Symmetric<float> bend{};  ///< of MetricKey
};

/// A site by which others are measured in the search for the k nearest.
struct Rival {
  std::uint32_t site = 0;
  std::uint32_t group = 0;
  double key = 0;  ///< at the centre of the tile
};

/// Room beyond the end of lists, for vectors that go beyond it.
inline constexpr std::int64_t kSlack = 16;

/// The most cells of a leaf: 16² or 8³.
inline constexpr std::size_t kMostLeafCells = 512;

/// The length of a row of the blocks whose results are written together: a line of the cache.
inline constexpr std::int64_t kBlockEdge = 16;

/// The key of one rank, and its site, in a vector of cells.
struct alignas(64) RankLevel {
  std::array<float, 16> key;
  std::array<std::int32_t, 16> place;  ///< in the list of the leaf; or kNoSite, kOwnSite
  std::array<std::int32_t, 16> group;
};

/// A site as one cell sees it.
struct RankedSite {
  double key = 0;
  double margin = 0;  ///< by which rounding may change the key
  std::uint32_t site = 0;
};

/// What the search for the k nearest, or for ties, keeps beside (ranks-inl.hpp).
struct RankMemory {
  std::vector<std::int32_t> results;  ///< of a block
  std::vector<Rival> rivals;          ///< of different groups, the least keys first
  std::vector<std::uint32_t> beaten;  ///< of each site of a list: by how many of them
  std::vector<std::uint32_t> group;   ///< of each site of a leaf
  std::vector<std::uint32_t> seen;    ///< groups
  std::vector<std::uint32_t> turn;    ///< sites of a leaf, by their places in its list
  std::vector<RankLevel> levels;      ///< of a vector of cells: the k + 1 least keys
  std::vector<float> keys;            ///< of a vector of cells and each site of a leaf
  std::vector<Numbered> sorted;       ///< keys of a cell, and room to sort them
  std::vector<std::int32_t> leaf;     ///< results of a leaf
  std::vector<std::uint32_t> own;     ///< of each cell of a leaf: as RankSearch::own
  std::vector<RankedSite> order;      ///< of a cell
};

/// The memory of one thread.
struct Workspace {
  static constexpr std::size_t kDeepest = 40;  ///< an axis has at most 2^31 cells of a tile

  std::array<Candidates, kDeepest> levels;
  std::array<Candidates, 8> parts;
  std::vector<NodeRef> open;
  std::vector<std::uint64_t> order;
  std::vector<LeafSite> leaf;
  alignas(64) std::array<std::int32_t, kMostLeafCells> winner{};  ///< of a leaf
  alignas(64) std::array<std::int32_t, kBlockEdge * kBlockEdge * kBlockEdge + kSlack> block{};
  std::int64_t done = 0;  ///< cells that the progress does not know yet
  RankMemory ranks;
};

/// Receives the winners of some cells of a row: their places in Sites.
using WriteRow = void (*)(const void* self, const Axes& cell, std::int64_t count,
                          const std::int32_t* winners);

/// An output of 4 bytes a cell, in rows without gaps.
struct Rows {
  std::byte* first = nullptr;
  std::array<std::int64_t, 2> stride{};  ///< in bytes, of planes and rows
  bool streams = false;                  ///< past the caches

  template <class T>
  T* at(const Axes& cell) const {
    return reinterpret_cast<T*>(first + cell[0] * stride[0] + cell[1] * stride[1]) + cell[2];
  }
};

/// Results of cells that have no place in Sites: no site, the cell itself, and, from kFirstKnown
/// down, what RankHooks::read tells.
inline constexpr std::int32_t kNoSite = -1;
inline constexpr std::int32_t kOwnSite = -2;
inline constexpr std::int32_t kFirstKnown = -3;

/// A site that is known without a search.
struct KnownSite {
  std::int64_t index = 0;
  std::int64_t squared = 0;  ///< S
};

/// What a caller of the search for the k nearest does itself; null: nothing.
struct RankHooks {
  const void* self = nullptr;
  /// Puts the results of a block into the array of results, if it knows them all.
  bool (*answer)(const void* self, const Tile& block, std::int32_t* results) = nullptr;
  /// Receives the results of a block, and may put others in their place.
  void (*receive)(const void* self, const Tile& block, std::int32_t* results) = nullptr;
  /// The site of a result that is at most kFirstKnown.
  KnownSite (*read)(const void* self, const Axes& cell, std::int32_t result) = nullptr;
};

struct RankSearch;

/// The cells of a block; their results lie one array after the other.
inline std::int64_t cells_of_block(int rank) {
  return rank == 2 ? kBlockEdge * kBlockEdge : kBlockEdge * kBlockEdge * kBlockEdge;
}

/// More groups at one distance are not counted.
inline constexpr std::int64_t kMostTies = 255;

/// A search, and where its answers go.
struct Search {
  ContextState* state = nullptr;
  const Problem* problem = nullptr;
  SiteWeights weights;             ///< of the sites by their indices
  const Solved* solved = nullptr;  ///< blocks that need no answer
  Sites sites;

  // What vectors write; the rest goes to `write_row`.
  const std::uint32_t* label = nullptr;  ///< of the sites
  Rows labels;                           ///< of 4 bytes
  Rows distance, key;                    ///< f32; weighted_distance is the key
  const double* typed = nullptr;         ///< weights of the sites, for `key`
  std::array<double, kAxes> factor{};    ///< of squared distances in cells
  double distance_unit = 1;              ///< the length of the root of 1 of these, rounded

  WriteRow write_row = nullptr;  ///< null: there is no rest
  const void* writer = nullptr;

  const RankSearch* ranks = nullptr;  ///< null: the nearest site alone is sought

  bool writes_labels_alone() const {
    return labels.first != nullptr && distance.first == nullptr && key.first == nullptr &&
           write_row == nullptr && ranks == nullptr;
  }
};

/// The search for the k nearest sites of different groups, or for ties.
///
/// A block has `slots` arrays of results, its cells in the order of (z, y, x): of the nearest site,
/// of the second one …; for ties, of the nearest site and of how many groups share its key.
struct RankSearch {
  std::int64_t k = 1;
  bool counts_ties = false;            ///< k is 1
  const std::uint32_t* own = nullptr;  ///< of each cell: 1 and the group of a site that Sites lack,
                                       ///< as it matters nowhere else; 0: there is none
  std::vector<Search> rows = {};       ///< of each rank: where its answers go
  RankHooks hooks = {};

  std::int64_t slots() const { return counts_ties ? 2 : k; }
};

using SearchTile = void (*)(const Search& search, Workspace& workspace, const Tile& tile);

/// Which search of an instruction set: for the nearest site alone, or for the k nearest.
struct SearchKind {
  int rank = 2;
  bool has_ranks = false;
};

/// The search for the metric and the weighting of a problem.
SearchTile search_by_squares(std::int64_t targets, const SearchKind& kind);
SearchTile search_by_axes(std::int64_t targets, const SearchKind& kind, Metric metric);
SearchTile search_by_roots(std::int64_t targets, const SearchKind& kind);
SearchTile search_by_ratios(std::int64_t targets, const SearchKind& kind);
SearchTile search_by_metrics(std::int64_t targets, const SearchKind& kind);

/// Lets vectors write labels and distances where they can, and returns the views of the rest.
ProblemViews choose_rows(Search& search, const ProblemViews& views, Scratch::Frame& scratch);

/// Searches all tiles on all threads.
void search_tiles(const Search& search);

/// The place of a site, in the units of points.
inline Axes place_of(const Search& search, std::uint32_t site) {
  const Problem& problem = *search.problem;
  const auto unit = static_cast<double>(problem.centre({0, 0, 1})[2]);
  Axes place{};
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    place[axis] = static_cast<std::int64_t>(search.sites.at[axis][site] * unit);
  return place;
}

/// S of a site at a cell.
inline Int128 squared_at(const Search& search, std::uint32_t site, const Axes& cell) {
  const Problem& problem = *search.problem;
  const Axes centre = problem.centre(cell);
  const Axes place = place_of(search, site);
  Axes way{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) way[axis] = centre[axis] - place[axis];
  if (search.weights.form != nullptr)
    return length_of(search.weights.form[search.sites.index[site]], way);
  Int128 squared = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 delta = way[axis] < 0 ? -way[axis] : way[axis];
    const Int128 factor = problem.weights.factor[axis];
    if (problem.metric == Metric::euclidean)
      squared += factor * delta * delta;
    else if (problem.metric == Metric::manhattan)
      squared += factor * delta;
    else
      squared = factor * delta > squared ? factor * delta : squared;
  }
  return squared;
}

/// What orders sites at a cell.
inline ExactKey exact_key(const Search& search, std::uint32_t site, const Axes& cell) {
  const Int128 squared = squared_at(search, site, cell);
  if (search.weights.exact == nullptr) return {squared, 0};
  const Int128 factor = search.problem->keys.factor;
  return {squared * factor * factor, search.weights.exact[search.sites.index[site]]};
}

}  // namespace thiessen::cpu::candidates
