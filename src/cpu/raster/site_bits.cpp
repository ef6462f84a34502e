// SPDX-License-Identifier: Apache-2.0
#include "cpu/raster/site_bits.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::raster {
namespace {

/// Packs eight classes into bits; only that of a site is odd. The product moves byte i to bit 56 +
/// i.
std::uint64_t bits_of(const std::uint8_t* classes) {
  static_assert(kFreeCell % 2 == 0 && kSiteCell % 2 == 1 && kNodataCell % 2 == 0);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, classes, sizeof bytes);
  return (bytes & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

/// Packs the bits of a chunk; returns how many are set. Classes have room for whole words.
std::int64_t pack(const std::uint8_t* classes, std::int64_t count, std::uint64_t* words) {
  std::int64_t set = 0;
  for (std::int64_t i = 0; i < count; i += 64) {
    std::uint64_t word = 0;
    for (std::int64_t byte = 0; byte < 8; ++byte)
      word |= bits_of(classes + i + 8 * byte) << 8 * byte;
    set += std::popcount(word);
    *words++ = word;
  }
  return set;
}

}  // namespace

SiteBits read_bits(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                   const ProblemViews& views) {
  const PhaseTimer phase(state, "read sites");
  const std::int64_t rows = problem.extent[0] * problem.extent[1];
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  const std::int64_t row_words = (width + 63) / 64;
  auto* const words = scratch.array<std::uint64_t>(rows * row_words);
  const CellReader cells(views.sites);
  std::atomic<std::int64_t> sites{0};
  parallel_for(
      state, rows, rows_at_once(width), width, [&](std::int64_t begin, std::int64_t end, int) {
        ChunkBuffer buffer;
        std::array<std::uint8_t, kChunk> classes;
        std::int64_t found = 0;
        for (std::int64_t row = begin; row < end; ++row)
          for_each_chunk(row / height, row % height, width, [&](const Chunk& chunk) {
            const std::byte* const from =
                cells.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer);
            classify(problem.rule, from, chunk.count, classes.data());
            std::fill(classes.begin() + chunk.count, classes.end(), kFreeCell);
            found += pack(classes.data(), chunk.count, words + row * row_words + chunk.x / 64);
          });
        sites.fetch_add(found, std::memory_order_relaxed);
      });
  return {words, row_words, height, sites};
}

SiteTable list_sites(Scratch::Frame& scratch, const Problem& problem, const SiteBits& bits) {
  SiteTable table{.count = bits.count};
  std::int32_t* next[kAxes];
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    table.at[axis] = next[axis] = scratch.array<std::int32_t>(bits.count);
  for (std::int64_t z = 0; z < problem.extent[0]; ++z)
    for (std::int64_t y = 0; y < problem.extent[1]; ++y)
      for_each_bit(bits.row(z, y), bits.row_words, [&](std::int64_t x) {
        *next[0]++ = static_cast<std::int32_t>(z);
        *next[1]++ = static_cast<std::int32_t>(y);
        *next[2]++ = static_cast<std::int32_t>(x);
      });
  return table;
}

}  // namespace thiessen::cpu::raster
