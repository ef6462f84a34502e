// SPDX-License-Identifier: Apache-2.0
//
// The second-order equation of Eikonal cost distance (core/cost/eikonal.hpp), once a cell, as soon
// as its earlier neighbours have answers. For sources compiled as CUDA.
//
// A cell whose cost is not negative has its answer: rank and direction are written before the cost,
// with a fence between, and read after it. Where a neighbour has its answer, but the cell behind
// it, which is earlier still, cannot be seen yet, the cell waits; the block that wrote both enters
// this tile afterwards.
#pragma once

#include <cstdint>

#include "core/cost/arrival.hpp"
#include "cuda/cost/eikonal/list_worker.cuh"

namespace thiessen::cuda::cost {

/// What an answer follows from: costs and traits in the tile, ranks and directions in the raster.
template <class Pass>
class AroundCell {
 public:
  using Shape = typename Pass::Shape;

  __device__ AroundCell(const EikonalJob& job, const typename Pass::Tile& tile, int at,
                        std::int64_t cell)
      : job_(job), tile_(tile), at_(at), cell_(cell) {}

  __device__ double ground() const { return job_.cost_of(cell_); }
  __device__ bool is_earlier(std::size_t side) const {
    return (tile_.traits[at_] >> side & 1) != 0;
  }
  __device__ double cost(std::size_t side) const { return tile_.cost[at_ + Shape::step(side)]; }
  __device__ bool sees_behind(std::size_t side) const {
    return (tile_.traits[at_ + Shape::step(side)] >> side & 1) != 0;
  }
  __device__ double cost_behind(std::size_t side) const {
    return tile_.cost[at_ + 2 * Shape::step(side)];
  }
  __device__ double ground(std::size_t side) const { return job_.cost_of(over(side)); }
  __device__ eikonal::FrontSite<Pass::kAxesOfMap> front(std::size_t side) const {
    eikonal::FrontSite<Pass::kAxesOfMap> front;
    front.rank = static_cast<const volatile std::uint32_t*>(job_.rank)[over(side)];
    const volatile float* const from = job_.direction + over(side) * Pass::kAxesOfMap;
    THIESSEN_UNROLL
    for (int i = 0; i < Pass::kAxesOfMap; ++i)
      front.direction[static_cast<std::size_t>(i)] = from[i];
    return front;
  }

 private:
  __device__ std::int64_t over(std::size_t side) const { return cell_ + job_.step_over(side); }

  const EikonalJob& job_;
  const typename Pass::Tile& tile_;
  int at_;
  std::int64_t cell_;
};

template <int kDimensions>
struct ArrivalPass {
  using Shape = TileShape<kDimensions, 2>;
  static constexpr int kAxesOfMap = kDimensions;
  static constexpr const char* kName = "costs by tiles";
  static constexpr int kThreads = 64;
  static constexpr int kBlocks = kDimensions == 2 ? 10 : 8;

  struct Tile {
    volatile double cost[Shape::kCells];
    Traits traits[Shape::kCells];
    std::uint32_t waits[Shape::kOwnCells];  ///< over which sides a cell waits, or kIsAnswered
  };
  static constexpr std::uint32_t kIsAnswered = 1u << 31;  ///< in this visit of the tile

  EikonalJob job;

  __device__ void load(Tile& tile, int at, std::int64_t cell) const {
    tile.cost[at] = cell < 0 ? kUnanswered : static_cast<const volatile double&>(job.cost[cell]);
    tile.traits[at] = cell < 0 ? Traits{0} : job.traits[cell];
  }

  template <class List>
  __device__ void begin(Tile& tile, int at, std::uint32_t, List& list) const {
    std::uint32_t waits = 0;
    THIESSEN_UNROLL
    for (std::size_t side = Shape::kFirstSide; side < kSides; ++side) {
      if ((tile.traits[at] >> side & 1) == 0) continue;
      const int next = at + Shape::step(side);
      const bool sees_behind =
          (tile.traits[next] >> side & 1) == 0 || tile.cost[next + Shape::step(side)] >= 0;
      if (tile.cost[next] < 0 || !sees_behind) waits |= 1u << side;
    }
    tile.waits[Shape::number(at)] = waits;
    if (waits == 0 && tile.traits[at] != 0 && tile.cost[at] < 0) list.add(at);
  }

  template <class List>
  __device__ void visit(Tile& tile, int at, std::int64_t cell, float, ReachedTiles& reached,
                        List& list) const {
    __threadfence_block();
    const AroundCell<ArrivalPass> around(job, tile, at, cell);
    const eikonal::Arrival<kDimensions, AroundCell<ArrivalPass>> arrival(around, job.spacing);
    if (job.wants_sites()) write(cell, arrival.site());
    __threadfence_block();
    tile.cost[at] = arrival.cost();
    tile.waits[Shape::number(at)] = kIsAnswered;
    THIESSEN_UNROLL
    for (std::size_t side = Shape::kFirstSide; side < kSides; ++side) {
      const int next = at + Shape::step(side);
      const std::uint32_t bit = 1u << (side ^ 1);  // for this cell, as the next one sees it
      if ((tile.traits[next] & bit) == 0) continue;
      if (Shape::is_edge(at, side)) {
        if (tile.cost[next] < 0) reached.add(side, arrival.cost());
      } else if (atomicAnd(&tile.waits[Shape::number(next)], ~bit) == bit) {
        list.add(next);
      }
    }
  }

  __device__ void store(const Tile& tile, int at, std::int64_t cell, std::uint32_t,
                        ReachedTiles&) const {
    if (tile.waits[Shape::number(at)] == kIsAnswered)
      static_cast<volatile double&>(job.cost[cell]) = tile.cost[at];
  }

 private:
  __device__ void write(std::int64_t cell, const eikonal::FrontSite<kDimensions>& front) const {
    volatile float* const to = job.direction + cell * kDimensions;
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) to[i] = front.direction[static_cast<std::size_t>(i)];
    static_cast<volatile std::uint32_t*>(job.rank)[cell] = front.rank;
    if (job.side != nullptr) job.side[cell] = static_cast<std::uint8_t>(front.side);
  }
};

}  // namespace thiessen::cuda::cost
