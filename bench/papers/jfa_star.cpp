// SPDX-License-Identifier: Apache-2.0
//
// Measures what M. Czyżewski's "GPU-Accelerated Jump Flooding Algorithm for Voronoi Diagram in
// log*(n)" shows of JFA*, JFA+ and JFA: his case of 720 x 720 cells and 2000 sites, pass by pass,
// and a sweep over sizes and numbers of sites.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "disorder.hpp"
#include "output.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::bench {
namespace {

constexpr const char* kJfaStarRounds = "3";

/// Passes that the slides give JFA* for 2000 sites: log*(2000).
constexpr std::int64_t kClaimedPasses = 4;

struct JfaStarArguments : Arguments {
  std::string wanted_case = "720x720,2000", sizes, sites;
};

Case parse_case(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() != 2) throw cli::UsageError("--case " + text + ": must be WxH,N");
  const Extents extents = parse_flat_size("--case", parts[0]);
  return {extents, parse_sites("--case", parts[1], extents.count())};
}

/// The cases of the sweep: those of the flags, of --quick, or all.
std::vector<Case> sweep_of(const JfaStarArguments& arguments) {
  constexpr std::int64_t kMostSize = 46340;  // its square is below 2^31
  const auto numbers = [&](const char* flag, const std::string& text, const char* all,
                           const char* quick, std::int64_t most) {
    std::vector<std::int64_t> found;
    for (const std::string& part : parts_of(!text.empty() ? text : arguments.quick ? quick : all))
      found.push_back(cli::parse_integer(flag, part, 1, most));
    return found;
  };
  const auto sites = numbers("--sites", arguments.sites, "8,64,1024,8192,65536", "8,64,1024",
                             kMostSize * kMostSize);
  std::vector<Case> cases;
  for (const std::int64_t size : numbers("--sizes", arguments.sizes,
                                         "64,128,256,512,1024,2048,4096", "64,128,256", kMostSize))
    for (const std::int64_t count : sites) cases.push_back({{size, size}, count});
  return cases;
}

bool is_possible(const Case& of) { return of.sites <= of.extents.count(); }

std::vector<MethodInfo> methods_of(const Context& context) {
  const std::string name(context.device());
  for (const DeviceInfo& device : devices())
    if (device.name == name &&
        std::any_of(device.methods.begin(), device.methods.end(),
                    [](const MethodInfo& method) { return method.flooding; }))
      return device.methods;
  throw cli::UsageError("--device " + name + ": has no method of jump flooding");
}

/// Random sites on a raster, and the results of all methods of jump flooding for them.
class FloodingCase {
 public:
  using Visit = std::function<void(Method method, const FloodingPass& pass)>;
  using Cells = View<const std::int64_t>;

  FloodingCase(Context& context, const Case& of, std::uint64_t seed, int rounds)
      : context_(context),
        judge_({.device = "cpu", .threads = context.threads()}),
        of_(of),
        seed_(seed),
        rounds_(rounds),
        sites_(Raster::of<std::int32_t>(of.extents)),
        labels_(Raster::of<std::int32_t>(of.extents)),
        exact_(of.extents) {
    random_sites(judge_, sites_.view(), of.sites, seed);
    nearest_site(judge_, std::as_const(sites_).view(), {}, {.site_index = exact_.view()});
  }

  Cells exact() { return exact_.view(); }

  /// Runs all methods of the device that show their passes: once to watch, and in rounds for the
  /// time. A row for each, and one for the exact answer. Calls `visit` with each state.
  std::vector<Row> run(const Visit& visit = {}) {
    std::vector<Row> rows;
    Row exact_row = row_of(of_);
    exact_row["method"] = name_of(Method::exact);
    for (const MethodInfo& info : methods_of(context_)) {
      if (info.method == Method::exact) exact_row["ms"] = median_time({});
      if (!info.flooding) continue;
      try {
        rows.push_back(run_method(info.method, visit));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::unsupported) throw;
      }
    }
    exact_row["disconnected"] = disconnected_cells(exact());
    exact_row["entropy"] = LocalEntropy(exact()).mean;
    rows.push_back(std::move(exact_row));
    return rows;
  }

  /// How wrong a state is.
  Row judge(const Cells& state) {
    const Comparison found = compare(judge_, {.site_index_a = exact(), .site_index_b = state},
                                     {.metric = Metric::euclidean});
    const std::int64_t wrong = found.differing - found.ties;
    return {{"differing", found.differing},
            {"wrong", wrong},
            {"wrong_percent", 100 * static_cast<double>(wrong) / static_cast<double>(found.cells)},
            {"unreached", found.mismatched},
            {"largest_error_cells", found.largest_excess},
            {"worst_cell", found.worst_cell}};
  }

  /// The labels of the sites that the cells of a state hold; 0: none.
  Raster labels_of(const Cells& state) const {
    Raster labels = Raster::of<std::int32_t>(of_.extents);
    const std::int32_t* const site = sites_.view<std::int32_t>().data();
    std::int32_t* const label = labels.view<std::int32_t>().data();
    for (std::int64_t i = 0; i < of_.extents.count(); ++i)
      label[i] = state.data()[i] < 0 ? 0 : site[state.data()[i]];
    return labels;
  }

 private:
  Row run_method(Method method, const Visit& visit) {
    Row row = row_of(of_);
    row.update({{"method", name_of(method)}, {"passes", 0}, {"ms", 0.0}});
    std::vector<std::int64_t> steps;
    NearestSiteOptions options{.method = method};
    options.flooding.seed = seed_;
    options.flooding.on_pass = [&](const FloodingPass& pass) {
      cli::throw_if_interrupted();
      if (visit) visit(method, pass);
      if (pass.number > 0) steps.push_back(pass.step);
      if (pass.number < pass.count) return;
      row.update(judge(pass.site_index));
      row["disconnected"] = disconnected_cells(pass.site_index);
      row["entropy"] = LocalEntropy(pass.site_index).mean;
    };
    nearest_site(context_, std::as_const(sites_).view(), options, {.labels = labels_.view()});
    options.flooding.on_pass = {};
    row["ms"] = median_time(options);
    row["passes"] = steps.size();
    row["steps"] = std::move(steps);
    return row;
  }

  double median_time(const NearestSiteOptions& options) {
    std::vector<double> times;
    for (int round = 0; round < rounds_; ++round) {
      cli::throw_if_interrupted();
      const double call = milliseconds_of([&] {
        nearest_site(context_, std::as_const(sites_).view(), options, {.labels = labels_.view()});
        context_.synchronize();
      });
      times.push_back(call_times(context_, call).without_copies());
    }
    return median(times);
  }

  Context& context_;
  Context judge_;  // on the CPU: a call may be running in the other
  Case of_;
  std::uint64_t seed_;
  int rounds_;
  Raster sites_, labels_;
  Array<std::int64_t> exact_;
};

/// Writes the rasters of a state of the slides' figures: "the difference at the same step", after
/// pass 4 (or the last one if there are fewer), with its entropy; and of the answers, "4 steps" of
/// JFA*+1 and "10 steps" of JFA+1.
void write_figures(const FloodingCase& of, Method method, const FloodingPass& pass,
                   const Output& output) {
  const auto same_step = [&](const std::string& name) {
    output.write("same-step-" + name + ".npy", of.labels_of(pass.site_index).view());
    output.write("entropy-" + name + ".npy", LocalEntropy(pass.site_index).bits.view());
  };
  if (pass.number == std::min(kClaimedPasses, pass.count)) {
    if (method == Method::jfa_star) same_step("circle");
    if (method == Method::jfa_one) same_step("grid");
  }
  if (pass.number == pass.count) {
    const Raster labels = of.labels_of(pass.site_index);
    if (method == Method::jfa_star_paper) output.write("answers-circle.npy", labels.view());
    if (method == Method::jfa_one_paper) output.write("answers-grid.npy", labels.view());
  }
}

/// The table of the slides' empirical observations (n sites, p cells along the longest axis), and
/// beside each column the method that runs it.
void add_slides(const Case& of, Output& output) {
  const double log2_cells = std::log2(static_cast<double>(std::max(of.extents[0], of.extents[1])));
  int iterated = 0;  // log*: how often the logarithm is taken until it is at most 1
  for (auto sites = static_cast<double>(of.sites); sites > 1; sites = std::log2(sites)) ++iterated;
  const auto add = [&](const char* name, Method own, const char* improvement, const char* needed,
                       double claimed, const char* step_size) {
    for (const Row& row : output.rows("methods"))
      if (row["method"] == name_of(own))
        output.add("slides", {{"name", name},
                              {"method", name_of(own)},
                              {"improvement", improvement},
                              {"needed_steps", needed},
                              {"claimed", static_cast<int>(std::ceil(claimed))},
                              {"step_size", step_size},
                              {"steps", row["steps"]},
                              {"wrong_percent", row["wrong_percent"]}});
  };
  add("JFA*", Method::jfa_star_paper, "noise+selection", "log*(n)", iterated, "p/3^i");
  add("JFA+", Method::jfa_plus_paper, "noise", "log4(p)", log2_cells / 2, "p/2^i");
  add("JFA", Method::jfa_one_paper, "-", "log2(p)", log2_cells, "p/2^i");
}

/// The case that is looked at pass by pass, with its figures.
void run_first(FloodingCase& first, const Case& of, Output& output) {
  const auto visit = [&](Method method, const FloodingPass& pass) {
    Row row{{"method", name_of(method)},
            {"pass", pass.number},
            {"step", pass.step},
            {"entropy", LocalEntropy(pass.site_index).mean}};
    row.update(first.judge(pass.site_index));
    row.erase("worst_cell");
    output.add("passes", std::move(row));
    if (output.has_folder()) write_figures(first, method, pass, output);
  };
  for (Row& row : first.run(visit)) output.add("methods", std::move(row));
  add_slides(of, output);
  output.write("same-step-exact.npy", first.labels_of(first.exact()).view());
  output.write("entropy-exact.npy", LocalEntropy(first.exact()).bits.view());
  output.save({"methods", "passes", "slides"});
}

void run_jfa_star(const JfaStarArguments& arguments) {
  const Case first = parse_case(arguments.wanted_case);
  const std::vector<Case> sweep = sweep_of(arguments);
  const int rounds = rounds_of(arguments, kJfaStarRounds);
  const std::uint64_t seed = cli::parse_seed("--seed", arguments.seed);
  Context context = open_device(arguments);
  const cli::Interruptible interruptible(context);
  Output output("jfa-star", arguments);
  output.expect_cases(
      1 + static_cast<std::size_t>(std::count_if(sweep.begin(), sweep.end(), is_possible)));
  output.fact("device", std::string(context.device()));
  output.fact("threads", context.threads());
  output.fact("rounds", rounds);
  output.begin_case(first.name() + ", pass by pass");
  {
    FloodingCase flooding(context, first, seed, rounds);
    run_first(flooding, first, output);
  }
  for (const Case& each : sweep) {
    if (!is_possible(each)) {
      Row row = row_of(each);
      row["reason"] = "more sites than cells";
      output.add("skipped", std::move(row));
      continue;
    }
    output.begin_case(each.name());
    FloodingCase flooding(context, each, seed, rounds);
    for (Row& row : flooding.run()) output.add("sweep", std::move(row));
  }
  output.save({"sweep", "skipped"});
  output.finish();
}

}  // namespace

void add_jfa_star(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "jfa-star", "Passes, time, errors and entropy of jump flooding as Czyżewski compares it");
  command->footer(
      "Example: thiessen-bench jfa-star --case 180x180,125 --sizes 64,128 --sites 8,64 --rounds 1");
  const auto arguments = std::make_shared<JfaStarArguments>();
  add_choice(*command, "--case", arguments->wanted_case, "WxH,N",
             "Size and number of sites of the case that is looked at pass by pass");
  add_choice(*command, "--sizes", arguments->sizes, "LIST",
             "Sizes of the sweep, W being H (default: 64,128,256,512,1024,2048,4096)");
  add_choice(*command, "--sites", arguments->sites, "LIST",
             "Numbers of sites of the sweep (default: 8,64,1024,8192,65536)");
  add_arguments(*command, *arguments, Devices::one, kJfaStarRounds,
                "A sweep over 64,128,256 and 8,64,1024 sites, and one round");
  set_action(*command, arguments, action, run_jfa_star);
}

}  // namespace thiessen::bench
