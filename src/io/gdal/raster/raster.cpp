// SPDX-License-Identifier: Apache-2.0
//
// Reads rows of rasters by GDAL, a window of whole blocks after the other, straight into the cells.
#include <cpl_vsi.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/raster/voxels.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/gdal.hpp"
#include "io/raster/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr int kBandsOfColour = 3;
constexpr std::int64_t kWindowBytes = std::int64_t{16} << 20;  // between two calls of progress

/// The cells along one axis of `extent` cells of as many whole blocks as fit `bytes`, at least one.
std::int64_t whole_blocks(std::int64_t bytes, std::int64_t bytes_per_cell, std::int64_t block,
                          std::int64_t extent) {
  const std::int64_t blocks = bytes / (bytes_per_cell * block);
  return std::min(std::max<std::int64_t>(blocks, 1) * block, extent);
}

/// The pages of a file, each of which is read some rows at a time.
class GdalRows : public RowReader {
 public:
  GdalRows(std::filesystem::path path, ReadOptions options)
      : path_(std::move(path)), options_(std::move(options)), session_(options_.threads) {}

  /// False if no driver knows the file.
  bool open() {
    std::optional<GdalSource> source = open_source(session_, path_);
    if (!source) return false;
    session_.check(true, path_, "cannot be opened");
    source_ = *std::move(source);
    band_ = checked_band(source_.first());
    head_.type = element_type_of(path_, band_);
    head_.nodata = nodata_of(source_, band_, head_.type);
    head_.scaling = scaling_of(band_);
    head_.unit = GDALGetRasterUnitType(band_);
    head_.grid = grid_of(path_, source_);
    if (!source_.zarr) head_.voxels = read_voxel_size(source_.first(), head_.grid);
    page_ = std::move(source_.first_page);
    return true;
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    if (source_.zarr) return read_chunks(first, count, cells);
    if (pages() == 1) return read_rows(first, count, cells);
    const Extents& extents = head_.grid.extents;
    const std::int64_t page_bytes = extents[1] * extents[2] * cell_bytes();
    for (std::int64_t page = first; page < first + count; ++page) {
      turn_to(page);
      read_rows(0, extents[1], cells + (page - first) * page_bytes);
    }
  }

 private:
  std::int64_t pages() const { return source_.pages(); }
  std::int64_t cell_bytes() const { return static_cast<std::int64_t>(size_of(head_.type)); }

  std::string page_text() const {
    return pages() > 1 ? "page " + std::to_string(number_ + 1) + " " : "";
  }

  GDALRasterBandH checked_band(GDALDatasetH page) const {
    const int bands = GDALGetRasterCount(page);
    if (!options_.band && bands > 1) {
      const bool coloured = bands == kBandsOfColour &&
                            element_type_of(path_, GDALGetRasterBand(page, 1)) == ElementType::u8;
      fail(path_, "has " + std::to_string(bands) + " bands; choose one with FILE|band=N" +
                      (coloured ? ", or as sites all as one number 0xRRGGBB with --band rgb" : ""));
    }
    const int number = options_.band.value_or(1);
    if (number < 1 || number > bands) refuse_missing_band(path_, bands, number);
    GDALRasterBandH band = GDALGetRasterBand(page, number);
    const int mask = GDALGetMaskFlags(band);
    if (mask != GMF_ALL_VALID && mask != GMF_NODATA) {
      fail(path_,
           "has a mask or alpha band; only a nodata value takes cells out of the domain: "
           "gdalwarp -dstnodata VALUE makes one of it");
    }
    return band;
  }

  /// Opens a page, if it is not the open one.
  void turn_to(std::int64_t page) {
    if (page == number_) return;
    number_ = page;
    const std::string name =
        page == 0 ? path_.string() : source_.further_pages[static_cast<std::size_t>(page - 1)];
    page_ = open_dataset(session_, name, GDAL_OF_RASTER);
    if (!page_) session_.fail(path_, page_text() + "cannot be opened");
    band_ = checked_band(page_.get());
    const Extents& extents = head_.grid.extents;
    const Extents size{GDALGetRasterYSize(page_.get()), GDALGetRasterXSize(page_.get())};
    const ElementType type = element_type_of(path_, band_);
    if (const Scaling own = scaling_of(band_); own && own != head_.scaling)
      fail(path_, page_text() +
                      "has another scale or offset than the first; name one page as "
                      "GTIFF_DIR:<number>:<file>");
    if (size == Extents{extents[1], extents[2]} && type == head_.type) return;
    fail(path_, page_text() + "has " + text_of(size) + " cells of " + std::string(name_of(type)) +
                    ", the first " + text_of({extents[1], extents[2]}) + " of " +
                    std::string(name_of(head_.type)) +
                    "; name one page as GTIFF_DIR:<number>:<file>");
  }

  /// Throws for a TIFF that ends inside one of its blocks. A block that was never written is not in
  /// the file; GDAL reads nodata there, or 0.
  void check_blocks_are_there() const {
    VSIStatBufL file;
    if (!is_tiff(GDALGetBandDataset(band_)) || VSIStatL(path_.c_str(), &file) != 0) return;
    const auto bytes = static_cast<std::uint64_t>(file.st_size);
    const Extents block = block_of(band_);
    for (std::int64_t y = 0; y * block[0] < GDALGetRasterBandYSize(band_); ++y) {
      for (std::int64_t x = 0; x * block[1] < GDALGetRasterBandXSize(band_); ++x) {
        const std::string name = std::to_string(x) + "_" + std::to_string(y);
        const std::uint64_t begin = number_of(band_, "BLOCK_OFFSET_" + name);
        const std::uint64_t size = number_of(band_, "BLOCK_SIZE_" + name);
        if (begin <= bytes && size <= bytes - begin) continue;
        fail(path_, page_text() + "is a TIFF that ends too early: it has " + std::to_string(bytes) +
                        " bytes, and its block at row " + std::to_string(y * block[0]) +
                        ", column " + std::to_string(x * block[1]) + " lies at byte " +
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

  /// Reads rows of the open page, one window of whole blocks after the other.
  void read_rows(std::int64_t first, std::int64_t count, std::byte* cells) const {
    const Extents block = block_of(band_);
    const std::int64_t width = GDALGetRasterBandXSize(band_);
    const std::int64_t columns =
        whole_blocks(kWindowBytes, cell_bytes() * block[0], block[1], width);
    const std::int64_t rows = whole_blocks(kWindowBytes, cell_bytes() * columns, block[0], count);
    for (std::int64_t y = 0; y < count; y += rows) {
      const std::int64_t some_rows = std::min(rows, count - y);
      for (std::int64_t x = 0; x < width; x += columns) {
        const std::int64_t some = std::min(columns, width - x);
        report(first + y, static_cast<double>(x * some_rows) / static_cast<double>(width));
        read_window({x, first + y, some, some_rows}, cells + (y * width + x) * cell_bytes(),
                    width * cell_bytes());
      }
    }
    report(first + count, 0);
  }

  /// Reads rows or planes of an array of Zarr, some rows of chunks after the other.
  void read_chunks(std::int64_t first, std::int64_t count, std::byte* cells) const {
    GDALMDArrayH array = source_.zarr->array.get();
    const Extents& extents = source_.zarr->extents;
    const std::int64_t row_bytes = extents.count() / extents[0] * cell_bytes();
    const std::int64_t chunk = chunk_extent(array, 0);
    const std::int64_t rows = whole_blocks(kWindowBytes, row_bytes, chunk, extents[0]);
    for (std::int64_t row = first; row < first + count;) {
      const std::int64_t end = std::min((row / chunk * chunk) + rows, first + count);
      if (options_.progress)
        options_.progress(static_cast<double>(row) / static_cast<double>(extents[0]));
      const bool is_read = read_zarr(array, {extents, 0, row, end - row, end - row}, head_.type,
                                     cells + (row - first) * row_bytes);
      session_.check(is_read, path_, "cannot be read");
      row = end;
    }
    if (options_.progress)
      options_.progress(static_cast<double>(first + count) / static_cast<double>(extents[0]));
  }

  struct Window {
    std::int64_t x, y, width, height;
  };

  void read_window(const Window& window, std::byte* cells, std::int64_t row_bytes) const {
    const auto width = static_cast<int>(window.width);
    const auto height = static_cast<int>(window.height);
    const CPLErr result =
        GDALRasterIOEx(band_, GF_Read, static_cast<int>(window.x), static_cast<int>(window.y),
                       width, height, cells, width, height, GDALGetRasterDataType(band_),
                       static_cast<GSpacing>(cell_bytes()), row_bytes, nullptr);
    if (result >= CE_Failure || session_.failed()) check_blocks_are_there();
    session_.check(result, path_, page_text() + "cannot be read");
  }

  /// Reports as read the rows before `row` of the open page, and `more` rows.
  void report(std::int64_t row, double more) const {
    if (!options_.progress) return;
    const auto height = static_cast<double>(GDALGetRasterBandYSize(band_));
    options_.progress((static_cast<double>(number_) + (static_cast<double>(row) + more) / height) /
                      static_cast<double>(pages()));
  }

  std::filesystem::path path_;
  ReadOptions options_;
  GdalSession session_;
  GdalSource source_;
  Dataset page_;  // the open one,
  std::int64_t number_ = 0;
  GDALRasterBandH band_ = nullptr;
};

/// Whether a file has three bands of u8, which may be colours.
bool is_coloured(const std::filesystem::path& path) {
  const std::optional<RasterInfo> info = inspect_gdal_raster(path, 1);
  return info && info->bands == kBandsOfColour && info->element_type == ElementType::u8;
}

/// Reads three bands as one number; a cell is nodata if all three have the nodata value.
RasterFile read_colours(const std::filesystem::path& path, ReadOptions options) {
  constexpr std::int64_t kAllBands = 0x010101;
  RasterFile colours;
  const std::function<void(double)> progress = options.progress;
  for (int band = 1; band <= kBandsOfColour; ++band) {
    options.band = band;
    if (progress) {
      options.progress = [&](double fraction) { progress((band - 1 + fraction) / kBandsOfColour); };
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
  GdalRows rows(path, options);
  if (!rows.open()) return std::nullopt;
  const RasterHead& head = rows.head();
  RasterFile file{Raster(head.type, head.grid), head.nodata, head.voxels, head.scaling, head.unit};
  rows.read(0, head.grid.extents[0], file.raster.bytes());
  return file;
}

std::unique_ptr<RowReader> open_gdal_rows(const std::filesystem::path& path,
                                          const ReadOptions& options) {
  if (options.colours && !options.band && is_coloured(path)) {
    fail(path,
         "has 3 bands, which are not read as one number by rows; choose one with FILE|band=N");
  }
  auto rows = std::make_unique<GdalRows>(path, options);
  if (!rows->open()) return nullptr;
  return rows;
}

}  // namespace thiessen::io
