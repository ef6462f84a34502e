// SPDX-License-Identifier: Apache-2.0
//
// thiessen._core: the operations of the C++ library by their names, on objects with the buffer
// protocol and on memory of CUDA devices. What an argument may be, allocation and documentation are
// the package's.
#include "module.hpp"

#include "calls.hpp"
#include "thiessen/error.hpp"
#include "words.hpp"

namespace thiessen::python {
namespace {

PyObject* exception_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return PyExc_ValueError;
    case ErrorCode::out_of_memory:
      return PyExc_MemoryError;
    case ErrorCode::io:
      return PyExc_OSError;
    case ErrorCode::unsupported:
    case ErrorCode::cancelled:
    case ErrorCode::device_failed:
      return PyExc_RuntimeError;
  }
  return PyExc_RuntimeError;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(exception_for(error.code()), in_words_of_python(error.what()).c_str());
  }
}

}  // namespace
}  // namespace thiessen::python

NB_MODULE(_core, module) {
  using namespace thiessen::python;
  nanobind::register_exception_translator(&translate, nullptr);
  // A daemon thread that is in a call when Python ends keeps its options, and the library prints
  // nothing.
  nanobind::set_leak_warnings(false);
  module.attr("VERSION") = THIESSEN_VERSION;
  bind_devices(module);
  bind_dlpack(module);
  bind_mask_scan(module);
  bind_run(module);
  bind_solver(module);
  bind_stream(module);
  module.def("synchronize", &synchronize,
             "Calls the C++ function Context::synchronize() of this thread's contexts.");
  module.def("release_scratch", &release_scratch,
             "Gives back the scratch memory that this thread's contexts hold.");
}
