// SPDX-License-Identifier: Apache-2.0
//
// What each method of each device takes, tried call by call and compared with the pinned table
// support.txt. A refusal that the table does not have fails, and so does a call that the table says
// is refused. With THIESSEN_UPDATE_SUPPORT in the environment the table is written anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// A call of nearest_site() or voronoi() that differs from the plain one in one thing.
struct NearestCall {
  NearestSiteOptions options = {};
  NearestSiteWanted wanted = {};
  bool points = false, batch = false, domain = false;
};

using Change = std::pair<const char*, std::function<void(NearestCall&, int rank)>>;

const std::vector<Change>& changes() {
  static const std::vector<Change> kChanges = {
      {"site_index", [](NearestCall& call, int) { call.wanted.site_index = true; }},
      {"squared", [](NearestCall& call, int) { call.wanted.squared = true; }},
      {"offset", [](NearestCall& call, int) { call.wanted.offset = true; }},
      {"direction", [](NearestCall& call, int) { call.wanted.direction = true; }},
      {"other_labels", [](NearestCall& call, int) { call.wanted.other_labels = true; }},
      {"ties", [](NearestCall& call, int) { call.wanted.ties = true; }},
      {"ties_unreached", [](NearestCall& call, int) { call.options.ties_unreached = true; }},
      {"k", [](NearestCall& call, int) { call.options.k = 2; }},
      {"signed_distance", [](NearestCall& call, int) { call.options.signed_distance = true; }},
      {"to_zeros", [](NearestCall& call, int) { call.options.distance_to = DistanceTo::zeros; }},
      {"to_boundary",
       [](NearestCall& call, int) { call.options.distance_to = DistanceTo::boundary; }},
      {"max_distance", [](NearestCall& call, int) { call.options.max_distance = 2; }},
      {"spacing",
       [](NearestCall& call, int rank) {
         call.options.spacing.assign(static_cast<std::size_t>(rank), 1);
         call.options.spacing[0] = 2;
       }},
      {"periodic",
       [](NearestCall& call, int rank) {
         call.options.periodic.assign(static_cast<std::size_t>(rank), true);
       }},
      {"metric_function",
       [](NearestCall& call, int) {
         call.options.metric = Metric::euclidean;
         call.options.metric_function = [](std::span<const double> way) { return way[0] * way[0]; };
       }},
      {"domain", [](NearestCall& call, int) { call.domain = true; }},
      {"points", [](NearestCall& call, int) { call.points = true; }},
      {"batch", [](NearestCall& call, int) { call.batch = true; }},
  };
  return kChanges;
}

Extents small(int rank) { return rank == 2 ? Extents{4, 5} : Extents{3, 4, 5}; }

/// Rising latitudes and longitudes of a small raster.
Earth small_earth() { return {.latitude = {1, 2, 3, 4}, .longitude = {1, 2, 3, 4, 5}}; }

/// Runs the call; returns the reason why it is refused, or nothing.
std::string run(Context& context, const NearestCall& call, int rank) {
  const Extents extents = small(rank);
  const Extents all = !call.batch ? extents
                      : rank == 2 ? Extents{2, extents[0], extents[1]}
                                  : Extents{2, extents[0], extents[1], extents[2]};
  std::vector<std::int32_t> cells(static_cast<std::size_t>(all.count()));
  cells[2] = 3;
  cells.back() = 4;
  const std::vector<std::uint8_t> inside(cells.size(), 1);
  const std::vector<double> places = {0, 1, 2, 3, 1, 2};
  NearestSiteOptions options = call.options;
  if (is_on_earth(options.metric)) options.earth = small_earth();
  // The outputs of a call on the default context: memory for them, whatever the device.
  NearestSite results;
  const Extents k_extents =
      rank == 2 ? Extents{2, all[0], all[1]} : Extents{2, all[0], all[1], all[2]};
  const Extents& ranked = options.k > 0 ? k_extents : all;
  if (call.wanted.labels) results.labels = Raster(ElementType::i32, ranked);
  if (call.wanted.distance) results.distance = Raster(ElementType::f32, ranked);
  if (call.wanted.site_index) results.site_index = Array<std::int64_t>(ranked);
  if (call.wanted.squared) results.squared = Array<std::int64_t>(ranked);
  if (call.wanted.offset)
    results.offset = Array<std::int32_t>(rank == 2 ? Extents{2, all[0], all[1]}
                                                   : Extents{3, all[0], all[1], all[2]});
  if (call.wanted.direction) results.direction = Array<float>(all);
  if (call.wanted.other_labels) results.other_labels = Raster(ElementType::i32, all);
  if (call.wanted.ties) results.ties = Array<std::uint8_t>(all);
  const View<const std::uint8_t> domain(inside.data(), all);
  if (call.domain) options.nodata_label = std::int64_t{-5};
  const View<const std::int32_t> sites(cells.data(), all);
  try {
    if (call.points)
      voronoi(context, {.coordinates = View<const double>(places.data(), {6 / rank, rank})},
              {.extents = extents}, options, results.outputs(),
              call.domain ? View<const void>(domain) : View<const void>());
    else if (call.batch)
      nearest_site_batch(context, sites, options, results.outputs());
    else
      nearest_site(context, sites, options, results.outputs(),
                   call.domain ? View<const void>(domain) : View<const void>());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// "all", or the changes that a method refuses by a metric, or why it refuses the metric.
std::string support_of(Context& context, Method method, Metric metric, int rank) {
  NearestCall plain;
  plain.options.method = method;
  plain.options.metric = metric;
  if (const std::string reason = run(context, plain, rank); !reason.empty())
    return "refused: " + reason;
  std::string lacks;
  for (const auto& [name, change] : changes()) {
    NearestCall call = plain;
    change(call, rank);
    if (!run(context, call, rank).empty()) lacks += std::string(lacks.empty() ? "" : " ") + name;
  }
  return lacks.empty() ? "all" : "all but " + lacks;
}

/// The kind of a device: "cuda" of "cuda:0".
std::string kind_of(std::string_view device) {
  return std::string(device.substr(0, device.find(':')));
}

/// The lines of one kind of device: metrics with the same answer stand in one line.
std::string table_of(const DeviceInfo& device) {
  Context context({.device = device.name});
  std::ostringstream table;
  for (const MethodInfo& method : device.methods)
    for (const int rank : {2, 3}) {
      std::vector<std::pair<std::string, std::string>> lines;
      for (const std::string_view name : kMetricNames) {
        std::string answer = support_of(context, method.method, *find_metric(name), rank);
        // Reasons name the device and the metric, which the line does, too.
        const auto same = std::find_if(lines.begin(), lines.end(),
                                       [&](const auto& line) { return line.second == answer; });
        if (same == lines.end())
          lines.emplace_back(name, std::move(answer));
        else
          same->first += "," + std::string(name);
      }
      for (const auto& [metrics, answer] : lines)
        table << kind_of(device.name) << ' ' << name_of(method.method) << ' ' << rank << "-D "
              << metrics << ": " << answer << '\n';
    }
  return table.str();
}

/// The lines of the pinned table that begin with the kind of a device.
std::string pinned_lines(const std::string& kind) {
  std::ifstream file(THIESSEN_SUPPORT_TABLE);
  std::string lines, line;
  while (std::getline(file, line))
    if (line.rfind(kind + ' ', 0) == 0) lines += line + '\n';
  return lines;
}

TEST(SupportTable, IsWhatMethodsDo) {
  std::map<std::string, std::string> tables;
  for (const DeviceInfo& device : devices())
    if (device.available && !tables.contains(kind_of(device.name)))
      tables[kind_of(device.name)] = table_of(device);
  if (std::getenv("THIESSEN_UPDATE_SUPPORT") != nullptr) {
    std::string all;
    for (const char* kind : {"cpu", "cuda", "opencl"})
      all += tables.contains(kind) ? tables[kind] : pinned_lines(kind);
    std::ofstream(THIESSEN_SUPPORT_TABLE) << all;
    return;
  }
  for (const auto& [kind, table] : tables) EXPECT_EQ(table, pinned_lines(kind)) << kind;
}

}  // namespace
}  // namespace thiessen
