// SPDX-License-Identifier: Apache-2.0
//
// What both calls have in common on the host. For sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <vector>

#include "core/refuse.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/session.hpp"
#include "cuda/statistics/label_table.cuh"

namespace thiessen::cuda {

inline LabelCells make_label_cells(const LabelRaster& raster) {
  LabelCells cells{.cells = raster.labels.bytes()};
  for (int axis = 0; axis < kAxes; ++axis) {
    cells.stride[axis] = raster.labels.stride(axis);
    cells.extent[axis] = raster.labels.extent(axis);
  }
  cells.boolean = raster.labels.element_type() == ElementType::boolean;
  for (const LabelKey key : raster.left_out) cells.left_out[cells.left_out_count++] = key;
  return cells;
}

inline std::int64_t segments_of(const LabelCells& cells) {
  return cells.extent[0] * cells.extent[1] * parts(cells.extent[2], Segment::kCells);
}

/// An empty table.
inline LabelTable take_table(const CudaSession& session, std::uint32_t capacity,
                             Scratch::Frame& device) {
  LabelTable table{.keys = device.array<Word>(capacity),
                   .capacity = capacity,
                   .full = device.array<std::uint32_t>(1)};
  check(
      cudaMemsetAsync(table.keys, LabelTable::kFreeByte, capacity * sizeof(Word), session.stream()),
      "table of labels");
  check(cudaMemsetAsync(table.full, 0, sizeof *table.full, session.stream()), "table of labels");
  return table;
}

/// Elements on the device, once all is done.
template <class T>
std::vector<T> fetch(const CudaSession& session, const T* elements, std::size_t count) {
  std::vector<T> copies(count);
  if (count > 0)
    check(cudaMemcpyAsync(copies.data(), elements, count * sizeof(T), cudaMemcpyDeviceToHost,
                          session.stream()),
          "copy of a table");
  session.wait();
  return copies;
}

/// Calls attempt(capacity) with larger and larger tables, for at most so many entries, until it
/// returns true.
template <class Attempt>
void with_capacity(std::int64_t entries, const Attempt& attempt) {
  constexpr std::uint32_t kFirst = 1 << 16;
  constexpr std::uint32_t kMost = 1u << 31;
  for (std::uint32_t capacity = kFirst; !attempt(capacity);) {
    if (capacity == kMost || capacity / 4 > entries)
      throw Error(ErrorCode::unsupported, "cuda: more than 2^31 labels or pairs of them");
    capacity = capacity > kMost / 8 ? kMost : capacity * 8;
  }
}

}  // namespace thiessen::cuda
