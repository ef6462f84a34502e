// SPDX-License-Identifier: Apache-2.0
#include "maps/layout/map_texts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "maps/scale/numbers.hpp"

namespace thiessen::maps {
namespace {

// In units.
constexpr double kNameText = 12, kNumberText = 10;
constexpr double kBesideMark = 7;   // from the centre of a mark to the text beside it
constexpr double kApart = 2;        // between texts
constexpr double kLineForText = 4;  // a line with a number is so many times as long as that

double distance_between(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// The box around a box that is turned about its centre.
Box turned(const Box& box, double angle) {
  const double width =
      std::fabs(box.width * std::cos(angle)) + std::fabs(box.height * std::sin(angle));
  const double height =
      std::fabs(box.width * std::sin(angle)) + std::fabs(box.height * std::cos(angle));
  return {box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height};
}

}  // namespace

MapTexts::MapTexts(Drawing& drawing, const Box& frame, const Extents& cells, double unit)
    : drawing_(drawing),
      frame_(frame),
      scale_x_(frame.width / static_cast<double>(cells[1])),
      scale_y_(frame.height / static_cast<double>(cells[0])),
      unit_(unit) {}

Point MapTexts::to_picture(double y, double x) const {
  return {frame_.x + x * scale_x_, frame_.y + y * scale_y_};
}

bool MapTexts::is_free(const Box& box) const {
  if (box.x < frame_.x || box.y < frame_.y || box.right() > frame_.right() ||
      box.bottom() > frame_.bottom())
    return false;
  const double apart = kApart * unit_;
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
    return box.x < other.right() + apart && other.x < box.right() + apart &&
           box.y < other.bottom() + apart && other.y < box.bottom() + apart;
  });
}

bool MapTexts::put(const Point& corner, const std::string& text, const TextStyle& style,
                   const Size& size) {
  const Box box = turned({corner.x, corner.y, size.width, size.height}, style.turn);
  if (!is_free(box)) return false;
  drawing_.text(corner, text, style);
  taken_.push_back(box);
  return true;
}

std::int64_t MapTexts::put_names(const std::vector<SiteRow>& sites) {
  std::vector<std::size_t> order(sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sites[a].cells > sites[b].cells; });
  return std::count_if(order.begin(), order.end(),
                       [&](std::size_t site) { return !put_name(sites[site]); });
}

bool MapTexts::put_name(const SiteRow& site) {
  const TextStyle style{.size = kNameText * unit_, .halo = true};
  const Size size = size_of(site.name, style);
  const Point at = to_picture(site.y, site.x);
  const double left = at.x - size.width / 2;
  const double top = at.y - size.height / 2;
  if (!site.is_point) {
    // Moved in where it would reach beyond the picture.
    const double most_left = std::max(frame_.x, frame_.right() - size.width);
    const double most_top = std::max(frame_.y, frame_.bottom() - size.height);
    return put({std::clamp(left, frame_.x, most_left), std::clamp(top, frame_.y, most_top)},
               site.name, style, size);
  }
  const double beside = kBesideMark * unit_;
  const std::array places{Point{left, at.y - beside - size.height}, Point{left, at.y + beside},
                          Point{at.x + beside, top}, Point{at.x - beside - size.width, top}};
  return std::any_of(places.begin(), places.end(),
                     [&](const Point& corner) { return put(corner, site.name, style, size); });
}

void MapTexts::put_numbers(const std::vector<ContourLine>& lines, double factor) {
  for (const ContourLine& line : lines) {
    std::vector<Point> points;
    points.reserve(line.points.size());
    for (const Point& point : line.points) points.push_back(to_picture(point.y, point.x));
    put_number(points, number_text(line.level * factor));
  }
}

/// The text stands where the line is straightest under it; where that is taken, at another of the
/// straighter places.
bool MapTexts::put_number(const std::vector<Point>& line, const std::string& text) {
  TextStyle style{.size = kNumberText * unit_, .halo = true};
  const Size size = size_of(text, style);
  std::vector<double> along(line.size());
  for (std::size_t i = 1; i < line.size(); ++i)
    along[i] = along[i - 1] + distance_between(line[i - 1], line[i]);
  if (along.back() < kLineForText * size.width) return false;
  struct Place {
    std::size_t first, last;
    double straightness;
  };
  std::vector<Place> places;
  for (std::size_t first = 0, last = 0; first < line.size(); ++first) {
    while (last < line.size() && along[last] - along[first] < size.width) ++last;
    if (last == line.size()) break;
    const double way = along[last] - along[first];
    places.push_back({first, last, distance_between(line[first], line[last]) / way});
  }
  // Steps of the raster are no bends.
  constexpr double kSteps = 50;
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::floor(a.straightness * kSteps) > std::floor(b.straightness * kSteps);
  });
  const std::size_t straighter = places.size() / 4;
  const std::size_t tries[] = {0, straighter / 2, straighter};
  for (const std::size_t i : tries) {
    if (i >= places.size()) continue;
    const Place& place = places[i];
    const Point& from = line[place.first];
    const Point& to = line[place.last];
    double angle = std::atan2(to.y - from.y, to.x - from.x);
    if (std::fabs(angle) > std::numbers::pi / 2) angle -= std::copysign(std::numbers::pi, angle);
    style.turn = angle;
    const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (put({middle.x - size.width / 2, middle.y - size.height / 2}, text, style, size))
      return true;
  }
  return false;
}

}  // namespace thiessen::maps
