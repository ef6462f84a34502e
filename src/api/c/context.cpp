// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <utility>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/handles.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::required;

}  // namespace

thiessen_status thiessen_context_new(const char* device, int32_t threads, void* stream,
                                     thiessen_context** context) {
  return at_boundary([&] {
    required("context", context) = nullptr;
    thiessen::ContextOptions options;
    if (device != nullptr) options.device = device;
    options.threads = threads;
    options.stream = stream;
    *context = std::make_unique<thiessen_context>(options).release();
  });
}

void thiessen_context_free(thiessen_context* context) { delete context; }

const char* thiessen_context_device(const thiessen_context* context) {
  return context != nullptr ? context->device.c_str() : "";
}

int32_t thiessen_context_threads(const thiessen_context* context) {
  return context != nullptr ? context->context.threads() : 0;
}

size_t thiessen_context_scratch_bytes(const thiessen_context* context) {
  return context != nullptr ? context->context.scratch_bytes() : 0;
}

thiessen_status thiessen_context_release_scratch(thiessen_context* context) {
  return at_boundary([&] { required("context", context).context.release_scratch(); });
}

thiessen_status thiessen_context_synchronize(thiessen_context* context) {
  return at_boundary([&] { required("context", context).context.synchronize(); });
}

const char* thiessen_context_warning(const thiessen_context* context, size_t index,
                                     int64_t* count) {
  if (context == nullptr || index >= context->context.warnings().size()) return nullptr;
  const thiessen::Warning& warning = context->context.warnings()[index];
  if (count != nullptr) *count = warning.count;
  return warning.message.c_str();
}

void thiessen_context_cancel(thiessen_context* context) {
  if (context != nullptr) context->context.cancel();
}

thiessen_status thiessen_context_on_progress(thiessen_context* context, thiessen_progress report,
                                             void* user) {
  return at_boundary([&] {
    std::function<void(double)> call;
    if (report != nullptr)
      call = [context, report, user](double fraction) {
        if (report(fraction, user) != 0) context->context.cancel();
      };
    required("context", context).context.on_progress(std::move(call));
  });
}
