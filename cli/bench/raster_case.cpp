// SPDX-License-Identifier: Apache-2.0
#include "bench/raster_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "bench/measure.hpp"
#include "bench/whole_raster.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

bool has_method(const DeviceInfo& device, Method method) {
  return std::any_of(device.methods.begin(), device.methods.end(),
                     [&](const MethodInfo& each) { return each.method == method; });
}

bool is_cpu(const RasterWay& way) { return way.threads > 0; }

/// The methods that grow from sites or around cells.
constexpr std::array kGrowing{Method::circle_growing, Method::dilation, Method::expansion};

/// About how many cells, or rows of bits, a growing method looks at, if sites lie evenly.
double looks_of(const RasterWay& way, double cells, double sites) {
  const double region = cells / sites;
  if (way.method == Method::expansion)
    return cells * (way.whole_raster ? region : std::sqrt(region));
  return way.whole_raster ? cells * 2 * std::sqrt(region) : cells;
}

/// Why a way is not run in a case; else empty.
std::string reason_against(const RasterWay& way, std::int64_t cells, std::int64_t sites) {
  constexpr double kMostLooks = 2e8;
  if (std::find(kGrowing.begin(), kGrowing.end(), way.method) == kGrowing.end()) return {};
  if (way.whole_raster && sites == 0) return "it never ends without a site";
  if (sites == 0) return {};
  if (looks_of(way, static_cast<double>(cells), static_cast<double>(sites)) <= kMostLooks)
    return {};
  return "it looks at more than 2*10^8 cells here";
}

/// One case, in all ways.
class RasterCase {
 public:
  RasterCase(const Extents& extents, std::int64_t sites, const RasterRounds& rounds)
      : rounds_(rounds),
        count_(sites),
        sites_(Raster::of<std::int32_t>(extents)),
        labels_(Raster::of<std::int32_t>(extents)),
        distance_(Raster::of<float>(extents)),
        first_labels_(Raster::of<std::int32_t>(extents)),
        first_distance_(Raster::of<float>(extents)) {
    Context cpu({.device = "cpu"});
    random_sites(cpu, sites_.view(), sites, rounds.seed);
  }

  RasterTime run(const RasterWay& way) {
    RasterTime time{.way = way, .reason = reason_against(way, sites_.extents().count(), count_)};
    if (!time.reason.empty()) return time;
    Context& context = context_of(way);
    const Interruptible interruptible(context);
    try {
      solve(context, way, {.labels = labels_.view(), .distance = distance_.view()});
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
      const double call = milliseconds_of([&] { solve(context, way, {.labels = labels_.view()}); });
      if (way.whole_raster) {
        milliseconds.push_back(call);
        continue;
      }
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
      context = std::make_unique<Context>(ContextOptions{
          .device = way.device, .threads = is_cpu(way) ? way.threads : 0, .stage_times = true});
    return *context;
  }

  void solve(Context& context, const RasterWay& way, const NearestSiteOutputs& out) {
    if (way.whole_raster)
      return run_on_whole_raster(way.method, rounds_.metric,
                                 {std::as_const(sites_).view<std::int32_t>(),
                                  labels_.view<std::int32_t>(), distance_.view<float>()});
    NearestSiteOptions options{.method = way.method, .metric = rounds_.metric};
    options.raster.allotment = way.allotment;
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
  std::int64_t count_;  ///< of the sites
  Raster sites_, labels_, distance_, first_labels_, first_distance_;
  bool has_first_ = false;
  std::map<std::pair<std::string, int>, std::unique_ptr<Context>> contexts_;
};

}  // namespace

std::string RasterWay::name() const {
  const std::string kind = whole_raster ? ", whole raster" : "";
  const std::string by = allotment ? ", " + std::string(name_of(*allotment)) : "";
  return std::string(name_of(method)) + kind + ", " + device_text(device, threads) + by;
}

bool RasterWay::is_of_figure() const {
  const bool is_growing = std::find(kGrowing.begin(), kGrowing.end(), method) != kGrowing.end();
  return !is_growing && !allotment;
}

std::vector<RasterWay> raster_ways(const std::vector<std::string>& wanted, int threads) {
  std::vector<RasterWay> ways;
  const std::vector<DeviceInfo> found = devices_of(wanted);
  for (const Method method : {Method::brute_force, Method::chamfer})
    ways.push_back({method, "cpu", 1});
  for (const Method method : {Method::raster_gpu, Method::exact})
    for (const DeviceInfo& device : found) {
      if (!has_method(device, method)) continue;
      const bool cpu = device.name == "cpu";
      if (cpu) ways.push_back({method, device.name, 1});
      if (!cpu || threads > 1) ways.push_back({method, device.name, cpu ? threads : 0});
    }
  for (const Method method : kGrowing)
    for (const bool whole_raster : {false, true})
      ways.push_back(
          {.method = method, .device = "cpu", .threads = 1, .whole_raster = whole_raster});
  for (const DeviceInfo& device : found)
    for (const Allotment allotment : {Allotment::contiguous, Allotment::cyclic})
      if (device.name != "cpu" && has_method(device, Method::brute_force))
        ways.push_back(
            {.method = Method::brute_force, .device = device.name, .allotment = allotment});
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
