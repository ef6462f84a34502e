// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "commands/commands.hpp"
#include "device_choice.hpp"
#include "file_access.hpp"
#include "interrupt.hpp"
#include "io/output_file.hpp"
#include "io/raster_file.hpp"
#include "memory.hpp"
#include "progress.hpp"
#include "raster_input.hpp"
#include "report.hpp"
#include "result_files.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostPixels = 1'000'000;  // along an axis: more is too much for readers of
                                                 // PNG

struct RenderArguments {
  std::string labels, distance, sites, plane;
  std::string mode, edges = "dark", contours = "none", marks = "solid";
  std::string shade = "0.3", ramp = "dusk", ramp_scale = "linear", range;
  std::string nodata, unreached = "0", background = "ffffff";
  std::string output, size, scale;
  bool overwrite = false;
  DeviceArguments device;
  AccessArguments access;
  TalkArguments talk;
};

void add_input_flags(CLI::App& command, RenderArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)->group("Inputs")->type_name(type);
  };
  option("--labels", arguments.labels, "FILE", "Raster of labels: a colour for each")
      ->transform(input_name)
      ->check(check_file_name);
  option("--distance", arguments.distance, "FILE", "Raster of distances, f32 or f64")
      ->transform(input_name)
      ->check(check_file_name);
  option("--sites", arguments.sites, "FILE", "Raster whose non-zero cells are marked")
      ->transform(input_name)
      ->check(check_file_name);
  option("--plane", arguments.plane, "Z", "Plane of 3-D rasters, from 0");
  option("--nodata", arguments.nodata, "V",
         "Label of nodata cells, painted grey (default: what the file says)");
  option("--unreached", arguments.unreached, "V", "Label of unreached cells")
      ->capture_default_str();
}

void add_look_flags(CLI::App& command, RenderArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->group("Look")
        ->type_name(type)
        ->capture_default_str();
  };
  option("--mode", arguments.mode, "NAME",
         "Colour by label (cells) or by distance; without it by what there is")
      ->check(CLI::IsMember(choice_names(kRenderModeNames)));
  option("--edges", arguments.edges, "COLOUR", "Lines between cells: dark, none or rrggbb");
  option("--marks", arguments.marks, "NAME",
         "Sites: solid, outline (of lines and areas the border) or none")
      ->check(CLI::IsMember(choice_names(kMarksNames)));
  option("--contours", arguments.contours, "INTERVAL",
         "Lines of equal distance: auto, none or their interval");
  option("--shade", arguments.shade, "PART",
         "How much darker far cells are than near ones: 0 to 1");
  option("--ramp", arguments.ramp, "NAME",
         "Colours of distances: dusk, ember, ice, grey, viridis, magma or cividis")
      ->check(CLI::IsMember(choice_names(kRampNames)));
  option("--ramp-scale", arguments.ramp_scale, "NAME", "linear, sqrt or log")
      ->check(CLI::IsMember(choice_names(kRampScaleNames)));
  option("--range", arguments.range, "A,B",
         "Distances at the ends of the ramp (default: the least and the greatest)");
  option("--background", arguments.background, "COLOUR", "Colour of unreached cells, rrggbb");
}

void add_output_flags(CLI::App& command, RenderArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)->group("Output")->type_name(type);
  };
  option("-o,--output", arguments.output, "FILE",
         "The picture: .png .ppm .tif, or .npy with the extents y, x, 3")
      ->required()
      ->check(check_file_name);
  auto* size = option("--size", arguments.size, "SIZE",
                      "Its size in pixels, WxH, or N for its longer side (default: as the raster)");
  option("--scale", arguments.scale, "S", "Its size in pixels per cell")->excludes(size);
  command.add_flag("--overwrite", arguments.overwrite, "Replace a file that exists")
      ->group("Output");
}

RenderOptions to_options(const RenderArguments& arguments) {
  RenderOptions options;
  // The flags take no other names.
  options.mode = find_render_mode(arguments.mode).value_or(RenderMode::cells);
  options.marks = *find_marks(arguments.marks);
  options.ramp = *find_ramp(arguments.ramp);
  options.scale = *find_ramp_scale(arguments.ramp_scale);
  options.edges = arguments.edges != "none";
  if (options.edges && arguments.edges != "dark")
    options.edge_colour = parse_colour("--edges", arguments.edges);
  options.contours = arguments.contours != "none";
  if (options.contours && arguments.contours != "auto")
    options.contour_interval = parse_positive("--contours", arguments.contours);
  options.shade = parse_distance("--shade", arguments.shade);
  if (!arguments.range.empty()) options.range = parse_range("--range", arguments.range);
  if (!arguments.nodata.empty()) options.label_nodata = parse_label("--nodata", arguments.nodata);
  options.unreached = parse_label("--unreached", arguments.unreached);
  options.background = parse_colour("--background", arguments.background);
  return options;
}

/// Turns distances of nodata cells into NaN, as in our own files.
void nodata_to_nan(io::RasterFile& file) {
  const auto clear = [&]<class T>(T* cells) {
    const double nodata =
        std::visit([](auto value) { return static_cast<double>(value); }, *file.nodata);
    std::replace(cells, cells + file.raster.extents().count(), static_cast<T>(nodata),
                 std::numeric_limits<T>::quiet_NaN());
  };
  if (!file.nodata) return;
  if (file.raster.element_type() == ElementType::f32) clear(file.raster.view<float>().data());
  if (file.raster.element_type() == ElementType::f64) clear(file.raster.view<double>().data());
}

/// A raster of a file, and the plane of it that is painted.
class Layer {
 public:
  Layer(const std::string& flag, const std::string& path, const std::string& plane,
        const io::ReadOptions& reading) {
    if (path.empty()) return;
    file_ = read_raster_file(path, reading);
    if (flag == "--distance") nodata_to_nan(file_);
    const View<const void> whole = std::as_const(file_.raster).view();
    view_ = whole;
    if (whole.rank() == 2) {
      if (!plane.empty())
        throw UsageError("--plane " + plane + ": " + path + " has two axes, hence no planes");
      return;
    }
    if (plane.empty())
      throw UsageError(flag + " " + path + ": has three axes; choose a plane with --plane Z");
    const std::int64_t z = parse_integer("--plane", plane, 0, whole.extent(0) - 1);
    view_ = View<const void>(whole.bytes() + z * whole.stride(0), whole.element_type(),
                             {whole.extent(1), whole.extent(2)});
  }

  const View<const void>& view() const { return view_; }
  const std::optional<LabelValue>& nodata() const { return file_.nodata; }
  const std::optional<Georeference>& georeference() const {
    return file_.raster.grid().georeference;
  }

 private:
  io::RasterFile file_;
  View<const void> view_;
};

std::int64_t rounded(double size) {
  return static_cast<std::int64_t>(std::llround(std::clamp(size, 1.0, 1e15)));
}

/// Pixels of the picture (y, x).
Extents picture_extents(const RenderArguments& arguments, const Extents& cells) {
  const auto height = static_cast<double>(cells[0]);
  const auto width = static_cast<double>(cells[1]);
  Extents pixels{std::max<std::int64_t>(cells[0], 1), std::max<std::int64_t>(cells[1], 1)};
  if (arguments.size.find('x') != std::string::npos) {
    pixels = parse_size("--size", arguments.size);
    if (pixels.rank() != 2)
      throw UsageError("--size " + arguments.size + ": must be WxH; a picture has two axes");
  } else if (!arguments.size.empty() || !arguments.scale.empty()) {
    const double scale =
        !arguments.scale.empty()
            ? parse_positive("--scale", arguments.scale)
            : static_cast<double>(parse_integer("--size", arguments.size, 1, kMostPixels)) /
                  std::max({height, width, 1.0});
    pixels = {rounded(height * scale), rounded(width * scale)};
  }
  if (std::max(pixels[0], pixels[1]) > kMostPixels)
    throw UsageError("the picture would have " + std::to_string(pixels[1]) + " x " +
                     std::to_string(pixels[0]) + " pixels; a side has at most " +
                     std::to_string(kMostPixels) + ": choose --size or --scale");
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

void run(const RenderArguments& arguments) {
  set_access(arguments.access);
  RenderOptions options = to_options(arguments);
  Context context = open_context(arguments.device);
  const Interruptible interruptible(context);
  Report report("render");
  Progress progress(arguments.talk);
  context.on_progress([&](double fraction) { progress.advance(fraction); });
  io::WriteOptions writing{.bands = io::Bands::last, .progress = progress.checkpoint()};
  require_picture_name(arguments.output);
  as_usage([&] { io::require_writable(arguments.output, ElementType::u8, {1, 1, 3}, writing); });
  const io::ReadOptions reading{.progress = progress.checkpoint()};
  progress.stage("read labels", 0.2);
  const Layer labels("--labels", arguments.labels, arguments.plane, reading);
  progress.stage("read distances", 0.4);
  const Layer distance("--distance", arguments.distance, arguments.plane, reading);
  progress.stage("read sites", 0.5);
  const Layer sites("--sites", arguments.sites, arguments.plane, reading);
  const RenderInputs inputs{labels.view(), distance.view(), sites.view()};
  const View<const void>& any = inputs.labels     ? inputs.labels
                                : inputs.distance ? inputs.distance
                                                  : inputs.sites;
  if (!any) throw UsageError("nothing to paint: give --labels, --distance or --sites");
  if (!options.label_nodata) options.label_nodata = labels.nodata();
  options.site_nodata = sites.nodata();
  report.step("read files");
  throw_if_interrupted();

  const Extents extents = picture_extents(arguments, any.extents());
  require_memory(extents.count(), 3);
  io::OutputFile file(arguments.output, arguments.overwrite, throw_if_interrupted);
  Raster pixels = Raster::of<std::uint8_t>({extents[0], extents[1], 3});
  progress.stage("paint", 0.8, any.extents().count());
  render(context, inputs, options, pixels.view<std::uint8_t>());
  report.computed(context, any.extents());
  progress.stage("write", 1);
  for (const Layer* layer : {&sites, &distance, &labels})
    if (layer->georeference())
      writing.georeference = picture_georeference(layer->georeference(), any.extents(), extents);
  io::write_raster(file, std::as_const(pixels).view(), writing);
  throw_if_interrupted();
  file.commit();
  progress.finish();
  report.step("write file");

  for (int axis = 0; axis < any.rank(); ++axis) report.append("extents", any.extent(axis));
  for (int axis = 0; axis < 2; ++axis) report.append("pixels", extents[axis]);
  report.append("files", file.target().string());
  report.print(arguments.talk);
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("render", "A result as a picture");
  command->footer(
      "Example: thiessen render --labels labels.npy --distance distance.npy "
      "--contours auto --size 1600 --output picture.png");
  const auto arguments = std::make_shared<RenderArguments>();
  add_input_flags(*command, *arguments);
  add_look_flags(*command, *arguments);
  add_output_flags(*command, *arguments);
  add_device_flags(*command, arguments->device);
  add_access_flags(*command, arguments->access);
  add_talk_flags(*command, arguments->talk);
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace thiessen::cli
