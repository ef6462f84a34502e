// SPDX-License-Identifier: Apache-2.0
//
// Lines of the linear CUDA methods: winners along a line, and how lines are divided into groups.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/base/rng.hpp"
#include "core/order/lower_envelope.hpp"
#include "cuda/lines/pass.hpp"
#include "cuda/lines/winners.hpp"

namespace thiessen::cuda::lines {
namespace {

/// Leaves in plain arrays.
struct ArrayLeaves {
  using Scalar = std::int64_t;
  using Unit = std::int32_t;
  using Seen = SeenLeaf<Scalar>;

  std::vector<Interval<Scalar>> sites;
  std::int32_t cells;
  Scalar weight;
  std::vector<std::int32_t>& winners;
  std::vector<Seen>& heads;

  std::int32_t count() const { return static_cast<std::int32_t>(sites.size()); }
  std::int32_t length() const { return cells; }
  Scalar factor() const { return weight; }
  bool exists(std::int32_t i) const { return sites[static_cast<std::size_t>(i)].base >= 0; }
  Interval<Scalar> site(std::int32_t i) const { return sites[static_cast<std::size_t>(i)]; }
  std::int32_t winner(std::int32_t x) const { return winners.at(static_cast<std::size_t>(x)); }
  void set_winner(std::int32_t x, std::int32_t i) const {
    EXPECT_EQ(winners.at(static_cast<std::size_t>(x)), -1) << "solved twice";
    winners[static_cast<std::size_t>(x)] = i;
  }
  Seen head(std::int32_t part) const { return heads.at(static_cast<std::size_t>(part)); }
  void set_head(std::int32_t part, const Seen& seen) const {
    heads.at(static_cast<std::size_t>(part)) = seen;
  }
};

template <class Geometry>
void solve_winners(const ArrayLeaves& leaves, std::int32_t parts) {
  using Level = WinnerLevel<Geometry, ArrayLeaves>;
  std::vector<typename Level::Tail> tails(static_cast<std::size_t>(parts));
  for (std::int32_t step = first_step(leaves.length()); step > 0; step /= 2) {
    const Level level(leaves, step, parts);
    for (std::int32_t part = parts - 1; part >= 0; --part)
      tails[static_cast<std::size_t>(part)] = level.walk(part);
    for (std::int32_t part = 0; part < parts; ++part)
      level.solve_tail(part, tails[static_cast<std::size_t>(part)]);
  }
}

template <class Geometry>
std::int32_t winner_of(const ArrayLeaves& leaves, std::int32_t x) {
  std::int32_t best = -1;
  std::int64_t least = 0;
  for (std::int32_t i = 0; i < leaves.count(); ++i) {
    if (!leaves.exists(i)) continue;
    const auto site = leaves.site(i);
    const std::int64_t exact = Geometry::combine(
        site.base, Geometry::along(leaves.weight, std::int64_t{x} - site.position));
    if (best >= 0 && (exact > least || (exact == least && site.order >= leaves.site(best).order)))
      continue;
    best = i;
    least = exact;
  }
  return best;
}

template <class Geometry>
void check_winners() {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::uint64_t draw = 0;
    const auto random = [&](std::uint64_t below) {
      return static_cast<std::int32_t>(splitmix64(seed, draw++) % below);
    };
    const std::int32_t length = 1 + random(90);
    const std::int32_t parts = 1 + random(40);
    std::vector<std::int32_t> winners(static_cast<std::size_t>(length), -1);
    std::vector<ArrayLeaves::Seen> heads(static_cast<std::size_t>(parts));
    ArrayLeaves leaves{{}, length, 1 + random(3), winners, heads};
    const std::int32_t rough = 1 + random(3000);
    const std::int32_t empty = 1 + random(5);
    for (std::int32_t i = 0; i < length; ++i)
      leaves.sites.push_back({random(static_cast<std::uint64_t>(empty)) != 0
                                  ? -1
                                  : random(static_cast<std::uint64_t>(rough)),
                              random(20), i, 0});
    solve_winners<Geometry>(leaves, parts);
    for (std::int32_t x = 0; x < length; ++x) {
      const std::int32_t found = leaves.winner(x);
      ASSERT_EQ(leaves.exists(found) ? found : -1, winner_of<Geometry>(leaves, x))
          << "seed " << seed << ", cell " << x;
    }
  }
}

// Turing's blocks, those of what is for graphics since, and Hopper's.
TEST(CudaLines, FitTheSharedMemoryOfTheDevice) {
  using Memory = LineMemory<std::int32_t, std::int16_t, std::int16_t>;
  for (const std::int64_t shared : {64 << 10, 99 << 10, 227 << 10}) {
    const std::int64_t room = room_for_leaves(shared, Memory::kHeadBytes);
    for (std::int64_t length = 1; length * Memory::kLeafBytes <= room; ++length) {
      Job job;
      job.extent = {1, length, 64};
      job.period.fill(kNoPeriod);
      const LinePlan plan = plan_lines(job, 1, all_lines(job, 1), 32, Memory::kLeafBytes, room);
      ASSERT_LE(Memory::bytes(plan), shared) << length;
    }
  }
}

TEST(CudaWinners, AreThoseOfEveryCell) {
  check_winners<Euclidean>();
  check_winners<Manhattan>();
  check_winners<Chessboard>();
}

}  // namespace
}  // namespace thiessen::cuda::lines
