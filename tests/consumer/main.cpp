// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <thiessen/thiessen.hpp>
#include <vector>

int main() {
  const std::vector<std::uint8_t> sites = {0, 0, 7, 0, 0, 0};
  const thiessen::View<const std::uint8_t> raster(sites.data(), {2, 3});
  std::vector<std::uint8_t> labels(6);
  thiessen::Context context;
  thiessen::nearest_site(context, raster, {},
                         {.labels = thiessen::View<std::uint8_t>(labels.data(), {2, 3})});
  const thiessen::NearestSite result = thiessen::nearest_site(raster);
  const std::vector<std::uint8_t> sevens(6, 7);
  const bool same =
      std::equal(sevens.begin(), sevens.end(), result.labels.view<std::uint8_t>().data());
  return labels == sevens && same ? 0 : 1;
}
