// SPDX-License-Identifier: Apache-2.0
#include "maps/scale/numbers.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace thiessen::maps {
namespace {

/// 10^exponent; the nearest double, as negative powers are not multiples of 0.1.
double power_of_ten(int exponent) {
  return exponent < 0 ? 1 / std::pow(10, -exponent) : std::pow(10, exponent);
}

}  // namespace

double round_step(double least) {
  constexpr double kRounding = 1e-9;
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power_of_ten(exponent) >= least * (1 - kRounding))
      return digit * power_of_ten(exponent);
  return power_of_ten(exponent + 1);
}

double round_length(double most) {
  constexpr double kRounding = 1e-9;
  const int exponent = static_cast<int>(std::floor(std::log10(most)));
  for (const double digit : {5.0, 2.0, 1.0})
    if (digit * power_of_ten(exponent) <= most * (1 + kRounding))
      return digit * power_of_ten(exponent);
  return 9 * power_of_ten(exponent - 1);
}

std::vector<double> round_ticks(double least, double greatest, int count) {
  if (!(greatest > least)) return {least};
  constexpr double kRounding = 1e-9;
  const auto ticks_of = [&](double step) {
    return std::floor(greatest / step + kRounding) - std::ceil(least / step - kRounding) + 1;
  };
  double step = round_step((greatest - least) / (count + 1));
  while (ticks_of(step) > count) step = round_step(1.5 * step);
  std::vector<double> ticks;
  for (double i = std::ceil(least / step - kRounding); i * step <= greatest + kRounding * step; ++i)
    ticks.push_back(i * step + 0.0);  // not -0
  return ticks;
}

std::string number_text(double number) {
  constexpr double kWhole = 1e15;
  const bool whole = number == std::floor(number) && std::fabs(number) < kWhole;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.6g", number);
  return text.data();
}

ReadableUnit readable_unit(const std::string& unit, double greatest) {
  constexpr double kLarge = 5000;
  if (unit == "m" && greatest >= kLarge) return {"km", 1e-3};
  if (unit == "mm" && greatest >= kLarge) return {"m", 1e-3};
  if (unit == "µm" && greatest >= kLarge) return {"mm", 1e-3};
  if (unit == "nm" && greatest >= kLarge) return {"µm", 1e-3};
  if (unit == "m" && greatest < 1) return {"mm", 1e3};
  return {unit, 1};
}

}  // namespace thiessen::maps
