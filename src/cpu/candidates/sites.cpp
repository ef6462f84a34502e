// SPDX-License-Identifier: Apache-2.0
//
// The order of sites for a tree: along the curve of Morton, "A computer oriented geodetic data
// base" (1966). Places are rounded to a lattice over the box of all sites. Sites that share a place
// of the lattice are ordered by a lattice of their own, so that sites in a corner of a large box,
// or a million at one place, do no harm.
#include "cpu/candidates/sites.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/order/weights.hpp"
#include "cpu/candidates/images.hpp"
#include "cpu/candidates/numbered.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cpu::candidates {
namespace {

/// The box around some places, and a lattice over it.
class Lattice {
 public:
  Lattice(const Problem& problem, const SiteList& places, std::span<const std::uint32_t> some)
      : first_axis_(static_cast<std::size_t>(problem.first_axis())) {
    low_.fill(std::numeric_limits<std::int64_t>::max());
    Axes high;
    high.fill(std::numeric_limits<std::int64_t>::min());
    for (const std::uint32_t place : some)
      for (std::size_t axis = first_axis_; axis < kAxes; ++axis) {
        low_[axis] = std::min(low_[axis], places.at[place][axis]);
        high[axis] = std::max(high[axis], places.at[place][axis]);
      }
    for (std::size_t axis = first_axis_; axis < kAxes; ++axis) {
      const std::int64_t length = high[axis] - low_[axis];
      is_place_ = is_place_ && length == 0;
      while (length >> shift_ >= kPlaces) ++shift_;
    }
  }

  bool is_place() const { return is_place_; }

  /// The number of a place along the curve: its bits in turn.
  std::uint32_t number(const Axes& at) const {
    std::uint32_t number = 0;
    for (std::size_t axis = first_axis_; axis < kAxes; ++axis) {
      const auto coordinate = static_cast<std::uint32_t>((at[axis] - low_[axis]) >> shift_);
      number |= spread(coordinate) << (kAxes - 1 - axis);
    }
    return number;
  }

 private:
  /// Along each axis. In 2-D a third of the bits stays unused.
  static constexpr std::int64_t kPlaces = 1024;

  /// Two zeros between the bits of a coordinate.
  static std::uint32_t spread(std::uint32_t v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
  }

  std::size_t first_axis_;
  Axes low_{};
  int shift_ = 0;
  bool is_place_ = true;
};

/// Sorts places along the curve; at one place by index.
class Order {
 public:
  Order(const Problem& problem, const SiteList& places, Scratch::Frame& scratch)
      : problem_(problem),
        places_(places),
        order_(scratch.array<std::uint32_t>(places.count), static_cast<std::size_t>(places.count)),
        list_(scratch.array<Numbered>(places.count), order_.size()),
        buffer_(scratch.array<Numbered>(places.count), order_.size()) {}

  std::span<std::uint32_t> run() {
    std::iota(order_.begin(), order_.end(), 0u);
    run(0, order_.size());
    return order_;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): each lattice is 1024 times as fine as the one before
  void run(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const std::span<std::uint32_t> order = order_.subspan(begin, end - begin);
    const Lattice lattice(problem_, places_, order);
    if (lattice.is_place()) return;
    const std::span<Numbered> list = list_.subspan(begin, end - begin);
    for (std::size_t i = 0; i < order.size(); ++i)
      list[i] = {lattice.number(places_.at[order[i]]), order[i]};
    sort_numbered(list, buffer_.subspan(begin, end - begin));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = list[i].place;
    for (std::size_t i = 0; i < list.size();) {
      std::size_t last = i + 1;
      while (last < list.size() && list[last].number == list[i].number) ++last;
      if (last - i > kFan) run(begin + i, begin + last);
      i = last;
    }
  }

  const Problem& problem_;
  const SiteList& places_;
  std::span<std::uint32_t> order_;
  std::span<Numbered> list_;
  std::span<Numbered> buffer_;
};

class Builder {
 public:
  Builder(const Problem& problem, const SiteList& list, std::int64_t most, Scratch::Frame& scratch)
      : problem_(problem), places_(list), most_(most), scratch_(scratch) {}

  Sites build() {
    set_lengths();
    list_places();
    order_ = Order(problem_, places_, scratch_).run();
    keep_winners();
    fill();
    build_levels();
    sites_.are_keys_exact = are_keys_exact();
    return std::move(sites_);
  }

 private:
  std::size_t first_axis() const { return static_cast<std::size_t>(problem_.first_axis()); }
  bool is_square() const { return problem_.metric == Metric::euclidean; }

  void set_lengths() {
    if (places_.weights.form != nullptr) return set_form_unit();
    double longest = 0;
    bool exact = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      constexpr double kMostExact = 1 << 24;
      const auto factor = static_cast<double>(problem_.weights.factor[axis]);
      double& length = sites_.length[axis];
      length = is_square() ? std::sqrt(factor) : factor;
      const bool is_whole = length == std::floor(length);
      exact = exact && is_whole && length < kMostExact;
      if (axis >= first_axis()) longest = std::max(longest, length);
    }
    const int exponent = std::ilogb(longest);
    for (double& length : sites_.length) length = std::ldexp(length, -exponent);
    unit_ = std::ldexp(1.0, -exponent - problem_.fraction_bits);
    if (exact && problem_.keys.factor == 1) sites_.quantum = is_square() ? unit_ * unit_ : unit_;
  }

  void set_form_unit() {
    Int128 greatest = 1;
    for (std::int64_t i = 0; i < places_.count; ++i)
      for (const Int128 square :
           places_.weights.form[places_.index == nullptr ? i : places_.index[i]].square)
        greatest = std::max(greatest, square);
    const int half = (std::ilogb(static_cast<double>(greatest)) + 1) / 2;
    unit_ = std::ldexp(1.0, -half - problem_.fraction_bits);
    form_unit_ = std::ldexp(1.0, -2 * half);
    sites_.quantum = unit_ * unit_;
  }

  void list_places() {
    if (problem_.has_period()) list_images();
    if (places_.count >= std::int64_t{std::numeric_limits<std::uint32_t>::max()})
      throw Error(ErrorCode::unsupported,
                  {"sites", {}, "are 2^32 or more, with their images on periodic axes"});
  }

  /// Puts images in place of the sites. Those of one site are one group.
  void list_images() {
    const SiteList from = places_;
    for (std::int64_t i = 0; i < from.count; ++i) {
      const std::int64_t index = from.index == nullptr ? i : from.index[i];
      if (from.weights.form == nullptr)
        add_images(problem_, from.at[i], image_at_);
      else
        add_images(problem_, from.weights.form[index], from.at[i], image_at_);
      image_index_.resize(image_at_.size(), index);
      image_group_.resize(image_at_.size(),
                          from.group == nullptr ? static_cast<std::uint32_t>(i) : from.group[i]);
    }
    places_.count = std::ssize(image_at_);
    places_.at = image_at_.data();
    places_.index = image_index_.data();
    places_.group = image_group_.data();
  }

  std::int64_t index(std::uint32_t place) const {
    return places_.index == nullptr ? place : places_.index[place];
  }
  Int128 weight(std::uint32_t place) const {
    return places_.weights.exact == nullptr ? 0 : places_.weights.exact[index(place)];
  }
  const Form& form(std::uint32_t place) const { return places_.weights.form[index(place)]; }
  std::uint32_t group(std::uint32_t place) const {
    return places_.group == nullptr ? place : places_.group[place];
  }

  /// Sites at one place lie side by side in the order of their indices. Keeps among them the
  /// first ones in the order (greatest weight, index). Keys √S / w are all 0 at that place itself,
  /// where the index alone decides, so that the first ones by it are kept, too.
  void keep_winners() {
    const bool keeps_first = problem_.keys.weighting == Weighting::multiplicative;
    const auto at = [&](std::size_t i) { return places_.at[order_[i]]; };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < order_.size();) {
      std::size_t end = i + 1;
      while (end < order_.size() && at(end) == at(i)) ++end;
      const auto same = order_.subspan(i, end - i);
      kept_.clear();
      if (same.size() == 1) {
        kept_.push_back(same[0]);
      } else if (places_.weights.form != nullptr) {
        keep_of_each_form(same);
      } else {
        if (keeps_first || places_.weights.exact == nullptr) keep(same);
        if (places_.weights.exact != nullptr) {
          sort_by_weight(same);
          keep(same);
        }
      }
      std::copy(kept_.begin(), kept_.end(), order_.begin() + static_cast<std::ptrdiff_t>(kept));
      kept += kept_.size();
      i = end;
    }
    order_ = order_.first(kept);
    sites_.count = static_cast<std::uint32_t>(kept);
  }

  /// Only of sites at one place that have one metric is one better than another everywhere.
  void keep_of_each_form(std::span<std::uint32_t> same) {
    std::stable_sort(same.begin(), same.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return form(a) < form(b); });
    for (std::size_t i = 0; i < same.size();) {
      std::size_t end = i + 1;
      while (end < same.size() && form(same[end]) == form(same[i])) ++end;
      sort_by_weight(same.subspan(i, end - i));
      keep(same.subspan(i, end - i));
      i = end;
    }
  }

  /// As far as keep() looks.
  void sort_by_weight(std::span<std::uint32_t> same) const {
    const std::int64_t looked_at =
        places_.group == nullptr ? std::min(most_, std::ssize(same)) : std::ssize(same);
    std::partial_sort(same.begin(), same.begin() + looked_at, same.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                        const Int128 of_a = weight(a);
                        const Int128 of_b = weight(b);
                        return of_a > of_b || (of_a == of_b && index(a) < index(b));
                      });
  }

  /// Adds the first sites of `same` to those that are kept, one for each of `most_` groups.
  void keep(std::span<const std::uint32_t> same) {
    picked_.clear();
    for (const std::uint32_t each : same) {
      if (std::ssize(picked_) == most_) break;
      const auto is_like = [&](std::uint32_t other) { return group(other) == group(each); };
      if (std::none_of(picked_.begin(), picked_.end(), is_like)) picked_.push_back(each);
    }
    for (const std::uint32_t each : picked_)
      if (std::find(kept_.begin(), kept_.end(), each) == kept_.end()) kept_.push_back(each);
  }

  void fill() {
    const std::int64_t count = std::ssize(order_) + kSlack;
    const double cell = std::ldexp(1.0, -problem_.fraction_bits);
    for (std::size_t axis = first_axis(); axis < kAxes; ++axis) {
      auto* at = scratch_.array<double>(count);
      for (std::size_t i = 0; i < order_.size(); ++i)
        at[i] = static_cast<double>(places_.at[order_[i]][axis]) * cell;
      sites_.at[axis] = at;
    }
    auto* index = scratch_.array<std::int64_t>(count);
    for (std::size_t i = 0; i < order_.size(); ++i) index[i] = this->index(order_[i]);
    sites_.index = index;
    if (places_.weights.exact != nullptr) fill_weights();
    if (places_.weights.form != nullptr) fill_forms();
    if (places_.group == nullptr) return;
    auto* group = scratch_.array<std::uint32_t>(count);
    for (std::size_t i = 0; i < order_.size(); ++i) group[i] = places_.group[order_[i]];
    sites_.group = group;
  }

  void fill_weights() {
    auto* number = scratch_.array<double>(std::ssize(order_) + kSlack);
    const bool divides = problem_.keys.weighting == Weighting::multiplicative;
    const double length = unit_ / static_cast<double>(problem_.keys.factor);
    const double unit = problem_.keys.weighting == Weighting::power ? length * length : length;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto w = static_cast<double>(weight(order_[i]));
      number[i] = divides ? 1 / (w * w) : w * unit;
    }
    (divides ? sites_.scale : sites_.weight) = number;
  }

  void fill_forms() {
    auto* forms = scratch_.array<Symmetric<double>>(std::ssize(order_) + kSlack);
    auto* bounds = scratch_.array<FormBounds>(std::ssize(order_));
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Form& form = this->form(order_[i]);
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        forms[i].square[axis] = static_cast<double>(form.square[axis]) * form_unit_;
        forms[i].cross[axis] = static_cast<double>(form.cross[axis]) * form_unit_;
      }
      bounds[i] = bounds_of(forms[i], first_axis());
    }
    sites_.form = forms;
    sites_.bounds = bounds;
  }

  void build_levels() {
    if (order_.empty()) return;
    std::vector<Node> lowest((order_.size() + kFan - 1) / kFan);
    for (std::size_t i = 0; i < lowest.size(); ++i) {
      Node& node = lowest[i];
      const std::size_t end = std::min((i + 1) * kFan, order_.size());
      for (std::size_t site = i * kFan; site < end; ++site)
        add(node, site == i * kFan, sites_.node_of(static_cast<std::uint32_t>(site), first_axis()));
    }
    sites_.levels.push_back(std::move(lowest));
    while (sites_.levels.back().size() > 1) {
      const std::vector<Node>& below = sites_.levels.back();
      std::vector<Node> level((below.size() + kFan - 1) / kFan);
      for (std::size_t i = 0; i < below.size(); ++i) add(level[i / kFan], i % kFan == 0, below[i]);
      sites_.levels.push_back(std::move(level));
    }
    for (std::vector<Node>& level : sites_.levels)
      for (Node& node : level)
        for (std::size_t axis = first_axis(); axis < kAxes; ++axis)
          node.extent = std::max(node.extent, static_cast<float>(node.high[axis] - node.low[axis]));
  }

  /// Whether all are whole multiples of a quarter of the quantum, and few.
  bool are_keys_exact() const {
    constexpr double kMostInDouble = 0x1p48;
    const Weighting weighting = problem_.keys.weighting;
    if (sites_.levels.empty() || weighting == Weighting::additive ||
        weighting == Weighting::multiplicative || sites_.form != nullptr)
      return false;
    const Node& all = sites_.levels.back()[0];
    double greatest = 0;
    for (std::size_t axis = first_axis(); axis < kAxes; ++axis) {
      const auto end = static_cast<double>(problem_.extent[axis]);
      const double way =
          (std::max(all.high[axis], end) - std::min(all.low[axis], 0.0)) * sites_.length[axis];
      greatest += is_square() ? way * way : way;
    }
    if (sites_.weight != nullptr)
      for (std::uint32_t site = 0; site < sites_.count; ++site)
        greatest = std::max(greatest, std::fabs(sites_.weight[site]));
    return 4 * greatest < kMostInDouble * sites_.quantum;
  }

  static void add(Node& node, bool is_first, const Node& part) {
    if (is_first) {
      node = part;
      return;
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      node.low[axis] = std::min(node.low[axis], part.low[axis]);
      node.high[axis] = std::max(node.high[axis], part.high[axis]);
    }
    if (part.weight > node.weight || part.scale < node.scale) node.best = part.best;
    node.weight = std::max(node.weight, part.weight);
    node.scale = std::min(node.scale, part.scale);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      node.along[axis] = std::min(node.along[axis], part.along[axis]);
  }

  const Problem& problem_;
  SiteList places_;  ///< sites, or sites and their images
  std::int64_t most_;
  Scratch::Frame& scratch_;
  Sites sites_;
  double unit_ = 1;       ///< 1 in √S, in units of work
  double form_unit_ = 1;  ///< 1 in the forms, in units of work for ways in cells
  std::vector<Axes> image_at_;
  std::vector<std::int64_t> image_index_;
  std::vector<std::uint32_t> image_group_;
  std::span<std::uint32_t> order_;
  std::vector<std::uint32_t> kept_, picked_;  ///< at one place
};

}  // namespace

Sites make_sites(const Problem& problem, const SiteList& list, std::int64_t most,
                 Scratch::Frame& scratch) {
  return Builder(problem, list, most, scratch).build();
}

}  // namespace thiessen::cpu::candidates
