"""`snag c++` and `snag cc` in the ways that build systems use a compiler, with both compilers."""

import os
import pathlib
import signal

from snagtest import c_compiler, case, each, expect, expect_equal, option, run

PROGRAM = pathlib.Path(__file__).resolve().parent / "program"
MAIN, COUNTER = PROGRAM / "main.cc", PROGRAM / "counter.cc"

option("--compiler", default="g++")


def environment(test, compiler=None):
    pathlib.Path("tmp").mkdir(exist_ok=True)
    compiler = compiler or test.options.compiler
    return {"TMPDIR": test.folder / "tmp", "SNAG_CXX": compiler, "SNAG_CC": c_compiler(compiler), "SNAG_PREFIX": None,
            "SNAG_VERBOSE": None}


def check_leftovers():
    left = list(pathlib.Path("tmp").glob("snag-*"))
    expect(not left, "the wrapper leaves temporary files", left)


def cxx(test, *arguments, compiler=None, **expectations):
    """Runs `snag c++`, which must leave no temporary files."""
    done = test.snag("c++", *arguments, env=environment(test, compiler), **expectations)
    check_leftovers()
    return done


def check_program(name):
    """It works, has the runtime, and does not load libtsan."""
    done = run(f"./{name}")
    expect_equal(done.out, "sum 200\n", f"{name} prints something else")
    run("nm", name, matches=" T __tsan_init$")
    run("ldd", name, silent_about="libtsan")


def compile_counter(test):
    cxx(test, "-c", COUNTER, "-o", "counter.o")


@case
def one_command(test):
    cxx(test, "-O2", MAIN, COUNTER, "-o", "program")
    check_program("program")


@case
def several_steps(test):
    cxx(test, f"-I{PROGRAM}", "-c", MAIN, COUNTER)
    cxx(test, "main.o", "counter.o", "-o", "program")
    check_program("program")


@case
def source_and_object(test):
    compile_counter(test)
    cxx(test, MAIN, "counter.o", "-o", "program", "-pthread")
    check_program("program")


@case
def standard_input(test):
    compile_counter(test)
    cxx(test, f"-I{PROGRAM}", "-xc++", "-", "-x", "none", "counter.o", "-o", "program", stdin=MAIN.read_text())
    check_program("program")


@case
def response_file(test):
    pathlib.Path("args").write_text(f"-O1 '{MAIN}'\n\"{COUNTER}\"\n-o\nprogram\n")
    cxx(test, "@args")
    check_program("program")


@case
def link_time_optimisation(test):
    cxx(test, "-O2", "-flto", "-D_FORTIFY_SOURCE=2", "-Wall", "-Werror", MAIN, COUNTER, "-o", "program")
    check_program("program")


@case
def shared_library(test):
    """Also if the linker must not allow undefined symbols."""
    cxx(test, "-shared", "-fPIC", COUNTER, "-Wl,--no-undefined", "-o", "libcounter.so")
    run("nm", "-D", "libcounter.so", matches=r" U __(tsan_write4|snag_write4|tsan_memcpy|wrap_memcpy)$")
    cxx(test, MAIN, "-L.", "-lcounter", "-Wl,-rpath,.", "-o", "program")
    check_program("program")


@case
def dependency_file(test):
    """It is next to the output."""
    compile_counter(test)
    pathlib.Path("sub").mkdir()
    cxx(test, "-MMD", MAIN, "counter.o", "-o", "sub/depends")
    expect("counter.h" in pathlib.Path("sub/depends.d").read_text(), "the dependency file does not name counter.h")


@case
def queries(test):
    """Options with which a compiler prints something instead of building."""
    for query in ("-dumpmachine", "--version"):
        expect_equal(cxx(test, query).out, run(test.options.compiler, query).out, f"{query} prints something else")
    cxx(test, "-E", "-P", "-xc++", "-", stdin="__SNAG__\n", matches="^1$")


ERRORS = {
    "missing_source": (1, "error", MAIN, "missing.cc"),
    "undefined_reference": (1, "undefined reference", MAIN, "-o", "incomplete"),
    "thread_sanitizer": (2, "leave out -fsanitize=thread", "-fsanitize=thread", MAIN),
    "address_sanitizer": (2, "leave out -fsanitize=address", "-fsanitize=address", "-c", MAIN),
    "static": (2, "leave out -static:", "-static", MAIN),
    "static_pie": (2, "leave out -static-pie:", "main.o", "-static-pie"),
}


@each({f"error.{name}": row for name, row in ERRORS.items()})
def error(test, row):
    code, text, *arguments = row
    cxx(test, *arguments, code=code, says=text)


@case
def c_program(test):
    pathlib.Path("plain.c").write_text("int x; int main(void) { x++; return x - 1; }\n")
    test.snag("cc", "-std=c11", "plain.c", "-o", "plain", env=environment(test))
    run("./plain")


@case
def termination(test):
    """The compiler waits for its input at a FIFO until the wrapper is ended."""
    os.mkfifo("pipe")
    settings = {name: str(value) for name, value in environment(test).items() if value is not None}
    process = test.start(test.snag_path, "c++", "-xc++", "pipe", "-o", "never", env={**os.environ, **settings})
    with open("pipe", "w", encoding="utf-8"):  # returns when the compiler has opened it
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    done = test.finish(process)
    expect_equal(done.code, -signal.SIGTERM, "not ended by the signal", done)
    check_leftovers()


@case
def compiler_with_arguments(test):
    """Arguments, and a name that does not tell the kind of compiler."""
    cxx(test, MAIN, COUNTER, "-o", "program", compiler="env ANY=thing c++")
    check_program("program")


@case
def missing_compiler(test):
    cxx(test, "main.o", compiler="/missing/c++", code=2, says="/missing/c++ does not work as a compiler")
