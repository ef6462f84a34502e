// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/raster/zarr.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "io/files/creation_option.hpp"
#include "io/files/io_error.hpp"
#include "io/files/zarr_folder.hpp"
#include "io/gdal/library.hpp"
#include "io/gdal/raster/source.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kMostAxes = 4;
// A row of chunks is held in memory.
constexpr std::int64_t kChunkRows = 256, kChunkColumns = 1024;

using MdDimension = Released<GDALDimensionH, GDALDimensionRelease>;
using MdAttribute = Released<GDALAttributeH, GDALAttributeRelease>;

std::size_t rank_of(GDALMDArrayH array) { return GDALMDArrayGetDimensionCount(array); }

MdArray open_array(GDALGroupH group, const std::string& name) {
  return MdArray(GDALGroupOpenMDArray(group, name.c_str(), nullptr));
}

[[noreturn]] void refuse_group(const std::filesystem::path& path,
                               const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i)
    list += " " + (path / names[i]).string();
  if (names.size() > kMostNames) list += " and others";
  fail(path, names.empty() ? "is a group of Zarr without an array of two or three axes"
                           : "is a group of Zarr; name one of these:" + one_line(list));
}

/// The array that is not one of coordinates.
MdArray find_array(const std::filesystem::path& path, GDALGroupH group) {
  std::vector<std::string> names;
  const StringList arrays(GDALGroupGetMDArrayNames(group, nullptr));
  for (char** name = arrays.get(); name != nullptr && *name != nullptr; ++name) {
    const MdArray array = open_array(group, *name);
    if (array && rank_of(array.get()) > 1) names.emplace_back(*name);
  }
  if (names.size() == 1) return open_array(group, names[0]);
  const StringList groups(GDALGroupGetGroupNames(group, nullptr));
  for (char** name = groups.get(); name != nullptr && *name != nullptr; ++name)
    names.emplace_back(*name);
  std::sort(names.begin(), names.end());
  refuse_group(path, names);
}

Extents extents_of(const std::filesystem::path& path, GDALMDArrayH array) {
  std::size_t rank = 0;
  GDALDimensionH* const dimensions = GDALMDArrayGetDimensions(array, &rank);
  std::vector<std::int64_t> sizes;
  sizes.reserve(rank);
  bool is_fine = rank == 2 || rank == 3;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const GUInt64 size = GDALDimensionGetSize(dimensions[axis]);
    is_fine = is_fine && size >= 1 && size <= static_cast<GUInt64>(kLongestAxis);
    sizes.push_back(static_cast<std::int64_t>(size));
  }
  GDALReleaseDimensions(dimensions, rank);
  if (!is_fine)
    fail(path, "has " + std::to_string(rank) + " axes of Zarr; it must have 2 or 3, each of 1 to " +
                   std::to_string(kLongestAxis) + " cells");
  return Extents(sizes);
}

/// An array as GDAL shows rasters, cut down to its first plane by an index for the axes before.
Dataset first_plane(GDALMDArrayH array, const char* index) {
  const bool is_cut = *index != '\0';
  const MdArray plane(is_cut ? GDALMDArrayGetView(array, index) : nullptr);
  if (is_cut && !plane) return nullptr;
  return Dataset(GDALMDArrayAsClassicDataset(is_cut ? plane.get() : array, 1, 0));
}

/// A part of an array, as GDAL wants it.
struct Part {
  std::array<GUInt64, kMostAxes> start{};
  std::array<std::size_t, kMostAxes> count{};
  std::array<GPtrDiff_t, kMostAxes> stride{};

  explicit Part(const ZarrRows& rows) {
    GPtrDiff_t cells = 1;
    for (int axis = rows.extents.rank() - 1; axis >= 0; --axis) {
      const auto i = static_cast<std::size_t>(axis);
      const bool is_rows = axis == rows.axis;
      start[i] = static_cast<GUInt64>(is_rows ? rows.first : 0);
      count[i] = static_cast<std::size_t>(is_rows ? rows.count : rows.extents[axis]);
      stride[i] = cells;
      cells *= is_rows ? rows.room : rows.extents[axis];
    }
  }
};

MdType type_for(ElementType type) { return MdType(GDALExtendedDataTypeCreate(gdal_type_of(type))); }

/// The names of the axes, as xarray and GDAL have them.
std::vector<std::string> axis_names(int rank, Bands bands) {
  std::vector<std::string> names = {"Y", "X"};
  if (bands == Bands::last) names.emplace_back("band");
  if (rank == (bands == Bands::none ? 3 : 4)) names.insert(names.begin(), "Z");
  if (bands == Bands::first) names.insert(names.begin(), "band");
  return names;
}

class ZarrWriter : public LibraryWriter {
 public:
  explicit ZarrWriter(LibraryFile file)
      : file_(std::move(file)), session_(std::make_unique<GdalSession>(file_.options.threads)) {
    store_.store.reset(GDALCreateMultiDimensional(GDALGetDriverByName("Zarr"), file_.name.c_str(),
                                                  nullptr, nullptr));
    check(store_.store != nullptr);
    store_.group.reset(GDALDatasetGetRootGroup(store_.store.get()));
    check(store_.group != nullptr);
    make_dimensions();
    make_array();
    describe();
    room_ = std::min(chunk_extent(store_.array.get(), axis()), file_.extents[axis()]);
    const std::int64_t row_cells = file_.extents.count() / file_.extents[axis()];
    cells_.resize(static_cast<std::size_t>(room_ * row_cells) * size_of(file_.type));
  }

  void write(const View<const void>& rows) override {
    const std::int64_t count = rows.extent(axis());
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t some = std::min(count - done, room_ - held_);
      keep(rows, done, some);
      done += some;
      held_ += some;
      if (held_ == room_ || row_ + held_ == file_.extents[axis()]) write_held();
    }
  }

  /// The parts of a store are closed from the inside out.
  void finish() override {
    store_.array.reset();
    dimensions_.clear();
    store_.group.reset();
    store_.store.reset();
    cells_ = {};
    check(true);
    session_.reset();
  }

  GDALDatasetH open_written() override {
    session_ = std::make_unique<GdalSession>(file_.options.threads);
    store_.store.reset(GDALOpenEx(file_.name.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY,
                                  kDrivers.data(), nullptr, nullptr));
    check(store_.store != nullptr);
    store_.group.reset(GDALDatasetGetRootGroup(store_.store.get()));
    store_.array = open_array(store_.group.get(), array_name());
    check(store_.array != nullptr);
    store_.plane = first_plane(store_.array.get(), names_[0] == "Y"   ? ""
                                                   : names_[1] == "Y" ? "[0,...]"
                                                                      : "[0,0,...]");
    check(store_.plane != nullptr);
    return store_.plane.get();
  }

  void read_back(std::int64_t first, std::int64_t count, std::byte* cells) override {
    check(read_zarr(store_.array.get(), {file_.extents, axis(), first, count, count}, file_.type,
                    cells));
  }

 private:
  static constexpr std::array<const char*, 2> kDrivers = {"Zarr", nullptr};

  int axis() const { return file_.row_axis(); }
  std::string array_name() const { return file_.target.stem().string(); }

  void check(bool is_done) const { session_->check(is_done, file_.target, "cannot be written"); }

  void make_dimensions() {
    names_ = axis_names(file_.extents.rank(), file_.options.bands);
    dimensions_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const bool is_world = names_[i] == "X" || names_[i] == "Y";
      const std::string kind = is_world ? "HORIZONTAL_" + names_[i] : "";
      dimensions_.emplace_back(GDALGroupCreateDimension(
          store_.group.get(), names_[i].c_str(), kind.c_str(), "",
          static_cast<GUInt64>(file_.extents[static_cast<int>(i)]), nullptr));
      check(dimensions_.back() != nullptr);
      if (is_world && file_.options.georeference) make_coordinates(i);
    }
  }

  /// The coordinates of the centres of cells along an axis; what is rotated has none, and does not
  /// come back.
  void make_coordinates(std::size_t place) {
    const std::array<double, 6>& t = file_.options.georeference->transform;
    const bool is_x = names_[place] == "X";
    const std::int64_t count = file_.extents[static_cast<int>(place)];
    std::vector<double> centres;
    centres.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      centres.push_back((is_x ? t[0] : t[3]) +
                        (static_cast<double>(i) + 0.5) * (is_x ? t[1] : t[5]));
    const MdType type = type_for(ElementType::f64);
    GDALDimensionH only = dimensions_[place].get();
    const MdArray array(GDALGroupCreateMDArray(store_.group.get(), names_[place].c_str(), 1, &only,
                                               type.get(), nullptr));
    check(array != nullptr);
    const Extents extents{count};
    check(write_zarr(array.get(), {extents, 0, 0, count, count}, ElementType::f64,
                     reinterpret_cast<const std::byte*>(centres.data())));
    check(GDALDimensionSetIndexingVariable(only, array.get()) != 0);
  }

  void make_array() {
    std::vector<GDALDimensionH> dimensions;
    dimensions.reserve(dimensions_.size());
    for (const MdDimension& dimension : dimensions_) dimensions.push_back(dimension.get());
    const MdType type = type_for(file_.type);
    const CPLStringList options = array_options();
    store_.array.reset(GDALGroupCreateMDArray(store_.group.get(), array_name().c_str(),
                                              dimensions.size(), dimensions.data(), type.get(),
                                              options.List()));
    check(store_.array != nullptr);
  }

  /// How its cells are stored.
  CPLStringList array_options() const {
    CPLStringList list;
    std::string chunk;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const bool is_outer = i + 2 < names_.size() && names_[i] != "Y";
      const std::int64_t most = is_outer ? 1 : names_[i] == "Y" ? kChunkRows : kChunkColumns;
      const std::int64_t cells = std::min(most, file_.extents[static_cast<int>(i)]);
      chunk += (i == 0 ? "" : ",") + std::to_string(cells);
    }
    list.SetNameValue("BLOCKSIZE", chunk.c_str());
    list.SetNameValue("COMPRESS", "BLOSC");
    const int threads = file_.options.threads;
    list.SetNameValue("BLOSC_NUM_THREADS",
                      threads > 0 ? std::to_string(threads).c_str() : "ALL_CPUS");
    for (const std::string& option : file_.options.creation_options) add_option(option, list);
    return list;
  }

  void add_option(const std::string& option, CPLStringList& list) const {
    const std::optional<CreationOption> sides = split_option(option);
    const bool is_known =
        sides && std::any_of(kStorage.begin(), kStorage.end(),
                             [&](const char* known) { return EQUAL(sides->name.c_str(), known); });
    if (!is_known)
      refuse_option(file_.target, option,
                    "options of Zarr are COMPRESS, BLOCKSIZE, FILTER, CHUNK_MEMORY_LAYOUT, "
                    "DIM_SEPARATOR, and options of the compressions");
    list.SetNameValue(sides->name.c_str(), sides->value.c_str());
  }

  void describe() {
    GDALMDArrayH array = store_.array.get();
    if (file_.options.nodata) check(set_nodata(array) != 0);
    if (!file_.options.unit.empty())
      check(GDALMDArraySetUnit(array, file_.options.unit.c_str()) != 0);
    if (file_.options.georeference && !file_.options.georeference->crs.empty()) {
      const Crs crs = crs_of(file_.options.georeference->crs);
      check(crs && GDALMDArraySetSpatialRef(array, crs.get()) != 0);
    }
    // GDAL writes it by itself only where each axis has coordinates.
    const GUInt64 count = names_.size();
    const MdType text(GDALExtendedDataTypeCreateString(0));
    const MdAttribute axes(
        GDALMDArrayCreateAttribute(array, "_ARRAY_DIMENSIONS", 1, &count, text.get(), nullptr));
    check(axes != nullptr);
    CPLStringList names;
    for (const std::string& name : names_) names.AddString(name.c_str());
    check(GDALAttributeWriteStringArray(axes.get(), names.List()) != 0);
  }

  int set_nodata(GDALMDArrayH array) const {
    return std::visit(
        [&]<class Value>(Value value) {
          if constexpr (std::is_same_v<Value, std::int64_t>)
            return GDALMDArraySetNoDataValueAsInt64(array, value);
          else if constexpr (std::is_same_v<Value, std::uint64_t>)
            return GDALMDArraySetNoDataValueAsUInt64(array, value);
          else
            return GDALMDArraySetNoDataValueAsDouble(array, value);
        },
        *file_.options.nodata);
  }

  /// Copies rows behind those that are held.
  void keep(const View<const void>& rows, std::int64_t first, std::int64_t count) {
    const std::byte* const from = rows.bytes() + first * rows.stride(axis());
    visit_element_type(
        file_.type, [&]<class T>(std::type_identity<T>) { keep_axis<T>(rows, from, 0, 0, count); });
  }

  template <class T>
  void keep_axis(const View<const void>& rows, const std::byte* from, int each, std::int64_t to,
                 std::int64_t count) {
    const bool is_rows = each == axis();
    const std::int64_t cells = is_rows ? count : rows.extent(each);
    const std::int64_t stride = rows.stride(each);
    to = to * (is_rows ? room_ : cells) + (is_rows ? held_ : 0);
    auto* const place = reinterpret_cast<T*>(cells_.data());
    const bool is_last = each + 1 == rows.rank();
    for (std::int64_t i = 0; i < cells; ++i, from += stride, ++to) {
      if (!is_last) {
        keep_axis<T>(rows, from, each + 1, to, count);
        continue;
      }
      T cell{};
      std::memcpy(&cell, from, sizeof cell);
      if constexpr (std::is_floating_point_v<T>)
        if (file_.options.infinite_is_nan && std::isinf(cell))
          cell = std::numeric_limits<T>::quiet_NaN();
      place[to] = cell;
    }
  }

  void write_held() {
    if (file_.checkpoint) file_.checkpoint();
    check(write_zarr(store_.array.get(), {file_.extents, axis(), row_, held_, room_}, file_.type,
                     cells_.data()));
    row_ += held_;
    held_ = 0;
    if (file_.options.progress)
      file_.options.progress(static_cast<double>(row_) /
                             static_cast<double>(file_.extents[axis()]));
  }

  static constexpr std::array kStorage = {
      "COMPRESS",    "BLOCKSIZE",       "FILTER",        "CHUNK_MEMORY_LAYOUT", "DIM_SEPARATOR",
      "BLOSC_CNAME", "BLOSC_CLEVEL",    "BLOSC_SHUFFLE", "BLOSC_BLOCKSIZE",     "BLOSC_NUM_THREADS",
      "ZLIB_LEVEL",  "GZIP_LEVEL",      "LZMA_PRESET",   "LZMA_DELTA",          "ZSTD_LEVEL",
      "DELTA_DTYPE", "LZ4_ACCELERATION"};

  LibraryFile file_;
  std::unique_ptr<GdalSession> session_;
  std::vector<std::string> names_;
  ZarrArray store_;
  std::vector<MdDimension> dimensions_;
  std::int64_t room_ = 1;  // rows of a row of chunks,
  std::int64_t held_ = 0;  // of which so many are held,
  std::int64_t row_ = 0;   // and so many were written before
  std::vector<std::byte> cells_;
};

}  // namespace

bool is_zarr_store(const std::string& name) {
  constexpr std::array kMarks = {"/.zarray", "/.zgroup", "/zarr.json"};
  VSIStatBufL status;
  return std::any_of(kMarks.begin(), kMarks.end(), [&](const char* mark) {
    return VSIStatL((name + mark).c_str(), &status) == 0;
  });
}

ZarrArray open_zarr(const GdalSession& session, const std::filesystem::path& path) {
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 8, 0)
  if (is_zarr_folder(path, true))
    fail(path, "is Zarr of format 3, of which this GDAL knows a draft only; it reads format 2");
#endif
  ZarrArray zarr{.store = open_dataset(session, path, GDAL_OF_MULTIDIM_RASTER),
                 .group = nullptr,
                 .array = nullptr,
                 .plane = nullptr,
                 .extents = {}};
  const auto check = [&](bool is_done) {
    session.check(is_done, path, "cannot be opened by GDAL");
  };
  check(zarr.store != nullptr);
  zarr.group.reset(GDALDatasetGetRootGroup(zarr.store.get()));
  check(zarr.group != nullptr);
  zarr.array = find_array(path, zarr.group.get());
  check(zarr.array != nullptr);
  zarr.extents = extents_of(path, zarr.array.get());
  zarr.plane = first_plane(zarr.array.get(), zarr.extents.rank() == 3 ? "[0,...]" : "");
  check(zarr.plane != nullptr);
  return zarr;
}

bool read_zarr(GDALMDArrayH array, const ZarrRows& rows, ElementType type, std::byte* cells) {
  const Part part(rows);
  return GDALMDArrayRead(array, part.start.data(), part.count.data(), nullptr, part.stride.data(),
                         type_for(type).get(), cells, nullptr, 0) != 0;
}

bool write_zarr(GDALMDArrayH array, const ZarrRows& rows, ElementType type,
                const std::byte* cells) {
  const Part part(rows);
  return GDALMDArrayWrite(array, part.start.data(), part.count.data(), nullptr, part.stride.data(),
                          type_for(type).get(), cells, nullptr, 0) != 0;
}

std::int64_t chunk_extent(GDALMDArrayH array, int axis) {
  std::size_t rank = 0;
  GUInt64* const sizes = GDALMDArrayGetBlockSize(array, &rank);
  const auto place = static_cast<std::size_t>(axis);
  const GUInt64 cells = sizes != nullptr && place < rank ? sizes[place] : 1;
  CPLFree(sizes);
  return static_cast<std::int64_t>(std::clamp<GUInt64>(cells, 1, kLongestAxis));
}

std::unique_ptr<LibraryWriter> write_zarr(const LibraryFile& file) {
  return std::make_unique<ZarrWriter>(file);
}

}  // namespace thiessen::io
