// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions that kernels of a GPU and code of the host share, and loops in them. What is large and
/// not where the time goes is compiled once (NOINLINE): it would be copied into every turn of every
/// unrolled loop, and that takes minutes.
#ifdef __CUDACC__
#define THIESSEN_HD __host__ __device__
#define THIESSEN_NOINLINE __noinline__
#define THIESSEN_UNROLL _Pragma("unroll")
#define THIESSEN_NO_UNROLL _Pragma("unroll 1")
#else
#define THIESSEN_HD
#define THIESSEN_NOINLINE
#define THIESSEN_UNROLL
#define THIESSEN_NO_UNROLL
#endif
