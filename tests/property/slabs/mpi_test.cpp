// SPDX-License-Identifier: Apache-2.0
//
// Ranks of MPI against one call, bit for bit. mpiexec runs this program; each rank draws the same
// problems, and compares its own rows.
#include "thiessen/mpi.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "support/problems/answer.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/slabs/rows_of.hpp"
#include "support/slabs/slabs_of_ranks.hpp"
#include "thiessen/error.hpp"

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

/// Overwrites all cells of a view.
void wipe(const View<void>& view, std::byte* cells, int axis = 0) {
  const std::int64_t stride = view.stride(axis);
  for (std::int64_t i = 0; i < view.extent(axis); ++i)
    if (axis + 1 < view.rank())
      wipe(view, cells + i * stride, axis + 1);
    else
      std::fill_n(cells + i * stride, size_of(view.element_type()), std::byte{0x5a});
}

template <class AnyView>
void wipe_output(const AnyView& output) {
  if (!output) return;
  const View<void> view(output);
  wipe(view, view.bytes());
}

void wipe(const NearestSiteOutputs& out) {
  wipe_output(out.labels);
  wipe_output(out.site_index);
  wipe_output(out.distance);
  wipe_output(out.squared);
  wipe_output(out.offset);
  wipe_output(out.direction);
}

/// The most faces that a rank may receive.
int most_faces(const MpiCommunicator& ranks, const NearestSiteOptions& options) {
  const bool is_periodic = !options.periodic.empty() && options.periodic[0];
  const auto ring = static_cast<unsigned>(ranks.size() - (is_periodic ? 0 : 1));
  return 2 * static_cast<int>(std::bit_width(ring));
}

void compare(const RasterProblem& problem, const Wanted& wanted, std::uint64_t seed) {
  Draw draw(seed + 5);
  // Small pieces, so that every face goes in many.
  MpiCommunicator ranks(MPI_COMM_WORLD, static_cast<std::size_t>(1 + draw.below(4000)));
  const std::vector<Rows> slabs = draw_slabs(draw, ranks.size(), problem.extents()[0]);
  const Rows own = slabs[static_cast<std::size_t>(ranks.rank())];
  Context context({.threads = 1});
  Answer expected(problem, wanted);
  nearest_site(context, problem.view(), problem.options, expected.views());
  Answer answer(problem, wanted);
  nearest_site(context, problem.view(), problem.options, answer.views());
  const NearestSiteOutputs out = rows_of(answer.views(), own);
  wipe(out);
  nearest_site(ranks, context, rows_of(problem.view(), own), {problem.extents(), own.first},
               problem.options, out);
  EXPECT_TRUE(answer == expected && answer.is_within_cells())
      << "problem " << seed << ", rank " << ranks.rank() << ": " << describe(problem);
  EXPECT_LE(ranks.received().messages, most_faces(ranks, problem.options));
}

TEST(Mpi, EqualsOneCall) {
  const auto with = [](const RasterProblem& problem, const Wanted& wanted, const auto&,
                       std::uint64_t seed) {
    if (problem.options.metric != Metric::chessboard) compare(problem, wanted, seed);
  };
  const testing::AxisRange range{.longest_2d = 120, .longest_3d = 30, .longest_thin = 400};
  for (std::uint64_t seed = 0; seed < problem_count() / 2; ++seed) {
    testing::compare_rasters(seed, range, with);
    testing::compare_boundaries(seed, range, with);
  }
}

/// What nearest_site() of a raster whose ranks hold two rows each makes a rank receive.
MpiCommunicator::Received received_for(const NearestSiteOptions& options, std::int64_t columns) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  const std::vector<std::int32_t> cells(static_cast<std::size_t>(2 * columns), 1);
  const View<const std::int32_t> slab(cells.data(), {2, columns});
  Context context({.threads = 1});
  nearest_site(ranks, context, slab, {{2 * ranks.size(), columns}, 2 * ranks.rank()}, options, {});
  return ranks.received();
}

TEST(Mpi, CountsFacesAndBytes) {
  constexpr std::int64_t kColumns = 50000;
  MpiCommunicator ranks(MPI_COMM_WORLD);
  const auto rounds = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks.size() - 1)));
  int expected = 0;  // in each round from a rank before and one behind, where there are such
  for (int distance = 1; distance < ranks.size(); distance *= 2)
    expected += (ranks.rank() >= distance) + (ranks.rank() + distance < ranks.size());
  const auto plain = received_for({}, kColumns);
  EXPECT_EQ(plain.messages, expected);
  EXPECT_LE(plain.messages, 2 * rounds);
  // A coordinate and a label of 4 bytes each a column, and a few bytes that say how many.
  const auto with_head = [](std::int64_t face) { return face + 200; };
  EXPECT_GE(plain.bytes, expected * 8 * kColumns);
  EXPECT_LE(plain.bytes, expected * with_head(8 * kColumns));
  const auto signed_distance = received_for({.signed_distance = true}, kColumns);
  EXPECT_EQ(signed_distance.messages, expected);
  EXPECT_LE(signed_distance.bytes, expected * with_head(12 * kColumns));
}

TEST(Mpi, TakesMoreRanksThanRows) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  const std::vector<std::uint8_t> cells = {0, 7, 0};
  const bool has_row = ranks.rank() + 1 == ranks.size();
  const View<const std::uint8_t> slab(cells.data(), {has_row ? 1 : 0, 3});
  std::vector<std::uint8_t> labels(3);
  Context context;
  nearest_site(ranks, context, slab, {{1, 3}, 0}, {},
               {.labels = View<std::uint8_t>(labels.data(), {has_row ? 1 : 0, 3})});
  EXPECT_EQ(labels, std::vector<std::uint8_t>(3, has_row ? 7 : 0));
}

TEST(Mpi, ExchangesBytesInPieces) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    MpiCommunicator ranks(MPI_COMM_WORLD, piece);
    const int next = (ranks.rank() + 1) % ranks.size();
    const int last = (ranks.rank() + ranks.size() - 1) % ranks.size();
    // Each rank sends another number of bytes, the first one none.
    const auto bytes_of = [](int rank) {
      return std::vector<std::byte>(static_cast<std::size_t>(rank * 21), std::byte(rank));
    };
    EXPECT_EQ(ranks.exchange(next, bytes_of(ranks.rank()), last), bytes_of(last));
    const bool sends = ranks.rank() == 0;
    const std::vector<std::byte> got = ranks.exchange(sends ? ranks.size() - 1 : -1, bytes_of(3),
                                                      ranks.rank() == ranks.size() - 1 ? 0 : -1);
    EXPECT_EQ(got, ranks.rank() == ranks.size() - 1 ? bytes_of(3) : bytes_of(0));
    EXPECT_TRUE(ranks.exchange(-1, bytes_of(3), -1).empty());
  }
}

TEST(Mpi, Sums) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  std::int64_t before = 0;
  std::int64_t all = 0;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank < ranks.rank()) before += rank + kLarge;
    all += rank + kLarge;
  }
  EXPECT_EQ(ranks.sum_before(ranks.rank() + kLarge), before);
  EXPECT_EQ(ranks.sum_of_all(ranks.rank() + kLarge), all);
}

template <class Call>
std::string failure_of(const Call& call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no failure";
}

TEST(Mpi, FailuresAreErrors) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  const std::string of_mpi =
      failure_of([&] { (void)ranks.exchange(ranks.size(), {}, -1); }, ErrorCode::io);
  EXPECT_TRUE(of_mpi.starts_with("MPI_Sendrecv: ")) << of_mpi;
  EXPECT_NE(of_mpi.find("rank"), std::string::npos) << of_mpi;
  const auto refused = [](MPI_Comm world, std::size_t piece) {
    return failure_of([&] { MpiCommunicator never(world, piece); }, ErrorCode::invalid_argument);
  };
  EXPECT_NE(refused(MPI_COMM_NULL, 1).find("MPI_COMM_NULL"), std::string::npos);
  EXPECT_NE(refused(MPI_COMM_WORLD, 0).find("piece_bytes = 0"), std::string::npos);
  EXPECT_NE(refused(MPI_COMM_WORLD, std::size_t{1} << 31).find("must be 1 to 2147483647"),
            std::string::npos);
}

TEST(Mpi, AFailureEndsAllRanks) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  if (ranks.size() == 1) GTEST_SKIP() << "there is no other rank";
  const std::vector<std::int32_t> cells(20, 1);
  const View<const std::int32_t> slab(cells.data(), {4, 5});
  const bool fails = ranks.rank() == 1;
  const std::string failure = failure_of(
      [&] {
        Context context;
        NearestSiteOptions options;
        if (fails) options.metric = Metric::chessboard;
        nearest_site(ranks, context, slab, {{4 * ranks.size(), 5}, 4 * ranks.rank()}, options, {});
      },
      fails ? ErrorCode::unsupported : ErrorCode::cancelled);
  EXPECT_NE(failure.find(fails ? "metric = chessboard" : "1 of the other ranks failed"),
            std::string::npos)
      << failure;
}

}  // namespace
}  // namespace thiessen

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const std::string early = [] {
    try {
      thiessen::MpiCommunicator never(MPI_COMM_WORLD);
    } catch (const thiessen::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed = RUN_ALL_TESTS();
  if (early.find("MPI is not initialised") == std::string::npos) failed = 1;
  MPI_Finalize();
  return failed;
}
