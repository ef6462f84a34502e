// SPDX-License-Identifier: Apache-2.0
//
// A file without a name, which is linked at the end, where the file system can do that; else a file
// with a hidden name and a lock. A folder always has the latter.
#include "io/files/hidden_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "io/files/descriptor.hpp"
#include "io/files/lower_case.hpp"
#include "io/files/system_names.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestStem = 120;  // leaves room below the usual limit of 255 bytes a name
constexpr int kMostAttempts = 1000;
constexpr std::string_view kSuffix = ".part";
constexpr mode_t kUsualMode = 0666;  // minus the umask
constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kOwnerEnters = 0700;

fs::path folder_of(const fs::path& destination) {
  return destination.has_parent_path() ? destination.parent_path() : fs::path(".");
}

/// A part of all hidden names of this machine. Other machines may share the folder but not our
/// locks.
const std::string& machine_tag() {
  static const std::string tag = [] {
    std::array<char, 65> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
    return ".thiessen-" + std::string(name.data()) + "-";
  }();
  return tag;
}

fs::path hidden_name(const fs::path& destination) {
  static std::atomic<unsigned> counter{0};
  const std::string stem = destination.filename().string().substr(0, kLongestStem);
  return folder_of(destination) / ("." + stem + machine_tag() + std::to_string(::getpid()) + "-" +
                                   std::to_string(counter++) + std::string(kSuffix));
}

bool is_hidden_name(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kSuffix)) return false;
  name.remove_suffix(kSuffix.size());
  const std::size_t tag = name.rfind(machine_tag());
  if (tag == std::string_view::npos) return false;
  name.remove_prefix(tag + machine_tag().size());
  return !name.empty() && name.find_first_not_of("0123456789-") == std::string_view::npos;
}

/// Opens a file without a name, with a lock in case it gets a hidden one.
int open_locked(const fs::path& folder, mode_t mode) {
  const int descriptor = open_unnamed(folder, mode);
  if (descriptor >= 0) ::flock(descriptor, LOCK_EX | LOCK_NB);
  return descriptor;
}

/// Whether this name is still that of the open file or folder.
bool still_has_name(int descriptor, int folder, const char* name) {
  struct stat held {};
  struct stat named {};
  return ::fstat(descriptor, &held) == 0 &&
         ::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/// Removes a hidden file or folder unless a process holds its lock, or the file system has no
/// locks.
void remove_if_abandoned(const fs::path& path, int folder, const char* name) {
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  int number = ::openat(folder, name, O_RDWR | kFlags);
  if (number < 0) number = ::openat(folder, name, O_RDONLY | kFlags);
  const Descriptor file(number);
  if (number < 0 || ::flock(number, LOCK_EX | LOCK_NB) != 0) return;
  struct stat held {};
  if (::fstat(number, &held) != 0 || !still_has_name(number, folder, name)) return;
  std::error_code none;
  if (S_ISREG(held.st_mode)) ::unlinkat(folder, name, 0);
  if (S_ISDIR(held.st_mode)) fs::remove_all(path / name, none);
}

void remove_abandoned_files(const fs::path& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* const entry = ::readdir(entries.get()))
    if (is_hidden_name(entry->d_name))
      remove_if_abandoned(folder, ::dirfd(entries.get()), entry->d_name);
}

/// Whether a folder takes an unnamed file and lets it get a name. It is tried, since an hour of
/// work may depend on it.
bool takes_unnamed_files(const fs::path& folder) {
  const char* const wish = std::getenv("THIESSEN_UNNAMED_FILES");
  if (wish != nullptr && std::string_view(wish) == "0") return false;
  const Descriptor trial(open_locked(folder, kOwnerOnly));
  const fs::path name = hidden_name(folder / "trial");
  if (trial.get() < 0 || link_descriptor(trial.get(), name) != 0) return false;
  ::unlink(name.c_str());
  return true;
}

/// Tests a folder when the process first writes there. Returns whether it takes unnamed files.
bool prepare(const fs::path& folder) {
  static std::mutex mutex;
  static std::map<fs::path, bool> prepared;
  const std::lock_guard lock(mutex);
  const auto found = prepared.find(folder);
  if (found != prepared.end()) return found->second;
  remove_abandoned_files(folder);
  return prepared.emplace(folder, takes_unnamed_files(folder)).first->second;
}

/// Some file systems have nothing to sync.
int result_of_sync(int result) { return result == 0 || errno == EINVAL ? 0 : errno; }

int sync_folder(const fs::path& folder) {
  const Descriptor entries(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that can be written but not read cannot be synced.
  return entries.get() < 0 ? 0 : result_of_sync(::fsync(entries.get()));
}

/// Gives a file or folder the attributes of the one that it will replace, as far as permitted.
/// Nobody may get more rights than before: one of our groups does not get those of another group,
/// and set-id bits are dropped.
void adopt_attributes(int descriptor, const fs::path& destination) {
  struct stat replaced {};
  if (::stat(destination.c_str(), &replaced) != 0) return;
  mode_t mode = replaced.st_mode & 07777;
  const bool has_group = ::fchown(descriptor, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  const bool has_owner = ::fchown(descriptor, replaced.st_uid, static_cast<gid_t>(-1)) == 0;
  if (!has_group || !has_owner) mode &= 0777;
  if (!has_group) mode = (mode & 0707) | (mode & (mode << 3) & 0070);
  ::fchmod(descriptor, mode);
}

int sync_file(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.get() < 0 ? errno : result_of_sync(::fsync(file.get()));
}

bool has_entry(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

int rename_file(const fs::path& from, const fs::path& to) {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Renames without replacing anything.
int rename_to_new(const fs::path& from, const fs::path& to) {
  const int result = rename_if_new(from, to);
  if (result != ENOTSUP) return result;
  // The file system does not know it: only the last check for that name is lost.
  return has_entry(to) ? EEXIST : rename_file(from, to);
}

/// The files that may lie beside a file and tell about what it holds, as GDAL, QGIS and SQLite keep
/// them: overviews, names of values, an index, a journal. They do not hold for a file that replaces
/// it.
std::vector<fs::path> companions_of(const fs::path& file) {
  std::vector<fs::path> files;
  const auto append = [&](std::initializer_list<const char*> suffixes, const fs::path& stem) {
    for (const char* const suffix : suffixes) files.emplace_back(stem.string() + suffix);
  };
  append({".aux.xml", ".ovr", ".msk"}, file);
  const std::string suffix = lower_case(file.extension().string());
  if (suffix == ".gpkg") append({"-wal", "-shm", "-journal"}, file);
  if (suffix == ".shp")
    append({".prj", ".cpg", ".qix", ".sbn", ".sbx", ".qpj"}, fs::path(file).replace_extension());
  return files;
}

/// Tries until it is done, or something but the name is wrong: then returns that value of errno.
template <class Try>
int attempt(const Try& is_done) {
  for (int i = 0; i < kMostAttempts; ++i) {
    if (is_done()) return 0;
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

}  // namespace

HiddenEntry::HiddenEntry(HiddenEntry&& other) noexcept
    : destination_(std::move(other.destination_)),
      name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {
  other.name_.clear();
}

int HiddenFile::create(const fs::path& destination, bool named) {
  destination_ = destination;
  struct stat replaced {};
  const bool replaces = ::stat(destination_.c_str(), &replaced) == 0;
  if (prepare(folder_of(destination_)) && !named)
    descriptor_ = open_locked(folder_of(destination_), kUsualMode);
  const mode_t mode = replaces ? kOwnerOnly : kUsualMode;
  const int reason = exists() ? 0 : attempt([&] { return try_to_create_named(mode); });
  if (reason == 0 && replaces) adopt_attributes(descriptor_, destination_);
  return reason;
}

/// Sets errno to EEXIST if another name is worth a try.
bool HiddenFile::try_to_create_named(unsigned mode) {
  name_ = hidden_name(destination_);
  descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor_ < 0) {
    name_.clear();
    return false;
  }
  // Between the two calls another process may have taken it for abandoned.
  const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  struct stat status {};
  if (locked && ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return true;
  discard();
  errno = EEXIST;
  return false;
}

int HiddenFile::sync() const { return result_of_sync(::fsync(descriptor_)); }

int HiddenFile::move_into_place(bool replace) {
  const bool replaces = replace && has_entry(destination_);
  const int reason = name_.empty() ? link_unnamed(replace) : rename_named(replace);
  if (reason != 0) return reason;
  if (replaces)
    for (const fs::path& file : companions_of(destination_)) ::unlink(file.c_str());
  name_.clear();
  discard();
  return sync_folder(folder_of(destination_));
}

int HiddenFile::link_unnamed(bool replace) {
  const int reason = link_descriptor(descriptor_, destination_);
  if (reason != EEXIST || !replace) return reason;
  // Linking replaces nothing, renaming does.
  const int of_link = attempt([&] {
    name_ = hidden_name(destination_);
    return link_descriptor(descriptor_, name_) == 0;
  });
  if (of_link == 0) return rename_named(replace);
  name_.clear();
  return of_link;
}

int HiddenFile::rename_named(bool replace) {
  if (!replace) {
    if (::link(name_.c_str(), destination_.c_str()) == 0) {
      ::unlink(name_.c_str());
      return 0;
    }
    if (errno == EEXIST) return EEXIST;
    // The file system has no hard links: only the last check for a file with that name is lost.
  }
  return rename_file(name_, destination_);
}

void HiddenFile::discard() noexcept {
  if (!name_.empty()) ::unlink(name_.c_str());
  name_.clear();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

int HiddenFolder::create(const fs::path& destination) {
  destination_ = destination;
  prepare(folder_of(destination_));
  return attempt([&] { return try_to_create(); });
}

/// Sets errno to EEXIST if another name is worth a try.
bool HiddenFolder::try_to_create() {
  name_ = hidden_name(destination_);
  if (::mkdir(name_.c_str(), kOwnerEnters) != 0) {
    const int reason = errno;
    name_.clear();
    errno = reason;
    return false;
  }
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  // Between the two calls another process may have taken it for abandoned.
  if (descriptor_ >= 0 && locked && still_has_name(descriptor_, AT_FDCWD, name_.c_str()))
    return true;
  discard();
  errno = EEXIST;
  return false;
}

int HiddenFolder::sync() const {
  std::error_code problem;
  fs::recursive_directory_iterator entries(name_, problem);
  for (; !problem && entries != fs::recursive_directory_iterator(); entries.increment(problem)) {
    const int reason = entries->is_symlink() ? 0 : sync_file(entries->path());
    if (reason != 0) return reason;
  }
  return problem ? problem.value() : result_of_sync(::fsync(descriptor_));
}

std::vector<fs::path> HiddenFolder::files_beside() const {
  std::vector<fs::path> names;
  std::error_code problem;
  fs::directory_iterator entries(name_, problem);
  for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
    const fs::path name = entries->path().filename();
    if (name != destination_.filename()) names.push_back(name);
  }
  return names;
}

int HiddenFolder::move_into_place(bool replace) {
  const fs::path folder = folder_of(destination_);
  const std::vector<fs::path> beside = files_beside();
  std::size_t moved = 0;
  int reason = 0;
  for (; reason == 0 && moved < beside.size(); moved += reason == 0 ? 1 : 0) {
    const fs::path to = folder / beside[moved];
    reason =
        replace ? rename_file(name_ / beside[moved], to) : rename_to_new(name_ / beside[moved], to);
  }
  if (reason == 0) reason = move_destination(replace);
  if (reason != 0) {
    for (std::size_t i = 0; i < moved && !replace; ++i) ::unlink((folder / beside[i]).c_str());
    return reason;
  }
  discard();
  return sync_folder(folder);
}

int HiddenFolder::move_destination(bool replace) const {
  if (!replace) return rename_to_new(inside(), destination_);
  struct stat before {};
  struct stat after {};
  const bool replaces = ::stat(destination_.c_str(), &before) == 0;
  if (replaces && ::stat(inside().c_str(), &after) == 0 &&
      (before.st_mode & S_IFMT) == (after.st_mode & S_IFMT)) {
    const Descriptor moved(::open(inside().c_str(), O_RDONLY | O_CLOEXEC));
    adopt_attributes(moved.get(), destination_);
  }
  if (replaces)
    for (const fs::path& file : companions_of(destination_))
      if (!has_entry(name_ / file.filename())) ::unlink(file.c_str());
  const int reason = rename_file(inside(), destination_);
  const bool is_folder =
      reason == EISDIR || reason == ENOTDIR || reason == ENOTEMPTY || reason == EEXIST;
  return is_folder ? exchange() : reason;
}

/// A folder takes no name that another one has, but two can change their places.
int HiddenFolder::exchange() const {
  if (const int reason = exchange_names(inside(), destination_); reason != ENOTSUP) return reason;
  const fs::path old = name_ / "replaced";
  int reason = rename_file(destination_, old);
  if (reason != 0) return reason;
  reason = rename_file(inside(), destination_);
  if (reason != 0) ::rename(old.c_str(), destination_.c_str());
  return reason;
}

void HiddenFolder::discard() noexcept {
  std::error_code none;
  if (!name_.empty()) fs::remove_all(name_, none);
  name_.clear();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace thiessen::io
