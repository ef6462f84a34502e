// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/turns.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/job/farthest.hpp"

namespace thiessen::cuda {
namespace {

/// Floats that are not negative have the order of their bits.
template <class Distance>
__global__ void __launch_bounds__(kTurnThreads)
    raise(const Distance* distance, std::int64_t count, std::uint32_t* farthest) {
  follow();
  float most = 0;
  take_turns(count, [&](std::int64_t i) {
    const float own = fabsf(static_cast<float>(distance[i]));
    if (own > most) most = own;
  });
  const std::uint32_t bits = greatest_of_warp(__float_as_uint(most));
  if (lane_of_thread() == 0) atomicMax(farthest, bits);
}

}  // namespace

void find_farthest(const CudaSession& session, const Cells<std::byte>& distance, std::int64_t first,
                   std::int64_t count, float* farthest) {
  const auto find = [&]<class Distance>(const Distance* cells) {
    launch_next(session, "the farthest cell", turns_for(session, count), raise<Distance>,
                cells + first, count, reinterpret_cast<std::uint32_t*>(farthest));
  };
  if (distance.element == sizeof(double))
    find(reinterpret_cast<const double*>(distance.bytes));
  else
    find(reinterpret_cast<const float*>(distance.bytes));
}

}  // namespace thiessen::cuda
