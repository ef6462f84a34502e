/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A raster in slabs, for C: what is larger than memory, or than one machine, with the bits of one
 * call. thiessen/slabs.hpp tells how. In short, for slabs that are rows (2-D) or planes (3-D):
 *
 *     for each slab:  thiessen_summarise_slab(...)  gives a summary, of 8 bytes and two labels a
 * column once:           thiessen_combine_slabs(...)   gives each slab what it must know of the
 * others for each slab:  thiessen_finish_slab(...)     writes its outputs
 *
 * Summaries and neighbours are bytes that may be kept in files and sent to other processes, on
 * machines with the same order of bytes.
 */
#ifndef THIESSEN_SLABS_H
#define THIESSEN_SLABS_H

#include <stddef.h>
#include <stdint.h>

#include "thiessen/export.hpp"
#include "thiessen/thiessen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the library's or of the caller's. */
typedef struct thiessen_bytes {
  unsigned char* data;
  size_t size;
} thiessen_bytes;

/** Frees bytes that the library gave, and makes them empty. Null, or without data: no effect. */
THIESSEN_API void thiessen_free_bytes(thiessen_bytes* bytes);

/** The rows or planes that a slab holds. */
typedef struct thiessen_slab {
  size_t size;
  int32_t rank;       /**< of the raster, 2 or 3 */
  int32_t reserved;   /**< 0 */
  int64_t extents[3]; /**< of the whole raster, (y, x) or (z, y, x) */
  int64_t first;      /**< its first row or plane there */
} thiessen_slab;

/**
 * Summary of a slab.
 *
 * cells    of the slab, as the sites of thiessen_nearest_site(), on the host
 * options  those of the whole call; null: the defaults. The metrics euclidean and manhattan, the
 *          method exact
 * summary  empty after an error; to be freed by thiessen_free_bytes()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY,
 * THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_summarise_slab(thiessen_context* context,
                                                     const thiessen_array* cells,
                                                     const thiessen_slab* slab,
                                                     const thiessen_nearest_site_options* options,
                                                     thiessen_bytes* summary);

/**
 * Summary of two slabs, or groups of slabs, that lie side by side; any grouping gives the same.
 *
 * joined  empty after an error; to be freed by thiessen_free_bytes()
 */
THIESSEN_API thiessen_status thiessen_join_slabs(const thiessen_bytes* upper,
                                                 const thiessen_bytes* lower,
                                                 thiessen_bytes* joined);

/**
 * What each slab must know of the others.
 *
 * summaries   of all `count` slabs of the raster, or groups of them, from the first one to the last
 * slab        its `first` is not read
 * neighbours  `count` of them, empty after an error; each to be freed by thiessen_free_bytes()
 */
THIESSEN_API thiessen_status thiessen_combine_slabs(const thiessen_bytes* summaries, size_t count,
                                                    const thiessen_slab* slab,
                                                    const thiessen_nearest_site_options* options,
                                                    thiessen_bytes* neighbours);

/**
 * Nearest site of every cell of a slab: what thiessen_nearest_site() of the whole raster would
 * write there, bit for bit. Outputs and domain have the extents of the slab.
 */
THIESSEN_API thiessen_status thiessen_finish_slab(
    thiessen_context* context, const thiessen_array* cells, const thiessen_slab* slab,
    const thiessen_nearest_site_options* options, const thiessen_bytes* neighbours,
    const thiessen_nearest_site_outputs* outputs, const thiessen_array* domain);

/**
 * Nearest point of every cell of `count` rows or planes of a grid: what thiessen_voronoi() would
 * write there. `slab` tells the extents of the grid and the first of them.
 */
THIESSEN_API thiessen_status thiessen_voronoi_slab(thiessen_context* context,
                                                   const thiessen_points* points,
                                                   const thiessen_slab* slab, int64_t count,
                                                   const thiessen_nearest_site_options* options,
                                                   const thiessen_nearest_site_outputs* outputs,
                                                   const thiessen_array* domain);

/* ---- connected components ------------------------------------------------------------------ */

/**
 * Numbers the connected areas of a slab, and gives what other slabs must know of them.
 *
 * image, options, labels  as of thiessen_connected_components(), of the slab
 * summary                 empty after an error; to be freed by thiessen_free_bytes()
 */
THIESSEN_API thiessen_status
thiessen_summarise_components(thiessen_context* context, const thiessen_array* image,
                              const thiessen_components_options* options,
                              const thiessen_array* labels, thiessen_bytes* summary);

/**
 * The numbers that the areas of each slab have in the raster.
 *
 * summaries  of all `count` slabs of the raster, from the first one to the last
 * slab       its `first` is not read
 * options    as they were given to thiessen_summarise_components()
 * numbers    `count` of them, empty after an error; each to be freed by thiessen_free_bytes()
 */
THIESSEN_API thiessen_status thiessen_combine_components(const thiessen_bytes* summaries,
                                                         size_t count, const thiessen_slab* slab,
                                                         const thiessen_components_options* options,
                                                         thiessen_bytes* numbers);

/**
 * Turns numbers within a slab into those of the raster; 0 and -1 stay.
 *
 * labels  I32 or I64, of thiessen_summarise_components()
 * count   becomes the number of components of the raster; may be null
 */
THIESSEN_API thiessen_status thiessen_number_components(const thiessen_bytes* numbers,
                                                        const thiessen_array* labels,
                                                        int64_t* count);

#ifdef __cplusplus
}
#endif

#endif
