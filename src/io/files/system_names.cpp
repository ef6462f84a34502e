// SPDX-License-Identifier: Apache-2.0
#include "io/files/system_names.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace thiessen::io {

namespace fs = std::filesystem;

#ifdef __APPLE__

int open_unnamed(const fs::path&, mode_t) {
  errno = ENOTSUP;
  return -1;
}

int link_descriptor(int, const fs::path&) { return ENOTSUP; }

int rename_if_new(const fs::path& from, const fs::path& to) {
  return ::renamex_np(from.c_str(), to.c_str(), RENAME_EXCL) == 0 ? 0 : errno;
}

int exchange_names(const fs::path& one, const fs::path& other) {
  return ::renamex_np(one.c_str(), other.c_str(), RENAME_SWAP) == 0 ? 0 : errno;
}

#else

int open_unnamed(const fs::path& folder, mode_t mode) {
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int link_descriptor(int descriptor, const fs::path& to) {
  const std::string from = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

namespace {

int rename_with(unsigned flag, const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flag) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
}

}  // namespace

int rename_if_new(const fs::path& from, const fs::path& to) {
  return rename_with(RENAME_NOREPLACE, from, to);
}

int exchange_names(const fs::path& one, const fs::path& other) {
  return rename_with(RENAME_EXCHANGE, one, other);
}

#endif

}  // namespace thiessen::io
