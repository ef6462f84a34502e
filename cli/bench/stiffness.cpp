// SPDX-License-Identifier: Apache-2.0
//
// Measures table 1 of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance
// planes using CUDA", draws its figures, and then goes on with larger maps of more materials.
#include "bench/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "bench/measure.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

struct StiffnessArguments {
  std::string rounds = "10", largest = "1024", seed = "1", plot, figures;
  std::string threads = "0", instructions = "auto";
  std::vector<std::string> devices;
  bool overwrite = false;
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

void add_passes(const std::vector<std::int64_t>& active_cells, StiffnessTime& time) {
  time.iterations = static_cast<std::int64_t>(active_cells.size());
  for (const std::int64_t cells : active_cells)
    time.active_cells += static_cast<double>(cells) / static_cast<double>(time.iterations);
}

StiffnessTime measure(Context& context, StiffnessArrays& arrays, CostMethod method, int rounds) {
  const Interruptible interruptible(context);
  CostDistanceOptions options;
  options.method = method;
  CostDistanceReport report;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    throw_if_interrupted();
    const double milliseconds = milliseconds_of([&] {
      report = cost_distance(context, CostMap::stiffness(arrays.map.view()), arrays.sites.view(),
                             options,
                             {.labels = arrays.labels.view(), .distance = arrays.distance.view()});
      context.synchronize();
    });
    if (round > 0) times.push_back(milliseconds);
  }
  StiffnessTime time;
  add_passes(report.active_cells, time);
  for (const double each : times) time.mean += each / rounds;
  for (const double each : times)
    time.deviation += (each - time.mean) * (each - time.mean) / rounds;
  time.deviation = std::sqrt(time.deviation);
  return time;
}

/// How many cells have another label if labels are carried along. The settled labels are those of
/// every method, so the fastest one finds them.
std::int64_t count_carried(Context& context, StiffnessArrays& arrays) {
  const auto solve = [&](const CostDistanceOptions& options, Raster& labels) {
    cost_distance(context, CostMap::stiffness(arrays.map.view()), arrays.sites.view(), options,
                  {.labels = labels.view()});
  };
  Raster carried = Raster::of<std::int32_t>(arrays.labels.extents());
  solve({.method = CostMethod::exact}, arrays.labels);
  solve({.method = CostMethod::relaxation, .labels_carried = true}, carried);
  return compare(context, {.labels_a = arrays.labels.view(), .labels_b = carried.view()}).differing;
}

/// A device and what it takes part with.
struct StiffnessDevice {
  Context context;
  std::vector<CostMethod> methods;
};

std::vector<StiffnessDevice> open_devices(const StiffnessArguments& arguments) {
  const std::int64_t threads = parse_integer("--threads", arguments.threads, 0, 1024);
  std::vector<StiffnessDevice> opened;
  for (const DeviceInfo& device : devices_of(arguments.devices)) {
    const ContextOptions options{.device = device.name,
                                 .threads = static_cast<int>(threads),
                                 .instructions = find_instructions(arguments.instructions)};
    opened.push_back({Context(options), device.cost_methods});
  }
  return opened;
}

/// All cases, and the methods that devices lack for them.
class StiffnessBench {
 public:
  StiffnessBench(std::vector<StiffnessDevice> devices, int rounds, std::uint64_t seed)
      : devices_(std::move(devices)), rounds_(rounds), seed_(seed) {}

  const std::vector<LeftOut>& left_out() const { return left_out_; }

  StiffnessResult run(const StiffnessCase& item) {
    const std::int64_t cells = item.extents.count();
    constexpr std::size_t kBytes = 64;
    require_memory(cells, kBytes);
    StiffnessArrays arrays(sequential_, item, seed_);
    StiffnessResult result{.item = item, .runs = {}};
    if (cells <= kMostOfDijkstra) {
      StiffnessTime time = measure(sequential_, arrays, CostMethod::dijkstra, rounds_);
      time.iterations = cells;
      result.runs.push_back({{CostMethod::dijkstra, "cpu", 1}, time});
    }
    const bool winds = item.material == Material::maze && !item.document;
    for (StiffnessDevice& device : devices_) {
      if (cells <= kMostOfRelaxation && !winds)
        measure_if_there(device, arrays, CostMethod::relaxation, result);
      measure_if_there(device, arrays, CostMethod::exact, result);
    }
    if (cells <= kMostOfRelaxation && !winds)
      result.carried_differing = count_carried(sequential_, arrays);
    return result;
  }

 private:
  void measure_if_there(StiffnessDevice& device, StiffnessArrays& arrays, CostMethod method,
                        StiffnessResult& result) {
    const std::string name(device.context.device());
    const int threads = name == "cpu" ? device.context.threads() : 0;
    const auto& methods = device.methods;
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
      return leave_out(method, name, "the device has no such method of cost distance");
    try {
      result.runs.push_back(
          {{method, name, threads}, measure(device.context, arrays, method, rounds_)});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      leave_out(method, name, error.what());
    }
  }

  /// Notes a method once, however many cases lack it.
  void leave_out(CostMethod method, const std::string& device, const std::string& reason) {
    const bool is_known = std::any_of(left_out_.begin(), left_out_.end(), [&](const LeftOut& each) {
      return each.method == method && each.device == device && each.reason == reason;
    });
    if (!is_known) left_out_.push_back({method, device, reason});
  }

  std::vector<StiffnessDevice> devices_;
  Context sequential_{{.device = "cpu", .threads = 1}};
  int rounds_;
  std::uint64_t seed_;
  std::vector<LeftOut> left_out_;
};

/// The files: all are opened before the work begins and get their names after it.
class StiffnessFiles {
 public:
  explicit StiffnessFiles(const StiffnessArguments& arguments) : overwrite_(arguments.overwrite) {
    if (!arguments.plot.empty()) open(arguments.plot);
    draws_plot_ = !files_.empty();
    if (arguments.figures.empty()) return;
    const std::filesystem::path folder(arguments.figures);
    make_folder("--figures", folder);
    for (const char* const name : {"figure-1a.png", "figure-1b.png", "figure-2.svg"})
      open(folder / name);
  }

  /// Writes and names them; their names.
  nlohmann::ordered_json write(const std::vector<StiffnessResult>& results, std::uint64_t seed) {
    const std::string speed_up = speed_up_figure(results);
    auto file = files_.begin();
    const auto write_speed_up = [&] { file++->write(speed_up.data(), speed_up.size()); };
    if (draws_plot_) write_speed_up();
    if (file != files_.end()) {
      Context context({.device = "cpu"});
      const Interruptible interruptible(context);
      const MapFigure figure = map_figure(context, seed);
      for (const Raster* const picture : {&figure.map, &figure.cells})
        io::write_raster(*file++, picture->view());
      write_speed_up();
    }
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (io::OutputFile& each : files_) each.sync();
    for (io::OutputFile& each : files_) {
      each.commit();
      names.push_back(each.target().string());
    }
    return names;
  }

 private:
  void open(const std::filesystem::path& name) {
    files_.emplace_back(name, overwrite_, throw_if_interrupted);
  }

  bool overwrite_;
  bool draws_plot_ = false;
  std::vector<io::OutputFile> files_;  ///< that of --plot, then those of --figures
};

void run(const StiffnessArguments& arguments) {
  const int rounds = parse_rounds("--rounds", arguments.rounds);
  const std::int64_t largest = parse_integer("--largest", arguments.largest, 0, 1 << 16);
  const std::uint64_t seed = parse_seed("--seed", arguments.seed);
  if (!arguments.plot.empty() && !arguments.plot.ends_with(".svg"))
    throw UsageError("--plot " + arguments.plot + ": must end in .svg");
  StiffnessBench bench(open_devices(arguments), rounds, seed);
  StiffnessFiles files(arguments);
  Report report("bench stiffness");
  Progress progress(arguments.talk);
  const std::vector<StiffnessCase> cases = cases_of(largest);
  std::vector<StiffnessResult> results;
  for (const StiffnessCase& item : cases) {
    results.push_back(bench.run(item));
    progress.stage("cases",
                   static_cast<double>(results.size()) / static_cast<double>(cases.size()));
  }
  const nlohmann::ordered_json names = files.write(results, seed);
  progress.finish();
  report.set("rounds", rounds);
  for (const StiffnessResult& result : results) report.append("results", to_json(result));
  for (const LeftOut& each : bench.left_out()) report.append("left_out", to_json(each));
  report.set("files", names);
  if (!arguments.talk.quiet) {
    print(results);
    print(bench.left_out());
  }
  report.print(arguments.talk);
}

void add_choices(CLI::App& command, StiffnessArguments& arguments) {
  add_choice(command, "--rounds", arguments.rounds, "R",
             "Runs of which mean and standard deviation are told; one more comes before them");
  add_choice(command, "--largest", arguments.largest, "CELLS",
             "Longest side of the larger maps, which go on from 256 by doubling");
  add_choice(command, "--seed", arguments.seed, "S", "Seed of maps and sites");
  add_list(command, "--device", arguments.devices, "NAME",
           "Devices to run on; may be repeated (default: all that there are)");
  add_choice(command, "--threads", arguments.threads, "N",
             "Threads of the CPU, up to 1024; 0: one for each processor");
  add_choice(command, "--instructions", arguments.instructions, "SET",
             "Best instruction set of the CPU to use: auto, none, sse4, avx2, avx512")
      ->check(CLI::IsMember(choice_names(kInstructionsNames)));
}

void add_outputs(CLI::App& command, StiffnessArguments& arguments) {
  command
      .add_option("--figures", arguments.figures,
                  "Draw the paper's figures into this folder: figure-1a.png, a map; "
                  "figure-1b.png, its cells, with the sites in red; figure-2.svg, the speed-up "
                  "over the sequential method")
      ->type_name("DIR")
      ->check(check_file_name)
      ->group("Outputs");
  command.add_option("--plot", arguments.plot, "Figure 2 alone: .svg")
      ->type_name("FILE")
      ->check(check_file_name)
      ->group("Outputs");
  command.add_flag("--overwrite", arguments.overwrite, "Replace files that exist")
      ->group("Outputs");
}

}  // namespace

void add_bench_stiffness(CLI::App& bench, Action& action) {
  CLI::App* command = bench.add_subcommand(
      "stiffness", "Cost distance by three methods, as the paper of Toss and Comba has it");
  command->footer(
      "Example: thiessen bench stiffness --rounds 3 --largest 0 --figures figures\n"
      "Iterations of dijkstra are cells, as the paper counts them. Active cells are the mean of an "
      "iteration.");
  const auto arguments = std::make_shared<StiffnessArguments>();
  add_choices(*command, *arguments);
  add_outputs(*command, *arguments);
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
