// SPDX-License-Identifier: Apache-2.0
//
// Rasters of sites: int32, with the site cells numbered from 1 on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "thiessen/thiessen.hpp"

namespace thiessen::ablation {

using Sites = std::shared_ptr<Raster>;

/// Random cells.
Sites make_dots(const Extents& extents, std::int64_t count);

/// "lines", "circle", "blobs", "checkerboard" as in bench/cases.py; and what is hard for a method:
/// "one site" in a corner, "half plane", "diagonal", "every other cell", "dense corner".
Sites make_scene(const Extents& extents, const std::string& name);

/// A map: a single corridor of so many rows that turns at both sides, between walls of a row. A
/// cell has 1, one of a wall `wall`.
Array<float> make_corridor(const Extents& extents, std::int64_t width, float wall);

/// The mask of a file of bits; `times` as many cells along each axis: mirror images of it.
Sites read_shape(const std::filesystem::path& file, std::int64_t times);

/// The extents of such a file.
Extents extents_of_shape(const std::filesystem::path& file);

}  // namespace thiessen::ablation
