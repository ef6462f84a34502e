// SPDX-License-Identifier: Apache-2.0
//
// Where the thread of a kernel stands, by the names that CUDA has for it.
#pragma once

#include <vector_types.h>

inline thread_local uint3 threadIdx;
inline thread_local uint3 blockIdx;
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;
