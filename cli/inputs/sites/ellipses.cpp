// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/ellipses.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "inputs/sites/number_field.hpp"
#include "thiessen/nearest_site.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

constexpr const char* kFlag = "--ellipse-fields";
constexpr double kShortest = 1e-9, kLongest = 1e9;

/// A vector (x, y) of the world.
using Vector = std::array<double, 2>;

/// The directions in which rows and columns of a grid go on, of the length 1.
struct GridAxes {
  Vector row{0, 1}, column{1, 0};

  explicit GridAxes(const Grid& grid) {
    if (!grid.georeference) {
      row = {0, -1};  // the first row is in the north
      return;
    }
    const auto& transform = grid.georeference->transform;
    row = unit({transform[2], transform[5]});
    column = unit({transform[1], transform[4]});
  }

  /// A direction of the world as (y, x) of the grid.
  std::array<double, 2> in_grid(const Vector& way) const {
    return {way[0] * row[0] + way[1] * row[1], way[0] * column[0] + way[1] * column[1]};
  }

 private:
  static Vector unit(const Vector& way) {
    const double length = std::hypot(way[0], way[1]);
    return {way[0] / length, way[1] / length};
  }
};

}  // namespace

void read_ellipses(const SiteArguments& arguments, Sites& sites) {
  const std::string& fields = arguments.ellipse_fields;
  if (fields.empty()) return;
  if (!sites.are_points())
    throw UsageError(std::string(kFlag) + " " + fields + ": is for sites that are points, and " +
                     sites.name + " has none");
  const std::vector<std::string> names = CLI::detail::split(fields, ',');
  constexpr std::size_t kFields = 3;
  const bool has_gap = std::ranges::find(names, "") != names.end();
  if (names.size() != kFields || has_gap || sites.extents().rank() != 2)
    throw UsageError(std::string(kFlag) + " " + fields +
                     ": must be MAJOR,MINOR,AZIMUTH, for a grid of two axes");
  const auto numbers_of = [&](const std::string& field, const RuleOfNumber& rule) {
    return numbers_of_field(kFlag, field, arguments, sites, rule);
  };
  const auto rule_of_length = [](double length) {
    return length >= kShortest && length <= kLongest ? nullptr : "must be from 1e-9 to 1e9";
  };
  const std::vector<double> major = numbers_of(names[0], rule_of_length);
  const std::vector<double> minor = numbers_of(names[1], rule_of_length);
  const std::vector<double> azimuth = numbers_of(
      names[2], [](double degrees) { return std::isfinite(degrees) ? nullptr : "must be finite"; });
  const GridAxes axes(sites.grid);
  std::vector<double> radii, directions;
  for (std::size_t i = 0; i < major.size(); ++i) {
    constexpr double kHalfTurn = 180;
    const double turn = azimuth[i] * std::numbers::pi / kHalfTurn;
    radii.insert(radii.end(), {major[i], minor[i]});
    for (const Vector& way :
         {Vector{std::sin(turn), std::cos(turn)}, Vector{std::cos(turn), -std::sin(turn)}})
      for (const double part : axes.in_grid(way)) directions.push_back(part);
  }
  const auto count = static_cast<std::int64_t>(major.size());
  sites.metrics = ellipse_metrics(View<const double>(radii.data(), {count, 2}),
                                  View<const double>(directions.data(), {count, 2, 2}));
}

}  // namespace thiessen::cli
