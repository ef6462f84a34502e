// SPDX-License-Identifier: Apache-2.0
//
// Writes GeoTIFF, one row of blocks after the other.
#include <cpl_conv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/gdal/raster/geotiff_options.hpp"
#include "io/gdal/raster/output.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/cell_statistics.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/exact.hpp"
#include "io/raster/gdal.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kMostBands = 65535;
constexpr std::int64_t kMostPages = 65535;  // that libtiff counts
constexpr std::int64_t kBytesPerReport = std::int64_t{8} << 20;

/// The axes of the raster by their role; -1: none.
struct AxisRoles {
  int page = -1, band = -1, row = 0, column = 1;
};

AxisRoles roles_of(const std::filesystem::path& path, const Extents& extents, Bands bands) {
  const int rank = extents.rank();
  if (bands == Bands::none && rank == 2) return {};
  if (bands == Bands::none && rank == 3) return {.page = 0, .row = 1, .column = 2};
  if (bands == Bands::first && rank == 3) return {.band = 0, .row = 1, .column = 2};
  if (bands == Bands::first && rank == 4) return {.page = 1, .band = 0, .row = 2, .column = 3};
  if (bands == Bands::last && rank == 3) return {.band = 2, .row = 0, .column = 1};
  fail(path, "cannot hold a raster of " + text_of(extents) + " cells" +
                 (bands == Bands::none ? "" : ", one axis of them bands") +
                 "; a GeoTIFF holds planes (y, x), alone or as (z, y, x), of one or more bands");
}

Planes planes_of(const std::filesystem::path& path, const View<const void>& raster, Bands bands) {
  const AxisRoles roles = roles_of(path, raster.extents(), bands);
  Planes planes;
  const auto take = [&raster](int axis, std::int64_t& extent, std::int64_t& stride) {
    if (axis < 0) return;
    extent = raster.extent(axis);
    stride = raster.stride(axis);
  };
  take(roles.page, planes.pages, planes.page_stride);
  take(roles.band, planes.bands, planes.band_stride);
  take(roles.row, planes.height, planes.row_stride);
  take(roles.column, planes.width, planes.cell_stride);
  planes.is_picture = bands == Bands::last && (planes.bands == 3 || planes.bands == 4) &&
                      raster.element_type() == ElementType::u8;
  return planes;
}

void require_sizes(const std::filesystem::path& path, const Planes& planes,
                   const Extents& extents) {
  const bool empty = planes.pages < 1 || planes.bands < 1 || planes.height < 1 || planes.width < 1;
  if (empty || planes.height > kLongestAxis || planes.width > kLongestAxis) {
    fail(path, "cannot hold " + text_of(extents) + " cells; an axis of a GeoTIFF has 1 to " +
                   std::to_string(kLongestAxis));
  }
  if (planes.pages > kMostPages) {
    fail(path, "cannot hold " + std::to_string(planes.pages) + " planes; a GeoTIFF has 1 to " +
                   std::to_string(kMostPages) + " pages");
  }
  if (planes.bands > kMostBands) {
    fail(path, "cannot hold " + std::to_string(planes.bands) + " bands; a GeoTIFF has 1 to " +
                   std::to_string(kMostBands));
  }
}

/// Writes one raster, block row by block row; T is the type of its cells, bool as u8.
template <class T>
class GeotiffWriter : public RowWriter {
 public:
  GeotiffWriter(OutputFile& file, ElementType type, const Extents& extents,
                const WriteOptions& options)
      : session_(options.threads),
        output_(file),
        type_(type),
        options_(options),
        planes_(planes_of(file.target(), View<const void>(nullptr, type, extents), options.bands)),
        creation_(file.target(), type, planes_, options),
        nodata_(options.nodata ? cast_exactly<T>(*options.nodata) : std::nullopt),
        statistics_(static_cast<std::size_t>(planes_.bands)) {}

  void write(const View<const void>& rows) override {
    const Planes given = planes_of(path(), rows, options_.bands);
    for (std::int64_t page = 0; page < given.pages; ++page) {
      if (!dataset_) begin_page();
      write_rows(given, rows.bytes() + page * given.page_stride);
      if (row_ == planes_.height) end_page();
    }
  }

  void finish() override { report(1); }

 private:
  const std::filesystem::path& path() const { return output_.file().target(); }

  /// Throws first what the file or its checkpoint threw, and only then the error of GDAL.
  void check(CPLErr result) {
    output_.rethrow();
    session_.check(result, path(), "cannot be written");
  }

  GDALRasterBandH band(std::int64_t index) const {
    return GDALGetRasterBand(dataset_.get(), static_cast<int>(index) + 1);
  }

  void begin_page() {
    if (page_ == 1) creation_.set("APPEND_SUBDATASET", "YES");
    dataset_.reset(GDALCreate(GDALGetDriverByName("GTiff"), output_.name().c_str(),
                              static_cast<int>(planes_.width), static_cast<int>(planes_.height),
                              static_cast<int>(planes_.bands), gdal_type_of(type_),
                              creation_.list()));
    check(dataset_ ? CE_None : CE_Failure);
    set_georeference(dataset_.get());
    set_nodata(dataset_.get());
    set_unit(dataset_.get());
    GDALGetBlockSize(band(0), &block_x_, &block_y_);
    tile_.resize(static_cast<std::size_t>(block_x_) * static_cast<std::size_t>(block_y_));
    std::fill(statistics_.begin(), statistics_.end(), CellStatistics{});
    row_ = 0;
  }

  void end_page() {
    for (std::int64_t index = 0; index < planes_.bands; ++index)
      set_statistics(band(index), statistics_[static_cast<std::size_t>(index)]);
    GDALFlushCache(dataset_.get());
    check(CE_None);
    require_all_blocks(dataset_.get());
    dataset_.reset();
    check(CE_None);
    if (++page_ < planes_.pages) output_.skip_pages();
  }

  /// Writes rows of the open page: whole block rows straight away, and others when they are full.
  void write_rows(const Planes& given, const std::byte* cells) {
    for (std::int64_t y = 0; y < given.height;) {
      const std::int64_t end = std::min((row_ / block_y_ + 1) * block_y_, planes_.height);
      const std::int64_t rows = std::min(end - row_, given.height - y);
      const std::byte* const from = cells + y * given.row_stride;
      const bool is_whole = row_ % block_y_ == 0 && row_ + rows == end;
      if (is_whole)
        write_block_row(given, from, row_, rows);
      else
        keep_rows(given, from, rows);
      y += rows;
      row_ += rows;
      if (!is_whole && row_ == end) write_kept_rows(end);
    }
  }

  /// Copies rows to those of their block row that came before.
  void keep_rows(const Planes& given, const std::byte* cells, std::int64_t rows) {
    kept_.resize(static_cast<std::size_t>(planes_.bands * block_y_ * planes_.width));
    for (std::int64_t index = 0; index < planes_.bands; ++index)
      for (std::int64_t y = 0; y < rows; ++y) {
        const std::int64_t to = (index * block_y_ + row_ % block_y_ + y) * planes_.width;
        gather(cells + index * given.band_stride + y * given.row_stride, given.cell_stride,
               kept_.data() + to);
      }
  }

  void gather(const std::byte* cells, std::int64_t stride, T* to) const {
    for (std::int64_t x = 0; x < planes_.width; ++x)
      std::memcpy(to + x, cells + x * stride, sizeof(T));
  }

  void write_kept_rows(std::int64_t end) {
    Planes kept = planes_;
    kept.cell_stride = sizeof(T);
    kept.row_stride = planes_.width * kept.cell_stride;
    kept.band_stride = block_y_ * kept.row_stride;
    const std::int64_t begin = (end - 1) / block_y_ * block_y_;
    write_block_row(kept, reinterpret_cast<const std::byte*>(kept_.data()), begin, end - begin);
  }

  void write_block_row(const Planes& given, const std::byte* cells, std::int64_t first,
                       std::int64_t rows) {
    for (std::int64_t index = 0; index < planes_.bands; ++index) {
      const std::byte* const from = cells + index * given.band_stride;
      for (std::int64_t x = 0; x < planes_.width; x += block_x_) {
        fill_tile(given, from + x * given.cell_stride, rows,
                  std::min<std::int64_t>(block_x_, planes_.width - x),
                  statistics_[static_cast<std::size_t>(index)]);
        check(GDALWriteBlock(band(index), static_cast<int>(x / block_x_),
                             static_cast<int>(first / block_y_), tile_.data()));
        report_tile();
      }
    }
  }

  void set_georeference(GDALDatasetH dataset) {
    if (!options_.georeference) return;
    std::array<double, 6> transform = options_.georeference->transform;
    check(GDALSetGeoTransform(dataset, transform.data()));
    if (options_.georeference->crs.empty()) return;
    const Crs crs = crs_of(options_.georeference->crs);
    check(crs ? GDALSetSpatialRef(dataset, crs.get()) : CE_Failure);
  }

  void set_unit(GDALDatasetH dataset) {
    if (options_.unit.empty()) return;
    for (int band = 1; band <= GDALGetRasterCount(dataset); ++band) {
      check(GDALSetRasterUnitType(GDALGetRasterBand(dataset, band), options_.unit.c_str()));
    }
  }

  void set_nodata(GDALDatasetH dataset) {
    if (!nodata_) return;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);  // a GeoTIFF has one nodata value for all
                                                           // bands
    if constexpr (std::is_same_v<T, std::int64_t>) {
      check(GDALSetRasterNoDataValueAsInt64(band, *nodata_));
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      check(GDALSetRasterNoDataValueAsUInt64(band, *nodata_));
    } else {
      check(GDALSetRasterNoDataValue(band, static_cast<double>(*nodata_)));
    }
  }

  /// Copies cells into the tile, whose other cells are zero, and counts them.
  void fill_tile(const Planes& given, const std::byte* cells, std::int64_t rows,
                 std::int64_t columns, CellStatistics& statistics) {
    const auto full = static_cast<std::int64_t>(tile_.size());
    if (rows * columns < full) std::fill(tile_.begin(), tile_.end(), T{});
    for (std::int64_t y = 0; y < rows; ++y, cells += given.row_stride) {
      T* const row = tile_.data() + y * block_x_;
      copy_row(cells, given.cell_stride, columns, row);
      statistics.merge(statistics_of(row, columns, nodata_));
    }
  }

  void copy_row(const std::byte* cells, std::int64_t stride, std::int64_t columns, T* row) const {
    if (stride == static_cast<std::int64_t>(sizeof(T))) {
      std::memcpy(row, cells, static_cast<std::size_t>(columns) * sizeof(T));
    } else {
      for (std::int64_t x = 0; x < columns; ++x)
        std::memcpy(row + x, cells + x * stride, sizeof(T));
    }
    if (type_ == ElementType::boolean) {
      std::transform(row, row + columns, row, [](T cell) { return static_cast<T>(cell != T{}); });
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (!options_.infinite_is_nan) return;
      std::replace_if(
          row, row + columns, [](T cell) { return std::isinf(cell); },
          std::numeric_limits<T>::quiet_NaN());
    }
  }

  void set_statistics(GDALRasterBandH band, const CellStatistics& statistics) {
    if (statistics.count == 0) return;
    const auto count = static_cast<double>(statistics.count);
    check(GDALSetRasterStatistics(band, statistics.least, statistics.greatest, statistics.mean,
                                  std::sqrt(statistics.squares / count)));
    const double all = static_cast<double>(planes_.height) * static_cast<double>(planes_.width);
    std::array<char, 32> percent{};
    std::snprintf(percent.data(), percent.size(), "%.4g", 100 * count / all);
    check(GDALSetMetadataItem(band, "STATISTICS_VALID_PERCENT", percent.data(), nullptr));
  }

  /// Checks that all blocks exist: GDAL's threads cannot report that compressing a tile failed.
  void require_all_blocks(GDALDatasetH dataset) {
    for (int band = 1; band <= GDALGetRasterCount(dataset); ++band) {
      const int status = GDALGetDataCoverageStatus(
          GDALGetRasterBand(dataset, band), 0, 0, GDALGetRasterXSize(dataset),
          GDALGetRasterYSize(dataset), GDAL_DATA_COVERAGE_STATUS_EMPTY, nullptr);
      if ((status & GDAL_DATA_COVERAGE_STATUS_EMPTY) != 0) {
        fail(path(), "cannot be written: a tile could not be compressed");
      }
    }
  }

  void report_tile() {
    const auto tile_bytes = static_cast<std::int64_t>(tile_.size() * sizeof(T));
    bytes_ += tile_bytes;
    unreported_ += tile_bytes;
    if (unreported_ < kBytesPerReport) return;
    unreported_ = 0;
    // Tiles may reach beyond the raster, so the fraction is cut to 1.
    const double all = static_cast<double>(planes_.pages * planes_.bands) * sizeof(T) *
                       static_cast<double>(planes_.height) * static_cast<double>(planes_.width);
    report(std::min(static_cast<double>(bytes_) / all, 1.0));
  }

  void report(double fraction) const {
    if (options_.progress) options_.progress(fraction);
  }

  GdalSession session_;
  GdalOutput output_;
  ElementType type_;
  WriteOptions options_;
  Planes planes_;  // without strides
  GeotiffOptions creation_;
  std::optional<T> nodata_;
  Dataset dataset_;  // of the page that is begun
  std::int64_t page_ = 0;
  std::int64_t row_ = 0;  // rows of it that have come
  int block_x_ = 1;
  int block_y_ = 1;
  std::vector<T> tile_;
  std::vector<T> kept_;  // rows of a block row that is not full, band by band
  std::vector<CellStatistics> statistics_;
  std::int64_t bytes_ = 0;
  std::int64_t unreported_ = 0;
};

void require_nodata(const std::filesystem::path& path, ElementType type, const LabelValue& nodata) {
  if (can_hold(type, nodata)) return;
  const std::string value = std::visit([](auto number) { return std::to_string(number); }, nodata);
  fail(path, "cannot have the nodata value " + value + ": a cell of type " +
                 std::string(name_of(type)) + " cannot hold it");
}

/// Makes GDAL write a small file with the same options, and forgets it.
void try_options(const GdalSession& session, const std::filesystem::path& path, ElementType type,
                 const GeotiffOptions& options) {
  static std::atomic<unsigned> counter{0};
  GDALDriverH driver = GDALGetDriverByName("GTiff");
  const bool valid = GDALValidateCreationOptions(driver, options.list()) != 0;
  const std::string name = "/vsimem/thiessen_options_" + std::to_string(counter++) + ".tif";
  Dataset dataset(
      valid ? GDALCreate(driver, name.c_str(), 1, 1, 1, gdal_type_of(type), options.list())
            : nullptr);
  const bool created = dataset != nullptr;
  dataset.reset();
  VSIUnlink(name.c_str());
  if (created) return;
  std::string complaint = session.complaint();
  if (const std::string of_file = name + ": "; complaint.starts_with(of_file)) {
    complaint.erase(0, of_file.size());  // that name means nothing to the user
  }
  fail(path, "cannot be created with these options: " + one_line(complaint));
}

}  // namespace

void require_geotiff(const std::filesystem::path& path, ElementType type, const Extents& extents,
                     const WriteOptions& options) {
  const GdalSession session;
  const View<const void> shape(nullptr, type, extents);
  const Planes planes = planes_of(path, shape, options.bands);
  require_sizes(path, planes, extents);
  try_options(session, path, type, GeotiffOptions(path, type, planes, options));
  if (options.nodata) require_nodata(path, type, *options.nodata);
  if (options.georeference && !options.georeference->crs.empty() &&
      !crs_of(options.georeference->crs)) {
    fail(path, "cannot hold the coordinate reference system " + excerpt(options.georeference->crs) +
                   ": it is not understood");
  }
}

std::unique_ptr<RowWriter> write_geotiff_rows(OutputFile& file, ElementType type,
                                              const Extents& extents, const WriteOptions& options) {
  if (!file.has_random_access()) {
    fail(file.target(), "is a pipe or device; a GeoTIFF is written to a file");
  }
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) -> std::unique_ptr<RowWriter> {
        return std::make_unique<GeotiffWriter<T>>(file, type, extents, options);
      });
}

}  // namespace thiessen::io
