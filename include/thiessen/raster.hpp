// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "thiessen/error.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// A raster that owns its cells: contiguous host memory in C order, not initialised.
class THIESSEN_API Raster {
 public:
  Raster() = default;

  /// Throws out_of_memory with the number of bytes asked for.
  Raster(ElementType type, Grid grid);
  Raster(ElementType type, const Extents& extents) : Raster(type, Grid{.extents = extents}) {}

  /// Becomes a raster of this type and these extents, not initialised. It keeps its memory if that
  /// is enough.
  void resize(ElementType type, const Extents& extents);

  template <class T>
  static Raster of(const Extents& extents) {
    return Raster(detail::element_type_of<T>(), extents);
  }

  /// False for a raster without extents, which stands for a result that was not requested. A raster
  /// without cells is true.
  explicit operator bool() const noexcept { return extents().rank() > 0; }

  ElementType element_type() const noexcept { return type_; }
  const Grid& grid() const noexcept { return grid_; }
  const Extents& extents() const noexcept { return grid_.extents; }
  std::size_t size_bytes() const noexcept { return size_bytes_; }
  std::byte* bytes() noexcept { return bytes_.get(); }
  const std::byte* bytes() const noexcept { return bytes_.get(); }

  View<void> view() noexcept { return {bytes_.get(), type_, grid_.extents}; }
  View<const void> view() const noexcept { return {bytes_.get(), type_, grid_.extents}; }

  /// Typed view; throws invalid_argument if the cells are of another type.
  template <class T>
  View<T> view() {
    require_type(detail::element_type_of<T>());
    return {reinterpret_cast<T*>(bytes_.get()), grid_.extents};
  }
  template <class T>
  View<const T> view() const {
    require_type(detail::element_type_of<T>());
    return {reinterpret_cast<const T*>(bytes_.get()), grid_.extents};
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept;
  };

  void require_type(ElementType wanted) const;

  std::unique_ptr<std::byte[], Free> bytes_;
  Grid grid_;
  std::size_t size_bytes_ = 0;
  std::size_t capacity_ = 0;  ///< bytes of memory, if there is any
  ElementType type_ = ElementType::u8;
};

/// An array that owns its elements, whose type is known at compile time. Its memory is contiguous
/// host memory in C order, not initialised. Array<T> and Raster belong together like View<T> and
/// View<void>.
template <class T>
class Array {
 public:
  Array() = default;
  /// Throws out_of_memory with the number of bytes asked for.
  explicit Array(const Extents& extents) : raster_(Raster::of<T>(extents)) {}

  /// False for an array without extents, which stands for a result that was not requested.
  explicit operator bool() const noexcept { return static_cast<bool>(raster_); }

  const Extents& extents() const noexcept { return raster_.extents(); }
  /// Number of elements.
  std::int64_t size() const { return raster_ ? extents().count() : 0; }

  T* data() noexcept { return reinterpret_cast<T*>(raster_.bytes()); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(raster_.bytes()); }
  T* begin() noexcept { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const noexcept { return data(); }
  const T* end() const { return data() + size(); }

  /// The empty view for an array without extents.
  View<T> view() { return {data(), extents()}; }
  View<const T> view() const { return {data(), extents()}; }

  /// One element; as many indices as axes, unchecked.
  template <class... Index>
  T& operator()(Index... index) {
    return view()(index...);
  }
  template <class... Index>
  const T& operator()(Index... index) const {
    return view()(index...);
  }

 private:
  Raster raster_;
};

}  // namespace thiessen
