// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "commands/commands.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/file_access.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

constexpr int kEqual = 0;
constexpr int kDifferent = 1;

struct CompareArguments {
  std::vector<std::string> files, labels, site_index, distance;
  OptionFlags options{kCompare, {}};
  bool allow_ties = false;
  AccessArguments access;
  TalkArguments talk;
};

void add_flags(CLI::App& command, CompareArguments& arguments) {
  const auto pair = [&](const char* flag, std::vector<std::string>& files, const char* help) {
    return command.add_option(flag, files, help)
        ->expected(2)
        ->type_name("A B")
        ->transform(input_name)
        ->check(check_file_name)
        ->group("Inputs");
  };
  auto* files = pair("files", arguments.files,
                     "Two rasters: floats are distances, all other types are labels");
  for (auto* option :
       {pair("--labels", arguments.labels, "Labels of both results"),
        pair("--site-index", arguments.site_index, "Site indices of both results, i64"),
        pair("--distance", arguments.distance, "Distances of both results, f32 or f64")})
    option->excludes(files);
  arguments.options.add_to(command);
  command.get_option("--spacing")->needs(command.get_option("--metric"));
  command
      .add_flag("--allow-ties", arguments.allow_ties,
                "Exit code 0 if all differences are ties: other sites at the same distance")
      ->group("Options");
}

/// The rasters of both results, and views of them.
class Inputs {
 public:
  Inputs(const CompareArguments& arguments, Progress& progress)
      : progress_(progress),
        pairs_((arguments.files.size() + arguments.labels.size() + arguments.site_index.size() +
                arguments.distance.size()) /
               2) {
    if (!arguments.files.empty()) read_by_type(arguments.files);
    if (!arguments.labels.empty()) set_labels(arguments.labels, read(arguments.labels));
    if (!arguments.site_index.empty()) set_site_index(arguments.site_index);
    if (!arguments.distance.empty())
      set_distance(arguments.distance, read(arguments.distance, true));
    if (rasters_.empty())
      throw UsageError(
          "nothing to compare: give two files, or pairs with --labels, --site-index, --distance");
  }

  const CompareInputs& views() const { return views_; }
  const Extents& extents() const { return (*rasters_.front())[0].extents(); }

 private:
  using Pair = std::array<Raster, 2>;

  static bool is_float(const Raster& raster) {
    return raster.element_type() == ElementType::f32 || raster.element_type() == ElementType::f64;
  }

  /// Floats are distances, too, to which scale and offset apply.
  const Pair& read(const std::vector<std::string>& paths, bool are_distances = false) {
    progress_.stage("read",
                    0.7 * static_cast<double>(rasters_.size() + 1) / static_cast<double>(pairs_));
    const auto read_half = [&](std::size_t i) {
      const double first = static_cast<double>(i) / 2;
      io::RasterFile file =
          read_raster_file(paths[i], {.progress = progress_.checkpoint(first, first + 0.5)});
      if (!are_distances && !is_float(file.raster)) return std::move(file.raster);
      return as_quantities(paths[i], std::move(file.raster), file.scaling, file.nodata);
    };
    Pair pair{read_half(0), read_half(1)};
    if (pair[0].extents() != pair[1].extents())
      throw UsageError(paths[0] + " and " + paths[1] + ": have different extents, " +
                       size_text(pair[0].extents()) + " and " + size_text(pair[1].extents()));
    rasters_.push_back(std::make_unique<Pair>(std::move(pair)));
    return *rasters_.back();
  }

  void read_by_type(const std::vector<std::string>& paths) {
    const Pair& pair = read(paths);
    if (is_float(pair[0]) != is_float(pair[1]))
      throw UsageError(paths[0] + " and " + paths[1] + ": one holds floats, the other does not");
    is_float(pair[0]) ? set_distance(paths, pair) : set_labels(paths, pair);
  }

  static std::string type_of(const Raster& raster) {
    return std::string(name_of(raster.element_type()));
  }

  void set_labels(const std::vector<std::string>& paths, const Pair& pair) {
    if (pair[0].element_type() != pair[1].element_type())
      throw UsageError(paths[0] + " and " + paths[1] + ": hold labels of different types, " +
                       type_of(pair[0]) + " and " + type_of(pair[1]));
    views_.labels_a = pair[0].view();
    views_.labels_b = pair[1].view();
  }

  void set_distance(const std::vector<std::string>& paths, const Pair& pair) {
    for (std::size_t i = 0; i < 2; ++i)
      if (!is_float(pair[i]))
        throw UsageError("--distance " + paths[i] + ": is " + type_of(pair[i]) +
                         "; must be f32 or f64");
    views_.distance_a = pair[0].view();
    views_.distance_b = pair[1].view();
  }

  void set_site_index(const std::vector<std::string>& paths) {
    const Pair& pair = read(paths);
    for (std::size_t i = 0; i < 2; ++i)
      if (pair[i].element_type() != ElementType::i64)
        throw UsageError("--site-index " + paths[i] + ": is " + type_of(pair[i]) + "; must be i64");
    views_.site_index_a = pair[0].view<std::int64_t>();
    views_.site_index_b = pair[1].view<std::int64_t>();
  }

  Progress& progress_;
  std::size_t pairs_;
  std::vector<std::unique_ptr<Pair>> rasters_;
  CompareInputs views_;
};

CompareOptions to_options(const CompareArguments& arguments, int rank) {
  CompareOptions options;
  arguments.options.apply(&options, rank);
  if (options.metric && arguments.site_index.empty())
    throw UsageError("--metric " + arguments.options.word("metric") + ": needs --site-index");
  return options;
}

void tell(const Comparison& found, const Inputs& inputs, Report& report) {
  const CompareInputs& views = inputs.views();
  report.set("extents", to_json(inputs.extents()));
  report.set("equal", found.equal());
  report.set("cells", found.cells);
  report.set("differing", found.differing);
  report.set("ties", found.ties);
  report.set("mismatched", found.mismatched);
  if (views.labels_a) report.set("labels_differing", found.labels_differing);
  if (views.site_index_a) report.set("site_index_differing", found.site_index_differing);
  if (views.distance_a) report.set("distance_differing", found.distance_differing);
  report.set("largest_excess", found.largest_excess);
  report.set("largest_relative_excess", found.largest_relative_excess);
  report.set("largest_shortfall", found.largest_shortfall);
  report.set("mean_excess", found.mean_excess);
  report.set("worst_cell", found.worst_cell);
  report.set("first_cell", found.first_cell);
}

std::string to_text(const std::vector<std::int64_t>& cell) {
  std::string text;
  for (const std::int64_t coordinate : cell)
    text += (text.empty() ? "[" : ", ") + std::to_string(coordinate);
  return text + "]";
}

void print_text(const Comparison& found) {
  const auto line = [](const char* name, std::int64_t count) {
    std::printf("%-24s %lld\n", name, static_cast<long long>(count));
  };
  if (found.equal()) {
    std::printf("equal: %lld cells\n", static_cast<long long>(found.cells));
    return;
  }
  line("cells", found.cells);
  line("differing", found.differing);
  line("  ties", found.ties);
  line("  unreached or nodata", found.mismatched);
  line("  others", found.differing - found.ties - found.mismatched);
  std::printf("%-24s %s\n", "first differing cell", to_text(found.first_cell).c_str());
  if (found.worst_cell.empty()) return;
  std::printf("%-24s %.9g (%.3g %%)\n", "largest excess", found.largest_excess,
              100 * found.largest_relative_excess);
  std::printf("%-24s %.9g\n", "largest shortfall", found.largest_shortfall);
  std::printf("%-24s %.9g\n", "mean excess", found.mean_excess);
  std::printf("%-24s %s\n", "worst cell", to_text(found.worst_cell).c_str());
}

int compare_files(const CompareArguments& arguments) {
  Context context;
  const Interruptible interruptible(context);
  Report report("compare");
  set_access(arguments.access);
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  const Inputs inputs(arguments, progress);
  report.step("read files");
  throw_if_interrupted();
  const CompareOptions options = to_options(arguments, inputs.extents().rank());
  progress.stage("compare", 1, inputs.extents().count());
  const Comparison found = compare(context, inputs.views(), options);
  progress.finish();
  report.computed(context, inputs.extents());
  if (!arguments.talk.quiet && !arguments.talk.json) {
    print_text(found);
    flush_stdout();
  }
  tell(found, inputs, report);
  report.print(arguments.talk);
  const bool accepted = arguments.allow_ties && found.differing == found.ties;
  return found.equal() || accepted ? kEqual : kDifferent;
}

/// Exit code 1 means that the results differ, so every error is 2.
int run(const CompareArguments& arguments) {
  try {
    return compare_files(arguments);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) throw;
    if (error.broken_rule().argument.empty()) throw UsageError(error.what());
    throw Error(ErrorCode::invalid_argument, error.broken_rule());
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("compare", "How two results differ");
  command->footer(
      "Example: thiessen compare a.npy b.npy --json\n"
      "Exit code: 0 equal, 1 different, 2 anything else.");
  const auto arguments = std::make_shared<CompareArguments>();
  add_flags(*command, *arguments);
  add_access_flags(*command, arguments->access);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace thiessen::cli
