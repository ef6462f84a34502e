// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites by cost against a call with one site, which n sites would need n times; and
// shape functions of a body of 64^3 cells with 200 nodes, in which a thin cut grows.
//
// usage: bench_cost_nearest_k [ROUNDS]; processor time of one thread, the median of the rounds
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

double milliseconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A map and sites, and arrays for the results.
struct Measured {
  Extents extents;
  std::vector<float> map;
  std::vector<double> points;
  std::vector<std::int64_t> site;
  std::vector<float> cost;
  Context context = Context({.threads = 1});

  Measured(const Extents& size, std::int64_t sites, bool is_even) : extents(size) {
    std::mt19937 draw(1);
    for (std::int64_t i = 0; i < size.count(); ++i)
      map.push_back(is_even ? 1 : 0.1F + static_cast<float>(draw() % 1000) / 1000);
    for (std::int64_t i = 0; i < sites; ++i)
      for (int axis = 0; axis < size.rank(); ++axis)
        points.push_back(static_cast<double>(draw() % static_cast<std::uint64_t>(size[axis])));
  }

  std::int64_t sites() const { return static_cast<std::int64_t>(points.size()) / extents.rank(); }

  CostMap stiffness() const { return CostMap::stiffness(View<const float>(map.data(), extents)); }

  Extents ranked(std::int64_t k) const {
    std::vector<std::int64_t> sizes{k};
    for (int axis = 0; axis < extents.rank(); ++axis) sizes.push_back(extents[axis]);
    return k == 0 ? extents : Extents(sizes);
  }

  void run(std::int64_t k, std::int64_t count, bool is_tight = false) {
    const Extents all = ranked(k);
    site.resize(static_cast<std::size_t>(all.count()));
    cost.resize(site.size());
    cost_distance(context, stiffness(),
                  {.coordinates = View<const double>(points.data(), {count, extents.rank()})},
                  {.k = k, .tight_barriers = is_tight},
                  {.site_index = View<std::int64_t>(site.data(), all),
                   .distance = View<float>(cost.data(), all)});
  }
};

void measure_k(int rounds) {
  std::printf("| raster | map | sites | k | ms | Mcell/s | one site, ms | n calls / this |\n");
  for (const Extents& size : {Extents{1024, 1024}, Extents{128, 128, 128}})
    for (const bool is_even : {false, true})
      for (const std::int64_t sites : {200, 10'000}) {
        Measured measured(size, sites, is_even);
        for (const std::int64_t k : {1, 4, 8}) {
          std::vector<double> all, one;
          for (int round = 0; round < rounds; ++round) {
            all.push_back(milliseconds([&] { measured.run(k, sites); }));
            one.push_back(milliseconds([&] { measured.run(0, 1); }));
          }
          const double ms = median(all), single = median(one);
          std::printf("| %s | %s | %lld | %lld | %.0f | %.2f | %.0f | %.0f |\n",
                      size.rank() == 2 ? "1024²" : "128³", is_even ? "even" : "noise",
                      static_cast<long long>(sites), static_cast<long long>(k), ms,
                      static_cast<double>(size.count()) / ms / 1e3, single,
                      static_cast<double>(sites) * single / ms);
          std::fflush(stdout);
        }
      }
}

/// Cuts the oblique plane z + y / 2 = 48 as far as column `end`.
void cut(Measured& body, std::int64_t end) {
  for (std::int64_t y = 0; y < 64; ++y)
    for (std::int64_t x = 0; x < end; ++x)
      body.map[static_cast<std::size_t>(((48 - y / 2) * 64 + y) * 64 + x)] = 0;
}

void measure_body() {
  constexpr std::int64_t kPlaces = 4, kFrames = 100, kMeasured = 10, kStride = 256;
  Measured body({64, 64, 64}, 200, false);
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = 0; cell < body.extents.count(); cell += kStride) cells.push_back(cell);
  std::vector<double> nearest, shepard, natural;
  std::int64_t entries = 0;
  for (std::int64_t frame = 0; frame < kFrames; frame += kFrames / kMeasured) {
    cut(body, frame * 64 / (kFrames - 1));
    nearest.push_back(milliseconds([&] { body.run(kPlaces, body.sites(), true); }));
    std::vector<double> weights(body.cost.size());
    const Extents all = body.ranked(kPlaces);
    shepard.push_back(milliseconds([&] {
      shepard_weights(body.context, View<const float>(body.cost.data(), all), {},
                      View<double>(weights.data(), all));
    }));
    natural.push_back(milliseconds([&] {
      entries =
          std::ssize(natural_coordinates(body.context, body.stiffness(),
                                         View<const std::int64_t>(body.site.data(), body.extents),
                                         View<const float>(body.cost.data(), body.extents), cells,
                                         {.tight_barriers = true})
                         .count);
    }));
  }
  std::printf(
      "\n64³, 200 nodes, k = 4, medians of %zu of 100 frames: k nearest %.0f ms, Shepard %.1f ms, "
      "natural coordinates of %zu cells %.0f ms (%.1f sites a cell)\n",
      nearest.size(), median(nearest), median(shepard), cells.size(), median(natural),
      static_cast<double>(entries) / static_cast<double>(cells.size()));
}

}  // namespace
}  // namespace thiessen

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(std::atoi(arguments[1]), 1) : 3;
  thiessen::measure_body();
  thiessen::measure_k(rounds);
  return 0;
}
