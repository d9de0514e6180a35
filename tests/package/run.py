"""Separate projects against an installed Snag, in each of the ways that users have, with both compilers.

The programs must work without the tool, contain the runtime, and not load libtsan.
"""

import os
import pathlib
import re

from snagtest import case, each, expect, option, path, prepare, run

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
CLEAN = {"SNAG_PREFIX": None, "SNAG_CXX": None, "SNAG_CC": None, "SNAG_SCHEDULE_MODE": None}
FRAMEWORK_TESTS = ["Flag.IsSet/while one waits", "Flag.IsSet/before", "catch2 flag/while one waits", "catch2 flag/before",
                   "doctest flag/while one waits", "doctest flag/before"]

option("--build", type=path, help="the build directory to install from")
option("--cmake", default="cmake")


@prepare
def install(test):
    # The flags files know the place they were installed to; it has a space, so that quoting is tested too. Everything
    # else must not depend on that place, so the other installation is moved.
    run(test.options.cmake, "--install", test.options.build, "--prefix", test.folder / "with flags")
    run(test.options.cmake, "--install", test.options.build, "--prefix", test.folder / "before")
    os.rename("before", "moved")


def build_project(test, name, *options, compiler, env=None):
    run(test.options.cmake, "-G", "Ninja", "-S", HERE / name, "-B", "project", f"-DCMAKE_CXX_COMPILER={compiler}", *options,
        env={**CLEAN, **(env or {})})
    run(test.options.cmake, "--build", "project", env={**CLEAN, **(env or {})})


def check_program(program):
    done = run(program, env=CLEAN)
    expect(done.out == "sum 200\n", "the program prints something else", done)
    run("nm", program, matches=" T __tsan_init$")
    run("ldd", program, silent_about="libtsan")


def check_project():
    check_program("project/program")
    run("nm", "-D", "project/libcounter.so", matches=r" U __(tsan_write4|snag_write4|tsan_memcpy|wrap_memcpy)$")


@each({f"flags_file.{kind}": kind for kind in COMPILERS})
def flags_file(test, kind):
    flags = test.shared / "with flags" / "share" / "snag" / kind
    for source in ("counter", "main"):
        run(COMPILERS[kind], f"@{flags}-compile.flags", "-O1", "-c", HERE / "program" / f"{source}.cc", "-o", f"{source}.o")
    run(COMPILERS[kind], "main.o", "counter.o", f"@{flags}-link.flags", "-o", "program")
    check_program("./program")


@each({f"cmake_package.{kind}": compiler for kind, compiler in COMPILERS.items()})
def cmake_package(test, compiler):
    build_project(test, "with_package", f"-Dsnag_ROOT={test.shared / 'moved'}", "-DCMAKE_BUILD_TYPE=Release",
                  "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", compiler=compiler)
    check_project()


@each({f"wrapper_as_compiler.{kind}": compiler for kind, compiler in COMPILERS.items()})
def wrapper_as_compiler(test, compiler):
    build_project(test, "with_wrapper", "-DCMAKE_BUILD_TYPE=Debug", compiler=test.shared / "moved" / "bin" / "snag-c++",
                  env={"SNAG_CXX": compiler})
    check_project()


def check_schedule(program):
    done = run(program, env=CLEAN, timeout=60)
    expect(done.out == "met\n", "the program prints something else", done)


@each({f"schedule.cmake_package.{kind}": compiler for kind, compiler in COMPILERS.items()})
def schedule_project(test, compiler):
    build_project(test, "with_schedule", f"-Dsnag_ROOT={test.shared / 'moved'}", "-DCMAKE_BUILD_TYPE=Release",
                  compiler=compiler)
    for program in ("schedule", "schedule_shared", "schedule_static", "instrumented"):
        check_schedule(f"project/{program}")
    run("ldd", "project/schedule_shared", says="libsnag_schedule.so.0")
    run("ldd", "project/schedule", silent_about="libsnag_schedule")


def pkg_config(test, *options):
    folder = test.shared / "moved" / "lib" / "pkgconfig"
    return run("pkg-config", *options, "snag-schedule", env={"PKG_CONFIG_PATH": folder}).out.split()


@case(name="schedule.pkg_config")
def schedule_pkg_config(test):
    # With both libraries there, the linker takes the shared one.
    run("g++", "-O2", HERE / "with_schedule" / "main.cc", "-o", "program", *pkg_config(test, "--cflags", "--libs"),
        f"-Wl,-rpath,{test.shared / 'moved' / 'lib'}")
    check_schedule("./program")


@case(name="schedule.pkg_config_static")
def schedule_pkg_config_static(test):
    run("g++", "-O2", HERE / "with_schedule" / "main.cc", "-o", "program", "-static",
        *pkg_config(test, "--cflags", "--static", "--libs"))
    check_schedule("./program")


@case(name="schedule.wrapper")
def schedule_wrapper(test):
    """The wrapper finds the variant that leaves the interposed functions to the runtime."""
    run(test.shared / "moved" / "bin" / "snag", "c++", "-O1", HERE / "with_schedule" / "main.cc", "-o", "program",
        *pkg_config(test, "--cflags", "--libs"), env=CLEAN)
    check_schedule("./program")


@case(name="schedule.frameworks")
def schedule_frameworks(test):
    """ctest knows each test of GoogleTest, Catch2 and doctest with each schedule."""
    build_project(test, "with_frameworks", f"-Dsnag_ROOT={test.shared / 'moved'}", compiler="g++")
    ctest = pathlib.Path(test.options.cmake).with_name("ctest")
    done = run(ctest, "--test-dir", "project", "--timeout", "60", says="out of 6", env=CLEAN)
    for name in FRAMEWORK_TESTS:
        expect(re.search(rf": {re.escape(name)} \.+ +Passed", done.out), f"'{name}' was not run", done)
