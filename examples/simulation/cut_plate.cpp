// SPDX-License-Identifier: Apache-2.0
//
// A plate of soft material with stiff inclusions is cut by a moving blade. Nodes of the simulation
// are sites, and a node moves what is near to it through stiff material: each frame needs the cells
// of all nodes, and what these hold. The blade makes a few cells impassable in each frame, and only
// what that changes is computed again.
//
//   cut_plate [FRAMES [FOLDER]]     300 frames; pictures of every fifth go to FOLDER
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "files.hpp"
#include "thiessen/thiessen.hpp"

namespace {

using thiessen::Array;
using thiessen::Extents;
using thiessen::Raster;

constexpr std::int64_t kHeight = 200;
constexpr std::int64_t kWidth = 500;
constexpr std::int64_t kNodes = 200;
constexpr double kPi = 3.14159265358979323846;

/// Soft, with nine stiff discs.
Array<float> plate() {
  Array<float> stiffness(Extents{kHeight, kWidth});
  const auto cells = stiffness.view();
  for (std::int64_t y = 0; y < kHeight; ++y)
    for (std::int64_t x = 0; x < kWidth; ++x) {
      const std::int64_t dy = y - kHeight / 2;
      const std::int64_t dx = x % 56 - 28;
      cells(y, x) = dy * dy + dx * dx < 20 * 20 ? 1.0F : 0.2F;
    }
  return stiffness;
}

/// The middle of the blade, which is 3 x 3 cells, in a frame: it swings up and down from left to
/// right.
std::array<std::int64_t, 2> blade(std::int64_t frame, std::int64_t frames) {
  const double way = static_cast<double>(frame) / static_cast<double>(frames);
  const double y = kHeight / 2 + 0.35 * kHeight * std::sin(4 * kPi * way);
  const double x = 5 + (kWidth - 10) * way;
  return {static_cast<std::int64_t>(y), static_cast<std::int64_t>(x)};
}

/// Cuts 3 x 3 cells, and returns them.
std::vector<std::int64_t> cut(Array<float>& stiffness, const std::array<std::int64_t, 2>& first) {
  std::vector<std::int64_t> cells;
  for (std::int64_t y = first[0]; y < first[0] + 3; ++y)
    for (std::int64_t x = first[1]; x < first[1] + 3; ++x) {
      stiffness.view()(y, x) = 0;
      cells.push_back(y * kWidth + x);
    }
  return cells;
}

void write_picture(const std::filesystem::path& path, const Raster& labels,
                   const Array<float>& distance) {
  files::write_ppm(path,
                   thiessen::render({.labels = labels.view(), .distance = distance.view()}).view());
}

void run(std::int64_t frames, const std::filesystem::path& folder) {
  thiessen::Context context({.device = "cpu"});
  Array<float> stiffness = plate();
  Raster nodes = Raster::of<std::int32_t>({kHeight, kWidth});
  thiessen::random_sites(context, nodes.view(), kNodes, 1);
  Raster labels = Raster::of<std::int32_t>({kHeight, kWidth});
  Array<float> distance(Extents{kHeight, kWidth});
  const Raster& sites = nodes;
  thiessen::CostSolver solver(context, thiessen::CostMap::stiffness(stiffness.view()), sites.view(),
                              {.tight_barriers = true},
                              {.labels = labels.view(), .distance = distance.view()});
  thiessen::RegionStatistics regions(context, labels.view(), {.field = stiffness.view()});

  const std::vector<float> zeros(9, 0.0F);
  const thiessen::View<const float> blade_values(zeros.data(), {3, 3});
  thiessen::RegionChanges changed_regions;
  thiessen::SiteStatistics shares;
  std::int64_t changed = 0;
  std::vector<double> milliseconds;
  double lightest = std::numeric_limits<double>::infinity();
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    const auto [y, x] = blade(frame, frames);
    const std::array<std::int64_t, 2> first{y - 1, x - 1};
    const std::vector<std::int64_t> cut_cells = cut(stiffness, first);
    const auto start = std::chrono::steady_clock::now();
    solver.update_box(first, blade_values);
    const thiessen::Changes& changes = solver.solve();
    regions.update(cut_cells);
    regions.update(solver.changed_cells().cell);
    regions.changes(changed_regions);
    regions.statistics(shares, changed_regions.labels.view());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    milliseconds.push_back(took.count());
    changed += changes.cells;
    for (std::size_t i = 0; i < shares.mass.size(); ++i)
      lightest = std::min(lightest, shares.mass[i]);
    if (!folder.empty() && frame % 5 == 0) {
      std::printf("frame %3lld: %5lld cells of %2zu nodes changed, %.3f ms\n",
                  static_cast<long long>(frame), static_cast<long long>(changes.cells),
                  changes.sites.size(), took.count());
      char name[32];
      std::snprintf(name, sizeof name, "frame-%03lld.ppm", static_cast<long long>(frame));
      write_picture(folder / name, labels, distance);
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%lld frames, %lld cells changed, lightest node %.1f\n",
              static_cast<long long>(frames), static_cast<long long>(changed), lightest);
  std::printf("median %.3f ms a frame, at most %.3f\n", milliseconds[milliseconds.size() / 2],
              milliseconds.back());
}

}  // namespace

int main(int argc, char** argv) {
  const long frames = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 300;
  if (argc > 3 || frames < 1) {
    std::fputs("usage: cut_plate [FRAMES [FOLDER]]\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path folder = argc > 2 ? argv[2] : "";
    if (!folder.empty()) std::filesystem::create_directories(folder);
    run(frames, folder);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cut_plate: %s\n", error.what());
    return 1;
  }
}
