// SPDX-License-Identifier: Apache-2.0
//
// The outputs of a search that goes tile by tile.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_WRITE_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_WRITE_TILE_INL
#undef THIESSEN_CPU_TILES_WRITE_TILE_INL
#else
#define THIESSEN_CPU_TILES_WRITE_TILE_INL
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/write/stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// The place where a search writes: the outputs themselves, or buffers for a tile.
template <class Tiles>
class TileOutputs {
 public:
  using Leaves = TileLeaves<Tiles>;

  TileOutputs(const Job& job, const StagedOutput& labels, const StagedOutput& distance)
      : raster_(job),
        job_(job),
        stages_labels_(job.large_labels && !(Tiles::kStreamsLeaves && job.stream_labels)),
        stages_distance_(job.large_distance && !(Tiles::kStreamsLeaves && job.stream_distance)),
        labels_(job.out_labels, job.extent, labels),
        distance_(job.out_distance, job.extent, distance) {
    if (stages_labels_) job_.stream_labels = false;
    if (stages_distance_) job_.stream_distance = false;
  }

  /// The job, with the outputs to write to.
  const Job& job() const { return job_; }

  /// Call it before a tile whose leaves `open` will be written. If these are not all of its leaves,
  /// rows would be in pieces: then they are written in place.
  void begin(const Area& tile, std::uint32_t open) {
    tile_ = tile;
    buffered_ = open == Leaves::leaves_of_raster(job_, tile) ? open : 0;
    if (stages_labels_) job_.out_labels = buffered_ != 0 ? labels_.begin(tile) : raster_.out_labels;
    if (stages_distance_)
      job_.out_distance = buffered_ != 0 ? distance_.begin(tile) : raster_.out_distance;
  }

  /// Call it now and then while the tile is searched.
  HWY_INLINE void advance() {
    for_each_stream([](TileStream<Tiles>& stream) HWY_ATTR { stream.advance(); });
  }

  /// Takes the leaves that were written since begin(); the leaves `open` were not.
  void end(std::uint32_t open) {
    if (buffered_ == 0) return;
    for_each_stream([&](TileStream<Tiles>& stream) {
      if (open == 0) return stream.queue_tile();
      for (std::uint32_t bits = buffered_ & ~open; bits != 0; bits &= bits - 1)
        stream.write_part(Leaves::leaf_of(tile_, std::countr_zero(bits)));
    });
  }

  /// Whether fill() can be used.
  bool can_fill() const {
    return (stages_labels_ || !job_.out_labels) && (stages_distance_ || !job_.out_distance);
  }

  /// Writes a tile of level 1 or 2 of the far search. rows(z, y) gives the distances of its rows.
  template <class Rows>
  void fill(const Area& tile, std::uint64_t label, const Rows& rows) {
    buffered_ = 0;
    if (stages_labels_) {
      alignas(64) std::byte labels[kLine];
      const std::int64_t element = job_.out_labels.element;
      for (std::int64_t i = 0; i < kLine; i += element)
        std::memcpy(labels + i, &label, static_cast<std::size_t>(element));
      const UniformRow row{load(labels)};
      labels_.fill(tile, [&](std::int64_t, std::int64_t) HWY_ATTR { return row; });
    }
    if (stages_distance_) distance_.fill(tile, rows);
  }

  /// Call it when no tile comes to the right of the last one.
  void finish() {
    for_each_stream([](TileStream<Tiles>& stream) { stream.finish(); });
  }

 private:
  template <class Visit>
  HWY_INLINE void for_each_stream(Visit&& visit) {
    if (stages_labels_) visit(labels_);
    if (stages_distance_) visit(distance_);
  }

  const Job& raster_;
  Job job_;
  bool stages_labels_;
  bool stages_distance_;
  TileStream<Tiles> labels_;
  TileStream<Tiles> distance_;
  Area tile_{};
  std::uint32_t buffered_ = 0;  ///< leaves of the tile that are written into buffers
};

/// Buffers for a tile.
template <class Tiles>
class TileBuffer {
 public:
  StagedOutput staged() {
    return {{cells_[0] + StagedOutput::kLine, cells_[1] + StagedOutput::kLine}, cut_};
  }

 private:
  static constexpr std::int64_t kRows = Tiles::kRowsOfTiles * Tiles::kSize[0] * Tiles::kSize[1];
  static constexpr std::int64_t kCells = Tiles::kSize[0] * Tiles::kSize[1] * Tiles::kSize[2];
  static constexpr std::int64_t kMostBytes = 8;  // bytes of a cell

  alignas(64) std::byte cells_[2][kCells * kMostBytes + 2 * StagedOutput::kLine];
  alignas(64) std::byte cut_[(kRows + 1) * StagedOutput::kLine];
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
