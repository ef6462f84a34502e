// SPDX-License-Identifier: Apache-2.0
//
// Copies cells between two strided views, one element a thread; bytes where elements are not
// aligned.
#include <algorithm>

#include "core/base/element_width.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/transfer/copy_cells.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

constexpr int kThreads = 256;

/// Both views, axis by axis, the last one first.
struct Walk {
  int rank = 0;
  std::int64_t extent[kMaxAxes];
  std::int64_t from[kMaxAxes];  ///< strides
  std::int64_t to[kMaxAxes];
};

/// An element is `units` of Unit: 1, or its number of bytes if a view is not aligned.
template <class Unit>
__global__ void __launch_bounds__(kThreads)
    copy(const std::byte* from, std::byte* to, const __grid_constant__ Walk walk,
         std::int64_t count, int units) {
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += threads) {
    std::int64_t rest = i;
    std::int64_t source = 0;
    std::int64_t target = 0;
#pragma unroll
    for (int axis = 0; axis < kMaxAxes; ++axis) {
      if (axis >= walk.rank) break;
      const std::int64_t at = rest % walk.extent[axis];
      rest /= walk.extent[axis];
      source += at * walk.from[axis];
      target += at * walk.to[axis];
    }
    for (int unit = 0; unit < units; ++unit)
      reinterpret_cast<Unit*>(to + target)[unit] =
          reinterpret_cast<const Unit*>(from + source)[unit];
  }
}

}  // namespace

bool is_aligned(const View<const void>& view) {
  auto bits = reinterpret_cast<std::uintptr_t>(view.bytes());
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > 1) bits |= static_cast<std::uintptr_t>(view.stride(axis));
  return bits % size_of(view.element_type()) == 0;
}

void copy_cells(const CudaSession& session, const View<const void>& from, const View<void>& to) {
  const std::int64_t count = from.extents().count();
  if (count == 0) return;
  Walk walk;
  for (int axis = from.rank() - 1; axis >= 0; --axis, ++walk.rank) {
    walk.extent[walk.rank] = from.extent(axis);
    walk.from[walk.rank] = from.stride(axis);
    walk.to[walk.rank] = to.stride(axis);
  }
  constexpr std::int64_t kBlocksPerProcessor = 16;
  const auto blocks = static_cast<unsigned>(
      std::min(parts(count, kThreads), session.processors() * kBlocksPerProcessor));
  const bool aligned = is_aligned(from) && is_aligned(to);
  visit_element_width(from.element_type(), [&]<class T>(std::type_identity<T>) {
    if (aligned)
      launch(session, "copy of cells", {blocks, kThreads}, copy<T>, from.bytes(), to.bytes(), walk,
             count, 1);
    else
      launch(session, "copy of cells", {blocks, kThreads}, copy<std::uint8_t>, from.bytes(),
             to.bytes(), walk, count, sizeof(T));
  });
}

}  // namespace transfer
}  // namespace thiessen::cuda
