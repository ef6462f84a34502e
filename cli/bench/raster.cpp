// SPDX-License-Identifier: Apache-2.0
//
// Measures table 1 and figure 2 of W. Tu, J. Wang, "Raster-based method for Voronoi diagram using
// GPU parallel technology", again: scan and distance transform on one core, their GPU method and
// `exact` on each device, by the size of the raster; and then by the number of sites, in which the
// document says that its method is linear. In the rasters of the second part it also counts the
// errors of the methods that follow the document to the letter.
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "bench/measure.hpp"
#include "bench/plot_files.hpp"
#include "bench/raster_case.hpp"
#include "bench/raster_errors.hpp"
#include "bench/raster_output.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

struct RasterBenchArguments {
  std::vector<std::string> sizes, devices;
  std::string sites = "100", metric = "manhattan", sweep_size, sweep, seed = "0", rounds;
  std::string threads = "0", plots;
  bool quick = false, overwrite = false;
  TalkArguments talk;
};

/// Random sites on a raster.
struct RasterWanted {
  Extents extents;
  std::int64_t sites = 0;

  double weight() const { return static_cast<double>(extents.count()); }
};

std::vector<RasterWanted> wanted_by_size(const RasterBenchArguments& arguments) {
  std::vector<std::string> sizes = arguments.sizes;
  if (sizes.empty() && arguments.quick) sizes = {"250x200", "500x400"};
  if (sizes.empty())
    for (const DocumentRow& row : kDocument)
      sizes.push_back(std::to_string(row.width) + "x" + std::to_string(row.height));
  std::vector<RasterWanted> wanted;
  for (const std::string& size : sizes) {
    const Extents extents = parse_flat_size("--size", size);
    wanted.push_back({extents, parse_sites("--sites", arguments.sites, extents.count())});
  }
  return wanted;
}

std::vector<RasterWanted> wanted_by_sites(const RasterBenchArguments& arguments) {
  const auto choose = [&](const std::string& given, const char* all, const char* quick) {
    return !given.empty() ? given : arguments.quick ? quick : all;
  };
  const Extents extents =
      parse_flat_size("--sweep-size", choose(arguments.sweep_size, "1000x800", "250x200"));
  std::vector<RasterWanted> wanted;
  for (const std::string& part :
       CLI::detail::split(choose(arguments.sweep, "1,10,100,1000,10000", "1,10,100"), ','))
    wanted.push_back({extents, parse_integer("--sweep", part, 1, extents.count())});
  return wanted;
}

/// Both tables, one case after the other.
class RasterBench {
 public:
  RasterBench(const RasterBenchArguments& arguments, Progress& progress)
      : progress_(progress),
        by_size_(wanted_by_size(arguments)),
        by_sites_(wanted_by_sites(arguments)),
        threads_(static_cast<int>(parse_integer("--threads", arguments.threads, 0, 1024))),
        rounds_{.metric = *find_metric(arguments.metric),
                .rounds = parse_rounds("--rounds", !arguments.rounds.empty() ? arguments.rounds
                                                   : arguments.quick         ? "1"
                                                                             : "5"),
                .seed = parse_seed("--seed", arguments.seed)} {
    if (threads_ == 0) threads_ = Context({.device = "cpu"}).threads();
    ways_ = raster_ways(arguments.devices, threads_);
    for (const auto* const list : {&by_size_, &by_sites_})
      for (const RasterWanted& wanted : *list) {
        require_memory(wanted.extents.count(), kRasterBytesPerCell);
        all_ += wanted.weight();
      }
  }

  int rounds() const { return rounds_.rounds; }
  int threads() const { return threads_; }
  std::vector<RasterResult> run_by_size() { return run(by_size_); }
  std::vector<RasterResult> run_by_sites() { return run(by_sites_); }

  std::vector<RasterError> count_errors() const {
    std::vector<RasterError> all;
    for (const RasterWanted& wanted : by_sites_)
      for (const RasterError& error :
           raster_errors(wanted.extents, wanted.sites, rounds_.seed, threads_))
        all.push_back(error);
    return all;
  }

 private:
  std::vector<RasterResult> run(const std::vector<RasterWanted>& list) {
    std::vector<RasterResult> results;
    for (const RasterWanted& wanted : list) {
      results.push_back(
          run_raster_case(wanted.extents, wanted.sites, ways_, rounds_, [&](double share) {
            progress_.stage("methods", (done_ + share * wanted.weight()) / all_);
          }));
      done_ += wanted.weight();
    }
    return results;
  }

  Progress& progress_;
  std::vector<RasterWanted> by_size_, by_sites_;
  int threads_;
  RasterRounds rounds_;
  std::vector<RasterWay> ways_;
  double all_ = 0, done_ = 0;  // for the progress
};

void run(const RasterBenchArguments& arguments) {
  Report report("bench raster");
  Progress progress(arguments.talk);
  RasterBench bench(arguments, progress);
  const PlotFolder folder(arguments.plots, arguments.overwrite);
  const std::vector<RasterResult> by_size = bench.run_by_size();
  const std::vector<RasterResult> by_sites = bench.run_by_sites();
  progress.stage("errors", 1);
  const std::vector<RasterError> errors = bench.count_errors();
  progress.finish();
  report.set("metric", arguments.metric);
  report.set("threads", bench.threads());
  report.set("rounds", bench.rounds());
  report.set("document", document_json());
  for (const RasterResult& result : by_size) report.append("by_size", to_json(result));
  for (const RasterResult& result : by_sites) report.append("by_sites", to_json(result));
  for (const RasterError& error : errors) report.append("errors", to_json(error));
  report.set("files", nlohmann::ordered_json::array());
  for (io::OutputFile& file : folder.write(plots_of(by_size, by_sites))) {
    file.commit();
    report.append("files", file.target().string());
  }
  if (!arguments.talk.quiet) {
    print_by_size(by_size);
    print_by_sites(by_sites);
    print_growth(by_size, by_sites);
    print(errors);
  }
  report.print(arguments.talk);
}

void add_choices(CLI::App& command, RasterBenchArguments& arguments) {
  add_list(command, "--size", arguments.sizes, "WxH",
           "Rasters of the table; may be repeated (default: those of the document)");
  add_choice(command, "--sites", arguments.sites, "N",
             "Random sites, or with a % sign their share of the cells");
  add_choice(command, "--sweep", arguments.sweep, "LIST",
             "Numbers of sites of the sweep (default: 1,10,100,1000,10000)");
  add_choice(command, "--sweep-size", arguments.sweep_size, "WxH",
             "Raster of the sweep (default: 1000x800)");
  add_choice(command, "--metric", arguments.metric, "NAME",
             "manhattan or chessboard: one distance for all, as in the document")
      ->check(CLI::IsMember({"manhattan", "chessboard"}));
  add_choice(command, "--seed", arguments.seed, "S", "Seed of the sites");
  add_choice(command, "--rounds", arguments.rounds, "R",
             "Rounds, of which the medians are told; one more comes before them (default: 5)");
  command.add_flag("--quick", arguments.quick, "Small rasters, few sites, and one round")
      ->group("Choice");
  add_list(command, "--device", arguments.devices, "NAME",
           "Devices to run on; may be repeated (default: all that there are)");
  add_choice(command, "--threads", arguments.threads, "N",
             "Threads of the CPU, up to 1024; 0: one for each processor");
}

}  // namespace

void add_bench_raster(CLI::App& bench, Action& action) {
  CLI::App* command = bench.add_subcommand(
      "raster", "Raster methods by size and by number of sites, as Tu and Wang compare them");
  command->footer(
      "Example: thiessen bench raster --size 200x100 --size 400x300 --sweep 1,50 --sweep-size "
      "100x80 --rounds 1 --plots plots --json");
  const auto arguments = std::make_shared<RasterBenchArguments>();
  add_choices(*command, *arguments);
  command->add_option("--plots", arguments->plots, "Draw the plots, as .svg, into this folder")
      ->type_name("DIR")
      ->check(check_file_name)
      ->group("Outputs");
  command->add_flag("--overwrite", arguments->overwrite, "Replace files that exist")
      ->group("Outputs");
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
