// SPDX-License-Identifier: Apache-2.0
//
// Measures table 1 and figure 2 of W. Tu, J. Wang, "Raster-based method for Voronoi diagram using
// GPU parallel technology", again: scan and distance transform on one core, their GPU method and
// `exact` on each device, by the size of the raster; and then by the number of sites, in which the
// paper says that its method is linear. In the rasters of the second part it also counts the errors
// of the methods that follow the paper to the letter.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "whole_raster.hpp"
#include "words/arguments.hpp"

namespace thiessen::bench {
namespace {

constexpr const char* kRasterRounds = "5";

struct RasterArguments : Arguments {
  std::vector<std::string> sizes;
  std::string sites = "100", metric = "manhattan", sweep_size, sweep;
};

/// A row of the paper's table 1, in milliseconds, of a Xeon E5-2609 and a Tesla C2075.
struct PaperRow {
  std::int64_t width, height;
  double scan, distance_transform, gpu;
};
constexpr std::int64_t kPaperSites = 100;
constexpr PaperRow kPaper[] = {{1000, 800, 126.4, 67.9, 109.1},
                               {1500, 1000, 230.3, 117.7, 131.5},
                               {2500, 2000, 746.8, 383.5, 147.7},
                               {4000, 3000, 1718.6, 907.6, 177.1},
                               {5000, 4000, 2777.8, 1494.2, 219}};

/// A method on a device.
struct Way {
  Method method = Method::exact;
  std::string device;
  int threads = 0;  ///< of the CPU; 0 for other devices
  /// As the paper describes the method, which looks at the whole raster (whole_raster.hpp).
  bool whole_raster = false;
  /// Which cells a thread of a GPU takes, by brute-force.
  std::optional<Allotment> allotment = std::nullopt;

  Row row() const {
    Row row{{"method", name_of(method)}, {"device", device}};
    if (threads > 0) row["threads"] = threads;
    if (whole_raster) row["whole_raster"] = true;
    if (allotment) row["allotment"] = name_of(*allotment);
    return row;
  }
};

/// The methods that grow from sites or around cells.
constexpr std::array kGrowing{Method::circle_growing, Method::dilation, Method::expansion};

bool has_method(const DeviceInfo& device, Method method) {
  return std::any_of(device.methods.begin(), device.methods.end(),
                     [&](const MethodInfo& each) { return each.method == method; });
}

/// What Tu and Wang compare, and also `exact`: scan and distance transform on one core, then their
/// own method on each device; the growing methods on one core, the library's and as the paper
/// describes them; and the scan on each GPU by both allotments, equations (2) and (3).
std::vector<Way> ways_of(const Arguments& arguments, int threads) {
  std::vector<Way> ways;
  const std::vector<DeviceInfo> found = devices_of(arguments);
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
    for (const bool whole_raster : {false, true}) ways.push_back({method, "cpu", 1, whole_raster});
  for (const DeviceInfo& device : found)
    for (const Allotment allotment : {Allotment::contiguous, Allotment::cyclic})
      if (device.name != "cpu" && has_method(device, Method::brute_force))
        ways.push_back({Method::brute_force, device.name, 0, false, allotment});
  return ways;
}

/// Why a way is not run in a case; else empty. A growing method takes long where sites are few.
std::string reason_against(const Way& way, const Case& of) {
  constexpr double kMostLooks = 2e8;
  if (std::find(kGrowing.begin(), kGrowing.end(), way.method) == kGrowing.end()) return {};
  if (of.sites == 0) return way.whole_raster ? "it never ends without a site" : "";
  // About how many cells, or rows of bits, it looks at, if sites lie evenly.
  const auto cells = static_cast<double>(of.extents.count());
  const double region = cells / static_cast<double>(of.sites);
  const double looks = way.method == Method::expansion
                           ? cells * (way.whole_raster ? region : std::sqrt(region))
                           : cells * (way.whole_raster ? 2 * std::sqrt(region) : 1);
  return looks <= kMostLooks ? "" : "it looks at more than 2*10^8 cells here";
}

/// Random sites on a raster, and the times of the ways for them.
class RasterCase {
 public:
  RasterCase(const Case& of, Metric metric, std::uint64_t seed, int rounds)
      : of_(of),
        metric_(metric),
        rounds_(rounds),
        sites_(Raster::of<std::int32_t>(of.extents)),
        labels_(Raster::of<std::int32_t>(of.extents)),
        distance_(Raster::of<float>(of.extents)),
        first_labels_(Raster::of<std::int32_t>(of.extents)),
        first_distance_(Raster::of<float>(of.extents)) {
    Context cpu({.device = "cpu"});
    random_sites(cpu, sites_.view(), of.sites, seed);
  }

  /// A first round, which takes memory and is compared with the first way, does not count.
  Row run(const Way& way) {
    Row row = row_of(of_);
    row.update(way.row());
    const std::string reason = reason_against(way, of_);
    if (!reason.empty()) return with_reason(row, reason);
    Context& context = context_of(way);
    const cli::Interruptible interruptible(context);
    try {
      solve(context, way, {.labels = labels_.view(), .distance = distance_.view()});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return with_reason(row, error.what());
    }
    const bool agrees = agrees_with_first();
    std::vector<double> milliseconds, copies;
    for (int round = 0; round < rounds_; ++round) {
      cli::throw_if_interrupted();
      const double call = milliseconds_of([&] { solve(context, way, {.labels = labels_.view()}); });
      const CallTimes times =
          way.whole_raster ? CallTimes{.passes = call} : call_times(context, call);
      milliseconds.push_back(times.without_copies());
      copies.push_back(times.copies());
    }
    row["ms"] = median(milliseconds);
    row["copies_ms"] = median(copies);
    row["agrees"] = agrees;
    return row;
  }

 private:
  static Row with_reason(Row row, const std::string& reason) {
    row["reason"] = reason;
    return row;
  }

  Context& context_of(const Way& way) {
    auto& context = contexts_[{way.device, way.threads}];
    if (!context)
      context = std::make_unique<Context>(
          ContextOptions{.device = way.device, .threads = way.threads, .stage_times = true});
    return *context;
  }

  void solve(Context& context, const Way& way, const NearestSiteOutputs& out) {
    if (way.whole_raster)
      return run_on_whole_raster(way.method, metric_,
                                 {std::as_const(sites_).view<std::int32_t>(),
                                  labels_.view<std::int32_t>(), distance_.view<float>()});
    NearestSiteOptions options{.method = way.method, .metric = metric_};
    options.raster.allotment = way.allotment;
    nearest_site(context, std::as_const(sites_).view(), options, out);
    context.synchronize();
  }

  /// Whether labels and distances are those of the first way, whose are kept.
  bool agrees_with_first() {
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

  Case of_;
  Metric metric_;
  int rounds_;
  Raster sites_, labels_, distance_, first_labels_, first_distance_;
  bool has_first_ = false;
  std::map<std::pair<std::string, int>, std::unique_ptr<Context>> contexts_;
};

/// How wrong the methods are that follow the paper to the letter, on the CPU.
void add_errors(const Case& of, std::uint64_t seed, int threads, Output& output) {
  struct InexactWay {
    Method method;
    Metric metric;
    bool labels_carried;
  };
  constexpr InexactWay kInexactWays[] = {
      {Method::chamfer, Metric::octagonal, false},  {Method::dilation, Metric::octagonal, true},
      {Method::expansion, Metric::manhattan, true}, {Method::expansion, Metric::octagonal, true},
      {Method::expansion, Metric::euclidean, true},
  };
  if (of.sites < 2) return;  // one site is nobody's error
  Context context({.device = "cpu", .threads = threads});
  const cli::Interruptible interruptible(context);
  Raster sites = Raster::of<std::int32_t>(of.extents);
  random_sites(context, sites.view(), of.sites, seed);
  const auto solve = [&](const NearestSiteOptions& options) {
    Array<std::int64_t> index(of.extents);
    nearest_site(context, std::as_const(sites).view(), options, {.site_index = index.view()});
    return index;
  };
  for (const auto& [method, metric, labels_carried] : kInexactWays) {
    cli::throw_if_interrupted();
    const Method exact = metric == Metric::octagonal ? Method::dilation : Method::exact;
    const Array<std::int64_t> settled = solve({.method = exact, .metric = metric});
    const Array<std::int64_t> found =
        solve({.method = method, .metric = metric, .raster = {.labels_carried = labels_carried}});
    const Comparison comparison =
        compare(context, {.site_index_a = settled.view(), .site_index_b = found.view()},
                {.metric = metric});
    Row row = row_of(of);
    row.update({{"method", name_of(method)},
                {"metric", name_of(metric)},
                {"labels_carried", labels_carried},
                {"differing", comparison.differing},
                {"wrong", comparison.differing - comparison.ties},
                {"largest_excess_cells", comparison.largest_excess}});
    output.add("errors", std::move(row));
  }
}

/// How many times as long a row's time is as another's, if both were run.
std::optional<double> factor_of(const Row& row, const Row& to) {
  if (!row.contains("ms") || !to.contains("ms") || to["ms"] <= 0) return std::nullopt;
  return row["ms"].get<double>() / to["ms"].get<double>();
}

/// The numbers that the paper's claims are of: how times grow from the first to the last case, and
/// how many times as long the scan by equation (2) takes as by (3), whose row follows.
void add_factors(const std::vector<Way>& ways, const std::vector<std::vector<Row>>& cases,
                 const std::string& by, Output& output) {
  for (std::size_t way = 0; way < ways.size() && cases.size() > 1; ++way)
    if (const auto factor = factor_of(cases.back()[way], cases.front()[way])) {
      Row row{{"by", by}};
      row.update(ways[way].row());
      row["factor"] = *factor;
      output.add("growth", std::move(row));
    }
  for (const std::vector<Row>& rows : cases)
    for (std::size_t way = 0; way < ways.size(); ++way) {
      if (ways[way].allotment != Allotment::contiguous) continue;
      if (const auto factor = factor_of(rows[way], rows[way + 1])) {
        Row row = rows[way];
        for (const char* const column : {"allotment", "ms", "copies_ms", "agrees"})
          row.erase(column);
        row["contiguous_to_cyclic"] = *factor;
        output.add("allotments", std::move(row));
      }
    }
}

std::vector<Case> cases_by_size(const RasterArguments& arguments) {
  std::vector<std::string> sizes = arguments.sizes;
  if (sizes.empty() && arguments.quick) sizes = {"250x200", "500x400"};
  if (sizes.empty())
    for (const PaperRow& row : kPaper) sizes.push_back(cli::size_text({row.height, row.width}));
  std::vector<Case> cases;
  for (const std::string& size : sizes) {
    const Extents extents = parse_flat_size("--size", size);
    cases.push_back({extents, parse_sites("--sites", arguments.sites, extents.count())});
  }
  return cases;
}

std::vector<Case> cases_by_sites(const RasterArguments& arguments) {
  const auto choose = [&](const std::string& given, const char* all, const char* quick) {
    return !given.empty() ? given : arguments.quick ? quick : all;
  };
  const Extents extents =
      parse_flat_size("--sweep-size", choose(arguments.sweep_size, "1000x800", "250x200"));
  std::vector<Case> cases;
  for (const std::string& part :
       parts_of(choose(arguments.sweep, "1,10,100,1000,10000", "1,10,100")))
    cases.push_back({extents, cli::parse_integer("--sweep", part, 1, extents.count())});
  return cases;
}

void add_paper(Output& output) {
  for (const PaperRow& each : kPaper) {
    Row row = row_of(Case{{each.height, each.width}, kPaperSites});
    row.update({{"scan_ms", each.scan},
                {"distance_transform_ms", each.distance_transform},
                {"gpu_ms", each.gpu}});
    output.add("paper", std::move(row));
  }
}

void run_raster(const RasterArguments& arguments) {
  const std::vector<Case> by_size = cases_by_size(arguments);
  const std::vector<Case> by_sites = cases_by_sites(arguments);
  const Metric metric = *find_metric(arguments.metric);
  const std::uint64_t seed = cli::parse_seed("--seed", arguments.seed);
  const int rounds = rounds_of(arguments, kRasterRounds);
  const int threads = Context({.device = "cpu", .threads = threads_of(arguments)}).threads();
  const std::vector<Way> ways = ways_of(arguments, threads);
  Output output("raster", arguments);
  output.expect_cases(by_size.size() + by_sites.size());
  output.fact("metric", arguments.metric);
  output.fact("threads", threads);
  output.fact("rounds", rounds);
  const auto run_all = [&](const std::vector<Case>& cases, const std::string& by) {
    std::vector<std::vector<Row>> all;
    for (const Case& each : cases) {
      output.begin_case(each.name());
      RasterCase raster(each, metric, seed, rounds);
      std::vector<Row>& rows = all.emplace_back();
      for (const Way& way : ways) rows.push_back(raster.run(way));
      for (const Row& row : rows) output.add("by_" + by, row);
    }
    add_factors(ways, all, by, output);
  };
  run_all(by_size, "size");
  add_paper(output);
  output.save({"by_size", "paper"});
  run_all(by_sites, "sites");
  for (const Case& each : by_sites) add_errors(each, seed, threads, output);
  output.save({"by_sites", "growth", "allotments", "errors"});
  output.finish();
}

}  // namespace

void add_raster(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "raster", "Raster methods by size and by number of sites, as Tu and Wang compare them");
  command->footer(
      "Example: thiessen-bench raster --size 200x100 --size 400x300 --sweep 1,50 --sweep-size "
      "100x80 --rounds 1 --json");
  const auto arguments = std::make_shared<RasterArguments>();
  add_list(*command, "--size", arguments->sizes, "WxH",
           "Rasters of the table; may be repeated (default: those of the paper)");
  add_choice(*command, "--sites", arguments->sites, "N",
             "Random sites, or with a % sign their share of the cells");
  add_choice(*command, "--sweep", arguments->sweep, "LIST",
             "Numbers of sites of the sweep (default: 1,10,100,1000,10000)");
  add_choice(*command, "--sweep-size", arguments->sweep_size, "WxH",
             "Raster of the sweep (default: 1000x800)");
  add_choice(*command, "--metric", arguments->metric, "NAME",
             "manhattan or chessboard: one distance for all, as in the paper")
      ->check(CLI::IsMember({"manhattan", "chessboard"}));
  add_arguments(*command, *arguments, Devices::all, kRasterRounds,
                "Small rasters, few sites, and one round");
  set_action(*command, arguments, action, run_raster);
}

}  // namespace thiessen::bench
