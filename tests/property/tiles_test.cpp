// SPDX-License-Identifier: Apache-2.0
//
// The tile engine against the linear-time methods (instruction set "none"), for every instruction
// set that this machine has: rasters of many leaves, of all densities and layouts, so that every
// search has its share.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/context_state.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;

using Sizes = std::vector<std::int64_t>;  // (z, y, x)

struct TileProblem {
  Sizes size;
  ElementType type = ElementType::i32;
  std::vector<std::uint8_t> sites;
  NearestSiteOptions options;
  std::vector<std::byte> cells;

  Extents extents() const {
    return size[0] == 1 ? Extents{size[1], size[2]} : Extents{size[0], size[1], size[2]};
  }
  std::uint8_t& at(std::int64_t z, std::int64_t y, std::int64_t x) {
    return sites[static_cast<std::size_t>((z * size[1] + y) * size[2] + x)];
  }
  View<const void> view() const { return {cells.data(), type, extents()}; }
};

void draw_noise(Draw& draw, TileProblem& problem) {
  // From one site to all cells, every power of ten as likely as the next one.
  const double share = std::pow(10, -4 * draw.real()) * (draw.once_in(8) ? 2 : 1);
  for (auto& site : problem.sites) site = draw.real() < share ? 1 : 0;
}

void fill_balls(Draw& draw, TileProblem& problem, std::uint8_t value) {
  const std::int64_t count = 1 + draw.below(12);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t radius = 1 + draw.below(30);
    const Sizes centre = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                          draw.below(problem.size[2])};
    for (std::int64_t z = 0; z < problem.size[0]; ++z)
      for (std::int64_t y = 0; y < problem.size[1]; ++y)
        for (std::int64_t x = 0; x < problem.size[2]; ++x) {
          const std::int64_t dz = z - centre[0], dy = y - centre[1], dx = x - centre[2];
          if (dz * dz + dy * dy + dx * dx <= radius * radius) problem.at(z, y, x) = value;
        }
  }
}

void draw_blobs(Draw& draw, TileProblem& problem) { fill_balls(draw, problem, 1); }

/// As many sites as the near search takes, with holes as wide as its windows.
void draw_holes(Draw& draw, TileProblem& problem) {
  const double share = 0.002 + 0.03 * draw.real();
  for (auto& site : problem.sites) site = draw.real() < share ? 1 : 0;
  fill_balls(draw, problem, 0);
}

void draw_circle(Draw& draw, TileProblem& problem) {
  const double radius = draw.real() * static_cast<double>(problem.size[1] + problem.size[2]) / 3;
  for (int i = 0; i < 1000; ++i) {
    const auto y =
        static_cast<std::int64_t>(static_cast<double>(problem.size[1]) / 2 + radius * std::cos(i));
    const auto x =
        static_cast<std::int64_t>(static_cast<double>(problem.size[2]) / 2 + radius * std::sin(i));
    if (y >= 0 && y < problem.size[1] && x >= 0 && x < problem.size[2])
      problem.at(draw.below(problem.size[0]), y, x) = 1;
  }
}

void draw_lines(Draw& draw, TileProblem& problem) {
  const std::int64_t count = 1 + draw.below(4);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t axis = static_cast<std::size_t>(draw.below(3));
    Sizes cell = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                  draw.below(problem.size[2])};
    for (cell[axis] = 0; cell[axis] < problem.size[axis]; ++cell[axis])
      problem.at(cell[0], cell[1], cell[2]) = 1;
  }
}

/// A plane, or the skin of a ball: the sites of volumes that lie thick and far.
void draw_surface(Draw& draw, TileProblem& problem) {
  const std::size_t axis = static_cast<std::size_t>(draw.below(4));
  const Sizes centre = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                        draw.below(problem.size[2])};
  const std::int64_t radius = 1 + draw.below(40);
  const std::int64_t thin = 1 + draw.below(3);
  for (std::int64_t z = 0; z < problem.size[0]; ++z)
    for (std::int64_t y = 0; y < problem.size[1]; ++y)
      for (std::int64_t x = 0; x < problem.size[2]; ++x) {
        const Sizes from = {z - centre[0], y - centre[1], x - centre[2]};
        const std::int64_t square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
        const bool skin = square >= radius * radius && square < (radius + 1) * (radius + 1);
        if ((axis < 3 ? from[axis] == 0 : skin) && draw.below(thin) == 0) problem.at(z, y, x) = 1;
      }
}

void draw_checkerboard(Draw& draw, TileProblem& problem) {
  const std::int64_t square = 1 + draw.below(50);
  for (std::int64_t z = 0; z < problem.size[0]; ++z)
    for (std::int64_t y = 0; y < problem.size[1]; ++y)
      for (std::int64_t x = 0; x < problem.size[2]; ++x)
        problem.at(z, y, x) = (z / square + y / square + x / square) % 2 == 1 ? 1 : 0;
}

/// Values that repeat, but differ between neighbours, also in one byte.
void fill_cells(Draw& draw, TileProblem& problem) {
  const std::size_t element = size_of(problem.type);
  problem.cells.resize(problem.sites.size() * element);
  for (std::size_t i = 0; i < problem.sites.size(); ++i) {
    if (problem.sites[i] == 0) continue;
    const auto value = static_cast<std::int8_t>(1 + i % 120);
    std::byte* cell = problem.cells.data() + i * element;
    if (problem.type == ElementType::f32) {
      const auto real = static_cast<float>(value);
      std::memcpy(cell, &real, sizeof real);
    } else if (problem.type == ElementType::f64) {
      const auto real = static_cast<double>(value);
      std::memcpy(cell, &real, sizeof real);
    } else {
      std::memcpy(cell, &value, 1);
      if (element > 1 && draw.once_in(2)) cell[element / 2] = static_cast<std::byte>(1 + i % 100);
    }
  }
}

TileProblem draw_tile_problem(std::uint64_t seed) {
  constexpr ElementType kTypes[] = {ElementType::i32, ElementType::i32,    ElementType::u8,
                                    ElementType::i16, ElementType::f32,    ElementType::i64,
                                    ElementType::f64, ElementType::boolean};
  constexpr double kSpacings[] = {1, 1, 1, 2, 3, 0.5, 0.3, 1.7, 10};
  Draw draw(seed);
  TileProblem problem;
  const bool volume = draw.once_in(2);
  const std::int64_t longest = volume ? 90 : 300;
  problem.size = {volume ? 2 + draw.below(longest) : 1, 1 + draw.below(longest),
                  1 + draw.below(longest)};
  // Wider than the tiles that the far search begins with.
  if (!volume && draw.once_in(5)) problem.size = {1, 1 + draw.below(40), 1 + draw.below(2500)};
  problem.sites.resize(
      static_cast<std::size_t>(problem.size[0] * problem.size[1] * problem.size[2]));
  problem.type = kTypes[draw.below(std::size(kTypes))];
  constexpr void (*kLayouts[])(Draw&, TileProblem&) = {
      draw_noise, draw_noise, draw_noise,        draw_holes,   draw_blobs,  draw_circle,
      draw_lines, draw_holes, draw_checkerboard, draw_surface, draw_surface};
  kLayouts[draw.below(std::size(kLayouts))](draw, problem);
  if (draw.once_in(6)) draw_noise(draw, problem);
  fill_cells(draw, problem);
  NearestSiteOptions& options = problem.options;
  if (draw.once_in(3)) options.metric = static_cast<Metric>(draw.below(3));
  if (draw.once_in(3))
    for (int axis = 0; axis < (volume ? 3 : 2); ++axis)
      options.spacing.push_back(kSpacings[draw.below(std::size(kSpacings))]);
  if (draw.once_in(4)) options.max_distance = 30 * draw.real();
  if (draw.once_in(4))
    for (int axis = 0; axis < (volume ? 3 : 2); ++axis) options.periodic.push_back(draw.once_in(2));
  if (draw.once_in(6) && problem.type != ElementType::boolean)
    options.nodata = std::int64_t{1 + draw.below(100)};
  if (draw.once_in(8) && problem.type != ElementType::boolean)
    options.values = {std::int64_t{7}, std::int64_t{8}, std::int64_t{60}};
  return problem;
}

/// Where an output lies in memory: `shift` cells from a line of the cache, with `gap` cells between
/// its rows.
struct Placement {
  std::int64_t shift = 0;
  std::int64_t gap = 0;
};

class Output {
 public:
  Output(const TileProblem& problem, ElementType type, const Placement& placement)
      : extents_(problem.extents()),
        type_(type),
        element_(static_cast<std::int64_t>(size_of(type))),
        columns_(problem.size[2] * element_),
        row_(columns_ + placement.gap * element_),
        rows_(problem.size[0] * problem.size[1]),
        bytes_(static_cast<std::size_t>(rows_ * row_ + placement.shift * element_ + kLine),
               kUntouched) {
    const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(bytes_.data()));
    first_ = (kLine - address % kLine) % kLine + placement.shift * element_;
  }

  View<void> view() {
    View<void>::Strides strides{row_, element_};
    if (extents_.rank() == 3) strides = {extents_[1] * row_, row_, element_};
    return {bytes_.data() + first_, type_, extents_, strides};
  }

  bool operator==(const Output& other) const {
    for (std::int64_t row = 0; row < rows_; ++row)
      if (std::memcmp(cells(row), other.cells(row), static_cast<std::size_t>(columns_)) != 0)
        return false;
    return true;
  }

  /// Whether nothing but cells was written.
  bool is_within_cells() const {
    const std::byte* from = bytes_.data();
    for (std::int64_t row = 0; row < rows_; ++row) {
      if (!is_untouched(from, cells(row))) return false;
      from = cells(row) + columns_;
    }
    return is_untouched(from, bytes_.data() + bytes_.size());
  }

 private:
  static constexpr std::int64_t kLine = 64;
  static constexpr std::byte kUntouched{0xa5};

  const std::byte* cells(std::int64_t row) const { return bytes_.data() + first_ + row * row_; }

  static bool is_untouched(const std::byte* begin, const std::byte* end) {
    return std::all_of(begin, end, [](std::byte byte) { return byte == kUntouched; });
  }

  Extents extents_;
  ElementType type_;
  std::int64_t element_;
  std::int64_t columns_;  ///< in bytes
  std::int64_t row_;
  std::int64_t rows_;
  std::vector<std::byte> bytes_;
  std::int64_t first_ = 0;
};

/// Some of the outputs, as the bits of `choice` say.
class Answer {
 public:
  /// What solve(context, outputs) writes. `cache_bytes`: larger outputs are written past the
  /// caches.
  template <class Solve>
  Answer(const TileProblem& problem, const Solve& solve, const ContextOptions& context_options,
         std::int64_t choice, std::int64_t cache_bytes = INT64_MAX,
         const Placement& placement = {}) {
    const auto add = [&](ElementType type) {
      outputs_.push_back(std::make_unique<Output>(problem, type, placement));
      return outputs_.back()->view();
    };
    const bool numbered = problem.type == ElementType::boolean;
    NearestSiteOutputs out;
    if ((choice & 4) == 0) out.labels = add(numbered ? ElementType::i32 : problem.type);
    if ((choice & 5) != 0) out.distance = add(ElementType::f32);
    if ((choice & 2) != 0) {
      const View<void> index = add(ElementType::i64);
      out.site_index = View<std::int64_t>(reinterpret_cast<std::int64_t*>(index.bytes()),
                                          index.extents(), index.strides());
    }
    Context context(context_options);
    context.state().cache_bytes = cache_bytes;
    solve(context, out);
  }

  bool operator==(const Answer& other) const {
    return std::ranges::equal(outputs_, other.outputs_,
                              [](const auto& a, const auto& b) { return *a == *b; });
  }

  bool is_within_cells() const {
    return std::ranges::all_of(outputs_, [](const auto& each) { return each->is_within_cells(); });
  }

 private:
  std::vector<std::unique_ptr<Output>> outputs_;
};

/// Solves a problem by every instruction set, and without any.
template <class Solve>
void compare_instruction_sets(const TileProblem& problem, const Solve& solve, std::uint64_t seed) {
  const auto choice = static_cast<std::int64_t>(seed % 8);
  Draw draw(seed);
  const std::int64_t cache_bytes = draw.once_in(4) ? INT64_MAX : 0;
  const Placement placement{draw.below(4) * draw.below(6), draw.once_in(3) ? draw.below(20) : 0};
  const Answer expected(problem, solve, {.threads = 2, .instructions = "none"}, choice);
  for (const std::string_view name : cpu::tiles::instruction_set_names())
    for (const int threads : {1, 3}) {
      const Answer answer(problem, solve, {.threads = threads, .instructions = std::string(name)},
                          choice, cache_bytes, placement);
      ASSERT_TRUE(answer == expected && answer.is_within_cells())
          << "problem " << seed << ", instructions " << name << ", threads " << threads;
    }
}

std::uint64_t problem_count() {
  const char* const wanted = std::getenv("THIESSEN_TEST_PROBLEMS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 50;
}

TEST(Tiles, EqualTheLinearMethods) {
  for (std::uint64_t seed = 0; seed < problem_count(); ++seed) {
    const TileProblem problem = draw_tile_problem(seed);
    const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
      nearest_site(context, problem.view(), problem.options, out);
    };
    compare_instruction_sets(problem, solve, seed);
    if (HasFatalFailure()) return;
  }
}

/// The sites of a problem as points, in any order, some cells with more than one, on centres of
/// cells or anywhere.
struct PointsOf {
  std::vector<double> coordinates;
  std::vector<std::byte> labels;
  PointList list;

  PointsOf(const TileProblem& problem, Draw& draw) {
    std::vector<std::int64_t> cells;
    for (std::size_t i = 0; i < problem.sites.size(); ++i)
      if (problem.sites[i] != 0)
        cells.insert(cells.end(), draw.once_in(9) ? 2 : 1, static_cast<std::int64_t>(i));
    for (std::int64_t i = std::ssize(cells) - 1; i > 0; --i)
      std::swap(cells[static_cast<std::size_t>(i)],
                cells[static_cast<std::size_t>(draw.below(i + 1))]);
    const std::int64_t parts =
        draw.once_in(2) ? 1 : std::int64_t{2} << draw.below(16);  // of a cell
    const auto add = [&](std::int64_t cell) {
      const std::int64_t part = parts == 1 ? 0 : draw.below(parts + 1) - parts / 2;
      coordinates.push_back(static_cast<double>(cell) +
                            static_cast<double>(part) / static_cast<double>(parts));
    };
    for (const std::int64_t cell : cells) {
      const std::int64_t row = cell / problem.size[2];
      if (problem.size[0] > 1) add(row / problem.size[1]);
      add(row % problem.size[1]);
      add(cell % problem.size[2]);
    }
    const auto count = std::ssize(cells);
    const int rank = problem.size[0] > 1 ? 3 : 2;
    list.coordinates = View<const double>(coordinates.data(), {count, rank});
    if (problem.type == ElementType::boolean) return;  // numbered
    const std::size_t element = size_of(problem.type);
    labels.resize(cells.size() * element);
    for (std::size_t i = 0; i < cells.size(); ++i)
      std::memcpy(&labels[i * element],
                  &problem.cells[static_cast<std::size_t>(cells[i]) * element], element);
    list.labels = View<const void>(labels.data(), problem.type, {count});
  }
};

TEST(Tiles, PointsEqualTheTree) {
  for (std::uint64_t seed = 0; seed < problem_count(); ++seed) {
    const TileProblem problem = draw_tile_problem(seed);
    constexpr std::ptrdiff_t kMost = 3000;  // the tree takes its time
    if (std::ranges::count(problem.sites, 1) > kMost) continue;
    Draw draw(seed);
    const PointsOf points(problem, draw);
    const Grid grid{.extents = problem.extents(), .spacing = problem.options.spacing};
    NearestSiteOptions options;
    options.metric = problem.options.metric;
    options.max_distance = problem.options.max_distance;
    const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
      nearest_site(context, points.list, grid, options, out);
    };
    compare_instruction_sets(problem, solve, seed);
    if (HasFatalFailure()) return;
  }
}

/// A leaf of one column, in a unit of many sites, whose own sites are farther than the rows that
/// are marked when it is searched. What these hold then is left from the call before.
TEST(Tiles, SearchesSeeNoRowsThatAreNotMarked) {
  TileProblem problem;
  problem.size = {1, 278, 241};
  problem.sites.assign(278 * 241, 1);
  problem.cells.assign(problem.sites.size() * 4, std::byte{1});
  std::vector<std::int64_t> site_index(problem.sites.size());
  std::vector<std::int64_t> expected(problem.sites.size());
  const auto run = [&](Context& context, std::vector<std::int64_t>& to) {
    nearest_site(context, problem.view(), {},
                 {.site_index = View<std::int64_t>(to.data(), problem.extents())});
  };
  Context context({.threads = 1});
  run(context, site_index);
  problem.cells.assign(problem.cells.size(), std::byte{0});
  for (std::size_t y = 0; y < 278; ++y)
    for (const std::size_t x : {203U, 204U}) problem.cells[4 * (y * 241 + x)] = std::byte{1};
  run(context, site_index);
  Context linear({.threads = 1, .instructions = "none"});
  run(linear, expected);
  EXPECT_EQ(site_index, expected);
}

}  // namespace
}  // namespace thiessen
