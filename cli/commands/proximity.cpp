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
#include "commands/planned_run.hpp"
#include "inputs/mask_input.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/site_input.hpp"
#include "io/files/lower_case.hpp"
#include "io/files/output_format.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/file_part.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/contour_file.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

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
  const FlagGroup input(command, "Input");
  input
      .input("-i,--input,SRC", arguments.source,
             "Raster to measure in, or a vector layer on the grid of --like, --bounds or --size; - "
             "is standard input")
      ->required();
  input.word("-b,--band,--srcband", arguments.source_band, "N", "Band of SRC (default: 1)");
  auto* values =
      input.word("--values,--target-values", arguments.values, "LIST",
                 "Targets are the cells of these values (default: all cells that are not 0)");
  auto* use = input
                  .word("--use_input_nodata,--use-input-nodata", arguments.use_input_nodata,
                        "YES|NO", "Nodata cells of SRC are no targets, and nodata in DST")
                  ->capture_default_str();
  auto* ignore = input
                     .flag("--ignore-input-nodata", arguments.ignore_input_nodata,
                           "The same as --use-input-nodata NO")
                     ->excludes(use);
  input
      .flag("--free-nodata", arguments.free_nodata,
            "All cells of SRC except its nodata cells are targets, zero too. The nodata cells get "
            "distances")
      ->excludes(values)
      ->excludes(use)
      ->excludes(ignore);
}

void add_distance_flags(CLI::App& command, ProximityArguments& arguments) {
  const FlagGroup distance(command, "Distance");
  distance
      .word("--distunits,--distance-units", arguments.units, "PIXEL|GEO",
            "Distances in cells, or in the unit of the coordinates")
      ->capture_default_str();
  distance
      .word("--maxdist,--max-distance", arguments.max_distance, "LENGTH",
            "Cells farther from every target become nodata; inclusive, in these units")
      ->capture_default_str();
  distance.word("--fixed-buf-val,--fixed-value", arguments.fixed_value, "V",
                "Value that replaces every distance above 0");
}

void add_output_flags(CLI::App& command, ProximityArguments& arguments) {
  const FlagGroup output(command, "Output");
  output
      .output("-o,--output,DST", arguments.target,
              "Raster of distances: .tif .npy …; - is standard output")
      ->required();
  output.word("-f,--of,--format,--output-format", arguments.format, "NAME",
              "GTiff, COG, NPY, PNG, PNM, or a driver of GDAL (default: from the suffix of DST, "
              "which must agree)");
  output
      .word("--ot,--datatype,--output-data-type", arguments.type, "TYPE",
            "Byte, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, Float32 or Float64; into "
            "integers, distances are rounded")
      ->capture_default_str();
  output.word(
      "--nodata,--output-nodata", arguments.nodata, "V",
      "Value of cells without a distance (default: 65535, or the type's maximum if that is less)");
  output.word("--dstband", arguments.target_band, "N", "Only 1: DST has one band")
      ->capture_default_str();
  output
      .word("--co,--creation-option", arguments.creation_options, "NAME=VALUE",
            "Option for GDAL's writing of DST; repeatable")
      ->allow_extra_args(false);
  output.flag("--overwrite", arguments.overwrite, "Replace DST if it exists");
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

void check_target(const ProximityArguments& arguments) {
  if (arguments.target_band != "1")
    throw UsageError("--dstband " + arguments.target_band +
                     ": must be 1; DST is a file of its own");
  if (io::is_format_for(arguments.target, arguments.format)) return;
  throw UsageError("--of " + arguments.format + ": the suffix of " + arguments.target +
                   " names another format; it decides, so they must agree");
}

bool parse_yes(const std::string& flag, const std::string& text) {
  if (io::lower_case(text) == "yes") return true;
  if (io::lower_case(text) != "no") throw UsageError(flag + " " + text + ": must be YES or NO");
  return false;
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
  if (!is_float(type) && !io::can_hold(type, value))
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

/// Why the command needs all rows in memory, if it does.
std::optional<BrokenRule> why_at_once(const ProximityArguments& arguments) {
  if (is_stream(arguments.source)) return BrokenRule{"a pipe", {}, "is not"};
  if (arguments.contours.are_given()) return BrokenRule{"--contours-to", {}, "is not"};
  return why_not_by_rows({arguments.target}, arguments.format);
}

/// What the flag says, or else 1, unless the name of the source speaks of a band.
std::string source_band(const ProximityArguments& arguments) {
  const bool is_named =
      as_usage_error([&] { return io::part_of(arguments.source).band.has_value(); });
  return arguments.source_band.empty() && !is_named ? "1" : arguments.source_band;
}

/// Turns rows of distances into those of DST.
class ProximityRows final : public RowSink {
 public:
  ProximityRows(RowSink& rows, ElementType type, const Replacements& replacements)
      : rows_(rows), type_(type), replacements_(replacements) {}

  ElementType element_type() const override { return type_; }
  void write(const SlabRows& rows, const View<const void>& cells) override {
    room_for(written_, rows_.element_type(), cells.extents());
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

/// The targets: cells of a raster, or the features of a layer on the grid of the flags.
SiteArguments source_of(const ProximityArguments& arguments) {
  SiteArguments sites = arguments.layer;
  sites.file = arguments.source;
  if (are_on_grid_of_flags(sites)) {
    sites.free_nodata = arguments.free_nodata;
    return sites;
  }
  if (const char* flag = given_flag(sites.grid))
    throw UsageError(std::string(flag) + ": is for sources without a grid; " + arguments.source +
                     " is a raster");
  sites.band = source_band(arguments);
  return sites;
}

class ProximityRun : public PlannedRun {
 public:
  ProximityRun(const ProximityArguments& arguments, Context& context, Report& report,
               Progress& progress)
      : PlannedRun(arguments.talk, arguments.mask, context, report, progress),
        arguments_(arguments),
        type_(parse_type(arguments.type)),
        replacements_(parse_replacements(arguments, type_)),
        source_(source_of(arguments)),
        sites_(describe_sites(source_, context.threads(), progress)),
        options_(to_options(arguments, sites_)),
        results_(arguments, sites_, type_, replacements_, context.threads()),
        rows_(results_.files.rows_of(*results_.result), is_float(type_) ? type_ : ElementType::f64,
              replacements_) {
    sites_.values = options_.values;
    sites_.nodata = options_.nodata;
    sites_.free_nodata = options_.free_nodata;
    // Bool cells are read as the numbers 0 and 1.
    if (sites_.raster.element_type() == ElementType::boolean)
      sites_.raster = Raster(ElementType::u8, sites_.raster.extents());
    open_sources(source_, sites_);
  }

  StreamPlan plan() {
    require_rows(arguments_.memory, !is_stream(arguments_.source), "files, not pipes");
    return choose_plan(context_, call(), arguments_.memory, why_at_once(arguments_));
  }

  void run(const StreamPlan& plan) {
    if (plan.is_at_once) hold(plan);
    find_domain(nullptr, plan.is_at_once);
    if (plan.is_at_once) report_.step("read source");
    throw_if_interrupted();
    warnings_.add(sites_);
    plan.is_at_once ? run_at_once() : run_by_rows(plan);
  }

 private:
  void hold(const StreamPlan& plan) {
    hold_sites(source_);
    require_rest(plan, sites_.raster.size_bytes());
    if (sites_.raster.element_type() != ElementType::boolean) return;
    Raster numbers(ElementType::u8, sites_.grid);
    std::copy_n(sites_.raster.bytes(), numbers.size_bytes(), numbers.bytes());
    sites_.raster = std::move(numbers);
  }

  NearestSiteStream call() {
    return stream_of(sites_, cells_, domain_, options_, {{"distance", &rows_}});
  }

  void run_by_rows(const StreamPlan& plan) {
    stream_sites(results_.files, call(), plan, {});
    finish();
  }

  void run_at_once() {
    ResultFiles& files = results_.files;
    std::optional<ContourFile> contours;
    if (arguments_.contours.are_given()) contours.emplace(arguments_.contours, sites_, files);
    begin_computing(files, 0, 0.7);
    find_nearest(context_, sites_, options_, {.distance = results_.distances->raster.view()});
    report_.computed(context_, extents());
    warnings_.add(context_, sites_);
    warn_of_unheeded_nodata(options_, sites_, warnings_);
    sites_.raster = Raster();
    context_.release_scratch();
    if (contours) {
      contours->write(context_, std::as_const(results_.distances->raster).view(), sites_.grid,
                      report_);
      report_.step("make contours");
    }
    write_cells(results_.distances->raster.view(), replacements_, results_.result->raster.view());
    report_.step("finish cells");
    files.write(progress_);
    report_.step("write files");
    finish();
  }

  void finish() {
    if (io::lower_case(arguments_.units) != "geo") sites_.forget_unit();
    tell(results_.files, name_of(Method::exact), "euclidean");
  }

  const ProximityArguments& arguments_;
  ElementType type_;
  Replacements replacements_;
  SiteArguments source_;
  Sites sites_;
  NearestSiteOptions options_;
  ProximityResults results_;
  ProximityRows rows_;
};

}  // namespace

void add_proximity(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "proximity", "Distance to the nearest target cell, with the flags of gdal_proximity, exact");
  command->footer(
      "Long flags may have one dash, as gdal_proximity has them: -srcband -dstband -of -co -ot "
      "-values -distunits -maxdist -nodata -use_input_nodata -fixed-buf-val -quiet. Defaults are "
      "the defaults of gdal_proximity, whichever names are used. An existing DST is an error "
      "without --overwrite.\nExample: thiessen proximity sites.png near.npy -maxdist 500 -nodata "
      "-1");
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
      report_from_first_rank_only(arguments->talk);
      arguments->mask.transform = arguments->layer.layer.transform;
      check_target(*arguments);
      run_planned<ProximityRun>("proximity", *arguments);
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
