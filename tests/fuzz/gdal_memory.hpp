// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>

#include <cstddef>
#include <cstdint>

namespace thiessen::fuzz {

/// These bytes under the name kPath, for what opens files by GDAL.
class GdalMemoryFile {
 public:
  static constexpr const char* kPath = "/vsimem/input";

  GdalMemoryFile(const std::uint8_t* data, std::size_t size) {
    // GDAL only reads it, but wants a pointer that it might write through.
    auto* const bytes = const_cast<GByte*>(data);
    VSIFCloseL(VSIFileFromMemBuffer(kPath, bytes, size, FALSE));
  }
  ~GdalMemoryFile() { VSIUnlink(kPath); }
  GdalMemoryFile(const GdalMemoryFile&) = delete;
  GdalMemoryFile& operator=(const GdalMemoryFile&) = delete;
};

}  // namespace thiessen::fuzz
