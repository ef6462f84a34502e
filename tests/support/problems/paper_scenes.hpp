// SPDX-License-Identifier: Apache-2.0
//
// The rasters on which methods that are papers to the letter are compared with programs written
// from the papers' text (tests/oracle/papers).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// A raster with random sites; in every other one, cell 0 is a site.
struct PaperScene {
  int rows;
  int columns;
  std::int64_t count;
  std::uint64_t seed;
};

inline std::vector<PaperScene> paper_scenes() {
  return {{1, 1, 0, 0},     {1, 1, 1, 1},     {1, 2, 1, 2},      {3, 2, 2, 3},
          {5, 5, 3, 4},     {1, 40, 3, 5},    {37, 1, 5, 6},     {16, 16, 8, 7},
          {17, 31, 1, 8},   {17, 31, 40, 9},  {23, 64, 9, 10},   {64, 64, 0, 11},
          {64, 65, 64, 12}, {50, 81, 70, 13}, {72, 72, 2, 14},   {72, 72, 4, 15},
          {72, 72, 5, 16},  {72, 72, 17, 17}, {90, 128, 20, 18}, {100, 99, 990, 19}};
}

struct PaperSites {
  Raster raster;
  std::vector<int> cells;  ///< in ascending order
};

inline PaperSites draw(const PaperScene& scene) {
  PaperSites sites{Raster::of<std::int32_t>({scene.rows, scene.columns}), {}};
  Context context;
  random_sites(context, sites.raster.view(), scene.count, scene.seed);
  std::int32_t* const label = sites.raster.view<std::int32_t>().data();
  if (scene.seed % 2 == 1) label[0] = 1;
  for (int i = 0; i < scene.rows * scene.columns; ++i)
    if (label[i] != 0) sites.cells.push_back(i);
  return sites;
}

/// The devices that are there and have a method.
inline std::vector<std::string> devices_with(Method method) {
  std::vector<std::string> names;
  for (const DeviceInfo& device : devices())
    if (device.available &&
        std::any_of(device.methods.begin(), device.methods.end(),
                    [&](const MethodInfo& each) { return each.method == method; }))
      names.push_back(device.name);
  return names;
}

}  // namespace thiessen::testing
