// SPDX-License-Identifier: Apache-2.0
//
// Connected components in two passes over the raster, with union-find inside the output: until the
// second pass a cell holds 1 + the linear index of an earlier cell of its component (its own if it
// is the first), so no other memory is needed. Two numbers are joined under the smaller one.
#include "thiessen/components.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "core/cell_class.hpp"
#include "core/problem.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

struct Offset {
  std::int64_t z, y, x;
};

/// Neighbours that come before a cell in linear order.
std::vector<Offset> earlier_neighbours(Connectivity connectivity) {
  if (connectivity == Connectivity::faces) return {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  std::vector<Offset> offsets;
  for (std::int64_t i = 0; i < 13; ++i) offsets.push_back({i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1});
  return offsets;
}

template <class Label>
class Components {
 public:
  Components(const View<const void>& image, const SiteRule& rule, const View<void>& labels)
      : extent_(to_axes(image.extents())), image_(image), rule_(rule), labels_(labels) {}

  std::int64_t run(Connectivity connectivity) {
    const std::vector<Offset> offsets = earlier_neighbours(connectivity);
    for_each_cell([&](std::int64_t z, std::int64_t y, std::int64_t x) {
      Label& label = at(z, y, x);
      label = class_of(z, y, x) == kSiteCell ? static_cast<Label>(index(z, y, x) + 1) : 0;
      if (label == 0) return;
      for (const Offset& offset : offsets)
        if (same(z, y, x, offset)) join(label, at(z + offset.z, y + offset.y, x + offset.x));
    });
    // A component's first cell comes before the others, so what they point to has its number
    // already.
    Label count = 0;
    for_each_cell([&](std::int64_t z, std::int64_t y, std::int64_t x) {
      Label& label = at(z, y, x);
      if (label == 0) return;
      const std::int64_t parent = label - 1;
      label = parent == index(z, y, x) ? -++count : at(parent);
    });
    for_each_cell([&](std::int64_t z, std::int64_t y, std::int64_t x) {
      const bool nodata = rule_.nodata && class_of(z, y, x) == kNodataCell;
      at(z, y, x) = nodata ? -1 : -at(z, y, x);
    });
    return count;
  }

 private:
  template <class Visit>
  void for_each_cell(Visit&& visit) const {
    for (std::int64_t z = 0; z < extent_[0]; ++z)
      for (std::int64_t y = 0; y < extent_[1]; ++y)
        for (std::int64_t x = 0; x < extent_[2]; ++x) visit(z, y, x);
  }

  template <class AnyView>
  static auto* address(const AnyView& view, std::int64_t z, std::int64_t y, std::int64_t x) {
    const int rank = view.rank();
    return view.bytes() + (rank == 3 ? z * view.stride(0) : 0) + y * view.stride(rank - 2) +
           x * view.stride(rank - 1);
  }

  Label& at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return *reinterpret_cast<Label*>(address(labels_, z, y, x));
  }
  Label& at(std::int64_t linear) const {
    const std::int64_t row = linear / extent_[2];
    return at(row / extent_[1], row % extent_[1], linear % extent_[2]);
  }
  std::int64_t index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * extent_[1] + y) * extent_[2] + x;
  }

  std::uint8_t class_of(std::int64_t z, std::int64_t y, std::int64_t x) const {
    std::uint8_t cell_class = kFreeCell;
    classify(rule_, address(image_, z, y, x), 1, &cell_class);
    return cell_class;
  }

  bool same(std::int64_t z, std::int64_t y, std::int64_t x, const Offset& offset) const {
    const std::int64_t nz = z + offset.z;
    const std::int64_t ny = y + offset.y;
    const std::int64_t nx = x + offset.x;
    if (nz < 0 || ny < 0 || nx < 0 || ny >= extent_[1] || nx >= extent_[2]) return false;
    std::uint8_t equal = 0;
    compare_cells(image_.element_type(), address(image_, z, y, x), address(image_, nz, ny, nx), 1,
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

  Axes extent_;
  const View<const void>& image_;
  const SiteRule& rule_;
  const View<void>& labels_;
};

void check(const View<const void>& image, const View<void>& labels) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::invalid_argument, message);
  };
  if (image.rank() != 2 && image.rank() != 3)
    refuse("image has " + std::to_string(image.rank()) + " axes; must be 2 or 3");
  if (labels.extents() != image.extents()) refuse("labels must have the extents of the image");
  if (labels.element_type() != ElementType::i32 && labels.element_type() != ElementType::i64)
    refuse("labels are " + std::string(name_of(labels.element_type())) + "; must be i32 or i64");
  if (labels.element_type() == ElementType::i32 &&
      image.extents().count() > std::numeric_limits<std::int32_t>::max())
    refuse("labels are i32; those of 2^31 and more cells must be i64");
}

}  // namespace

std::int64_t connected_components(View<const void> image, const ComponentsOptions& options,
                                  View<void> labels) {
  check(image, labels);
  SiteRule rule{image.element_type(), {}, false};
  if (options.nodata) rule.nodata = to_label_bits(*options.nodata, rule.type, "nodata");
  if (labels.element_type() == ElementType::i32)
    return Components<std::int32_t>(image, rule, labels).run(options.connectivity);
  return Components<std::int64_t>(image, rule, labels).run(options.connectivity);
}

}  // namespace thiessen
