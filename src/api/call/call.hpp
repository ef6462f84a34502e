// SPDX-License-Identifier: Apache-2.0
//
// A call that is made by names: how C, Python and the command call the library. It is filled, run,
// and may be changed and run again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "api/call/arguments.hpp"
#include "operations/rows/operation.hpp"
#include "thiessen/context.hpp"

namespace thiessen {

class Call {
 public:
  /// Throws Error{invalid_argument} for a name that no operation has.
  explicit Call(std::string_view operation);

  const Operation& operation() const { return operation_; }

  /// Throws Error{invalid_argument} for an unknown name, and for a value of another kind or out of
  /// range. monostate sets the default again.
  void set_option(std::string_view name, const Value& value);

  /// The struct that options are set in: the one of the operation, or what it derives from.
  template <class Options>
  const Options& options() const {
    return *static_cast<const Options*>(arguments_->options);
  }

  /// What the library reads, or writes. An empty view takes it away again.
  void set_input(std::string_view name, const View<const void>& view);
  void set_output(std::string_view name, const View<void>& view);

  /// Has the call make memory for an output when it runs.
  void want(std::string_view name);

  /// An output, or a result. Memory that the call made lasts until it runs again; a call that has
  /// not run to its end has none.
  View<const void> output(std::string_view name) const;

  /// Throws what the function of the library throws.
  void run(Context& context);

  /// Makes the solver of the operation, which keeps the outputs that the call has made.
  Solver make_solver(Context& context);

  /// Runs a call that changes or asks a solver.
  void run_on(Solver& solver);

 private:
  void prepare();
  void check_inputs() const;
  void set_counts();
  void make_outputs();

  const Operation& operation_;
  std::unique_ptr<Arguments> arguments_;
  std::map<const Field*, std::int64_t> counts_;  ///< numbers that stand for choices
  bool has_run_ = false;
  std::map<const Output*, std::shared_ptr<Raster>> own_;
};

}  // namespace thiessen
