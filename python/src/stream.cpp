// SPDX-License-Identifier: Apache-2.0
//
// The class Stream: a call by rows, which objects of Python give and take.
#include "thiessen/slabs/stream.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "api/call/call.hpp"
#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "operations/tables/distances/nearest_site.hpp"
#include "value.hpp"

namespace thiessen::python {
namespace {

/// An object whose method rows(first, count) gives an array for these rows, of the type of its
/// attribute `like`. It is held until the next but one: so long it is in use.
class RowObject {
 public:
  RowObject(std::string name, nb::handle object)
      : name_(std::move(name)),
        object_(nb::borrow(object)),
        like_(Array::readable(name_.c_str(), object.attr("like"))) {}

  View<const void> like() const { return like_.const_view(); }

  View<void> rows(const SlabRows& rows, Array (*hold)(const char*, nb::handle)) {
    View<void> view;
    with_gil([&] {
      std::optional<Array>& place = held_[next_++ % held_.size()];
      place.reset();
      const nb::object array = object_.attr("rows")(rows.first, rows.count);
      view = place.emplace(hold(name_.c_str(), array)).view();
      if (view.element_type() != like().element_type()) refuse("dtype");
    });
    return view;
  }
  void write(const SlabRows& rows) {
    with_gil([&] { object_.attr("write")(rows.first, rows.count); });
  }
  [[noreturn]] void refuse(const char* what) const {
    throw nb::value_error((name_ + " has given rows of another " + what + " than its own").c_str());
  }

 private:
  std::string name_;
  nb::object object_;
  Array like_;
  std::array<std::optional<Array>, 2> held_;
  std::size_t next_ = 0;
};

/// Its `like` has the shape of the raster, and its rows are contiguous.
class Source final : public RowSource {
 public:
  Source(std::string name, nb::handle object)
      : object_(std::move(name), object), extents_(object_.like().extents()) {}

  ElementType element_type() const override { return object_.like().element_type(); }
  const Extents& extents() const override { return extents_; }
  View<const void> memory(const SlabRows& rows) override {
    const View<void> given = object_.rows(rows, &Array::readable);
    if (given.extents() != slab_extents(extents_, rows.count)) object_.refuse("shape");
    return {given.bytes(), given.element_type(), given.extents()};
  }
  void read(const SlabRows&, std::byte*) override {}  // no cells: others are in memory

 private:
  RowObject object_;
  Extents extents_;
};

/// Its method write(first, count) says that these rows hold what they should.
class Sink final : public RowSink {
 public:
  Sink(std::string name, nb::handle object) : object_(std::move(name), object) {}

  ElementType element_type() const override { return object_.like().element_type(); }
  View<void> memory(const SlabRows& rows) override { return object_.rows(rows, &Array::writable); }
  void write(const SlabRows& rows, const View<const void>&) override { object_.write(rows); }

 private:
  RowObject object_;
};

/// nearest_site() of sites that are a Source, or voronoi() of points; made with the GIL.
class StreamObject {
 public:
  StreamObject(nb::handle sites, nb::handle points, nb::handle point_labels,
               const nb::dict& outputs, const nb::dict& options)
      : points_(Array::readable("points", points)),
        point_labels_(Array::readable("point_labels", point_labels)),
        run_options_(to_call_options(options)) {
    Call call(sites.is_none() ? "voronoi" : "nearest_site");
    set_options(call, options);
    stream_.options = call.options<NearestSiteOptions>();
    if (sites.is_none()) {
      stream_.points = {points_.const_view(), point_labels_.const_view()};
      stream_.grid.extents = Extents(call.options<VoronoiOptions>().shape);
    } else {
      stream_.sites = &sites_.emplace("sites", sites);
    }
    for (const auto& [key, object] : outputs) {
      const auto name = nb::cast<std::string>(key);
      stream_.outputs.push_back({find_output(call.operation(), name).name,
                                 &sinks_.emplace_back("out['" + name + "']", object)});
    }
  }

  /// Rows of a slab, slabs, and bytes that it takes.
  std::tuple<std::int64_t, std::int64_t, double> plan(std::int64_t memory, std::int64_t rows,
                                                      std::int64_t block) {
    python::call(run_options_, true, [&](Context& context) {
      plan_ = plan_stream(context, stream_,
                          {.memory = memory, .rows = rows, .block = block, .of_process = 0});
    });
    return {plan_.rows, plan_.slabs, plan_.bytes};
  }

  Told run() {
    return python::call(run_options_, false,
                        [&](Context& context) { stream(context, stream_, plan_); });
  }

 private:
  Array points_, point_labels_;
  CallOptions run_options_;
  std::optional<Source> sites_;
  std::deque<Sink> sinks_;
  NearestSiteStream stream_;
  StreamPlan plan_;
};

}  // namespace

void bind_stream(nb::module_& module) {
  nb::class_<StreamObject>(module, "Stream", "A call by rows, which objects give and take.")
      .def(nb::init<nb::handle, nb::handle, nb::handle, const nb::dict&, const nb::dict&>(),
           nb::arg("sites").none(), nb::arg("points").none(), nb::arg("point_labels").none(),
           nb::arg("outputs"), nb::arg("options"))
      .def("plan", &StreamObject::plan, nb::arg("memory"), nb::arg("rows"), nb::arg("block"),
           "Rows of a slab, slabs, and bytes that it takes.")
      .def("run", &StreamObject::run, "Gives kind, count and text of each warning.");
}

}  // namespace thiessen::python
