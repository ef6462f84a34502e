// SPDX-License-Identifier: Apache-2.0
//
// Lines of cells along an axis, the costs of their cells, and what is left of them to be searched.
// For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::tiles {

inline constexpr int kStripColumns = 2 * kLanes;  ///< lines of a warp, two in a lane
inline constexpr int kStripWarps = 8;
inline constexpr int kStripThreads = kStripWarps * kLanes;
inline constexpr int kBetween = 7;  ///< cells between two known ones
inline constexpr int kEighth = kBetween + 1;
inline constexpr int kTileLength = kEighth * kEighth;
inline constexpr int kSegmentLength = kEighth * kTileLength;
/// Offsets along shorter lines fit 16 bits.
inline constexpr std::int32_t kMostShort = 32255;
/// Numbers of candidates fit 16 bits, also beyond the end of a line.
inline constexpr std::int32_t kMostLength = 65535;
/// The same of images of cells, on a periodic axis.
inline constexpr std::int32_t kMostPeriod = 26000;
/// Rows may be longer than other lines.
inline constexpr std::int32_t kMostWidth = 1 << 17;

/// The offset along x to a cell without a site in its row.
template <class SiteOffset>
inline constexpr SiteOffset kNoSiteOffset = sizeof(SiteOffset) == 2 ? -(1 << 15) : -(1 << 30);
/// Longer than any offset.
template <class Least>
inline constexpr std::int32_t kNoLeast = sizeof(Least) == 2 ? kMostShort + 1 : 1 << 28;
/// The cost of a cell without a site.
template <class Exact>
inline constexpr Exact kNoSiteCost = Exact{1} << (8 * sizeof(Exact) - 2);

// ---- the integers of a search: Exact is that of S, Key that of keys (lines/eighths.cuh),
// SiteOffset and Least are those of offsets along x. kUnit: all factors of S are 1, and outputs are
// simple pairs (line_results.cuh). kMayBeFew: small rasters take fewer kernels. kHasPeriod: axes
// may be periodic.

template <bool kUnitFactors>
struct ShortLines {
  using Exact = std::int32_t;
  using Key = std::int32_t;
  using SiteOffset = std::int16_t;
  using Least = std::uint16_t;
  static constexpr bool kUnit = kUnitFactors;
  static constexpr bool kMayBeFew = true;
  static constexpr bool kHasPeriod = false;
};
/// Small factors, but long lines.
struct LongLines {
  using Exact = std::int64_t;
  using Key = std::int32_t;
  using SiteOffset = std::int32_t;
  using Least = std::uint32_t;
  static constexpr bool kUnit = false;
  static constexpr bool kMayBeFew = false;
  static constexpr bool kHasPeriod = false;
};
/// Large factors, and periodic axes.
template <class Offset>
struct GeneralLines {
  using Exact = std::int64_t;
  using Key = std::int64_t;
  using SiteOffset = Offset;
  using Least = std::make_unsigned_t<Offset>;
  static constexpr bool kUnit = false;
  static constexpr bool kMayBeFew = false;
  static constexpr bool kHasPeriod = true;
};

/// The lines along an axis, plane by plane: cell c of the line in column x of plane o is element
/// plane·o + step·c + x. There are columns beyond the width, up to a whole strip.
struct LineGrid {
  std::int32_t length = 0;
  std::int32_t width = 0;
  std::int32_t columns = 0;
  std::int32_t planes = 0;
  std::int64_t step = 0;
  std::int64_t plane = 0;
  std::int64_t factor = 0;  ///< F, the factor of the axis in S
  std::int32_t period = 0;  ///< the length of a periodic axis, else 0
  int bits_of_64th = 0;     ///< of a candidate's number in keys, by the step (lines/eighths.cuh)
  int bits_of_8th = 0;
  int bits_of_all = 0;

  /// The part of S along a line.
  template <class Exact>
  THIESSEN_HD Exact along(std::int32_t delta) const {
    return static_cast<Exact>(factor) * (Exact{delta} * delta);
  }
  // Along a periodic axis candidates are images of cells, without end on both sides. The number of
  // an image is its place plus the period, and so is that of a cell that is searched: all are >= 0.

  /// The cell of an image.
  THIESSEN_HD std::int32_t cell_of(std::int32_t number) const {
    if (period == 0) return number;
    while (number >= period) number -= period;
    return number;
  }
  /// The image of a cell that is nearest to a number; of two the one before it.
  THIESSEN_HD std::int32_t image_of(std::int32_t cell, std::int32_t number) const {
    std::int32_t delta = cell - cell_of(number);
    if (2 * delta >= period)
      delta -= period;
    else if (2 * delta < -period)
      delta += period;
    return number + delta;
  }
  /// Whether a candidate wins against an equally near one.
  THIESSEN_HD bool comes_first(std::int32_t number, std::int32_t other) const {
    const std::int32_t own = cell_of(number);
    const std::int32_t cell = cell_of(other);
    return own < cell || (own == cell && number < other);
  }
  /// The candidates that may be nearest to a number.
  THIESSEN_HD std::int32_t first_for(std::int32_t number) const {
    return period == 0 ? 0 : number - period / 2;
  }
  THIESSEN_HD std::int32_t last_for(std::int32_t number) const {
    return period == 0 ? length - 1 : number + period / 2;
  }
  THIESSEN_HD std::int32_t strips() const { return columns / kStripColumns; }
  THIESSEN_HD std::int32_t tiles() const { return (length + kTileLength - 1) / kTileLength; }
  THIESSEN_HD std::int32_t segments() const {
    return (length + kSegmentLength - 1) / kSegmentLength;
  }
  THIESSEN_HD std::int64_t tiles_in_all() const {
    return std::int64_t{planes} * tiles() * strips();
  }
  THIESSEN_HD std::int64_t segments_in_all() const {
    return std::int64_t{planes} * segments() * strips();
  }
  /// Known winners of a plane: every 64th cell, to the end of the last segment.
  THIESSEN_HD std::int32_t known_rows() const { return segments() * kEighth + 1; }
  THIESSEN_HD std::int64_t known_at(std::int32_t o, std::int32_t row) const {
    return (std::int64_t{o} * known_rows() + row) * columns;
  }
};

/// A part of a strip: `part` counts tiles, segments or what a kernel takes at once.
struct StripPlace {
  std::int32_t strip;
  std::int32_t part;
  std::int32_t plane;

  /// Its number counts plane by plane, each with so many parts.
  __device__ static StripPlace of_number(const LineGrid& grid, std::int32_t parts,
                                         std::uint32_t number) {
    const auto strips = static_cast<std::uint32_t>(grid.strips());
    const std::uint32_t rest = number / strips;
    return {static_cast<std::int32_t>(number % strips),
            static_cast<std::int32_t>(rest % static_cast<std::uint32_t>(parts)),
            static_cast<std::int32_t>(rest / static_cast<std::uint32_t>(parts))};
  }
};

/// What the near search leaves: tiles of 64 cells of 64 lines. All memory starts at zero.
struct UnsolvedLines {
  std::uint32_t* count = nullptr;
  std::uint32_t* tile = nullptr;    ///< numbers of tiles << 8 | their groups of 8 cells, a bit each
  std::uint8_t* segment = nullptr;  ///< for each: whether some of its tiles are left

  __device__ std::uint8_t& segment_at(const LineGrid& grid, const StripPlace& at) const {
    return segment[(std::int64_t{at.plane} * grid.segments() + at.part) * grid.strips() + at.strip];
  }
  __device__ void add(const LineGrid& grid, const StripPlace& at, std::uint32_t groups) const {
    const std::int64_t number =
        (std::int64_t{at.plane} * grid.tiles() + at.part) * grid.strips() + at.strip;
    tile[atomicAdd(count, 1u)] = static_cast<std::uint32_t>(number) << kEighth | groups;
    segment_at(grid, {at.strip, at.part / kEighth, at.plane}) = 1;
  }
};

/// Two neighbouring lines of a lane.
template <class Number>
struct PairOf {
  Number of[2];
};
using Pair = PairOf<std::int32_t>;

__device__ inline Pair unpack_rows(std::uint32_t rows) {
  return {{static_cast<std::int32_t>(rows & 0xffff), static_cast<std::int32_t>(rows >> 16)}};
}

template <class Exact>
__device__ Exact square(std::int32_t a) {
  return Exact{a} * a;
}

/// The lesser of a sum and a bound.
__device__ inline std::int32_t add_min(std::int32_t a, std::int32_t b, std::int32_t bound) {
  return __viaddmin_s32(a, b, bound);
}
__device__ inline std::int64_t add_min(std::int64_t a, std::int64_t b, std::int64_t bound) {
  return min(a + b, bound);
}

// ---- costs by offsets. Sources have cost(), costs() of two cells side by side, and keys(), those
// of the cells of 16 bytes in pairs (windows.cuh).

inline constexpr int kNearReach = 22;  ///< so far candidates are compared by keys of 16 bits
inline constexpr int kPlaceBits = 6;   ///< of a candidate in such a key
inline constexpr std::int32_t kCutCost = 511;

/// The keys of two cells, by their costs.
__device__ inline std::uint32_t pair_of_keys(std::int32_t first, std::int32_t second) {
  return static_cast<std::uint32_t>(min(first, kCutCost)) << kPlaceBits |
         static_cast<std::uint32_t>(min(second, kCutCost)) << (16 + kPlaceBits);
}

/// The lowest bytes of the four halves of two words.
__device__ inline std::uint32_t low_bytes(std::uint32_t a, std::uint32_t b) {
  return (a & 0xff) | (a >> 8 & 0xff00) | (b & 0xff) << 16 | (b >> 16 & 0xff) << 24;
}

/// Offsets so long that the cost is cut, whatever the factor is; none is longer.
__device__ inline std::int32_t cut_site_offset(std::int32_t site_offset) {
  return min(abs(site_offset), kNearReach + 1);
}

/// A factor no smaller in keys than it is, if an offset has some cells; products fit 32 bits.
__device__ inline std::int32_t cut_factor(std::int64_t factor) {
  return static_cast<std::int32_t>(min(factor, std::int64_t{kCutCost}));
}

/// Cells by their offsets along x.
template <class Lines>
struct SiteOffsetCosts : Lines {
  using typename Lines::Exact;
  using typename Lines::Least;
  using typename Lines::SiteOffset;

  const SiteOffset* site_offset;
  std::int64_t factor;
  const Least* least;  ///< a lower bound of the offsets of a row of a strip (site_offsets.hpp)

  static constexpr bool kHasLeast = true;
  static constexpr bool kIsNarrow = sizeof(SiteOffset) == 2;
  static constexpr int kTogether = 16 / sizeof(SiteOffset);  ///< cells of 16 bytes
  /// A short offset: what is left of it in eight bytes.
  using Kept = std::conditional_t<kIsNarrow, std::int8_t, std::int16_t>;
  using Keys = std::conditional_t<kIsNarrow, uint4, uint2>;

  __device__ const Least* least_of_strip(const LineGrid& grid, const StripPlace& at) const {
    return least + (std::int64_t{at.plane} * grid.strips() + at.strip) * grid.length;
  }
  __device__ Exact of(std::int32_t x) const {
    if constexpr (Lines::kUnit) {
      static_assert(kNoSiteOffset<std::int16_t> * kNoSiteOffset<std::int16_t> ==
                    kNoSiteCost<std::int32_t>);
      return x * x;
    }
    return x == kNoSiteOffset<SiteOffset> ? kNoSiteCost<Exact>
                                          : static_cast<Exact>(factor) * square<Exact>(x);
  }
  __device__ Exact cost(std::int64_t number) const { return of(__ldg(site_offset + number)); }
  /// The offsets of two cells.
  using Two = std::conditional_t<kIsNarrow, std::uint32_t, int2>;
  __device__ Two load_two(std::int64_t number) const {
    return __ldg(reinterpret_cast<const Two*>(site_offset + number));
  }
  __device__ PairOf<Exact> costs_of(const Two& both) const {
    if constexpr (kIsNarrow)
      return {{of(static_cast<std::int16_t>(both & 0xffff)),
               of(static_cast<std::int16_t>(both >> 16))}};
    else
      return {{of(both.x), of(both.y)}};
  }
  __device__ uint4 load(std::int64_t number) const {
    return __ldg(reinterpret_cast<const uint4*>(site_offset + number));
  }
  __device__ std::int32_t cut_cost(std::int32_t own) const {
    if constexpr (Lines::kUnit) return of(own);
    const std::int32_t x = cut_site_offset(own);
    return cut_factor(factor) * (x * x);
  }
  __device__ std::uint32_t keys_of(std::uint32_t both) const {
    return pair_of_keys(cut_cost(static_cast<std::int16_t>(both & 0xffff)),
                        cut_cost(static_cast<std::int16_t>(both >> 16)));
  }
  __device__ std::uint32_t keys_of(std::uint32_t first, std::uint32_t second) const {
    return pair_of_keys(cut_cost(static_cast<std::int32_t>(first)),
                        cut_cost(static_cast<std::int32_t>(second)));
  }
  __device__ Keys keys(const uint4& word) const {
    if constexpr (kIsNarrow)
      return make_uint4(keys_of(word.x), keys_of(word.y), keys_of(word.z), keys_of(word.w));
    else
      return make_uint2(keys_of(word.x, word.y), keys_of(word.z, word.w));
  }
  __device__ static Keys no_keys() {
    const std::uint32_t none = pair_of_keys(kCutCost, kCutCost);
    if constexpr (kIsNarrow)
      return make_uint4(none, none, none, none);
    else
      return make_uint2(none, none);
  }
  __device__ static uint2 keep(const uint4& word) {
    if constexpr (kIsNarrow)
      return make_uint2(low_bytes(word.x, word.y), low_bytes(word.z, word.w));
    else
      return make_uint2((word.x & 0xffff) | word.y << 16, (word.z & 0xffff) | word.w << 16);
  }
};

/// An offset in a plane: y in the upper half, x in the lower one.
struct PlaneSiteOffset {
  std::int32_t y;
  std::int32_t x;

  static constexpr std::int32_t kNone = kNoSiteOffset<std::int16_t>;  ///< x, if there is no site

  __device__ static std::uint32_t pack(std::int32_t y, std::int32_t x) {
    return static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(x & 0xffff);
  }
  __device__ static PlaneSiteOffset unpack(std::uint32_t site_offset) {
    return {static_cast<std::int32_t>(site_offset) >> 16,
            static_cast<std::int16_t>(site_offset & 0xffff)};
  }
};

/// Cells by their offsets in a plane; without a site y is 0.
template <class Lines>
struct PlaneCosts : Lines {
  using typename Lines::Exact;

  const std::uint32_t* site_offset;
  std::int64_t factor_y;
  std::int64_t factor_x;

  static constexpr bool kHasLeast = false;
  static constexpr int kTogether = 4;
  using Kept = std::uint16_t;  ///< a short offset: y in the upper byte, x in the lower one
  using Keys = uint2;

  __device__ Exact of(std::uint32_t packed) const {
    const PlaneSiteOffset to = PlaneSiteOffset::unpack(packed);
    if constexpr (Lines::kUnit) return to.y * to.y + to.x * to.x;
    return to.x == PlaneSiteOffset::kNone ? kNoSiteCost<Exact>
                                          : static_cast<Exact>(factor_y) * square<Exact>(to.y) +
                                                static_cast<Exact>(factor_x) * square<Exact>(to.x);
  }
  __device__ Exact cost(std::int64_t number) const { return of(__ldg(site_offset + number)); }
  using Two = uint2;
  __device__ Two load_two(std::int64_t number) const {
    return __ldg(reinterpret_cast<const Two*>(site_offset + number));
  }
  __device__ PairOf<Exact> costs_of(const Two& both) const { return {{of(both.x), of(both.y)}}; }
  __device__ uint4 load(std::int64_t number) const {
    return __ldg(reinterpret_cast<const uint4*>(site_offset + number));
  }
  __device__ std::int32_t cut_cost(std::uint32_t packed) const {
    if constexpr (Lines::kUnit) return of(packed);
    const PlaneSiteOffset to = PlaneSiteOffset::unpack(packed);
    const std::int32_t y = cut_site_offset(to.y);
    const std::int32_t x = cut_site_offset(to.x);
    return cut_factor(factor_y) * (y * y) + cut_factor(factor_x) * (x * x);
  }
  __device__ Keys keys(const uint4& word) const {
    return make_uint2(pair_of_keys(cut_cost(word.x), cut_cost(word.y)),
                      pair_of_keys(cut_cost(word.z), cut_cost(word.w)));
  }
  __device__ static Keys no_keys() {
    const std::uint32_t none = pair_of_keys(kCutCost, kCutCost);
    return make_uint2(none, none);
  }
  __device__ static uint2 keep(const uint4& word) {
    return make_uint2(low_bytes(word.x, word.y), low_bytes(word.z, word.w));
  }
};

}  // namespace thiessen::cuda::tiles
