// SPDX-License-Identifier: Apache-2.0
//
// Layers and fields of vector files as GDAL opens them. Only gdal_*.cpp include this.
#pragma once

#include <ogr_api.h>

#include <filesystem>
#include <string>

#include "io/gdal/session.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/feature_file.hpp"

namespace thiessen::io {

/// Throws Error{io} if no driver knows the file.
Dataset open_vector(const GdalSession& session, const std::filesystem::path& path);

/// The names of the layers, for messages.
std::string layer_list(GDALDatasetH dataset);
[[noreturn]] void refuse_missing_layer(const std::filesystem::path& path, const std::string& name,
                                       GDALDatasetH dataset);

/// Names and types of the fields, for messages.
std::string field_list(OGRFeatureDefnH features);

/// The types of fields that columns have; the first row of a kind is what is written.
struct FieldType {
  ColumnKind kind;
  OGRFieldType type;
};
inline constexpr FieldType kFieldTypes[] = {
    {ColumnKind::integer, OFTInteger64},  {ColumnKind::integer, OFTInteger},
    {ColumnKind::boolean, OFTInteger},    {ColumnKind::real, OFTReal},
    {ColumnKind::date, OFTDate},          {ColumnKind::time, OFTTime},
    {ColumnKind::date_time, OFTDateTime}, {ColumnKind::text, OFTString}};

/// A column for the values of a field. Throws Error{io} if its name is not UTF-8.
Column column_of(const std::filesystem::path& path, OGRFieldDefnH field);

/// Advice to end the message with that text is not UTF-8.
std::string encoding_advice();

}  // namespace thiessen::io
