# SPDX-License-Identifier: BSD-3-Clause
# The recipe for Spack. It builds the repository that it lies in:
#
#   spack repo add packaging/spack
#   spack install --test=root dromos +mpi +hdf5
import pathlib

from spack.package import *


class Dromos(CMakePackage, CudaPackage):
    """Performance-portable graph traversal on Kokkos and MPI: breadth-first search, connected and strongly connected
    components, shortest paths, PageRank, cores and orders of matrices, from one source for CPUs, GPUs and many ranks."""

    git = "file://" + str(pathlib.Path(__file__).resolve().parents[4])

    license("BSD-3-Clause")
    version("main", branch="main")

    variant("mpi", default=True, description="Distributed graphs and searches")
    variant("openmp", default=True, description="Threads of the CPU by OpenMP")
    variant("hdf5", default=True, description="The native file format")
    variant("parquet", default=False, description="Read Parquet files, by Apache Arrow")
    variant("teuchos", default=False, description="Options and timers of Trilinos applications")
    variant("kokkos-kernels", default=False, description="Graphs and matrices of Kokkos Kernels")
    variant("shared", default=False, description="Shared libraries")
    variant("nccl", default=False, description="Let GPUs talk by NCCL, too")
    variant("python", default=False, description="The Python module")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@3.4:5")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("boost@1.74: +iostreams")
    depends_on("fmt")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("googletest", type="test")
    depends_on("mpi@3:", when="+mpi")
    depends_on("hdf5@1.10: +mpi", when="+hdf5 +mpi")
    depends_on("hdf5@1.10: ~mpi", when="+hdf5 ~mpi")
    depends_on("arrow +parquet", when="+parquet")
    depends_on("nccl@2.20:", when="+nccl")
    conflicts("+nccl", when="~cuda", msg="NCCL is for NVIDIA GPUs")
    conflicts("+nccl", when="~mpi", msg="NCCL is for GPUs of several ranks")
    depends_on("kokkos-kernels", when="+kokkos-kernels")
    depends_on("trilinos@13.2:", when="+teuchos")
    depends_on("python@3.8:", type=("build", "link", "run"), when="+python")
    depends_on("py-pybind11@2.9:", type="build", when="+python")
    depends_on("py-numpy", type="run", when="+python")
    conflicts("+cuda", when="+python", msg="the Python module works in main memory")
    for architecture in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda +cuda_lambda +wrapper cuda_arch={architecture}", when=f"+cuda cuda_arch={architecture}")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("Dromos_ENABLE_MPI", "mpi"),
            self.define_from_variant("Dromos_ENABLE_CUDA", "cuda"),
            self.define_from_variant("Dromos_ENABLE_HDF5", "hdf5"),
            self.define_from_variant("Dromos_ENABLE_PARQUET", "parquet"),
            self.define_from_variant("Dromos_ENABLE_NCCL", "nccl"),
            self.define_from_variant("Dromos_ENABLE_TEUCHOS", "teuchos"),
            self.define_from_variant("Dromos_ENABLE_KOKKOSKERNELS", "kokkos-kernels"),
            self.define_from_variant("Dromos_ENABLE_PYTHON", "python"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("Dromos_ENABLE_TESTS", self.run_tests),
            self.define("Dromos_ENABLE_PERF_TESTS", False),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CXX_COMPILER", self.spec["kokkos"].kokkos_cxx))
        return arguments

    def test_validated_search(self):
        """search a small graph with every strategy, each result proved"""
        dromos = which(join_path(self.prefix.bin, "dromos"))
        dromos("bfs", "--strategy", "all", "--validate", "--generate", "kronecker", "--scale", "10")
