// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.hpp"

#include "cpu/brute_force.hpp"
#include "cpu/chamfer.hpp"
#include "cpu/circle_growing.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/dilation.hpp"
#include "cpu/exact.hpp"
#include "cpu/expansion.hpp"
#include "cpu/jump_flood.hpp"
#include "cpu/raster_gpu.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "thiessen/error.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

constexpr Method kExactMethods[] = {
    {"exact", true, cpu::supports_exact, cpu::run_exact},
    {"brute-force", true, cpu::supports_brute_force, cpu::run_brute_force, nullptr, true},
    {"raster-gpu", true, cpu::supports_raster_gpu, cpu::run_raster_gpu},
    {"chamfer", true, cpu::supports_chamfer, cpu::run_chamfer},
    {"circle-growing", true, cpu::supports_circle_growing, cpu::run_circle_growing},
    {"dilation", true, cpu::supports_dilation, cpu::run_dilation},
    {"expansion", true, cpu::supports_expansion, cpu::run_expansion},
};
constexpr auto kMethods = with_flooding(
    kExactMethods, {"", false, cpu::supports_jump_flood, cpu::run_jump_flood, nullptr, true});

constexpr CostMethod kCostMethods[] = {
    {"exact", cpu::supports_cost, cpu::run_exact_cost},
    {"dijkstra", cpu::supports_cost, cpu::run_dijkstra},
    {"relaxation", cpu::supports_cost, cpu::run_relaxation},
};

class CpuBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }

  std::vector<DeviceInfo> devices() const override {
    const int count = processors();
    return {{.name = "cpu",
             .description = std::to_string(count) + (count == 1 ? " processor" : " processors") +
                            " of this machine, instructions " +
                            std::string(cpu::tiles::instruction_set_names().back()),
             .available = true,
             .reason = "",
             .methods = {}}};
  }

  std::span<const Method> methods() const override { return kMethods; }
  std::span<const CostMethod> cost_methods() const override { return kCostMethods; }

  void open(ContextState& state, const ContextOptions& options) const override {
    if (options.device != "cpu" && options.device != "cpu:0")
      throw Error(ErrorCode::invalid_argument,
                  "device = " + options.device + "; the cpu backend has the one device cpu");
    if (options.stream != nullptr)
      throw Error(ErrorCode::invalid_argument, "stream is given; the cpu has none");
    state.device = "cpu";
    state.session = std::make_unique<Session>();
    state.instruction_sets = cpu::tiles::find_instruction_sets(options.instructions);
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace thiessen
