// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

TEST(DevicesTest, TheCpuIsAlwaysThere) {
  const std::vector<DeviceInfo> all = devices();
  const auto cpu = std::find_if(all.begin(), all.end(),
                                [](const DeviceInfo& device) { return device.name == "cpu"; });
  ASSERT_NE(cpu, all.end());
  EXPECT_TRUE(cpu->available);
  EXPECT_FALSE(cpu->description.empty());
  for (const Method method : {Method::exact, Method::brute_force})
    EXPECT_TRUE(std::any_of(cpu->methods.begin(), cpu->methods.end(), [&](const MethodInfo& each) {
      return each.method == method && each.exact;
    })) << name_of(method);
}

TEST(DevicesTest, UnavailableOnesGiveAReason) {
  for (const DeviceInfo& device : devices()) EXPECT_EQ(device.available, device.reason.empty());
}

TEST(DevicesTest, MethodsAreThoseOfAllDevicesEachOnce) {
  std::set<Method> of_devices;
  for (const DeviceInfo& device : devices())
    for (const MethodInfo& method : device.methods) of_devices.insert(method.method);
  std::set<Method> known;
  for (const MethodInfo& method : methods()) {
    const std::string_view name = name_of(method.method);
    EXPECT_TRUE(known.insert(method.method).second) << name;
    EXPECT_EQ(method.flooding, name.find("jfa") != std::string_view::npos) << name;
  }
  EXPECT_TRUE(std::includes(known.begin(), known.end(), of_devices.begin(), of_devices.end()));
  EXPECT_EQ(known.count(Method::exact), 1U);
}

TEST(DevicesTest, ExactnessMayDependOnTheMetric) {
  for (const MethodInfo& method : methods()) {
    SCOPED_TRACE(name_of(method.method));
    EXPECT_EQ(method.exact, !method.flooding);
    const bool chamfer = method.method == Method::chamfer;
    EXPECT_EQ(method.approximate_metrics,
              chamfer ? std::vector{Metric::octagonal} : std::vector<Metric>{});
    EXPECT_EQ(is_exact(method.method, Metric::euclidean), !method.flooding);
    EXPECT_EQ(is_exact(method.method, Metric::octagonal), !method.flooding && !chamfer);
  }
}

TEST(DevicesTest, MethodsOfOtherDevicesAreRefusedWithAList) {
  std::vector<std::int32_t> cells(4);
  std::vector<std::int32_t> labels(4);
  Context context;
  try {
    nearest_site(context, View<std::int32_t>(cells.data(), {2, 2}), {.method = Method::jfa_thrust},
                 {.labels = View<std::int32_t>(labels.data(), {2, 2})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "method = jfa-thrust; cpu has: exact, brute-force, raster-gpu, chamfer, "
                 "circle-growing, dilation, expansion, jfa, 1+jfa, jfa+1, jfa+2, jfa2, "
                 "jfa-noise, jfa-plus, jfa-star, jfa-coeurjolly, jfa+1-paper, jfa+-paper, "
                 "jfa-star-paper, jfa-star+1-paper");
  }
}

TEST(DevicesTest, NumbersThatAreNoMethodsAreRefused) {
  const std::vector<std::int32_t> cells(4);
  const View<const std::int32_t> sites(cells.data(), {2, 2});
  EXPECT_THROW(nearest_site(sites, {.method = static_cast<Method>(99)}), Error);
  EXPECT_THROW(
      cost_distance(CostMap::stiffness(sites), sites, {.method = static_cast<CostMethod>(99)}),
      Error);
  EXPECT_THROW(cost_distance(CostMap::stiffness(sites), sites,
                             {.connectivity = static_cast<Connectivity>(99)}),
               Error);
}

}  // namespace
}  // namespace thiessen
