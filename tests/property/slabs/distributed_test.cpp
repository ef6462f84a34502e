// SPDX-License-Identifier: Apache-2.0
//
// Ranks against one call, bit for bit: the ranks are threads here, whose messages are counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/problems/answer.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/slabs/rows_of.hpp"
#include "support/slabs/slabs_of_ranks.hpp"
#include "thiessen/slabs/communicator.hpp"

namespace thiessen {
namespace {

using testing::Answer;
using testing::Draw;
using testing::draw_slabs;
using testing::problem_count;
using testing::RasterProblem;
using testing::Rows;
using testing::rows_of;
using testing::Wanted;

/// Where the ranks leave their messages.
class Post {
 public:
  explicit Post(int size) : size_(size), received_(static_cast<std::size_t>(size)) {}

  int size() const { return size_; }

  void send(int from, int to, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }

  std::vector<std::byte> receive(int from, int to) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    changed_.wait(lock, [&] { return !box.empty(); });
    std::vector<std::byte> bytes = std::move(box.front());
    box.pop_front();
    ++received_[static_cast<std::size_t>(to)];
    return bytes;
  }

  /// The values of all ranks, when all have come.
  std::vector<std::int64_t> gather(int rank, std::int64_t value) {
    std::unique_lock lock(mutex_);
    if (come_ == 0) values_.assign(static_cast<std::size_t>(size_), 0);
    values_[static_cast<std::size_t>(rank)] = value;
    const std::int64_t round = round_;
    if (++come_ == size_) {
      come_ = 0;
      ++round_;
      gathered_ = values_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round; });
    return gathered_;
  }

  int received(int rank) const { return received_[static_cast<std::size_t>(rank)]; }

 private:
  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
  std::vector<int> received_;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> gathered_;
  int come_ = 0;
  std::int64_t round_ = 0;
};

class ThreadRank : public Communicator {
 public:
  ThreadRank(Post& post, int rank) : post_(post), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return post_.size(); }

  std::vector<std::byte> exchange(int to, std::span<const std::byte> bytes, int from) override {
    if (to >= 0) post_.send(rank_, to, bytes);
    return from >= 0 ? post_.receive(from, rank_) : std::vector<std::byte>{};
  }

  std::int64_t sum_of_all(std::int64_t value) override { return sum(value, post_.size()); }
  std::int64_t sum_before(std::int64_t value) override { return sum(value, rank_); }

 private:
  std::int64_t sum(std::int64_t value, int end) {
    const std::vector<std::int64_t> values = post_.gather(rank_, value);
    std::int64_t sum = 0;
    for (int rank = 0; rank < end; ++rank) sum += values[static_cast<std::size_t>(rank)];
    return sum;
  }

  Post& post_;
  int rank_;
};

/// Runs work(communicator) in a thread for each rank; what each threw.
template <class Work>
std::vector<std::string> run_ranks(Post& post, const Work& work) {
  std::vector<std::string> failures(static_cast<std::size_t>(post.size()));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < post.size(); ++rank)
    threads.emplace_back([&, rank] {
      ThreadRank communicator(post, rank);
      try {
        work(communicator);
      } catch (const Error& error) {
        failures[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

void compare(const RasterProblem& problem, const Wanted& wanted, std::uint64_t seed) {
  Draw draw(seed + 5);
  const int ranks = static_cast<int>(1 + draw.below(8));
  const std::vector<Rows> slabs = draw_slabs(draw, ranks, problem.extents()[0]);
  Answer expected(problem, wanted);
  Context whole({.threads = 2});
  nearest_site(whole, problem.view(), problem.options, expected.views());
  Answer answer(problem, wanted);
  const NearestSiteOutputs out = answer.views();
  Post post(ranks);
  const std::vector<std::string> failures = run_ranks(post, [&](Communicator& communicator) {
    const Rows& rows = slabs[static_cast<std::size_t>(communicator.rank())];
    Context context({.threads = 1});
    nearest_site(communicator, context, rows_of(problem.view(), rows),
                 {problem.extents(), rows.first}, problem.options, rows_of(out, rows));
  });
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  ASSERT_TRUE(answer == expected && answer.is_within_cells())
      << "problem " << seed << ", " << ranks << " ranks: " << describe(problem);
  const bool is_periodic = !problem.options.periodic.empty() && problem.options.periodic[0];
  const auto ring = static_cast<unsigned>(ranks - (is_periodic ? 0 : 1));
  for (int rank = 0; rank < ranks; ++rank)
    EXPECT_LE(post.received(rank), 2 * static_cast<int>(std::bit_width(ring)));
}

TEST(Distributed, EqualsOneCall) {
  const auto with = [](const RasterProblem& problem, const Wanted& wanted, const auto&,
                       std::uint64_t seed) {
    if (problem.options.metric != Metric::chessboard) compare(problem, wanted, seed);
  };
  const testing::AxisRange range{.longest_2d = 120, .longest_3d = 30, .longest_thin = 400};
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed) {
    testing::compare_rasters(seed, range, with);
    testing::compare_boundaries(seed, range, with);
  }
}

TEST(Distributed, AFailureEndsAllRanks) {
  const std::vector<std::int32_t> cells(20, 1);
  const View<const std::int32_t> slab(cells.data(), {4, 5});
  Post post(3);
  const std::vector<std::string> failures = run_ranks(post, [&](Communicator& communicator) {
    Context context;
    NearestSiteOptions options;
    if (communicator.rank() == 1) options.metric = Metric::chessboard;
    nearest_site(communicator, context, slab, {{12, 5}, 4 * communicator.rank()}, options, {});
  });
  EXPECT_NE(failures[1].find("metric = chessboard"), std::string::npos) << failures[1];
  for (const std::size_t rank : {std::size_t{0}, std::size_t{2}})
    EXPECT_NE(failures[rank].find("1 of the other ranks failed"), std::string::npos);
}

TEST(Distributed, SlabsMustBeAllOfTheRaster) {
  const std::vector<std::int32_t> cells(20, 1);
  const View<const std::int32_t> slab(cells.data(), {4, 5});
  const auto first_failure = [&](std::int64_t rows, std::int64_t step) {
    Post post(2);
    return run_ranks(post, [&](Communicator& communicator) {
      Context context;
      nearest_site(communicator, context, slab, {{rows, 5}, step * communicator.rank()}, {}, {});
    });
  };
  EXPECT_NE(first_failure(9, 4)[0].find("have 8 rows or planes"), std::string::npos);
  EXPECT_NE(first_failure(8, 3)[1].find("slab begins at 3; must begin at 4"), std::string::npos);
  EXPECT_EQ(first_failure(8, 4)[0], "");
}

}  // namespace
}  // namespace thiessen
