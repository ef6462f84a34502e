// SPDX-License-Identifier: Apache-2.0
//
// Connected components across slabs: union-find over the components that lie on faces. They are
// ordered by slab and number, and two are joined under the smaller one, as in components.cpp. So
// the one that all of a component's parts end at is the part with its first cell.
#include "thiessen/slabs/component_slabs.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/cells.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/cell_class.hpp"
#include "raster_tools/components.hpp"

namespace thiessen {
namespace {

/// Extents of a face: (1, y, x), in 2-D (1, 1, x).
Axes face_axes(const Extents& raster) {
  Axes axes = to_axes(raster);
  axes[raster.rank() == 2 ? 1 : 0] = 1;
  return axes;
}

template <class Label>
ComponentsFace copy_face(const View<const void>& image, const View<void>& labels,
                         std::int64_t row) {
  const int first_axis = image.rank() == 2 ? 1 : 0;
  const View<const void> cells = with_three_axes(image);
  const View<void> numbers = with_three_axes(labels);
  const Axes extent = face_axes(image.extents());
  const std::size_t size = size_of(image.element_type());
  const auto count = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
  ComponentsFace face;
  face.numbers.reserve(count);
  face.values.reserve(count * size);
  for (std::int64_t y = 0; y < extent[1]; ++y)
    for (std::int64_t x = 0; x < extent[2]; ++x) {
      const Axes cell = first_axis == 1 ? Axes{0, row, x} : Axes{row, y, x};
      const auto number = *reinterpret_cast<const Label*>(address_of(numbers, cell));
      face.numbers.push_back(std::max<std::int64_t>(number, 0));
      const std::byte* const value = address_of(cells, cell);
      face.values.insert(face.values.end(), value, value + size);
    }
  return face;
}

template <class Label>
void copy_faces(const View<const void>& image, const View<void>& labels,
                ComponentsSummary& summary) {
  if (image.extents().count() == 0) return;
  summary.first = copy_face<Label>(image, labels, 0);
  summary.last = copy_face<Label>(image, labels, image.extent(0) - 1);
}

/// The parts of components that lie on faces, ordered by slab and number.
class FaceParts {
 public:
  explicit FaceParts(std::span<const ComponentsSummary> summaries) {
    first_of_slab_.reserve(summaries.size() + 1);
    first_of_slab_.push_back(0);
    for (const ComponentsSummary& summary : summaries) {
      std::vector<std::int64_t> own;
      own.reserve(summary.first.numbers.size() + summary.last.numbers.size());
      for (const ComponentsFace* const face : {&summary.first, &summary.last})
        std::copy_if(face->numbers.begin(), face->numbers.end(), std::back_inserter(own),
                     [](std::int64_t number) { return number > 0; });
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      number_.insert(number_.end(), own.begin(), own.end());
      first_of_slab_.push_back(number_.size());
    }
    parent_.resize(number_.size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t begin(std::size_t slab) const { return first_of_slab_[slab]; }
  std::size_t end(std::size_t slab) const { return first_of_slab_[slab + 1]; }
  /// Within its slab.
  std::int64_t number(std::size_t part) const { return number_[part]; }

  std::size_t part_of(std::size_t slab, std::int64_t number) const {
    const auto first = number_.begin();
    const auto at = std::lower_bound(first + static_cast<std::ptrdiff_t>(begin(slab)),
                                     first + static_cast<std::ptrdiff_t>(end(slab)), number);
    return static_cast<std::size_t>(at - first);
  }

  /// The part with the component's first cell; halves the path on the way.
  std::size_t find(std::size_t part) {
    while (parent_[part] != part) {
      parent_[part] = parent_[parent_[part]];
      part = parent_[part];
    }
    return part;
  }

  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> first_of_slab_;
  std::vector<std::int64_t> number_;
  std::vector<std::size_t> parent_;
};

/// Joins the parts on two faces that lie side by side.
void join_faces(const Extents& raster, Connectivity connectivity, std::size_t upper_slab,
                std::size_t lower_slab, std::span<const ComponentsSummary> summaries,
                FaceParts& parts) {
  const ComponentsFace& upper = summaries[upper_slab].last;
  const ComponentsFace& lower = summaries[lower_slab].first;
  const ElementType type = summaries[upper_slab].type;
  const std::size_t size = size_of(type);
  const Axes extent = face_axes(raster);
  std::vector<std::uint8_t> same(static_cast<std::size_t>(extent[2]));
  for (std::int64_t dy = -1; dy <= 1; ++dy)
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      if (!joins(connectivity, {1, dy, dx})) continue;
      const std::int64_t begin = std::max<std::int64_t>(0, -dx);
      const std::int64_t count = extent[2] - std::max<std::int64_t>(0, dx) - begin;
      for (std::int64_t y = std::max<std::int64_t>(0, -dy);
           y < extent[1] - std::max<std::int64_t>(0, dy); ++y) {
        if (count <= 0) continue;
        const auto a = static_cast<std::size_t>(y * extent[2] + begin);
        const auto b = static_cast<std::size_t>((y + dy) * extent[2] + begin + dx);
        compare_cells(type, upper.values.data() + a * size, lower.values.data() + b * size, count,
                      same.data());
        std::int64_t joined_a = 0;  // areas meet along many cells
        std::int64_t joined_b = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
          const std::int64_t number_a = upper.numbers[a + i];
          const std::int64_t number_b = lower.numbers[b + i];
          if (same[i] == 0 || number_a == 0 || number_b == 0) continue;
          if (number_a == joined_a && number_b == joined_b) continue;
          parts.join(parts.part_of(upper_slab, number_a), parts.part_of(lower_slab, number_b));
          joined_a = number_a;
          joined_b = number_b;
        }
      }
    }
}

void check_summary(const ComponentsSummary& summary, ElementType type, const Extents& raster) {
  const Axes extent = face_axes(raster);
  const auto cells = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
  if (summary.type != type)
    refuse("summaries", "are of " + std::string(name_of(type)) + " and " +
                            std::string(name_of(summary.type)) + " cells; must be of one raster");
  const bool is_empty = summary.first.numbers.empty() && summary.last.numbers.empty();
  for (const ComponentsFace* const face : {&summary.first, &summary.last}) {
    const std::size_t wanted = is_empty ? 0 : cells;
    if (face->numbers.size() != wanted || face->values.size() != wanted * size_of(type))
      refuse("summary", "has a face of " + std::to_string(face->numbers.size()) +
                            " cells; the raster's has " + std::to_string(cells));
    for (const std::int64_t number : face->numbers)
      if (number < 0 || number > summary.count)
        refuse("summary", "has the component " + std::to_string(number) + "; it counts " +
                              std::to_string(summary.count));
  }
}

/// Numbers within a slab to those of the raster.
template <class Label>
class Renumbering {
 public:
  explicit Renumbering(const ComponentNumbers& numbers) : numbers_(numbers) {}

  Label operator()(Label label) {
    if (label <= 0) return label;
    if (label != last_) {  // areas are runs of cells
      found_ = find(label);
      last_ = label;
    }
    return found_;
  }

 private:
  Label find(std::int64_t label) const {
    if (label > numbers_.count)
      refuse("labels", "hold the component " + std::to_string(label) + "; the slab has " +
                           std::to_string(numbers_.count));
    const auto& joined = numbers_.joined;
    const auto at = std::ranges::lower_bound(joined, label, {}, &ComponentNumbers::Joined::in_slab);
    const bool is_joined = at != joined.end() && at->in_slab == label;
    const std::int64_t number =
        is_joined ? at->in_raster : numbers_.before + label - (at - joined.begin());
    if (number > std::numeric_limits<Label>::max())
      refuse("labels", "are i32; must be i64 to hold the component " + std::to_string(number));
    return static_cast<Label>(number);
  }

  const ComponentNumbers& numbers_;
  Label last_ = 0;
  Label found_ = 0;
};

template <class Label>
void renumber(const ComponentNumbers& numbers, const View<void>& labels) {
  Renumbering<Label> to_raster(numbers);
  const Axes extent = to_axes(labels.extents());
  const View<void> cells = with_three_axes(labels);
  for (std::int64_t z = 0; z < extent[0]; ++z)
    for (std::int64_t y = 0; y < extent[1]; ++y)
      for (std::int64_t x = 0; x < extent[2]; ++x) {
        auto& label = *reinterpret_cast<Label*>(address_of(cells, {z, y, x}));
        label = to_raster(label);
      }
}

}  // namespace

ComponentsSummary summarise_components(Context& context, View<const void> image,
                                       const ComponentsOptions& options, View<void> labels) {
  ComponentsSummary summary;
  summary.type = image.element_type();
  summary.count = connected_components(context, image, options, labels);
  if (labels.element_type() == ElementType::i32)
    copy_faces<std::int32_t>(image, labels, summary);
  else
    copy_faces<std::int64_t>(image, labels, summary);
  return summary;
}

std::vector<ComponentNumbers> combine_components(std::span<const ComponentsSummary> summaries,
                                                 const Extents& raster,
                                                 const ComponentsOptions& options) {
  check_connectivity(options.connectivity, raster.rank());
  if (summaries.empty()) return {};
  for (const ComponentsSummary& summary : summaries)
    check_summary(summary, summaries.front().type, raster);
  FaceParts parts(summaries);
  std::size_t upper = summaries.size();  // the last slab with rows
  for (std::size_t slab = 0; slab < summaries.size(); ++slab) {
    if (summaries[slab].first.numbers.empty()) continue;
    if (upper < slab) join_faces(raster, options.connectivity, upper, slab, summaries, parts);
    upper = slab;
  }
  std::vector<ComponentNumbers> found(summaries.size());
  std::vector<std::int64_t> number_of_part(parts.end(summaries.size() - 1));
  std::int64_t before = 0;
  for (std::size_t slab = 0; slab < summaries.size(); ++slab) {
    ComponentNumbers& numbers = found[slab];
    numbers.before = before;
    numbers.count = summaries[slab].count;
    for (std::size_t part = parts.begin(slab); part < parts.end(slab); ++part) {
      const std::size_t root = parts.find(part);
      const auto joined = static_cast<std::int64_t>(numbers.joined.size());
      number_of_part[part] =
          root == part ? before + parts.number(part) - joined : number_of_part[root];
      if (root != part) numbers.joined.push_back({parts.number(part), number_of_part[part]});
    }
    before += numbers.count - static_cast<std::int64_t>(numbers.joined.size());
  }
  for (ComponentNumbers& numbers : found) numbers.all = before;
  return found;
}

void number_components(const ComponentNumbers& numbers, View<void> labels) {
  switch (labels.element_type()) {
    case ElementType::i32:
      return renumber<std::int32_t>(numbers, labels);
    case ElementType::i64:
      return renumber<std::int64_t>(numbers, labels);
    default:
      refuse("labels",
             "are " + std::string(name_of(labels.element_type())) + "; must be i32 or i64");
  }
}

}  // namespace thiessen
