// SPDX-License-Identifier: Apache-2.0
//
// Measures table 1 of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance
// planes using CUDA", makes the rasters of its figure 1, and then goes on with larger maps of more
// materials.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::bench {
namespace {

constexpr const char* kStiffnessRounds = "10";

/// The slower methods are left out from so many cells on.
constexpr std::int64_t kMostOfDijkstra = std::int64_t{1} << 22;
constexpr std::int64_t kMostOfRelaxation = std::int64_t{1} << 20;

struct StiffnessArguments : Arguments {
  std::string largest;
};

/// The mean time of some runs in milliseconds, and the passes over the raster.
struct Time {
  double mean = 0;
  double deviation = 0;
  std::int64_t iterations = 0;  ///< 0: the method has none
  double active_cells = 0;      ///< mean of a pass; of the sequential method none
};

/// What the paper's table 1 has of a case: an Intel Core i7-930, and a GTX 480.
struct Paper {
  Time cpu, gpu;
};

struct MapCase : Case {
  Material material = Material::uniform;
  std::optional<Paper> paper = std::nullopt;

  Row row() const {
    Row row{{"map", name_of(material)}};
    row.update(row_of(*this));
    return row;
  }
};

/// The rows of table 1, then larger maps.
std::vector<MapCase> cases_of(std::int64_t largest) {
  const auto row = [](Material material, std::int64_t width, std::int64_t height,
                      std::int64_t sites, Paper paper) {
    // "the average of active threads […] per iteration is of only 100,000 / 54 = 1851"
    paper.gpu.active_cells =
        static_cast<double>(width * height) / static_cast<double>(paper.gpu.iterations);
    return MapCase{{{height, width}, sites}, material, paper};
  };
  std::vector<MapCase> cases{
      row(Material::gradient, 32, 32, 5, {{5.35, 1.393, 1024}, {0.642, 0.002, 18}}),
      row(Material::gradient, 64, 32, 5, {{8.323, 2.668, 2048}, {1.164, 0.004, 32}}),
      row(Material::gradient, 64, 64, 5, {{17.561, 3.283, 4096}, {2.373, 0.01, 62}}),
      row(Material::uniform, 32, 32, 5, {{4.743, 1.144, 1024}, {0.707, 0.002, 20}}),
      row(Material::uniform, 64, 32, 5, {{7.671, 1.921, 2048}, {0.918, 0.006, 25}}),
      row(Material::uniform, 64, 64, 5, {{15.369, 3.485, 4096}, {1.743, 0.008, 46}}),
      row(Material::gradient, 100, 40, 10, {{14.45, 0.059, 4000}, {1.842, 0.007, 48}}),
      row(Material::gradient, 500, 200, 200, {{381.847, 5.222, 100000}, {9.585, 0.019, 54}}),
  };
  for (std::int64_t side = 256; side <= largest; side *= 2)
    for (const Material material :
         {Material::uniform, Material::gradient, Material::noise, Material::maze})
      cases.push_back({{{side, side}, side < 4096 ? side * side / 1024 : 10000}, material});
  return cases;
}

/// The inputs and outputs of a case.
struct Arrays {
  Arrays(Context& context, const MapCase& item, std::uint64_t seed)
      : map(Raster::of<float>(item.extents)),
        sites(Raster::of<std::int32_t>(item.extents)),
        labels(Raster::of<std::int32_t>(item.extents)),
        distance(Raster::of<float>(item.extents)) {
    material_map(context, map.view(), item.material, seed);
    random_sites(context, sites.view(), item.sites, seed);
  }

  CostDistanceReport solve(Context& context, const CostDistanceOptions& options,
                           const CostDistanceOutputs& outputs) const {
    return cost_distance(context, CostMap::stiffness(map.view()), sites.view(), options, outputs);
  }

  Raster map, sites, labels, distance;
};

Time measure(Context& context, Arrays& arrays, CostMethod method, int rounds) {
  const cli::Interruptible interruptible(context);
  CostDistanceReport report;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    cli::throw_if_interrupted();
    const double milliseconds = milliseconds_of([&] {
      report = arrays.solve(context, {.method = method},
                            {.labels = arrays.labels.view(), .distance = arrays.distance.view()});
      context.synchronize();
    });
    if (round > 0) times.push_back(milliseconds);
  }
  Time time{.iterations = static_cast<std::int64_t>(report.active_cells.size())};
  for (const std::int64_t cells : report.active_cells)
    time.active_cells += static_cast<double>(cells) / static_cast<double>(time.iterations);
  for (const double each : times) time.mean += each / rounds;
  for (const double each : times)
    time.deviation += (each - time.mean) * (each - time.mean) / rounds;
  time.deviation = std::sqrt(time.deviation);
  return time;
}

/// A device and what it takes part with.
struct Taker {
  Context context;
  std::vector<CostMethod> methods;
};

/// All cases, and the methods that devices lack for them.
class StiffnessBench {
 public:
  StiffnessBench(const StiffnessArguments& arguments, int rounds, std::uint64_t seed,
                 Output& output)
      : output_(output), rounds_(rounds), seed_(seed) {
    for (const DeviceInfo& device : devices_of(arguments))
      takers_.push_back({Context({.device = device.name, .threads = threads_of(arguments)}),
                         device.cost_methods});
  }

  void run(const MapCase& item) {
    const std::int64_t cells = item.extents.count();
    Arrays arrays(sequential_, item, seed_);
    if (cells <= kMostOfDijkstra) {
      Time time = measure(sequential_, arrays, CostMethod::dijkstra, rounds_);
      time.iterations = cells;  // as the paper counts them
      add(item, name_of(CostMethod::dijkstra), "cpu", 1, time);
    }
    const bool relaxes = cells <= kMostOfRelaxation && item.material != Material::maze;
    for (Taker& taker : takers_) {
      if (relaxes) measure_if_there(taker, item, arrays, CostMethod::relaxation);
      measure_if_there(taker, item, arrays, CostMethod::exact);
    }
    if (relaxes) count_carried(item, arrays);
    if (!item.paper) return;
    add(item, "paper", "Core i7-930", 1, item.paper->cpu);
    add(item, "paper", "GTX 480", 0, item.paper->gpu);
  }

  /// The rasters of the paper's figure 1: the map of 500 x 200 cells, and the cells of 200 sites.
  void write_figure() {
    const MapCase item{{{200, 500}, 200}, Material::gradient};
    Arrays arrays(sequential_, item, seed_);
    arrays.solve(sequential_, {}, {.labels = arrays.labels.view()});
    output_.write("map.npy", arrays.map.view());
    output_.write("sites.npy", arrays.sites.view());
    output_.write("cells.npy", arrays.labels.view());
  }

 private:
  void add(const MapCase& item, std::string_view method, const std::string& device, int threads,
           const Time& time) {
    Row row = item.row();
    row.update({{"method", method}, {"device", device}});
    if (threads > 0) row["threads"] = threads;
    row["mean_ms"] = time.mean;
    row["deviation_ms"] = time.deviation;
    if (time.iterations > 0) row["iterations"] = time.iterations;
    if (time.active_cells > 0) {
      row["active_cells"] = time.active_cells;
      row["active_percent"] = 100 * time.active_cells / static_cast<double>(item.extents.count());
    }
    output_.add("times", std::move(row));
  }

  void measure_if_there(Taker& taker, const MapCase& item, Arrays& arrays, CostMethod method) {
    const std::string name(taker.context.device());
    const int threads = name == "cpu" ? taker.context.threads() : 0;
    const auto& methods = taker.methods;
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
      return leave_out(method, name, "the device has no such method of cost distance");
    try {
      add(item, name_of(method), name, threads, measure(taker.context, arrays, method, rounds_));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      leave_out(method, name, error.what());
    }
  }

  /// Notes a method once, however many cases lack it.
  void leave_out(CostMethod method, const std::string& device, const std::string& reason) {
    const Row row{{"method", name_of(method)}, {"device", device}, {"reason", reason}};
    const Row known = output_.rows("left_out");
    if (std::find(known.begin(), known.end(), row) == known.end()) output_.add("left_out", row);
  }

  /// How many cells have another label if labels are carried along, as the paper has it. The
  /// settled labels are those of every method, so the fastest one finds them.
  void count_carried(const MapCase& item, Arrays& arrays) {
    Raster carried = Raster::of<std::int32_t>(item.extents);
    arrays.solve(sequential_, {.method = CostMethod::exact}, {.labels = arrays.labels.view()});
    arrays.solve(sequential_, {.method = CostMethod::relaxation, .labels_carried = true},
                 {.labels = carried.view()});
    Row row = item.row();
    row["differing"] =
        compare(sequential_, {.labels_a = arrays.labels.view(), .labels_b = carried.view()})
            .differing;
    output_.add("carried", std::move(row));
  }

  Output& output_;
  std::vector<Taker> takers_;
  Context sequential_{{.device = "cpu", .threads = 1}};
  int rounds_;
  std::uint64_t seed_;
};

void run_stiffness(const StiffnessArguments& arguments) {
  const int rounds = rounds_of(arguments, kStiffnessRounds);
  const std::string& largest = !arguments.largest.empty() ? arguments.largest
                               : arguments.quick          ? "0"
                                                          : "1024";
  const std::uint64_t seed = cli::parse_seed("--seed", arguments.seed);
  const std::vector<MapCase> cases = cases_of(cli::parse_integer("--largest", largest, 0, 1 << 16));
  Output output("stiffness", arguments);
  StiffnessBench bench(arguments, rounds, seed, output);
  output.expect_cases(cases.size());
  output.fact("rounds", rounds);
  bench.write_figure();
  for (const MapCase& item : cases) {
    output.begin_case(std::string(name_of(item.material)) + ", " + item.name());
    bench.run(item);
  }
  output.save({"times", "carried", "left_out"});
  output.finish();
}

}  // namespace

void add_stiffness(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "stiffness", "Cost distance by three methods, as the paper of Toss and Comba has it");
  command->footer("Example: thiessen-bench stiffness --rounds 3 --largest 256");
  const auto arguments = std::make_shared<StiffnessArguments>();
  arguments->seed = "1";
  add_choice(*command, "--largest", arguments->largest, "CELLS",
             "Longest side of the larger maps, which go on from 256 by doubling (default: 1024)");
  add_arguments(*command, *arguments, Devices::all, kStiffnessRounds,
                "The table alone, and one round");
  set_action(*command, arguments, action, run_stiffness);
}

}  // namespace thiessen::bench
