// SPDX-License-Identifier: Apache-2.0
//
// Compares every case, by every exact method of every device, with the oracle, bit for bit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

#include "backend/backend.hpp"
#include "cases/cases.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "oracle/oracle.hpp"
#include "support/results.hpp"
#include "support/support_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Expected;
using testing::GuardedArray;
using testing::Layout;
using testing::Outputs;

/// One way of computing. devices() also lists those of later backends and methods.
struct Way {
  std::string device;
  Method method;
  int threads;
  std::string instructions;
  std::optional<Allotment> allotment = std::nullopt;
};

/// Whether a method uses more than one thread of the host.
bool uses_threads(const std::string& device, Method method) {
  return device == "cpu" || (device.starts_with("opencl") && method == Method::exact);
}

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const DeviceInfo& device : devices())
    for (const MethodInfo& method : device.methods)
      if (device.available && method.exact)
        for (const int threads : {1, 2})
          if (threads == 1 || uses_threads(device.name, method.method))
            ways.push_back({device.name, method.method, threads, "auto"});
  for (const DeviceInfo& device : devices())
    if (device.available && device.name != "cpu")
      ways.push_back({device.name, Method::brute_force, 1, "auto", Allotment::contiguous});
  for (const DeviceInfo& device : devices())
    if (device.available && device.name == "cuda:0")  // as a list: a slab for each
      ways.push_back({"cuda:0,cuda:0", Method::exact, 1, "auto"});
  for (const std::string_view name : cpu::instruction_set_names())
    ways.push_back({"cpu", Method::exact, 2, std::string(name)});
  return ways;
}

void check(const cases::Case& item, const Way& way, Layout layout, const Raster& sites,
           const Expected& expected) {
  if (!is_exact(way.method, item.options.metric)) return;
  SCOPED_TRACE(way.device + " " + std::string(name_of(way.method)) + ", threads " +
               std::to_string(way.threads) + ", instructions " + way.instructions + ", layout " +
               std::to_string(static_cast<int>(layout)));
  GuardedArray input(item.type, item.extents, layout);
  input.assign(sites.bytes());
  Outputs outputs(item, layout);
  Context context({.device = way.device,
                   .threads = way.threads,
                   .instructions = find_instructions(way.instructions)});
  NearestSiteOptions options = item.options;
  options.method = way.method;
  options.raster.allotment = way.allotment;
  const NearestSiteOutputs out = testing::views(item, outputs, false);
  const Problem problem = make_problem(input.view(), options, out);
  const MethodEntry& method = find_method(*find_backend(way.device), way.method);
  if (const Support support = method.supports(context.state(), problem); !support) {
    EXPECT_TRUE(testing::is_pinned_refusal(way.device, item.extents.rank(), options, out))
        << support.reason;
    EXPECT_THROW(nearest_site(context, input.view(), options, out), Error);
    return;
  }
  nearest_site(context, input.view(), options, out);
  testing::compare("distance (f32)", outputs.distance32, expected.distance32);
  nearest_site(context, input.view(), options, testing::views(item, outputs, true));
  testing::compare("distance (f64)", outputs.distance64, expected.distance64);
  testing::compare("labels", outputs.labels, expected.labels);
  testing::compare("site_index", outputs.site_index, expected.site_index);
  testing::compare("offset", outputs.offset, expected.offset);
  if (testing::has_squared(item)) testing::compare("squared", outputs.squared, expected.squared);
  if (item.extents.rank() == 2)
    testing::compare("direction", outputs.direction, expected.direction);
  EXPECT_TRUE(input.intact());
}

class NearestSite : public ::testing::TestWithParam<cases::Case> {};

TEST_P(NearestSite, EqualsTheOracle) {
  const cases::Case& item = GetParam();
  const Raster sites = cases::make_sites(item);
  Outputs outputs(item, Layout::contiguous);
  const Problem problem =
      make_problem(sites.view(), item.options, testing::views(item, outputs, false));
  const Expected expected =
      testing::expect(item, problem, sites, oracle::nearest_site(problem, sites.view()));
  for (const Way& way : all_ways())
    for (const Layout layout : {Layout::contiguous, Layout::padded, Layout::reversed})
      check(item, way, layout, sites, expected);
}

INSTANTIATE_TEST_SUITE_P(Small, NearestSite, ::testing::ValuesIn(cases::small_cases()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

std::vector<std::int64_t> site_indices(Context& context, const Raster& sites,
                                       const NearestSiteOptions& options) {
  const Extents extents = sites.view().extents();
  std::vector<std::int64_t> index(static_cast<std::size_t>(extents.count()));
  nearest_site(context, sites.view(), options,
               {.site_index = View<std::int64_t>(index.data(), extents)});
  return index;
}

/// Tests both sides of its threshold, with more sites than one group of keys has.
TEST(RasterGpu, ThresholdDoesNotChangeResults) {
  constexpr std::int64_t kSites = 600;
  Raster sites = Raster::of<std::int32_t>({97, 301});
  Context cpu({.device = "cpu"});
  random_sites(cpu, sites.view(), kSites, 5);
  for (const Metric metric :
       {Metric::euclidean, Metric::manhattan, Metric::chessboard, Metric::octagonal}) {
    const auto truth = site_indices(cpu, sites, {.method = Method::brute_force, .metric = metric});
    for (const DeviceInfo& device : devices()) {
      if (!device.available) continue;
      Context context({.device = device.name});
      for (const std::int64_t most : {std::int64_t{0}, kSites - 1, kSites, 10 * kSites}) {
        NearestSiteOptions options{.method = Method::raster_gpu, .metric = metric};
        options.raster.scan_sites = most;
        EXPECT_EQ(site_indices(context, sites, options), truth)
            << device.name << ", " << name_of(metric) << ", scan_sites " << most;
      }
    }
  }
}

/// With more cells than a device has threads.
TEST(BruteForce, DoesNotDependOnTheAllotment) {
  Raster sites = Raster::of<std::int32_t>({311, 403});
  Context cpu({.device = "cpu"});
  random_sites(cpu, sites.view(), 20, 5);
  for (const Metric metric : {Metric::euclidean, Metric::octagonal}) {
    const auto truth = site_indices(cpu, sites, {.method = Method::brute_force, .metric = metric});
    for (const DeviceInfo& device : devices()) {
      if (!device.available || device.name == "cpu") continue;
      Context context({.device = device.name});
      for (const Allotment allotment : {Allotment::cyclic, Allotment::contiguous}) {
        NearestSiteOptions options{.method = Method::brute_force, .metric = metric};
        options.raster.allotment = allotment;
        EXPECT_EQ(site_indices(context, sites, options), truth)
            << device.name << ", " << name_of(metric) << ", " << name_of(allotment);
      }
    }
  }
}

/// The names of the cases say what they are for; this test checks it.
TEST(Cases, WideOnesAreWideAndRoundedOnesRounded) {
  for (const cases::Case& item : cases::small_cases()) {
    const Raster sites = cases::make_sites(item);
    const Problem problem = make_problem(sites.view(), item.options, {});
    const bool named_wide = item.name.find("wide") != std::string::npos;
    const bool named_rounded = item.name.find("rounded") != std::string::npos;
    EXPECT_TRUE(problem.wide || !named_wide) << item.name;
    EXPECT_TRUE(problem.weights.approximated || !named_rounded ||
                item.options.metric != Metric::euclidean)
        << item.name;
  }
}

/// THIESSEN_REQUIRE_DEVICES=cpu,opencl turns a missing device into a failure.
TEST(Devices, RequiredOnesAreThere) {
  const char* required = std::getenv("THIESSEN_REQUIRE_DEVICES");
  std::istringstream names(required != nullptr ? required : "cpu");
  for (std::string name; std::getline(names, name, ',');) {
    bool found = false;
    for (const DeviceInfo& device : devices())
      found |= device.available && device.name.substr(0, device.name.find(':')) == name;
    EXPECT_TRUE(found) << name;
  }
}

TEST(Devices, TheOneAskedForIsTheOneInUse) {
  for (const DeviceInfo& device : devices())
    if (device.available) {
      EXPECT_EQ(Context({.device = device.name}).device(), device.name);
    }
}

}  // namespace
}  // namespace thiessen
