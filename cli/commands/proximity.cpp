// SPDX-License-Identifier: Apache-2.0
//
// The flags of gdal_proximity, and those of `gdal raster proximity`; docs/proximity.md has the
// differences.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "commands/commands.hpp"
#include "inputs/cell_values.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/raster_input.hpp"
#include "inputs/site_input.hpp"
#include "io/files/lower_case.hpp"
#include "io/files/output_format.hpp"
#include "io/raster/file_part.hpp"
#include "io/table/site_file.hpp"
#include "results/result_files.hpp"
#include "results/warnings.hpp"
#include "slabs/file_rows.hpp"
#include "slabs/ranks.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/contour_file.hpp"
#include "words/arguments.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

struct ProximityArguments {
  std::string source, target;
  std::string source_band, target_band = "1";
  std::string format, type = "Float32";
  std::vector<std::string> creation_options;
  std::string values, units = "PIXEL", max_distance = "inf", nodata, use_input_nodata = "NO",
                      fixed_value;
  bool ignore_input_nodata = false, free_nodata = false, overwrite = false;
  SiteArguments layer;  ///< of which `file` is not set, for a source that is a layer
  MaskArguments mask;
  ContourArguments contours;
  DeviceArguments device;
  AccessArguments access;
  MemoryArguments memory;
  TalkArguments talk;
};

void add_input_flags(CLI::App& command, ProximityArguments& arguments) {
  command
      .add_option("-i,--input,SRC", arguments.source,
                  "Raster to measure in, or a vector layer on the grid of --like, --bounds or "
                  "--size; - is standard input")
      ->required()
      ->transform(input_name)
      ->check(check_file_name)
      ->type_name("FILE")
      ->group("Input");
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->type_name(type)
        ->check(check_word)
        ->group("Input");
  };
  option("-b,--band,--srcband", arguments.source_band, "N", "Band of SRC (default: 1)");
  auto* values = option("--values,--target-values", arguments.values, "LIST",
                        "The targets: cells of these values (default: all that are not 0)");
  auto* use = option("--use_input_nodata,--use-input-nodata", arguments.use_input_nodata, "YES|NO",
                     "Nodata cells of SRC are no targets, and nodata in DST")
                  ->capture_default_str();
  auto* ignore = command
                     .add_flag("--ignore-input-nodata", arguments.ignore_input_nodata,
                               "The same as --use-input-nodata NO")
                     ->excludes(use)
                     ->group("Input");
  command
      .add_flag("--free-nodata", arguments.free_nodata,
                "All cells of SRC but its nodata cells are targets, zero too, and distances lead "
                "into the nodata cells")
      ->excludes(values)
      ->excludes(use)
      ->excludes(ignore)
      ->group("Input");
}

void add_distance_flags(CLI::App& command, ProximityArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->type_name(type)
        ->check(check_word)
        ->group("Distance");
  };
  option("--distunits,--distance-units", arguments.units, "PIXEL|GEO",
         "Distances in cells, or in the unit of the coordinates")
      ->capture_default_str();
  option("--maxdist,--max-distance", arguments.max_distance, "LENGTH",
         "Cells farther from every target become nodata; inclusive, in these units")
      ->capture_default_str();
  option("--fixed-buf-val,--fixed-value", arguments.fixed_value, "V",
         "Written in place of every distance above 0");
}

void add_output_flags(CLI::App& command, ProximityArguments& arguments) {
  command
      .add_option("-o,--output,DST", arguments.target,
                  "Raster of distances: .tif .npy …; - is standard output")
      ->required()
      ->check(check_output_name)
      ->type_name("FILE")
      ->group("Output");
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->type_name(type)
        ->check(check_word)
        ->group("Output");
  };
  option(
      "-f,--of,--format,--output-format", arguments.format, "NAME",
      "GTiff, COG, NPY, PNG, PNM, or a driver of GDAL (default: by the suffix of DST, which must "
      "agree)");
  option("--ot,--datatype,--output-data-type", arguments.type, "TYPE",
         "Byte, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, Float32 or Float64; into "
         "integers, distances are rounded")
      ->capture_default_str();
  option("--nodata,--output-nodata", arguments.nodata, "V",
         "Written where there is no distance (default: 65535, or the type's maximum if that is "
         "less)");
  option("--dstband", arguments.target_band, "N", "1: DST has one band")->capture_default_str();
  command.add_option("--co,--creation-option", arguments.creation_options, "How GDAL makes DST")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->check(check_word)
      ->group("Output");
  command.add_flag("--overwrite", arguments.overwrite, "Replace DST if it exists")->group("Output");
}

ElementType parse_type(const std::string& text) {
  constexpr std::pair<std::string_view, ElementType> kTypes[] = {
      {"byte", ElementType::u8},     {"uint8", ElementType::u8},   {"int8", ElementType::i8},
      {"uint16", ElementType::u16},  {"int16", ElementType::i16},  {"uint32", ElementType::u32},
      {"int32", ElementType::i32},   {"uint64", ElementType::u64}, {"int64", ElementType::i64},
      {"float32", ElementType::f32}, {"float64", ElementType::f64}};
  for (const auto& [name, type] : kTypes)
    if (io::lower_case(text) == name) return type;
  throw UsageError("--ot " + text +
                   ": must be Byte, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, Float32 or "
                   "Float64");
}

bool is_float(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

void check_format(const ProximityArguments& arguments) {
  if (io::is_format_for(arguments.target, arguments.format)) return;
  throw UsageError("--of " + arguments.format + ": the suffix of " + arguments.target +
                   " names another format; it decides, so they must agree");
}

bool parse_yes(const std::string& flag, const std::string& text) {
  if (io::lower_case(text) == "yes") return true;
  if (io::lower_case(text) != "no") throw UsageError(flag + " " + text + ": must be YES or NO");
  return false;
}

/// Bool cells are read as the numbers 0 and 1.
View<const void> as_numbers(const Raster& raster) {
  if (raster.element_type() != ElementType::boolean) return raster.view();
  return {raster.bytes(), ElementType::u8, raster.extents()};
}

std::vector<double> choose_units(const std::string& units, const Sites& sites) {
  if (io::lower_case(units) == "pixel") return {};
  if (io::lower_case(units) != "geo")
    throw UsageError("--distunits " + units + ": must be PIXEL or GEO");
  require_planar(
      sites.grid, sites.name,
      can_be_on_earth(sites.grid)
          ? "thiessen voronoi --sites " + sites.name +
                " --metric ellipsoidal --distance DST measures in metres on the Earth; or "
                "measure in cells with --distunits PIXEL"
          : "measure in cells with --distunits PIXEL");
  if (sites.grid.spacing.empty())
    throw UsageError("--distunits GEO: " + sites.name +
                     " has no georeference, nor a size of voxels; use PIXEL");
  return sites.grid.spacing;
}

NearestSiteOptions to_options(const ProximityArguments& arguments, const Sites& sites) {
  NearestSiteOptions options;
  options.spacing = choose_units(arguments.units, sites);
  options.max_distance = parse_distance("--maxdist", arguments.max_distance);
  if (!arguments.values.empty()) options.values = parse_labels("--values", arguments.values);
  const bool use_nodata = parse_yes("--use_input_nodata", arguments.use_input_nodata);
  if (use_nodata || arguments.free_nodata) options.nodata = sites.nodata;
  options.free_nodata = arguments.free_nodata;
  if (options.free_nodata && !options.nodata)
    throw UsageError("--free-nodata: there is no nodata value of " + sites.name +
                     "; gdal_edit.py -a_nodata V gives a GeoTIFF one");
  return options;
}

/// The values that replace distances in DST.
struct Replacements {
  double nodata;
  std::optional<double> fixed;
};

/// A value that cells of this type can hold; a float is rounded for them.
double parse_value(const std::string& flag, const std::string& text, ElementType type) {
  const LabelValue value = parse_label(flag, text);
  if (!is_float(type) && !can_hold(type, value))
    throw UsageError(flag + " " + text + ": must be a value of the type of DST, " +
                     std::string(name_of(type)));
  const double real = std::visit([](auto number) { return static_cast<double>(number); }, value);
  return type == ElementType::f32 ? static_cast<double>(static_cast<float>(real)) : real;
}

double default_nodata(ElementType type) {
  constexpr double kOfGdal = 65535;
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    return std::min(kOfGdal, static_cast<double>(std::numeric_limits<T>::max()));
  });
}

Replacements parse_replacements(const ProximityArguments& arguments, ElementType type) {
  Replacements replacements{default_nodata(type), std::nullopt};
  if (!arguments.nodata.empty())
    replacements.nodata = parse_value("--nodata", arguments.nodata, type);
  if (!arguments.fixed_value.empty())
    replacements.fixed = parse_value("--fixed-buf-val", arguments.fixed_value, type);
  return replacements;
}

/// Rounds to the nearest integer, halves up; values beyond the type's range become its end.
template <class T>
T to_cell(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    constexpr double kLeast = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    const double whole = std::floor(value + 0.5);
    if (!(whole > kLeast)) return std::numeric_limits<T>::min();
    return whole < kMost ? static_cast<T>(whole) : std::numeric_limits<T>::max();
  }
}

/// Turns contiguous distances into the values of DST; both may be the same raster.
void write_cells(const View<const void>& distances, const Replacements& replacements,
                 const View<void>& cells) {
  const std::int64_t count = distances.extents().count();
  visit_element_type(distances.element_type(), [&]<class From>(std::type_identity<From>) {
    const auto* from = reinterpret_cast<const From*>(distances.bytes());
    visit_element_type(cells.element_type(), [&]<class To>(std::type_identity<To>) {
      auto* to = reinterpret_cast<To*>(cells.bytes());
      const To nodata = to_cell<To>(replacements.nodata);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto distance = static_cast<double>(from[i]);
        if (!std::isfinite(distance))
          to[i] = nodata;
        else
          to[i] = to_cell<To>(distance > 0 ? replacements.fixed.value_or(distance) : distance);
      }
    });
  });
}

void tell(const ProximityArguments& arguments, const Context& context,
          const nlohmann::ordered_json& files, const Sites& sites, Report& report) {
  const Extents& extents = sites.extents();
  for (int axis = 0; axis < extents.rank(); ++axis) report.append("extents", extents[axis]);
  if (io::lower_case(arguments.units) == "geo") tell_unit(sites, arguments.talk, report);
  report.set("method", name_of(Method::exact));
  report.set("metric", "euclidean");
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("files", files);
  report.print(arguments.talk);
}

/// DST, and the distances that become its cells: those of DST itself unless they are rounded.
struct ProximityResults {
  ResultFiles files;
  ResultFile* result = nullptr;
  ResultFile* distances = nullptr;

  ProximityResults(const ProximityArguments& arguments, const Sites& sites, ElementType type,
                   const Replacements& replacements, int threads)
      : files(arguments.overwrite) {
    io::WriteOptions how{.georeference = sites.grid.georeference, .nodata = replacements.nodata};
    how.creation_options = arguments.creation_options;
    how.threads = threads;
    how.format = arguments.format;
    if (io::lower_case(arguments.units) == "geo") how.unit = sites.unit_of_grid();
    result = &files.add({arguments.target, type, sites.extents(), std::move(how)});
    distances = is_float(type) ? result : &files.add({"", ElementType::f64, sites.extents()});
  }
};

/// What is done in slabs.
struct ProximityJob {
  const Sites& sites;
  NearestSiteOptions options;
  Replacements replacements;
  ProximityResults results;
  NearestSiteStream streamed = {};
};

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const ProximityArguments& arguments) {
  if (!arguments.mask.file.empty()) return BrokenRule{"--mask", {}, "is not"};
  if (arguments.contours.are_given()) return BrokenRule{"--contours-to", {}, "is not"};
  return why_not_by_rows({arguments.target}, arguments.format);
}

/// What the flag says, or else 1, unless the name of the source speaks of a band.
std::string source_band(const ProximityArguments& arguments) {
  const bool is_named = as_usage([&] { return io::part_of(arguments.source).band.has_value(); });
  return arguments.source_band.empty() && !is_named ? "1" : arguments.source_band;
}

/// Turns rows of distances into those of DST.
class ProximityRows final : public RowSink {
 public:
  ProximityRows(RowSink& rows, ElementType type, const Replacements& replacements)
      : rows_(rows), type_(type), replacements_(replacements) {}

  ElementType element_type() const override { return type_; }
  void write(const SlabRows& rows, const View<const void>& cells) override {
    if (!written_ || written_.extents() != cells.extents())
      written_ = Raster(rows_.element_type(), cells.extents());
    write_cells(cells, replacements_, written_.view());
    rows_.write(rows, std::as_const(written_).view());
  }
  void finish() override { rows_.finish(); }
  void abandon() noexcept override { rows_.abandon(); }

 private:
  RowSink& rows_;
  ElementType type_;  // of distances
  const Replacements& replacements_;
  Raster written_;
};

void run_in_slabs(const ProximityArguments& arguments, Context& context, const StreamPlan& plan,
                  ProximityJob& job, Report& report, Progress& progress) {
  Warnings warnings(arguments.talk);
  ResultFiles& files = job.results.files;
  files.open_rows(plan.parts);
  UnheededNodata unheeded(job.options, job.sites);
  job.streamed.on_rows = [&](const SlabRows&, const View<const void>& cells,
                             const NearestSiteOutputs&) { unheeded.look_at(cells); };
  StreamTalk talk(context, files, progress, report, job.sites.extents());
  const StreamReport done = stream(context, job.streamed, plan, talk.events());
  for (const Warning& warning : context.warnings()) {
    if (ranks().rank() > 0) continue;
    if (warning.kind == WarningKind::no_site)
      warnings.add({"no_site", 1, job.sites.name + ": no target, so every cell is nodata"});
    else
      warnings.add(warning, job.sites);
  }
  unheeded.warn(warnings);
  files.commit();
  talk.finish(plan, done);
  warnings.tell(report);
  report.set("slabs", plan.slabs);
  tell(arguments, context, files.names(), job.sites, report);
}

/// The targets: cells of a raster, or the features of a layer on the grid of the flags.
Sites read_source(const ProximityArguments& arguments, Context& context, Progress& progress) {
  const bool is_raster =
      as_usage([&] { return io::kind_of(arguments.source); }) == io::SiteFileKind::raster;
  if (is_raster) {
    if (const char* flag = given_flag(arguments.layer.grid))
      throw UsageError(std::string(flag) + ": is for sources without a grid; " + arguments.source +
                       " is a raster");
    progress.stage("read", 0.2);
    return read_raster_sites(arguments.source, source_band(arguments), "",
                             {.threads = context.threads(), .progress = progress.checkpoint()});
  }
  SiteArguments sites = arguments.layer;
  sites.file = arguments.source;
  sites.free_nodata = arguments.free_nodata;
  return load_sites(sites, context, progress);
}

/// Does it in slabs, or tells the plan; false if it is to be done at once.
bool try_in_slabs(const ProximityArguments& arguments, Context& context, ElementType type,
                  const Replacements& replacements, Report& report, Progress& progress) {
  const auto info =
      inspect_large(arguments.source, "sites that are a raster file", arguments.memory);
  if (!info) return false;
  const Sites sites = describe_raster_sites(
      arguments.source, "", {info->element_type, info->grid, info->nodata, info->voxels});
  ProximityJob job{sites, to_options(arguments, sites), replacements,
                   ProximityResults(arguments, sites, type, replacements, context.threads())};
  // Bool cells are the numbers 0 and 1.
  const bool is_bool = info->element_type == ElementType::boolean;
  io::ReadOptions reading{.threads = context.threads()};
  choose_band(source_band(arguments), reading);
  FileRows cells(is_bool ? ElementType::u8 : info->element_type, info->grid.extents,
                 [&] { return io::open_rows(arguments.source, reading); });
  const ElementType of_distances = is_float(type) ? type : ElementType::f64;
  ProximityRows rows(job.results.files.rows_of(*job.results.result), of_distances, replacements);
  job.streamed = {.sites = &cells, .options = job.options, .outputs = {{"distance", &rows}}};
  const StreamPlan plan =
      choose_plan(context, job.streamed, arguments.memory, why_at_once(arguments));
  if (arguments.memory.dry_run)
    tell_plan("proximity", sites.extents(), plan, arguments.talk);
  else if (!plan.is_at_once)
    run_in_slabs(arguments, context, plan, job, report, progress);
  return arguments.memory.dry_run || !plan.is_at_once;
}

void run(const ProximityArguments& arguments) {
  set_access(arguments.access);
  if (arguments.target_band != "1")
    throw UsageError("--dstband " + arguments.target_band +
                     ": must be 1; DST is a file of its own");
  check_format(arguments);
  const ElementType type = parse_type(arguments.type);
  const Replacements replacements = parse_replacements(arguments, type);
  Context context = open_context(arguments.device, arguments.talk.timing || arguments.talk.json);
  const Interruptible interruptible(context);
  Report report("proximity");
  Progress progress(arguments.talk);
  progress.stage("open", 0.01);
  if (try_in_slabs(arguments, context, type, replacements, report, progress)) return;
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  Sites sites = read_source(arguments, context, progress);
  report.step("read source");
  throw_if_interrupted();

  const NearestSiteOptions options = to_options(arguments, sites);
  sites.values = options.values;
  sites.nodata = options.nodata;
  sites.free_nodata = options.free_nodata;
  apply_mask(arguments.mask, {.threads = context.threads()}, sites);
  Warnings warnings(arguments.talk);
  warnings.add(sites);
  const Extents extents = sites.extents();
  ProximityResults results(arguments, sites, type, replacements, context.threads());
  ResultFiles& files = results.files;
  std::optional<ContourFile> contours;
  if (arguments.contours.are_given())
    contours.emplace(arguments.contours, sites, files, arguments.overwrite);
  files.reserve(extents.count(), scratch_per_cell(options, extents.rank()));
  report.step("prepare outputs");
  progress.stage("compute", 0.7, extents.count());
  const NearestSiteOutputs out{.distance = results.distances->raster.view()};
  const View<const void> domain = std::as_const(sites.domain).view();
  if (sites.are_points())
    voronoi(context, sites.point_list(), sites.grid, options, out, domain);
  else
    nearest_site(context, as_numbers(sites.raster), options, out, domain);
  report.computed(context, extents);
  warnings.add(context, sites);
  warn_of_unheeded_nodata(options, sites, warnings);
  sites.raster = Raster();
  context.release_scratch();
  if (contours) {
    contours->write(context, std::as_const(results.distances->raster).view(), sites.grid, report);
    report.step("make contours");
  }
  write_cells(results.distances->raster.view(), replacements, results.result->raster.view());
  report.step("finish cells");
  files.write(progress);
  report.step("write files");
  warnings.tell(report);
  nlohmann::ordered_json names = files.names();
  if (contours) names.push_back(contours->name());
  tell(arguments, context, names, sites, report);
}

}  // namespace

void add_proximity(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "proximity", "Distance to the nearest target cell, with the flags of gdal_proximity, exact");
  command->footer(
      "Long flags may have one dash, as gdal_proximity has them: -srcband -dstband -of -co -ot "
      "-values -distunits -maxdist -nodata -use_input_nodata -fixed-buf-val -quiet. Defaults are "
      "those of gdal_proximity, whichever names are used. An existing DST is an error without "
      "--overwrite.\n"
      "Example: thiessen proximity sites.png near.npy -maxdist 500 -nodata -1");
  const auto arguments = std::make_shared<ProximityArguments>();
  add_input_flags(*command, *arguments);
  add_layer_flags(*command, arguments->layer.layer, *command->get_option("--input"));
  add_grid_flags(*command, arguments->layer.grid);
  add_mask_flags(*command, arguments->mask);
  add_distance_flags(*command, *arguments);
  add_output_flags(*command, *arguments);
  add_contour_flags(*command, arguments->contours);
  add_device_flags(*command, arguments->device);
  add_access_flags(*command, arguments->access, "--input-format");
  add_memory_flags(*command, arguments->memory);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] {
    action = [arguments] {
      leave_talk_to_first_rank(arguments->talk);
      arguments->mask.transform = arguments->layer.layer.transform;
      run(*arguments);
    };
  });
}

std::vector<std::string> with_two_dashes(std::vector<std::string> words) {
  constexpr std::string_view kFlags[] = {
      "-srcband",       "-dstband",   "-of",      "-co",     "-ot",
      "-values",        "-distunits", "-maxdist", "-nodata", "-use_input_nodata",
      "-fixed-buf-val", "-quiet"};
  if (words.empty() || words[0] != "proximity") return words;
  for (std::string& word : words)
    if (std::find(std::begin(kFlags), std::end(kFlags), word) != std::end(kFlags))
      word.insert(0, "-");
  return words;
}

}  // namespace thiessen::cli
