// SPDX-License-Identifier: Apache-2.0
//
// A thread looks at 32 rows of a column, from both ends: the first and the last cell that counts
// are the least and the greatest of what all threads of the column find.
#include <cstring>

#include "cuda/device/grid.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/job/results.hpp"
#include "cuda/slabs/faces.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda::slabs {
namespace {

constexpr std::int32_t kRows = 32;
/// Bytes of "none": as the least row they are greater than any other, as the greatest one less.
constexpr int kNoFirstByte = 0x7f;
constexpr int kNoLastByte = 0xff;
constexpr std::int32_t kNoFirst = 0x7f7f7f7f;
constexpr std::int32_t kNoLast = -1;

struct SlabShape {
  std::int64_t columns;
  std::int32_t rows;
  std::int32_t first;  ///< coordinate of the first row
};

SlabShape shape_of(const Problem& problem, const Slab& slab) {
  return {slab_columns(problem), static_cast<std::int32_t>(slab.count),
          static_cast<std::int32_t>(slab.first)};
}

/// Sites count.
struct IsSite {
  Job job;

  __device__ bool from_first(std::int64_t cell, std::int64_t) const {
    return class_of(job, cell) == kSiteCell;
  }
  __device__ bool from_last(std::int64_t cell, std::int64_t) const {
    return class_of(job, cell) == kSiteCell;
  }
};

/// Cells count that hold another value than the end of their column.
template <class T>
struct IsChange {
  const T* cells;
  const T* last_row;
  ElementType type;

  __device__ bool from_first(std::int64_t cell, std::int64_t column) const {
    return !holds_same(type, cells[cell], cells[column]);
  }
  __device__ bool from_last(std::int64_t cell, std::int64_t column) const {
    return !holds_same(type, cells[cell], last_row[column]);
  }
};

template <class Counts>
__global__ void __launch_bounds__(kGridStrideThreads)
    find_ends(const __grid_constant__ Counts counts, const SlabShape shape, std::int32_t* first,
              std::int32_t* last) {
  follow();
  const std::int64_t parts = (shape.rows + kRows - 1) / kRows;
  grid_stride_loop(parts * shape.columns, [&](std::int64_t i) {
    const std::int64_t column = i % shape.columns;
    const auto begin = static_cast<std::int32_t>(i / shape.columns) * kRows;
    const std::int32_t end = min(begin + kRows, shape.rows);
    std::int32_t row = begin;
    while (row < end && !counts.from_first(row * shape.columns + column, column)) ++row;
    if (row < end) atomicMin(first + column, row);
    row = end - 1;
    while (row >= begin && !counts.from_last(row * shape.columns + column, column)) --row;
    if (row >= begin) atomicMax(last + column, row);
  });
}

/// Makes coordinates of rows, and takes the labels of those cells; 0 where there is none, since
/// summaries are compared.
__global__ void __launch_bounds__(kGridStrideThreads)
    complete(const Cells<const std::byte> labels, const SlabShape shape, std::int32_t none,
             const Face face) {
  follow();
  grid_stride_loop(shape.columns, [&](std::int64_t column) {
    const std::int32_t row = face.coordinate[column];
    face.coordinate[column] = row == none ? kNoSite : shape.first + row;
    if (!labels || face.labels == nullptr) return;
    std::byte* const label = face.labels + column * labels.element;
    if (row == none)
      memset(label, 0, static_cast<std::size_t>(labels.element));
    else
      copy_element(label, labels.bytes + (row * shape.columns + column) * labels.element,
                   labels.element);
  });
}

template <class Counts>
void find_ends_of(const CudaSession& session, const Counts& counts, const SlabShape& shape,
                  const Cells<const std::byte>& labels, const SlabFaces::Ends& ends) {
  const auto bytes = static_cast<std::size_t>(shape.columns) * sizeof(std::int32_t);
  check(cudaMemsetAsync(ends.first.coordinate, kNoFirstByte, bytes, session.stream()), "face");
  check(cudaMemsetAsync(ends.last.coordinate, kNoLastByte, bytes, session.stream()), "face");
  launch(session, "ends of columns",
         grid_stride_shape(session, parts(shape.rows, kRows) * shape.columns), find_ends<Counts>,
         counts, shape, ends.first.coordinate, ends.last.coordinate);
  const GridShape grid = grid_stride_shape(session, shape.columns);
  launch_next(session, "face", grid, complete, labels, shape, kNoFirst, ends.first);
  launch_next(session, "face", grid, complete, labels, shape, kNoLast, ends.last);
}

void find_changes(const CudaSession& session, const SlabShape& shape, const Job& job,
                  const SlabFaces::Ends& ends) {
  const std::int64_t row = shape.columns * job.sites.element;
  const std::byte* const last_row = job.sites.bytes + (shape.rows - 1) * row;
  const auto copy = [&](std::byte* to, const std::byte* from) {
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(row), cudaMemcpyDeviceToDevice,
                          session.stream()),
          "values of a face");
  };
  copy(ends.first.labels, job.sites.bytes);
  copy(ends.last.labels, last_row);
  const Face first{ends.first.coordinate, nullptr};
  const Face last{ends.last.coordinate, nullptr};
  visit_element_type(job.rule.type, [&]<class T>(std::type_identity<T>) {
    const IsChange<T> is_change{reinterpret_cast<const T*>(job.sites.bytes),
                                reinterpret_cast<const T*>(last_row), job.rule.type};
    find_ends_of(session, is_change, shape, {}, {first, last});
  });
}

__global__ void __launch_bounds__(kGridStrideThreads) clear(std::int64_t columns, const Face face) {
  follow();
  grid_stride_loop(columns, [&](std::int64_t column) { face.coordinate[column] = kNoSite; });
}

__device__ void add_to_number(std::byte* number, std::int32_t element, std::int64_t before) {
  if (element == sizeof(std::int32_t))
    *reinterpret_cast<std::int32_t*>(number) += static_cast<std::int32_t>(before);
  else
    *reinterpret_cast<std::int64_t*>(number) += before;
}

__global__ void __launch_bounds__(kGridStrideThreads)
    fill(std::int64_t columns, const Face to, const Face from, const Moved moved) {
  follow();
  grid_stride_loop(columns, [&](std::int64_t column) {
    const std::int32_t coordinate = from.coordinate[column];
    if (to.coordinate[column] != kNoSite || coordinate == kNoSite) return;
    to.coordinate[column] = coordinate + static_cast<std::int32_t>(moved.rows);
    if (moved.label == 0) return;
    std::byte* const label = to.labels + column * moved.label;
    copy_element(label, from.labels + column * moved.label, moved.label);
    if (moved.numbers != 0) add_to_number(label, moved.label, moved.numbers);
  });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    fill_boundary(std::int64_t columns, ElementType type, const Face to, const BoundaryFace from,
                  std::int32_t rows) {
  follow();
  const auto* const near = reinterpret_cast<const T*>(to.labels);
  const auto* const far = reinterpret_cast<const T*>(from.face.labels);
  grid_stride_loop(columns, [&](std::int64_t column) {
    if (to.coordinate[column] != kNoSite) return;
    const std::int32_t change =
        holds_same(type, near[column], far[column]) ? from.face.coordinate[column] : from.row;
    if (change != kNoSite) to.coordinate[column] = change + rows;
  });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    compare_with_row(std::int64_t columns, ElementType type, const T* own, const Neighbours beyond,
                     std::int32_t row, std::int32_t first, std::int32_t* other) {
  follow();
  const auto* const values = reinterpret_cast<const T*>(beyond.labels);
  grid_stride_loop(columns, [&](std::int64_t column) {
    const std::int32_t at =
        holds_same(type, own[column], values[column]) ? beyond.coordinate[column] : row;
    other[column] = at == kNoSite ? kNoSite : at - first;
  });
}

template <class Label>
__global__ void __launch_bounds__(kGridStrideThreads)
    add(Label* numbers, std::int64_t count, std::int64_t before) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) { numbers[i] += static_cast<Label>(before); });
}

}  // namespace

SlabFaces allocate_faces(const Problem& problem, const WantedFaces& wanted,
                         Scratch::Frame& device) {
  const std::int64_t columns = slab_columns(problem);
  const auto allocate = [&](std::int64_t label) {
    Face face{device.array<std::int32_t>(columns), nullptr};
    if (label > 0) face.labels = device.array<std::byte>(columns * label);
    return face;
  };
  SlabFaces faces{.sites = {allocate(wanted.label), allocate(wanted.label)}};
  if (wanted.others) faces.others = {allocate(0), allocate(0)};
  const auto value = static_cast<std::int64_t>(size_of(problem.rule.type));
  if (wanted.boundary) faces.boundary = {allocate(value), allocate(value)};
  return faces;
}

void find_faces(const CudaSession& session, const Problem& problem, const Slab& slab,
                const Job& job, const SlabFaces& faces) {
  const SlabShape shape = shape_of(problem, slab);
  find_ends_of(session, IsSite{job}, shape, job.labels, faces.sites);
  if (faces.others.first.coordinate != nullptr) {
    IsSite is_other{job};
    is_other.job.rule.complement = true;
    find_ends_of(session, is_other, shape, {}, faces.others);
  }
  if (faces.boundary.first.coordinate != nullptr) find_changes(session, shape, job, faces.boundary);
}

void clear_face(const CudaSession& session, std::int64_t columns, const Face& face) {
  launch_next(session, "empty face", grid_stride_shape(session, columns), clear, columns, face);
}

void fill_face(const CudaSession& session, std::int64_t columns, const Face& to, const Face& from,
               const Moved& moved) {
  launch_next(session, "nearest of two faces", grid_stride_shape(session, columns), fill, columns,
              to, from, moved);
}

void fill_changes(const CudaSession& session, std::int64_t columns, ElementType type,
                  const BoundaryFace& to, const BoundaryFace& from, std::int64_t rows) {
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    launch_next(session, "nearest of two faces", grid_stride_shape(session, columns),
                fill_boundary<T>, columns, type, to.face, from, static_cast<std::int32_t>(rows));
  });
}

const std::int32_t* find_other_values(const CudaSession& session, const Problem& problem,
                                      const Slab& slab, End end, const Job& job,
                                      Scratch::Frame& device) {
  const bool above = end == End::first;
  const Neighbours& beyond = above ? slab.above : slab.below;
  if (beyond.coordinate == nullptr) return nullptr;
  const SlabShape shape = shape_of(problem, slab);
  auto* const other = device.array<std::int32_t>(shape.columns);
  const std::byte* const own =
      job.sites.bytes + (above ? 0 : (shape.rows - 1) * shape.columns * job.sites.element);
  const std::int32_t row = above ? shape.first - 1 : shape.first + shape.rows;
  visit_element_type(job.rule.type, [&]<class T>(std::type_identity<T>) {
    launch_next(session, "values beside the slab", grid_stride_shape(session, shape.columns),
                compare_with_row<T>, shape.columns, job.rule.type, reinterpret_cast<const T*>(own),
                beyond, row, shape.first, other);
  });
  return other;
}

void add_to_numbers(const CudaSession& session, const Cells<const std::byte>& numbers,
                    std::int64_t count, std::int64_t before) {
  if (before == 0) return;
  auto* const bytes = const_cast<std::byte*>(numbers.bytes);  // made for this call
  if (numbers.element == sizeof(std::int32_t))
    launch_next(session, "numbers of the sites", grid_stride_shape(session, count),
                add<std::int32_t>, reinterpret_cast<std::int32_t*>(bytes), count, before);
  else
    launch_next(session, "numbers of the sites", grid_stride_shape(session, count),
                add<std::int64_t>, reinterpret_cast<std::int64_t*>(bytes), count, before);
}

}  // namespace thiessen::cuda::slabs
