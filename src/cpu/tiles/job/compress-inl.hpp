// SPDX-License-Identifier: Apache-2.0
//
// Moves the lanes that a mask selects to the front, in vectors of 16 or 32 bits.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_JOB_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_JOB_COMPRESS_INL
#undef THIESSEN_CPU_TILES_JOB_COMPRESS_INL
#else
#define THIESSEN_CPU_TILES_JOB_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "cpu/tiles/job/compress_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Compresses any number of vectors with lanes of 32 bits by one mask.
template <class D>
class Compressor {
 public:
  using V = hn::Vec<D>;
  using T = hn::TFromD<D>;

  HWY_INLINE explicit Compressor(hn::Mask<D> mask) {
#if HWY_TARGET <= HWY_AVX3
    mask_ = mask;
    count_ = static_cast<std::int64_t>(hn::CountTrue(D(), mask));
#else
    std::uint64_t bits = 0;
    hn::StoreMaskBits(D(), mask, reinterpret_cast<std::uint8_t*>(&bits));
    choose(bits);
#endif
  }
  /// `bits` has a bit for each lane; those beyond the last lane are ignored.
  HWY_INLINE explicit Compressor(std::uint64_t bits) {
    bits &= (std::uint64_t{1} << hn::MaxLanes(D())) - 1;
#if HWY_TARGET <= HWY_AVX3
    mask_ = hn::LoadMaskBits(D(), reinterpret_cast<const std::uint8_t*>(&bits));
    count_ = std::popcount(bits);
#else
    choose(bits);
#endif
  }

  /// Stores a whole vector; what stands behind the selected lanes has no meaning.
  HWY_INLINE void put(V v, T* to) const {
#if HWY_TARGET <= HWY_AVX3
    hn::StoreU(hn::Compress(v, mask_), D(), to);
#else
    hn::StoreU(hn::TableLookupLanes(v, lanes_), D(), to);
#endif
  }
  HWY_INLINE std::int64_t count() const { return count_; }

 private:
#if HWY_TARGET <= HWY_AVX3
  hn::Mask<D> mask_;
#else
  using Index = hn::RebindToSigned<D>;

  // Up to Highway 1.0.3 Compress copies its table to the stack each time.
  HWY_INLINE void choose(std::uint64_t bits) {
    const hn::Rebind<std::uint8_t, Index> d8;
    const auto lanes = hn::LoadU(d8, kCompress.lanes[bits].data());
    lanes_ = hn::IndicesFromVec(D(), hn::PromoteTo(Index(), lanes));
    count_ = kCompress.count[bits];
  }

  decltype(hn::IndicesFromVec(D(), hn::Zero(Index()))) lanes_;
#endif
  std::int64_t count_;
};

/// Stores the lanes of 16 bits that `bits` selects, and lanes without meaning up to a whole vector.
template <class D>
HWY_INLINE void compress_halves(D d, hn::Vec<D> v, std::uint64_t bits, hn::TFromD<D>* to) {
#if HWY_TARGET <= HWY_AVX3
  const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
  hn::StoreU(hn::Compress(v, mask), d, to);
#else
  const hn::CappedTag<hn::TFromD<D>, 8> block;
  const hn::Repartition<std::uint8_t, decltype(block)> bytes;
  const auto put = [&](hn::Vec<decltype(block)> part, std::uint64_t some) HWY_ATTR {
    const auto from = hn::BitCast(block, hn::Load(bytes, kCompress.bytes[some].data()));
    hn::StoreU(hn::TableLookupBytes(part, from), block, to);
    to += kCompress.count[some];
  };
  if constexpr (hn::MaxLanes(d) == 8) {
    put(v, bits & 0xff);
  } else {
    static_assert(hn::MaxLanes(d) == 16);
    put(hn::LowerHalf(block, v), bits & 0xff);
    put(hn::UpperHalf(block, v), bits >> 8 & 0xff);
  }
#endif
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
