// SPDX-License-Identifier: Apache-2.0
//
// Writes tiles of leaves to outputs that are larger than the caches.
//
// The rows of a tile are short and lie far apart in memory. Where a row begins or ends within a
// cache line, storing its part makes the processor fetch the line first. Writing whole tiles like
// that takes three times as long as streaming them past the caches, which needs whole lines. So a
// tile is written into a buffer. The lines that its rows complete are streamed from there; lines
// that they only begin are kept until the tile to the right is done. The lines of a tile go out a
// few at a time while the next tile is searched: all at once they would keep the processor waiting.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_WRITE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_WRITE_STREAM_INL
#undef THIESSEN_CPU_TILES_WRITE_STREAM_INL
#else
#define THIESSEN_CPU_TILES_WRITE_STREAM_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/job/tile_shapes.hpp"
#include "cpu/tiles/write/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::int64_t kLine = StagedOutput::kLine;

using DBytes = hn::CappedTag<std::uint8_t, 64>;
using VBytes = hn::Vec<DBytes>;
inline constexpr std::int64_t kBytes = static_cast<std::int64_t>(hn::MaxLanes(DBytes()));

HWY_INLINE VBytes load(const std::byte* from) {
  return hn::LoadU(DBytes(), reinterpret_cast<const std::uint8_t*>(from));
}
HWY_INLINE void store(VBytes v, std::byte* to) {
  hn::StoreU(v, DBytes(), reinterpret_cast<std::uint8_t*>(to));
}
HWY_INLINE void stream(VBytes v, std::byte* to) {
  hn::Stream(v, DBytes(), reinterpret_cast<std::uint8_t*>(to));
}

/// The bytes of a row from `offset` on; `offset` may be less than a line before its beginning. They
/// are in memory …
struct StoredRow {
  const std::byte* cells;
  HWY_INLINE VBytes operator()(std::int64_t offset) const { return load(cells + offset); }
};
/// … or the same in each vector.
struct UniformRow {
  VBytes bytes;
  HWY_INLINE VBytes operator()(std::int64_t) const { return bytes; }
};

/// The place of a tile's row in the output.
struct RowPlace {
  std::byte* to;
  std::int64_t bytes;
  std::byte* cut;  ///< the line that ends with the tile to the left, then the line of this tile
  bool joins;      ///< the tile to the left left a part of a line
};

inline std::int64_t bytes_of_cut_line(const std::byte* to) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % kLine);
}

/// Stores up to a line of a row, and nothing beyond it.
template <class Row>
HWY_INLINE void store_part(const Row& row, std::int64_t offset, std::int64_t bytes, std::byte* to) {
  alignas(64) std::byte line[kLine];
  for (std::int64_t i = 0; i < kLine; i += kBytes) store(row(offset + i), line + i);
  std::memcpy(to, line, static_cast<std::size_t>(bytes));
}

/// Writes a row up to its last whole line, if it has one.
template <class Row>
HWY_INLINE void write_row(const Row& row, const RowPlace& place) {
  const auto& [to, bytes, cut, joins] = place;
  if (bytes < kLine) return store_part(row, 0, bytes, to);
  const std::int64_t before = bytes_of_cut_line(to);
  std::int64_t done = before == 0 ? 0 : kLine - before;
  if (joins && before > 0)
    for (std::int64_t i = 0; i < kLine; i += kBytes) {
      const auto left = static_cast<std::size_t>(std::clamp<std::int64_t>(before - i, 0, kBytes));
      stream(hn::IfThenElse(hn::FirstN(DBytes(), left), load(cut + done + i), row(i - before)),
             to - before + i);
    }
  else if (before > 0)
    store_part(row, 0, done, to);
  for (; done + kLine <= bytes; done += kLine)
    for (std::int64_t i = 0; i < kLine; i += kBytes) stream(row(done + i), to + done + i);
  if (done == bytes) return;
  for (std::int64_t i = 0; i < kLine; i += kBytes) store(row(bytes - kLine + i), cut + i);
}

/// One output. Tiles come row by row of tiles, and each row from left to right. From the far
/// search, tiles of level 2 come as a whole.
template <class Tiles>
class TileStream {
 public:
  TileStream(const Cells<std::byte>& out, const Axes& extent, const StagedOutput& memory)
      : out_(out), extent_(extent), memory_(memory) {
    end_.fill(kNothing);
  }

  /// A buffer for a tile, seen as cells of the raster.
  Cells<std::byte> begin(const Area& tile) {
    tile_ = tile;
    Cells<std::byte> cells = out_;
    cells.stride = {kSize[1] * kSize[2] * out_.element, kSize[2] * out_.element, out_.element};
    // This is an address only after the place of a cell of the tile is added.
    auto first = reinterpret_cast<std::uintptr_t>(memory_.tile[buffer_]);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      first -= static_cast<std::uintptr_t>(tile.first[axis] * cells.stride[axis]);
    cells.bytes = reinterpret_cast<std::byte*>(first);
    return cells;
  }

  /// Takes the whole tile from its buffer; it is written bit by bit.
  void queue_tile() {
    drain();
    waiting_ = {tile_.first, memory_.tile[buffer_], join(tile_), 0};
    buffer_ = 1 - buffer_;
  }

  /// Writes some rows of the last tile that was taken.
  HWY_INLINE void advance() {
    if (waiting_.row < kTileRows)
      write_rows(kTileRows / static_cast<std::int64_t>(TileLeaves<Tiles>::kCount));
  }

  /// Writes a part of the tile now.
  void write_part(const Area& part) const {
    const std::int64_t column = part.first[2] - tile_.first[2];
    const auto bytes = static_cast<std::size_t>(bytes_of(part));
    for_each_row(part.first, part.size, [&](std::int64_t row, std::int64_t z, std::int64_t y) {
      const std::int64_t cell = row * kSize[2] + column;
      std::memcpy(out_.at(z, y, part.first[2]), memory_.tile[buffer_] + cell * out_.element, bytes);
    });
  }

  /// Writes a tile of any level; rows(z, y) gives its rows.
  template <class Rows>
  void fill(const Area& tile, const Rows& rows) {
    drain();
    Area part{tile.first, {kSize[0], kSize[1], tile.size[2]}};
    const std::int64_t end_z = std::min(tile.first[0] + tile.size[0], extent_[0]);
    const std::int64_t end_y = std::min(tile.first[1] + tile.size[1], extent_[1]);
    for (; part.first[0] < end_z; part.first[0] += kSize[0])
      for (part.first[1] = tile.first[1]; part.first[1] < end_y; part.first[1] += kSize[1]) {
        const Joint joint = join(part);
        for_each_row(part.first, part.size, [&](std::int64_t row, std::int64_t z, std::int64_t y) {
          write_row(rows(z, y), joint.place(row, out_.at(z, y, part.first[2])));
        });
      }
  }

  /// Writes everything that waits, also for tiles to the right.
  void finish() {
    drain();
    for (Axes& end : end_) finish(end);
  }

 private:
  static constexpr Axes kSize = Tiles::kSize;
  static constexpr std::int64_t kTileRows = kSize[0] * kSize[1];
  static constexpr Axes kNothing{-1, -1, -1};

  /// How the rows of a tile continue those of another one.
  struct Joint {
    std::int64_t bytes = 0;    ///< bytes of a row
    std::byte* cut = nullptr;  ///< a line for each row
    bool joins = false;

    RowPlace place(std::int64_t row, std::byte* to) const {
      return {to, bytes, cut + row * kLine, joins};
    }
  };

  /// A tile to be written.
  struct Waiting {
    Axes first{};
    const std::byte* cells = nullptr;
    Joint joint;
    std::int64_t row = kTileRows;  ///< the next row
  };

  std::int64_t bytes_of(const Area& part) const {
    return std::min(part.size[2], extent_[2] - part.first[2]) * out_.element;
  }

  std::byte* cut_lines(const Axes& first) const {
    return memory_.cut + static_cast<std::int64_t>(Tiles::row_of_tiles(first)) * kTileRows * kLine;
  }

  /// Appends a tile to its row of tiles.
  Joint join(const Area& part) {
    Axes& end = end_[Tiles::row_of_tiles(part.first)];
    const Joint joint{bytes_of(part), cut_lines(part.first), end == part.first};
    if (!joint.joins || joint.bytes < kLine) finish(end);
    if (joint.bytes >= kLine) {
      end = part.first;
      end[2] += joint.bytes / out_.element;
    }
    return joint;
  }

  /// Calls visit(number, z, y) for the rows, from a cell of a tile on, that lie in the raster.
  template <class Visit>
  HWY_INLINE void for_each_row(const Axes& first, const Axes& size, Visit&& visit) const {
    const std::int64_t end_z = std::min(first[0] + size[0], extent_[0]);
    const std::int64_t end_y = std::min(first[1] + size[1], extent_[1]);
    for (std::int64_t z = first[0]; z < end_z; ++z)
      for (std::int64_t y = first[1]; y < end_y; ++y)
        visit(z % kSize[0] * kSize[1] + y % kSize[1], z, y);
  }

  void drain() {
    if (waiting_.row < kTileRows) write_rows(kTileRows - waiting_.row);
  }

  void write_rows(std::int64_t count) {
    for (const std::int64_t end = waiting_.row + count; waiting_.row < end; ++waiting_.row) {
      const std::int64_t row = waiting_.row;
      const std::int64_t z = waiting_.first[0] + row / kSize[1];
      const std::int64_t y = waiting_.first[1] + row % kSize[1];
      if (z < extent_[0] && y < extent_[1])
        write_row(StoredRow{waiting_.cells + row * kSize[2] * out_.element},
                  waiting_.joint.place(row, out_.at(z, y, waiting_.first[2])));
    }
  }

  /// Writes the parts of lines that are kept for a row of tiles.
  void finish(Axes& end) const {
    if (end == kNothing) return;
    const std::byte* const cut = cut_lines(end);
    for_each_row(end, kSize, [&](std::int64_t row, std::int64_t z, std::int64_t y) {
      std::byte* const to = out_.at(z, y, end[2]);
      const std::int64_t bytes = bytes_of_cut_line(to);
      std::memcpy(to - bytes, cut + (row + 1) * kLine - bytes, static_cast<std::size_t>(bytes));
    });
    end = kNothing;
  }

  Cells<std::byte> out_;
  Axes extent_;
  StagedOutput memory_;
  Area tile_{};
  std::size_t buffer_ = 0;  ///< the buffer of the tile
  Waiting waiting_;
  /// For each row of tiles, the first cell to the right of those that keep parts of lines.
  std::array<Axes, Tiles::kRowsOfTiles> end_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
