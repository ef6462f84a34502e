// SPDX-License-Identifier: Apache-2.0
//
// Measures table 1 and figure 2 of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on
// scaled distance planes using CUDA", and then larger maps of more materials.
#include "bench/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "arguments.hpp"
#include "bench/bench.hpp"
#include "bench/measure.hpp"
#include "device_choice.hpp"
#include "interrupt.hpp"
#include "io/output_file.hpp"
#include "memory.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

struct StiffnessArguments {
  std::string rounds = "10", largest = "1024", seed = "1", plot;
  bool overwrite = false;
  DeviceArguments device;
  TalkArguments talk;
};

/// The slower methods are left out from so many cells on.
constexpr std::int64_t kMostOfDijkstra = std::int64_t{1} << 22;
constexpr std::int64_t kMostOfRelaxation = std::int64_t{1} << 20;

std::vector<StiffnessCase> cases_of(std::int64_t largest) {
  std::vector<StiffnessCase> cases = document_cases();
  for (std::int64_t side = 256; side <= largest; side *= 2)
    for (const Material material :
         {Material::uniform, Material::gradient, Material::noise, Material::maze})
      cases.push_back({material, {side, side}, side < 4096 ? side * side / 1024 : 10000});
  return cases;
}

/// The inputs and outputs of a case.
struct StiffnessArrays {
  StiffnessArrays(Context& context, const StiffnessCase& item, std::uint64_t seed)
      : map(Raster::of<float>(item.extents)),
        sites(Raster::of<std::int32_t>(item.extents)),
        labels(Raster::of<std::int32_t>(item.extents)),
        distance(Raster::of<float>(item.extents)) {
    material_map(context, map.view(), item.material, seed);
    random_sites(context, sites.view(), item.sites, seed);
  }

  Raster map, sites, labels, distance;
};

StiffnessTime measure(Context& context, StiffnessArrays& arrays, CostMethod method, int rounds) {
  CostDistanceOptions options;
  options.method = method;
  StiffnessTime time;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    throw_if_interrupted();
    CostDistanceReport report;
    const double milliseconds = milliseconds_of([&] {
      report = cost_distance(context, arrays.map.view(), arrays.sites.view(), options,
                             {.labels = arrays.labels.view(), .distance = arrays.distance.view()});
    });
    time.iterations = static_cast<std::int64_t>(report.active_cells.size());
    if (round > 0) times.push_back(milliseconds);
  }
  for (const double each : times) time.mean += each / rounds;
  for (const double each : times)
    time.deviation += (each - time.mean) * (each - time.mean) / rounds;
  time.deviation = std::sqrt(time.deviation);
  return time;
}

/// How many cells have another label if labels are carried along.
std::int64_t count_carried(Context& context, StiffnessArrays& arrays) {
  const auto solve = [&](bool carried, Raster& labels) {
    cost_distance(context, arrays.map.view(), arrays.sites.view(),
                  {.method = CostMethod::relaxation, .labels_carried = carried},
                  {.labels = labels.view()});
  };
  Raster carried = Raster::of<std::int32_t>(arrays.labels.extents());
  solve(false, arrays.labels);
  solve(true, carried);
  return compare(context, {.labels_a = arrays.labels.view(), .labels_b = carried.view()}).differing;
}

std::vector<CostMethod> cost_methods_of(std::string_view device) {
  for (const DeviceInfo& each : devices())
    if (each.name == device) return each.cost_methods;
  return {};
}

/// All cases, and the methods that the device lacks for them.
class StiffnessBench {
 public:
  StiffnessBench(Context& context, int rounds, std::uint64_t seed)
      : context_(context),
        methods_(cost_methods_of(context.device())),
        rounds_(rounds),
        seed_(seed) {}

  const std::vector<LeftOut>& left_out() const { return left_out_; }

  StiffnessResult run(const StiffnessCase& item) {
    const std::int64_t cells = item.extents.count();
    constexpr std::size_t kBytes = 64;
    require_memory(cells, kBytes);
    StiffnessArrays arrays(sequential_, item, seed_);
    StiffnessResult result{.item = item};
    if (cells <= kMostOfDijkstra) {
      result.dijkstra = measure(sequential_, arrays, CostMethod::dijkstra, rounds_);
      result.dijkstra->iterations = cells;
    }
    const bool winds = item.material == Material::maze && !item.document;
    if (cells <= kMostOfRelaxation && !winds) {
      result.relaxation = measure_if_there(arrays, CostMethod::relaxation);
      result.carried_differing = count_carried(sequential_, arrays);
    }
    result.exact = measure_if_there(arrays, CostMethod::exact);
    return result;
  }

 private:
  std::optional<StiffnessTime> measure_if_there(StiffnessArrays& arrays, CostMethod method) {
    if (std::find(methods_.begin(), methods_.end(), method) == methods_.end()) {
      leave_out(method, "the device has no such method of cost distance");
      return std::nullopt;
    }
    try {
      return measure(context_, arrays, method, rounds_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      leave_out(method, error.what());
      return std::nullopt;
    }
  }

  /// Notes a method once, however many cases lack it.
  void leave_out(CostMethod method, const std::string& reason) {
    const bool is_known = std::any_of(left_out_.begin(), left_out_.end(), [&](const LeftOut& each) {
      return each.method == method && each.reason == reason;
    });
    if (!is_known) left_out_.push_back({method, reason});
  }

  Context& context_;
  std::vector<CostMethod> methods_;
  Context sequential_{{.device = "cpu", .threads = 1}};
  int rounds_;
  std::uint64_t seed_;
  std::vector<LeftOut> left_out_;
};

void write_plot(io::OutputFile& file, const std::vector<StiffnessResult>& results) {
  const std::string svg = svg_of(speed_up_plots(results));
  file.write(svg.data(), svg.size());
  file.close();
  file.commit();
}

void run(const StiffnessArguments& arguments) {
  const int rounds = parse_rounds("--rounds", arguments.rounds);
  const std::int64_t largest = parse_integer("--largest", arguments.largest, 0, 1 << 16);
  const std::uint64_t seed = parse_seed("--seed", arguments.seed);
  if (!arguments.plot.empty() && !arguments.plot.ends_with(".svg"))
    throw UsageError("--plot " + arguments.plot + ": must end in .svg");
  Context context = open_context(arguments.device);
  const Interruptible interruptible(context);
  std::optional<io::OutputFile> plot;
  if (!arguments.plot.empty())
    plot.emplace(arguments.plot, arguments.overwrite, throw_if_interrupted);
  Report report("bench stiffness");
  Progress progress(arguments.talk);
  const std::vector<StiffnessCase> cases = cases_of(largest);
  std::vector<StiffnessResult> results;
  StiffnessBench bench(context, rounds, seed);
  for (const StiffnessCase& item : cases) {
    results.push_back(bench.run(item));
    progress.stage("cases",
                   static_cast<double>(results.size()) / static_cast<double>(cases.size()));
  }
  if (plot) write_plot(*plot, results);
  progress.finish();
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("rounds", rounds);
  for (const StiffnessResult& result : results) report.append("results", to_json(result));
  for (const LeftOut& each : bench.left_out()) report.append("left_out", to_json(each));
  report.set("files", nlohmann::ordered_json::array());
  if (plot) report.append("files", arguments.plot);
  if (!arguments.talk.quiet) {
    print(results, context);
    print(bench.left_out(), context);
  }
  report.print(arguments.talk);
}

}  // namespace

void add_bench_stiffness(CLI::App& bench, Action& action) {
  CLI::App* command = bench.add_subcommand(
      "stiffness", "Cost distance by three methods, as the paper of Toss and Comba has it");
  command->footer(
      "Example: thiessen bench stiffness --rounds 3 --largest 0 --plot speed-up.svg\n"
      "Iterations of dijkstra are cells, as the paper counts them.");
  const auto arguments = std::make_shared<StiffnessArguments>();
  add_choice(*command, "--rounds", arguments->rounds, "R",
             "Runs of which mean and standard deviation are told; one more comes before them");
  add_choice(*command, "--largest", arguments->largest, "CELLS",
             "Longest side of the larger maps, which go on from 256 by doubling");
  add_choice(*command, "--seed", arguments->seed, "S", "Seed of maps and sites");
  add_device_flags(*command, arguments->device);
  command
      ->add_option("--plot", arguments->plot,
                   "Speed-up over the sequential method, as the paper's figure 2: .svg")
      ->type_name("FILE")
      ->check(check_file_name)
      ->group("Outputs");
  command->add_flag("--overwrite", arguments->overwrite, "Replace files that exist")
      ->group("Outputs");
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
