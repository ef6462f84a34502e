// SPDX-License-Identifier: Apache-2.0
#include "polygons/region_walks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "thiessen/element_visit.hpp"
#include "threads/parallel.hpp"

namespace thiessen::polygons {
namespace {

/// Where a walk goes. The next one is to the left of it.
enum class Direction : std::uint8_t { down, right, up, left };

constexpr Direction turned_left(Direction direction) {
  return static_cast<Direction>((static_cast<int>(direction) + 1) % 4);
}
constexpr Direction turned_right(Direction direction) {
  return static_cast<Direction>((static_cast<int>(direction) + 3) % 4);
}

constexpr Corner step(Corner corner, Direction direction) {
  constexpr std::int8_t kRows[] = {1, 0, -1, 0};
  constexpr std::int8_t kColumns[] = {0, 1, 0, -1};
  return {corner.row + kRows[static_cast<int>(direction)],
          corner.column + kColumns[static_cast<int>(direction)]};
}

/// The cell ahead of a corner, on the left of the direction and on its right.
constexpr Corner ahead_left(Corner corner, Direction direction) {
  constexpr std::int8_t kRows[] = {0, -1, -1, 0};
  constexpr std::int8_t kColumns[] = {0, 0, -1, -1};
  return {corner.row + kRows[static_cast<int>(direction)],
          corner.column + kColumns[static_cast<int>(direction)]};
}
constexpr Corner ahead_right(Corner corner, Direction direction) {
  return ahead_left(corner, turned_right(direction));
}

/// The key of a cell of type T; bool for booleans, whose true bytes are all one label.
template <class T>
LabelKey key_at(const std::byte* cell) {
  if constexpr (std::is_same_v<T, bool>)
    return *cell != std::byte{0} ? 1 : 0;
  else
    return label_key(*reinterpret_cast<const T*>(cell));
}

template <class T>
bool is_nan(const std::byte* cell) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(*reinterpret_cast<const T*>(cell));
  return false;
}

template <class T>
class Walker {
 public:
  Walker(const LabelCells& cells, Runs& runs)
      : labels_(cells.labels),
        left_out_(cells.left_out),
        rows_(static_cast<std::int32_t>(labels_.extent(0))),
        columns_(static_cast<std::int32_t>(labels_.extent(1))),
        runs_(runs) {}

  bool is_region(Corner cell) const {
    if (!is_inside(cell) || is_nan<T>(address_of(cell))) return false;
    return std::find(left_out_.begin(), left_out_.end(), key_of(cell)) == left_out_.end();
  }

  LabelKey key_of(Corner cell) const { return key_at<T>(address_of(cell)); }

  /// Walks down from the upper left corner of a cell, once around, and lists the runs that begin
  /// along the way.
  void walk(Corner cell, Walk& walk, std::vector<std::int64_t>& passed) const {
    walk.label = key_of(cell);
    walk.vertices.clear();
    passed.clear();
    Corner corner = cell;
    Direction direction = Direction::down;
    do {
      if (direction == Direction::down) passed.push_back(runs_.at(corner));
      corner = step(corner, direction);
      direction = pass(corner, direction, walk);
    } while (corner != cell || direction != Direction::down);
  }

 private:
  const std::byte* address_of(Corner cell) const {
    return labels_.bytes() + cell.row * labels_.stride(0) + cell.column * labels_.stride(1);
  }

  bool is_inside(Corner cell) const {
    return cell.row >= 0 && cell.row < rows_ && cell.column >= 0 && cell.column < columns_;
  }

  bool has(Corner cell, LabelKey label) const { return is_inside(cell) && key_of(cell) == label; }

  /// Whether both cells are of one region, or both lie outside of the raster.
  bool same(Corner a, Corner b) const {
    const bool a_inside = is_inside(a), b_inside = is_inside(b);
    if (!a_inside || !b_inside) return a_inside == b_inside;
    return key_of(a) == key_of(b);
  }

  /// The direction from a corner on; the corner becomes a vertex unless the walk goes straight on
  /// between the same two regions.
  Direction pass(Corner corner, Direction direction, Walk& walk) const {
    const Corner left = ahead_left(corner, direction), right = ahead_right(corner, direction);
    const bool left_is_own = has(left, walk.label), right_is_own = has(right, walk.label);
    const bool pinch = right_is_own && !left_is_own;
    const Direction next = !left_is_own   ? turned_left(direction)
                           : right_is_own ? turned_right(direction)
                                          : direction;
    const Corner behind_right = ahead_right(step_back(corner, direction), direction);
    if (next != direction || !same(behind_right, right)) {
      const Corner beside = ahead_right(corner, next);
      const bool borders = is_region(beside);
      walk.vertices.push_back({.at = corner,
                               .pinch = pinch,
                               .junction = outlines_at(corner) > 2,
                               .borders = borders,
                               .right = borders ? key_of(beside) : 0});
    }
    return next;
  }

  static Corner step_back(Corner corner, Direction direction) {
    return step(corner, turned_left(turned_left(direction)));
  }

  int outlines_at(Corner corner) const {
    const std::array<Corner, 4> around{
        Corner{corner.row - 1, corner.column - 1}, Corner{corner.row - 1, corner.column},
        Corner{corner.row, corner.column}, Corner{corner.row, corner.column - 1}};
    int count = 0;
    for (std::size_t i = 0; i < around.size(); ++i)
      count += same(around[i], around[(i + 1) % around.size()]) ? 0 : 1;
    return count;
  }

  View<const void> labels_;
  const std::vector<LabelKey>& left_out_;
  std::int32_t rows_, columns_;
  Runs& runs_;
};

/// Calls visit(column) for each column of a row where a run begins.
template <class T, class Visit>
void for_each_begin(const View<const void>& labels, std::int64_t row, const Visit& visit) {
  const std::byte* cell = labels.bytes() + row * labels.stride(0);
  LabelKey before{};
  for (std::int64_t x = 0; x < labels.extent(1); ++x, cell += labels.stride(1)) {
    const LabelKey key = key_at<T>(cell);
    if (x == 0 || key != before) visit(static_cast<std::int32_t>(x));
    before = key;
  }
}

template <class T>
Runs find_runs(ContextState& state, const View<const void>& labels) {
  const std::int64_t height = labels.extent(0), width = labels.extent(1);
  constexpr std::int64_t kRowsAtOnce = 16;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(height) + 1, 0);
  parallel_for(state, height, kRowsAtOnce, width, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t y = begin; y < end; ++y)
      for_each_begin<T>(labels, y, [&](std::int32_t) { ++rows[static_cast<std::size_t>(y) + 1]; });
  });
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) rows[y + 1] += rows[y];
  std::vector<std::int32_t> begins(static_cast<std::size_t>(rows.back()));
  parallel_for(state, height, kRowsAtOnce, width, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t y = begin; y < end; ++y) {
      std::int32_t* next = begins.data() + rows[static_cast<std::size_t>(y)];
      for_each_begin<T>(labels, y, [&](std::int32_t x) { *next++ = x; });
    }
  });
  return {std::move(rows), std::move(begins)};
}

/// The owner of the last run before this one, in its row, of the same label.
template <class T>
std::int32_t owner_before(const Walker<T>& walker, Runs& runs, std::int32_t row, std::int64_t run,
                          LabelKey label) {
  for (std::int64_t i = run - 1; i >= runs.row(row); --i)
    if (walker.key_of({row, runs.begin(i)}) == label) return runs.owner(i);
  return Runs::kUnseen;
}

template <class T>
void make_walks(ContextState& state, const LabelCells& cells, const VisitWalk& visit) {
  const std::int64_t height = cells.labels.extent(0), width = cells.labels.extent(1);
  state.progress.begin(3 * height * width);
  Runs runs = find_runs<T>(state, cells.labels);
  const Walker<T> walker(cells, runs);
  Walk walk{};
  std::vector<std::int64_t> passed;
  for (std::int32_t y = 0; y < height; ++y, state.progress.advance(width))
    for (std::int64_t run = runs.row(y); run < runs.row(y + 1); ++run) {
      const Corner cell{y, runs.begin(run)};
      if (runs.owner(run) != Runs::kUnseen || !walker.is_region(cell)) continue;
      walker.walk(cell, walk, passed);
      const std::int32_t owner =
          visit(walk, [&] { return owner_before(walker, runs, y, run, walk.label); });
      for (const std::int64_t i : passed) runs.owner(i) = owner;
    }
}

}  // namespace

std::int64_t Runs::at(const Corner& corner) const {
  const auto first = begins_.begin() + row(corner.row);
  const auto last = begins_.begin() + row(corner.row + 1);
  return std::lower_bound(first, last, corner.column) - begins_.begin();
}

void for_each_walk(ContextState& state, const LabelCells& cells, const VisitWalk& visit) {
  const ElementType type = cells.labels.element_type();
  if (type == ElementType::boolean) return make_walks<bool>(state, cells, visit);
  visit_element_type(type,
                     [&]<class T>(std::type_identity<T>) { make_walks<T>(state, cells, visit); });
}

}  // namespace thiessen::polygons
