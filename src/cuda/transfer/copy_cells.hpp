// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Whether kernels can take the elements of a view one by one.
bool is_aligned(const View<const void>& view);

/// Copies the cells of one view in device memory to another one of the same extents and type; any
/// strides, aligned or not.
void copy_cells(const CudaSession& session, const View<const void>& from, const View<void>& to);

}  // namespace transfer
}  // namespace thiessen::cuda
