// SPDX-License-Identifier: Apache-2.0
//
// Summaries of slabs as objects of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <vector>

namespace thiessen::python {

inline std::span<const std::byte> span_of(const nanobind::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

inline nanobind::bytes bytes_of(const std::vector<std::byte>& bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}

}  // namespace thiessen::python
