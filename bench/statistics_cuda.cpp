// SPDX-License-Identifier: Apache-2.0
//
// site_statistics() and adjacency() of labels in memory of a CUDA device: whole calls by the clock
// of the host, which end when the table is there, and the stages on the device by events between
// them, in calls of their own. The labels are those of the nearest of random sites on 4096 x 4096
// cells, int32; `scattered` ones are the same times a large number, so that they are found by
// hashing. Tables are compared with the CPU's, bit for bit. Medians.
//
// usage: bench_statistics_cuda [ROUNDS]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

const Extents kExtents{4096, 4096};
const std::size_t kBytes = static_cast<std::size_t>(kExtents.count()) * sizeof(std::int32_t);

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}
bool equal(const Raster& a, const Raster& b) {
  return a.size_bytes() == b.size_bytes() && std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0;
}
bool equal(const SiteStatistics& a, const SiteStatistics& b) {
  return equal(a.labels, b.labels) && equal(a.cells, b.cells) && equal(a.volume, b.volume) &&
         equal(a.centroid, b.centroid) && equal(a.second_moments, b.second_moments) &&
         equal(a.first, b.first) && equal(a.last, b.last);
}
bool equal(const Adjacency& a, const Adjacency& b) {
  return equal(a.a, b.a) && equal(a.b, b.b) && equal(a.contacts, b.contacts) &&
         equal(a.boundary, b.boundary);
}

class Bench {
 public:
  Bench() : cpu_({.device = "cpu"}), gpu_({.device = "cuda"}), staged_(staged()) {
    cuda(cudaMalloc(&memory_, kBytes));
  }
  ~Bench() { cudaFree(memory_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void run(std::int64_t sites, std::int32_t factor, int rounds) {
    const Raster drawn = random_sites(kExtents, sites, 1);
    NearestSite found = nearest_site(drawn.view());
    const View<std::int32_t> host = found.labels.view<std::int32_t>();
    for (std::int64_t i = 0; i < kExtents.count(); ++i) host.data()[i] *= factor;
    cuda(cudaMemcpy(memory_, host.data(), kBytes, cudaMemcpyHostToDevice));
    const View<const void> device(memory_, ElementType::i32, kExtents, MemorySpace::cuda);
    const std::string name = std::to_string(sites) + (factor == 1 ? "" : " scattered");
    report(name + ", statistics", rounds, site_statistics(cpu_, host, {}),
           [&](Context& context) { return site_statistics(context, device, {}); });
    report(name + ", adjacency", rounds, adjacency(cpu_, host),
           [&](Context& context) { return adjacency(context, device); });
  }

  /// Whether all tables were those of the CPU.
  bool agrees() const { return agrees_; }

 private:
  static ContextOptions staged() {
    ContextOptions options{.device = "cuda"};
    options.stage_times = true;
    return options;
  }

  template <class Table, class Call>
  void report(const std::string& name, int rounds, const Table& expected, const Call& call) {
    bool same = equal(call(gpu_), expected);
    std::vector<double> whole;
    for (int round = 0; round < rounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      const Table table = call(gpu_);
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - start;
      whole.push_back(time.count());
      same = same && equal(table, expected);
    }
    std::printf("| %s | %.4f | %.4f |", name.c_str(), median(whole),
                *std::min_element(whole.begin(), whole.end()));
    std::map<std::string, std::vector<double>> stages;
    std::vector<double> sums;
    for (int round = 0; round < rounds; ++round) {
      call(staged_);
      double sum = 0;
      for (const Phase& phase : staged_.phases()) {
        stages[std::string(phase.name)].push_back(phase.milliseconds);
        sum += phase.milliseconds;
      }
      sums.push_back(sum);
    }
    std::printf(" %.4f |", median(sums));
    for (const auto& [stage, times] : stages)
      std::printf(" %s %.4f;", stage.c_str(), median(times));
    std::printf("%s\n", same ? "" : " DIFFERS FROM THE CPU");
    std::fflush(stdout);
    agrees_ = agrees_ && same;
  }

  Context cpu_;
  Context gpu_;
  Context staged_;
  void* memory_ = nullptr;
  bool agrees_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
  Bench bench;
  std::printf(
      "| labels | whole call, ms | least | stages, ms | each |\n| --- | --- | --- | --- | --- |\n");
  for (const std::int64_t sites : {1, 100, 10000, 168327}) bench.run(sites, 1, rounds);
  bench.run(10000, 100003, rounds);
  return bench.agrees() ? EXIT_SUCCESS : EXIT_FAILURE;
}
