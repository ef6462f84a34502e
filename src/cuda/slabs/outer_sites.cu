// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/lanes.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/job/results.hpp"
#include "cuda/slabs/outer_sites.hpp"

namespace thiessen::cuda::slabs {
namespace {

/// Where the cells of a column lie.
struct Column {
  std::int64_t count;       ///< of columns
  std::int64_t width;       ///< cells of a line along x
  std::int64_t line_count;  ///< of such lines in a row or plane
};

__global__ void __launch_bounds__(kGridStrideThreads)
    put(const Column columns, const Neighbours outer, const AddedRows rows, const Bits bits,
        const Cells<std::byte> labels) {
  follow();
  grid_stride_loop(columns.count, [&](std::int64_t column) {
    if (outer.coordinate[column] == kNoSite) return;
    const std::int64_t row = outer.coordinate[column] - rows.first;
    if (row < rows.begin || row >= rows.end) return;
    const std::int64_t line = row * columns.line_count + column / columns.width;
    const std::int64_t x = column % columns.width;
    atomicOr(bits.words + line * bits.row_words + x / kLanes, 1u << (x % kLanes));
    if (labels && outer.labels != nullptr)
      copy_element(labels.bytes + (row * columns.count + column) * labels.element,
                   outer.labels + column * labels.element, labels.element);
  });
}

}  // namespace

void put_outer_sites(const CudaSession& session, const Problem& problem, const Neighbours& outer,
                     const AddedRows& rows, const Bits& bits, const Cells<std::byte>& labels) {
  if (outer.coordinate == nullptr || rows.begin == rows.end) return;
  const Column columns{slab_columns(problem), problem.extent[2],
                       problem.rank == 3 ? problem.extent[1] : 1};
  launch_next(session, "sites beyond the slab", grid_stride_shape(session, columns.count), put,
              columns, outer, rows, bits, labels);
}

}  // namespace thiessen::cuda::slabs
