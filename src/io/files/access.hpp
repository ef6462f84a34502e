// SPDX-License-Identifier: Apache-2.0
//
// What files may do when they are opened. They may come from strangers.
#pragma once

#include <string>
#include <vector>

namespace thiessen::io {

/// By default a file is opened in the format of its name's suffix, by a driver of GDAL that neither
/// uses the network nor opens other files than those of the format. A .vrt may name rasters in its
/// own folder and below, and may hold only plain sources.
struct Access {
  /// The suffix, such as "tif", for files whose own names give no format.
  std::string format = {};
  /// Short names of GDAL drivers that may open every file, and everything that it names.
  std::vector<std::string> drivers = {};
  /// Whether names of files, and files, may lead to the network.
  bool remote = false;
};

/// Holds for the whole process, like the state of GDAL. Call it before the first file is opened:
/// later calls do not change what the network is open to.
void set_access(Access access);

const Access& access() noexcept;

}  // namespace thiessen::io
