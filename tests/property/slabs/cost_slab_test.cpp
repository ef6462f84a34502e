// SPDX-License-Identifier: Apache-2.0
//
// Cost distance on slabs against one call: random maps, sites and options, cut anywhere, bit for
// bit.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/slabs/array_rows.hpp"
#include "support/slabs/rows_of.hpp"
#include "thiessen/slabs/cost_slabs.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::problem_count;
using testing::Rows;
using testing::rows_of;

constexpr double kHole = -9999;

/// A problem and its inputs.
struct SlabCase {
  Extents extents;
  CostDistanceOptions options;
  std::vector<float> map;
  std::vector<std::int16_t> labels;  ///< of a raster of sites
  std::vector<std::uint8_t> mask;    ///< the same where sites are numbered
  std::vector<double> points;        ///< or a list, (y, x) or (z, y, x)
  std::vector<std::int16_t> point_labels;
  std::vector<double> initial;
  bool is_numbered = false;
  bool by_points = false;

  EdgeWeight weight = EdgeWeight::stiffness;

  CostMap map_view() const { return {View<const float>(map.data(), extents), weight}; }
  View<const void> sites() const {
    if (by_points) return {};
    if (is_numbered) return {mask.data(), ElementType::boolean, extents};
    return View<const std::int16_t>(labels.data(), extents);
  }
  std::int64_t point_count() const { return std::ssize(points) / extents.rank(); }
  PointList list() const {
    if (!by_points) return {};
    PointList all{.coordinates =
                      View<const double>(points.data(), {point_count(), extents.rank()})};
    if (!is_numbered) all.labels = View<const std::int16_t>(point_labels.data(), {point_count()});
    return all;
  }
  View<const void> initial_cost() const {
    if (initial.empty()) return {};
    return View<const double>(initial.data(), by_points ? Extents{point_count()} : extents);
  }
  ElementType label_type() const { return is_numbered ? ElementType::i32 : ElementType::i16; }
};

float draw_value(Draw& draw, std::int64_t kind) {
  switch (kind) {
    case 0:
      return static_cast<float>(1 + draw.below(3));
    case 1:
      return static_cast<float>(0.1 + draw.real());
    case 2:
      return 1;
    case 3:
      return static_cast<float>(std::pow(10, 6 * draw.real() - 3));
    default:
      return static_cast<float>(draw.below(2));
  }
}

void draw_map(Draw& draw, SlabCase& problem) {
  const std::int64_t kind = draw.below(5);
  const std::int64_t barriers = draw.once_in(2) ? 0 : 2 + draw.below(6);
  for (std::int64_t i = 0; i < problem.extents.count(); ++i) {
    float value = draw_value(draw, kind);
    if (barriers > 0 && draw.once_in(barriers))
      value = draw.once_in(2) ? std::numeric_limits<float>::quiet_NaN() : float{kHole};
    problem.map.push_back(value);
  }
}

/// Corridors of one cell that wind through all rows.
void make_serpentine(SlabCase& problem) {
  const std::int64_t width = problem.extents[problem.extents.rank() - 1];
  const std::int64_t height = problem.extents[problem.extents.rank() - 2];
  const bool is_upright = problem.extents[0] % 2 == 0;
  problem.map.resize(static_cast<std::size_t>(problem.extents.count()));
  for (std::size_t i = 0; i < problem.map.size(); ++i) {
    const std::int64_t x = static_cast<std::int64_t>(i) % width;
    const std::int64_t y = static_cast<std::int64_t>(i) / width % height;
    const std::int64_t across = is_upright ? x : y;
    const std::int64_t way = is_upright ? y : x;
    const std::int64_t length = is_upright ? height : width;
    const bool is_gap = way == (across % 4 == 1 ? length - 1 : 0);
    problem.map[i] = across % 2 == 0 || is_gap ? 1.0F : std::numeric_limits<float>::quiet_NaN();
  }
}

void draw_options(Draw& draw, SlabCase& problem) {
  CostDistanceOptions& options = problem.options;
  const int rank = problem.extents.rank();
  constexpr Connectivity kFlat[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::knights};
  constexpr Connectivity kDeep[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::edges};
  options.connectivity = (rank == 2 ? kFlat : kDeep)[draw.below(3)];
  problem.weight = draw.once_in(2) ? EdgeWeight::cost : EdgeWeight::stiffness;
  options.distance_type = draw.once_in(3) ? FloatType::f64 : FloatType::f32;
  options.tight_barriers = draw.once_in(3);
  options.unreached = std::int64_t{-7};
  options.map_nodata = kHole;
  if (draw.once_in(2)) options.nodata_label = std::int64_t{-8};
  if (draw.once_in(4)) options.max_distance = 20 * draw.real();
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis) options.spacing.push_back(0.5 + draw.real());
}

void draw_sites(Draw& draw, SlabCase& problem) {
  const std::int64_t cells = problem.extents.count();
  const std::int64_t sparsity = 1 + draw.below(std::max<std::int64_t>(cells, 2));
  for (std::int64_t i = 0; i < cells; ++i) {
    const bool is_site = draw.once_in(sparsity);
    problem.labels.push_back(static_cast<std::int16_t>(is_site ? 1 + draw.below(9) : 0));
    problem.mask.push_back(is_site ? 1 : 0);
  }
  problem.by_points = draw.once_in(3);
  problem.is_numbered = draw.once_in(3);
  for (std::int64_t i = draw.below(20); problem.by_points && i > 0; --i) {
    for (int axis = 0; axis < problem.extents.rank(); ++axis)
      problem.points.push_back(static_cast<double>(draw.below(problem.extents[axis] + 2)) -
                               0.75 * draw.real());
    problem.point_labels.push_back(static_cast<std::int16_t>(1 + draw.below(9)));
  }
  if (!draw.once_in(3)) return;
  // Costs of which some are equal, and some swallow steps by rounding.
  const double most = draw.once_in(2) ? 4 : 16777216;
  problem.initial.resize(
      static_cast<std::size_t>(problem.by_points ? problem.point_count() : cells));
  for (double& each : problem.initial) each = most + 2 * static_cast<double>(draw.below(4));
}

SlabCase draw_case(std::uint64_t seed) {
  Draw draw(seed);
  SlabCase problem;
  const std::int64_t longest = draw.once_in(6) ? 150 : 40;
  problem.extents = draw.once_in(3)
                        ? Extents{1 + draw.below(9), 1 + draw.below(9), 1 + draw.below(12)}
                        : Extents{1 + draw.below(longest), 1 + draw.below(longest)};
  if (draw.once_in(4))
    make_serpentine(problem);
  else
    draw_map(draw, problem);
  draw_options(draw, problem);
  draw_sites(draw, problem);
  return problem;
}

/// Slabs of one row, of equal heights, or of any, with empty ones among them.
std::vector<Rows> draw_cuts(Draw& draw, std::int64_t rows) {
  constexpr std::int64_t kHeights[] = {1, 2, 3, 7, 13, 64};
  const std::int64_t height = kHeights[draw.below(6)];
  const bool is_uneven = draw.once_in(2);
  std::vector<Rows> cuts;
  for (std::int64_t first = 0; first < rows;) {
    const std::int64_t count =
        is_uneven ? (draw.once_in(5) ? 0 : 1 + draw.below(rows)) : std::min(height, rows - first);
    cuts.push_back({first, std::min(count, rows - first)});
    first += cuts.back().count;
  }
  if (draw.once_in(3)) cuts.push_back({rows, 0});
  return cuts;
}

/// The outputs of a case.
struct Answer {
  Raster labels;
  Array<std::int64_t> site_index;
  Raster distance;
  Array<std::uint8_t> back_link;

  Answer(const SlabCase& problem, ElementType distance_type)
      : labels(problem.label_type(), problem.extents),
        site_index(problem.extents),
        distance(distance_type, problem.extents),
        back_link(problem.extents) {}

  CostDistanceOutputs views() {
    return {.labels = labels.view(),
            .site_index = site_index.view(),
            .distance = distance.view(),
            .back_link = back_link.view()};
  }
  bool operator==(const Answer& other) const {
    const auto same = [](const View<const void>& a, const View<const void>& b) {
      const auto count = static_cast<std::size_t>(a.extents().count());
      return std::memcmp(a.bytes(), b.bytes(), count * size_of(a.element_type())) == 0;
    };
    return same(labels.view(), other.labels.view()) &&
           same(site_index.view(), other.site_index.view()) &&
           same(distance.view(), other.distance.view()) &&
           same(back_link.view(), other.back_link.view());
  }
};

/// What is known of all cells, as a driver keeps it, and the slabs that visit them.
class SlabDriver {
 public:
  SlabDriver(const SlabCase& problem, const std::vector<Rows>& cuts, bool with_hops)
      : problem_(problem),
        cuts_(cuts),
        with_hops_(with_hops),
        resistance_(to_element_type(problem.options.distance_type), problem.extents),
        cost_(to_element_type(problem.options.distance_type), problem.extents),
        site_(ElementType::i64, problem.extents),
        label_(problem.label_type(), problem.extents),
        hops_(ElementType::i64, problem.extents) {
    const bool wide = cost_.element_type() == ElementType::f64;
    for (std::int64_t i = 0; i < problem.extents.count(); ++i) {
      if (wide)
        cost_.view<double>().data()[i] = std::numeric_limits<double>::infinity();
      else
        cost_.view<float>().data()[i] = std::numeric_limits<float>::infinity();
      site_.view<std::int64_t>().data()[i] = hops_.view<std::int64_t>().data()[i] = kUnreached;
    }
  }

  /// Finds all; several slabs are taken from the queue before their reports are added, if they are
  /// `together`.
  void solve(Context& context, std::int64_t together) {
    run(context, CostStage::costs, together);
    run(context, CostStage::sites, together);
    if (with_hops_) run(context, CostStage::hops, together);
  }

  void finish(Context& context, const CostDistanceOutputs& out) {
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      Known known = take(k);
      CostSlab slab = slab_of(k, known);
      slab.sites = {};
      finish_cost_slab(context, slab, problem_.options,
                       {.labels = rows_of(out.labels, cuts_[k]),
                        .site_index = rows_of(out.site_index, cuts_[k]),
                        .distance = rows_of(out.distance, cuts_[k]),
                        .back_link = rows_of(out.back_link, cuts_[k])});
    }
  }

  std::int64_t ignored_sites() const { return ignored_; }
  std::int64_t first_ignored_site() const { return first_ignored_; }
  std::int64_t visits() const { return visits_; }

 private:
  /// Copies of the rows of a slab and of those beside it.
  struct Known {
    Rows rows;
    Raster resistance, cost, site, label, hops;
  };

  Known take(std::size_t k) {
    const SlabRows own{cuts_[k].first, cuts_[k].count};
    const SlabRows rows = cost_slab_rows(problem_.extents, own, problem_.options.connectivity);
    Known known{{rows.first, rows.count}, {}, {}, {}, {}, {}};
    const auto copy = [&](const Raster& from) {
      const View<const void> view = rows_of(View<const void>(from.view()), known.rows);
      Raster to(from.element_type(), view.extents());
      if (to.size_bytes() > 0) std::memcpy(to.bytes(), view.bytes(), to.size_bytes());
      return to;
    };
    known.resistance = copy(resistance_);
    known.cost = copy(cost_);
    known.site = copy(site_);
    known.label = copy(label_);
    known.hops = copy(hops_);
    return known;
  }

  /// Puts the own rows back.
  void put(std::size_t k, const Known& known) {
    const Rows own{cuts_[k].first - known.rows.first, cuts_[k].count};
    const auto copy = [&](const Raster& from, Raster& to) {
      const View<const void> source = rows_of(View<const void>(from.view()), own);
      const View<void> target = rows_of(to.view(), cuts_[k]);
      const auto bytes =
          static_cast<std::size_t>(source.extents().count()) * size_of(source.element_type());
      if (bytes > 0) std::memcpy(target.bytes(), source.bytes(), bytes);
    };
    std::memcpy(rows_of(resistance_.view(), known.rows).bytes(), known.resistance.bytes(),
                known.resistance.size_bytes());
    copy(known.cost, cost_);
    copy(known.site, site_);
    copy(known.label, label_);
    copy(known.hops, hops_);
  }

  CostSlab slab_of(std::size_t k, Known& known) const {
    CostSlab slab{
        .raster = problem_.extents,
        .own = {cuts_[k].first, cuts_[k].count},
        .map = {rows_of(View<const void>(problem_.map_view()), known.rows), problem_.weight},
        .sites = rows_of(problem_.sites(), known.rows),
        .points = problem_.list(),
        .initial_cost = problem_.by_points ? problem_.initial_cost()
                                           : rows_of(problem_.initial_cost(), known.rows),
        .resistance = known.resistance.view(),
        .cost = known.cost.view(),
        .site_index = known.site.view<std::int64_t>(),
        .hops = known.hops.view<std::int64_t>()};
    if (!problem_.by_points) slab.labels = known.label.view();
    for (std::size_t above = 0; above < k && above < sites_.size(); ++above)
      slab.sites_before += sites_[above];
    return slab;
  }

  void run(Context& context, CostStage stage, std::int64_t together) {
    std::vector<std::int64_t> heights;
    for (const Rows& cut : cuts_) heights.push_back(cut.count);
    CostSlabQueue queue(heights);
    sites_.resize(cuts_.size());
    for (;;) {
      std::vector<CostSlabQueue::Visit> visits;
      std::vector<Known> known;
      while (std::ssize(visits) < together) {
        const auto visit = queue.next();
        if (!visit) break;
        visits.push_back(*visit);
        known.push_back(take(visit->slab));
      }
      if (visits.empty()) break;
      for (std::size_t i = 0; i < visits.size(); ++i) {
        const CostSlab slab = slab_of(visits[i].slab, known[i]);
        const CostSlabReport report =
            visits[i].is_first ? begin_cost_slab(context, slab, problem_.options, stage)
                               : continue_cost_slab(context, slab, problem_.options, stage);
        if (visits[i].is_first && stage == CostStage::costs) note(visits[i].slab, report);
        put(visits[i].slab, known[i]);
        queue.add(visits[i].slab, report);
      }
    }
    visits_ += queue.visits();
  }

  void note(std::size_t k, const CostSlabReport& report) {
    sites_[k] = report.sites;
    if (report.ignored_sites > 0 && ignored_ == 0) first_ignored_ = report.first_ignored_site;
    if (report.ignored_sites > 0)
      first_ignored_ = std::min(first_ignored_, report.first_ignored_site);
    ignored_ += report.ignored_sites;
  }

  const SlabCase& problem_;
  const std::vector<Rows>& cuts_;
  bool with_hops_;
  Raster resistance_, cost_, site_, label_, hops_;
  std::vector<std::int64_t> sites_;
  std::int64_t ignored_ = 0, first_ignored_ = 0, visits_ = 0;
};

CostDistanceReport solve_at_once(Context& context, const SlabCase& problem, Answer& answer) {
  if (problem.by_points)
    return cost_distance(context, problem.map_view(), problem.list(), problem.options,
                         answer.views(), problem.initial_cost());
  return cost_distance(context, problem.map_view(), problem.sites(), problem.options,
                       answer.views(), problem.initial_cost());
}

TEST(CostSlabs, EqualOneCall) {
  for (std::uint64_t seed = 0; seed < 6 * problem_count() && !HasFatalFailure(); ++seed) {
    const SlabCase problem = draw_case(seed);
    Draw draw(seed + 77);
    const ElementType distance = draw.once_in(2) ? ElementType::f64 : ElementType::f32;
    Context whole({.threads = 2});
    Answer expected(problem, distance);
    const CostDistanceReport found = solve_at_once(whole, problem, expected);
    Context context({.threads = draw.once_in(3) ? 7 : 1});
    const std::vector<Rows> cuts = draw_cuts(draw, problem.extents[0]);
    SlabDriver driver(problem, cuts, true);
    driver.solve(context, draw.once_in(3) ? 4 : 1);
    Answer answer(problem, distance);
    driver.finish(context, answer.views());
    ASSERT_TRUE(answer == expected)
        << "problem " << seed << ", " << problem.extents[0] << " rows, slabs of "
        << cuts.front().count << " … rows, connectivity " << name_of(problem.options.connectivity);
    ASSERT_EQ(driver.ignored_sites(), found.ignored_sites) << "problem " << seed;
    ASSERT_EQ(driver.first_ignored_site(), found.first_ignored_site) << "problem " << seed;
  }
}

TEST(CostSlabs, StreamsEqualOneCall) {
  for (std::uint64_t seed = 0; seed < 6 * problem_count() && !HasFatalFailure(); ++seed) {
    const SlabCase problem = draw_case(seed);
    Draw draw(seed + 78);
    const ElementType distance = draw.once_in(2) ? ElementType::f64 : ElementType::f32;
    Context context({.threads = draw.once_in(3) ? 7 : 1});
    Answer expected(problem, distance), answer(problem, distance);
    const CostDistanceReport found = solve_at_once(context, problem, expected);
    const std::vector<Warning> warnings = context.warnings();
    testing::ArraySource map(View<const float>(problem.map.data(), problem.extents), draw);
    std::optional<testing::ArraySource> sites, initial;
    if (!problem.by_points) sites.emplace(problem.sites(), draw);
    if (!problem.by_points && problem.initial_cost()) initial.emplace(problem.initial_cost(), draw);
    const testing::ArraySinks sinks(answer.views(), draw);
    const CostDistanceStream call{
        .map = &map,
        .edge_weight = problem.weight,
        .sites = sites ? &*sites : nullptr,
        .points = problem.list(),
        .initial_cost = initial ? &*initial : nullptr,
        .initial_cost_of_points = problem.by_points ? problem.initial_cost() : View<const void>(),
        .options = problem.options,
        .outputs = sinks.outputs};
    const StreamPlan plan = plan_stream(
        context, call,
        {.memory = draw.once_in(2) ? 1 : 0, .rows = 1 + draw.below(problem.extents[0])});
    const StreamReport report = stream(context, call, plan);
    ASSERT_TRUE(answer == expected)
        << "problem " << seed << ", " << problem.extents[0] << " rows, slabs of " << plan.rows
        << ", " << plan.held << " in memory";
    ASSERT_EQ(report.ignored_sites, found.ignored_sites) << "problem " << seed;
    ASSERT_EQ(testing::messages_of(context.warnings(), {"ignored_sites", "no_site"}),
              testing::messages_of(warnings, {"ignored_sites", "no_site"}))
        << "problem " << seed;
  }
}

}  // namespace
}  // namespace thiessen
