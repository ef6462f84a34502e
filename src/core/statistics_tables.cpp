// SPDX-License-Identifier: Apache-2.0
#include "core/statistics_tables.hpp"

#include <numeric>

namespace thiessen {
namespace {

/// A pair whose labels have these places in the order of labels.
struct RankedPair {
  std::uint32_t lower;
  std::uint32_t higher;
  std::size_t place;
};

/// The pairs in order: those of each lower label lie together, and are few.
std::vector<RankedPair> in_order(const TouchingPairs& touching) {
  const std::size_t labels = touching.in_order.size();
  std::vector<std::uint32_t> ranks(touching.keys.size());
  for (std::size_t rank = 0; rank < labels; ++rank)
    ranks[touching.in_order[rank]] = static_cast<std::uint32_t>(rank);
  const auto ranked = [&](std::size_t place) {
    const std::uint64_t pair = touching.pairs[place];
    const auto [lower, higher] = std::minmax({ranks[pair >> 32], ranks[pair & 0xFFFFFFFFu]});
    return RankedPair{lower, higher, place};
  };
  std::vector<std::size_t> ends(labels + 1);
  for (std::size_t place = 0; place < touching.pairs.size(); ++place)
    ++ends[ranked(place).lower + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<RankedPair> all(touching.pairs.size());
  for (std::size_t place = 0; place < touching.pairs.size(); ++place) {
    const RankedPair pair = ranked(place);
    all[ends[pair.lower]++] = pair;
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin),
              all.begin() + static_cast<std::ptrdiff_t>(end),
              [](const RankedPair& a, const RankedPair& b) { return a.higher < b.higher; });
    begin = end;
  }
  return all;
}

}  // namespace

void reserve_rows(std::size_t labels, SiteStatistics& table) {
  const auto rank = static_cast<std::size_t>(table.rank);
  table.cells.reserve(labels);
  table.volume.reserve(labels);
  table.centroid.reserve(labels * rank);
  table.second_moments.reserve(labels * rank * rank);
  table.first.reserve(labels * rank);
  table.last.reserve(labels * rank);
}

Adjacency make_adjacency(const LabelRaster& raster, const TouchingPairs& touching) {
  const std::vector<RankedPair> pairs = in_order(touching);
  std::array<double, kAxes> faces{1, 1, 1};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    for (std::size_t other = 0; other < kAxes; ++other)
      if (other != axis) faces[axis] *= raster.spacing[other];
  std::vector<LabelKey> lower;
  std::vector<LabelKey> higher;
  Adjacency table;
  lower.reserve(pairs.size());
  higher.reserve(pairs.size());
  table.contacts.reserve(pairs.size());
  table.boundary.reserve(pairs.size());
  for (const RankedPair& pair : pairs) {
    lower.push_back(touching.keys[touching.in_order[pair.lower]]);
    higher.push_back(touching.keys[touching.in_order[pair.higher]]);
    const ContactCounts& counts = touching.counts[pair.place];
    table.contacts.push_back(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    double boundary = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (counts[axis] != 0) boundary += static_cast<double>(counts[axis]) * faces[axis];
    table.boundary.push_back(boundary);
  }
  const ElementType type = raster.labels.element_type();
  table.a = to_labels(lower, type);
  table.b = to_labels(higher, type);
  return table;
}

void sort_slots(std::span<const LabelKey> keys, ElementType type,
                std::vector<std::uint32_t>& slots) {
  std::vector<std::uint64_t> orders;
  orders.reserve(keys.size());
  for (const LabelKey key : keys) orders.push_back(order_of(key, type));
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return orders[a] < orders[b]; };
  if (!std::is_sorted(slots.begin(), slots.end(), before))
    std::sort(slots.begin(), slots.end(), before);
}

}  // namespace thiessen
