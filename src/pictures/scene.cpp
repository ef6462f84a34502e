// SPDX-License-Identifier: Apache-2.0
#include "pictures/scene.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "core/base/cells.hpp"
#include "core/base/label_bits.hpp"
#include "thiessen/element_visit.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

constexpr Colour kGrey{160, 160, 160};
constexpr Colour kInk{18, 20, 26};

/// The number that gives a label its colour: the same for a whole number of any type.
template <class T>
std::uint64_t number_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    const double real = value;
    if (real != real) return kNotANumber;
    if (real == std::floor(real) && std::fabs(real) < 0x1p63)
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(real));
    return std::bit_cast<std::uint64_t>(real);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

std::uint64_t number_of(const LabelValue& value, ElementType type, const char* argument) {
  const LabelBits bits = to_label_bits(value, type, argument);
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, bits.bytes.data(), sizeof element);
    return number_of(element);
  });
}

/// Visits the cells columns[0], columns[1] … of one row of a view with three axes.
template <class Take>
void read_row(const View<const void>& view, std::int64_t y,
              const std::vector<std::int64_t>& columns, const Take& take) {
  const std::byte* row = address_of(view, {0, y, 0});
  const std::int64_t stride = view.stride(2);
  visit_element_type(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      T value;
      std::memcpy(&value, row + columns[i] * stride, sizeof value);
      take(i, value);
    }
  });
}

/// 1, 2 or 5 times a power of ten: the least that divides `span` into at most 12 parts.
double nice_interval(double span) {
  if (!(span > 1e-300)) return 1;
  const double least = std::min(span, 1e300) / 12;
  double power = 1;
  while (power > least) power /= 10;
  while (power * 10 <= least) power *= 10;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

std::vector<std::int64_t> all_columns(std::int64_t count) {
  std::vector<std::int64_t> columns(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<std::int64_t>(i);
  return columns;
}

}  // namespace

Scene make_scene(const RenderInputs& inputs, const RenderOptions& options,
                 const View<std::uint8_t>& pixels, double thickness) {
  const View<const void>& any = inputs.labels     ? inputs.labels
                                : inputs.distance ? inputs.distance
                                                  : inputs.sites;
  Scene scene{.inputs = {with_three_axes(inputs.labels), with_three_axes(inputs.distance),
                         with_three_axes(inputs.sites)},
              .options = options,
              .y = CanvasAxis(any.extent(0), pixels.extent(0), thickness),
              .x = CanvasAxis(any.extent(1), pixels.extent(1), thickness)};
  scene.columns = all_columns(scene.x.size);
  for (std::int64_t& column : scene.columns) column = scene.x.cell_of(column);
  scene.by_label = inputs.labels && options.mode == RenderMode::cells;
  if (inputs.labels) {
    const ElementType type = inputs.labels.element_type();
    scene.unreached = number_of(options.unreached, type, "unreached");
    if (options.label_nodata) scene.nodata = number_of(*options.label_nodata, type, "label_nodata");
  }
  if (inputs.sites) {
    scene.site_rule.type = inputs.sites.element_type();
    if (options.site_nodata)
      scene.site_rule.nodata =
          to_label_bits(*options.site_nodata, scene.site_rule.type, "site_nodata");
  }
  if (inputs.distance && !scene.by_label) scene.ramp = make_ramp(options.ramp);
  const bool opaque = pixels.extent(2) == 3;
  scene.background = opaque ? to_linear_colour(options.background) : kTransparent;
  scene.grey = opaque ? to_linear_colour(kGrey) : kTransparent;
  scene.ink = to_linear_colour(kInk);
  return scene;
}

void measure_distances(ContextState& state, Scene& scene) {
  if (!scene.inputs.distance) return;
  const std::vector<std::int64_t> columns = all_columns(scene.x.cells);
  std::vector<DistanceRange> found(static_cast<std::size_t>(state.threads));
  constexpr std::int64_t kRows = 64;
  parallel_for(
      state, scene.y.cells, kRows, 1, [&](std::int64_t begin, std::int64_t end, int worker) {
        DistanceRange range;
        for (std::int64_t y = begin; y < end; ++y)
          read_row(scene.inputs.distance, y, columns,
                   [&]<class T>(std::size_t, T value) { range.add(static_cast<double>(value)); });
        found[static_cast<std::size_t>(worker)].add(range);
      });
  for (const DistanceRange& range : found) scene.range.add(range);
  if (scene.options.range) scene.range = {(*scene.options.range)[0], (*scene.options.range)[1]};
  scene.interval = scene.options.contour_interval.value_or(
      nice_interval(scene.range.greatest - scene.range.least));
}

void read_numbers(const Scene& scene, std::int64_t y, std::vector<std::uint64_t>& numbers) {
  numbers.resize(scene.columns.size());
  const View<const void>& labels = scene.inputs.labels;
  const bool boolean = labels.element_type() == ElementType::boolean;
  read_row(labels, scene.y.cell_of(y), scene.columns, [&]<class T>(std::size_t i, T value) {
    numbers[i] = boolean ? (value != 0 ? 1 : 0) : number_of(value);
  });
}

void read_distances(const Scene& scene, std::int64_t y, std::vector<double>& distances) {
  distances.resize(scene.columns.size());
  read_row(scene.inputs.distance, scene.y.cell_of(y), scene.columns,
           [&]<class T>(std::size_t i, T value) { distances[i] = static_cast<double>(value); });
}

}  // namespace thiessen
