// SPDX-License-Identifier: Apache-2.0
#include "core/problem/earth_checks.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "core/base/refuse.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

std::string text_of(const char* name, std::size_t i, double degrees) {
  return "earth." + std::string(name) + "[" + std::to_string(i) +
         "] = " + shortest_decimal(degrees);
}

/// Checks the coordinates of rows or of columns.
void check_degrees(const char* name, const std::vector<double>& degrees, std::int64_t cells) {
  if (std::ssize(degrees) != cells)
    refuse("earth." + std::string(name) + " has " + std::to_string(degrees.size()) +
           " values; must have one for each of " + std::to_string(cells));
  const bool rises = degrees.size() > 1 && degrees[1] > degrees[0];
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (i > 0 && !(rises ? degrees[i] > degrees[i - 1] : degrees[i] < degrees[i - 1]))
      refuse(text_of(name, i, degrees[i]) + " after " + shortest_decimal(degrees[i - 1]) +
             "; they must all rise, or all fall, beyond 180 or -180 if need be");
  }
}

}  // namespace

void check_earth(const Extents& extents, Metric metric, const std::optional<Earth>& earth,
                 const std::vector<double>& spacing) {
  const std::string name = "metric = " + std::string(name_of(metric));
  if (!is_on_earth(metric)) {
    if (earth) refuse("earth", "is given; it is for the metrics ellipsoidal and great-circle");
    return;
  }
  if (!earth)
    refuse(name + "; needs earth, the latitude of each row and the longitude of each column");
  if (extents.rank() != 2) refuse(name + " of a 3-D raster; it exists only in 2-D");
  check_degrees("latitude", earth->latitude, extents[0]);
  check_degrees("longitude", earth->longitude, extents[1]);
  if (!spacing.empty())
    refuse("spacing and " + name + " are given; distances on the Earth need no spacing");
}

double even_step(const std::vector<double>& longitude) {
  if (longitude.size() < 2) return 0;
  const double step =
      (longitude.back() - longitude.front()) / static_cast<double>(longitude.size() - 1);
  for (std::size_t i = 0; i < longitude.size(); ++i) {
    const double even = longitude.front() + static_cast<double>(i) * step;
    if (std::abs(longitude[i] - even) > kMostUnevenStep * std::abs(step))
      refuse(text_of("longitude", i, longitude[i]) + "; the steps must be even, which makes it " +
             shortest_decimal(even));
  }
  return std::abs(step);
}

}  // namespace thiessen
