// SPDX-License-Identifier: Apache-2.0
//
// Values that fall along steps from cell to cell, tile by tile, until none falls any more.
//
//   value     of a cell: its cost, or its rank
//   tile      64 x 64 cells in 2-D, 16 x 16 x 32 in 3-D
//   active    a tile with a cell whose value has fallen, and which has not passed it on yet
//   colour    of a tile: its coordinates modulo 2
//   window    tiles that fit the caches; rounds stay in it until none is active; in 3-D all tiles
//   round     all active tiles of a window; those of one colour at the same time
//
// Work on a tile passes values on within it until no step lowers any, and to the neighbours in
// other tiles, which become active. Tiles of one colour do not touch, and no two of them can lower
// the same cell: a step reaches two cells at most, and a tile between two others is whole, as only
// the last of an axis is smaller. So no two threads write the same cell. When no tile is active, no
// step lowers anything: that is the fixed point (docs/cost-distance.md proves it, and that it is
// reached).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/base/scratch.hpp"
#include "cpu/cost/tiles/tile.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::cost {

/// A cell of a tile, along each axis.
struct TileCell {
  std::int16_t z, y, x;
};

/// Cells begin..end-1 along each axis.
struct TileBox {
  Axes begin;
  Axes end;

  std::int64_t size(std::size_t axis) const { return end[axis] - begin[axis]; }
  bool holds(const Axes& cell) const {
    bool in = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      in = in && cell[axis] >= begin[axis] && cell[axis] < end[axis];
    return in;
  }
  TileCell local(const Axes& cell) const {
    return {static_cast<std::int16_t>(cell[0] - begin[0]),
            static_cast<std::int16_t>(cell[1] - begin[1]),
            static_cast<std::int16_t>(cell[2] - begin[2])};
  }
};

inline TilePlace flat_place(const TileBox& box, const Axes& extent) {
  const auto [z, height, width] = extent;
  TilePlace place;
  place.first = box.begin[1] * width + box.begin[2];
  place.width = width;
  place.rows = static_cast<int>(box.size(1));
  place.columns = static_cast<int>(box.size(2));
  place.above = box.begin[1] > 0;
  place.below = box.end[1] < height;
  place.left = box.begin[2] > 0;
  place.right = box.end[2] < width;
  return place;
}

/// Prefetches a tile of a 2-D raster of values: its rows are too short for the processor to predict
/// what comes.
template <class Value>
void fetch_tile(const TilePlace& place, const Value* raster) {
  constexpr std::int64_t kLine = 64 / sizeof(Value);
  for (int y = 0; y < place.rows; ++y)
    for (std::int64_t x = 0; x < place.columns; x += kLine)
      __builtin_prefetch(raster + place.first + y * place.width + x, 0, 2);
}

class TileRounds {
 public:
  /// Each cell counts `units` of progress when its tile is worked on for the first time.
  TileRounds(ContextState& state, const Axes& extent, bool flat, std::int64_t units,
             Scratch::Frame& scratch)
      : state_(state), extent_(extent), tile_(flat ? kFlatTile : kDeepTile), units_(units) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (extent_[axis] + tile_[axis] - 1) / tile_[axis];
    while (window_ * window_ < kTilesPerThread * state.threads) window_ *= 2;
    if (!flat) window_ = std::max(tiles_[1], tiles_[2]);
    active_ = scratch.array<std::uint8_t>(tile_count());
    std::fill_n(active_, tile_count(), std::uint8_t{0});
    seen_ = scratch.array<std::uint8_t>(tile_count());
    std::fill_n(seen_, tile_count(), kNever);
    list_ = scratch.array<std::int64_t>(tile_count());
  }

  /// How often a tile was worked on, on average over those that were.
  double visits_per_tile() const {
    return seen_count_ == 0 ? 0.0 : static_cast<double>(visits_) / static_cast<double>(seen_count_);
  }
  /// How often tiles were worked on.
  std::int64_t visits() const { return visits_; }
  /// Tiles that were worked on.
  std::int64_t seen_count() const { return seen_count_; }
  std::int64_t tile_count() const { return tiles_[0] * tiles_[1] * tiles_[2]; }

  TileBox box_of(std::int64_t tile) const {
    const Axes place = to_cell(tiles_, tile);
    TileBox box;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      box.begin[axis] = place[axis] * tile_[axis];
      box.end[axis] = std::min(box.begin[axis] + tile_[axis], extent_[axis]);
    }
    return box;
  }

  std::int64_t tile_of(const Axes& cell) const {
    return to_index(tiles_, {cell[0] / tile_[0], cell[1] / tile_[1], cell[2] / tile_[2]});
  }
  void activate(std::int64_t tile) {
    std::atomic_ref(active_[tile]).store(1, std::memory_order_relaxed);
  }

  /// Calls work(tile, box, worker) until no tile is active, and fetch(tile, box) for a tile that is
  /// likely to come next. Returns false as soon as goes_on() is false after a round; then tiles may
  /// still be active.
  template <class Fetch, class Work, class GoesOn>
  bool run(const Fetch& fetch, const Work& work, const GoesOn& goes_on) {
    for (bool any = true; any;) {
      any = false;
      for (std::int64_t y = 0; y < tiles_[1]; y += window_)
        for (std::int64_t x = 0; x < tiles_[2]; x += window_) {
          const TileBox window{
              {0, y, x},
              {tiles_[0], std::min(y + window_, tiles_[1]), std::min(x + window_, tiles_[2])}};
          while (run_round(window, fetch, work)) {
            any = true;
            if (!goes_on()) return false;
          }
        }
    }
    return true;
  }

 private:
  static constexpr Axes kFlatTile{1, kTile, kTile};
  static constexpr Axes kDeepTile{16, 16, 32};
  /// Tiles of a window along each axis, an even number so that colours go on from one window to the
  /// next: 1024 x 1024 cells of f32 are 4 MiB of costs. More threads have more caches and get more
  /// tiles.
  static constexpr std::int64_t kWindow = 16;
  static constexpr std::int64_t kTilesPerThread = 64;
  /// Whether a tile has been on the list, and has been worked on.
  static constexpr std::uint8_t kNever = 0, kListed = 1, kDone = 2;

  /// Whether any tile was active.
  template <class Fetch, class Work>
  bool run_round(const TileBox& window, const Fetch& fetch, const Work& work) {
    bool any = false;
    for (int colour = 0; colour < 8; ++colour) {
      const std::int64_t count = list_active(window, colour);
      if (count == 0) continue;
      any = true;
      visits_ += count;
      parallel_for(state_, count, 1, 0, [&](std::int64_t begin, std::int64_t end, int worker) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (i + 1 < count) fetch(list_[i + 1], box_of(list_[i + 1]));
          const TileBox box = box_of(list_[i]);
          work(list_[i], box, worker);
          if (std::exchange(seen_[list_[i]], kDone) == kListed)
            state_.progress.advance(units_ * box.size(0) * box.size(1) * box.size(2));
        }
      });
    }
    return any;
  }

  std::int64_t list_active(const TileBox& window, int colour) {
    std::int64_t count = 0;
    for (std::int64_t z = window.begin[0] + (colour >> 2); z < window.end[0]; z += 2)
      for (std::int64_t y = window.begin[1] + (colour >> 1 & 1); y < window.end[1]; y += 2)
        for (std::int64_t x = window.begin[2] + (colour & 1); x < window.end[2]; x += 2) {
          const std::int64_t tile = to_index(tiles_, {z, y, x});
          if (active_[tile] == 0) continue;
          active_[tile] = 0;
          list_[count++] = tile;
          if (seen_[tile] == kNever) {
            seen_[tile] = kListed;
            ++seen_count_;
          }
        }
    return count;
  }

  ContextState& state_;
  Axes extent_;
  Axes tile_;
  Axes tiles_{};
  std::int64_t units_;
  std::uint8_t* active_ = nullptr;
  std::uint8_t* seen_ = nullptr;
  std::int64_t visits_ = 0;
  std::int64_t seen_count_ = 0;
  std::int64_t window_ = kWindow;  ///< tiles along y and along x of a window
  std::int64_t* list_ = nullptr;   ///< active tiles of one colour
};

/// For each tile of a 2-D raster, the lines that have cells that fell.
class TileLines {
 public:
  TileLines(TileRounds& rounds, Scratch::Frame& scratch)
      : rounds_(rounds), lines_(scratch.array<Lines>(rounds.tile_count())) {
    std::fill_n(lines_, rounds.tile_count(), Lines{});
  }

  /// Adds a cell that fell.
  void add(const Axes& cell) { add(cell, row_of(cell), column_of(cell)); }
  /// The same while there is one thread.
  void add_first(const Axes& cell) {
    const std::int64_t tile = rounds_.tile_of(cell);
    lines_[tile].rows |= row_of(cell);
    lines_[tile].columns |= column_of(cell);
    rounds_.activate(tile);
  }
  /// Adds cells beyond the sides of a tile that fell.
  void add(const TileBox& box, const LoweredNeighbours& fallen) {
    constexpr std::uint64_t kFirst = 1;
    constexpr std::uint64_t kLast = std::uint64_t{1} << (kTile - 1);
    if (fallen.above != 0) add({0, box.begin[1] - 1, box.begin[2]}, kLast, fallen.above);
    if (fallen.below != 0) add({0, box.end[1], box.begin[2]}, kFirst, fallen.below);
    if (fallen.left != 0) add({0, box.begin[1], box.begin[2] - 1}, fallen.left, kLast);
    if (fallen.right != 0) add({0, box.begin[1], box.end[2]}, fallen.right, kFirst);
  }

  /// Calls visit(cell) for the cells that fell and have not passed on their value, and perhaps for
  /// others in the same tiles.
  template <class Visit>
  void for_each_cell(Visit&& visit) const {
    for (std::int64_t tile = 0; tile < rounds_.tile_count(); ++tile) {
      const TileBox box = rounds_.box_of(tile);
      for (std::uint64_t rows = lines_[tile].rows; rows != 0; rows &= rows - 1)
        for (std::uint64_t columns = lines_[tile].columns; columns != 0; columns &= columns - 1)
          visit(Axes{0, box.begin[1] + std::countr_zero(rows),
                     box.begin[2] + std::countr_zero(columns)});
    }
  }

  /// Takes the lines of a tile away.
  Lines take(std::int64_t tile) { return std::exchange(lines_[tile], Lines{}); }

 private:
  static std::uint64_t row_of(const Axes& cell) { return std::uint64_t{1} << cell[1] % kTile; }
  static std::uint64_t column_of(const Axes& cell) { return std::uint64_t{1} << cell[2] % kTile; }

  void add(const Axes& cell, std::uint64_t rows, std::uint64_t columns) {
    const std::int64_t tile = rounds_.tile_of(cell);
    std::atomic_ref(lines_[tile].rows).fetch_or(rows, std::memory_order_relaxed);
    std::atomic_ref(lines_[tile].columns).fetch_or(columns, std::memory_order_relaxed);
    rounds_.activate(tile);
  }

  TileRounds& rounds_;
  Lines* lines_;
};

}  // namespace thiessen::cpu::cost
