// SPDX-License-Identifier: Apache-2.0
//
// Formats that GDAL makes of a whole raster: of a temporary GeoTIFF beside the target that has no
// name.
#include <cpl_string.h>

#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "io/files/creation_option.hpp"
#include "io/files/io_error.hpp"
#include "io/gdal/library.hpp"
#include "io/gdal/raster/output.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/gdal.hpp"

namespace thiessen::io {
namespace {

struct DefaultOption {
  std::string_view driver;
  const char* name;
  const char* value;
};

/// Without these, files are large or lose values.
constexpr std::array kDefaultOptions = std::to_array<DefaultOption>({
    {"COG", "COMPRESS", "DEFLATE"},
    {"COG", "BIGTIFF", "IF_SAFER"},
    {"COG", "OVERVIEW_RESAMPLING", "NEAREST"},  // no labels or distances that no cell has
    {"netCDF", "FORMAT", "NC4"},
    {"netCDF", "COMPRESS", "DEFLATE"},
    {"netCDF", "ZLEVEL", "1"},
});

CPLStringList copy_options(const LibraryFile& file) {
  CPLStringList list;
  const std::string& driver = file.options.format;
  for (const DefaultOption& option : kDefaultOptions)
    if (EQUAL(driver.c_str(), std::string(option.driver).c_str()))
      list.SetNameValue(option.name, option.value);
  // What GDAL takes by itself for bytes may be JPEG.
  if (EQUAL(driver.c_str(), "GPKG") && file.type == ElementType::u8)
    list.SetNameValue("TILE_FORMAT", "PNG");
  for (const std::string& option : file.options.creation_options) {
    const CreationOption sides = parse_option(file.target, option);
    list.SetNameValue(sides.name.c_str(), sides.value.c_str());
  }
  return list;
}

bool is_nan(const LabelValue& value) {
  return std::visit([](auto number) { return std::isnan(static_cast<double>(number)); }, value);
}

/// The temporary file is stored in the quickest way, and says what the driver understands.
WriteOptions options_of_temporary(const LibraryFile& file) {
  WriteOptions options = file.options;
  const auto is_for = [&](const char* driver) { return EQUAL(options.format.c_str(), driver); };
  // An ASCII grid always lies somewhere, and without a georeference GDAL turns it upside down.
  const auto rows = static_cast<double>(file.extents[file.row_axis()]);
  if (is_for("AAIGrid") && !options.georeference)
    options.georeference = Georeference{.transform = {0, 1, 0, rows, 0, -1}, .crs = {}};
  if (is_for("GPKG") && options.nodata && is_nan(*options.nodata)) options.nodata.reset();
  options.creation_options.clear();
  options.format.clear();
  return options;
}

class CopyWriter : public LibraryWriter {
 public:
  explicit CopyWriter(LibraryFile file)
      : file_(std::move(file)),
        options_(copy_options(file_)),
        temporary_(file_.target.string() + ".temporary.tif", true, file_.checkpoint),
        rows_(write_geotiff_rows(temporary_, file_.type, file_.extents,
                                 options_of_temporary(file_))) {
    const GdalSession session;
    GDALDriverH driver = GDALGetDriverByName(file_.options.format.c_str());
    if (GDALValidateCreationOptions(driver, options_.List()) == 0)
      fail(file_.target, "cannot be created with these options: " + one_line(session.complaint()));
  }

  void write(const View<const void>& rows) override { rows_->write(rows); }

  void finish() override {
    rows_->finish();
    rows_.reset();
    const GdalSession session(file_.options.threads);
    GdalOutput from(temporary_);
    const auto check = [&](bool is_done) {
      from.rethrow();
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      session.check(is_done, file_.target, "cannot be written");
    };
    const Dataset source(GDALOpen(from.name().c_str(), GA_ReadOnly));
    check(source != nullptr);
    GDALDriverH driver = GDALGetDriverByName(file_.options.format.c_str());
    silence_driver(file_.options.format);
    Dataset copy(GDALCreateCopy(driver, file_.name.c_str(), source.get(), FALSE, options_.List(),
                                on_progress, this));
    check(copy != nullptr);
    copy.reset();
    check(true);
  }

  GDALDatasetH open_written() override {
    session_ = std::make_unique<GdalSession>(file_.options.threads);
    // A COG is read as any GeoTIFF.
    const bool is_cog = EQUAL(file_.options.format.c_str(), "COG");
    const std::array<const char*, 2> drivers = {is_cog ? "GTiff" : file_.options.format.c_str(),
                                                nullptr};
    written_.reset(GDALOpenEx(file_.name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, drivers.data(),
                              nullptr, nullptr));
    const bool is_open = written_ != nullptr && GDALGetRasterXSize(written_.get()) == width() &&
                         GDALGetRasterYSize(written_.get()) == height() &&
                         GDALGetRasterCount(written_.get()) == bands();
    if (!is_open) fail(file_.target, "cannot hold this raster as " + file_.options.format);
    return written_.get();
  }

  void read_back(std::int64_t first, std::int64_t count, std::byte* cells) override {
    const auto cell = static_cast<std::int64_t>(size_of(file_.type));
    const std::int64_t row_bytes = width() * cell;
    const bool is_last = file_.options.bands == Bands::last;
    const CPLErr result = GDALDatasetRasterIOEx(
        written_.get(), GF_Read, 0, static_cast<int>(first), width(), static_cast<int>(count),
        cells, width(), static_cast<int>(count), gdal_type_of(file_.type), bands(), nullptr,
        is_last ? bands() * cell : cell, is_last ? bands() * row_bytes : row_bytes,
        is_last ? cell : count * row_bytes, nullptr);
    session_->check(result, file_.target, "cannot be read back");
  }

 private:
  static int CPL_STDCALL on_progress(double, const char*, void* writer) {
    auto* const self = static_cast<CopyWriter*>(writer);
    try {
      if (self->file_.checkpoint) self->file_.checkpoint();
      return TRUE;
    } catch (...) {
      self->failure_ = std::current_exception();
      return FALSE;
    }
  }

  int extent(int axis) const { return static_cast<int>(file_.extents[axis]); }
  int height() const { return extent(file_.row_axis()); }
  int width() const { return extent(file_.row_axis() + 1); }
  int bands() const {
    if (file_.options.bands == Bands::none) return 1;
    return extent(file_.options.bands == Bands::first ? 0 : 2);
  }

  LibraryFile file_;
  CPLStringList options_;
  OutputFile temporary_;
  std::unique_ptr<RowWriter> rows_;
  std::exception_ptr failure_;
  std::unique_ptr<GdalSession> session_;  // while the file is read back
  Dataset written_;
};

}  // namespace

std::unique_ptr<LibraryWriter> write_copy(const LibraryFile& file) {
  return std::make_unique<CopyWriter>(file);
}

}  // namespace thiessen::io
