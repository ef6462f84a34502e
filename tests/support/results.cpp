// SPDX-License-Identifier: Apache-2.0
#include "support/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/order/compass.hpp"
#include "core/problem/cell_class.hpp"

namespace thiessen::testing {
namespace {

ElementType label_type(const cases::Case& item) {
  return item.type == ElementType::boolean ? ElementType::i32 : item.type;
}

Extents offset_extents(const Extents& extents) {
  if (extents.rank() == 2) return {2, extents[0], extents[1]};
  return {3, extents[0], extents[1], extents[2]};
}

template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Axes to_cell(const Problem& problem, std::int64_t index) {
  const std::int64_t row = index / problem.extent[2];
  return {row / problem.extent[1], row % problem.extent[1], index % problem.extent[2]};
}

/// The difference from a cell to the image of a site that counts: among the site and its copies one
/// period before and behind it those that are nearest, and among these the first in lexicographic
/// order.
Axes way_to_image(const Problem& problem, std::int64_t from, std::int64_t to) {
  const Axes p = to_cell(problem, from), q = to_cell(problem, to);
  const Int128 least = oracle::exact_distance(problem, p, q);
  Problem plane = problem;  // on which an image is a cell like any other
  plane.period = {kNoPeriod, kNoPeriod, kNoPeriod};
  const auto copies = [&](std::size_t axis) {
    if (problem.period[axis] == kNoPeriod) return std::vector<std::int64_t>{0};
    return std::vector<std::int64_t>{-problem.extent[axis], 0, problem.extent[axis]};
  };
  for (const std::int64_t z : copies(0))
    for (const std::int64_t y : copies(1))
      for (const std::int64_t x : copies(2)) {
        const Axes image{q[0] + z, q[1] + y, q[2] + x};
        if (oracle::exact_distance(plane, p, image) == least)
          return {image[0] - p[0], image[1] - p[1], image[2] - p[2]};
      }
  ADD_FAILURE() << "no image of site " << to << " is as near to cell " << from
                << " as the oracle has it";
  return {};
}

std::vector<std::byte> expected_labels(const cases::Case& item, const Problem& problem,
                                       const Raster& sites, const oracle::Result& truth) {
  const std::size_t element = size_of(label_type(item));
  std::vector<std::int32_t> numbers;  // of boolean sites
  std::int32_t next = 0;
  if (item.type == ElementType::boolean)
    for (std::size_t i = 0; i < truth.site.size(); ++i) {
      std::uint8_t cell_class = kFreeCell;
      classify(problem.rule, sites.bytes() + i, 1, &cell_class);
      numbers.push_back(cell_class == kSiteCell ? ++next : 0);
    }
  const std::byte* source =
      numbers.empty() ? sites.bytes() : reinterpret_cast<const std::byte*>(numbers.data());
  std::vector<std::byte> labels;
  for (const std::int64_t site : truth.site) {
    const std::byte* label = site == kUnreached ? problem.unreached.bytes.data()
                             : site == kNodata  ? problem.rule.nodata->bytes.data()
                                                : source + static_cast<std::size_t>(site) * element;
    labels.insert(labels.end(), label, label + element);
  }
  return labels;
}

}  // namespace

Outputs::Outputs(const cases::Case& item, Layout layout)
    : labels(label_type(item), item.extents, layout),
      site_index(ElementType::i64, item.extents, layout),
      distance32(ElementType::f32, item.extents, layout),
      distance64(ElementType::f64, item.extents, layout),
      squared(ElementType::i64, item.extents, layout),
      offset(ElementType::i32, offset_extents(item.extents), layout),
      direction(ElementType::f32, item.extents, layout) {}

bool has_squared(const cases::Case& item) {
  return item.options.metric == Metric::euclidean && item.options.spacing.empty();
}

NearestSiteOutputs views(const cases::Case& item, Outputs& outputs, bool wide_distance) {
  NearestSiteOutputs out;
  out.labels = outputs.labels.view();
  out.site_index = outputs.site_index.view<std::int64_t>();
  out.distance = wide_distance ? outputs.distance64.view() : outputs.distance32.view();
  out.offset = outputs.offset.view<std::int32_t>();
  if (has_squared(item)) out.squared = outputs.squared.view<std::int64_t>();
  if (item.extents.rank() == 2) out.direction = outputs.direction.view<float>();
  return out;
}

Expected expect(const cases::Case& item, const Problem& problem, const Raster& sites,
                const oracle::Result& truth) {
  Expected expected;
  expected.labels = expected_labels(item, problem, sites, truth);
  expected.site_index = to_bytes(truth.site);
  expected.distance64 = to_bytes(truth.distance);
  expected.distance32 = to_bytes(std::vector<float>(truth.distance.begin(), truth.distance.end()));
  std::vector<std::int64_t> squared;
  std::vector<std::int32_t> offset;
  std::vector<float> direction;
  for (std::size_t i = 0; i < truth.site.size(); ++i) {
    // With a signed distance `squared` stays the square to the nearest site.
    const bool inside = problem.signed_distance && truth.site[i] == static_cast<std::int64_t>(i);
    squared.push_back(inside ? 0 : static_cast<std::int64_t>(truth.exact[i]));
  }
  std::vector<Axes> ways;
  for (std::size_t i = 0; i < truth.site.size(); ++i)
    ways.push_back(truth.site[i] < 0
                       ? Axes{}
                       : way_to_image(problem, static_cast<std::int64_t>(i), truth.site[i]));
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    for (std::size_t i = 0; i < truth.site.size(); ++i)
      offset.push_back(truth.site[i] < 0 ? std::numeric_limits<std::int32_t>::min()
                                         : static_cast<std::int32_t>(ways[i][axis]));
  for (std::size_t i = 0; i < truth.site.size(); ++i) {
    const double longest = std::max(problem.spacing[1], problem.spacing[2]);
    direction.push_back(
        truth.site[i] < 0
            ? std::numeric_limits<float>::quiet_NaN()
            : static_cast<float>(compass_degrees(
                  static_cast<double>(ways[i][2]) * (problem.spacing[2] / longest),
                  static_cast<double>(-ways[i][1]) * (problem.spacing[1] / longest))));
  }
  expected.squared = to_bytes(squared);
  expected.offset = to_bytes(offset);
  expected.direction = to_bytes(direction);
  return expected;
}

void compare(const char* name, const GuardedArray& output, const std::vector<std::byte>& expected) {
  EXPECT_TRUE(output.intact()) << name << " was written outside of its cells";
  const std::vector<std::byte> elements = output.elements();
  ASSERT_EQ(elements.size(), expected.size()) << name;
  const std::size_t element = size_of(output.view().element_type());
  for (std::size_t i = 0; i < elements.size(); i += element)
    ASSERT_EQ(std::memcmp(elements.data() + i, expected.data() + i, element), 0)
        << name << " differs first at element " << i / element;
}

}  // namespace thiessen::testing
