// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <unordered_set>
#include <variant>

#include "arguments.hpp"
#include "cell_values.hpp"
#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "io/inspect.hpp"
#include "io/points_file.hpp"
#include "io/site_file.hpp"
#include "raster_input.hpp"
#include "report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostValues = 65536;

/// What the cells of a raster hold.
class Contents {
 public:
  explicit Contents(const io::RasterFile& file) : nodata_(file.nodata) { look_at(file.raster); }

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
  void look_at(const Raster& raster) {
    const std::int64_t cells = raster.extents().count();
    visit_element_type(raster.element_type(), [&]<class T>(std::type_identity<T>) {
      look(reinterpret_cast<const T*>(raster.bytes()), cells);
    });
  }

  /// Min and max of the finite cells; NaN are counted apart and once among the distinct values, and
  /// nodata cells apart and not among them.
  template <class T>
  void look(const T* cells, std::int64_t count) {
    constexpr std::int64_t kStretch = std::int64_t{1} << 20;
    T least = std::numeric_limits<T>::max();
    T greatest = std::numeric_limits<T>::lowest();
    std::unordered_set<T> values;
    const std::optional<T> nodata = nodata_of<T>();
    for (std::int64_t begin = 0; begin < count; begin += kStretch) {
      throw_if_interrupted();
      for (std::int64_t i = begin; i < std::min(begin + kStretch, count); ++i) {
        const T cell = cells[i];
        if (nodata && (cell == *nodata || (is_nan(cell) && is_nan(*nodata)))) {
          ++nodata_cells_;
          continue;
        }
        if (is_nan(cell)) {
          ++nan_;
          continue;
        }
        ++(cell == 0 ? zero_ : nonzero_);
        if (!more_ && (i == 0 || cell != cells[i - 1])) more_ = !add(values, cell);
        if (is_infinite(cell)) {
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

  /// The nodata value, if the cells can hold it.
  template <class T>
  std::optional<T> nodata_of() const {
    if (!nodata_ || !can_hold(View<T>(nullptr, {}).element_type(), *nodata_)) return std::nullopt;
    return std::visit([](auto value) { return static_cast<T>(value); }, *nodata_);
  }

  template <class T>
  static bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) return value != value;
    return false;
  }

  template <class T>
  static bool is_infinite(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isinf(value);
    return false;
  }

  template <class T>
  static bool add(std::unordered_set<T>& values, T value) {
    values.insert(value);
    return values.size() <= kMostValues;
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
    json["degrees"] = grid.georeference->degrees;
    json["crs"] = grid.georeference->crs;
  }
  return json;
}

/// Cells that cannot be read as one raster, such as many bands, are described by their header
/// alone.
Json describe_raster(const std::string& path, const std::string& band) {
  const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
  Json json = Json::object();
  json["format"] = info.format;
  json["type"] = std::string(name_of(info.element_type));
  for (int axis = 0; axis < info.grid.extents.rank(); ++axis)
    json["extents"].push_back(info.grid.extents[axis]);
  if (info.bands > 1) json["bands"] = info.bands;
  json.update(describe_grid(info.grid));
  if (info.nodata) std::visit([&](auto value) { json["nodata"] = value; }, *info.nodata);
  if (!info.compression.empty()) json["compression"] = info.compression;
  if (info.block) json["block"] = {(*info.block)[0], (*info.block)[1]};
  if (info.bands > 1 && band.empty()) return json;
  io::ReadOptions options{.progress = [](double) { throw_if_interrupted(); }};
  if (!band.empty()) options.band = static_cast<int>(parse_integer("--band", band, 1, 1 << 30));
  json.update(Contents(read_raster_file(path, options)).to_json());
  return json;
}

Json describe_points(const std::string& path) {
  const io::PointsOptions options{.progress = [](double) { throw_if_interrupted(); }};
  const io::PointsFile file = as_usage([&] { return io::read_points(path, options); });
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
  for (const io::LayerInfo& layer : as_usage([&] { return io::inspect_layers(path); })) {
    Json fields = Json::object();
    for (const io::FieldInfo& field : layer.fields) fields[field.name] = field.type;
    json["layers"].push_back({{"name", layer.name},
                              {"geometry", layer.geometry},
                              {"features", layer.features},
                              {"fields", fields},
                              {"crs", layer.crs}});
  }
  return json;
}

Json describe(const std::string& path, const std::string& band) {
  Json json{{"command", "info"}, {"version", THIESSEN_VERSION}, {"file", path}};
  switch (as_usage([&] { return io::kind_of(path); })) {
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

/// A value as people read it: lists in the order x, y, z, joined by what stands between them.
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

void print_text(const Json& json, const char* indent = "") {
  for (const auto& [key, value] : json.items()) {
    if (key == "command" || key == "version") continue;
    if (key != "layers") {
      std::fprintf(stderr, "%s%-12s %s\n", indent, key.c_str(), to_text(key, value).c_str());
      continue;
    }
    for (const Json& layer : value) {
      std::fprintf(stderr, "layer\n");
      print_text(layer, "  ");
    }
  }
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  struct InfoArguments {
    std::string file, band;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("info", "What a file holds");
  const auto arguments = std::make_shared<InfoArguments>();
  command->footer("Example: thiessen info sites.npy --json");
  command->add_option("file", arguments->file, "A raster, points or vector layers")
      ->required()
      ->type_name("FILE")
      ->check(check_file_name);
  command->add_option("--band", arguments->band, "Whose cells are counted, if there are several")
      ->type_name("N");
  command->add_flag("--json", arguments->json, "Print it as JSON on stdout");
  command->callback([arguments, &action] {
    action = [arguments] {
      const Json json = describe(arguments->file, arguments->band);
      arguments->json ? print_to_stdout(json) : print_text(json);
    };
  });
}

}  // namespace thiessen::cli
