// SPDX-License-Identifier: Apache-2.0
//
// Calls and solvers, for C.
#include <string>
#include <utility>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/handles.hpp"
#include "thiessen/describe.hpp"

namespace {

using thiessen::LabelValue;
using thiessen::Value;
using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::required;
using thiessen::c::to_view;

thiessen_status set_option(thiessen_call* call, const char* option, const Value& value) {
  return at_boundary(
      [&] { required("call", call).call.set_option(&required("option", option), value); });
}

template <class Number>
thiessen_status set_list(thiessen_call* call, const char* option, const Number* numbers,
                         std::size_t count) {
  return at_boundary([&] {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    required("option", option);
    if (count > kMost)
      thiessen::refuse(option, "has " + std::to_string(count) + " numbers; must have at most 2^30");
    if (count > 0) required(option, numbers);
    required("call", call)
        .call.set_option(option, std::vector<LabelValue>(numbers, numbers + count));
  });
}

thiessen_array to_array(const View<const void>& view) {
  thiessen_array array{};
  array.data = const_cast<std::byte*>(view.bytes());  // C has one struct for both
  array.rank = view.rank();
  array.type = static_cast<thiessen_type>(view.element_type());
  array.memory = static_cast<thiessen_memory>(view.space());
  for (int axis = 0; axis < view.rank(); ++axis) {
    array.extents[axis] = view.extent(axis);
    array.strides[axis] = view.stride(axis);
  }
  return array;
}

}  // namespace

thiessen_status thiessen_call_new(const char* operation, thiessen_call** call) {
  return at_boundary([&] {
    required("call", call) = nullptr;
    *call = new thiessen_call{thiessen::Call(&required("operation", operation))};
  });
}

void thiessen_call_free(thiessen_call* call) { delete call; }

thiessen_status thiessen_set_flag(thiessen_call* call, const char* option, int32_t flag) {
  const bool is_flag = flag == 0 || flag == 1;
  return set_option(call, option, is_flag ? Value(flag == 1) : Value(std::int64_t{flag}));
}

thiessen_status thiessen_set_number(thiessen_call* call, const char* option, double number) {
  return set_option(call, option, number);
}

thiessen_status thiessen_set_integer(thiessen_call* call, const char* option, int64_t number) {
  return set_option(call, option, std::int64_t{number});
}

thiessen_status thiessen_set_unsigned(thiessen_call* call, const char* option, uint64_t number) {
  return set_option(call, option, std::uint64_t{number});
}

thiessen_status thiessen_set_text(thiessen_call* call, const char* option, const char* text) {
  return at_boundary([&] {
    required("option", option);
    required("call", call)
        .call.set_option(option, text == nullptr ? Value() : Value(std::string(text)));
  });
}

thiessen_status thiessen_set_numbers(thiessen_call* call, const char* option, const double* numbers,
                                     size_t count) {
  return set_list(call, option, numbers, count);
}

thiessen_status thiessen_set_integers(thiessen_call* call, const char* option,
                                      const int64_t* numbers, size_t count) {
  return set_list(call, option, numbers, count);
}

thiessen_status thiessen_set_unsigneds(thiessen_call* call, const char* option,
                                       const uint64_t* numbers, size_t count) {
  return set_list(call, option, numbers, count);
}

thiessen_status thiessen_set_default(thiessen_call* call, const char* option) {
  return set_option(call, option, {});
}

thiessen_status thiessen_set_input(thiessen_call* call, const char* input,
                                   const thiessen_array* array) {
  return at_boundary([&] {
    required("input", input);
    required("call", call)
        .call.set_input(input, array == nullptr ? View<void>() : to_view(input, *array));
  });
}

thiessen_status thiessen_set_output(thiessen_call* call, const char* output,
                                    const thiessen_array* array) {
  return at_boundary([&] {
    required("output", output);
    required("call", call)
        .call.set_output(output, array == nullptr ? View<void>() : to_view(output, *array));
  });
}

thiessen_status thiessen_want(thiessen_call* call, const char* output) {
  return at_boundary([&] { required("call", call).call.want(&required("output", output)); });
}

thiessen_status thiessen_get_output(const thiessen_call* call, const char* output,
                                    thiessen_array* array) {
  return at_boundary([&] {
    required("array", array) = {};
    *array = to_array(required("call", call).call.output(&required("output", output)));
  });
}

thiessen_status thiessen_run(thiessen_context* context, thiessen_call* call) {
  return at_boundary(
      [&] { required("call", call).call.run(required("context", context).context); });
}

thiessen_status thiessen_solver_new(thiessen_context* context, thiessen_call* call,
                                    thiessen_solver** solver) {
  return at_boundary([&] {
    required("solver", solver) = nullptr;
    thiessen::Context& where = required("context", context).context;
    *solver = new thiessen_solver{required("call", call).call.make_solver(where)};
  });
}

void thiessen_solver_free(thiessen_solver* solver) { delete solver; }

thiessen_status thiessen_solver_run(thiessen_solver* solver, thiessen_call* call) {
  return at_boundary(
      [&] { required("call", call).call.run_on(required("solver", solver).solver); });
}

const char* thiessen_describe(void) {
  try {
    static const std::string text = thiessen::describe();
    return text.c_str();
  } catch (...) {
    return "{}";  // there is no memory for more
  }
}
