// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions that kernels of a GPU and code of the host share, and loops in them.
#ifdef __CUDACC__
#define THIESSEN_HD __host__ __device__
#define THIESSEN_UNROLL _Pragma("unroll")
#else
#define THIESSEN_HD
#define THIESSEN_UNROLL
#endif
