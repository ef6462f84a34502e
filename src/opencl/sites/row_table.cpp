// SPDX-License-Identifier: Apache-2.0
#include "opencl/sites/row_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>

#include "core/base/cell_access.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::opencl {
namespace {

/// Packs the classes of 32 cells into bits; only that of a site is odd. The product moves byte i
/// of eight to bit 56 + i.
std::uint32_t word_of(const std::uint8_t* classes) {
  static_assert(kFreeCell % 2 == 0 && kSiteCell % 2 == 1 && kNodataCell % 2 == 0);
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word = 0;
  for (std::int64_t byte = 0; byte < 4; ++byte) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, classes + 8 * byte, sizeof eight);
    const std::uint64_t bits = (eight & 0x0101010101010101u) * 0x0102040810204080u >> 56;
    word |= static_cast<std::uint32_t>(bits) << 8 * byte;
  }
  return word;
}

std::int32_t base_of(std::int64_t word) { return static_cast<std::int32_t>(32 * word); }

}  // namespace

RowTable::RowTable(Scratch::Frame& scratch, const Axes& extent)
    : rows_(extent[0] * extent[1]),
      row_words_((extent[2] + 31) / 32),
      words_(scratch.array<std::uint32_t>(count())),
      before_(scratch.array<std::int32_t>(count())),
      after_(scratch.array<std::int32_t>(count())) {}

bool RowTable::read(ContextState& state, const Problem& problem, const View<const void>& sites) {
  const bool has_sites = read_bits(state, problem, sites);
  parallel_for(state, rows_, rows_per_task(row_words_), 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row) carry(row);
               });
  return has_sites;
}

/// Goes by chunks, since a raster may have few rows and long ones.
bool RowTable::read_bits(ContextState& state, const Problem& problem,
                         const View<const void>& sites) {
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  const std::int64_t chunks = (width + kChunk - 1) / kChunk;
  const std::int64_t chunk_cells = std::min(width, kChunk);
  const CellReader cells(sites);
  std::atomic<bool> has_sites{false};
  const auto read_chunk = [&](std::int64_t row, std::int64_t x) {
    const std::int64_t count = std::min(kChunk, width - x);
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes;
    classify(problem.rule, cells.read(row / height, row % height, x, count, buffer), count,
             classes.data());
    std::fill(classes.begin() + count, classes.begin() + (count + 31) / 32 * 32, kFreeCell);
    std::uint32_t* word = words_ + row * row_words_ + x / 32;
    std::uint32_t any = 0;
    for (std::int64_t i = 0; i < count; i += 32) any |= * word++ = word_of(classes.data() + i);
    if (any != 0) has_sites.store(true, std::memory_order_relaxed);
  };
  parallel_for(state, rows_ * chunks, rows_per_task(chunk_cells), 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t i = begin; i < end; ++i)
                   read_chunk(i / chunks, i % chunks * kChunk);
               });
  return has_sites.load();
}

void RowTable::carry(std::int64_t row) {
  const std::int64_t first = row * row_words_;
  std::int32_t carried = -1;
  for (std::int64_t i = 0; i < row_words_; ++i) {
    const std::uint32_t word = words_[first + i];
    before_[first + i] = carried;
    if (word != 0) carried = base_of(i) + 31 - std::countl_zero(word);
  }
  carried = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t i = row_words_ - 1; i >= 0; --i) {
    const std::uint32_t word = words_[first + i];
    after_[first + i] = carried;
    if (word != 0) carried = base_of(i) + std::countr_zero(word);
  }
}

}  // namespace thiessen::opencl
