// SPDX-License-Identifier: Apache-2.0
//
// A raster in slabs on CUDA devices: one call on one GPU, two slabs one after the other there, and
// a slab on each GPU. With arrays on the host the last one is one call on a list of devices; with
// arrays on the devices each has a thread, and the three functions of
// thiessen/slabs/slabs.hpp carry it. All results are compared with those of one call, bit
// for bit. Times by the clock of the host, in turn in one run, medians.
//
// The parts of n slabs, one after the other on one GPU, tell what n GPUs would take: the longest
// summary, the combination, and the longest of the rest. A list of devices copies the cells only
// once, so that for arrays of the host the last part, with the summary of the device, is what n
// GPUs take; that is predicted, not measured.
//
// usage: bench_slabs_cuda [ROUNDS]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "thiessen/slabs/slabs.hpp"
#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double milliseconds(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

/// A number that depends on all bits of another one.
std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// Height of a landscape of hills, smaller ones on larger ones, between 0 and 1.
double height(double y, double x) {
  double sum = 0;
  double weight = 0.5;
  for (double size = 2048; size >= 16; size /= 2, weight /= 2) {
    const auto row = static_cast<std::uint64_t>(y / size);
    const auto column = static_cast<std::uint64_t>(x / size);
    const double down = y / size - static_cast<double>(row);
    const double right = x / size - static_cast<double>(column);
    const auto corner = [&](std::uint64_t dy, std::uint64_t dx) {
      const std::uint64_t bits =
          mix((row + dy) << 32 | (column + dx) << 8 | static_cast<std::uint64_t>(size / 16));
      return static_cast<double>(bits >> 11) * 0x1p-53;
    };
    sum += weight * ((1 - down) * ((1 - right) * corner(0, 0) + right * corner(0, 1)) +
                     down * ((1 - right) * corner(1, 0) + right * corner(1, 1)));
  }
  return sum;
}

/// Runs call(begin, end) for rows on all processors.
template <class Call>
void for_rows(std::int64_t rows, const Call& call) {
  const auto count = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> threads;
  for (std::int64_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] { call(rows * i / count, rows * (i + 1) / count); });
}

using Cells = std::vector<std::int32_t>;

/// The cells where land meets the sea: labels 1, 2, … of the squares in which they lie.
Cells make_coast(const Extents& extents) {
  const std::int64_t width = extents[1];
  std::vector<std::uint8_t> land(static_cast<std::size_t>(extents.count()));
  for_rows(extents[0], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        land[static_cast<std::size_t>(y * width + x)] =
            height(static_cast<double>(y), static_cast<double>(x)) > 0.5 ? 1 : 0;
  });
  Cells sites(land.size());
  for_rows(extents[0], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y)
      for (std::int64_t x = 0; x < width; ++x) {
        const auto at = static_cast<std::size_t>(y * width + x);
        const bool differs = (x > 0 && land[at - 1] == 0) ||
                             (y > 0 && land[at - static_cast<std::size_t>(width)] == 0);
        if (land[at] != 0 && differs)
          sites[at] = static_cast<std::int32_t>(1 + y / 64 * (width / 64) + x / 64);
      }
  });
  return sites;
}

/// One cell in `sparsity` is a site.
Cells make_dots(const Extents& extents, std::uint64_t sparsity) {
  Cells sites(static_cast<std::size_t>(extents.count()));
  for_rows(std::ssize(sites), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      if (mix(static_cast<std::uint64_t>(i)) % sparsity == 0)
        sites[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % 1000003 + 1);
  });
  return sites;
}

/// Arrays of a call or of a slab.
struct Arrays {
  View<const void> sites;
  View<void> labels;
  View<void> distance;

  NearestSiteOutputs outputs() const { return {.labels = labels, .distance = distance}; }
};

Extents with_rows(const Extents& raster, std::int64_t rows) {
  return raster.rank() == 2 ? Extents{rows, raster[1]} : Extents{rows, raster[1], raster[2]};
}

/// A slab of a raster, and where its arrays are.
struct Part {
  std::int64_t first = 0;
  Arrays arrays;
};

/// Memory of a device.
class Device {
 public:
  Device(int number, std::size_t bytes) : number_(number) {
    cuda(cudaSetDevice(number));
    cuda(cudaMalloc(&memory_, bytes));
  }
  ~Device() {
    cudaSetDevice(number_);
    cudaFree(memory_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  std::byte* get() const { return static_cast<std::byte*>(memory_); }

 private:
  int number_;
  void* memory_ = nullptr;
};

class Bench {
 public:
  Bench(std::string name, const Extents& extents, Cells sites, int rounds, int devices)
      : name_(std::move(name)),
        extents_(extents),
        sites_(std::move(sites)),
        rounds_(rounds),
        devices_(devices),
        labels_(sites_.size()),
        distance_(sites_.size()) {}

  bool run() {
    run_on_host();
    run_on_devices();
    for (const int slabs : {2, 4, 8}) predict(slabs);
    return agrees_;
  }

 private:
  static constexpr std::int64_t kBytes = 4;  // of a cell of each array

  void run_on_host() {
    Context one({.device = "cuda:0"});
    Context twice({.device = "cuda:0,cuda:0"});
    const Arrays all = host_rows(0, extents_[0]);
    const auto call = [&](Context& context) {
      nearest_site(context, all.sites, {}, all.outputs());
    };
    std::vector<std::pair<std::string, std::function<void()>>> ways = {
        {"one call", [&] { call(one); }},
        {"2 slabs in turn", [&] { in_turn(one, host_parts(2)); }},
        {"a slab each, 1 GPU twice", [&] { call(twice); }}};
    std::unique_ptr<Context> both;
    if (devices_ > 1) {
      both = std::make_unique<Context>(ContextOptions{.device = "cuda:0,cuda:1"});
      ways.emplace_back("a slab each, 2 GPUs", [&] { call(*both); });
    }
    call(one);
    expected_labels_ = labels_;
    expected_distance_ = distance_;
    measure("host", ways, [] {});
  }

  void run_on_devices() {
    const auto cells = static_cast<std::size_t>(extents_.count());
    Device first(0, 3 * cells * kBytes);
    Context one({.device = "cuda:0"});
    const Arrays all = device_rows(first, 0, extents_[0]);
    upload(all, 0);
    const std::vector<Part> parts = {device_part(first, 0, 2), device_part(first, 1, 2)};
    std::vector<std::pair<std::string, std::function<void()>>> ways = {
        {"one call",
         [&] {
           nearest_site(one, all.sites, {}, all.outputs());
           one.synchronize();
         }},
        {"2 slabs in turn", [&] { in_turn(one, parts); }}};
    std::unique_ptr<Device> second;
    std::unique_ptr<Context> other;
    std::vector<Part> each;
    if (devices_ > 1) {
      second = std::make_unique<Device>(1, 3 * cells * kBytes);
      other = std::make_unique<Context>(ContextOptions{.device = "cuda:1"});
      each = {device_part(first, 0, 2), device_part(*second, 1, 2)};
      upload(each[1].arrays, each[1].first);
      ways.emplace_back("a slab each, 2 GPUs", [&] { at_once({&one, other.get()}, each); });
    }
    measure("device", ways, [&] {
      if (last_way_ < 2)
        download(all, 0);
      else
        for (const Part& part : each) download(part.arrays, part.first);
    });
  }

  void predict(int count) {
    const auto cells = static_cast<std::size_t>(extents_.count());
    Device memory(0, 3 * cells * kBytes);
    upload(device_rows(memory, 0, extents_[0]), 0);
    std::vector<Part> on_device;
    for (int i = 0; i < count; ++i) on_device.push_back(device_part(memory, i, count));
    for (const bool is_host : {true, false}) {
      const std::vector<Part> parts = is_host ? host_parts(count) : on_device;
      Context context({.device = "cuda:0"});
      std::vector<double> longest[3];
      for (int round = 0; round <= rounds_; ++round) {
        double most[3] = {};
        std::vector<SlabSummary> summaries;
        for (const Part& part : parts)
          most[0] =
              std::max(most[0], milliseconds([&] { summaries.push_back(summary(context, part)); }));
        std::vector<SlabNeighbours> neighbours;
        most[1] = milliseconds([&] { neighbours = combine_slabs(summaries, extents_, {}); });
        for (std::size_t i = 0; i < parts.size(); ++i)
          most[2] =
              std::max(most[2], milliseconds([&] { finish(context, parts[i], neighbours[i]); }));
        for (int i = 0; i < 3 && round > 0; ++i) longest[i].push_back(most[i]);
      }
      const double parts_ms[3] = {median(longest[0]), median(longest[1]), median(longest[2])};
      std::printf("| %s | %s | parts of %d slabs | %.2f + %.2f + %.2f |  |\n", name_.c_str(),
                  is_host ? "host" : "device", count, parts_ms[0], parts_ms[1], parts_ms[2]);
      std::fflush(stdout);
    }
  }

  Arrays host_rows(std::int64_t first, std::int64_t rows) {
    const Extents extents = with_rows(extents_, rows);
    const std::int64_t skip = first * (extents_.count() / extents_[0]);
    return {View<const std::int32_t>(sites_.data() + skip, extents),
            View<std::int32_t>(labels_.data() + skip, extents),
            View<float>(distance_.data() + skip, extents)};
  }
  std::vector<Part> host_parts(int count) {
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) {
      const std::int64_t first = extents_[0] * i / count;
      parts.push_back({first, host_rows(first, extents_[0] * (i + 1) / count - first)});
    }
    return parts;
  }
  Arrays device_rows(const Device& device, std::int64_t first, std::int64_t rows) const {
    const Extents extents = with_rows(extents_, rows);
    const std::int64_t skip = first * (extents_.count() / extents_[0]) * kBytes;
    const std::int64_t all = extents_.count() * kBytes;
    std::byte* const sites = device.get() + skip;
    return {{sites, ElementType::i32, extents, MemorySpace::cuda},
            {sites + all, ElementType::i32, extents, MemorySpace::cuda},
            {sites + 2 * all, ElementType::f32, extents, MemorySpace::cuda}};
  }
  Part device_part(const Device& device, int number, int count) const {
    const std::int64_t first = extents_[0] * number / count;
    return {first, device_rows(device, first, extents_[0] * (number + 1) / count - first)};
  }

  std::int64_t skip_of(std::int64_t first) const {
    return first * (extents_.count() / extents_[0]);
  }
  void upload(const Arrays& arrays, std::int64_t first) const {
    cuda(cudaMemcpy(const_cast<std::byte*>(arrays.sites.bytes()), sites_.data() + skip_of(first),
                    static_cast<std::size_t>(arrays.sites.extents().count() * kBytes),
                    cudaMemcpyHostToDevice));
  }
  void download(const Arrays& arrays, std::int64_t first) {
    const auto bytes = static_cast<std::size_t>(arrays.labels.extents().count() * kBytes);
    cuda(cudaMemcpy(labels_.data() + skip_of(first), arrays.labels.bytes(), bytes,
                    cudaMemcpyDeviceToHost));
    cuda(cudaMemcpy(distance_.data() + skip_of(first), arrays.distance.bytes(), bytes,
                    cudaMemcpyDeviceToHost));
  }

  SlabSummary summary(Context& context, const Part& part) const {
    return summarise_slab(context, part.arrays.sites, {extents_, part.first}, {});
  }
  void finish(Context& context, const Part& part, const SlabNeighbours& neighbours) const {
    finish_slab(context, part.arrays.sites, {extents_, part.first}, {}, neighbours,
                part.arrays.outputs());
    context.synchronize();
  }

  void in_turn(Context& context, const std::vector<Part>& parts) const {
    std::vector<SlabSummary> summaries;
    for (const Part& part : parts) summaries.push_back(summary(context, part));
    const auto neighbours = combine_slabs(summaries, extents_, {});
    for (std::size_t i = 0; i < parts.size(); ++i) finish(context, parts[i], neighbours[i]);
  }

  void at_once(const std::vector<Context*>& contexts, const std::vector<Part>& parts) const {
    std::vector<SlabSummary> summaries(parts.size());
    const auto on_all = [&](const auto& work) {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < parts.size(); ++i) threads.emplace_back(work, i);
      work(std::size_t{0});
    };
    on_all([&](std::size_t i) { summaries[i] = summary(*contexts[i], parts[i]); });
    const auto neighbours = combine_slabs(summaries, extents_, {});
    on_all([&](std::size_t i) { finish(*contexts[i], parts[i], neighbours[i]); });
  }

  /// Measures ways in turn, after one round of each; `fetch` brings the results to the host.
  void measure(const char* where,
               const std::vector<std::pair<std::string, std::function<void()>>>& ways,
               const std::function<void()>& fetch) {
    std::vector<std::vector<double>> times(ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i) {
      last_way_ = i;
      std::fill(labels_.begin(), labels_.end(), -5);
      ways[i].second();
      fetch();
      const bool same = labels_ == expected_labels_ && distance_ == expected_distance_;
      if (!same) std::printf("%s, %s, %s: DIFFERS\n", name_.c_str(), where, ways[i].first.c_str());
      agrees_ = agrees_ && same;
    }
    for (int round = 0; round < rounds_; ++round)
      for (std::size_t i = 0; i < ways.size(); ++i)
        times[i].push_back(milliseconds(ways[i].second));
    const double one = median(times[0]);
    for (std::size_t i = 0; i < ways.size(); ++i)
      std::printf("| %s | %s | %s | %.2f | %.2f |\n", name_.c_str(), where, ways[i].first.c_str(),
                  median(times[i]), one / median(times[i]));
    std::fflush(stdout);
  }

  std::string name_;
  Extents extents_;
  Cells sites_;
  int rounds_;
  int devices_;
  Cells labels_;
  std::vector<float> distance_;
  Cells expected_labels_;
  std::vector<float> expected_distance_;
  std::size_t last_way_ = 0;
  bool agrees_ = true;
};

bool run(int rounds) {
  int devices = 0;
  cuda(cudaGetDeviceCount(&devices));
  std::printf("%d devices\n| raster | arrays | way | ms | times as fast |\n| - | - | - | - | - |\n",
              devices);
  const Extents flat{16384, 16384};
  const Extents deep{768, 768, 768};
  bool agrees = Bench("16384 x 16384, coast", flat, make_coast(flat), rounds, devices).run();
  agrees &= Bench("16384 x 16384, dots 1 %", flat, make_dots(flat, 100), rounds, devices).run();
  agrees &=
      Bench("768 x 768 x 768, dots 0.1 %", deep, make_dots(deep, 1000), rounds, devices).run();
  return agrees;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : 7) ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
