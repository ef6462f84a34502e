// SPDX-License-Identifier: Apache-2.0
//
// Tiles wait for their turn by the least value that may enter them. Their order matters to the time
// alone: any leads to the same values.
#include "cpu/cost/eikonal/front.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "cpu/cost/eikonal/tile_front.hpp"
#include "cpu/simd/dispatch.hpp"
#include "threads/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/eikonal/front.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/cost/eikonal/front-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::eikonal {
namespace HWY_NAMESPACE {
namespace {

SweepTile sweep_of_rank(int rank) { return rank == 2 ? sweep_tile<2> : sweep_tile<3>; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::eikonal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::eikonal {

HWY_EXPORT(sweep_of_rank);

SweepTile sweep_of(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(sweep_of_rank)[dispatch_index_or_scalar(targets)](rank);
}

namespace {

class Front {
 public:
  Front(ContextState& state, const Ground& ground, double* order)
      : state_(state),
        ground_(ground),
        order_(order),
        size_{ground.rank == 2 ? 1 : kTileDepth, kTileSide, kTileSide},
        sweep_(sweep_of(state.instruction_sets, ground.rank)),
        memory_(static_cast<std::size_t>(state.threads)) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (ground.extent[axis] + size_[axis] - 1) / size_[axis];
    waiting_.resize(static_cast<std::size_t>(tiles_[0] * tiles_[1] * tiles_[2]));
    for (TileMemory& each : memory_) each.resize(ground.rank, ground.is_even());
  }

  void run() {
    add_starts();
    while (take_batch()) {
      parallel_for(state_, std::ssize(batch_), 1, 0,
                   [&](std::int64_t begin, std::int64_t end, int worker) {
                     for (std::int64_t i = begin; i < end; ++i) sweep(batch_[at(i)], worker);
                   });
      for (const Work& work : batch_) tell_neighbours(work);
    }
  }

 private:
  /// What is known of a tile.
  struct Waiting {
    double key = kInfinity;  ///< the least value that may enter it; infinity: it waits for nothing
    Sides from = 0;
    bool is_swept = false;
  };
  struct Turn {
    double key;
    std::int64_t tile;
    bool operator>(const Turn& other) const { return key > other.key; }
  };
  /// A tile that is swept, and what fell at its sides.
  struct Work {
    Axes place;
    Sides from;
    bool is_first;
    Fallen fallen;
  };

  static std::size_t at(std::int64_t number) { return static_cast<std::size_t>(number); }

  void add_starts() {
    for (std::int64_t cell = 0; cell < ground_.cells(); ++cell) {
      if (!(order_[cell] < kInfinity)) continue;
      const Axes place = to_cell(ground_.extent, cell);
      wait(to_index(tiles_, {place[0] / size_[0], place[1] / size_[1], place[2] / size_[2]}),
           order_[cell], 0);
    }
  }

  void wait(std::int64_t tile, double key, Sides from) {
    Waiting& waiting = waiting_[at(tile)];
    waiting.from |= from;
    if (!(key < waiting.key)) return;
    waiting.key = key;
    turns_.push({key, tile});
  }

  /// Takes the tiles with the least keys that do not touch each other: none reads what another one
  /// writes. With one thread, one tile at a time.
  bool take_batch() {
    constexpr int kTilesPerThread = 4;
    const int most = state_.threads == 1 ? 1 : kTilesPerThread * state_.threads;
    batch_.clear();
    std::vector<Turn> later;
    while (!turns_.empty() && std::ssize(batch_) < most && std::ssize(later) < most) {
      const Turn turn = turns_.top();
      turns_.pop();
      Waiting& waiting = waiting_[at(turn.tile)];
      if (turn.key != waiting.key) continue;
      const Axes place = to_cell(tiles_, turn.tile);
      if (std::ranges::any_of(batch_, [&](const Work& work) { return touch(work.place, place); })) {
        later.push_back(turn);
        continue;
      }
      batch_.push_back({place, waiting.from, !waiting.is_swept, {}});
      waiting = {.is_swept = true};
    }
    for (const Turn& turn : later) turns_.push(turn);
    return !batch_.empty();
  }

  static bool touch(const Axes& a, const Axes& b) {
    bool all = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) all = all && std::abs(a[axis] - b[axis]) <= 1;
    return all;
  }

  void sweep(Work& work, int worker) {
    TileBox box{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      box.begin[axis] = work.place[axis] * size_[axis];
      box.end[axis] = std::min(box.begin[axis] + size_[axis], ground_.extent[axis]);
    }
    work.fallen = sweep_(ground_, order_, box, work.from, work.is_first, memory_[at(worker)]);
    if (work.is_first) state_.progress.advance(box.size(0) * box.size(1) * box.size(2));
  }

  void tell_neighbours(const Work& work) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      for (const bool is_above : {false, true}) {
        const double least = work.fallen[side_of(axis, is_above)];
        Axes next = work.place;
        next[axis] += is_above ? 1 : -1;
        if (least < kInfinity && next[axis] >= 0 && next[axis] < tiles_[axis])
          wait(to_index(tiles_, next), least, side_bit(axis, !is_above));
      }
  }

  ContextState& state_;
  const Ground& ground_;
  double* order_;
  Axes size_;
  Axes tiles_{};
  SweepTile sweep_;
  std::vector<TileMemory> memory_;
  std::vector<Waiting> waiting_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<Work> batch_;
};

}  // namespace

void lower_order(ContextState& state, const Ground& ground, double* order) {
  Front(state, ground, order).run();
}

}  // namespace thiessen::cpu::eikonal
#endif
