// SPDX-License-Identifier: Apache-2.0
//
// What the classes of solvers share: an object keeps a Context of its own, the arrays of its
// outputs, and the solver of the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "array.hpp"
#include "bytes.hpp"
#include "calls.hpp"
#include "thiessen/changes.hpp"

namespace thiessen::python {

using Indices = std::vector<std::int64_t>;

/// Cells, or positions in a list: a buffer of int64 with one axis.
inline Indices to_indices(const char* name, nb::handle object) {
  const Array array = Array::readable(name, object);
  const View<std::int64_t> view = array.view_of<std::int64_t>(name);
  if (view.rank() != 1)
    throw Error(ErrorCode::invalid_argument, std::string(name) + " must have one axis");
  Indices indices;
  indices.reserve(static_cast<std::size_t>(view.extent(0)));
  for (std::int64_t i = 0; i < view.extent(0); ++i) indices.push_back(view(i));
  return indices;
}

template <class Library, class Call, class Outputs>
class SolverObject {
 public:
  /// `make(context, options, outputs)` makes the solver of the library.
  template <class Make>
  SolverObject(const nb::dict& outputs, const Call& options, std::int64_t cells, const Make& make)
      : arrays_(outputs),
        options_(options),
        cells_(cells),
        context_(std::make_unique<Context>(
            ContextOptions{.device = options.device, .threads = options.threads})) {
    const auto out = arrays_.views();
    told_ = call_on(context_, options, is_brief(),
                    [&](Context& context) { solver_.emplace(make(context, options, out)); });
  }

  /// Makes a change. It takes little time, and the GIL is kept.
  template <class Update>
  auto update(const Update& update) {
    const InUse in_use(*this);
    return update(*solver_);
  }

  nb::tuple solve(const nb::object& progress) {
    const InUse in_use(*this);
    const Changes* changes = nullptr;
    call(progress, [&] { changes = &solver_->solve(); });
    return to_tuple(*changes);
  }

  /// Puts a solve on the stream.
  void enqueue(const nb::object& progress) {
    const InUse in_use(*this);
    call(progress, [&] { solver_->enqueue(); });
  }

  /// What the last solve changed; waits for the device.
  nb::tuple changes() {
    const InUse in_use(*this);
    const Changes* changes = nullptr;
    call(nb::none(), [&] { changes = &solver_->changes(); });
    return to_tuple(*changes);
  }

  /// What the making, the last solve() or changes() warned of.
  const Told& told() const { return told_; }

  /// The cells that the last solve changed.
  nb::tuple changed_cells() {
    const InUse in_use(*this);
    const ChangedCells& cells = solver_->changed_cells();
    return nb::make_tuple(to_bytes(cells.cell), to_bytes(cells.site_before));
  }

 private:
  /// One call at a time, from whatever thread.
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

  template <class Work>
  void call(const nb::object& progress, const Work& work) {
    CallOptions options;
    options.progress = progress;
    told_ = call_on(context_, options, is_brief(), [&](Context&) { work(); });
  }
  static nb::tuple to_tuple(const Changes& changes) {
    return nb::make_tuple(changes.cells, nb::cast(changes.first), nb::cast(changes.last),
                          to_bytes(changes.sites));
  }

  bool is_brief() const {
    constexpr std::int64_t kCells = 1 << 18;
    return cells_ <= kCells;
  }

  Outputs arrays_;
  Call options_;
  std::int64_t cells_;
  std::unique_ptr<Context> context_;
  Told told_;
  std::optional<Library> solver_;
  std::atomic<bool> in_use_ = false;
};

}  // namespace thiessen::python
