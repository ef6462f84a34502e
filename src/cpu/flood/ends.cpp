// SPDX-License-Identifier: Apache-2.0
//
// Makes the codes of a row from the values of its cells, by the kernel that suits their type.
#include "cpu/flood/ends.hpp"

#include <array>

namespace thiessen::cpu::flood {

void StartCodes::write_row(std::int64_t z, std::int64_t y, Code first, Code* out) const {
  const bool plain = (rule_.type == ElementType::i32 || rule_.type == ElementType::u32) &&
                     rule_.selection == SiteSelection::nonzero && !rule_.nodata &&
                     !rule_.complement;
  ChunkBuffer buffer;
  for_each_chunk(z, y, width_, [&](const Chunk& chunk) {
    const std::byte* values = cells_.read(z, y, chunk.x, chunk.count, buffer);
    const Run run{first + static_cast<Code>(chunk.x), chunk.count, none_};
    if (plain)
      return kernels_.values(reinterpret_cast<const std::uint32_t*>(values), out + chunk.x, run);
    std::array<std::uint8_t, kChunk> classes;
    classify(rule_, values, chunk.count, classes.data());
    static_assert(kSiteCell == 1);
    kernels_.classes(classes.data(), out + chunk.x, run);
  });
}

}  // namespace thiessen::cpu::flood
