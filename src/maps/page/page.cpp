// SPDX-License-Identifier: Apache-2.0
#include "maps/page/page.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/raster/cell_values.hpp"
#include "io/raster/formats/png.hpp"
#include "maps/layout/legend.hpp"
#include "maps/scale/numbers.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/version.hpp"

namespace thiessen::maps {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostPageCells = 4'000'000;

struct EmbeddedFile {
  std::string_view name, text;
};

constexpr EmbeddedFile kFiles[] = {
#include "page_files.inc"
};

std::string_view file_named(std::string_view name) {
  return std::find_if(std::begin(kFiles), std::end(kFiles),
                      [&](const EmbeddedFile& file) { return file.name == name; })
      ->text;
}

std::string base64(const std::byte* bytes, std::size_t count) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < count ? std::to_integer<std::uint32_t>(bytes[k]) : 0U;
    };
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= count - i ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::string data_uri(const View<const std::uint8_t>& pixels) {
  const std::vector<std::byte> png = io::encode_png(pixels);
  return "data:image/png;base64," + base64(png.data(), png.size());
}

/// The bits of numbers of four bytes in rows of `width`, each less its left and its upper neighbour
/// and plus the one between these, which is little where values change evenly; then all lowest
/// bytes, all second ones and so on, compressed by zlib, as base64.
template <class T>
std::string packed(const std::vector<T>& numbers, std::size_t width) {
  static_assert(sizeof(T) == 4);
  std::vector<std::byte> bytes(numbers.size() * 4);
  const auto bits_of = [&](std::size_t i) { return std::bit_cast<std::uint32_t>(numbers[i]); };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t left = i % width > 0 ? bits_of(i - 1) : 0;
    const std::uint32_t above = i >= width ? bits_of(i - width) : 0;
    const std::uint32_t between = i % width > 0 && i >= width ? bits_of(i - width - 1) : 0;
    const std::uint32_t bits = bits_of(i) - left - above + between;
    for (std::size_t byte = 0; byte < 4; ++byte)
      bytes[byte * numbers.size() + i] = static_cast<std::byte>(bits >> (8 * byte));
  }
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::byte> small(size);
  const int result = compress2(reinterpret_cast<Bytef*>(small.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK) throw Error(ErrorCode::out_of_memory, "no memory to compress the page");
  return base64(small.data(), size);
}

/// The values of the cells in the middle of squares of step · step cells.
template <class Value>
std::string packed_values(const Extents& extents, std::int64_t step, const Value& value) {
  std::vector<decltype(value(std::int64_t{0}))> values;
  for (std::int64_t y = 0; y < extents[0]; y += step)
    for (std::int64_t x = 0; x < extents[1]; x += step)
      values.push_back(value(std::min(y + step / 2, extents[0] - 1) * extents[1] +
                             std::min(x + step / 2, extents[1] - 1)));
  return packed(values, static_cast<std::size_t>((extents[1] + step - 1) / step));
}

std::string packed_distances(const View<const void>& distance, std::int64_t step) {
  return visit_element_type(distance.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const cells = reinterpret_cast<const T*>(distance.bytes());
    return packed_values(distance.extents(), step,
                         [&](std::int64_t i) { return static_cast<float>(cells[i]); });
  });
}

std::string hex(const Colour& colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return text.data();
}

/// Paints the layers of a page, each a picture of its own.
class Layers {
 public:
  Layers(Context& context, const MapContents& contents, const Extents& pixels)
      : context_(context), contents_(contents), pixels_({pixels[0], pixels[1], 4}) {}

  Json list(const Raster& underlay) {
    const RenderInputs& all = contents_.layers;
    const bool by_distance = contents_.options.mode == RenderMode::distance;
    const double opacity = contents_.options.opacity;
    if (underlay) add("underlay", "Image", underlay.view<std::uint8_t>(), true);
    if (all.labels) {
      paint({.labels = all.labels, .distance = all.distance}, [](RenderOptions& options) {
        options.mode = RenderMode::cells;
        options.opacity = 1;
      });
      add_fading("cells", "Cells", !by_distance, opacity);
    }
    if (all.distance) {
      paint({.distance = all.distance}, [](RenderOptions& options) {
        options.mode = RenderMode::distance;
        options.opacity = 1;
      });
      add_fading("distance", "Distance", by_distance || !all.labels, opacity);
    }
    if (all.distance && contents_.options.contours) {
      paint({.distance = all.distance}, [](RenderOptions& options) { options.contours = true; });
      add("contours", "Lines of equal distance", pixels_.view(), true);
    }
    if (all.labels) {
      paint({.labels = all.labels}, [](RenderOptions& options) { options.edges = true; });
      add("edges", "Borders", pixels_.view(), contents_.options.edges);
    }
    if (all.sites) {
      const Marks marks = contents_.options.marks;
      paint({.sites = all.sites}, [&](RenderOptions& options) {
        options.marks = marks == Marks::none ? Marks::solid : marks;
      });
      add("sites", "Sites", pixels_.view(), marks != Marks::none);
    }
    return std::move(list_);
  }

 private:
  /// Paints with the look of the map, changed, but by itself without anything over the cells, which
  /// cannot be seen.
  template <class Change>
  void paint(const RenderInputs& inputs, const Change& change) {
    RenderOptions options = contents_.options;
    options.edges = false;
    options.contours = false;
    options.marks = Marks::none;
    options.opacity = 0;
    change(options);
    render(context_, inputs, options, pixels_.view());
  }

  void add(const char* name, const char* title, const View<const std::uint8_t>& pixels, bool on) {
    list_.push_back({{"name", name}, {"title", title}, {"on", on}, {"image", data_uri(pixels)}});
  }

  void add_fading(const char* name, const char* title, bool on, double opacity) {
    add(name, title, pixels_.view(), on);
    list_.back()["fades"] = true;
    list_.back()["opacity"] = opacity;
  }

  Context& context_;
  const MapContents& contents_;
  Array<std::uint8_t> pixels_;
  Json list_ = Json::array();
};

Json site_list(const std::vector<SiteRow>& rows) {
  Json list = Json::array();
  for (const SiteRow& row : rows)
    list.push_back({{"label", io::label_text(row.label)},
                    {"name", row.name},
                    {"colour", hex(row.colour)},
                    {"cells", row.cells},
                    {"farthest", std::isfinite(row.greatest_distance) ? Json(row.greatest_distance)
                                                                      : Json(nullptr)},
                    {"x", row.x},
                    {"y", row.y}});
  return list;
}

Json unit_json(const ReadableUnit& unit) { return {{"name", unit.name}, {"factor", unit.factor}}; }

/// The unit of areas of so many cells.
ReadableUnit area_unit(const Ground& ground, const std::vector<SiteRow>& rows) {
  std::int64_t most = 0;
  for (const SiteRow& row : rows) most = std::max(most, row.cells);
  const double side = std::sqrt(static_cast<double>(most) * ground.cell_area.value_or(1));
  const ReadableUnit unit = readable_unit(ground.length_unit, side);
  return {unit.name.empty() ? "" : unit.name + "²", unit.factor * unit.factor};
}

std::int64_t value_step(const Extents& extents) {
  const auto cells = static_cast<double>(extents.count());
  return std::max<std::int64_t>(
      1,
      static_cast<std::int64_t>(std::ceil(std::sqrt(cells / static_cast<double>(kMostPageCells)))));
}

Json ramp_json(Context& context, const RenderOptions& options) {
  Json colours = Json::array();
  for (const Colour& colour : ramp_colours(context, options)) colours.push_back(hex(colour));
  return {{"colours", colours}, {"range", *options.range}};
}

Json data_of(Context& context, const MapContents& contents, const Raster& underlay,
             const std::optional<Georeference>& georeference, const Extents& pixels) {
  const RenderInputs& layers = contents.layers;
  const Ground& ground = contents.ground;
  const Extents& extents = (layers.labels     ? layers.labels
                            : layers.distance ? layers.distance
                                              : layers.sites)
                               .extents();
  const std::int64_t step = value_step(extents);
  Json data{{"width", extents[1]},
            {"height", extents[0]},
            {"step", step},
            {"pixels", {pixels[1], pixels[0]}},
            {"unit", unit_json({contents.unit.name, contents.unit.factor})},
            {"rampTitle", contents.unit.title},
            {"lengthUnit", ground.length_unit},
            {"cellWidth", ground.cell_width},
            {"note", ground.note},
            {"cellArea", ground.cell_area ? Json(*ground.cell_area) : Json(nullptr)},
            {"areaUnit", unit_json(area_unit(ground, contents.sites.rows))}};
  if (georeference) {
    data["transform"] = georeference->transform;
    data["degrees"] = georeference->degrees;
  }
  data["layers"] = Layers(context, contents, pixels).list(underlay);
  data["sites"] = site_list(contents.sites.rows);
  if (layers.labels)
    data["rows"] = packed_values(extents, step, [&](std::int64_t i) {
      return contents.sites.row_of_cell[static_cast<std::size_t>(i)];
    });
  if (layers.distance) data["distances"] = packed_distances(layers.distance, step);
  if (layers.distance && contents.options.range)
    data["ramp"] = ramp_json(context, contents.options);
  return data;
}

/// Text between the tags of HTML.
std::string in_html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    constexpr std::string_view kSpecial = "&<>\"'";
    if (kSpecial.find(c) == std::string_view::npos)
      result += c;
    else
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
  }
  return result;
}

/// JSON within a script of HTML, which the tag that ends it must not break.
std::string script_json(const Json& json) {
  std::string result;
  for (const char c : json.dump()) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

/// Writes the frame with texts in place of @NAME@.
void write_frame(io::OutputFile& file,
                 const std::vector<std::pair<std::string_view, std::string>>& texts) {
  const auto put = [&](std::string_view text) { file.write(text.data(), text.size()); };
  std::string_view rest = file_named("frame");
  for (;;) {
    const std::size_t begin = rest.find('@');
    put(rest.substr(0, begin));
    if (begin == std::string_view::npos) return;
    const std::size_t end = rest.find('@', begin + 1);
    const std::string_view name = rest.substr(begin + 1, end - begin - 1);
    put(std::find_if(texts.begin(), texts.end(), [&](const auto& text) {
          return text.first == name;
        })->second);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::int64_t write_page(Context& context, const MapContents& contents, const MapLook& look,
                        const std::optional<Georeference>& georeference, const Extents& pixels,
                        io::OutputFile& file) {
  const Json data = data_of(context, contents, look.underlay, georeference, pixels);
  write_frame(file, {{"VERSION", version()},
                     {"TITLE", in_html(look.title.empty() ? "Nearest-site map" : look.title)},
                     {"STYLE", std::string(file_named("style"))},
                     {"DATA", script_json(data)},
                     {"SCRIPT", std::string(file_named("script"))}});
  return data["step"];
}

}  // namespace thiessen::maps
