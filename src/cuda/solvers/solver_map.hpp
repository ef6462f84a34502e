// SPDX-License-Identifier: Apache-2.0
//
// A solver's answer as kernels see it: plain data, all addresses in device memory.
//
// Legend: the raster is cut into tiles of 256 cells, 8 x 32 or 4 x 4 x 16. Each has the greatest S
// of its cells: a site can have, or win, one of them only if its least S to the tile is no more
// than that. Sites are kept by tiles: a bit for each cell of a raster, a chain for the points of a
// list. Nodes of 4 x 4 (2 x 2 x 2) tiles, of as many such nodes and so on count their sites.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/order/spans.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::solvers {

inline constexpr int kMapThreads = 256;  ///< threads of a block, and cells of a tile
inline constexpr int kTileWords = kMapThreads / 32;
/// More than any S.
inline constexpr std::int64_t kBeyondAnyS = std::int64_t{1} << 62;
/// A cell whose winner is sought.
inline constexpr std::int32_t kOpenCell = -3;
/// The end of a chain.
inline constexpr std::int32_t kNoSite = -1;
inline constexpr int kMostLevels = 28;
/// Room for the edits of a repair, and for those of one launch that takes them.
inline constexpr std::int32_t kMostEdits = 256;
inline constexpr int kEditsPerLaunch = 24;

/// What happened to a site or to its cell: bits.
using EditKind = std::uint32_t;
inline constexpr EditKind kWent = 1;
inline constexpr EditKind kCame = 2;
inline constexpr EditKind kRelabelled = 4;
inline constexpr EditKind kToNodata = 8;
inline constexpr EditKind kFromNodata = 16;

struct Edit {
  std::int64_t site = 0;
  Axes before{};  ///< its place; where it did not change, both are the same
  Axes now{};
  LabelBits value{};  ///< of the cell, or the label of the point
  EditKind kinds = 0;
};

/// As many edits as a launch takes in its arguments.
struct EditBatch {
  Edit edit[kEditsPerLaunch];
  std::int32_t first = 0;
  std::int32_t count = 0;
};

/// What changed.
struct Tally {
  unsigned long long cells;
  std::int32_t low[kAxes];
  std::int32_t high[kAxes];
  std::int32_t listed;  ///< tiles
};

struct SolverMap {
  struct Level {
    std::int32_t count[kAxes];
    std::int32_t first;  ///< number of its first node
  };

  Job job;
  std::int64_t factor[kAxes];
  std::int64_t limit;
  std::int32_t tile[kAxes];
  std::int32_t shift[kAxes];  ///< of a level against the one below
  Level level[kMostLevels];
  std::int32_t top;

  std::int32_t* site;            ///< of each cell
  std::int32_t* before;          ///< the same before the last solve, in tiles that it looked at
  std::uint32_t* changed;        ///< a bit for each cell of these tiles
  std::int64_t* greatest;        ///< S of each tile
  std::int32_t* sites_of_node;   ///< how many
  std::uint32_t* sites_of_tile;  ///< of a raster: bits
  std::int32_t* head;            ///< of a list: first point of each tile
  std::int32_t* next;            ///< … the next one of the same tile
  Axes* places;                  ///< … of points
  std::byte* values;             ///< cells of the raster, or labels of points; may be null
  std::int32_t value_bytes;
  const std::uint8_t* domain;  ///< null: all cells are inside
  Edit* edits;
  std::int32_t* listed;  ///< tiles that a repair looks at
  Tally* tally;
  std::uint32_t* touched;  ///< a bit for each site that gained or lost a cell
  std::int64_t touched_words;

  THIESSEN_HD bool is_list() const { return head != nullptr; }
  THIESSEN_HD std::int64_t tiles() const {
    return std::int64_t{level[0].count[0]} * level[0].count[1] * level[0].count[2];
  }
  THIESSEN_HD Axes place(std::int64_t own) const {
    return is_list() ? places[own] : to_cell(job.extent, own);
  }
};

/// Cells from `first` to before `end`.
struct MapBox {
  Axes first{};
  Axes end{};
};

THIESSEN_HD inline MapBox box_of(const SolverMap& map, int level, const Axes& at) {
  MapBox box;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const int up = map.shift[axis] * level;
    const std::int64_t size = std::int64_t{map.tile[axis]} << up;
    box.first[axis] = at[axis] * size;
    const std::int64_t end = box.first[axis] + size;
    box.end[axis] = end < map.job.extent[axis] ? end : map.job.extent[axis];
  }
  return box;
}

/// The place of a node of a level.
THIESSEN_HD inline Axes node_at(const SolverMap& map, int level, std::int64_t number) {
  const SolverMap::Level& own = map.level[level];
  return {number / own.count[2] / own.count[1], number / own.count[2] % own.count[1],
          number % own.count[2]};
}

THIESSEN_HD inline std::int64_t node_number(const SolverMap& map, int level, const Axes& at) {
  const SolverMap::Level& own = map.level[level];
  return (at[0] * own.count[1] + at[1]) * own.count[2] + at[2];
}

/// The tile to which a site belongs: a point outside of the grid to the nearest one at the edge.
THIESSEN_HD inline Axes tile_of_site(const SolverMap& map, const Axes& place) {
  Axes tile;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    std::int64_t cell = place[axis] >> map.job.fraction_bits;
    cell = cell < 0 ? 0 : cell >= map.job.extent[axis] ? map.job.extent[axis] - 1 : cell;
    tile[axis] = cell / map.tile[axis];
  }
  return tile;
}

/// The centres of the cells of a box.
THIESSEN_HD inline Spans centres_of(const SolverMap& map, const MapBox& box) {
  Spans spans;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    spans[axis].low = box.first[axis] << map.job.fraction_bits;
    spans[axis].high = (box.end[axis] - 1) << map.job.fraction_bits;
  }
  return spans;
}

/// Where the sites of a node are: in nodes at the edges those outside of the grid, too.
THIESSEN_HD inline Spans places_of(const SolverMap& map, const MapBox& box) {
  Spans spans;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const bool is_used = static_cast<int>(axis) >= kAxes - map.job.rank;
    const bool is_open = is_used && map.is_list() && map.job.period[axis] == kNoPeriod;
    const bool is_first = is_open && box.first[axis] == 0;
    const bool is_last = is_open && box.end[axis] == map.job.extent[axis];
    spans[axis].low = is_first ? -kBeyond : box.first[axis] << map.job.fraction_bits;
    spans[axis].high = is_last ? kBeyond : (box.end[axis] << map.job.fraction_bits) - 1;
  }
  return spans;
}

THIESSEN_HD inline Spans span_of(const Axes& place) {
  Spans spans;
  for (std::size_t axis = 0; axis < kAxes; ++axis) spans[axis] = {place[axis], place[axis]};
  return spans;
}

/// S in a geometry (core/order/lower_envelope.hpp).
template <class Geometry>
struct MapMeasure {
  const SolverMap& map;

  template <class Along>
  THIESSEN_HD std::int64_t joined(const Along& along) const {
    const auto part = [&](std::size_t axis) {
      return Geometry::along(map.factor[axis], along(axis));
    };
    return Geometry::combine(Geometry::combine(part(0), part(1)), part(2));
  }
  /// S of a cell and a place.
  THIESSEN_HD std::int64_t exact(const Axes& cell, const Axes& place) const {
    return joined([&](std::size_t axis) {
      return periodic_distance(cell[axis] << map.job.fraction_bits, place[axis],
                               map.job.period[axis]);
    });
  }
  THIESSEN_HD std::int64_t least(const Spans& a, const Spans& b) const {
    return joined([&](std::size_t axis) {
      return least_span_distance(a[axis], b[axis], map.job.period[axis]);
    });
  }
  THIESSEN_HD std::int64_t most(const Axes& place, const Spans& box) const {
    return joined([&](std::size_t axis) {
      return greatest_span_distance(place[axis], box[axis], map.job.period[axis]);
    });
  }
  /// An S that none between places of two spans exceeds, or kBeyondAnyS if there is no such.
  THIESSEN_HD std::int64_t most(const Spans& a, const Spans& b) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (a[axis].low == -kBeyond || a[axis].high == kBeyond) return kBeyondAnyS;
    return joined([&](std::size_t axis) {
      const std::int64_t up = a[axis].high - b[axis].low;
      const std::int64_t down = b[axis].high - a[axis].low;
      const std::int64_t direct = up < down ? down : up;
      const std::int64_t half_way = map.job.period[axis] / 2;
      return direct < half_way ? direct : half_way;
    });
  }
};

/// Whether a site of an edit can have, or win, cells of a tile; or the edit is of a cell there.
template <class Geometry>
THIESSEN_HD bool matters(const SolverMap& map, const Edit& edit, const MapBox& box,
                         std::int64_t greatest) {
  const MapMeasure<Geometry> measure{map};
  const std::int64_t bound = greatest < map.limit ? greatest : map.limit;
  const Spans centres = centres_of(map, box);
  if ((edit.kinds & (kWent | kRelabelled)) != 0 &&
      measure.least(span_of(edit.before), centres) <= bound)
    return true;
  if ((edit.kinds & kCame) != 0 && measure.least(span_of(edit.now), centres) <= bound) return true;
  if ((edit.kinds & (kToNodata | kFromNodata)) == 0) return false;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (edit.now[axis] < box.first[axis] || edit.now[axis] >= box.end[axis]) return false;
  return true;
}

}  // namespace thiessen::cuda::solvers
