// SPDX-License-Identifier: Apache-2.0
//
// What GDAL writes is read back and compared, since its drivers turn values into those that their
// formats hold, and may not notice a full disk. A small file is tried before any work is done.
#include "io/gdal/library.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/files/hidden_file.hpp"
#include "io/files/io_error.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/cell_sum.hpp"
#include "io/raster/exact.hpp"
#include "io/raster/gdal.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kRowsReadBack = 256;  // of a plane
constexpr std::int64_t kTrialSide = 16;

bool is_zarr(const std::string& driver) { return EQUAL(driver.c_str(), "Zarr"); }

bool has_planes(const Extents& extents, Bands bands) {
  return extents.rank() == (bands == Bands::none ? 3 : 4);
}

Extents with_extent(const Extents& extents, int axis, std::int64_t extent) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(extents.rank()));
  for (int each = 0; each < extents.rank(); ++each)
    sizes.push_back(each == axis ? extent : extents[each]);
  return Extents(sizes);
}

std::unique_ptr<LibraryWriter> make_library_writer(const LibraryFile& file) {
  return is_zarr(file.options.format) ? write_zarr(file) : write_copy(file);
}

/// Writes a file, and compares what has come with what is in the file.
class CheckedWriter : public RowWriter {
 public:
  explicit CheckedWriter(LibraryFile file)
      : file_(std::move(file)), sum_(empty_sum()), writer_(make_library_writer(file_)) {}

  void write(const View<const void>& rows) override {
    sum_.add(rows, row_);
    row_ += rows.extent(file_.row_axis());
    writer_->write(rows);
  }

  void finish() override {
    writer_->finish();
    GDALDatasetH written = writer_->open_written();
    if (!(sum_read_back() == sum_))
      fail(file_.target,
           "cannot be written as " + file_.options.format +
               ": GDAL reads back different values: the format cannot hold the original values, or "
               "the disk is full");
    require_georeference(written);
    require_nodata(written);
    writer_.reset();
    if (file_.options.progress) file_.options.progress(1);
  }

 private:
  CellSum empty_sum() const {
    return {file_.extents, file_.row_axis(), file_.options.infinite_is_nan};
  }

  CellSum sum_read_back() const {
    CellSum sum = empty_sum();
    const int axis = file_.row_axis();
    const std::int64_t rows = file_.extents[axis];
    const std::int64_t most = has_planes(file_.extents, file_.options.bands) ? 1 : kRowsReadBack;
    for (std::int64_t first = 0; first < rows; first += most) {
      if (file_.checkpoint) file_.checkpoint();
      const std::int64_t count = std::min(most, rows - first);
      Raster cells(file_.type, with_extent(file_.extents, axis, count));
      writer_->read_back(first, count, cells.bytes());
      sum.add(cells.view(), first);
    }
    return sum;
  }

  void require_georeference(GDALDatasetH written) const {
    constexpr double kNothing = 1e-6;  // of a cell
    if (!file_.options.georeference) return;
    const std::array<double, 6>& wanted = file_.options.georeference->transform;
    std::array<double, 6> got{};
    GDALGetGeoTransform(written, got.data());  // that of cells, if there is none
    bool is_same = true;
    const double size = std::hypot(wanted[1], wanted[4]) + std::hypot(wanted[2], wanted[5]);
    const auto columns = static_cast<double>(GDALGetRasterXSize(written));
    const auto rows = static_cast<double>(GDALGetRasterYSize(written));
    const std::array<double, 6> times = {1, columns, rows, 1, columns, rows};
    for (std::size_t i = 0; i < got.size(); ++i)
      is_same = is_same && std::abs(got[i] - wanted[i]) * times[i] <= kNothing * size;
    if (!is_same) fail(file_.target, "cannot hold its georeference as " + file_.options.format);
  }

  void require_nodata(GDALDatasetH written) const {
    if (!file_.options.nodata) return;
    const auto got = nodata_of(GDALGetRasterBand(written, 1), file_.type);
    const bool is_same = visit_element_type(file_.type, [&]<class T>(std::type_identity<T>) {
      const std::optional<T> ours = cast_exactly<T>(*file_.options.nodata);
      const std::optional<T> theirs = got ? cast_exactly<T>(*got) : std::nullopt;
      if constexpr (std::is_floating_point_v<T>) {
        // NaN is no value, whether the file says so or not.
        if (ours && std::isnan(*ours)) return !theirs || std::isnan(*theirs);
      }
      return ours == theirs;
    });
    if (!is_same) fail(file_.target, "cannot hold its nodata value as " + file_.options.format);
  }

  LibraryFile file_;
  CellSum sum_;
  std::int64_t row_ = 0;
  std::unique_ptr<LibraryWriter> writer_;
};

/// Cells with the extremes of their type, and many others. Those of floats make drivers stumble
/// that hold all that is likely.
Raster trial_cells(ElementType type, const Extents& extents, bool has_infinity) {
  Raster raster(type, extents);
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    auto* const cells = reinterpret_cast<T*>(raster.bytes());
    const auto count = static_cast<std::size_t>(extents.count());
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005 + 1442695040888963407;
      if constexpr (std::is_floating_point_v<T>)
        cells[i] = static_cast<T>(std::sqrt(static_cast<double>(state >> 40)));
      else
        cells[i] = static_cast<T>(state >> 24);
    }
    using Limits = std::numeric_limits<T>;
    std::vector<T> extremes = {Limits::max(), Limits::lowest(), T{}};
    if constexpr (std::is_floating_point_v<T>) {
      extremes = {T(1e9), T(-1e9), T{}, Limits::quiet_NaN()};
      if (has_infinity) extremes.push_back(Limits::infinity());
    }
    std::copy_n(extremes.begin(), std::min(extremes.size(), count), cells);
  });
  return raster;
}

/// The extents of a raster of the same kind with few cells.
Extents trial_extents(const Extents& extents, Bands bands) {
  Extents few = extents;
  for (int axis = 0; axis < extents.rank(); ++axis) {
    const bool is_band = bands != Bands::none && axis == (bands == Bands::first ? 0 : 2);
    if (!is_band) few = with_extent(few, axis, std::min(extents[axis], kTrialSide));
  }
  return few;
}

/// A message with the name of the user's file in place of that of the trial.
std::string in_terms_of(const std::filesystem::path& path, const std::filesystem::path& trial,
                        std::string message) {
  const std::string name = trial.string();
  for (std::size_t at = message.find(name); at != std::string::npos; at = message.find(name))
    message.replace(at, name.size(), path.string());
  return message;
}

void require_driver(const std::filesystem::path& path, const std::string& name) {
  GDALDriverH driver = GDALGetDriverByName(name.c_str());
  const auto can = [driver](const char* item) {
    return driver != nullptr && GDALGetMetadataItem(driver, item, nullptr) != nullptr;
  };
  if (!can(GDAL_DCAP_RASTER) || !(can(GDAL_DCAP_CREATECOPY) || can(GDAL_DCAP_CREATE)))
    fail(path, "is to be written as " + excerpt(name) +
                   ", which this GDAL does not do; gdalinfo --formats lists what it does (rw)");
}

}  // namespace

void require_library_format(const std::filesystem::path& path, ElementType type,
                            const Extents& extents, const WriteOptions& options) {
  const GdalSession session;
  const std::string& driver = options.format;
  require_driver(path, driver);
  if (type == ElementType::i8 || type == ElementType::boolean)
    fail(path, "cannot hold cells of type " + std::string(name_of(type)) + " as " + driver);
  if (has_planes(extents, options.bands) && !is_zarr(driver))
    fail(path, "cannot hold planes as " + driver + "; .zarr, .tif and .npy can");
  WriteOptions as_geotiff = options;
  as_geotiff.creation_options.clear();
  as_geotiff.format.clear();
  const Extents few = trial_extents(extents, options.bands);
  // Zarr alone needs no GeoTIFF of all of it.
  require_geotiff(path, type, is_zarr(driver) ? few : extents, as_geotiff);

  HiddenFolder trial;
  if (const int reason = trial.create(path); reason != 0) fail(path, "cannot be created", reason);
  LibraryFile file{trial.inside(), path, type, few, options};
  file.options.progress = {};
  const Raster cells = trial_cells(type, file.extents, !options.infinite_is_nan);
  try {
    CheckedWriter writer(file);
    writer.write(cells.view());
    writer.finish();
  } catch (const Error& error) {
    throw Error(error.code(), in_terms_of(path, file.name, error.what()));
  }
}

std::unique_ptr<RowWriter> write_library_rows(OutputFile& file, ElementType type,
                                              const Extents& extents, const WriteOptions& options) {
  return std::make_unique<CheckedWriter>(LibraryFile{file.library_name(), file.target(), type,
                                                     extents, options, [&file] { file.check(); }});
}

}  // namespace thiessen::io
