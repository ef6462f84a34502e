// SPDX-License-Identifier: Apache-2.0
#include "inputs/rasters/raster_input.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "io/raster/cell_values.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/quantity.hpp"
#include "io/raster/raster_rows.hpp"
#include "maps/scale/numbers.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

/// Whether a file is as large as its cells; its reader checks that.
bool is_plain(const std::string& format) {
  return format == "NPY" || format == "PBM" || format == "PGM" || format == "PPM";
}

void require_memory_for_raster(const std::string& path) {
  if (is_stream(path)) return;
  const io::RasterInfo info = io::inspect_raster(path);
  if (is_plain(info.format)) return require_memory_for_file(io::part_of(path).file, 1);
  // Three bands of colours may become one number.
  const bool coloured = info.bands == 3 && info.element_type == ElementType::u8;
  const std::size_t cell = coloured ? 4 : size_of(info.element_type);
  require_memory(info.grid.extents.count(), cell, path);
}

}  // namespace

void require_scaling(const std::string& path, const io::Scaling& scaling) {
  if (std::isfinite(scaling.scale) && std::isfinite(scaling.offset) && scaling.scale != 0) return;
  throw UsageError(path + ": has the scale " + maps::number_text(scaling.scale) +
                   " and the offset " + maps::number_text(scaling.offset) +
                   "; must be finite, and the scale not 0: gdal_edit.py -scale 1 -offset 0 takes "
                   "them away");
}

bool is_stream(const std::string& name) {
  std::error_code none;
  return as_usage_error([&] { return std::filesystem::is_other(io::part_of(name).file, none); });
}

io::SiteFileKind kind_of_input(const std::string& path) {
  return as_usage_error([&] { return io::kind_of(path); });
}

LabelValue parse_value(const std::string& flag, const std::string& text, ElementType type,
                       const std::string& whose) {
  const LabelValue value = parse_label(flag, text);
  if (io::can_hold(type, value)) return value;
  throw UsageError(flag + " " + text + ": must be a value of " + whose + " " +
                   std::string(name_of(type)));
}

std::optional<LabelValue> choose_nodata(const std::string& flag, const std::string& text,
                                        const std::optional<LabelValue>& of_file, ElementType type,
                                        const std::string& whose) {
  if (text == "none") return std::nullopt;
  return text.empty() ? io::if_held(type, of_file) : parse_value(flag, text, type, whose);
}

void choose_band(const std::string& band, io::ReadOptions& options) {
  options.colours = band == "rgb";
  if (band.empty() || options.colours) return;
  options.band = static_cast<int>(parse_integer("--band", band, 1, 1 << 30));
}

io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options) {
  return as_usage_error([&] {
    require_memory_for_raster(path);
    return io::read_raster(path, options);
  });
}

DescribedRaster describe_raster(const std::string& path, const std::string& band,
                                io::ReadOptions options) {
  constexpr double kMostCells = 0x1p60;
  choose_band(band, options);
  if (is_stream(path)) {
    io::RasterFile file = read_raster_file(path, options);
    return {io::head_of(file), std::move(file.raster)};
  }
  return as_usage_error([&]() -> DescribedRaster {
    const bool is_named = io::part_of(path).band.has_value();
    const io::RasterInfo info = io::inspect_raster(
        options.band && !is_named ? path + "|band=" + std::to_string(*options.band) : path);
    double cells = 1;
    for (int axis = 0; axis < info.grid.extents.rank(); ++axis)
      cells *= static_cast<double>(info.grid.extents[axis]);
    if (cells > kMostCells) io::open_rows(path, options);  // its reader says so
    return {.head = {.type = band == "rgb" ? ElementType::u32 : info.element_type,
                     .grid = info.grid,
                     .nodata = info.nodata,
                     .voxels = info.voxels,
                     .scaling = info.scaling}};
  });
}

Raster as_quantities(const std::string& path, Raster stored, const io::Scaling& scaling,
                     const std::optional<LabelValue>& nodata) {
  if (!scaling) return stored;
  require_scaling(path, scaling);
  require_memory(stored.extents().count(), sizeof(double), path);
  return io::quantities(stored, scaling, nodata);
}

io::RasterFile read_quantities(const std::string& path, const io::ReadOptions& options) {
  io::RasterFile file = read_raster_file(path, options);
  if (!file.scaling) return file;
  file.raster = as_quantities(path, std::move(file.raster), file.scaling, file.nodata);
  file.nodata = std::numeric_limits<double>::quiet_NaN();
  file.scaling = {};
  return file;
}

}  // namespace thiessen::cli
