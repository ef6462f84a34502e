// SPDX-License-Identifier: Apache-2.0
//
// Builds the pyramid from the bits of the sites: leaves, four side by side, with their nodes; then
// each level from the one below.
#include "cpu/tiles/far/pyramid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cpu/tiles/far/inner_sites.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// The factor of an axis, or its root for the euclidean metric; 0 if that is not a small integer.
std::int32_t weight_of(const Problem& problem, std::size_t axis) {
  constexpr Int128 kMost = std::int64_t{1} << 28;
  const Int128 factor = problem.weights.factor[axis];
  if (factor > kMost) return 0;
  const auto small = static_cast<std::int64_t>(factor);
  if (problem.metric != Metric::euclidean) return static_cast<std::int32_t>(small);
  const std::int64_t root = std::llround(std::sqrt(static_cast<double>(small)));
  return root * root == small ? static_cast<std::int32_t>(root) : 0;
}

Axes leaf_size(int rank) { return rank == 2 ? Axes{1, 16, 16} : Axes{4, 4, 16}; }

/// The number of children of a node of `level` along each axis.
Axes fan_of(int rank, int level) {
  if (rank == 2) return {1, 4, 4};
  return level == 1 ? Axes{4, 4, 1} : Axes{4, 4, 4};
}

Axes size_of_level(int rank, int level) {
  Axes size = leaf_size(rank);
  for (int l = 1; l <= level; ++l)
    for (std::size_t axis = 0; axis < kAxes; ++axis) size[axis] *= fan_of(rank, l)[axis];
  return size;
}

void plan_lattice(const Pyramid& pyramid, int rank, int level, LatticeShape& shape) {
  shape.fan = fan_of(rank, level);
  Axes child = size_of_level(rank, level - 1);
  if (rank == 3 && level == 1) {
    shape.fan[2] = 4;
    child[2] = 4;
  }
  Axes step{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) step[axis] = child[axis] * pyramid.weight[axis];
  const Axes points{rank == 2 ? 1 : shape.fan[0] + 1, shape.fan[1] + 1, shape.fan[2] + 1};
  shape.points = static_cast<int>(points[0] * points[1] * points[2]);
  for (int i = 0; i < LatticeShape::kMostPoints; ++i) {
    const int point = std::min(i, shape.points - 1);
    const std::int64_t x = point % points[2];
    const std::int64_t y = point / points[2] % points[1];
    const std::int64_t z = point / (points[2] * points[1]);
    shape.offset[0][static_cast<std::size_t>(i)] = to_word(x * step[2], y * step[1]);
    shape.offset[1][static_cast<std::size_t>(i)] = to_word(z * step[0], 0);
  }
  const auto words = [](const Axes& of_axis) {
    return PerWord<std::int32_t>{to_word(of_axis[2], of_axis[1]), to_word(of_axis[0], 0)};
  };
  const auto of_step = [&](auto&& value) {
    return words({value(step[0]), value(step[1]), value(step[2])});
  };
  shape.extent = words({shape.fan[0] * step[0], shape.fan[1] * step[1], shape.fan[2] * step[2]});
  shape.half = of_step([](std::int64_t s) { return s / 2; });
  shape.reciprocal = of_step([](std::int64_t s) { return 65536 / s; });
  shape.stride = words({points[2] * points[1], points[2], 1});
}

/// The box around the sites of a leaf or a node, in cells.
struct Box {
  Axes low{INT64_MAX, INT64_MAX, INT64_MAX};
  Axes high{-1, -1, -1};
  Axes site{};

  void add(const Box& box) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      low[axis] = std::min(low[axis], box.low[axis]);
      high[axis] = std::max(high[axis], box.high[axis]);
    }
    site = box.site;
  }
};

/// Builds one row of nodes of level 1 and their leaves, four leaves side by side at a time.
template <int kRank>
class NodeRow {
 public:
  NodeRow(const Job& job, Pyramid& pyramid, std::int64_t row)
      : job_(job),
        pyramid_(pyramid),
        z_(row / pyramid.level[1].count[1]),
        y_(row % pyramid.level[1].count[1]),
        used_(row * pyramid.sites_of_row),
        last_(used_ + pyramid.sites_of_row) {}

  void build() {
    for (std::int64_t w = 0; w < job_.units[2]; ++w) {
      if (w % 8 == 0) fetch_rows(w + 8);
      for (int n = 0; n < kNodes; ++n) clear(w * kNodes + n, n);
      for (int four = 0; four < kFours; ++four) build_four(w, four);
      for (int n = 0; n < kNodes; ++n) finish(w * kNodes + n, n);
    }
  }

 private:
  using B = Blocks<kRank>;
  static constexpr int kNodes = kRank == 2 ? 1 : 4;   ///< nodes of a word
  static constexpr int kFours = kRank == 2 ? 4 : 16;  ///< groups of four leaves in a word

  /// Prefetches a cache line of each row.
  void fetch_rows(std::int64_t w) const {
    if (w >= job_.units[2]) return;
    const Axes& size = pyramid_.level[1].size;
    for (std::int64_t z = z_ * size[0]; z < (z_ + 1) * size[0] && z < job_.extent[0]; ++z)
      for (std::int64_t y = y_ * size[1]; y < (y_ + 1) * size[1] && y < job_.extent[1]; ++y)
        __builtin_prefetch(job_.bits.own_row(z, y) + w);
  }

  bool exists(std::int64_t x) const { return x < pyramid_.level[1].count[2]; }
  std::int64_t node_index(std::int64_t x) const { return pyramid_.level[1].index(z_, y_, x); }

  void clear(std::int64_t x, int n) {
    box_[n] = {};
    if (!exists(x)) return;
    const std::int64_t node = node_index(x);
    pyramid_.level[1].children[node] = 0;
    pyramid_.level[1].dropped[node] = 0;
    std::fill_n(pyramid_.leaf_dropped + node * kLeavesOfNode, kLeavesOfNode, std::uint8_t{0});
  }

  void finish(std::int64_t x, int n) {
    if (box_[n].high[2] >= 0) store_box(pyramid_.level[1], node_index(x), box_[n]);
  }

  void store_box(const NodeLevel& level, std::int64_t index, const Box& box) const {
    const auto put = [&](const Words& to, const Axes& cell) {
      const auto place = to_place(pyramid_, cell[0], cell[1], cell[2]);
      for (std::size_t word = 0; word < kRank - 1; ++word) to[word][index] = place[word];
    };
    put(level.low, box.low);
    put(level.high, box.high);
    put(level.site, box.site);
  }

  /// The first cell of the first of four leaves.
  Axes origin_of(std::int64_t w, std::int64_t four) const {
    if constexpr (kRank == 2) return {0, y_ * 64 + four * 16, w * 64};
    return {z_ * 16 + four / 4 * 4, y_ * 16 + four % 4 * 4, w * 64};
  }

  void build_four(std::int64_t w, int four) {
    const Axes origin = origin_of(w, four);
    if (origin[0] >= job_.extent[0] || origin[1] >= job_.extent[1]) return;
    const int sites =
        job_.unit_sites[job_.unit_index(origin[0] / B::kUnitZ, origin[1] / B::kUnitY, w)];
    if (sites == 0) return;
    std::fill_n(count_, 4, 0);
    std::fill_n(columns_, 4, 0U);
    std::fill_n(lines_, 4, 0U);
    const bool drop = sites >= job_.limits->sites_per_full_unit && job_.numbers == nullptr;
    std::uint64_t dropped = 0;
    for (int r = 0; r < kLeafRows; ++r) {
      const std::int64_t z = origin[0] + (kRank == 2 ? 0 : r / 4);
      const std::int64_t y = origin[1] + (kRank == 2 ? r : r % 4);
      if (z >= job_.extent[0] || y >= job_.extent[1]) continue;
      std::uint64_t row = job_.bits.own_row(z, y)[w];
      if (drop && row != 0) {
        const std::uint64_t inner = inner_sites<kRank>(job_, z, y, w);
        dropped |= inner;
        row &= ~inner;
      }
      sort_row(row, r);
    }
    for (int leaf = 0; leaf < 4; ++leaf) {
      const std::int64_t x = kRank == 2 ? w : w * 4 + leaf;
      if (!exists(x)) return;
      const int child = kRank == 2 ? four * 4 + leaf : four;
      const Axes first{origin[0], origin[1], origin[2] + std::int64_t{16} * leaf};
      finish_leaf(node_index(x), child, leaf, first, (dropped >> 16 * leaf & 0xffff) != 0);
    }
  }

  /// Adds the sites of row `r` of four leaves.
  void sort_row(std::uint64_t row, int r) {
    for (; row != 0; row &= row - 1) {
      const int x = std::countr_zero(row);
      const int leaf = x / 16;
      lines_[leaf] |= 1U << r;
      columns_[leaf] |= 1U << x % 16;
      sites_[leaf][count_[leaf]++] = static_cast<std::uint8_t>(r * 16 + x % 16);
    }
  }

  void finish_leaf(std::int64_t node, int child, int leaf, const Axes& first, bool dropped) {
    const std::int64_t index = node * kLeavesOfNode + child;
    NodeLevel& nodes = pyramid_.level[1];
    pyramid_.leaf_dropped[index] = dropped ? 1 : 0;
    if (dropped) nodes.dropped[node] = 1;
    if (count_[leaf] == 0) return;
    nodes.children[node] |= std::uint64_t{1} << child;
    const auto low = [](std::uint32_t bits) { return std::countr_zero(bits); };
    const auto high = [](std::uint32_t bits) { return 31 - std::countl_zero(bits); };
    std::uint32_t lines = lines_[leaf];
    Box box{first, first, first};
    int corner = 0;
    const int site = sites_[leaf][0];
    if constexpr (kRank == 3) {
      box.low[0] += low(lines) / 4;
      box.high[0] += high(lines) / 4;
      box.site[0] += site / 64;
      corner = low(lines) / 4 * 64;
      lines = (lines | lines >> 4 | lines >> 8 | lines >> 12) & 15;
    }
    corner += low(lines) * 16 + low(columns_[leaf]);
    box.low[1] += low(lines);
    box.high[1] += high(lines);
    box.low[2] += low(columns_[leaf]);
    box.high[2] += high(columns_[leaf]);
    box.site[1] += kRank == 2 ? site / 16 : site / 16 % 4;
    box.site[2] += site % 16;
    store_box(pyramid_.level[0], index, box);
    box_[kRank == 2 ? 0 : leaf].add(box);
    list_sites(index, leaf, corner);
  }

  /// `corner` is the low one of the box, as a site; subtracting it never borrows from another axis.
  void list_sites(std::int64_t index, int leaf, int corner) {
    const int count = count_[leaf];
    pyramid_.count[index] = static_cast<std::uint16_t>(count);
    if (used_ + count > last_) {
      pyramid_.first[index] = Pyramid::kUnlisted;
      return;
    }
    pyramid_.first[index] = static_cast<std::uint32_t>(used_);
    for (int i = 0; i < count; ++i)
      pyramid_.sites[used_ + i] = static_cast<std::uint8_t>(sites_[leaf][i] - corner);
    used_ += count;
  }

  const Job& job_;
  Pyramid& pyramid_;
  std::int64_t z_;
  std::int64_t y_;
  std::int64_t used_;
  std::int64_t last_;
  Box box_[4];  ///< boxes of the nodes of a word
  // For each of four leaves:
  std::uint8_t sites_[4][kLeafCells];
  int count_[4];
  std::uint32_t columns_[4];
  std::uint32_t lines_[4];
};

/// The smaller or the larger halves of two words. `origin` makes them comparable modulo 2^16.
template <class Choose>
std::int32_t choose_halves(std::int32_t a, std::int32_t b, std::int32_t origin, Choose&& choose) {
  const auto half = [&](int shift) {
    const auto of = [&](std::int32_t word) {
      return static_cast<std::uint16_t>(static_cast<std::uint32_t>(word) >> shift);
    };
    return choose(static_cast<std::uint16_t>(of(a) - of(origin)),
                  static_cast<std::uint16_t>(of(b) - of(origin))) +
           of(origin);
  };
  return to_word(half(0), half(16));
}

void join_children(const Pyramid& pyramid, const NodeLevel& below, NodeLevel& level,
                   const Axes& at) {
  const std::int64_t node = level.index(at[0], at[1], at[2]);
  const auto origin =
      to_place(pyramid, at[0] * level.size[0], at[1] * level.size[1], at[2] * level.size[2]);
  std::uint64_t children = 0;
  std::uint8_t dropped = 0;
  int bit = 0;
  for (std::int64_t z = 0; z < level.fan[0]; ++z)
    for (std::int64_t y = 0; y < level.fan[1]; ++y)
      for (std::int64_t x = 0; x < level.fan[2]; ++x, ++bit) {
        const Axes child{at[0] * level.fan[0] + z, at[1] * level.fan[1] + y,
                         at[2] * level.fan[2] + x};
        if (child[0] >= below.count[0] || child[1] >= below.count[1] || child[2] >= below.count[2])
          continue;
        const std::int64_t from = below.index(child[0], child[1], child[2]);
        dropped |= below.dropped[from];
        if (below.children[from] == 0) continue;
        for (std::size_t word = 0; word < kMostWords && below.low[word] != nullptr; ++word) {
          const auto join = [&](const Words& of, const Words& to, auto&& choose) {
            const std::int32_t value = of[word][from];
            to[word][node] =
                children == 0 ? value : choose_halves(to[word][node], value, origin[word], choose);
          };
          join(below.low, level.low, [](auto a, auto b) { return std::min(a, b); });
          join(below.high, level.high, [](auto a, auto b) { return std::max(a, b); });
          level.site[word][node] = below.site[word][from];
        }
        children |= std::uint64_t{1} << bit;
      }
  level.children[node] = children;
  level.dropped[node] = dropped;
}

}  // namespace

bool far_supports(const Problem& problem, const EngineLimits& limits) {
  if (problem.metric == Metric::chessboard) return false;
  const Axes macro = size_of_level(problem.rank, kMacroLevel);
  const std::int64_t longest = EngineLimits::of_rank(limits.far_reach, problem.rank);
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
    const std::int32_t weight = weight_of(problem, axis);
    if (weight == 0 || weight * macro[axis] > longest / 2) return false;
  }
  return true;
}

void plan_pyramid(const Problem& problem, const EngineLimits& limits, Scratch::Frame& scratch,
                  Pyramid& pyramid) {
  const std::int64_t longest = EngineLimits::of_rank(limits.far_reach, problem.rank);
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const bool is_missing = kAxes - static_cast<int>(axis) > problem.rank;
    pyramid.weight[axis] = is_missing ? 1 : weight_of(problem, axis);
    pyramid.reach[axis] = static_cast<std::int32_t>(longest / pyramid.weight[axis]);
  }
  int l = 0;
  for (bool more = true; more; ++l) {
    NodeLevel& level = pyramid.level[static_cast<std::size_t>(l)];
    level.size = size_of_level(problem.rank, l);
    if (l > 0) level.fan = fan_of(problem.rank, l);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      level.count[axis] = parts(problem.extent[axis], level.size[axis]);
    const std::int64_t nodes =
        l == 0 ? kLeavesOfNode * parts(problem.extent[0], size_of_level(problem.rank, 1)[0]) *
                     parts(problem.extent[1], size_of_level(problem.rank, 1)[1]) *
                     parts(problem.extent[2], size_of_level(problem.rank, 1)[2])
               : level.nodes();
    for (std::size_t word = 0; word + 1 < static_cast<std::size_t>(problem.rank); ++word)
      for (Words* words : {&level.low, &level.high, &level.site})
        (*words)[word] = scratch.array<std::int32_t>(nodes + kLeavesOfNode);
    if (l == 0) {
      pyramid.first = scratch.array<std::uint32_t>(nodes);
      pyramid.count = scratch.array<std::uint16_t>(nodes);
      pyramid.leaf_dropped = scratch.array<std::uint8_t>(nodes);
    } else {
      level.children = scratch.array<std::uint64_t>(nodes);
      level.dropped = scratch.array<std::uint8_t>(nodes);
    }
    more = l < kMacroLevel || (level.nodes() > limits.far_top_nodes && l + 1 < kMostLevels);
  }
  pyramid.levels = l;
  for (int level = 1; level <= kMacroLevel; ++level)
    plan_lattice(pyramid, problem.rank, level, pyramid.lattice[static_cast<std::size_t>(level)]);
  const Axes row = pyramid.level[1].size;
  pyramid.sites_of_row =
      row[0] * row[1] * parts(problem.extent[2], 64) * 64 / limits.cells_per_listed_site;
  pyramid.sites = scratch.array<std::uint8_t>(pyramid.rows() * pyramid.sites_of_row + 64);
}

void build_nodes(const Job& job, Pyramid& pyramid, std::int64_t row) {
  if (pyramid.level[0].low[1] == nullptr) {
    NodeRow<2>(job, pyramid, row).build();
  } else {
    NodeRow<3>(job, pyramid, row).build();
  }
}

void build_upper_levels(Pyramid& pyramid) {
  for (int l = 2; l < pyramid.levels; ++l) {
    NodeLevel& level = pyramid.level[static_cast<std::size_t>(l)];
    const NodeLevel& below = pyramid.level[static_cast<std::size_t>(l - 1)];
    for (std::int64_t z = 0; z < level.count[0]; ++z)
      for (std::int64_t y = 0; y < level.count[1]; ++y)
        for (std::int64_t x = 0; x < level.count[2]; ++x)
          join_children(pyramid, below, level, {z, y, x});
  }
}

}  // namespace thiessen::cpu::tiles
