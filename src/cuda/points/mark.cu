// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/grid_stride.cuh"
#include "cuda/points/mark.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::points {
namespace {

constexpr std::uint32_t kNoPoint = ~0u;

__global__ void __launch_bounds__(kGridStrideThreads)
    clear(const PointCells cells, std::int64_t words, std::int64_t points) {
  follow();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cells.state = {};
  grid_stride_loop(words, [&](std::int64_t i) { cells.bits.words[i] = 0; });
  grid_stride_loop(points, [&](std::int64_t i) { cells.first[i] = kNoPoint; });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    mark(const __grid_constant__ Job job, const PointCells cells) {
  follow();
  grid_stride_loop(job.point_count, [&](std::int64_t i) {
    Axes cell;
    if (!find_cell(job.extent, job.fraction_bits, job.points[i], cell)) {
      // Several threads may write this at the same time.
      *static_cast<volatile std::int32_t*>(&cells.state->misfits) = 1;
      return;
    }
    const std::int64_t row = cell[0] * job.extent[1] + cell[1];
    // Many points may lie on one cell.
    if (!cells.bits.has(row, cell[2]))
      atomicOr(&cells.bits.words[row * cells.bits.row_words + cell[2] / 32], 1u << cell[2] % 32);
  });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    number(const __grid_constant__ Job job, const PointCells cells) {
  follow();
  if (!cells.hold_all()) return;
  grid_stride_loop(job.point_count, [&](std::int64_t i) {
    Axes cell;
    find_cell(job.extent, job.fraction_bits, job.points[i], cell);
    std::uint32_t* const first =
        cells.first + cells.place(cell[0] * job.extent[1] + cell[1], cell[2]);
    if (i < *first) atomicMin(first, static_cast<std::uint32_t>(i));
  });
}

}  // namespace

Job mark_points(const CudaSession& session, const Problem& on_cells, const Job& points,
                Scratch::Frame& device) {
  PointCells cells{.bits = sites::allocate_bits(points, device)};
  const std::int64_t words = cells.bits.row_words * points.extent[0] * points.extent[1];
  cells.before = device.array<std::uint32_t>(words);
  cells.first = device.array<std::uint32_t>(points.point_count);
  cells.state = device.array<PointCells::State>(1);
  launch_next(session, "cells without points", grid_stride_shape(session, words), clear, cells,
              words, points.point_count);
  launch_next(session, "marks of the points", grid_stride_shape(session, points.point_count), mark,
              points, cells);
  Job job = points;
  job.fraction_bits = on_cells.fraction_bits;
  job.unit = on_cells.weights.unit;
  job.limit = on_cells.limit;
  job.points = nullptr;
  job.point_cells = cells;
  return job;
}

void number_cells(const CudaSession& session, const Job& points, const Job& on_cells) {
  launch_next(session, "numbers of the points", grid_stride_shape(session, points.point_count),
              number, points, on_cells.point_cells);
}

}  // namespace thiessen::cuda::points
