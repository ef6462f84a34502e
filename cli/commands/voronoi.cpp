// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "commands/commands.hpp"
#include "commands/planned_run.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/rasters/domain_input.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/site_input.hpp"
#include "inputs/sites/site_labels.hpp"
#include "inputs/sites/values_on_grid.hpp"
#include "maps/scale/numbers.hpp"
#include "results/flooding.hpp"
#include "results/nearest_site_results.hpp"
#include "slabs/file_rows.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/site_features.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"
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
  std::string spacing, weights, balance;
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
  FlagGroup(command, "Sites")
      .word(
          "--weight-field", arguments.sites.weight_field, "NAME",
          "Field of the layer, or column of the points, with the weights, which --weighting reads")
      ->needs(command.get_option("--sites"));
  FlagGroup(command, "Sites")
      .word("--ellipse-fields", arguments.sites.ellipse_fields, "MAJOR,MINOR,AZIMUTH",
            "Fields of the ellipse by which a point measures: both half axes, and the azimuth of "
            "the first one in degrees clockwise from north")
      ->needs(command.get_option("--sites"));
  FlagGroup(command, "Sites")
      .input("--weights", arguments.weights, "Raster of the weights of sites that are cells")
      ->needs(command.get_option("--sites"))
      ->excludes(command.get_option("--weight-field"));
  FlagGroup(command, "Sites")
      .input("--balance", arguments.balance,
             "Raster, such as a population: points get the power weights with which their cells "
             "hold equal sums of it")
      ->needs(command.get_option("--sites"))
      ->excludes(command.get_option("--weight-field"));
  add_device_flags(command, arguments.device);
  const FlagGroup distance(command, "Distance");
  distance.word("--spacing", arguments.spacing, "LIST",
                "World length of one cell as x,y or x,y,z (default: from the georeference; without "
                "one 1, so that distances are in cells)");
  distance.word("--unreached", arguments.results.unreached, "V",
                "Label of an unreached cell (default: 0; with --free-nodata the nodata value)");
  FlagGroup(command, "Sites")
      .flag("--points-in-cells", arguments.sites.points_in_cells,
            "A point becomes the cell in which it lies, for methods of rasters. The first point of "
            "a cell has it")
      ->needs(command.get_option("--sites"));
  distance
      .flag("--coverage", arguments.coverage,
            "Cells of --sites hold the share that a shape covers, 0 to 255, 0 to 65535 or as "
            "floats 0 to 1. --distance is then the distance to its edge within cells; approximate")
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

/// Throws UsageError for --weighting without weights.
void require_weights(const VoronoiArguments& arguments) {
  const std::vector<std::string_view> given = arguments.options.given();
  const bool has_weights = !arguments.weights.empty() || !arguments.sites.weight_field.empty();
  if (!has_weights && std::ranges::count(given, "weighting") > 0)
    throw UsageError("--weighting " + arguments.options.word("weighting") +
                     ": needs --weight-field, or --weights");
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

/// Why polygons of points follow the cells; empty if they have straight edges.
std::string why_cell_outlines(const Sites& sites, const NearestSiteOptions& options) {
  if (!sites.are_points()) return "sites that are cells have no points for straight edges";
  if (!is_exact(options.method, options.metric)) return "the method is not exact";
  if (options.metric != Metric::euclidean) return "the metric is not euclidean";
  if (!has_straight_edges(options.weighting)) return "--weighting bends edges";
  if (!sites.metrics.empty()) return "--ellipse-fields bends edges";
  if (options.max_distance != std::numeric_limits<double>::infinity())
    return "--max-distance ends regions with arcs";
  return options.periodic.empty() ? "" : "--periodic has images of points";
}

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const VoronoiArguments& arguments) {
  const ResultArguments& results = arguments.results;
  const std::pair<const char*, bool> wants[] = {
      {"--coverage", arguments.coverage},
      {"--balance", !arguments.balance.empty()},
      {"--band rgb", arguments.sites.band == "rgb"},
      {"--picture", !results.picture.empty()},
      {"--verify", arguments.flooding.verify},
  };
  for (const auto& [what, is_wanted] : wants)
    if (is_wanted) return BrokenRule{what, {}, "is not"};
  if (arguments.features.are_given()) return BrokenRule{"vector outputs", {}, "are not"};
  return why_not_by_rows(results.files.paths(), results.format.format);
}

class VoronoiRun : public PlannedRun {
 public:
  VoronoiRun(const VoronoiArguments& arguments, Context& context, Report& report,
             Progress& progress)
      : PlannedRun(arguments.talk, arguments.mask, context, report, progress),
        arguments_(arguments),
        sites_(describe_sites(arguments.sites, context.threads(), progress)) {
    prepare_sites(arguments, sites_);
    if (arguments.coverage) require_coverage(sites_);
    if (const std::string& like = arguments.sites.grid.like; !like.empty())
      domain_ = &like_.emplace(domain_of_like(like, arguments.sites.nodata, context.threads()));
    open_sources(arguments.sites, sites_);
    options_ = to_options(arguments, sites_);
    set_flooding(arguments.flooding, arguments.sites, options_);
    if (!sites_.are_points()) choose_sites(sites_, options_);
    make_results();
  }

  StreamPlan plan() {
    const bool is_pipe = is_stream(arguments_.sites.file);
    require_rows(arguments_.memory, !is_pipe, "files, not pipes");
    std::optional<BrokenRule> why = why_at_once(arguments_);
    if (is_pipe) why = BrokenRule{"a pipe", {}, "is not"};
    return choose_plan(context_, call(), arguments_.memory, std::move(why));
  }

  void run(const StreamPlan& plan) {
    if (plan.is_at_once) hold(plan);
    find_domain(like_ ? &*like_ : nullptr, plan.is_at_once);
    if (plan.is_at_once)
      report_.step(arguments_.sites.file.empty() ? "random sites" : "read sites");
    throw_if_interrupted();
    warnings_.add(sites_);
    make_results();
    results_->files().warn(warnings_);
    if (sites_.domain.extents().rank() > 0) options_.nodata_label = results_->nodata_label();
    plan.is_at_once ? run_at_once() : run_by_rows(plan);
  }

 private:
  void make_results() {
    results_.emplace(arguments_.results, options_, sites_, cells_, context_.threads(),
                     arguments_.features.needs());
  }

  void hold(const StreamPlan& plan) {
    hold_sites(arguments_.sites);
    require_rest(plan, sites_.raster.size_bytes());
    hold_weights();
    if (arguments_.coverage)
      sites_.raster = as_quantities(sites_.name, std::move(sites_.raster), sites_.scaling, {});
  }

  /// Reads or burns the weights of sites that are cells.
  void hold_weights() {
    const std::string& path = arguments_.weights;
    if (!path.empty() && sites_.are_points())
      throw UsageError("--weights " + path + ": " + sites_.name +
                       " has points; --weight-field names the field of their weights");
    if (!path.empty()) {
      constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
      sites_.weight_cells = numbers_on_grid("--weights", path, sites_, kMissing);
    } else if (!sites_.weights.empty() && !sites_.are_points()) {
      sites_.weight_cells = Raster::of<double>(sites_.extents());
      sites_.layer->burn_values(georeferenced(sites_.grid), sites_.weights, 0, sites_.extents()[0],
                                sites_.weight_cells.bytes());
    }
  }

  NearestSiteStream call() {
    return stream_of(sites_, cells_, domain_, options_, results_->sinks());
  }

  void run_by_rows(const StreamPlan& plan) {
    stream_sites(results_->files(), call(), plan,
                 [&](const View<const void>& cells, const NearestSiteOutputs& out) {
                   results_->turn_directions(out.direction);
                   if (!sites_.are_points()) results_->mark_nodata(sites_, cells, out);
                 });
    finish(std::nullopt);
  }

  /// Computes what the flags want of sites that are in memory, and writes it.
  void run_at_once() {
    NearestSiteResults& results = *results_;
    if (results.numbers_points()) {
      options_.unreached = kUnreached;
      if (sites_.domain) options_.nodata_label = kNodata;
    }
    if (!arguments_.balance.empty()) balance();
    std::optional<FeatureFiles> features;
    if (arguments_.features.are_given())
      features.emplace(arguments_.features, sites_, results.files());
    Frames frames(arguments_.flooding, sites_, arguments_.results.overwrite, context_);
    if (frames) options_.flooding.on_pass = [&](const FloodingPass& pass) { frames.write(pass); };
    begin_computing(results.files(), bytes_per_cell(arguments_.flooding), 0.6);
    if (arguments_.coverage)
      coverage_distance(context_, std::as_const(sites_.raster).view(),
                        {.spacing = options_.spacing, .max_distance = options_.max_distance},
                        results.views().distance);
    else
      find_nearest_sites();
    report_.computed(context_, sites_.extents());
    warnings_.add(context_, sites_);
    if (!arguments_.results.files.has_any(Subject::other_label))
      warn_of_unheeded_nodata(options_, sites_, warnings_);
    const auto verification = verify(arguments_.flooding, context_, sites_, options_);
    if (verification) report_.step("verify");
    results.turn_directions(results.views().direction);
    results.mark_nodata(sites_);
    progress_.stage("paint", 0.7);
    if (results.paint(context_, sites_, options_.unreached)) report_.step("paint picture");
    if (features) {
      FeatureInputs inputs = feature_inputs(sites_, sites_.grid, results, options_,
                                            why_cell_outlines(sites_, options_));
      inputs.weighting = options_.weighting;
      features->write(context_, inputs, report_);
      report_.step("make vector outputs");
    }
    results.files().write(progress_);
    report_.step("write files");
    finish(verification);
  }

  /// Weights of cells have a flag of their own in messages.
  void find_nearest_sites() {
    try {
      find_nearest(context_, sites_, options_, results_->views());
    } catch (const Error& error) {
      BrokenRule broken = error.broken_rule();
      if (arguments_.weights.empty() || !broken.argument.starts_with("weights[")) throw;
      throw UsageError("--weights " + arguments_.weights + ": cell " +
                       broken.argument.substr(std::string_view("weights").size()) + " holds " +
                       (broken.value == "nan" ? "no number" : broken.value) + "; " + broken.rule);
    }
  }

  /// Finds the weights with which all points have equal loads.
  void balance() {
    if (!sites_.are_points())
      throw UsageError("--balance " + arguments_.balance + ": " + sites_.name +
                       " has lines or areas; must have points alone");
    const Raster loads = values_on_grid("--balance", arguments_.balance, sites_, 0);
    progress_.stage("balance", 0.5);
    const Grid grid{.extents = sites_.extents(), .spacing = options_.spacing};
    FittedWeights fitted =
        fit_weights(context_, sites_.point_list().coordinates, grid, {},
                    {.periodic = options_.periodic}, loads.view(), sites_.domain.view());
    if (fitted.end != FitEnd::fitted) {
      const auto points = static_cast<double>(fitted.loads.size());
      const double all = std::accumulate(fitted.loads.begin(), fitted.loads.end(), 0.0);
      warnings_.add({.kind = "unbalanced",
                     .message = "--balance " + arguments_.balance + ": a cell misses the sum " +
                                maps::number_text(all / points) + " by " +
                                maps::number_text(fitted.greatest_miss)});
    }
    report_.set("balance_miss", fitted.greatest_miss);
    report_.step("balance");
    sites_.weights = std::move(fitted.weights);
    options_.weighting = Weighting::power;
  }

  void finish(const std::optional<Verification>& verification) {
    results_->tell_nodata(arguments_.talk, report_);
    if (verification) report_.set("verify", to_json(*verification));
    tell(results_->files(), arguments_.options.word("method"), arguments_.options.word("metric"));
    if (verification && !arguments_.talk.quiet) print(*verification);
  }

  const VoronoiArguments& arguments_;
  Sites sites_;
  NearestSiteOptions options_;
  std::optional<DomainRows> like_;
  std::optional<NearestSiteResults> results_;
};

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
      report_from_first_rank_only(arguments->talk);
      arguments->sites.attributes = arguments->features.needs().regions ||
                                    !arguments->sites.weight_field.empty() ||
                                    !arguments->sites.ellipse_fields.empty();
      arguments->mask.transform = arguments->sites.layer.transform;
      if (arguments->coverage) refuse_with_coverage(*arguments);
      require_weights(*arguments);
      arguments->sites.weights_divide =
          arguments->options.word("weighting") == name_of(Weighting::multiplicative);
      run_planned<VoronoiRun>("voronoi", *arguments);
    };
  });
}

}  // namespace thiessen::cli
