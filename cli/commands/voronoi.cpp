// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "commands/commands.hpp"
#include "inputs/domain_input.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/raster_input.hpp"
#include "inputs/site_input.hpp"
#include "inputs/site_labels.hpp"
#include "inputs/site_rows.hpp"
#include "results/flooding.hpp"
#include "results/nearest_site_results.hpp"
#include "results/warnings.hpp"
#include "slabs/file_rows.hpp"
#include "slabs/ranks.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/cell_areas.hpp"
#include "vectors/site_features.hpp"
#include "words/arguments.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/memory.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

/// The words of the command line, not parsed yet.
struct VoronoiArguments {
  SiteArguments sites;
  OptionFlags options{kNearestSite,
                      {"spacing", "latitude", "longitude", "earth_radius", "flattening", "nodata",
                       "values", "zero_is_site", "free_nodata", "distance_type", "unreached",
                       "nodata_label", "strict", "seed"}};
  std::string spacing;
  bool coverage = false;
  DeviceArguments device;
  ResultArguments results;
  FeatureArguments features;
  MaskArguments mask;
  FloodingArguments flooding;
  AccessArguments access;
  MemoryArguments memory;
  TalkArguments talk;

  Metric metric() const { return *find_metric(options.word("metric")); }  // no other name is taken
};

void add_choice_flags(CLI::App& command, VoronoiArguments& arguments) {
  arguments.options.add_to(command);
  add_device_flags(command, arguments.device);
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    command.add_option(flag, value, help)->type_name(type)->check(check_word)->group("Distance");
  };
  option("--spacing", arguments.spacing, "LIST",
         "World length of one cell as x,y or x,y,z (default: that of the georeference; without one "
         "1, so that distances are in cells)");
  option("--unreached", arguments.results.unreached, "V",
         "Label of an unreached cell (default: 0; with --free-nodata the nodata value)");
  command
      .add_flag("--coverage", arguments.coverage,
                "Cells of --sites tell how much of each a shape covers, 0 to 255, 0 to 65535 or as "
                "floats 0 to 1: the --distance to its edge, which lies within cells; approximate")
      ->group("Distance")
      ->needs(command.get_option("--signed-distance"));
}

/// Throws UsageError for the first flag that --coverage does not take.
void refuse_with_coverage(const VoronoiArguments& arguments) {
  const ResultArguments& results = arguments.results;
  const SiteArguments& sites = arguments.sites;
  const auto refuse = [](const std::string& flag) {
    throw UsageError("--coverage and " + flag +
                     " are given; with coverage there is the distance alone");
  };
  for (const std::string_view name : arguments.options.given())
    if (name != "signed_distance" &&
        std::ranges::find(kCoverageDistance.fields, name, &Field::name) ==
            kCoverageDistance.fields.end())
      refuse(flag_of(name));
  for (const Output* output : results.files.given())
    if (output->name != "distance") refuse(flag_of(output->name));
  const std::pair<const char*, bool> flags[] = {
      {"--unreached", !results.unreached.empty()},
      {"--random", !sites.random.empty()},
      {"--components", !sites.components.empty()},
      {"--values", !sites.values.empty()},
      {"--nodata", !sites.nodata.empty()},
      {"--zero-is-site", sites.zero_is_site},
      {"--free-nodata", sites.free_nodata},
      {"--mask", !arguments.mask.file.empty()},
      {"--picture", !results.picture.empty()},
      {"--output-nodata", !results.output_nodata.empty()},
      {"--verify", arguments.flooding.verify},
      {"vector outputs of regions", arguments.features.needs().regions},
  };
  for (const auto& [flag, is_given] : flags)
    if (is_given) refuse(flag);
}

/// The same for what the sites are.
void require_coverage(const Sites& sites) {
  if (sites.are_points() || sites.layer || sites.area)
    throw UsageError("--coverage: " + sites.name + " must be a raster");
  if (sites.nodata)
    throw UsageError("--coverage: " + sites.name + " has a nodata value; must have none");
}

/// What follows from the metric for the sites: distances are in metres, whatever the grid counts.
void prepare_sites(const VoronoiArguments& arguments, Sites& sites) {
  if (arguments.spacing.empty())
    sites.unit = sites.unit_of_grid();
  else
    sites.forget_unit();
  if (is_on_earth(arguments.metric())) sites.measure_on_earth();
}

NearestSiteOptions to_options(const VoronoiArguments& arguments, const Sites& sites) {
  NearestSiteOptions options;
  arguments.options.apply(&options, sites.extents().rank());
  if (is_on_earth(options.metric)) {
    options.earth = choose_earth(sites.grid, sites.name, options.metric, arguments.spacing);
  } else {
    options.spacing = choose_spacing(arguments.spacing, sites.grid, sites.name);
  }
  options.unreached = label_of_unreached(arguments.results.unreached, sites);
  return options;
}

void tell(const VoronoiArguments& arguments, const Context& context,
          const nlohmann::ordered_json& files, const Sites& sites,
          const std::optional<Verification>& verification, Report& report) {
  const Extents& extents = sites.extents();
  for (int axis = 0; axis < extents.rank(); ++axis) report.append("extents", extents[axis]);
  tell_unit(sites, arguments.talk, report);
  report.set("method", arguments.options.word("method"));
  report.set("metric", arguments.options.word("metric"));
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("files", files);
  if (verification) report.set("verify", to_json(*verification));
  report.print(arguments.talk);
}

/// What the library takes for itself while it works, for each cell.
std::size_t scratch_of(const NearestSiteOptions& options, const Sites& sites) {
  constexpr std::size_t kOfPoint = 80;
  const auto cells = static_cast<std::size_t>(std::max<std::int64_t>(sites.extents().count(), 1));
  if (sites.are_points()) return kOfPoint * sites.points.size() / cells;
  const bool are_numbers = sites.raster.element_type() == ElementType::boolean;
  return scratch_per_cell(options, sites.extents().rank()) +
         (are_numbers ? size_of(sites.label_type()) : 0);
}

/// Why polygons of points follow the cells; empty if they have straight edges.
std::string why_in_steps(const Sites& sites, const NearestSiteOptions& options) {
  if (!sites.are_points()) return "sites that are cells have no points for straight edges";
  if (!is_exact(options.method, options.metric)) return "the method is not exact";
  if (options.metric != Metric::euclidean) return "the metric is not euclidean";
  if (options.max_distance != std::numeric_limits<double>::infinity())
    return "--max-distance ends regions with arcs";
  return options.periodic.empty() ? "" : "--periodic has images of points";
}

FeatureInputs feature_inputs(const Sites& sites, const NearestSiteOptions& options,
                             const NearestSiteResults& results) {
  FeatureInputs inputs{.sites = sites,
                       .regions = results.regions(),
                       .distance = results.distance(),
                       .unreached = options.unreached,
                       .nodata = results.output_nodata(),
                       .spacing = options.spacing,
                       .why_in_steps = why_in_steps(sites, options)};
  if (options.earth)
    inputs.cell_areas = cell_areas(inputs.sites.grid, *options.earth, options.metric);
  else if (inputs.spacing.empty())
    inputs.spacing = {1, 1};
  return inputs;
}

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const VoronoiArguments& arguments) {
  const ResultArguments& results = arguments.results;
  const std::pair<const char*, bool> wants[] = {
      {"--coverage", arguments.coverage},      {"--band rgb", arguments.sites.band == "rgb"},
      {"--picture", !results.picture.empty()}, {"--mask", !arguments.mask.file.empty()},
      {"--verify", arguments.flooding.verify},
  };
  for (const auto& [what, is_wanted] : wants)
    if (is_wanted) return BrokenRule{what, {}, "is not"};
  if (arguments.features.are_given()) return BrokenRule{"vector outputs", {}, "are not"};
  return why_not_by_rows(results.files.paths(), results.format.format);
}

/// The sites without their cells; empty for a raster that is small for sure.
std::optional<Sites> describe_sites(const VoronoiArguments& arguments, const Context& context,
                                    Progress& progress) {
  const bool may_be_described = !is_stream(arguments.sites.file);
  if (may_be_described && are_on_grid_of_flags(arguments.sites))
    return describe_sites_on_grid(arguments.sites, context.threads(), progress);
  const auto info = inspect_large(
      arguments.sites.file, may_be_described ? "sites that are a raster file" : "files, not pipes",
      arguments.memory);
  if (!info) return std::nullopt;
  return describe_cell_sites(arguments.sites, *info);
}

/// A run by rows: sites, domain and results as sources and sinks.
class VoronoiRows {
 public:
  VoronoiRows(const VoronoiArguments& arguments, Context& context, Sites described)
      : arguments_(arguments), context_(context), sites_(std::move(described)) {
    prepare_sites(arguments, sites_);
    if (!sites_.are_points()) cells_.emplace(site_rows(arguments.sites, sites_, context.threads()));
    if (const std::string& like = arguments.sites.grid.like; !like.empty())
      domain_.emplace(like, arguments.sites.nodata, context.threads());
    options_ = to_options(arguments, sites_);
    if (!sites_.are_points()) choose_sites(sites_, options_);
    make_results();
  }

  const Extents& extents() const { return sites_.extents(); }
  Sites take_sites() { return std::move(sites_); }

  StreamPlan plan() {
    return choose_plan(context_, call({}), arguments_.memory, why_at_once(arguments_));
  }

  void run(const StreamPlan& plan, Report& report, Progress& progress) {
    Warnings warnings(arguments_.talk);
    for (const CommandWarning& warning : sites_.warnings) warnings.add(warning);
    look_at_domain();
    results_->files().warn(warnings);
    UnheededNodata unheeded(options_, sites_);
    const NearestSiteStream streamed =
        call([&](const SlabRows&, const View<const void>& cells, const NearestSiteOutputs& out) {
          results_->turn_directions(out);
          if (sites_.are_points()) return;
          unheeded.look_at(cells);
          results_->mark_nodata(sites_, cells, out);
        });
    results_->files().open_rows(plan.parts);
    StreamTalk talk(context_, results_->files(), progress, report, extents());
    const StreamReport done = stream(context_, streamed, plan, talk.events());
    if (ranks().rank() == 0) warnings.add(context_, sites_);
    unheeded.warn(warnings);
    results_->files().commit();
    talk.finish(plan, done);
    warnings.tell(report);
    results_->tell_nodata(arguments_.talk, report);
    report.set("slabs", plan.slabs);
    tell(arguments_, context_, results_->files().names(), sites_, std::nullopt, report);
  }

 private:
  void make_results() {
    results_.emplace(arguments_.results, options_, sites_, context_.threads(),
                     arguments_.features.needs());
  }

  /// Forgets a domain that has all cells.
  void look_at_domain() {
    if (!domain_) return;
    if (!domain_->has_outside()) return domain_.reset();
    sites_.domain = Raster(ElementType::u8, slab_extents(extents(), 0));
    make_results();
    options_.nodata_label = results_->output_nodata();
  }

  NearestSiteStream call(decltype(NearestSiteStream::on_rows) on_rows) {
    NearestSiteStream streamed{.sites = cells_ ? &*cells_ : nullptr,
                               .domain = domain_ ? &*domain_ : nullptr,
                               .options = options_,
                               .outputs = results_->sinks(),
                               .on_rows = std::move(on_rows)};
    if (sites_.are_points()) {
      streamed.points = sites_.point_list();
      streamed.grid = sites_.grid;
    }
    return streamed;
  }

  const VoronoiArguments& arguments_;
  Context& context_;
  Sites sites_;
  NearestSiteOptions options_;
  std::optional<FileRows> cells_;
  std::optional<DomainRows> domain_;
  std::optional<NearestSiteResults> results_;
};

/// Computes what the flags want of sites that are in memory, and writes it.
void run_at_once(const VoronoiArguments& arguments, Context& context, const Sites& sites,
                 Report& report, Progress& progress) {
  Warnings warnings(arguments.talk);
  warnings.add(sites);
  NearestSiteOptions options = to_options(arguments, sites);
  set_flooding(arguments.flooding, arguments.sites, options);
  NearestSiteResults results(arguments.results, options, sites, context.threads(),
                             arguments.features.needs());
  results.files().warn(warnings);
  if (sites.domain) options.nodata_label = results.output_nodata();
  if (results.numbers_points()) {
    options.unreached = kUnreached;
    if (sites.domain) options.nodata_label = kNodata;
  }
  std::optional<FeatureFiles> features;
  if (arguments.features.are_given())
    features.emplace(arguments.features, sites, results.files(), arguments.results.overwrite);
  results.files().reserve(sites.extents().count(),
                          scratch_of(options, sites) + bytes_per_cell(arguments.flooding),
                          sites.grid_cause);
  Frames frames(arguments.flooding, sites, arguments.results.overwrite, context);
  if (frames) options.flooding.on_pass = [&](const FloodingPass& pass) { frames.write(pass); };
  report.step("prepare outputs");
  progress.stage("compute", 0.6, sites.extents().count());
  if (arguments.coverage)
    coverage_distance(context, std::as_const(sites.raster).view(),
                      {.spacing = options.spacing, .max_distance = options.max_distance},
                      results.views().distance);
  else
    find_nearest(context, sites, options, results.views());
  report.computed(context, sites.extents());
  warnings.add(context, sites);
  if (!arguments.results.files.has_any(Subject::other_label))
    warn_of_unheeded_nodata(options, sites, warnings);
  const auto verification = verify(arguments.flooding, context, sites, options);
  if (verification) report.step("verify");
  results.turn_directions();
  results.mark_nodata(sites);
  progress.stage("paint", 0.7);
  if (results.paint(context, sites, options.unreached)) report.step("paint picture");
  if (features) {
    features->write(context, feature_inputs(sites, options, results), report);
    report.step("make vector outputs");
  }
  results.files().write(progress);
  report.step("write files");
  warnings.tell(report);
  results.tell_nodata(arguments.talk, report);
  nlohmann::ordered_json files = results.files().names();
  if (features) features->tell(files);
  tell(arguments, context, files, sites, verification, report);
  if (verification && !arguments.talk.quiet) print(*verification);
}

void run(const VoronoiArguments& arguments) {
  if (arguments.coverage) refuse_with_coverage(arguments);
  set_access(arguments.access);
  Context context = open_context(arguments.device, arguments.talk.timing || arguments.talk.json);
  const Interruptible interruptible(context);
  Report report("voronoi");
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  progress.stage("open", 0.01);
  std::optional<Sites> described = describe_sites(arguments, context, progress);
  if (described) {
    VoronoiRows rows(arguments, context, *std::exchange(described, std::nullopt));
    const StreamPlan plan = rows.plan();
    if (arguments.memory.dry_run) return tell_plan("voronoi", rows.extents(), plan, arguments.talk);
    if (!plan.is_at_once) return rows.run(plan, report, progress);
    if (are_on_grid_of_flags(arguments.sites)) described = rows.take_sites();
  }
  Sites sites = load_sites(arguments.sites, context, progress, std::move(described));
  prepare_sites(arguments, sites);
  if (arguments.coverage) {
    require_coverage(sites);
    sites.raster = as_quantities(sites.name, std::move(sites.raster), sites.scaling, {});
  }
  apply_mask(arguments.mask, {.threads = context.threads()}, sites);
  report.step(arguments.sites.file.empty() ? "random sites" : "read sites");
  throw_if_interrupted();
  run_at_once(arguments, context, sites, report, progress);
}

}  // namespace

void add_voronoi(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("voronoi", "Nearest site of every cell by straight line");
  command->footer(
      "Example: thiessen voronoi --random 200 --size 800x600 --seed 1 --labels labels.npy "
      "--distance distance.npy --picture voronoi.png\n"
      "Example: thiessen voronoi --random 2000 --size 720x720 --method jfa-star --seed 3 "
      "--labels flooded.npy --verify\n"
      "Example: thiessen voronoi --sites sites.png --signed-distance --coverage --distance "
      "edges.npy");
  const auto arguments = std::make_shared<VoronoiArguments>();
  add_site_flags(*command, arguments->sites);
  add_choice_flags(*command, *arguments);
  add_mask_flags(*command, arguments->mask);
  add_result_flags(*command, arguments->results);
  add_feature_flags(*command, arguments->features);
  add_flooding_flags(*command, arguments->flooding);
  add_access_flags(*command, arguments->access);
  add_memory_flags(*command, arguments->memory);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] {
    action = [arguments] {
      leave_talk_to_first_rank(arguments->talk);
      arguments->sites.attributes = arguments->features.needs().regions;
      arguments->mask.transform = arguments->sites.layer.transform;
      run(*arguments);
    };
  });
}

}  // namespace thiessen::cli
