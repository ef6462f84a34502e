// SPDX-License-Identifier: Apache-2.0
//
// CostSolver and NearestSiteSolver on a CUDA device: an update and a solve against a fresh call, in
// turn, in one run. Maps, sites and outputs lie on the device, the points that move on the host;
// times are those between two events on the stream, medians. After each kind of change the solver's
// arrays are compared with those of a fresh call, bit for bit.
//
// usage: bench_online_cuda [ROUNDS]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using namespace thiessen;  // NOLINT(google-build-using-namespace)

void cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

template <class T>
class Array {
 public:
  explicit Array(const Extents& extents) : extents_(extents) {
    void* memory = nullptr;
    cuda(cudaMalloc(&memory, bytes()));
    memory_ = static_cast<T*>(memory);
  }
  ~Array() { cudaFree(memory_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  View<T> view() const { return {memory_, extents_, MemorySpace::cuda}; }
  void put(const std::vector<T>& values) const {
    cuda(cudaMemcpy(memory_, values.data(), bytes(), cudaMemcpyHostToDevice));
    cuda(cudaDeviceSynchronize());
  }
  std::vector<T> take() const {
    std::vector<T> values(static_cast<std::size_t>(extents_.count()));
    cuda(cudaMemcpy(values.data(), memory_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(extents_.count()) * sizeof(T); }

  Extents extents_;
  T* memory_ = nullptr;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A stream, and times on it.
class Stream {
 public:
  Stream() {
    cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    cuda(cudaEventCreate(&before_));
    cuda(cudaEventCreate(&after_));
  }
  ~Stream() {
    cudaEventDestroy(before_);
    cudaEventDestroy(after_);
    cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }

  /// Milliseconds on the stream.
  double time(const std::function<void()>& act) const {
    cuda(cudaEventRecord(before_, stream_));
    act();
    cuda(cudaEventRecord(after_, stream_));
    cuda(cudaEventSynchronize(after_));
    float milliseconds = 0;
    cuda(cudaEventElapsedTime(&milliseconds, before_, after_));
    return static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_ = nullptr;
};

/// The times of the rounds of a row.
struct Times {
  std::vector<double> own;
  std::vector<double> fresh;
  std::vector<double> cells;

  void print(const Extents& extents, const std::string& name, bool is_same) const {
    std::string shape;
    for (int axis = 0; axis < extents.rank(); ++axis)
      shape += (axis == 0 ? "" : " x ") + std::to_string(extents[axis]);
    std::printf("| %s | %s | %.0f | %.3f | %.4f | %.4f | %.2f |%s\n", shape.c_str(), name.c_str(),
                median(cells), median(fresh), median(own),
                *std::min_element(own.begin(), own.end()), median(fresh) / median(own),
                is_same ? "" : " DIFFERS FROM THE FRESH CALL");
    std::fflush(stdout);
  }
};

class CostBench {
 public:
  CostBench(const Extents& extents, std::int64_t sites, int rounds)
      : rounds_(rounds),
        extents_(extents),
        map_(extents),
        sites_(extents),
        labels_(extents),
        distance_(extents),
        fresh_labels_(extents),
        fresh_distance_(extents) {
    context_.emplace(ContextOptions{.device = "cuda", .stream = stream_.get()});
    values_ = noise(extents.count());
    site_values_.assign(static_cast<std::size_t>(extents.count()), 0);
    for (std::int32_t i = 1; i <= sites; ++i) site_values_[cell()] = i;
    map_.put(values_);
    sites_.put(site_values_);
    solver_.emplace(*context_, CostMap::stiffness(map_.view()),
                    View<const std::int32_t>(sites_.view()), CostDistanceOptions{},
                    CostDistanceOutputs{.labels = labels_.view(), .distance = distance_.view()});
    call();
  }
  /// Returns whether all answers were those of fresh calls.
  bool run() {
    report(
        "nothing", [] {}, [] {});
    std::vector<std::int64_t> cut(static_cast<std::size_t>(extents_.rank()), 1);
    cut.back() = 10;
    change_box("a cut of 10 cells", cut, true, false);
    change_box("the same by a graph", cut, true, true);
    if (extents_.count() > 1'000'000) {
      const std::int64_t side = extents_.rank() == 2 ? 64 : 16;
      const std::vector<std::int64_t> block(static_cast<std::size_t>(extents_.rank()), side);
      change_box("a block of " + std::to_string(side) + " cells a side", block, false, false);
      change_box("the same by a graph", block, false, true);
    }
    move_site();
    change_box("all values", sizes(), false, false);
    return is_right_;
  }

 private:
  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> all;
    for (int axis = 0; axis < extents_.rank(); ++axis) all.push_back(extents_[axis]);
    return all;
  }
  std::size_t cell() {
    return static_cast<std::size_t>(
        std::uniform_int_distribution<std::int64_t>(0, extents_.count() - 1)(random_));
  }
  std::vector<float> noise(std::int64_t count) {
    std::uniform_real_distribution<float> draw(0.1F, 1);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(draw(random_));
    return values;
  }

  void call() {
    cost_distance(*context_, CostMap::stiffness(map_.view()),
                  View<const std::int32_t>(sites_.view()), CostDistanceOptions{},
                  {.labels = fresh_labels_.view(), .distance = fresh_distance_.view()});
  }

  /// A row of the table; `prepare` is not measured, `update` is.
  void report(const std::string& name, const std::function<void()>& prepare,
              const std::function<void()>& update, bool solves = true) {
    Times times;
    for (int round = 0; round <= rounds_; ++round) {
      prepare();
      const double solver = stream_.time([&] {
        update();
        if (solves) solver_->enqueue();
      });
      const auto changed = static_cast<double>(solver_->changes().cells);
      const double anew = stream_.time([&] { call(); });
      if (round == 0) continue;  // what is made once
      times.own.push_back(solver);
      times.fresh.push_back(anew);
      times.cells.push_back(changed);
    }
    map_.put(values_);
    sites_.put(site_values_);
    call();
    const bool is_same =
        labels_.take() == fresh_labels_.take() && distance_.take() == fresh_distance_.take();
    is_right_ = is_right_ && is_same;
    times.print(extents_, name, is_same);
  }

  /// New values in a box somewhere; the next round begins by putting the old ones back. A graph has
  /// one place.
  void change_box(const std::string& name, const std::vector<std::int64_t>& size, bool is_cut,
                  bool by_graph) {
    const Extents box{std::span<const std::int64_t>(size)};
    const Array<float> values(box);
    std::vector<std::int64_t> first(size.size());
    const auto update = [&] { solver_->update_box(first, View<const float>(values.view())); };
    const auto put = [&](const std::vector<float>& from) {
      values.put(from);
      put_on_host(first, size, from);
    };
    const auto draw = [&] {
      for (std::size_t i = 0; i < size.size(); ++i)
        first[i] = std::uniform_int_distribution<std::int64_t>(
            0, extents_[static_cast<int>(i)] - size[i])(random_);
    };
    std::vector<float> old;
    const auto prepare = [&] {
      if (!old.empty() && box.count() < extents_.count()) {
        put(old);
        update();
        solver_->enqueue();
        solver_->changes();
      }
      if (!by_graph) draw();
      old = taken_from(first, size);
      put(is_cut ? std::vector<float>(static_cast<std::size_t>(box.count()), 0.0F)
                 : noise(box.count()));
    };
    if (!by_graph) return report(name, prepare, update);
    draw();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cuda(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeGlobal));
    update();
    solver_->enqueue();
    cuda(cudaStreamEndCapture(stream_.get(), &graph));
    cuda(cudaGraphInstantiate(&executable, graph, 0));
    report(
        name, prepare, [&] { cuda(cudaGraphLaunch(executable, stream_.get())); }, false);
    cuda(cudaGraphExecDestroy(executable));
    cuda(cudaGraphDestroy(graph));
  }

  template <class Visit>
  void for_each_of_box(const std::vector<std::int64_t>& first,
                       const std::vector<std::int64_t>& size, const Visit& visit) const {
    const Extents box{std::span<const std::int64_t>(size)};
    for (std::int64_t i = 0; i < box.count(); ++i) {
      std::int64_t index = 0;
      std::int64_t stride = 1;
      std::int64_t rest = i;
      for (std::size_t axis = size.size(); axis-- > 0;) {
        index += (first[axis] + rest % size[axis]) * stride;
        rest /= size[axis];
        stride *= extents_[static_cast<int>(axis)];
      }
      visit(static_cast<std::size_t>(i), static_cast<std::size_t>(index));
    }
  }
  std::vector<float> taken_from(const std::vector<std::int64_t>& first,
                                const std::vector<std::int64_t>& size) const {
    std::vector<float> values;
    for_each_of_box(first, size,
                    [&](std::size_t, std::size_t index) { values.push_back(values_[index]); });
    return values;
  }
  void put_on_host(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& size,
                   const std::vector<float>& from) {
    for_each_of_box(first, size,
                    [&](std::size_t i, std::size_t index) { values_[index] = from[i]; });
  }

  void move_site() {
    std::int64_t from = 0;
    std::int64_t to = 0;
    const auto prepare = [&] {
      std::size_t site = cell();
      while (site_values_[site] == 0) site = (site + 1) % site_values_.size();
      std::size_t free = cell();
      while (site_values_[free] != 0) free = cell();
      std::swap(site_values_[site], site_values_[free]);
      from = static_cast<std::int64_t>(site);
      to = static_cast<std::int64_t>(free);
    };
    report("one site moved anywhere", prepare, [&] {
      solver_->move_sites(std::span<const std::int64_t>(&from, 1),
                          std::span<const std::int64_t>(&to, 1));
    });
  }

  int rounds_;
  bool is_right_ = true;
  Extents extents_;
  std::mt19937_64 random_{1};
  Array<float> map_;
  Array<std::int32_t> sites_;
  Array<std::int32_t> labels_;
  Array<float> distance_;
  Array<std::int32_t> fresh_labels_;
  Array<float> fresh_distance_;
  std::vector<float> values_;
  std::vector<std::int32_t> site_values_;
  Stream stream_;
  std::optional<Context> context_;
  std::optional<CostSolver> solver_;
};

/// Points with fractions of a cell, of which some move.
class NearestBench {
 public:
  NearestBench(const Extents& extents, std::int64_t points, int rounds)
      : rounds_(rounds),
        extents_(extents),
        points_({points, extents.rank()}),
        labels_(extents),
        distance_(extents),
        fresh_labels_(extents),
        fresh_distance_(extents),
        context_(ContextOptions{.device = "cuda", .stream = stream_.get()}) {
    for (std::int64_t i = 0; i < points; ++i) draw(coordinates_);
    solver_.emplace(context_, PointList{.coordinates = on_host(coordinates_)},
                    Grid{.extents = extents}, NearestSiteOptions{},
                    NearestSiteOutputs{.labels = labels_.view(), .distance = distance_.view()});
  }

  /// Returns whether all answers were those of fresh calls.
  bool run() {
    const std::int64_t points = points_.view().extent(0);
    bool is_right = true;
    for (const std::int64_t moved : {0, 1, 10, 100})
      if (moved < points) is_right = report(moved) && is_right;
    is_right = report(points) && is_right;
    return is_right;
  }

 private:
  void draw(std::vector<double>& coordinates) {
    for (int axis = 0; axis < extents_.rank(); ++axis)
      coordinates.push_back(
          std::uniform_real_distribution(-0.5, static_cast<double>(extents_[axis]) - 0.5)(random_));
  }
  View<const double> on_host(const std::vector<double>& coordinates) const {
    return {coordinates.data(),
            {std::ssize(coordinates) / extents_.rank(), std::int64_t{extents_.rank()}}};
  }

  /// Moves some points in each round. The move itself is made on the host, the solve on the stream.
  bool report(std::int64_t moved) {
    Times times;
    for (int round = 0; round <= rounds_; ++round) {
      const auto [sites, places] = draw_moves(moved);
      if (moved > 0) solver_->move_sites(sites, on_host(places));
      const double solver = stream_.time([&] { solver_->enqueue(); });
      const auto changed = static_cast<double>(solver_->changes().cells);
      points_.put(coordinates_);
      const double anew = stream_.time([&] { call(); });
      if (round == 0) continue;  // what is made once
      times.own.push_back(solver);
      times.fresh.push_back(anew);
      times.cells.push_back(changed);
    }
    const bool is_same =
        labels_.take() == fresh_labels_.take() && distance_.take() == fresh_distance_.take();
    times.print(
        extents_,
        std::to_string(moved) + " of " + std::to_string(points_.view().extent(0)) + " points moved",
        is_same);
    return is_same;
  }

  std::pair<std::vector<std::int64_t>, std::vector<double>> draw_moves(std::int64_t count) {
    std::vector<std::int64_t> sites(static_cast<std::size_t>(points_.view().extent(0)));
    std::iota(sites.begin(), sites.end(), std::int64_t{0});
    std::shuffle(sites.begin(), sites.end(), random_);
    sites.resize(static_cast<std::size_t>(count));
    std::vector<double> places;
    for (const std::int64_t site : sites) {
      draw(places);
      std::copy(places.end() - extents_.rank(), places.end(),
                coordinates_.begin() + site * extents_.rank());
    }
    return {sites, places};
  }

  void call() {
    voronoi(context_, {.coordinates = View<const double>(points_.view())}, {.extents = extents_},
            {}, {.labels = fresh_labels_.view(), .distance = fresh_distance_.view()});
  }

  int rounds_;
  Extents extents_;
  std::mt19937_64 random_{2};
  std::vector<double> coordinates_;
  Array<double> points_;
  Array<std::int32_t> labels_;
  Array<float> distance_;
  Array<std::int32_t> fresh_labels_;
  Array<float> fresh_distance_;
  Stream stream_;
  Context context_;
  std::optional<NearestSiteSolver> solver_;
};

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 21;
  std::puts(
      "| map | change | cells changed | fresh call, ms | solver, ms | least | fresh / solver |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- |");
  try {
    bool is_right = CostBench({200, 500}, 200, rounds).run();
    is_right = CostBench({4096, 4096}, 10'000, rounds).run() && is_right;
    is_right = CostBench({256, 256, 256}, 1'000, std::min(rounds, 5)).run() && is_right;
    is_right = NearestBench({4096, 4096}, 10'000, rounds).run() && is_right;
    is_right = NearestBench({4096, 4096}, 100, rounds).run() && is_right;
    is_right = NearestBench({256, 256, 256}, 1'000, rounds).run() && is_right;
    return is_right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_online_cuda: %s\n", error.what());
    return 1;
  }
}
