// SPDX-License-Identifier: BSD-3-Clause
// Uses every part that an installation has beyond the node level, as CMakeLists.txt written by install_test.cmake finds
// them: a parameter list, and a file of results there and back.
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/io/results.hpp>
#include <dromos/version.hpp>
#ifdef DROMOS_ENABLE_TEUCHOS
#include <dromos/teuchos/options.hpp>
#endif

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  bool right = true;
#ifdef DROMOS_ENABLE_TEUCHOS
  Teuchos::ParameterList parameters;
  parameters.set("remove duplicates", true);
  right = right && dromos::teuchos::read_options<dromos::BuildOptions>(parameters).remove_duplicates;
#endif
#ifdef DROMOS_ENABLE_HDF5
  const Kokkos::View<std::int32_t*, Kokkos::HostSpace> level("level", 3);
  level(1) = 1;
  dromos::ResultTable table;
  table.num_vertices = 3;
  table.columns = {{"level", "edge", "distance", dromos::ResultValues<std::int32_t>(level)}};
  dromos::write_results(argv[1], table);
  const auto found = dromos::read_results(argv[1]).columns.at(0);
  right = right && found.name == "level" && std::get<dromos::ResultValues<std::int32_t>>(found.values)(1) == 1;
#endif
  std::puts(right ? "every part does its work" : "WRONG");
  return right ? 0 : 1;
}
