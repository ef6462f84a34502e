// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "thiessen/context.hpp"

namespace thiessen::cli {

/// Has the calls on a context report, as long as it lives: the context may outlive what it reports
/// to, also after an error.
class Reporting {
 public:
  Reporting(Context& context, std::function<void(double fraction)> report) : context_(context) {
    context.on_progress(std::move(report));
  }
  Reporting(const Reporting&) = delete;
  Reporting& operator=(const Reporting&) = delete;
  ~Reporting() { context_.on_progress({}); }

 private:
  Context& context_;
};

}  // namespace thiessen::cli
