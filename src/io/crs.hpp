// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace thiessen::io {

/// Whether two coordinate reference systems, given as WKT, are the same for x and y: names, order
/// of axes and heights do not count. An unknown one (empty) counts as equal to the other. Throws
/// Error{invalid_argument} for text that is not WKT.
bool same_crs(const std::string& a, const std::string& b);

/// The usual name of a coordinate reference system given as WKT: "EPSG:32631 (WGS 84 / UTM zone
/// 31N)"; its name alone if no register has it; else the beginning of the WKT; "" for "".
std::string crs_text(const std::string& wkt);

}  // namespace thiessen::io
