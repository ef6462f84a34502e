// SPDX-License-Identifier: Apache-2.0
//
// The images of a point are a lattice. Under a metric M, each of them is the nearest one in its
// Voronoi cell, and only the images count whose cells meet the grid.
//
// The cells of a lattice meet in faces, each between an image and the one a vector away that is
// "relevant" (G. Voronoi 1908). If the vectors b_0 … b_n of a superbase, which sum to 0, have no
// positive products b_iᵀMb_j, all relevant vectors are sums of some of the b_i. Selling's reduction
// (E. Selling 1874) makes a superbase so: while b_iᵀMb_j > 0, it replaces b_i by −b_i and adds b_i
// to all others but b_j. Pairs are shortened first, as Lagrange did, so that few such steps are
// left. The products are integers of 128 bits, so that both are exact.
//
// Because the grid is convex, the cells that meet it hang together by faces. So the search starts
// at the image nearest to the middle of the grid, and goes on through the relevant vectors from
// each image whose cell may meet the grid: that no relevant neighbour beats everywhere. The
// difference of two images' squared lengths is linear.
#include "cpu/candidates/images.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thiessen::cpu::candidates {
namespace {

/// A vector of the lattice in units of points.
Axes in_units(const Axes& vector, const Axes& period) {
  Axes way{};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (vector[axis] != 0) way[axis] = vector[axis] * period[axis];
  return way;
}

/// Vectors of a lattice whose sum is 0, as multiples of the periods.
class Superbase {
 public:
  Superbase(const Form& form, const Axes& period) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (period[axis] == kNoPeriod) continue;
      Axes unit{};
      unit[axis] = 1;
      vectors_.push_back(unit);
    }
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const Axes own = in_units(vectors_[i], period);
      product_[i][i] = length_of(form, own);
      for (std::size_t j = 0; j < i; ++j) {
        Axes sum = in_units(vectors_[j], period);
        add(sum, own, 1);
        product_[i][j] = product_[j][i] =
            (length_of(form, sum) - product_[i][i] - product_[j][j]) / 2;
      }
    }
    shorten_pairs();
    close();
    while (flip_one()) {
    }
  }

  /// All sums of some of the vectors, but not of none or of all.
  std::vector<Axes> sums() const {
    std::vector<Axes> sums;
    for (std::size_t some = 1; some + 1 < std::size_t{1} << vectors_.size(); ++some) {
      Axes& sum = sums.emplace_back();
      for (std::size_t i = 0; i < vectors_.size(); ++i)
        if ((some >> i & 1) != 0) add(sum, vectors_[i], 1);
    }
    return sums;
  }

 private:
  static void add(Axes& to, const Axes& vector, std::int64_t times) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) to[axis] += times * vector[axis];
  }

  /// Adds a multiple of vector j to vector i.
  void add_multiple(std::size_t i, std::size_t j, Int128 times) {
    add(vectors_[i], vectors_[j], static_cast<std::int64_t>(times));
    product_[i][i] += times * (2 * product_[i][j] + times * product_[j][j]);
    for (std::size_t k = 0; k < vectors_.size(); ++k) {
      if (k == i) continue;
      product_[i][k] += times * product_[j][k];
      product_[k][i] = product_[i][k];
    }
  }

  void shorten_pairs() {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < vectors_.size(); ++i)
        for (std::size_t j = 0; j < vectors_.size(); ++j) {
          const Int128 length = product_[j][j];
          const Int128 twice = 2 * product_[i][j];
          if (i == j || (twice <= length && -twice <= length)) continue;
          const Int128 rounded = (twice + (twice < 0 ? -length : length)) / (2 * length);
          add_multiple(i, j, -rounded);
          changes = true;
        }
    }
  }

  /// Adds the vector that makes the sum 0.
  void close() {
    const std::size_t last = vectors_.size();
    Axes& vector = vectors_.emplace_back();
    for (std::size_t i = 0; i < last; ++i) {
      add(vector, vectors_[i], -1);
      Int128 sum = 0;
      for (std::size_t j = 0; j < last; ++j) sum += product_[i][j];
      product_[i][last] = product_[last][i] = -sum;
      product_[last][last] += sum;
    }
  }

  /// Does a step of Selling's. Returns false if there is none to do.
  bool flip_one() {
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (product_[i][j] > 0) {
          flip(i, j);
          return true;
        }
    return false;
  }

  void flip(std::size_t i, std::size_t j) {
    const auto others = static_cast<Int128>(vectors_.size() - 2);
    for (std::size_t k = 0; k < vectors_.size(); ++k)
      if (k != i && k != j) add_multiple(k, i, 2 / others);  // so that the sum stays 0
    for (std::int64_t& each : vectors_[i]) each = -each;
    for (std::size_t k = 0; k < vectors_.size(); ++k)
      if (k != i) product_[k][i] = product_[i][k] = -product_[i][k];
  }

  std::vector<Axes> vectors_;
  Int128 product_[kAxes + 1][kAxes + 1] = {};
};

/// A way to another image, and M times it.
struct Step {
  Axes way{};
  std::array<double, kAxes> slope{};
  double square = 0;
};

/// The images of one point by its metric.
class Images {
 public:
  Images(const Problem& problem, const Form& form) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const auto last = static_cast<double>(problem.centre({problem.extent[axis] - 1, 0, 0})[0]);
      middle_[axis] = half_[axis] = last / 2;
    }
    for (const Axes& sum : Superbase(form, problem.period).sums()) {
      Step& step = steps_.emplace_back();
      step.way = in_units(sum, problem.period);
      for (std::size_t a = 0; a < kAxes; ++a) {
        for (std::size_t b = 0; b < kAxes; ++b)
          step.slope[a] += static_cast<double>(form(a, b)) * static_cast<double>(step.way[b]);
        step.square += step.slope[a] * static_cast<double>(step.way[a]);
      }
    }
  }

  void add(const Axes& at, std::vector<Axes>& list) {
    const Axes first = nearest_to_middle(at);
    seen_.assign(1, first);
    open_.assign(1, first);
    while (!open_.empty()) {
      const Axes image = open_.back();
      open_.pop_back();
      if (is_beaten(image)) continue;
      list.push_back(image);
      for (const Step& step : steps_) {
        const Axes next = sum(image, step.way);
        const auto place = std::lower_bound(seen_.begin(), seen_.end(), next);
        if (place != seen_.end() && *place == next) continue;
        seen_.insert(place, next);
        open_.push_back(next);
      }
    }
  }

 private:
  static Axes sum(const Axes& a, const Axes& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

  /// How much farther an image is than the one a step away: at the least in the box of the half
  /// lengths `half` around the middle. A lower bound.
  double lead(const Axes& image, const Step& step, const std::array<double, kAxes>& half) const {
    double lead = -step.square;
    double terms = std::fabs(step.square);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double slope = 2 * step.slope[axis];
      const double way = middle_[axis] - static_cast<double>(image[axis]);
      lead += slope * way - std::fabs(slope) * half[axis];
      terms += std::fabs(slope) * (std::fabs(way) + half[axis]);
    }
    return lead - 0x1p-40 * terms;
  }

  Axes nearest_to_middle(Axes image) const {
    for (bool moves = true; moves;) {
      moves = false;
      for (const Step& step : steps_)
        while (lead(image, step, {}) > 0) {
          image = sum(image, step.way);
          moves = true;
        }
    }
    return image;
  }

  bool is_beaten(const Axes& image) const {
    return std::any_of(steps_.begin(), steps_.end(),
                       [&](const Step& step) { return lead(image, step, half_) > 0; });
  }

  std::vector<Step> steps_;
  std::array<double, kAxes> middle_{}, half_{};
  std::vector<Axes> seen_, open_;
};

}  // namespace

void add_images(const Problem& problem, const Axes& at, std::vector<Axes>& list) {
  const auto images_along = [&](std::size_t axis) {
    std::array<std::int64_t, 3> images{at[axis], at[axis], at[axis]};
    std::size_t count = 1;
    const std::int64_t period = problem.period[axis];
    if (period == kNoPeriod) return std::pair(images, count);
    const std::int64_t last = problem.centre({problem.extent[axis] - 1, 0, 0})[0];
    for (const std::int64_t image : {at[axis] - period, at[axis] + period})
      if (2 * image >= -period && 2 * (image - last) <= period) images[count++] = image;
    return std::pair(images, count);
  };
  const auto [zs, z_count] = images_along(0);
  const auto [ys, y_count] = images_along(1);
  const auto [xs, x_count] = images_along(2);
  for (std::size_t z = 0; z < z_count; ++z)
    for (std::size_t y = 0; y < y_count; ++y)
      for (std::size_t x = 0; x < x_count; ++x) list.push_back({zs[z], ys[y], xs[x]});
}

void add_images(const Problem& problem, const Form& form, const Axes& at, std::vector<Axes>& list) {
  Images(problem, form).add(at, list);
}

}  // namespace thiessen::cpu::candidates
