// SPDX-License-Identifier: Apache-2.0
//
// The atomic minimum of costs. Costs are never negative, so their bits have the same order. For
// sources compiled as CUDA.
#pragma once

namespace thiessen::cuda::cost {

__device__ inline void lower_cost(float* place, float cost) {
  atomicMin(reinterpret_cast<unsigned int*>(place), __float_as_uint(cost));
}

__device__ inline void lower_cost(double* place, double cost) {
  atomicMin(reinterpret_cast<unsigned long long*>(place),
            static_cast<unsigned long long>(__double_as_longlong(cost)));
}

}  // namespace thiessen::cuda::cost
