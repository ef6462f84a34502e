// SPDX-License-Identifier: Apache-2.0
//
// Connected components in two passes over the raster, with union-find inside the output. Until the
// second pass a cell holds 1 + the linear index of an earlier cell of its component (its own index
// if it is the first), so it needs no memory but a few bytes a column. Two numbers are joined under
// the smaller one.
#include "thiessen/components.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/cell_class.hpp"
#include "core/problem/problem.hpp"
#include "raster_tools/components.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// Whether the cells lie in linear order without gaps.
bool is_dense(const View<void>& view) {
  auto step = static_cast<std::int64_t>(size_of(view.element_type()));
  for (int axis = view.rank() - 1; axis >= 0; --axis) {
    if (view.extent(axis) != 1 && view.stride(axis) != step) return false;
    step *= view.extent(axis);
  }
  return true;
}

template <class Label>
class Numbering {
 public:
  Numbering(Progress& progress, const View<const void>& image, const SiteRule& rule,
            const View<void>& labels)
      : progress_(progress),
        extent_(to_axes(image.extents())),
        image_(with_three_axes(image)),
        rule_(rule),
        labels_(with_three_axes(labels)),
        dense_(is_dense(labels_)) {}

  std::int64_t run(Connectivity connectivity) {
    progress_.begin(3 * extent_[0] * extent_[1]);
    find_neighbours(connectivity);
    classes_.resize(static_cast<std::size_t>(extent_[2]));
    for_each_row([&](std::int64_t z, std::int64_t y) { join_row(z, y); });
    // The first cell of a component comes before its others, so the cell that they point to has its
    // number already.
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
  /// A neighbour that comes before a cell in linear order.
  struct Neighbour {
    Axes offset;
    std::vector<std::uint8_t> same;  ///< for each cell of a row: whether it has the same value
  };

  void find_neighbours(Connectivity connectivity) {
    for (std::int64_t i = 0; i < 13; ++i) {
      const Axes offset{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
      if (!joins(connectivity, offset)) continue;
      if ((offset[0] != 0 && extent_[0] == 1) || (offset[1] != 0 && extent_[1] == 1)) continue;
      neighbours_.push_back(
          {offset, std::vector<std::uint8_t>(static_cast<std::size_t>(extent_[2]))});
    }
  }

  template <class Visit>
  void for_each_row(const Visit& visit) const {
    for (std::int64_t z = 0; z < extent_[0]; ++z)
      for (std::int64_t y = 0; y < extent_[1]; ++y) {
        visit(z, y);
        progress_.advance(1);
      }
  }

  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    for_each_row([&](std::int64_t z, std::int64_t y) {
      for (std::int64_t x = 0; x < extent_[2]; ++x) visit(Axes{z, y, x});
    });
  }

  Label& at(const Axes& cell) const { return *reinterpret_cast<Label*>(address_of(labels_, cell)); }
  Label& at(std::int64_t linear) const {
    if (dense_) return reinterpret_cast<Label*>(labels_.bytes())[linear];
    return at(to_cell(extent_, linear));
  }

  std::uint8_t class_of(const Axes& cell) const {
    std::uint8_t cell_class = kFreeCell;
    classify(rule_, address_of(image_, cell), 1, &cell_class);
    return cell_class;
  }

  /// Joins the cells of a row with their earlier neighbours. Values are compared a row at a time,
  /// so that compilers can use vectors.
  void join_row(std::int64_t z, std::int64_t y) {
    if (extent_[2] == 0) return;
    const bool packed =
        image_.stride(2) == static_cast<std::int64_t>(size_of(image_.element_type()));
    const std::int64_t pieces = packed ? 1 : extent_[2];
    for (std::int64_t x = 0; x < pieces; ++x)
      classify(rule_, address_of(image_, {z, y, x}), extent_[2] / pieces,
               &classes_[static_cast<std::size_t>(x)]);
    for (Neighbour& neighbour : neighbours_) compare_row(z, y, packed, neighbour);
    for (std::int64_t x = 0; x < extent_[2]; ++x) {
      const auto i = static_cast<std::size_t>(x);
      Label& label = at({z, y, x});
      label = 0;
      if (classes_[i] != kSiteCell) continue;
      label = static_cast<Label>(to_index(extent_, {z, y, x}) + 1);
      for (const auto& [offset, same] : neighbours_) {
        if (same[i] == 0) continue;
        const Label other = at({z + offset[0], y + offset[1], x + offset[2]});
        if (other != label) join(label, other);  // inside of an area they are mostly equal
      }
    }
  }

  void compare_row(std::int64_t z, std::int64_t y, bool packed, Neighbour& neighbour) const {
    const Axes& offset = neighbour.offset;
    const Axes other{z + offset[0], y + offset[1], offset[2]};
    std::fill(neighbour.same.begin(), neighbour.same.end(), std::uint8_t{0});
    if (other[0] < 0 || other[1] < 0 || other[1] >= extent_[1]) return;
    const std::int64_t begin = offset[2] < 0 ? 1 : 0;
    const std::int64_t end = offset[2] > 0 ? extent_[2] - 1 : extent_[2];
    const std::int64_t step = packed ? end - begin : 1;
    for (std::int64_t x = begin; x < end; x += step)
      compare_cells(image_.element_type(), address_of(image_, {z, y, x}),
                    address_of(image_, {other[0], other[1], x + offset[2]}), step,
                    &neighbour.same[static_cast<std::size_t>(x)]);
  }

  /// The first known cell of the component that `label` points into; halves the path on the way.
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
  bool dense_;  ///< then a cell is found without a division
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint8_t> classes_;  ///< of the cells of a row
};

void check(const View<const void>& image, const View<void>& labels) {
  check_aligned_cells("image", image);
  check_aligned_cells("labels", labels);
  check_no_self_overlap("labels", labels);
  check_no_overlap("labels", labels, "the image", image);
  if (labels.extents() != image.extents()) refuse("labels", "must have the extents of the image");
  if (labels.element_type() != ElementType::i32 && labels.element_type() != ElementType::i64)
    refuse("labels", "are " + std::string(name_of(labels.element_type())) + "; must be i32 or i64");
  if (labels.element_type() == ElementType::i32 &&
      image.extents().count() > std::numeric_limits<std::int32_t>::max())
    refuse("labels", "are i32; those of 2^31 and more cells must be i64");
}

}  // namespace

void check_connectivity(Connectivity connectivity, int rank) {
  if (connectivity == Connectivity::knights || neighbours_of(connectivity, rank) == 0)
    throw Error(ErrorCode::invalid_argument,
                {"connectivity", std::string(name_of(connectivity)),
                 std::string("must be corners") +
                     (rank == 2 ? " or faces in 2-D" : ", faces or edges in 3-D")});
}

std::int64_t connected_components(Context& context, View<const void> image,
                                  const ComponentsOptions& options, View<void> labels) {
  ContextState& state = context.state();
  std::int64_t count = 0;
  guarded(state, [&] {
    check(image, labels);
    check_connectivity(options.connectivity, image.rank());
    SiteRule rule{.type = image.element_type()};
    if (options.nodata) rule.nodata = to_label_bits(*options.nodata, rule.type, "nodata");
    if (labels.element_type() == ElementType::i32)
      count =
          Numbering<std::int32_t>(state.progress, image, rule, labels).run(options.connectivity);
    else
      count =
          Numbering<std::int64_t>(state.progress, image, rule, labels).run(options.connectivity);
  });
  return count;
}

}  // namespace thiessen
