// SPDX-License-Identifier: Apache-2.0
//
// Slabs, and the bytes of their summaries, as C callers pass and get them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/nearest_site.hpp"
#include "thiessen/slabs.h"
#include "thiessen/slabs.hpp"

namespace thiessen::c {

inline SlabPlace to_place(const thiessen_slab* given) {
  const thiessen_slab slab = read_struct("slab", &required("slab", given), {});
  return {to_grid(slab.rank, slab.extents).extents, slab.first};
}

inline std::span<const std::byte> to_bytes(const char* name, const thiessen_bytes* given) {
  const thiessen_bytes& bytes = required(name, given);
  if (bytes.size > 0) required(name, bytes.data);
  return {reinterpret_cast<const std::byte*>(bytes.data), bytes.size};
}

/// Bytes that the caller frees.
inline thiessen_bytes from_bytes(const std::vector<std::byte>& bytes) {
  auto* const data = new unsigned char[bytes.size()];
  std::copy_n(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), data);
  return {data, bytes.size()};
}

/// What combine(all, raster) makes of the summaries of all slabs, into as many bytes.
template <class Summary, class Combine>
void combine_bytes(const thiessen_bytes* summaries, std::size_t count, const thiessen_slab* slab,
                   thiessen_bytes* found, Summary (*to_summary)(std::span<const std::byte>),
                   const Combine& combine) {
  std::fill_n(found, count, thiessen_bytes{nullptr, 0});
  required("summaries", summaries);
  const SlabPlace place = to_place(slab);
  std::vector<Summary> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(to_summary(to_bytes("summaries", summaries + i)));
  const auto combined = combine(all, place.raster);
  try {
    for (std::size_t i = 0; i < count; ++i) found[i] = from_bytes(slab_bytes(combined[i]));
  } catch (...) {
    std::for_each(found, found + count, [](thiessen_bytes& bytes) { thiessen_free_bytes(&bytes); });
    throw;
  }
}

}  // namespace thiessen::c
