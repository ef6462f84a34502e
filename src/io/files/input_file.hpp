// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/io_error.hpp"

namespace thiessen::io {

/// A file, pipe or device that is read once from its beginning to its end.
///
/// It can say how many bytes follow before any memory is allocated for them: a regular file by its
/// size, anything else by reading ahead no farther than requested.
class InputFile {
 public:
  /// Called now and then with the fraction of the file that is read, or 0 where its size is
  /// unknown; what it throws ends the read.
  using Progress = std::function<void(double fraction)>;

  /// Throws Error{io} if the file cannot be opened or is a directory.
  explicit InputFile(std::filesystem::path path, Progress progress = {})
      : path_(std::move(path)), progress_(std::move(progress)) {
    const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) io::fail(path_, "cannot be opened", errno);
    stream_.reset(::fdopen(descriptor, "rb"));
    if (!stream_) {
      ::close(descriptor);
      io::fail(path_, "cannot be opened", ENOMEM);
    }
    // glibc keeps its small buffer unless it is given one.
    buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes);
    std::setvbuf(stream_.get(), buffer_.get(), _IOFBF, kBufferBytes);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) io::fail(path_, "cannot be read", errno);
    if (S_ISDIR(status.st_mode)) io::fail(path_, "cannot be read", EISDIR);
    // Files under /proc are regular and claim to be empty, so they are read as streams.
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
      size_ = static_cast<std::uint64_t>(status.st_size);
    }
  }

  /// Uses bytes in memory as a file; `name` stands for them in messages.
  InputFile(std::filesystem::path name, std::span<const std::byte> bytes)
      : path_(std::move(name)), size_(bytes.size()), ahead_(bytes.begin(), bytes.end()) {}

  const std::filesystem::path& path() const noexcept { return path_; }

  [[noreturn]] void fail(const std::string& what) const { io::fail(path_, what); }

  /// For data that ends too early: throws the system's error or, without one, what is missing.
  [[noreturn]] void fail_short(const std::string& what) const {
    require_no_failure();
    fail(what);
  }

  /// Throws the system's error if the apparent end of the file is a failed read.
  void require_no_failure() const {
    if (error_ != 0) io::fail(path_, "cannot be read", error_);
  }

  /// The number of bytes that follow, but at most `limit`.
  std::uint64_t available(std::uint64_t limit) {
    if (!size_) return std::min<std::uint64_t>(limit, read_ahead(limit));
    return std::min(limit, *size_ > position_ ? *size_ - position_ : 0);
  }

  /// The next bytes, fewer than `count` at the end; they stay unread.
  std::string_view peek(std::size_t count) {
    const auto held = static_cast<std::size_t>(read_ahead(count));
    return {reinterpret_cast<const char*>(ahead_.data()) + taken_, std::min(count, held)};
  }

  /// Reads `count` bytes, or fewer if the file ends or fails.
  std::size_t read_some(std::byte* bytes, std::size_t count) {
    const std::size_t held = std::min(count, ahead_.size() - taken_);
    std::copy_n(ahead_.data() + taken_, held, bytes);
    taken_ += held;
    const std::size_t fresh = held < count ? read_stream(bytes + held, count - held) : 0;
    position_ += held + fresh;
    return held + fresh;
  }

  /// Reads `count` bytes; throws Error{io} if there are fewer.
  void read(std::byte* bytes, std::size_t count) {
    if (read_some(bytes, count) < count) fail_short("ends too early");
  }

  /// How many bytes have been read.
  std::uint64_t position() const noexcept { return position_; }

  /// Goes on reading at a byte of a regular file. Throws Error{io} for anything else.
  void seek(std::uint64_t position) {
    if (!stream_ || !size_)
      fail("is read from its beginning to its end; it must be a regular file");
    if (::fseeko(stream_.get(), static_cast<off_t>(position), SEEK_SET) != 0)
      io::fail(path_, "cannot be read", errno);
    ahead_.clear();
    taken_ = 0;
    position_ = arrived_ = position;
  }

  /// The next byte, or -1 at the end.
  int get() {
    if (position_ % kReportBytes == 0) report(position_);
    if (taken_ < ahead_.size()) {
      ++position_;
      return std::to_integer<int>(ahead_[taken_++]);
    }
    // It may be a macro.
    const int byte = stream_ ? getc_unlocked(stream_.get()) : EOF;
    if (byte != EOF) {
      ++position_;
    } else if (stream_ && std::ferror(stream_.get()) != 0) {
      error_ = errno;
    }
    return byte == EOF ? -1 : byte;
  }

 private:
  struct Close {
    void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
  };

  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
  static constexpr std::uint64_t kSmallestChunk = std::uint64_t{1} << 20;
  static constexpr std::size_t kReportBytes = std::size_t{1} << 22;

  void report(std::uint64_t bytes) const {
    if (!progress_) return;
    progress_(size_ ? std::min(1.0, static_cast<double>(bytes) / static_cast<double>(*size_)) : 0);
  }

  std::size_t read_stream(std::byte* bytes, std::size_t count) {
    if (!stream_) return 0;
    std::size_t got = 0;
    for (bool more = true; more && got < count;) {
      const std::size_t piece =
          std::min<std::size_t>(count - got, kReportBytes - arrived_ % kReportBytes);
      const std::size_t fresh = std::fread(bytes + got, 1, piece, stream_.get());
      if (fresh < piece && std::ferror(stream_.get()) != 0) error_ = errno;
      more = fresh == piece;
      got += fresh;
      arrived_ += fresh;
      if (more && arrived_ % kReportBytes == 0) report(arrived_);
    }
    return got;
  }

  /// Holds `count` unread bytes in memory if there are so many; returns how many it holds. Memory
  /// grows with the bytes that arrive, not with the request.
  std::uint64_t read_ahead(std::uint64_t count) {
    for (std::uint64_t held = ahead_.size() - taken_; stream_ && held < count;) {
      const std::uint64_t wanted = std::min(count - held, std::max(kSmallestChunk, held));
      const std::uint64_t got = append_ahead(static_cast<std::size_t>(wanted));
      held += got;
      if (got < wanted) break;
    }
    return ahead_.size() - taken_;
  }

  std::size_t append_ahead(std::size_t wanted) {
    const std::size_t old = ahead_.size();
    try {
      ahead_.resize(old + wanted);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, one_line(path_.string()) + ": no memory for " +
                                                std::to_string(old + wanted) + " bytes of input");
    }
    const std::size_t got = read_stream(ahead_.data() + old, wanted);
    ahead_.resize(old + got);
    return got;
  }

  std::filesystem::path path_;
  Progress progress_;
  std::unique_ptr<char[]> buffer_;            // of the stream, which must be destroyed first
  std::unique_ptr<std::FILE, Close> stream_;  // null: all is in ahead_
  std::optional<std::uint64_t> size_;         // of a regular file, or of memory
  std::vector<std::byte> ahead_;              // read from the stream, but not all of it by our
                                              // reader
  std::size_t taken_ = 0;                     // bytes of ahead_ that our reader has
  std::uint64_t position_ = 0;
  std::uint64_t arrived_ = 0;  // read from the stream in pieces
  int error_ = 0;              // errno of the first failed read
};

}  // namespace thiessen::io
