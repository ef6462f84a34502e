// SPDX-License-Identifier: Apache-2.0
//
// Views in memory of a CUDA device, the caller's stream, faults found on the device, graphs and
// batches: all compared with the CPU's results for the same cells on the host, bit for bit.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include "cases/cases.hpp"
#include "support/draw.hpp"
#include "support/guarded_array.hpp"
#include "support/message_of.hpp"
#include "support/support_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::GuardedArray;
using testing::Layout;

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

bool has_device() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

#define SKIP_WITHOUT_DEVICE() \
  if (!has_device()) GTEST_SKIP() << "no CUDA device"

/// Bytes in device memory.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t count) : count_(count) {
    void* bytes = nullptr;
    cuda(cudaMalloc(&bytes, count + 1));
    bytes_ = static_cast<std::byte*>(bytes);
  }
  ~DeviceBytes() { cudaFree(bytes_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  std::byte* get() const { return bytes_; }
  void put(const void* from) const {
    cuda(cudaMemcpy(bytes_, from, count_, cudaMemcpyHostToDevice));
    cuda(cudaDeviceSynchronize());
  }
  void take(void* to) const { cuda(cudaMemcpy(to, bytes_, count_, cudaMemcpyDeviceToHost)); }

 private:
  std::size_t count_;
  std::byte* bytes_;
};

/// Where an array of a call lies, and with which strides.
struct Place {
  MemorySpace space = MemorySpace::host;
  Layout layout = Layout::contiguous;
};

/// A guarded array there.
class Array {
 public:
  Array(ElementType type, const Extents& extents, Place place)
      : host_(type, extents, place.layout) {
    if (place.space == MemorySpace::cuda) {
      device_ = std::make_unique<DeviceBytes>(host_.memory().size());
      device_->put(host_.memory().data());
    }
  }

  View<void> view() {
    const View<void> own = host_.view();
    if (device_ == nullptr) return own;
    return {device_->get() + (own.bytes() - host_.memory().data()), own.element_type(),
            own.extents(), own.strides(), MemorySpace::cuda};
  }
  template <class T>
  View<T> typed() {
    const View<void> own = view();
    return {reinterpret_cast<T*>(own.bytes()), own.extents(), own.strides(), own.space()};
  }
  void assign(const void* source) {
    host_.assign(static_cast<const std::byte*>(source));
    if (device_ != nullptr) device_->put(host_.memory().data());
  }
  std::vector<std::byte> elements() {
    if (device_ != nullptr) device_->take(host_.memory().data());
    EXPECT_TRUE(host_.intact()) << "written outside of its cells";
    return host_.elements();
  }

 private:
  GuardedArray host_;
  std::unique_ptr<DeviceBytes> device_;
};

Extents in_front(std::int64_t first, const Extents& extents) {
  std::vector<std::int64_t> sizes{first};
  for (int axis = 0; axis < extents.rank(); ++axis) sizes.push_back(extents[axis]);
  return Extents(sizes);
}

/// All outputs that a call can have.
struct Outputs {
  Outputs(ElementType label, const Extents& extents, int rank, Place place)
      : labels(label, extents, place),
        site_index(ElementType::i64, extents, place),
        distance(ElementType::f64, extents, place),
        squared(ElementType::i64, extents, place),
        offset(ElementType::i32, in_front(rank, extents), place),
        direction(ElementType::f32, extents, place) {}

  NearestSiteOutputs views(bool has_squared, bool has_direction, bool has_offset = true) {
    NearestSiteOutputs out{.labels = labels.view(),
                           .site_index = site_index.typed<std::int64_t>(),
                           .distance = distance.view()};
    if (has_offset) out.offset = offset.typed<std::int32_t>();
    if (has_squared) out.squared = squared.typed<std::int64_t>();
    if (has_direction) out.direction = direction.typed<float>();
    return out;
  }
  std::vector<std::vector<std::byte>> elements() {
    return {labels.elements(),  site_index.elements(), distance.elements(),
            squared.elements(), offset.elements(),     direction.elements()};
  }

  Array labels, site_index, distance, squared, offset, direction;
};

ElementType label_type(ElementType sites) {
  return sites == ElementType::boolean ? ElementType::i32 : sites;
}

bool has_squared(const NearestSiteOptions& options) {
  return options.metric == Metric::euclidean && options.spacing.empty();
}

/// Context per process: what a call leaves behind must not trouble the next.
Context& shared_context() {
  static Context context({.device = "cuda"});
  return context;
}

// ---- every case, in and out of device memory

struct Route {
  Place in;
  Place out;
};

constexpr Place kHost{};
constexpr Place kDevice{MemorySpace::cuda, Layout::contiguous};

const std::vector<Route>& routes() {
  static const std::vector<Route> all = {
      {kDevice, kDevice},
      {{MemorySpace::cuda, Layout::padded}, {MemorySpace::cuda, Layout::reversed}},
      {{MemorySpace::cuda, Layout::reversed}, {MemorySpace::cuda, Layout::padded}},
      {kDevice, {MemorySpace::host, Layout::padded}},
      {kHost, kDevice}};
  return all;
}

class DeviceViews : public ::testing::TestWithParam<cases::Case> {};

TEST_P(DeviceViews, GiveWhatTheCpuGives) {
  SKIP_WITHOUT_DEVICE();
  const cases::Case& item = GetParam();
  const Raster sites = cases::make_sites(item);
  const int rank = item.extents.rank();
  Context cpu;
  Outputs truth(label_type(item.type), item.extents, rank, kHost);
  nearest_site(cpu, sites.view(), item.options, truth.views(has_squared(item.options), rank == 2));
  static std::size_t turn = 0;  // that every route is taken often, though not by every case
  for (const Method method : {Method::exact, Method::brute_force})
    for (int i = 0; i < 2; ++i) {
      const Route& route = routes()[turn++ % routes().size()];
      SCOPED_TRACE(std::string(name_of(method)) + ", in " +
                   std::to_string(static_cast<int>(route.in.space)) +
                   std::to_string(static_cast<int>(route.in.layout)) + ", out " +
                   std::to_string(static_cast<int>(route.out.space)) +
                   std::to_string(static_cast<int>(route.out.layout)));
      Array input(item.type, item.extents, route.in);
      input.assign(sites.bytes());
      Outputs outputs(label_type(item.type), item.extents, rank, route.out);
      NearestSiteOptions options = item.options;
      options.method = method;
      const NearestSiteOutputs out = outputs.views(has_squared(options), rank == 2);
      try {
        nearest_site(shared_context(), input.view(), options, out);
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::unsupported) << error.what();
        ASSERT_TRUE(testing::is_pinned_refusal("cuda", rank, options, out)) << error.what();
        continue;
      }
      shared_context().synchronize();
      EXPECT_TRUE(outputs.elements() == truth.elements());
    }
}

INSTANTIATE_TEST_SUITE_P(Small, DeviceViews, ::testing::ValuesIn(cases::small_cases_by_axes()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

// ---- points

struct PointSetting {
  Extents extents;
  std::int64_t count;
  bool whole = false;
  bool single = false;  ///< f32
  double margin = 0;
  std::vector<double> spacing = {};
  std::vector<bool> periodic = {};
  Layout layout = Layout::contiguous;
};

std::vector<double> make_coordinates(const PointSetting& setting) {
  Draw draw(11);
  std::vector<double> coordinates;
  for (std::int64_t i = 0; i < setting.count; ++i)
    for (int axis = 0; axis < setting.extents.rank(); ++axis) {
      const double reach = static_cast<double>(setting.extents[axis]) + 2 * setting.margin;
      const double place = draw.real() * reach - setting.margin;
      coordinates.push_back(setting.whole ? std::floor(place) : place);
    }
  return coordinates;
}

void expect_points_like_cpu(const PointSetting& setting, Method method, bool labelled) {
  const int rank = setting.extents.rank();
  const std::vector<double> wide = make_coordinates(setting);
  const std::vector<float> narrow(wide.begin(), wide.end());
  const auto type = setting.single ? ElementType::f32 : ElementType::f64;
  const void* const source = setting.single ? static_cast<const void*>(narrow.data()) : wide.data();
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < setting.count; ++i) values.push_back(1000 - static_cast<int>(i));

  Context cpu;
  const Grid grid{.extents = setting.extents, .spacing = setting.spacing};
  std::vector<std::uint16_t> inside;
  for (std::int64_t i = 0; i < setting.extents.count(); ++i)
    inside.push_back(i / 3 % 2 == 0 ? 256 : 0);
  const bool squared = setting.whole && setting.spacing.empty();
  const auto run = [&](Context& context, Place place, std::optional<Place> domain_place) {
    NearestSiteOptions options{.method = method, .periodic = setting.periodic};
    std::optional<Array> domain;
    if (domain_place) {
      domain.emplace(ElementType::u16, setting.extents, *domain_place);
      domain->assign(inside.data());
      options.nodata_label = std::int64_t{-5};
    }
    Array coordinates(type, {setting.count, rank}, place);
    coordinates.assign(source);
    Array labels(ElementType::i32, {setting.count}, place);
    labels.assign(values.data());
    PointList list{.coordinates = coordinates.view()};
    if (labelled) list.labels = labels.view();
    Outputs outputs(ElementType::i32, setting.extents, rank, {place.space, Layout::contiguous});
    voronoi(context, list, grid, options, outputs.views(squared, rank == 2, setting.whole),
            domain ? domain->view() : View<void>{});
    context.synchronize();
    return outputs.elements();
  };
  const Place device{MemorySpace::cuda, setting.layout};
  const Place host{MemorySpace::host, setting.layout};
  for (const std::optional<Place>& domain : {std::optional<Place>(), std::optional(device)}) {
    const auto truth = run(cpu, kHost, domain ? std::optional(kHost) : std::nullopt);
    EXPECT_TRUE(run(shared_context(), device, domain) == truth);
    EXPECT_TRUE(run(shared_context(), host, domain) == truth);
    if (domain) {
      EXPECT_TRUE(run(shared_context(), device, host) == truth);
    }
  }
}

TEST(DevicePoints, GiveWhatTheCpuGives) {
  SKIP_WITHOUT_DEVICE();
  const std::vector<PointSetting> settings = {
      {{40, 37}, 0},
      {{40, 37}, 60, false, false, 5},
      {{40, 37}, 60, true},
      {{40, 37}, 60, true, true},
      {{300, 270}, 2000, true},
      {{300, 270}, 60, true, false, 0, {1, 3}},
      {{30, 31}, 500, false, true, 2},
      {{30, 31}, 40, false, false, 300},
      {{30, 31}, 40, false, false, 2, {0.325, 1.5}},
      {{14, 15}, 9, false, false, 30, {}, {false, true}},
      {{13, 16}, 3, true, false, 40, {}, {true, true}},
      {{9, 10, 11}, 40, false, false, 2},
      {{7, 8, 9}, 90, true, false, 3, {}, {}, Layout::reversed},
      {{20, 21}, 70, false, false, 0, {}, {}, Layout::padded},
      {{6, 7, 8}, 12, false, false, 20, {}, {true, false, true}},
  };
  for (std::size_t i = 0; i < settings.size(); ++i)
    for (const Method method : {Method::exact, Method::brute_force})
      for (const bool labelled : {false, true}) {
        SCOPED_TRACE(std::to_string(i) + ", " + std::string(name_of(method)) +
                     (labelled ? " with labels" : ""));
        expect_points_like_cpu(settings[i], method, labelled);
      }
}

/// The pattern of points on cells.
enum class Pattern {
  scattered,
  lattice,   ///< many cells have several nearest points
  circle,    ///< tiles in the middle need most of them
  crowd,     ///< every second cell of a corner
  one_off,   ///< scattered, but the last of them not on a centre
  one_cell,  ///< half of them scattered, the others all on one cell
};

/// The points, in an order that is independent of that of the cells.
std::vector<double> make_pattern(Pattern pattern, const Extents& extents, std::int64_t count) {
  const int rank = extents.rank();
  const double height = static_cast<double>(extents[rank - 2]);
  const double width = static_cast<double>(extents[rank - 1]);
  Draw draw(17);
  std::vector<double> places;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t turn = (i + 1) * 7919 % count;
    std::vector<double> place;
    for (int axis = 0; axis < rank; ++axis)
      place.push_back(std::floor(draw.real() * static_cast<double>(extents[axis])));
    double& y = place[place.size() - 2];
    double& x = place.back();
    if (pattern == Pattern::lattice) {
      y = std::fmod(static_cast<double>(turn / 40 * 8), height);
      x = std::fmod(static_cast<double>(turn % 40 * 8), width);
    } else if (pattern == Pattern::circle) {
      const double angle =
          6.283185307179586 * static_cast<double>(turn) / static_cast<double>(count);
      const double radius = std::min(height, width) * 0.49;
      y = std::rint(height / 2 + radius * std::sin(angle));
      x = std::rint(width / 2 + radius * std::cos(angle));
    } else if (pattern == Pattern::crowd) {
      y = std::fmod(static_cast<double>(turn / 64), height);
      x = std::fmod(static_cast<double>(turn % 64 * 2 + turn / 64 % 2), width);
    } else if (pattern == Pattern::one_cell && i % 2 == 0) {
      y = 5;
      x = 6;
    }
    if (pattern == Pattern::one_off && i == count - 1) x = 2.5;
    places.insert(places.end(), place.begin(), place.end());
  }
  return places;
}

/// Labels and indices of a list in device memory, with and without anything else.
void expect_pattern_like_cpu(const Extents& extents, const std::vector<double>& places,
                             const NearestSiteOptions& options) {
  const auto count = static_cast<std::int64_t>(places.size()) / extents.rank();
  std::vector<std::int32_t> labels(static_cast<std::size_t>(extents.count()));
  std::vector<std::int64_t> index(labels.size());
  Context cpu;
  const PointList list{View<const double>(places.data(), {count, extents.rank()})};
  voronoi(cpu, list, Grid{.extents = extents}, options,
          {.labels = View<std::int32_t>(labels.data(), extents),
           .site_index = View<std::int64_t>(index.data(), extents)});
  Array coordinates(ElementType::f64, {count, extents.rank()}, kDevice);
  coordinates.assign(places.data());
  const PointList on_device{coordinates.view()};
  for (const bool alone : {true, false}) {
    Array out_labels(ElementType::i32, extents, kDevice);
    Array out_index(ElementType::i64, extents, kDevice);
    NearestSiteOutputs out{.labels = out_labels.view()};
    if (!alone) out.site_index = out_index.typed<std::int64_t>();
    voronoi(shared_context(), on_device, Grid{.extents = extents}, options, out);
    shared_context().synchronize();
    const auto expect_equal = [&](Array& found, const void* truth) {
      const std::vector<std::byte> bytes = found.elements();
      EXPECT_EQ(std::memcmp(bytes.data(), truth, bytes.size()), 0);
    };
    expect_equal(out_labels, labels.data());
    if (!alone) expect_equal(out_index, index.data());
  }
}

TEST(DevicePoints, OnCellsGoByTheirOrderInTheList) {
  SKIP_WITHOUT_DEVICE();
  constexpr Metric kMetrics[] = {Metric::euclidean, Metric::manhattan, Metric::chessboard};
  for (const Extents& extents : {Extents{1000, 1300}, Extents{40, 130, 170}})
    for (int pattern = 0; pattern <= static_cast<int>(Pattern::one_cell); ++pattern)
      for (const std::int64_t count : {30, 3000, 40000})
        for (const Metric metric : kMetrics) {
          if (metric != Metric::euclidean && count != 3000) continue;
          SCOPED_TRACE(std::to_string(extents.rank()) + "-D, pattern " + std::to_string(pattern) +
                       ", points " + std::to_string(count) + ", metric " +
                       std::to_string(static_cast<int>(metric)));
          expect_pattern_like_cpu(extents,
                                  make_pattern(static_cast<Pattern>(pattern), extents, count),
                                  {.metric = metric});
        }
}

TEST(DevicePoints, OnCellsMayBeOutOfRange) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{300, 413};
  for (const double limit : {0.0, 3.0, 40.0})
    expect_pattern_like_cpu(extents, make_pattern(Pattern::scattered, extents, 500),
                            {.max_distance = limit});
}

// ---- faults found on the device

class DeviceFaults : public ::testing::Test {
 protected:
  void run(const std::vector<double>& places, bool wants_offset = false) {
    const auto count = static_cast<std::int64_t>(places.size() / 2);
    Array coordinates(ElementType::f64, {count, 2}, kDevice);
    coordinates.assign(places.data());
    Array labels(ElementType::i32, {8, 9}, kDevice);
    Array offset(ElementType::i32, {2, 8, 9}, kDevice);
    NearestSiteOutputs out{.labels = labels.view()};
    if (wants_offset) out.offset = offset.typed<std::int32_t>();
    voronoi(shared_context(), PointList{coordinates.view()}, Grid{.extents = {8, 9}},
            {.method = Method::brute_force}, out);
    cuda(cudaDeviceSynchronize());  // before the arrays go
  }
  static std::string fault() {
    try {
      shared_context().synchronize();
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      return error.what();
    }
  }
};

TEST_F(DeviceFaults, AreThrownOnceBySynchronize) {
  SKIP_WITHOUT_DEVICE();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  run({1, 2, 3, 4, 5, nan, nan, nan});
  run({nan, 1});  // a later call: the first point of all faults is reported
  EXPECT_EQ(fault(), "points[0, 0] in device memory is not finite, or more than 2^31 cells away");
  EXPECT_EQ(fault(), "");
  run({1, 2, 3, 4, 5, nan, nan, nan});
  EXPECT_EQ(fault(), "points[2, 1] in device memory is not finite, or more than 2^31 cells away");
  run({1, 2});
  EXPECT_EQ(fault(), "");
}

/// Points off centre or too far away are reported by the first one.
TEST_F(DeviceFaults, OfPlaces) {
  SKIP_WITHOUT_DEVICE();
  run({1, 2, 1.5, 2}, true);
  EXPECT_EQ(fault(),
            "points[1, 0] lies on no centre of a cell; squared and offset exist only if all points "
            "in device memory do");
  run({1, 2, 1e6, 2});
  EXPECT_EQ(fault(),
            "points[1, 0] lies farther beyond the grid than points in device memory may; from "
            "memory of the host it can be taken");
  run({1, 2, 20, 2});
  EXPECT_EQ(fault(), "");
}

TEST_F(DeviceFaults, AreThrownByACallWithViewsOnTheHost) {
  SKIP_WITHOUT_DEVICE();
  const std::vector<double> places = {1, std::numeric_limits<double>::infinity()};
  Array coordinates(ElementType::f64, {1, 2}, kDevice);
  coordinates.assign(places.data());
  Array labels(ElementType::i32, {8, 9}, kHost);
  EXPECT_THROW(voronoi(shared_context(), PointList{coordinates.view()}, Grid{.extents = {8, 9}},
                       {.method = Method::brute_force}, {.labels = labels.view()}),
               Error);
  EXPECT_EQ(fault(), "");
}

TEST(DeviceAddresses, MustBeTheDevices) {
  SKIP_WITHOUT_DEVICE();
  std::vector<std::int32_t> cells(12);
  try {
    nearest_site(shared_context(),
                 View<const std::int32_t>(cells.data(), {3, 4}, MemorySpace::cuda), {}, {});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(error.what(),
                 "sites has an address that CUDA does not know; must be in memory of cuda:0");
  }
}

// ---- streams, threads, graphs

/// A raster of sites from a seed, and the labels that the CPU finds.
struct Sample {
  Sample(std::uint64_t seed, const Extents& extents)
      : sites(extents.count()), labels(sites.size()) {
    Draw draw(seed);
    for (auto& site : sites) site = draw.once_in(40) ? 1 + static_cast<int>(draw.below(1000)) : 0;
    Context cpu;
    nearest_site(cpu, View<const std::int32_t>(sites.data(), extents), {},
                 {.labels = View<std::int32_t>(labels.data(), extents)});
  }
  std::size_t bytes() const { return sites.size() * sizeof(std::int32_t); }

  std::vector<std::int32_t> sites, labels;
};

/// Two rasters on the device, and the call from one to the other.
struct DeviceCall {
  explicit DeviceCall(const Extents& size)
      : extents(size),
        bytes(static_cast<std::size_t>(size.count()) * sizeof(std::int32_t)),
        sites(bytes),
        labels(bytes) {}

  void run(Context& context) {
    nearest_site(context,
                 View<const std::int32_t>(reinterpret_cast<std::int32_t*>(sites.get()), extents,
                                          MemorySpace::cuda),
                 {},
                 {.labels = View<std::int32_t>(reinterpret_cast<std::int32_t*>(labels.get()),
                                               extents, MemorySpace::cuda)});
  }

  Extents extents;
  std::size_t bytes;
  DeviceBytes sites, labels;
};

/// Copies, call and copy back in the order of a stream, with one wait by the caller at the end.
void expect_work_in_order(Context& context, cudaStream_t stream, std::uint64_t seed) {
  const Extents extents{300, 413};
  DeviceCall call(extents);
  for (int round = 0; round < 6; ++round) {
    const Sample sample(seed * 100 + static_cast<std::uint64_t>(round), extents);
    std::vector<std::int32_t> labels(sample.labels.size());
    cuda(cudaMemcpyAsync(call.sites.get(), sample.sites.data(), call.bytes, cudaMemcpyHostToDevice,
                         stream));
    call.run(context);
    cuda(cudaMemcpyAsync(labels.data(), call.labels.get(), call.bytes, cudaMemcpyDeviceToHost,
                         stream));
    cuda(cudaStreamSynchronize(stream));
    EXPECT_EQ(labels, sample.labels);
  }
}

TEST(Streams, OfTheCallerAreInOrder) {
  SKIP_WITHOUT_DEVICE();
  cudaStream_t stream = nullptr;
  cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    Context context({.device = "cuda:0", .stream = stream});
    expect_work_in_order(context, stream, 1);
  }
  cuda(cudaStreamSynchronize(stream));  // it outlives the context
  cuda(cudaStreamDestroy(stream));
  for (const cudaStream_t own : {cudaStreamLegacy, cudaStreamPerThread}) {
    Context context({.device = "cuda", .stream = own});
    expect_work_in_order(context, own, 2);
  }
}

TEST(Streams, OfContextsInTwoThreadsDoNotMix) {
  SKIP_WITHOUT_DEVICE();
  const auto work = [](std::uint64_t seed) {
    cudaStream_t stream = nullptr;
    cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
      Context context({.device = "cuda", .stream = stream});
      expect_work_in_order(context, stream, seed);
    }
    cuda(cudaStreamDestroy(stream));
  };
  std::thread other(work, 5);
  work(6);
  other.join();
}

class Graphs : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_DEVICE();
    cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  void TearDown() override {
    if (stream_ != nullptr) cuda(cudaStreamDestroy(stream_));
  }
  void begin() { cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal)); }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    cuda(cudaStreamEndCapture(stream_, &graph));
    return graph;
  }
  template <class Call>
  static std::string refusal(const Call& call) {
    try {
      call();
      return "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      return error.what();
    }
  }

  cudaStream_t stream_ = nullptr;
};

TEST_F(Graphs, OfARepeatedCallDoItAgain) {
  const Extents extents{257, 391};
  DeviceCall call(extents);
  Context context({.device = "cuda", .stream = stream_});
  const Sample first(20, extents);
  call.sites.put(first.sites.data());
  call.run(context);
  context.synchronize();
  const std::size_t scratch = context.scratch_bytes();
  begin();
  call.run(context);
  cudaGraph_t graph = end();
  EXPECT_EQ(context.scratch_bytes(), scratch);
  cudaGraphExec_t executable = nullptr;
  cuda(cudaGraphInstantiate(&executable, graph, 0));
  for (std::uint64_t seed = 21; seed < 25; ++seed) {
    const Sample sample(seed, extents);
    call.sites.put(sample.sites.data());
    cuda(cudaGraphLaunch(executable, stream_));
    context.synchronize();
    std::vector<std::int32_t> labels(sample.labels.size());
    call.labels.take(labels.data());
    EXPECT_EQ(labels, sample.labels);
  }
  cuda(cudaGraphExecDestroy(executable));
  cuda(cudaGraphDestroy(graph));
}

TEST_F(Graphs, OfEveryKindOfInputCanBeCaptured) {
  Context context({.device = "cuda", .stream = stream_});
  const Extents extents{40, 50};
  const std::vector<std::uint8_t> mask(2000, 1);
  const std::vector<double> places = {1, 2, 3.5, 40};
  Array bits(ElementType::boolean, extents, {MemorySpace::cuda, Layout::padded});
  bits.assign(mask.data());
  Array coordinates(ElementType::f64, {2, 2}, kDevice);
  coordinates.assign(places.data());
  Array bytes(ElementType::u8, extents, kDevice);
  bytes.assign(mask.data());
  Outputs numbers(ElementType::i32, extents, 2, {MemorySpace::cuda, Layout::reversed});
  Outputs labels(ElementType::u8, extents, 2, kDevice);
  const auto calls = [&] {
    nearest_site(context, bits.view(), {.signed_distance = true}, numbers.views(true, true));
    nearest_site(context, bytes.view(), {.values = {std::int64_t{1}}, .nodata = std::int64_t{9}},
                 labels.views(true, true));
    for (const Method method : {Method::brute_force, Method::exact})
      voronoi(context, PointList{coordinates.view()}, Grid{.extents = extents}, {.method = method},
              {.labels = numbers.labels.view()});
  };
  calls();
  context.synchronize();
  begin();
  calls();
  cudaGraph_t graph = end();
  cuda(cudaGraphDestroy(graph));
}

TEST_F(Graphs, CannotAllocateNorReachTheHost) {
  const Extents extents{64, 64};
  DeviceCall call(extents);
  Context context({.device = "cuda", .stream = stream_});
  begin();
  const std::string text = refusal([&] { call.run(context); });
  EXPECT_EQ(text.rfind("stream is being captured, and the call needs scratch of ", 0), 0u) << text;
  std::vector<std::int32_t> cells(4096);
  std::vector<std::int32_t> labels(4096);
  EXPECT_EQ(refusal([&] {
              nearest_site(context, View<const std::int32_t>(cells.data(), extents), {},
                           {.labels = View<std::int32_t>(labels.data(), extents)});
            }),
            "stream is being captured, and an array of the call is on the host; all must be in "
            "memory of the device");
  cuda(cudaGraphDestroy(end()));
  call.run(context);  // and the stream is as good as before
  context.synchronize();
}

// ---- batches

void expect_batch_like_cpu(std::int64_t rasters, const Extents& raster, ElementType type,
                           const NearestSiteOptions& options) {
  const Extents extents = in_front(rasters, raster);
  std::vector<std::byte> cells(static_cast<std::size_t>(extents.count()) * size_of(type));
  Draw draw(31);
  for (std::size_t i = 0; i < cells.size(); i += size_of(type))
    if (draw.once_in(25)) cells[i] = static_cast<std::byte>(1 + draw.below(100));
  const auto run = [&](Context& context, Place in, Place out) {
    Array sites(type, extents, in);
    sites.assign(cells.data());
    Outputs outputs(label_type(type), extents, raster.rank(), out);
    nearest_site_batch(context, sites.view(), options,
                       outputs.views(has_squared(options), raster.rank() == 2));
    context.synchronize();
    return outputs.elements();
  };
  Context cpu;
  const auto truth = run(cpu, kHost, kHost);
  for (const Route& route : routes())
    EXPECT_TRUE(run(shared_context(), route.in, route.out) == truth);
  EXPECT_TRUE(run(shared_context(), kHost, kHost) == truth);
}

TEST(Batches, GiveWhatTheCpuGives) {
  SKIP_WITHOUT_DEVICE();
  for (const Method method : {Method::exact, Method::brute_force}) {
    SCOPED_TRACE(name_of(method));
    for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
      expect_batch_like_cpu(17, {61, 70}, ElementType::i32, {.method = method, .metric = metric});
      expect_batch_like_cpu(3, {9, 40}, ElementType::u16,
                            {.method = method, .metric = metric, .spacing = {1.5, 1}});
    }
    expect_batch_like_cpu(5, {33, 65}, ElementType::boolean, {.method = method});
    expect_batch_like_cpu(5, {33, 65}, ElementType::boolean,
                          {.method = method, .values = {std::int64_t{0}}});
    expect_batch_like_cpu(4, {40, 37}, ElementType::u8,
                          {.method = method, .periodic = {true, true}, .nodata = std::int64_t{7}});
    expect_batch_like_cpu(4, {40, 37}, ElementType::u8,
                          {.method = method, .max_distance = 4, .signed_distance = true});
    expect_batch_like_cpu(3, {7, 20, 33}, ElementType::i32, {.method = method});
    expect_batch_like_cpu(2, {7, 20, 33}, ElementType::boolean, {.method = method});
    expect_batch_like_cpu(1, {40, 50}, ElementType::i64, {.method = method});
  }
}

/// Layers without any site must not find those of others.
TEST(Batches, RastersKnowNothingOfEachOther) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{3, 50, 70};
  std::vector<std::int32_t> cells(3 * 50 * 70);
  cells[3500 + 17] = 5;
  Array sites(ElementType::i32, extents, kDevice);
  sites.assign(cells.data());
  for (const Method method : {Method::exact, Method::brute_force}) {
    Array index(ElementType::i64, extents, kDevice);
    nearest_site_batch(shared_context(), sites.view(), {.method = method},
                       {.site_index = index.typed<std::int64_t>()});
    shared_context().synchronize();
    const std::vector<std::byte> bytes = index.elements();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      std::int64_t site;
      std::memcpy(&site, bytes.data() + cell * 8, 8);
      ASSERT_EQ(site, cell / 3500 == 1 ? 17 : -1) << name_of(method) << " " << cell;
    }
  }
}

// ---- calls from and to the host

TEST(HostViews, AreTheOnlySitesOfARasterWithWeights) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{3, 4};
  const std::vector<double> weights(12);
  Array sites(ElementType::i32, extents, kDevice);
  Array labels(ElementType::i32, extents, kDevice);
  EXPECT_EQ(testing::message_of([&] {
              nearest_site(shared_context(), sites.view(), {.weighting = Weighting::power},
                           {.labels = labels.view()}, {},
                           View<const double>(weights.data(), extents));
            }),
            "sites lie in device memory; must be on the host where there are weights");
}

TEST(HostViews, OfManyPiecesAndOfPinnedMemory) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{1500, 2311};
  const Sample sample(40, extents);
  std::vector<std::int32_t> labels(sample.labels.size());
  nearest_site(shared_context(), View<const std::int32_t>(sample.sites.data(), extents), {},
               {.labels = View<std::int32_t>(labels.data(), extents)});
  EXPECT_EQ(labels, sample.labels);
  // Both rasters have their rows upside down.
  std::vector<std::int32_t> turned(labels.size());
  const View<std::int32_t>::Strides strides{-2311 * 4, 4};
  std::int32_t* const last = turned.data() + 1499 * 2311;
  nearest_site(shared_context(), View<const std::int32_t>(sample.sites.data(), extents), {},
               {.labels = View<std::int32_t>(last, extents, strides)});
  for (std::size_t row = 0; row < 1500; ++row)
    ASSERT_EQ(
        std::memcmp(turned.data() + (1499 - row) * 2311, labels.data() + row * 2311, 2311 * 4), 0)
        << row;
  void* pinned = nullptr;
  cuda(cudaHostAlloc(&pinned, 2 * sample.bytes(), cudaHostAllocDefault));
  auto* const sites = static_cast<std::int32_t*>(pinned);
  std::int32_t* const found = sites + sample.sites.size();
  std::copy(sample.sites.begin(), sample.sites.end(), sites);
  nearest_site(shared_context(), View<const std::int32_t>(sites, extents), {},
               {.labels = View<std::int32_t>(found, extents)});
  EXPECT_TRUE(std::equal(sample.labels.begin(), sample.labels.end(), found));
  cuda(cudaFreeHost(pinned));
}

TEST(HostViews, CanBeCancelledBetweenPieces) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{1500, 2311};
  const Sample sample(41, extents);
  std::vector<std::int32_t> labels(sample.labels.size());
  Context context({.device = "cuda"});
  const auto run = [&] {
    nearest_site(context, View<const std::int32_t>(sample.sites.data(), extents), {},
                 {.labels = View<std::int32_t>(labels.data(), extents)});
  };
  for (const double limit : {0.1, 0.7}) {
    context.on_progress([&](double fraction) {
      if (fraction > limit) context.cancel();
    });
    EXPECT_THROW(run(), Error);
    context.on_progress({});
    std::fill(labels.begin(), labels.end(), 0);
    run();
    EXPECT_EQ(labels, sample.labels);
  }
  context.release_scratch();
  EXPECT_EQ(context.scratch_bytes(), 0u);
  run();
  EXPECT_EQ(labels, sample.labels);
}

// ---- cost distance

struct CostArrays {
  CostArrays(const Extents& extents, Place place)
      : labels(ElementType::i32, extents, place),
        site_index(ElementType::i64, extents, place),
        distance(ElementType::f32, extents, place),
        back_link(ElementType::u8, extents, place) {}

  CostDistanceOutputs views() {
    return {labels.view(), site_index.typed<std::int64_t>(), distance.view(),
            back_link.typed<std::uint8_t>()};
  }
  std::vector<std::vector<std::byte>> elements() {
    return {labels.elements(), site_index.elements(), distance.elements(), back_link.elements()};
  }

  Array labels, site_index, distance, back_link;
};

TEST(DeviceViewsOfCost, GiveWhatTheCpuGives) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{70, 131};
  Context cpu;
  Raster map = Raster::of<float>(extents);
  Raster sites = Raster::of<std::int32_t>(extents);
  Raster initial = Raster::of<float>(extents);
  material_map(cpu, map.view(), Material::noise, 1);
  material_map(cpu, initial.view(), Material::gradient, 1);
  random_sites(cpu, sites.view(), 20, 2);
  CostDistanceOptions options;
  CostArrays truth(extents, kHost);
  cost_distance(cpu, CostMap::stiffness(map.view()), sites.view(), options, truth.views(),
                initial.view());
  for (const Route& route : routes())
    for (const CostMethod method : {CostMethod::exact, CostMethod::relaxation}) {
      options.method = method;
      Array device_map(ElementType::f32, extents, route.in);
      Array device_sites(ElementType::i32, extents, route.in);
      Array device_initial(ElementType::f32, extents, route.in);
      device_map.assign(map.bytes());
      device_sites.assign(sites.bytes());
      device_initial.assign(initial.bytes());
      CostArrays found(extents, route.out);
      cost_distance(shared_context(), CostMap::stiffness(device_map.view()), device_sites.view(),
                    options, found.views(), device_initial.view());
      shared_context().synchronize();
      EXPECT_EQ(found.elements(), truth.elements()) << name_of(method);
    }
}

TEST(DeviceViewsOfCost, AnIllegalCellIsNamed) {
  SKIP_WITHOUT_DEVICE();
  const Extents extents{3, 40};
  Raster map = Raster::of<float>(extents);
  Raster sites = Raster::of<std::int32_t>(extents);
  auto* const cells = reinterpret_cast<float*>(map.bytes());
  std::fill_n(cells, extents.count(), 1.0F);
  cells[45] = cells[90] = -2;
  Array device_map(ElementType::f32, extents, kDevice);
  device_map.assign(map.bytes());
  CostArrays found(extents, kDevice);
  try {
    cost_distance(shared_context(), CostMap::stiffness(device_map.view()), sites.view(), {},
                  found.views());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 15), "map[1, 5] = -2;");
  }
}

}  // namespace
}  // namespace thiessen
