// SPDX-License-Identifier: Apache-2.0
//
// Writes tables and vector layers by GDAL's vector drivers.
#include <cpl_string.h>
#include <ogr_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "io/files/io_error.hpp"
#include "io/files/lower_case.hpp"
#include "io/gdal/session.hpp"
#include "io/gdal/vector/geometry.hpp"
#include "io/gdal/vector/layer.hpp"
#include "io/table/feature_file.hpp"

namespace thiessen::io {
namespace {

struct VectorFormat {
  std::string_view suffix;
  const char* driver;
  bool geometry;  ///< takes layers
  bool table;     ///< takes tables without geometry
  bool measures;  ///< takes LINESTRING M
};

constexpr std::array kVectorFormats = std::to_array<VectorFormat>({
    {".csv", "CSV", false, true, false},
    {".gpkg", "GPKG", true, true, true},
    {".geojson", "GeoJSON", true, false, false},
    {".json", "GeoJSON", true, false, false},
    {".fgb", "FlatGeobuf", true, false, true},
    {".shp", "ESRI Shapefile", true, false, true},
    {".parquet", "Parquet", false, true, false},
});

std::string suffixes(bool with_geometry) {
  std::string list;
  for (const VectorFormat& format : kVectorFormats)
    if (with_geometry ? format.geometry : format.table)
      list += (list.empty() ? "" : ", ") + std::string(format.suffix);
  return list;
}

const VectorFormat& format_of(const std::filesystem::path& path, bool with_geometry) {
  const std::string suffix = lower_case(path.extension().string());
  for (const VectorFormat& format : kVectorFormats)
    if (format.suffix == suffix && (with_geometry ? format.geometry : format.table)) return format;
  fail(path, std::string("has no suffix of a format for ") +
                 (with_geometry ? "vector layers: " : "tables: ") + suffixes(with_geometry));
}

bool fit_32_bits(const std::vector<std::int64_t>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](std::int64_t value) { return std::in_range<std::int32_t>(value); });
}

using Field = Released<OGRFieldDefnH, OGR_Fld_Destroy>;

class FeatureWriter {
 public:
  FeatureWriter(OutputFile& file, const Features& features)
      : file_(file),
        features_(features),
        format_(format_of(file.target(), features.have_geometry())),
        measured_(features.lines && !features.lines->measures.empty() && format_.measures) {}

  void write() {
    create_layer();
    create_fields();
    const bool in_one = GDALDatasetTestCapability(dataset_.get(), ODsCTransactions) != 0 &&
                        GDALDatasetStartTransaction(dataset_.get(), FALSE) == OGRERR_NONE;
    for (std::int64_t row = 0; row < features_.rows; ++row) {
      constexpr std::int64_t kRows = 1024;
      if (row % kRows == 0) file_.check();
      write_row(row);
    }
    if (in_one) check(GDALDatasetCommitTransaction(dataset_.get()) == OGRERR_NONE);
    dataset_.reset();
    check(true);
  }

 private:
  void check(bool is_done) const { session_.check(is_done, file_.target(), "cannot be written"); }

  OGRwkbGeometryType geometry_type() const {
    if (features_.polygons != nullptr) return wkbMultiPolygon;
    if (!features_.lines) return wkbNone;
    return measured_ ? wkbLineStringM : wkbLineString;
  }

  void create_layer() {
    GDALDriverH driver = GDALGetDriverByName(format_.driver);
    const std::string name = file_.library_name().string();
    dataset_.reset(GDALCreate(driver, name.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    check(dataset_ != nullptr);
    const Crs crs = crs_of(features_.georeference.crs);
    CPLStringList options;
    if (EQUAL(format_.driver, "ESRI Shapefile")) options.SetNameValue("ENCODING", "UTF-8");
    if (EQUAL(format_.driver, "CSV")) options.SetNameValue("STRING_QUOTING", "IF_NEEDED");
    layer_ = GDALDatasetCreateLayer(dataset_.get(), file_.target().stem().c_str(), crs.get(),
                                    geometry_type(), options.List());
    check(layer_ != nullptr);
  }

  void create_fields() {
    std::set<std::string> taken = {"fid", "geom", "ogr_geometry"};
    for (const Column& column : features_.columns) {
      std::string name = column.name;
      for (int i = 2; !taken.insert(lower_case(name)).second; ++i)
        name = column.name + "_" + std::to_string(i);
      OGRFieldType type = std::ranges::find(kFieldTypes, column.kind, &FieldType::kind)->type;
      if (type == OFTInteger64 && fit_32_bits(column.integers)) type = OFTInteger;
      const Field field(OGR_Fld_Create(name.c_str(), type));
      if (column.kind == ColumnKind::boolean) OGR_Fld_SetSubType(field.get(), OFSTBoolean);
      check(OGR_L_CreateField(layer_, field.get(), TRUE) == OGRERR_NONE);
    }
  }

  void write_row(std::int64_t row) {
    const Feature feature(OGR_F_Create(OGR_L_GetLayerDefn(layer_)));
    for (std::size_t i = 0; i < features_.columns.size(); ++i)
      set_field(feature.get(), static_cast<int>(i), features_.columns[i],
                static_cast<std::size_t>(row));
    if (features_.polygons != nullptr)
      check(OGR_F_SetGeometryDirectly(feature.get(), multipolygon(row)) == OGRERR_NONE);
    else if (features_.lines)
      check(OGR_F_SetGeometryDirectly(feature.get(), line(row)) == OGRERR_NONE);
    check(OGR_L_CreateFeature(layer_, feature.get()) == OGRERR_NONE);
  }

  static void set_field(OGRFeatureH feature, int field, const Column& column, std::size_t row) {
    if (!column.missing.empty() && column.missing[row]) return OGR_F_SetFieldNull(feature, field);
    switch (column.kind) {
      case ColumnKind::integer:
      case ColumnKind::boolean:
        return OGR_F_SetFieldInteger64(feature, field, column.integers[row]);
      case ColumnKind::real:
        if (std::isnan(column.reals[row])) return OGR_F_SetFieldNull(feature, field);
        return OGR_F_SetFieldDouble(feature, field, column.reals[row]);
      default:
        return OGR_F_SetFieldString(feature, field, column.texts[row].c_str());
    }
  }

  /// The points begin … end - 1 of a list of coordinates in cells, in the world.
  void take_points(std::span<const double> coordinates, std::int64_t begin, std::int64_t end) {
    const std::array<double, 6>& t = features_.georeference.transform;
    xs_.clear();
    ys_.clear();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      constexpr double kCorner = 0.5;  // world coordinates count from the corner of the first cell
      const double row = coordinates[2 * i] + kCorner, column = coordinates[2 * i + 1] + kCorner;
      xs_.push_back(t[0] + column * t[1] + row * t[2]);
      ys_.push_back(t[3] + column * t[4] + row * t[5]);
    }
  }

  void set_points(OGRGeometryH line) const {
    constexpr int kStride = sizeof(double);
    OGR_G_SetPoints(line, static_cast<int>(xs_.size()), xs_.data(), kStride, ys_.data(), kStride,
                    nullptr, 0);
  }

  OGRGeometryH multipolygon(std::int64_t region) {
    const Polygons& all = *features_.polygons;
    OGRGeometryH result = OGR_G_CreateGeometry(wkbMultiPolygon);
    const auto at = [](const std::vector<std::int64_t>& list, std::int64_t i) {
      return list[static_cast<std::size_t>(i)];
    };
    for (std::int64_t part = at(all.parts, region); part < at(all.parts, region + 1); ++part) {
      OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
      for (std::int64_t i = at(all.rings, part); i < at(all.rings, part + 1); ++i) {
        OGRGeometryH ring = OGR_G_CreateGeometry(wkbLinearRing);
        take_points(all.coordinates, at(all.points, i), at(all.points, i + 1));
        set_points(ring);
        OGR_G_AddGeometryDirectly(polygon, ring);
      }
      OGR_G_AddGeometryDirectly(result, polygon);
    }
    return result;
  }

  OGRGeometryH line(std::int64_t number) {
    const Lines& all = *features_.lines;
    const auto first = all.points[static_cast<std::size_t>(number)];
    const auto end = all.points[static_cast<std::size_t>(number) + 1];
    take_points(all.coordinates, first, end);
    OGRGeometryH line = OGR_G_CreateGeometry(measured_ ? wkbLineStringM : wkbLineString);
    if (!measured_) {
      set_points(line);
      return line;
    }
    constexpr int kStride = sizeof(double);
    OGR_G_SetPointsZM(line, static_cast<int>(xs_.size()), xs_.data(), kStride, ys_.data(), kStride,
                      nullptr, 0, all.measures.data() + first, kStride);
    return line;
  }

  GdalSession session_;
  OutputFile& file_;
  const Features& features_;
  const VectorFormat& format_;
  bool measured_;
  Dataset dataset_;
  OGRLayerH layer_ = nullptr;
  std::vector<double> xs_, ys_;
};

}  // namespace

void require_feature_file(const std::filesystem::path& path, bool with_geometry) {
  const VectorFormat& format = format_of(path, with_geometry);
  const GdalSession session;
  if (GDALGetDriverByName(format.driver) == nullptr)
    fail(path,
         "needs GDAL's driver " + std::string(format.driver) + ", which this GDAL does not have");
}

void write_features(OutputFile& file, const Features& features) {
  FeatureWriter(file, features).write();
}

}  // namespace thiessen::io
