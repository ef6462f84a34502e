// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "run.hpp"

namespace {

/// Opens the standard descriptors that the caller has closed. Else the first files would get them,
/// and messages would be written into these files.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= 2);
  if (descriptor > 2) ::close(descriptor);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    occupy_standard_descriptors();
    return thiessen::cli::run_command_line(argc, argv);
  } catch (...) {  // not even memory for the parser
    std::fputs("thiessen: failed before the command began\n", stderr);
    return 1;
  }
}
