// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/raster/geotiff_options.hpp"

#include <cpl_conv.h>
#include <gdal_version.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "io/files/creation_option.hpp"

namespace thiessen::io {
namespace {

// Above this a TIFF that compresses badly could pass the 4 GB of its 32-bit offsets.
constexpr std::int64_t kMostClassicBytes = std::int64_t{2} << 30;
// For the labels and distances of 3000 random sites the files are 18 % and 2 % larger than at the
// default level with predictors, and take a sixth of the time.
constexpr const char* kCompressionLevel = "1";
constexpr std::array<std::string_view, 10> kStorageOptions = {
    "COMPRESS",   "PREDICTOR",  "ZLEVEL",  "ZSTD_LEVEL", "LZMA_PRESET",
    "BLOCKXSIZE", "BLOCKYSIZE", "BIGTIFF", "TILED",      "NUM_THREADS"};
constexpr std::array<std::string_view, 3> kBlockOptions = {"BLOCKXSIZE", "BLOCKYSIZE", "TILED"};
constexpr std::array<std::string_view, 6> kLossless = {"NONE", "LZW",  "PACKBITS",
                                                       "LZMA", "ZSTD", "DEFLATE"};

// Sides of tiles are multiples of 16 cells.
constexpr std::int64_t kTileStep = 16;
constexpr std::int64_t kTileSide = 256;
constexpr std::int64_t kTileCells = kTileSide * kTileSide;
// With fewer rows more than half of every tile would be padding.
constexpr std::int64_t kFewestTileRows = kTileStep / 2;
constexpr std::int64_t kMostStripBytes = std::int64_t{1} << 30;

bool equal_names(std::string_view a, std::string_view b) {
  return EQUAL(std::string(a).c_str(), std::string(b).c_str());
}

template <std::size_t Count>
bool is_among(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::any_of(words.begin(), words.end(),
                     [word](std::string_view other) { return equal_names(word, other); });
}

template <std::size_t Count>
std::string list_of(const std::array<std::string_view, Count>& words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

std::string name_of_option(const std::string& option) { return option.substr(0, option.find('=')); }

/// The cells of a block; a strip has the columns of the raster.
struct Blocks {
  bool tiled = true;
  std::int64_t rows = kTileSide, columns = kTileSide;
};

/// Blocks of about kTileCells cells with little padding: tiles, which are flat in a thin raster, or
/// strips of whole rows, which have no padding at all.
Blocks blocks_of(std::int64_t height, std::int64_t width, std::int64_t cell_bytes) {
  const bool few_rows = height < kFewestTileRows && width * cell_bytes <= kMostStripBytes;
  if (width < kTileSide || few_rows) {
    return {.tiled = false, .rows = std::clamp<std::int64_t>(kTileCells / width, 1, height)};
  }
  if (height >= kTileSide) return {};
  const std::int64_t rows = (height + kTileStep - 1) / kTileStep * kTileStep;
  const std::int64_t whole = (width + kTileStep - 1) / kTileStep * kTileStep;
  return {.rows = rows, .columns = std::min(kTileCells / rows / kTileStep * kTileStep, whole)};
}

}  // namespace

GeotiffOptions::GeotiffOptions(const std::filesystem::path& path, ElementType type,
                               const Planes& planes, const WriteOptions& options) {
  const std::int64_t cells = planes.pages * planes.bands * planes.height * planes.width;
  const bool big = cells * static_cast<std::int64_t>(size_of(type)) > kMostClassicBytes;
  set("BIGTIFF", big ? "YES" : "NO");
  set("TILED", "YES");
  set("COMPRESS", "DEFLATE");
  set("ZLEVEL", kCompressionLevel);
  set("INTERLEAVE", "BAND");
  set("PHOTOMETRIC", planes.is_picture ? "RGB" : "MINISBLACK");
  set("ALPHA", planes.is_picture && planes.bands == 4 ? "NON-PREMULTIPLIED" : "NO");
  if (type == ElementType::boolean) set("NBITS", "1");
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
  if (type == ElementType::i8) set("PIXELTYPE", "SIGNEDBYTE");
#endif
  const std::vector<std::string>& given = options.creation_options;
  const bool chosen = std::any_of(given.begin(), given.end(), [](const std::string& option) {
    return is_among(name_of_option(option), kBlockOptions);
  });
  if (!chosen) set_blocks(type, planes);
  for (const std::string& option : given) add(path, option);
}

void GeotiffOptions::set(const std::string& name, const std::string& value) {
  list_.SetNameValue(name.c_str(), value.c_str());
}

void GeotiffOptions::set_blocks(ElementType type, const Planes& planes) {
  const Blocks blocks =
      blocks_of(planes.height, planes.width, static_cast<std::int64_t>(size_of(type)));
  set("TILED", blocks.tiled ? "YES" : "NO");
  set("BLOCKYSIZE", std::to_string(blocks.rows));
  if (blocks.tiled) set("BLOCKXSIZE", std::to_string(blocks.columns));
}

void GeotiffOptions::add(const std::filesystem::path& path, const std::string& option) {
  const auto [name, value] = parse_option(path, option);
  if (!is_among(name, kStorageOptions)) {
    refuse_option(path, option, "the options of storage are " + list_of(kStorageOptions));
  }
  if (equal_names(name, "COMPRESS") && !is_among(value, kLossless)) {
    refuse_option(path, option, "what loses nothing is " + list_of(kLossless));
  }
  set(name, value);
}

}  // namespace thiessen::io
