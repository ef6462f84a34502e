// SPDX-License-Identifier: Apache-2.0
//
// Names of inputs that speak of a part of a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/raster/raster_file.hpp"

namespace thiessen::io {

/// A file, and the part of it that a name speaks of.
struct FilePart {
  std::filesystem::path file;
  std::string layer = {};  ///< of a vector file; empty: none is named
  std::optional<int> band = std::nullopt;
};

/// Takes FILE|layer=NAME (as QGIS writes it: FILE|layername=NAME) and FILE|band=N apart. What
/// exists under the whole name is that file. Throws Error{io} for another key behind a file that
/// exists, for a part that is named twice, and for a band that is no number from 1 on.
FilePart part_of(const std::filesystem::path& name);

/// Throws Error{io} if the name speaks of a layer or a band, which `kind` ("a table of text") does
/// not have.
void refuse_layer(const FilePart& part, const std::string& kind);
void refuse_band(const FilePart& part, const std::string& kind);

/// Throws Error{io}: there are but `bands`.
[[noreturn]] void refuse_missing_band(const std::filesystem::path& file, int bands, int band);

/// The options with the band of the name. Throws Error{io} if the name speaks of a layer, or of
/// another band than the options.
ReadOptions reading_of(const FilePart& part, ReadOptions options);

}  // namespace thiessen::io
