// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/eikonal/front.hpp"

#include <vector>

#include "cpu/cost/eikonal/tile_front.hpp"
#include "cpu/simd/dispatch.hpp"

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

/// Lets the tiles wait next to which something fell.
void tell_neighbours(const TileTurn& turn, const Fallen& fallen, TileTurns& turns) {
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    for (const bool is_above : {false, true}) {
      const double least = fallen[side_of(axis, is_above)];
      Axes next = turn.place;
      next[axis] += is_above ? 1 : -1;
      if (least < kInfinity && next[axis] >= 0 && next[axis] < turns.tiles()[axis])
        turns.wait(to_index(turns.tiles(), next), least, side_bit(axis, !is_above));
    }
}

}  // namespace

void lower_order(ContextState& state, const Ground& ground, double* order) {
  TileTurns turns(state, ground.extent, {ground.rank == 2 ? 1 : kTileDepth, kTileSide, kTileSide});
  for (std::int64_t cell = 0; cell < ground.cells(); ++cell)
    if (order[cell] < kInfinity) turns.wait(turns.tile_of(cell), order[cell]);
  std::vector<TileMemory> memory(static_cast<std::size_t>(state.threads));
  for (TileMemory& each : memory) each.resize(ground.rank, ground.is_even());
  const SweepTile sweep = sweep_of(state.instruction_sets, ground.rank);
  turns.run<Fallen>(
      [&](const TileTurn& turn, Fallen& fallen, int worker) {
        fallen = sweep(ground, order, turn, memory[static_cast<std::size_t>(worker)]);
      },
      [&](const TileTurn& turn, const Fallen& fallen) { tell_neighbours(turn, fallen, turns); });
}

}  // namespace thiessen::cpu::eikonal
#endif
