// SPDX-License-Identifier: Apache-2.0
//
// Each cell of a piece of the raster expands its neighbourhood by rings of rows, until no row of
// the next ring can have a site as near as the best one: core/search/neighbourhood.hpp in OpenCL.
// Sites come as bits of rows (row_table.cl).

// The constants of a call; arrays hold z, y and x.
typedef struct {
  SCALAR factor[3];
  SCALAR limit;
  int extent[3];
  int unused;
} Expansion;

typedef struct {
  __constant const Expansion* call;
  int cell[3];
  SCALAR site;   // the first of the nearest sites so far, or -1
  SCALAR exact;  // its S, or the limit
} Search;

SCALAR share_of(const Search* search, int axis, int difference) {
  return along(search->call->factor[axis], difference, 0, 0);
}

SCALAR exact_of(const Search* search, SCALAR share, int axis, int difference) {
  return combine_last(share, share_of(search, axis, difference));
}

// How far along the row a site may be as near as the nearest one, which is `nearest` away.
int reach_of(const Search* search, SCALAR share, SCALAR exact, int nearest) {
  if (METRIC == CHESSBOARD) return (int)(exact / search->call->factor[2]);
  if (METRIC == OCTAGONAL) return (int)min(exact, exact + exact / 2 - share);
  return nearest;
}

// The least S of a site in the rows of the ring; more than any S if there is no such row.
SCALAR least_of_ring(const Search* search, int r) {
  SCALAR least = GREATEST;
  for (int axis = 0; axis < 2; ++axis)
    if (r < search->call->extent[axis]) least = min(least, exact_of(search, 0, axis, r));
  return least;
}

void look_along(Search* search, const Rows* rows, int z, int y) {
  __constant const int* extent = search->call->extent;
  const SCALAR share = combine(share_of(search, 0, abs_diff(z, search->cell[0])),
                               share_of(search, 1, abs_diff(y, search->cell[1])));
  if (exact_of(search, share, 2, 0) > search->exact) return;
  const SCALAR row = (SCALAR)z * extent[1] + y;
  const size_t first_word = (size_t)row * ((extent[2] + 31) / 32);
  const int x = search->cell[2];
  const int left = last_to(rows, first_word, x);
  const int right = first_from(rows, first_word, x);
  const int to_left = left < 0 ? extent[2] : x - left;
  const int to_right = right >= extent[2] ? extent[2] : right - x;
  const int nearest = min(to_left, to_right);
  if (nearest == extent[2]) return;
  const SCALAR exact = exact_of(search, share, 2, nearest);
  if (exact > search->exact) return;
  const int reach = reach_of(search, share, exact, nearest);
  const SCALAR site = row * extent[2] + first_from(rows, first_word, max(x - reach, 0));
  if (exact == search->exact && search->site >= 0 && site > search->site) return;
  search->site = site;
  search->exact = exact;
}

void look_at_ring(Search* search, const Rows* rows, int r) {
  __constant const int* extent = search->call->extent;
  const int y = search->cell[1];
  const int last = min(search->cell[0] + r, extent[0] - 1);
  for (int z = max(search->cell[0] - r, 0); z <= last; ++z) {
    const bool whole = z == search->cell[0] - r || z == search->cell[0] + r;
    const int step = whole || r == 0 ? 1 : 2 * r;
    for (int own = y - r; own <= y + r; own += step)
      if (own >= 0 && own < extent[1]) look_along(search, rows, z, own);
  }
}

__kernel void expand(__constant const Expansion* call, __global const uint* words,
                     __global const int* before, __global const int* after,
                     SCALAR first_cell,         // of the piece
                     int begin, int end,        // cells of the piece for this launch
                     __global SCALAR* least,    // S of the winners
                     __global SCALAR* nearest)  // their site indices, or -1
{
  const Rows rows = {words, before, after};
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
    for (int r = 0; least_of_ring(&search, r) <= search.exact; ++r)
      look_at_ring(&search, &rows, r);
    least[own] = search.exact;
    nearest[own] = search.site;
  }
}
