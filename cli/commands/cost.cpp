// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "inputs/cell_values.hpp"
#include "inputs/cost_input.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/raster_input.hpp"
#include "inputs/site_labels.hpp"
#include "inputs/site_rows.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/quantity.hpp"
#include "results/cost_paths.hpp"
#include "results/cost_results.hpp"
#include "results/warnings.hpp"
#include "slabs/file_rows.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "thiessen/choices/float_type.hpp"
#include "vectors/cell_areas.hpp"
#include "vectors/site_features.hpp"
#include "words/arguments.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/memory.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

struct CostArguments {
  MapArguments map;
  SiteArguments sites;
  OptionFlags options{kCostDistance,
                      {"spacing", "latitude", "longitude", "earth_radius", "flattening",
                       "map_nodata", "site_nodata", "elevation_nodata", "values", "zero_is_site",
                       "distance_type", "unreached", "nodata_label", "strict"}};
  std::string spacing, initial_cost, initial_cost_field;
  DeviceArguments device;
  MaskArguments mask;
  CostResultArguments results;
  FeatureArguments features;
  AccessArguments access;
  MemoryArguments memory;
  TalkArguments talk;
};

void add_choice_flags(CLI::App& command, CostArguments& arguments) {
  arguments.options.add_to(command);
  add_device_flags(command, arguments.device);
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->type_name(type)
        ->check(check_word)
        ->group("Distance");
  };
  option("--spacing", arguments.spacing, "LIST",
         "World length of one cell as x,y or x,y,z (default: that of the georeference; without one "
         "1)");
  option("--unreached", arguments.results.unreached, "V",
         "Label of an unreached cell (default: 0; with --free-nodata the nodata value)");
  option("--initial-cost", arguments.initial_cost, "FILE",
         "Raster of what paths start with, read in the cells of the sites")
      ->transform(input_name);
  auto* field = option("--initial-cost-field", arguments.initial_cost_field, "NAME",
                       "The same from a field of the sites: of their layer, or column of their "
                       "table");
  field->excludes(command.get_option("--initial-cost"));
}

bool is_on_earth(const CostArguments& arguments) {
  return arguments.options.word("metric") != "euclidean";
}

/// What follows from the arguments for the sites.
void prepare_sites(const CostArguments& arguments, Sites& sites) {
  if (!arguments.spacing.empty()) sites.forget_unit();
  if (is_on_earth(arguments)) sites.measure_on_earth();
}

/// Warns of a grid that goes around the Earth: paths end where its sides meet.
void warn_of_sides(const CostArguments& arguments, const CostInput& input, Warnings& warnings) {
  const bool in_degrees =
      is_on_earth(arguments) || (input.grid.georeference && input.grid.georeference->degrees);
  if (!in_degrees || !goes_around_earth(input.grid)) return;
  warnings.add({"open_sides", 1,
                input.grid_name +
                    ": goes around the Earth, but paths end at its sides and do not go on at the "
                    "other one; gdalwarp --config CENTER_LONG 180 cuts it elsewhere"});
}

/// Throws UsageError if lengths are no metres, and --spacing does not say what they are.
void require_metres(const CostArguments& arguments, const CostInput& input) {
  if (is_on_earth(arguments) || !arguments.spacing.empty() || !input.grid.georeference) return;
  const auto unit = io::length_unit_of(input.grid.georeference->crs);
  if (unit && unit->metres != 1)
    throw UsageError(input.grid_name + ": its coordinates are in " + unit->name +
                     "; walks are in metres: give --spacing in metres, or warp it with gdalwarp "
                     "-t_srs");
}

void set_walk(const CostArguments& arguments, const CostInput& input,
              CostDistanceOptions& options) {
  if (!input.is_walk()) return;
  require_metres(arguments, input);
  options.elevation = input.elevation.view();
  options.elevation_nodata = input.nodata_of_elevation();
  if (options.walk_map && !arguments.map.has_map())
    throw UsageError("--walk-map " + std::string(name_of(*options.walk_map)) +
                     ": there is no map besides the elevation");
}

CostDistanceOptions to_options(const CostArguments& arguments, const CostInput& input) {
  CostDistanceOptions options;
  arguments.options.apply(&options, input.sites.extents().rank());
  options.distance_type = *find_float_type(arguments.results.distance_type);
  if (is_on_earth(arguments))
    options.earth = choose_earth(input.grid, input.grid_name, options.metric, arguments.spacing);
  else
    options.spacing = choose_spacing(arguments.spacing, input.grid, input.grid_name);
  options.values = input.sites.values;
  // Which cells are free says the map.
  options.zero_is_site = input.sites.zero_is_site || input.sites.free_nodata;
  options.site_nodata = input.sites.nodata;
  options.map_nodata = input.nodata_of_map();
  set_walk(arguments, input, options);
  options.unreached = label_of_unreached(arguments.results.unreached, input.sites);
  return options;
}

InitialCost find_initial_cost(const CostArguments& arguments, const Sites& sites) {
  if (arguments.initial_cost_field.empty()) return load_initial_cost(arguments.initial_cost, sites);
  return initial_cost_of_field(arguments.initial_cost_field, sites);
}

CostDistanceReport compute(Context& context, const CostInput& input,
                           const View<const void>& initial_cost, const CostDistanceOptions& options,
                           const CostDistanceOutputs& out) {
  if (input.sites.are_points())
    return cost_distance(context, CostMap(input.map.view(), input.edge_weight),
                         input.sites.point_list(), options, out, initial_cost);
  return cost_distance(context, CostMap(input.map.view(), input.edge_weight),
                       input.sites.raster.view(), options, out, initial_cost);
}

void tell_extents(const CostArguments& arguments, const CostInput& input, Report& report) {
  const Extents& extents = input.sites.extents();
  for (int axis = 0; axis < extents.rank(); ++axis) report.append("extents", extents[axis]);
  tell_unit(input.sites, arguments.talk, report);
  report.set("method", arguments.options.word("method"));
  report.set("metric", arguments.options.word("metric"));
  if (input.is_walk()) report.set("unit", "s");
}

void tell_run(const Context& context, const nlohmann::ordered_json& files,
              const TalkArguments& talk, Report& report) {
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("files", files);
  report.print(talk);
}

void tell(const CostArguments& arguments, const CostInput& input, const CostDistanceReport& found,
          Report& report) {
  tell_extents(arguments, input, report);
  report.set("ignored_sites", found.ignored_sites);
  if (found.active_cells.empty()) return;
  report.set("iterations", found.active_cells.size());
  report.set("active_cells", found.active_cells);
}

FeatureInputs feature_inputs(const CostInput& input, const CostDistanceOptions& options,
                             const CostResults& results) {
  FeatureInputs inputs{.sites = input.sites,
                       .regions = results.regions(),
                       .distance = results.distance(),
                       .unreached = options.unreached,
                       .nodata = results.nodata_label(),
                       .spacing = options.spacing,
                       .why_in_steps = "regions of least cost have no straight edges"};
  if (options.earth)
    inputs.cell_areas = cell_areas(input.grid, *options.earth, options.metric);
  else if (inputs.spacing.empty())
    inputs.spacing = {1, 1};
  return inputs;
}

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const CostArguments& arguments, const CostInput& input) {
  const auto is_not = [](const std::string& what) { return BrokenRule{what, {}, "is not"}; };
  if (input.is_walk()) return is_not("--elevation");
  if (arguments.sites.band == "rgb") return is_not("--band rgb");
  if (arguments.map.have_layers()) return BrokenRule{"layers on the map", {}, "are not"};
  if (arguments.features.are_given()) return BrokenRule{"vector outputs", {}, "are not"};
  if (!arguments.mask.file.empty()) return is_not("--mask");
  const CostResultArguments& results = arguments.results;
  for (const std::string* path : {&results.picture, &results.map, &results.paths.file})
    if (!path->empty())
      return BrokenRule{*path, {}, "needs all of the raster; labels, costs and links do not"};
  return why_not_by_rows(results.files.paths(), results.format.format);
}

/// A run by rows: map, sites, initial costs and results as sources and sinks.
class CostRows {
 public:
  CostRows(const CostArguments& arguments, Context& context, CostInput& input)
      : arguments_(arguments), context_(context), input_(input) {
    prepare_sites(arguments, input.sites);
    const int threads = context.threads();
    const auto quantities = [threads](const std::string& path,
                                      const std::optional<LabelValue>& nodata) {
      return io::quantity_rows(io::open_rows(path, {.colours = false, .threads = threads}), nodata);
    };
    // A walk without a map only asks for the memory.
    const Raster& ground = input.map ? input.map : input.elevation;
    map_.emplace(ground.element_type(), extents(),
                 [this, quantities] { return quantities(input_.name, input_.map_nodata); });
    if (!input.sites.are_points()) cells_.emplace(site_rows(arguments.sites, input.sites, threads));
    if (const std::string& path = arguments.initial_cost; !path.empty()) {
      const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
      require_scaling(path, info.scaling);
      const ElementType type = info.scaling ? ElementType::f64 : info.element_type;
      require_initial_cost(path, info.grid, type, input.sites);
      initial_.emplace(type, extents(), [path, quantities, nodata = info.nodata] {
        return quantities(path, nodata);
      });
    } else if (!arguments.initial_cost_field.empty() && !input.sites.are_points()) {
      const auto open = [this] {
        return open_value_rows(arguments_.sites, input_.sites, of_features_);
      };
      initial_.emplace(ElementType::f64, extents(), open, true);
    }
    options_ = to_options(arguments, input);
    make_results();
  }

  const Extents& extents() const { return input_.sites.extents(); }

  StreamPlan plan() {
    const std::vector<std::string> paths = arguments_.results.files.paths();
    return choose_plan(context_, call(), arguments_.memory, why_at_once(arguments_, input_),
                       paths.empty() ? "" : paths.front());
  }

  void run(const StreamPlan& plan, Report& report, Progress& progress) {
    give_arrays_back();
    Warnings warnings(arguments_.talk);
    for (const CommandWarning& warning : input_.sites.warnings) warnings.add(warning);
    warn_of_sides(arguments_, input_, warnings);
    find_initial_costs();
    look_for_nodata();
    make_results();
    results_->files().warn(warnings);
    options_.nodata_label = results_->nodata_label().value_or(options_.unreached);
    results_->files().open_rows(plan.parts);
    const CostDistanceStream streamed = call();
    StreamTalk talk(context_, results_->files(), progress, report, extents());
    const StreamReport done = stream(context_, streamed, plan, talk.events());
    report.set("ignored_sites", done.ignored_sites);
    warnings.add(context_, input_.sites);
    results_->files().commit();
    talk.finish(plan, done);
    auto visits = nlohmann::ordered_json::object();
    for (const CostStage stage : {CostStage::costs, CostStage::sites, CostStage::hops})
      if (const std::int64_t count = done.visits[static_cast<std::size_t>(stage)]; count > 0)
        visits[std::string(name_of(stage))] = count;
    report.set("visits", visits);
    tell_extents(arguments_, input_, report);
    report.set("slabs", plan.slabs);
    warnings.tell(report);
    tell_run(context_, results_->files().names(), arguments_.talk, report);
  }

 private:
  void make_results() {
    results_.emplace(arguments_.results, input_, context_.threads(), arguments_.features.needs());
  }

  /// The initial costs of points are a list; those of lines and areas are burned by rows.
  void find_initial_costs() {
    const Sites& sites = input_.sites;
    const std::string& field = arguments_.initial_cost_field;
    if (!field.empty() && !sites.are_points())
      of_features_ = initial_costs_of_features(field, sites);
    else if (!field.empty())
      of_points_ = initial_cost_of_field(field, sites).of_points;
    else if (initial_ && sites.are_points())
      of_points_ = initial_costs_of_points(*initial_, sites);
  }

  /// Whether the nodata value of the map is a label, too.
  void look_for_nodata() {
    const std::optional<LabelValue>& nodata = input_.map_nodata;
    if (!cells_ || !nodata || !can_hold(cells_->element_type(), *nodata)) return;
    for_each_rows(*cells_, [&](const SlabRows&, const View<const void>& cells) {
      input_.nodata_is_label = input_.nodata_is_label || any_holds(cells, *nodata);
    });
  }

  CostDistanceStream call() {
    CostDistanceStream streamed{.map = &*map_,
                                .edge_weight = input_.edge_weight,
                                .sites = cells_ ? &*cells_ : nullptr,
                                .options = options_,
                                .outputs = results_->sinks()};
    if (!input_.sites.are_points()) {
      streamed.initial_cost = initial_ ? &*initial_ : nullptr;
      return streamed;
    }
    streamed.points = input_.sites.point_list();
    if (!of_points_.empty())
      streamed.initial_cost_of_points =
          View<const double>(of_points_.data(), {std::ssize(of_points_)});
    return streamed;
  }

  const CostArguments& arguments_;
  Context& context_;
  CostInput& input_;
  CostDistanceOptions options_;
  std::optional<FileRows> map_, cells_, initial_;
  std::vector<double> of_features_, of_points_;  ///< initial costs
  std::optional<CostResults> results_;
};

/// Does it by rows, or tells the plan; false if it is to be done at once.
bool try_by_rows(const CostArguments& arguments, Context& context, Report& report,
                 Progress& progress) {
  const auto info =
      inspect_large(ground_file(arguments.map), "a map that is a raster file", arguments.memory);
  if (!info) return false;
  CostInput input = describe_cost_input(arguments.map, arguments.sites, *info, context, progress);
  CostRows rows(arguments, context, input);
  const StreamPlan plan = rows.plan();
  if (arguments.memory.dry_run)
    tell_plan("cost", rows.extents(), plan, arguments.talk);
  else if (!plan.is_at_once)
    rows.run(plan, report, progress);
  return arguments.memory.dry_run || !plan.is_at_once;
}

void run(const CostArguments& arguments) {
  set_access(arguments.access);
  Context context = open_context(arguments.device, arguments.talk.timing || arguments.talk.json);
  const Interruptible interruptible(context);
  Report report("cost");
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  progress.stage("open", 0.01);
  if (try_by_rows(arguments, context, report, progress)) return;
  CostInput input = load_cost_input(arguments.map, arguments.sites, context, progress);
  input.sites.domain = {};  // the map has that of costs
  apply_mask(arguments.mask, {.threads = context.threads()}, input.sites);
  prepare_sites(arguments, input.sites);
  report.step("read sites and map");
  throw_if_interrupted();
  Warnings warnings(arguments.talk);
  warnings.add(input.sites);
  warn_of_sides(arguments, input, warnings);

  CostDistanceOptions options = to_options(arguments, input);
  const InitialCost initial = find_initial_cost(arguments, input.sites);
  CostResults results(arguments.results, input, context.threads(), arguments.features.needs());
  results.files().warn(warnings);
  std::optional<FeatureFiles> features;
  if (arguments.features.are_given())
    features.emplace(arguments.features, input.sites, results.files(), arguments.results.overwrite);
  std::optional<CostPaths> paths;
  if (arguments.results.paths.are_given())
    paths.emplace(arguments.results.paths, input, results.files(), arguments.results.overwrite);
  if (paths)
    for (const CommandWarning& warning : paths->warnings()) warnings.add(warning);
  options.nodata_label = results.nodata_label().value_or(options.unreached);
  results.files().reserve(input.sites.extents().count(),
                          scratch_per_cell(options, input.sites.extents().rank()),
                          input.sites.grid_cause);
  report.step("prepare outputs");
  progress.stage("compute", 0.7, input.sites.extents().count());
  const CostDistanceReport found =
      compute(context, input, initial.view(), options, results.views());
  report.computed(context, input.sites.extents());
  warnings.add(context, input.sites);
  if (paths) {
    paths->write(input, results.path_rasters(), options);
    if (const auto lost = paths->lost()) warnings.add(*lost);
  }
  if (input.sites.domain) results.mark_outside(input.sites.domain);
  results.finish(context, input, options);
  if (features) {
    features->write(context, feature_inputs(input, options, results), report);
    report.step("make vector outputs");
  }
  results.files().write(progress);
  report.step("write files");
  tell(arguments, input, found, report);
  warnings.tell(report);
  results.tell_nodata(arguments.talk, report);
  nlohmann::ordered_json files = results.files().names();
  if (paths) files.push_back(paths->name());
  if (features) features->tell(files);
  tell_run(context, files, arguments.talk, report);
}

}  // namespace

void add_cost(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("cost", "Nearest site of every cell by least cost");
  command->footer(
      "Example: thiessen cost --map noise:3 --random 200 --size 500x200 --labels cells.npy "
      "--distance cost.npy --picture cost.png\n"
      "Example: thiessen cost --elevation dem.npy --spacing 25,25 --sites sites.csv --walk "
      "langmuir --distance seconds.npy\n"
      "Example: thiessen cost --map maze:1 --random 9 --size 120x80 --method relaxation "
      "--back-link links.npy --json");
  const auto arguments = std::make_shared<CostArguments>();
  add_map_flags(*command, arguments->map);
  add_site_flags(*command, arguments->sites);
  add_choice_flags(*command, *arguments);
  add_mask_flags(*command, arguments->mask);
  add_cost_result_flags(*command, arguments->results);
  add_feature_flags(*command, arguments->features);
  add_access_flags(*command, arguments->access);
  add_memory_flags(*command, arguments->memory);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] {
    action = [arguments] {
      arguments->sites.attributes =
          arguments->features.needs().regions || !arguments->initial_cost_field.empty();
      arguments->results.paths.transform = arguments->sites.layer.transform;
      arguments->mask.transform = arguments->sites.layer.transform;
      run(*arguments);
    };
  });
}

}  // namespace thiessen::cli
