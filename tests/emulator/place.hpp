// SPDX-License-Identifier: Apache-2.0
//
// The place of a thread of a kernel, under CUDA's names.
#pragma once

#include <vector_types.h>

inline thread_local uint3 threadIdx;
inline thread_local uint3 blockIdx;
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;
