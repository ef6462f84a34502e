// SPDX-License-Identifier: Apache-2.0
//
// Writes GeoTIFF block by block.
#include <cpl_conv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "io/exact.hpp"
#include "io/gdal.hpp"
#include "io/gdal_geotiff_options.hpp"
#include "io/gdal_output.hpp"
#include "io/gdal_session.hpp"
#include "io/io_error.hpp"
#include "io/raster_shape.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kMostBands = 65535;
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
  planes.is_picture =
      bands == Bands::last && planes.bands == 3 && raster.element_type() == ElementType::u8;
  return planes;
}

void require_sizes(const std::filesystem::path& path, const Planes& planes,
                   const Extents& extents) {
  const bool empty = planes.pages < 1 || planes.bands < 1 || planes.height < 1 || planes.width < 1;
  if (empty || planes.height > kLongestAxis || planes.width > kLongestAxis) {
    fail(path, "cannot hold " + text_of(extents) + " cells; an axis of a GeoTIFF has 1 to " +
                   std::to_string(kLongestAxis));
  }
  if (planes.bands > kMostBands) {
    fail(path, "cannot hold " + std::to_string(planes.bands) + " bands; a GeoTIFF has 1 to " +
                   std::to_string(kMostBands));
  }
}

GDALDataType gdal_type_of(ElementType type) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
      return GDT_Byte;
    case ElementType::i8:
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
      return GDT_Int8;
#else
      return GDT_Byte;  // with an option of its own
#endif
    case ElementType::u16:
      return GDT_UInt16;
    case ElementType::i16:
      return GDT_Int16;
    case ElementType::u32:
      return GDT_UInt32;
    case ElementType::i32:
      return GDT_Int32;
    case ElementType::u64:
      return GDT_UInt64;
    case ElementType::i64:
      return GDT_Int64;
    case ElementType::f32:
      return GDT_Float32;
    case ElementType::f64:
      break;
  }
  return GDT_Float64;
}

/// Running statistics of the cells that count.
struct Statistics {
  std::int64_t count = 0;
  double least = 0, greatest = 0, mean = 0, squares = 0;  // squares of deviations from the mean

  void merge(const Statistics& other) {
    if (other.count == 0) return;
    if (count == 0) {
      *this = other;
      return;
    }
    const auto ours = static_cast<double>(count);
    const auto theirs = static_cast<double>(other.count);
    const double delta = other.mean - mean;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    mean += delta * theirs / (ours + theirs);
    squares += other.squares + delta * delta * ours * theirs / (ours + theirs);
    count += other.count;
  }
};

/// Statistics of some cells that lie side by side.
template <class T>
Statistics statistics_of(const T* cells, std::int64_t count, const std::optional<T>& nodata) {
  const auto counts = [&nodata](T cell) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(cell)) return false;
    }
    return !nodata || cell != *nodata;
  };
  Statistics result;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!counts(cells[i])) continue;
    const auto value = static_cast<double>(cells[i]);
    result.least = result.count == 0 ? value : std::min(result.least, value);
    result.greatest = result.count == 0 ? value : std::max(result.greatest, value);
    ++result.count;
    sum += value;
  }
  if (result.count > 0) result.mean = sum / static_cast<double>(result.count);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!counts(cells[i])) continue;
    const double deviation = static_cast<double>(cells[i]) - result.mean;
    result.squares += deviation * deviation;
  }
  return result;
}

/// Writes one raster; T is the type of its cells, bool as u8.
template <class T>
class GeotiffWriter {
 public:
  GeotiffWriter(OutputFile& file, const View<const void>& raster, const WriteOptions& options)
      : session_(options.threads),
        output_(file),
        raster_(raster),
        options_(options),
        planes_(planes_of(file.target(), raster, options.bands)),
        creation_(file.target(), raster.element_type(), planes_, options),
        nodata_(options.nodata ? exactly<T>(*options.nodata) : std::nullopt) {}

  void write() {
    for (std::int64_t page = 0; page < planes_.pages; ++page) {
      if (page == 1) creation_.set("APPEND_SUBDATASET", "YES");
      write_page(page);
    }
    report(1);
  }

 private:
  const std::filesystem::path& path() const { return output_.file().target(); }

  /// Throws first what the file or its checkpoint threw, and only then the error of GDAL.
  void check(CPLErr result) {
    output_.rethrow();
    session_.check(result, path(), "cannot be written");
  }

  void write_page(std::int64_t page) {
    Dataset dataset(GDALCreate(GDALGetDriverByName("GTiff"), output_.name().c_str(),
                               static_cast<int>(planes_.width), static_cast<int>(planes_.height),
                               static_cast<int>(planes_.bands),
                               gdal_type_of(raster_.element_type()), creation_.list()));
    check(dataset ? CE_None : CE_Failure);
    set_georeference(dataset.get());
    set_nodata(dataset.get());
    set_unit(dataset.get());
    for (std::int64_t band = 0; band < planes_.bands; ++band) {
      write_band(GDALGetRasterBand(dataset.get(), static_cast<int>(band) + 1),
                 raster_.bytes() + page * planes_.page_stride + band * planes_.band_stride);
    }
    GDALFlushCache(dataset.get());
    check(CE_None);
    require_all_blocks(dataset.get());
    dataset.reset();
    check(CE_None);
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

  void write_band(GDALRasterBandH band, const std::byte* cells) {
    int block_x = 1;
    int block_y = 1;
    GDALGetBlockSize(band, &block_x, &block_y);
    tile_.resize(static_cast<std::size_t>(block_x) * static_cast<std::size_t>(block_y));
    Statistics statistics;
    for (std::int64_t y = 0; y < planes_.height; y += block_y) {
      for (std::int64_t x = 0; x < planes_.width; x += block_x) {
        fill_tile(cells + y * planes_.row_stride + x * planes_.cell_stride, block_x,
                  std::min<std::int64_t>(block_y, planes_.height - y),
                  std::min<std::int64_t>(block_x, planes_.width - x), statistics);
        check(GDALWriteBlock(band, static_cast<int>(x / block_x), static_cast<int>(y / block_y),
                             tile_.data()));
        report_tile();
      }
    }
    set_statistics(band, statistics);
  }

  /// Copies cells into the tile, whose other cells are zero, and counts them.
  void fill_tile(const std::byte* cells, std::int64_t tile_width, std::int64_t rows,
                 std::int64_t columns, Statistics& statistics) {
    const auto full = static_cast<std::int64_t>(tile_.size());
    if (rows * columns < full) std::fill(tile_.begin(), tile_.end(), T{});
    for (std::int64_t y = 0; y < rows; ++y, cells += planes_.row_stride) {
      T* const row = tile_.data() + y * tile_width;
      copy_row(cells, columns, row);
      statistics.merge(statistics_of(row, columns, nodata_));
    }
  }

  void copy_row(const std::byte* cells, std::int64_t columns, T* row) const {
    if (planes_.cell_stride == static_cast<std::int64_t>(sizeof(T))) {
      std::memcpy(row, cells, static_cast<std::size_t>(columns) * sizeof(T));
    } else {
      for (std::int64_t x = 0; x < columns; ++x) {
        std::memcpy(row + x, cells + x * planes_.cell_stride, sizeof(T));
      }
    }
    if (raster_.element_type() == ElementType::boolean) {
      std::transform(row, row + columns, row, [](T cell) { return static_cast<T>(cell != T{}); });
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (!options_.infinite_is_nan) return;
      std::replace_if(
          row, row + columns, [](T cell) { return std::isinf(cell); },
          std::numeric_limits<T>::quiet_NaN());
    }
  }

  void set_statistics(GDALRasterBandH band, const Statistics& statistics) {
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
  const View<const void>& raster_;
  const WriteOptions& options_;
  Planes planes_;
  GeotiffOptions creation_;
  std::optional<T> nodata_;
  std::vector<T> tile_;
  std::int64_t bytes_ = 0;
  std::int64_t unreported_ = 0;
};

void require_nodata(const std::filesystem::path& path, ElementType type, const LabelValue& nodata) {
  const bool held = visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return exactly<T>(nodata).has_value(); });
  if (held) return;
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

void write_geotiff(OutputFile& file, const View<const void>& raster, const WriteOptions& options) {
  if (!file.has_random_access()) {
    fail(file.target(), "is a pipe or device; a GeoTIFF is written to a file");
  }
  visit_element_type(raster.element_type(), [&]<class T>(std::type_identity<T>) {
    GeotiffWriter<T>(file, raster, options).write();
  });
}

}  // namespace thiessen::io
