// SPDX-License-Identifier: BSD-3-Clause
// The optional packages that are switched on are there, and their headers and libraries belong together: one call into
// each. A build with a package switched off has one test less.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <dromos/version.hpp>

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>
#endif
#ifdef DROMOS_ENABLE_KOKKOSKERNELS
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
#endif
#ifdef DROMOS_ENABLE_TEUCHOS
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#endif
#ifdef DROMOS_ENABLE_HDF5
#include <hdf5.h>
#endif

namespace {

#ifdef DROMOS_ENABLE_MPI
TEST(ThirdParty, MpiLibraryHasTheVersionOfItsHeader) {
  int version = 0;
  int subversion = 0;
  ASSERT_EQ(MPI_Get_version(&version, &subversion), MPI_SUCCESS);  // allowed before MPI_Init
  EXPECT_EQ(version, MPI_VERSION);
  EXPECT_EQ(subversion, MPI_SUBVERSION);
}
#endif

#ifdef DROMOS_ENABLE_KOKKOSKERNELS
TEST(ThirdParty, KokkosKernelsMultipliesByOneMatrixElement) {
  using Space = Kokkos::DefaultExecutionSpace;
  using Matrix = KokkosSparse::CrsMatrix<double, int, Space, void, int>;
  const Kokkos::View<int*, Space> row_map("test::row_map", 2);
  const Kokkos::View<int*, Space> entries("test::entries", 1);
  const Kokkos::View<double*, Space> values("test::values", 1);
  const Kokkos::View<double*, Space> x("test::x", 1);
  const Kokkos::View<double*, Space> y("test::y", 1);
  Kokkos::deep_copy(Kokkos::subview(row_map, 1), 1);
  Kokkos::deep_copy(values, 2.0);
  Kokkos::deep_copy(x, 3.0);
  KokkosSparse::spmv("N", 1.0, Matrix("test::matrix", 1, 1, 1, values, row_map, entries), x, 0.0, y);
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y)(0), 6.0);
}
#endif

#ifdef DROMOS_ENABLE_TEUCHOS
TEST(ThirdParty, TeuchosReadsYaml) {
  const auto parameters = Teuchos::getParametersFromYamlString("search:\n  roots: 16\n");
  EXPECT_EQ(parameters->get<int>("roots"), 16);
}
#endif

#ifdef DROMOS_ENABLE_HDF5
TEST(ThirdParty, Hdf5LibraryHasTheVersionOfItsHeader) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  ASSERT_GE(H5get_libversion(&major, &minor, &release), 0);
  EXPECT_EQ(major, static_cast<unsigned>(H5_VERS_MAJOR));
  EXPECT_EQ(minor, static_cast<unsigned>(H5_VERS_MINOR));
  EXPECT_EQ(release, static_cast<unsigned>(H5_VERS_RELEASE));
}
#endif

}  // namespace
