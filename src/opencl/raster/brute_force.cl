// SPDX-License-Identifier: Apache-2.0
//
// Compares every site with every cell of a piece of the raster.
//
// A work item has WIDTH neighbouring cells of a row, so that the difference of a site from their
// row is computed once. The items of a group fetch the sites together into local memory, TILE at a
// time, and then each goes through them for itself. There are as many items as the device takes at
// a time, for any size of the raster, and they take its cells in turns: one of each K, where K is
// the number of work items, or as many in one piece (allot() of core/problem/raster_choice.hpp). Sites come
// in the order of their index, so the first of two equally near ones stays.
//
// Winners are kept as places in the list of the sites, with their S. The rows of the piece lie one
// after the other, filled up to whole items. A launch takes some of the sites; a later one goes on
// with the results of the one before.

__kernel void search(__global const SCALAR* sites,  // z, y, x of each
                     SCALAR begin, SCALAR end,      // sites of this launch
                     __global SCALAR* least,        // S of the winners
                     __global SCALAR* nearest,      // their places in the list, or -1
                     int first_z, int first_y, int first_x,  // first cell of the piece
                     int rows, int items,                    // rows of it, work items of a row
                     int height,                             // rows of a plane of the raster
                     int last_x,                             // of a row of the raster
                     int contiguous,                         // whether turns are in one piece
                     int fraction_bits, SCALAR factor_z, SCALAR factor_y, SCALAR factor_x,
                     SCALAR period_z, SCALAR period_y, SCALAR period_x) {
  __local SCALAR tile[3 * TILE];
  // Every work item takes as many turns as the first of its group, since all of them fetch.
  const int all = rows * items;
  const int threads = (int)get_global_size(0);
  const int turns = (all + threads - 1) / threads;
  const int stride = contiguous ? 1 : threads;
  const int step = contiguous ? turns : 1;
  const int first_of_group = (int)(get_group_id(0) * get_local_size(0)) * step;
  for (int turn = 0; turn < turns && first_of_group + turn * stride < all; ++turn) {
    const int item = (int)get_global_id(0) * step + turn * stride;
    const int row = item / items;
    const bool exists = row < rows;

    const int plane_row = first_y + row;
    const SCALAR z = (SCALAR)(first_z + plane_row / height) << fraction_bits;
    const SCALAR y = (SCALAR)(plane_row % height) << fraction_bits;
    // Cells beyond the end of a row are computed like the others, and not used; they keep S in its
    // range.
    const SCALAR first_cell = (SCALAR)(first_x + (item - row * items) * WIDTH);
    const LANES x = min(first_cell + LOAD_LANES(0, kCount), (LANES)(last_x)) << fraction_bits;

    LANES winner_exact = GREATEST;
    LANES winner = -1;
    if (exists && begin != 0) {
      winner_exact = LOAD_LANES(item, least);
      winner = LOAD_LANES(item, nearest);
    }
    for (SCALAR first = begin; first < end; first += TILE) {
      const int count = (int)min(end - first, (SCALAR)TILE);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = (int)get_local_id(0); i < 3 * count; i += (int)get_local_size(0))
        tile[i] = sites[3 * (size_t)first + i];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; exists && i < count; ++i) {
        const SCALAR row_exact = combine(along(factor_z, z, tile[3 * i], period_z),
                                         along(factor_y, y, tile[3 * i + 1], period_y));
        const LANES exact =
            combine_last_lanes(row_exact, along_lanes(factor_x, x, tile[3 * i + 2], period_x));
        const LANES nearer = exact < winner_exact;
        winner_exact = select(winner_exact, exact, nearer);
        winner = select(winner, (LANES)(first + i), nearer);
      }
    }
    if (exists) {
      STORE_LANES(winner_exact, item, least);
      STORE_LANES(winner, item, nearest);
    }
  }
}
