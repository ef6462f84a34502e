// SPDX-License-Identifier: Apache-2.0
#include "maps/layout/map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "io/raster/cell_values.hpp"
#include "maps/layout/legend.hpp"
#include "maps/layout/map_texts.hpp"
#include "maps/lines/map_lines.hpp"
#include "maps/scale/numbers.hpp"

namespace thiessen::maps {
namespace {

// In units: 1 for a picture of 900 x 900 pixels or less.
constexpr double kPageMargin = 18, kPageGap = 14, kLegendGap = 22;
constexpr double kTitle = 21, kSmallText = 12, kFrameWidth = 1;
constexpr double kBarHeight = 7, kStripHeight = 40, kArrowHeight = 34;
constexpr double kBarShare = 0.3;  // of the width of the picture, at most
constexpr Colour kInk{28, 30, 36};
constexpr Colour kWhite{255, 255, 255};
constexpr Colour kNodataGrey{160, 160, 160};

double unit_of(const Extents& pixels) {
  const double area = static_cast<double>(pixels[0]) * static_cast<double>(pixels[1]);
  return std::max(1.0, std::sqrt(area) / 900);
}

/// Which cells there are that are neither of a site nor of a distance.
struct SpecialCells {
  bool unreached = false, nodata = false;
};

bool holds(const View<const void>& cells, const LabelValue& value) {
  return io::can_hold(cells.element_type(), value) && io::any_holds(cells, value);
}

SpecialCells special_cells(const RenderInputs& layers, const RenderOptions& options) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  SpecialCells special;
  if (layers.distance)
    special = {.unreached = holds(layers.distance, kInfinity),
               .nodata = holds(layers.distance, kNan)};
  if (!layers.labels) return special;
  const bool apart = !options.label_nodata ||
                     io::label_text(*options.label_nodata) != io::label_text(options.unreached);
  special.unreached = special.unreached || (apart && holds(layers.labels, options.unreached));
  special.nodata = special.nodata || holds(layers.labels, options.label_nodata.value_or(kNan));
  return special;
}

/// The rows of the table that the legend has: those of the most cells, in the order of the table.
std::vector<std::size_t> rows_in_legend(const std::vector<SiteRow>& rows, std::size_t count) {
  std::vector<std::size_t> chosen(rows.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].cells > rows[b].cells; });
  chosen.resize(std::min(count, chosen.size()));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

bool shows_distances(const MapContents& contents) {
  return contents.layers.distance &&
         (contents.options.mode == RenderMode::distance || !contents.layers.labels);
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() ? text : text + " " + unit;
}

LegendContents legend_contents(Context& context, const MapContents& contents, const MapLook& look,
                               std::size_t count) {
  LegendContents legend;
  const std::vector<SiteRow>& sites = contents.sites.rows;
  const ValueUnit& unit = contents.unit;
  if (!shows_distances(contents) && !sites.empty()) {
    legend.title = "Nearest site";
    for (const std::size_t row : rows_in_legend(sites, count))
      legend.entries.push_back({.colour = sites[row].colour, .text = sites[row].name});
    if (sites.size() > count)
      legend.more = (count > 0 ? "and " : "") + std::to_string(sites.size() - count) +
                    (count > 0 ? " more" : " sites");
  }
  const SpecialCells special = special_cells(contents.layers, contents.options);
  if (special.unreached && !look.see_through)
    legend.others.push_back({.colour = contents.options.background, .text = "out of reach"});
  if (special.nodata && !look.see_through)
    legend.others.push_back({.colour = kNodataGrey, .text = "no data"});
  if (contents.options.contours && contents.options.contour_interval)
    legend.others.push_back(
        {.kind = LegendEntry::Kind::line,
         .colour = kInk,
         .text =
             "lines every " +
             with_unit(number_text(*contents.options.contour_interval * unit.factor), unit.name)});
  if (shows_distances(contents) && contents.options.range) {
    LegendRamp ramp{.title = unit.title, .colours = ramp_colours(context, contents.options)};
    for (const std::size_t end : {0U, 1U})
      ramp.range[end] = (*contents.options.range)[end] * unit.factor;
    legend.ramp = std::move(ramp);
  }
  return legend;
}

/// Opaque cells, or cells with opacity over an underlay, as (y, x, 4).
Array<std::uint8_t> paint(Context& context, const MapContents& contents, const Extents& pixels,
                          bool over) {
  Array<std::uint8_t> picture({pixels[0], pixels[1], 4});
  if (over) {
    render(context, contents.layers, contents.options, picture.view());
    return picture;
  }
  std::fill(picture.begin(), picture.end(), std::uint8_t{255});
  const View<std::uint8_t> colours(picture.data(), {pixels[0], pixels[1], 3},
                                   {picture.view().stride(0), picture.view().stride(1), 1});
  render(context, contents.layers, contents.options, colours);
  return picture;
}

/// How much finer the picture of a map on paper is: 288 pixels an inch, unless that is too much.
std::int64_t fineness_of(DrawingFormat format, const Extents& pixels) {
  constexpr std::int64_t kFineness = 3;
  constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;
  if (format == DrawingFormat::png) return 1;
  std::int64_t fineness = kFineness;
  while (fineness > 1 && pixels[0] * pixels[1] * fineness * fineness > kMostPixels) --fineness;
  return fineness;
}

/// A bar as long as a round length on the ground.
class ScaleBar {
 public:
  ScaleBar(const Ground& ground, double cells, double width) {
    const double per_pixel = ground.cell_width * cells / width;
    const double length = round_length(kBarShare * width * per_pixel);
    width_ = length / per_pixel;
    const ReadableUnit unit = readable_unit(ground.length_unit, length);
    const double digit = length / std::pow(10, std::floor(std::log10(length) + 1e-9));
    parts_ = digit > 4 ? 5 : 2;
    text_ = with_unit(number_text(length * unit.factor), unit.name);
    if (!ground.note.empty()) text_ += " " + ground.note;
  }

  void draw(Drawing& drawing, const Point& corner, double unit) const {
    const TextStyle style{.size = kSmallText * unit};
    const Box bar{corner.x, corner.y, width_, kBarHeight * unit};
    drawing.fill(bar, kWhite);
    for (int part = 0; part < parts_; part += 2)
      drawing.fill({bar.x + part * width_ / parts_, bar.y, width_ / parts_, bar.height}, kInk);
    drawing.frame(bar, unit, kInk);
    const double below = bar.bottom() + 3 * unit;
    drawing.text({bar.x - size_of("0", style).width / 4, below}, "0", style);
    // The number stands under the end of the bar, what follows it goes on from there.
    const double number = size_of(text_.substr(0, text_.find(' ')), style).width;
    drawing.text({std::max(bar.right() - number / 2, bar.x + 2 * size_of("0", style).width), below},
                 text_, style);
  }

 private:
  double width_ = 0;
  int parts_ = 2;
  std::string text_;
};

/// An arrow in a square whose middle is given, turned by `angle`, with an N at its head.
void draw_arrow(Drawing& drawing, const Point& middle, double angle, double unit) {
  const auto turned = [&](double x, double y) {
    return Point{middle.x + unit * (x * std::cos(angle) - y * std::sin(angle)),
                 middle.y + unit * (x * std::sin(angle) + y * std::cos(angle))};
  };
  constexpr double kHead = -kArrowHeight / 2, kFoot = kArrowHeight / 2;
  drawing.polygon({turned(0, kHead + 11), turned(0, kFoot - 5), turned(-7, kFoot)}, kInk);
  const std::vector<Point> right{turned(0, kHead + 11), turned(0, kFoot - 5), turned(7, kFoot),
                                 turned(0, kHead + 11)};
  drawing.polygon(right, kWhite);
  drawing.line(right, unit, kInk);
  const TextStyle style{.size = kSmallText * unit, .bold = true};
  const Size letter = size_of("N", style);
  const Point at = turned(0, kHead + 4);
  drawing.text({at.x - letter.width / 2, at.y - letter.height / 2}, "N", style);
}

/// Where things stand on the page.
struct Layout {
  double unit = 1;
  Size page = {};
  Box frame = {};
  Point title = {}, legend = {};
  double strip = 0;  // upper end of what stands below the picture
};

bool is_bare(const MapLook& look) {
  return look.title.empty() && !look.legend && !look.scale_bar && !look.north_arrow;
}

TextStyle title_style(double unit, double width) {
  return {.size = kTitle * unit, .bold = true, .width = width};
}

Layout layout_of(const MapLook& look, const Extents& pixels, const std::optional<Legend>& legend) {
  Layout layout{.unit = unit_of(pixels)};
  layout.frame = {0, 0, static_cast<double>(pixels[1]), static_cast<double>(pixels[0])};
  layout.page = {layout.frame.width, layout.frame.height};
  if (is_bare(look)) return layout;
  const double unit = layout.unit;
  const double margin = kPageMargin * unit;
  layout.frame.x = layout.frame.y = margin;
  double right = layout.frame.right();
  if (legend) {
    layout.legend.x = right + kLegendGap * unit;
    right = layout.legend.x + legend->size().width;
  }
  if (!look.title.empty()) {
    layout.title = {margin, margin};
    const Size title = size_of(look.title, title_style(unit, right - margin));
    layout.frame.y += title.height + kPageGap * unit;
  }
  layout.legend.y = layout.frame.y;
  layout.strip = layout.frame.bottom() + kPageGap * unit;
  double bottom = layout.frame.bottom();
  if (look.scale_bar || look.north_arrow) bottom = layout.strip + kStripHeight * unit;
  if (legend) bottom = std::max(bottom, layout.legend.y + legend->size().height);
  layout.page = {std::ceil(right + margin), std::ceil(bottom + margin)};
  return layout;
}

/// Cells from one distance to the next where contours are followed: there are about 1000 along the
/// longer side.
std::int64_t contour_step(const Extents& cells) {
  constexpr std::int64_t kPlaces = 1000;
  return std::max<std::int64_t>(1, std::max(cells[0], cells[1]) / kPlaces);
}

/// What is drawn as lines over the picture, instead of being painted in it.
struct MapLines {
  std::vector<std::vector<Point>> borders = {};
  std::vector<ContourLine> contours = {};
};

/// The lines of a map in a vector format. There are none if they are very many, as files would be
/// huge, and no contours over the ramp, where their colour follows what is beneath.
MapLines lines_of(Context& context, const MapContents& contents, const Box& frame) {
  constexpr std::size_t kMostLines = 100'000;
  constexpr double kStepOfCells = 0.75;  // what the steps of cells deviate from a straight line
  constexpr double kUnseen = 0.6;        // pixels
  MapLines lines;
  if (!contents.layers.labels || contents.options.mode == RenderMode::distance) return lines;
  const Extents& cells = contents.layers.labels.extents();
  const std::int64_t step = contour_step(cells);
  if (contents.options.edges) {
    const double cell = frame.width / static_cast<double>(cells[1]);
    const double tolerance = std::min(kStepOfCells * static_cast<double>(step), kUnseen / cell);
    lines.borders = border_lines(context, contents.sites.row_of_cell, cells, step, tolerance);
  }
  if (contents.layers.distance && contents.options.contours)
    lines.contours =
        map_contours(context, contents.layers.distance, *contents.options.contour_interval, step);
  if (lines.borders.size() + lines.contours.size() > kMostLines) return {};
  return lines;
}

/// The width of borders: as the library has it, by the mean size of cells.
double border_width(const std::vector<std::vector<Point>>& lines, const Box& frame,
                    double thickness) {
  double length = 0;
  for (const std::vector<Point>& line : lines)
    for (std::size_t i = 1; i < line.size(); ++i)
      length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  // Squares of side d have lines of the length 2 · area / d.
  const double side = length > 0 ? 2 * frame.width * frame.height / length : frame.width;
  return std::min(1.2 * thickness, std::max(0.1 * side, std::min(0.6, 0.15 * side)));
}

void draw_lines(Drawing& drawing, const MapContents& contents, MapLines lines, const Box& frame) {
  const Extents& cells = contents.layers.labels.extents();
  const double scale_x = frame.width / static_cast<double>(cells[1]);
  const double scale_y = frame.height / static_cast<double>(cells[0]);
  const auto to_picture = [&](std::vector<Point>& points) {
    for (Point& point : points) point = {frame.x + point.x * scale_x, frame.y + point.y * scale_y};
  };
  const double thickness = std::max(1.0, std::sqrt(frame.width * frame.height) / 1000);
  drawing.clip(frame);
  for (ContourLine& line : lines.contours) {
    to_picture(line.points);
    drawing.line(line.points, 0.9 * thickness, kInk, 0.6);
  }
  for (std::vector<Point>& line : lines.borders) to_picture(line);
  const double width = border_width(lines.borders, frame, thickness);
  for (const std::vector<Point>& line : lines.borders)
    drawing.line(line, width, contents.options.edge_colour.value_or(kInk));
  drawing.clip(std::nullopt);
}

void draw_picture(Context& context, Drawing& drawing, const MapContents& contents,
                  const MapLook& look, const Box& frame, DrawingFormat format) {
  const std::int64_t fineness = fineness_of(
      format, {static_cast<std::int64_t>(frame.height), static_cast<std::int64_t>(frame.width)});
  const Extents fine{static_cast<std::int64_t>(frame.height) * fineness,
                     static_cast<std::int64_t>(frame.width) * fineness};
  if (look.underlay) drawing.image(frame, look.underlay.view<std::uint8_t>());
  MapLines lines;
  if (format != DrawingFormat::png) lines = lines_of(context, contents, frame);
  MapContents painted{.layers = contents.layers, .options = contents.options};
  if (!lines.borders.empty()) painted.options.edges = false;
  if (!lines.contours.empty()) painted.options.contours = false;
  const Array<std::uint8_t> picture = paint(context, painted, fine, look.see_through);
  drawing.picture(frame, picture.view());
  if (format != DrawingFormat::png && contents.layers.labels)
    draw_lines(drawing, contents, std::move(lines), frame);
}

std::int64_t draw_texts(Context& context, Drawing& drawing, const MapContents& contents,
                        const MapLook& look, const Layout& layout) {
  const View<const void>& any =
      contents.layers.labels ? contents.layers.labels : contents.layers.distance;
  if (!any) return 0;
  MapTexts texts(drawing, layout.frame, any.extents(), layout.unit);
  const std::int64_t left_out = look.site_names ? texts.put_names(contents.sites.rows) : 0;
  if (look.contour_labels)
    texts.put_numbers(map_contours(context, contents.layers.distance,
                                   *contents.options.contour_interval, contour_step(any.extents())),
                      contents.unit.factor);
  return left_out;
}

}  // namespace

std::size_t sites_in_legend(const MapLook& look, std::size_t sites, const Extents& pixels) {
  if (look.legend_rows) return std::min(*look.legend_rows, sites);
  const double unit = unit_of(pixels);
  constexpr double kOtherRows = 4;  // title, what is left out, special cells
  const double rows =
      std::floor(static_cast<double>(pixels[0]) / Legend::entry_height(unit)) - kOtherRows;
  return std::min(sites, static_cast<std::size_t>(std::clamp(rows, 3.0, 40.0)));
}

MapReport draw_map(Context& context, const MapContents& contents, const MapLook& look,
                   const Extents& pixels, io::OutputFile& file, DrawingFormat format) {
  std::optional<Legend> legend;
  if (look.legend) {
    const std::size_t rows = sites_in_legend(look, contents.sites.rows.size(), pixels);
    legend.emplace(legend_contents(context, contents, look, rows), unit_of(pixels));
  }
  const Layout layout = layout_of(look, pixels, legend);
  const double unit = layout.unit;
  Drawing drawing(file, format, layout.page, look.title);
  draw_picture(context, drawing, contents, look, layout.frame, format);
  const std::int64_t left_out = draw_texts(context, drawing, contents, look, layout);
  if (!is_bare(look)) drawing.frame(layout.frame, kFrameWidth * unit, kInk);
  if (!look.title.empty())
    drawing.text(layout.title, look.title,
                 title_style(unit, layout.page.width - 2 * layout.title.x));
  if (legend) legend->draw(drawing, layout.legend);
  if (look.scale_bar) {
    const View<const void>& any = contents.layers.labels     ? contents.layers.labels
                                  : contents.layers.distance ? contents.layers.distance
                                                             : contents.layers.sites;
    ScaleBar(contents.ground, static_cast<double>(any.extent(1)), layout.frame.width)
        .draw(drawing, {layout.frame.x, layout.strip + 4 * unit}, unit);
  }
  if (look.north_arrow)
    draw_arrow(
        drawing,
        {layout.frame.right() - kArrowHeight / 2 * unit, layout.strip + kArrowHeight / 2 * unit},
        *contents.ground.north, unit);
  drawing.finish();
  return {layout.page, layout.frame, left_out};
}

}  // namespace thiessen::maps
