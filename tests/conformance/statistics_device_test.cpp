// SPDX-License-Identifier: Apache-2.0
//
// Statistics of labels in memory of a CUDA device, compared with the CPU's for the same labels on
// the host, bit for bit.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

bool has_device() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

Context& cpu() {
  static Context context({.device = "cpu"});
  return context;
}
Context& gpu() {
  static Context context({.device = "cuda"});
  return context;
}

/// A copy of labels on the device.
template <class T>
class OnDevice {
 public:
  OnDevice(const std::vector<T>& labels, const Extents& extents) {
    cuda(cudaMalloc(&memory_, labels.size() * sizeof(T) + 1));
    cuda(cudaMemcpy(memory_, labels.data(), labels.size() * sizeof(T), cudaMemcpyHostToDevice));
    view_ = View<const void>(memory_, View<T>(nullptr, extents).element_type(), extents,
                             MemorySpace::cuda);
  }
  ~OnDevice() { cudaFree(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  const View<const void>& view() const { return view_; }
  /// The same memory with rows and columns, or planes, changed.
  static View<const void> transposed(const View<const void>& view) {
    std::vector<std::int64_t> sizes;
    auto strides = view.strides();
    const int rank = view.rank();
    for (int axis = 0; axis < rank; ++axis) {
      sizes.push_back(view.extent(rank - 1 - axis));
      strides[static_cast<std::size_t>(axis)] = view.stride(rank - 1 - axis);
    }
    return {view.bytes(), view.element_type(), Extents(sizes), strides, view.space()};
  }

 private:
  void* memory_ = nullptr;
  View<const void> view_;
};

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0) << what;
}

void expect_same_labels(const Raster& a, const Raster& b) {
  ASSERT_EQ(a.extents(), b.extents());
  EXPECT_EQ(a.element_type(), b.element_type());
  if (a.size_bytes() == 0) return;
  EXPECT_EQ(std::memcmp(a.bytes(), b.bytes(), a.size_bytes()), 0);
}

void expect_same(const SiteStatistics& a, const SiteStatistics& b) {
  expect_same_labels(a.labels, b.labels);
  expect_same_bits(a.cells, b.cells, "cells");
  expect_same_bits(a.volume, b.volume, "volume");
  expect_same_bits(a.centroid, b.centroid, "centroid");
  expect_same_bits(a.second_moments, b.second_moments, "second_moments");
  expect_same_bits(a.first, b.first, "first");
  expect_same_bits(a.last, b.last, "last");
}

void expect_same(const Adjacency& a, const Adjacency& b) {
  expect_same_labels(a.a, b.a);
  expect_same_labels(a.b, b.b);
  expect_same_bits(a.contacts, b.contacts, "contacts");
  expect_same_bits(a.boundary, b.boundary, "boundary");
}

void expect_same_as_cpu(const View<const void>& host, const View<const void>& device,
                        const SiteStatisticsOptions& options) {
  expect_same(site_statistics(gpu(), device, {}, options),
              site_statistics(cpu(), host, {}, options));
  AdjacencyOptions pairs{
      .spacing = options.spacing, .background = options.background, .nodata = options.nodata};
  for (const Connectivity connectivity :
       {Connectivity::faces, Connectivity::edges, Connectivity::corners}) {
    if (neighbours_of(connectivity, host.rank()) == 0) continue;
    pairs.connectivity = connectivity;
    expect_same(adjacency(gpu(), device, pairs), adjacency(cpu(), host, pairs));
  }
}

template <class T>
void expect_same_as_cpu(std::uint64_t seed) {
  Draw draw(seed);
  const Extents extents = draw.once_in(2)
                              ? Extents{1 + draw.below(40), 1 + draw.below(200)}
                              : Extents{1 + draw.below(6), 1 + draw.below(9), 1 + draw.below(70)};
  // The last label that is its own place in a table of the device, and the first that is not.
  std::vector<T> palette = {T{0}, static_cast<T>(0xFFFF), static_cast<T>(0x10000)};
  for (int i = 0; i < 19; ++i)
    palette.push_back(
        static_cast<T>(draw.once_in(2) ? draw.below(9) : draw.below(std::int64_t{1} << 40) - 1000));
  const std::int64_t run = 1 + draw.below(40);
  const auto width = static_cast<std::size_t>(extents[extents.rank() - 1]);
  std::vector<T> labels;
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    labels.push_back(at > 0 && !draw.once_in(run) ? labels.back()
                     : at >= width && draw.once_in(2)
                         ? labels[at - width]
                         : palette[static_cast<std::size_t>(draw.below(22))]);
    if constexpr (std::is_floating_point_v<T>)
      if (draw.once_in(50))
        labels.back() = draw.once_in(2) ? std::numeric_limits<T>::quiet_NaN() : -T{0};
  }
  SiteStatisticsOptions options;
  for (int axis = 0; axis < extents.rank(); ++axis) options.spacing.push_back(1 + draw.real());
  if (draw.once_in(2)) options.background.reset();
  if (draw.once_in(2)) options.nodata = std::int64_t{3};
  const OnDevice<T> device(labels, extents);
  const View<const void> host = View<T>(labels.data(), extents);
  expect_same_as_cpu(host, device.view(), options);
  expect_same_as_cpu(OnDevice<T>::transposed(host), OnDevice<T>::transposed(device.view()),
                     options);
}

TEST(StatisticsOnDevice, AreThoseOfTheCpu) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_as_cpu<std::uint8_t>(seed);
    expect_same_as_cpu<std::int16_t>(seed);
    expect_same_as_cpu<std::int32_t>(seed);
    expect_same_as_cpu<std::uint64_t>(seed);
    expect_same_as_cpu<float>(seed);
    expect_same_as_cpu<double>(seed);
  }
}

/// More labels than the first table has places for, in one raster with places of their own in the
/// next, in another without; more rows than come to the host at once; sums of 128 bits.
TEST(StatisticsOnDevice, TablesGrow) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  std::vector<std::int32_t> labels(40000);
  const auto expect_same_by = [&](std::int32_t factor, const Extents& extents) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = (static_cast<std::int32_t>(i) - 70) * factor;
    const OnDevice<std::int32_t> device(labels, extents);
    expect_same_as_cpu(View<std::int32_t>(labels.data(), extents), device.view(), {});
  };
  expect_same_by(11, {200, 200});
  expect_same_by(50021, {20, 20, 100});
  std::vector<std::int32_t> two = {5, 5, 7};
  auto strides = View<const void>::c_strides(ElementType::i32, {3, 1 << 21});
  strides[0] = 4;
  strides[1] = 0;
  const OnDevice<std::int32_t> column(two, {3, 1});
  const Extents wide{3, 1 << 21};
  expect_same(
      site_statistics(gpu(),
                      View<const void>(column.view().bytes(), ElementType::i32, wide, strides,
                                       MemorySpace::cuda),
                      {}),
      site_statistics(cpu(), View<const void>(two.data(), ElementType::i32, wide, strides), {}));
}

TEST(StatisticsOnDevice, BooleansAndNothing) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  std::vector<std::uint8_t> bytes = {0, 1, 2, 0, 255, 1};
  const OnDevice<std::uint8_t> device(bytes, {2, 3});
  const View<const void> host(bytes.data(), ElementType::boolean, {2, 3});
  const View<const void> booleans(device.view().bytes(), ElementType::boolean, {2, 3},
                                  MemorySpace::cuda);
  expect_same_as_cpu(host, booleans, {});
  expect_same_as_cpu(host, booleans, {.background = std::nullopt});
  const View<const void> none(device.view().bytes(), ElementType::u8, {0, 3}, MemorySpace::cuda);
  EXPECT_TRUE(site_statistics(gpu(), none, {}).cells.empty());
  EXPECT_TRUE(adjacency(gpu(), none).contacts.empty());
}

TEST(StatisticsOnDevice, LabelsOnTheHostAreDoneByTheCpu) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  std::vector<std::int32_t> labels = {1, 1, 2, 2, 1, 2};
  std::vector<float> field(6, 0.5f);
  const View<std::int32_t> view(labels.data(), {2, 3});
  const View<float> summed(field.data(), {2, 3});
  EXPECT_EQ(site_statistics(gpu(), view, {.field = summed}).mass, (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(adjacency(gpu(), view).contacts, (std::vector<std::int64_t>{4}));
  const OnDevice<std::int32_t> device(labels, {2, 3});
  const auto refusal = [&](const SiteFields& fields) {
    try {
      site_statistics(gpu(), device.view(), fields);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal({.field = summed}),
            "field lies elsewhere than the labels; must be in the same memory");
  EXPECT_EQ(refusal({.field = device.view()}),
            "field is given; labels in memory of a CUDA device are counted without");
}

}  // namespace
}  // namespace thiessen
