// SPDX-License-Identifier: Apache-2.0
//
// The groups of eight cells that are left, of 64 lines; a warp does one and writes its results. For
// sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/tiles/lines/eighth_cells.cuh"
#include "cuda/tiles/lines/eighths.cuh"
#include "cuda/tiles/near/line_results.cuh"

namespace thiessen::cuda::tiles {

/// The fours of a part of a range that are noted; all of them without notes.
class NotedFours {
 public:
  __device__ NotedFours(const KnownTile& tile, const Candidates& part)
      : words_(KnownTile::is_noted(tile.range) ? tile.matters : nullptr),
        noted_(tile.range),
        word_((part.first - noted_.first) / kAtOnce / kLanes),
        last_((part.last - noted_.first) / kAtOnce) {
    bits_ = load() & ~0u << ((part.first - noted_.first) / kAtOnce % kLanes);
  }
  __device__ std::int32_t next() {
    while (bits_ == 0) {
      if (++word_ > last_ / kLanes) return -1;
      bits_ = load();
    }
    const std::int32_t four = word_ * kLanes + lowest_bit(bits_);
    bits_ &= bits_ - 1;
    return four <= last_ ? noted_.first + kAtOnce * four : -1;
  }

 private:
  __device__ std::uint32_t load() const { return words_ == nullptr ? ~0u : __ldg(words_ + word_); }

  const std::uint32_t* words_;
  Candidates noted_;
  std::int32_t word_;
  std::int32_t last_;
  std::uint32_t bits_;
};

/// Finds the winners of the seven cells behind y among few candidates, all factors of S being 1:
/// with keys of 16 bits, both lines in a word. b is cut at 511, more than 14 times the range.
template <class Source>
struct FewCandidates {
  static constexpr int kMost = kFewCandidates;
  static constexpr int kBits = 6;
  static constexpr std::int32_t kCut = 511;

  /// What b loses at y + i, for candidate t, beside what it loses for the last one.
  __device__ static constexpr std::uint32_t fall(int i, int t) {
    return static_cast<std::uint32_t>(2 * i * (kMost - 1 - t)) * (0x10001u << kBits);
  }

  /// The winners less y, of all eight cells.
  __device__ static void search(const Strip<Source>& strip, std::int32_t y, std::uint32_t before,
                                const Candidates& range, Pair (&along)[kEighth]) {
    using Two = typename Source::Two;
    const Pair own = unpack_rows(before);
    Pair less;
#pragma unroll
    for (int line = 0; line < 2; ++line)
      less.of[line] = strip.cost(line, own.of[line]) + square<std::int32_t>(y - own.of[line]);
    std::uint32_t least[kBetween];
#pragma unroll
    for (std::uint32_t& key : least) key = ~0u;
    const std::int32_t ahead = range.first - y;
    const std::int32_t last = range.last - range.first;
    Two site_offsets[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) site_offsets[k] = strip.load(range.first + min(k, last));
#pragma unroll
    for (int first = 0; first < kMost; first += kAtOnce) {
      if (first > last) break;
      Two coming[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k)
        coming[k] = strip.load(range.first + min(first + kAtOnce + k, last));
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int t = first + k;
        const Pair costs = strip.source.costs_of(site_offsets[k]);
        const auto b = [&](int line) {
          return static_cast<std::uint32_t>(__viaddmin_s32(
              costs.of[line], square<std::int32_t>(ahead + t) - less.of[line], kCut));
        };
        const std::uint32_t both = t > last ? kCut * 0x10001u : b(1) << 16 | b(0);
        const std::uint32_t key = both << kBits | static_cast<std::uint32_t>(t) * 0x10001u;
#pragma unroll
        for (int i = 0; i < kBetween; ++i)
          least[i] = __viaddmin_u16x2(key, fall(i + 1, t), least[i]);
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) site_offsets[k] = coming[k];
    }
    along[0] = {{own.of[0] - y, own.of[1] - y}};
#pragma unroll
    for (int i = 0; i < kBetween; ++i) {
      constexpr std::uint32_t kPlaces = (1u << kBits) - 1;
      along[i + 1] = {{ahead - (i + 1) + static_cast<std::int32_t>(least[i] & kPlaces),
                       ahead - (i + 1) + static_cast<std::int32_t>(least[i] >> 16 & kPlaces)}};
    }
  }
};

inline constexpr int kGroupWarps = 4;

/// Loads the offsets of a group from its winners on, and writes it.
template <class Results>
__device__ void write_group(const Results& results, Group<typename Results::SiteOffset>& group) {
#pragma unroll
  for (int i = 0; i < kEighth; ++i)
#pragma unroll
    for (int line = 0; line < 2; ++line)
      group.site_offset[i][line] =
          results.load(group.plane, group.y + i + group.along[i].of[line], group.x + line);
  results.write(group);
}

/// Calls visit(tile, group, before, behind, result) for the groups of a list; these are the winners
/// of a group's first cell and of the first one behind it.
template <class Results, class Visit>
__device__ void for_each_group(const LineGrid& grid, const KnownTile* tiles,
                               const std::uint32_t* list, std::uint32_t count, const Visit& visit) {
  for (std::uint32_t i = blockIdx.x * kGroupWarps + threadIdx.x / kLanes; i < count;
       i += gridDim.x * kGroupWarps) {
    const std::uint32_t item = __ldg(list + i);
    const KnownTile& tile = tiles[item >> 3];
    const auto number = static_cast<std::int32_t>(item & 7);
    const StripPlace at = tile.place(grid);
    const std::int32_t y = at.part * kTileLength + number * kEighth;
    Group<typename Results::SiteOffset> group{.plane = at.plane,
                                              .y = y,
                                              .x = at.strip * kStripColumns + 2 * lane_of_thread(),
                                              .count = min(kEighth, grid.length - y)};
    visit(tile, at, __ldg(&tile.winner[number][lane_of_thread()]),
          __ldg(&tile.winner[number + 1][lane_of_thread()]), group);
  }
}

/// Those with few candidates.
template <class Source, class Results>
__global__ void __launch_bounds__(kGroupWarps* kLanes, 8)
    finish_few(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
               const __grid_constant__ Results results, const UnsolvedLists lists,
               const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  for_each_group<Results>(grid, lists.tile, lists.few_of_8, lists.count->few_of_8,
                          [&](const KnownTile&, const StripPlace& at, std::uint32_t before,
                              std::uint32_t behind, auto& group) {
                            const Strip<Source> strip(grid, source, at);
                            FewCandidates<Source>::search(strip, group.y, before,
                                                          candidates_between(before, behind),
                                                          group.along);
                            write_group(results, group);
                          });
}

/// Those with more.
template <class Source, class Results>
__global__ void __launch_bounds__(kGroupWarps* kLanes, kBlocksAtOnce<typename Source::Key>)
    finish_many(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                const __grid_constant__ Results results, const UnsolvedLists lists,
                const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ Found<typename Source::Key> memory[kGroupWarps];
  Found<typename Source::Key>& found = memory[threadIdx.x / kLanes];
  for_each_group<Results>(
      grid, lists.tile, lists.many_of_8, lists.count->many_of_8,
      [&](const KnownTile& tile, const StripPlace& at, std::uint32_t before, std::uint32_t behind,
          auto& group) {
        const Strip<Source> strip(grid, source, at);
        const Candidates range = candidates_between(before, behind);
        const Bracket<Source> bracket(strip, strip.number_of(group.y), grid.bits_of_all, before,
                                      behind, range);
        NotedFours fours(tile, range);
        search_between<1>(
            strip, bracket, tile.range, range.first, [&] { return fours.next(); },
            [](std::int32_t) {}, found);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < kEighth; ++i) {
          const Pair winner = unpack_rows(
              i == 0 ? before
                     : reinterpret_cast<const std::uint32_t*>(found.row[i - 1])[lane_of_thread()]);
          const std::int32_t y = bracket.y + i;
          group.along[i] = {{winner.of[0] - y, winner.of[1] - y}};
        }
        write_group(results, group);
        __syncwarp();
      });
}

}  // namespace thiessen::cuda::tiles
