// SPDX-License-Identifier: Apache-2.0
#include "networks/numbered_places.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/base/cell_access.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/inputs.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/cell_class.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::networks {
namespace {

/// Numbers the labels of a type: first all are seen, then they are sorted.
template <class Value>
class LabelNumbers {
 public:
  void see(const std::byte* label) {
    const std::uint64_t key = key_of(label);
    if (key == last_key_ && last_ >= 0) return;
    last_key_ = key;
    last_ = numbers_.try_emplace(key, 0).first->second;
  }

  /// The labels in order, with their numbers 1, 2, ….
  Raster sort(ElementType type) {
    std::vector<Value> values;
    for (const auto& [key, number] : numbers_) values.push_back(value_of(key));
    std::sort(values.begin(), values.end(), is_less);
    Raster labels(type, Extents{std::ssize(values)});
    std::copy(values.begin(), values.end(), reinterpret_cast<Value*>(labels.bytes()));
    for (std::size_t i = 0; i < values.size(); ++i)
      numbers_[key_of(reinterpret_cast<const std::byte*>(&values[i]))] =
          static_cast<std::int32_t>(i) + 1;
    last_ = -1;
    return labels;
  }

  std::int32_t number(const std::byte* label) {
    const std::uint64_t key = key_of(label);
    if (key == last_key_ && last_ >= 0) return last_;
    last_key_ = key;
    return last_ = numbers_.at(key);
  }

 private:
  static bool is_less(Value a, Value b) {
    if constexpr (std::is_floating_point_v<Value>)
      if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    return a < b;
  }

  // -0 is 0, and all NaN are one label.
  static std::uint64_t key_of(const std::byte* label) {
    Value value;
    std::memcpy(&value, label, sizeof value);
    if constexpr (std::is_floating_point_v<Value>) {
      const double number = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                                              : static_cast<double>(value) + 0.0;
      return std::bit_cast<std::uint64_t>(number);
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
  static Value value_of(std::uint64_t key) {
    if constexpr (std::is_floating_point_v<Value>)
      return static_cast<Value>(std::bit_cast<double>(key));
    else
      return static_cast<Value>(key);
  }

  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
  std::uint64_t last_key_ = 0;
  std::int32_t last_ = -1;
};

/// Calls visit(linear index, address of the label) for the sites of a raster of three axes.
template <class Visit>
void for_each_site(const View<const void>& raster, const SiteRule& rule, const Visit& visit) {
  const CellReader reader(raster);
  const auto element = static_cast<std::int64_t>(size_of(raster.element_type()));
  ChunkBuffer buffer;
  std::array<std::uint8_t, kChunk> classes;
  const Axes extent = to_axes(raster.extents());
  for (std::int64_t row = 0; row < extent[0] * extent[1]; ++row)
    for (std::int64_t x = 0; x < extent[2]; x += kChunk) {
      const std::int64_t count = std::min(kChunk, extent[2] - x);
      const std::byte* const cells =
          reader.read(row / extent[1], row % extent[1], x, count, buffer);
      classify(rule, cells, count, classes.data());
      for (std::int64_t i = 0; i < count; ++i)
        if (classes[static_cast<std::size_t>(i)] == kSiteCell)
          visit(row * extent[2] + x + i, cells + i * element);
    }
}

double load_coordinate_of(const View<const void>& points, std::int64_t point, std::int64_t axis) {
  return load_float(points.bytes() + point * points.stride(0) + axis * points.stride(1),
                    points.element_type());
}

void check_number_of_places(std::int64_t count, const char* name) {
  if (count > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::unsupported, {name, {}, "are more than 2^31 - 1 places"});
}

/// Runs act(). Its errors about points get the name of the argument.
template <class Act>
void with_name(const char* name, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    constexpr std::string_view kPoints = "points";
    BrokenRule broken = error.broken_rule();
    if (!broken.argument.starts_with(kPoints)) throw;
    broken.argument.replace(0, kPoints.size(), name);
    throw Error(error.code(), broken);
  }
}

}  // namespace

NumberedPlaces::NumberedPlaces(const Places& places, const Extents& extents,
                               const CostDistanceOptions& options, const char* name)
    : rank_(static_cast<std::size_t>(extents.rank())) {
  if (places.points.coordinates) {
    with_name(name, [&] {
      check_points(places.points, extents.rank(), {});
      check_number_of_places(places.points.coordinates.extent(0), name);
      number_points(places.points, extents, options.periodic);
    });
    return;
  }
  check_cells(name, places.raster);
  if (places.raster.extents() != extents)
    refuse(name, "has other extents than the map; must have the same");
  number_raster(with_three_axes(places.raster), options);
  check_number_of_places(std::ssize(first_cell_) - 1, name);
}

std::span<const std::int64_t> NumberedPlaces::cells(std::int32_t number) const {
  const auto place = static_cast<std::size_t>(number);
  const auto first = static_cast<std::size_t>(first_cell_[place - 1]);
  return std::span(cells_).subspan(first, static_cast<std::size_t>(first_cell_[place]) - first);
}

void NumberedPlaces::number_labels_up(std::int64_t count) {
  labels_ = Raster::of<std::int32_t>({count});
  auto* const labels = labels_.view<std::int32_t>().data();
  std::iota(labels, labels + count, 1);
}

void NumberedPlaces::number_raster(const View<const void>& raster,
                                   const CostDistanceOptions& options) {
  const SiteRule rule = make_rule(raster.element_type(),
                                  {.values = options.values,
                                   .zero_is_site = options.zero_is_site,
                                   .nodata = options.site_nodata},
                                  "site_nodata");
  const Axes extent = to_axes(raster.extents());
  numbers_ = rank_ == 3 ? Array<std::int32_t>({extent[0], extent[1], extent[2]})
                        : Array<std::int32_t>({extent[1], extent[2]});
  std::fill(numbers_.begin(), numbers_.end(), 0);
  std::vector<std::int64_t> cells;
  std::vector<std::int32_t> numbers;
  const auto add = [&](std::int64_t cell, std::int32_t number) {
    numbers_.data()[cell] = number;
    cells.push_back(cell);
    numbers.push_back(number);
  };
  if (raster.element_type() == ElementType::boolean) {
    for_each_site(raster, rule, [&](std::int64_t cell, const std::byte*) {
      add(cell, static_cast<std::int32_t>(cells.size()) + 1);
    });
    number_labels_up(std::ssize(cells));
  } else {
    visit_element_type(raster.element_type(), [&]<class Value>(std::type_identity<Value>) {
      LabelNumbers<Value> of_label;
      for_each_site(raster, rule,
                    [&](std::int64_t, const std::byte* label) { of_label.see(label); });
      labels_ = of_label.sort(raster.element_type());
      for_each_site(raster, rule, [&](std::int64_t cell, const std::byte* label) {
        add(cell, of_label.number(label));
      });
    });
  }
  list_cells(cells, numbers);
}

void NumberedPlaces::number_point_labels(const View<const void>& labels,
                                         std::vector<std::int32_t>& numbers) {
  if (!labels) {
    std::iota(numbers.begin(), numbers.end(), 1);
    return number_labels_up(std::ssize(numbers));
  }
  visit_element_type(labels.element_type(), [&]<class Value>(std::type_identity<Value>) {
    LabelNumbers<Value> of_label;
    const auto at = [&](std::size_t i) {
      return labels.bytes() + static_cast<std::int64_t>(i) * labels.stride(0);
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) of_label.see(at(i));
    labels_ = of_label.sort(labels.element_type());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = of_label.number(at(i));
  });
}

void NumberedPlaces::number_points(const PointList& list, const Extents& extents,
                                   const std::vector<bool>& periodic) {
  const auto count = static_cast<std::size_t>(list.coordinates.extent(0));
  std::vector<std::int32_t> numbers(count);
  number_point_labels(list.labels, numbers);
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return numbers[static_cast<std::size_t>(a)] < numbers[static_cast<std::size_t>(b)];
  });
  for (const std::int64_t point : order) {
    point_numbers_.push_back(numbers[static_cast<std::size_t>(point)]);
    for (std::size_t axis = 0; axis < rank_; ++axis)
      coordinates_.push_back(
          load_coordinate_of(list.coordinates, point, static_cast<std::int64_t>(axis)));
  }
  std::vector<Axes> room(count);
  const PointSites snapped = snap_points(list.coordinates, room.data());
  std::vector<std::int64_t> cells(count);
  // A wrong number of axes is left to the search, which refuses it.
  const bool fits = periodic.size() == rank_;
  const auto joined = fits ? periodic_axes(periodic) : std::array<bool, kAxes>{};
  for (std::size_t i = 0; i < count; ++i)
    cells[i] = cell_of_point(to_axes(extents), snapped, static_cast<std::int64_t>(i), {}, joined);
  list_cells(cells, numbers);
}

void NumberedPlaces::list_cells(std::span<const std::int64_t> cells,
                                std::span<const std::int32_t> numbers) {
  first_cell_.assign(static_cast<std::size_t>(labels_.extents()[0]) + 1, 0);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] != kNoCell) ++first_cell_[static_cast<std::size_t>(numbers[i])];
  std::partial_sum(first_cell_.begin(), first_cell_.end(), first_cell_.begin());
  cells_.resize(static_cast<std::size_t>(first_cell_.back()));
  std::vector<std::int64_t> next(first_cell_.begin(), first_cell_.end());
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] != kNoCell)
      cells_[static_cast<std::size_t>(next[static_cast<std::size_t>(numbers[i]) - 1]++)] = cells[i];
  for (std::int32_t number = 1; number <= count(); ++number) {
    const auto own = this->cells(number);
    auto* const first = cells_.data() + (own.data() - cells_.data());
    std::sort(first, first + own.size());
  }
}

// NOLINTNEXTLINE(readability-function-size): the arguments of cost_distance()
void NumberedPlaces::search(Context& context, const CostMap& map, CostDistanceOptions options,
                            const CostDistanceOutputs& out, std::int32_t number) const {
  options.values.clear();
  options.zero_is_site = false;
  options.site_nodata.reset();
  if (numbers_) {
    if (number > 0) options.values = {std::int64_t{number}};
    cost_distance(context, map, numbers_.view(), options, out);
    return;
  }
  const auto [first, last] =
      number > 0 ? std::equal_range(point_numbers_.begin(), point_numbers_.end(), number)
                 : std::pair(point_numbers_.begin(), point_numbers_.end());
  const auto before = static_cast<std::size_t>(first - point_numbers_.begin());
  const std::int64_t points = last - first;
  const PointList list{
      .coordinates = View<const double>(coordinates_.data() + before * rank_,
                                        {points, static_cast<std::int64_t>(rank_)}),
      .labels = View<const std::int32_t>(point_numbers_.data() + before, {points})};
  cost_distance(context, map, list, options, out);
}

}  // namespace thiessen::networks
