// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <dromos/core/build_info.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/version.hpp>

namespace {

TEST(BuildInfo, AgreesWithMacrosAndWithTheKokkosThatRuns) {
  const dromos::BuildInfo& info = dromos::build_info();
  EXPECT_EQ(info.version, DROMOS_VERSION);
  EXPECT_EQ(info.default_execution_space, Kokkos::DefaultExecutionSpace::name());
  // "3.4.1" from 30401
  int major = 0;
  int minor = 0;
  int patch = 0;
  ASSERT_EQ(std::sscanf(info.kokkos_version.c_str(), "%d.%d.%d", &major, &minor, &patch), 3);
  EXPECT_EQ(major * 10000 + minor * 100 + patch, KOKKOS_VERSION);
}

TEST(BuildInfo, CountsEachOptionalPartOnce) {
  const dromos::BuildInfo& info = dromos::build_info();
  EXPECT_EQ(info.enabled_parts.size() + info.disabled_parts.size(), 7u);
  const bool has_mpi = std::any_of(info.enabled_parts.begin(), info.enabled_parts.end(),
                                   [](const std::string& part) { return part.rfind("MPI", 0) == 0; });
#ifdef DROMOS_ENABLE_MPI
  EXPECT_TRUE(has_mpi);
#else
  EXPECT_FALSE(has_mpi);
#endif
}

TEST(BuildInfo, TextNamesTheEssentials) {
  const std::string text = dromos::version_text();
  for (const std::string& part :
       {dromos::build_info().version, dromos::build_info().git_commit, dromos::build_info().kokkos_version}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  }
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
