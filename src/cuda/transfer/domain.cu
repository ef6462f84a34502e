// SPDX-License-Identifier: Apache-2.0
//
// Writes nodata to all outputs of the cells outside of the domain, one cell a thread.
#include <iterator>

#include "core/base/label_bits.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/job/outputs.hpp"
#include "cuda/transfer/domain.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

/// Copies the first bytes of a value into an element, which is aligned only to its own size.
__device__ void put(const Cells<std::byte>& cells, std::int64_t cell, const void* value) {
  memcpy(cells.bytes + cell * cells.element, value, static_cast<std::size_t>(cells.element));
}

__device__ bool is_outside(const Cells<const std::byte>& domain, std::int64_t cell) {
  const std::byte* const bytes = domain.bytes + cell * domain.element;
  for (int i = 0; i < domain.element; ++i)
    if (bytes[i] != std::byte{0}) return false;
  return true;
}

/// An output, and what its cells outside of the domain hold.
struct Mark {
  Cells<std::byte> cells;
  int components = 1;
  LabelBits nodata;
};

struct Marks {
  Mark each[std::size(kNearestSiteOutputs)];
  int count = 0;
};

Marks marks_of(const Job& job) {
  Marks marks;
  visit_outputs(
      [&](const thiessen::Output& row, const auto& member) {
        if (bytes_of(member) == nullptr) return;
        const auto element = static_cast<std::int32_t>(element_of(member));
        const ElementType type = row.type != TypeRule::distance ? row.element
                                 : element == sizeof(float)     ? ElementType::f32
                                                                : ElementType::f64;
        Mark& mark = marks.each[marks.count++];
        mark.cells.bytes = bytes_of(member);
        mark.cells.element = element;
        if (row.axis == FrontAxis::component) mark.components = job.rank;
        mark.nodata = row.type == TypeRule::labels
                          ? job.nodata_label
                          : to_label_bits(row.nodata, type, row.name.data());
      },
      job.out);
  return marks;
}

__global__ void __launch_bounds__(kGridStrideThreads)
    mark(const __grid_constant__ Job job, const __grid_constant__ Marks marks) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    if (!is_outside(job.domain, cell)) return;
    for (int i = 0; i < marks.count; ++i)
      for (int part = 0; part < marks.each[i].components; ++part)
        put(marks.each[i].cells, part * job.cells() + cell, marks.each[i].nodata.bytes.data());
  });
}

}  // namespace

void mark_outside(const CudaSession& session, const Job& job) {
  launch_next(session, "cells outside of the domain", grid_stride_shape(session, job.cells()), mark,
              job, marks_of(job));
}

}  // namespace transfer
}  // namespace thiessen::cuda
