// SPDX-License-Identifier: Apache-2.0
//
// Each thread expands the neighbourhood of one cell after the other
// (core/search/neighbourhood.hpp): step 5 of Tu and Wang. A segment of a ring takes a few looks at
// any length, since a word of bits along rows or columns knows the next sites beyond it
// (sites/line_bits.hpp).
#include "core/problem/raster_choice.hpp"
#include "core/search/neighbourhood.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/job/results.hpp"
#include "cuda/raster/cell_rows.hpp"
#include "cuda/raster/expansion.hpp"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::raster {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;

template <Metric kMetric>
__global__ void __launch_bounds__(kThreads)
    expand(const __grid_constant__ Job job, const __grid_constant__ CellRows rows,
           const std::int32_t* open) {
  if (*open == 0) return;
  const CellMetric<kMetric> metric(job.factor);
  Neighbourhood neighbourhood(job.extent, static_cast<std::int64_t>(job.limit), metric, rows);
  const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  for_each_in_turn(thread, std::int64_t{gridDim.x} * kThreads, job.cells(), [&](std::int64_t cell) {
    const NearestCell nearest = neighbourhood.search(to_cell(job.extent, cell));
    write_result(job, cell, nearest.site, nearest.exact);
  });
}

template <Metric kMetric>
void run(const CudaSession& session, const Job& job, const CellRows& rows,
         const std::int32_t* open) {
  const auto blocks = static_cast<unsigned>(session.processors() * kBlocksPerProcessor);
  launch(session, "expansion", {blocks, kThreads}, expand<kMetric>, job, rows, open);
}

}  // namespace

void expand_cells(const CudaSession& session, const Job& job, const Bits& bits,
                  const std::int32_t* open, Scratch::Frame& device) {
  const CellRows rows{sites::make_line_bits(session, job, bits, 2, open, device), job.extent[1]};
  switch (job.metric) {
    case Metric::euclidean:
      return run<Metric::euclidean>(session, job, rows, open);
    case Metric::manhattan:
      return run<Metric::manhattan>(session, job, rows, open);
    case Metric::chessboard:
      return run<Metric::chessboard>(session, job, rows, open);
    default:
      return run<Metric::octagonal>(session, job, rows, open);
  }
}

}  // namespace thiessen::cuda::raster
