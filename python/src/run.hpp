// SPDX-License-Identifier: Apache-2.0
//
// A Call of the library that is filled from dicts of Python, and what it finds as a dict.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "api/call/call.hpp"
#include "array.hpp"
#include "calls.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// A call and the arrays that it works on, held as one Array is.
class FilledCall {
 public:
  /// Throws what Array and Call throw.
  FilledCall(std::string_view operation, const nb::dict& inputs, const nb::dict& outputs,
             const nb::dict& options);

  Call& call() { return *call_; }

  /// Cells of the largest array.
  std::int64_t cells() const { return cells_; }
  /// Whether the call is over before anybody would want to stop it.
  bool is_brief() const;

  /// The results by their names: numbers, words, bytes, and arrays of NumPy.
  nb::dict results() const;

  /// The arrays, for one who keeps them longer than the call.
  std::vector<Array> take_arrays() { return std::move(arrays_); }

 private:
  void add(const View<const void>& view, bool is_points);

  std::shared_ptr<Call> call_;  ///< arrays in the memory of its results hold it
  std::vector<Array> arrays_;
  std::int64_t cells_ = 0;
  std::int64_t points_ = 0;
  bool is_on_device_ = false;
  bool is_exact_ = true;
};

}  // namespace thiessen::python
