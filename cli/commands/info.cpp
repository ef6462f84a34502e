// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <unordered_set>
#include <variant>

#include "commands/commands.hpp"
#include "inputs/rasters/raster_input.hpp"
#include "inputs/sites/site_bounds.hpp"
#include "io/files/utf8.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/exact.hpp"
#include "io/raster/file_part.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/points_file.hpp"
#include "io/table/site_file.hpp"
#include "talk/interrupt.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"
#include "words/file_access.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostValues = 65536;

/// What the cells of a raster hold.
class Contents {
 public:
  explicit Contents(const io::RasterFile& file) : nodata_(file.nodata) {
    visit_element_type(file.raster.element_type(), [&]<class T>(std::type_identity<T>) {
      look(reinterpret_cast<const T*>(file.raster.bytes()), file.raster.extents().count());
    });
  }

  Json to_json() const {
    Json json = Json::object();
    if (!least_.is_null()) {
      json["min"] = least_;
      json["max"] = greatest_;
    }
    if (nodata_) json["nodata_cells"] = nodata_cells_;
    json["zero"] = zero_;
    json["nonzero"] = nonzero_;
    if (floats_) {
      json["nan"] = nan_;
      json["infinite"] = infinite_;
    }
    json["distinct"] = more_ ? Json("more than " + std::to_string(kMostValues)) : Json(distinct_);
    return json;
  }

 private:
  /// Min and max of the finite cells. NaN are counted apart, and once among the distinct values;
  /// nodata cells are counted apart, and not among them.
  template <class T>
  void look(const T* cells, std::int64_t count) {
    constexpr std::int64_t kStretch = std::int64_t{1} << 20;
    T least = std::numeric_limits<T>::max();
    T greatest = std::numeric_limits<T>::lowest();
    std::unordered_set<T> values;
    const auto nodata = nodata_ ? io::cast_exactly<T>(*nodata_) : std::optional<T>();
    for (std::int64_t begin = 0; begin < count; begin += kStretch) {
      throw_if_interrupted();
      for (std::int64_t i = begin; i < std::min(begin + kStretch, count); ++i) {
        const T cell = cells[i];
        if (nodata && io::equals(cell, *nodata)) {
          ++nodata_cells_;
          continue;
        }
        if (std::isnan(static_cast<double>(cell))) {
          ++nan_;
          continue;
        }
        ++(cell == 0 ? zero_ : nonzero_);
        if (!more_ && (i == 0 || cell != cells[i - 1])) {
          values.insert(cell);
          more_ = values.size() > kMostValues;
        }
        if (std::isinf(static_cast<double>(cell))) {
          ++infinite_;
          continue;
        }
        least = std::min(least, cell);
        greatest = std::max(greatest, cell);
      }
    }
    floats_ = std::is_floating_point_v<T>;
    distinct_ = values.size() + (nan_ > 0 ? 1 : 0);
    if (least > greatest) return;
    least_ = least;
    greatest_ = greatest;
  }

  std::optional<LabelValue> nodata_;
  Json least_, greatest_;
  std::int64_t nodata_cells_ = 0, zero_ = 0, nonzero_ = 0, nan_ = 0, infinite_ = 0;
  std::size_t distinct_ = 0;
  bool more_ = false, floats_ = false;
};

Json describe_grid(const Grid& grid) {
  Json json = Json::object();
  for (const double length : grid.spacing) json["spacing"].push_back(length);
  if (grid.georeference) {
    json["transform"] = grid.georeference->transform;
    json["bounds"] = bounds_of(grid);
    json["degrees"] = grid.georeference->degrees;
    json["crs_name"] = io::crs_text(grid.georeference->crs);
    json["crs"] = grid.georeference->crs;
  }
  return json;
}

/// Tells of the scale and the offset of a band that has them.
void add_scaling(const io::Scaling& scaling, Json& json) {
  if (!scaling) return;
  json["scale"] = scaling.scale;
  json["offset"] = scaling.offset;
}

/// Describes cells that cannot be read as one raster, such as many bands, only by their header.
Json describe_raster(const std::string& path, const std::string& band) {
  const io::RasterInfo info = as_usage_error([&] { return io::inspect_raster(path); });
  Json json = Json::object();
  json["format"] = info.format;
  json["type"] = std::string(name_of(info.element_type));
  json["extents"] = to_json(info.grid.extents);
  if (info.bands > 1) json["bands"] = info.bands;
  json.update(describe_grid(info.grid));
  if (info.nodata) std::visit([&](auto value) { json["nodata"] = value; }, *info.nodata);
  if (info.voxels && !info.voxels->unit.empty()) json["unit"] = info.voxels->unit;
  if (!info.compression.empty()) json["compression"] = info.compression;
  if (info.block) json["block"] = {(*info.block)[0], (*info.block)[1]};
  if (info.bands > 1 && band.empty() && !io::part_of(path).band) {
    add_scaling(info.scaling, json);
    return json;
  }
  io::ReadOptions options{.progress = [](double) { throw_if_interrupted(); }};
  choose_band(band, options);
  const io::RasterFile file = read_raster_file(path, options);
  add_scaling(file.scaling, json);
  json.update(Contents(file).to_json());
  return json;
}

Json describe_points(const std::string& path) {
  const io::PointsOptions options{.progress = [](double) { throw_if_interrupted(); }};
  const io::PointsFile file = as_usage_error([&] { return io::read_points(path, options); });
  Json json{{"format", "points"}, {"points", file.count()}, {"axes", file.axes}};
  if (file.count() > 0) {
    std::vector<double> low(file.coordinates.begin(), file.coordinates.begin() + file.axes);
    std::vector<double> high = low;
    for (std::size_t i = 0; i < file.coordinates.size(); ++i) {
      const std::size_t axis = i % low.size();
      low[axis] = std::min(low[axis], file.coordinates[i]);
      high[axis] = std::max(high[axis], file.coordinates[i]);
    }
    json["least"] = low;
    json["greatest"] = high;
  }
  json["labels"] =
      file.labels.extents().rank() == 0 ? "none" : std::string(name_of(file.labels.element_type()));
  return json;
}

Json describe_layers(const std::string& path) {
  Json json{{"format", "vector"}, {"layers", Json::array()}};
  for (const io::LayerInfo& layer : as_usage_error([&] { return io::inspect_layers(path); })) {
    Json fields = Json::object();
    for (const io::FieldInfo& field : layer.fields) fields[field.name] = field.type;
    Json one{{"name", layer.name}, {"geometry", layer.geometry}, {"features", layer.features}};
    if (layer.bounds) one["bounds"] = *layer.bounds;
    one["crs_name"] = io::crs_text(layer.crs);
    one["crs"] = layer.crs;
    one["fields"] = fields;
    json["layers"].push_back(std::move(one));
  }
  return json;
}

Json describe(const std::string& path, const std::string& band) {
  Json json{{"command", "info"}, {"version", THIESSEN_VERSION}, {"file", path}};
  switch (kind_of_input(path)) {
    case io::SiteFileKind::raster:
      json.update(describe_raster(path, band));
      break;
    case io::SiteFileKind::points:
      json.update(describe_points(path));
      break;
    case io::SiteFileKind::vector:
      json.update(describe_layers(path));
      break;
  }
  return json;
}

/// A value in readable form: lists in the order x, y, z, joined by a sign that depends on the key.
std::string to_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) {
    std::string text;
    for (const auto& [name, item] : value.items())
      text += (text.empty() ? "" : ", ") + name + " " + to_text(name, item);
    return text;
  }
  if (!value.is_array()) return value.dump();
  std::string text;
  const bool turned = key == "extents" || key == "spacing" || key == "block";
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) text += key == "extents" || key == "block" ? " x " : ", ";
    text += value[turned ? value.size() - 1 - i : i].dump();
  }
  return text;
}

/// A layer in one line: name, geometry, number of features, bounds, reference system, fields.
std::string layer_line(const Json& layer) {
  std::string text = layer["name"].get<std::string>() + ": " + layer["geometry"].get<std::string>();
  text += ", " + layer["features"].dump() + " features";
  if (layer.contains("bounds")) text += ", bounds " + to_text("bounds", layer["bounds"]);
  const std::string crs = layer["crs_name"].get<std::string>();
  text += ", crs " + (crs.empty() ? "unknown" : crs);
  if (!layer["fields"].empty()) text += ", fields: " + to_text("fields", layer["fields"]);
  return text;
}

void print_line(const std::string& key, const std::string& text) {
  std::printf("%-12s %s\n", key.c_str(), io::in_one_line(text).c_str());
}

void print_text(const Json& json, bool with_wkt) {
  const auto print_wkt = [with_wkt](const Json& wkt) {
    if (with_wkt) print_line("wkt", to_text("crs", wkt));
  };
  for (const auto& [key, value] : json.items()) {
    if (key == "command" || key == "version") continue;
    if (key == "crs") {
      print_wkt(value);
    } else if (key != "layers") {
      print_line(key == "crs_name" ? "crs" : key, to_text(key, value));
    } else {
      for (const Json& layer : value) {
        print_line("layer", layer_line(layer));
        print_wkt(layer["crs"]);
      }
    }
  }
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  struct InfoArguments {
    std::string file, band;
    AccessArguments access;
    bool json = false, wkt = false;
  };
  CLI::App* command = app.add_subcommand("info", "Show the contents of a file");
  const auto arguments = std::make_shared<InfoArguments>();
  command->footer("Example: thiessen info sites.npy --json");
  command->add_option("file", arguments->file, "A raster, points or vector layers")
      ->required()
      ->type_name("FILE")
      ->transform(input_name)
      ->check(check_file_name);
  command
      ->add_option("--band", arguments->band,
                   "Band whose cells are counted, if there are several; rgb: colours as one number")
      ->type_name("N");
  add_access_flags(*command, arguments->access);
  command->add_flag("--json", arguments->json, "Print the contents as JSON on stdout");
  command->add_flag("--wkt", arguments->wkt,
                    "Print coordinate reference systems as WKT, too, as JSON always does");
  command->callback([arguments, &action] {
    action = [arguments] {
      set_access(arguments->access);
      const Json json = describe(arguments->file, arguments->band);
      arguments->json ? print_to_stdout(json) : print_text(json, arguments->wkt);
      flush_stdout();
    };
  });
}

}  // namespace thiessen::cli
