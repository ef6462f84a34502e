// SPDX-License-Identifier: Apache-2.0
#include "thiessen/context.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

struct Job {
  explicit Job(std::int64_t size = 300)
      : sites(Raster::of<std::int32_t>({size, size})),
        labels(Raster::of<std::int32_t>({size, size})) {
    Context context;
    random_sites(context, sites.view(), size, 1);
  }
  void run(Context& context, Method method = Method::exact) {
    nearest_site(context, std::as_const(sites).view(), {.method = method},
                 {.labels = labels.view()});
  }

  Raster sites;
  Raster labels;
};

TEST(ContextTest, KnowsDeviceAndThreads) {
  const Context context({.device = "auto", .threads = 2});
  EXPECT_EQ(context.device(), "cpu");
  EXPECT_EQ(context.threads(), 2);
  EXPECT_GE(Context().threads(), 1);
}

TEST(ContextTest, MoreThreadsThanProcessorsWork) {
  ::testing::internal::CaptureStderr();
  Context context({.threads = 2 * Context().threads() + 3});
  Job().run(context);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(ContextTest, RefusesUnknownDevices) {
  EXPECT_THROW(Context({.device = "abacus"}), Error);
  EXPECT_THROW(Context({.device = "cpu:1"}), Error);
  EXPECT_THROW(Context({.device = ""}), Error);
  EXPECT_THROW(Context({.device = "cpu,cpu"}), Error);
  EXPECT_THROW(Context({.device = "cpu:all"}), Error);
  EXPECT_THROW(Context({.device = "cuda:0,cpu"}), Error);
  EXPECT_THROW(Context({.threads = -1}), Error);
  EXPECT_THROW(Context({.threads = 1025}), Error);
}

TEST(ContextTest, RepeatedCallsKeepTheirScratch) {
  Context context({.threads = 2});
  Job job;
  job.run(context);
  const std::size_t bytes = context.scratch_bytes();
  EXPECT_GE(bytes, 300u * 300 * 4);
  job.run(context);
  EXPECT_EQ(context.scratch_bytes(), bytes);
  context.release_scratch();
  EXPECT_EQ(context.scratch_bytes(), 0u);
  job.run(context);
}

TEST(ContextTest, ProgressGrowsToOne) {
  for (const int threads : {1, 2})
    for (const Method method : {Method::exact, Method::brute_force}) {
      Context context({.threads = threads});
      std::vector<double> fractions;
      context.on_progress([&](double fraction) { fractions.push_back(fraction); });
      Job(100).run(context, method);
      ASSERT_FALSE(fractions.empty());
      for (std::size_t i = 1; i < fractions.size(); ++i) EXPECT_GT(fractions[i], fractions[i - 1]);
      EXPECT_EQ(fractions.back(), 1);
    }
}

TEST(ContextTest, CancelEndsTheCallAndOnlyThatOne) {
  for (const int threads : {1, 2}) {
    Context context({.threads = threads});
    Job job;
    context.on_progress([&](double) { context.cancel(); });
    try {
      job.run(context);
      FAIL() << "was not cancelled";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
    context.on_progress({});
    job.run(context);
  }
}

TEST(ContextTest, CancelBeforehandEndsTheNextCall) {
  Context context;
  Job job;
  context.cancel();
  EXPECT_THROW(job.run(context), Error);
  job.run(context);
}

TEST(ContextTest, ACancelThatComesTooLateIsForgotten) {
  Context context;
  Job job;
  context.on_progress([&](double fraction) {
    if (fraction == 1) context.cancel();
  });
  job.run(context);
  context.on_progress({});
  job.run(context);
  std::vector<std::int32_t> none(1);
  nearest_site(context, View<std::int32_t>(none.data(), {0, 5}), {}, {});
}

TEST(ContextTest, ACallAfterACancelledOneIsWhole) {
  Context context({.threads = 2});
  Job job;
  job.run(context);
  const auto* labels = job.labels.view<std::int32_t>().data();
  const std::vector<std::int32_t> whole(labels, labels + 300 * 300);
  context.on_progress([&](double fraction) {
    if (fraction > 0.3) context.cancel();
  });
  EXPECT_THROW(job.run(context), Error);
  context.on_progress({});
  std::fill_n(job.labels.view<std::int32_t>().data(), 300 * 300, -1);
  job.run(context);
  EXPECT_EQ(std::vector<std::int32_t>(labels, labels + 300 * 300), whole);
}

TEST(ContextTest, AlternatingCallsDoNotGrowTheScratch) {
  Context context({.threads = 2});
  Job large(200);
  Job small(60);
  const auto round = [&] {
    for (Job* job : {&large, &small})
      for (const Metric metric : {Metric::euclidean, Metric::chessboard})
        nearest_site(context, std::as_const(job->sites).view(), {.metric = metric},
                     {.labels = job->labels.view()});
  };
  round();
  const std::size_t bytes = context.scratch_bytes();
  for (int i = 0; i < 5; ++i) round();
  EXPECT_EQ(context.scratch_bytes(), bytes);
}

TEST(ContextTest, CancelFromAnotherThread) {
  Context context({.threads = 2});
  Job job(600);
  std::atomic<bool> started{false};
  std::atomic<bool> cancelled{false};
  // The call waits for the other thread, which may be slow to start on a busy machine.
  context.on_progress([&](double) {
    started = true;
    while (!cancelled) std::this_thread::yield();
  });
  std::thread canceller([&] {
    while (!started) std::this_thread::yield();
    context.cancel();
    cancelled = true;
  });
  EXPECT_THROW(job.run(context, Method::brute_force), Error);
  canceller.join();
}

TEST(ContextTest, PhasesNameTheSteps) {
  Context context;
  Job(600).run(context);
  ASSERT_EQ(context.phases().size(), 2u);
  EXPECT_EQ(context.phases()[0].name, "near search");
  EXPECT_EQ(context.phases()[0].detail, "dense 0.0 %, near 0.0 %");
  EXPECT_EQ(context.phases()[1].name, "far search");
  EXPECT_EQ(context.phases()[1].detail, "far 100.0 %");
  EXPECT_GE(context.phases()[0].milliseconds, 0);

  Context plain({.instructions = Instructions::none});
  Job().run(plain);
  ASSERT_EQ(plain.phases().size(), 2u);
  EXPECT_EQ(plain.phases()[0].name, "first axis");
  EXPECT_EQ(plain.phases()[1].name, "rows");
}

TEST(ContextTest, ContextsWorkSideBySide) {
  const auto work = [] {
    Context context({.threads = 2});
    Job job;
    for (int i = 0; i < 5; ++i) job.run(context);
    return std::vector<std::int32_t>(job.labels.view<std::int32_t>().data(),
                                     job.labels.view<std::int32_t>().data() + 300 * 300);
  };
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  std::thread other([&] { first = work(); });
  second = work();
  other.join();
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace thiessen
