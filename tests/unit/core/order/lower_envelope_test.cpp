// SPDX-License-Identifier: Apache-2.0
#include "core/order/lower_envelope.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/int128.hpp"
#include "core/base/rng.hpp"

namespace thiessen::cpu {
namespace {

template <class Scalar>
struct LineSite {
  Scalar base;
  std::int64_t order;
  std::int32_t position;
};

/// Winner of every cell 0..length-1 by comparing all sites, -1 for none.
template <class Geometry, class Scalar>
std::vector<int> compare_all(const std::vector<LineSite<Scalar>>& sites, Scalar factor,
                             std::int32_t length) {
  std::vector<int> winners;
  for (std::int32_t x = 0; x < length; ++x) {
    int best = -1;
    const auto exact = [&](int i) {
      const auto& site = sites[static_cast<std::size_t>(i)];
      return Geometry::combine(site.base, Geometry::along(factor, std::int64_t{x} - site.position));
    };
    const auto order = [&](int i) { return sites[static_cast<std::size_t>(i)].order; };
    for (int i = 0; i < static_cast<int>(sites.size()); ++i)
      if (best < 0 || exact(i) < exact(best) || (exact(i) == exact(best) && order(i) < order(best)))
        best = i;
    winners.push_back(best < 0 ? -1 : sites[static_cast<std::size_t>(best)].position);
  }
  return winners;
}

template <class Geometry, class Scalar>
std::vector<int> envelope_of(const std::vector<LineSite<Scalar>>& sites, Scalar factor,
                             std::int32_t length) {
  std::vector<Interval<Scalar>> stack(sites.size());
  LowerEnvelope<Geometry, Scalar> envelope(stack.data(), factor, 0, length - 1);
  for (const auto& site : sites) envelope.add(site.base, site.order, site.position);
  std::vector<int> winners(static_cast<std::size_t>(length), -1);
  envelope.for_each_interval([&](const auto& site, std::int32_t begin, std::int32_t end) {
    for (std::int32_t x = begin; x < end; ++x) winners[static_cast<std::size_t>(x)] = site.position;
  });
  return winners;
}

/// Small bases and factors on short lines: ties everywhere.
template <class Geometry, class Scalar>
void try_many(bool with_order, std::int64_t base_range, std::int64_t factor_range) {
  std::uint64_t draw = 0;
  const auto random = [&](std::int64_t range) {
    return static_cast<std::int64_t>(splitmix64(3, draw++) % static_cast<std::uint64_t>(range));
  };
  for (int round = 0; round < 4000; ++round) {
    const auto length = static_cast<std::int32_t>(1 + random(24));
    const Scalar factor = 1 + random(factor_range);
    const std::int64_t density = 1 + random(4);
    std::vector<LineSite<Scalar>> sites;
    // Positions outside of the line too: sites beyond a slab or image of a periodic axis.
    for (std::int32_t x = -6; x < length + 6; ++x)
      if (random(4) < density)
        sites.push_back({static_cast<Scalar>(random(base_range)), with_order ? random(5) : 0, x});
    ASSERT_EQ((envelope_of<Geometry, Scalar>(sites, factor, length)),
              (compare_all<Geometry, Scalar>(sites, factor, length)))
        << "round " << round;
  }
}

/// Equals the comparison with all sites, in 64 and 128 bits.
TEST(LowerEnvelopeTest, Euclidean) {
  try_many<Euclidean, std::int64_t>(true, 60, 3);
  try_many<Euclidean, std::int64_t>(true, 1000000, 400);
  try_many<Euclidean, Int128>(true, 60, 3);
}

/// Equals the comparison with all sites, in 64 and 128 bits.
TEST(LowerEnvelopeTest, Manhattan) {
  try_many<Manhattan, std::int64_t>(true, 20, 3);
  try_many<Manhattan, std::int64_t>(true, 3000, 400);
  try_many<Manhattan, Int128>(true, 20, 3);
}

/// Equals the comparison with all sites, in 64 and 128 bits.
TEST(LowerEnvelopeTest, Chessboard) {
  try_many<Chessboard, std::int64_t>(true, 20, 3);
  try_many<Chessboard, std::int64_t>(true, 3000, 400);
  try_many<Chessboard, Int128>(true, 20, 3);
}

TEST(LowerEnvelopeTest, ChessboardKeepsTheLeftmost) {
  try_many<Chessboard, std::int64_t>(false, 20, 3);
  try_many<Chessboard, std::int64_t>(false, 3000, 400);
  try_many<Chessboard, Int128>(false, 20, 3);
}

TEST(LowerEnvelopeTest, AParabolaThatTouchesInOneCellWinsItsTie) {
  // In cell 2 all three are at S = 4; the middle one has the smallest rank and wins there alone.
  const std::vector<LineSite<std::int64_t>> sites = {{0, 1, 0}, {4, 0, 2}, {0, 2, 4}};
  EXPECT_EQ((envelope_of<Euclidean, std::int64_t>(sites, 1, 5)), (std::vector<int>{0, 0, 2, 4, 4}));
}

TEST(LowerEnvelopeTest, BasesBeyond64Bits) {
  const Int128 far = Int128{1} << 120;
  const std::vector<LineSite<Int128>> sites = {{far, 0, 0}, {far + 5, 0, 1}, {far * 2, 0, 2}};
  EXPECT_EQ((envelope_of<Euclidean, Int128>(sites, Int128{1}, 6)),
            (std::vector<int>{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ((envelope_of<Manhattan, Int128>(sites, Int128{1}, 6)),
            (std::vector<int>{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ((envelope_of<Chessboard, Int128>(sites, Int128{1}, 6)),
            (std::vector<int>{0, 0, 0, 0, 0, 0}));
}

/// Quotients are rounded down for negative numbers, too.
TEST(LowerEnvelopeTest, FloorDivide) {
  EXPECT_EQ(FloorQuotient<std::int64_t>(7, 2).quotient, 3);
  EXPECT_EQ(FloorQuotient<std::int64_t>(-7, 2).quotient, -4);
  EXPECT_EQ(FloorQuotient<std::int64_t>(-8, 2).quotient, -4);
  EXPECT_EQ(FloorQuotient<std::int64_t>(0, 5).quotient, 0);
  EXPECT_TRUE(FloorQuotient<std::int64_t>(-8, 2).divides);
  EXPECT_FALSE(FloorQuotient<std::int64_t>(-7, 2).divides);
}

TEST(LowerEnvelope, QuotientsOf32BitsAreThoseOf64) {
  std::uint64_t draw = 0;
  const auto random = [&](int bits) {
    return static_cast<std::int32_t>(splitmix64(5, draw++) >> (64 - bits));
  };
  for (int i = 0; i < 200000; ++i) {
    const std::int32_t b = 1 + random(1 + random(4) % 16);
    const std::int64_t halves = std::int64_t{b} * (random(17) - random(17)) / 2;
    if (std::abs(halves) >= std::int64_t{1} << 30) {
      continue;
    }
    const std::int32_t a = i % 2 == 0 ? random(30) - random(30) : static_cast<std::int32_t>(halves);
    const FloorQuotient<std::int32_t> narrow(a, b);
    const FloorQuotient<std::int64_t> wide(a, b);
    if (wide.quotient > 60000 || wide.quotient < -60000) {
      ASSERT_GT(std::abs(narrow.quotient), 50000);
      continue;
    }
    ASSERT_EQ(narrow.quotient, wide.quotient) << a << " / " << b;
    ASSERT_EQ(narrow.divides, wide.divides) << a << " / " << b;
  }
}

}  // namespace
}  // namespace thiessen::cpu
