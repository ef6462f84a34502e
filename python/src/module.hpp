// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace thiessen::python {

void bind_devices(nanobind::module_& module);
void bind_dlpack(nanobind::module_& module);
void bind_mask_scan(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_solver(nanobind::module_& module);
void bind_stream(nanobind::module_& module);

}  // namespace thiessen::python
