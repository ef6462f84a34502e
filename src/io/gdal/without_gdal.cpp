// SPDX-License-Identifier: Apache-2.0
//
// What a build without GDAL does instead.
#include "io/files/input_files.hpp"
#include "io/files/io_error.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/gdal.hpp"
#include "io/table/area_clip.hpp"
#include "io/table/vector_file.hpp"

namespace thiessen::io {
namespace {

[[noreturn]] void fail_without_gdal(const std::filesystem::path& path, const std::string& what) {
  fail(path, what + ", and this build has no GDAL");
}

}  // namespace

bool has_gdal() noexcept { return false; }

std::optional<RasterFile> read_gdal_raster(const std::filesystem::path&, const ReadOptions&) {
  return std::nullopt;
}

std::unique_ptr<RowReader> open_gdal_rows(const std::filesystem::path&, const ReadOptions&) {
  return nullptr;
}

std::optional<RasterInfo> inspect_gdal_raster(const std::filesystem::path&, int) {
  return std::nullopt;
}

std::vector<std::filesystem::path> files_of_input(const std::filesystem::path& name) {
  return {part_of(name).file};
}

bool is_gdal_raster(const std::filesystem::path&) { return false; }
bool is_gdal_vector(const std::filesystem::path&) { return false; }

std::string gdal_advice(const std::filesystem::path&) {
  return ", and this build has no GDAL to read others";
}

void require_geotiff(const std::filesystem::path& path, ElementType, const Extents&,
                     const WriteOptions&) {
  fail_without_gdal(path, "is a GeoTIFF");
}

std::string attribute_table_of(const std::filesystem::path&, const WriteOptions&) { return {}; }

std::vector<std::string> read_value_names(const std::filesystem::path&) { return {}; }

std::unique_ptr<RowWriter> write_geotiff_rows(OutputFile& file, ElementType, const Extents&,
                                              const WriteOptions&) {
  fail_without_gdal(file.target(), "is a GeoTIFF");
}

void require_library_format(const std::filesystem::path& path, ElementType, const Extents&,
                            const WriteOptions& options) {
  fail_without_gdal(path, "is written as " + options.format);
}

std::unique_ptr<RowWriter> write_library_rows(OutputFile& file, ElementType, const Extents&,
                                              const WriteOptions& options) {
  fail_without_gdal(file.target(), "is written as " + options.format);
}

std::vector<LayerInfo> inspect_layers(const std::filesystem::path& path) {
  fail_without_gdal(path, "is a vector file");
}

std::string crs_text(const std::string& wkt) { return wkt.empty() ? "" : excerpt(wkt); }

std::optional<CrsEllipsoid> ellipsoid_of(const std::string&) { return std::nullopt; }

std::optional<LengthUnit> length_unit_of(const std::string&) { return std::nullopt; }

bool same_crs(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || a == b;
}

void require_feature_file(const std::filesystem::path& path, bool with_geometry) {
  fail_without_gdal(path, with_geometry ? "is a vector layer" : "is a table");
}

void write_features(OutputFile& file, const Features& features) {
  require_feature_file(file.target(), features.have_geometry());
}

struct AreaClip::State {};

AreaClip::AreaClip(const Polygons&, std::filesystem::path name) {
  fail_without_gdal(name, "is to cut outlines off");
}
AreaClip::~AreaClip() = default;
Polygons AreaClip::clip(const Polygons&) const { return {}; }
Borders AreaClip::clip(const Borders&) const { return {}; }

struct VectorFile::State {};

VectorFile::VectorFile(const std::filesystem::path& path, const VectorOptions&) {
  fail_without_gdal(path, "is a vector file");
}
VectorFile::~VectorFile() = default;
VectorFile::VectorFile(VectorFile&&) noexcept = default;
bool VectorFile::has_points_only() const { return false; }
bool VectorFile::has_areas_only() const { return false; }
bool VectorFile::is_empty() const { return true; }
std::int64_t VectorFile::without_geometry() const { return 0; }
std::int64_t VectorFile::unnamed() const { return 0; }
std::array<double, 4> VectorFile::bounds() const { return {}; }
const std::string& VectorFile::crs() const {
  static const std::string none;
  return none;
}
bool VectorFile::degrees() const { return false; }
PointsFile VectorFile::points() const { return {}; }
std::vector<std::pair<LabelValue, std::string>> VectorFile::labelled_texts(
    const std::string&) const {
  return {};
}
ElementType VectorFile::label_type() const { return ElementType::i32; }
const std::vector<std::string>& VectorFile::names() const {
  static const std::vector<std::string> none;
  return none;
}
FeatureAttributes VectorFile::attributes() const { return {}; }
Polygons VectorFile::lines(const Grid&) const { return {}; }
Raster VectorFile::burn(const Grid&) const { return {}; }
void VectorFile::burn_rows(const Grid&, std::int64_t, std::int64_t, std::byte*) const {}
void VectorFile::burn_values(const Grid&, const std::vector<double>&, std::int64_t, std::int64_t,
                             std::byte*) const {}

}  // namespace thiessen::io
