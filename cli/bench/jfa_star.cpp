// SPDX-License-Identifier: Apache-2.0
//
// Measures what M. Czyżewski's "GPU-Accelerated Jump Flooding Algorithm for Voronoi Diagram in
// log*(n)" shows of JFA*, JFA+ and JFA: his case of 720 x 720 cells and 2000 sites, pass by pass,
// and a sweep over sizes and numbers of sites.
#include <filesystem>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "bench/flooding_case.hpp"
#include "bench/jfa_star_figures.hpp"
#include "bench/jfa_star_output.hpp"
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

struct JfaStarArguments {
  std::string wanted_case = "720x720,2000", sizes, sites, seed = "0", rounds;
  bool quick = false, overwrite = false;
  std::string plots, figure, figures;
  DeviceArguments device;
  TalkArguments talk;
};

/// Random sites on a raster.
struct CaseWanted {
  Extents extents;
  std::int64_t sites = 0;
};

std::vector<std::string> parts_of(const std::string& list) { return CLI::detail::split(list, ','); }

CaseWanted parse_case(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() != 2) throw UsageError("--case " + text + ": must be WxH,N");
  CaseWanted wanted{parse_flat_size("--case", parts[0]), 0};
  wanted.sites = parse_sites("--case", parts[1], wanted.extents.count());
  return wanted;
}

/// Whole numbers from 1 on.
std::vector<std::int64_t> parse_list(const std::string& flag, const std::string& text,
                                     std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : parts_of(text))
    numbers.push_back(parse_integer(flag, part, 1, most));
  return numbers;
}

/// The cases of the sweep: those of the flags, of --quick, or all.
std::vector<CaseWanted> cases_of(const JfaStarArguments& arguments) {
  constexpr std::int64_t kMostSize = 46340;  // its square is below 2^31
  const auto list = [&](const char* flag, const std::string& text, const char* all,
                        const char* quick, std::int64_t most) {
    return parse_list(flag, !text.empty() ? text : arguments.quick ? quick : all, most);
  };
  const auto sizes =
      list("--sizes", arguments.sizes, "64,128,256,512,1024,2048,4096", "64,128,256", kMostSize);
  const auto sites =
      list("--sites", arguments.sites, "8,64,1024,8192,65536", "8,64,1024", kMostSize * kMostSize);
  std::vector<CaseWanted> cases;
  for (const std::int64_t size : sizes)
    for (const std::int64_t count : sites) cases.push_back({{size, size}, count});
  return cases;
}

bool is_possible(const CaseWanted& wanted) { return wanted.sites <= wanted.extents.count(); }

/// The case and the sweep, one after the other.
class JfaStarRun {
 public:
  JfaStarRun(const JfaStarArguments& arguments, Context& context, Progress& progress)
      : context_(context),
        progress_(progress),
        rounds_(parse_rounds("--rounds", !arguments.rounds.empty() ? arguments.rounds
                                         : arguments.quick         ? "1"
                                                                   : "3")),
        seed_(parse_seed("--seed", arguments.seed)),
        first_(parse_case(arguments.wanted_case)),
        sweep_(cases_of(arguments)) {
    cells_ = weight(first_);
    for (const CaseWanted& wanted : sweep_) cells_ += weight(wanted);
    for (const CaseWanted& wanted : sweep_)
      if (is_possible(wanted)) require_memory(wanted.extents.count(), FloodingCase::kBytesPerCell);
    require_memory(first_.extents.count(),
                   FloodingCase::kBytesPerCell + JfaStarFigures::kBytesPerCell);
  }

  int rounds() const { return rounds_; }

  /// Calls paint(figures, case) after the run.
  template <class Paint>
  CaseResult run_first(const Paint& paint) {
    FloodingCase first(context_, first_.extents, first_.sites, seed_);
    JfaStarFigures figures(first_.extents);
    CaseResult result = run(first, first_, [&](Method method, const FloodingPass& pass) {
      figures.take(method, pass);
    });
    paint(figures, first);
    return result;
  }

  std::vector<CaseResult> run_sweep() {
    std::vector<CaseResult> results;
    for (const CaseWanted& wanted : sweep_) {
      if (!is_possible(wanted)) continue;
      FloodingCase each(context_, wanted.extents, wanted.sites, seed_);
      results.push_back(run(each, wanted, {}));
    }
    return results;
  }

  nlohmann::ordered_json skipped() const {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const CaseWanted& wanted : sweep_)
      if (!is_possible(wanted))
        json.push_back({{"extents", {wanted.extents[0], wanted.extents[1]}},
                        {"sites", wanted.sites},
                        {"reason", "more sites than cells"}});
    return json;
  }

 private:
  static double weight(const CaseWanted& wanted) {
    return is_possible(wanted) ? static_cast<double>(wanted.extents.count()) : 0;
  }

  CaseResult run(FloodingCase& each, const CaseWanted& wanted, const FloodingCase::Visit& visit) {
    CaseResult result = each.run(
        rounds_,
        [&](double share) {
          progress_.stage("methods", (cells_done_ + share * weight(wanted)) / cells_);
        },
        visit);
    cells_done_ += weight(wanted);
    return result;
  }

  Context& context_;
  Progress& progress_;
  int rounds_;
  std::uint64_t seed_;
  CaseWanted first_;
  std::vector<CaseWanted> sweep_;
  double cells_ = 0, cells_done_ = 0;  // for the progress
};

/// The files: all are opened before the work begins and get their names after it.
class JfaStarFiles {
 public:
  explicit JfaStarFiles(const JfaStarArguments& arguments)
      : plots_(arguments.plots, arguments.overwrite), overwrite_(arguments.overwrite) {
    if (!arguments.figure.empty()) open(arguments.figure, &JfaStarFigures::same_step);
    if (arguments.figures.empty()) return;
    const std::filesystem::path folder(arguments.figures);
    make_folder("--figures", folder);
    open((folder / "answers.png").string(), &JfaStarFigures::answers);
    open((folder / "same-step.png").string(), &JfaStarFigures::same_step);
    open((folder / "entropy.png").string(), &JfaStarFigures::entropy);
  }

  /// Writes the pictures, but does not name them yet.
  void paint(const JfaStarFigures& figures, const FloodingCase& of) {
    for (Picture& picture : pictures_)
      io::write_raster(picture.file, (figures.*picture.paint)(of).view(), kPicture);
  }

  nlohmann::ordered_json name(const std::vector<NamedPlot>& plots) {
    std::vector<io::OutputFile> files = plots_.write(plots);
    for (Picture& picture : pictures_) files.push_back(std::move(picture.file));
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (io::OutputFile& file : files) {
      file.commit();
      names.push_back(file.target().string());
    }
    return names;
  }

 private:
  using Paint = Raster (JfaStarFigures::*)(const FloodingCase&) const;
  struct Picture {
    io::OutputFile file;
    Paint paint;
  };

  inline static const io::WriteOptions kPicture{.bands = io::Bands::last};

  void open(const std::string& name, Paint how) {
    as_usage([&] { io::require_writable(name, ElementType::u8, {1, 1, 3}, kPicture); });
    pictures_.push_back({io::OutputFile(name, overwrite_, throw_if_interrupted), how});
  }

  PlotFolder plots_;
  bool overwrite_;
  std::vector<Picture> pictures_;
};

void run(const JfaStarArguments& arguments) {
  Context context = open_context(arguments.device, true);
  const Interruptible interruptible(context);
  Report report("bench jfa-star");
  Progress progress(arguments.talk);
  JfaStarRun all(arguments, context, progress);
  JfaStarFiles files(arguments);
  const CaseResult first = all.run_first(
      [&](const JfaStarFigures& figures, const FloodingCase& of) { files.paint(figures, of); });
  const std::vector<CaseResult> sweep = all.run_sweep();
  progress.finish();
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("rounds", all.rounds());
  report.set("case", to_json(first));
  report.set("document", document_json(first));
  report.set("sweep", nlohmann::ordered_json::array());
  for (const CaseResult& result : sweep) report.append("sweep", to_json(result));
  report.set("skipped", all.skipped());
  report.set("files", files.name(plots_of(first, sweep)));
  if (!arguments.talk.quiet) {
    print_case(first);
    print_sweep(sweep);
  }
  report.print(arguments.talk);
}

void add_output_flags(CLI::App& command, JfaStarArguments& arguments) {
  command.add_option("--plots", arguments.plots, "Draw the plots, as .svg, into this folder")
      ->type_name("DIR")
      ->check(check_file_name)
      ->group("Outputs");
  command
      .add_option("--figures", arguments.figures,
                  "Draw the slides' figures of the case into this folder: answers.png, "
                  "jfa-star-paper beside jfa+1-paper; same-step.png, as --figure; entropy.png, the "
                  "local entropy in the middle of that")
      ->type_name("DIR")
      ->check(check_file_name)
      ->group("Outputs");
  command
      .add_option("--figure", arguments.figure,
                  "Picture of jfa-star, jfa+1 and the exact answer side by side, the first two "
                  "after pass 4 of the case: .png .ppm .tif")
      ->type_name("FILE")
      ->check(check_file_name)
      ->group("Outputs");
  command.add_flag("--overwrite", arguments.overwrite, "Replace files that exist")
      ->group("Outputs");
}

}  // namespace

void add_bench_jfa_star(CLI::App& bench, Action& action) {
  CLI::App* command = bench.add_subcommand(
      "jfa-star", "Passes, time, errors and entropy of jump flooding as Czyżewski compares it");
  command->footer(
      "Example: thiessen bench jfa-star --case 180x180,125 --sizes 64,128 --sites 8,64 --rounds 1 "
      "--plots plots --figure circle-against-grid.png");
  const auto arguments = std::make_shared<JfaStarArguments>();
  add_choice(*command, "--case", arguments->wanted_case, "WxH,N",
             "Size and number of sites of the case that is looked at pass by pass");
  add_choice(*command, "--sizes", arguments->sizes, "LIST",
             "Sizes of the sweep, W being H (default: 64,128,256,512,1024,2048,4096)");
  add_choice(*command, "--sites", arguments->sites, "LIST",
             "Numbers of sites of the sweep (default: 8,64,1024,8192,65536)");
  add_choice(*command, "--seed", arguments->seed, "S", "Seed of the sites and of the noise");
  add_choice(*command, "--rounds", arguments->rounds, "R",
             "Rounds, of which the median time is told (default: 3)");
  command
      ->add_flag("--quick", arguments->quick,
                 "A sweep over 64,128,256 and 8,64,1024 sites, and one round")
      ->group("Choice");
  add_device_flags(*command, arguments->device);
  add_output_flags(*command, *arguments);
  add_talk_flags_of_bench(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
