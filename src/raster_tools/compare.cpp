// SPDX-License-Identifier: Apache-2.0
//
// Compares two results in one pass over their cells, in array order: so the first of the worst
// cells is the one that is reported.
#include "thiessen/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/cells.hpp"
#include "core/base/refuse.hpp"
#include "core/order/measure.hpp"
#include "core/problem/cell_class.hpp"
#include "core/problem/problem.hpp"
#include "core/problem/raster_choice.hpp"
#include "operations/checks/options.hpp"
#include "thiessen/labels.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// Distances that are not finite are equal only to their own kind.
enum class Kind { finite, infinite, minus_infinite, none };

Kind kind_of(double distance) {
  if (distance != distance) return Kind::none;
  if (std::isinf(distance)) return distance > 0 ? Kind::infinite : Kind::minus_infinite;
  return Kind::finite;
}

/// The value of one cell in one result.
struct Value {
  std::int64_t site = 0;
  double distance = 0;
};

class Comparer {
 public:
  Comparer(const CompareInputs& inputs, const CompareOptions& options)
      : inputs_{with_three_axes(inputs.labels_a),     with_three_axes(inputs.labels_b),
                with_three_axes(inputs.site_index_a), with_three_axes(inputs.site_index_b),
                with_three_axes(inputs.distance_a),   with_three_axes(inputs.distance_b)},
        options_(options),
        has_sites_(inputs.site_index_a),
        has_distances_(inputs.distance_a) {
    const View<const void>& any = inputs.labels_a       ? inputs.labels_a
                                  : inputs.site_index_a ? inputs.site_index_a
                                                        : inputs.distance_a;
    extent_ = to_axes(any.extents());
    rank_ = any.rank();
    if (options.metric) make_geometry();
  }

  Comparison run(Progress& progress) {
    progress.begin(extent_[0] * extent_[1]);
    same_labels_.assign(static_cast<std::size_t>(extent_[2]), 1);
    for (std::int64_t z = 0; z < extent_[0]; ++z)
      for (std::int64_t y = 0; y < extent_[1]; ++y) {
        compare_row(z, y);
        progress.advance(1);
      }
    if (measured_ > 0) result_.mean_excess = sum_ / static_cast<double>(measured_);
    return result_;
  }

 private:
  void make_geometry() {
    if (is_on_earth(*options_.metric))
      refuse("metric", std::string(name_of(*options_.metric)),
             "must be one of the plane, where distances are compared");
    std::vector<double> spacing = options_.spacing;
    if (spacing.empty()) spacing.assign(static_cast<std::size_t>(rank_), 1);
    check_metric(*options_.metric, rank_, spacing);
    weights_ = make_weights(extent_, spacing, *options_.metric);
  }

  void compare_row(std::int64_t z, std::int64_t y) {
    if (inputs_.labels_a) compare_labels(z, y);
    for (std::int64_t x = 0; x < extent_[2]; ++x) compare_cell({z, y, x});
  }

  void compare_labels(std::int64_t z, std::int64_t y) {
    const View<const void>& a = inputs_.labels_a;
    const View<const void>& b = inputs_.labels_b;
    const auto width = static_cast<std::int64_t>(size_of(a.element_type()));
    if (a.stride(2) == width && b.stride(2) == width)
      return compare_cells(a.element_type(), address_of(a, {z, y, 0}), address_of(b, {z, y, 0}),
                           extent_[2], same_labels_.data());
    for (std::int64_t x = 0; x < extent_[2]; ++x)
      compare_cells(a.element_type(), address_of(a, {z, y, x}), address_of(b, {z, y, x}), 1,
                    &same_labels_[static_cast<std::size_t>(x)]);
  }

  void compare_cell(const Axes& cell) {
    Value a = value_of(cell, inputs_.site_index_a, inputs_.distance_a, "site_index_a");
    Value b = value_of(cell, inputs_.site_index_b, inputs_.distance_b, "site_index_b");
    const bool same_label = same_labels_[static_cast<std::size_t>(cell[2])] != 0;
    const bool same_site = a.site == b.site;
    const bool same_distance = !has_distances_ || equal(a.distance, b.distance);
    const bool mismatched =
        kind_of(a.distance) != kind_of(b.distance) || (!same_site && (a.site < 0 || b.site < 0));
    ++result_.cells;
    result_.labels_differing += same_label ? 0 : 1;
    result_.site_index_differing += same_site ? 0 : 1;
    result_.distance_differing += same_distance ? 0 : 1;
    if (!mismatched && has_excess()) measure(cell, a.distance, b.distance);
    if (same_label && same_site && same_distance) return;
    ++result_.differing;
    if (result_.first_cell.empty()) result_.first_cell = coordinates(cell);
    if (mismatched)
      ++result_.mismatched;
    else if (same_distance && is_tie(cell, a, b))
      ++result_.ties;
  }

  bool exact() const { return has_sites_ && options_.metric.has_value(); }
  bool has_excess() const { return has_distances_ || exact(); }

  Value value_of(const Axes& cell, const View<const std::int64_t>& sites,
                 const View<const void>& distances, const char* name) const {
    Value value;
    if (sites) std::memcpy(&value.site, address_of(sites, cell), sizeof value.site);
    if (exact() && value.site >= extent_[0] * extent_[1] * extent_[2])
      refuse(name, std::to_string(value.site), "must be the index of a cell of this raster");
    if (distances)
      value.distance = distance_at(distances, cell);
    else if (exact())
      value.distance = value.site >= 0 ? to_distance(weights_, *options_.metric,
                                                     exact_distance(cell, value.site))
                                       : std::numeric_limits<double>::infinity();
    return value;
  }

  /// The distance of a cell, in the coarser of the two types.
  double distance_at(const View<const void>& distances, const Axes& cell) const {
    float single = 0;
    if (distances.element_type() == ElementType::f32) {
      std::memcpy(&single, address_of(distances, cell), sizeof single);
      return static_cast<double>(single);
    }
    double value = 0;
    std::memcpy(&value, address_of(distances, cell), sizeof value);
    const bool mixed = inputs_.distance_a.element_type() != inputs_.distance_b.element_type();
    return mixed ? static_cast<double>(to_single(value)) : value;
  }

  /// Values beyond the greatest float become infinity, as in what the library writes.
  static float to_single(double value) {
    if (std::fabs(value) < 0x1.ffffffp127) return static_cast<float>(value);
    return value > 0   ? std::numeric_limits<float>::infinity()
           : value < 0 ? -std::numeric_limits<float>::infinity()
                       : std::numeric_limits<float>::quiet_NaN();
  }

  Int128 exact_distance(const Axes& cell, std::int64_t site) const {
    const Axes other = to_cell(extent_, site);
    const std::int64_t dy = std::abs(other[1] - cell[1]);
    const std::int64_t dx = std::abs(other[2] - cell[2]);
    switch (*options_.metric) {
      case Metric::octagonal:
        return across<Metric::octagonal>(dy, dx);
      case Metric::chamfer_3_4:
        return across<Metric::chamfer_3_4>(dy, dx);
      case Metric::chamfer_5_7_11:
        return across<Metric::chamfer_5_7_11>(dy, dx);
      default:
        return exact_distance_by_axes(cell, other);
    }
  }

  Int128 exact_distance_by_axes(const Axes& cell, const Axes& other) const {
    Int128 sum = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const Int128 delta = std::abs(other[axis] - cell[axis]);
      const Int128 term =
          weights_.factor[axis] * (*options_.metric == Metric::euclidean ? delta * delta : delta);
      sum = *options_.metric == Metric::chessboard ? std::max(sum, term) : sum + term;
    }
    return sum;
  }

  bool equal(double a, double b) const {
    if (kind_of(a) != kind_of(b)) return false;
    return kind_of(a) != Kind::finite || a == b || std::fabs(b - a) <= options_.tolerance;
  }

  /// Whether a cell has another site or label that is known to be as near.
  bool is_tie(const Axes& cell, const Value& a, const Value& b) const {
    if (exact() && a.site != b.site)
      return exact_distance(cell, a.site) == exact_distance(cell, b.site);
    return has_distances_ || (exact() && a.site == b.site);
  }

  void measure(const Axes& cell, double a, double b) {
    if (kind_of(a) != Kind::finite) return;
    const double excess = b - a;
    ++measured_;
    sum_ += excess;
    if (std::fabs(excess) > largest_) {
      largest_ = std::fabs(excess);
      result_.worst_cell = coordinates(cell);
    }
    result_.largest_shortfall = std::max(result_.largest_shortfall, -excess);
    if (!(excess > 0)) return;
    result_.largest_excess = std::max(result_.largest_excess, excess);
    const double relative =
        a != 0 ? excess / std::fabs(a) : std::numeric_limits<double>::infinity();
    result_.largest_relative_excess = std::max(result_.largest_relative_excess, relative);
  }

  std::vector<std::int64_t> coordinates(const Axes& cell) const {
    return {cell.end() - rank_, cell.end()};
  }

  CompareInputs inputs_;
  const CompareOptions& options_;
  bool has_sites_;
  bool has_distances_;
  Axes extent_{};
  int rank_ = 2;
  Weights weights_;
  std::vector<std::uint8_t> same_labels_;
  Comparison result_;
  double sum_ = 0;
  double largest_ = 0;
  std::int64_t measured_ = 0;
};

/// Checks one view after the other: both of each pair, against the extents of all others.
class Checker {
 public:
  void pair(const char* name, const View<const void>& a, const View<const void>& b) {
    const std::string first = std::string(name) + "_a";
    const std::string second = std::string(name) + "_b";
    if (!a && !b) return;
    if (!a || !b)
      refuse((a ? second : first) + " is missing; an output is compared in both results");
    one(first, a);
    one(second, b);
  }

  /// The axes of all views, of which there must be one.
  int rank() const {
    if (!known_) refuse("labels, site_index and distance are missing; must be one at least");
    return extents_.rank();
  }

 private:
  void one(const std::string& name, const View<const void>& view) {
    check_aligned_cells(name.c_str(), view);
    if (known_ && view.extents() != extents_)
      refuse(name, "has other extents than the other views; must have the same");
    extents_ = view.extents();
    known_ = true;
  }

  bool known_ = false;
  Extents extents_;
};

void check(const CompareInputs& inputs, const CompareOptions& options) {
  Checker checker;
  checker.pair("labels", inputs.labels_a, inputs.labels_b);
  checker.pair("site_index", inputs.site_index_a, inputs.site_index_b);
  checker.pair("distance", inputs.distance_a, inputs.distance_b);
  check_options(kCompare.fields, &options, checker.rank());
  const auto type_name = [](const View<const void>& view) {
    return std::string(name_of(view.element_type()));
  };
  if (inputs.labels_a && inputs.labels_a.element_type() != inputs.labels_b.element_type())
    refuse("labels_b", "is " + type_name(inputs.labels_b) + "; must be " +
                           type_name(inputs.labels_a) + " as labels_a is");
  for (const auto& [name, view] :
       {std::pair{"distance_a", inputs.distance_a}, std::pair{"distance_b", inputs.distance_b}})
    if (view && view.element_type() != ElementType::f32 && view.element_type() != ElementType::f64)
      refuse(name, "is " + type_name(view) + "; must be f32 or f64");
}

}  // namespace

Comparison compare(Context& context, const CompareInputs& inputs, const CompareOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    check(inputs, options);
    return Comparer(inputs, options).run(state.progress);
  });
}

}  // namespace thiessen
