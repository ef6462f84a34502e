// SPDX-License-Identifier: Apache-2.0
//
// Tiles of the far search in their raster.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_TILE_INL
#undef THIESSEN_CPU_TILES_FAR_TILE_INL
#else
#define THIESSEN_CPU_TILES_FAR_TILE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cpu/tiles/far/lists-inl.hpp"
#include "cpu/tiles/job/tile_shapes.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// The base of the parts of the far search.
template <int kRank>
class TileBase : public TileLeaves<NodeTiles<kRank>> {
 public:
  using Leaves = TileLeaves<NodeTiles<kRank>>;
  using B = Blocks<kRank>;
  using Point = PerWord<std::int32_t>;

  TileBase(const Job& job, const Pyramid& pyramid, FarMemory& memory)
      : job_(job), pyramid_(pyramid), memory_(memory) {}

  static Area child_of(const Area& area, int level, const Axes& child) {
    Area part = area;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      part.size[axis] /= axis == 0 && kRank == 2 ? 1 : fan(level)[axis];
      part.first[axis] += child[axis] * part.size[axis];
    }
    return part;
  }

  static Axes fan(int level) {
    if constexpr (kRank == 2) return {1, 4, 4};
    return level == 1 ? Axes{4, 4, 1} : Axes{4, 4, 4};
  }

  Lattice<kRank> lattice_of(const Area& area, int level) const {
    return {pyramid_.lattice[static_cast<std::size_t>(level)], place_of(area)};
  }

  Point place_of(const Area& area) const {
    return to_place(pyramid_, area.first[0], area.first[1], area.first[2]);
  }

  /// Calls visit(first leaf of a row, number of leaves) for the rows of leaves of an area.
  template <class Visit>
  void for_leaf_rows(const Area& area, Visit&& visit) const {
    const Axes leaf{B::kLeafZ, B::kLeafY, kLeafWidth};
    Axes begin;
    Axes end;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      begin[axis] = area.first[axis] / leaf[axis];
      end[axis] = std::min((area.first[axis] + area.size[axis]) / leaf[axis], job_.leaves[axis]);
    }
    if (begin[2] >= end[2]) return;
    for (std::int64_t z = begin[0]; z < end[0]; ++z)
      for (std::int64_t y = begin[1]; y < end[1]; ++y)
        visit(job_.solved + job_.leaf_index(z, y, begin[2]), end[2] - begin[2]);
  }

  bool needs_work(const Area& area) const {
    bool needs = false;
    for_leaf_rows(area, [&](const SolvedBy* solved, std::int64_t leaves) {
      needs = needs || std::find(solved, solved + leaves, SolvedBy::none) != solved + leaves;
    });
    return needs;
  }

  bool untouched(const Area& area) const {
    bool any = false;
    for_leaf_rows(area, [&](const SolvedBy* solved, std::int64_t leaves) {
      any = any || std::count(solved, solved + leaves, SolvedBy::none) < leaves;
    });
    return !any;
  }

  /// The open leaves of a tile of level 1.
  std::uint32_t open_leaves(const Area& tile) const { return Leaves::open_leaves(job_, tile); }

  void set_solved(const Area& area) const {
    for_leaf_rows(area, [](SolvedBy* solved, std::int64_t leaves) {
      std::fill_n(solved, leaves, SolvedBy::far);
    });
  }

  /// The cell of a site. For an image on a periodic axis it is the cell of the site itself.
  Axes cell_of(const Area& area, const Point& site) const {
    const Point origin = place_of(area);
    const auto cell = [&](std::size_t axis, std::size_t w, int shift) {
      const auto difference =
          static_cast<std::int16_t>((static_cast<std::uint32_t>(site[w]) >> shift) -
                                    (static_cast<std::uint32_t>(origin[w]) >> shift));
      const std::int32_t weight = pyramid_.weight[axis];
      const std::int64_t at = area.first[axis] + (weight == 1 ? difference : difference / weight);
      if (!job_.periodic[axis]) return at;
      return at < 0 ? at + job_.extent[axis]
                    : (at < job_.extent[axis] ? at : at - job_.extent[axis]);
    };
    return {kRank == 3 ? cell(0, 1, 0) : 0, cell(1, 0, 16), cell(2, 0, 0)};
  }

  /// The number of a site in results: the index of its cell, or its place in a list.
  std::int64_t index_of(const Area& area, const Point& site) const {
    const std::int64_t cell = to_index(job_.extent, cell_of(area, site));
    return job_.numbers == nullptr ? cell : job_.numbers[cell] - 1;
  }

  const std::byte* label_of(const Area& area, const Point& site) const {
    if (job_.numbers != nullptr)
      return job_.labels.bytes + index_of(area, site) * job_.labels.element;
    const Axes cell = cell_of(area, site);
    return job_.labels.at(cell[0], cell[1], cell[2]);
  }

 protected:
  static constexpr Axes kOne{1, 1, 1};  ///< child of a tile

  const Job& job_;
  const Pyramid& pyramid_;
  FarMemory& memory_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
