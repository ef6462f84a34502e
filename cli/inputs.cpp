// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <filesystem>
#include <system_error>

#include "memory.hpp"

namespace thiessen::cli {

std::string check_file_name(const std::string& name) {
  if (name.empty()) return "must name a file";
  if (name[0] == '-') return "'" + name + "' looks like a flag; write ./" + name;
  return {};
}

io::RasterFile read_raster_file(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none) require_memory(static_cast<std::int64_t>(size), 1);
  return as_usage([&] { return io::read_raster(path); });
}

}  // namespace thiessen::cli
