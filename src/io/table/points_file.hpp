// SPDX-License-Identifier: Apache-2.0
//
// Reads points from text files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/input_file.hpp"
#include "io/table/feature_file.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

struct PointsFile {
  int axes = 2;                     ///< 2: x, y; 3: x, y, z
  std::vector<double> coordinates;  ///< x, y[, z] of one point after the other, as in the file
  Raster labels;                    ///< extents (points); no axes if the file has none
  std::vector<std::string> names;   ///< of label n at n - 1; empty unless labels are names
  std::vector<Column> columns;      ///< the others by the header, if they are wanted
  bool degrees = false;             ///< the columns are named like longitude and latitude
  std::int64_t unnamed = 0;         ///< points without a name, where labels are names

  std::int64_t count() const { return static_cast<std::int64_t>(coordinates.size()) / axes; }
};

struct PointsOptions {
  /// 2: x, y; 3: x, y, z. Without it the file decides.
  std::optional<int> axes = std::nullopt;
  /// Column of the labels by its name in the header; empty: see read_points().
  std::string label_field = {};
  /// Whether the columns that are neither coordinates nor labels are read, too.
  bool columns = false;
  /// Called now and then with the fraction that is read; what it throws ends the read.
  InputFile::Progress progress = {};
};

/// Reads points from text (CSV, TSV, TXT), one a line.
///
/// Lines      end in LF or CRLF; the last one needs no end. Blank lines and lines that begin with #
///            are skipped, and so is the byte order mark of UTF-8. A line has at most 2^20 bytes.
/// Columns    are separated by semicolons, commas, tabs or white space: the first of these that the
///            first line has outside of double quotes. All lines have the same number of columns. A
///            field may be enclosed in double quotes and spaces.
/// Numbers    as in C, with a decimal point in every locale: 3, -1.5, +2e-3.
/// Header     is a first line in which no field begins like a number. The columns named x and y (or
///            easting and northing, lon and lat, long and lat, longitude and latitude, xcoord and
///            ycoord, point_x and point_y: the first such pair) are the coordinates, z the third
///            one, and label (or value, class, id, fid, cat: the first of them) the labels, in any
///            order and case; other columns are ignored. If options.axes is 2, z is ignored.
/// Positions  count without a header, or if it has none of these names: 2 columns are x,y; 3 are
///            x,y,label, or x,y,z if options.axes is 3; 4 are x,y,z,label.
/// Labels     are i32 if all are whole numbers that fit, else i64, else u64; f64 if one has a point
///            or an exponent, or is inf or nan. In a column that options.label_field names they may
///            be names: if one is no number all are, numbered 1, 2, … by first appearance. A point
///            without a name gets a number of its own, which is its name, too.
/// Text       that is read, as names, other columns and their names, is UTF-8.
/// Others     with options.columns: whole numbers, else real ones, else text; empty ones are
///            missing.
///
/// A file without points is not an error. Takes time linear in the file, 8 bytes a coordinate and
/// up to 16 a label, and up to twice as much again while they grow.
///
/// Throws Error{io} naming file and line: for a coordinate that is not a finite number; for a label
/// that is missing or not a number, or that f64 cannot hold exactly if other labels need f64; for
/// text that is not UTF-8; for columns that are missing, named twice or too many.
PointsFile read_points(const std::filesystem::path& name, const PointsOptions& options = {});
PointsFile read_points(InputFile& file, const PointsOptions& options = {});

}  // namespace thiessen::io
