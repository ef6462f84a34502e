// SPDX-License-Identifier: Apache-2.0
//
// How a warp lowers a tile of a flat raster (flat_tile.hpp). For sources compiled as CUDA.
//
// A pass goes through the tile line by line and lowers each cell from the three cells behind it, in
// the line before. The cells of a line do not depend on each other, one a lane; and a value is
// carried through the whole tile in one pass. Passes down and up go from row to row, those to the
// right and to the left from column to column. A line is worked on only if the one behind it fell
// since the last pass of this direction, since nothing else could lower it. When none of the four
// directions has such a line, no step within the tile lowers anything.
//
// What a warp waits for is the way from line to line. So it takes kTogether lines at once: it first
// reads all that they need, and then goes from one to the next in registers, by shuffles. It may
// look at lines that nothing lowers, which does no harm.
//
//   fallen   for each direction, a bit for each line with a cell that fell and has not been passed
//            on yet
//   side     the cell behind a line in the halo, before its first lane or after its last one
//
// H. Zhao, "A fast sweeping method for Eikonal equations" (2005), uses the four orders. Here they
// are exact, since they end at a fixed point and not at a tolerance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cuda/cost/tiles/flat_patch.cuh"
#include "cuda/cost/tiles/flat_tile.hpp"
#include "cuda/cost/tiles/flow.hpp"
#include "cuda/cost/tiles/queue.cuh"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {

template <class Flow>
class FlatSweep : public FlatPatch<Flow> {
 public:
  using Value = typename Flow::Value;

  using FlatPatch<Flow>::FlatPatch;

  /// Lowers the cells until no step within the tile lowers any; `entered` are the reasons to work
  /// on it.
  __device__ void solve(std::uint32_t entered) {
    entered_ = entered;
    const std::uint32_t all = (entered & kSetWithin) != 0 ? ~std::uint32_t{0} : 0;
    for (int i = 0; i < kDirections; ++i) fallen_[i] = all;
    rows_ = columns_ = all;
    do {
      pass<Direction::down>();
      pass<Direction::right>();
      pass<Direction::up>();
      pass<Direction::left>();
    } while ((fallen_[0] | fallen_[1] | fallen_[2] | fallen_[3]) != 0);
  }

  /// Writes the cells that fell.
  __device__ void store() {
    volatile Value* const values = flow_.values();
    for (std::uint32_t rows = rows_; rows != 0; rows &= rows - 1) {
      const int y = lowest_bit(rows);
      if (exists(y, lane_of_thread()))
        values[cell_of(y, lane_of_thread())] = tile_.value[flat_place(y, lane_of_thread())];
    }
  }

  /// Writes which steps to its cells are tight, and links along tight steps: of each cell to the
  /// first cell before it on a tight path that lies in the tile or its halo. Only for costs, once
  /// they are final.
  __device__ void store_tight_steps() {
    std::uint32_t links[kSide / kLinksPerWord];
    THIESSEN_UNROLL
    for (int i = 0; i < kSide / kLinksPerWord; ++i) links[i] = store_tight_rows(i * kLinksPerWord);
    __syncwarp();
    end_links_at_halo();
    THIESSEN_UNROLL
    for (int i = 0; i < kSide / kLinksPerWord; ++i) put_links(i * kLinksPerWord, links[i]);
    shorten_links();
    THIESSEN_NO_UNROLL
    for (int y = 0; y < kSide; ++y)
      if (exists(y, lane_of_thread())) store_link(y, lane_of_thread());
  }

  /// For the first lanes, one for each tile around in the order of flat_around(): the least key of
  /// what this tile lowers in that one, or kNoKey. The halo here may be older, and so greater, than
  /// what others wrote there: then there is a key too often, never too seldom.
  __device__ std::uint32_t key_beyond() const {
    std::uint32_t key = kNoKey;
    if constexpr (Flow::kCount == 8) key = corner_key();
    if ((rows_ & 1) != 0) note_key<Direction::up>(key);
    if ((rows_ >> (kSide - 1) & 1) != 0) note_key<Direction::down>(key);
    if ((columns_ & 1) != 0) note_key<Direction::left>(key);
    if ((columns_ >> (kSide - 1) & 1) != 0) note_key<Direction::right>(key);
    return key;
  }

 private:
  using FlatPatch<Flow>::flow_;
  using FlatPatch<Flow>::tile_;
  using FlatPatch<Flow>::exists;
  using FlatPatch<Flow>::cell_of;
  using FlatPatch<Flow>::corner_row;
  using FlatPatch<Flow>::corner_column;

  /// Starts at the lines that fell, and at the halo if cells fell there.
  template <Direction kDirection>
  __device__ void pass() {
    constexpr int kNumber = static_cast<int>(kDirection);
    constexpr std::uint32_t kLines = (std::uint32_t{1} << kTogether) - 1;
    const std::uint32_t lines =
        is_forward(kDirection) ? fallen_[kNumber] : __brev(fallen_[kNumber]);
    std::uint32_t open = lines << 1;
    if ((entered_ & side_bit(kDirection)) != 0) open |= 1;
    entered_ &= ~side_bit(kDirection);
    fallen_[kNumber] = 0;
    if (open == 0) return;
    std::uint32_t fell = 0;  // a bit for each line whose cell of this lane fell
    do {
      const int first = std::min(lowest_bit(open), kSide - kTogether);
      const std::uint32_t now = lower_lines<kDirection>(first);
      fell |= now << first;
      open &= ~(kLines << first);
      if (__any_sync(~0u, (now >> (kTogether - 1)) != 0)) open |= (kLines + 1) << first;
    } while (open != 0);
    __syncwarp();
    note_fallen<kDirection>(fell);
  }

  template <Direction kDirection>
  __device__ void note_fallen(std::uint32_t fell) {
    const std::uint32_t cells = __ballot_sync(~0u, fell != 0);
    if (cells == 0) return;
    std::uint32_t lines = union_of_warp(fell);
    if (!is_forward(kDirection)) lines = __brev(lines);
    fallen_[static_cast<int>(opposite(kDirection))] |= lines;
    constexpr Direction kFirstAcross = is_vertical(kDirection) ? Direction::right : Direction::down;
    fallen_[static_cast<int>(kFirstAcross)] |= cells;
    fallen_[static_cast<int>(opposite(kFirstAcross))] |= cells;
    rows_ |= is_vertical(kDirection) ? lines : cells;
    columns_ |= is_vertical(kDirection) ? cells : lines;
  }

  /// What a lane needs of a line to lower its cell there.
  struct Line {
    Value* cell;
    Value own;
    Value side;
    typename FlatMap<Flow>::Steps steps;
  };

  /// The place of the cell of a line that lies `along` it.
  template <Direction kDirection>
  __device__ static FlatPlace place_on(int line, int along) {
    const int own_line = is_forward(kDirection) ? line : kSide - 1 - line;
    const int y = is_vertical(kDirection) ? own_line : along;
    const int x = is_vertical(kDirection) ? along : own_line;
    return {flat_place(y, x), step_place(y, x)};
  }

  template <Direction kDirection>
  __device__ Line read_line(int line) const {
    const int lane = lane_of_thread();
    const FlatPlace at = place_on<kDirection>(line, lane);
    const FlatPlace side = place_on<kDirection>(line - 1, lane == kLanes - 1 ? kSide : -1);
    return {tile_.value + at.cell, tile_.value[at.cell], tile_.value[side.cell],
            tile_.map.template steps_to<kDirection>(at)};
  }

  /// The least value that the line behind passes to the lane's cell; `behind` is the value there.
  template <Direction kDirection>
  __device__ static Value least_from_behind(const Line& line, Value behind) {
    using Map = FlatMap<Flow>;
    Value least = Map::template value_from_behind<kDirection>(line.steps, 0, behind);
    if constexpr (Flow::kCount == 8) {
      Value before = __shfl_up_sync(~0u, behind, 1);
      Value after = __shfl_down_sync(~0u, behind, 1);
      if (lane_of_thread() == 0) before = line.side;
      if (lane_of_thread() == kLanes - 1) after = line.side;
      least = lesser(least, Map::template value_from_behind<kDirection>(line.steps, -1, before));
      least = lesser(least, Map::template value_from_behind<kDirection>(line.steps, 1, after));
    }
    return least;
  }

  /// Lowers the cells of kTogether lines; returns a bit for each line in which the lane's cell
  /// fell.
  template <Direction kDirection>
  __device__ std::uint32_t lower_lines(int first) {
    Line lines[kTogether];
    THIESSEN_UNROLL
    for (int i = 0; i < kTogether; ++i) lines[i] = read_line<kDirection>(first + i);
    Value behind = tile_.value[place_on<kDirection>(first - 1, lane_of_thread()).cell];
    std::uint32_t fell = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kTogether; ++i) {
      const Value least = least_from_behind<kDirection>(lines[i], behind);
      const bool falls = least < lines[i].own && flow_.allows(least);
      behind = falls ? least : lines[i].own;
      if (falls) *lines[i].cell = least;
      fell |= falls ? std::uint32_t{1} << i : 0;
    }
    return fell;
  }

  /// How many links of cells lie in a word, and the link of a cell that has none: others are the
  /// numbers of neighbours.
  static constexpr int kLinksPerWord = 8;
  static constexpr std::uint32_t kNoLink = 8;

  /// Writes the tight steps of rows of the lane's column; returns their links, 4 bits each.
  __device__ std::uint32_t store_tight_rows(int first) const {
    const int lane = lane_of_thread();
    std::uint32_t links = 0;
    THIESSEN_NO_UNROLL
    for (int i = 0; i < kLinksPerWord; ++i) {
      const int y = first + i;
      const FlatPlace at{flat_place(y, lane), step_place(y, lane)};
      const std::uint32_t steps = tight_steps(at, std::make_integer_sequence<int, Flow::kCount>());
      links |= link_back(at.cell, steps) << 4 * i;
      if (exists(y, lane)) flow_.job.steps.bytes[cell_of(y, lane)] = std::byte(steps);
    }
    return links;
  }

  template <int... kNeighbours>
  __device__ std::uint32_t tight_steps(FlatPlace at,
                                       std::integer_sequence<int, kNeighbours...>) const {
    const Value own = tile_.value[at.cell];
    if (!(own < Flow::kNothing)) return 0;
    return (... | (value_via<kNeighbours>(at) == own ? std::uint32_t{1} << kNeighbours : 0));
  }

  /// The first neighbour of lesser cost from which a tight step comes.
  __device__ std::uint32_t link_back(int at, std::uint32_t steps) const {
    for (; steps != 0; steps &= steps - 1) {
      const int k = lowest_bit(steps);
      if (tile_.value[at + offset_of<Flow::kCount>(k)] < tile_.value[at])
        return static_cast<std::uint32_t>(k);
    }
    return kNoLink;
  }

  /// Links each cell of rows of the lane's column to the neighbour on its way back.
  __device__ void put_links(int first, std::uint32_t links) {
    THIESSEN_NO_UNROLL
    for (int i = 0; i < kLinksPerWord; ++i) {
      const std::uint32_t link = links >> 4 * i & 15;
      const int at = flat_place(first + i, lane_of_thread());
      const int offset = link == kNoLink ? 0 : offset_of<Flow::kCount>(static_cast<int>(link));
      tile_.link[at] = static_cast<std::uint32_t>(at + offset);
    }
  }

  __device__ void end_links_at_halo() {
    const int lane = lane_of_thread();
    const auto end_at = [&](int y, int x) {
      tile_.link[flat_place(y, x)] = static_cast<std::uint32_t>(flat_place(y, x));
    };
    end_at(-1, lane);
    end_at(kSide, lane);
    end_at(lane, -1);
    end_at(lane, kSide);
    if (lane < 4) end_at(corner_row(lane), corner_column(lane));
  }

  /// Links each cell of the tile to the link of its link, until no link changes: each time halves
  /// the paths that are left. Links lead to lesser costs, so there are no circles. Lanes read links
  /// that others are shortening; either one is a cell on the path.
  __device__ void shorten_links() {
    constexpr int kRows = 8;
    volatile std::uint32_t* const links = tile_.link;
    bool changed;
    do {
      __syncwarp();
      changed = false;
      THIESSEN_NO_UNROLL
      for (int y = 0; y < kSide; y += kRows) {
        std::uint32_t link[kRows];
        std::uint32_t next[kRows];
        THIESSEN_UNROLL
        for (int i = 0; i < kRows; ++i) link[i] = links[flat_place(y + i, lane_of_thread())];
        THIESSEN_UNROLL
        for (int i = 0; i < kRows; ++i) next[i] = links[link[i]];
        THIESSEN_UNROLL
        for (int i = 0; i < kRows; ++i) {
          changed = changed || next[i] != link[i];
          if (next[i] != link[i]) links[flat_place(y + i, lane_of_thread())] = next[i];
        }
      }
    } while (__any_sync(~0u, changed));
    __syncwarp();
  }

  /// Writes a link as the cell of the raster that it leads to. A cell whose link is itself is still
  /// without a rank.
  __device__ void store_link(int y, int x) const {
    const auto place = static_cast<int>(tile_.link[flat_place(y, x)]);
    const std::int64_t to = cell_of(place / kPitch - 1, place % kPitch - 1);
    const std::int64_t cell = cell_of(y, x);
    flow_.job.link[cell] = static_cast<std::uint32_t>(to);
    if (to == cell) flow_.job.rank[cell] = kNoRank;
  }

  /// Gives the lane of the tile beyond the side that a direction leads to the least key of what
  /// falls there.
  template <Direction kDirection>
  __device__ void note_key(std::uint32_t& key) const {
    Line line = read_line<kDirection>(kSide);
    line.side = Flow::kNothing;  // others pass that on
    const Value behind = tile_.value[place_on<kDirection>(kSide - 1, lane_of_thread()).cell];
    const std::uint32_t least =
        least_of_warp(key_if_less(least_from_behind<kDirection>(line, behind), line.own));
    if (lane_of_thread() == static_cast<int>(kDirection)) key = least;
  }

  /// For the lanes of the tiles at corners whose row and column have cells that fell.
  __device__ std::uint32_t corner_key() const {
    const int corner = lane_of_thread() - kDirections;
    const std::uint32_t rows = (rows_ & 1) * 3 | (rows_ >> (kSide - 1)) * 12;
    const std::uint32_t columns = (columns_ & 1) * 5 | (columns_ >> (kSide - 1)) * 10;
    if (corner < 0 || corner >= 4 || ((rows & columns) >> corner & 1) == 0) return kNoKey;
    const int y = corner_row(corner);
    const int x = corner_column(corner);
    const FlatPlace at{flat_place(y, x), step_place(y, x)};
    Value least = Flow::kNothing;
    if (corner == 0) least = value_via<7>(at);
    if (corner == 1) least = value_via<5>(at);
    if (corner == 2) least = value_via<2>(at);
    if (corner == 3) least = value_via<0>(at);
    return key_if_less(least, tile_.value[at.cell]);
  }

  __device__ std::uint32_t key_if_less(Value value, Value than) const {
    return value < than && flow_.allows(value) ? key_of(value) : kNoKey;
  }

  /// The value that neighbour k passes to a cell.
  template <int k>
  __device__ Value value_via(FlatPlace at) const {
    return tile_.map.template value_via<k>(at, tile_.value[at.cell + offset_of<Flow::kCount>(k)]);
  }

  /// How many lines are read at once.
  static constexpr int kTogether = 4;

  std::uint32_t entered_ = 0;
  std::uint32_t fallen_[kDirections];
  std::uint32_t rows_ = 0, columns_ = 0;  ///< with cells that fell
};

}  // namespace thiessen::cuda::cost
