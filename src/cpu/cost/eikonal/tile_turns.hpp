// SPDX-License-Identifier: Apache-2.0
//
// Tiles take turns by the least value that may enter them, until none waits any more. Their order
// matters to the time alone: the passes of Eikonal cost distance end with the same values in any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <queue>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "cpu/cost/eikonal/front.hpp"
#include "cpu/cost/tiles/tile_rounds.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::eikonal {

using cost::TileBox;

/// A tile whose turn it is.
struct TileTurn {
  std::int64_t tile = 0;
  Axes place{};  ///< among the tiles
  TileBox box{};
  Sides from = 0;        ///< beyond which values changed
  bool is_first = true;  ///< whether it had no turn before
};

class TileTurns {
 public:
  TileTurns(ContextState& state, const Axes& extent, const Axes& size)
      : state_(state), extent_(extent), size_(size) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (extent[axis] + size_[axis] - 1) / size_[axis];
    waiting_.resize(at(tiles_[0] * tiles_[1] * tiles_[2]));
  }

  const Axes& tiles() const { return tiles_; }
  std::int64_t tile_of(std::int64_t cell) const {
    const Axes place = to_cell(extent_, cell);
    return to_index(tiles_, {place[0] / size_[0], place[1] / size_[1], place[2] / size_[2]});
  }

  /// From now on a tile waits, with the least value that may enter it.
  void wait(std::int64_t tile, double key, Sides from = 0) {
    Waiting& waiting = waiting_[at(tile)];
    waiting.from |= from;
    if (!(key < waiting.key)) return;
    waiting.key = key;
    queue_.push({key, tile});
  }

  /// Calls visit(turn, result, worker) for tiles, many at once, and then tell(turn, result) for one
  /// after the other, which may let tiles wait. Results are used again. A visit writes in the tile
  /// and in cells that touch it, and reads no farther than its neighbours.
  template <class Result, class Visit, class Tell>
  void run(const Visit& visit, const Tell& tell) {
    std::vector<Result> results(at(most()));
    while (take_batch()) {
      parallel_for(state_, std::ssize(batch_), 1, 0,
                   [&](std::int64_t begin, std::int64_t end, int worker) {
                     for (std::int64_t i = begin; i < end; ++i) {
                       const TileTurn& turn = batch_[at(i)];
                       visit(turn, results[at(i)], worker);
                       if (turn.is_first) state_.progress.advance(cells_of(turn.box));
                     }
                   });
      for (std::size_t i = 0; i < batch_.size(); ++i) tell(batch_[i], results[i]);
    }
  }

 private:
  /// What is known of a tile.
  struct Waiting {
    double key = kInfinity;  ///< the least value that may enter it; infinity: it waits for nothing
    Sides from = 0;
    bool had_turn = false;
  };
  struct Entry {
    double key;
    std::int64_t tile;
    bool operator>(const Entry& other) const { return key > other.key; }
  };
  static std::size_t at(std::int64_t number) { return static_cast<std::size_t>(number); }
  static std::int64_t cells_of(const TileBox& box) {
    return box.size(0) * box.size(1) * box.size(2);
  }

  int most() const {
    constexpr int kTilesPerThread = 4;
    return state_.threads == 1 ? 1 : kTilesPerThread * state_.threads;
  }

  /// Takes the tiles with the least keys that do not touch each other: none reads what another one
  /// writes. With one thread, one tile at a time.
  bool take_batch() {
    batch_.clear();
    std::vector<Entry> later;
    while (!queue_.empty() && std::ssize(batch_) < most() && std::ssize(later) < most()) {
      const Entry entry = queue_.top();
      queue_.pop();
      Waiting& waiting = waiting_[at(entry.tile)];
      if (entry.key != waiting.key) continue;
      const Axes place = to_cell(tiles_, entry.tile);
      if (std::ranges::any_of(batch_,
                              [&](const TileTurn& turn) { return touch(turn.place, place); })) {
        later.push_back(entry);
        continue;
      }
      batch_.push_back({entry.tile, place, box_of(place), waiting.from, !waiting.had_turn});
      waiting = {.had_turn = true};
    }
    for (const Entry& entry : later) queue_.push(entry);
    return !batch_.empty();
  }

  static bool touch(const Axes& a, const Axes& b) {
    bool all = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) all = all && std::abs(a[axis] - b[axis]) <= 1;
    return all;
  }

  TileBox box_of(const Axes& place) const {
    TileBox box{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      box.begin[axis] = place[axis] * size_[axis];
      box.end[axis] = std::min(box.begin[axis] + size_[axis], extent_[axis]);
    }
    return box;
  }

  ContextState& state_;
  Axes extent_;
  Axes size_;
  Axes tiles_{};
  std::vector<Waiting> waiting_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::vector<TileTurn> batch_;
};

}  // namespace thiessen::cpu::eikonal
