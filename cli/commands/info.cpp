// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <variant>

#include "arguments.hpp"
#include "commands/commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostValues = 65536;

/// Format by the first bytes, for people.
std::string format_of(const std::string& path) {
  char start[8] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  const std::string_view bytes(start, sizeof start);
  if (bytes.starts_with("\x93NUMPY")) return "NPY";
  if (bytes.starts_with("\x89PNG")) return "PNG";
  if (bytes[0] == 'P' && (bytes[1] == '1' || bytes[1] == '4')) return "PBM";
  if (bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5')) return "PGM";
  if (bytes[0] == 'P' && (bytes[1] == '3' || bytes[1] == '6')) return "PPM";
  return "other";
}

/// What the cells of a raster hold.
class Contents {
 public:
  explicit Contents(const Raster& raster) { look_at(raster); }

  Json to_json() const {
    Json json = Json::object();
    if (!least_.is_null()) {
      json["min"] = least_;
      json["max"] = greatest_;
    }
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
    switch (raster.element_type()) {
      case ElementType::boolean:
      case ElementType::u8:
        return look(reinterpret_cast<const std::uint8_t*>(raster.bytes()), cells);
      case ElementType::i8:
        return look(raster.view<std::int8_t>().data(), cells);
      case ElementType::u16:
        return look(raster.view<std::uint16_t>().data(), cells);
      case ElementType::i16:
        return look(raster.view<std::int16_t>().data(), cells);
      case ElementType::u32:
        return look(raster.view<std::uint32_t>().data(), cells);
      case ElementType::i32:
        return look(raster.view<std::int32_t>().data(), cells);
      case ElementType::u64:
        return look(raster.view<std::uint64_t>().data(), cells);
      case ElementType::i64:
        return look(raster.view<std::int64_t>().data(), cells);
      case ElementType::f32:
        return look(raster.view<float>().data(), cells);
      case ElementType::f64:
        return look(raster.view<double>().data(), cells);
    }
  }

  /// Min and max of the finite cells; NaN are counted apart and once among the distinct values.
  template <class T>
  void look(const T* cells, std::int64_t count) {
    constexpr std::int64_t kStretch = std::int64_t{1} << 20;
    T least = std::numeric_limits<T>::max();
    T greatest = std::numeric_limits<T>::lowest();
    std::unordered_set<T> values;
    for (std::int64_t begin = 0; begin < count; begin += kStretch) {
      throw_if_interrupted();
      for (std::int64_t i = begin; i < std::min(begin + kStretch, count); ++i) {
        const T cell = cells[i];
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

  Json least_, greatest_;
  std::int64_t zero_ = 0, nonzero_ = 0, nan_ = 0, infinite_ = 0;
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

Json describe_raster(const std::string& path) {
  const io::RasterFile file = read_raster_file(path);
  const Raster& raster = file.raster;
  Json json{{"command", "info"}, {"version", THIESSEN_VERSION}, {"file", path}};
  json["format"] = format_of(path);
  json["type"] = std::string(name_of(raster.element_type()));
  for (int axis = 0; axis < raster.extents().rank(); ++axis)
    json["extents"].push_back(raster.extents()[axis]);
  json.update(describe_grid(raster.grid()));
  if (file.nodata) std::visit([&](auto value) { json["nodata"] = value; }, *file.nodata);
  json.update(Contents(raster).to_json());
  return json;
}

/// A value as people read it: lists in the order x, y, z, joined by what stands between them.
std::string to_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  const bool turned = key == "extents" || key == "spacing";
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) text += key == "extents" ? " x " : ", ";
    text += value[turned ? value.size() - 1 - i : i].dump();
  }
  return text;
}

void print_text(const Json& json) {
  for (const auto& [key, value] : json.items())
    if (key != "command" && key != "version")
      std::fprintf(stderr, "%-12s %s\n", key.c_str(), to_text(key, value).c_str());
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  struct InfoArguments {
    std::string file;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("info", "What a file holds");
  const auto arguments = std::make_shared<InfoArguments>();
  command->add_option("file", arguments->file, "A raster")
      ->required()
      ->type_name("FILE")
      ->check(check_file_name);
  command->add_flag("--json", arguments->json, "Print it as JSON on stdout");
  command->callback([arguments, &action] {
    action = [arguments] {
      const Json json = describe_raster(arguments->file);
      arguments->json ? print_to_stdout(json) : print_text(json);
    };
  });
}

}  // namespace thiessen::cli
