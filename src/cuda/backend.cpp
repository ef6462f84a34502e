// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.hpp"

#include <cuda_runtime_api.h>

#include <charconv>
#include <numeric>

#include "cuda/cost/cost.hpp"
#include "cuda/cost/solver/solver.hpp"
#include "cuda/device/session.hpp"
#include "cuda/exact.hpp"
#include "cuda/exact_slab.hpp"
#include "cuda/flood/jump_flood.hpp"
#include "cuda/flood/thrust_jump_flood.hpp"
#include "cuda/raster/brute_force.hpp"
#include "cuda/raster/raster_gpu.hpp"
#include "cuda/several_devices.hpp"
#include "cuda/solvers/nearest_solver.hpp"
#include "cuda/statistics/statistics.hpp"
#include "thiessen/error.hpp"

namespace thiessen {

const Backend& cuda_backend();

namespace {

constexpr MethodEntry kSingleMethods[] = {
    {.method = Method::exact,
     .supports = cuda::supports_exact,
     .run = cuda::run_exact,
     .takes_batch = cuda::takes_batch,
     .takes_weights = true},
    {Method::brute_force, cuda::raster::supports_brute_force, cuda::raster::run_brute_force},
    {Method::raster_gpu, cuda::raster::supports_raster_gpu, cuda::raster::run_raster_gpu},
    {Method::expansion, cuda::raster::supports_expansion, cuda::raster::run_expansion},
    {kThrustMethod.method, cuda::flood::supports_thrust_jump_flood,
     cuda::flood::run_thrust_jump_flood},
};
constexpr auto kMethods = with_flooding(
    kSingleMethods, {Method::jfa, cuda::flood::supports_jump_flood, cuda::flood::run_jump_flood});

constexpr CostMethodEntry kCostMethods[] = {
    {CostMethod::exact, cuda::cost::supports_cost, cuda::cost::run_exact_cost},
    {CostMethod::relaxation, cuda::cost::supports_cost, cuda::cost::run_cost_relaxation},
    {CostMethod::eikonal, cuda::cost::supports_eikonal, cuda::cost::run_eikonal},
};

constexpr SlabEntry kSlabs = {cuda::summarise_slab, cuda::finish_slab};
constexpr StatisticsEntry kStatistics = {cuda::statistics::run_site_statistics,
                                         cuda::statistics::run_adjacency};

/// The devices that the driver finds, or the reason why there are none.
struct Found {
  int count = 0;
  std::string reason;
};

Found find_devices() {
  Found found;
  const cudaError_t status = cudaGetDeviceCount(&found.count);
  if (status == cudaSuccess && found.count > 0) return found;
  cudaGetLastError();
  found.count = 0;
  int driver = 0;
  cudaDriverGetVersion(&driver);
  found.reason = driver == 0             ? "no CUDA driver"
                 : status == cudaSuccess ? "no CUDA device"
                                         : cudaGetErrorString(status);
  return found;
}

DeviceInfo describe(int device) {
  cudaDeviceProp properties{};
  DeviceInfo info;
  info.name = "cuda:" + std::to_string(device);
  info.available = true;
  const cudaError_t status = cudaGetDeviceProperties(&properties, device);
  if (status != cudaSuccess) {
    cudaGetLastError();
    info.available = false;
    info.reason = cudaGetErrorString(status);
    return info;
  }
  info.description = std::string(properties.name) + ", " +
                     std::to_string(properties.totalGlobalMem >> 20) + " MiB, compute capability " +
                     std::to_string(properties.major) + '.' + std::to_string(properties.minor);
  return info;
}

/// The number after "cuda:", or 0 without one.
int device_number(const std::string& name, int count) {
  int number = 0;
  const char* const end = name.data() + name.size();
  const bool bare = name == "cuda";
  const auto [last, error] =
      bare ? std::from_chars_result{end, {}} : std::from_chars(name.data() + 5, end, number);
  if (error != std::errc() || last != end || number < 0 || number >= count)
    throw Error(ErrorCode::invalid_argument,
                {"device", name,
                 "the cuda backend has cuda:0" +
                     (count > 1 ? " to cuda:" + std::to_string(count - 1) : std::string())});
  return number;
}

/// Throws Error if there are none; `name` is what the caller asked for.
int count_devices(const std::string& name) {
  const Found found = find_devices();
  if (found.count == 0) throw Error(ErrorCode::unsupported, {"device", name, found.reason});
  return found.count;
}

/// The numbers in "cuda:0,cuda:1", or all for "cuda:all".
std::vector<int> device_numbers(const std::string& names, int count) {
  if (names == "cuda:all") {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    if (!name.starts_with("cuda:"))
      throw Error(ErrorCode::invalid_argument,
                  {"device", names, "must name devices as cuda:0,cuda:1, or cuda:all"});
    numbers.push_back(device_number(name, count));
    begin = end + 1;
  }
  return numbers;
}

class CudaBackend : public Backend {
 public:
  std::string_view name() const override { return "cuda"; }

  std::vector<DeviceInfo> devices() const override {
    const Found found = find_devices();
    std::vector<DeviceInfo> all;
    if (found.count == 0) all.push_back({"cuda", "", false, found.reason, {}});
    all.reserve(static_cast<std::size_t>(found.count));
    for (int device = 0; device < found.count; ++device) all.push_back(describe(device));
    return all;
  }

  std::span<const MethodEntry> methods() const override { return kMethods; }
  std::span<const CostMethodEntry> cost_methods() const override { return kCostMethods; }
  std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state,
                                                     const CostProblem& problem,
                                                     const CostViews& views,
                                                     const CostSiteTable& sites) const override {
    return cuda::cost::make_cost_solver(state, problem, views, sites);
  }
  const SlabEntry* slabs() const override { return &kSlabs; }
  const StatisticsEntry* statistics() const override { return &kStatistics; }
  const Backend* several() const override;

  std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                           const NearestSolverData& data,
                                                           const FreshCalls&) const override {
    return cuda::solvers::make_nearest_solver(state, data, cuda::search_exact);
  }

  void open(ContextState& state, const ContextOptions& options) const override {
    const int device = device_number(options.device, count_devices(options.device));
    state.device = "cuda:" + std::to_string(device);
    state.session = std::make_unique<cuda::CudaSession>(device, options);
  }
};

constexpr MethodEntry kMethodsOfSeveral[] = {
    {.method = Method::exact,
     .supports = cuda::supports_exact_on_several,
     .run = cuda::run_exact_on_several,
     .takes_weights = true},
};

class SeveralCudaDevices : public Backend {
 public:
  std::string_view name() const override { return "a list of cuda devices"; }
  std::vector<DeviceInfo> devices() const override { return {}; }
  std::span<const MethodEntry> methods() const override { return kMethodsOfSeveral; }

  void open(ContextState& state, const ContextOptions& options) const override {
    if (options.stream != nullptr)
      throw Error(ErrorCode::invalid_argument,
                  {"stream", {}, "is given; several devices have streams of their own"});
    const std::vector<int> numbers = device_numbers(options.device, count_devices(options.device));
    if (numbers.size() == 1) {
      ContextOptions one = options;
      one.device = "cuda:" + std::to_string(numbers.front());
      return cuda_backend().open(state, one);
    }
    state.device.clear();
    for (const int number : numbers)
      state.device += (state.device.empty() ? "cuda:" : ",cuda:") + std::to_string(number);
    state.session = std::make_unique<cuda::SeveralDevices>(state, numbers, options);
  }
};

const Backend* CudaBackend::several() const {
  static const SeveralCudaDevices backend;
  return &backend;
}

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace thiessen
