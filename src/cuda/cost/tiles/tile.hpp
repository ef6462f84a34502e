// SPDX-License-Identifier: Apache-2.0
//
// Tiles of cost distance: the places of their cells and neighbours, in functions of host and
// device.
//
//   tile     32 x 32 cells in 2-D, 8 x 8 x 16 in 3-D: one thread each
//   halo     how far a step leads along an axis
//   padded   a tile with its halo, as it lies in shared memory, in C order
//   code     number of one of the tiles around: (dz + 1) · 9 + (dy + 1) · 3 + dx + 1
#pragma once

#include <array>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/edges.hpp"

namespace thiessen::cuda::cost {

inline constexpr int kCostThreads = 1024;         ///< threads of a block, and cells of a tile
inline constexpr int kMostPadded = 10 * 10 * 18;  ///< more than 36 x 36
inline constexpr int kTileCodes = 27;

/// A reason to work on a tile: cells within it were set.
inline constexpr std::uint32_t kSetWithin = 1 << 4;
/// The same, if cells around it were set, too: all reasons at once.
inline constexpr std::uint32_t kSetAround = kSetWithin * 2 - 1;

struct CostTiling {
  Axes extent{};
  Axes tiles{};  ///< along each axis
  std::array<std::int32_t, kAxes> size{};
  std::array<std::int32_t, kAxes> halo{};
  std::array<std::int32_t, kAxes> padded{};
  std::int32_t neighbours = 0;
  std::int32_t delta[kMostNeighbours]{};         ///< to a neighbour in the padded tile
  std::int64_t raster_delta[kMostNeighbours]{};  ///< and in the raster

  THIESSEN_HD std::int32_t padded_cells() const { return padded[0] * padded[1] * padded[2]; }
  THIESSEN_HD std::int64_t count() const { return tiles[0] * tiles[1] * tiles[2]; }
};

template <class T>
CostTiling make_tiling(const Axes& extent, const CostEdges<T>& edges) {
  CostTiling tiling{.extent = extent, .neighbours = edges.count};
  bool deep = false;
  std::int32_t reach = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k) {
    deep = deep || edges.offset[k].z != 0;
    if (edges.offset[k].step == CostStep::knight) reach = 2;
  }
  tiling.size =
      deep ? std::array<std::int32_t, kAxes>{8, 8, 16} : std::array<std::int32_t, kAxes>{1, 32, 32};
  tiling.halo = {deep ? 1 : 0, reach, reach};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    tiling.padded[axis] = tiling.size[axis] + 2 * tiling.halo[axis];
    tiling.tiles[axis] = (extent[axis] + tiling.size[axis] - 1) / tiling.size[axis];
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k) {
    const CostOffset o = edges.offset[k];
    tiling.delta[k] = (o.z * tiling.padded[1] + o.y) * tiling.padded[2] + o.x;
    tiling.raster_delta[k] = (o.z * extent[1] + o.y) * extent[2] + o.x;
  }
  return tiling;
}

/// The coordinates of the i-th cell of a box of this size.
THIESSEN_HD inline std::array<std::int32_t, kAxes> place_in(
    const std::array<std::int32_t, kAxes>& size, std::int32_t i) {
  const std::int32_t row = i / size[2];
  return {row / size[1], row % size[1], i % size[2]};
}

/// The first cell of a tile.
THIESSEN_HD inline Axes origin_of(const CostTiling& tiling, std::uint32_t tile) {
  const Axes place = to_cell(tiling.tiles, tile);
  return {place[0] * tiling.size[0], place[1] * tiling.size[1], place[2] * tiling.size[2]};
}

THIESSEN_HD inline std::uint32_t tile_of(const CostTiling& tiling, std::int64_t cell) {
  const Axes place = to_cell(tiling.extent, cell);
  return static_cast<std::uint32_t>(
      to_index(tiling.tiles,
               {place[0] / tiling.size[0], place[1] / tiling.size[1], place[2] / tiling.size[2]}));
}

/// The index of the cell at a place relative to the origin; -1 outside of the raster.
THIESSEN_HD inline std::int64_t cell_at(const CostTiling& tiling, const Axes& origin,
                                        std::int32_t z, std::int32_t y, std::int32_t x) {
  const Axes cell{origin[0] + z, origin[1] + y, origin[2] + x};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (cell[axis] < 0 || cell[axis] >= tiling.extent[axis]) return -1;
  return to_index(tiling.extent, cell);
}

/// The i-th cell of a tile; -1 outside of the raster.
THIESSEN_HD inline std::int64_t cell_of_tile(const CostTiling& tiling, std::uint32_t tile,
                                             std::int32_t i) {
  const auto place = place_in(tiling.size, i);
  return cell_at(tiling, origin_of(tiling, tile), place[0], place[1], place[2]);
}

/// The codes, bit by bit, that a cell at `place` along an axis can reach. `before` are the codes of
/// tiles before this one along the axis; shifts give the others.
THIESSEN_HD inline std::uint32_t codes_along(const CostTiling& tiling, std::size_t axis,
                                             std::int32_t place, std::uint32_t before, int shift) {
  std::uint32_t codes = before << shift;
  if (place < tiling.halo[axis]) codes |= before;
  if (place >= tiling.size[axis] - tiling.halo[axis]) codes |= before << 2 * shift;
  return codes;
}

/// Bits for the tiles around, by their codes, whose halo contains a cell.
THIESSEN_HD inline std::uint32_t tiles_reached(const CostTiling& tiling,
                                               const std::array<std::int32_t, kAxes>& place) {
  constexpr std::uint32_t kBeforeZ = 0x1FF;
  constexpr std::uint32_t kBeforeY = 0x7 | 0x7 << 9 | 0x7 << 18;
  constexpr std::uint32_t kBeforeX = 0x1249249;
  constexpr std::uint32_t kItself = std::uint32_t{1} << kTileCodes / 2;
  return codes_along(tiling, 0, place[0], kBeforeZ, 9) &
         codes_along(tiling, 1, place[1], kBeforeY, 3) &
         codes_along(tiling, 2, place[2], kBeforeX, 1) & ~kItself;
}

/// The code of the tile beyond a face, along an axis.
constexpr int code_beyond(std::size_t axis, bool is_above) {
  const int step = axis == 0 ? 9 : axis == 1 ? 3 : 1;
  return kTileCodes / 2 + (is_above ? step : -step);
}

/// The code of the tile in which the neighbour of a cell lies.
THIESSEN_HD inline int code_beside(const CostTiling& tiling,
                                   const std::array<std::int32_t, kAxes>& place,
                                   const CostOffset& offset) {
  const auto along = [&](std::size_t axis, std::int32_t step) {
    const std::int32_t at = place[axis] + step;
    return at < 0 ? 0 : at < tiling.size[axis] ? 1 : 2;
  };
  return along(0, offset.z) * 9 + along(1, offset.y) * 3 + along(2, offset.x);
}

/// The tile around another one with this code; -1 if there is none.
THIESSEN_HD inline std::int64_t tile_around(const CostTiling& tiling, std::uint32_t tile,
                                            int code) {
  Axes place = to_cell(tiling.tiles, tile);
  place = {place[0] + code / 9 - 1, place[1] + code / 3 % 3 - 1, place[2] + code % 3 - 1};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (place[axis] < 0 || place[axis] >= tiling.tiles[axis]) return -1;
  return to_index(tiling.tiles, place);
}

/// The least value that any neighbour passes to a cell, or its own if that is not greater. `at` is
/// its place in the padded tile; steps.along(k, value) is the value that neighbour k passes on if
/// it holds `value`. Other threads may lower values meanwhile.
template <int kCount, class Value, class Steps>
THIESSEN_HD Value least_around(const CostTiling& tiling, const Steps& steps,
                               const volatile Value* at, Value own) {
  Value least = own;
  THIESSEN_UNROLL
  for (int k = 0; k < kCount; ++k) {
    const Value there = at[tiling.delta[k]];
    const Value value_via = steps.along(k, there);
    if (value_via < least) least = value_via;
  }
  return least;
}

}  // namespace thiessen::cuda::cost
