// SPDX-License-Identifier: Apache-2.0
#include "raster_input.hpp"

#include <filesystem>

#include "arguments.hpp"
#include "io/file_part.hpp"
#include "io/inspect.hpp"
#include "memory.hpp"

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

bool is_stream(const std::string& name) {
  std::error_code none;
  return as_usage([&] { return std::filesystem::is_other(io::part_of(name).file, none); });
}

void choose_band(const std::string& band, io::ReadOptions& options) {
  options.colours = band == "rgb";
  if (band.empty() || options.colours) return;
  options.band = static_cast<int>(parse_integer("--band", band, 1, 1 << 30));
}

io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options) {
  return as_usage([&] {
    require_memory_for_raster(path);
    return io::read_raster(path, options);
  });
}

}  // namespace thiessen::cli
