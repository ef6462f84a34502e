// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/vector/layer.hpp"

#include <algorithm>
#include <iterator>

#include "io/files/io_error.hpp"
#include "io/files/utf8.hpp"
#include "io/raster/file_part.hpp"

namespace thiessen::io {
namespace {

template <class Describe>
std::string list(int count, const Describe& describe) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + describe(i);
  return count == 0 ? "none" : one_line(text);
}

FieldInfo field_info(OGRFeatureDefnH features, int index) {
  OGRFieldDefnH field = OGR_FD_GetFieldDefn(features, index);
  return {OGR_Fld_GetNameRef(field), OGR_GetFieldTypeName(OGR_Fld_GetType(field))};
}

/// Least x and y, greatest x and y of the features that have a geometry.
std::optional<std::array<double, 4>> bounds_of(OGRLayerH layer) {
  OGREnvelope box{};
  if (OGR_L_GetGeomType(layer) == wkbNone || OGR_L_GetFeatureCount(layer, 1) < 1) return {};
  if (OGR_L_GetExtent(layer, &box, 1) != OGRERR_NONE || !(box.MinX <= box.MaxX)) return {};
  return std::array<double, 4>{box.MinX, box.MinY, box.MaxX, box.MaxY};
}

}  // namespace

Dataset open_vector(const GdalSession& session, const std::filesystem::path& path) {
  Dataset dataset = open_dataset(session, path, GDAL_OF_VECTOR);
  if (!dataset) fail(path, "is no vector file that GDAL reads");
  return dataset;
}

std::string layer_list(GDALDatasetH dataset) {
  return list(GDALDatasetGetLayerCount(dataset), [dataset](int i) {
    return std::string(OGR_L_GetName(GDALDatasetGetLayer(dataset, i)));
  });
}

void refuse_missing_layer(const std::filesystem::path& path, const std::string& name,
                          GDALDatasetH dataset) {
  fail(path, "has no layer " + excerpt(name) + "; there are: " + layer_list(dataset));
}

std::string field_list(OGRFeatureDefnH features) {
  return list(OGR_FD_GetFieldCount(features), [features](int i) {
    const FieldInfo field = field_info(features, i);
    return field.name + " (" + field.type + ")";
  });
}

std::string encoding_advice() {
  return "; iconv -f WINDOWS-1252 -t UTF-8 converts text, ogr2ogr -oo ENCODING=CP1252 a shapefile";
}

Column column_of(const std::filesystem::path& path, OGRFieldDefnH field) {
  Column column{.name = OGR_Fld_GetNameRef(field)};
  if (!is_utf8(column.name))
    fail(path, "has a field whose name is not UTF-8: " + excerpt(column.name) + encoding_advice());
  const auto* const known =
      std::ranges::find(kFieldTypes, OGR_Fld_GetType(field), &FieldType::type);
  if (known != std::end(kFieldTypes)) column.kind = known->kind;
  if (column.kind == ColumnKind::integer && OGR_Fld_GetSubType(field) == OFSTBoolean)
    column.kind = ColumnKind::boolean;
  return column;
}

std::vector<LayerInfo> inspect_layers(const std::filesystem::path& name) {
  const FilePart part = part_of(name);
  const std::filesystem::path& path = part.file;
  refuse_band(part, "a vector file");
  const GdalSession session;
  const Dataset dataset = open_vector(session, path);
  std::vector<LayerInfo> layers;
  for (int i = 0; i < GDALDatasetGetLayerCount(dataset.get()); ++i) {
    OGRLayerH layer = GDALDatasetGetLayer(dataset.get(), i);
    if (!part.layer.empty() && !EQUAL(part.layer.c_str(), OGR_L_GetName(layer))) continue;
    LayerInfo info;
    info.name = OGR_L_GetName(layer);
    info.geometry = OGRGeometryTypeToName(OGR_L_GetGeomType(layer));
    info.features = OGR_L_GetFeatureCount(layer, 1);
    OGRFeatureDefnH features = OGR_L_GetLayerDefn(layer);
    for (int field = 0; field < OGR_FD_GetFieldCount(features); ++field) {
      info.fields.push_back(field_info(features, field));
    }
    info.crs = wkt_of(OGR_L_GetSpatialRef(layer));
    info.bounds = bounds_of(layer);
    layers.push_back(std::move(info));
  }
  session.check(true, path, "cannot be read");
  if (layers.empty() && !part.layer.empty()) refuse_missing_layer(path, part.layer, dataset.get());
  return layers;
}

}  // namespace thiessen::io
