// SPDX-License-Identifier: Apache-2.0
//
// How a warp loads a tile of a flat raster (flat_tile.hpp) with its halo, and weighs its steps. For
// sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/cells.hpp"
#include "cuda/cost/tiles/flat_tile.hpp"
#include "cuda/cost/tiles/flow.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {

/// The lesser value; the first one if the second is NaN, or the other way round.
__device__ inline float lesser(float p, float q) { return fminf(p, q); }
__device__ inline double lesser(double p, double q) { return fmin(p, q); }
__device__ inline std::uint32_t lesser(std::uint32_t p, std::uint32_t q) { return p < q ? p : q; }

template <class Flow>
class FlatPatch {
 public:
  using Value = typename Flow::Value;

  /// The cells of a raster in a tile and its halo, as a lane reads them: its column, the cells
  /// beside the tile in its row, and for four lanes a corner.
  template <class T>
  struct Loaded {
    T column[kSide + 2];
    T beside[2];
    T corner;
  };

  /// `tile` is the warp's own.
  __device__ FlatPatch(const Flow& flow, const Axes& origin, FlatTile<Flow>& tile)
      : flow_(flow), tile_(tile) {
    const Axes& extent = flow.job.tiling.extent;
    width_ = extent[2];
    first_ = origin[1] * width_ + origin[2];
    rows_before_ = origin[1] > 0 ? 1 : 0;
    columns_before_ = origin[2] > 0 ? 1 : 0;
    constexpr std::int64_t kWithHalo = kSide + 1;
    rows_after_ = static_cast<int>(std::min(extent[1] - origin[1], kWithHalo));
    columns_after_ = static_cast<int>(std::min(extent[2] - origin[2], kWithHalo));
  }

  __device__ auto read_map() const { return read_map(tile_.map); }

  __device__ Loaded<Value> read_values() const {
    const volatile Value* const values = flow_.values();  // others are writing
    return read_cells(values, Flow::kNothing);
  }

  /// Makes the map of the tile; before its values.
  template <class MapCells>
  __device__ void put_map(const MapCells& cells) {
    __syncwarp();  // the tile before is done with
    put_map(tile_.map, cells);
  }

  __device__ void put_values(const Loaded<Value>& values) {
    __syncwarp();
    put_cells(values, tile_.value);
    __syncwarp();
  }

 protected:
  /// Whether a cell of the tile or its halo lies in the raster, and which one it is there.
  __device__ bool exists(int y, int x) const {
    return y >= -rows_before_ && y < rows_after_ && x >= -columns_before_ && x < columns_after_;
  }
  __device__ std::int64_t cell_of(int y, int x) const { return first_ + y * width_ + x; }

  /// The corners of the halo, one for each of four lanes.
  __device__ static int corner_row(int lane) { return (lane & 2) != 0 ? kSide : -1; }
  __device__ static int corner_column(int lane) { return (lane & 1) != 0 ? kSide : -1; }

  const Flow& flow_;
  FlatTile<Flow>& tile_;

 private:
  template <int kNeighbours, std::uint32_t kAdded>
  __device__ Loaded<std::uint8_t> read_map(const FlatMap<TightFlow<kNeighbours, kAdded>>&) const {
    return read_cells(reinterpret_cast<const std::uint8_t*>(flow_.job.steps.bytes),
                      std::uint8_t{0});
  }

  template <class T, int kNeighbours>
  __device__ Loaded<T> read_map(const FlatMap<CostFlow<T, kNeighbours>>&) const {
    return read_cells(flow_.job.resistance, std::numeric_limits<T>::quiet_NaN());
  }

  template <int kNeighbours, std::uint32_t kAdded>
  __device__ void put_map(FlatMap<TightFlow<kNeighbours, kAdded>>& map,
                          const Loaded<std::uint8_t>& steps) const {
    put_cells(steps, map.steps);
  }

  /// Puts resistances where values lie later, and weighs the steps. On level ground, where all
  /// cells but barriers have one resistance, four quotients are enough.
  template <class T, int kNeighbours>
  __device__ void put_map(FlatMap<CostFlow<T, kNeighbours>>& map, const Loaded<T>& resistances) {
    put_cells(resistances, tile_.value);
    __syncwarp();
    const CostEdges<T>& edges = flow_.job.edges;
    T ground;
    if (is_level(resistances, ground)) {
      const T sum = step_sum(ground, ground);
      T weights[kNeighbours];
      THIESSEN_UNROLL
      for (int k = kNeighbours / 2; k < kNeighbours; ++k) weights[k] = edges.weight(k, sum);
      weigh_tile(map, [&](int k, T) { return weights[k]; });
    } else {
      weigh_tile(map, [&](int k, T own) { return edges.weight(k, own); });
    }
    __syncwarp();
  }

  /// Whether all cells have one resistance or are barriers. NaN is passed over by lesser(), and so
  /// it is by its counterpart.
  template <class T>
  __device__ static bool is_level(const Loaded<T>& cells, T& ground) {
    T least = lesser(lesser(cells.beside[0], cells.beside[1]), cells.corner);
    T negative = lesser(lesser(-cells.beside[0], -cells.beside[1]), -cells.corner);
    THIESSEN_UNROLL
    for (int i = 0; i < kSide + 2; ++i) {
      least = lesser(least, cells.column[i]);
      negative = lesser(negative, -cells.column[i]);
    }
    const std::uint32_t passable = __ballot_sync(~0u, is_passable(least));
    ground = __shfl_sync(~0u, least, passable != 0 ? lowest_bit(passable) : 0);
    const bool same = !is_passable(least) || (least == ground && -negative == ground);
    return __all_sync(~0u, same) != 0;
  }

  template <class T, int kNeighbours, class Weight>
  __device__ void weigh_tile(FlatMap<CostFlow<T, kNeighbours>>& map, const Weight& weight) const {
    const int lane = lane_of_thread();
    weigh_steps<kSide + 1>(map, -1, lane, weight);
    weigh_steps<1>(map, lane, -1, weight);
    if (lane == 0) weigh_steps<1>(map, -1, -1, weight);
  }

  /// The steps whose corners are these cells of a column. Some lead from halo to halo, and nobody
  /// uses them.
  template <int kRows, class T, int kNeighbours, class Weight>
  __device__ void weigh_steps(FlatMap<CostFlow<T, kNeighbours>>& map, int y, int x,
                              const Weight& weight) const {
    const T* corner = tile_.value + flat_place(y, x);
    T own = corner[0];
    T right = corner[1];
    for (int row = 0; row < kRows; ++row) {
      corner += kPitch;
      const T below = corner[0];
      const T beyond = corner[1];
      weigh_corner(map, step_place(y + row, x), {own, right, below, beyond}, weight);
      own = below;
      right = beyond;
    }
  }

  /// Four cells whose corners meet.
  template <class T>
  struct Four {
    T own, right, below, beyond;
  };

  template <class T, int kNeighbours, class Weight>
  __device__ void weigh_corner(FlatMap<CostFlow<T, kNeighbours>>& map, int place,
                               const Four<T>& cells, const Weight& weight) const {
    const auto [own, right, below, beyond] = cells;
    const auto weigh = [&](Slope slope, int k, T p, T q, bool open) {
      map.weight[static_cast<int>(slope)][place] = weight_of(weight, k, step_sum(p, q), open);
    };
    if constexpr (kNeighbours == 4) {
      weigh(Slope::across, 2, own, right, true);
      weigh(Slope::down, 3, own, below, true);
    } else {
      const bool wide = !flow_.job.edges.tight_barriers;
      weigh(Slope::across, 4, own, right, true);
      weigh(Slope::down, 6, own, below, true);
      weigh(Slope::falling, 7, own, beyond, wide || is_passable(right) || is_passable(below));
      weigh(Slope::rising, 5, right, below, wide || is_passable(own) || is_passable(beyond));
    }
  }

  /// step_weight() without a branch. A quotient that is NaN would take a device ten times as long,
  /// so barriers are no divisors.
  template <class T, class Weight>
  __device__ static T weight_of(const Weight& weight, int k, T sum, bool open) {
    const bool passes = open && is_passable(sum);
    const T found = weight(k, passes ? sum : T{1});
    return passes ? found : std::numeric_limits<T>::quiet_NaN();
  }

  template <class T>
  __device__ Loaded<std::remove_cv_t<T>> read_cells(const T* from,
                                                    std::remove_cv_t<T> outside) const {
    Loaded<std::remove_cv_t<T>> cells;
    const int lane = lane_of_thread();
    THIESSEN_UNROLL
    for (int i = 0; i < kSide + 2; ++i) cells.column[i] = read_cell(from, i - 1, lane, outside);
    cells.beside[0] = read_cell(from, lane, -1, outside);
    cells.beside[1] = read_cell(from, lane, kSide, outside);
    cells.corner =
        lane < 4 ? read_cell(from, corner_row(lane), corner_column(lane), outside) : outside;
    return cells;
  }

  template <class T>
  __device__ std::remove_cv_t<T> read_cell(const T* from, int y, int x,
                                           std::remove_cv_t<T> outside) const {
    if (!exists(y, x)) return outside;
    return from[cell_of(y, x)];
  }

  template <class T, class To>
  __device__ void put_cells(const Loaded<T>& cells, To* to) const {
    const int lane = lane_of_thread();
    THIESSEN_UNROLL
    for (int i = 0; i < kSide + 2; ++i) to[flat_place(i - 1, lane)] = cells.column[i];
    to[flat_place(lane, -1)] = cells.beside[0];
    to[flat_place(lane, kSide)] = cells.beside[1];
    if (lane < 4) to[flat_place(corner_row(lane), corner_column(lane))] = cells.corner;
  }

  std::int64_t width_;                ///< of the raster
  std::int64_t first_;                ///< cell of the tile
  int rows_before_, columns_before_;  ///< of the halo, that lie in the raster
  int rows_after_, columns_after_;    ///< of the tile and the halo after it
};

}  // namespace thiessen::cuda::cost
