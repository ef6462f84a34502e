// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace thiessen::io {

/// Whether two coordinate reference systems, given as WKT, are the same for x and y: names, order
/// of axes and heights do not count. An unknown one (empty) counts as equal to the other. Throws
/// Error{invalid_argument} for text that is not WKT.
bool same_crs(const std::string& a, const std::string& b);

/// The usual name of a coordinate reference system given as WKT: "EPSG:32631 (WGS 84 / UTM zone
/// 31N)"; its name alone if no register has it; else the beginning of the WKT; "" for "".
std::string crs_text(const std::string& wkt);

/// The figure of the Earth that a coordinate reference system has.
struct CrsEllipsoid {
  double radius = 0;  ///< at the equator, in metres
  double flattening = 0;
};

/// The unit in which a coordinate reference system counts.
struct LengthUnit {
  std::string name = {};    ///< "metre", "US survey foot"
  std::string symbol = {};  ///< "m", "km", "ft" …, or its name
  double metres = 1;        ///< its length
};

/// That of one given as WKT; empty if the text is, or if it is not understood or counts in degrees.
std::optional<LengthUnit> length_unit_of(const std::string& wkt);

/// That of one given as WKT; empty if the text is, or if it tells of none.
std::optional<CrsEllipsoid> ellipsoid_of(const std::string& wkt);

}  // namespace thiessen::io
