// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace thiessen::io {

/// Whether two coordinate reference systems, given as WKT, are the same for x and y: names, order
/// of axes and heights do not count. One that is unknown (empty) is taken to be the other. Throws
/// Error{invalid_argument} for what is no WKT.
bool same_crs(const std::string& a, const std::string& b);

}  // namespace thiessen::io
