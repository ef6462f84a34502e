// SPDX-License-Identifier: Apache-2.0
//
// World files: where a picture lies, in six lines of text beside it.
#pragma once

#include <filesystem>
#include <string>

#include "maps/drawing/drawing.hpp"
#include "thiessen/grid.hpp"

namespace thiessen::maps {

/// The name of that of a picture: with the suffix .pgw for .png, .tfw for .tif, .wld else.
std::filesystem::path world_file_of(std::filesystem::path picture);

/// The text of a world file. The pixels of its picture have this georeference, and the first one
/// has its corner at `corner`.
std::string world_text(const Georeference& georeference, const Point& corner);

}  // namespace thiessen::maps
