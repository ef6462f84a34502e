// SPDX-License-Identifier: Apache-2.0
#include "io/raster/formats/pnm.hpp"

#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  thiessen::fuzz::read_bytes(data, size, [](thiessen::io::InputFile& file) {
    const std::string_view start = file.peek(3);
    if (start.size() < 3 || start[0] != 'P' || start[1] < '1' || start[1] > '6') return;
    const thiessen::Raster raster = thiessen::io::read_pnm(file);
    thiessen::fuzz::use_cells(raster.bytes(), raster.size_bytes());
  });
  return 0;
}
