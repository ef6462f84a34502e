// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Markers for functions that kernels of a GPU and code of the host share, and for loops in them.
/// Large functions that take little of the time are compiled once (NOINLINE): copies in every turn
/// of every unrolled loop would take minutes to compile.
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
