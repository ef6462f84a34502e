// SPDX-License-Identifier: Apache-2.0
//
// The search by eighths with S of 64 bits: long lines, as those of rasters of a whole continent,
// and large factors, as those of volumes whose slices lie apart.
#include "cuda/lines/eighths_large.hpp"
#include "cuda/lines/run_eighths.cuh"

namespace thiessen::cuda {
namespace {

/// The bits, or those of the sites of the job.
Bits mark(const CudaSession& session, const PaddedRaster& raster, const Bits* bits,
          Scratch::Frame& device) {
  if (bits != nullptr) return *bits;
  const Bits own = take_bits(raster.job, device);
  mark_sites(session, raster.job, own);
  return own;
}

template <class Lines>
void run_long(const CudaSession& session, const PaddedRaster& raster, const Bits* bits,
              const std::int32_t* open, Scratch::Frame& device) {
  const Bits sites = mark(session, raster, bits, device);
  const LinesOfRaster<Lines> lines(raster, device);
  const auto ways =
      find_long_ways<std::int32_t>(session, raster, sites, lines.zeros, lines.words, open, device);
  run_flat(session, raster, lines, ways, open, device);
}

}  // namespace

void run_long_lines(const CudaSession& session, const PaddedRaster& raster, const Bits* bits,
                    const std::int32_t* open, Scratch::Frame& device) {
  run_long<LongLines>(session, raster, bits, open, device);
}

void run_large_factors(const CudaSession& session, const PaddedRaster& raster, const Bits* bits,
                       const std::int32_t* open, Scratch::Frame& device) {
  if (raster.job.rank == 2)
    return run_long<LargeFactors<std::int32_t>>(session, raster, bits, open, device);
  const LinesOfRaster<LargeFactors<std::int16_t>> lines(raster, device);
  const auto ways = find_ways(session, raster, bits, lines.zeros, lines.words, open, device);
  run_deep(session, raster, lines, ways, open, device);
}

}  // namespace thiessen::cuda
