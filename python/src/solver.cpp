// SPDX-License-Identifier: Apache-2.0
//
// The class Solver: an object that keeps a Context of its own, the arrays of its outputs, and a
// solver of the library.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "run.hpp"

namespace thiessen::python {
namespace {

class SolverObject {
 public:
  SolverObject(std::string_view operation, const nb::dict& inputs, const nb::dict& outputs,
               const nb::dict& options) {
    FilledCall filled(operation, inputs, outputs, options);
    cells_ = filled.cells();
    const CallOptions own = to_call_options(options);
    context_ = std::make_unique<Context>(
        ContextOptions{.device = own.device, .threads = own.threads, .stream = {}});
    told_ = call_on(context_, own, is_brief(),
                    [&](Context& context) { solver_ = filled.call().make_solver(context); });
    arrays_ = filled.take_arrays();
  }

  /// Runs an operation on the solver, from whatever thread; one at a time. One with inputs makes a
  /// change, and takes little time.
  std::tuple<nb::dict, Told> run(std::string_view operation, const nb::dict& inputs,
                                 const nb::dict& options) {
    FilledCall filled(operation, inputs, {}, options);
    const InUse in_use(*this);
    Told told = call_on(context_, to_call_options(options), is_brief() || inputs.size() > 0,
                        [&](Context&) { filled.call().run_on(*solver_); });
    return {filled.results(), std::move(told)};
  }

  /// What the making warned of.
  const Told& told() const { return told_; }

 private:
  class InUse {
   public:
    explicit InUse(SolverObject& solver) : solver_(solver) {
      if (!solver.context_)
        throw std::runtime_error("a call of this solver goes on in the parent of this process");
      if (solver.in_use_.exchange(true))
        throw std::runtime_error("the solver is in use; one call at a time");
    }
    InUse(const InUse&) = delete;
    ~InUse() { solver_.in_use_ = false; }

   private:
    SolverObject& solver_;
  };

  bool is_brief() const {
    constexpr std::int64_t kCells = 1 << 18;
    return cells_ <= kCells;
  }

  std::vector<Array> arrays_;
  std::int64_t cells_ = 0;
  std::unique_ptr<Context> context_;
  Told told_;
  std::optional<Solver> solver_;
  std::atomic<bool> in_use_ = false;
};

}  // namespace

void bind_solver(nb::module_& module) {
  nb::class_<SolverObject>(module, "Solver")
      .def(nb::init<std::string_view, const nb::dict&, const nb::dict&, const nb::dict&>(),
           nb::arg("operation"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("options"))
      .def("run", &SolverObject::run, nb::arg("operation"), nb::arg("inputs"), nb::arg("options"),
           "Runs an operation on the solver: see run().")
      .def("told", &SolverObject::told, "The warnings of the making.");
}

}  // namespace thiessen::python
