// SPDX-License-Identifier: Apache-2.0
#include "oracle/eikonal_oracle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace thiessen::oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Direction = std::array<float, 3>;

class Eikonal {
 public:
  explicit Eikonal(const EikonalProblem& problem)
      : p_(problem), count_(problem.map.size()), known_(count_) {
    result_.way.assign(count_, {});
    result_.order.assign(count_, kInfinity);
    result_.site.assign(count_, -1);
    result_.link.assign(count_, -1);
  }

  EikonalResult solve() {
    for (std::size_t i = 0; i < p_.sites.size(); ++i) draw_lines(static_cast<std::int64_t>(i));
    result_.cost = result_.order;
    march();
    std::vector<std::size_t> turns(count_);
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::sort(turns.begin(), turns.end(), [&](auto a, auto b) { return is_before(a, b); });
    for (std::size_t i = 0; i < count_; ++i) known_[i] = result_.cost[i] == result_.order[i];
    for (const std::size_t cell : turns)
      if (result_.order[cell] < kInfinity && !known_[cell]) arrive(cell);
    return result_;
  }

 private:
  std::size_t first() const { return static_cast<std::size_t>(3 - p_.rank); }
  double cost_of(std::size_t cell) const {
    const double value = p_.map[cell];
    return std::isnan(value) ? kInfinity : p_.is_stiffness ? 1 / value : value;
  }
  double steepness(std::size_t cell, std::size_t axis) const {
    const double value = p_.map[cell], h = p_.spacing[axis];
    return std::isnan(value) ? 0 : p_.is_stiffness ? value / h : 1 / (value * h);
  }
  bool is_before(std::size_t a, std::size_t b) const {
    return std::pair(result_.order[a], a) < std::pair(result_.order[b], b);
  }
  /// The cell some steps along an axis, or -1.
  std::int64_t moved(std::size_t cell, std::size_t axis, std::int64_t steps) const {
    Axes at = to_cell(p_.extent, static_cast<std::int64_t>(cell));
    at[axis] += steps;
    return at[axis] < 0 || at[axis] >= p_.extent[axis] ? -1 : to_index(p_.extent, at);
  }

  // ---- straight lines ----

  void draw_lines(std::int64_t number) {
    const EikonalSite& site = p_.sites[static_cast<std::size_t>(number)];
    if (!(cost_of(static_cast<std::size_t>(site.cell)) < kInfinity)) return;
    double widest = 0;
    for (std::size_t a = 0; a < 3; ++a)
      if (p_.extent[a] > 1) widest = std::max(widest, p_.spacing[a]);
    const Axes from = to_cell(p_.extent, site.cell);
    for (std::size_t cell = 0; cell < count_; ++cell) {
      const Axes to = to_cell(p_.extent, static_cast<std::int64_t>(cell));
      Axes d{};
      double square = 0, placed = 0;
      std::array<double, 3> way{};
      for (std::size_t a = 0; a < 3; ++a) {
        d[a] = to[a] - from[a];
        const double along = static_cast<double>(d[a]) * p_.spacing[a];
        square += along * along;
        way[a] = (static_cast<double>(d[a]) - site.offset[a]) * p_.spacing[a];
        placed += way[a] * way[a];
      }
      if (square > p_.radius * widest * (p_.radius * widest)) continue;
      double value =
          square == 0 ? std::sqrt(placed) * cost_of(cell) : along_line(from, d, std::sqrt(square));
      if (square == 0 && placed == 0) value = 0;
      if (!(value < kInfinity)) continue;
      if (square > 0) value *= std::sqrt(placed) / std::sqrt(square);
      const double total = site.initial + value;
      if (!(total < result_.order[cell])) continue;
      result_.order[cell] = total;
      result_.site[cell] = number;
      for (std::size_t a = 0; a < 3; ++a)
        result_.way[cell][a] = placed > 0 ? static_cast<float>(way[a] / std::sqrt(placed)) : 0;
    }
  }

  double along_line(const Axes& from, const Axes& d, double length) const {
    // Face j along an axis is crossed at (2j − 1) / 2|d|.
    std::int64_t denominator = 2;
    for (const std::int64_t each : d) denominator *= std::max<std::int64_t>(std::abs(each), 1);
    std::vector<std::pair<std::int64_t, std::size_t>> faces;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::int64_t j = 1; j <= std::abs(d[a]); ++j)
        faces.push_back({(2 * j - 1) * (denominator / (2 * std::abs(d[a]))), a});
    std::sort(faces.begin(), faces.end());
    Axes at = from;
    std::int64_t last = 0;
    double sum = 0;
    for (std::size_t i = 0; i <= faces.size();) {
      const std::int64_t next = i < faces.size() ? faces[i].first : denominator;
      const double cost = cost_of(static_cast<std::size_t>(to_index(p_.extent, at)));
      if (!(cost < kInfinity)) return kInfinity;
      sum += length * (static_cast<double>(next - last) / static_cast<double>(denominator)) * cost;
      last = next;
      if (i == faces.size()) break;
      Axes to = at;
      for (; i < faces.size() && faces[i].first == next; ++i)
        to[faces[i].second] += d[faces[i].second] > 0 ? 1 : -1;
      if (!is_linked(at, to)) return kInfinity;
      at = to;
    }
    return sum;
  }

  /// Whether faces lead from one cell to another one, within the box of both.
  bool is_linked(const Axes& from, const Axes& to) const {
    if (from == to) return true;
    for (std::size_t a = 0; a < 3; ++a) {
      if (from[a] == to[a]) continue;
      Axes next = from;
      next[a] = to[a];
      const bool is_open =
          next == to || cost_of(static_cast<std::size_t>(to_index(p_.extent, next))) < kInfinity;
      if (is_open && is_linked(next, to)) return true;
    }
    return false;
  }

  // ---- first order ----

  void march() {
    std::set<std::pair<double, std::size_t>> open;
    for (std::size_t cell = 0; cell < count_; ++cell)
      if (result_.order[cell] < kInfinity) open.insert({result_.order[cell], cell});
    while (!open.empty()) {
      const std::size_t cell = open.begin()->second;
      open.erase(open.begin());
      for (std::size_t a = first(); a < 3; ++a)
        for (const std::int64_t step : {-1, 1}) {
          const std::int64_t next = moved(cell, a, step);
          if (next < 0) continue;
          const auto other = static_cast<std::size_t>(next);
          const double value = least_value(other);
          if (!(value < result_.order[other])) continue;
          open.erase({result_.order[other], other});
          result_.order[other] = value;
          open.insert({value, other});
        }
    }
  }

  double least_value(std::size_t cell) const {
    std::array<double, 3> m{kInfinity, kInfinity, kInfinity};
    for (std::size_t a = first(); a < 3; ++a)
      for (const std::int64_t step : {-1, 1})
        if (const std::int64_t next = moved(cell, a, step); next >= 0)
          m[a] = std::min(m[a], result_.order[static_cast<std::size_t>(next)]);
    const double low = std::min({m[0], m[1], m[2]});
    const auto is_enough = [&](double v) {
      double sum = 0;
      for (std::size_t a = first(); a < 3; ++a) {
        if (!(v > m[a])) continue;
        const double q = (v - m[a]) * steepness(cell, a);
        sum += q * q;
      }
      return sum >= 1;
    };
    if (low == kInfinity || steepness(cell, 2) == 0) return kInfinity;
    auto begin = std::bit_cast<std::uint64_t>(low), end = std::bit_cast<std::uint64_t>(kInfinity);
    while (end - begin > 1) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      (is_enough(std::bit_cast<double>(middle)) ? end : begin) = middle;
    }
    return std::bit_cast<double>(end);
  }

  // ---- second order ----

  struct Along {
    double v, r;
    std::size_t q, axis;
    int sign;  ///< of the way from q to the cell
  };

  void arrive(std::size_t cell) {
    std::vector<Along> axes;
    for (std::size_t a = first(); a < 3; ++a) {
      std::int64_t q = -1, way = 0;
      for (const std::int64_t step : {-1, 1}) {
        const std::int64_t next = moved(cell, a, step);
        if (next < 0 || !is_before(static_cast<std::size_t>(next), cell)) continue;
        if (q >= 0 && !(t(next) < t(q))) continue;
        q = next;
        way = step;
      }
      if (q < 0) continue;
      Along along{t(q), 1 / p_.spacing[a], static_cast<std::size_t>(q), a, way < 0 ? 1 : -1};
      const std::int64_t r = moved(cell, a, 2 * way);
      if (r >= 0 && is_before(static_cast<std::size_t>(r), along.q) && t(r) <= t(q) &&
          (!known_[along.q] || known_[static_cast<std::size_t>(r)])) {
        along.v = t(q) + (t(q) - t(r)) / 3;
        along.r *= 1.5;
      }
      axes.push_back(along);
    }
    std::stable_sort(axes.begin(), axes.end(),
                     [](const Along& a, const Along& b) { return a.v < b.v; });
    const double own = cost_of(cell);
    double a = 0, b = 0, q = 0, x = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const double d = axes[i].v - axes[0].v, w = axes[i].r * axes[i].r;
      if (i > 0 && x <= d) break;
      a += w;
      b += w * d;
      q += w * d * d;
      x = (b + std::sqrt(std::max(0.0, b * b - a * (q - own * own)))) / a;
    }
    const double cost = result_.cost[cell] = axes[0].v + x;
    while (axes.size() > 1 && !(axes.back().v < cost)) axes.pop_back();
    hand_on(cell, own, cost, axes);
  }

  void hand_on(std::size_t cell, double own, double cost, const std::vector<Along>& axes) {
    const auto straight = [&](const Along& along) {
      const Direction& n = result_.way[along.q];
      const bool has_way = n != Direction{};
      const double part = has_way ? static_cast<double>(n[along.axis]) * along.sign : 1.0;
      return std::tuple(
          result_.cost[along.q] + (own + cost_of(along.q)) / 2 * p_.spacing[along.axis] * part,
          result_.site[along.q], along.axis);
    };
    const Along& best = *std::min_element(
        axes.begin(), axes.end(),
        [&](const Along& one, const Along& other) { return straight(one) < straight(other); });
    result_.site[cell] = result_.site[best.q];
    result_.link[cell] = static_cast<int>(2 * best.axis) + (best.sign < 0 ? 1 : 0);
    result_.way[cell] = result_.way[best.q];
    const bool is_one = std::all_of(axes.begin(), axes.end(), [&](const Along& along) {
      return result_.site[along.q] == result_.site[best.q];
    });
    if (!is_one || !(own > 0)) return;
    result_.way[cell] = {};
    for (const Along& along : axes)
      result_.way[cell][along.axis] =
          static_cast<float>((cost - along.v) * along.r / own) * static_cast<float>(along.sign);
  }

  double t(std::int64_t cell) const { return result_.cost[static_cast<std::size_t>(cell)]; }

  const EikonalProblem& p_;
  std::size_t count_;
  EikonalResult result_;
  std::vector<bool> known_;
};

}  // namespace

EikonalResult solve_eikonal(const EikonalProblem& problem) { return Eikonal(problem).solve(); }

}  // namespace thiessen::oracle
