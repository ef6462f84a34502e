// SPDX-License-Identifier: Apache-2.0
#include "pictures/colour.hpp"

#include <algorithm>
#include <cmath>

#include "pictures/ramp_tables.hpp"

namespace thiessen {
namespace {

constexpr double kFullLight = 65535;

/// x^2.4 for 0 <= x <= 1: x² times the square of the fifth root, by Newton's method from above.
double power_2_4(double x) {
  if (x == 0) return 0;
  double root = 1;
  for (int i = 0; i < 64; ++i) {
    const double fourth = root * root * root * root;
    root -= (root * fourth - x) / (5 * fourth);
  }
  return x * x * root * root;
}

double linear_of(double byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : power_2_4((value + 0.055) / 1.055);
}

struct TransferTables {
  std::array<std::uint16_t, 256> light;
  std::array<std::uint8_t, 4096> byte;  // by the upper 12 bits of the light

  TransferTables() {
    for (int i = 0; i < 256; ++i)
      light[static_cast<std::size_t>(i)] =
          static_cast<std::uint16_t>(std::lround(linear_of(i) * kFullLight));
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < byte.size(); ++i) {
      const auto middle = static_cast<int>(i * 16 + 8);
      while (nearest < 255 &&
             std::abs(light[nearest + 1] - middle) <= std::abs(light[nearest] - middle))
        ++nearest;
      byte[i] = static_cast<std::uint8_t>(nearest);
    }
  }
};

const TransferTables& tables() {
  static const TransferTables kTables;
  return kTables;
}

/// The sine of an angle in turns: a Taylor series on a quarter of the circle, within 1e-9.
double sine(double turns) {
  constexpr double kRadiansPerTurn = 6.283185307179586;
  double t = turns - std::floor(turns);
  const bool below = t >= 0.5;
  if (below) t -= 0.5;
  if (t > 0.25) t = 0.5 - t;
  const double u = t * kRadiansPerTurn;
  double series = 0;
  for (int odd = 13; odd >= 3; odd -= 2) series = (1 - series) * u * u / (odd * (odd - 1));
  return (below ? -1 : 1) * u * (1 - series);
}

using Channels = std::array<double, 3>;

Channels to_linear_rgb(double lightness, double chroma, double hue) {
  const double a = chroma * sine(hue + 0.25);
  const double b = chroma * sine(hue);
  const double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  const double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  const double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  const double l3 = l * l * l;
  const double m3 = m * m * m;
  const double s3 = s * s * s;
  return {4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
          -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
          -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3};
}

bool in_gamut(const Channels& rgb) {
  constexpr double kRounding = 1e-4;
  return std::all_of(rgb.begin(), rgb.end(), [](double channel) {
    return channel >= -kRounding && channel <= 1 + kRounding;
  });
}

LinearColour round_to_light(const Channels& rgb) {
  const auto round = [](double channel) {
    return static_cast<std::uint16_t>(std::lround(std::clamp(channel, 0.0, 1.0) * kFullLight));
  };
  return {round(rgb[0]), round(rgb[1]), round(rgb[2])};
}

/// A ramp is a line through lightness, chroma and hue, bent by more chroma in its middle.
struct RampPath {
  double lightness[2];
  double chroma[3];  // at the start, in the middle, at the end
  double hue[2];     // turns
};

RampPath path_of(Ramp ramp) {
  switch (ramp) {
    case Ramp::dusk:
      return {{0.24, 0.94}, {0.10, 0.13, 0.13}, {0.83, 0.28}};
    case Ramp::ember:
      return {{0.06, 0.97}, {0.03, 0.20, 0.05}, {-0.12, 0.25}};
    case Ramp::ice:
      return {{0.98, 0.25}, {0.01, 0.10, 0.10}, {0.55, 0.74}};
    default:
      break;
  }
  return {{0, 1}, {0, 0, 0}, {0, 0}};
}

/// The table of a ramp, or null if the ramp is a path.
const RampTable* table_of(Ramp ramp) {
  switch (ramp) {
    case Ramp::viridis:
      return &kViridis;
    case Ramp::magma:
      return &kMagma;
    case Ramp::cividis:
      return &kCividis;
    default:
      return nullptr;
  }
}

/// The colour at the place `share`, 0 to 1, of the table: between two entries, in sRGB.
LinearColour colour_between(const RampTable& table, double share) {
  const double place = share * static_cast<double>(table.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), table.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto channel = [&](int shift) {
    const double from = table[below] >> shift & 0xff;
    const double to = table[below + 1] >> shift & 0xff;
    return linear_of(from + (to - from) * rest);
  };
  return round_to_light({channel(16), channel(8), channel(0)});
}

}  // namespace

LinearColour to_linear_colour(const Colour& colour) {
  const auto& light = tables().light;
  return {light[colour.red], light[colour.green], light[colour.blue]};
}

std::uint8_t to_byte(std::uint32_t light) { return tables().byte[light >> 4]; }

LinearColour from_oklch(double lightness, double chroma, double hue) {
  const Channels wanted = to_linear_rgb(lightness, chroma, hue);
  if (in_gamut(wanted)) return round_to_light(wanted);
  double inside = 0;
  double outside = chroma;
  for (int i = 0; i < 10; ++i) {
    const double middle = (inside + outside) / 2;
    (in_gamut(to_linear_rgb(lightness, middle, hue)) ? inside : outside) = middle;
  }
  return round_to_light(to_linear_rgb(lightness, inside, hue));
}

const Palette& Palette::shared() {
  static const Palette kPalette;
  return kPalette;
}

Palette::Palette() : colours_(kHues * kTones) {
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const std::size_t of_hue = i / kTones;
    const double hue = static_cast<double>(of_hue) / static_cast<double>(kHues);
    const auto tone = static_cast<double>(i % kTones);
    const double chroma = 0.075 + 0.005 * static_cast<double>(i % kTones * 7 % kTones);
    colours_[i] = from_oklch(0.70 + 0.0145 * tone, chroma, hue);
  }
}

std::vector<LinearColour> make_ramp(Ramp ramp) {
  const RampPath path = path_of(ramp);
  const RampTable* const table = table_of(ramp);
  std::vector<LinearColour> colours(kRampColours);
  for (std::size_t i = 0; i < kRampColours; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(kRampColours - 1);
    if (table != nullptr) {
      colours[i] = colour_between(*table, t);
      continue;
    }
    const double chroma = (1 - t) * (1 - t) * path.chroma[0] + 2 * t * (1 - t) * path.chroma[1] +
                          t * t * path.chroma[2];
    colours[i] = from_oklch(path.lightness[0] + t * (path.lightness[1] - path.lightness[0]), chroma,
                            path.hue[0] + t * (path.hue[1] - path.hue[0]));
  }
  return colours;
}

double log2_of(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);  // 0.5 <= m < 1
  constexpr double kSqrtHalf = 0.7071067811865476;
  constexpr double kTwoByLn2 = 2.8853900817779268;
  const double s = (m - kSqrtHalf) / (m + kSqrtHalf);
  const double square = s * s;
  const double series =
      s * (1 + square * (1.0 / 3 + square * (0.2 + square * (1.0 / 7 + square / 9))));
  return exponent - 0.5 + kTwoByLn2 * series;
}

}  // namespace thiessen
