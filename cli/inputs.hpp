// SPDX-License-Identifier: Apache-2.0
//
// Files that a command reads.
#pragma once

#include <string>

#include "arguments.hpp"
#include "io/raster_file.hpp"

namespace thiessen::cli {

/// A file name, and not by oversight the next flag or nothing: what is wrong with it, or nothing.
std::string check_file_name(const std::string& name);

/// What went wrong with an input file or an output's name is the user's to mend: exit code 2.
template <class Call>
auto as_usage(const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw UsageError(error.what());
    throw;
  }
}

/// Reads a raster, if there is memory for it.
io::RasterFile read_raster_file(const std::string& path);

}  // namespace thiessen::cli
