#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Configures Dromos as the recipe would, variant by variant, where Spack itself is not at hand.

    packaging/spack/check_recipe.py [KOKKOS_DIR]

The recipe is loaded with stand-ins for what Spack provides. Every variant but cuda, nccl and parquet is switched on and off in turn (those
that need a package of Trilinos only where KOKKOS_DIR's prefix has it), and CMake has to configure with the options that
cmake_args() gives. Exit code 0 if all did."""
import pathlib
import re
import subprocess
import sys
import tempfile
import types

root = pathlib.Path(__file__).resolve().parents[2]
variants = {}


class Stub:
    cuda_arch_values = ("90",)

    def define(self, name, value):
        return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

    def define_from_variant(self, name, variant):
        if variant not in self.chosen:
            sys.exit(f"the recipe reads the variant {variant}, which it does not declare")
        return self.define(name, self.chosen[variant])


def load_recipe():
    module = types.ModuleType("spack.package")
    names = {name: (lambda *a, **k: None) for name in ("license", "version", "depends_on", "conflicts", "which", "join_path")}
    names["variant"] = lambda name, default, description: variants.__setitem__(name, default)
    names.update(CMakePackage=Stub, CudaPackage=type("CudaPackage", (), {"cuda_arch_values": ("90",)}))
    vars(module).update(names, __all__=list(names))
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": module})
    scope = {"__file__": str(root / "packaging/spack/packages/dromos/package.py")}
    exec(compile(pathlib.Path(scope["__file__"]).read_text(), scope["__file__"], "exec"), scope)
    variants["cuda"] = False
    return scope["Dromos"]()


def main():
    kokkos = sys.argv[1] if len(sys.argv) > 1 else str(root / ".deps/trilinos-openmp/lib/cmake/Kokkos")
    recipe = load_recipe()
    recipe.run_tests = False
    recipe.spec = types.SimpleNamespace(satisfies=lambda spec: False)
    declared = set(re.findall(r"(?:option|set)\((Dromos_ENABLE_\w+|BUILD_SHARED_LIBS)", (root / "CMakeLists.txt").read_text()))
    failed = 0
    for name in [None] + [name for name in variants if name not in ("cuda", "nccl", "openmp", "parquet")]:
        recipe.chosen = dict(variants)
        if name:
            recipe.chosen[name] = not variants[name]
        arguments = recipe.cmake_args()
        for argument in arguments:
            option = argument[2:].split("=")[0]
            if option not in declared:
                sys.exit(f"the recipe sets {option}, and CMakeLists.txt has no such option")
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(["cmake", "-S", str(root), "-B", folder, "-G", "Ninja", f"-DKokkos_DIR={kokkos}"] + arguments,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        what = "defaults" if name is None else ("+" if recipe.chosen[name] else "~") + name
        print(f"{'configured' if result.returncode == 0 else 'FAILED'}: dromos {what}")
        if result.returncode != 0:
            failed += 1
            print(result.stdout[-2000:])
    return 1 if failed else 0


sys.exit(main())
