// SPDX-License-Identifier: Apache-2.0
//
// Nearest sites on the Earth: labels against those in the plane, and distances against as many
// lengths by GeographicLib alone, on as many threads; least of three rounds, in turn.
//
// usage: bench_earth [THREADS]
#include <GeographicLib/Geodesic.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

constexpr std::int64_t kHeight = 1800;
constexpr std::int64_t kWidth = 3600;
constexpr int kRounds = 3;

double milliseconds(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

using Cells = std::vector<std::uint8_t>;

View<const std::uint8_t> view_of(const Cells& cells) { return {cells.data(), {kHeight, kWidth}}; }

/// Cells of random places, of which some may be the same.
Cells make_dots(std::int64_t count) {
  Cells cells(kHeight * kWidth);
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    cells[(state >> 20) % cells.size()] = static_cast<std::uint8_t>(1 + i % 255);
  }
  return cells;
}

/// Cells of random places between the equator and 30 degrees south, 150 and 110 degrees west.
Cells make_dots_of_region(std::int64_t count) {
  constexpr std::int64_t kTop = 900, kLeft = 300, kRows = 300, kColumns = 400;
  const Cells all = make_dots(count);
  Cells cells(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (all[i] != 0)
      cells[static_cast<std::size_t>((kTop + at / kWidth % kRows) * kWidth + kLeft +
                                     at % kColumns)] = all[i];
  }
  return cells;
}

/// The edges of discs of many sizes.
Cells make_edges() {
  constexpr int kDiscs = 200;
  constexpr double kTurn = 6.283185307179586;
  Cells cells(kHeight * kWidth);
  const Cells centres = make_dots(kDiscs);
  double radius = 5;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (centres[i] == 0) continue;
    radius = radius < 150 ? radius + 3 : 5;
    for (double angle = 0; angle < kTurn; angle += 0.3 / radius) {
      const double y = static_cast<double>(i / kWidth) + radius * std::sin(angle);
      const double x = static_cast<double>(i % kWidth) + radius * std::cos(angle);
      if (y >= 0 && y < kHeight && x >= 0 && x < kWidth)
        cells[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)] = centres[i];
    }
  }
  return cells;
}

Earth make_earth() {
  Earth earth;
  for (std::int64_t y = 0; y < kHeight; ++y)
    earth.latitude.push_back(90 - 180 * (static_cast<double>(y) + 0.5) / kHeight);
  for (std::int64_t x = 0; x < kWidth; ++x)
    earth.longitude.push_back(360 * (static_cast<double>(x) + 0.5) / kWidth - 180);
  return earth;
}

/// The lengths from all cells to their sites, by GeographicLib alone.
void measure_lengths(const Earth& earth, const std::vector<std::int64_t>& sites, int threads,
                     std::vector<double>& lengths) {
  const auto& geodesic = GeographicLib::Geodesic::WGS84();
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y)
      for (std::int64_t x = 0; x < kWidth; ++x) {
        const auto cell = static_cast<std::size_t>(y * kWidth + x);
        geodesic.Inverse(earth.latitude[static_cast<std::size_t>(y)],
                         earth.longitude[static_cast<std::size_t>(x)],
                         earth.latitude[static_cast<std::size_t>(sites[cell] / kWidth)],
                         earth.longitude[static_cast<std::size_t>(sites[cell] % kWidth)],
                         lengths[cell]);
      }
  };
  std::vector<std::jthread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back(work, kHeight * i / threads, kHeight * (i + 1) / threads);
}

void measure(const std::string& name, const Cells& sites, int threads) {
  Context context({.device = "cpu", .threads = threads});
  NearestSiteOptions options;
  options.metric = Metric::ellipsoidal;
  options.earth = make_earth();
  const Extents extents{kHeight, kWidth};
  Cells labels(sites.size());
  std::vector<double> distance(sites.size());
  std::vector<std::int64_t> index(sites.size());
  nearest_site(context, view_of(sites), options, {.site_index = {index.data(), extents}});
  const NearestSiteOutputs as_labels{.labels = View<std::uint8_t>(labels.data(), extents)};
  const NearestSiteOutputs as_distance{.distance = View<double>(distance.data(), extents)};
  const std::vector<std::function<void()>> ways = {
      [&] { nearest_site(context, view_of(sites), {}, as_labels); },
      [&] { nearest_site(context, view_of(sites), options, as_labels); },
      [&] { nearest_site(context, view_of(sites), options, as_distance); },
      [&] { measure_lengths(*options.earth, index, threads, distance); }};
  std::vector<double> least(ways.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t way = 0; way < ways.size(); ++way)
      least[way] = std::min(least[way], milliseconds(ways[way]));
  std::printf("| %s | %.1f | %.1f | %.1f | %.0f | %.0f | %.2f |\n", name.c_str(), least[0],
              least[1], least[1] / least[0], least[2], least[3], least[3] / least[2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    std::printf("%lld x %lld cells, %d threads, ms\n", static_cast<long long>(kWidth),
                static_cast<long long>(kHeight), threads);
    std::puts("| sites | plane | labels | times | distances | GeographicLib | rate |");
    std::puts("| - | - | - | - | - | - | - |");
    for (const int count : {1, 1000, 100000})
      measure(std::to_string(count), make_dots(count), threads);
    measure("edges of discs", make_edges(), threads);
    for (const int count : {1000, 100000})
      measure(std::to_string(count) + " in one region", make_dots_of_region(count), threads);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
