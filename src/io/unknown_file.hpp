// SPDX-License-Identifier: Apache-2.0
//
// What is not one of our own formats.
#pragma once

#include <filesystem>

#include "io/input_file.hpp"

namespace thiessen::io {

/// Whether a name is no file to be read but a folder, or a name that only GDAL may know.
bool is_for_gdal_alone(const std::filesystem::path& path);

/// Throws Error{io} that nobody reads such a file.
[[noreturn]] void fail_unknown(InputFile& file);

}  // namespace thiessen::io
