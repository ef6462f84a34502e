// SPDX-License-Identifier: Apache-2.0
//
// The beginning of every program: S as in core/order/measure.hpp and core/order/torus.hpp, for one cell
// (SCALAR) and for several cells beside each other (LANES). Definitions that come from the host:
//
//   SCALAR     int or long: the type of S and coordinates
//   WIDTH      cells of LANES: 4, 8 or 16
//   METRIC     EUCLIDEAN, MANHATTAN, CHESSBOARD or OCTAGONAL
//   PERIODIC   1 if any axis is periodic; an axis that is not has a large period
//
// Everything is in integers. If floats are ever needed: no contraction.
#pragma OPENCL FP_CONTRACT OFF

#define EUCLIDEAN 0
#define MANHATTAN 1
#define CHESSBOARD 2
#define OCTAGONAL 3

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define LANES GLUE(SCALAR, WIDTH)
#define LOAD_LANES GLUE(vload, WIDTH)
#define STORE_LANES GLUE(vstore, WIDTH)

// The part of a difference of coordinates in S, by the shorter way round.
#define DEFINE_ALONG(NAME, TYPE)                                    \
  TYPE NAME(SCALAR factor, TYPE a, TYPE b, SCALAR period) {         \
    TYPE delta = a - b;                                             \
    if (METRIC != EUCLIDEAN || PERIODIC) delta = max(delta, -delta); \
    if (PERIODIC) delta = min(delta, period - delta);               \
    return factor * (METRIC == EUCLIDEAN ? delta * delta : delta);  \
  }
DEFINE_ALONG(along, SCALAR)
DEFINE_ALONG(along_lanes, LANES)

// Combines the parts of two axes.
#define DEFINE_COMBINE(NAME, TYPE) \
  TYPE NAME(TYPE a, TYPE b) { return METRIC == CHESSBOARD ? max(a, b) : a + b; }
DEFINE_COMBINE(combine, SCALAR)
DEFINE_COMBINE(combine_lanes, LANES)

// S from the combined parts of all axes but one, and the part of that one. For an octagon, which
// has two axes and is not a sum, shares are plain differences until then.
#define DEFINE_COMBINE_LAST(NAME, TYPE, COMBINE)                                             \
  TYPE NAME(TYPE a, TYPE b) {                                                                \
    return METRIC == OCTAGONAL ? max(max(a, b), (TYPE)(2) * (a + b + (TYPE)(1)) / (TYPE)(3)) \
                               : COMBINE(a, b);                                              \
  }
DEFINE_COMBINE_LAST(combine_last, SCALAR, combine)
DEFINE_COMBINE_LAST(combine_last_lanes, LANES, combine_lanes)

// 0, 1, 2, …
__constant SCALAR kCount[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
