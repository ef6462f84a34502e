// SPDX-License-Identifier: Apache-2.0
//
// Rows of the inputs, read ahead, and of the outputs, written behind: each on a thread of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "operations/outputs.hpp"
#include "stream/worker.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen {

/// Bytes of the outputs of a call for each cell of a raster with so many axes.
template <class Outputs>
double bytes_of_outputs(const std::vector<StreamedOutput>& outputs, int axes, std::int64_t k) {
  constexpr std::array<std::int64_t, 3> kCell{1, 1, 1};
  const Extents cell(std::span<const std::int64_t>(kCell).first(static_cast<std::size_t>(axes)));
  double bytes = 0;
  for (const StreamedOutput& given : outputs)
    for (const Output& output : TableOf<Outputs>::kRows)
      if (output.name == given.name)
        bytes += static_cast<double>(size_of(given.sink->element_type())) *
                 static_cast<double>(extents_of(output, cell, axes, k).count());
  return bytes;
}

/// The inputs of a slab. A null source has empty views.
class RowInputs {
 public:
  explicit RowInputs(std::vector<RowSource*> sources);
  ~RowInputs();
  RowInputs(const RowInputs&) = delete;
  RowInputs& operator=(const RowInputs&) = delete;

  /// Begins with the first slab of `rows` rows of a part.
  void begin(const SlabRows& part, std::int64_t rows);

  /// The cells of the next slab, a view for each source, valid until the next call. Throws what a
  /// source throws.
  const std::vector<View<const void>>& next();

  /// A slab without rows.
  std::vector<View<const void>> no_rows() const;

 private:
  /// What one slab has of each source.
  struct Slab {
    std::vector<Raster> cells;
    std::vector<View<const void>> views;
  };

  void read_ahead();
  void read(const SlabRows& rows);

  std::vector<RowSource*> sources_;
  std::int64_t rows_ = 0;
  SlabRows left_;  // rows that are not read
  Slab ahead_, here_;
  Worker worker_;
};

/// The outputs of a call. Sinks without memory have two rasters of the stream's: one is computed
/// while the other one is written.
template <class Outputs>
class RowOutputs {
 public:
  RowOutputs(const std::vector<StreamedOutput>& outputs, const Extents& raster, std::int64_t k)
      : raster_(raster), k_(k) {
    for (const StreamedOutput& output : outputs)
      sinks_.push_back({row_of(output.name), output.sink});
  }
  RowOutputs(const RowOutputs&) = delete;
  RowOutputs& operator=(const RowOutputs&) = delete;

  /// The outputs without memory: for what checks the options.
  Outputs without_rows() { return views_of({0, 0}, true); }

  /// The outputs in memory of `rasters`, for a trial of so many rows.
  Outputs aside(std::int64_t count, std::vector<Raster>& rasters) const {
    Outputs out;
    for (const Sink& each : sinks_) {
      const Extents some =
          extents_of(*each.output, slab_extents(raster_, count), raster_.rank(), k_);
      each.output->set(&out, rasters.emplace_back(each.sink->element_type(), some).view());
    }
    return out;
  }

  /// Memory for the results of some rows; those of the call before are being written.
  Outputs next(const SlabRows& rows) {
    if (length_ == 0) length_ = rows.count;
    return views_of(rows, false);
  }

  /// Has what next() gave written.
  void write(const SlabRows& rows) {
    worker_.wait();
    for (Sink& each : sinks_) {
      std::swap(each.computed, each.written);
      each.rows = std::exchange(each.view, {});
    }
    worker_.start([this, rows] {
      for (Sink& each : sinks_) each.sink->write(rows, each.rows);
    });
  }

  /// Waits until all is written.
  void wait() { worker_.wait(); }

  void finish() {
    worker_.start([this] {
      for (Sink& each : sinks_) each.sink->finish();
    });
    worker_.wait();
  }

  /// After an error: the first one is the one to tell.
  void abandon() noexcept {
    try {
      worker_.wait();
    } catch (...) {
    }
    try {
      worker_.start([this] {
        for (Sink& each : sinks_) each.sink->abandon();
      });
      worker_.wait();
    } catch (...) {
    }
  }

 private:
  struct Sink {
    const Output* output;
    RowSink* sink;
    Raster computed = {}, written = {};
    View<void> view = {}, rows = {};
  };

  static const Output* row_of(std::string_view name) {
    for (const Output& output : TableOf<Outputs>::kRows)
      if (output.name == name) return &output;
    refuse("outputs", std::string(name), "is no output of the call");
  }

  Outputs views_of(const SlabRows& rows, bool are_none) {
    Outputs out;
    for (Sink& each : sinks_) {
      each.view = view_of(each, rows, are_none);
      each.output->set(&out, each.view);
    }
    return out;
  }

  View<void> view_of(Sink& each, const SlabRows& rows, bool are_none) {
    const auto shape = [&](std::int64_t count) {
      return extents_of(*each.output, slab_extents(raster_, count), raster_.rank(), k_);
    };
    const ElementType type = each.sink->element_type();
    static std::byte nowhere{};
    if (are_none) return {&nowhere, type, shape(0)};
    if (const View<void> own = each.sink->memory(rows)) return own;
    if (!each.computed) each.computed = Raster(type, shape(length_));
    const View<void> all = each.computed.view();
    return {all.bytes(), type, shape(rows.count), all.strides()};
  }

  Extents raster_;
  std::int64_t k_;
  std::int64_t length_ = 0;  // rows of the rasters
  std::vector<Sink> sinks_;
  Worker worker_;
};

}  // namespace thiessen
