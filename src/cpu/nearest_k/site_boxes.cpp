// SPDX-License-Identifier: Apache-2.0
#include "cpu/nearest_k/site_boxes.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <tuple>
#include <utility>

#include "core/order/torus.hpp"
#include "core/search/site_cells.hpp"
#include "cpu/others/label_groups.hpp"
#include "thiessen/error.hpp"
#include "threads/sort.hpp"

namespace thiessen::cpu {
namespace {

constexpr std::int64_t kBoxesAtOnce = 1 << 12;

/// Bits of a coordinate in a key of 64 bits.
constexpr int bits_of(std::size_t axes) { return axes == 2 ? 31 : 21; }

/// The place of a point along the Hilbert curve through a square or cube of 2^bits_of().
///
/// J. Skilling, "Programming the Hilbert curve" (2004): from coordinates to the bits of the place,
/// of which each n-th one belongs to the same of the n axes.
template <std::size_t kCount>
std::uint64_t hilbert_key(std::array<std::uint32_t, kCount> x) {
  constexpr int kBits = bits_of(kCount);
  constexpr std::uint32_t kTop = std::uint32_t{1} << (kBits - 1);
  for (std::uint32_t bit = kTop; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& each : x) {
      if ((each & bit) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t swapped = (x[0] ^ each) & below;
        x[0] ^= swapped;
        each ^= swapped;
      }
    }
  }
  for (std::size_t axis = 1; axis < kCount; ++axis) x[axis] ^= x[axis - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = kTop; bit > 1; bit >>= 1)
    if ((x[kCount - 1] & bit) != 0) flips ^= bit - 1;
  std::uint64_t key = 0;
  for (int bit = kBits - 1; bit >= 0; --bit)
    for (const std::uint32_t each : x) key = key << 1 | ((each ^ flips) >> bit & 1);
  return key;
}

/// A site by its place along the curve.
struct Keyed {
  std::uint64_t key;
  std::int64_t site;

  bool operator<(const Keyed& other) const {
    return key != other.key ? key < other.key : site < other.site;
  }
};

using Sites = std::vector<ListedSite>;

/// Leaves the first site of each group at a place, and of these the first `most`. All sites in the
/// range have one key. Returns where they end.
Sites::iterator drop_repeated(Sites::iterator begin, Sites::iterator end, std::int64_t most) {
  std::sort(begin, end, [](const ListedSite& a, const ListedSite& b) {
    return std::tie(a.at, a.group, a.index) < std::tie(b.at, b.group, b.index);
  });
  end = std::unique(begin, end, [](const ListedSite& a, const ListedSite& b) {
    return a.at == b.at && a.group == b.group;
  });
  std::sort(begin, end, [](const ListedSite& a, const ListedSite& b) {
    return std::tie(a.at, a.index) < std::tie(b.at, b.index);
  });
  std::int64_t here = 0;
  Axes at{};
  return std::remove_if(begin, end, [&](const ListedSite& site) {
    here = here > 0 && site.at == at ? here + 1 : 1;
    at = site.at;
    return here > most;
  });
}

/// The same for all sites, which are sorted by their keys.
void drop_repeated(const std::vector<Keyed>& keys, Sites& sites, std::int64_t most) {
  auto kept = sites.begin();
  for (std::size_t first = 0, end = 0; first < keys.size(); first = end) {
    while (end < keys.size() && keys[end].key == keys[first].key) ++end;
    const auto begin = sites.begin() + static_cast<std::ptrdiff_t>(first);
    auto rest = sites.begin() + static_cast<std::ptrdiff_t>(end);
    if (end - first > 1) rest = drop_repeated(begin, rest, most);
    kept = kept == begin ? rest : std::move(begin, rest, kept);
  }
  sites.erase(kept, sites.end());
}

/// Whether all neighbours of a site, also those across corners, are of its group. A neighbour
/// beyond the edge of the raster lies nearer to no cell.
bool is_inner(const Problem& problem, const std::vector<std::uint32_t>& groups, const Axes& cell) {
  const auto group_of = [&](const Axes& of) {
    return groups[static_cast<std::size_t>(to_index(problem.extent, of))];
  };
  const std::uint32_t own = group_of(cell);
  Axes neighbour;
  const auto each_along = [&](auto&& self, std::size_t axis) -> bool {
    if (axis == kAxes) return group_of(neighbour) == own;
    for (const std::int64_t step : {-1, 0, 1}) {
      neighbour[axis] = unwrap(cell[axis] + step, problem.period[axis]);
      if (neighbour[axis] < 0 || neighbour[axis] >= problem.extent[axis]) continue;
      if (!self(self, axis + 1)) return false;
    }
    return true;
  };
  return each_along(each_along, 0);
}

void require_few(std::int64_t count) {
  if (count > std::int64_t{0xFFFFFFFF})
    throw Error(ErrorCode::unsupported, "the k nearest, or ties, of " + std::to_string(count) +
                                            " sites are wanted; there may be at most 2^32 - 1");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a problem, and which of its sites
SiteBoxes::SiteBoxes(ContextState& state, const Problem& problem, const ProblemViews& views,
                     bool by_label, ListedCells listed, std::int64_t most) {
  if (problem.point_sites)
    list_points(views, by_label);
  else
    list_cells(state, problem, views, by_label);
  if (!problem.point_sites) drop_inner(state, problem, listed);
  add_levels(state, problem.point_sites ? most : 0);
}

SiteBoxes::SiteBoxes(ContextState& state, const NearSites& sites) {
  const auto reserve = [&](std::int64_t count) {
    require_few(count);
    sites_.reserve(static_cast<std::size_t>(count));
  };
  sites.list_shallow(reserve, [&](const Axes& cell, std::int64_t index) {
    sites_.push_back({cell, index, static_cast<std::uint32_t>(sites_.size())});
  });
  add_levels(state, 0);
}

void SiteBoxes::list_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                           bool by_label) {
  const bool groups_labels = by_label && problem.rule.type != ElementType::boolean;
  LabelGroups groups(views.labels.element_type());
  const auto reserve = [&](std::int64_t count) {
    require_few(count);
    sites_.reserve(static_cast<std::size_t>(count));
  };
  list_site_cells(problem, views.sites, state.progress, reserve, [&](const Axes& cell) {
    const auto group = groups_labels ? groups.group_of(address_of(views.labels, cell))
                                     : static_cast<std::uint32_t>(sites_.size());
    sites_.push_back({cell, to_index(problem.extent, cell), group});
  });
}

std::optional<ListedSite> SiteBoxes::inner(const Axes& extent, const Axes& cell) const {
  const std::int64_t index = to_index(extent, cell);
  const std::uint32_t group = inner_[static_cast<std::size_t>(index)];
  if (group == 0) return std::nullopt;
  return ListedSite{cell, index, group - 1};
}

void SiteBoxes::drop_inner(ContextState& state, const Problem& problem, ListedCells listed) {
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<std::uint32_t> groups(cells);  // plus 1; 0: no site
  for (const ListedSite& site : sites_)
    groups[static_cast<std::size_t>(site.index)] = listed == ListedCells::rims ? 1 : site.group + 1;
  inner_.resize(cells);
  std::atomic<bool> is_some{false};
  parallel_for(state, count(), kBoxesAtOnce, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (!is_inner(problem, groups, site(i).at)) continue;
      inner_[static_cast<std::size_t>(site(i).index)] = site(i).group + 1;
      is_some = true;
    }
  });
  if (!is_some) return inner_.clear();
  std::erase_if(sites_, [&](const ListedSite& site) {
    return inner_[static_cast<std::size_t>(site.index)] != 0;
  });
}

void SiteBoxes::list_points(const ProblemViews& views, bool by_label) {
  require_few(views.points.count);
  const bool groups_labels = by_label && views.labels;
  LabelGroups groups(groups_labels ? views.labels.element_type() : ElementType::u8);
  const std::int64_t element =
      groups_labels ? static_cast<std::int64_t>(size_of(views.labels.element_type())) : 0;
  sites_.reserve(static_cast<std::size_t>(views.points.count));
  for (std::int64_t i = 0; i < views.points.count; ++i)
    sites_.push_back({views.points.at[i], i,
                      groups_labels ? groups.group_of(views.labels.bytes() + i * element)
                                    : static_cast<std::uint32_t>(i)});
}

void SiteBoxes::sort(ContextState& state, std::int64_t most) {
  if (sites_.empty()) return;
  SiteBox all = SiteBox::of(sites_[0], 0);
  for (const ListedSite& site : sites_) all.add(SiteBox::of(site, 0));
  std::int64_t longest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    longest = std::max(longest, all.high[axis] - all.low[axis]);
  const bool is_flat = all.high[0] == all.low[0];
  const int shift =
      std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest))) -
                      bits_of(is_flat ? 2 : 3));
  const auto key_of = [&](const ListedSite& site) {
    const auto along = [&](std::size_t axis) {
      return static_cast<std::uint32_t>((site.at[axis] - all.low[axis]) >> shift);
    };
    return is_flat ? hilbert_key<2>({along(1), along(2)})
                   : hilbert_key<3>({along(0), along(1), along(2)});
  };
  std::vector<Keyed> order(sites_.size());
  parallel_for(state, count(), kBoxesAtOnce, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i)
      order[static_cast<std::size_t>(i)] = {key_of(site(i)), i};
  });
  parallel_sort(state, order);
  std::vector<ListedSite> sorted(sites_.size());
  parallel_for(state, count(), kBoxesAtOnce, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i)
      sorted[static_cast<std::size_t>(i)] = site(order[static_cast<std::size_t>(i)].site);
  });
  if (most > 0) drop_repeated(order, sorted, most);
  sites_ = std::move(sorted);
}

SiteBox SiteBoxes::box_of(int level, std::int64_t place) const {
  const std::int64_t first = place * kChildren;
  const std::int64_t end = std::min(first + kChildren, count(level - 1));
  if (level > 1) {
    SiteBox result = box(level - 1, first);
    for (std::int64_t child = first + 1; child < end; ++child) result.add(box(level - 1, child));
    return result;
  }
  SiteBox result = SiteBox::of(site(first), first);
  for (std::int64_t child = first + 1; child < end; ++child)
    result.add(SiteBox::of(site(child), child));
  return result;
}

void SiteBoxes::add_levels(ContextState& state, std::int64_t most) {
  sort(state, most);
  while (!sites_.empty() && (levels_.empty() || levels_.back().size() > 1)) add_level(state);
}

void SiteBoxes::add_level(ContextState& state) {
  const int level = levels() + 1;
  std::vector<SiteBox> boxes(
      static_cast<std::size_t>((count(level - 1) + kChildren - 1) / kChildren));
  parallel_for(state, std::ssize(boxes), kBoxesAtOnce, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t place = begin; place < end; ++place)
                   boxes[static_cast<std::size_t>(place)] = box_of(level, place);
               });
  levels_.push_back(std::move(boxes));
}

std::int64_t SiteBoxes::sites_in(int level, std::int64_t place) const {
  std::int64_t width = 1;
  for (int i = 0; i < level; ++i) width *= kChildren;
  return std::min(count() - place * width, width);
}

}  // namespace thiessen::cpu
