// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions that kernels of a GPU and code of the host share, loops in them, and those that are
/// not to be copied to where they are called.
#ifdef __CUDACC__
#define THIESSEN_HD __host__ __device__
#define THIESSEN_UNROLL _Pragma("unroll")
#define THIESSEN_NO_UNROLL _Pragma("unroll 1")
#define THIESSEN_NOINLINE __noinline__
#else
#define THIESSEN_HD
#define THIESSEN_UNROLL
#define THIESSEN_NO_UNROLL
#define THIESSEN_NOINLINE
#endif
