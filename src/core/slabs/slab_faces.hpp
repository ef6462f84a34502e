// SPDX-License-Identifier: Apache-2.0
//
// What can be done with the faces of slabs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "thiessen/slabs/slabs.hpp"

namespace thiessen {

/// The type of the numbers that boolean sites have in a face.
inline constexpr ElementType kSlabNumber = ElementType::i64;

/// Bytes of a label in a face of sites of this type.
std::size_t label_bytes(ElementType sites);

/// Throws Error{invalid_argument} unless a face is of the raster of another one.
void check_face(const SlabFace& face, const SlabFace& like);

/// A face with room for the same columns as another one, but no cells.
SlabFace without_cells(const SlabFace& like);

/// For each column the cell of `near` or, where it has none, that of `far`. Numbers stay.
SlabFace nearest_face(SlabFace near, const SlabFace& far);

/// The images of a face, `by` rows away.
SlabFace moved(SlabFace face, std::int64_t by);

/// Adds to the numbers of boolean sites.
void add_to_numbers(SlabFace& face, std::int64_t before);

}  // namespace thiessen
