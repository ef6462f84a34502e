// SPDX-License-Identifier: Apache-2.0
//
// Where the cells and the sites of a problem on the Earth are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/problem/problem.hpp"
#include "cpu/earth/chords.hpp"
#include "cpu/earth/geodesic.hpp"
#include "cpu/earth/site_tree.hpp"

namespace thiessen::cpu::earth {

/// Coordinates of rows or of columns, also between and beyond them.
class Scale {
 public:
  Scale(const std::vector<double>& centres, int fraction_bits)
      : centres_(centres), unit_(std::ldexp(1.0, -fraction_bits)) {}

  /// `place` counts from the first centre, in units of 2^-fraction_bits of a cell.
  double at(std::int64_t place) const {
    const auto last = static_cast<std::int64_t>(centres_.size()) - 1;
    const double cells = static_cast<double>(place) * unit_;
    const double floor = std::floor(cells);
    if (floor == cells && floor >= 0 && floor <= static_cast<double>(last))
      return centres_[static_cast<std::size_t>(floor)];
    if (last == 0) return centres_[0];
    const auto from =
        static_cast<std::size_t>(std::clamp(floor, 0.0, static_cast<double>(last - 1)));
    return centres_[from] +
           (cells - static_cast<double>(from)) * (centres_[from + 1] - centres_[from]);
  }

 private:
  const std::vector<double>& centres_;
  double unit_;
};

class Places {
 public:
  Places(const Problem& problem, const ProblemViews& views)
      : problem_(problem),
        views_(views),
        rows_(problem.earth->latitude, problem.fraction_bits),
        columns_(problem.earth->longitude, problem.fraction_bits) {}

  LatLon of_cell(std::int64_t y, std::int64_t x) const { return at(problem_.centre({0, y, x})); }
  LatLon of_site(std::int64_t index) const {
    return problem_.point_sites ? at(views_.points.at[index]) : at(to_cell(problem_.extent, index));
  }

 private:
  /// `place` counts in the units of S.
  LatLon at(const Axes& place) const {
    return {std::clamp(rows_.at(place[1]), -90.0, 90.0), columns_.at(place[2])};
  }

  const Problem& problem_;
  const ProblemViews& views_;
  Scale rows_;
  Scale columns_;
};

/// Cells of a block of rows and columns.
struct Cells {
  std::int64_t top, bottom, left, right;  // before the last ones

  std::int64_t height() const { return bottom - top; }
  std::int64_t width() const { return right - left; }
  std::int64_t count() const { return height() * width(); }
};

/// The points of cells on the sphere: rows give the distances from the axis and from the equator,
/// columns the direction from the axis.
class CellPoints {
 public:
  CellPoints(const Earth& earth, const Chords& chords) {
    for (const double latitude : earth.latitude) {
      const auto [out, up] = chords.meridian(latitude);
      out_.push_back(out);
      up_.push_back(up);
    }
    for (const double longitude : earth.longitude) {
      cosine_.push_back(std::cos(longitude * Chords::kRadians));
      sine_.push_back(std::sin(longitude * Chords::kRadians));
    }
  }

  Point at(std::int64_t y, std::int64_t x) const {
    const auto row = static_cast<std::size_t>(y);
    const auto column = static_cast<std::size_t>(x);
    return {out_[row] * cosine_[column], out_[row] * sine_[column], up_[row]};
  }

  Box box(const Cells& cells) const {
    const Range out = range(out_, cells.top, cells.bottom);  // not negative
    const Range up = range(up_, cells.top, cells.bottom);
    const Range cosine = range(cosine_, cells.left, cells.right);
    const Range sine = range(sine_, cells.left, cells.right);
    const auto low = [&](double least) { return least * (least < 0 ? out.most : out.least); };
    const auto high = [&](double most) { return most * (most < 0 ? out.least : out.most); };
    return {{low(cosine.least), low(sine.least), up.least},
            {high(cosine.most), high(sine.most), up.most}};
  }

 private:
  struct Range {
    double least, most;
  };

  static Range range(const std::vector<double>& values, std::int64_t begin, std::int64_t end) {
    const auto found = std::minmax_element(values.begin() + begin, values.begin() + end);
    return {*found.first, *found.second};
  }

  std::vector<double> out_, up_, cosine_, sine_;
};

}  // namespace thiessen::cpu::earth
