// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/grid_stride.cuh"
#include "cuda/transfer/make_cells.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

__global__ void __launch_bounds__(kGridStrideThreads)
    make(const std::uint32_t* bits, std::int64_t count, std::byte* cells) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) {
    cells[i] = static_cast<std::byte>(__ldg(bits + i / 32) >> (i % 32) & 1);
  });
}

}  // namespace

void make_cells(const CudaSession& session, const std::uint32_t* bits, std::int64_t count,
                std::byte* cells) {
  launch_next(session, "cells of bits", grid_stride_shape(session, count), make, bits, count,
              cells);
}

}  // namespace transfer
}  // namespace thiessen::cuda
