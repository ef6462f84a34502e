// SPDX-License-Identifier: Apache-2.0
//
// Writes a tile; a lane writes its column.
#pragma once

#include <cstdint>

#include "cuda/job/results.hpp"
#include "cuda/job/tile.hpp"

namespace thiessen::cuda {
inline namespace job {

/// Whether only labels and distance are wanted, and every cell has a site.
THIESSEN_HD inline bool is_simple(const Job& job) {
  const Outputs& out = job.out;
  return out.site_index == nullptr && out.squared == nullptr && out.offset == nullptr &&
         out.direction == nullptr && !job.limited && !job.inside && !job.rule.has_nodata;
}

/// Whether only the labels of such cells are wanted.
THIESSEN_HD inline bool labels_are_all(const Job& job) {
  return job.out.labels && !job.out.distance && is_simple(job);
}

/// Writes the outputs of a cell; without a call if only its label is wanted.
template <class Scalar>
THIESSEN_HD void write_cell(const Job& job, bool labels_alone, std::int64_t cell, std::int64_t site,
                            Scalar exact) {
  if (labels_alone)
    write_label(job, cell, site);
  else
    write_result(job, cell, site, exact);
}

#ifdef __CUDACC__

/// Writes a value for each cell of a tile that lies wholly in the raster: value_of(row, cell) for
/// those of a lane.
template <class Value, int kRank, class ValueOf>
__device__ void write_values(const Job& job, const Tile& tile, std::byte* bytes,
                             const ValueOf& value_of) {
  const std::int64_t width = job.extent[2];
  const std::int64_t plane = job.extent[1] * width;
  const std::int64_t first =
      to_index(job.extent, {tile.first[0], tile.first[1],
                            tile.first[2] + static_cast<std::int32_t>(threadIdx.x % kLanes)});
  Value* out = reinterpret_cast<Value*>(bytes) + first;
  std::int64_t cell = first;
#pragma unroll
  for (int row = 0; row < kTileRows; ++row) {
    __stcs(out, value_of(row, cell));
    const bool last_of_plane = (row + 1) % tile_size<kRank>(1) == 0;
    const std::int64_t step = last_of_plane ? plane - (tile_size<kRank>(1) - 1) * width : width;
    out += step;
    cell += step;
  }
}

template <class Label, int kRank, class Found>
__device__ void write_labels(const Job& job, const Tile& tile, const Found& found) {
  write_values<Label, kRank>(job, tile, job.out.labels.bytes, [&](int row, std::int64_t cell) {
    return found.template label<Label>(row, cell);
  });
}

template <class Distance, int kRank, class Found>
__device__ void write_any_distances(const Job& job, const Tile& tile, const Found& found) {
  write_values<Distance, kRank>(job, tile, job.out.distance.bytes, [&](int row, std::int64_t cell) {
    return distance_as<Distance>(job, found.known_exact(row, cell));
  });
}

/// Whether the distances of all cells of a tile are roots of whole numbers of at most 2^24. S of a
/// cell is at most the square of two lengths: the distance from the tile's first cell to its site,
/// and the tile's diagonal.
template <int kRank>
__device__ bool has_small_roots(const Job& job, std::int64_t exact_of_first) {
  constexpr std::int64_t kMostOfFirst = 1 << 23;
  constexpr int kMostOfDiagonal = 1 << 20;
  Int128 diagonal = 0;
#pragma unroll
  for (int axis = kAxes - kRank; axis < kAxes; ++axis)
    diagonal += job.factor[axis] * (tile_size<kRank>(axis) * tile_size<kRank>(axis));
  return job.metric == Metric::euclidean && job.unit.is_one() && diagonal <= kMostOfDiagonal &&
         __shfl_sync(~0u, exact_of_first, 0) <= kMostOfFirst;
}

/// Whether rows of labels, if these are wanted, can be filled with words of 16 bytes.
__device__ inline bool has_wide_rows(const Job& job) {
  const std::int64_t row = job.extent[2] * job.out.labels.element;
  return row % 16 == 0 && reinterpret_cast<std::uintptr_t>(job.out.labels.bytes) % 16 == 0;
}

/// A warp fills a tile that lies wholly in the raster with a label, by words of so many bytes.
template <int kRank, int kElement>
__device__ void fill_words(const Job& job, const Tile& tile, const uint4& word) {
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kRowWords = 2 * kElement;
  constexpr int kRows = kLanes / kRowWords;  // at once
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const int own = lane / kRowWords;
  const std::int64_t row = job.extent[2] * kElement;
  const std::int64_t plane = job.extent[1] * row;
  std::byte* const first = job.out.labels.bytes +
                           to_index(job.extent, {tile.first[0] + own / kHeight,
                                                 tile.first[1] + own % kHeight, tile.first[2]}) *
                               kElement +
                           lane % kRowWords * std::int64_t{sizeof word};
#pragma unroll
  for (int k = 0; k < kTileRows; k += kRows)
    __stcs(reinterpret_cast<uint4*>(first + k / kHeight * plane + k % kHeight * row), word);
}

/// A warp fills a tile that lies wholly in the raster, and has wide rows, with a label.
template <int kRank>
__device__ void fill_labels(const Job& job, const Tile& tile, std::uint64_t label) {
  const int element = job.out.labels.element;
  if (element < 8) label &= (std::uint64_t{1} << 8 * element) - 1;
  for (int bits = 8 * element; bits < 64; bits *= 2) label |= label << bits;
  const auto low = static_cast<std::uint32_t>(label);
  const auto high = static_cast<std::uint32_t>(label >> 32);
  const uint4 word = make_uint4(low, high, low, high);
  switch (element) {
    case 1:
      return fill_words<kRank, 1>(job, tile, word);
    case 2:
      return fill_words<kRank, 2>(job, tile, word);
    case 4:
      return fill_words<kRank, 4>(job, tile, word);
    default:
      return fill_words<kRank, 8>(job, tile, word);
  }
}

/// Whether only labels and distance are wanted of a tile, for all of its cells.
template <int kRank>
__device__ bool is_simple_tile(const Job& job, const Tile& tile) {
  return is_simple(job) && is_whole<kRank>(job, tile);
}

template <int kRank, class Found>
__device__ void write_labels(const Job& job, const Tile& tile, const Found& found) {
  switch (job.out.labels.element) {
    case 1:
      return write_labels<std::uint8_t, kRank>(job, tile, found);
    case 2:
      return write_labels<std::uint16_t, kRank>(job, tile, found);
    case 4:
      return write_labels<std::uint32_t, kRank>(job, tile, found);
    default:
      return write_labels<std::uint64_t, kRank>(job, tile, found);
  }
}

/// Writes the distances of a tile that lies wholly in the raster.
template <int kRank, class Found>
__device__ void write_distances(const Job& job, const Tile& tile, const Found& found) {
  if (job.out.distance.element == 8)
    write_any_distances<double, kRank>(job, tile, found);
  else if (has_small_roots<kRank>(job, found.known_exact(0, 0)))
    write_values<float, kRank>(job, tile, job.out.distance.bytes, [&](int row, std::int64_t cell) {
      return root_of_whole(static_cast<float>(found.known_exact(row, cell)));
    });
  else
    write_any_distances<float, kRank>(job, tile, found);
}

/// Writes a tile. If it is simple, `found` gives label<Label>(row, cell) of the sites of a lane's
/// cells, where Label is an unsigned integer of the labels' size, and known_exact(row, cell), the S
/// to them. For rows that the compiler does not know it gives site(row, cell) and exact(row, cell).
template <int kRank, class Found>
__device__ void write_tile(const Job& job, const Tile& tile, const Found& found) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  if (!is_simple_tile<kRank>(job, tile))
    return for_each_row<kRank>(job, tile, lane, [&](int row, std::int64_t cell) {
      write_result(job, cell, found.site(row, cell), found.exact(row, cell));
    });
  if (job.out.labels) write_labels<kRank>(job, tile, found);
  if (job.out.distance) write_distances<kRank>(job, tile, found);
}

#endif

}  // namespace job
}  // namespace thiessen::cuda
