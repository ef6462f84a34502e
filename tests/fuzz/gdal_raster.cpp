// SPDX-License-Identifier: Apache-2.0
#include "gdal_memory.hpp"
#include "io/raster/raster_file.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const thiessen::fuzz::GdalMemoryFile file(data, size);
  try {
    const thiessen::io::RasterFile read = thiessen::io::read_raster(file.kPath);
    thiessen::fuzz::use_cells(read.raster.bytes(), read.raster.size_bytes());
  } catch (const thiessen::Error&) {
  }
  return 0;
}
