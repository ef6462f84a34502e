// SPDX-License-Identifier: Apache-2.0
//
// Runs a fixed case a number of times on one thread, for instructions.py to count its instructions.
//
// usage: bench_instructions CASE CALLS
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using Sites = thiessen::View<std::int32_t>;

/// Marks balls of 7 to 14 cells that do not touch, one in each node of a lattice.
void mark_objects(const Sites& sites) {
  constexpr std::int64_t kPitch = 32;
  const auto& extents = sites.extents();
  const std::int64_t depth = extents.rank() == 3 ? extents[0] : 1;
  const std::int64_t height = extents[extents.rank() - 2];
  const std::int64_t width = extents[extents.rank() - 1];
  const auto from_middle = [](std::int64_t place) {
    const std::int64_t apart = place % kPitch - kPitch / 2;
    return apart * apart;
  };
  std::int32_t* cell = sites.data();
  for (std::int64_t z = 0; z < depth; ++z)
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x, ++cell) {
        const std::int64_t node = (z / kPitch * 7 + y / kPitch) * 13 + x / kPitch;
        const std::int64_t radius = 7 + node * 5 % 8;
        const std::int64_t squared =
            from_middle(y) + from_middle(x) + (depth > 1 ? from_middle(z) : 0);
        *cell = squared <= radius * radius ? 1 : 0;
      }
}

struct Case {
  std::string_view name;
  thiessen::Extents extents;
  std::int64_t sites;  ///< 0: objects, of which the distance alone is wanted
};

const std::array kCases = {
    Case{"few-sites", {512, 512}, 50},       Case{"many-sites", {512, 512}, 26'000},
    Case{"volume", {64, 64, 64}, 2'600},     Case{"objects", {512, 512}, 0},
    Case{"objects-volume", {64, 64, 64}, 0},
};

void run(const Case& item, int calls) {
  const auto cells = static_cast<std::size_t>(item.extents.count());
  std::vector<std::int32_t> sites(cells);
  std::vector<std::int32_t> labels(cells);
  std::vector<float> distance(cells);
  const Sites raster(sites.data(), item.extents);
  thiessen::Context context({.threads = 1});
  thiessen::NearestSiteOutputs outputs{.distance =
                                           thiessen::View<float>(distance.data(), item.extents)};
  if (item.sites > 0) {
    thiessen::random_sites(context, raster, item.sites, 1);
    outputs.labels = Sites(labels.data(), item.extents);
  } else {
    mark_objects(raster);
  }
  for (int i = 0; i < calls; ++i) thiessen::nearest_site(context, raster, {}, outputs);
}

}  // namespace

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  for (const Case& item : kCases) {
    if (argc == 3 && item.name == arguments[1]) {
      run(item, std::atoi(arguments[2]));
      return 0;
    }
  }
  std::fputs("usage: bench_instructions CASE CALLS, with one of these cases:", stderr);
  for (const Case& item : kCases)
    std::fprintf(stderr, " %.*s", static_cast<int>(item.name.size()), item.name.data());
  std::fputs("\n", stderr);
  return 2;
}
