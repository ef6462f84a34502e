// SPDX-License-Identifier: Apache-2.0
#include "io/raster/formats/png.hpp"

#include <zlib.h>

#include <algorithm>

#include "target.hpp"

using namespace std::string_view_literals;

namespace {

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kChunkFrame = 12;  // length, name, check sum

std::uint32_t load(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void store(std::uint32_t word, std::uint8_t* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}

/// Gives every chunk the check sum of what it holds.
void repair_check_sums(std::uint8_t* data, std::size_t size) {
  for (std::size_t at = kSignatureBytes; at + kChunkFrame <= size;) {
    const std::size_t length = load(data + at);
    if (length > size - at - kChunkFrame) return;
    const uLong sum = crc32(0, data + at + 4, static_cast<uInt>(length + 4));
    store(static_cast<std::uint32_t>(sum), data + at + 8 + length);
    at += kChunkFrame + length;
  }
}

}  // namespace

// libFuzzer provides it; without libFuzzer nothing mutates.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

/// Without this, hardly any mutation would pass the check sums.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 != 0) repair_check_sums(data, mutated);
  return mutated;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  thiessen::fuzz::read_bytes(data, size, [](thiessen::io::InputFile& file) {
    if (file.peek(kSignatureBytes) != "\x89PNG\r\n\x1a\n"sv) return;
    const thiessen::Raster raster = thiessen::io::read_png(file);
    thiessen::fuzz::use_cells(raster.bytes(), raster.size_bytes());
  });
  return 0;
}
