// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace thiessen::python {

void bind_component_slabs(nanobind::module_& module);
void bind_nearest_site(nanobind::module_& module);
void bind_nearest_site_solver(nanobind::module_& module);
void bind_cost_solver(nanobind::module_& module);
void bind_cost_distance(nanobind::module_& module);
void bind_coverage(nanobind::module_& module);
void bind_placing(nanobind::module_& module);
void bind_polygons(nanobind::module_& module);
void bind_rasters(nanobind::module_& module);
void bind_compare(nanobind::module_& module);
void bind_render(nanobind::module_& module);
void bind_dlpack(nanobind::module_& module);
void bind_devices(nanobind::module_& module);
void bind_mask_scan(nanobind::module_& module);
void bind_slabs(nanobind::module_& module);
void bind_statistics(nanobind::module_& module);

}  // namespace thiessen::python
