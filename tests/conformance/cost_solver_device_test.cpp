// SPDX-License-Identifier: Apache-2.0
//
// A CostSolver whose arrays lie on a CUDA device: nothing waits before changes(), graphs do updates
// and solves again, and illegal values are found there. All compared with fresh calls on the CPU,
// bit for bit.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "thiessen/solvers/cost_solver.hpp"

namespace thiessen {
namespace {

using testing::Draw;

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Elements on the device. An array with gaps has as many elements behind each of its own.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const Extents& extents, std::int64_t gaps = 0)
      : extents_(extents), step_(1 + gaps) {
    void* memory = nullptr;
    cuda(cudaMalloc(&memory, bytes()));
    memory_ = static_cast<T*>(memory);
    cuda(cudaMemset(memory_, 0x55, bytes()));
  }
  ~DeviceArray() { cudaFree(memory_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  View<T> view() const {
    typename View<T>::Strides strides = View<T>::c_strides(detail::element_type_of<T>(), extents_);
    for (int axis = 0; axis < extents_.rank(); ++axis)
      strides[static_cast<std::size_t>(axis)] *= step_;
    return {memory_, extents_, strides, MemorySpace::cuda};
  }
  void put(const std::vector<T>& values) const {
    cuda(cudaMemcpy(memory_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    cuda(cudaDeviceSynchronize());
  }
  std::vector<T> take() const {
    std::vector<T> all(bytes() / sizeof(T));
    cuda(cudaMemcpy(all.data(), memory_, bytes(), cudaMemcpyDeviceToHost));
    std::vector<T> own;
    for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(step_))
      own.push_back(all[i]);
    return own;
  }

 private:
  std::size_t bytes() const {
    return static_cast<std::size_t>(extents_.count() * step_) * sizeof(T);
  }

  Extents extents_;
  std::int64_t step_;
  T* memory_ = nullptr;
};

/// A solver with all arrays on the device, and the same map and sites on the host.
struct Scene {
  explicit Scene(std::int64_t gaps = 0)
      : map_on_device(extents),
        sites_on_device(extents),
        labels(extents, gaps),
        distance(extents, gaps),
        box_on_device({kBox, kBox}) {
    cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    context = std::make_unique<Context>(ContextOptions{.device = "cuda", .stream = stream});
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      map.push_back(value());
      sites.push_back(draw.once_in(200) ? static_cast<std::int32_t>(1 + draw.below(9)) : 0);
    }
    map_on_device.put(map);
    sites_on_device.put(sites);
    solver = std::make_unique<CostSolver>(
        *context, CostMap::stiffness(View<const float>(map_on_device.view())),
        View<const std::int32_t>(sites_on_device.view()), options,
        CostDistanceOutputs{.labels = labels.view(), .distance = distance.view()});
  }
  ~Scene() {
    solver.reset();
    context.reset();
    cudaStreamDestroy(stream);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  static constexpr std::int64_t kBox = 6;

  float value() { return draw.once_in(9) ? 0 : static_cast<float>(0.1 + draw.real()); }

  /// Other values for a box at a place, on the device.
  void draw_box(std::int64_t y, std::int64_t x) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < kBox * kBox; ++i) {
      values.push_back(value());
      map[static_cast<std::size_t>((y + i / kBox) * extents[1] + x + i % kBox)] = values.back();
    }
    box_on_device.put(values);
  }
  void update(std::int64_t y, std::int64_t x) const {
    solver->update_box(std::array<std::int64_t, 2>{y, x}, View<const float>(box_on_device.view()));
  }

  void expect_fresh() const {
    const auto cells = static_cast<std::size_t>(extents.count());
    std::vector<std::int32_t> fresh_labels(cells);
    std::vector<float> fresh_distance(cells);
    Context cpu({.device = "cpu", .threads = 1});
    cost_distance(cpu, CostMap::stiffness(View<const float>(map.data(), extents)),
                  View<const std::int32_t>(sites.data(), extents), options,
                  {.labels = View<std::int32_t>(fresh_labels.data(), extents),
                   .distance = View<float>(fresh_distance.data(), extents)});
    EXPECT_EQ(fresh_labels, labels.take());
    EXPECT_EQ(fresh_distance, distance.take());
  }

  static std::string error_of(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Extents extents{60, 70};
  CostDistanceOptions options;
  Draw draw{7};
  std::vector<float> map;
  std::vector<std::int32_t> sites;
  DeviceArray<float> map_on_device;
  DeviceArray<std::int32_t> sites_on_device;
  DeviceArray<std::int32_t> labels;
  DeviceArray<float> distance;
  DeviceArray<float> box_on_device;
  cudaStream_t stream = nullptr;
  std::unique_ptr<Context> context;
  std::unique_ptr<CostSolver> solver;
};

class CostSolverViews : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return;
    cudaGetLastError();
    GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(CostSolverViews, StayOnTheDevice) {
  for (const std::int64_t gaps : {0, 1}) {
    Scene scene(gaps);
    scene.expect_fresh();
    for (std::int64_t step = 0; step < 8; ++step) {
      scene.draw_box(3 + 5 * step, 7 * step);
      scene.update(3 + 5 * step, 7 * step);
      scene.solver->solve();
      scene.expect_fresh();
    }
  }
}

TEST_F(CostSolverViews, ManySolvesAreWaitedForOnce) {
  Scene scene;
  scene.draw_box(10, 20);
  scene.update(10, 20);
  scene.solver->enqueue();
  const std::vector<std::int64_t> site{1234};
  const std::vector<std::int32_t> label{5};
  scene.solver->add_sites(site, View<const std::int32_t>(label.data(), {1}));
  scene.sites[1234] = 5;
  scene.solver->enqueue();
  const Changes changes = scene.solver->changes();
  EXPECT_EQ(changes.cells, static_cast<std::int64_t>(scene.solver->changed_cells().cell.size()));
  EXPECT_TRUE(std::count(changes.sites.begin(), changes.sites.end(), 1234) == 1);
  scene.expect_fresh();
  scene.solver->enqueue();
  EXPECT_EQ(scene.solver->changes().cells, 0);
}

TEST_F(CostSolverViews, AnIllegalValueReplacesNothing) {
  Scene scene;
  std::vector<float> values(Scene::kBox * Scene::kBox, 2);
  values[8] = -3;
  values[30] = std::numeric_limits<float>::infinity();
  scene.box_on_device.put(values);
  scene.update(10, 20);
  scene.solver->enqueue();
  const std::string text = scene.error_of([&] { scene.solver->changes(); });
  EXPECT_NE(text.find("values[1, 2] = -3"), std::string::npos) << text;
  EXPECT_EQ(scene.solver->changes().cells, 0);
  scene.expect_fresh();
  scene.draw_box(10, 20);
  scene.update(10, 20);
  scene.solver->solve();
  scene.expect_fresh();
}

TEST_F(CostSolverViews, AnIllegalMapMakesNoSolver) {
  Scene scene;
  scene.map[75] = -1;
  scene.map_on_device.put(scene.map);
  const std::string text = scene.error_of([&] {
    CostSolver(*scene.context, CostMap::stiffness(View<const float>(scene.map_on_device.view())),
               View<const std::int32_t>(scene.sites_on_device.view()), scene.options,
               CostDistanceOutputs{.labels = scene.labels.view()});
  });
  EXPECT_NE(text.find("map[1, 5] = -1"), std::string::npos) << text;
}

TEST_F(CostSolverViews, OfSitesInUpdatesMustLieOnTheHost) {
  Scene scene;
  DeviceArray<std::int32_t> label(Extents{1});
  const std::vector<std::int64_t> cell{7};
  EXPECT_NE(
      scene.error_of([&] { scene.solver->add_sites(cell, View<const std::int32_t>(label.view())); })
          .find("must lie on the host"),
      std::string::npos);
}

TEST_F(CostSolverViews, AGraphUpdatesAndSolvesAgain) {
  Scene scene;
  const auto act = [&] {
    scene.update(20, 30);
    scene.solver->enqueue();
  };
  scene.draw_box(20, 30);
  act();
  scene.solver->changes();
  cuda(cudaStreamBeginCapture(scene.stream, cudaStreamCaptureModeGlobal));
  act();
  EXPECT_NE(scene.error_of([&] { scene.solver->changes(); }).find("captured"), std::string::npos);
  EXPECT_NE(scene
                .error_of([&] {
                  const std::vector<std::int64_t> cells{3};
                  const std::vector<float> values{1};
                  scene.solver->update_map(cells, View<const float>(values.data(), {1}));
                })
                .find("captured"),
            std::string::npos);
  cudaGraph_t graph = nullptr;
  cuda(cudaStreamEndCapture(scene.stream, &graph));
  cudaGraphExec_t executable = nullptr;
  cuda(cudaGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 4; ++turn) {
    scene.draw_box(20, 30);
    cuda(cudaGraphLaunch(executable, scene.stream));
    EXPECT_GT(scene.solver->changes().cells, 0);
    scene.expect_fresh();
    // Between the launches, sites come.
    const std::vector<std::int64_t> site{100 * turn + 11};
    const std::vector<std::int32_t> label{turn + 1};
    if (scene.sites[static_cast<std::size_t>(site[0])] != 0) continue;
    scene.solver->add_sites(site, View<const std::int32_t>(label.data(), {1}));
    scene.sites[static_cast<std::size_t>(site[0])] = turn + 1;
    scene.solver->enqueue();
  }
  cuda(cudaGraphExecDestroy(executable));
  cuda(cudaGraphDestroy(graph));
}

TEST_F(CostSolverViews, AGraphIsStaleOnceTheArraysOfSitesHaveGrown) {
  Scene scene;
  scene.draw_box(20, 30);
  scene.update(20, 30);
  scene.solver->solve();
  cuda(cudaStreamBeginCapture(scene.stream, cudaStreamCaptureModeGlobal));
  scene.solver->enqueue();
  cudaGraph_t graph = nullptr;
  cuda(cudaStreamEndCapture(scene.stream, &graph));
  cudaGraphExec_t executable = nullptr;
  cuda(cudaGraphInstantiate(&executable, graph, 0));
  std::vector<std::int64_t> cells;
  std::vector<std::int32_t> labels;
  for (std::size_t cell = 0; cell < 3000; ++cell)
    if (scene.sites[cell] == 0) {
      cells.push_back(static_cast<std::int64_t>(cell));
      labels.push_back(scene.sites[cell] = 3);
    }
  scene.solver->add_sites(
      cells, View<const std::int32_t>(labels.data(), {static_cast<std::int64_t>(labels.size())}));
  scene.solver->solve();
  scene.expect_fresh();
  cuda(cudaGraphLaunch(executable, scene.stream));
  EXPECT_NE(scene.error_of([&] { scene.solver->changes(); }).find("captured anew"),
            std::string::npos);
  scene.draw_box(20, 30);
  scene.update(20, 30);
  scene.solver->solve();
  scene.expect_fresh();
  cuda(cudaGraphExecDestroy(executable));
  cuda(cudaGraphDestroy(graph));
}

/// Lists and marks of tiles go from solve to solve.
TEST_F(CostSolverViews, StayRightForever) {
  Scene scene;
  for (std::int64_t step = 0; step < 200; ++step) {
    scene.draw_box(step % 50, step % 60);
    scene.update(step % 50, step % 60);
    scene.solver->solve();
    if (step % 20 == 0) scene.expect_fresh();
  }
  scene.expect_fresh();
}

TEST_F(CostSolverViews, ACancelledSolveCanBeTriedAgain) {
  Scene scene;
  scene.draw_box(10, 20);
  scene.update(10, 20);
  scene.context->cancel();
  scene.error_of([&] { scene.solver->solve(); });
  scene.solver->solve();
  scene.expect_fresh();
}

}  // namespace
}  // namespace thiessen
