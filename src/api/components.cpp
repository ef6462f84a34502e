// SPDX-License-Identifier: Apache-2.0
//
// Connected components in two passes over the raster, with union-find inside the output: until the
// second pass a cell holds 1 + the linear index of an earlier cell of its component (its own if it
// is the first), so no other memory is needed. Two numbers are joined under the smaller one.
#include "thiessen/components.hpp"

#include <limits>
#include <string>
#include <vector>

#include "api/guarded.hpp"
#include "core/cell_class.hpp"
#include "core/problem.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// Neighbours that come before a cell in linear order.
std::vector<Axes> earlier_neighbours(Connectivity connectivity) {
  if (connectivity == Connectivity::faces) return {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  std::vector<Axes> offsets;
  for (std::int64_t i = 0; i < 13; ++i) offsets.push_back({i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1});
  return offsets;
}

template <class Label>
class Components {
 public:
  Components(Progress& progress, const View<const void>& image, const SiteRule& rule,
             const View<void>& labels)
      : progress_(progress),
        extent_(to_axes(image.extents())),
        image_(with_three_axes(image)),
        rule_(rule),
        labels_(with_three_axes(labels)) {}

  std::int64_t run(Connectivity connectivity) {
    const std::vector<Axes> offsets = earlier_neighbours(connectivity);
    progress_.begin(3 * extent_[0] * extent_[1]);
    for_each_cell([&](const Axes& cell) { join_earlier(cell, offsets); });
    // A component's first cell comes before the others, so what they point to has its number
    // already.
    Label count = 0;
    for_each_cell([&](const Axes& cell) {
      Label& label = at(cell);
      if (label == 0) return;
      const std::int64_t parent = label - 1;
      label = parent == to_index(extent_, cell) ? -++count : at(parent);
    });
    for_each_cell([&](const Axes& cell) {
      const bool nodata = rule_.nodata && class_of(cell) == kNodataCell;
      at(cell) = nodata ? -1 : -at(cell);
    });
    return count;
  }

 private:
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    for (std::int64_t z = 0; z < extent_[0]; ++z)
      for (std::int64_t y = 0; y < extent_[1]; ++y) {
        for (std::int64_t x = 0; x < extent_[2]; ++x) visit(Axes{z, y, x});
        progress_.advance(1);
      }
  }

  Label& at(const Axes& cell) const { return *reinterpret_cast<Label*>(address_of(labels_, cell)); }
  Label& at(std::int64_t linear) const { return at(to_cell(extent_, linear)); }

  std::uint8_t class_of(const Axes& cell) const {
    std::uint8_t cell_class = kFreeCell;
    classify(rule_, address_of(image_, cell), 1, &cell_class);
    return cell_class;
  }

  void join_earlier(const Axes& cell, const std::vector<Axes>& offsets) const {
    Label& label = at(cell);
    label = class_of(cell) == kSiteCell ? static_cast<Label>(to_index(extent_, cell) + 1) : 0;
    if (label == 0) return;
    for (const Axes& offset : offsets) {
      const Axes other{cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2]};
      if (same(cell, other)) join(label, at(other));
    }
  }

  bool same(const Axes& cell, const Axes& other) const {
    if (other[0] < 0 || other[1] < 0 || other[2] < 0 || other[1] >= extent_[1] ||
        other[2] >= extent_[2])
      return false;
    std::uint8_t equal = 0;
    compare_cells(image_.element_type(), address_of(image_, cell), address_of(image_, other), 1,
                  &equal);
    return equal != 0;
  }

  /// First cell known of the component that `label` points into; halves the path on the way.
  Label find(Label label) const {
    while (true) {
      Label& parent = at(label - 1);
      if (parent == label) return label;
      parent = at(parent - 1);
      label = parent;
    }
  }

  void join(Label& label, Label neighbour) const {
    const Label a = find(label);
    const Label b = find(neighbour);
    at((a < b ? b : a) - 1) = a < b ? a : b;
    label = a < b ? a : b;
  }

  Progress& progress_;
  Axes extent_;
  View<const void> image_;
  const SiteRule& rule_;
  View<void> labels_;
};

void check(const View<const void>& image, const View<void>& labels) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::invalid_argument, message);
  };
  check_aligned_cells("image", image);
  check_aligned_cells("labels", labels);
  check_apart("labels", labels);
  check_no_overlap("labels", labels, "the image", image);
  if (labels.extents() != image.extents()) refuse("labels must have the extents of the image");
  if (labels.element_type() != ElementType::i32 && labels.element_type() != ElementType::i64)
    refuse("labels are " + std::string(name_of(labels.element_type())) + "; must be i32 or i64");
  if (labels.element_type() == ElementType::i32 &&
      image.extents().count() > std::numeric_limits<std::int32_t>::max())
    refuse("labels are i32; those of 2^31 and more cells must be i64");
}

}  // namespace

std::int64_t connected_components(Context& context, View<const void> image,
                                  const ComponentsOptions& options, View<void> labels) {
  ContextState& state = context.state();
  std::int64_t count = 0;
  guarded(state, [&] {
    check(image, labels);
    SiteRule rule{.type = image.element_type()};
    if (options.nodata) rule.nodata = to_label_bits(*options.nodata, rule.type, "nodata");
    if (labels.element_type() == ElementType::i32)
      count =
          Components<std::int32_t>(state.progress, image, rule, labels).run(options.connectivity);
    else
      count =
          Components<std::int64_t>(state.progress, image, rule, labels).run(options.connectivity);
  });
  return count;
}

}  // namespace thiessen
