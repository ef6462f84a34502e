// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "commands/planned_run.hpp"
#include "inputs/cost_input.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/site_labels.hpp"
#include "inputs/sites/site_rows.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/quantity.hpp"
#include "results/cost_paths.hpp"
#include "results/cost_results.hpp"
#include "slabs/file_rows.hpp"
#include "thiessen/choices/float_type.hpp"
#include "vectors/site_features.hpp"
#include "ways/way_files.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"
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
  WayArguments ways;
  AccessArguments access;
  MemoryArguments memory;
  TalkArguments talk;
};

void add_choice_flags(CLI::App& command, CostArguments& arguments) {
  arguments.options.add_to(command);
  add_device_flags(command, arguments.device);
  const FlagGroup distance(command, "Distance");
  distance.word(
      "--spacing", arguments.spacing, "LIST",
      "World length of one cell as x,y or x,y,z (default: from the georeference; without one 1)");
  distance.word("--unreached", arguments.results.unreached, "V",
                "Label of an unreached cell (default: 0; with --free-nodata the nodata value)");
  auto* raster = distance
                     .word("--initial-cost", arguments.initial_cost, "FILE",
                           "Raster of what paths start with, read in the cells of the sites")
                     ->transform(input_name);
  distance
      .word("--initial-cost-field", arguments.initial_cost_field, "NAME",
            "The same from a field of the sites: of their layer, or column of their table")
      ->excludes(raster);
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

/// The unit of costs, as far as it is known.
std::string unit_of(const CostInput& input, const CostDistanceOptions& options,
                    const MapArguments& map) {
  if (!input.is_walk()) return time_unit(map);
  const Walk walk = options.walk.value_or(Walk::tobler);
  if (walk == Walk::table || (walk == Walk::surface && map.has_map())) return "";
  return walk == Walk::surface ? "m" : "s";
}

void set_walk(const CostArguments& arguments, const CostInput& input,
              CostDistanceOptions& options) {
  if (!input.is_walk()) return;
  require_metres(arguments, input);
  options.elevation = input.elevation.view();
  options.elevation_nodata = input.nodata_of_elevation();
  if (!arguments.map.speed_unit.empty())
    throw UsageError("--speed-unit " + arguments.map.speed_unit +
                     ": --elevation is given; a walk has its own speed");
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
  if (input.has_walls()) options.blocked_faces = input.blocked_faces.view<std::uint8_t>();
  set_walk(arguments, input, options);
  options.unreached = label_of_unreached(arguments.results.unreached, input.sites);
  return options;
}

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const CostArguments& arguments, const CostInput& input) {
  const auto is_not = [](const std::string& what) { return BrokenRule{what, {}, "is not"}; };
  if (input.is_walk()) return is_not("--elevation");
  if (input.has_walls()) return is_not("--walls");
  if (is_stream(ground_file(arguments.map)) || is_stream(arguments.sites.file))
    return is_not("a pipe");
  if (!arguments.map.material.empty()) return is_not("--map");
  if (arguments.sites.band == "rgb") return is_not("--band rgb");
  if (arguments.map.have_layers()) return BrokenRule{"layers on the map", {}, "are not"};
  if (arguments.features.are_given()) return BrokenRule{"vector outputs", {}, "are not"};
  if (arguments.options.word("method") == name_of(CostMethod::eikonal))
    return is_not("--method eikonal");
  if (arguments.options.is_given("snap_distance")) return is_not("--snap-distance");
  if (arguments.ways.are_given()) return BrokenRule{"ways between places", {}, "are not"};
  const CostResultArguments& results = arguments.results;
  if (results.files.has("direction")) return is_not("--direction");
  for (const std::string* path : {&results.picture, &results.map, &results.paths.file})
    if (!path->empty())
      return BrokenRule{*path, {}, "needs all of the raster; labels, costs and links do not"};
  return why_not_by_rows(results.files.paths(), results.format.format);
}

/// Whether any output is wanted.
bool has_views(const CostDistanceOutputs& views) {
  return std::any_of(std::begin(kCostDistanceOutputs), std::end(kCostDistanceOutputs),
                     [&](const Output& output) { return static_cast<bool>(output.get(&views)); });
}

class CostRun : public PlannedRun {
 public:
  CostRun(const CostArguments& arguments, Context& context, Report& report, Progress& progress)
      : PlannedRun(arguments.talk, arguments.mask, context, report, progress),
        arguments_(arguments),
        source_(arguments.sites),
        input_(describe_cost_input(arguments.map, source_, context, progress)) {
    open_sources(source_, input_.sites);
    prepare_sites(arguments, input_.sites);
    open_maps();
    options_ = to_options(arguments, input_);
    input_.unit = unit_of(input_, options_, arguments.map);
    input_.has_fronts =
        options_.method == CostMethod::eikonal && input_.sites.extents().rank() == 2;
    make_results();
  }

  StreamPlan plan() {
    const std::string ground = ground_file(arguments_.map);
    const bool is_file = !ground.empty() && !is_stream(ground);
    require_rows(arguments_.memory, is_file, "a map that is a raster file");
    const std::vector<std::string> paths = arguments_.results.files.paths();
    return choose_plan(context_, call(), arguments_.memory, why_at_once(arguments_, input_),
                       paths.empty() ? "" : paths.front());
  }

  void run(const StreamPlan& plan) {
    is_at_once_ = plan.is_at_once;
    if (is_at_once_)
      hold(plan);
    else
      give_arrays_back();
    find_domain(nullptr, is_at_once_);
    throw_if_interrupted();
    warnings_.add(input_.sites);
    warn_of_sides(arguments_, input_, warnings_);
    options_ =
        to_options(arguments_, input_);  // with the cells of the elevation, and burned layers
    find_initial_costs();
    look_for_nodata();
    make_results();
    results_->files().warn(warnings_);
    options_.nodata_label = results_->nodata_label().value_or(options_.unreached);
    is_at_once_ ? run_at_once() : run_by_rows(plan);
  }

 private:
  Sites& sites() { return input_.sites; }

  void open_maps() {
    // A walk without a map only asks for the memory.
    const Raster& ground = input_.map ? input_.map : input_.elevation;
    map_.emplace(ground.element_type(), extents(),
                 [this] { return open_quantities(input_.name, input_.map_nodata); });
    if (!arguments_.initial_cost.empty())
      open_initial_costs(arguments_.initial_cost);
    else if (!arguments_.initial_cost_field.empty() && !sites().are_points())
      initial_.emplace(
          ElementType::f64, extents(),
          [this]() -> ReadRows {
            return [this, grid = georeferenced(sites().grid)](
                       std::int64_t first, std::int64_t count, std::byte* cells) {
              sites().layer->burn_values(grid, of_features_, first, count, cells);
            };
          },
          true);
  }

  /// A raster that is not read by rows does for a run with all rows in memory.
  ReadRows open_quantities(const std::string& path, const std::optional<LabelValue>& nodata) const {
    const io::ReadOptions reading{.colours = false, .threads = context_.threads()};
    return reading_by(io::quantity_rows(
        is_at_once_ ? io::open_rows_or_all(path, reading) : io::open_rows(path, reading), nodata));
  }

  void open_initial_costs(const std::string& path) {
    const io::ReadOptions reading{.colours = false, .threads = context_.threads()};
    auto reader = as_usage_error([&] { return io::open_rows_or_all(path, reading); });
    const io::RasterHead head = reader->head();
    require_scaling(path, head.scaling);
    const ElementType type = head.scaling ? ElementType::f64 : head.type;
    require_initial_cost(path, head.grid, type, sites());
    FileRows::Open open = [this, path, nodata = head.nodata] {
      return open_quantities(path, nodata);
    };
    if (is_stream(path))
      open = [rows = reading_by(io::quantity_rows(std::move(reader), head.nodata))] {
        return rows;
      };
    initial_.emplace(type, extents(), std::move(open));
  }

  void make_results() {
    results_.emplace(arguments_.results, options_, input_, cells_, context_.threads(),
                     arguments_.features.needs());
  }

  /// Reads or makes the cells of map and sites.
  void hold(const StreamPlan& plan) {
    hold_sites(source_);
    hold_map(arguments_.map, source_.layer.transform, context_, progress_, input_);
    require_rest(plan, sites().raster.size_bytes() + input_.map.size_bytes());
    report_.step("read sites and map");
  }

  /// The initial costs of points are a list; those of lines and areas are burned by rows.
  void find_initial_costs() {
    const std::string& field = arguments_.initial_cost_field;
    if (!field.empty())
      (sites().are_points() ? of_points_ : of_features_) =
          initial_costs_of_field(field, source_, sites());
    else if (initial_ && sites().are_points())
      of_points_ = initial_costs_of_points(*initial_, sites());
  }

  /// Whether the nodata value of the map is a label, too.
  void look_for_nodata() {
    const std::optional<LabelValue>& nodata = input_.nodata();
    if (!nodata || !io::can_hold(sites().label_type(), *nodata)) return;
    input_.nodata_is_label = has_label(sites(), cells_, *nodata);
  }

  View<const double> initial_of_points() const {
    if (of_points_.empty()) return {};
    return {of_points_.data(), {std::ssize(of_points_)}};
  }

  CostDistanceStream call() {
    CostDistanceStream streamed{.map = &*map_,
                                .edge_weight = input_.edge_weight,
                                .sites = cells_,
                                .options = options_,
                                .outputs = results_->sinks()};
    if (sites().are_points()) {
      streamed.points = sites().point_list();
      streamed.initial_cost_of_points = initial_of_points();
    } else {
      streamed.initial_cost = initial_ ? &*initial_ : nullptr;
    }
    return streamed;
  }

  void run_by_rows(const StreamPlan& plan) {
    CostDistanceStream streamed = call();
    Raster inside;
    if (domain_ != nullptr)
      streamed.on_rows = [&](const SlabRows& rows, const CostDistanceOutputs& out) {
        domain_->read(rows, room_for(inside, ElementType::u8, slab_extents(extents(), rows.count)));
        results_->mark_outside(std::as_const(inside).view(), out);
      };
    stream_to(results_->files(), streamed, plan, [&](const StreamReport& done) {
      report_.set("ignored_sites", done.ignored_sites);
      warnings_.add(context_, sites());
      auto visits = nlohmann::ordered_json::object();
      for (const CostStage stage : {CostStage::costs, CostStage::sites, CostStage::hops})
        if (const std::int64_t count = done.visits[static_cast<std::size_t>(stage)]; count > 0)
          visits[std::string(name_of(stage))] = count;
      report_.set("visits", visits);
    });
    finish();
  }

  CostDistanceReport compute() {
    const CostMap map(input_.map.view(), input_.edge_weight);
    if (sites().are_points())
      return cost_distance(context_, map, sites().point_list(), options_, results_->views(),
                           initial_of_points());
    const Raster initial = initial_ ? held(*initial_, sites().grid) : Raster();
    return cost_distance(context_, map, sites().raster.view(), options_, results_->views(),
                         initial.view());
  }

  void run_at_once() {
    CostResults& results = *results_;
    std::optional<FeatureFiles> features;
    if (arguments_.features.are_given())
      features.emplace(arguments_.features, sites(), results.files());
    std::optional<WayFiles> ways;
    if (arguments_.ways.are_given())
      ways.emplace(arguments_.ways, arguments_.results, input_, source_, results, context_,
                   progress_);
    std::optional<CostPaths> paths;
    if (arguments_.results.paths.lead_to_sites()) {
      paths.emplace(arguments_.results.paths, input_, results.files());
      for (const CommandWarning& warning : paths->warnings()) warnings_.add(warning);
    }
    begin_computing(results.files(), 0, 0.7);
    CostDistanceReport found;
    if (!ways || has_views(results.views())) {
      found = compute();
      report_.computed(context_, extents());
      warnings_.add(context_, sites());
    }
    if (ways) {
      ways->write(context_, options_, report_);
      for (const CommandWarning& warning : ways->warnings()) warnings_.add(warning);
      report_.step("find ways between places");
    }
    if (paths) {
      paths->write(input_, results.path_rasters(), options_);
      if (const auto lost = paths->lost()) warnings_.add(*lost);
    }
    if (sites().domain) results.mark_outside(std::as_const(sites().domain).view(), results.views());
    results.turn_directions(results.views().direction);
    results.finish(context_, input_, options_);
    if (features) {
      features->write(context_,
                      feature_inputs(sites(), input_.grid, results, options_,
                                     "regions of least cost have no straight edges"),
                      report_);
      report_.step("make vector outputs");
    }
    results.files().write(progress_);
    report_.step("write files");
    report_.set("ignored_sites", found.ignored_sites);
    if (found.moved_sites > 0) report_.set("moved_sites", found.moved_sites);
    if (!found.active_cells.empty()) {
      report_.set("iterations", found.active_cells.size());
      report_.set("active_cells", found.active_cells);
    }
    finish();
  }

  void finish() {
    results_->tell_nodata(arguments_.talk, report_);
    if (!input_.unit.empty()) report_.set("unit", sites().unit = input_.unit);
    tell(results_->files(), arguments_.options.word("method"), arguments_.options.word("metric"));
  }

  const CostArguments& arguments_;
  SiteArguments source_;
  CostInput input_;
  CostDistanceOptions options_;
  std::optional<FileRows> map_, initial_;
  std::vector<double> of_features_, of_points_;  ///< initial costs
  std::optional<CostResults> results_;
  bool is_at_once_ = false;
};

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
  add_way_flags(*command, arguments->ways);
  add_access_flags(*command, arguments->access);
  add_memory_flags(*command, arguments->memory);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] {
    action = [arguments] {
      arguments->sites.attributes =
          arguments->features.needs().regions || !arguments->initial_cost_field.empty();
      check_ways(arguments->ways, arguments->results.paths);
      if (arguments->ways.are_given() &&
          !(arguments->initial_cost + arguments->initial_cost_field).empty())
        throw UsageError(
            "--initial-cost: is for costs from the nearest site, not for ways between places");
      arguments->results.has_ways = arguments->ways.are_given();
      arguments->results.paths.transform = arguments->sites.layer.transform;
      arguments->mask.transform = arguments->sites.layer.transform;
      run_planned<CostRun>("cost", *arguments);
    };
  });
}

}  // namespace thiessen::cli
