// SPDX-License-Identifier: Apache-2.0
//
// Tables and vector layers as outputs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/output_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/polygons.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

enum class ColumnKind : std::uint8_t { integer, real, text, boolean, date, time, date_time };

/// A column of a table: the list of its kind has a value for each row.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::text;
  std::vector<std::int64_t> integers = {};  ///< also of booleans: 0 or 1
  std::vector<double> reals = {};           ///< NaN is a missing value
  std::vector<std::string> texts = {};      ///< also of dates and times, as OGR writes them
  std::vector<bool> missing = {};           ///< empty: no value is
};

inline Column integer_column(std::string name, std::vector<std::int64_t> values) {
  return {.name = std::move(name), .kind = ColumnKind::integer, .integers = std::move(values)};
}
inline Column real_column(std::string name, std::vector<double> values) {
  return {.name = std::move(name), .kind = ColumnKind::real, .reals = std::move(values)};
}
inline Column text_column(std::string name, std::vector<std::string> values) {
  return {.name = std::move(name), .kind = ColumnKind::text, .texts = std::move(values)};
}

/// The column with these rows of another, in this order; a row -1 has no value.
Column rows_of(const Column& column, const std::vector<std::int64_t>& rows);

/// The same of labels, contiguous, where every row is the linear index of one.
Raster rows_of(const View<const void>& labels, const std::vector<std::int64_t>& rows);

/// Lines: line i has the points points[i] … points[i + 1] - 1, with coordinates as in Polygons.
struct Lines {
  std::span<const std::int64_t> points = {};
  std::span<const double> coordinates = {};
  std::span<const double> measures = {};  ///< of each point; empty: lines have none
};

/// What a file is to hold: columns, and perhaps a geometry for each row.
struct Features {
  std::int64_t rows = 0;
  std::vector<Column> columns = {};
  const Polygons* polygons = nullptr;
  std::optional<Lines> lines = std::nullopt;
  /// That of the cells in which the coordinates are given.
  Georeference georeference = {};

  bool have_geometry() const { return polygons != nullptr || lines; }
};

/// Throws Error{io} if the suffix names no format that is written, or one that this build cannot
/// write. Layers: .gpkg, .geojson and .json, .fgb, .shp. Tables: .csv, .gpkg, and .parquet if GDAL
/// has its driver.
void require_feature_file(const std::filesystem::path& path, bool with_geometry);

/// Writes the file, which must be open for a library. Layer and file have the same name.
///
/// Polygons are written as multipolygons. Lines have their measures (LINESTRING M) where the format
/// takes them; GeoJSON does not. Names of columns that differ in case alone get numbers. Shapefiles
/// cut names to 10 letters, and what they cannot hold is an error. Throws Error{io}.
void write_features(OutputFile& file, const Features& features);

}  // namespace thiessen::io
