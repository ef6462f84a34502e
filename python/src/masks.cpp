// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "calls.hpp"
#include "mask_scan.hpp"
#include "module.hpp"

namespace thiessen::python {
namespace {

namespace nb = nanobind;

/// The buffer of an array of any number of axes, which the views of the library do not have.
class Buffer {
 public:
  Buffer(const char* name, nb::handle object, const char* format, bool writable) : name_(name) {
    const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) throw nb::python_error();
    if (buffer_.format != nullptr && std::strcmp(buffer_.format, format) == 0) return;
    PyBuffer_Release(&buffer_);
    throw nb::type_error(
        (std::string(name) + " must have elements of the format " + format).c_str());
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { PyBuffer_Release(&buffer_); }

  std::byte* data() const { return static_cast<std::byte*>(buffer_.buf); }
  std::vector<std::int64_t> extents() const {
    return {buffer_.shape, buffer_.shape + buffer_.ndim};
  }
  std::vector<std::int64_t> strides() const {
    return {buffer_.strides, buffer_.strides + buffer_.ndim};
  }
  bool dense() const { return PyBuffer_IsContiguous(&buffer_, 'C') != 0; }

  void require_extents(const std::vector<std::int64_t>& extents) const {
    if (this->extents() == extents) return;
    throw nb::value_error((std::string(name_) + " has another shape than the call needs").c_str());
  }

 private:
  const char* name_;
  Py_buffer buffer_{};
};

void scan(nb::handle distances, nb::handle features, nb::handle mask) {
  const Buffer steps("distances", distances, "i", true);
  const Buffer neighbours("mask", mask, "?", false);
  const std::vector<std::int64_t> extents = steps.extents();
  const std::size_t axes = extents.size();
  if (axes == 0) throw nb::value_error("distances must have one axis or more");
  neighbours.require_extents(std::vector<std::int64_t>(axes, 3));
  if (!neighbours.dense()) throw nb::value_error("mask must be contiguous");

  std::optional<Buffer> sites;
  std::vector<std::int64_t> site_strides(axes + 1);
  if (!features.is_none()) {
    std::vector<std::int64_t> all{static_cast<std::int64_t>(axes)};
    all.insert(all.end(), extents.begin(), extents.end());
    sites.emplace("features", features, "i", true);
    sites->require_extents(all);
    site_strides = sites->strides();
  }
  std::size_t mask_cells = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) mask_cells *= 3;

  const std::vector<std::int64_t> strides = steps.strides();
  WithoutGil without_gil;
  mask_scan(extents, {reinterpret_cast<const bool*>(neighbours.data()), mask_cells},
            {.data = steps.data(), .strides = strides},
            {.data = sites ? sites->data() : nullptr,
             .component_stride = site_strides[0],
             .strides = std::span(site_strides).subspan(1)},
            [&] { without_gil.look_for_signals(); });
}

}  // namespace

void bind_mask_scan(nb::module_& module) {
  module.def("mask_scan", &scan, nb::arg("distances"), nb::kw_only(), nb::arg("features").none(),
             nb::arg("mask"),
             "Two scans of a raster of int32, 0 at its sites, over a mask of 3^n cells.");
}

}  // namespace thiessen::python
