// SPDX-License-Identifier: Apache-2.0
//
// Files that are not in one of our own formats.
#pragma once

#include <filesystem>

#include "io/files/input_file.hpp"

namespace thiessen::io {

/// Whether a name is not a file to be read, but a folder or a name that only GDAL may know.
bool is_for_gdal_alone(const std::filesystem::path& path);

/// Throws Error{io}: no reader knows such a file.
[[noreturn]] void fail_unknown(InputFile& file);

}  // namespace thiessen::io
