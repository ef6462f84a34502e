// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace thiessen::io {

/// The files that are read for an input, itself first: those that GDAL lists for it, and for a
/// virtual raster (VRT) also the files of its sources, at any depth. For a pipe or device, and for
/// a file that cannot be opened, only the path. FILE|layer=NAME has those of FILE. Cost: that of
/// opening the file. Throws Error{io} like part_of().
std::vector<std::filesystem::path> files_of_input(const std::filesystem::path& name);

}  // namespace thiessen::io
