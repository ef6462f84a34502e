// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "commands/render/layout_arguments.hpp"
#include "commands/render/render_layers.hpp"
#include "commands/render/underlay.hpp"
#include "io/files/lower_case.hpp"
#include "io/files/output_file.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/raster_file.hpp"
#include "maps/layout/map.hpp"
#include "maps/page/page.hpp"
#include "maps/scale/world_file.hpp"
#include "results/result_files.hpp"
#include "results/warnings.hpp"
#include "talk/interrupt.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "talk/reporting.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/device_choice.hpp"
#include "words/file_access.hpp"
#include "words/flag_group.hpp"
#include "words/memory.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostPixels = 1'000'000;  // along an axis: more is too much for readers of
                                                 // PNG

constexpr double kOverUnderlay = 0.6;            // opacity of cells over an image
constexpr std::int64_t kMapPixels = 900;         // along the longer side
constexpr std::int64_t kPagePixels = 1600;       // the same
constexpr std::int64_t kMostMapPixels = 20'000;  // with room for the rest below kLongestSide

struct RenderArguments {
  RenderFiles files;
  OptionFlags look{kRender,
                   {"shape", "edges", "edge_colour", "contours", "contour_interval", "site_nodata",
                    "label_nodata", "opacity"}};
  std::string edges = "dark", contours = "none", nodata, opacity;
  std::string output, format, size, scale;
  bool transparent = false, world_file = false, overwrite = false;
  LayoutArguments map;
  DeviceArguments device;
  AccessArguments access;
  TalkArguments talk;
};

void add_input_flags(CLI::App& command, RenderArguments& arguments) {
  const FlagGroup inputs(command, "Inputs");
  inputs.input("--labels", arguments.files.labels, "Raster of labels, each in a colour of its own");
  inputs.input("--distance", arguments.files.distance, "Raster of distances, f32 or f64");
  auto* sites = inputs.input("--sites", arguments.files.sites.file,
                             "Sites to mark: a raster's non-zero cells, points as x,y (.csv .txt), "
                             "or a vector layer (.gpkg .shp …)");
  inputs.option("--plane", arguments.files.plane, "Z", "Plane of 3-D rasters, from 0");
  add_layer_flags(command, arguments.files.sites.layer, *sites);
}

void add_look_flags(CLI::App& command, RenderArguments& arguments) {
  const FlagGroup look(command, "Look");
  arguments.look.add_to(command);
  look.option("--nodata", arguments.nodata, "V",
              "Cells of this label are grey (default: what the file says)");
  look.option("--opacity", arguments.opacity, "PART",
              "How opaque coloured cells are, 0 to 1 (default: 1, over --underlay 0.6)");
  look.option("--edges", arguments.edges, "COLOUR", "Lines between cells: dark, none or rrggbb")
      ->capture_default_str();
  look.option("--contours", arguments.contours, "INTERVAL",
              "Lines of equal distance: auto, none or their interval")
      ->capture_default_str();
  look.flag("--transparent", arguments.transparent, "Unreached and nodata cells are transparent");
}

void add_output_flags(CLI::App& command, RenderArguments& arguments) {
  const FlagGroup output(command, "Output");
  output
      .output("-o,--output", arguments.output,
              "The picture: .png .ppm .tif, or .npy with the extents y, x, 3; a map: .png .svg "
              ".pdf; a page with map and table: .html; - is standard output")
      ->required();
  output.word("--output-format,--of", arguments.format, "NAME",
              "Format on standard output: PNG, NPY, SVG, PDF or HTML (default: PNG)");
  auto* size = output.option("--size", arguments.size, "SIZE",
                             "Size of the picture in pixels, WxH, or N for the longer side "
                             "(default: the size of the raster; for a map 900, for a page 1600)");
  output.option("--scale", arguments.scale, "S", "Size of the picture in pixels per cell")
      ->excludes(size);
  output.flag("--world-file", arguments.world_file,
              "Write the picture's place in the world beside it, as .pgw, .tfw or .wld");
  output.flag("--overwrite", arguments.overwrite, "Replace a file that exists");
}

RenderOptions to_options(const RenderArguments& arguments) {
  RenderOptions options;
  arguments.look.apply(&options, 2);
  options.edges = arguments.edges != "none";
  if (options.edges && arguments.edges != "dark")
    arguments.look.set("edge_colour", "--edges", arguments.edges, &options);
  options.contours = arguments.contours != "none";
  if (options.contours && arguments.contours != "auto")
    arguments.look.set("contour_interval", "--contours", arguments.contours, &options);
  if (!arguments.nodata.empty())
    arguments.look.set("label_nodata", "--nodata", arguments.nodata, &options);
  if (!arguments.opacity.empty())
    arguments.look.set("opacity", "--opacity", arguments.opacity, &options);
  else if (!arguments.map.underlay.empty())
    options.opacity = kOverUnderlay;
  return options;
}

std::int64_t rounded(double size) {
  return static_cast<std::int64_t>(std::llround(std::clamp(size, 1.0, 1e15)));
}

/// Pixels of the picture (y, x); without --size, the longer side of a map has `map_side`, if that
/// is not 0.
Extents picture_extents(const RenderArguments& arguments, const Extents& cells,
                        std::int64_t map_side) {
  const auto height = static_cast<double>(cells[0]);
  const auto width = static_cast<double>(cells[1]);
  Extents pixels{std::max<std::int64_t>(cells[0], 1), std::max<std::int64_t>(cells[1], 1)};
  if (arguments.size.find('x') != std::string::npos) {
    pixels = parse_size("--size", arguments.size);
    if (pixels.rank() != 2)
      throw UsageError("--size " + arguments.size + ": must be WxH; a picture has two axes");
  } else if (map_side > 0 || !arguments.size.empty() || !arguments.scale.empty()) {
    const std::int64_t side =
        arguments.size.empty() ? map_side : parse_integer("--size", arguments.size, 1, kMostPixels);
    const double scale = !arguments.scale.empty()
                             ? parse_positive("--scale", arguments.scale)
                             : static_cast<double>(side) / std::max({height, width, 1.0});
    pixels = {rounded(height * scale), rounded(width * scale)};
  }
  const std::int64_t most = map_side > 0 ? kMostMapPixels : kMostPixels;
  if (std::max(pixels[0], pixels[1]) > most)
    throw UsageError("the picture would have " + std::to_string(pixels[1]) + " x " +
                     std::to_string(pixels[0]) + " pixels; a side has at most " +
                     std::to_string(most) + ": choose --size or --scale");
  return pixels;
}

/// The georeference of a picture with another size than its raster: its pixels are larger by the
/// factor by which they are fewer.
std::optional<Georeference> picture_georeference(std::optional<Georeference> georeference,
                                                 const Extents& cells, const Extents& pixels) {
  if (!georeference) return georeference;
  for (const std::size_t of_row : {0u, 3u}) {
    georeference->transform[of_row + 1] *=
        static_cast<double>(cells[1]) / static_cast<double>(pixels[1]);
    georeference->transform[of_row + 2] *=
        static_cast<double>(cells[0]) / static_cast<double>(pixels[0]);
  }
  return georeference;
}

constexpr const char* kStandardOutput = "-";

/// The suffix of the output, or of what standard output gets.
std::string suffix_of(const RenderArguments& arguments) {
  if (arguments.output != kStandardOutput)
    return io::lower_case(std::filesystem::path(arguments.output).extension().string());
  return arguments.format.empty() ? ".png" : "." + io::lower_case(arguments.format);
}

/// Throws UsageError unless the format is one for standard output, where alone it is given.
void require_format(const RenderArguments& arguments) {
  if (arguments.format.empty()) return;
  const std::string name = "--output-format " + arguments.format;
  if (arguments.output != kStandardOutput)
    throw UsageError(name + ": is for standard output (-); the suffix of " + arguments.output +
                     " names its format");
  constexpr std::array<std::string_view, 5> kFormats = {"png", "npy", "svg", "pdf", "html"};
  const std::string format = io::lower_case(arguments.format);
  if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end())
    throw UsageError(name + ": must be PNG, NPY, SVG, PDF or HTML");
}

/// Whether the output is a map: it has more than the picture, or a format that only maps have.
bool is_map(const RenderArguments& arguments) {
  const std::string suffix = suffix_of(arguments);
  const std::string flag = flag_of_map(arguments.map);
  const bool drawn = suffix == ".svg" || suffix == ".pdf";
  if (flag.empty() && !drawn) return false;
  if (!drawn && suffix != ".png")
    throw UsageError(flag + ": a map is written as .png, .svg or .pdf, and not as " +
                     (arguments.format.empty() ? arguments.output : arguments.format));
  if (!maps::has_drawings())
    throw UsageError((flag.empty() ? arguments.output : flag) +
                     ": this build has no Cairo and Pango, which draw maps");
  return true;
}

bool is_page(const RenderArguments& arguments) {
  const std::string suffix = suffix_of(arguments);
  return suffix == ".html" || suffix == ".htm";
}

/// What a run has at hand.
struct RenderRun {
  const RenderArguments& arguments;
  Context& context;
  Report& report;
  Progress& progress;
  RenderLayers layers;
  RenderOptions options;
  Extents pixels;

  std::optional<Georeference> georeference() const {
    return picture_georeference(layers.georeference(), layers.any().extents(), pixels);
  }
};

/// The world file of an output, where one is wanted.
std::optional<io::OutputFile> open_world_file(const RenderRun& run) {
  if (!run.arguments.world_file) return std::nullopt;
  const bool has_name = run.arguments.output != kStandardOutput;
  const std::string suffix = has_name ? suffix_of(run.arguments) : "";
  if (suffix != ".png" && suffix != ".ppm" && suffix != ".tif" && suffix != ".tiff")
    throw UsageError("--world-file: goes with .png, .ppm and .tif, and not with " +
                     run.arguments.output);
  if (!run.layers.georeference())
    throw UsageError("--world-file: no raster has a georeference that it could tell");
  return io::OutputFile(maps::world_file_of(run.arguments.output), run.arguments.overwrite,
                        throw_if_interrupted);
}

/// `corner` is that of the picture in the output.
void commit(RenderRun& run, io::OutputFile& file, std::optional<io::OutputFile>& world,
            const maps::Point& corner) {
  std::vector<io::OutputFile*> files = {&file};
  if (world) {
    const std::string text = maps::world_text(*run.georeference(), corner);
    world->write(text.data(), text.size());
    files.push_back(&*world);
  }
  io::commit_all(files, throw_if_interrupted);
  for (const io::OutputFile* const each : files)
    run.report.append("files", each->target().string());
}

void write_picture(RenderRun& run) {
  const bool see_through = run.arguments.transparent || run.options.opacity < 1;
  const std::int64_t channels = see_through ? 4 : 3;
  io::WriteOptions writing{.georeference = run.georeference(),
                           .bands = io::Bands::last,
                           .progress = run.progress.checkpoint()};
  if (run.arguments.output == kStandardOutput)
    writing.format = suffix_of(run.arguments) == ".npy" ? "NPY" : "PNG";
  as_usage_error([&] {
    io::require_writable(run.arguments.output, ElementType::u8, {1, 1, channels}, writing);
  });
  require_memory(run.pixels.count(), static_cast<std::size_t>(channels));
  std::optional<io::OutputFile> world = open_world_file(run);
  io::OutputFile file(run.arguments.output, run.arguments.overwrite, throw_if_interrupted);
  Raster pixels = Raster::of<std::uint8_t>({run.pixels[0], run.pixels[1], channels});
  run.progress.stage("paint", 0.8, run.layers.any().extents().count());
  render(run.context, run.layers.inputs(), run.options, pixels.view<std::uint8_t>());
  run.report.computed(run.context, run.layers.any().extents());
  run.progress.stage("write", 1);
  io::write_raster(file, std::as_const(pixels).view(), writing);
  commit(run, file, world, {});
}

maps::DrawingFormat drawing_format(const RenderArguments& arguments) {
  const std::string suffix = suffix_of(arguments);
  if (suffix == ".svg") return maps::DrawingFormat::svg;
  return suffix == ".pdf" ? maps::DrawingFormat::pdf : maps::DrawingFormat::png;
}

/// The names of the labels, and what the map tells of them.
maps::SiteTable read_sites(RenderRun& run) {
  const LayoutArguments& map = run.arguments.map;
  const std::string& labels = run.arguments.files.labels;  // which may have names itself
  const maps::SiteNames names = as_usage_error([&] {
    if (!map.names.file.empty()) return maps::SiteNames(map.names);
    return labels.empty() ? maps::SiteNames() : maps::SiteNames::of_values(labels);
  });
  return maps::make_site_table(run.context, run.layers.inputs(), run.options, names);
}

/// What a map or page shows, without the table of sites, and what is around it.
struct MapParts {
  maps::MapContents map = {};
  maps::MapLook look = {};
};

/// The unit of lengths in the coordinates of the layers; empty if there is none.
std::string unit_of_lengths(const RenderLayers& layers) {
  const auto& place = layers.georeference();
  const auto unit = place ? io::length_unit_of(place->crs) : std::nullopt;
  return unit ? unit->symbol : "";
}

MapParts map_parts(RenderRun& run) {
  constexpr std::size_t kBytesPerPixel = 40;  // pictures of paper are finer
  const LayoutArguments& arguments = run.arguments.map;
  const Extents& cells = run.layers.any().extents();
  require_memory(run.pixels.count(), kBytesPerPixel);
  complete_options(run.layers.inputs(), run.options);
  MapParts parts{.map = {.layers = run.layers.inputs(), .options = run.options}};
  parts.map.ground = maps::ground_of(cells, run.layers.georeference(), run.layers.voxels(),
                                     to_cell_size(arguments.units));
  parts.map.unit = maps::value_unit(run.layers.distance.unit(), unit_of_lengths(run.layers),
                                    arguments.units.unit, run.options.range);
  parts.look = to_look(arguments, parts.map.layers, run.options, parts.map.ground);
  parts.look.see_through =
      run.arguments.transparent || run.options.opacity < 1 || !arguments.underlay.empty();
  if (!arguments.underlay.empty() && !maps::has_drawings())
    throw UsageError("--underlay: this build has no Cairo, which reads images");
  if (!arguments.underlay.empty())
    parts.look.underlay = read_underlay(arguments.underlay, cells, run.layers.georeference(),
                                        {.progress = run.progress.checkpoint()});
  return parts;
}

/// Writes a map or a page.
void write_drawn(RenderRun& run, bool is_page) {
  const RenderArguments& arguments = run.arguments;
  const Extents& cells = run.layers.any().extents();
  auto [map, look] = map_parts(run);
  std::optional<io::OutputFile> world = open_world_file(run);
  io::OutputFile file(arguments.output, arguments.overwrite, throw_if_interrupted);
  run.progress.stage("paint", 1, cells.count());
  map.sites = read_sites(run);
  if (is_page && map.sites.rows.size() > maps::kMostPageSites)
    throw UsageError("--labels " + arguments.files.labels + ": has " +
                     std::to_string(map.sites.rows.size()) + " labels; a page lists at most " +
                     std::to_string(maps::kMostPageSites));
  if (is_page || look.site_names)
    maps::find_places(run.context, map.layers, map.options, map.sites);
  maps::Point corner;
  if (is_page) {
    run.report.set("cells_apart", maps::write_page(run.context, map, look,
                                                   run.layers.georeference(), run.pixels, file));
  } else {
    const maps::MapReport drawn =
        maps::draw_map(run.context, map, look, run.pixels, file, drawing_format(arguments));
    corner = {drawn.frame.x, drawn.frame.y};
    if (look.site_names) run.report.set("names_left_out", drawn.names_left_out);
  }
  run.report.computed(run.context, cells);
  commit(run, file, world, corner);
}

void run(const RenderArguments& arguments) {
  set_access(arguments.access);
  require_format(arguments);
  RenderOptions options = to_options(arguments);
  Context context = open_context(arguments.device);
  const Interruptible interruptible(context);
  Report report("render");
  Progress progress(arguments.talk);
  const Reporting reporting(context, [&](double fraction) { progress.advance(fraction); });
  Warnings warnings(arguments.talk);
  const bool page = is_page(arguments);
  const bool map = !page && is_map(arguments);
  if (!map && !page && arguments.output != kStandardOutput) require_picture_name(arguments.output);
  RenderRun run{.arguments = arguments,
                .context = context,
                .report = report,
                .progress = progress,
                .layers = RenderLayers(arguments.files, context, progress, warnings),
                .options = options,
                .pixels = {}};
  const Extents& cells = run.layers.any().extents();
  if (!run.options.label_nodata) run.options.label_nodata = run.layers.labels.nodata();
  run.options.site_nodata = run.layers.sites.nodata();
  report.step("read files");
  throw_if_interrupted();
  run.pixels = picture_extents(arguments, cells, page ? kPagePixels : map ? kMapPixels : 0);
  report.set("extents", to_json(cells));
  report.set("pixels", to_json(run.pixels));
  if (page || map)
    write_drawn(run, page);
  else
    write_picture(run);
  progress.finish();
  report.step("write file");
  warnings.tell(report);
  report.print(arguments.talk);
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("render", "Paint a result as a picture, a map or a page");
  command->footer(
      "Example: thiessen render --labels labels.npy --distance distance.npy "
      "--contours auto --size 1600 --output picture.png\n"
      "Example: thiessen render --labels labels.npy --distance distance.npy --output map.html");
  const auto arguments = std::make_shared<RenderArguments>();
  add_input_flags(*command, *arguments);
  add_look_flags(*command, *arguments);
  add_layout_flags(*command, arguments->map);
  add_output_flags(*command, *arguments);
  add_device_flags(*command, arguments->device);
  add_access_flags(*command, arguments->access);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
