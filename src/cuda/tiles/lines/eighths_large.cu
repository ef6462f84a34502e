// SPDX-License-Identifier: Apache-2.0
//
// The search by eighths with S of 64 bits: long lines, as those of rasters of a whole continent,
// large factors, as those of volumes whose slices lie apart, and periodic axes.
#include "cuda/tiles/lines/eighths_large.hpp"
#include "cuda/tiles/lines/run_eighths.cuh"

namespace thiessen::cuda::tiles {
namespace {

/// Finds the offsets, and what is nearest by them.
template <class Lines>
void run(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
         const std::int32_t* open, Scratch::Frame& device) {
  using SiteOffset = typename Lines::SiteOffset;
  const LinesOfRaster<Lines> lines(raster, device);
  const auto site_offsets = find_long_site_offsets<SiteOffset>(session, raster, bits, lines.zeros,
                                                               lines.words, open, device);
  if constexpr (sizeof(SiteOffset) == sizeof(std::int16_t))
    run_deep(session, raster, lines, site_offsets, open, device);
  else
    run_flat(session, raster, lines, site_offsets, open, device);
}

}  // namespace

void run_long_lines(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
                    const std::int32_t* open, Scratch::Frame& device) {
  run<LongLines>(session, raster, bits, open, device);
}

void run_general_lines(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
                       const std::int32_t* open, Scratch::Frame& device) {
  if (raster.job.rank == 2)
    run<GeneralLines<std::int32_t>>(session, raster, bits, open, device);
  else
    run<GeneralLines<std::int16_t>>(session, raster, bits, open, device);
}

}  // namespace thiessen::cuda::tiles
