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
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/call/call.hpp"
#include "support/support_table.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/solvers/nearest_site_solver.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// A call of nearest_site() or voronoi() that differs from the plain one in one thing.
struct NearestCall {
  NearestSiteOptions options = {};
  NearestSiteWanted wanted = {};
  bool points = false, batch = false, domain = false, solver = false, slabs = false;
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
      {"wide_spacing",  // distances of more than 62 bits, squared or not
       [](NearestCall& call, int rank) {
         const bool is_squared = call.options.metric == Metric::euclidean;
         call.options.spacing.assign(static_cast<std::size_t>(rank), is_squared ? 1e-9 : 1e-18);
         call.options.spacing[0] = is_squared ? 3.000000001 : 9.000000000000002;
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
      {"slabs", [](NearestCall& call, int) { call.slabs = true; }},
      {"solver", [](NearestCall& call, int) { call.solver = true; }},
      {"point_slabs", [](NearestCall& call, int) { call.points = call.slabs = true; }},
      {"point_solver", [](NearestCall& call, int) { call.points = call.solver = true; }},
  };
  return kChanges;
}

Extents small(int rank) { return rank == 2 ? Extents{4, 5} : Extents{3, 4, 5}; }

/// Rising latitudes and longitudes of a small raster.
Earth small_earth() { return {.latitude = {1, 2, 3, 4}, .longitude = {1, 2, 3, 4, 5}}; }

/// The raster as one slab.
void run_in_slabs(Context& context, const View<const std::int32_t>& sites,
                  const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  const SlabPlace place{sites.extents(), 0};
  const std::vector<SlabSummary> summaries{summarise_slab(context, sites, place, options)};
  const std::vector<SlabNeighbours> beside = combine_slabs(summaries, sites.extents(), options);
  finish_slab(context, sites, place, options, beside.front(), out);
}

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
  const PointList points{.coordinates = View<const double>(places.data(), {6 / rank, rank})};
  try {
    if (call.points && call.solver)
      NearestSiteSolver(context, points, {.extents = extents}, options, results.outputs());
    else if (call.points && call.slabs)
      voronoi_slab(context, points, {.extents = extents}, 0, extents[0], options,
                   results.outputs());
    else if (call.points)
      voronoi(context, points, {.extents = extents}, options, results.outputs(),
              call.domain ? View<const void>(domain) : View<const void>());
    else if (call.solver)
      NearestSiteSolver(context, sites, options, results.outputs());
    else if (call.slabs)
      run_in_slabs(context, sites, options, results.outputs());
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

/// A call of cost_distance() by names that differs from the plain one in one thing.
struct CostCall {
  explicit CostCall(int axes) : rank(axes), extents(small(axes)) {
    cells[2] = 3;
    cells.back() = 4;
  }

  Call make() {
    Call call("cost_distance");
    call.set_input("cost", View<const float>(map.data(), extents));
    if (points)
      call.set_input("points", View<const double>(places.data(), {6 / rank, rank}));
    else
      call.set_input("sites", View<const std::int32_t>(cells.data(), extents));
    call.want("labels");
    call.want("distance");
    return call;
  }

  int rank;
  Extents extents;
  bool points = false, solver = false, slabs = false;
  std::vector<float> map = std::vector<float>(static_cast<std::size_t>(extents.count()), 1);
  std::vector<std::uint8_t> faces = std::vector<std::uint8_t>(map.size());
  std::vector<std::int32_t> cells = std::vector<std::int32_t>(map.size());
  std::vector<double> places = {0, 1, 2, 3, 1, 2};
};

using CostChange = std::pair<std::string, std::function<void(CostCall&, Call&)>>;

/// Each output, and what options, inputs and roles there are.
std::vector<CostChange> cost_changes() {
  std::vector<CostChange> found;
  for (const Output& output : kCostDistance.outputs)
    if (!output.is_default)
      found.emplace_back(output.name, [&output](CostCall&, Call& call) { call.want(output.name); });
  const auto option = [&found](const char* name, const Value& value) {
    found.emplace_back(std::string(name) + "=" + to_text(value),
                       [name, value](CostCall&, Call& call) { call.set_option(name, value); });
  };
  for (const char* const word : {"faces", "edges", "knights"})
    option("connectivity", std::string(word));
  option("tight_barriers", true);
  option("max_distance", 2.0);
  found.emplace_back("spacing", [](CostCall& own, Call& call) {
    call.set_option("spacing", std::vector<LabelValue>(static_cast<std::size_t>(own.rank), 2.0));
  });
  option("distance_type", std::string("f64"));
  option("labels_carried", true);
  found.emplace_back("initial_cost", [](CostCall& own, Call& call) {
    call.set_input("initial_cost", View<const float>(own.map.data(), own.extents));
  });
  found.emplace_back("elevation", [](CostCall& own, Call& call) {
    call.set_input("elevation", View<const float>(own.map.data(), own.extents));
  });
  found.emplace_back("blocked_faces", [](CostCall& own, Call& call) {
    call.set_input("blocked_faces", View<const std::uint8_t>(own.faces.data(), own.extents));
  });
  found.emplace_back("periodic", [](CostCall& own, Call& call) {
    std::vector<LabelValue> joined(static_cast<std::size_t>(own.rank), std::int64_t{0});
    joined.back() = std::int64_t{1};
    call.set_option("periodic", joined);
  });
  found.emplace_back("points", [](CostCall& own, Call&) { own.points = true; });
  found.emplace_back("slabs", [](CostCall& own, Call&) { own.slabs = true; });
  found.emplace_back("solver", [](CostCall& own, Call&) { own.solver = true; });
  return found;
}

/// The raster as one slab, whose first visit tells whether it can be one.
void run_in_slabs(Context& context, CostCall& own, const Value& method, const Value& metric) {
  Call call("begin_cost_slab");
  std::vector<float> resistance(own.map.size()), known(own.map.size());
  std::vector<LabelValue> shape;
  for (int axis = 0; axis < own.rank; ++axis) shape.emplace_back(own.extents[axis]);
  call.set_input("cost", View<const float>(own.map.data(), own.extents));
  call.set_input("sites", View<const std::int32_t>(own.cells.data(), own.extents));
  call.set_output("resistance", View<float>(resistance.data(), own.extents));
  call.set_output("known_cost", View<float>(known.data(), own.extents));
  call.set_option("shape", shape);
  call.set_option("count", own.extents[0]);
  call.set_option("method", method);
  call.set_option("metric", metric);
  call.run(context);
}

/// Runs the call with a change; returns the reason why it is refused, or nothing.
std::string run(Context& context, CostMethod method, std::string_view metric, int rank,
                const std::function<void(CostCall&, Call&)>& change) {
  CostCall own(rank);
  const Value by_method = std::string(name_of(method)), by_metric = std::string(metric);
  try {
    if (change) {  // what the change says of the call as a whole comes first
      Call first = own.make();
      change(own, first);
    }
    Call call = own.make();
    if (change) change(own, call);
    call.set_option("method", by_method);
    call.set_option("metric", by_metric);
    if (metric != "euclidean") {
      call.set_option("latitude", std::vector<LabelValue>{1.0, 2.0, 3.0, 4.0});
      call.set_option("longitude", std::vector<LabelValue>{0.0, 72.0, 144.0, 216.0, 288.0});
    }
    if (own.slabs)
      run_in_slabs(context, own, by_method, by_metric);
    else if (own.solver)
      call.make_solver(context);
    else
      call.run(context);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string support_of(Context& context, CostMethod method, std::string_view metric, int rank) {
  if (const std::string reason = run(context, method, metric, rank, {}); !reason.empty())
    return "refused: " + reason;
  std::string lacks;
  for (const auto& [name, change] : cost_changes())
    if (!run(context, method, metric, rank, change).empty())
      lacks += std::string(lacks.empty() ? "" : " ") + name;
  return lacks.empty() ? "all" : "all but " + lacks;
}

/// The lines of a method: metrics with the same answer stand in one line.
template <class Answer>
void write_lines(std::ostream& table, const std::string& head,
                 std::span<const std::string_view> metrics, const Answer& answer_of) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const std::string_view name : metrics) {
    std::string answer = answer_of(name);
    // Reasons name the device and the metric, which the line does, too.
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const auto& line) { return line.second == answer; });
    if (same == lines.end())
      lines.emplace_back(name, std::move(answer));
    else
      same->first += "," + std::string(name);
  }
  for (const auto& [names, answer] : lines) table << head << names << ": " << answer << '\n';
}

/// The lines of one kind of device.
std::string table_of(const DeviceInfo& device) {
  Context context({.device = device.name});
  std::ostringstream table;
  const auto head = [&](std::string_view method, int rank) {
    return testing::kind_of(device.name) + ' ' + std::string(method) + ' ' + std::to_string(rank) +
           "-D ";
  };
  for (const MethodInfo& method : device.methods)
    for (const int rank : {2, 3})
      write_lines(table, head(name_of(method.method), rank), kMetricNames,
                  [&](std::string_view name) {
                    return support_of(context, method.method, *find_metric(name), rank);
                  });
  for (const CostMethod method : device.cost_methods)
    for (const int rank : {2, 3})
      write_lines(table, head("cost:" + std::string(name_of(method)), rank),
                  find_field(kCostDistance, "metric").choices,
                  [&](std::string_view name) { return support_of(context, method, name, rank); });
  return table.str();
}

TEST(SupportTable, IsWhatMethodsDo) {
  std::map<std::string, std::string> tables;
  for (const DeviceInfo& device : devices())
    if (device.available && !tables.contains(testing::kind_of(device.name)))
      tables[testing::kind_of(device.name)] = table_of(device);
  if (std::getenv("THIESSEN_UPDATE_SUPPORT") != nullptr) {
    std::string all;
    for (const char* kind : {"cpu", "cuda", "opencl"})
      all += tables.contains(kind) ? tables[kind] : testing::pinned_lines(kind);
    std::ofstream(testing::support_table_file()) << all;
    return;
  }
  for (const auto& [kind, table] : tables) EXPECT_EQ(table, testing::pinned_lines(kind)) << kind;
}

}  // namespace
}  // namespace thiessen
