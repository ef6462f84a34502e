// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "io/raster/inspect.hpp"
#include "io/raster/raster_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/site_file.hpp"

namespace thiessen::cli {

/// "--band": a number, or rgb.
void choose_band(const std::string& band, io::ReadOptions& options);

/// Whether an input is a pipe or device, whose header can be read only once.
bool is_stream(const std::string& name);

/// The kind of a file of sites. Throws UsageError.
io::SiteFileKind kind_of_input(const std::string& path);

/// The value that a flag gives, of this type: "the labels' type". Throws UsageError.
LabelValue parse_value(const std::string& flag, const std::string& text, ElementType type,
                       const std::string& whose);

/// The nodata value that a flag gives ("none": no value) or else a file, if cells of this type can
/// hold that. Throws UsageError.
std::optional<LabelValue> choose_nodata(const std::string& flag, const std::string& text,
                                        const std::optional<LabelValue>& of_file, ElementType type,
                                        const std::string& whose);

/// Reads a raster, if there is memory for it.
io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options = {});

/// The header of a raster and, of a pipe, its cells, as it can be read only once.
struct DescribedRaster {
  io::RasterHead head = {};
  Raster cells = {};
};

/// Describes a raster. `band` is --band: it describes that band, else the first one.
DescribedRaster describe_raster(const std::string& path, const std::string& band,
                                io::ReadOptions options);

/// Throws UsageError for scale and offset of a file that make no numbers.
void require_scaling(const std::string& path, const io::Scaling& scaling);

/// The cells of a file as quantities: f64 if the file has scale and offset, with NaN where they
/// hold `nodata`, else as they are stored. Throws UsageError as
/// require_scaling() does.
Raster as_quantities(const std::string& path, Raster stored, const io::Scaling& scaling,
                     const std::optional<LabelValue>& nodata);

/// Reads a raster of quantities, with the nodata value of what it then holds.
io::RasterFile read_quantities(const std::string& path, const io::ReadOptions& options = {});

}  // namespace thiessen::cli
