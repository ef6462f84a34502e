// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates against all sites for every cell, in integers, with ties on purpose.
#include "cpu/candidates/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "core/search/special_values.hpp"
#include "cpu/nearest_k/nearest_k.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "support/draw.hpp"
#include "support/small_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cpu {
namespace {

using testing::Draw;

/// A problem, and the memory of its sites.
struct Case {
  Problem problem;
  std::vector<Axes> at;
  std::vector<Int128> weights;
  std::vector<Form> forms;                ///< the metrics of the sites; empty: they have none
  std::vector<std::vector<Axes>> images;  ///< with metrics: of each site, all that may count
  std::string text;

  SiteWeights site_weights() const {
    return {.exact = weights.empty() ? nullptr : weights.data(),
            .form = forms.empty() ? nullptr : forms.data()};
  }

  Int128 weight(std::int64_t site) const {
    return weights.empty() ? Int128{0} : weights[static_cast<std::size_t>(site)];
  }
};

std::int64_t draw_extent(Draw& draw, int rank) {
  constexpr std::int64_t kLong[] = {70, 24};
  return draw.once_in(6) ? 1 + draw.below(3) : 1 + draw.below(kLong[rank - 2]);
}

/// Few values, so that many keys are equal, or many.
std::int64_t draw_weight(Draw& draw, Weighting weighting, std::int64_t unit) {
  const std::int64_t least = weighting == Weighting::multiplicative ? 1 : 0;
  switch (draw.below(3)) {
    case 0:
      return (least + draw.below(4)) * unit;
    case 1:
      return least + draw.below(20 * unit);
    default:
      return weighting == Weighting::multiplicative ? 1 + draw.below(1 << 20)
                                                    : draw.below(60 * unit) - 20 * unit;
  }
}

/// A matrix BᵀB + c, of small or of large integers.
Form draw_form(Draw& draw, int rank) {
  const std::int64_t reach = draw.once_in(3) ? 1 : draw.once_in(2) ? 3 : 1 << 18;
  const std::size_t first = rank == 2 ? 1 : 0;
  std::int64_t b[kAxes][kAxes] = {};
  for (std::size_t row = first; row < kAxes; ++row)
    for (std::size_t column = first; column < kAxes; ++column)
      b[row][column] = draw.below(2 * reach + 1) - reach;
  Form form;
  for (std::size_t i = first; i < kAxes; ++i)
    for (std::size_t j = i; j < kAxes; ++j) {
      for (std::size_t row = first; row < kAxes; ++row) form(i, j) += b[row][i] * b[row][j];
      form(i, j) += i == j ? std::max<std::int64_t>(1, reach * reach / 8) : 0;
    }
  return form;
}

Int128 length_by_terms(const Form& form, const Axes& way) {
  Int128 sum = 0;
  for (std::size_t a = 0; a < kAxes; ++a)
    for (std::size_t b = 0; b < kAxes; ++b) sum += Int128{form(a, b)} * way[a] * way[b];
  return sum;
}

/// Whether an image is farther than another one from all corners of the grid, and so everywhere:
/// their difference is linear.
bool is_beaten(const Problem& problem, const Form& form, const Axes& image, const Axes& other) {
  for (int corner = 0; corner < 8; ++corner) {
    Axes to_image{}, to_other{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t last = problem.extent[axis] - 1;
      const std::int64_t place = (corner >> axis & 1) == 0 ? 0 : last << problem.fraction_bits;
      to_image[axis] = place - image[axis];
      to_other[axis] = place - other[axis];
    }
    if (length_by_terms(form, to_image) <= length_by_terms(form, to_other)) return false;
  }
  return true;
}

/// Those of some images that no neighbour beats.
std::vector<Axes> unbeaten(const Problem& problem, const Form& form,
                           const std::vector<Axes>& images) {
  std::vector<Axes> kept;
  for (const Axes& image : images) {
    bool is_kept = true;
    for (int neighbour = 0; neighbour < 27 && is_kept; ++neighbour) {
      Axes other = image;
      const int turns[] = {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        if (problem.period[axis] != kNoPeriod) other[axis] += turns[axis] * problem.period[axis];
      is_kept = other == image || !is_beaten(problem, form, image, other);
    }
    if (is_kept) kept.push_back(image);
  }
  return kept;
}

/// The images that may be nearest to a cell of the grid, and others: those with a lower bound of
/// their squared lengths that is at most an upper bound of that of an image half a period away.
std::vector<Axes> images_of(const Problem& problem, const Form& form, const Axes& at) {
  const auto first = static_cast<std::size_t>(problem.first_axis());
  double trace = 0;
  double determinant = 1;
  Symmetric<double> rest;  // Gauss's elimination
  for (std::size_t a = first; a < kAxes; ++a) trace += static_cast<double>(form.square[a]);
  for (std::size_t a = first; a < kAxes; ++a)
    for (std::size_t b = a; b < kAxes; ++b) rest(a, b) = static_cast<double>(form(a, b)) / trace;
  for (std::size_t a = first; a < kAxes; ++a) {
    determinant *= rest(a, a);
    for (std::size_t b = a + 1; b < kAxes; ++b)
      for (std::size_t c = b; c < kAxes; ++c) rest(b, c) -= rest(a, b) * rest(a, c) / rest(a, a);
  }
  // The product of the other eigenvalues is at most 1, or a quarter in 3-D.
  const double least = 0.99 * determinant * (problem.rank == 2 ? 1 : 4);
  double most = 0;
  for (std::size_t a = first; a < kAxes; ++a) {
    const auto last = static_cast<double>(problem.centre({problem.extent[a] - 1, 0, 0})[0]);
    const auto own = static_cast<double>(at[a]);
    const double way = problem.period[a] == kNoPeriod
                           ? std::max(std::fabs(own), std::fabs(own - last))
                           : 0.5 * static_cast<double>(problem.period[a]);
    most += way * way;
  }
  std::vector<Axes> images{at};
  for (std::size_t a = first; a < kAxes; ++a) {
    if (problem.period[a] == kNoPeriod) continue;
    const auto last = static_cast<double>(problem.centre({problem.extent[a] - 1, 0, 0})[0]);
    std::vector<Axes> more;
    for (const Axes& image : images)
      for (const int side : {-1, 1})
        for (std::int64_t turn = side < 0 ? 1 : 0;; ++turn) {
          Axes other = image;
          other[a] += side * turn * problem.period[a];
          const auto place = static_cast<double>(other[a]);
          const double apart = std::max({0.0, -place, place - last});
          if (least * apart * apart > most * 1.01 && turn > 1) break;
          more.push_back(other);
        }
    images = more;
  }
  return unbeaten(problem, form, images);
}

/// Gives all sites metrics.
void draw_metrics(Draw& draw, Case& made) {
  Problem& problem = made.problem;
  problem.keys.has_metrics = true;
  problem.keys.weighting = Weighting::power;
  constexpr std::size_t kFewSites = 20;
  if (problem.has_period() && made.at.size() > kFewSites) made.at.resize(kFewSites);
  made.weights.resize(made.at.size());
  const bool has_one = draw.once_in(6);
  for (const Axes& at : made.at) {
    const bool repeats = has_one || draw.once_in(8);
    made.forms.push_back(repeats && !made.forms.empty() ? made.forms.back()
                                                        : draw_form(draw, problem.rank));
    made.images.push_back(images_of(problem, made.forms.back(), at));
  }
  made.text += ", metrics";
}

// NOLINTNEXTLINE(readability-function-size): a problem has so many properties
Case draw_case(Draw& draw) {
  Case made;
  Problem& problem = made.problem;
  problem.point_sites = true;
  problem.rank = draw.once_in(2) ? 3 : 2;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    problem.extent[axis] = axis == 0 && problem.rank == 2 ? 1 : draw_extent(draw, problem.rank);
  if (draw.once_in(2)) problem.fraction_bits = static_cast<int>(draw.below(5) * 4);
  constexpr Metric kMetrics[] = {Metric::euclidean, Metric::manhattan, Metric::chessboard};
  problem.metric = kMetrics[draw.once_in(2) ? draw.below(3) : 0];
  if (problem.metric == Metric::euclidean)
    problem.keys.weighting = static_cast<Weighting>(draw.below(4));
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 length = draw.once_in(2) ? 1 : 1 + draw.below(5);
    const bool is_square = problem.metric == Metric::euclidean;
    problem.weights.factor[axis] =
        is_square ? length * length + (draw.once_in(20) ? 1 : 0) : length;
    if (problem.metric == Metric::manhattan && draw.once_in(20))
      problem.weights.factor[axis] *= Int128{1} << 70;
    if (static_cast<int>(axis) >= problem.first_axis() && draw.once_in(3))
      problem.period[axis] = problem.extent[axis] << problem.fraction_bits;
  }
  problem.wide = true;
  constexpr Unit kUnits[] = {{1, 1}, {1, 5}, {13, 25}, {0.30000000000000004, 1}};
  problem.weights.unit = scaled(kUnits[draw.below(4)], -problem.fraction_bits);
  problem.weights.greatest = Int128{1} << (draw.once_in(4) ? 60 : 52);
  const std::int64_t count = draw.once_in(3) ? draw.below(5) : draw.below(400);
  const std::int64_t unit = std::int64_t{1} << problem.fraction_bits;
  const std::int64_t pattern = draw.below(5);
  for (std::int64_t i = 0; i < count; ++i) {
    Axes at{};
    for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
      const std::int64_t extent = problem.extent[axis] * unit;
      at[axis] = draw.below(extent);
      if (pattern == 1) at[axis] = at[axis] / (4 * unit) * (4 * unit);
      if (pattern == 2) at[axis] = extent / 2 + draw.below(2);
      if (pattern == 3 && draw.once_in(2)) at[axis] += (draw.below(3) - 1) * 3 * extent;
      if (pattern == 4 && axis == 2) at[axis] = 0;
      if (problem.period[axis] != kNoPeriod)
        at[axis] =
            ((at[axis] % problem.period[axis]) + problem.period[axis]) % problem.period[axis];
    }
    made.at.push_back(at);
    const std::int64_t weight = problem.keys.weighting == Weighting::power
                                    ? draw_weight(draw, problem.keys.weighting, unit * unit)
                                    : draw_weight(draw, problem.keys.weighting, unit);
    if (problem.keys.weighting != Weighting::none) made.weights.push_back(weight);
  }
  made.text = std::to_string(problem.rank) + "-D, " + std::string(name_of(problem.metric)) + ", " +
              std::string(name_of(problem.keys.weighting)) + ", " + std::to_string(count) +
              " sites of pattern " + std::to_string(pattern) + ", " +
              std::to_string(problem.fraction_bits) + " bits";
  if (problem.metric == Metric::euclidean && draw.once_in(3)) draw_metrics(draw, made);
  return made;
}

/// dᵀMd, with the nearest of all images.
Int128 squared_by_metric(const Case& made, std::size_t site, const Axes& cell) {
  Int128 least = -1;
  const Form& form = made.forms[site];
  for (const Axes& image : made.images[site]) {
    Axes way{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      way[axis] = (cell[axis] << made.problem.fraction_bits) - image[axis];
    const Int128 sum = length_by_terms(form, way);
    if (least < 0 || sum < least) least = sum;
  }
  return least;
}

/// S, with the nearest image along each axis.
Int128 squared(const Case& made, std::int64_t i, const Axes& cell) {
  const Problem& problem = made.problem;
  const auto place = static_cast<std::size_t>(i);
  if (!made.forms.empty()) return squared_by_metric(made, place, cell);
  const Axes& site = made.at[place];
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    Int128 way = (cell[axis] << problem.fraction_bits) - site[axis];
    if (way < 0) way = -way;
    if (problem.period[axis] != kNoPeriod) way = std::min<Int128>(way, problem.period[axis] - way);
    const Int128 part =
        problem.weights.factor[axis] * (problem.metric == Metric::euclidean ? way * way : way);
    sum = problem.metric == Metric::chessboard ? std::max(sum, part) : sum + part;
  }
  return sum;
}

/// The sign of √a − v − (√b − w): by roots where these tell it, else by squares.
int order_of_roots(Int128 a, Int128 v, Int128 b, Int128 w) {
  const auto root = [](Int128 n) { return std::sqrt(static_cast<long double>(n)); };
  const long double apart = root(a) - root(b) - static_cast<long double>(v - w);
  constexpr long double kSure = 1e-6L;
  if (apart > kSure) return 1;
  if (apart < -kSure) return -1;
  // a − b − c² = ±2c√b, where both sides have the sign of c²√a − … near a tie.
  const Int128 c = v - w;
  const Int128 rest = a - b - c * c;
  if (rest * rest == 4 * c * c * b) return 0;
  return apart > 0 ? 1 : -1;
}

bool precedes(const Problem& problem, Int128 a, Int128 v, Int128 b, Int128 w) {
  switch (problem.keys.weighting) {
    case Weighting::additive:
      return order_of_roots(a, v, b, w) < 0;
    case Weighting::multiplicative:
      return a * w * w < b * v * v;
    default:
      return a - v < b - w;
  }
}

std::int64_t find_winner(const Case& made, const Axes& cell) {
  std::int64_t winner = -1;
  Int128 least = 0;
  for (std::int64_t i = 0; i < std::ssize(made.at); ++i) {
    const Int128 own = squared(made, i, cell);
    if (winner >= 0 && !precedes(made.problem, own, made.weight(i), least, made.weight(winner)))
      continue;
    winner = i;
    least = own;
  }
  return winner;
}

/// Which outputs a call has: vectors write some of them, and others go cell by cell.
enum class Wanted { labels, distance, both, all };

float distance_of(const Problem& problem, Int128 squared) {
  return static_cast<float>(to_distance(problem.weights, problem.metric, squared));
}

void expect_winners(Case& made, Context& context, Wanted wanted) {
  const Problem& problem = made.problem;
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<std::int32_t> labels(cells, -2);
  std::vector<std::int64_t> index(cells, -2);
  std::vector<float> distance(cells, -2);
  std::vector<std::int32_t> numbers(made.at.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i) + 1;
  const Extents extents(std::vector<std::int64_t>(problem.extent.begin(), problem.extent.end()));
  ProblemViews views;
  views.points = {
      .at = made.at.data(), .count = std::ssize(made.at), .fraction_bits = problem.fraction_bits};
  views.weights = made.site_weights();
  views.labels = View<const std::int32_t>(numbers.data(), Extents{std::ssize(numbers)});
  if (wanted != Wanted::distance) views.out.labels = View<std::int32_t>(labels.data(), extents);
  if (wanted != Wanted::labels) views.out.distance = View<float>(distance.data(), extents);
  if (wanted == Wanted::all) views.out.site_index = View<std::int64_t>(index.data(), extents);
  run_candidates(context.state(), problem, views);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    const Axes cell = to_cell(problem.extent, i);
    const std::int64_t winner = find_winner(made, cell);
    const auto at = static_cast<std::size_t>(i);
    if (wanted != Wanted::distance) {
      ASSERT_EQ(labels[at], winner + 1) << made.text << ", cell " << i;
    }
    if (wanted == Wanted::all) {
      ASSERT_EQ(index[at], winner) << made.text << ", cell " << i;
    }
    if (wanted != Wanted::labels && winner >= 0) {
      ASSERT_EQ(distance[at], distance_of(problem, squared(made, winner, cell)))
          << made.text << ", cell " << i;
    }
  }
}

/// All sites in the order of a cell.
std::vector<std::int64_t> sites_in_order(const Case& made, const Axes& cell) {
  std::vector<std::int64_t> order(made.at.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::vector<Int128> square;
  for (const std::int64_t site : order) square.push_back(squared(made, site, cell));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const auto left = static_cast<std::size_t>(a);
    const auto right = static_cast<std::size_t>(b);
    return precedes(made.problem, square[left], made.weight(a), square[right], made.weight(b));
  });
  return order;
}

/// The first sites of each label.
std::vector<std::int64_t> first_of_labels(const std::vector<std::int64_t>& order,
                                          const std::vector<std::int32_t>& labels) {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> seen;
  for (const std::int64_t site : order) {
    const std::int32_t label = labels[static_cast<std::size_t>(site)];
    if (std::find(seen.begin(), seen.end(), label) != seen.end()) continue;
    seen.push_back(label);
    first.push_back(site);
  }
  return first;
}

/// How many labels have sites with the key of the first one.
std::int64_t count_tied(const Case& made, const Axes& cell,
                        const std::vector<std::int64_t>& first) {
  std::int64_t tied = 0;
  for (const std::int64_t site : first) {
    const auto key = [&](std::int64_t of) { return squared(made, of, cell); };
    tied +=
        precedes(made.problem, key(first[0]), made.weight(first[0]), key(site), made.weight(site))
            ? 0
            : 1;
  }
  return tied;
}

/// The k nearest, by site or by label, and ties, at some cells.
void expect_ranks(Case& made, Draw& draw, Context& context) {
  Problem& problem = made.problem;
  constexpr std::int64_t kFewRanks = 9, kManyRanks = 400, kChecked = 60;
  problem.k = 1 + draw.below(draw.once_in(8) ? kManyRanks : kFewRanks);
  problem.distinct_labels = draw.once_in(2);
  problem.rule.type = ElementType::i32;
  const std::int64_t names = 1 + draw.below(draw.once_in(2) ? 5 : 400);
  std::vector<std::int32_t> labels(made.at.size());
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(draw.below(names));
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<std::int64_t> index(cells * static_cast<std::size_t>(problem.k), -2);
  std::vector<std::uint8_t> ties(cells, 99);
  const Extents extents(std::vector<std::int64_t>(problem.extent.begin(), problem.extent.end()));
  ProblemViews views;
  views.points = {
      .at = made.at.data(), .count = std::ssize(made.at), .fraction_bits = problem.fraction_bits};
  views.weights = made.site_weights();
  views.labels = View<const std::int32_t>(labels.data(), Extents{std::ssize(labels)});
  views.out.site_index = View<std::int64_t>(
      index.data(), Extents{problem.k, problem.extent[0], problem.extent[1], problem.extent[2]});
  find_nearest_k(context.state(), problem, views);
  views.out = {};
  views.out.ties = View<std::uint8_t>(ties.data(), extents);
  count_ties(context.state(), problem, views);
  for (std::int64_t checked = 0; checked < kChecked; ++checked) {
    const std::int64_t i = draw.below(problem.cells());
    const Axes cell = to_cell(problem.extent, i);
    const std::vector<std::int64_t> order = sites_in_order(made, cell);
    const std::vector<std::int64_t> first = first_of_labels(order, labels);
    const std::vector<std::int64_t>& ranked = problem.distinct_labels ? first : order;
    for (std::int64_t rank = 0; rank < problem.k; ++rank)
      ASSERT_EQ(index[static_cast<std::size_t>(rank * problem.cells() + i)],
                rank < std::ssize(ranked) ? ranked[static_cast<std::size_t>(rank)] : kUnreached)
          << made.text << ", cell " << i << ", rank " << rank;
    ASSERT_EQ(ties[static_cast<std::size_t>(i)],
              first.empty() ? 0 : std::min<std::int64_t>(255, count_tied(made, cell, first)))
        << made.text << ", cell " << i;
  }
}

std::int64_t problems() {
  const char* const given = std::getenv("THIESSEN_TEST_PROBLEMS");
  constexpr std::int64_t kProblems = 100;
  return given != nullptr ? std::atoll(given) : kProblems;
}

/// Calls check(problem, draw, context) for random problems, with every instruction set in turn.
template <class Check>
void for_each_problem(const Check& check) {
  const char* const seed = std::getenv("THIESSEN_TEST_SEED");
  const std::int64_t first = seed != nullptr ? std::atoll(seed) : 1;
  for (std::int64_t i = 0; i < problems(); ++i) {
    Draw draw(static_cast<std::uint64_t>(first + i));
    Case made = draw_case(draw);
    const int threads = 1 + static_cast<int>(draw.below(2));
    const EngineLimits limits = testing::draw_small_limits(draw);
    for (const std::string_view name : instruction_set_names()) {
      SCOPED_TRACE("seed " + std::to_string(first + i) + ", " + std::string(name));
      Context context({.threads = threads, .instructions = find_instructions(name)});
      context.state().limits = limits;
      check(made, draw, context);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Candidates, AreThoseOfAllSites) {
  for_each_problem([](Case& made, Draw&, Context& context) {
    for (const Wanted wanted : {Wanted::labels, Wanted::distance, Wanted::both, Wanted::all})
      expect_winners(made, context, wanted);
  });
}

TEST(Candidates, OfRanksAndTiesAreThoseOfAllSites) {
  for_each_problem(
      [](Case& made, Draw& draw, Context& context) { expect_ranks(made, draw, context); });
}

/// Closer together than floats tell, and the second one comes first in the tree.
TEST(Candidates, OfPointsThatNearlyMeetTieByIndex) {
  constexpr double kUnit = 0x1p-16;
  const std::vector<double> places{0, 4 + kUnit, 0, 4 - kUnit, 0, 4 + 2 * kUnit};
  const NearestSite found =
      voronoi({.coordinates = View<const double>(places.data(), Extents{3, 2})},
              {.extents = {1, 9}}, {}, {.site_index = true});
  const std::int64_t* const first = found.site_index.data();
  EXPECT_EQ(std::vector<std::int64_t>(first, first + 9),
            (std::vector<std::int64_t>{1, 1, 1, 1, 0, 2, 2, 2, 2}));
}

/// Rounded, the root of 17 has the square 17; keys are no whole multiples of a unit for that.
TEST(Candidates, OfLengthsThatAreRootsTieByIndex) {
  Context context;
  Draw draw(1);
  constexpr int kProblems = 200;
  for (int i = 0; i < kProblems; ++i) {
    Case made;
    made.problem.point_sites = true;
    made.problem.rank = 3;
    made.problem.extent = {14, 3, 23};
    made.problem.period = {kNoPeriod, 3, 23};
    made.problem.weights.factor = {1, 9, 17};
    made.problem.weights.greatest = Int128{1} << 52;
    for (int site = 0; site < 20; ++site)
      made.at.push_back({7, 1 + draw.below(2), 11 + draw.below(2)});
    made.text = "problem " + std::to_string(i);
    expect_winners(made, context, Wanted::labels);
  }
}

}  // namespace
}  // namespace thiessen::cpu
