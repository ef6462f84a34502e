// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/device/session.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/tiles/near/padded_raster.hpp"

namespace thiessen::cuda::tiles {

/// The offsets along x from every cell to the nearest site of its row; of equally near ones to the
/// left one. The cells are numbered as those of a PaddedRaster. A column beyond the width repeats
/// the last one if its number is odd, else its offsets are 0.
template <class SiteOffset>
struct SiteOffsets {
  using Least = std::make_unsigned_t<SiteOffset>;

  SiteOffset* site_offset = nullptr;  ///< or kNoSiteOffset
  /// A lower bound of their lengths in a row of a strip, or kNoLeast if the row has no site; strip
  /// by strip. If the row has one, no offset in the strip is longer by more than its columns.
  Least* least = nullptr;
};

/// Finds the offsets from the bits. Sets so many words of `zeros` to 0. Does nothing on the device
/// if `open` is not null and *open is 0. No row is longer than kMostShort (line_grid.cuh).
SiteOffsets<std::int16_t> find_site_offsets(const CudaSession& session, const PaddedRaster& raster,
                                            const Bits& bits, std::uint32_t* zeros,
                                            std::int64_t zero_words, const std::int32_t* open,
                                            Scratch::Frame& device);

/// The same for rows of at most kMostWidth cells, which may be periodic. If two sites are
/// equally far away, the offset leads to the one in the lesser column.
template <class SiteOffset>
SiteOffsets<SiteOffset> find_long_site_offsets(const CudaSession& session,
                                               const PaddedRaster& raster, const Bits& bits,
                                               std::uint32_t* zeros, std::int64_t zero_words,
                                               const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
