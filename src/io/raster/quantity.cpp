// SPDX-License-Identifier: Apache-2.0
#include "io/raster/quantity.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "io/raster/exact.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

void to_quantities(const View<const void>& stored, const Scaling& scaling,
                   const std::optional<LabelValue>& nodata, double* to) {
  visit_element_type(stored.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const from = reinterpret_cast<const T*>(stored.bytes());
    const std::optional<T> missing = nodata ? cast_exactly<T>(*nodata) : std::optional<T>();
    for (std::int64_t i = 0; i < stored.extents().count(); ++i)
      to[i] = missing && from[i] == *missing
                  ? std::numeric_limits<double>::quiet_NaN()
                  : static_cast<double>(from[i]) * scaling.scale + scaling.offset;
  });
}

class QuantityRows : public RowReader {
 public:
  QuantityRows(std::unique_ptr<RowReader> stored, const std::optional<LabelValue>& nodata)
      : stored_(std::move(stored)), nodata_(nodata) {
    head_ = stored_->head();
    head_.type = ElementType::f64;
    head_.nodata = std::numeric_limits<double>::quiet_NaN();
    head_.scaling = {};
  }

  void read(std::int64_t first, std::int64_t count, std::byte* cells) override {
    const RasterHead& from = stored_->head();
    Extents extents = from.grid.extents;
    extents =
        extents.rank() == 2 ? Extents{count, extents[1]} : Extents{count, extents[1], extents[2]};
    if (rows_.extents() != extents) rows_ = Raster(from.type, extents);
    stored_->read(first, count, rows_.bytes());
    to_quantities(std::as_const(rows_).view(), from.scaling, nodata_,
                  reinterpret_cast<double*>(cells));
  }

 private:
  std::unique_ptr<RowReader> stored_;
  std::optional<LabelValue> nodata_;
  Raster rows_;  // as they are stored
};

}  // namespace

Raster quantities(const Raster& stored, const Scaling& scaling,
                  const std::optional<LabelValue>& nodata) {
  Raster result(ElementType::f64, stored.grid());
  to_quantities(stored.view(), scaling, nodata, result.view<double>().data());
  return result;
}

std::unique_ptr<RowReader> quantity_rows(std::unique_ptr<RowReader> stored,
                                         const std::optional<LabelValue>& nodata) {
  if (!stored->head().scaling) return stored;
  return std::make_unique<QuantityRows>(std::move(stored), nodata);
}

}  // namespace thiessen::io
