// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "io/output_file.hpp"
#include "io/raster_file.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

/// The words of the command line as they are; parsed when the command runs, so that every error has
/// the same form.
struct VoronoiArguments {
  std::string sites, size, random, seed = "0", components, values, nodata;
  bool zero_is_site = false;
  std::string algorithm = "exact", metric = "euclidean", device = "auto", threads = "0";
  std::string spacing, max_distance = "inf", unreached = "0", distance_to = "site";
  bool signed_distance = false;

  std::string labels_file, distance_file, squared_file, site_index_file, offset_file,
      direction_file, picture_file, distance_type = "f32";
  bool overwrite = false;

  bool timing = false, json = false, quiet = false;
};

/// A file name, and not by oversight the next flag or nothing.
std::string check_file_name(const std::string& name) {
  if (name.empty()) return "must name a file";
  if (name[0] == '-') return "'" + name + "' looks like a flag; write ./" + name;
  return {};
}

void add_input_flags(CLI::App& command, VoronoiArguments& arguments) {
  auto* sites = command
                    .add_option("--sites", arguments.sites,
                                "Raster whose non-zero cells are the sites: .npy .png .pgm .ppm")
                    ->check(check_file_name)
                    ->group("Sites")
                    ->type_name("FILE");
  auto* random = command
                     .add_option("--random", arguments.random,
                                 "That many random cells as sites, labelled 1, 2, …")
                     ->group("Sites")
                     ->type_name("N")
                     ->excludes(sites);
  command.add_option("--size", arguments.size, "Cells of the random raster, WxH or WxHxD")
      ->group("Sites")
      ->type_name("SIZE")
      ->needs(random);
  command.add_option("--seed", arguments.seed, "Seed of the random sites")
      ->capture_default_str()
      ->group("Sites")
      ->type_name("N")
      ->needs(random);
  auto* components =
      command
          .add_option(
              "--components", arguments.components,
              "Number the connected areas of equal value as separate sites: neighbours are the "
              "4 or 8 around a cell (6 or 26 in 3-D)")
          ->group("Sites")
          ->type_name("N")
          ->needs(sites);
  auto* values = command
                     .add_option("--values", arguments.values,
                                 "Exactly the cells of these values are the sites: 3,7")
                     ->group("Sites")
                     ->type_name("LIST")
                     ->needs(sites)
                     ->excludes(components);
  command
      .add_flag("--zero-is-site", arguments.zero_is_site,
                "Every cell that is not nodata is a site, zero too")
      ->group("Sites")
      ->needs(sites)
      ->excludes(values)
      ->excludes(components);
  command.add_option("--nodata", arguments.nodata, "Cells of this value lie outside the domain")
      ->group("Sites")
      ->type_name("V")
      ->needs(sites);
}

void add_choice_flags(CLI::App& command, VoronoiArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->capture_default_str()
        ->type_name(type)
        ->group("Choice");
  };
  option("--algorithm", arguments.algorithm, "NAME", "exact or brute-force; both are exact");
  option("--metric", arguments.metric, "NAME", "euclidean, manhattan or chessboard")
      ->check(CLI::IsMember({"euclidean", "manhattan", "chessboard"}));
  option("--device", arguments.device, "NAME", "auto or cpu");
  option("--threads", arguments.threads, "N", "Threads, up to 1024; 0: one for each processor");
  option("--spacing", arguments.spacing, "LIST",
         "World length of one cell as x,y or x,y,z (default: 1, distances in cells)");
  option("--max-distance", arguments.max_distance, "LENGTH",
         "Cells farther from every site are unreached; inclusive, in units of the spacing");
  option("--unreached", arguments.unreached, "V", "Label of an unreached cell");
  option("--distance-to", arguments.distance_to, "WHAT",
         "site, or boundary: the nearest cell of another value")
      ->check(CLI::IsMember({"site", "boundary"}));
  command
      .add_flag("--signed", arguments.signed_distance,
                "Inside of sites, minus the distance to the nearest cell that is none")
      ->group("Choice");
}

void add_output_flags(CLI::App& command, VoronoiArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* help) {
    return command.add_option(flag, value, help)
        ->group("Outputs")
        ->type_name("FILE")
        ->check(check_file_name);
  };
  option("--labels", arguments.labels_file, "Label of the nearest site: .npy .png .pgm");
  option("--distance", arguments.distance_file, "Distance to it: .npy");
  option("--squared", arguments.squared_file, "Squared distance in cells, exact: .npy");
  option("--site-index", arguments.site_index_file, "Linear index of its cell: .npy");
  option("--offset", arguments.offset_file, "Site minus cell, one plane an axis: .npy");
  option("--direction", arguments.direction_file, "Compass direction in degrees (2-D): .npy");
  option("--picture", arguments.picture_file, "Coloured cells, sites black (2-D): .png .ppm");
  command.add_option("--distance-type", arguments.distance_type, "f32 or f64")
      ->group("Outputs")
      ->type_name("TYPE")
      ->capture_default_str()
      ->check(CLI::IsMember({"f32", "f64"}));
  command.add_flag("--overwrite", arguments.overwrite, "Replace files that exist")
      ->group("Outputs");
  const auto flag = [&](const char* name, bool& value, const char* help) {
    command.add_flag(name, value, help)->group("Talk");
  };
  flag("--timing", arguments.timing, "Print milliseconds and Mpixel/s of each step on stderr");
  flag("--json", arguments.json, "Print a report as JSON on stdout");
  flag("-q,--quiet", arguments.quiet, "Say nothing but errors");
}

/// What went wrong with an input file or an output's name is the user's to mend: exit code 2.
template <class Call>
auto as_usage(const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw UsageError(error.what());
    throw;
  }
}

Raster read_sites(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none) require_memory(static_cast<std::int64_t>(size), 1);
  return as_usage([&] { return io::read_raster(path).raster; });
}

Raster draw_sites(const VoronoiArguments& arguments, Context& context) {
  if (arguments.size.empty()) throw UsageError("--random needs --size WxH or WxHxD");
  const Extents extents = parse_size("--size", arguments.size);
  const std::int64_t cells = extents.count();
  const std::int64_t count = parse_integer("--random", arguments.random, 0, cells);
  const std::uint64_t seed = parse_seed("--seed", arguments.seed);
  const ElementType type =
      count <= std::numeric_limits<std::int32_t>::max() ? ElementType::i32 : ElementType::i64;
  require_memory(cells, size_of(type));
  Raster sites(type, extents);
  random_sites(context, sites.view(), count, seed);
  return sites;
}

Raster load_sites(const VoronoiArguments& arguments, Context& context) {
  if (!arguments.sites.empty()) return read_sites(arguments.sites);
  if (!arguments.random.empty()) return draw_sites(arguments, context);
  throw UsageError("no sites: give --sites FILE, or --random N with --size WxH");
}

Raster number_components(const VoronoiArguments& arguments, Context& context, const Raster& sites) {
  ComponentsOptions options;
  options.connectivity =
      parse_connectivity("--components", arguments.components, sites.extents().rank());
  if (!arguments.nodata.empty()) options.nodata = parse_label("--nodata", arguments.nodata);
  const bool small = sites.extents().count() <= std::numeric_limits<std::int32_t>::max();
  Raster labels(small ? ElementType::i32 : ElementType::i64, sites.extents());
  connected_components(context, sites.view(), options, labels.view());
  return labels;
}

NearestSiteOptions to_options(const VoronoiArguments& arguments, int rank) {
  NearestSiteOptions options;
  options.method = arguments.algorithm;
  options.metric = parse_metric(arguments.metric);
  if (!arguments.spacing.empty())
    options.spacing = parse_spacing("--spacing", arguments.spacing, rank);
  if (!arguments.values.empty()) options.values = parse_labels("--values", arguments.values);
  options.zero_is_site = arguments.zero_is_site;
  options.max_distance = parse_distance("--max-distance", arguments.max_distance);
  if (!arguments.nodata.empty()) {
    // Numbering components has put its own label in place of the nodata value.
    options.nodata = arguments.components.empty() ? parse_label("--nodata", arguments.nodata)
                                                  : LabelValue(std::int64_t{-1});
  }
  options.unreached = parse_label("--unreached", arguments.unreached);
  options.signed_distance = arguments.signed_distance;
  options.distance_to =
      arguments.distance_to == "boundary" ? DistanceTo::boundary : DistanceTo::site;
  return options;
}

Extents offset_extents(const Extents& extents) {
  if (extents.rank() == 2) return {2, extents[0], extents[1]};
  return {3, extents[0], extents[1], extents[2]};
}

/// The rasters that the command computes, and the files that they go to.
class Results {
 public:
  Results(const VoronoiArguments& arguments, const Raster& sites)
      : picture_(arguments.picture_file) {
    const Extents& extents = sites.extents();
    const bool picture = !picture_.empty();
    if (picture && extents.rank() != 2)
      throw UsageError("--picture " + picture_ + ": pictures are made of 2-D rasters only");
    const ElementType distance =
        arguments.distance_type == "f64" ? ElementType::f64 : ElementType::f32;
    add(labels_, arguments.labels_file, label_type(sites), extents, picture);
    add(distance_, arguments.distance_file, distance, extents, picture);
    add(squared_, arguments.squared_file, ElementType::i64, extents);
    add(site_index_, arguments.site_index_file, ElementType::i64, extents);
    add(offset_, arguments.offset_file, ElementType::i32, offset_extents(extents));
    add(direction_, arguments.direction_file, ElementType::f32, extents);
    if (picture) add(pixels_, picture_, ElementType::u8, Extents{extents[0], extents[1], 3});
    if (results_.empty())
      throw UsageError(
          "no output: give at least one of --labels, --distance, --squared, "
          "--site-index, --offset, --direction, --picture");
    reserve(arguments.overwrite, extents.count());
  }

  NearestSiteOutputs views() {
    NearestSiteOutputs out;
    if (labels_) out.labels = labels_->view();
    if (distance_) out.distance = distance_->view();
    if (squared_) out.squared = squared_->view<std::int64_t>();
    if (site_index_) out.site_index = site_index_->view<std::int64_t>();
    if (offset_) out.offset = offset_->view<std::int32_t>();
    if (direction_) out.direction = direction_->view<float>();
    return out;
  }

  void paint(Context& context, const Raster& sites) {
    if (pixels_)
      render(context,
             {.labels = labels_->view(), .distance = distance_->view(), .sites = sites.view()},
             pixels_->view<std::uint8_t>());
  }

  /// All files get their contents first, then all get their names.
  void write() {
    for (Result& result : results_)
      if (result.file) io::write_raster(*result.file, (*result.raster)->view());
    throw_if_interrupted();
    for (Result& result : results_)
      if (result.file) result.file->commit();
  }

  nlohmann::ordered_json files() const {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const Result& result : results_)
      if (result.file) names.push_back(result.file->target().string());
    return names;
  }

 private:
  struct Result {
    std::optional<Raster>* raster;
    std::string path;
    ElementType type;
    Extents extents;
    std::optional<io::OutputFile> file;
  };

  static ElementType label_type(const Raster& sites) {
    if (sites.element_type() != ElementType::boolean) return sites.element_type();
    return sites.extents().count() <= std::numeric_limits<std::int32_t>::max() ? ElementType::i32
                                                                               : ElementType::i64;
  }

  void add(std::optional<Raster>& raster, const std::string& path, ElementType type,
           const Extents& extents, bool needed = false) {
    if (path.empty() && !needed) return;
    if (!path.empty()) {
      as_usage([&] { io::require_writable(path, type, extents); });
      require_new_name(path);
    }
    results_.push_back({&raster, path, type, extents, std::nullopt});
  }

  /// Two outputs in one file would leave one of them.
  void require_new_name(const std::string& path) const {
    const auto real_path = [](const std::string& name) {
      std::error_code none;
      return std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
    };
    for (const Result& other : results_)
      if (!other.path.empty() && real_path(other.path) == real_path(path))
        throw UsageError(path + ": is given for two outputs; each needs a file of its own");
  }

  void reserve(bool overwrite, std::int64_t cells) {
    constexpr std::size_t kScratchPerCell = 8;
    std::size_t bytes_per_cell = kScratchPerCell;
    for (const Result& result : results_)
      bytes_per_cell +=
          size_of(result.type) *
          static_cast<std::size_t>(result.extents.count() / std::max<std::int64_t>(cells, 1));
    require_memory(cells, bytes_per_cell);
    for (Result& result : results_) {
      if (!result.path.empty()) result.file.emplace(result.path, overwrite, throw_if_interrupted);
      result.raster->emplace(result.type, result.extents);
    }
  }

  std::string picture_;
  std::optional<Raster> labels_, distance_, squared_, site_index_, offset_, direction_, pixels_;
  std::vector<Result> results_;
};

void tell(const VoronoiArguments& arguments, const Context& context, const Results& results,
          const Extents& extents, Report& report) {
  for (int axis = 0; axis < extents.rank(); ++axis) report.append("extents", extents[axis]);
  report.set("algorithm", arguments.algorithm);
  report.set("metric", arguments.metric);
  report.set("device", std::string(context.device()));
  report.set("threads", context.threads());
  report.set("files", results.files());
  if (arguments.timing && !arguments.quiet) report.print_timing();
  if (arguments.json) report.print_json();
}

void run(const VoronoiArguments& arguments) {
  const std::int64_t threads = parse_integer("--threads", arguments.threads, 0, 1024);
  Context context({.device = arguments.device, .threads = static_cast<int>(threads)});
  const Interruptible interruptible(context);
  Report report("voronoi");
  Raster sites = load_sites(arguments, context);
  if (!arguments.components.empty()) sites = number_components(arguments, context, sites);
  report.step(arguments.sites.empty() ? "random sites" : "read sites");
  throw_if_interrupted();

  const NearestSiteOptions options = to_options(arguments, sites.extents().rank());
  Results results(arguments, sites);
  report.step("prepare outputs");
  nearest_site(context, std::as_const(sites).view(), options, results.views());
  report.computed(context, sites.extents());
  if (!arguments.picture_file.empty()) {
    results.paint(context, sites);
    report.step("paint picture");
  }
  results.write();
  report.step("write files");
  tell(arguments, context, results, sites.extents(), report);
}

}  // namespace

void add_voronoi(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("voronoi", "Nearest site of every cell by straight line");
  command->footer(
      "Example: thiessen voronoi --random 200 --size 800x600 --seed 1 --labels labels.npy "
      "--distance distance.npy --picture voronoi.png");
  const auto arguments = std::make_shared<VoronoiArguments>();
  add_input_flags(*command, *arguments);
  add_choice_flags(*command, *arguments);
  add_output_flags(*command, *arguments);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
