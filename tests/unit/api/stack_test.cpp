// SPDX-License-Identifier: Apache-2.0
//
// Callers with little stack, as threads of musl have by default, and as some programs choose.
#include "threads/stack.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// Runs `work` on a thread whose stack has so many bytes; an exception is a failure of the test.
void run_with_stack(std::size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  const auto run = [](void* given) -> void* {
    try {
      (*static_cast<const std::function<void()>*>(given))();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    return nullptr;
  };
  pthread_t thread{};
  const int failure =
      pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work));
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(failure, 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
}

struct Labels {
  std::vector<std::int32_t> labels;
  std::vector<float> distance;
  bool operator==(const Labels&) const = default;
};

/// Sites here and there on a raster; every stage of `exact` does a part of it.
std::vector<std::int32_t> make_sites(const Extents& extents) {
  std::vector<std::int32_t> sites(static_cast<std::size_t>(extents.count()));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const bool dense = i < sites.size() / 8;
    if (i % (dense ? 9 : 1021) == 0) sites[i] = static_cast<std::int32_t>(i + 1);
  }
  return sites;
}

Labels nearest(const Extents& extents, const NearestSiteOptions& options,
               const std::string& device) {
  const std::vector<std::int32_t> sites = make_sites(extents);
  Labels found{std::vector<std::int32_t>(sites.size()), std::vector<float>(sites.size())};
  Context context({.device = device, .threads = 1});
  nearest_site(context, View<const std::int32_t>(sites.data(), extents), options,
               {.labels = View<std::int32_t>(found.labels.data(), extents),
                .distance = View<float>(found.distance.data(), extents)});
  return found;
}

Labels costs(const Extents& extents, CostMethod method) {
  const std::vector<std::int32_t> sites = make_sites(extents);
  const std::vector<float> map(sites.size(), 1);
  Labels found{std::vector<std::int32_t>(sites.size()), std::vector<float>(sites.size())};
  Context context({.device = "cpu", .threads = 1});
  CostDistanceOptions options;
  options.method = method;
  cost_distance(context, CostMap::stiffness(View<const float>(map.data(), extents)),
                View<const std::int32_t>(sites.data(), extents), options,
                {.labels = View<std::int32_t>(found.labels.data(), extents),
                 .distance = View<float>(found.distance.data(), extents)});
  return found;
}

const std::vector<std::size_t> kSmallStacks{64 << 10, 128 << 10, 256 << 10};

TEST(StackTest, KnowsWhetherThereIsEnough) {
  EXPECT_TRUE(has_stack());
#ifndef _WIN32  // which gives threads no less than the program's header says
  for (const std::size_t bytes : kSmallStacks)
    run_with_stack(bytes, [] { EXPECT_FALSE(has_stack()); });
#endif
  run_with_stack(4 * kStackBytes, [] { EXPECT_TRUE(has_stack()); });
}

TEST(StackTest, WhatIsThrownElsewhereIsThrownHere) {
  run_with_stack(128 << 10, [] {
    bool had_stack = false;
    with_stack([&] { had_stack = has_stack(); });
    EXPECT_TRUE(had_stack);
    EXPECT_THROW(with_stack([] { throw std::domain_error("there"); }), std::domain_error);
  });
}

TEST(StackTest, LittleStackIsEnoughForEveryMethod) {
  for (const Extents& extents : {Extents{200, 300}, Extents{40, 50, 60}})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
      for (const Method method : {Method::exact, Method::brute_force, Method::raster_gpu,
                                  Method::jfa, Method::jfa_plus}) {
        SCOPED_TRACE(std::string(name_of(method)) + ", metric " + std::string(name_of(metric)) +
                     ", rank " + std::to_string(extents.rank()));
        const NearestSiteOptions options{.method = method, .metric = metric};
        const Labels expected = nearest(extents, options, "cpu");
        for (const std::size_t bytes : kSmallStacks)
          run_with_stack(bytes,
                         [&] { EXPECT_EQ(nearest(extents, options, "cpu"), expected) << bytes; });
      }
}

TEST(StackTest, LittleStackIsEnoughForCosts) {
  for (const Extents& extents : {Extents{200, 300}, Extents{20, 30, 40}})
    for (const CostMethod method :
         {CostMethod::exact, CostMethod::dijkstra, CostMethod::relaxation}) {
      const Labels expected = costs(extents, method);
      run_with_stack(64 << 10,
                     [&] { EXPECT_EQ(costs(extents, method), expected) << name_of(method); });
    }
}

constexpr bool is_address_sanitized() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return false;
}

/// Drivers of OpenCL compile on the stack of the caller.
TEST(StackTest, LittleStackIsEnoughForDrivers) {
  if (is_address_sanitized()) GTEST_SKIP() << "AddressSanitizer's frames need more stack";
  run_with_stack(64 << 10, [] {
    for (const DeviceInfo& device : devices())
      if (device.available) {
        const NearestSiteOptions options{.method = Method::brute_force,
                                         .metric = Metric::chessboard};
        EXPECT_EQ(nearest({30, 31, 32}, options, device.name),
                  nearest({30, 31, 32}, options, "cpu"))
            << device.name;
      }
  });
}

/// A call moves to another thread, and so does what is nested in it.
TEST(StackTest, CallsMayNest) {
  std::vector<std::int32_t> labels(12 * 15);
  const Extents extents{12, 15};
  const std::vector<std::int32_t> sites = make_sites(extents);
  int inner = 0;
  run_with_stack(kSmallStacks[0], [&] {
    Context context({.device = "cpu", .threads = 2});
    const View<const std::int32_t> raster(sites.data(), extents);
    const View<std::int32_t> out(labels.data(), extents);
    NearestSiteOptions options{.method = Method::jfa};
    options.flooding.on_pass = [&](const FloodingPass&) {
      nearest_site(context, raster, {}, {.labels = out});
      ++inner;
    };
    nearest_site(context, raster, options, {.labels = out});
  });
  EXPECT_GT(inner, 2);
}

}  // namespace
}  // namespace thiessen
