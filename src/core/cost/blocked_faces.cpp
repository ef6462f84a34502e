// SPDX-License-Identifier: Apache-2.0
#include "core/cost/blocked_faces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/first_found.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/labels.hpp"

namespace thiessen {
namespace {

/// The bit of a cell for its face towards the next one along an axis (z, y, x).
constexpr int bit_of_axis(std::size_t axis) { return kAxes - 1 - static_cast<int>(axis); }

/// Faces of a box in C order, without those at the end of an axis that is not periodic.
class FaceLoader {
 public:
  /// The extent of `box` is that of the faces.
  FaceLoader(const CostProblem& box, const Axes& first, const Axes& whole,
             const View<const std::uint8_t>& faces, std::uint8_t* into)
      : problem_(box), first_(first), whole_(whole), faces_(faces), into_(into) {}

  void load_row(std::int64_t row) {
    const Axes& extent = problem_.extent;
    const unsigned illegal = ~0u << problem_.rank;
    Axes cell{row / extent[1], row % extent[1], 0};
    for (; cell[2] < extent[2]; ++cell[2]) {
      const auto bits = static_cast<unsigned>(*address_of(faces_, cell));
      const std::int64_t index = to_index(extent, cell);
      if ((bits & illegal) != 0) illegal_.report(index);
      into_[index] = static_cast<std::uint8_t>(bits & faces_inside(cell));
    }
  }

  void refuse_illegal() const {
    if (!illegal_.any()) return;
    const auto bits =
        static_cast<unsigned>(*address_of(faces_, to_cell(problem_.extent, illegal_.index())));
    refuse("blocked_faces" + cell_text(problem_, illegal_.index()), std::to_string(bits),
           "must be at most " + std::to_string((1 << problem_.rank) - 1));
  }

 private:
  unsigned faces_inside(const Axes& cell) const {
    unsigned bits = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (problem_.periodic[axis] || first_[axis] + cell[axis] + 1 < whole_[axis])
        bits |= 1u << bit_of_axis(axis);
    return bits;
  }

  const CostProblem& problem_;
  Axes first_;
  Axes whole_;
  const View<const std::uint8_t>& faces_;
  std::uint8_t* into_;
  FirstFound illegal_;
};

}  // namespace

template <class T>
auto OpenSteps<T>::make_box(const CostOffset& step) -> StepBox {
  const Axes offset{step.z, step.y, step.x};
  Axes size{}, first{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    size[axis] = std::abs(offset[axis]) + 1;
    first[axis] = std::min<std::int64_t>(offset[axis], 0);
  }
  StepBox box;
  box.count = static_cast<std::size_t>(size[0] * size[1] * size[2]);
  box.stride = {1, size[2], size[1] * size[2]};
  box.begin = std::uint32_t{1} << to_index(size, {-first[0], -first[1], -first[2]});
  box.end = std::uint32_t{1} << to_index(
                size, {offset[0] - first[0], offset[1] - first[1], offset[2] - first[2]});
  for (std::size_t i = 0; i < box.count; ++i) {
    const Axes cell = to_cell(size, static_cast<std::int64_t>(i));
    box.way[i] = {first[0] + cell[0], first[1] + cell[1], first[2] + cell[2]};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (cell[axis] + 1 < size[axis])
        box.faces[i] |= static_cast<std::uint8_t>(1u << bit_of_axis(axis));
  }
  return box;
}

template <class T>
OpenSteps<T>::OpenSteps(const Axes& extent, const CostEdges<T>& edges, const T* resistance,
                        const std::uint8_t* faces)
    : extent_(extent), edges_(edges), resistance_(resistance), faces_(faces) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k)
    boxes_[k] = make_box(edges.offset[k]);
}

template <class T>
void OpenSteps<T>::find_row(std::int64_t row, std::uint32_t* steps) const {
  const Axes start{row / extent_[1], row % extent_[1], 0};
  const std::vector<std::uint8_t> near = faces_near(start);
  for (std::int64_t x = 0; x < extent_[2]; ++x) {
    const std::uint8_t* const column = near.data() + x;
    const bool is_far = std::all_of(column, column + 2 * kLongestStep + 1,
                                    [](std::uint8_t faces) { return faces == 0; });
    steps[x] = is_far ? ~std::uint32_t{0} : steps_from({start[0], start[1], x});
  }
}

template <class T>
std::uint32_t OpenSteps<T>::find(const Axes& cell) const {
  unsigned near = 0;
  for_each_row_near(cell, [&](const std::uint8_t* faces) {
    for_each_in_reach(2, cell[2], [&](std::int64_t x) { near |= faces[x]; });
  });
  return near == 0 ? ~std::uint32_t{0} : steps_from(cell);
}

/// Calls visit(coordinate) for those in reach of a cell along an axis.
template <class T>
template <class Visit>
void OpenSteps<T>::for_each_in_reach(std::size_t axis, std::int64_t from,
                                     const Visit& visit) const {
  const std::int64_t length = extent_[axis];
  const bool is_periodic = (edges_.periodic >> axis & 1) != 0;
  for (std::int64_t to = from - kLongestStep; to <= from + kLongestStep; ++to) {
    if (to >= 0 && to < length)
      visit(to);
    else if (is_periodic)
      visit(to < 0 ? to + length : to - length);
  }
}

/// Calls visit(faces) for the rows in reach of a cell.
template <class T>
template <class Visit>
void OpenSteps<T>::for_each_row_near(const Axes& cell, const Visit& visit) const {
  for_each_in_reach(0, cell[0], [&](std::int64_t z) {
    for_each_in_reach(1, cell[1], [&](std::int64_t y) {
      visit(faces_ + to_index(extent_, {z, y, 0}));
    });
  });
}

/// The blocked faces of the rows in reach of a row, by columns, of which kLongestStep lie before
/// the first one and behind the last one.
template <class T>
std::vector<std::uint8_t> OpenSteps<T>::faces_near(const Axes& row) const {
  const auto width = static_cast<std::size_t>(extent_[2]);
  constexpr auto kMargin = static_cast<std::size_t>(kLongestStep);
  std::vector<std::uint8_t> near(width + 2 * kMargin, 0);
  for_each_row_near(row, [&](const std::uint8_t* faces) {
    for (std::size_t x = 0; x < width; ++x) near[kMargin + x] |= faces[x];
  });
  for (std::size_t i = 0; (edges_.periodic >> 2 & 1) != 0 && i < kMargin; ++i) {
    near[i] = near[width + i];
    near[kMargin + width + i] = near[kMargin + i];
  }
  return near;
}

template <class T>
std::uint32_t OpenSteps<T>::steps_from(const Axes& cell) const {
  const std::int64_t index = to_index(extent_, cell);
  std::uint32_t open = 0;
  std::uint32_t inside = neighbours_inside(edges_, extent_, cell);
  for (; inside != 0; inside &= inside - 1) {
    const int k = std::countr_zero(inside);
    open |= std::uint32_t{has_way(boxes_[static_cast<std::size_t>(k)], index)} << k;
  }
  return open;
}

/// Floods the box of a step from the cell in which it begins.
template <class T>
bool OpenSteps<T>::has_way(const StepBox& box, std::int64_t from) const {
  std::uint32_t open = 0;
  std::array<std::uint32_t, kAxes> ahead{};  // whose face along x, y and z is open
  for (std::size_t i = 0; i < box.count; ++i) {
    const std::int64_t cell = cell_beside(edges_, extent_, from, box.way[i]);
    const bool is_open = !edges_.tight_barriers || is_passable(resistance_[cell]);
    open |= std::uint32_t{is_open} << i;
    const auto faces = static_cast<unsigned>(box.faces[i] & ~faces_[cell]);
    for (std::size_t bit = 0; bit < kAxes; ++bit) ahead[bit] |= (faces >> bit & 1) << i;
  }
  // The cells on the other sides of open faces.
  const auto across = [](std::uint32_t cells, std::uint32_t faces, std::int64_t stride) {
    return (cells & faces) << stride | (cells >> stride & faces);
  };
  std::uint32_t reached = box.begin;
  for (std::uint32_t before = 0; reached != before && (reached & box.end) == 0;) {
    before = reached;
    for (std::size_t bit = 0; bit < kAxes; ++bit)
      reached |= open & across(reached, ahead[bit], box.stride[bit]);
  }
  return (reached & box.end) != 0;
}

template class OpenSteps<float>;
template class OpenSteps<double>;

const std::uint8_t* load_blocked_faces(const CostProblem& problem,
                                       const View<const std::uint8_t>& blocked_faces,
                                       const Axes& first, const Loop& loop,
                                       Scratch::Frame& scratch) {
  CostProblem box = problem;
  box.extent = to_axes(blocked_faces.extents());
  auto* const faces = scratch.array<std::uint8_t>(box.cells());
  FaceLoader loader(box, first, problem.extent, blocked_faces, faces);
  loop(box.extent[0] * box.extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) loader.load_row(row);
  });
  loader.refuse_illegal();
  return faces;
}

template <class T>
const std::uint32_t* find_open_steps(const CostProblem& problem,
                                     const View<const std::uint8_t>& blocked_faces,
                                     const CostEdges<T>& edges, const T* resistance,
                                     const Loop& loop, Scratch::Frame& scratch) {
  const std::int64_t rows = problem.extent[0] * problem.extent[1];
  auto* const steps = scratch.array<std::uint32_t>(problem.cells());
  const std::uint8_t* const faces =
      load_blocked_faces(problem, blocked_faces, Axes{}, loop, scratch);
  const OpenSteps<T> open(problem.extent, edges, resistance, faces);
  loop(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      open.find_row(row, steps + row * problem.extent[2]);
  });
  return steps;
}

template const std::uint32_t* find_open_steps(const CostProblem&, const View<const std::uint8_t>&,
                                              const CostEdges<float>&, const float*, const Loop&,
                                              Scratch::Frame&);
template const std::uint32_t* find_open_steps(const CostProblem&, const View<const std::uint8_t>&,
                                              const CostEdges<double>&, const double*, const Loop&,
                                              Scratch::Frame&);

}  // namespace thiessen
