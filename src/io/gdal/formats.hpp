// SPDX-License-Identifier: Apache-2.0
//
// Finds the format of a file from its name. Only gdal_*.cpp include this.
#pragma once

#include <string>
#include <vector>

namespace thiessen::io {

/// GDAL's short names of the drivers for the suffix of a name, else for the format of access.hpp.
/// For a name that is not a file, such as NETCDF:"a.nc":b, it is the driver in front. Empty if the
/// name gives none. Throws Error{io} if the format is not one of these suffixes.
std::vector<std::string> drivers_of_name(const std::string& name);

/// The drivers for all suffixes.
std::vector<std::string> drivers_of_all_suffixes();

}  // namespace thiessen::io
