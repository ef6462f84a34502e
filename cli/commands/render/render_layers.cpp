// SPDX-License-Identifier: Apache-2.0
#include "commands/render/render_layers.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "inputs/rasters/raster_input.hpp"
#include "io/table/site_file.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

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

/// Whether the file is a raster, whose cells are the marks. Throws UsageError if it is, and a flag
/// of layers is given.
bool are_cells(const MarkArguments& arguments) {
  if (kind_of_input(arguments.file) != io::SiteFileKind::raster) return false;
  refuse_layer_flags("rasters", arguments.file, arguments.layer);
  return true;
}

/// A raster that is not 0 in the cells of a 2-D grid that hold points or features of the file.
Raster load_marks(const MarkArguments& arguments, const Grid& grid, Context& context,
                  Progress& progress, Warnings& warnings) {
  SiteArguments wanted;
  wanted.file = arguments.file;
  wanted.layer = arguments.layer;
  wanted.grid.known = grid;
  Sites sites = describe_sites(wanted, context.threads(), progress);
  hold_cells(wanted, context, progress, sites);
  if (sites.are_points()) {
    sites.raster = Raster(ElementType::u8, grid);
    std::fill_n(sites.raster.bytes(), sites.raster.size_bytes(), std::byte{0});
    mark_points(sites, sites.raster.view<std::uint8_t>());
  }
  for (const CommandWarning& warning : sites.warnings) warnings.add(warning);
  const std::byte* const bytes = sites.raster.bytes();
  const bool is_any = std::any_of(bytes, bytes + sites.raster.size_bytes(),
                                  [](std::byte byte) { return byte != std::byte{0}; });
  if (!is_any)
    warnings.add({"no_site", 1,
                  "--sites " + sites.name + ": marks no cell" +
                      (sites.why_none.empty() ? "" : "; " + sites.why_none)});
  return std::move(sites.raster);
}

}  // namespace

Layer::Layer(const std::string& flag, const std::string& path, const std::string& plane,
             const io::ReadOptions& reading) {
  if (path.empty()) return;
  const bool is_distance = flag == "--distance";
  file_ = is_distance ? read_quantities(path, reading) : read_raster_file(path, reading);
  if (is_distance) nodata_to_nan(file_);
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

Layer::Layer(Raster raster)
    : file_{.raster = std::move(raster)}, view_(std::as_const(file_.raster).view()) {}

void Layer::turn(const maps::Turn& turn) {
  if (!view_) return;
  const auto plane = view_.bytes() - std::as_const(file_.raster).bytes();
  maps::turn_cells(file_.raster.bytes() + plane, size_of(view_.element_type()), view_.extents(),
                   turn);
}

RenderLayers::RenderLayers(const RenderFiles& files, Context& context, Progress& progress,
                           Warnings& warnings) {
  const io::ReadOptions reading{.progress = progress.checkpoint()};
  const auto read = [&](const char* flag, const std::string& path, const char* stage, double end) {
    progress.stage(stage, end);
    return Layer(flag, path, files.plane, reading);
  };
  labels = read("--labels", files.labels, "read labels", 0.2);
  distance = read("--distance", files.distance, "read distances", 0.4);
  const MarkArguments& marks = files.sites;
  if (!marks.file.empty())
    sites = are_cells(marks)
                ? read("--sites", marks.file, "read sites", 0.5)
                : Layer(load_marks(marks, grid_of_marks(marks), context, progress, warnings));
  if (!any()) throw UsageError("nothing to paint: give --labels, --distance or --sites");
  const std::optional<maps::Turn> turn = maps::turn_of(own_georeference(), any().extents());
  if (!turn) return;
  for (Layer* layer : {&labels, &distance, &sites}) layer->turn(*turn);
  turned_ = turn->georeference;
}

std::optional<Georeference> RenderLayers::georeference() const {
  return turned_ ? turned_ : own_georeference();
}

std::optional<Georeference> RenderLayers::own_georeference() const {
  for (const Layer* layer : {&labels, &distance, &sites})
    if (layer->georeference()) return layer->georeference();
  return std::nullopt;
}

const Layer& RenderLayers::first() const {
  if (labels.view()) return labels;
  return distance.view() ? distance : sites;
}

/// The grid on which points and layers are marked.
Grid RenderLayers::grid_of_marks(const MarkArguments& arguments) const {
  if (!any())
    throw UsageError("--sites " + arguments.file +
                     ": has no grid of its own; give --labels or --distance, too");
  return {.extents = any().extents(), .georeference = georeference()};
}

}  // namespace thiessen::cli
