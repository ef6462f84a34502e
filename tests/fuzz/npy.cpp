// SPDX-License-Identifier: Apache-2.0
#include "io/raster/formats/npy.hpp"

#include "target.hpp"

using namespace std::string_view_literals;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  thiessen::fuzz::read_bytes(data, size, [](thiessen::io::InputFile& file) {
    if (!file.peek(6).starts_with("\x93NUMPY"sv)) return;
    const thiessen::Raster raster = thiessen::io::read_npy(file);
    thiessen::fuzz::use_cells(raster.bytes(), raster.size_bytes());
  });
  return 0;
}
