// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace thiessen::io {

/// Closes a file descriptor; one below 0 is none.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return number_; }

 private:
  int number_;
};

}  // namespace thiessen::io
