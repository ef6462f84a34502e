// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/make_room.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// The places of keys in ascending order of these; equal keys keep their order. A radix sort by the
/// bits in which keys differ: tables have up to some 100,000 rows, and keys differ in few bits.
std::vector<std::uint32_t> ascending(std::span<const std::uint64_t> keys) {
  constexpr int kDigit = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigit;
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0u);
  std::uint64_t differing = 0;
  for (const std::uint64_t key : keys) differing |= key ^ keys.front();
  std::vector<std::uint32_t> sorted(keys.size());
  for (int shift = 0; shift < 64 && differing >> shift != 0; shift += kDigit) {
    if ((differing >> shift) % kDigits == 0) continue;
    const auto digit = [&](std::uint32_t place) {
      return static_cast<std::size_t>(keys[place] >> shift) % kDigits;
    };
    std::array<std::uint32_t, kDigits + 1> ends{};
    for (const std::uint32_t place : places) ++ends[digit(place) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (const std::uint32_t place : places) sorted[ends[digit(place)]++] = place;
    places.swap(sorted);
  }
  return places;
}

/// The pairs by the places of their labels in the order of labels: the lower place << bits | the
/// higher one.
std::vector<std::uint64_t> ranked_pairs(const TouchingPairs& touching, int bits) {
  std::vector<std::uint32_t> ranks(touching.keys.size());
  for (std::size_t rank = 0; rank < touching.in_order.size(); ++rank)
    ranks[touching.in_order[rank]] = static_cast<std::uint32_t>(rank);
  std::vector<std::uint64_t> pairs;
  pairs.reserve(touching.pairs.size());
  for (const std::uint64_t pair : touching.pairs) {
    const auto [lower, higher] = std::minmax({ranks[pair >> 32], ranks[pair & 0xFFFFFFFFu]});
    pairs.push_back(std::uint64_t{lower} << bits | higher);
  }
  return pairs;
}

}  // namespace

void begin_rows(std::size_t labels, SiteStatistics& table) {
  const auto rows = static_cast<std::int64_t>(labels);
  const auto begin = [](auto& column, std::int64_t size) {
    column.clear();
    make_room(column, size);
  };
  begin(table.cells, rows);
  begin(table.volume, rows);
  begin(table.centroid, rows * table.rank);
  begin(table.second_moments, rows * table.rank * table.rank);
  begin(table.first, rows * table.rank);
  begin(table.last, rows * table.rank);
  for (auto* const column :
       {&table.mass, &table.mass_centroid, &table.greatest_distance, &table.mean_distance})
    column->clear();
}

Adjacency make_adjacency(const LabelRaster& raster, const TouchingPairs& touching) {
  const auto bits = static_cast<int>(std::bit_width(touching.in_order.size()));
  const std::vector<std::uint64_t> pairs = ranked_pairs(touching, bits);
  const std::vector<std::uint32_t> places = ascending(pairs);
  const ElementType type = raster.labels.element_type();
  const Extents rows{static_cast<std::int64_t>(pairs.size())};
  Adjacency table{.a = Raster(type, rows), .b = Raster(type, rows)};
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    auto* a = reinterpret_cast<T*>(table.a.bytes());
    auto* b = reinterpret_cast<T*>(table.b.bytes());
    const std::uint64_t higher_bits = (std::uint64_t{1} << bits) - 1;
    const auto label = [&](std::uint64_t rank) {
      return label_of<T>(touching.keys[touching.in_order[rank]]);
    };
    for (const std::uint32_t place : places) {
      *a++ = label(pairs[place] >> bits);
      *b++ = label(pairs[place] & higher_bits);
    }
  });
  table.contacts.reserve(pairs.size());
  table.boundary.reserve(pairs.size());
  const std::array<double, kAxes> faces = faces_of_cell(raster);
  for (const std::uint32_t place : places) {
    const Boundary boundary = boundary_of(touching.counts[place], faces);
    table.contacts.push_back(boundary.contacts);
    table.boundary.push_back(boundary.size);
  }
  return table;
}

void sort_slots(std::span<const LabelKey> keys, ElementType type,
                std::vector<std::uint32_t>& slots) {
  std::vector<std::uint64_t> orders;
  orders.reserve(slots.size());
  for (const std::uint32_t slot : slots) orders.push_back(order_of(keys[slot], type));
  if (std::is_sorted(orders.begin(), orders.end())) return;
  std::vector<std::uint32_t> sorted;
  sorted.reserve(slots.size());
  for (const std::uint32_t place : ascending(orders)) sorted.push_back(slots[place]);
  slots = std::move(sorted);
}

}  // namespace thiessen
