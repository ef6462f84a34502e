// SPDX-License-Identifier: Apache-2.0
#include "cuda/transfer/transfer.hpp"

#include <algorithm>

#include "core/base/cells.hpp"
#include "core/problem/outputs.hpp"
#include "cuda/transfer/copy_cells.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

std::int64_t bytes_of(const View<const void>& view) {
  return view.extents().count() * element_bytes(view);
}

/// A view of packed cells on the device with the shape of `view`.
View<void> packed_like(std::byte* bytes, const View<const void>& view) {
  return {bytes, view.element_type(), view.extents(), MemorySpace::cuda};
}

}  // namespace

std::int64_t weights_in(const ProblemViews& views) {
  return views.sites ? views.sites.extents().count() : views.points.count;
}

std::int64_t host_bytes(const ProblemViews& views) {
  std::int64_t sum = 0;
  const auto add = [&](const View<const void>& view) {
    if (view && view.space() == MemorySpace::host) sum += bytes_of(view);
  };
  add(views.sites);
  add(views.domain);
  for_each_output(views.out, [&](const Output&, const View<void>& view) { add(view); });
  if (views.out.labels && views.labels.bytes() != views.sites.bytes()) add(views.labels);
  if (views.points.at != nullptr)
    sum += views.points.count * static_cast<std::int64_t>(sizeof(Axes));
  if (views.weights.exact != nullptr)
    sum += weights_in(views) * static_cast<std::int64_t>(sizeof(Int128) + sizeof(double));
  return sum;
}

Transfer::Transfer(ContextState& state, const ProblemViews& views)
    : state_(state),
      session_(session_of(state)),
      device_(session_.scratch),
      copies_(state, session_) {
  state.progress.begin(std::max<std::int64_t>(host_bytes(views), 1));
  if (session_.stage_times() != nullptr) session_.stage_times()->begin();
}

Transfer::~Transfer() {
  if (on_host_ && !finished_) cudaStreamSynchronize(session_.stream());
}

void Transfer::use_host() {
  if (!on_host_ && session_.is_capturing())
    throw Error(ErrorCode::unsupported, {"stream",
                                         {},
                                         "is being captured, and an array of the call is on the "
                                         "host; all must be in memory of the device"});
  on_host_ = true;
}

Cells<const std::byte> Transfer::input(const View<const void>& view) {
  if (!view) return {};
  const auto element = static_cast<std::int32_t>(element_bytes(view));
  const bool on_device = view.space() == MemorySpace::cuda;
  if (on_device && is_packed(view) && is_aligned(view)) return {view.bytes(), element};
  if (!on_device) use_host();
  auto* const copy = device_.array<std::byte>(bytes_of(view));
  if (on_device)
    copy_cells(session_, view, packed_like(copy, view));
  else
    copies_.upload(view, copy);
  return {copy, element};
}

std::byte* Transfer::output(const View<void>& view) {
  if (!view) return nullptr;
  const bool on_device = view.space() == MemorySpace::cuda;
  if (on_device && is_packed(view) && is_aligned(view)) return view.bytes();
  if (!on_device) use_host();
  std::byte* const copy = device_.array<std::byte>(bytes_of(view));
  outputs_.push_back({view, copy});
  return copy;
}

void Transfer::finish() {
  for (const Output& output : outputs_) {
    if (output.view.space() == MemorySpace::cuda)
      copy_cells(session_, packed_like(output.copy, output.view), output.view);
    else
      copies_.add_download(output.copy, output.view);
  }
  if (session_.stage_times() != nullptr)
    session_.stage_times()->enter("copy to host", session_.stream());
  copies_.download_all();
  if (on_host_) session_.synchronize();
  finished_ = true;
  if (on_host_ && session_.stage_times() != nullptr)
    session_.stage_times()->report(state_.phases, session_.stream());
}

}  // namespace transfer
}  // namespace thiessen::cuda
