// SPDX-License-Identifier: Apache-2.0
#include "core/raster_choice.hpp"

#include "core/refuse.hpp"

namespace thiessen {

RasterOptions make_raster_options(const std::string& method, const RasterOptions& options) {
  constexpr std::int64_t kMostGrowth = std::int64_t{1} << 30;
  if (options.scan_sites != -1 && method != "raster-gpu")
    refuse("scan_sites is given; it is for method raster-gpu, not for " + method);
  if (options.growth_step != 0 && method != "circle-growing")
    refuse("growth_step is given; it is for method circle-growing, not for " + method);
  if (options.scan_sites < -1)
    refuse("scan_sites = " + std::to_string(options.scan_sites) + "; must be >= 0");
  if (options.growth_step < 0 || options.growth_step > kMostGrowth)
    refuse("growth_step = " + std::to_string(options.growth_step) + "; must be 1 to 2^30 cells");
  RasterOptions own = options;
  if (own.growth_step == 0) own.growth_step = 1;
  return own;
}

}  // namespace thiessen
