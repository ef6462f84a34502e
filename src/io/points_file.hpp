// SPDX-License-Identifier: Apache-2.0
//
// Points from text files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

struct PointsFile {
  int axes = 2;                     ///< 2: x, y; 3: x, y, z
  std::vector<double> coordinates;  ///< x, y[, z] of one point after the other, as in the file
  Raster labels;                    ///< extents (points), or without axes if the file has none

  std::int64_t count() const { return static_cast<std::int64_t>(coordinates.size()) / axes; }
};

struct PointsOptions {
  /// 2: x, y; 3: x, y, z. Without it the file decides.
  std::optional<int> axes = std::nullopt;
  /// Column of the labels by its name in the header; empty: see read_points().
  std::string label_field = {};
  /// Called now and then with the fraction that is read; what it throws ends the read.
  InputFile::Progress progress = {};
};

/// Reads points from text (CSV, TSV, TXT), one a line.
///
/// Lines      end in LF or CRLF, the last one needs no end. Blank lines and lines that begin with #
///            are passed over; so is the byte order mark of UTF-8. A line has at most 2^20 bytes.
/// Columns    are parted by semicolons, commas, tabs or white space: the first of these that the
///            first line holds outside of double quotes. All lines have the same number of columns.
///            A field may stand in double quotes and in spaces.
/// Numbers    as in C, with a decimal point whatever the locale: 3, -1.5, +2e-3.
/// Header     a first line of which no field begins as a number does. The columns named x and y (or
///            easting and northing, lon and lat, long and lat, longitude and latitude, xcoord and
///            ycoord, point_x and point_y: the first such pair) are the coordinates, z the third
///            one, and label (or value, class, id, fid, cat: the first of them) the labels, in any
///            order and case; other columns are left out. With options.axes of 2, z is left out.
/// Positions  without a header, or if it has none of these names: 2 columns are x,y; 3 are
/// x,y,label,
///            or x,y,z if options.axes is 3; 4 are x,y,z,label.
/// Labels     numbers: i32 if all are whole and it holds them, else i64, else u64; f64 if one has a
///            point or an exponent, or is inf or nan.
///
/// A file without points is no error. Takes time linear in the file, 8 bytes a coordinate and up to
/// 16 a label, and while they grow up to twice as much again.
///
/// Throws Error{io} naming file and line: a coordinate that is no finite number, a label that is
/// none or that f64 cannot hold exactly beside those that need it, columns that are missing, named
/// twice or too many.
PointsFile read_points(const std::filesystem::path& path, const PointsOptions& options = {});
PointsFile read_points(InputFile& file, const PointsOptions& options = {});

}  // namespace thiessen::io
