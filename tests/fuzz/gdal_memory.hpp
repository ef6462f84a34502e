// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace thiessen::fuzz {

/// These bytes under the name kPath, for what opens files by GDAL.
class GdalMemoryFile {
 public:
  static constexpr const char* kPath = "/vsimem/input";

  GdalMemoryFile(const std::uint8_t* data, std::size_t size);
  ~GdalMemoryFile();
  GdalMemoryFile(const GdalMemoryFile&) = delete;
  GdalMemoryFile& operator=(const GdalMemoryFile&) = delete;
};

}  // namespace thiessen::fuzz
