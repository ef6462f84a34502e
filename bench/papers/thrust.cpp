// SPDX-License-Identifier: Apache-2.0
//
// The phases of D. Coeurjolly's tutorial "Jump Flooding Algorithm on GPU" with Thrust, in its own
// form: random sites, 1+JFA with the steps n/2, n/4, …, 1, and the picture of its program. The
// steps can run on any device of ours. Sites are found as everywhere in the library, so that every
// cell gets a site and the last cell can be one.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "output.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::bench {
namespace {

constexpr const char* kThrustRounds = "5";

struct ThrustArguments : Arguments {
  std::vector<std::string> sizes{"1280x1280"};
  std::string sites = "1000";
};

std::vector<std::int64_t> tutorial_steps(const Extents& extents) {
  std::vector<std::int64_t> steps{1};
  for (std::int64_t step = std::max(extents[0], extents[1]) / 2; step > 0; step /= 2)
    steps.push_back(step);
  return steps;
}

double mpixel_per_s(const Extents& extents, double milliseconds) {
  return static_cast<double>(extents.count()) / milliseconds / 1e3;
}

/// What the tutorial's program printed on a GeForce GTX 285. It does not say how many sites it had.
Row tutorial() {
  const Extents extents{1280, 1280};
  Row row = row_of(extents);
  row.update({{"device", "GTX 285"},
              {"cycles", 11},
              {"steps", tutorial_steps(extents)},
              {"initialise_ms", 4.42614},
              {"copy_to_device_ms", 3.03962},
              {"flooding_ms", 33.2508},
              {"mpixel_per_s", mpixel_per_s(extents, 33.2508)},
              {"copy_to_host_ms", 10.3948},
              {"pgm_ms", 217.517}});
  return row;
}

/// The rounds of one size.
class ThrustRun {
 public:
  ThrustRun(Context& context, const Case& of)
      : context_(context),
        count_(of.sites),
        sites_(Raster::of<std::int32_t>(of.extents)),
        labels_(Raster::of<std::int32_t>(of.extents)),
        grey_(Raster::of<std::uint8_t>(of.extents)) {
    options_.method = Method::one_jfa;
    options_.flooding.steps = tutorial_steps(of.extents);
  }

  /// Milliseconds of the phases. The picture goes to the file.
  Row round(std::uint64_t seed, io::OutputFile& file) {
    const double initialise =
        milliseconds_of([&] { random_sites(context_, sites_.view(), count_, seed); });
    const double call = milliseconds_of([&] {
      nearest_site(context_, std::as_const(sites_).view(), options_, {.labels = labels_.view()});
      context_.synchronize();
    });
    const CallTimes times = call_times(context_, call);
    const double pgm = milliseconds_of([&] { export_pgm(file); });
    return {{"initialise_ms", initialise},      {"copy_to_device_ms", times.to_device},
            {"flooding_ms", times.passes},      {"states_ms", times.rest},
            {"copy_to_host_ms", times.to_host}, {"pgm_ms", pgm}};
  }

  /// The cells that stayed empty in the last round.
  std::int64_t count_empty() {
    const std::int32_t* const first = labels_.view<std::int32_t>().data();
    return std::count(first, first + labels_.extents().count(), 0);
  }

  /// The cells that stay empty in the raster of the last round, by the tutorial's program to the
  /// letter.
  std::int64_t count_literal_empty() {
    Array<std::int64_t> site_index(sites_.extents());
    nearest_site(context_, std::as_const(sites_).view(),
                 {.method = Method::jfa_coeurjolly, .flooding = {.literal = true}},
                 {.site_index = site_index.view()});
    const std::int64_t* const first = site_index.view().data();
    return std::count_if(first, first + sites_.extents().count(),
                         [](std::int64_t site) { return site < 0; });
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

/// A file for a picture that nobody wants; it never gets its name.
io::OutputFile unwanted_picture() {
  return io::OutputFile(std::filesystem::temp_directory_path() /
                            ("thiessen-bench-" + std::to_string(::getpid()) + ".pgm"),
                        true);
}

/// The median of every column.
Row medians(const std::vector<Row>& rounds) {
  Row row;
  for (const auto& [column, first] : rounds.front().items()) {
    std::vector<double> values;
    for (const Row& round : rounds) values.push_back(round[column]);
    row[column] = median(values);
  }
  return row;
}

/// Runs one more round than requested: the first one, which also takes memory, does not count. The
/// last one's picture is kept if there is a folder.
Row run_size(Context& context, const Case& of, std::uint64_t seed, int rounds,
             const Output& output) {
  ThrustRun run(context, of);
  std::vector<Row> times;
  for (int round = 0; round <= rounds; ++round) {
    cli::throw_if_interrupted();
    const bool keeps = output.has_folder() && round == rounds;
    io::OutputFile picture =
        keeps ? output.open("labels-" + cli::size_text(of.extents) + ".pgm") : unwanted_picture();
    times.push_back(run.round(seed + static_cast<std::uint64_t>(round), picture));
    if (keeps) picture.commit();
  }
  times.erase(times.begin());
  const std::vector<std::int64_t> steps = tutorial_steps(of.extents);
  Row row = row_of(of);
  row["device"] = std::string(context.device());
  row["cycles"] = steps.size();
  row["steps"] = steps;
  row.update(medians(times));
  row["mpixel_per_s"] = mpixel_per_s(of.extents, row["flooding_ms"]);
  row["empty"] = run.count_empty();
  row["literal_empty"] = run.count_literal_empty();
  return row;
}

void run_thrust(const ThrustArguments& arguments) {
  const int rounds = rounds_of(arguments, kThrustRounds);
  const std::uint64_t seed = cli::parse_seed("--seed", arguments.seed);
  std::vector<Case> cases;
  for (const std::string& size : arguments.sizes) {
    const Extents extents = parse_flat_size("--size", size);
    cases.push_back({extents, parse_sites("--sites", arguments.sites, extents.count())});
  }
  Context context = open_device(arguments);
  const cli::Interruptible interruptible(context);
  Output output("thrust", arguments);
  output.expect_cases(cases.size());
  output.fact("threads", context.threads());
  output.fact("rounds", rounds);
  for (const Case& each : cases) {
    output.begin_case(each.name());
    output.add("phases", run_size(context, each, seed, rounds, output));
  }
  output.add("phases", tutorial());
  output.save({"phases"});
  output.finish();
}

}  // namespace

void add_thrust(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("thrust", "Phases of 1+JFA as Coeurjolly's tutorial with Thrust has them");
  command->footer("Example: thiessen-bench thrust --size 640x480 --sites 1% --rounds 3 --json");
  const auto arguments = std::make_shared<ThrustArguments>();
  command->add_option("--size", arguments->sizes, "Rasters to run; may be repeated")
      ->capture_default_str()
      ->allow_extra_args(false)
      ->type_name("WxH")
      ->check(cli::check_word)
      ->group("Choice");
  add_choice(*command, "--sites", arguments->sites, "N",
             "Random sites, or with a % sign their share of the cells");
  add_arguments(*command, *arguments, Devices::one, kThrustRounds, "One round");
  set_action(*command, arguments, action, run_thrust);
}

}  // namespace thiessen::bench
