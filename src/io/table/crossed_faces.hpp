// SPDX-License-Identifier: Apache-2.0
//
// The faces between cells that lines cross.
#pragma once

#include <cstdint>

#include "thiessen/polygons.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Blocks the faces between cells whose centres lie on different sides of a line, as
/// CostDistanceOptions::blocked_faces has them.
///
/// lines  rings and points as VectorFile::lines() has them; their coordinates are rounded to 2^-16
///        of a cell
/// faces  2-D; bits are added to it
///
/// Returns false and does nothing if a line leads more than 2^30 cells away. Time O(length of the
/// lines in cells).
bool block_crossed_faces(const Polygons& lines, View<std::uint8_t> faces);

}  // namespace thiessen::io
