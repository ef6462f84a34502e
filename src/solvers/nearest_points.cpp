// SPDX-License-Identifier: Apache-2.0
//
// NearestSiteSolver: updates of points, and the problem that holds for them.
#include <algorithm>
#include <utility>

#include "core/base/make_room.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "solvers/nearest_solver_state.hpp"
#include "solvers/update_checks.hpp"

namespace thiessen {

using solvers::check_range;
using solvers::check_unique;
using solvers::packed;
using solvers::refuse_unsupported;

/// Finds the places of points in the units of S. Throws Error where voronoi() would.
void NearestSiteSolver::State::snap(const View<const void>& coordinates) {
  snapped_.resize(static_cast<std::size_t>(coordinates.extent(0)));
  const PointSites points = snap_points(coordinates, snapped_.data());
  if (data_.problem.fraction_bits == 0 && points.first_off_centre >= 0)
    refuse(std::string(data_.out.squared ? "squared" : "offset") +
           " is wanted; it exists only if all points lie on centres of cells, and points[" +
           std::to_string(points.first_off_centre) + "] does not");
  const int shift =
      data_.problem.fraction_bits - std::min(points.fraction_bits, data_.problem.fraction_bits);
  Axes period = data_.problem.period;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (period[axis] != kNoPeriod)
      period[axis] = data_.problem.extent[axis] << data_.problem.fraction_bits;
  for (Axes& place : snapped_)
    for (std::int64_t& coordinate : place) coordinate <<= shift;
  wrap_points({.at = snapped_.data(), .count = points.count}, period);
}

/// The problem for points anywhere between two corners.
Problem NearestSiteSolver::State::problem_of(const Axes& low, const Axes& high) const {
  Axes corners[] = {low, high};
  constexpr std::int64_t kCorners = 2;
  constexpr double kNowhere[kCorners * kAxes] = {};
  const PointSites points{
      .at = corners, .count = kCorners, .fraction_bits = data_.problem.fraction_bits};
  PointList list{.coordinates = View<const double>(kNowhere, {kCorners, data_.rank()})};
  constexpr std::byte kNoLabels[kCorners * 8] = {};
  if (has_labels_ && data_.out.labels) list.labels = {kNoLabels, data_.type, {kCorners}};
  Problem problem = make_problem(list, points, data_.grid, data_.options, data_.out,
                                 ReachableMemory(context_state()), data_.domain_view());
  if (problem.weights.approximated)
    refuse_unsupported("the spacing and points so far away need approximated weights");
  return problem;
}

/// A problem for the points that were snapped, too; nothing where the one that is there holds for
/// them. It is made for points that are farther away than these, as long as S does not need 128
/// bits for it.
auto NearestSiteSolver::State::other_frame() const -> std::optional<Frame> {
  const bool is_first = high_[0] < 0;
  Axes low{};
  Axes high = is_first ? Axes{} : high_;
  if (!is_first) low = low_;
  bool holds = !is_first;
  for (const Axes& place : snapped_)
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      holds = holds && place[axis] >= low_[axis] && place[axis] <= high_[axis];
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  if (holds) return std::nullopt;
  Axes lower = low;
  Axes higher = high;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t margin = data_.problem.extent[axis] << data_.problem.fraction_bits;
    lower[axis] -= margin;
    higher[axis] += margin;
  }
  try {
    const Problem roomy = problem_of(lower, higher);
    if (!roomy.wide) return Frame{roomy, lower, higher};
  } catch (const Error&) {  // the one without a margin tells the reason
  }
  Frame frame{problem_of(low, high), low, high};
  if (engine_) engine_->check(frame.problem);
  return frame;
}

/// Goes on with another problem, whose S has the same units.
void NearestSiteSolver::State::enter(std::optional<Frame> frame) {
  if (!frame) return;
  const bool has_other_integers = data_.problem.wide != frame->problem.wide;
  data_.problem = std::move(frame->problem);
  low_ = frame->low;
  high_ = frame->high;
  if (!has_other_integers || !engine_) return;
  is_stale_ = true;
  engine_->change_integers();
}

void NearestSiteSolver::State::check_added_labels(const PointList& points) const {
  if (!data_.out.labels) return;
  if (static_cast<bool>(points.labels) != has_labels_)
    refuse(std::string("labels of the points are ") + (has_labels_ ? "missing" : "given") +
           "; must be as for the first points");
  if (has_labels_ && points.labels.element_type() != data_.type)
    refuse("labels of the points are " + std::string(name_of(points.labels.element_type())) +
           "; must be " + std::string(name_of(data_.type)));
}

void NearestSiteSolver::State::expect_points(std::int64_t more) {
  make_room(data_.is_present, more);
  make_room(is_touched_, more);
  if (data_.out.labels) make_room(data_.labels, more * static_cast<std::int64_t>(data_.element()));
  make_room(data_.places, more);
  engine_->reserve(data_.points + more);
}

void NearestSiteSolver::State::touch(std::int64_t site) {
  const auto index = static_cast<std::size_t>(site);
  if (is_touched_[index] != 0) return;
  former_points_.push_back({site, data_.is_present[index] != 0, data_.place(site)});
  is_touched_[index] = 1;
}

std::int64_t NearestSiteSolver::State::add_points(const PointList& points) {
  require_list("add_sites()");
  check_points(points, data_.rank(), {});
  if (points.metrics) refuse_unsupported("metrics are given; its sites have none");
  check_added_labels(points);
  const std::int64_t first = data_.points;
  const std::int64_t count = points.coordinates.extent(0);
  if (count > kMostSites - first)
    refuse_unsupported("the list would have " + std::to_string(first + count) +
                       " points; must have at most 2^31 - 8");
  snap(points.coordinates);
  std::optional<Frame> frame = other_frame();
  const std::vector<std::byte> labels =
      data_.out.labels && has_labels_ ? packed(points.labels) : std::vector<std::byte>{};
  expect_points(count);
  make_room(former_points_, count);
  enter(std::move(frame));
  data_.points += count;
  data_.places.resize(static_cast<std::size_t>(data_.points));
  data_.is_present.resize(static_cast<std::size_t>(data_.points), 0);
  is_touched_.resize(static_cast<std::size_t>(data_.points), 0);
  data_.labels.insert(data_.labels.end(), labels.begin(), labels.end());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t site = first + i;
    if (data_.out.labels && !has_labels_) append_number(site + 1);
    touch(site);
    data_.is_present[static_cast<std::size_t>(site)] = 1;
    data_.places[static_cast<std::size_t>(site)] = snapped_[static_cast<std::size_t>(i)];
    engine_->add_site(site);
  }
  return first;
}

/// The label of a point without one.
void NearestSiteSolver::State::append_number(std::int64_t number) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
  const auto narrow = static_cast<std::int32_t>(number);
  const auto* const few = reinterpret_cast<const std::byte*>(&narrow);
  if (data_.type == ElementType::i32)
    data_.labels.insert(data_.labels.end(), few, few + sizeof narrow);
  else
    data_.labels.insert(data_.labels.end(), bytes, bytes + sizeof number);
}

void NearestSiteSolver::State::move_points(std::span<const std::int64_t> sites,
                                           const View<const void>& coordinates) {
  require_list("move_sites()");
  check_range("sites", sites, data_.points);
  check_unique("sites", sites, sorted_);
  check_points({.coordinates = coordinates}, data_.rank(), {});
  if (coordinates.extent(0) != std::ssize(sites))
    refuse("coordinates", "are of " + std::to_string(coordinates.extent(0)) +
                              " points; must be of as many as sites, " +
                              std::to_string(sites.size()));
  snap(coordinates);
  std::optional<Frame> frame = other_frame();
  make_room(former_points_, std::ssize(sites));
  enter(std::move(frame));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    touch(sites[i]);
    std::uint8_t& present = data_.is_present[static_cast<std::size_t>(sites[i])];
    if (present != 0) engine_->remove_site(sites[i]);
    present = 1;
    data_.places[static_cast<std::size_t>(sites[i])] = snapped_[i];
    engine_->add_site(sites[i]);
  }
}

void NearestSiteSolver::State::collect_point_edits() {
  std::sort(former_points_.begin(), former_points_.end(),
            [](const FormerPoint& a, const FormerPoint& b) { return a.site < b.site; });
  for (const auto& [site, was_present, place] : former_points_) {
    const bool is_present = has_site(site);
    if (was_present && is_present && data_.place(site) == place) continue;
    if (was_present) edits_.went.push_back({site, place});
    if (is_present) edits_.came.push_back(site);
    if (was_present && is_present) edits_.moved.push_back({site, place, data_.place(site)});
  }
}

}  // namespace thiessen
