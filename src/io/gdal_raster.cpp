// SPDX-License-Identifier: Apache-2.0
//
// Reads rasters by GDAL, a window of whole blocks after the other, straight into the cells.
#include <cpl_vsi.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>

#include "io/gdal.hpp"
#include "io/gdal_session.hpp"
#include "io/gdal_source.hpp"
#include "io/gdal_voxels.hpp"
#include "io/io_error.hpp"
#include "io/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr int kColourBands = 3;
constexpr std::int64_t kWindowBytes = std::int64_t{16} << 20;  // between two calls of progress

/// The cells along one axis of `extent` cells of as many whole blocks as fit `bytes`, at least one.
std::int64_t whole_blocks(std::int64_t bytes, std::int64_t bytes_per_cell, std::int64_t block,
                          std::int64_t extent) {
  const std::int64_t blocks = bytes / (bytes_per_cell * block);
  return std::min(std::max<std::int64_t>(blocks, 1) * block, extent);
}

class GdalReader {
 public:
  GdalReader(const std::filesystem::path& path, const ReadOptions& options)
      : path_(path), options_(options), session_(options.threads) {}

  std::optional<RasterFile> read() {
    std::optional<GdalSource> source = open_source(session_, path_);
    if (!source) return std::nullopt;
    session_.check(CE_None, path_, "cannot be opened");
    GDALDatasetH first = source->first_page.get();
    GDALRasterBandH band = checked_band(first);
    type_ = element_type_of(path_, band);
    nodata_ = nodata_of(band, type_);
    Grid grid = grid_of(path_, first, source->pages());
    const std::optional<VoxelSize> voxels = take_voxel_size(first, grid);
    pages_ = source->pages();
    RasterFile file{Raster(type_, grid), nodata_, voxels};
    const auto page_bytes = file.raster.size_bytes() / static_cast<std::size_t>(pages_);
    read_page(band, file.raster.bytes());
    source->first_page.reset();
    for (const std::string& name : source->further_pages) {
      ++page_;
      read_further(name, grid.extents,
                   file.raster.bytes() + static_cast<std::size_t>(page_) * page_bytes);
    }
    return file;
  }

 private:
  std::string page_text() const {
    return pages_ > 1 ? "page " + std::to_string(page_ + 1) + " " : "";
  }

  GDALRasterBandH checked_band(GDALDatasetH page) const {
    const int bands = GDALGetRasterCount(page);
    const std::string count = std::to_string(bands) + (bands == 1 ? " band" : " bands");
    if (!options_.band && bands > 1) {
      const bool coloured = bands == kColourBands &&
                            element_type_of(path_, GDALGetRasterBand(page, 1)) == ElementType::u8;
      fail(path_, "has " + count + "; choose one with --band" +
                      (coloured ? ", or all as one number 0xRRGGBB with --band rgb" : ""));
    }
    const int number = options_.band.value_or(1);
    if (number < 1 || number > bands) {
      fail(path_, "has " + count + ", and no band " + std::to_string(number));
    }
    GDALRasterBandH band = GDALGetRasterBand(page, number);
    const int mask = GDALGetMaskFlags(band);
    if (mask != GMF_ALL_VALID && mask != GMF_NODATA) {
      fail(path_,
           "has a mask or alpha band; only a nodata value takes cells out of the domain: "
           "gdalwarp -dstnodata VALUE makes one of it");
    }
    return band;
  }

  void read_further(const std::string& name, const Extents& extents, std::byte* cells) const {
    const Dataset page = open_dataset(session_, name, GDAL_OF_RASTER);
    if (!page) session_.fail(path_, page_text() + "cannot be opened");
    GDALRasterBandH band = checked_band(page.get());
    const Extents size{GDALGetRasterYSize(page.get()), GDALGetRasterXSize(page.get())};
    const ElementType type = element_type_of(path_, band);
    if (size != Extents{extents[1], extents[2]} || type != type_) {
      fail(path_, page_text() + "has " + text_of(size) + " cells of " + std::string(name_of(type)) +
                      ", the first " + text_of({extents[1], extents[2]}) + " of " +
                      std::string(name_of(type_)) + "; name one page as GTIFF_DIR:<number>:<file>");
    }
    read_page(band, cells);
  }

  /// Throws for a TIFF that ends inside one of its blocks. A block that was never written is not in
  /// the file; GDAL reads nodata there, or 0.
  void check_blocks_are_there(GDALRasterBandH band) const {
    VSIStatBufL file;
    if (!is_tiff(GDALGetBandDataset(band)) || VSIStatL(path_.c_str(), &file) != 0) return;
    const auto bytes = static_cast<std::uint64_t>(file.st_size);
    int block_x = 1;
    int block_y = 1;
    GDALGetBlockSize(band, &block_x, &block_y);
    for (int y = 0; y * std::int64_t{block_y} < GDALGetRasterBandYSize(band); ++y) {
      for (int x = 0; x * std::int64_t{block_x} < GDALGetRasterBandXSize(band); ++x) {
        const std::string block = std::to_string(x) + "_" + std::to_string(y);
        const std::uint64_t begin = number_of(band, "BLOCK_OFFSET_" + block);
        const std::uint64_t size = number_of(band, "BLOCK_SIZE_" + block);
        if (begin <= bytes && size <= bytes - begin) continue;
        fail(path_, page_text() + "is a TIFF that ends too early: it has " + std::to_string(bytes) +
                        " bytes, and its block at row " +
                        std::to_string(y * std::int64_t{block_y}) + ", column " +
                        std::to_string(x * std::int64_t{block_x}) + " lies at byte " +
                        std::to_string(begin) + " and has " + std::to_string(size));
      }
    }
  }

  /// A number that GDAL gives for a block of a TIFF, or 0.
  static std::uint64_t number_of(GDALRasterBandH band, const std::string& item) {
    const char* const text = GDALGetMetadataItem(band, item.c_str(), "TIFF");
    std::uint64_t value = 0;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
    return value;
  }

  /// Reads straight into the raster, one window of whole blocks after the other.
  void read_page(GDALRasterBandH band, std::byte* cells) const {
    int block_x = 1;
    int block_y = 1;
    GDALGetBlockSize(band, &block_x, &block_y);
    const auto cell = static_cast<std::int64_t>(size_of(type_));
    const std::int64_t width = GDALGetRasterBandXSize(band);
    const std::int64_t height = GDALGetRasterBandYSize(band);
    const std::int64_t columns = whole_blocks(kWindowBytes, cell * block_y, block_x, width);
    const std::int64_t rows = whole_blocks(kWindowBytes, cell * columns, block_y, height);
    for (std::int64_t y = 0; y < height; y += rows) {
      const std::int64_t some_rows = std::min(rows, height - y);
      for (std::int64_t x = 0; x < width; x += columns) {
        const std::int64_t some = std::min(columns, width - x);
        report(static_cast<double>(y * width + x * some_rows) /
               static_cast<double>(height * width));
        read_window(band, {x, y, some, some_rows}, cells + (y * width + x) * cell, width * cell);
      }
    }
    report(1);
  }

  struct Window {
    std::int64_t x, y, width, height;
  };

  void read_window(GDALRasterBandH band, const Window& window, std::byte* cells,
                   std::int64_t row_bytes) const {
    const auto width = static_cast<int>(window.width);
    const auto height = static_cast<int>(window.height);
    const CPLErr result =
        GDALRasterIOEx(band, GF_Read, static_cast<int>(window.x), static_cast<int>(window.y), width,
                       height, cells, width, height, GDALGetRasterDataType(band),
                       static_cast<GSpacing>(size_of(type_)), row_bytes, nullptr);
    if (result >= CE_Failure || session_.failed()) check_blocks_are_there(band);
    session_.check(result, path_, page_text() + "cannot be read");
  }

  void report(double fraction_of_page) const {
    if (!options_.progress) return;
    options_.progress((static_cast<double>(page_) + fraction_of_page) /
                      static_cast<double>(pages_));
  }

  const std::filesystem::path& path_;
  const ReadOptions& options_;
  GdalSession session_;
  ElementType type_ = ElementType::u8;
  std::optional<LabelValue> nodata_;
  std::int64_t pages_ = 1;
  std::int64_t page_ = 0;
};

/// Whether a file has three bands of u8, which may be colours.
bool is_coloured(const std::filesystem::path& path) {
  const std::optional<RasterInfo> info = inspect_gdal_raster(path);
  return info && info->bands == kColourBands && info->element_type == ElementType::u8;
}

/// Reads three bands as one number; a cell is nodata if all three have the nodata value.
RasterFile read_colours(const std::filesystem::path& path, ReadOptions options) {
  constexpr std::int64_t kAllBands = 0x010101;
  RasterFile colours;
  const std::function<void(double)> progress = options.progress;
  for (int band = 1; band <= kColourBands; ++band) {
    options.band = band;
    if (progress) {
      options.progress = [&](double fraction) { progress((band - 1 + fraction) / kColourBands); };
    }
    std::optional<RasterFile> plane = read_gdal_raster(path, options);
    if (!plane) fail(path, "changes while it is read");
    if (band == 1) {
      colours = {Raster(ElementType::u32, plane->raster.grid()), plane->nodata, plane->voxels};
      std::fill_n(colours.raster.bytes(), colours.raster.size_bytes(), std::byte{0});
    }
    auto* const to = reinterpret_cast<std::uint32_t*>(colours.raster.bytes());
    for (std::size_t i = 0; i < plane->raster.size_bytes(); ++i) {
      to[i] = to[i] << 8 | std::to_integer<std::uint32_t>(plane->raster.bytes()[i]);
    }
  }
  if (colours.nodata) colours.nodata = std::get<std::int64_t>(*colours.nodata) * kAllBands;
  return colours;
}

}  // namespace

std::optional<RasterFile> read_gdal_raster(const std::filesystem::path& path,
                                           const ReadOptions& options) {
  if (options.colours && !options.band && is_coloured(path)) return read_colours(path, options);
  return GdalReader(path, options).read();
}

}  // namespace thiessen::io
