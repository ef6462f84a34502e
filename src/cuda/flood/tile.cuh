// SPDX-License-Identifier: Apache-2.0
//
// Several passes of jump flooding in one tile (plan.hpp) of packed sites (packing.hpp). The tile is
// read; each pass reads one of two buffers and writes the other; the final cells are written. Warps
// do all three: they stand on 32 columns of the tile, next to each other, and go down its lines;
// passes go down chains (chain.cuh).
//
// A tile that holds only one site, or none, is left as it is. That is true for most tiles of the
// large steps if sites are few, and for most tiles of the small steps if the cells of the diagram
// are large. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "core/order/measure.hpp"
#include "cuda/device/warp.cuh"
#include "cuda/flood/chain.cuh"
#include "cuda/flood/divider.hpp"
#include "cuda/flood/packing.hpp"
#include "cuda/flood/plan.hpp"
#include "cuda/flood/run_tiles.hpp"
#include "cuda/job/site_bits.hpp"
#include "cuda/job/tile_output.hpp"

namespace thiessen::cuda::flood {

/// Loads a state that the kernel before may just have written on another processor.
__device__ inline PackedCell load_state(const PackedCell* address) {
#ifdef __CUDA_ARCH__
  return __ldcg(address);
#else
  return *address;
#endif
}

template <Metric kMetric, int kRank, bool kPlain>
class FloodTile {
 public:
  /// Tile number `tile` of the group; `memory` has room for 2 · group.cells() sites.
  __device__ FloodTile(const Packing& packing, const FloodGroup& group, std::int64_t tile,
                       PackedCell* memory)
      : packing_(packing), group_(group), old_(memory), new_(memory + group.cells()) {
    // Tiles that lie side by side in memory come one after the other.
    std::int32_t lattice[3];
    THIESSEN_UNROLL
    for (int axis = 2; axis >= 0; --axis) {
      lattice[axis] = static_cast<std::int32_t>(tile % group.lattices[axis]);
      tile /= group.lattices[axis];
    }
    THIESSEN_UNROLL
    for (int axis = 2; axis >= 0; --axis) {
      const auto number = static_cast<std::int32_t>(tile % group.tiles[axis]);
      tile /= group.tiles[axis];
      const std::int32_t run = axis == 2 ? lattice[2] << group.run_bits : lattice[axis];
      const std::int32_t first = number * group.tile[axis] - group.halo[axis];
      origin_[axis] = run + first * group.unit;
      const std::int32_t rest = packing.extent[axis] - origin_[axis];
      valid_[axis] = overlap({first < 0 ? -first : 0, (rest + group.unit - 1) / group.unit},
                             {0, group.size(axis)});
    }
    lattice_x_ = lattice[2] << group.run_bits;
  }

  __device__ void run(const Job& job, const FloodBuffers& buffers) {
    if (__syncthreads_or(load(buffers)) != 0) {
      std::int32_t rest = 0;
      for (int pass = 0; pass < group_.passes; ++pass) rest += group_.step[pass];
      THIESSEN_NO_UNROLL
      for (int pass = 0; pass < group_.passes; ++pass) {
        rest -= group_.step[pass];
        run_pass(pass, rest);
        __syncthreads();
        PackedCell* const former = old_;
        old_ = new_;
        new_ = former;
      }
    }
    if (buffers.to != nullptr)
      write_sites(buffers.to);
    else
      write(job);
  }

 private:
  using Chain = FloodChain<kMetric, kRank, kPlain>;
  static constexpr int kBatch = 16;  ///< lines that are read, or written, at once
  static constexpr int kSmallBatch = 8;

  __device__ std::int32_t at(int axis, std::int32_t i) const {
    return origin_[axis] + i * group_.unit;
  }
  __device__ std::int32_t x_of(std::int32_t column) const {
    return at(2, column >> group_.run_bits) + (column & (group_.run() - 1));
  }
  /// Whether the raster has such a column of the lattices.
  __device__ bool has_column(std::int32_t column) const {
    // Both conditions are tested, as that is faster than a branch.
    return static_cast<int>(lattice_x_ + (column & (group_.run() - 1)) < group_.unit) &
           static_cast<int>(x_of(column) < packing_.extent[2]);
  }
  __device__ std::int32_t place(std::int32_t top, std::int32_t middle, std::int32_t column) const {
    return (top * group_.size(1) + middle) * group_.row() + column;
  }

  /// Lanes for the columns at several places on the middle axis: a strip is 32 lanes of one place.
  struct Strips {
    __device__ Strips(const Range& middle_range, const Range& column_range, std::int32_t count)
        : middles(middle_range),
          columns(column_range),
          lanes(count),
          by_place((count + kLanes - 1) / kLanes),
          by_all(by_place.by_number() * (kRank == 2 ? 1 : middles.count())) {}

    Range middles;
    Range columns;
    std::int32_t lanes;  ///< lanes of a place
    Divider by_place;    ///< strips
    Divider by_all;
  };

  __device__ Range columns_of(const Range& lattice) const {
    return {lattice.begin << group_.run_bits, lattice.end << group_.run_bits};
  }

  /// The number of lanes for so many columns in a pass, if the columns of a lane are `side` apart.
  __device__ static std::int32_t lanes_for(std::int32_t columns, std::int32_t side) {
    static_assert(kFloodColumns == 2);
    const std::int32_t rest = columns % (2 * side);
    return columns / (2 * side) * side + (rest < side ? rest : side);
  }

  /// Calls visit(strip number, rest of the item's number) for strips times `each` items.
  template <class Visit>
  __device__ static void for_each_item(const Strips& strips, std::int32_t each,
                                       const Visit& visit) {
    const std::int32_t items = strips.by_all.by_number() * each;
    const auto warps = static_cast<std::int32_t>(blockDim.x) / kLanes;
    const auto own = static_cast<std::int32_t>(threadIdx.x) / kLanes;
    // The shuffle tells the compiler that all lanes of a warp have the same value.
    for (std::int32_t item = __shfl_sync(~0u, own, 0); item < items; item += warps) {
      const std::int32_t number = strips.by_all.quotient(item);
      visit(strips.by_all.rest(item, number), number);
    }
  }

  /// The place of a strip on the middle axis; adds to `lane` the lanes of the strips before it.
  __device__ static std::int32_t find(const Strips& strips, std::int32_t strip,
                                      std::int32_t& lane) {
    std::int32_t middle = 0;
    if constexpr (kRank == 3) {
      const std::int32_t number = strips.by_place.quotient(strip);
      strip = strips.by_place.rest(strip, number);
      middle = strips.middles.begin + number;
    }
    lane += strip * kLanes;
    return middle;
  }

  /// Lines of a column that a thread moves at once. It reads all of them, and writes all but the
  /// first `others`, which belong to another batch.
  template <int kLines>
  struct Batch {
    std::int32_t column;
    std::int32_t middle;
    std::int32_t first;
    std::int32_t others;
  };

  /// Calls visit(batch) for all columns in some ranges, with as many lines at once as there are.
  template <class Visit>
  __device__ void for_each_batch(const Range (&range)[3], const Visit& visit) const {
    if (range[1].count() == 0 || range[2].count() == 0) return;
    if (range[0].count() >= kBatch)
      for_each_batch_of<kBatch>(range, visit);
    else if (range[0].count() >= kSmallBatch)
      for_each_batch_of<kSmallBatch>(range, visit);
    else if (range[0].count() > 0)
      for_each_batch_of<1>(range, visit);
  }

  template <int kLines, class Visit>
  __device__ void for_each_batch_of(const Range (&range)[3], const Visit& visit) const {
    const Range columns = columns_of(range[2]);
    const Strips strips(range[1], columns, columns.count());
    for_each_item(strips, (range[0].count() + kLines - 1) / kLines,
                  [&](std::int32_t strip, std::int32_t batch) {
                    std::int32_t column = columns.begin + lane_of_thread();
                    const std::int32_t middle = find(strips, strip, column);
                    if (column >= columns.end || !has_column(column)) return;
                    const std::int32_t own = range[0].begin + batch * kLines;
                    const std::int32_t last = range[0].end - kLines;
                    const std::int32_t first = own < last ? own : last;
                    visit(Batch<kLines>{column, middle, first, own - first});
                  });
  }

  __device__ std::int64_t cell_at(std::int32_t top, std::int32_t middle,
                                  std::int32_t column) const {
    return packing_.index(at(0, top), kRank == 2 ? 0 : at(1, middle), x_of(column));
  }
  /// The number of cells from a line of the raster to the next.
  __device__ std::int64_t down() const { return packing_.index(group_.unit, 0, 0); }
  /// The same in the storage.
  __device__ std::int32_t line_size() const { return group_.size(1) * group_.row(); }

  /// Whether the thread has read a site that differs from that of the others.
  __device__ bool load(const FloodBuffers& buffers) const {
    if (valid_[0].count() == 0 || valid_[1].count() == 0 || valid_[2].count() == 0) return false;
    return buffers.from != nullptr ? load_sites(buffers.from) : load_bits(buffers.bits);
  }

  __device__ bool load_sites(const PackedCell* from) const {
    bool differs = false;
    const PackedCell any = load_state(
        from + cell_at(valid_[0].begin, valid_[1].begin, valid_[2].begin << group_.run_bits));
    for_each_batch(valid_, [&]<int kLines>(const Batch<kLines>& batch) {
      const PackedCell* cell = from + cell_at(batch.first, batch.middle, batch.column);
      PackedCell site[kLines];
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i, cell += down()) site[i] = load_state(cell);
      if (keep(site, batch, any)) differs = true;
    });
    return differs;
  }

  __device__ bool load_bits(const Bits& bits) const {
    bool differs = false;
    for_each_batch(valid_, [&]<int kLines>(const Batch<kLines>& batch) {
      const std::int32_t x = x_of(batch.column);
      const std::int32_t y = at(0, batch.first);
      const std::int32_t z = kRank == 2 ? 0 : at(1, batch.middle);
      const std::int64_t row = std::int64_t{y} * packing_.extent[1] + z;
      const std::int64_t words = std::int64_t{group_.unit} * packing_.extent[1] * bits.row_words;
      const std::uint32_t* word = bits.words + row * bits.row_words + x / 32;
      const PackedCell own = packing_.pack(y, z, x);
      const PackedCell more = packing_.pack(group_.unit, 0, 0);
      PackedCell site[kLines];
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i, word += words) site[i] = load_state(word);
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i)
        site[i] =
            (site[i] >> x % 32 & 1) != 0 ? own + static_cast<PackedCell>(i) * more : packing_.none;
      if (keep(site, batch, packing_.none)) differs = true;
    });
    return differs;
  }

  /// Whether one of the sites is not `any`.
  template <int kLines>
  __device__ bool keep(const PackedCell (&site)[kLines], const Batch<kLines>& batch,
                       PackedCell any) const {
    const StoredCells to(old_ + place(batch.first, batch.middle, batch.column));
    PackedCell bits = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kLines; ++i) {
      bits |= site[i] ^ any;
      if (i >= batch.others) to.store(i * line_size(), site[i]);
    }
    return bits != 0;
  }

  /// The range of an axis that is computed if `rest` cells around the tile are still needed.
  __device__ Range range(int axis, std::int32_t rest) const {
    const std::int32_t around = rest < group_.halo[axis] ? rest : group_.halo[axis];
    return overlap(valid_[axis],
                   {group_.halo[axis] - around, group_.halo[axis] + group_.tile[axis] + around});
  }

  __device__ void run_pass(int pass, std::int32_t rest) const {
    const Range tops = range(0, rest);
    const Range middles = range(1, rest);
    const Range columns = columns_of(range(2, rest));
    if (tops.count() == 0 || middles.count() == 0 || columns.count() == 0) return;
    const std::int32_t step = group_.step[pass];
    const WarpDivision& division = group_.division[pass];
    const Strips strips(middles, columns, lanes_for(columns.count(), step << group_.run_bits));
    const Divider chains(step < tops.count() ? step : tops.count());
    const Divider steps(step);
    const Divider sides(step << group_.run_bits);
    const std::int32_t walks = chains.by_number() * division.pieces;
    const std::int32_t bundle = std::int32_t{1} << division.bundle_bits;
    for_each_item(strips, (walks + bundle - 1) >> division.bundle_bits,
                  [&](std::int32_t strip, std::int32_t number) {
                    const FloodLanes lanes = stand(strips, strip, lane_of_thread(), sides);
                    const Chain chain(packing_, lanes);
                    const Range own = overlap({number * bundle, (number + 1) * bundle}, {0, walks});
                    THIESSEN_NO_UNROLL
                    for (std::int32_t walk = own.begin; walk < own.end; ++walk) {
                      const std::int32_t piece = chains.quotient(walk);
                      const std::int32_t first =
                          tops.begin + chains.rest(walk, piece) + piece * division.length * step;
                      if (first < tops.end)
                        chain.run(lines_from(first, tops.end, division.length, steps));
                    }
                  });
  }

  /// So many lines of the chain from a line on, but none beyond `end`.
  __device__ FloodLines lines_from(std::int32_t first, std::int32_t end, std::int32_t count,
                                   const Divider& steps) const {
    const std::int32_t step = steps.by_number();
    FloodLines lines;
    lines.first = first;
    lines.end = overlap({first, first + count * step}, {first, end}).end;
    lines.step = step;
    const std::int32_t behind = steps.quotient(valid_[0].end - 1 - first);
    lines.chain = {first - step >= valid_[0].begin ? first - step : first, first + behind * step};
    lines.size = line_size();
    lines.origin = static_cast<std::uint32_t>(at(0, 0));
    lines.unit = static_cast<std::uint32_t>(group_.unit);
    return lines;
  }

  /// The place of lane number `lane` of a strip.
  __device__ FloodLanes stand(const Strips& strips, std::int32_t strip, std::int32_t lane,
                              const Divider& sides) const {
    const std::int32_t middle = find(strips, strip, lane);
    const std::int32_t side = sides.by_number();
    const std::int32_t step = side >> group_.run_bits;
    std::int32_t column = strips.columns.begin + lane + sides.quotient(lane) * side;
    FloodLanes lanes;
    const bool inside = lane < strips.lanes;
    lanes.exists[0] = inside && has_column(column);
    // A lane without a column takes one at the beginning of its run, or of the raster.
    if (!lanes.exists[0]) column = inside ? column & ~(group_.run() - 1) : strips.columns.begin;
    const std::int32_t own = place(0, middle, column);
    const std::int32_t in_lattice = column >> group_.run_bits;
    lanes.from[0] = StoredCells(old_ + own - (in_lattice - step >= valid_[2].begin ? side : 0));
    std::int32_t last = own;
    THIESSEN_UNROLL
    for (int i = 0; i < kFloodColumns; ++i) {
      lanes.from[1 + i] = StoredCells(old_ + last);
      lanes.to[i] = StoredCells(new_ + last);
      const std::int32_t x = x_of(column) + i * step * group_.unit;
      lanes.x[i] = static_cast<std::uint32_t>(x);
      const bool right = static_cast<int>(in_lattice + (i + 1) * step < valid_[2].end) &
                         static_cast<int>(x + step * group_.unit < packing_.extent[2]);
      if (right) last = own + (i + 1) * side;
      if (i + 1 < kFloodColumns)
        lanes.exists[i + 1] =
            lanes.exists[0] && right && column + (i + 1) * side < strips.columns.end;
    }
    lanes.from[1 + kFloodColumns] = StoredCells(old_ + last);
    if constexpr (kRank == 3) {
      const std::int32_t row = step * group_.row();
      lanes.side[0] = middle - step >= valid_[1].begin ? -row : 0;
      lanes.side[1] = middle + step < valid_[1].end ? row : 0;
    }
    lanes.middle = static_cast<std::uint32_t>(kRank == 2 ? 0 : at(1, middle));
    return lanes;
  }

  /// Calls visit(batch) for the cells that the tile computes.
  template <class Visit>
  __device__ void for_each_solved(const Visit& visit) const {
    const Range ranges[3] = {range(0, 0), range(1, 0), range(2, 0)};
    for_each_batch(ranges, visit);
  }

  template <int kLines>
  __device__ void take(const Batch<kLines>& batch, PackedCell (&site)[kLines]) const {
    const StoredCells from(old_ + place(batch.first, batch.middle, batch.column));
    THIESSEN_UNROLL
    for (int i = 0; i < kLines; ++i) site[i] = from.load(i * line_size());
  }

  __device__ void write_sites(PackedCell* to) const {
    for_each_solved([&]<int kLines>(const Batch<kLines>& batch) {
      PackedCell site[kLines];
      take(batch, site);
      PackedCell* cell = to + cell_at(batch.first, batch.middle, batch.column);
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i, cell += down())
        if (i >= batch.others) *cell = site[i];
    });
  }

  template <class Label>
  __device__ void write_labels(const Job& job) const {
    const auto* const labels = reinterpret_cast<const Label*>(job.labels.bytes);
    auto* const out = reinterpret_cast<Label*>(job.out.labels.bytes);
    const auto unreached = value_of<Label>(job.unreached);
    for_each_solved([&]<int kLines>(const Batch<kLines>& batch) {
      PackedCell site[kLines];
      take(batch, site);
      Label label[kLines];  // read first, as every write might change a label for the compiler
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i)
        label[i] = site[i] == packing_.none ? unreached : labels[packing_.site_index(site[i])];
      Label* cell = out + cell_at(batch.first, batch.middle, batch.column);
      THIESSEN_UNROLL
      for (int i = 0; i < kLines; ++i, cell += down())
        if (i >= batch.others) *cell = label[i];
    });
  }

  __device__ void write(const Job& job) const {
    if (!is_simple(job) || job.out.distance) return write_all(job);
    switch (job.out.labels.element) {
      case 1:
        return write_labels<std::uint8_t>(job);
      case 2:
        return write_labels<std::uint16_t>(job);
      case 4:
        return write_labels<std::uint32_t>(job);
      default:
        return write_labels<std::uint64_t>(job);
    }
  }

  __device__ void write_all(const Job& job) const {
    for_each_solved([&]<int kLines>(const Batch<kLines>& batch) {
      THIESSEN_NO_UNROLL
      for (int i = batch.others; i < kLines; ++i) {
        const std::int32_t top = batch.first + i;
        const PackedCell site = old_[place(top, batch.middle, batch.column)];
        const bool none = site == packing_.none;
        const std::uint32_t exact = none ? 0 : distance(top, batch.middle, batch.column, site);
        write_result(job, cell_at(top, batch.middle, batch.column),
                     none ? kUnreached : packing_.site_index(site), std::int64_t{exact});
      }
    });
  }

  __device__ std::uint32_t distance(std::int32_t top, std::int32_t middle, std::int32_t column,
                                    PackedCell site) const {
    const auto along = [&](int axis, std::uint32_t a, std::int32_t b) {
      return packed_along<kMetric, kPlain>(packing_.factor[axis], a, static_cast<std::uint32_t>(b));
    };
    std::uint32_t exact = combine<kMetric>(along(0, packing_.top(site), at(0, top)),
                                           along(2, packing_.x(site), x_of(column)));
    if constexpr (kRank == 3)
      exact = combine<kMetric>(exact, along(1, packing_.middle(site), at(1, middle)));
    return exact;
  }

  const Packing& packing_;
  const FloodGroup& group_;
  std::int32_t origin_[3];  ///< place of the storage's first cell in the raster; may be below 0
  Range valid_[3];          ///< the part of the storage that lies in the raster
  std::int32_t lattice_x_;
  PackedCell* old_;
  PackedCell* new_;
};

}  // namespace thiessen::cuda::flood
