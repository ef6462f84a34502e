// SPDX-License-Identifier: Apache-2.0
#include "thiessen/context.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/context_state.hpp"
#include "thiessen/thiessen.h"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kInUse =
    "context is in use by another call; must have one at a time, so that each thread needs a "
    "context of its own";

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

TEST(ContextTest, TheReportOfOneComesLastAndOnce) {
  for (const Method method : {Method::exact, Method::brute_force, Method::jfa}) {
    Context context({.threads = 2});
    std::vector<double> fractions;
    context.on_progress([&](double fraction) { fractions.push_back(fraction); });
    Job job(100);
    for (int i = 0; i < 2; ++i) {
      fractions.clear();
      job.run(context, method);
      EXPECT_EQ(std::count(fractions.begin(), fractions.end(), 1.0), 1);
      EXPECT_EQ(fractions.back(), 1);
    }
  }
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

/// A call that lasts until others have tried to use its context.
class BusyContext {
 public:
  BusyContext() {
    context_.on_progress([this](double) {
      is_running_ = true;
      while (!may_end_) std::this_thread::yield();
    });
    call_ = std::thread([this] { error_ = error_of([this] { job_.run(context_); }); });
    while (!is_running_) std::this_thread::yield();
  }
  BusyContext(const BusyContext&) = delete;
  BusyContext& operator=(const BusyContext&) = delete;
  ~BusyContext() {
    may_end_ = true;
    call_.join();
    EXPECT_EQ(error_, "no error");
  }

  Context& context() { return context_; }
  Job& job() { return job_; }

 private:
  Context context_{{.threads = 2}};
  Job job_;
  std::atomic<bool> is_running_{false};
  std::atomic<bool> may_end_{false};
  std::string error_;
  std::thread call_;
};

TEST(ContextInTwoThreads, RefusesTheSecond) {
  BusyContext busy;
  Context& context = busy.context();
  EXPECT_EQ(error_of([&] { Job(20).run(context); }), kInUse);
  EXPECT_EQ(error_of([&] { context.synchronize(); }), kInUse);
  EXPECT_EQ(error_of([&] { context.release_scratch(); }), kInUse);
  EXPECT_EQ(error_of([&] { context.on_progress({}); }), kInUse);
  Array<std::uint8_t> pixels({30, 30, 3});
  EXPECT_EQ(error_of([&] {
              render(context, {.labels = std::as_const(busy.job().sites).view()}, {},
                     pixels.view());
            }),
            kInUse);
  EXPECT_EQ(
      error_of([&] { NearestSiteSolver(context, std::as_const(busy.job().sites).view(), {}, {}); }),
      kInUse);
}

/// Each call of each thread has its whole answer, or the error; whoever is first goes on.
TEST(ContextInTwoThreads, NeverCrashes) {
  Context context({.threads = 2});
  std::atomic<int> done{0};
  const auto work = [&] {
    for (int i = 0; i < 30; ++i) {
      Job job(90);
      const std::string error = error_of([&] { job.run(context); });
      if (error == "no error")
        ++done;
      else
        EXPECT_EQ(error, kInUse);
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_GE(done, 1);
}

/// A solver uses its context in every call, whatever thread makes it.
TEST(ContextInTwoThreads, RefusesCallsOfASolver) {
  Context context({.threads = 1});
  const Extents extents{40, 50};
  std::vector<float> map(2000, 1);
  std::vector<std::int32_t> sites(2000), labels(2000);
  sites[7] = 3;
  const View<const std::int32_t> raster(sites.data(), extents);
  const View<std::int32_t> out(labels.data(), extents);
  CostSolver costs(context, CostMap::stiffness(View<const float>(map.data(), extents)), raster, {},
                   {.labels = out});
  NearestSiteSolver nearest(context, raster, {}, {.labels = out});
  std::vector<std::string> errors;
  const auto use = [&] {
    const std::array<std::int64_t, 1> from{7}, to{8};
    for (const std::function<void()>& call : std::vector<std::function<void()>>{
             [&] { costs.solve(); }, [&] { costs.move_sites(from, to); }, [&] { costs.changes(); },
             [&] { costs.enqueue(); }, [&] { costs.changed_cells(); }, [&] { nearest.solve(); },
             [&] { nearest.move_sites(from, to); }, [&] { nearest.changes(); },
             [&] { nearest.enqueue(); }, [&] { nearest.changed_cells(); },
             [&] { nearest.has_site(7); }})
      errors.push_back(error_of(call));
  };
  bool is_first = true;
  context.on_progress([&](double) {
    if (!is_first) return;
    is_first = false;
    std::thread(use).join();
  });
  Job(60).run(context);
  EXPECT_EQ(errors, std::vector<std::string>(11, kInUse));
  context.on_progress({});
  costs.solve();
  nearest.solve();
}

/// By C, where the error has a code.
TEST(ContextInTwoThreads, RefusesTheSecondInC) {
  thiessen_context* context = nullptr;
  ASSERT_EQ(thiessen_context_new(nullptr, 0, nullptr, &context), THIESSEN_OK);
  thiessen_call* calls[2] = {};
  for (thiessen_call*& call : calls) {
    const std::int64_t extents[] = {2, 2};
    ASSERT_EQ(thiessen_call_new("random_sites", &call), THIESSEN_OK);
    EXPECT_EQ(thiessen_set_integers(call, "shape", extents, 2), THIESSEN_OK);
    EXPECT_EQ(thiessen_want(call, "sites"), THIESSEN_OK);
  }
  struct State {
    thiessen_context* context;
    thiessen_call* call;
    thiessen_status other;
    thiessen_status own;
  } state{context, calls[1], THIESSEN_OK, THIESSEN_INVALID_ARGUMENT};
  const thiessen_progress use = [](double fraction, void* user) {
    if (fraction < 1) return 0;
    State& given = *static_cast<State*>(user);
    std::thread([&] { given.other = thiessen_run(given.context, given.call); }).join();
    given.own = thiessen_context_synchronize(given.context);
    return 0;
  };
  ASSERT_EQ(thiessen_context_on_progress(context, use, &state), THIESSEN_OK);
  EXPECT_EQ(thiessen_run(context, calls[0]), THIESSEN_OK);
  EXPECT_EQ(state.other, THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(state.own, THIESSEN_OK);
  for (thiessen_call* const call : calls) thiessen_call_free(call);
  thiessen_context_free(context);
}

/// A callback may make calls on the context of its call, through another one, too.
TEST(NestedCalls, ArePartsOfTheirCall) {
  Context context({.threads = 2});
  Context other({.threads = 1});
  Job outer(60);
  Job inner(20);
  int calls = 0;
  NearestSiteOptions through{.method = Method::jfa};
  through.flooding.on_pass = [&](const FloodingPass&) {
    inner.run(context);
    ++calls;
  };
  NearestSiteOptions options{.method = Method::jfa};
  options.flooding.on_pass = [&](const FloodingPass&) {
    inner.run(context);
    nearest_site(other, std::as_const(inner.sites).view(), through,
                 {.labels = inner.labels.view()});
  };
  nearest_site(context, std::as_const(outer.sites).view(), options,
               {.labels = outer.labels.view()});
  EXPECT_GT(calls, 4);
  Job plain(60);
  plain.run(other, Method::jfa);
  EXPECT_TRUE(std::equal(outer.labels.bytes(), outer.labels.bytes() + outer.labels.size_bytes(),
                         plain.labels.bytes()));
}

/// Reports come from any thread that works for the call.
TEST(NestedCalls, MayComeFromAThreadOfTheCall) {
  Context context({.threads = 4});
  Job outer;
  Job inner(20);
  std::string error = "no call";
  bool is_running = false;
  context.on_progress([&](double) {
    if (is_running) return;
    is_running = true;
    error = error_of([&] { inner.run(context, Method::brute_force); });
    is_running = false;
  });
  outer.run(context, Method::brute_force);
  EXPECT_EQ(error, "no error");
}

/// What a call needs cannot be taken away from within.
TEST(NestedCalls, CannotReplaceWhatTheirCallUses) {
  Context context({.threads = 1});
  std::vector<std::string> errors;
  context.on_progress([&](double) {
    errors = {error_of([&] { context.on_progress({}); }),
              error_of([&] { context.release_scratch(); })};
  });
  Job().run(context);
  EXPECT_EQ(errors, std::vector<std::string>(2, kInUse));
}

/// TBB keeps the memory of a pool for long, so a program that makes contexts and drops them has one
/// pool for all of them.
TEST(ContextThreads, AreThoseOfAnEarlierContext) {
  constexpr int kThreads = 5;
  Context first({.threads = kThreads});
  const void* const own = first.state().pool.get();
  std::vector<const void*> later;
  {
    const Context second({.threads = kThreads});
    later.push_back(const_cast<Context&>(second).state().pool.get());
    EXPECT_NE(later[0], own) << "two contexts may compute at the same time";
  }
  for (int i = 0; i < 3; ++i) {
    Context next({.threads = kThreads});
    Job(40).run(next);
    later.push_back(next.state().pool.get());
  }
  EXPECT_EQ(later, std::vector<const void*>(4, later[0]));
}

}  // namespace
}  // namespace thiessen
