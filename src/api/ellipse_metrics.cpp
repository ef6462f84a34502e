// SPDX-License-Identifier: Apache-2.0
//
// The matrix of an ellipse with half axes r_i along unit vectors u_i is Σ u_i·u_iᵀ / r_i².
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/base/refuse.hpp"
#include "core/order/form.hpp"
#include "core/problem/problem.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {
namespace {

using Vectors = std::array<std::array<double, kAxes>, kAxes>;

void check_lists(const View<const double>& radii, const View<const double>& directions) {
  constexpr int kFewest = 2;
  if (radii.rank() != 2 || radii.extent(1) < kFewest || radii.extent(1) > kAxes)
    refuse("radii", "must have the extents (points, axes), of 2 or 3 axes");
  if (radii.space() != MemorySpace::host)
    refuse("radii", "lie in device memory; must be on the host");
  check_strides("radii", radii);
  if (!directions) return;
  if (directions.extents() != Extents{radii.extent(0), radii.extent(1), radii.extent(1)})
    refuse("directions", "have other extents than (points, axes, axes)");
  if (directions.space() != MemorySpace::host)
    refuse("directions", "lie in device memory; must be on the host");
  check_strides("directions", directions);
}

double product(const std::array<double, kAxes>& a, const std::array<double, kAxes>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The unit vectors of a point, with the length 1 and right angles as well as they have them.
Vectors directions_of(const View<const double>& directions, std::int64_t point, std::size_t rank) {
  constexpr double kAllowed = 1e-6;
  Vectors vectors{};
  for (std::size_t i = 0; i < rank; ++i) {
    vectors[i][i] = 1;
    if (directions)
      for (std::size_t axis = 0; axis < rank; ++axis)
        vectors[i][axis] =
            directions(point, static_cast<std::int64_t>(i), static_cast<std::int64_t>(axis));
    for (std::size_t j = 0; j <= i; ++j) {
      const double wanted = i == j ? 1 : 0;
      if (!(std::fabs(product(vectors[i], vectors[j]) - wanted) <= kAllowed))
        refuse("directions[" + std::to_string(point) + "]",
               "must have vectors of the length 1 at right angles");
    }
  }
  return vectors;
}

/// The number with so many decimals.
double rounded(double value, int decimals) {
  std::array<char, 64> text;
  const auto end =
      std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, decimals);
  double result = 0;
  std::from_chars(text.begin(), end.ptr, result);
  return result;
}

}  // namespace

std::vector<double> ellipse_metrics(View<const double> radii, View<const double> directions) {
  check_lists(radii, directions);
  const auto rank = static_cast<std::size_t>(radii.extent(1));
  std::vector<double> metrics;
  metrics.reserve(static_cast<std::size_t>(radii.extent(0)) * rank * rank);
  for (std::int64_t point = 0; point < radii.extent(0); ++point) {
    const Vectors vectors = directions_of(directions, point, rank);
    Symmetric<double> form;
    double greatest = 0;
    double longest = 0;
    constexpr double kLeast = 1e-9, kMost = 1e9;
    for (std::size_t i = 0; i < rank; ++i) {
      const double radius = radii(point, static_cast<std::int64_t>(i));
      if (!(radius >= kLeast && radius <= kMost))
        refuse("radii[" + std::to_string(point) + ", " + std::to_string(i) + "]",
               shortest_decimal(radius), "must be from 1e-9 to 1e9");
      longest = std::max(longest, radius);
      for (std::size_t a = 0; a < rank; ++a)
        for (std::size_t b = a; b < rank; ++b)
          form(a, b) += vectors[i][a] * vectors[i][b] / (radius * radius);
    }
    for (const double square : form.square) greatest = std::max(greatest, square);
    constexpr int kDigits = 9, kDigitsOfLeast = 4;
    const auto decimals_for = [](int digits, double number) {
      return digits - static_cast<int>(std::floor(std::log10(number)));
    };
    const int decimals = std::max({0, decimals_for(kDigits, greatest),
                                   decimals_for(kDigitsOfLeast, 1 / (longest * longest))});
    for (std::size_t a = 0; a < rank; ++a)
      for (std::size_t b = 0; b < rank; ++b) metrics.push_back(rounded(form(a, b), decimals));
  }
  return metrics;
}

}  // namespace thiessen
