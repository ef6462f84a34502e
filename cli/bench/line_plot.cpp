// SPDX-License-Identifier: Apache-2.0
#include "bench/line_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace thiessen::cli {
namespace {

constexpr double kLeastWidth = 760, kLeastHeight = 440, kMargin = 12;
constexpr double kLeft = 80, kRight = 610, kTop = 50, kBottom = 380;
constexpr double kFontSize = 12, kTitleSize = 16;
constexpr double kLegendLeft = kRight + 52, kLegendTop = kTop + 10, kLegendStep = 22;
constexpr std::array kColours{"#000000", "#e69f00", "#56b4e9", "#009e73", "#0072b2",
                              "#d55e00", "#cc79a7", "#888888", "#b8a800"};

struct Tick {
  double value;
  std::string text;
};

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// A place in the picture, as text.
std::string at(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') result += "&lt;";
    if (c == '>') result += "&gt;";
    if (c == '&') result += "&amp;";
    if (c != '<' && c != '>' && c != '&') result += c;
  }
  return result;
}

/// The greatest width of a text: in fonts without serifs few letters are wider than 0.6 times the
/// size, and many are narrower.
double width_of(const std::string& text, double font_size) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // the first byte of a character in
                                                            // UTF-8
  });
  return 0.6 * font_size * static_cast<double>(characters);
}

double width_of(const LinePlot& plot) {
  double right = kLeft + width_of(plot.title, kTitleSize);
  for (const LinePlot::Series& each : plot.series)
    right = std::max(right, kLegendLeft + width_of(each.name, kFontSize));
  return std::max(kLeastWidth, std::ceil(right + kMargin));
}

double height_of(const LinePlot& plot) {
  const double legend = kLegendTop + kLegendStep * static_cast<double>(plot.series.size());
  return std::max(kLeastHeight, legend);
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more +
         ">" + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& colour) {
  return "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) +
         "\" stroke=\"" + colour + "\"/>\n";
}

/// Converts values to places along one side of the picture.
class Axis {
 public:
  Axis(LinePlot::Scale scale, const std::vector<double>& values, double first, double last)
      : scale_(scale), first_(first), last_(last) {
    if (scale == LinePlot::Scale::linear)
      set_linear(values);
    else
      set_logarithmic(values, scale == LinePlot::Scale::binary ? 2 : 10);
  }

  double operator()(double value) const {
    const double place = (inner(value) - begin_) / (end_ - begin_);
    return first_ + place * (last_ - first_);
  }
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double inner(double value) const {
    if (scale_ == LinePlot::Scale::linear) return value;
    return value > 0 ? std::log2(value) : begin_;
  }

  void set_linear(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = std::max(most, value);
    if (most == 0) most = 1;
    const double power = std::pow(10, std::floor(std::log10(most)));
    const double step = most < 2 * power ? power / 4 : most < 5 * power ? power / 2 : power;
    const double count = std::ceil(most / step);
    end_ = count * step;
    for (double i = 0; i <= count; ++i) ticks_.push_back({i * step, text_of(i * step)});
  }

  /// The axis goes from the power of the base at or below the least value to that at or above the
  /// greatest; one power lower if there are zeros.
  void set_logarithmic(const std::vector<double>& values, double base) {
    double least = HUGE_VAL, most = 0;
    for (const double value : values) {
      if (value > 0) least = std::min(least, value);
      most = std::max(most, value);
    }
    if (most == 0) least = most = 1;
    const auto exponent = [&](double value) { return std::log2(value) / std::log2(base); };
    double low = std::floor(exponent(least)), high = std::ceil(exponent(most));
    if (high <= low) high = low + 1;
    for (double i = low; i <= high; ++i)
      ticks_.push_back({std::pow(base, i), text_of(std::pow(base, i))});
    const bool zeros = std::any_of(values.begin(), values.end(), [](double v) { return v <= 0; });
    if (zeros) low -= 1;
    if (zeros) ticks_.push_back({0, "0"});
    begin_ = low * std::log2(base);
    end_ = high * std::log2(base);
  }

  LinePlot::Scale scale_;
  double first_, last_;
  double begin_ = 0, end_ = 1;
  std::vector<Tick> ticks_;
};

/// Disc, square, triangle or diamond.
std::string mark(std::size_t which, double x, double y, const std::string& colour) {
  const std::string paint = "\" fill=\"" + colour + "\"/>\n";
  if (which % 4 == 0) return "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"3.5" + paint;
  static constexpr std::array<std::array<double, 8>, 3> kCorners{
      {{-3, -3, 3, -3, 3, 3, -3, 3},
       {0, -4, 4, 3, -4, 3, 0, -4},
       {0, -4.5, 4.5, 0, 0, 4.5, -4.5, 0}}};
  std::string points;
  const auto& corners = kCorners[which % 4 - 1];
  for (std::size_t i = 0; i < corners.size(); i += 2)
    points += at(x + corners[i]) + "," + at(y + corners[i + 1]) + " ";
  return "<polygon points=\"" + points + paint;
}

std::string frame(const LinePlot& plot, const Axis& x, const Axis& y) {
  std::string text;
  for (const Tick& tick : x.ticks())
    text += line(x(tick.value), kTop, x(tick.value), kBottom, "#e4e4e4") +
            text_at(x(tick.value), kBottom + 18, "middle", tick.text);
  for (const Tick& tick : y.ticks())
    text += line(kLeft, y(tick.value), kRight, y(tick.value), "#e4e4e4") +
            text_at(kLeft - 8, y(tick.value) + 4, "end", tick.text);
  text += line(kLeft, kBottom, kRight, kBottom, "#444444") +
          line(kLeft, kTop, kLeft, kBottom, "#444444");
  const double middle_y = (kTop + kBottom) / 2;
  return text +
         text_at(kLeft, 28, "start", plot.title, " font-size=\"" + text_of(kTitleSize) + "\"") +
         text_at((kLeft + kRight) / 2, kBottom + 42, "middle", plot.x_label) +
         text_at(22, middle_y, "middle", plot.y_label,
                 " transform=\"rotate(-90 22 " + at(middle_y) + ")\"");
}

std::string draw(const LinePlot::Series& series, std::size_t which, const Axis& x, const Axis& y) {
  const std::string colour = kColours[which % kColours.size()];
  auto sorted = series.points;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a[0] < b[0]; });
  std::string points, marks;
  for (const auto& point : sorted) {
    points += at(x(point[0])) + "," + at(y(point[1])) + " ";
    marks += mark(which, x(point[0]), y(point[1]), colour);
  }
  const double key = kLegendTop + kLegendStep * static_cast<double>(which);
  return "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + colour + "\" points=\"" +
         points + "\"/>\n" + marks + line(kRight + 20, key, kRight + 44, key, colour) +
         mark(which, kRight + 32, key, colour) +
         text_at(kLegendLeft, key + 4, "start", series.name);
}

std::string draw(const LinePlot& plot) {
  std::vector<double> xs, ys;
  for (const LinePlot::Series& each : plot.series)
    for (const auto& point : each.points) {
      xs.push_back(point[0]);
      ys.push_back(point[1]);
    }
  const Axis x(plot.x_scale, xs, kLeft, kRight), y(plot.y_scale, ys, kBottom, kTop);
  std::string text = frame(plot, x, y);
  for (std::size_t i = 0; i < plot.series.size(); ++i) text += draw(plot.series[i], i, x, y);
  return text;
}

}  // namespace

std::string LinePlot::svg() const { return svg_of({*this}); }

std::string svg_of(const std::vector<LinePlot>& plots) {
  double width = kLeastWidth, height = 0;
  std::string panels;
  for (const LinePlot& plot : plots) {
    panels += "<g transform=\"translate(0 " + text_of(height) + ")\">\n" + draw(plot) + "</g>\n";
    width = std::max(width, width_of(plot));
    height += height_of(plot);
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + text_of(width) + " " +
         text_of(height) + "\" font-family=\"sans-serif\" font-size=\"" + text_of(kFontSize) +
         "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + panels + "</svg>\n";
}

}  // namespace thiessen::cli
