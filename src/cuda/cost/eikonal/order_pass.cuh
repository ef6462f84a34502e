// SPDX-License-Identifier: Apache-2.0
//
// The first-order equation of Eikonal cost distance (core/cost/eikonal.hpp), cell by cell. Any
// order of work ends at its one solution. For sources compiled as CUDA.
//
// A cell is visited because a neighbour fell below it. Values that follow from neighbours which
// fall later are wrong, and so are those behind them. So a cell waits as long as others have
// neighbours that are lower by more than two steps across it.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/cost/eikonal/list_worker.cuh"

namespace thiessen::cuda::cost {

template <int kDimensions>
struct OrderPass {
  using Shape = TileShape<kDimensions, 1>;
  static constexpr const char* kName = "order by tiles";
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = kDimensions == 2 ? 7 : 5;

  struct Tile {
    volatile double order[Shape::kCells];
    double steepness[kDimensions][Shape::kOwnCells];
    std::uint32_t listed[(Shape::kCells + 31) / 32];  ///< a bit a cell

    /// Whether a cell was not listed before.
    __device__ bool list(int at) {
      const std::uint32_t bit = 1u << at % 32;
      return (atomicOr(&listed[at / 32], bit) & bit) == 0;
    }
    __device__ void unlist(int at) { atomicAnd(&listed[at / 32], ~(1u << at % 32)); }
  };

  EikonalJob job;

  __device__ void load(Tile& tile, int at, std::int64_t cell) const {
    tile.order[at] = cell < 0 ? kInfinity : static_cast<const volatile double&>(job.order[cell]);
    if (at % 32 == 0) tile.listed[at / 32] = 0;
    if (!Shape::is_own(at)) return;
    const double value = cell < 0 ? std::numeric_limits<double>::quiet_NaN() : job.resistance[cell];
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i)
      tile.steepness[i][Shape::number(at)] = eikonal::steepness_of(
          value, job.edges.stiffness, job.spacing[Shape::kFirst + static_cast<std::size_t>(i)]);
  }

  /// All cells begin where some were set; else the cells at the edge, beyond which some fell.
  template <class List>
  __device__ void begin(Tile& tile, int at, std::uint32_t reasons, List& list) const {
    if ((reasons & kSetWithin) == 0 && !Shape::is_at_edge(at)) return;
    const double least = least_around(tile, at);
    if (least < tile.order[at] && tile.list(at)) list.add(at, least);
  }

  template <class List>
  __device__ void visit(Tile& tile, int at, std::int64_t, float round_least, ReachedTiles&,
                        List& list) const {
    constexpr double kSteps = 2;
    const double least = least_around(tile, at);
    if ((least - round_least) * tile.steepness[kDimensions - 1][Shape::number(at)] > kSteps)
      return list.add(at, least);
    tile.unlist(at);
    __threadfence_block();
    const double now = lowered(tile, at);
    if (!(now < tile.order[at])) return;
    tile.order[at] = now;
    __threadfence_block();
    THIESSEN_UNROLL
    for (std::size_t side = Shape::kFirstSide; side < kSides; ++side) {
      const int next = at + Shape::step(side);
      if (now < tile.order[next] && !Shape::is_edge(at, side) && tile.list(next))
        list.add(next, now);
    }
  }

  __device__ void store(const Tile& tile, int at, std::int64_t cell, std::uint32_t reasons,
                        ReachedTiles& reached) const {
    const double now = tile.order[at], before = job.order[cell];
    if (now < before) static_cast<volatile double&>(job.order[cell]) = now;
    if (!(now < ((reasons & kSetWithin) != 0 ? kInfinity : before))) return;
    THIESSEN_UNROLL
    for (std::size_t side = Shape::kFirstSide; side < kSides; ++side)
      if (Shape::is_edge(at, side) && now < tile.order[at + Shape::step(side)])
        reached.add(side, now);
  }

 private:
  __device__ static double least_around(const Tile& tile, int at) {
    double least = kInfinity;
    THIESSEN_UNROLL
    for (std::size_t side = Shape::kFirstSide; side < kSides; ++side) {
      const double there = tile.order[at + Shape::step(side)];
      least = there < least ? there : least;
    }
    return least;
  }

  __device__ static double lowered(const Tile& tile, int at) {
    AlongAxes least{}, steepness{};
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) {
      const std::size_t axis = Shape::kFirst + static_cast<std::size_t>(i);
      const double below = tile.order[at + Shape::step(side_of(axis, false))];
      const double above = tile.order[at + Shape::step(side_of(axis, true))];
      least[axis] = below < above ? below : above;
      steepness[axis] = tile.steepness[i][Shape::number(at)];
    }
    return eikonal::lowered<kDimensions>(tile.order[at], least, steepness);
  }
};

}  // namespace thiessen::cuda::cost
