// SPDX-License-Identifier: Apache-2.0
//
// The phases of D. Coeurjolly's tutorial "Jump Flooding Algorithm on GPU" with Thrust, in its own
// form: random sites, 1+JFA with the steps n/2, n/4, …, 1, and the picture of its program. The
// steps can run on any device of ours. Sites are found as everywhere in the library, so that every
// cell gets a site and the last cell can be one.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measure.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/device_choice.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

struct ThrustArguments {
  std::vector<std::string> sizes{"1280x1280"};
  std::string sites = "1000", seed = "0", rounds = "5", pgm;
  bool overwrite = false;
  DeviceArguments device;
  TalkArguments talk;
};

/// Milliseconds of the phases.
struct ThrustTimes {
  double initialise = 0;
  FloodingTimes flooding;
  double pgm = 0;
};

/// The result for one size.
struct ThrustResult {
  Extents extents;
  std::int64_t sites = 0;
  std::int64_t cycles = 0;
  ThrustTimes times;
  std::int64_t empty = 0;          ///< cells of the last round without a site
  std::int64_t literal_empty = 0;  ///< and by the tutorial's program to the letter

  double mpixel_per_s() const {
    return static_cast<double>(extents.count()) / times.flooding.passes / 1e3;
  }
};

/// The figures of the tutorial for a GeForce GTX 285.
const ThrustResult& tutorial() {
  static const ThrustResult result{
      .extents = {1280, 1280},
      .cycles = 11,
      .times = {.initialise = 4.42614,
                .flooding = {.to_device = 3.03962, .passes = 33.2508, .to_host = 10.3948},
                .pgm = 217.517}};
  return result;
}

std::vector<std::int64_t> tutorial_steps(const Extents& extents) {
  std::vector<std::int64_t> steps{1};
  for (std::int64_t step = std::max(extents[0], extents[1]) / 2; step > 0; step /= 2)
    steps.push_back(step);
  return steps;
}

/// The rounds of one size.
class ThrustRun {
 public:
  ThrustRun(Context& context, const Extents& extents, std::int64_t sites)
      : context_(context),
        count_(sites),
        sites_(Raster::of<std::int32_t>(extents)),
        labels_(Raster::of<std::int32_t>(extents)),
        grey_(Raster::of<std::uint8_t>(extents)) {
    options_.method = Method::one_jfa;
    options_.flooding.steps = tutorial_steps(extents);
  }

  /// The cells that stayed empty in the last round.
  std::int64_t count_empty() {
    const std::int32_t* const first = labels_.view<std::int32_t>().data();
    return std::count(first, first + labels_.extents().count(), 0);
  }

  /// The cells that stay empty in the raster of the last round, by the tutorial's program to the
  /// letter.
  std::int64_t count_literal_empty() {
    Raster site_index = Raster::of<std::int64_t>(sites_.extents());
    nearest_site(context_, std::as_const(sites_).view(),
                 {.method = Method::jfa_coeurjolly, .flooding = {.literal = true}},
                 {.site_index = site_index.view<std::int64_t>()});
    const std::int64_t* const first = site_index.view<std::int64_t>().data();
    return std::count_if(first, first + site_index.extents().count(),
                         [](std::int64_t site) { return site < 0; });
  }

  std::int64_t cycles() const { return static_cast<std::int64_t>(options_.flooding.steps.size()); }

  ThrustTimes round(std::uint64_t seed, io::OutputFile& file) {
    ThrustTimes times;
    times.initialise =
        milliseconds_of([&] { random_sites(context_, sites_.view(), count_, seed); });
    const double call = milliseconds_of([&] {
      nearest_site(context_, std::as_const(sites_).view(), options_, {.labels = labels_.view()});
      context_.synchronize();
    });
    times.flooding = flooding_times(context_, call);
    times.pgm = milliseconds_of([&] { export_pgm(file); });
    return times;
  }

 private:
  /// Writes the grey levels of the tutorial's program.
  void export_pgm(io::OutputFile& file) {
    const std::int32_t* const labels = labels_.view<std::int32_t>().data();
    std::uint8_t* const grey = grey_.view<std::uint8_t>().data();
    for (std::int64_t i = 0; i < grey_.extents().count(); ++i)
      grey[i] = static_cast<std::uint8_t>(std::int64_t{71} * labels[i] % 253);
    io::write_raster(file, std::as_const(grey_).view());
  }

  Context& context_;
  std::int64_t count_;
  Raster sites_;
  Raster labels_;
  Raster grey_;
  NearestSiteOptions options_;
};

/// The path to which a picture is written that nobody wants; it never gets that name.
std::filesystem::path unwanted_picture() {
  return std::filesystem::temp_directory_path() /
         ("thiessen-bench-" + std::to_string(::getpid()) + ".pgm");
}

ThrustTimes medians(const std::vector<ThrustTimes>& rounds) {
  const auto of = [&](const auto& value) { return median_of(rounds, value); };
  ThrustTimes times;
  times.initialise = of([](const ThrustTimes& round) { return round.initialise; });
  times.flooding.to_device = of([](const ThrustTimes& round) { return round.flooding.to_device; });
  times.flooding.passes = of([](const ThrustTimes& round) { return round.flooding.passes; });
  times.flooding.to_host = of([](const ThrustTimes& round) { return round.flooding.to_host; });
  times.flooding.rest = of([](const ThrustTimes& round) { return round.flooding.rest; });
  times.pgm = of([](const ThrustTimes& round) { return round.pgm; });
  return times;
}

/// Runs one more round than requested: the first one, which also takes memory, does not count. The
/// last one's picture goes to `picture`, if there is one.
ThrustResult run_size(const ThrustArguments& arguments, Context& context, const Extents& extents,
                      io::OutputFile* picture, const std::function<void(int)>& advance) {
  constexpr std::size_t kBytes = 4 + 4 + 1 + 16 + 8;  // sites, labels, grey levels, states, indices
  ThrustResult result;
  result.extents = extents;
  result.sites = parse_sites("--sites", arguments.sites, extents.count());
  require_memory(extents.count(), kBytes);
  ThrustRun run(context, extents, result.sites);
  result.cycles = run.cycles();
  const std::uint64_t seed = parse_seed("--seed", arguments.seed);
  const int rounds = parse_rounds("--rounds", arguments.rounds);
  std::vector<ThrustTimes> times;
  for (int round = 0; round <= rounds; ++round) {
    advance(round);
    throw_if_interrupted();
    const std::uint64_t of_round = seed + static_cast<std::uint64_t>(round);
    if (picture != nullptr && round == rounds) {
      times.push_back(run.round(of_round, *picture));
    } else {
      io::OutputFile unwanted(unwanted_picture(), true);
      times.push_back(run.round(of_round, unwanted));
    }
  }
  result.empty = run.count_empty();
  result.literal_empty = run.count_literal_empty();
  times.erase(times.begin());
  result.times = medians(times);
  return result;
}

/// Prints a line in the tutorial's form; beside it its own figure, if it has one for this size.
void print_line(const std::string& text, const std::string& beside) {
  std::fprintf(stderr, "%-44s%s%s\n", text.c_str(), beside.empty() ? "" : "| ", beside.c_str());
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void print_phase(const std::string& name, double milliseconds, std::optional<double> theirs,
                 const std::string& note = "") {
  const auto in_brackets = [](double value) { return "  ( " + number(value) + "ms )"; };
  print_line("[" + name + "]", "");
  print_line(in_brackets(milliseconds) + note, theirs ? in_brackets(*theirs) : "");
}

void print(const ThrustResult& result, const Context& context) {
  const ThrustResult& old = tutorial();
  const bool same = result.extents == old.extents;
  const auto theirs = [&](double value) {
    return same ? std::optional<double>(value) : std::nullopt;
  };
  const auto beside = [&](const std::string& text) { return same ? text : std::string(); };
  const ThrustTimes& times = result.times;
  const std::string no_copy = context.device() == "cpu" ? " no copy: host memory" : "";
  const auto cycles = [](const ThrustResult& of) {
    return "  (number of cycles = " + std::to_string(of.cycles) + ")";
  };
  const auto speed = [](const ThrustResult& of) {
    return "  ( " + number(of.mpixel_per_s()) + " MPixel/s )";
  };
  print_line(device_text(context) + ", " + std::to_string(result.sites) + " sites",
             beside("GTX 285 (Coeurjolly)"));
  print_phase("Initialize " + size_text(result.extents) + " Image", times.initialise,
              theirs(old.times.initialise));
  print_phase("Copy to Device", times.flooding.to_device, theirs(old.times.flooding.to_device),
              no_copy);
  print_phase("JFA stepping", times.flooding.passes, theirs(old.times.flooding.passes));
  print_line(cycles(result), beside(cycles(old)));
  print_line(speed(result), beside(speed(old)));
  print_phase("Sites to states, states to labels", times.flooding.rest, std::nullopt);
  print_phase("Device to Host Copy", times.flooding.to_host, theirs(old.times.flooding.to_host),
              no_copy);
  print_phase("PGM Export", times.pgm, theirs(old.times.pgm));
  print_line("cells left empty: " + std::to_string(result.empty) +
                 "; by the program to the letter: " + std::to_string(result.literal_empty),
             "");
}

nlohmann::ordered_json to_json(const ThrustResult& result) {
  const ThrustTimes& times = result.times;
  return {{"extents", {result.extents[0], result.extents[1]}},
          {"sites", result.sites},
          {"cycles", result.cycles},
          {"steps", tutorial_steps(result.extents)},
          {"initialise_ms", times.initialise},
          {"copy_to_device_ms", times.flooding.to_device},
          {"flooding_ms", times.flooding.passes},
          {"mpixel_per_s", result.mpixel_per_s()},
          {"states_ms", times.flooding.rest},
          {"copy_to_host_ms", times.flooding.to_host},
          {"pgm_ms", times.pgm},
          {"empty", result.empty},
          {"literal_empty", result.literal_empty}};
}

nlohmann::ordered_json tutorial_json() {
  nlohmann::ordered_json json = to_json(tutorial());
  json.erase("sites");      // the tutorial does not say
  json.erase("states_ms");  // there is none
  json.erase("empty");      // nor what it left
  json.erase("literal_empty");
  json["device"] = "GTX 285";
  return json;
}

std::vector<Extents> sizes_of(const ThrustArguments& arguments) {
  if (!arguments.pgm.empty() && arguments.sizes.size() > 1)
    throw UsageError("--pgm " + arguments.pgm + ": is for one size, not for " +
                     std::to_string(arguments.sizes.size()));
  if (!arguments.pgm.empty() && !arguments.pgm.ends_with(".pgm"))
    throw UsageError("--pgm " + arguments.pgm + ": must end in .pgm");
  std::vector<Extents> sizes;
  for (const std::string& size : arguments.sizes) sizes.push_back(parse_flat_size("--size", size));
  return sizes;
}

void run(const ThrustArguments& arguments) {
  const std::vector<Extents> sizes = sizes_of(arguments);
  const int rounds = parse_rounds("--rounds", arguments.rounds);
  Context context = open_context(arguments.device, true);
  const Interruptible interruptible(context);
  std::optional<io::OutputFile> picture;
  if (!arguments.pgm.empty())
    picture.emplace(arguments.pgm, arguments.overwrite, throw_if_interrupted);
  Report report("bench thrust");
  Progress progress(arguments.talk);
  std::vector<ThrustResult> results;
  results.reserve(sizes.size());
  for (const Extents& extents : sizes)
    results.push_back(
        run_size(arguments, context, extents, picture ? &*picture : nullptr, [&](int round) {
          const double done = static_cast<double>(results.size()) + (round + 1.0) / (rounds + 1.0);
          progress.stage("rounds", done / static_cast<double>(sizes.size()));
        }));
  if (picture) picture->commit();
  progress.finish();
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("rounds", rounds);
  report.set("tutorial", tutorial_json());
  for (const ThrustResult& result : results) report.append("results", to_json(result));
  report.set("files", nlohmann::ordered_json::array());
  if (picture) report.append("files", picture->target().string());
  if (!arguments.talk.quiet)
    for (const ThrustResult& result : results) print(result, context);
  report.print(arguments.talk);
}

}  // namespace

void add_bench_thrust(CLI::App& bench, Action& action) {
  CLI::App* command = bench.add_subcommand(
      "thrust", "Phases of 1+JFA as Coeurjolly's tutorial with Thrust has them");
  command->footer("Example: thiessen bench thrust --size 640x480 --sites 1% --rounds 3 --json");
  const auto arguments = std::make_shared<ThrustArguments>();
  command->add_option("--size", arguments->sizes, "Rasters to run; may be repeated")
      ->capture_default_str()
      ->allow_extra_args(false)
      ->type_name("WxH")
      ->check(check_word)
      ->group("Choice");
  add_choice(*command, "--sites", arguments->sites, "N",
             "Random sites, or with a % sign their share of the cells");
  add_choice(*command, "--seed", arguments->seed, "S", "Seed of the sites of the first round");
  add_choice(*command, "--rounds", arguments->rounds, "R",
             "Rounds, of which the medians are told; one more comes before them");
  add_device_flags(*command, arguments->device);
  command->add_option("--pgm", arguments->pgm, "Keep the picture of the last round: .pgm")
      ->type_name("FILE")
      ->check(check_file_name)
      ->group("Outputs");
  command->add_flag("--overwrite", arguments->overwrite, "Replace files that exist")
      ->group("Outputs");
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
