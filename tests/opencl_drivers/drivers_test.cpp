// SPDX-License-Identifier: Apache-2.0
//
// Machines without an OpenCL driver, and with broken ones (fake_driver.cpp). A process looks for
// drivers once, so each of these tests runs in its own; ctest sets which drivers there are, and
// this suite is told which. The names of the tests are those ways (THIESSEN_FAKE_DRIVER).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

std::vector<DeviceInfo> opencl_devices() {
  std::vector<DeviceInfo> found;
  for (const DeviceInfo& device : devices())
    if (device.name.starts_with("opencl")) found.push_back(device);
  return found;
}

/// "code: message" of the Error that opening a device throws.
std::string refusal(const std::string& device) {
  try {
    Context context({.device = device});
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
  }
  return "none";
}

std::string coded(ErrorCode code, const std::string& message) {
  return std::to_string(static_cast<int>(code)) + ": " + message;
}

class OpenclDrivers : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const way = std::getenv("THIESSEN_FAKE_DRIVER");
    const char* const own = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    if (way == nullptr || std::string(way) != own) GTEST_SKIP() << "for other drivers";
  }

  /// Checks the one line of `thiessen devices`, and the message when it is opened.
  static void expect_reason(const std::string& name, const std::string& reason) {
    const std::vector<DeviceInfo> found = opencl_devices();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].name, name);
    EXPECT_FALSE(found[0].available);
    EXPECT_EQ(found[0].reason, reason);
  }
};

TEST_F(OpenclDrivers, missing) {
  expect_reason("opencl", "no OpenCL driver is installed");
  for (const char* device : {"opencl", "opencl:0", "opencl:7"})
    EXPECT_EQ(refusal(device),
              coded(ErrorCode::unsupported,
                    "device = " + std::string(device) + "; no OpenCL driver is installed"));
  EXPECT_EQ(Context({.device = "auto"}).device(), "cpu");
}

TEST_F(OpenclDrivers, none) {
  expect_reason("opencl", "Fake: it has no device");
  EXPECT_EQ(refusal("opencl"),
            coded(ErrorCode::unsupported, "device = opencl; Fake: it has no device"));
}

TEST_F(OpenclDrivers, fails) {
  const std::string reason = "Fake: clGetDeviceIDs: CL_OUT_OF_RESOURCES (-5)";
  expect_reason("opencl", reason);
  EXPECT_EQ(refusal("opencl:0"), coded(ErrorCode::unsupported, "device = opencl:0; " + reason));
}

TEST_F(OpenclDrivers, old) {
  const std::string reason = "OpenCL 1.2 fake; at least OpenCL 2.0 is needed";
  expect_reason("opencl:0", reason);
  EXPECT_EQ(refusal("opencl:0"), coded(ErrorCode::unsupported, "device = opencl:0; " + reason));
  EXPECT_EQ(refusal("opencl"),
            coded(ErrorCode::unsupported, "device = opencl; opencl:0: " + reason));
  EXPECT_EQ(refusal("opencl:1"), coded(ErrorCode::invalid_argument,
                                       "device = opencl:1; the opencl backend has opencl:0"));
}

TEST_F(OpenclDrivers, no_compiler) { expect_reason("opencl:0", "its driver has no compiler"); }

TEST_F(OpenclDrivers, mute) {
  expect_reason("opencl:0", "clGetDeviceInfo: CL_OUT_OF_HOST_MEMORY (-6)");
}

TEST_F(OpenclDrivers, lost) {
  const std::vector<DeviceInfo> found = opencl_devices();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].available) << found[0].reason;
  EXPECT_EQ(found[0].description.substr(0, 20), "broken, 1 MiB, Fake,");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(refusal("opencl"),
              coded(ErrorCode::device_failed,
                    "opencl: context: clCreateContext: CL_DEVICE_NOT_AVAILABLE (-2)"));
}

}  // namespace
}  // namespace thiessen
