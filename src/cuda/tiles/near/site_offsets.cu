// SPDX-License-Identifier: Apache-2.0
//
// Offsets along rows. A warp does 32 words of a row, a bit for each cell: a lane has a word, and
// finds the last site before it and the first one behind it by scans over the lanes, and over the
// warps of the row. Then lanes take eight cells at a time, so that stores are wide.
#include <algorithm>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/tiles/near/line_grid.cuh"
#include "cuda/tiles/near/site_offsets.hpp"

namespace thiessen::cuda::tiles {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kThreads = 256;  ///< of a block with several rows
constexpr int kWarpCells = kLanes * kLanes;
/// Farther away than any site, on either side.
constexpr std::int32_t kNoneBefore = -(1 << 29);
constexpr std::int32_t kNoneBehind = 1 << 29;

/// The lane's word of a chunk.
__device__ std::uint32_t load_word(const Bits& bits, std::int64_t row, std::int64_t chunk) {
  const std::int64_t word = chunk * kLanes + lane_of_thread();
  return word < bits.row_words ? __ldg(bits.words + row * bits.row_words + word) : 0;
}

/// The sites next to a lane's word.
struct Neighbours {
  std::int32_t before;
  std::int32_t behind;
};

/// The words of a warp.
struct WarpWords {
  Neighbours next;     ///< among these words
  std::int32_t last;   ///< the last site up to the lane's word
  std::int32_t first;  ///< the first one from there on

  /// They begin at cell x.
  __device__ WarpWords(std::uint32_t word, std::int32_t x) {
    const int lane = lane_of_thread();
    const std::int32_t own = x + lane * kLanes;
    last = word != 0 ? own + highest_bit(word) : kNoneBefore;
    first = word != 0 ? own + lowest_bit(word) : kNoneBehind;
#pragma unroll
    for (int step = 1; step < kLanes; step *= 2) {
      const std::int32_t left = __shfl_up_sync(~0u, last, step);
      const std::int32_t right = __shfl_down_sync(~0u, first, step);
      if (lane >= step) last = max(last, left);
      if (lane + step < kLanes) first = min(first, right);
    }
    next = {__shfl_up_sync(~0u, last, 1), __shfl_down_sync(~0u, first, 1)};
    if (lane == 0) next.before = kNoneBefore;
    if (lane == kLanes - 1) next.behind = kNoneBehind;
  }
};

/// Finds them for a warp whose words begin at cell x; `chunk` is its number among the `chunks` of
/// the row. All threads of the block take part.
__device__ Neighbours find_neighbours(std::uint32_t word, std::int32_t x, int chunk, int chunks) {
  __shared__ std::int32_t last_of_warp[kMostThreads / kLanes];
  __shared__ std::int32_t first_of_warp[kMostThreads / kLanes];
  const int lane = lane_of_thread();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const WarpWords words(word, x);
  Neighbours next = words.next;
  if (chunks == 1) return next;
  __syncthreads();
  if (lane == kLanes - 1) last_of_warp[warp] = words.last;
  if (lane == 0) first_of_warp[warp] = words.first;
  __syncthreads();
  const int begin = warp - chunk;  // the first warp of the row
  const bool exists = lane < chunks;
  next.before =
      max(next.before,
          greatest_of_warp(exists && lane < chunk ? last_of_warp[begin + lane] : kNoneBefore));
  next.behind = min(next.behind, least_of_warp(exists && lane > chunk ? first_of_warp[begin + lane]
                                                                      : kNoneBehind));
  return next;
}

/// Writes the least offset of the strips of a warp.
template <class Least>
__device__ void write_least(const PaddedRaster& raster, std::uint32_t word, const Neighbours& next,
                            std::int64_t row, std::int32_t first, Least* least) {
  const int lane = lane_of_thread();
  const int left = 2 * lane % kLanes;
  const std::uint32_t some = __shfl_sync(~0u, word, left) | __shfl_sync(~0u, word, left + 1);
  const std::int32_t before = __shfl_sync(~0u, next.before, left);
  const std::int32_t behind = __shfl_sync(~0u, next.behind, left + 1);
  const std::int32_t x = first + lane * kStripColumns;
  if (lane >= kLanes / 2 || x >= raster.columns) return;
  const std::int32_t outside = min(x - before, behind - (x + kStripColumns - 1));
  const auto height = static_cast<std::uint32_t>(raster.job.extent[1]);
  const auto plane = static_cast<std::uint32_t>(row) / height;
  const auto y = static_cast<std::uint32_t>(row) % height;
  const std::int64_t strip =
      std::int64_t{plane} * (raster.columns / kStripColumns) + x / kStripColumns;
  least[strip * height + y] =
      static_cast<Least>(some != 0 ? 0 : min(max(outside, 0), kNoLeast<Least>));
}

/// Offsets of eight cells, two in a word, are found as keys of 16 bits: the length twice, and one
/// more if the offset goes right or has no length. The least of three keys tells the offset: to the
/// left of the cells, to their right, and between them; the last one is in a table.
struct KeyTable {
  static constexpr int kBytes = 256;
  static constexpr int kPairs = kEighth / 2;
  alignas(16) std::uint32_t key[kBytes][kPairs];

  /// The key of a cell to the nearest bit that is set in a byte.
  __device__ static std::uint32_t key_of(std::uint32_t byte, int cell) {
    std::uint32_t least = 0xffff;
    for (int bit = 0; bit < kEighth; ++bit) {
      const std::uint32_t key = bit < cell ? static_cast<std::uint32_t>(2 * (cell - bit))
                                           : static_cast<std::uint32_t>(2 * (bit - cell)) + 1;
      if ((byte >> bit & 1) != 0 && key < least) least = key;
    }
    return least;
  }
  /// The threads of a block fill it.
  __device__ void fill() {
    for (unsigned i = threadIdx.x; i < kBytes * kPairs; i += blockDim.x) {
      const auto cell = static_cast<int>(2 * (i % kPairs));
      key[i / kPairs][i % kPairs] = key_of(i / kPairs, cell) | key_of(i / kPairs, cell + 1) << 16;
    }
  }
};

/// The offsets of two keys.
__device__ inline std::uint32_t ways_of(std::uint32_t keys) {
  const std::uint32_t length = keys >> 1 & 0x7fff7fff;
  const std::uint32_t left = ~keys & 0x00010001;
  return (length ^ left * 0xffff) + left;  // an offset to the left is negative, and not 0
}

/// Writes the offsets of eight cells from x on, by the word that has them from bit `bit` on.
__device__ void write_eight(const PaddedRaster& raster, const KeyTable& table, std::uint32_t word,
                            int bit, Neighbours next, std::int32_t x, std::int16_t* out) {
  constexpr std::int32_t kNoLength = 32700;
  const std::uint32_t before = word & ((1u << bit) - 1);
  const std::uint32_t behind = word >> bit >> kEighth;
  if (before != 0) next.before = x - bit + highest_bit(before);
  if (behind != 0) next.behind = x + kEighth + lowest_bit(behind);
  const uint4 inside = reinterpret_cast<const uint4*>(table.key)[word >> bit & 0xff];
  const auto to_left = static_cast<std::uint32_t>(2 * min(x - next.before, kNoLength));
  const auto to_right =
      static_cast<std::uint32_t>(2 * min(next.behind - (x + kEighth - 1), kNoLength) + 1);
  const auto both = [&](int i, std::uint32_t own) {
    // So many cells farther from the left and from the right.
    const std::uint32_t left =
        to_left * 0x10001u + static_cast<std::uint32_t>(2 * i | 2 * (i + 1) << 16);
    const std::uint32_t right =
        to_right * 0x10001u + static_cast<std::uint32_t>(2 * (7 - i) | 2 * (6 - i) << 16);
    return ways_of(__viaddmin_u16x2(left, 0, __viaddmin_u16x2(right, 0, own)));
  };
  uint4 site_offsets =
      make_uint4(both(0, inside.x), both(2, inside.y), both(4, inside.z), both(6, inside.w));
  const bool is_empty =
      next.before == kNoneBefore && next.behind == kNoneBehind && (word >> bit & 0xff) == 0;
  constexpr std::uint32_t kNone =
      static_cast<std::uint16_t>(kNoSiteOffset<std::int16_t>) * 0x10001u;
  if (is_empty) site_offsets = make_uint4(kNone, kNone, kNone, kNone);
  const std::int32_t rest = raster.width() - x;  // cells that exist
  if (rest < kEighth) {
    const auto pad = [&](int i, std::uint32_t own) {
      if (i >= rest) return 0u;
      return i + 1 < rest ? own : (own & 0xffff) * 0x10001u;
    };
    site_offsets = make_uint4(pad(0, site_offsets.x), pad(2, site_offsets.y),
                              pad(4, site_offsets.z), pad(6, site_offsets.w));
  }
  *reinterpret_cast<uint4*>(out) = site_offsets;
}

/// How rows are shared out: a row is so many chunks, one a warp; a block has so many rows.
struct RowShares {
  int chunks;
  int rows;
};

/// The last and the first sites of the chunks of a row, of any number.
struct LongRow {
  static constexpr int kMostChunks = kMostWidth / kWarpCells;

  std::int32_t last[kMostChunks];
  std::int32_t first[kMostChunks];

  /// The sites next to a chunk, for all lanes of a warp. If the period is not 0, all others are
  /// also next to it by an image.
  __device__ Neighbours beside(int chunk, int chunks, std::int32_t period) const {
    Neighbours next{kNoneBefore, kNoneBehind};
    for (int other = lane_of_thread(); other < chunks; other += kLanes) {
      if (other < chunk) next.before = max(next.before, last[other]);
      if (other > chunk) next.behind = min(next.behind, first[other]);
      if (period == 0) continue;
      next.before = max(next.before, last[other] - period);
      next.behind = min(next.behind, first[other] + period);
    }
    return {greatest_of_warp(next.before), least_of_warp(next.behind)};
  }
};

/// The offset from cell x of a row of some width, by the word that has it as bit `bit`. If two
/// sites are equally far away and one is an image, the first is to the right.
template <class SiteOffset>
__device__ SiteOffset site_offset_from(std::uint32_t word, int bit, const Neighbours& next,
                                       std::int32_t x, std::int32_t width) {
  const std::uint32_t before = word & ~0u >> (kLanes - 1 - bit);
  const std::uint32_t behind = word >> bit;
  const std::int32_t left = before != 0 ? x - bit + highest_bit(before) : next.before;
  const std::int32_t right = behind != 0 ? x + lowest_bit(behind) : next.behind;
  if (left == kNoneBefore && right == kNoneBehind) return kNoSiteOffset<SiteOffset>;
  const bool has_image = left < 0 || right >= width;
  return static_cast<SiteOffset>(x - left < right - x + (has_image ? 0 : 1) ? left - x : right - x);
}

/// A block does a row, whose words it reads twice: first for the sites next to each chunk.
template <class SiteOffset>
__global__ void __launch_bounds__(kThreads)
    find_site_offsets_of_long_rows(const __grid_constant__ PaddedRaster raster, const Bits bits,
                                   const SiteOffsets<SiteOffset> site_offsets, std::uint32_t* zeros,
                                   std::int64_t zero_words, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < zero_words;
       i += std::int64_t{gridDim.x} * blockDim.x)
    zeros[i] = 0;
  __shared__ LongRow ends;
  const int lane = lane_of_thread();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const int chunks = (raster.columns + kWarpCells - 1) / kWarpCells;
  const int warps = static_cast<int>(blockDim.x) / kLanes;
  const std::int32_t period = raster.job.period[2] == kNoPeriod ? 0 : raster.width();
  for (std::int64_t row = blockIdx.x; row < raster.rows(); row += gridDim.x) {
    for (int chunk = warp; chunk < chunks; chunk += warps) {
      const WarpWords own(load_word(bits, row, chunk), chunk * kWarpCells);
      if (lane == kLanes - 1) ends.last[chunk] = own.last;
      if (lane == 0) ends.first[chunk] = own.first;
    }
    __syncthreads();
    for (int chunk = warp; chunk < chunks; chunk += warps) {
      const std::int32_t first = chunk * kWarpCells;
      const std::uint32_t word = load_word(bits, row, chunk);
      const Neighbours beside = ends.beside(chunk, chunks, period);
      Neighbours next = WarpWords(word, first).next;
      next = {max(next.before, beside.before), min(next.behind, beside.behind)};
      write_least(raster, word, next, row, first, site_offsets.least);
      for (int i = 0; i < kLanes; ++i) {
        const std::uint32_t own = __shfl_sync(~0u, word, i);
        const Neighbours of_word{__shfl_sync(~0u, next.before, i),
                                 __shfl_sync(~0u, next.behind, i)};
        const std::int32_t x = first + i * kLanes + lane;
        if (x >= raster.columns) continue;
        const bool repeats = x == raster.width() && x % 2 == 1;
        SiteOffset site_offset = 0;
        if (x < raster.width() || repeats)
          site_offset = site_offset_from<SiteOffset>(own, lane - (repeats ? 1 : 0), of_word,
                                                     x - (repeats ? 1 : 0), raster.width());
        site_offsets.site_offset[row * raster.columns + x] = site_offset;
      }
    }
    __syncthreads();
  }
}

template <int kBlockThreads>
__global__ void __launch_bounds__(kBlockThreads, kMostThreads / kBlockThreads)
    find_site_offsets_of_rows(const __grid_constant__ PaddedRaster raster, const Bits bits,
                              const RowShares shares, const SiteOffsets<std::int16_t> site_offsets,
                              std::uint32_t* zeros, std::int64_t zero_words,
                              const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < zero_words;
       i += std::int64_t{gridDim.x} * blockDim.x)
    zeros[i] = 0;
  __shared__ KeyTable table;
  table.fill();
  __syncthreads();
  const int lane = lane_of_thread();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const int chunk = warp % shares.chunks;
  const std::int32_t first = chunk * kWarpCells;
  const auto load = [&](std::int64_t begin) {
    const std::int64_t row = begin + warp / shares.chunks;
    return row < raster.rows() ? load_word(bits, row, chunk) : 0;
  };
  const std::int64_t step = std::int64_t{gridDim.x} * shares.rows;
  std::uint32_t coming = load(std::int64_t{blockIdx.x} * shares.rows);
  for (std::int64_t begin = std::int64_t{blockIdx.x} * shares.rows; begin < raster.rows();
       begin += step) {
    const std::int64_t row = begin + warp / shares.chunks;
    const bool exists = row < raster.rows();
    const std::uint32_t word = coming;
    coming = load(begin + step);  // while this row is done
    const Neighbours next = find_neighbours(word, first, chunk, shares.chunks);
    if (!exists) continue;
    write_least(raster, word, next, row, first, site_offsets.least);
#pragma unroll
    for (int i = 0; i < kLanes / kEighth; ++i) {
      constexpr int kLanesOfWord = kLanes / kEighth;
      const int source = i * kEighth + lane / kLanesOfWord;
      const int bit = lane % kLanesOfWord * kEighth;
      const std::uint32_t own = __shfl_sync(~0u, word, source);
      const Neighbours beside{__shfl_sync(~0u, next.before, source),
                              __shfl_sync(~0u, next.behind, source)};
      const std::int32_t x = first + source * kLanes + bit;
      if (x < raster.columns)
        write_eight(raster, table, own, bit, beside, x,
                    site_offsets.site_offset + row * raster.columns + x);
    }
  }
}

template <class SiteOffset>
SiteOffsets<SiteOffset> allocate_site_offsets(const PaddedRaster& raster, Scratch::Frame& device) {
  return {device.array<SiteOffset>(raster.cells()),
          device.array<std::make_unsigned_t<SiteOffset>>(raster.cells() / kStripColumns)};
}

}  // namespace

SiteOffsets<std::int16_t> find_site_offsets(const CudaSession& session, const PaddedRaster& raster,
                                            const Bits& bits, std::uint32_t* zeros,
                                            std::int64_t zero_words, const std::int32_t* open,
                                            Scratch::Frame& device) {
  const auto site_offsets = allocate_site_offsets<std::int16_t>(raster, device);
  RowShares shares{static_cast<int>(parts(raster.columns, kWarpCells)), 1};
  shares.rows = std::max(1, kThreads / kLanes / shares.chunks);
  const int threads = shares.chunks * shares.rows * kLanes;
  const std::int64_t blocks_per_processor = 2048 / threads;
  const auto blocks = static_cast<unsigned>(
      std::min(parts(raster.rows(), shares.rows), session.processors() * blocks_per_processor));
  auto* const kernel = threads <= kMostThreads / 2 ? find_site_offsets_of_rows<kMostThreads / 2>
                                                   : find_site_offsets_of_rows<kMostThreads>;
  launch_next(session, "ways along rows", {blocks, threads}, kernel, raster, bits, shares,
              site_offsets, zeros, zero_words, open);
  return site_offsets;
}

template <class SiteOffset>
SiteOffsets<SiteOffset> find_long_site_offsets(const CudaSession& session,
                                               const PaddedRaster& raster, const Bits& bits,
                                               std::uint32_t* zeros, std::int64_t zero_words,
                                               const std::int32_t* open, Scratch::Frame& device) {
  const auto site_offsets = allocate_site_offsets<SiteOffset>(raster, device);
  const auto threads = static_cast<int>(
      std::min<std::int64_t>(parts(raster.columns, kWarpCells) * kLanes, kThreads));
  const std::int64_t blocks_per_processor = std::min(2048 / threads, 32);
  const auto blocks =
      static_cast<unsigned>(std::min(raster.rows(), session.processors() * blocks_per_processor));
  launch_next(session, "ways along long rows", {blocks, threads},
              find_site_offsets_of_long_rows<SiteOffset>, raster, bits, site_offsets, zeros,
              zero_words, open);
  return site_offsets;
}

template SiteOffsets<std::int16_t> find_long_site_offsets(const CudaSession&, const PaddedRaster&,
                                                          const Bits&, std::uint32_t*, std::int64_t,
                                                          const std::int32_t*, Scratch::Frame&);
template SiteOffsets<std::int32_t> find_long_site_offsets(const CudaSession&, const PaddedRaster&,
                                                          const Bits&, std::uint32_t*, std::int64_t,
                                                          const std::int32_t*, Scratch::Frame&);

}  // namespace thiessen::cuda::tiles
