// SPDX-License-Identifier: Apache-2.0
//
// Cost distance: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes
// using CUDA", algorithms 1 and 2, and then labels. core/cost/edges.hpp and core/cost/labels.hpp
// define what is computed. A work item is a cell, or a site.
//
//   cost       C_o of the document: costs before the iteration
//   lowered    C_u: costs while they are lowered, as their bits, which have the same order, as no
//              cost is negative
//   mask       M: cells that have changed, and have not passed on their value yet
//   steps      of a cell: bit k if the step from it to neighbour k is tight
//   rank       of a cell: the rank of its site, as far as known
//   hops       of a cell: tight steps from the cell of its site; -1: not known yet
//   changed    how many cells have changed: the flag by which the host goes on
//
// Kernels read values that others write in the same launch only if an old value just means more
// work later. `rank` falls by atomic minima, and whoever lowers it sets the mask of the next
// launch. Masks and hops get the same value from everybody who sets them.
//
// Definitions that come from the host:
//
//   FLOAT, BITS      float and uint, or double and ulong
//   COUNT            neighbours of a cell
//   STIFFNESS        1: edges of stiffness, else of cost
//   TIGHT_BARRIERS   1: no diagonal step between barriers
//   WIDE             1: FLOAT is double
//   HAS_FP64         1: the device has doubles
#pragma OPENCL FP_CONTRACT OFF
#if HAS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#if WIDE
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define LOWER_BITS atom_min
#define TO_BITS as_ulong
#define TO_FLOAT as_double
#else
#define LOWER_BITS atomic_min
#define TO_BITS as_uint
#define TO_FLOAT as_float
#endif

#define DIAGONAL 1
#define KNIGHT 2
#define NO_RANK UINT_MAX

// The data of all kernels. The host has the same struct (relaxation.cpp).
typedef struct {
  long extent[3];  // (z, y, x)
  long delta[COUNT];
  int offset[COUNT][4];  // z, y, x, kind of step
  FLOAT factor[COUNT];
  FLOAT limit;
} Edges;

typedef struct {
  long z;
  long y;
  long x;
} Place;

Place place_of(__constant const Edges* edges, long cell) {
  const long row = cell / edges->extent[2];
  const Place place = {row / edges->extent[1], row % edges->extent[1],
                       cell - row * edges->extent[2]};
  return place;
}

bool is_inside(__constant const Edges* edges, Place place, int k) {
  const long z = place.z + edges->offset[k][0];
  const long y = place.y + edges->offset[k][1];
  const long x = place.x + edges->offset[k][2];
  return z >= 0 && z < edges->extent[0] && y >= 0 && y < edges->extent[1] && x >= 0 &&
         x < edges->extent[2];
}

// A quotient of floats is rounded correctly if it is computed with doubles, which have more than
// twice as many bits; OpenCL's division of floats need not be. Compilers know that, too, and return
// to floats unless the doubles are visible.
FLOAT weight_of(__constant const Edges* edges, int k, FLOAT sum) {
#if STIFFNESS
#if WIDE
  return edges->factor[k] / sum;
#else
  volatile double quotient = (double)edges->factor[k] / (double)sum;
  return (FLOAT)quotient;
#endif
#else
  return edges->factor[k] * sum;
#endif
}

bool is_open(__constant const Edges* edges, __global const FLOAT* cell, int z, int y, int x) {
  const FLOAT value =
      cell[z * edges->extent[1] * edges->extent[2] + y * edges->extent[2] + x];
  return value == value;
}

// Whether a diagonal step has a way round along the axes.
bool has_way_round(__constant const Edges* edges, __global const FLOAT* cell, int dz, int dy,
                   int dx) {
  const bool z = dz != 0 && is_open(edges, cell, dz, 0, 0);
  const bool y = dy != 0 && is_open(edges, cell, 0, dy, 0);
  const bool x = dx != 0 && is_open(edges, cell, 0, 0, dx);
  if (dz == 0 || dy == 0 || dx == 0) return z || y || x;
  return (is_open(edges, cell, dz, dy, 0) && (z || y)) ||
         (is_open(edges, cell, dz, 0, dx) && (z || x)) ||
         (is_open(edges, cell, 0, dy, dx) && (y || x));
}

// The cost of the step to neighbour k, which lies in the raster; NaN if it does not pass.
FLOAT step_weight(__constant const Edges* edges, int k, __global const FLOAT* cell) {
  const int dz = edges->offset[k][0];
  const int dy = edges->offset[k][1];
  const int dx = edges->offset[k][2];
  const FLOAT p = cell[0];
  const FLOAT q = cell[edges->delta[k]];
  if (edges->offset[k][3] == KNIGHT) {
    const long width = edges->extent[2];
    const bool steep = dy == 2 || dy == -2;
    const FLOAT a = steep ? cell[dy / 2 * width] : cell[dx / 2];
    const FLOAT b = steep ? cell[dy / 2 * width + dx] : cell[dy * width + dx / 2];
    return weight_of(edges, k, (p + q) + (a + b));
  }
  if (TIGHT_BARRIERS && edges->offset[k][3] == DIAGONAL &&
      !has_way_round(edges, cell, dz, dy, dx))
    return NAN;
  return weight_of(edges, k, p + q);
}

__kernel void start_costs(__global const long* site_cells, __global const FLOAT* initial,
                          uint sites, FLOAT limit, __global BITS* lowered) {
  const size_t rank = get_global_id(0);
  if (rank >= sites) return;
  const long cell = site_cells[rank];
  if (cell >= 0 && initial[rank] <= limit) LOWER_BITS(&lowered[cell], TO_BITS(initial[rank]));
}

// Algorithm 1.
__kernel void relax(__constant const Edges* edges, ulong cells, __global const FLOAT* resistance,
                    __global const FLOAT* cost, __global BITS* lowered, __global uchar* mask) {
  const size_t cell = get_global_id(0);
  if (cell >= cells || mask[cell] == 0) return;
  mask[cell] = 0;
  const FLOAT own = cost[cell];
  const Place place = place_of(edges, cell);
  for (int k = 0; k < COUNT; ++k) {
    if (!is_inside(edges, place, k)) continue;
    const FLOAT there = own + step_weight(edges, k, resistance + cell);
    if (there <= edges->limit) LOWER_BITS(&lowered[cell + edges->delta[k]], TO_BITS(there));
  }
}

// Algorithm 2.
__kernel void update(ulong cells, __global FLOAT* cost, __global const BITS* lowered,
                     __global uchar* mask, __global uint* changed) {
  const size_t cell = get_global_id(0);
  if (cell >= cells) return;
  const FLOAT now = TO_FLOAT(lowered[cell]);
  if (!(now < cost[cell])) return;
  cost[cell] = now;
  mask[cell] = 1;
  atomic_inc(changed);
}

__kernel void find_steps(__constant const Edges* edges, ulong cells,
                         __global const FLOAT* resistance, __global const FLOAT* cost,
                         __global uint* steps) {
  const size_t cell = get_global_id(0);
  if (cell >= cells) return;
  uint tight = 0;
  const FLOAT own = cost[cell];
  if (own < INFINITY) {
    const Place place = place_of(edges, cell);
    for (int k = 0; k < COUNT; ++k) {
      if (!is_inside(edges, place, k)) continue;
      const FLOAT to = cost[cell + edges->delta[k]];
      if (own + step_weight(edges, k, resistance + cell) == to && to < INFINITY) tight |= 1u << k;
    }
  }
  steps[cell] = tight;
}

__kernel void start_ranks(__global const long* site_cells, __global const FLOAT* initial,
                          uint sites, __global const FLOAT* cost, __global uint* rank,
                          __global uchar* mask) {
  const uint own = get_global_id(0);
  if (own >= sites) return;
  const long cell = site_cells[own];
  if (cell < 0 || cost[cell] != initial[own]) return;
  atomic_min(&rank[cell], own);
  mask[cell] = 1;
}

__kernel void spread_ranks(__constant const Edges* edges, ulong cells, __global const uint* steps,
                           __global uint* rank, __global uchar* mask, __global uchar* next_mask,
                           __global uint* changed) {
  const size_t cell = get_global_id(0);
  if (cell >= cells || mask[cell] == 0) return;
  mask[cell] = 0;
  const uint own = atomic_or(&rank[cell], 0);
  for (int k = 0; k < COUNT; ++k) {
    if ((steps[cell] >> k & 1) == 0) continue;
    const long next = cell + edges->delta[k];
    if (atomic_min(&rank[next], own) <= own) continue;
    next_mask[next] = 1;
    *changed = 1;
  }
}

__kernel void start_hops(__global const long* site_cells, uint sites, __global const uint* rank,
                         __global long* hops) {
  const uint own = get_global_id(0);
  if (own >= sites) return;
  const long cell = site_cells[own];
  if (cell >= 0 && rank[cell] == own) hops[cell] = 0;
}

// Spreads from the cells that are `level` hops away to those that are one hop farther.
__kernel void spread_hops(__constant const Edges* edges, ulong cells, __global const uint* steps,
                          __global const uint* rank, __global long* hops, long level,
                          __global uint* changed) {
  const size_t cell = get_global_id(0);
  if (cell >= cells || hops[cell] != level) return;
  for (int k = 0; k < COUNT; ++k) {
    const long next = cell + edges->delta[k];
    if ((steps[cell] >> k & 1) == 0 || rank[next] != rank[cell] || hops[next] >= 0) continue;
    hops[next] = level + 1;
    *changed = 1;
  }
}
