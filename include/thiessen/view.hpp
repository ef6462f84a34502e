// SPDX-License-Identifier: Apache-2.0
//
// Views of arrays that the caller owns.
//
// A view is an address, an element type, extents and byte strides. The axes are in array order:
// (y, x) or (z, y, x), with one more axis in front for batches, and another for outputs of several
// components. Strides are free, so rows may be padded, reversed or interleaved. View<void> and
// View<const void> carry the element type at run time, and the library's functions take them.
// View<float>, View<const int> and so on are typed views, which convert to the untyped ones by
// themselves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "thiessen/error.hpp"
#include "thiessen/export.hpp"

namespace thiessen {

/// Type of one array element. `boolean` is one byte, zero or not.
enum class ElementType : std::uint8_t { boolean, u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

/// Bytes of one element: 1, 2, 4 or 8.
THIESSEN_API std::size_t size_of(ElementType type) noexcept;

/// Short name of the type: "bool", "u8" … "f64".
THIESSEN_API std::string_view name_of(ElementType type) noexcept;

/// The memory in which the elements lie: memory of the host, or memory that a CUDA device reaches.
enum class MemorySpace : std::uint8_t { host, cuda };

/// Greatest number of axes: three of the raster, one of a batch and one of components.
inline constexpr int kMaxAxes = 5;

/// Sizes along the axes, in array order. Each is 0 or more.
class THIESSEN_API Extents {
 public:
  Extents() = default;
  Extents(std::initializer_list<std::int64_t> sizes)
      : Extents(std::span(sizes.begin(), sizes.size())) {}
  /// Throws invalid_argument for more than kMaxAxes axes or a negative size.
  explicit Extents(std::span<const std::int64_t> sizes);

  int rank() const noexcept { return rank_; }
  std::int64_t operator[](int axis) const { return sizes_[static_cast<std::size_t>(axis)]; }

  /// Number of cells; throws invalid_argument if it does not fit 63 bits.
  std::int64_t count() const;

  bool operator==(const Extents&) const = default;

 private:
  std::array<std::int64_t, kMaxAxes> sizes_{};
  int rank_ = 0;
};

template <class T>
class View;

namespace detail {

template <class T>
constexpr ElementType element_type_of() {
  using U = std::remove_cv_t<T>;
  static_assert(std::is_arithmetic_v<U> && sizeof(U) <= 8, "no such element type");
  if constexpr (std::is_same_v<U, bool>) return ElementType::boolean;
  if constexpr (std::is_floating_point_v<U>)
    return sizeof(U) == 4 ? ElementType::f32 : ElementType::f64;
  constexpr ElementType kSigned[] = {ElementType::i8, ElementType::i16, ElementType::i32,
                                     ElementType::i64};
  constexpr ElementType kUnsigned[] = {ElementType::u8, ElementType::u16, ElementType::u32,
                                       ElementType::u64};
  constexpr int log2 = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
  return std::is_signed_v<U> ? kSigned[log2] : kUnsigned[log2];
}

/// The base of View<void> and View<const void>.
template <class Void>
class ViewBase {
 public:
  static constexpr bool kConst = std::is_const_v<Void>;
  using Byte = std::conditional_t<kConst, const std::byte, std::byte>;
  using Strides = std::array<std::int64_t, kMaxAxes>;

  /// The empty view. As an output it means that the output is not wanted.
  ViewBase() = default;

  /// Contiguous elements in C order.
  ViewBase(Void* data, ElementType type, const Extents& extents,
           MemorySpace space = MemorySpace::host)
      : ViewBase(data, type, extents, c_strides(type, extents), space) {}

  /// Any strides, in bytes; they may be negative or zero.
  ViewBase(Void* data, ElementType type, const Extents& extents, const Strides& strides,
           MemorySpace space = MemorySpace::host)
      : data_(static_cast<Byte*>(data)),
        extents_(extents),
        strides_(strides),
        type_(type),
        space_(space) {}

  /// False for the empty view. A view of a raster without cells is true.
  explicit operator bool() const noexcept { return extents_.rank() > 0; }

  Byte* bytes() const noexcept { return data_; }
  ElementType element_type() const noexcept { return type_; }
  MemorySpace space() const noexcept { return space_; }
  const Extents& extents() const noexcept { return extents_; }
  int rank() const noexcept { return extents_.rank(); }
  std::int64_t extent(int axis) const { return extents_[axis]; }
  /// Bytes from one element to the next along `axis`.
  std::int64_t stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }
  const Strides& strides() const noexcept { return strides_; }

  static Strides c_strides(ElementType type, const Extents& extents) {
    Strides strides{};
    std::uint64_t bytes = size_of(type);  // may wrap for extents that no function accepts
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
      strides[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(bytes);
      bytes *= extents[axis] > 0 ? static_cast<std::uint64_t>(extents[axis]) : 1;
    }
    return strides;
  }

 protected:
  Byte* data_ = nullptr;
  Extents extents_;
  Strides strides_{};
  ElementType type_ = ElementType::u8;
  MemorySpace space_ = MemorySpace::host;
};

}  // namespace detail

/// Writable elements of a type known at run time.
template <>
class View<void> : public detail::ViewBase<void> {
 public:
  using ViewBase::ViewBase;
};

/// Read-only elements of a type known at run time.
template <>
class View<const void> : public detail::ViewBase<const void> {
 public:
  using ViewBase::ViewBase;
  View(const View<void>& other)  // NOLINT(google-explicit-constructor): as T* to const T*
      : ViewBase(other.bytes(), other.element_type(), other.extents(), other.strides(),
                 other.space()) {}
};

/// Elements of a type known at compile time.
template <class T>
class View : public View<std::conditional_t<std::is_const_v<T>, const void, void>> {
 public:
  using Base = View<std::conditional_t<std::is_const_v<T>, const void, void>>;
  using Strides = typename Base::Strides;

  View() = default;

  /// Contiguous elements in C order.
  View(T* data, const Extents& extents, MemorySpace space = MemorySpace::host)
      : Base(data, detail::element_type_of<T>(), extents, space) {}

  /// Any strides, in bytes.
  View(T* data, const Extents& extents, const Strides& strides,
       MemorySpace space = MemorySpace::host)
      : Base(data, detail::element_type_of<T>(), extents, strides, space) {}

  /// As T* to const T*.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, std::remove_const_t<T>>)
      View(const View<U>& other)  // NOLINT(google-explicit-constructor)
      : View(other.data(), other.extents(), other.strides(), other.space()) {}

  T* data() const noexcept { return reinterpret_cast<T*>(this->bytes()); }

  /// One element of a host view; as many indices as axes, unchecked.
  template <class... Index>
  T& operator()(Index... index) const {
    std::int64_t offset = 0;
    int axis = 0;
    ((offset += static_cast<std::int64_t>(index) * this->stride(axis++)), ...);
    return *reinterpret_cast<T*>(this->bytes() + offset);
  }
};

}  // namespace thiessen
