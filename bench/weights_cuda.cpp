// SPDX-License-Identifier: Apache-2.0
//
// Weighted points on a CUDA device: the stages of voronoi() there, by events between them, without
// the copies, since the points come from the host. Random points, 2-D with 4096 x 4096 cells and
// periodic grains in 256 x 256 x 256; weights up to the square of the mean spacing of points
// (power), up to that spacing (additive), and from 1 to 10 (multiplicative). Labels are compared
// with the CPU's, bit for bit. Medians.
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
      std::printf(" %.3f |", time(of, list, options));
      std::fflush(stdout);
    }
    std::printf("\n");
  }

  /// Whether all labels were those of the CPU.
  bool agrees() const { return agrees_; }

 private:
  double time(const Case& of, const PointList& list, const NearestSiteOptions& options) {
    const std::vector<std::int32_t> expected = find(cpu_, of, list, options);
    std::vector<double> sums;
    for (int round = 0; round <= rounds_; ++round) {
      agrees_ = find(gpu_, of, list, options) == expected && agrees_;
      double sum = 0;
      for (const Phase& phase : gpu_.phases())
        if (!phase.name.starts_with("copy")) sum += phase.milliseconds;
      if (round > 0) sums.push_back(sum);
    }
    std::sort(sums.begin(), sums.end());
    return sums[sums.size() / 2];
  }

  static std::vector<std::int32_t> find(Context& context, const Case& of, const PointList& list,
                                        const NearestSiteOptions& options) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(of.extents.count()));
    voronoi(context, list, {.extents = of.extents}, options,
            {.labels = View<std::int32_t>(labels.data(), of.extents)});
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
  return bench.agrees() ? EXIT_SUCCESS : EXIT_FAILURE;
}
