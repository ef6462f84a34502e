// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "arguments.hpp"
#include "cell_areas.hpp"
#include "commands/commands.hpp"
#include "device_choice.hpp"
#include "domain_input.hpp"
#include "file_access.hpp"
#include "flooding.hpp"
#include "interrupt.hpp"
#include "mask_input.hpp"
#include "memory.hpp"
#include "nearest_site_results.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "raster_input.hpp"
#include "report.hpp"
#include "reporting.hpp"
#include "site_features.hpp"
#include "site_input.hpp"
#include "site_labels.hpp"
#include "site_rows.hpp"
#include "slab_run.hpp"
#include "thiessen/thiessen.hpp"
#include "warnings.hpp"

namespace thiessen::cli {
namespace {

/// The words of the command line, not parsed yet.
struct RasterArguments {
  std::string scan_sites, growth_step, allotment;
  bool labels_carried = false;
};

struct VoronoiArguments {
  SiteArguments sites;
  std::string method = "exact", metric = "euclidean";
  std::string spacing, periodic, max_distance = "inf", distance_to = "site";
  bool signed_distance = false, coverage = false, distinct_labels = false;
  DeviceArguments device;
  ResultArguments results;
  FeatureArguments features;
  MaskArguments mask;
  FloodingArguments flooding;
  RasterArguments raster;
  AccessArguments access;
  MemoryArguments memory;
  TalkArguments talk;
};

void add_raster_flags(CLI::App& command, RasterArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->type_name(type)
        ->check(check_word)
        ->group("Raster methods");
  };
  option("--scan-sites", arguments.scan_sites, "N",
         "raster-gpu: compare cells with all sites up to so many; with more, look around each cell "
         "(default: what was measured for the device)");
  option("--growth-step", arguments.growth_step, "N",
         "circle-growing: cells by which the radius grows from round to round (default: 1)");
  option("--allotment", arguments.allotment, "NAME",
         "brute-force on cuda and opencl: whether a thread takes one cell of each K (cyclic), as "
         "there are K threads, or cells in one piece (contiguous) (default: cyclic)")
      ->check(CLI::IsMember(choice_names(kAllotmentNames)));
  command
      .add_flag("--labels-carried", arguments.labels_carried,
                "dilation, expansion: as Tu and Wang have them, without settling labels; not exact")
      ->group("Raster methods");
}

RasterOptions to_raster_options(const RasterArguments& arguments) {
  constexpr std::int64_t kMostSites = std::int64_t{1} << 60;
  constexpr std::int64_t kMostStep = std::int64_t{1} << 30;
  RasterOptions options;
  if (!arguments.scan_sites.empty())
    options.scan_sites = parse_integer("--scan-sites", arguments.scan_sites, 0, kMostSites);
  if (!arguments.growth_step.empty())
    options.growth_step = parse_integer("--growth-step", arguments.growth_step, 1, kMostStep);
  options.allotment = find_allotment(arguments.allotment);  // --allotment takes no other name
  options.labels_carried = arguments.labels_carried;
  return options;
}

void add_choice_flags(CLI::App& command, VoronoiArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->capture_default_str()
        ->type_name(type)
        ->check(check_word)
        ->group("Choice");
  };
  option("--method,--algorithm", arguments.method, "NAME",
         "exact; with the same results brute-force, raster-gpu, chamfer (octagonal distance: "
         "approximate), circle-growing, dilation, expansion; or of jump flooding jfa, 1+jfa, "
         "jfa+1, jfa+2, jfa2, jfa-noise, jfa-plus, "
         "jfa-star; on CUDA jfa-thrust")
      ->check(CLI::IsMember(choice_names(kMethodNames)));
  option("--metric", arguments.metric, "NAME",
         "euclidean, manhattan, chessboard, octagonal, chamfer-3-4 or chamfer-5-7-11; for grids in "
         "degrees ellipsoidal or great-circle, in metres on the Earth")
      ->check(CLI::IsMember(choice_names(kMetricNames)));
  add_device_flags(command, arguments.device);
  option("--spacing", arguments.spacing, "LIST",
         "World length of one cell as x,y or x,y,z (default: that of the georeference; without one "
         "1, so that distances are in cells)");
  option("--periodic", arguments.periodic, "AXES",
         "Axes along which the raster goes on with its other end: x or x,y or x,y,z");
  option("--max-distance", arguments.max_distance, "LENGTH",
         "Cells farther from every site are unreached; inclusive, in units of the spacing");
  option("--unreached", arguments.results.unreached, "V",
         "Label of an unreached cell (default: 0; with --free-nodata the nodata value)");
  option("--distance-to", arguments.distance_to, "WHAT",
         "site, or boundary: the nearest cell of another value")
      ->check(CLI::IsMember(choice_names(kDistanceToNames)));
  auto* is_signed =
      command
          .add_flag("--signed", arguments.signed_distance,
                    "Inside of sites, minus the distance to the nearest cell that is none")
          ->group("Choice");
  command
      .add_flag("--coverage", arguments.coverage,
                "Cells of --sites tell how much of each a shape covers, 0 to 255, 0 to 65535 or as "
                "floats 0 to 1: the --distance to its edge, which lies within cells; approximate")
      ->group("Choice")
      ->needs(is_signed);
  auto* k = option("--k", arguments.results.k, "N",
                   "The N nearest sites, up to 1024: labels and distances get so many bands, or "
                   "one more axis in front");
  command
      .add_flag("--distinct-labels", arguments.distinct_labels,
                "The N nearest labels of --k, each by its nearest site, not the N nearest sites")
      ->group("Choice")
      ->needs(k);
  command
      .add_flag("--ties-unreached", arguments.results.ties_unreached,
                "Cells at equal distance from several labels get the label of --unreached")
      ->group("Choice");
}

/// Throws UsageError for the first flag that --coverage does not take.
void refuse_with_coverage(const VoronoiArguments& arguments) {
  const ResultArguments& results = arguments.results;
  const SiteArguments& sites = arguments.sites;
  const std::pair<const char*, bool> flags[] = {
      {"--method", arguments.method != "exact"},
      {"--metric", arguments.metric != "euclidean"},
      {"--distance-to", arguments.distance_to != "site"},
      {"--periodic", !arguments.periodic.empty()},
      {"--unreached", !results.unreached.empty()},
      {"--ties-unreached", arguments.results.ties_unreached},
      {"--k", !results.k.empty()},
      {"--random", !sites.random.empty()},
      {"--components", !sites.components.empty()},
      {"--values", !sites.values.empty()},
      {"--nodata", !sites.nodata.empty()},
      {"--zero-is-site", sites.zero_is_site},
      {"--free-nodata", sites.free_nodata},
      {"--mask", !arguments.mask.file.empty()},
      {"--labels", !results.labels.empty()},
      {"--squared", !results.squared.empty()},
      {"--site-index", !results.site_index.empty()},
      {"--offset", !results.offset.empty()},
      {"--direction", !results.direction.empty()},
      {"--picture", !results.picture.empty()},
      {"--other-labels", !results.other_labels.empty()},
      {"--other-distance", !results.other_distance.empty()},
      {"--other-site-index", !results.other_site_index.empty()},
      {"--ties", !results.ties.empty()},
      {"--output-nodata", !results.output_nodata.empty()},
      {"--verify", arguments.flooding.verify},
      {"vector outputs of regions", arguments.features.needs().regions},
  };
  for (const auto& [flag, is_given] : flags)
    if (is_given)
      throw UsageError(std::string("--coverage and ") + flag +
                       " are given; with coverage there is the distance alone");
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
  if (is_on_earth(*find_metric(arguments.metric))) sites.measure_on_earth();
}

NearestSiteOptions to_options(const VoronoiArguments& arguments, const Sites& sites) {
  NearestSiteOptions options;
  // The flags take no other names.
  options.method = *find_method(arguments.method);
  options.metric = *find_metric(arguments.metric);
  options.distance_to = *find_distance_to(arguments.distance_to);
  options.raster = to_raster_options(arguments.raster);
  if (is_on_earth(options.metric)) {
    options.earth = choose_earth(sites.grid, sites.name, options.metric, arguments.spacing);
  } else {
    options.spacing = choose_spacing(arguments.spacing, sites.grid, sites.name);
  }
  if (!arguments.periodic.empty())
    options.periodic = parse_axes("--periodic", arguments.periodic, sites.extents().rank());
  options.max_distance = parse_distance("--max-distance", arguments.max_distance);
  options.unreached = label_of_unreached(arguments.results.unreached, sites);
  options.signed_distance = arguments.signed_distance;
  options.k = parse_k(arguments.results);
  options.distinct_labels = arguments.distinct_labels;
  options.ties_unreached = arguments.results.ties_unreached;
  return options;
}

void tell(const VoronoiArguments& arguments, const Context& context,
          const nlohmann::ordered_json& files, const Sites& sites,
          const std::optional<Verification>& verification, Report& report) {
  const Extents& extents = sites.extents();
  for (int axis = 0; axis < extents.rank(); ++axis) report.append("extents", extents[axis]);
  tell_unit(sites, arguments.talk, report);
  report.set("method", arguments.method);
  report.set("metric", arguments.metric);
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("files", files);
  if (verification) report.set("verify", to_json(*verification));
  report.print(arguments.talk);
}

/// What the library takes for itself while it works (docs/time-and-memory.md).
std::size_t scratch_per_cell(const NearestSiteOptions& options, const Sites& sites) {
  constexpr std::size_t kOfPoint = 80;
  const auto cells = static_cast<std::size_t>(std::max<std::int64_t>(sites.extents().count(), 1));
  if (sites.are_points()) return kOfPoint * sites.points.size() / cells;
  const bool flat = sites.extents().rank() == 2;
  std::size_t bytes = options.metric != Metric::chessboard ? 4 : flat ? 12 : 20;
  if (options.method == Method::brute_force || options.method == Method::raster_gpu) bytes = 32;
  if (options.method == Method::chamfer) bytes = 8;
  if (options.method == Method::circle_growing) bytes = 16;
  if (options.method == Method::dilation) bytes = 20;
  if (options.method == Method::expansion) bytes = 1;
  if (is_flooding(options.method)) bytes = 16;
  if (options.distance_to == DistanceTo::boundary) bytes += 4;
  if (sites.raster.element_type() == ElementType::boolean) bytes += size_of(sites.label_type());
  return bytes;
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

/// Why a run is not done in slabs; empty if it is.
std::string why_not_in_slabs(const VoronoiArguments& arguments, const Context& context,
                             const Sites& sites) {
  if (arguments.coverage) return "--coverage is not";
  if (arguments.method != "exact") return "--method " + arguments.method + " is not";
  if (arguments.metric != "euclidean" && arguments.metric != "manhattan" &&
      !(sites.are_points() && arguments.metric == "chessboard"))
    return "--metric " + arguments.metric + " is not; euclidean and manhattan are";
  if (sites.image && ranks().are_many()) return "--components is not";
  if (arguments.sites.band == "rgb") return "--band rgb is not";
  if (!arguments.results.picture.empty()) return "--picture is not";
  if (arguments.features.are_given()) return "vector outputs are not";
  if (!arguments.mask.file.empty()) return "--mask is not";
  if (arguments.flooding.verify) return "--verify is not";
  if (context.device() != "cpu") return "--device " + std::string(context.device()) + " is not";
  const ResultArguments& results = arguments.results;
  for (const std::string* path :
       {&results.other_labels, &results.other_site_index, &results.other_distance})
    if (!path->empty()) return "outputs of another label are not";
  if (!results.k.empty() || !results.ties.empty() || arguments.results.ties_unreached)
    return "the k nearest and ties are not";
  return why_not_by_rows({results.labels, results.distance, results.squared, results.site_index,
                          results.offset, results.direction},
                         results.format.format);
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

/// What the library takes for points: a number for each cell, and for each coordinate its own form
/// of it and lists.
constexpr std::size_t kBytesOfNumber = 4, kBytesOfCoordinate = 48;

CellBytes bytes_of_run(const VoronoiArguments& arguments, const Context& context,
                       const Sites& sites) {
  NearestSiteResults results(arguments.results, sites, context.threads(),
                             arguments.features.needs());
  const std::size_t files = results.files().bytes_per_cell(sites.extents().count());
  const std::size_t domain =
      arguments.sites.grid.like.empty() && arguments.mask.file.empty() ? 0 : 1;
  if (sites.are_points())
    return {.sites = kBytesOfNumber + domain,
            .results = files,
            .fixed = static_cast<double>(sites.points.size() * kBytesOfCoordinate)};
  const bool numbers = sites.raster.element_type() == ElementType::boolean;
  const std::size_t labels = numbers ? size_of(sites.label_type()) : 0;
  return {.sites = size_of(sites.raster.element_type()) + domain,
          .image = sites.image ? size_of(sites.image->type) : 0,
          .labels = labels,
          .results = files,
          .scratch = scratch_per_cell(to_options(arguments, sites), sites) - labels};
}

/// What is done in slabs.
struct SlabJob {
  Context& context;
  SlabRun& run;
  const Sites& sites;
  const NearestSiteOptions& options;
  DomainInput* domain;  ///< null: all cells lie in it
  NearestSiteResults& results;
  Warnings& warnings;
};

/// The options of calls that get no domain.
NearestSiteOptions without_domain(NearestSiteOptions options) {
  options.nodata_label.reset();
  return options;
}

/// The nearest points of the cells of a grid.
void solve_points_by_slabs(const SlabJob& job) {
  open_slabs(job.run);
  // The first row is enough to find what is wrong with the options, or odd in the points.
  voronoi_slab(job.context, job.sites.point_list(), job.sites.grid, 0, 1,
               without_domain(job.options), first_rows(job.results.views(), 1));
  job.warnings.add(job.context, job.sites);
  meet_for_slabs(job.run);
  const SlabPlan& plan = job.run.plan;
  const auto begin = [&](std::int64_t done) {
    if (job.domain != nullptr) job.domain->begin(plan.rest_from(done), plan.rows);
  };
  const auto compute = [&](const Part& slab) {
    throw_if_interrupted();
    voronoi_slab(job.context, job.sites.point_list(), job.sites.grid, slab.first, slab.count,
                 job.options, first_rows(job.results.views(), slab.count),
                 job.domain == nullptr ? View<const void>{} : job.domain->next());
    job.results.turn_directions(slab.count);
  };
  compute_slabs(job.context, job.run, {begin, compute});
}

/// The nearest sites of the cells of a raster, or of a layer that becomes one.
void solve_cells_by_slabs(const VoronoiArguments& arguments, const SlabJob& job) {
  SlabInput input([&] {
    return open_site_rows(arguments.sites, job.sites, job.run.plan.rows, job.context.threads());
  });
  const auto warn = [&](bool has_site, std::uint8_t kinds) {
    const std::string cause = job.sites.why_none.empty() ? "" : "; " + job.sites.why_none;
    if (!has_site)
      job.warnings.add(
          {"no_site", 1, job.sites.name + ": no site, so every cell is unreached" + cause});
    job.warnings.add(kinds, job.options, job.sites);
  };
  const Part& part = job.run.plan.part;
  bool has_begun = false;
  const auto finish = [&](const View<const void>& cells, std::int64_t first,
                          const SlabNeighbours& neighbours) {
    View<const void> inside;
    if (job.domain != nullptr && cells.extent(0) == 0) inside = job.domain->no_rows();
    if (job.domain != nullptr && cells.extent(0) > 0) {
      if (!std::exchange(has_begun, true))
        job.domain->begin({first, part.first + part.count - first}, job.run.plan.rows);
      inside = job.domain->next();
    }
    finish_slab(job.context, cells, {job.sites.extents(), first}, job.options, neighbours,
                first_rows(job.results.views(), cells.extent(0)), inside);
    job.results.turn_directions(cells.extent(0));
    job.results.mark_nodata(job.sites, cells);
  };
  const NearestSiteOptions of_summaries = without_domain(job.options);
  solve_by_slabs(
      job.context, job.run,
      {input, of_summaries, nodata_beside_free_cells(job.options, job.sites), warn, finish});
}

void run_in_slabs(const VoronoiArguments& arguments, Context& context, const SlabPlan& plan,
                  Sites sites, Report& report, Progress& progress) {
  prepare_sites(arguments, sites);
  Warnings warnings(arguments.talk);
  for (const CommandWarning& warning : sites.warnings) warnings.add(warning);
  std::optional<DomainInput> domain;
  if (const std::string& like = arguments.sites.grid.like; !like.empty()) {
    domain.emplace(like, arguments.sites.nodata, context.threads());
    if (domain->has_outside(plan.rows))
      sites.domain = Raster(ElementType::u8, with_rows(sites.extents(), 0));
    else
      domain.reset();
  }
  NearestSiteOptions options = to_options(arguments, sites);
  if (!sites.are_points()) choose_sites(sites, options);
  NearestSiteResults results(arguments.results, sites, context.threads());
  results.files().warn(warnings);
  if (domain) options.nodata_label = results.output_nodata();
  SlabRun run{sites.extents(), plan, results.files(), progress, report};
  const SlabJob job{context, run, sites, options, domain ? &*domain : nullptr, results, warnings};
  if (sites.are_points())
    solve_points_by_slabs(job);
  else
    solve_cells_by_slabs(arguments, job);
  warnings.tell(report);
  results.tell_nodata(arguments.talk, report);
  report.set("slabs", plan.slabs);
  tell(arguments, context, results.files().names(), sites, std::nullopt, report);
}

/// Whether no output is about another label, which the cells of sites have, too.
bool are_to_nearest(const ResultArguments& results) {
  return results.other_labels.empty() && results.other_distance.empty() &&
         results.other_site_index.empty();
}

/// Computes what the flags want of sites that are in memory, and writes it.
void run_at_once(const VoronoiArguments& arguments, Context& context, const Sites& sites,
                 Report& report, Progress& progress) {
  Warnings warnings(arguments.talk);
  warnings.add(sites);
  NearestSiteOptions options = to_options(arguments, sites);
  options.flooding = to_flooding(arguments.flooding, options.method, arguments.sites);
  NearestSiteResults results(arguments.results, sites, context.threads(),
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
                          scratch_per_cell(options, sites) + bytes_per_cell(arguments.flooding),
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
  if (are_to_nearest(arguments.results)) warnings.add_of_unheeded_nodata(options, sites);
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
    const SlabNeeds needs = needs_of(bytes_of_run(arguments, context, *described));
    const auto folder = open_folder(arguments.memory);
    const std::string reason = why_not_in_slabs(arguments, context, *described);
    const auto plan =
        choose_slabs(arguments.memory, described->extents(), needs, reason, folder.get());
    if (arguments.memory.dry_run)
      return tell_plan({"voronoi", described->extents(), needs, reason}, arguments.memory, plan,
                       arguments.talk);
    if (plan)
      return run_in_slabs(arguments, context, *plan, *std::move(described), report, progress);
    if (!are_on_grid_of_flags(arguments.sites)) described.reset();
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
      "Example: thiessen voronoi --sites sites.png --signed --coverage --distance edges.npy");
  const auto arguments = std::make_shared<VoronoiArguments>();
  add_site_flags(*command, arguments->sites);
  add_choice_flags(*command, *arguments);
  add_mask_flags(*command, arguments->mask);
  add_result_flags(*command, arguments->results);
  add_feature_flags(*command, arguments->features);
  add_flooding_flags(*command, arguments->flooding);
  add_raster_flags(*command, arguments->raster);
  add_access_flags(*command, arguments->access);
  add_memory_flags(*command, arguments->memory);
  add_resume_flag(*command, arguments->memory);
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
