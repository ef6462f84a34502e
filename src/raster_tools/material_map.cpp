// SPDX-License-Identifier: Apache-2.0
//
// Maps for trying cost distance. Values are floats for any element type, so that f32 and f64 hold
// the same map.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "core/base/refuse.hpp"
#include "core/base/rng.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/cost_distance.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// Corridors and walls of the maze: a room of 3 cells and a wall of 1.
constexpr std::int64_t kPitch = 4;
constexpr std::int64_t kCorridor = 3;

/// Bits of a room: the ways to its neighbours that are open, and whether it has been visited.
constexpr std::uint8_t kVisited = 1;
constexpr std::uint8_t kOpenRight = 2;
constexpr std::uint8_t kOpenDown = 4;

/// A maze with one way between any two rooms: a depth-first search that takes a random unvisited
/// neighbour, or goes back if there is none.
class Maze {
 public:
  Maze(std::int64_t height, std::int64_t width, Scratch::Frame& scratch)
      : rows_(std::max<std::int64_t>((height + 1) / kPitch, 1)),
        columns_(std::max<std::int64_t>((width + 1) / kPitch, 1)),
        rooms_(scratch.array<std::uint8_t>(rows_ * columns_)),
        way_(scratch.array<std::int64_t>(rows_ * columns_)) {}

  void carve(Progress& progress, std::uint64_t seed) {
    std::fill_n(rooms_, rows_ * columns_, std::uint8_t{0});
    std::int64_t length = 0;
    way_[length++] = 0;
    rooms_[0] = kVisited;
    for (std::uint64_t draws = 0; length > 0;) {
      const std::int64_t room = way_[length - 1];
      const std::array<std::int64_t, 4> next = neighbours(room);
      const auto count = std::count_if(next.begin(), next.end(), [](auto n) { return n >= 0; });
      if (count == 0) {
        --length;
        continue;
      }
      if (draws % kCheck == 0) progress.check();
      auto chosen =
          static_cast<std::int64_t>(splitmix64(seed, draws++) % static_cast<std::uint64_t>(count));
      for (const std::int64_t other : next)
        if (other >= 0 && chosen-- == 0) {
          open(std::min(room, other), std::max(room, other));
          rooms_[other] |= kVisited;
          way_[length++] = other;
        }
    }
  }

  bool is_open(std::int64_t y, std::int64_t x) const {
    if (y / kPitch >= rows_ || x / kPitch >= columns_) return false;
    const std::uint8_t room = rooms_[y / kPitch * columns_ + x / kPitch];
    const bool below = y % kPitch == kCorridor;
    const bool beside = x % kPitch == kCorridor;
    if (below) return !beside && (room & kOpenDown) != 0;
    return !beside || (room & kOpenRight) != 0;
  }

 private:
  static constexpr std::uint64_t kCheck = 1 << 16;

  /// Left, right, up, down: unvisited rooms, or -1.
  std::array<std::int64_t, 4> neighbours(std::int64_t room) const {
    const std::int64_t y = room / columns_;
    const std::int64_t x = room % columns_;
    const auto is_free = [&](std::int64_t other) { return (rooms_[other] & kVisited) == 0; };
    return {x > 0 && is_free(room - 1) ? room - 1 : -1,
            x + 1 < columns_ && is_free(room + 1) ? room + 1 : -1,
            y > 0 && is_free(room - columns_) ? room - columns_ : -1,
            y + 1 < rows_ && is_free(room + columns_) ? room + columns_ : -1};
  }

  void open(std::int64_t first, std::int64_t second) {
    rooms_[first] |= second == first + 1 && columns_ > 1 ? kOpenRight : kOpenDown;
  }

  std::int64_t rows_;
  std::int64_t columns_;
  std::uint8_t* rooms_;
  std::int64_t* way_;
};

/// Stores value_at(z, y, x) in each cell.
template <class Value, class ValueAt>
void fill(Progress& progress, const View<void>& map, const ValueAt& value_at) {
  progress.begin(map.extent(0) * map.extent(1));
  for (std::int64_t z = 0; z < map.extent(0); ++z)
    for (std::int64_t y = 0; y < map.extent(1); ++y) {
      for (std::int64_t x = 0; x < map.extent(2); ++x) {
        const auto value = static_cast<Value>(static_cast<float>(value_at(z, y, x)));
        std::memcpy(address_of(map, {z, y, x}), &value, sizeof value);
      }
      progress.advance(1);
    }
}

template <class Value>
void make_map(ContextState& state, const View<void>& map, Material material, std::uint64_t seed) {
  const std::int64_t height = map.extent(1);
  const std::int64_t width = map.extent(2);
  const auto all = [&](const auto& value_at) { fill<Value>(state.progress, map, value_at); };
  if (material == Material::uniform) return all([](auto, auto, auto) { return 1.0; });
  if (material == Material::gradient) {
    const double last = static_cast<double>(std::max<std::int64_t>(width - 1, 1));
    return all(
        [&](auto, auto, std::int64_t x) { return 0.1 + 0.9 * static_cast<double>(x) / last; });
  }
  if (material == Material::noise)
    return all([&](std::int64_t z, std::int64_t y, std::int64_t x) {
      const auto index = static_cast<std::uint64_t>((z * height + y) * width + x);
      constexpr double kDraws = 1 << 24;
      return 0.1 + 0.9 * static_cast<double>(splitmix64(seed, index) >> 40) / kDraws;
    });
  Scratch::Frame scratch(state.scratch);
  Maze maze(height, width, scratch);
  maze.carve(state.progress, seed);
  all([&](auto, std::int64_t y, std::int64_t x) { return maze.is_open(y, x) ? 1.0 : 0.0; });
}

}  // namespace

void material_map(Context& context, View<void> map, Material material, std::uint64_t seed) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check_aligned_cells("map", map);
    check_no_self_overlap("map", map);
    const View<void> cells = with_three_axes(map);
    if (map.element_type() == ElementType::f32)
      make_map<float>(state, cells, material, seed);
    else if (map.element_type() == ElementType::f64)
      make_map<double>(state, cells, material, seed);
    else
      refuse("map", "is " + std::string(name_of(map.element_type())) + "; must be f32 or f64");
  });
}

}  // namespace thiessen
