// SPDX-License-Identifier: Apache-2.0
//
// The passes of jump flooding: core/problem/flooding.hpp defines a pass.
//
// The state of a cell is the code of the site that it holds, or NONE, which is greater than any.
// Codes are ordered like site indices and lead to the site's place without a division: for cells
// they are the coordinates side by side in one number, for points the place in the list.
//
// A work item has WIDTH neighbouring cells of a row. Their neighbours at one offset lie beside each
// other, too, and take one load, except at the ends of a row. If each of them holds only what its
// cell holds already, nothing is measured.
//
// Definitions beside those of measure.cl:
//
//   STATE, MASK  uint and int, or ulong and long: a state, and the result of comparing two of them
//   INDEX        uint, if it holds all cells of the raster and some more; else ulong
//   POINTS       1 if the sites are points of a list
//   FIRST_SEEN   1 if the first seen of equally near sites stays (Coeurjolly); else 0
//   LAST_SEEN    1 if the last seen of them wins, and the site of cell 0 is none where others look
//                (Czyżewski); else 0
//   LITERAL      1 if an empty cell takes only what is nearer than the place below column 0; else 0

#define NONE ((STATE)-1)
#define OUTSIDE UINT_MAX
#define STATES GLUE(STATE, WIDTH)
#define MASKS GLUE(MASK, WIDTH)
#define TO_STATE_MASKS GLUE(convert_, MASKS)
#define TO_LANES GLUE(convert_, LANES)

// The data of all kernels. The host has the same struct (jump_flood.cpp).
typedef struct {
  ulong rows;
  ulong sites;
  ulong seed;
  SCALAR factor[3];  // for the axes z, y, x, like all members below
  SCALAR period[3];
  uint extent[3];
  uint periodic[3];
  uint y_bits;  // bits of y in a code
  uint x_bits;
  uint fraction_bits;
  uint items;  // work items of a row
} Flood;

#if POINTS
typedef SCALAR Site;  // z, y, x for each site
#else
typedef STATE Site;  // codes, by rank
#endif

STATE noise_of(__constant const Flood* flood, __global const Site* list, size_t cell) {
  const ulong rank = noise_rank(flood->seed, cell, flood->sites);
#if POINTS
  return (STATE)rank;
#else
  return list[rank];
#endif
}

// S between places and sites; for NONE it is any number.
#if POINTS

SCALAR exact_to(__constant const Flood* flood, __global const Site* list, SCALAR z, SCALAR y,
                SCALAR x, STATE site) {
  __global const SCALAR* place = list + 3 * (size_t)(site == NONE ? 0 : site);
  return combine(combine(along(flood->factor[0], z, place[0], flood->period[0]),
                         along(flood->factor[1], y, place[1], flood->period[1])),
                 along(flood->factor[2], x, place[2], flood->period[2]));
}

LANES exact_to_lanes(__constant const Flood* flood, __global const Site* list, LANES z, LANES y,
                     LANES x, STATES sites) {
  STATE site[WIDTH];
  SCALAR place[3][WIDTH];
  STORE_LANES(sites, 0, site);
  for (int i = 0; i < WIDTH; ++i)
    for (int axis = 0; axis < 3; ++axis)
      place[axis][i] = list[3 * (size_t)(site[i] == NONE ? 0 : site[i]) + axis];
  const LANES site_z = LOAD_LANES(0, place[0]);
  const LANES site_y = LOAD_LANES(0, place[1]);
  const LANES site_x = LOAD_LANES(0, place[2]);
  return combine_lanes(combine_lanes(along_lanes(flood->factor[0], z, site_z, flood->period[0]),
                                     along_lanes(flood->factor[1], y, site_y, flood->period[1])),
                       along_lanes(flood->factor[2], x, site_x, flood->period[2]));
}

#else

#define DEFINE_EXACT_TO(NAME, TYPE, CODE, TO_TYPE, ALONG, COMBINE)                            \
  TYPE NAME(__constant const Flood* flood, __global const Site* list, TYPE z, TYPE y, TYPE x, \
            CODE site) {                                                                      \
    const CODE code = site == NONE ? (CODE)0 : site;                                          \
    const CODE row = code >> flood->x_bits;                                                   \
    const TYPE site_z = TO_TYPE(row >> flood->y_bits);                                        \
    const TYPE site_y = TO_TYPE(row & (((STATE)1 << flood->y_bits) - 1));                     \
    const TYPE site_x = TO_TYPE(code & (((STATE)1 << flood->x_bits) - 1));                    \
    return COMBINE(COMBINE(ALONG(flood->factor[0], z, site_z, flood->period[0]),              \
                           ALONG(flood->factor[1], y, site_y, flood->period[1])),             \
                   ALONG(flood->factor[2], x, site_x, flood->period[2]));                     \
  }
DEFINE_EXACT_TO(exact_to, SCALAR, STATE, (SCALAR), along, combine)
DEFINE_EXACT_TO(exact_to_lanes, LANES, STATES, TO_LANES, along_lanes, combine_lanes)

#endif

// The cells of a work item, and for each the first, in the order (S, code), of the sites offered to
// it.
typedef struct {
  size_t row;  // cells before it
  uint at_z;
  uint at_y;
  uint at_x;  // x of the first of them
  LANES z;    // their places, in the units of S
  LANES y;
  LANES x;
  STATES site;
  LANES exact;
} Cells;

void offer(Cells* cells, __constant const Flood* flood, __global const Site* list, STATES other) {
  const MASKS is_new = (other != cells->site) & (other != NONE);
  if (!any(is_new)) return;
  const LANES exact = exact_to_lanes(flood, list, cells->z, cells->y, cells->x, other);
#if FIRST_SEEN
  const LANES is_first = exact < cells->exact;
#elif LAST_SEEN
  const LANES is_first = exact <= cells->exact;
#else
  const LANES is_first = (exact < cells->exact) |
                         ((exact == cells->exact) & TO_LANES(other < cells->site));
#endif
  const MASKS wins = is_new & TO_STATE_MASKS(is_first);
  cells->exact = select(cells->exact, exact, TO_LANES(wins));
  cells->site = select(cells->site, other, wins);
}

// neighbour_along(), for offsets that lie within the axis if it is periodic.
uint neighbour(__constant const Flood* flood, int axis, uint cell, uint offset) {
  const uint at = cell + offset;
  if (at < flood->extent[axis]) return at;
  return flood->periodic[axis] ? at - flood->extent[axis] : OUTSIDE;
}

// The sites of cells as others see them.
STATE seen(STATE site) { return LAST_SEEN && site == 0 ? NONE : site; }
STATES seen_lanes(STATES sites) {
  return LAST_SEEN ? select(sites, (STATES)NONE, sites == (STATES)0) : sites;
}

// The site that a cell holds, or counts as holding, for itself (`own`) or for others.
STATE look(__constant const Flood* flood, __global const Site* list, __global const STATE* states,
           int noise, bool own, size_t cell) {
  const STATE site = own ? states[cell] : seen(states[cell]);
  return noise && site == NONE ? noise_of(flood, list, cell) : site;
}

// The sites of the neighbours at an offset along x in row `row`.
STATES look_along(const Cells* cells, __constant const Flood* flood, __global const Site* list,
                  __global const STATE* states, int noise, bool own, size_t row, uint offset) {
  const uint width = flood->extent[2];
  const uint first = neighbour(flood, 2, cells->at_x, offset);
  if (first == OUTSIDE && cells->at_x + offset <= UINT_MAX - (WIDTH - 1)) return NONE;
  if (first < width && width - first >= WIDTH) {
    STATES sites = LOAD_LANES(0, states + row + first);
    if (!own) sites = seen_lanes(sites);
    if (!noise || !any(sites == NONE)) return sites;
  }
  STATE site[WIDTH];
  for (uint i = 0; i < WIDTH; ++i) {
    const uint x = cells->at_x + i;
    const uint at = x < width ? neighbour(flood, 2, x, offset) : OUTSIDE;
    site[i] = at == OUTSIDE ? NONE : look(flood, list, states, noise, own, row + at);
  }
  return LOAD_LANES(0, site);
}

size_t row_of(__constant const Flood* flood, uint z, uint y) {
  return ((size_t)z * flood->extent[1] + y) * flood->extent[2];
}

// The cells of this item, with the sites that they count as holding; false if there are none.
bool begin(Cells* cells, __constant const Flood* flood, __global const Site* list,
           __global const STATE* states, int noise) {
  const INDEX item = (INDEX)get_global_id(0);
  const INDEX row = item / flood->items;
  if (row >= flood->rows) return false;
  cells->at_z = (uint)(row / flood->extent[1]);
  cells->at_y = (uint)(row % flood->extent[1]);
  cells->at_x = (uint)(item - row * flood->items) * WIDTH;
  cells->row = row_of(flood, cells->at_z, cells->at_y);
  cells->z = (LANES)((SCALAR)cells->at_z << flood->fraction_bits);
  cells->y = (LANES)((SCALAR)cells->at_y << flood->fraction_bits);
  // Cells beyond the end of a row are computed like the others, and not used; they keep S in its
  // range.
  const SCALAR last = (SCALAR)(flood->extent[2] - 1);
  const LANES from_first = min(LOAD_LANES(0, kCount), (LANES)(last - (SCALAR)cells->at_x));
  cells->x = ((LANES)((SCALAR)cells->at_x) + from_first) << flood->fraction_bits;
  cells->site = NONE;
  cells->exact = GREATEST;
  offer(cells, flood, list, look_along(cells, flood, list, states, noise, true, cells->row, 0));
#if LITERAL
  const LANES below = combine_lanes(
      along_lanes(flood->factor[1], cells->y, (LANES)((SCALAR)flood->extent[1]), flood->period[1]),
      along_lanes(flood->factor[2], cells->x, (LANES)0, flood->period[2]));
  cells->exact = select(cells->exact, below, TO_LANES(cells->site == (STATES)NONE));
#endif
  return true;
}

void end(const Cells* cells, __constant const Flood* flood, __global STATE* states) {
  __global STATE* to = states + cells->row + cells->at_x;
  const uint count = flood->extent[2] - cells->at_x;
  if (count >= WIDTH) {
    STORE_LANES(cells->site, 0, to);
    return;
  }
  STATE site[WIDTH];
  STORE_LANES(cells->site, 0, site);
  for (uint i = 0; i < count; ++i) to[i] = site[i];
}

// A pass with fixed offsets; each has z, y and x.
__kernel void flood_fixed(__constant const Flood* flood, __global const Site* list,
                          __global const STATE* from, __global STATE* to, int noise,
                          __constant const uint* offsets, int count) {
  Cells cells;
  if (!begin(&cells, flood, list, from, noise)) return;
  for (int i = 0; i < count; ++i) {
    const uint z = neighbour(flood, 0, cells.at_z, offsets[3 * i]);
    const uint y = neighbour(flood, 1, cells.at_y, offsets[3 * i + 1]);
    if (z == OUTSIDE || y == OUTSIDE) continue;
    offer(&cells, flood, list,
          look_along(&cells, flood, list, from, noise, false, row_of(flood, z, y),
                     offsets[3 * i + 2]));
  }
  end(&cells, flood, to);
}

// A component of a direction times the step, by along_direction(), in the form for neighbour().
uint random_offset(__constant const Flood* flood, int axis, int step, int component) {
  const long kHalf = 1L << 29;
  const long product = (long)step * component;
  const int offset = (int)(product < 0 ? -((-product + kHalf) >> 30) : (product + kHalf) >> 30);
  if (!flood->periodic[axis]) return (uint)offset;
  const int rest = offset % (int)flood->extent[axis];
  return (uint)(rest < 0 ? rest + (int)flood->extent[axis] : rest);
}

// A pass with random offsets to `points` neighbours in directions (y, x).
__kernel void flood_random(__constant const Flood* flood, __global const Site* list,
                           __global const STATE* from, __global STATE* to, int noise,
                           __constant const int* directions, int points, int step,
                           ulong circle_seed) {
  Cells cells;
  if (!begin(&cells, flood, list, from, noise)) return;
  const ulong draws = (ulong)(points + 7) / 8;
  const uint count = min(flood->extent[2] - cells.at_x, (uint)WIDTH);
  ulong draw[WIDTH];
  STATE site[WIDTH];
  for (uint i = count; i < WIDTH; ++i) site[i] = NONE;
  for (int point = 0; point < points; ++point) {
    for (uint i = 0; i < count; ++i) {
      const ulong cell = cells.row + cells.at_x + i;
      if (point % 8 == 0) draw[i] = splitmix64(circle_seed, cell * draws + (ulong)(point / 8));
      __constant const int* direction = directions + 2 * (int)(draw[i] >> 8 * (point % 8) & 0xFF);
      const uint y =
          neighbour(flood, 1, cells.at_y, random_offset(flood, 1, step, direction[0]));
      const uint x =
          neighbour(flood, 2, cells.at_x + i, random_offset(flood, 2, step, direction[1]));
      site[i] = y == OUTSIDE || x == OUTSIDE
                    ? NONE
                    : look(flood, list, from, noise, false, row_of(flood, cells.at_z, y) + x);
    }
    offer(&cells, flood, list, LOAD_LANES(0, site));
  }
  end(&cells, flood, to);
}

// Puts the sites into their cells. If several points start in a cell, the first one keeps it.
#if POINTS
__kernel void start(__global const ulong* starts, ulong sites, __global STATE* states) {
  const size_t i = get_global_id(0);
  if (i < sites) atomic_min(states + starts[i], (STATE)i);
}
#else
__kernel void start(__constant const Flood* flood, __global const Site* list,
                    __global STATE* states) {
  const size_t i = get_global_id(0);
  if (i >= flood->sites) return;
  const STATE row = list[i] >> flood->x_bits;
  const uint z = (uint)(row >> flood->y_bits);
  const uint y = (uint)(row & (((STATE)1 << flood->y_bits) - 1));
  states[row_of(flood, z, y) + (list[i] & (((STATE)1 << flood->x_bits) - 1))] = list[i];
}
#endif

// A mask of noise.
__kernel void put_noise(__constant const Flood* flood, __global const Site* list,
                        __global STATE* states, ulong cells) {
  const size_t cell = get_global_id(0);
  if (cell < cells && seen(states[cell]) == NONE) states[cell] = noise_of(flood, list, cell);
}

// S of the sites that the `count` cells from `first` on hold.
__kernel void measure(__constant const Flood* flood, __global const Site* list,
                      __global const STATE* states, ulong first, uint count,
                      __global SCALAR* exact) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  const INDEX cell = (INDEX)(first + i);
  const INDEX row = cell / flood->extent[2];
  const SCALAR z = (SCALAR)(row / flood->extent[1]) << flood->fraction_bits;
  const SCALAR y = (SCALAR)(row % flood->extent[1]) << flood->fraction_bits;
  const SCALAR x = (SCALAR)(cell - row * flood->extent[2]) << flood->fraction_bits;
  const STATE site = states[cell];
  exact[i] = site == NONE ? 0 : exact_to(flood, list, z, y, x, site);
}
