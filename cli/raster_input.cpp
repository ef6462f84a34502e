// SPDX-License-Identifier: Apache-2.0
#include "raster_input.hpp"

#include "arguments.hpp"
#include "memory.hpp"

namespace thiessen::cli {

io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options) {
  require_memory_for_file(path, 1);
  return as_usage([&] { return io::read_raster(path, options); });
}

}  // namespace thiessen::cli
