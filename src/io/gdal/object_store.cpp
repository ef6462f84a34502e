// SPDX-License-Identifier: Apache-2.0
#include "io/files/object_store.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/access.hpp"
#include "io/files/io_error.hpp"
#include "io/gdal/session.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;  // between two looks at the checkpoint

/// A file system of GDAL, and why nothing is written there; null: objects appear whole there.
struct FileSystem {
  std::string_view prefix;
  const char* why_not;
};

constexpr const char* kIsArchive = "is in an archive, which cannot be replaced safely";
constexpr const char* kShowsParts = "is on a file system that shows a file before it is whole";
constexpr std::array<FileSystem, 14> kFileSystems = {{
    {"/vsis3/", nullptr},
    {"/vsigs/", nullptr},
    {"/vsioss/", nullptr},
    {"/vsiswift/", "is in a store that may end this process where it refuses a file"},  // GDAL 3.6
    {"/vsiaz/", kShowsParts},
    {"/vsiadls/", kShowsParts},
    {"/vsiwebhdfs/", kShowsParts},
    {"/vsihdfs/", kShowsParts},
    {"/vsimem/", "is in the memory of this process, and goes with it"},
    {"/vsizip/", kIsArchive},
    {"/vsitar/", kIsArchive},
    {"/vsigzip/", kIsArchive},
    {"/vsi7z/", kIsArchive},
    {"/vsicurl/", "is on a server that takes no files"},
}};

/// The text that lies behind `begin` in a message, up to one of the characters of `ends`.
std::string text_behind(std::string_view message, std::string_view begin, std::string_view ends) {
  const std::size_t at = message.find(begin);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + begin.size());
  return std::string(message.substr(0, message.find_first_of(ends)));
}

/// While it lives, it keeps the reason that a store gives on this thread. GDAL's own complaint says
/// only what failed; the answer of the store is among its notes for debugging.
class StoreAnswer {
 public:
  StoreAnswer() {
    CPLSetThreadLocalConfigOption("CPL_DEBUG", "ON");
    CPLPushErrorHandlerEx(on_report, this);
  }
  ~StoreAnswer() {
    CPLPopErrorHandler();
    CPLSetThreadLocalConfigOption("CPL_DEBUG", nullptr);
  }
  StoreAnswer(const StoreAnswer&) = delete;
  StoreAnswer& operator=(const StoreAnswer&) = delete;

  std::string reason() const {
    if (!code_.empty()) return ": " + one_line(code_ + ", " + words_);
    const std::string& text = of_network_.empty() ? complaint_ : of_network_;
    return text.empty() ? "" : ": " + one_line(text);
  }

  /// Whether an object that was not found may be there nevertheless, or has no place.
  bool tells_nothing() const {
    return !complaint_.empty() || code_ == "NoSuchBucket" || code_ == "ContainerNotFound";
  }

 private:
  static void CPL_STDCALL on_report(CPLErr severity, CPLErrorNum, const char* message) {
    auto* const self = static_cast<StoreAnswer*>(CPLGetErrorHandlerUserData());
    const std::string code = text_behind(message, "<Code>", "<");
    const std::string of_network = text_behind(message, "curl error msg=", "\n");
    if (!code.empty()) self->code_ = code, self->words_ = text_behind(message, "<Message>", "<\n");
    if (!of_network.empty()) self->of_network_ = of_network;
    if (severity >= CE_Warning && self->complaint_.empty()) self->complaint_ = message;
  }

  std::string code_, words_, of_network_, complaint_;
};

std::uint64_t size_of_file(const fs::path& name, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(name, "cannot be read back", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

/// Some bytes of an open file.
std::size_t read_piece(const fs::path& name, int descriptor, std::uint64_t position,
                       std::vector<std::byte>& piece) {
  ::ssize_t got = -1;
  do {
    got = ::pread(descriptor, piece.data(), piece.size(), static_cast<::off_t>(position));
  } while (got < 0 && errno == EINTR);
  if (got <= 0) fail(name, "cannot be read back", got < 0 ? errno : EIO);
  return static_cast<std::size_t>(got);
}

/// An object while it is written.
class OpenObject {
 public:
  explicit OpenObject(const fs::path& name) : file_(VSIFOpenL(name.c_str(), "wb")) {}
  /// Without close() the object does not appear. GDAL has no call for that, but a seek, which it
  /// refuses, makes it give up the object, and remove the parts that the store has.
  ~OpenObject() {
    if (file_ == nullptr) return;
    VSIFSeekL(file_, VSIFTellL(file_) + 1, SEEK_SET);
    VSIFCloseL(file_);
  }
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;

  bool is_open() const noexcept { return file_ != nullptr; }
  bool write(const std::vector<std::byte>& piece, std::size_t count) {
    return VSIFWriteL(piece.data(), 1, count, file_) == count;
  }
  /// The object appears; false if it does not.
  bool close() { return VSIFCloseL(std::exchange(file_, nullptr)) == 0; }

 private:
  VSILFILE* file_;
};

}  // namespace

void require_object_store(const fs::path& name) {
  constexpr const char* kElse = "; write a file, and copy it there";
  const std::string text = name.string();
  const auto* const found =
      std::find_if(kFileSystems.begin(), kFileSystems.end(),
                   [&](const FileSystem& each) { return text.starts_with(each.prefix); });
  if (found == kFileSystems.end())
    fail(name, std::string("is a name for GDAL alone (/vsi…), and in no store where files appear "
                           "whole, such as /vsis3/") +
                   kElse);
  if (found->why_not != nullptr) fail(name, std::string(found->why_not) + kElse);
  const std::string object = text.substr(found->prefix.size());
  const std::size_t bucket = object.find('/');
  if (bucket == 0 || bucket == std::string::npos || object.ends_with('/'))
    fail(name, "names no object; must be " + std::string(found->prefix) + "BUCKET/NAME");
  if (!access().remote) fail(name, "is on the network, which is asked only with --allow-remote");
}

Stored find_object(const fs::path& name) {
  constexpr int kWhat = VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG;
  const GdalSession session;
  const StoreAnswer answer;
  VSICurlPartialClearCache(name.c_str());  // it may have come since the last look
  VSIStatBufL status;
  if (VSIStatExL(name.c_str(), &status, kWhat) == 0)
    return VSI_ISDIR(status.st_mode) ? Stored::folder : Stored::object;
  if (answer.tells_nothing()) fail(name, "cannot be looked up in its store" + answer.reason());
  return Stored::nothing;
}

void upload_object(const fs::path& name, int descriptor, const Checkpoint& checkpoint) {
  const GdalSession session;
  const std::uint64_t bytes = size_of_file(name, descriptor);
  const StoreAnswer answer;
  const auto check = [&](bool is_done) {
    if (!is_done) fail(name, "cannot be uploaded" + answer.reason());
  };
  OpenObject object(name);
  check(object.is_open());
  std::vector<std::byte> piece(kPieceBytes);
  for (std::uint64_t done = 0; done < bytes;) {
    if (checkpoint) checkpoint();
    const std::size_t count = read_piece(name, descriptor, done, piece);
    check(object.write(piece, count));
    done += count;
  }
  if (checkpoint) checkpoint();
  check(object.close());
}

void remove_object(const fs::path& name) noexcept {
  const GdalSession session;
  const StoreAnswer answer;
  VSIUnlink(name.c_str());
}

}  // namespace thiessen::io
