// SPDX-License-Identifier: BSD-3-Clause
// dromos._core: what the package in dromos/ calls. Arrays are taken as they are or not at all; the package makes them
// fit and says when that took a copy.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <cstring>
#include <dromos/core/build_info.hpp>
#include <dromos/core/error.hpp>
#include <dromos/version.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/graph_calls.hpp"
#include "python/kokkos_thread.hpp"

namespace dromos::python {
namespace {

namespace py = pybind11;

template <class T>
using Array = py::array_t<T, py::array::c_style>;

/// Does the work on Kokkos' thread, while others may use Python.
void run_without_python(const std::function<void()>& work) {
  const py::gil_scoped_release released;
  on_kokkos_thread(work);
}

template <class T>
Array<T> copy_to_array(const Kokkos::View<T*, Memory>& view) {
  Array<T> array(static_cast<py::ssize_t>(view.extent(0)));
  T* const to = array.mutable_data();
  const py::gil_scoped_release released;
  if (view.extent(0) > 0) std::memcpy(to, view.data(), view.extent(0) * sizeof(T));
  return array;
}

/// row_map, entries and weights of a graph that was built here.
template <class Vertex>
py::tuple arrays_of(CsrGraph<Vertex, Memory>& graph) {
  py::object weights = py::none();
  if (graph.weighted()) weights = copy_to_array(std::exchange(graph.weights, {}));
  Array<Vertex> entries = copy_to_array(std::exchange(graph.entries, {}));
  return py::make_tuple(copy_to_array(graph.row_map), std::move(entries), std::move(weights));
}

/// The rows of a graph in NumPy's arrays, which live as long as this does.
template <class Vertex>
class Rows {
 public:
  Rows(Array<Offset> row_map, Array<Vertex> entries, std::optional<Array<float>> weights, bool directed, bool check)
      : row_map_(std::move(row_map)), entries_(std::move(entries)), weights_(std::move(weights)) {
    borrowed_.row_map = row_map_.data();
    borrowed_.num_vertices = static_cast<std::int64_t>(row_map_.size()) - 1;
    borrowed_.entries = entries_.data();
    borrowed_.num_entries = static_cast<Offset>(entries_.size());
    if (weights_) borrowed_.weights = weights_->data();
    borrowed_.directed = directed;
    if (check) run_without_python([this] { check_arrays(borrowed_); });
  }
  const BorrowedRows<Vertex>& borrowed() const { return borrowed_; }

 private:
  Array<Offset> row_map_;
  Array<Vertex> entries_;
  std::optional<Array<float>> weights_;
  BorrowedRows<Vertex> borrowed_;
};

/// One row of results for each root.
template <class T>
Array<T> results_for(std::size_t num_roots, std::int64_t num_vertices) {
  return Array<T>({static_cast<py::ssize_t>(num_roots), static_cast<py::ssize_t>(num_vertices)});
}

template <class Vertex>
py::tuple py_search(const Rows<Vertex>& rows, const std::vector<std::int64_t>& roots, bool parents) {
  const BorrowedRows<Vertex>& graph = rows.borrowed();
  Array<Level> level = results_for<Level>(roots.size(), graph.num_vertices);
  Array<Vertex> parent = results_for<Vertex>(parents ? roots.size() : 0, graph.num_vertices);
  Level* const level_data = level.mutable_data();
  Vertex* const parent_data = parents ? parent.mutable_data() : nullptr;
  run_without_python([&] { search(graph, roots, level_data, parent_data); });
  return py::make_tuple(level, parent);
}

template <class Vertex>
py::tuple py_distances(const Rows<Vertex>& rows, const std::vector<std::int64_t>& roots, bool parents) {
  const BorrowedRows<Vertex>& graph = rows.borrowed();
  Array<double> distance = results_for<double>(roots.size(), graph.num_vertices);
  Array<Vertex> parent = results_for<Vertex>(parents ? roots.size() : 0, graph.num_vertices);
  double* const distance_data = distance.mutable_data();
  Vertex* const parent_data = parents ? parent.mutable_data() : nullptr;
  run_without_python([&] { find_distances(graph, roots, distance_data, parent_data); });
  return py::make_tuple(distance, parent);
}

template <class Vertex>
py::tuple py_components(const Rows<Vertex>& rows, bool strong) {
  const BorrowedRows<Vertex>& graph = rows.borrowed();
  Array<Vertex> label(static_cast<py::ssize_t>(graph.num_vertices));
  Vertex* const data = label.mutable_data();
  std::int64_t num_components = 0;
  run_without_python([&] { num_components = label_components(graph, strong, data); });
  return py::make_tuple(num_components, label);
}

template <class Vertex>
py::tuple py_pagerank(const Rows<Vertex>& rows, double damping, double tolerance, int max_iterations,
                      const std::optional<Array<double>>& start) {
  const BorrowedRows<Vertex>& graph = rows.borrowed();
  Array<double> rank(static_cast<py::ssize_t>(graph.num_vertices));
  double* const data = rank.mutable_data();
  const double* const start_data = start ? start->data() : nullptr;
  PageRankOptions options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  PageRankStatistics statistics;
  run_without_python([&] { statistics = rank_vertices(graph, options, start_data, data); });
  return py::make_tuple(rank, statistics.converged, statistics.change);
}

template <class Vertex>
Array<Vertex> py_core_numbers(const Rows<Vertex>& rows) {
  Array<Vertex> core(static_cast<py::ssize_t>(rows.borrowed().num_vertices));
  Vertex* const data = core.mutable_data();
  run_without_python([&] { find_core_numbers(rows.borrowed(), data); });
  return core;
}

template <class Vertex>
Array<Vertex> py_rcm(const Rows<Vertex>& rows) {
  Array<Vertex> order(static_cast<py::ssize_t>(rows.borrowed().num_vertices));
  Vertex* const data = order.mutable_data();
  run_without_python([&] { order_by_rcm(rows.borrowed(), data); });
  return order;
}

template <class Vertex>
bool py_is_undirected(const Rows<Vertex>& rows) {
  bool answer = false;
  run_without_python([&] { answer = is_undirected(rows.borrowed()); });
  return answer;
}

template <class Vertex>
py::tuple py_forget_directions(const Rows<Vertex>& rows) {
  CsrGraph<Vertex, Memory> graph;
  run_without_python([&] { graph = forget_directions(rows.borrowed()); });
  return arrays_of(graph);
}

template <class Vertex>
py::dict py_read(const FileRequest& request) {
  FileGraph<Vertex> file;
  run_without_python([&] { file = read_file_graph<Vertex>(request); });
  py::dict answer;
  answer["directed"] = file.graph.directed;
  const std::int64_t n = file.graph.num_vertices();
  answer["arrays"] = arrays_of(file.graph);
  answer["names"] = py::none();
  if (!file.names.is_affine() || file.names.first_name() != 0) {
    Array<std::int64_t> names(static_cast<py::ssize_t>(n));
    std::int64_t* const data = names.mutable_data();
    for (std::int64_t v = 0; v < n; ++v) data[v] = file.names.name(v);
    answer["names"] = names;
  }
  answer["words"] = file.words;
  return answer;
}

py::dict py_read_file(const std::string& path, const std::string& format, int directed, bool weights,
                      const std::vector<std::string>& columns, const std::string& separator, bool words,
                      bool keep_self_loops, bool keep_duplicates) {
  FileRequest request;
  request.path = path;
  request.read.format = parse_format(format);
  if (request.read.format == GraphFormat::automatic && (!columns.empty() || !separator.empty() || words)) {
    request.read.format = GraphFormat::csv;
  }
  request.read.weights = weights;
  request.read.columns = columns;
  request.read.separator = separator.empty() ? '\0' : separator[0];
  request.read.words = words;
  request.directed = directed;
  request.keep_self_loops = keep_self_loops;
  request.keep_duplicates = keep_duplicates;
  try {
    return py_read<std::int32_t>(request);
  } catch (const InputError& error) {
    // The reader says so in this way when wider ids would do.
    if (std::string(error.what()).find("--ids 64") == std::string::npos) throw;
  }
  return py_read<std::int64_t>(request);
}

template <class Vertex>
void declare_rows(py::module_& module, const char* name) {
  // Arrays of other types are no candidates: the package has seen to that.
  py::class_<Rows<Vertex>>(module, name)
      .def(py::init<Array<Offset>, Array<Vertex>, std::optional<Array<float>>, bool, bool>(),
           py::arg("row_map").noconvert(), py::arg("entries").noconvert(), py::arg("weights").noconvert(),
           py::arg("directed"), py::arg("check"))
      .def("search", &py_search<Vertex>)
      .def("distances", &py_distances<Vertex>)
      .def("components", &py_components<Vertex>)
      .def("pagerank", &py_pagerank<Vertex>)
      .def("core_numbers", &py_core_numbers<Vertex>)
      .def("rcm", &py_rcm<Vertex>)
      .def("is_undirected", &py_is_undirected<Vertex>)
      .def("forget_directions", &py_forget_directions<Vertex>);
}

}  // namespace
}  // namespace dromos::python

PYBIND11_MODULE(_core, module) {
  using namespace dromos::python;
  namespace python = pybind11;
  // The last one registered is asked first.
  const auto error = python::register_exception<dromos::Error>(module, "Error", PyExc_RuntimeError);
  const python::tuple of_values =
      python::make_tuple(error, python::reinterpret_borrow<python::object>(PyExc_ValueError));
  const python::tuple of_memory =
      python::make_tuple(error, python::reinterpret_borrow<python::object>(PyExc_MemoryError));
  python::register_exception<dromos::ArgumentError>(module, "ArgumentError", of_values);
  python::register_exception<dromos::InputError>(module, "InputError", of_values);
  python::register_exception<dromos::MemoryError>(module, "NotEnoughMemory", of_memory);

  declare_rows<std::int32_t>(module, "Rows32");
  declare_rows<std::int64_t>(module, "Rows64");
  module.def("read_file", &py_read_file);
  module.def("begin", &begin_kokkos, python::call_guard<python::gil_scoped_release>());
  module.def("end", &end_kokkos, python::call_guard<python::gil_scoped_release>());
  module.def("num_threads", [] {
    int num_threads = 0;
    run_without_python([&] { num_threads = Space().concurrency(); });
    return num_threads;
  });
  module.def("build", [] {
    const dromos::BuildInfo& info = dromos::build_info();
    return python::make_tuple(info.version, info.kokkos_version);
  });
}
