// SPDX-License-Identifier: Apache-2.0
//
// Eikonal cost distance on a CUDA device: costs and labels, by events between the stages, without
// the copies, since maps and sites come from the host. Level, smooth and random maps, 8192 x 8192
// and 384 x 384 x 384 cells, from one site and from 10,000. Costs and labels are compared with the
// CPU's, bit for bit, if COMPARE is 1. Medians, in Gcell/s.
//
// usage: bench_eikonal_cuda [ROUNDS [COMPARE [SIDE]]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

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

enum class Ground : std::uint8_t { level, smooth, noise };

std::vector<float> draw_map(Ground ground, const Extents& extents) {
  Draw draw;
  std::vector<float> map(static_cast<std::size_t>(extents.count()), 1);
  const std::int64_t width = extents[extents.rank() - 1];
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    if (ground == Ground::smooth)
      map[i] = static_cast<float>(1 + 0.5 * std::sin(static_cast<double>(cell % width) / 40) *
                                          std::cos(static_cast<double>(cell / width) / 30));
    if (ground == Ground::noise) map[i] = static_cast<float>(0.1 + 0.9 * draw.real());
  }
  return map;
}

struct Answer {
  std::vector<std::int32_t> labels;
  std::vector<float> costs;
  bool operator==(const Answer&) const = default;
};

class Bench {
 public:
  Bench(int rounds, bool compares)
      : rounds_(rounds),
        compares_(compares),
        cpu_({.device = "cpu"}),
        gpu_({.device = "cuda", .stage_times = true}) {}

  void run(const std::string& name, Ground ground, const Extents& extents, std::int64_t count) {
    const std::vector<float> map = draw_map(ground, extents);
    Draw draw;
    std::vector<double> points;
    for (std::int64_t i = 0; i < count; ++i)
      for (int axis = 0; axis < extents.rank(); ++axis)
        points.push_back(count == 1
                             ? static_cast<double>(extents[axis] / 2)
                             : std::floor(draw.real() * static_cast<double>(extents[axis] - 1)));
    Answer answer{std::vector<std::int32_t>(map.size()), std::vector<float>(map.size())};
    const auto find = [&](Context& context) {
      cost_distance(context, CostMap::cost(View<const float>(map.data(), extents)),
                    {.coordinates = View<const double>(points.data(), {count, extents.rank()})},
                    {.method = CostMethod::eikonal},
                    {.labels = View<std::int32_t>(answer.labels.data(), extents),
                     .distance = View<float>(answer.costs.data(), extents)});
    };
    std::vector<double> sums;
    std::map<std::string, double> stages;
    for (int round = 0; round <= rounds_; ++round) {
      find(gpu_);
      double sum = 0;
      for (const Phase& phase : gpu_.phases()) {
        if (phase.name.starts_with("copy")) continue;
        sum += phase.milliseconds;
        if (round == rounds_) stages[std::string(phase.name)] += phase.milliseconds;
      }
      if (round > 0) sums.push_back(sum);
    }
    if (compares_) {
      const Answer found = answer;
      find(cpu_);
      agrees_ = agrees_ && found == answer;
    }
    std::sort(sums.begin(), sums.end());
    const double median = sums[sums.size() / 2];
    std::printf("| %s, %lld sites | %.2f | %.2f |", name.c_str(), static_cast<long long>(count),
                median, static_cast<double>(extents.count()) / median * 1e-6);
    for (const auto& [stage, milliseconds] : stages)
      if (milliseconds > median / 50) std::printf(" %s %.2f;", stage.c_str(), milliseconds);
    std::printf(" |\n");
    std::fflush(stdout);
  }

  /// Whether all answers were those of the CPU.
  bool agrees() const { return agrees_; }

 private:
  int rounds_;
  bool compares_;
  Context cpu_;
  Context gpu_;
  bool agrees_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) {
    return argc > i ? std::max(std::atoi(argv[i]), 0) : otherwise;
  };
  Bench bench(std::max(argument(1, 5), 1), argument(2, 1) != 0);
  const std::int64_t side = argument(3, 8192);
  const std::int64_t edge = side * 3 / 64;
  std::printf("| map | ms | Gcell/s | stages, ms |\n| --- | ---: | ---: | --- |\n");
  for (const std::int64_t sites : {1, 10000}) {
    bench.run("level", Ground::level, {side, side}, sites);
    bench.run("smooth", Ground::smooth, {side, side}, sites);
    bench.run("noise", Ground::noise, {side, side}, sites);
  }
  bench.run("level volume", Ground::level, {edge, edge, edge}, 1);
  bench.run("smooth volume", Ground::smooth, {edge, edge, edge}, 100);
  bench.run("noise volume", Ground::noise, {edge, edge, edge}, 1);
  return bench.agrees() ? EXIT_SUCCESS : EXIT_FAILURE;
}
