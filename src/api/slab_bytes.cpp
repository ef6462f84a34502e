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

class Packer {
 public:
  explicit Packer(const std::array<char, 8>& kind) { add(kind.data(), kind.size()); }

  void number(std::int64_t value) { add(&value, sizeof value); }

  void face(const SlabFace& face) {
    number(static_cast<std::int64_t>(face.type));
    number(face.row);
    vector(face.site);
    vector(face.labels);
    vector(face.other);
    vector(face.values);
    vector(face.change);
  }

  template <class T>
  void vector(const std::vector<T>& values) {
    number(static_cast<std::int64_t>(values.size() * sizeof(T)));
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

class Unpacker {
 public:
  Unpacker(const char* name, std::span<const std::byte> bytes, const std::array<char, 8>& kind)
      : name_(name), bytes_(bytes) {
    std::array<char, 8> found{};
    read(found.data(), found.size());
    if (found != kind) fail();
  }

  std::int64_t number() {
    std::int64_t value = 0;
    read(&value, sizeof value);
    return value;
  }

  ElementType type() {
    const std::int64_t value = number();
    if (value < 0 || value > static_cast<std::int64_t>(ElementType::f64)) fail();
    return static_cast<ElementType>(value);
  }

  SlabFace face() {
    SlabFace face;
    face.type = type();
    face.row = static_cast<std::int32_t>(number());
    vector(face.site);
    vector(face.labels);
    vector(face.other);
    vector(face.values);
    vector(face.change);
    return face;
  }

  template <class T>
  void vector(std::vector<T>& values) {
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
  void read(void* to, std::size_t size) {
    if (size > bytes_.size()) fail();
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  [[noreturn]] void fail() const { refuse(name_, "has bytes that no function of slabs gave"); }

  const char* name_;
  std::span<const std::byte> bytes_;
};

/// A number and two faces: what a summary is, and what neighbours are.
std::vector<std::byte> pack(const std::array<char, 8>& kind, std::int64_t number,
                            const SlabFace& upper, const SlabFace& lower) {
  Packer packer(kind);
  packer.number(number);
  packer.face(upper);
  packer.face(lower);
  return packer.take();
}

void unpack(Unpacker unpacker, std::int64_t& number, SlabFace& upper, SlabFace& lower) {
  number = unpacker.number();
  upper = unpacker.face();
  lower = unpacker.face();
  unpacker.end();
}

}  // namespace

std::vector<std::byte> slab_bytes(const SlabSummary& summary) {
  return pack(kSummary, summary.sites, summary.first, summary.last);
}

std::vector<std::byte> slab_bytes(const SlabNeighbours& neighbours) {
  return pack(kNeighbours, neighbours.sites_before, neighbours.above, neighbours.below);
}

std::vector<std::byte> slab_bytes(const SlabFace& face) {
  Packer packer(kFace);
  packer.face(face);
  return packer.take();
}

std::vector<std::byte> slab_bytes(const ComponentsSummary& summary) {
  Packer packer(kComponents);
  packer.number(static_cast<std::int64_t>(summary.type));
  packer.number(summary.count);
  for (const ComponentsFace* const face : {&summary.first, &summary.last}) {
    packer.vector(face->numbers);
    packer.vector(face->values);
  }
  return packer.take();
}

std::vector<std::byte> slab_bytes(const ComponentNumbers& numbers) {
  Packer packer(kComponentNumbers);
  for (const std::int64_t value : {numbers.before, numbers.count, numbers.all})
    packer.number(value);
  packer.vector(numbers.joined);
  return packer.take();
}

SlabSummary slab_summary(std::span<const std::byte> bytes) {
  SlabSummary summary;
  unpack({"summary", bytes, kSummary}, summary.sites, summary.first, summary.last);
  return summary;
}

SlabNeighbours slab_neighbours(std::span<const std::byte> bytes) {
  SlabNeighbours neighbours;
  unpack({"neighbours", bytes, kNeighbours}, neighbours.sites_before, neighbours.above,
         neighbours.below);
  return neighbours;
}

SlabFace slab_face(std::span<const std::byte> bytes) {
  Unpacker unpacker("face", bytes, kFace);
  SlabFace face = unpacker.face();
  unpacker.end();
  return face;
}

ComponentsSummary components_summary(std::span<const std::byte> bytes) {
  Unpacker unpacker("summary", bytes, kComponents);
  ComponentsSummary summary;
  summary.type = unpacker.type();
  summary.count = unpacker.number();
  for (ComponentsFace* const face : {&summary.first, &summary.last}) {
    unpacker.vector(face->numbers);
    unpacker.vector(face->values);
  }
  unpacker.end();
  return summary;
}

ComponentNumbers component_numbers(std::span<const std::byte> bytes) {
  Unpacker unpacker("numbers", bytes, kComponentNumbers);
  ComponentNumbers numbers;
  for (std::int64_t* const value : {&numbers.before, &numbers.count, &numbers.all})
    *value = unpacker.number();
  unpacker.vector(numbers.joined);
  unpacker.end();
  return numbers;
}

}  // namespace thiessen
