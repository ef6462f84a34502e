// SPDX-License-Identifier: Apache-2.0
//
// The C API for tests: what is filled from views and lists, and freed at the end.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "operations/rows/operation.hpp"
#include "thiessen/thiessen.h"
#include "thiessen/view.hpp"

namespace thiessen::testing {

inline thiessen_array to_array(const View<const void>& view) {
  thiessen_array array{};
  array.data = const_cast<std::byte*>(view.bytes());
  array.rank = view.rank();
  array.type = static_cast<thiessen_type>(view.element_type());
  for (int axis = 0; axis < view.rank(); ++axis) {
    array.extents[axis] = view.extent(axis);
    array.strides[axis] = view.stride(axis);
  }
  return array;
}

template <class T>
View<const T> list_view(const std::vector<T>& list) {
  return {list.data(), {static_cast<std::int64_t>(list.size())}};
}

/// Elements in C order, as bytes.
inline std::vector<std::byte> bytes_of(const thiessen_array& array) {
  const std::size_t size = size_of(static_cast<ElementType>(array.type));
  std::int64_t count = array.rank > 0 ? 1 : 0;
  for (int axis = 0; axis < array.rank; ++axis) count *= array.extents[axis];
  const auto* const first = static_cast<const std::byte*>(array.data);
  return {first, first + static_cast<std::size_t>(count) * size};
}

/// A context on the CPU.
class CContext {
 public:
  CContext() { EXPECT_EQ(thiessen_context_new("cpu", 1, nullptr, &context_), THIESSEN_OK); }
  ~CContext() { thiessen_context_free(context_); }
  CContext(const CContext&) = delete;
  CContext& operator=(const CContext&) = delete;

  thiessen_context* get() const { return context_; }

 private:
  thiessen_context* context_ = nullptr;
};

/// A call whose setters are expected to succeed.
class CCall {
 public:
  explicit CCall(std::string_view operation) : operation_(find_operation(operation)) {
    expect(thiessen_call_new(std::string(operation).c_str(), &call_));
  }
  ~CCall() { thiessen_call_free(call_); }
  CCall(const CCall&) = delete;
  CCall& operator=(const CCall&) = delete;

  thiessen_call* get() const { return call_; }

  CCall& number(const char* name, double value) {
    return expect(thiessen_set_number(call_, name, value));
  }
  CCall& integer(const char* name, std::int64_t value) {
    return expect(thiessen_set_integer(call_, name, value));
  }
  CCall& flag(const char* name) { return expect(thiessen_set_flag(call_, name, 1)); }
  CCall& text(const char* name, const char* value) {
    return expect(thiessen_set_text(call_, name, value));
  }
  CCall& numbers(const char* name, const std::vector<double>& values) {
    return expect(thiessen_set_numbers(call_, name, values.data(), values.size()));
  }
  CCall& integers(const char* name, const std::vector<std::int64_t>& values) {
    return expect(thiessen_set_integers(call_, name, values.data(), values.size()));
  }
  CCall& input(const char* name, const View<const void>& view) {
    const thiessen_array array = to_array(view);
    return expect(thiessen_set_input(call_, name, &array));
  }
  CCall& output(const char* name, const View<void>& view) {
    const thiessen_array array = to_array(view);
    return expect(thiessen_set_output(call_, name, &array));
  }
  CCall& want(const char* name) { return expect(thiessen_want(call_, name)); }

  void run(const CContext& context) { expect(thiessen_run(context.get(), call_)); }
  void run(thiessen_solver* solver) { expect(thiessen_solver_run(solver, call_)); }

  /// What the library says of the run; empty if it did.
  std::string refusal(const CContext& context) {
    return thiessen_run(context.get(), call_) == THIESSEN_OK ? "" : thiessen_last_error();
  }
  std::string refusal(thiessen_solver* solver) {
    return thiessen_solver_run(solver, call_) == THIESSEN_OK ? "" : thiessen_last_error();
  }

  thiessen_array get(const char* name) const {
    thiessen_array array{};
    EXPECT_EQ(thiessen_get_output(call_, name, &array), THIESSEN_OK) << name;
    return array;
  }
  template <class T>
  std::vector<T> list(const char* name) const {
    const thiessen_array array = get(name);
    EXPECT_EQ(array.type, static_cast<thiessen_type>(detail::element_type_of<T>())) << name;
    const std::vector<std::byte> bytes = bytes_of(array);
    std::vector<T> list(bytes.size() / sizeof(T));
    if (!list.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }

  /// Expects the same elements, type and extents as in the struct of results of C++.
  template <class Results>
  void expect_results(const Results& results) const {
    for (const Result& row : operation_.results) expect_same(row.name, row.view(row, &results));
  }
  /// The same of the outputs that are there in the struct of views of C++.
  template <class Outputs>
  void expect_outputs(const Outputs& outputs) const {
    for (const thiessen::Output& row : operation_.outputs)
      if (const View<void> view = row.get(&outputs)) expect_same(row.name, view);
  }
  void expect_same(std::string_view name, const View<const void>& expected) const {
    const thiessen_array found = get(std::string(name).c_str());
    const thiessen_array wanted = to_array(expected);
    EXPECT_EQ(found.type, wanted.type) << name;
    EXPECT_EQ(found.rank, wanted.rank) << name;
    for (int axis = 0; axis < wanted.rank; ++axis)
      EXPECT_EQ(found.extents[axis], wanted.extents[axis]) << name;
    EXPECT_EQ(bytes_of(found), bytes_of(wanted)) << name;
  }

 private:
  CCall& expect(thiessen_status status) {
    EXPECT_EQ(status, THIESSEN_OK) << operation_.name << ": " << thiessen_last_error();
    return *this;
  }

  const Operation& operation_;
  thiessen_call* call_ = nullptr;
};

/// A solver of a call.
class CSolver {
 public:
  CSolver(const CContext& context, const CCall& call) {
    EXPECT_EQ(thiessen_solver_new(context.get(), call.get(), &solver_), THIESSEN_OK)
        << thiessen_last_error();
  }
  ~CSolver() { thiessen_solver_free(solver_); }
  CSolver(const CSolver&) = delete;
  CSolver& operator=(const CSolver&) = delete;

  thiessen_solver* get() const { return solver_; }

 private:
  thiessen_solver* solver_ = nullptr;
};

}  // namespace thiessen::testing
