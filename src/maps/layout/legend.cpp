// SPDX-License-Identifier: Apache-2.0
#include "maps/layout/legend.hpp"

#include <algorithm>
#include <utility>

#include "maps/scale/numbers.hpp"

namespace thiessen::maps {
namespace {

// In units.
constexpr double kLegendText = 13, kTitleHeight = 24, kGroupGap = 10;
constexpr double kSwatchWidth = 18, kSwatchHeight = 12, kTextLeft = 26;
constexpr double kMostText = 230;
constexpr double kRampWidth = 190, kRampHeight = 13, kTickLength = 4, kTickText = 11;
constexpr int kRampTicks = 5;
constexpr Colour kLine{90, 94, 102};

}  // namespace

std::vector<Colour> ramp_colours(Context& context, const RenderOptions& options) {
  constexpr std::int64_t kColours = 128;
  const auto [least, greatest] = *options.range;
  Array<double> distances({1, kColours});
  for (std::int64_t i = 0; i < kColours; ++i)
    distances.data()[i] = least + (greatest - least) * static_cast<double>(i) / (kColours - 1);
  Array<std::uint8_t> pixels({1, kColours, 3});
  render(context, {.distance = distances.view()},
         {.mode = RenderMode::distance,
          .ramp = options.ramp,
          .ramp_scale = options.ramp_scale,
          .range = options.range},
         pixels.view());
  std::vector<Colour> colours;
  for (const std::uint8_t* pixel = pixels.begin(); pixel < pixels.end(); pixel += 3)
    colours.push_back({pixel[0], pixel[1], pixel[2]});
  return colours;
}

Legend::Legend(LegendContents contents, double unit) : contents_(std::move(contents)), unit_(unit) {
  double height = 0;
  const auto take_text = [&](const std::string& text, bool bold, double left) {
    size_.width = std::max(
        size_.width,
        left * unit_ + std::min(size_of(text, {.size = kLegendText * unit_, .bold = bold}).width,
                                kMostText * unit_));
  };
  if (!contents_.title.empty()) {
    take_text(contents_.title, true, 0);
    height += kTitleHeight * unit_;
  }
  for (const LegendEntry& entry : contents_.entries) take_text(entry.text, false, kTextLeft);
  for (const LegendEntry& entry : contents_.others) take_text(entry.text, false, kTextLeft);
  if (!contents_.more.empty()) take_text(contents_.more, false, kTextLeft);
  const std::size_t rows = contents_.entries.size() + (contents_.more.empty() ? 0 : 1);
  height += static_cast<double>(rows) * entry_height(unit_);
  if (!contents_.others.empty())
    height += (height > 0 ? kGroupGap * unit_ : 0) +
              static_cast<double>(contents_.others.size()) * entry_height(unit_);
  if (contents_.ramp) {
    take_text(contents_.ramp->title, true, 0);
    size_.width = std::max(size_.width, kRampWidth * unit_);
    height += (height > 0 ? kGroupGap * unit_ : 0) + (kTitleHeight + 2 * kRampHeight + 8) * unit_;
  }
  size_.height = height;
}

TextStyle Legend::text_style(bool bold) const {
  return {.size = kLegendText * unit_,
          .bold = bold,
          .width = (bold ? kMostText + kTextLeft : kMostText) * unit_,
          .shorten = true};
}

void Legend::draw(Drawing& drawing, const Point& corner) const {
  double y = corner.y;
  const auto title = [&](const std::string& text) {
    drawing.text({corner.x, y}, text, text_style(true));
    y += kTitleHeight * unit_;
  };
  const auto entries = [&](const std::vector<LegendEntry>& list) {
    for (const LegendEntry& entry : list) {
      draw_entry(drawing, {corner.x, y}, entry);
      y += entry_height(unit_);
    }
  };
  if (!contents_.title.empty()) title(contents_.title);
  entries(contents_.entries);
  if (!contents_.more.empty()) {
    drawing.text({corner.x + kTextLeft * unit_, y}, contents_.more, text_style());
    y += entry_height(unit_);
  }
  const auto gap = [&] { y += y > corner.y ? kGroupGap * unit_ : 0; };
  if (!contents_.others.empty()) gap();
  entries(contents_.others);
  if (!contents_.ramp) return;
  gap();
  title(contents_.ramp->title);
  draw_ramp(drawing, {corner.x, y});
}

void Legend::draw_entry(Drawing& drawing, const Point& corner, const LegendEntry& entry) const {
  const TextStyle style = text_style();
  const Size text = size_of(entry.text, style);
  const double middle = corner.y + text.height / 2;
  const Box swatch{corner.x, middle - kSwatchHeight * unit_ / 2, kSwatchWidth * unit_,
                   kSwatchHeight * unit_};
  if (entry.kind == LegendEntry::Kind::colour) {
    drawing.fill(swatch, entry.colour);
    drawing.frame(swatch, 0.8 * unit_, kLine);
  } else {
    drawing.line({{swatch.x, middle}, {swatch.right(), middle}}, 1.2 * unit_, entry.colour);
  }
  drawing.text({corner.x + kTextLeft * unit_, corner.y}, entry.text, style);
}

void Legend::draw_ramp(Drawing& drawing, const Point& corner) const {
  const LegendRamp& ramp = *contents_.ramp;
  const Box bar{corner.x, corner.y, kRampWidth * unit_, kRampHeight * unit_};
  drawing.ramp(bar, ramp.colours);
  drawing.frame(bar, 0.8 * unit_, kLine);
  const auto& [least, greatest] = ramp.range;
  const TextStyle style{.size = kTickText * unit_};
  for (const double tick : round_ticks(least, greatest, kRampTicks)) {
    const double share = greatest > least ? (tick - least) / (greatest - least) : 0;
    const double x = bar.x + share * bar.width;
    drawing.line({{x, bar.bottom()}, {x, bar.bottom() + kTickLength * unit_}}, unit_, kLine);
    const std::string text = number_text(tick);
    const double width = size_of(text, style).width;
    const double left = std::clamp(x - width / 2, bar.x, std::max(bar.x, bar.right() - width));
    drawing.text({left, bar.bottom() + (kTickLength + 1) * unit_}, text, style);
  }
}

}  // namespace thiessen::maps
