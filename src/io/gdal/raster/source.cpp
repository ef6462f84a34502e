// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/raster/source.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>

#include "io/files/io_error.hpp"
#include "io/gdal/drivers.hpp"
#include "io/raster/exact.hpp"
#include "io/raster/raster_shape.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

constexpr int kMostListed = 8;
constexpr std::int64_t kMostCellBytes = 8;
constexpr double kMostShear = 1e-6;  // cosine of the angle between rows and columns
constexpr std::array<double, 6> kIdentity{0, 1, 0, 0, 0, 1};

/// Walks the chain of directories of a TIFF. GDAL takes a broken chain for its end, and finds a
/// page by its number only by walking past all pages before it.
class TiffDirectories {
 public:
  explicit TiffDirectories(const std::filesystem::path& path)
      : file_(VSIFOpenL(path.c_str(), "rb")) {
    if (!file_ || !read_header()) return;
    std::set<std::uint64_t> seen;
    std::uint64_t next = number(big_ ? 8 : 4);
    while (next != 0 && seen.insert(next).second) {
      positions_.push_back(next);
      next = next_after(next);
    }
    is_broken_ = failed_ || next != 0;
  }

  /// Their positions in the file; empty if the name is not a TIFF but a page.
  const std::vector<std::uint64_t>& positions() const noexcept { return positions_; }
  bool is_broken() const noexcept { return is_broken_; }

  /// Whether a page has several planes, of which GDAL knows only the first.
  bool has_depth() const noexcept { return has_depth_; }

 private:
  bool read_header() {
    const std::uint64_t order = number(2);
    swapped_ = order != (std::endian::native == std::endian::little ? 0x4949 : 0x4d4d);
    if (order != 0x4949 && order != 0x4d4d) return false;
    const std::uint64_t version = number(2);
    big_ = version == 43;
    if (big_) number(4);
    return !failed_ && (big_ || version == 42);
  }

  std::uint64_t next_after(std::uint64_t directory) {
    failed_ = failed_ || VSIFSeekL(file_.get(), directory, SEEK_SET) != 0;
    const std::uint64_t entries = number(big_ ? 8 : 2);
    failed_ = failed_ || entries > std::numeric_limits<std::uint16_t>::max();
    for (std::uint64_t entry = 0; entry < entries && !failed_; ++entry) read_entry();
    return number(big_ ? 8 : 4);
  }

  void read_entry() {
    constexpr std::uint64_t kImageDepth = 32997;
    constexpr std::uint64_t kShort = 3;
    const std::uint64_t tag = number(2);
    const int value_bytes = number(2) == kShort ? 2 : 4;
    const int field_bytes = big_ ? 8 : 4;
    number(field_bytes);
    const std::uint64_t value = number(value_bytes);
    number(field_bytes - value_bytes);
    has_depth_ = has_depth_ || (tag == kImageDepth && value > 1);
  }

  std::uint64_t number(int bytes) {
    std::array<unsigned char, 8> raw{};
    const auto count = static_cast<std::size_t>(bytes);
    failed_ = failed_ || VSIFReadL(raw.data(), 1, count, file_.get()) != count;
    const bool little = (std::endian::native == std::endian::little) != swapped_;
    if (!little) std::reverse(raw.begin(), raw.begin() + bytes);
    std::uint64_t value = 0;
    for (int byte = bytes - 1; byte >= 0; --byte) {
      value = value << 8 | raw[static_cast<std::size_t>(byte)];
    }
    return failed_ ? 0 : value;
  }

  Released<VSILFILE*, VSIFCloseL> file_;
  bool swapped_ = false;
  bool big_ = false;
  bool failed_ = false;
  bool is_broken_ = false;
  bool has_depth_ = false;
  std::vector<std::uint64_t> positions_;
};

/// The names of the rasters in a set of rasters.
std::vector<std::string> subdatasets(GDALDatasetH dataset) {
  char** const items = GDALGetMetadata(dataset, "SUBDATASETS");
  std::vector<std::string> names;
  for (int i = 1;; ++i) {
    const std::string key = "SUBDATASET_" + std::to_string(i) + "_NAME";
    const char* const name = CSLFetchNameValue(items, key.c_str());
    if (name == nullptr) return names;
    names.emplace_back(name);
  }
}

[[noreturn]] void refuse_set(const std::filesystem::path& path,
                             const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMostListed; ++i) list += " " + names[i];
  if (names.size() > kMostListed) list += " and others";
  fail(path, "holds " + std::to_string(names.size()) +
                 " rasters; name one of them in place of the file:" + one_line(list));
}

/// GDAL calls the pages GTIFF_DIR:<number>:<path>.
std::vector<std::string> further_pages(const std::filesystem::path& path,
                                       const std::vector<std::uint64_t>& positions,
                                       const std::vector<std::string>& names) {
  constexpr std::string_view kPrefix = "GTIFF_DIR:";
  std::vector<std::string> pages;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string number = names[i].substr(std::min(names[i].size(), kPrefix.size()));
    std::size_t directory = 0;
    std::from_chars(number.data(), number.data() + number.size(), directory);
    const bool found = directory >= 1 && directory <= positions.size();
    pages.push_back(found ? std::string(kPrefix) + "off:" +
                                std::to_string(positions[directory - 1]) + ":" + path.string()
                          : names[i]);
  }
  return pages;
}

/// Refuses files in which ImageJ wrote a stack of more than 4 GB as one page with data after it,
/// which no reader of TIFF finds.
void refuse_hidden_pages(const std::filesystem::path& path, GDALDatasetH dataset,
                         std::size_t pages) {
  const char* const text = GDALGetMetadataItem(dataset, "TIFFTAG_IMAGEDESCRIPTION", nullptr);
  const std::string_view description = text == nullptr ? "" : text;
  const std::size_t start = description.find("images=");
  if (!description.starts_with("ImageJ=") || start == std::string_view::npos) return;
  std::size_t images = 0;
  std::from_chars(description.data() + start + 7, description.data() + description.size(), images);
  if (images <= pages) return;
  fail(path, "is an ImageJ stack of " + std::to_string(images) + " planes, of which only " +
                 std::to_string(pages) +
                 " are pages of the TIFF; save it from ImageJ as separate or smaller files");
}

/// The length of a cell's side. That of a turned grid comes in two parts, which have lost its last
/// digits: 14 of them are read.
double length(double x, double y) {
  if (x == 0 || y == 0) return std::abs(x + y);
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, std::hypot(x, y), std::chars_format::general, 14).ptr;
  double read = 0;
  std::from_chars(text, end, read);
  return read;
}

/// Throws unless rows and columns are at right angles and cells have an area.
void check_transform(const std::filesystem::path& path, const std::array<double, 6>& t) {
  const double width = length(t[1], t[4]);
  const double height = length(t[2], t[5]);
  const bool finite =
      std::all_of(t.begin(), t.end(), [](double value) { return std::isfinite(value); });
  if (!finite || !(width > 0) || !(height > 0) || !std::isfinite(width * height)) {
    fail(path, "has a geotransform without an area, or that is not finite");
  }
  const double cosine = (t[1] / width) * (t[2] / height) + (t[4] / width) * (t[5] / height);
  if (std::abs(cosine) > kMostShear) {
    fail(path,
         "has a sheared geotransform: rows and columns are not at right angles; warp it to a grid "
         "where they are, as gdalwarp does");
  }
}

}  // namespace

bool is_tiff(GDALDatasetH dataset) {
  GDALDriverH driver = GDALGetDatasetDriver(dataset);
  return driver != nullptr && std::string_view(GDALGetDriverShortName(driver)) == "GTiff";
}

std::optional<GdalSource> open_source(const GdalSession& session,
                                      const std::filesystem::path& path) {
  if (!drivers_for(path).empty() && is_zarr_store(path.string())) {
    GdalSource array;
    array.zarr = open_zarr(session, path);
    return array;
  }
  GdalSource source{open_dataset(session, path, GDAL_OF_RASTER)};
  GDALDatasetH dataset = source.first_page.get();
  if (dataset == nullptr) return std::nullopt;
  const std::vector<std::string> names = subdatasets(dataset);
  const bool has_bands = GDALGetRasterCount(dataset) > 0;
  if (is_tiff(dataset) && has_bands) {
    const TiffDirectories directories(path);
    if (directories.is_broken()) fail(path, "is a TIFF that ends before its last page");
    if (directories.has_depth()) {
      fail(path,
           "is a TIFF of pages with several planes (tag ImageDepth), of which GDAL reads but the "
           "first; save it with one plane a page");
    }
    source.further_pages = further_pages(path, directories.positions(), names);
    refuse_hidden_pages(path, dataset, std::max<std::size_t>(names.size(), 1));
  } else if (!names.empty()) {
    refuse_set(path, names);
  }
  if (!has_bands) fail(path, "has no raster band");
  return source;
}

namespace {

struct CellType {
  GDALDataType gdal;
  ElementType own;
};

/// The first row of a type of GDAL is what it is by itself.
constexpr CellType kCellTypes[] = {
    {GDT_Byte, ElementType::u8},     {GDT_UInt16, ElementType::u16},
    {GDT_Int16, ElementType::i16},   {GDT_UInt32, ElementType::u32},
    {GDT_Int32, ElementType::i32},   {GDT_UInt64, ElementType::u64},
    {GDT_Int64, ElementType::i64},   {GDT_Float32, ElementType::f32},
    {GDT_Float64, ElementType::f64}, {GDT_Byte, ElementType::boolean},
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
    {GDT_Int8, ElementType::i8},
#else
    {GDT_Byte, ElementType::i8},  // with an option of its own
#endif
};

}  // namespace

ElementType element_type_of(const std::filesystem::path& path, GDALRasterBandH band) {
  const auto has = [band](const char* item, std::string_view wanted) {
    const char* const value = GDALGetMetadataItem(band, item, "IMAGE_STRUCTURE");
    return value != nullptr && value == wanted;
  };
  const GDALDataType type = GDALGetRasterDataType(band);
  if (type == GDT_Byte && has("PIXELTYPE", "SIGNEDBYTE")) return ElementType::i8;
  if (type == GDT_Byte && has("NBITS", "1") && is_tiff(GDALGetBandDataset(band)))
    return ElementType::boolean;
  const auto* const found = std::ranges::find(kCellTypes, type, &CellType::gdal);
  if (found != std::end(kCellTypes)) return found->own;
  fail(path, std::string("has cells of type ") + GDALGetDataTypeName(type) +
                 "; cells are integers or floats");
}

GDALDataType gdal_type_of(ElementType type) {
  return std::ranges::find(kCellTypes, type, &CellType::own)->gdal;
}

namespace {

/// The grid of so many pages like this one; of none: without an axis of pages.
Grid grid_of_pages(const std::filesystem::path& path, GDALDatasetH page,
                   std::optional<std::int64_t> planes) {
  const std::int64_t pages = planes.value_or(1);

  const std::int64_t height = GDALGetRasterYSize(page);
  const std::int64_t width = GDALGetRasterXSize(page);
  if (height < 1 || width < 1 || height > kLongestAxis || width > kLongestAxis) {
    fail(path, "has " + text_of({height, width}) + " cells; an axis has 1 to " +
                   std::to_string(kLongestAxis));
  }
  if (pages > std::numeric_limits<std::int64_t>::max() / kMostCellBytes / height / width) {
    fail(path, "promises " + text_of({pages, height, width}) + " cells; 2^63 bytes are too many");
  }
  Grid grid{.extents = planes ? Extents{pages, height, width} : Extents{height, width}};
  Georeference world;
  if (GDALGetGeoTransform(page, world.transform.data()) != CE_None ||
      world.transform == kIdentity) {
    return grid;
  }
  const std::array<double, 6>& t = world.transform;
  check_transform(path, t);
  OGRSpatialReferenceH crs = GDALGetSpatialRef(page);
  world.crs = wkt_of(crs);
  world.degrees = is_in_degrees(crs);
  if (!world.degrees) {
    if (planes) grid.spacing.push_back(1);
    grid.spacing.push_back(length(t[2], t[5]));
    grid.spacing.push_back(length(t[1], t[4]));
  }
  grid.georeference = std::move(world);
  return grid;
}

}  // namespace

Grid grid_of(const std::filesystem::path& path, const GdalSource& source) {
  const bool is_deep = source.zarr ? source.zarr->extents.rank() == 3 : source.pages() > 1;
  const std::int64_t planes = source.zarr ? source.zarr->extents[0] : source.pages();
  return grid_of_pages(path, source.first(), is_deep ? std::optional(planes) : std::nullopt);
}

std::optional<LabelValue> nodata_of(const GdalSource& source, GDALRasterBandH band,
                                    ElementType type) {
  std::optional<LabelValue> nodata = nodata_of(band, type);
  const bool is_zero = nodata && std::visit([](auto value) { return value == 0; }, *nodata);
  return source.zarr && is_zero ? std::nullopt : nodata;
}

std::optional<LabelValue> nodata_of(GDALRasterBandH band, ElementType type) {
  int there = 0;
  if (type == ElementType::i64) {
    const std::int64_t value = GDALGetRasterNoDataValueAsInt64(band, &there);
    return there != 0 ? std::optional<LabelValue>(value) : std::nullopt;
  }
  if (type == ElementType::u64) {
    const std::uint64_t value = GDALGetRasterNoDataValueAsUInt64(band, &there);
    return there != 0 ? std::optional<LabelValue>(value) : std::nullopt;
  }
  double value = GDALGetRasterNoDataValue(band, &there);
  if (there == 0) return std::nullopt;
  // A decimal number in the file stands for the float nearest to it.
  const bool finite = std::isfinite(value) && std::isfinite(static_cast<float>(value));
  if (type == ElementType::f32 && finite) value = static_cast<float>(value);
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) -> std::optional<LabelValue> {
    if (!cast_exactly<T>(value)) return std::nullopt;
    if constexpr (std::is_floating_point_v<T>) return value;
    return static_cast<std::int64_t>(value);
  });
}

Extents block_of(GDALRasterBandH band) {
  int width = 1, height = 1;
  GDALGetBlockSize(band, &width, &height);
  return {height, width};
}

Scaling scaling_of(GDALRasterBandH band) {
  return {.scale = GDALGetRasterScale(band, nullptr), .offset = GDALGetRasterOffset(band, nullptr)};
}

}  // namespace thiessen::io
