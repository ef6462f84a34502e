// SPDX-License-Identifier: Apache-2.0
//
// run(): every function of the library by its name.
#include "run.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "module.hpp"
#include "thiessen/element_visit.hpp"
#include "value.hpp"
#include "words.hpp"

namespace thiessen::python {
namespace {

/// Up to how many cells an operation takes some milliseconds at most. Others may take longer on the
/// smallest raster.
struct Brief {
  std::string_view operation;
  std::int64_t cells;
  bool is_on_device;  ///< on a CUDA device it only starts the work
};
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kByDistance = 1 << 18;
constexpr std::int64_t kByCost = 1 << 16;
constexpr Brief kBrief[] = {
    {"nearest_site", kByDistance, true},  {"nearest_site_batch", kByDistance, true},
    {"voronoi", kByDistance, true},       {"summarise_slab", kByDistance, true},
    {"finish_slab", kByDistance, true},   {"cost_distance", kByCost, false},
    {"begin_cost_slab", kByCost, false},  {"continue_cost_slab", kByCost, false},
    {"finish_cost_slab", kByCost, false}, {"least_cost_path", kAny, false},
    {"least_cost_line", kAny, false},     {"join_slabs", kAny, false},
    {"combine_slabs", kAny, false},       {"combine_components", kAny, false},
    {"number_components", kAny, false},   {"cost_slab_rows", kAny, false},
};

/// Throws TypeError, where the library would say that an argument is invalid.
void require_type(const std::string& name, ElementType type, ElementType wanted) {
  if (type == wanted) return;
  const std::string message = name + " is of the type " + std::string(name_of(type)) +
                              "; must be " + std::string(name_of(wanted));
  throw nb::type_error(in_words_of_python(message).c_str());
}

/// The number, or its name if it is a choice.
nb::object to_number(const Result& result, const View<const void>& view) {
  return visit_element_type(view.element_type(), [&]<class T>(std::type_identity<T>) -> nb::object {
    T number;
    std::memcpy(&number, view.bytes(), sizeof number);
    if constexpr (std::is_floating_point_v<T>) {
      return nb::float_(static_cast<double>(number));
    } else {
      if (result.choices.empty()) return nb::int_(number);
      return nb::cast(std::string(result.choices[static_cast<std::size_t>(number)]));
    }
  });
}

nb::object to_array(const Result& result, const View<const void>& view) {
  const std::byte* const from = view.bytes();
  const auto bytes =
      static_cast<std::size_t>(view.extents().count()) * size_of(view.element_type());
  if (view.element_type() == ElementType::u8 && !result.is_of_labels) return nb::bytes(from, bytes);
  nb::object memory =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!memory.is_valid()) throw nb::python_error();
  if (bytes > 0) std::memcpy(PyByteArray_AsString(memory.ptr()), from, bytes);
  const nb::object array = nb::module_::import_("numpy").attr("frombuffer")(
      memory, kTypeStrings[static_cast<std::size_t>(view.element_type())].data());
  if (view.rank() == 1) return array;
  nb::list shape;
  for (int axis = 0; axis < view.rank(); ++axis) shape.append(view.extent(axis));
  return array.attr("reshape")(nb::tuple(shape));
}

/// A read-only array in the memory of a list, which it keeps with the call. Its rows have one
/// column.
nb::object to_view(const View<const void>& view, const std::shared_ptr<Call>& call) {
  const nb::capsule held(new std::shared_ptr<Call>(call), [](void* kept) noexcept {
    delete static_cast<std::shared_ptr<Call>*>(kept);
  });
  static const std::int64_t kNothing = 0;  // NumPy takes no null pointer
  const void* const data = view.extent(0) > 0 ? view.bytes() : static_cast<const void*>(&kNothing);
  nb::dict interface;
  interface["version"] = 3;
  interface["shape"] = nb::make_tuple(view.extent(0));
  interface["typestr"] = kTypeStrings[static_cast<std::size_t>(view.element_type())];
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(data), true);
  const nb::object memory = nb::module_::import_("types").attr("SimpleNamespace")(
      nb::arg("__array_interface__") = interface, nb::arg("owner") = held);
  return nb::module_::import_("numpy").attr("asarray")(memory);
}

/// What run() gives: the results, and the warnings.
using Found = std::tuple<nb::dict, Told>;

Found run(std::string_view operation, const nb::dict& inputs, const nb::dict& outputs,
          const nb::dict& options) {
  FilledCall filled(operation, inputs, outputs, options);
  Told told = python::call(to_call_options(options), filled.is_brief(),
                           [&](Context& context) { filled.call().run(context); });
  return {filled.results(), std::move(told)};
}

}  // namespace

FilledCall::FilledCall(std::string_view operation, const nb::dict& inputs, const nb::dict& outputs,
                       const nb::dict& options)
    : call_(std::make_shared<Call>(operation)) {
  arrays_.reserve(inputs.size() + outputs.size());
  for (const auto& [key, object] : inputs) {
    const auto name = nb::cast<std::string>(key);
    const Input& input = find_input(call_->operation(), name);
    const View<const void> view =
        arrays_.emplace_back(Array::readable(name.c_str(), object)).const_view();
    if (view && input.has_type) require_type(name, view.element_type(), input.element);
    call_->set_input(name, view);
    add(view, input.kind == InputKind::points);
  }
  for (const auto& [key, object] : outputs) {
    const auto name = nb::cast<std::string>(key);
    const Output& output = find_output(call_->operation(), name);
    const View<void> view = arrays_.emplace_back(Array::writable(name.c_str(), object)).view();
    if (view && output.type == TypeRule::fixed)
      require_type(name, view.element_type(), output.element);
    call_->set_output(name, view);
    add(view, false);
  }
  set_options(*call_, options);
  if (options.contains("method")) is_exact_ = nb::cast<std::string>(options["method"]) == "exact";
}

void FilledCall::add(const View<const void>& view, bool is_points) {
  if (!view) return;
  is_on_device_ = is_on_device_ || view.space() == MemorySpace::cuda;
  if (is_points)
    points_ = view.rank() > 0 ? view.extent(0) : 0;
  else
    cells_ = std::max(cells_, view.extents().count());
}

bool FilledCall::is_brief() const {
  constexpr std::int64_t kPoints = 1 << 10;
  for (const Brief& brief : kBrief)
    if (brief.operation == call_->operation().name) {
      if (is_on_device_) return brief.is_on_device;
      return is_exact_ && cells_ <= brief.cells && points_ <= kPoints;
    }
  return false;
}

nb::dict FilledCall::results() const {
  nb::dict found;
  for (const Result& result : call_->operation().results) {
    const View<const void> view = call_->output(result.name);
    const nb::str name(result.name.data(), result.name.size());
    found[name] = !result.is_list  ? to_number(result, view)
                  : result.is_view ? to_view(view, call_)
                                   : to_array(result, view);
  }
  return found;
}

void bind_run(nb::module_& module) {
  module.def("run", &run, nb::arg("operation"), nb::arg("inputs"), nb::arg("outputs"),
             nb::arg("options"),
             "Runs an operation of the library by its name. Gives its results by their names, and "
             "kind, count and text of each warning.");
}

}  // namespace thiessen::python
