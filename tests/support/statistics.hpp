// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "thiessen/error.hpp"
#include "thiessen/statistics.hpp"

namespace thiessen::testing {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& values) {
  std::vector<std::uint64_t> bits;
  for (const T value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

inline void expect_same_bits(const SiteStatistics& a, const SiteStatistics& b) {
  ASSERT_EQ(a.labels.size_bytes(), b.labels.size_bytes());
  EXPECT_EQ(std::memcmp(a.labels.bytes(), b.labels.bytes(), a.labels.size_bytes()), 0);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.last, b.last);
  for (const auto column :
       {&SiteStatistics::volume, &SiteStatistics::centroid, &SiteStatistics::second_moments,
        &SiteStatistics::mass, &SiteStatistics::mass_centroid, &SiteStatistics::greatest_distance,
        &SiteStatistics::mean_distance})
    EXPECT_EQ(bits_of(a.*column), bits_of(b.*column));
}

inline void expect_same_bits(const Raster& a, const Raster& b) {
  ASSERT_EQ(a.size_bytes(), b.size_bytes());
  EXPECT_EQ(std::memcmp(a.bytes(), b.bytes(), a.size_bytes()), 0);
}

inline void expect_same_bits(const Adjacency& a, const Adjacency& b) {
  expect_same_bits(a.a, b.a);
  expect_same_bits(a.b, b.b);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(bits_of(a.boundary), bits_of(b.boundary));
}

template <class Call>
void expect_refused(const Call& call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(std::string(error.what()), words);
  }
}

}  // namespace thiessen::testing
