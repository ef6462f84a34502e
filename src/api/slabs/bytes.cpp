// SPDX-License-Identifier: Apache-2.0
//
// Summaries, neighbours and faces of slabs as bytes. They begin with a word that names what follows
// and the version of its layout; numbers are words of 8 bytes, and a vector is its number of bytes
// and these.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "thiessen/slabs/component_slabs.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {
namespace {

constexpr std::array<char, 8> kSummary{'t', 'h', 's', 'l', 'a', 'b', 's', '1'};
constexpr std::array<char, 8> kNeighbours{'t', 'h', 's', 'l', 'a', 'b', 'n', '1'};
constexpr std::array<char, 8> kFace{'t', 'h', 's', 'l', 'a', 'b', 'f', '1'};
constexpr std::array<char, 8> kComponents{'t', 'h', 's', 'l', 'a', 'b', 'c', '1'};
constexpr std::array<char, 8> kComponentNumbers{'t', 'h', 's', 'l', 'a', 'b', 'm', '1'};

/// Writes numbers and vectors.
class Packer {
 public:
  explicit Packer(const std::array<char, 8>& kind) { add(kind.data(), kind.size()); }

  void operator()(std::int64_t value) { add(&value, sizeof value); }
  void operator()(ElementType type) { (*this)(static_cast<std::int64_t>(type)); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(static_cast<std::int64_t>(values.size() * sizeof(T)));
    add(values.data(), values.size() * sizeof(T));
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void add(const void* data, std::size_t size) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    if (size > 0) std::memcpy(bytes_.data() + before, data, size);
  }

  std::vector<std::byte> bytes_;
};

/// Reads them again.
class Unpacker {
 public:
  Unpacker(const char* name, std::span<const std::byte> bytes, const std::array<char, 8>& kind)
      : name_(name), bytes_(bytes) {
    std::array<char, 8> found{};
    read(found.data(), found.size());
    if (found != kind) fail();
  }

  void operator()(std::int64_t& value) { read(&value, sizeof value); }
  void operator()(std::int32_t& value) { value = static_cast<std::int32_t>(number()); }
  void operator()(ElementType& type) {
    const std::int64_t value = number();
    if (value < 0 || value > static_cast<std::int64_t>(ElementType::f64)) fail();
    type = static_cast<ElementType>(value);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    const std::int64_t size = number();
    if (size < 0 || static_cast<std::uint64_t>(size) > bytes_.size() ||
        static_cast<std::uint64_t>(size) % sizeof(T) != 0)
      fail();
    values.resize(static_cast<std::size_t>(size) / sizeof(T));
    read(values.data(), static_cast<std::size_t>(size));
  }

  void end() const {
    if (!bytes_.empty()) fail();
  }

 private:
  std::int64_t number() {
    std::int64_t value = 0;
    (*this)(value);
    return value;
  }
  void read(void* to, std::size_t size) {
    if (size > bytes_.size()) fail();
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  [[noreturn]] void fail() const { refuse(name_, "has bytes that no function of slabs gave"); }

  const char* name_;
  std::span<const std::byte> bytes_;
};

template <class T, class Struct>
concept Is = std::is_same_v<std::remove_const_t<T>, Struct>;

// The members of each struct in the order of their bytes, for packing and unpacking.

template <class Archive, Is<SlabFace> Face>
void pass(Archive& archive, Face& face) {
  archive(face.type);
  archive(face.row);
  archive(face.site);
  archive(face.labels);
  archive(face.other);
  archive(face.values);
  archive(face.change);
}

template <class Archive, Is<SlabSummary> Summary>
void pass(Archive& archive, Summary& summary) {
  archive(summary.sites);
  pass(archive, summary.first);
  pass(archive, summary.last);
}

template <class Archive, Is<SlabNeighbours> Both>
void pass(Archive& archive, Both& neighbours) {
  archive(neighbours.sites_before);
  pass(archive, neighbours.above);
  pass(archive, neighbours.below);
}

template <class Archive, Is<ComponentsSummary> Summary>
void pass(Archive& archive, Summary& summary) {
  archive(summary.type);
  archive(summary.count);
  for (auto* const face : {&summary.first, &summary.last}) {
    archive(face->numbers);
    archive(face->values);
  }
}

template <class Archive, Is<ComponentNumbers> Numbers>
void pass(Archive& archive, Numbers& numbers) {
  archive(numbers.before);
  archive(numbers.count);
  archive(numbers.all);
  archive(numbers.joined);
}

template <class Struct>
std::vector<std::byte> pack(const std::array<char, 8>& kind, const Struct& value) {
  Packer packer(kind);
  pass(packer, value);
  return packer.take();
}

template <class Struct>
Struct unpack(const char* name, std::span<const std::byte> bytes, const std::array<char, 8>& kind) {
  Unpacker unpacker(name, bytes, kind);
  Struct value{};
  pass(unpacker, value);
  unpacker.end();
  return value;
}

}  // namespace

std::vector<std::byte> slab_bytes(const SlabSummary& summary) { return pack(kSummary, summary); }
std::vector<std::byte> slab_bytes(const SlabNeighbours& neighbours) {
  return pack(kNeighbours, neighbours);
}
std::vector<std::byte> slab_bytes(const SlabFace& face) { return pack(kFace, face); }
std::vector<std::byte> slab_bytes(const ComponentsSummary& summary) {
  return pack(kComponents, summary);
}
std::vector<std::byte> slab_bytes(const ComponentNumbers& numbers) {
  return pack(kComponentNumbers, numbers);
}

SlabSummary slab_summary(std::span<const std::byte> bytes) {
  return unpack<SlabSummary>("summary", bytes, kSummary);
}
SlabNeighbours slab_neighbours(std::span<const std::byte> bytes) {
  return unpack<SlabNeighbours>("neighbours", bytes, kNeighbours);
}
SlabFace slab_face(std::span<const std::byte> bytes) {
  return unpack<SlabFace>("face", bytes, kFace);
}
ComponentsSummary components_summary(std::span<const std::byte> bytes) {
  return unpack<ComponentsSummary>("summary", bytes, kComponents);
}
ComponentNumbers component_numbers(std::span<const std::byte> bytes) {
  return unpack<ComponentNumbers>("numbers", bytes, kComponentNumbers);
}

}  // namespace thiessen
