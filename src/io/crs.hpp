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

/// The unit of the coordinates of a coordinate reference system.
struct CrsUnit {
  std::string name;   ///< "metre", "US survey foot"
  double metres = 1;  ///< its length
};

/// That of a projected one given as WKT; empty for others, for "", and if it tells of none.
std::optional<CrsUnit> linear_unit_of(const std::string& wkt);

/// The figure of the Earth that a coordinate reference system has.
struct CrsEllipsoid {
  double radius = 0;  ///< at the equator, in metres
  double flattening = 0;
};

/// That of one given as WKT; empty if the text is, or if it tells of none.
std::optional<CrsEllipsoid> ellipsoid_of(const std::string& wkt);

}  // namespace thiessen::io
