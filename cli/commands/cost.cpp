// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "inputs/cost_input.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/site_labels.hpp"
#include "io/raster/crs.hpp"
#include "results/cost_paths.hpp"
#include "results/cost_results.hpp"
#include "results/warnings.hpp"
#include "slabs/cost_slab_run.hpp"
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

/// What the library takes for itself while it works (docs/time-and-memory.md).
std::size_t scratch_per_cell(const CostDistanceOptions& options, int rank) {
  const std::size_t wide = options.distance_type == FloatType::f64 ? 2 : 1;
  const bool is_walk = static_cast<bool>(options.elevation);
  const std::size_t ground = is_walk ? 8 * wide : 0;
  const bool heap = options.method == CostMethod::exact &&
                    (rank == 3 || options.connectivity == Connectivity::knights);
  if (heap || options.method == CostMethod::dijkstra) return 28 + 8 * wide + ground;
  return (options.method == CostMethod::relaxation ? 14 : 10) + 4 * wide + ground;
}

/// Why a run is not done in slabs; empty if it is.
std::string why_not_in_slabs(const CostArguments& arguments, const CostInput& input,
                             const Context& context) {
  const std::string method = arguments.options.word("method");
  if (method != "exact") return "--method " + method + " is not";
  if (!arguments.map.elevation.empty()) return "--elevation is not";
  if (is_on_earth(arguments)) return "--metric " + arguments.options.word("metric") + " is not";
  if (arguments.sites.band == "rgb") return "--band rgb is not";
  if (input.has_initial_cost && input.sites.are_points()) return "--initial-cost of points is not";
  if (arguments.map.have_layers()) return "layers on the map are not";
  if (context.device() != "cpu") return "--device " + std::string(context.device()) + " is not";
  if (arguments.features.are_given()) return "vector outputs are not";
  if (!arguments.mask.file.empty()) return "--mask is not";
  const CostResultArguments& results = arguments.results;
  for (const std::string* path : {&results.picture, &results.map, &results.paths.file})
    if (!path->empty()) return *path + " needs all of the raster; labels, costs and links do not";
  if (results.files.has_any(Subject::other_label)) return "outputs of another label are not";
  return why_not_by_rows(results.files.paths(), results.format.format);
}

void run_in_slabs(const CostArguments& arguments, Context& context, const SlabPlan& plan,
                  CostInput& input, Report& report, Progress& progress) {
  Warnings warnings(arguments.talk);
  for (const CommandWarning& warning : input.sites.warnings) warnings.add(warning);
  warn_of_sides(arguments, input, warnings);
  prepare_sites(arguments, input.sites);
  CostSlabRun run{.context = context,
                  .plan = plan,
                  .input = input,
                  .sites = arguments.sites,
                  .initial_cost_file = arguments.initial_cost,
                  .initial_cost_field = arguments.initial_cost_field,
                  .results = arguments.results,
                  .options = to_options(arguments, input),
                  .progress = progress,
                  .report = report,
                  .warnings = warnings};
  const nlohmann::ordered_json files = solve_cost_by_slabs(run);
  tell_extents(arguments, input, report);
  report.set("slabs", plan.slabs);
  warnings.tell(report);
  tell_run(context, files, arguments.talk, report);
}

/// Does it in slabs, or tells the plan; false if it is to be done at once.
bool try_in_slabs(const CostArguments& arguments, Context& context, Report& report,
                  Progress& progress) {
  const auto info =
      inspect_large(ground_file(arguments.map), "a map that is a raster file", arguments.memory);
  if (!info) return false;
  CostInput input = describe_cost_input(arguments.map, arguments.sites, *info, context, progress);
  input.has_initial_cost = !arguments.initial_cost.empty() || !arguments.initial_cost_field.empty();
  const CostDistanceOptions options = to_options(arguments, input);
  const Extents& extents = input.sites.extents();
  CostResults results(arguments.results, input, context.threads(), arguments.features.needs());
  const std::size_t result_bytes = results.files().bytes_per_cell(extents.count());
  const std::size_t input_bytes =
      size_of(input.map.element_type()) +
      (input.is_walk() ? size_of(input.elevation.element_type()) : 0) +
      (input.sites.are_points() ? 0 : size_of(input.sites.raster.element_type())) +
      (input.sites.image ? size_of(input.sites.image->type) : 0) +
      (input.has_initial_cost ? sizeof(double) : 0);
  const SlabNeeds needs =
      cost_slab_needs(input, options, arguments.results, result_bytes,
                      input_bytes + result_bytes + scratch_per_cell(options, extents.rank()));
  const auto folder = open_folder(arguments.memory);
  const std::string reason = why_not_in_slabs(arguments, input, context);
  const auto plan = choose_slabs(arguments.memory, extents, needs, reason, folder.get());
  if (arguments.memory.dry_run)
    tell_plan({"cost", extents, needs, reason}, arguments.memory, plan, arguments.talk);
  else if (plan)
    run_in_slabs(arguments, context, *plan, input, report, progress);
  return arguments.memory.dry_run || plan;
}

void run(const CostArguments& arguments) {
  set_access(arguments.access);
  Context context = open_context(arguments.device, arguments.talk.timing || arguments.talk.json);
  const Interruptible interruptible(context);
  Report report("cost");
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  progress.stage("open", 0.01);
  if (try_in_slabs(arguments, context, report, progress)) return;
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
  add_resume_flag(*command, arguments->memory);
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
