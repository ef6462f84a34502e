// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

#include "io/gdal.hpp"
#include "io/gdal_session.hpp"
#include "io/gdal_source.hpp"
#include "io/io_error.hpp"
#include "io/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kWindowBytes = std::int64_t{16} << 20;  // between two calls of progress

/// So many whole blocks as fit into `bytes`, at least one: cells along one axis of `extent` cells.
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
    const Grid grid = grid_of(path_, first, source->pages());
    pages_ = source->pages();
    RasterFile file{Raster(type_, grid), nodata_};
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
      fail(path_, "has " + count + "; choose one with --band");
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

  /// A block that was never written is nodata, or else not there.
  void check_blocks(GDALRasterBandH band) const {
    if (nodata_ || !is_tiff(GDALGetBandDataset(band))) return;
    const int status = GDALGetDataCoverageStatus(band, 0, 0, GDALGetRasterBandXSize(band),
                                                 GDALGetRasterBandYSize(band),
                                                 GDAL_DATA_COVERAGE_STATUS_EMPTY, nullptr);
    if ((status & GDAL_DATA_COVERAGE_STATUS_EMPTY) == 0) return;
    fail(path_,
         "lacks blocks of cells that were never written, and has no nodata value that they could "
         "stand for; gdal_translate fills them with zeros");
  }

  /// Straight into the raster, a window of whole blocks after the other.
  void read_page(GDALRasterBandH band, std::byte* cells) const {
    check_blocks(band);
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

}  // namespace

std::optional<RasterFile> read_gdal_raster(const std::filesystem::path& path,
                                           const ReadOptions& options) {
  return GdalReader(path, options).read();
}

}  // namespace thiessen::io
