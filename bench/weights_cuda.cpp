// SPDX-License-Identifier: Apache-2.0
//
// Weighted sites on a CUDA device: the stages of voronoi() and nearest_site() there, by events
// between them, without the copies, since the sites come from the host. Random points, 2-D with
// 4096 x 4096 cells and periodic grains in 256 x 256 x 256; weights up to the square of the mean
// spacing of points (power), up to that spacing (additive), and from 1 to 10 (multiplicative).
// Rasters with a site in each cell, and in each hundredth. Labels are compared with the CPU's, bit
// for bit. Medians.
//
// usage: bench_weights_cuda [ROUNDS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

struct Case {
  Extents extents;
  std::int64_t points;
  double step;  ///< coordinates are multiples of it
  bool periodic = false;
};

/// Numbers from 0 to less than 1, the same everywhere.
class Draw {
 public:
  double real() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 40) / static_cast<double>(std::uint64_t{1} << 24);
  }

 private:
  std::uint64_t state_ = 1;
};

std::vector<double> draw_points(const Case& of, Draw& draw) {
  std::vector<double> points;
  for (std::int64_t i = 0; i < of.points; ++i)
    for (int axis = 0; axis < of.extents.rank(); ++axis) {
      const double place = draw.real() * static_cast<double>(of.extents[axis] - 1);
      points.push_back(std::floor(place / of.step) * of.step);
    }
  return points;
}

std::vector<double> draw_weights(const Case& of, Weighting weighting, Draw& draw) {
  const double cells = static_cast<double>(of.extents.count()) / static_cast<double>(of.points);
  const double spacing = std::pow(cells, 1.0 / of.extents.rank());
  std::vector<double> weights;
  for (std::int64_t i = 0; i < of.points; ++i) {
    const double share = draw.real();
    if (weighting == Weighting::power)
      weights.push_back(std::floor(share * spacing * spacing));
    else if (weighting == Weighting::additive)
      weights.push_back(std::floor(share * spacing * 100) / 100);
    else
      weights.push_back(std::floor(100 + share * 900) / 100);
  }
  return weights;
}

class Bench {
 public:
  explicit Bench(int rounds)
      : rounds_(rounds), cpu_({.device = "cpu"}), gpu_({.device = "cuda", .stage_times = true}) {}

  void run(const std::string& name, const Case& of) {
    Draw draw;
    const std::vector<double> points = draw_points(of, draw);
    std::printf("| %s |", name.c_str());
    for (const Weighting weighting :
         {Weighting::none, Weighting::power, Weighting::additive, Weighting::multiplicative}) {
      const std::vector<double> weights = draw_weights(of, weighting, draw);
      PointList list{.coordinates =
                         View<const double>(points.data(), Extents{of.points, of.extents.rank()})};
      if (weighting != Weighting::none)
        list.weights = View<const double>(weights.data(), Extents{of.points});
      NearestSiteOptions options{.weighting = weighting};
      if (of.periodic) options.periodic.assign(static_cast<std::size_t>(of.extents.rank()), true);
      std::printf(" %.3f |", time([&](Context& context) {
                    return labels_of(of.extents, [&](const NearestSiteOutputs& out) {
                      voronoi(context, list, {.extents = of.extents}, options, out);
                    });
                  }));
      std::fflush(stdout);
    }
    std::printf("\n");
  }

  /// Each `cells`-th cell is a site.
  void run_raster(const std::string& name, const Extents& extents, double cells) {
    Draw draw;
    std::vector<std::int32_t> sites(static_cast<std::size_t>(extents.count()));
    std::vector<double> weights(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
      sites[i] = draw.real() * cells < 1 ? static_cast<std::int32_t>(i + 1) : 0;
      weights[i] = std::floor(draw.real() * 10 * cells);
    }
    const View<const std::int32_t> raster(sites.data(), extents);
    const auto milliseconds = [&](Weighting weighting) {
      View<const void> given;
      if (weighting != Weighting::none) given = View<const double>(weights.data(), extents);
      return time([&](Context& context) {
        return labels_of(extents, [&](const NearestSiteOutputs& out) {
          nearest_site(context, raster, {.weighting = weighting}, out, {}, given);
        });
      });
    };
    std::printf("| %s | %.3f | %.3f | | |\n", name.c_str(), milliseconds(Weighting::none),
                milliseconds(Weighting::power));
    std::fflush(stdout);
  }

  /// Whether all labels were those of the CPU.
  bool agrees() const { return agrees_; }

 private:
  /// find(context) -> labels.
  template <class Find>
  double time(const Find& find) {
    const std::vector<std::int32_t> expected = find(cpu_);
    std::vector<double> sums;
    for (int round = 0; round <= rounds_; ++round) {
      agrees_ = find(gpu_) == expected && agrees_;
      double sum = 0;
      for (const Phase& phase : gpu_.phases())
        if (!phase.name.starts_with("copy")) sum += phase.milliseconds;
      if (round > 0) sums.push_back(sum);
    }
    std::sort(sums.begin(), sums.end());
    return sums[sums.size() / 2];
  }

  template <class Fill>
  static std::vector<std::int32_t> labels_of(const Extents& extents, const Fill& fill) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(extents.count()));
    fill(NearestSiteOutputs{.labels = View<std::int32_t>(labels.data(), extents)});
    return labels;
  }

  int rounds_;
  Context cpu_;
  Context gpu_;
  bool agrees_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  Bench bench(argc > 1 ? std::max(std::atoi(argv[1]), 1) : 7);
  std::printf("| points | without | power | additive | multiplicative |\n");
  std::printf("| --- | ---: | ---: | ---: | ---: |\n");
  const Extents plane{4096, 4096};
  for (const std::int64_t points : {1000, 10000, 100000, 1000000})
    bench.run(std::to_string(points) + " on centres", {plane, points, 1});
  for (const std::int64_t points : {10000, 1000000})
    bench.run(std::to_string(points) + " between", {plane, points, 1.0 / 256});
  bench.run("1000 grains", {{256, 256, 256}, 1000, 1.0 / 256});
  bench.run("1000 periodic grains", {{256, 256, 256}, 1000, 1.0 / 256, true});
  bench.run_raster("a raster of sites", plane, 1);
  bench.run_raster("a raster, 1 in 100", plane, 100);
  bench.run_raster("a volume, 1 in 100", {256, 256, 256}, 100);
  return bench.agrees() ? EXIT_SUCCESS : EXIT_FAILURE;
}
