// SPDX-License-Identifier: Apache-2.0
//
// Each cell of a piece of the raster expands its neighbourhood, ring by ring, until no cell of the
// next one can be as near as the best site found: core/neighbourhood.hpp, as OpenCL has it.
//
// A ring is segments of rows and columns. A word has the bits of 32 cells of a line, and beside it
// stand the last site before and the first one behind; so the next site along a line is found by two
// accesses.

// Lines beside each other: the words of one are `stride` apart.
typedef struct {
  __global const uint* words;
  __global const int* before;  // last site before the word, or -1
  __global const int* after;   // first site behind it, or INT_MAX
  SCALAR first;                // word of the line
  SCALAR stride;
} Line;

// The constants of a call; of arrays, z, y and x.
typedef struct {
  SCALAR factor[3];
  SCALAR limit;
  int extent[3];
  int unused;
} Expansion;

typedef struct {
  __constant const Expansion* call;
  int cell[3];
  SCALAR site;   // the first of the nearest so far, or -1
  SCALAR exact;  // its S, or the limit
} Search;

// The first site from..to, or -1.
int first_on(const Line* line, int from, int to) {
  const SCALAR word = line->first + (from >> 5) * line->stride;
  const uint some = line->words[word] >> (from & 31);
  const int found = some != 0 ? from + (int)popcount((some & -some) - 1) : line->after[word];
  return found <= to ? found : -1;
}

// The last one.
int last_on(const Line* line, int from, int to) {
  const SCALAR word = line->first + (to >> 5) * line->stride;
  const uint some = line->words[word] & 0xffffffffu >> (31 - (to & 31));
  const int found = some != 0 ? (to & ~31) + 31 - (int)clz(some) : line->before[word];
  return found >= from ? found : -1;
}

SCALAR share_of(const Search* search, int axis, int difference) {
  return along(search->call->factor[axis], difference, 0, 0);
}

SCALAR exact_of(const Search* search, SCALAR share, int axis, int difference) {
  return join_last(share, share_of(search, axis, difference));
}

// How far along the axis a site may be as near as the nearest, which is `nearest` away.
int reach_of(const Search* search, SCALAR share, int axis, SCALAR exact, int nearest) {
  if (METRIC == CHESSBOARD) return (int)(exact / search->call->factor[axis]);
  if (METRIC == OCTAGONAL) return (int)min(exact, exact + exact / 2 - share);
  return nearest;
}

// No cell of the raster that is `cells` away along any axis has a smaller S.
SCALAR least_beyond(const Search* search, int cells) {
  SCALAR least = GREATEST;
  for (int axis = 0; axis < 3; ++axis)
    if (search->call->extent[axis] > cells) least = min(least, exact_of(search, 0, axis, cells));
  return least;
}

// The first of the nearest sites of a line, among the cells up to r from the cell; -1 if there are
// none that are near enough. Then *exact is its S.
int look_along(const Search* search, const Line* line, int axis, SCALAR share, int r,
               SCALAR* exact) {
  if (exact_of(search, share, axis, 0) > search->exact) return -1;
  const int middle = search->cell[axis];
  const int begin = max(middle - r, 0);
  const int end = min(middle + r, search->call->extent[axis] - 1);
  const int left = last_on(line, begin, middle);
  const int right = first_on(line, middle, end);
  if (left < 0 && right < 0) return -1;
  const int nearest = left < 0    ? right - middle
                      : right < 0 ? middle - left
                                  : min(middle - left, right - middle);
  *exact = exact_of(search, share, axis, nearest);
  if (*exact > search->exact) return -1;
  const int reach = reach_of(search, share, axis, *exact, nearest);
  return first_on(line, max(begin, middle - reach), end);
}

void consider(Search* search, int z, int y, int x, SCALAR exact) {
  __constant const int* extent = search->call->extent;
  const SCALAR site = ((SCALAR)z * extent[1] + y) * extent[2] + x;
  if (exact == search->exact && search->site >= 0 && site > search->site) return;
  search->site = site;
  search->exact = exact;
}

void look_along_row(Search* search, Line rows, int z, int y, int r) {
  __constant const int* extent = search->call->extent;
  const SCALAR share = join(share_of(search, 0, abs_diff(z, search->cell[0])),
                            share_of(search, 1, abs_diff(y, search->cell[1])));
  rows.first = ((SCALAR)z * extent[1] + y) * ((extent[2] + 31) / 32);
  rows.stride = 1;
  SCALAR exact;
  const int x = look_along(search, &rows, 2, share, r, &exact);
  if (x >= 0) consider(search, z, y, x, exact);
}

void look_along_column(Search* search, Line columns, int z, int x, int r) {
  __constant const int* extent = search->call->extent;
  const SCALAR share = join(share_of(search, 0, abs_diff(z, search->cell[0])),
                            share_of(search, 2, abs_diff(x, search->cell[2])));
  columns.first = (SCALAR)z * ((extent[1] + 31) / 32) * extent[2] + x;
  columns.stride = extent[2];
  SCALAR exact;
  const int y = look_along(search, &columns, 1, share, r, &exact);
  if (y >= 0) consider(search, z, y, x, exact);
}

void look_at_ring(Search* search, const Line* rows, const Line* columns, int r) {
  __constant const int* extent = search->call->extent;
  const int y = search->cell[1];
  const int x = search->cell[2];
  const int last = min(search->cell[0] + r, extent[0] - 1);
  for (int z = max(search->cell[0] - r, 0); z <= last; ++z) {
    if (z == search->cell[0] - r || z == search->cell[0] + r) {
      const int last_y = min(y + r, extent[1] - 1);
      for (int own = max(y - r, 0); own <= last_y; ++own) look_along_row(search, *rows, z, own, r);
      continue;
    }
    if (y - r >= 0) look_along_row(search, *rows, z, y - r, r);
    if (y + r < extent[1]) look_along_row(search, *rows, z, y + r, r);
    if (x - r >= 0) look_along_column(search, *columns, z, x - r, r - 1);
    if (x + r < extent[2]) look_along_column(search, *columns, z, x + r, r - 1);
  }
}

__kernel void expand(__constant const Expansion* call,
                     __global const uint* row_words, __global const int* row_before,
                     __global const int* row_after, __global const uint* column_words,
                     __global const int* column_before, __global const int* column_after,
                     SCALAR first_cell,         // of the piece
                     int begin, int end,        // cells of the piece for this launch
                     __global SCALAR* least,    // S of the winners
                     __global SCALAR* nearest)  // their site indices, or -1
{
  const Line rows = {row_words, row_before, row_after, 0, 0};
  const Line columns = {column_words, column_before, column_after, 0, 0};
  const int farthest = max(max(call->extent[0], call->extent[1]), call->extent[2]);
  for (int own = begin + (int)get_global_id(0); own < end; own += (int)get_global_size(0)) {
    const SCALAR cell = first_cell + own;
    const SCALAR row = cell / call->extent[2];
    Search search;
    search.call = call;
    search.cell[0] = (int)(row / call->extent[1]);
    search.cell[1] = (int)(row % call->extent[1]);
    search.cell[2] = (int)(cell % call->extent[2]);
    search.site = -1;
    search.exact = call->limit;
    for (int r = 0; r < farthest && least_beyond(&search, r) <= search.exact; ++r)
      look_at_ring(&search, &rows, &columns, r);
    least[own] = search.exact;
    nearest[own] = search.site;
  }
}
