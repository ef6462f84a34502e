// SPDX-License-Identifier: Apache-2.0
//
// Chooses the drivers of GDAL that open a file, by the rules of access.hpp. Only gdal_*.cpp include
// this.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace thiessen::io {

/// Call it once, after GDAL has registered its drivers: it removes those that the user does not
/// want, and the network unless it is allowed.
void confine_gdal();

/// The drivers that may open a file with this name; empty if the name gives no format. Throws
/// Error{io} for a name that leads to the network if that is not allowed, and for a driver that
/// does not exist.
std::vector<std::string> drivers_for(const std::filesystem::path& path);

/// Throws Error{io} for a VRT that does more than join rasters of its own folder, unless the user
/// has named the driver VRT.
void require_plain_vrt(const std::filesystem::path& path);

/// The driver that knows the contents of a file, whatever its name; empty if none does.
std::string driver_by_contents(const std::filesystem::path& path);

}  // namespace thiessen::io
