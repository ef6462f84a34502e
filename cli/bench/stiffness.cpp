// SPDX-License-Identifier: Apache-2.0
//
// Table 1 and figure 2 of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled
// distance planes using CUDA", and then larger maps of more materials.
#include "bench/stiffness.hpp"

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

/// Of this many cells and more the slower methods are left out.
constexpr std::int64_t kMostOfDijkstra = std::int64_t{1} << 22;
constexpr std::int64_t kMostOfRelaxation = std::int64_t{1} << 20;

std::vector<StiffnessCase> cases_of(std::int64_t largest) {
  std::vector<StiffnessCase> cases = document_cases();
  for (std::int64_t side = 256; side <= largest; side *= 2)
    for (const char* material : {"uniform", "gradient", "noise", "maze"})
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

StiffnessTime measure(Context& context, StiffnessArrays& arrays, const std::string& method,
                      int rounds) {
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

StiffnessResult run_case(Context& context, Context& sequential, const StiffnessCase& item,
                         int rounds, std::uint64_t seed) {
  const std::int64_t cells = item.extents.count();
  constexpr std::size_t kBytes = 64;
  require_memory(cells, kBytes);
  StiffnessArrays arrays(sequential, item, seed);
  StiffnessResult result{.item = item};
  if (cells <= kMostOfDijkstra) {
    result.dijkstra = measure(sequential, arrays, "dijkstra", rounds);
    result.dijkstra->iterations = cells;
  }
  const bool winds = item.material == "maze" && !item.document;
  if (cells <= kMostOfRelaxation && !winds)
    result.relaxation = measure(context, arrays, "relaxation", rounds);
  result.exact = measure(context, arrays, "exact", rounds);
  return result;
}

void write_plot(io::OutputFile& file, const std::vector<StiffnessResult>& results) {
  const std::string svg = speed_up_plot(results).svg();
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
  Context sequential({.device = "cpu", .threads = 1});
  const Interruptible interruptible(context);
  std::optional<io::OutputFile> plot;
  if (!arguments.plot.empty())
    plot.emplace(arguments.plot, arguments.overwrite, throw_if_interrupted);
  Report report("bench stiffness");
  Progress progress(arguments.talk);
  const std::vector<StiffnessCase> cases = cases_of(largest);
  std::vector<StiffnessResult> results;
  for (const StiffnessCase& item : cases) {
    results.push_back(run_case(context, sequential, item, rounds, seed));
    progress.stage("cases",
                   static_cast<double>(results.size()) / static_cast<double>(cases.size()));
  }
  if (plot) write_plot(*plot, results);
  progress.finish();
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("rounds", rounds);
  for (const StiffnessResult& result : results) report.append("results", to_json(result));
  report.set("files", nlohmann::ordered_json::array());
  if (plot) report.append("files", arguments.plot);
  if (!arguments.talk.quiet) print(results, context);
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
  command->add_option("--plot", arguments->plot, "Speed-up over the sequential method: .svg")
      ->type_name("FILE")
      ->check(check_file_name)
      ->group("Outputs");
  command->add_flag("--overwrite", arguments->overwrite, "Replace files that exist")
      ->group("Outputs");
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
