// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/eikonal/kept_fronts.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/cost/arrival.hpp"
#include "core/cost/eikonal.hpp"
#include "cpu/cost/eikonal/arrivals.hpp"

namespace thiessen::cpu::eikonal {
namespace {

using thiessen::eikonal::FromSite;
using thiessen::eikonal::FrontDirection;
using thiessen::eikonal::FrontSite;
using thiessen::eikonal::StraightLine;

constexpr std::uint8_t kIsTouched = 1;
constexpr std::uint8_t kIsRestarted = 2;
constexpr std::uint8_t kIsWaiting = 4;
constexpr std::uint8_t kIsOfRegion = 8;

std::size_t at(std::int64_t cell) { return static_cast<std::size_t>(cell); }

/// What is kept of the word of an answer.
constexpr CellWord kKeptBits =
    kAllSides | kIsKnown | kHasNoDirection | kLink | word_of_rank(kNoRank);

/// A cell and those around it, for the second-order equation.
template <int kDimensions>
class AroundKept {
 public:
  AroundKept(const Ground& ground, const Answers& answers, std::int64_t cell)
      : ground_(ground), answers_(answers), cell_(cell) {}

  double ground() const { return ground_.cost_of(cell_); }
  bool is_earlier(std::size_t side) const { return is_earlier(cell_, side); }
  double cost(std::size_t side) const { return answers_.cost[over(side)]; }
  bool sees_behind(std::size_t side) const { return is_earlier(over(side), side); }
  double cost_behind(std::size_t side) const {
    return answers_.cost[over(side) + step_over(side, ground_.extent)];
  }
  double ground(std::size_t side) const { return ground_.cost_of(over(side)); }
  FrontSite<kDimensions> front(std::size_t side) const {
    FrontSite<kDimensions> front;
    front.rank = rank_of(answers_.word[over(side)]);
    for (std::size_t i = 0; i < kDimensions; ++i)
      front.direction[i] =
          std::bit_cast<std::array<float, 2>>(answers_.direction[i / 2][over(side)])[i % 2];
    return front;
  }

 private:
  bool is_earlier(std::int64_t cell, std::size_t side) const {
    return (answers_.word[cell] >> side & 1) != 0;
  }
  std::int64_t over(std::size_t side) const { return cell_ + step_over(side, ground_.extent); }

  const Ground& ground_;
  const Answers& answers_;
  std::int64_t cell_;
};

template <int kDimensions>
void set_direction(const Answers& answers, std::int64_t cell,
                   const FrontDirection<kDimensions>& direction) {
  answers.direction[0][cell] = Answers::two_floats(direction[0], direction[1]);
  if constexpr (kDimensions == 3) answers.direction[1][cell] = Answers::two_floats(direction[2], 0);
}

/// Answers a cell that is not known; `earlier` are its earlier sides.
template <int kDimensions>
void answer_cell(const Ground& ground, const Answers& answers, std::int64_t cell,
                 CellWord earlier) {
  answers.word[cell] = earlier;
  const AroundKept<kDimensions> around(ground, answers, cell);
  const thiessen::eikonal::Arrival<kDimensions, AroundKept<kDimensions>> arrival(around,
                                                                                 ground.spacing);
  const FrontSite<kDimensions> front = arrival.site();
  answers.cost[cell] = arrival.cost();
  const bool is_zero = std::ranges::all_of(front.direction, [](float part) { return part == 0; });
  answers.word[cell] |= word_of_rank(front.rank) | static_cast<CellWord>(front.side) << kLinkShift |
                        (is_zero ? kHasNoDirection : 0);
  set_direction<kDimensions>(answers, cell, front.direction);
}

}  // namespace

KeptFronts::KeptFronts(ContextState& state, const CostProblem& problem,
                       const cost::SolverArrays<double>& arrays, const CostSiteTable& sites,
                       bool has_links, Scratch::Frame& memory)
    : state_(state),
      problem_(problem),
      arrays_(arrays),
      sites_(sites),
      ground_{.rank = problem.rank,
              .extent = problem.extent,
              .spacing = problem.spacing,
              .resistance = arrays.resistance,
              .is_stiffness = problem.edge_weight == EdgeWeight::stiffness},
      lines_(
          thiessen::eikonal::straight_lines(problem.extent, problem.spacing, problem.exact_radius)),
      numbers_(thiessen::eikonal::links_of_sides(arrays.edges)),
      start_(memory.array<double>(problem.cells())),
      start_site_(memory.array<Rank>(problem.cells())),
      order_(memory.array<double>(problem.cells())),
      side_(has_links ? memory.array<std::uint8_t>(problem.cells()) : nullptr),
      marks_(static_cast<std::size_t>(problem.cells())) {
  lines_.lines.insert(lines_.lines.begin(), StraightLine{});  // to the site itself
  answers_.cost = memory.array<double>(problem.cells());
  answers_.word = memory.array<CellWord>(problem.cells());
  for (int i = 0; i < problem.rank - 1; ++i)
    answers_.direction[i] = memory.array<std::int64_t>(problem.cells());
}

std::size_t KeptFronts::bytes() const {
  return marks_.capacity() + touched_.capacity() * sizeof touched_[0] +
         changed_.capacity() * sizeof changed_[0] +
         (restarted_.capacity() + pending_.capacity() + raised_.capacity() + relinked_.capacity()) *
             sizeof(std::int64_t);
}

// --- all anew

void KeptFronts::find(const CostSites<double>& sites, const PlacedSteps<double>* /*faces*/,
                      const cost::SolverArrays<double>& to) {
  PlacedSites placed{.list = sites};
  if (sites.count > 0) placed.offset = sites_.offset_of(0);  // of points, by record, which is rank
  const std::int64_t cells = ground_.cells();
  start_answers(state_, ground_, placed, problem_.exact_radius, answers_);
  std::copy_n(answers_.cost, cells, start_);
  std::copy_n(answers_.cost, cells, order_);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const Rank rank = rank_of(answers_.word[cell]);
    start_site_[cell] = rank == kNoRank ? rank : static_cast<Rank>(sites.index_of(rank));
  }
  lower_order(state_, ground_, order_);
  find_arrivals(state_, ground_, sites, order_, answers_, side_);
  const double limit = thiessen::eikonal::greatest_cost(problem_);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const bool is_far = !(answers_.cost[cell] <= limit);
    const Rank rank = rank_of(answers_.word[cell]);
    to.cost[cell] = is_far ? kInfinity : answers_.cost[cell];
    to.site[cell] = is_far ? kNoRank : rank;
    const Rank id = rank == kNoRank ? rank : static_cast<Rank>(sites.index_of(rank));
    answers_.word[cell] =
        (answers_.word[cell] & kKeptBits & ~word_of_rank(kNoRank)) | word_of_rank(id);
  }
}

// --- repair

template <class Visit>
void KeptFronts::for_each_side(std::int64_t cell, const Visit& visit) const {
  const Axes place = to_cell(ground_.extent, cell);
  for (std::size_t side = 0; side < kSides; ++side)
    if (has_beyond(side, place, ground_.extent))
      visit(side, cell + step_over(side, ground_.extent));
}

/// Calls visit(other) for the cells whose equation looks at this one: up to two away along an axis.
template <class Visit>
void KeptFronts::for_each_behind(std::int64_t cell, const Visit& visit) const {
  for_each_side(cell, [&](std::size_t side, std::int64_t next) {
    visit(next);
    if (has_beyond(side, to_cell(ground_.extent, next), ground_.extent))
      visit(next + step_over(side, ground_.extent));
  });
}

/// Calls visit(line, other) for the lines from a cell, and to it, that end in the raster.
template <class Visit>
void KeptFronts::for_each_line(std::int64_t cell, const Visit& visit) const {
  const Axes place = to_cell(ground_.extent, cell);
  for (const StraightLine& line : lines_.lines) {
    Axes end = place;
    bool is_inside = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      end[axis] += line.to[axis];
      is_inside = is_inside && end[axis] >= 0 && end[axis] < ground_.extent[axis];
    }
    if (is_inside) visit(line, to_index(ground_.extent, end));
  }
}

KeptFronts::Kept KeptFronts::kept(std::int64_t cell) const {
  return {.cell = cell,
          .start = start_[cell],
          .start_site = start_site_[cell],
          .order = order_[cell],
          .cost = answers_.cost[cell],
          .word = answers_.word[cell],
          .direction = {answers_.direction[0][cell],
                        ground_.rank == 3 ? answers_.direction[1][cell] : 0},
          .written_cost = arrays_.cost[cell],
          .written_site = arrays_.site[cell],
          .side = side_ == nullptr ? std::uint8_t{0} : side_[cell]};
}

void KeptFronts::touch(std::int64_t cell) {
  std::uint8_t& marks = marks_[at(cell)];
  if ((marks & kIsTouched) != 0) return;
  touched_.push_back(kept(cell));
  marks |= kIsTouched;
}

void KeptFronts::roll_back() noexcept {
  for (const Kept& each : touched_) {
    start_[each.cell] = each.start;
    start_site_[each.cell] = each.start_site;
    order_[each.cell] = each.order;
    answers_.cost[each.cell] = each.cost;
    answers_.word[each.cell] = each.word;
    answers_.direction[0][each.cell] = each.direction[0];
    if (ground_.rank == 3) answers_.direction[1][each.cell] = each.direction[1];
    arrays_.cost[each.cell] = each.written_cost;
    arrays_.site[each.cell] = each.written_site;
    if (side_ != nullptr) side_[each.cell] = each.side;
    marks_[at(each.cell)] = 0;
  }
  touched_.clear();
  changed_.clear();
  relinked_.clear();
  for (; !queue_.empty(); queue_.pop()) marks_[at(queue_.top().cell)] = 0;
}

bool KeptFronts::run(const cost::Edits<double>& edits, std::int64_t most) {
  most_ = most;
  touched_.clear();
  restarted_.clear();
  changed_.clear();
  relinked_.clear();
  try {
    if (find_all(edits)) return true;
  } catch (...) {
    roll_back();
    throw;
  }
  roll_back();
  return false;
}

bool KeptFronts::find_all(const cost::Edits<double>& edits) {
  find_starts(edits);
  if (is_too_much() || !find_order(edits) || !find_answers()) return false;
  for (const Rank site : edits.relabelled)
    if (!touch_region(site)) return false;
  finish();
  return true;
}

/// Follows the lines again that begin at changed sites, or at sites near changed cells.
void KeptFronts::find_starts(const cost::Edits<double>& edits) {
  for (const std::int64_t cell : edits.site_cells)
    if (cell >= 0) restart_around(cell);
  for (const auto& edit : edits.map) {
    touch(edit.cell);
    for_each_line(edit.cell, [&](const StraightLine&, std::int64_t site) {
      if (sites_.has_site(site)) restart_around(site);
    });
    if (is_too_much()) return;
  }
}

void KeptFronts::restart_around(std::int64_t site_cell) {
  for_each_line(site_cell, [&](const StraightLine&, std::int64_t cell) {
    touch(cell);
    std::uint8_t& marks = marks_[at(cell)];
    if ((marks & kIsRestarted) != 0) return;
    marks |= kIsRestarted;
    restarted_.push_back(cell);
    start(cell);
  });
}

/// Finds the least of the lines to a cell.
void KeptFronts::start(std::int64_t cell) {
  start_[cell] = kInfinity;
  start_site_[cell] = kNoRank;
  for_each_line(cell, [&](const StraightLine& back, std::int64_t site_cell) {
    if (!sites_.has_site(site_cell) || !(ground_.cost_of(site_cell) < kInfinity)) return;
    // Lines lead from the site to the cell; for each there is one that leads the other way.
    StraightLine line = *std::ranges::find_if(lines_.lines, [&](const StraightLine& each) {
      return each.to == FromSite{-back.to[0], -back.to[1], -back.to[2]};
    });
    const auto cost_at = [&](const FromSite& to) {
      const Axes& extent = ground_.extent;
      return ground_.cost_of(site_cell + (to[0] * extent[1] + to[1]) * extent[2] + to[2]);
    };
    sites_.for_each_in(site_cell, [&](std::uint32_t record) {
      const double cost = sites_.initial_of(record) + cost_of_line(line, lines_.parts.data(),
                                                                   sites_.offset_of(record),
                                                                   ground_.spacing, cost_at);
      const Rank id = sites_.id_of(record);
      if (!(cost < start_[cell] ||
            (cost < kInfinity && cost == start_[cell] && id < start_site_[cell])))
        return;
      start_[cell] = cost;
      start_site_[cell] = id;
    });
  });
}

void KeptFronts::neighbours(std::int64_t cell, AlongAxes& least, AlongAxes& steepness) const {
  least.fill(kInfinity);
  for_each_side(cell, [&](std::size_t side, std::int64_t other) {
    least[axis_of(side)] = std::min(least[axis_of(side)], order_[other]);
  });
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    steepness[axis] = ground_.steepness(ground_.resistance[cell], axis);
}

/// Whether the order of a cell is not too small.
bool KeptFronts::is_explained(std::int64_t cell) const {
  if (start_[cell] <= order_[cell]) return true;
  AlongAxes least{}, steepness{};
  neighbours(cell, least, steepness);
  return thiessen::eikonal::is_enough(order_[cell], least, steepness, ground_.rank);
}

double KeptFronts::lowered(std::int64_t cell) const {
  AlongAxes least{}, steepness{};
  neighbours(cell, least, steepness);
  const double own = std::min(order_[cell], start_[cell]);
  return ground_.rank == 2 ? thiessen::eikonal::lowered<2>(own, least, steepness)
                           : thiessen::eikonal::lowered<3>(own, least, steepness);
}

bool KeptFronts::find_order(const cost::Edits<double>& edits) {
  pending_ = restarted_;
  for (const auto& edit : edits.map) pending_.push_back(edit.cell);
  raised_ = pending_;
  return raise() && lower();
}

/// Raises pending cells to infinity, and those around them, as long as any is not explained.
bool KeptFronts::raise() {
  while (!pending_.empty()) {
    const std::int64_t cell = pending_.back();
    pending_.pop_back();
    const double before = order_[cell];
    if (!(before < kInfinity) || is_explained(cell)) continue;
    touch(cell);
    if (is_too_much()) return false;
    order_[cell] = kInfinity;
    raised_.push_back(cell);
    for_each_side(cell, [&](std::size_t, std::int64_t next) {
      if (order_[next] > before) pending_.push_back(next);
    });
  }
  return true;
}

/// Lowers cells, and those around them, until none falls.
bool KeptFronts::lower() {
  const auto wait_if_lower = [&](std::int64_t cell) {
    const double now = lowered(cell);
    if (now < order_[cell]) queue_.push({now, cell});
  };
  for (const std::int64_t cell : raised_) wait_if_lower(cell);
  while (!queue_.empty()) {
    const Waiting next = queue_.top();
    queue_.pop();
    if (!(next.order < order_[next.cell])) continue;
    touch(next.cell);
    if (is_too_much()) return false;
    order_[next.cell] = next.order;
    for_each_side(next.cell, [&](std::size_t, std::int64_t other) {
      if (order_[other] > next.order) wait_if_lower(other);
    });
  }
  return true;
}

void KeptFronts::wait(std::int64_t cell) {
  std::uint8_t& marks = marks_[at(cell)];
  if ((marks & kIsWaiting) != 0) return;
  marks |= kIsWaiting;
  queue_.push({order_[cell], cell});
}

/// Answers the cells again of whose equation something changed, and those behind them.
bool KeptFronts::find_answers() {
  const std::int64_t count = std::ssize(touched_);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t cell = touched_[at(i)].cell;
    wait(cell);
    for_each_behind(cell, [&](std::int64_t other) { wait(other); });
  }
  while (!queue_.empty()) {
    const std::int64_t cell = queue_.top().cell;
    queue_.pop();
    marks_[at(cell)] &= static_cast<std::uint8_t>(~kIsWaiting);
    const Kept before = kept(cell);
    answer(cell);
    const Kept now = kept(cell);
    // Bits are compared: a cell behind this one sees no difference between equal ones.
    if (now.cost == before.cost && now.word == before.word &&
        now.direction[0] == before.direction[0] && now.direction[1] == before.direction[1])
      continue;
    if ((marks_[at(cell)] & kIsTouched) == 0) {
      touched_.push_back(before);
      marks_[at(cell)] |= kIsTouched;
      if (is_too_much()) return false;
    }
    if (!(order_[cell] < kInfinity)) continue;
    for_each_behind(cell, [&](std::int64_t other) {
      if (thiessen::eikonal::is_before(order_, cell, other)) wait(other);
    });
  }
  return true;
}

CellWord KeptFronts::earlier_sides(std::int64_t cell) const {
  const auto is_known = [&](std::int64_t of) { return order_[of] == start_[of]; };
  CellWord earlier = 0;
  for_each_side(cell, [&](std::size_t side, std::int64_t other) {
    if (thiessen::eikonal::is_before(order_, other, cell) && (!is_known(cell) || is_known(other)))
      earlier |= CellWord{1} << side;
  });
  return earlier;
}

void KeptFronts::answer(std::int64_t cell) {
  if (!(order_[cell] < kInfinity)) {
    answers_.cost[cell] = kInfinity;
    answers_.word[cell] = word_of_rank(kNoRank) | kLink;
    return;
  }
  const CellWord earlier = earlier_sides(cell);
  if (order_[cell] != start_[cell]) {
    if (ground_.rank == 2)
      answer_cell<2>(ground_, answers_, cell, earlier);
    else
      answer_cell<3>(ground_, answers_, cell, earlier);
    return;
  }
  const Rank site = start_site_[cell];
  const std::uint32_t record = sites_.record_of(site);
  const AlongAxes* const offset = sites_.offset_of(record);
  const Axes from = to_cell(ground_.extent, sites_.cell_of(record));
  const Axes place = to_cell(ground_.extent, cell);
  FromSite to{};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    to[axis] = static_cast<std::int32_t>(place[axis] - from[axis]);
  const auto way = thiessen::eikonal::way_from_site(to, offset == nullptr ? AlongAxes{} : *offset,
                                                    ground_.spacing);
  answers_.cost[cell] = start_[cell];
  answers_.word[cell] =
      earlier | kIsKnown | kLink | word_of_rank(site) | (way.length > 0 ? 0 : kHasNoDirection);
  const auto& [z, y, x] = way.direction;
  if (ground_.rank == 2)
    set_direction<2>(answers_, cell, {y, x});
  else
    set_direction<3>(answers_, cell, {z, y, x});
}

/// Touches the cells of a site. Each hangs together with one at the end of a line by faces.
bool KeptFronts::touch_region(Rank site) {
  pending_.clear();
  const auto add = [&](std::int64_t cell) {
    if (rank_of(answers_.word[cell]) != site || (marks_[at(cell)] & kIsOfRegion) != 0) return;
    touch(cell);
    marks_[at(cell)] |= kIsOfRegion;
    pending_.push_back(cell);
  };
  for_each_line(sites_.cell_of(sites_.record_of(site)),
                [&](const StraightLine&, std::int64_t cell) { add(cell); });
  while (!pending_.empty() && !is_too_much()) {
    const std::int64_t cell = pending_.back();
    pending_.pop_back();
    for_each_side(cell, [&](std::size_t, std::int64_t next) { add(next); });
  }
  return !is_too_much();
}

/// Costs, sites and links of the cells that were touched.
void KeptFronts::finish() {
  for (const std::int64_t cell : restarted_)
    marks_[at(cell)] &= static_cast<std::uint8_t>(~kIsRestarted);
  const double limit = thiessen::eikonal::greatest_cost(problem_);
  for (const Kept& each : touched_) {
    const std::int64_t cell = each.cell;
    const bool is_far = !(answers_.cost[cell] <= limit);
    arrays_.cost[cell] = is_far ? kInfinity : answers_.cost[cell];
    arrays_.site[cell] = (arrays_.marks[cell] & cost::kIsOutside) != 0 ? cost::kOutside
                         : is_far                                      ? kNoRank
                                  : rank_of(answers_.word[cell]);
  }
  if (side_ != nullptr) relink();
  for (const Kept& each : touched_) {
    changed_.push_back({each.cell, each.written_cost, each.written_site});
    marks_[at(each.cell)] = 0;
  }
}

/// The ways of known cells lead to neighbours that may have changed.
void KeptFronts::relink() {
  const std::int64_t count = std::ssize(touched_);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t cell = touched_[at(i)].cell;
    relinked_.push_back(cell);
    for_each_side(cell, [&](std::size_t, std::int64_t other) {
      if ((answers_.word[other] & kIsKnown) != 0) relinked_.push_back(other);
    });
  }
  std::ranges::sort(relinked_);
  relinked_.erase(std::unique(relinked_.begin(), relinked_.end()), relinked_.end());
  for (const std::int64_t cell : relinked_) {
    touch(cell);
    side_[cell] = static_cast<std::uint8_t>(side_over(cell));
  }
}

std::size_t KeptFronts::side_over(std::int64_t cell) const {
  const CellWord word = answers_.word[cell];
  if ((word & kIsKnown) == 0) return static_cast<std::size_t>(link_of(word));
  if (sites_.cell_of(sites_.record_of(rank_of(word))) == cell) return kNoSide;
  return thiessen::eikonal::side_of_known(
      ground_.extent, order_, cell, [&](std::int64_t of) { return rank_of(answers_.word[of]); });
}

}  // namespace thiessen::cpu::eikonal
