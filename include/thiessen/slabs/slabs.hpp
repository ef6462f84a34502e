// SPDX-License-Identifier: Apache-2.0
//
// A raster in slabs, for rasters that are larger than memory or than one machine. The bits are the
// same as of one call.
//
//     for each slab:  summaries[i] = summarise_slab(context, sites, place, options)
//     neighbours = combine_slabs(summaries, raster, options)
//     for each slab:  finish_slab(context, sites, place, options, neighbours[i], outputs)
//
// A slab holds some rows (2-D) or planes (3-D), with all their cells. From the other slabs it needs
// only data of the size of its two faces: for every column the nearest site above and below. Slabs
// may have any heights, also none. They may be done anywhere and in any order, because only
// summaries travel between them. To combine, a slab needs three summaries: the join of all slabs
// above, its own, and the join of all slabs below. Joins are the steps of a prefix scan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The place of a slab in its raster.
struct SlabPlace {
  Extents raster;          ///< extents of the whole raster, (y, x) or (z, y, x)
  std::int64_t first = 0;  ///< its first row or plane there
};

/// The extents of a slab with this number of rows or planes of a raster.
inline Extents slab_extents(const Extents& raster, std::int64_t rows) {
  std::array<std::int64_t, kMaxAxes> sizes{rows};
  for (int axis = 1; axis < raster.rank(); ++axis)
    sizes[static_cast<std::size_t>(axis)] = raster[axis];
  return Extents(
      std::span<const std::int64_t>(sizes).first(static_cast<std::size_t>(raster.rank())));
}

/// One side of a slab, seen from the slab or from outside: for each column the cell that is nearest
/// to that side. A vector that is not needed is empty. All others have a value for each column, in
/// C order. Coordinates count along the first axis of the whole raster. Beyond its ends they
/// continue if the axis is periodic. Plain data: it may be sent anywhere.
struct SlabFace {
  /// Stands for "no such cell" in coordinates.
  static constexpr std::int32_t kNone = -(std::int32_t{1} << 30);

  ElementType type = ElementType::u8;  ///< of the sites
  std::vector<std::int32_t> site;      ///< coordinate of the nearest site
  /// Label of this site, in the type of the sites. Boolean sites have their number there, an
  /// std::int64_t: within the slab in a summary, within the raster after combine_slabs().
  std::vector<std::byte> labels;
  std::vector<std::int32_t> other;  ///< for signed distances: the nearest cell that is no site
  /// For distances to the boundary: coordinate and values of the nearest row or plane, and the
  /// coordinate of the nearest cell with another value than there.
  std::int32_t row = kNone;
  std::vector<std::byte> values;
  std::vector<std::int32_t> change;

  bool operator==(const SlabFace&) const = default;
};

/// The summary of a slab, for the other slabs.
struct SlabSummary {
  SlabFace first;          ///< as seen from above: nearest to its first row or plane
  SlabFace last;           ///< as seen from below
  std::int64_t sites = 0;  ///< their number, if they are boolean

  bool operator==(const SlabSummary&) const = default;
};

/// The state of the other slabs that a slab needs.
struct SlabNeighbours {
  SlabFace above;
  SlabFace below;
  std::int64_t sites_before = 0;  ///< number of boolean sites in the slabs above

  bool operator==(const SlabNeighbours&) const = default;
};

/// Summary of a slab.
///
/// slab     its cells, (y, x) or (z, y, x), any element type, any strides; on the host or, with a
///          context on a CUDA device, there.
/// options  the options of the whole call. Method::exact, with the metrics euclidean and manhattan.
///          By chessboard distance the nearest site may be any site in its column, so a summary
///          would not be enough.
///
/// Time: O(cells) at most, because a column is read up to its first site; boolean sites are
/// read twice more. 8 bytes and two labels a column. On a CUDA device all cells are read once, and
/// it waits for the device. Contexts on OpenCL devices do slabs on the CPU.
/// Source: as in nearest_site(); docs/slabs.md explains why the faces are enough.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API SlabSummary summarise_slab(Context& context, View<const void> slab,
                                        const SlabPlace& place, const NearestSiteOptions& options);

/// Summary of two slabs, or groups of slabs, that lie side by side. It is associative, so that any
/// grouping gives the same. Throws Error{invalid_argument} for summaries of different rasters.
THIESSEN_API SlabSummary join_slabs(const SlabSummary& upper, const SlabSummary& lower);

/// The neighbours of all slabs of a raster. The slabs come from the first one to the last, lie side
/// by side and together are the raster.
///
/// Time and memory: O(columns · slabs).
/// Throws Error{invalid_argument}.
THIESSEN_API std::vector<SlabNeighbours> combine_slabs(std::span<const SlabSummary> summaries,
                                                       const Extents& raster,
                                                       const NearestSiteOptions& options);

/// Summaries, neighbours and faces as bytes, for files and for processes on machines with the same
/// order of bytes; the functions of C and Python take and give these.
THIESSEN_API std::vector<std::byte> slab_bytes(const SlabSummary& summary);
THIESSEN_API std::vector<std::byte> slab_bytes(const SlabNeighbours& neighbours);
THIESSEN_API std::vector<std::byte> slab_bytes(const SlabFace& face);

/// Throws Error{invalid_argument} for bytes that slab_bytes() did not give.
THIESSEN_API SlabSummary slab_summary(std::span<const std::byte> bytes);
THIESSEN_API SlabNeighbours slab_neighbours(std::span<const std::byte> bytes);
THIESSEN_API SlabFace slab_face(std::span<const std::byte> bytes);

/// Nearest site of every cell of a slab: what nearest_site() of the whole raster would write there,
/// bit for bit.
///
/// out, domain  as in nearest_site(), of the slab's extents, on the host or, with a context on a
///          CUDA device, there. Site indices, and the numbers of boolean sites, count in the whole
///          raster.
/// neighbours  by combine_slabs(), or by scans that give the same.
///
/// It supports only the metrics euclidean and manhattan and the method exact, without `strict`. It
/// gives no warnings, because a slab without a site is not suspicious. Time: O(cells). Scratch: 4
/// to 20 bytes a cell. On a CUDA device it takes the scratch of nearest_site() and, if
/// sites beyond the slab count, the outputs and the labels once more. It waits for the device, and
/// cannot be captured into a graph. With a max distance, neighbours farther away do not matter.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API void finish_slab(Context& context, View<const void> slab, const SlabPlace& place,
                              const NearestSiteOptions& options, const SlabNeighbours& neighbours,
                              const NearestSiteOutputs& out, View<const void> domain = {});

/// Voronoi diagram of points in the cells of a slab: what voronoi() of the whole grid would write
/// there, bit for bit. All points go to every slab, and nothing else is needed.
///
/// points   on the host, like the outputs. The points that can be nearest in the slab are found
///          first.
/// options  Method::exact; any metric by axes, any periodic axes. The slab that begins at 0 gives
///          the warnings of voronoi(), or with `strict` errors in their place.
///
/// Time: as voronoi() of a grid with the slab's extents, and O(points). A slower search is used if
/// the points that count are far away: if the rows between them and the slab are more than three
/// times the slab's rows.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API void voronoi_slab(Context& context, const PointList& points, const Grid& grid,
                               std::int64_t first, std::int64_t count,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out,
                               View<const void> domain = {});

/// The rows of a slab of the raster that random_sites() draws, with the labels that sites have in
/// the whole raster.
///
/// sites    as in random_sites(), of the slab
/// count, seed  of the whole raster
/// above    the number of sites in the rows above the slab; empty: they are counted
///
/// Returns the number of sites above the slab and in it, which is `above` of the next slab. Time
/// O(cells of the slab), and up to as many draws; O(count) where sites above are counted.
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API std::int64_t random_sites_slab(Context& context, View<void> sites,
                                            const SlabPlace& place, std::int64_t count,
                                            std::uint64_t seed,
                                            std::optional<std::int64_t> above = std::nullopt);

}  // namespace thiessen
