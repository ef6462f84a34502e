// SPDX-License-Identifier: Apache-2.0
//
// Connected components of a raster in slabs, with the numbers of one call.
//
//     for each slab:  summaries[i] = summarise_components(context, image, options, labels)
//     numbers = combine_components(summaries, raster, options)
//     for each slab:  number_components(numbers[i], labels)
//
// Labels hold numbers within the slab at first, and then numbers within the raster. They need not
// be kept between: summarise_components() gives the same again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "thiessen/components.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The first or the last row or plane of a slab, cell by cell in C order; empty if it has no rows.
struct ComponentsFace {
  std::vector<std::int64_t> numbers;  ///< within the slab; 0: of no component
  std::vector<std::byte> values;      ///< of the image

  bool operator==(const ComponentsFace&) const = default;
};

/// The summary of the components of a slab, for the other slabs.
struct ComponentsSummary {
  ElementType type = ElementType::u8;  ///< of the image
  ComponentsFace first = {};
  ComponentsFace last = {};
  std::int64_t count = 0;  ///< of components within the slab

  bool operator==(const ComponentsSummary&) const = default;
};

/// The numbers that the components of a slab have in the raster.
struct ComponentNumbers {
  std::int64_t before = 0;  ///< number of components that begin in slabs above
  std::int64_t count = 0;   ///< of components within the slab
  std::int64_t all = 0;     ///< of components of the raster
  /// Components that begin in a slab above, or in an area of this slab with a smaller number;
  /// ascending. All other components of the slab are numbered in turn, from before + 1 on.
  struct Joined {
    std::int64_t in_slab = 0;
    std::int64_t in_raster = 0;
    bool operator==(const Joined&) const = default;
  };
  std::vector<Joined> joined = {};

  bool operator==(const ComponentNumbers&) const = default;
};

/// Numbers the components of a slab, as connected_components() does, and summarises them for the
/// other slabs.
///
/// image, labels, options  as in connected_components(), of the slab; it may have no rows. Labels
///          are best of the type that the whole raster needs.
///
/// Time: as connected_components(). Memory: 16 bytes and two values for each cell of a face. Throws
/// Error: invalid_argument, out_of_memory, cancelled.
THIESSEN_API ComponentsSummary summarise_components(Context& context, View<const void> image,
                                                    const ComponentsOptions& options,
                                                    View<void> labels);

/// The numbers of the components of all slabs of a raster: 1, 2, … in the order of their first
/// cells. The slabs come from the first one to the last, lie side by side and together are the
/// raster.
///
/// raster   its extents, (y, x) or (z, y, x)
/// options  as they were given to summarise_components()
///
/// Memory: O(cells of all faces). Time: almost linear, by union-find over the components on
/// faces.
/// Throws Error{invalid_argument} for summaries of another raster.
THIESSEN_API std::vector<ComponentNumbers> combine_components(
    std::span<const ComponentsSummary> summaries, const Extents& raster,
    const ComponentsOptions& options);

/// Turns numbers within a slab into numbers of the raster; 0 and -1 stay.
///
/// labels   i32 or i64, of any extents and strides: the labels of summarise_components(), or some
///          of them
///
/// Throws Error{invalid_argument} for a number that the slab does not have, or for a number of the
/// raster that the labels cannot hold. Some labels are then changed.
THIESSEN_API void number_components(const ComponentNumbers& numbers, View<void> labels);

/// As bytes, for files and for processes on machines with the same order of bytes.
THIESSEN_API std::vector<std::byte> slab_bytes(const ComponentsSummary& summary);
THIESSEN_API std::vector<std::byte> slab_bytes(const ComponentNumbers& numbers);

/// Throws Error{invalid_argument} for bytes that slab_bytes() did not give.
THIESSEN_API ComponentsSummary components_summary(std::span<const std::byte> bytes);
THIESSEN_API ComponentNumbers component_numbers(std::span<const std::byte> bytes);

}  // namespace thiessen
