// SPDX-License-Identifier: Apache-2.0
#include "bench/raster_case.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "arguments.hpp"
#include "bench/measure.hpp"
#include "interrupt.hpp"

namespace thiessen::cli {
namespace {

bool has_method(const DeviceInfo& device, Method method) {
  return std::any_of(device.methods.begin(), device.methods.end(),
                     [&](const MethodInfo& each) { return each.method == method; });
}

std::vector<DeviceInfo> wanted_devices(const std::vector<std::string>& names) {
  std::vector<DeviceInfo> found;
  const std::vector<DeviceInfo> all = devices();
  for (const DeviceInfo& device : all)
    if (names.empty() && device.available) found.push_back(device);
  for (const std::string& name : names) {
    const Context context({.device = name});  // throws what is wrong with the name
    const auto device = std::find_if(all.begin(), all.end(), [&](const DeviceInfo& each) {
      return each.name == context.device();
    });
    if (device != all.end()) found.push_back(*device);
  }
  return found;
}

bool is_cpu(const RasterWay& way) { return way.threads > 0; }

/// One case, in all ways.
class RasterCase {
 public:
  RasterCase(const Extents& extents, std::int64_t sites, const RasterRounds& rounds)
      : rounds_(rounds),
        sites_(Raster::of<std::int32_t>(extents)),
        labels_(Raster::of<std::int32_t>(extents)),
        distance_(Raster::of<float>(extents)),
        first_labels_(Raster::of<std::int32_t>(extents)),
        first_distance_(Raster::of<float>(extents)) {
    Context cpu({.device = "cpu"});
    random_sites(cpu, sites_.view(), sites, rounds.seed);
  }

  RasterTime run(const RasterWay& way) {
    RasterTime time{.way = way};
    Context& context = context_of(way);
    const Interruptible interruptible(context);
    const NearestSiteOptions options{.method = way.method, .metric = rounds_.metric};
    try {
      solve(context, options, {.labels = labels_.view(), .distance = distance_.view()});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      time.reason = error.what();
      return time;
    }
    time.agrees = agrees();
    std::vector<double> milliseconds;
    std::vector<double> copies;
    for (int round = 0; round < rounds_.rounds; ++round) {
      throw_if_interrupted();
      const double call =
          milliseconds_of([&] { solve(context, options, {.labels = labels_.view()}); });
      const FloodingTimes parts = flooding_times(context, call);
      milliseconds.push_back(parts.without_copies());
      copies.push_back(parts.to_device + parts.to_host);
    }
    time.milliseconds = median(milliseconds);
    time.copies = median(copies);
    return time;
  }

 private:
  Context& context_of(const RasterWay& way) {
    auto& context = contexts_[{way.device, way.threads}];
    if (!context)
      context = std::make_unique<Context>(
          ContextOptions{.device = way.device, .threads = is_cpu(way) ? way.threads : 0});
    return *context;
  }

  void solve(Context& context, const NearestSiteOptions& options, const NearestSiteOutputs& out) {
    nearest_site(context, std::as_const(sites_).view(), options, out);
    context.synchronize();
  }

  /// Whether a result is that of the first way; keeps the result of the first way.
  bool agrees() {
    if (!std::exchange(has_first_, true)) {
      std::swap(labels_, first_labels_);
      std::swap(distance_, first_distance_);
      return true;
    }
    const auto same = [](const Raster& a, const Raster& b) {
      return std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0;
    };
    return same(labels_, first_labels_) && same(distance_, first_distance_);
  }

  RasterRounds rounds_;
  Raster sites_, labels_, distance_, first_labels_, first_distance_;
  bool has_first_ = false;
  std::map<std::pair<std::string, int>, std::unique_ptr<Context>> contexts_;
};

}  // namespace

std::string RasterWay::name() const {
  std::string text = std::string(name_of(method)) + ", " + device;
  if (threads > 0) text += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  return text;
}

std::vector<RasterWay> raster_ways(const std::vector<std::string>& wanted, int threads) {
  std::vector<RasterWay> ways;
  const std::vector<DeviceInfo> found = wanted_devices(wanted);
  for (const Method method : {Method::brute_force, Method::chamfer})
    ways.push_back({method, "cpu", 1});
  for (const Method method : {Method::raster_gpu, Method::exact})
    for (const DeviceInfo& device : found) {
      if (!has_method(device, method)) continue;
      const bool cpu = device.name == "cpu";
      if (cpu) ways.push_back({method, device.name, 1});
      if (!cpu || threads > 1) ways.push_back({method, device.name, cpu ? threads : 0});
    }
  return ways;
}

RasterResult run_raster_case(const Extents& extents, std::int64_t sites,
                             const std::vector<RasterWay>& ways, const RasterRounds& rounds,
                             const std::function<void(double)>& advance) {
  RasterResult result{.extents = extents, .sites = sites, .times = {}};
  RasterCase each(extents, sites, rounds);
  for (const RasterWay& way : ways) {
    throw_if_interrupted();
    advance(static_cast<double>(result.times.size()) / static_cast<double>(ways.size()));
    result.times.push_back(each.run(way));
  }
  return result;
}

}  // namespace thiessen::cli
