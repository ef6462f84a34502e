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
  for (const char* name : {"exact", "brute-force"})
    EXPECT_TRUE(
        std::any_of(cpu->methods.begin(), cpu->methods.end(),
                    [&](const MethodInfo& method) { return method.name == name && method.exact; }))
        << name;
}

TEST(DevicesTest, UnavailableOnesGiveAReason) {
  for (const DeviceInfo& device : devices()) EXPECT_EQ(device.available, device.reason.empty());
}

TEST(DevicesTest, MethodsAreThoseOfAllDevicesEachOnce) {
  std::set<std::string> of_devices;
  for (const DeviceInfo& device : devices())
    for (const MethodInfo& method : device.methods) of_devices.insert(method.name);
  std::set<std::string> names;
  for (const MethodInfo& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_EQ(method.flooding, method.name.find("jfa") != std::string::npos) << method.name;
  }
  EXPECT_TRUE(std::includes(names.begin(), names.end(), of_devices.begin(), of_devices.end()));
  EXPECT_EQ(names.count("exact"), 1U);
}

TEST(DevicesTest, UnknownMethodsAreRefusedWithAList) {
  std::vector<std::int32_t> cells(4);
  std::vector<std::int32_t> labels(4);
  Context context;
  try {
    nearest_site(context, View<std::int32_t>(cells.data(), {2, 2}), {.method = "guess"},
                 {.labels = View<std::int32_t>(labels.data(), {2, 2})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "method = guess; cpu has: exact, brute-force, raster-gpu, chamfer, "
                 "circle-growing, dilation, expansion, jfa, 1+jfa, jfa+1, jfa+2, jfa2, "
                 "jfa-noise, jfa-plus, jfa-star");
  }
}

}  // namespace
}  // namespace thiessen
