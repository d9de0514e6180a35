"""`snag gen` up to the driver: what it finds in a class, what it says about bad input, and how the user can help it."""

import os
import pathlib
import re
import signal
import subprocess

from snagtest import ROOT, case, each, expect, expect_equal, run

HEADERS = pathlib.Path(__file__).resolve().parent / "headers"
BAD = HEADERS / "bad_classes.h"
BASELINE = ROOT / "tests" / "baselines" / "gen" / "bad_input.txt"


def of_class(name, header=BAD):
    return ["--class", name, "--header", header]


BAD_INPUT = {
    "broken_header": of_class("Broken", HEADERS / "broken.h"),
    "no_such_header": of_class("Broken", "nowhere.h"),
    "no_such_class": of_class("bad::Abstrct"),
    "wrong_namespace": of_class("worse::Concrete"),
    "unlike_any_class": of_class("Zebra"),
    "no_template_arguments": of_class("bad::Template"),
    "bad_template_argument": of_class("bad::Template<Zebra>"),
    "no_class": of_class("bad::Number"),
    "only_declared": of_class("bad::Declared"),
    "abstract": of_class("bad::Abstract"),
    "no_constructor": of_class("bad::NoConstructor"),
    "unmade_argument": of_class("bad::NeedsUnmade"),
    "nothing_to_call": of_class("bad::NothingToCall"),
    "all_excluded": [*of_class("bad::Concrete"), "--exclude", "*"],
    "no_such_factory": [*of_class("bad::Abstract"), "--factory", "make_it"],
    "bad_factory": [*of_class("bad::Abstract"), "--factory", "1 + 1"],
    "bad_pool": [*of_class("bad::Concrete"), "--arg-pool", "int"],
    "bad_pool_value": [*of_class("bad::Concrete"), "--arg-pool", "int=zebra"],
    "missing_class": ["--header", BAD],
    "empty_class": of_class(""),
    "class_with_semicolon": of_class("bad::Concrete;"),
    "class_with_const": of_class("const bad::Concrete"),
    "missing_header": ["--class", "bad::Concrete"],
    "header_as_word": ["--class", "bad::Concrete", BAD],
    "database_without_source": ["--class", "bad::Concrete", "-p", "."],
    "no_database": ["--class", "bad::Concrete", "-p", "nowhere", "a.cc"],
    "no_config": ["--config", "nowhere.toml"],
    "config_syntax": ["--config", "syntax.toml"],
    "config_key": ["--config", "key.toml"],
    "config_value": ["--config", "value.toml"],
}
CONFIG_FILES = {
    "syntax.toml": 'class = "x\n',
    "key.toml": 'class = "x"\nheaders = "y.h"\n',
    "value.toml": "[arg-pool]\nint = 3\n",
}


def sections():
    """The approved text of each case of BAD_INPUT, with its first line "== name: arguments"."""
    text = BASELINE.read_text(encoding="utf-8") if BASELINE.exists() else ""
    return {part.partition(":")[0]: "== " + part for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]}


@each({f"bad_input.{name}": name for name in BAD_INPUT})
def bad_input(test, name):
    arguments = BAD_INPUT[name]
    for file, text in CONFIG_FILES.items():
        pathlib.Path(file).write_text(text, encoding="utf-8")
    done = test.snag("gen", *arguments, code=2)
    expect(done.out == "", "something is on standard output", done)
    text = f"== {name}: {' '.join(map(str, arguments))}\n{done.err}\n"
    text = text.replace(str(HEADERS), "HEADERS").replace(str(test.folder), "HERE")
    approved = sections()
    if os.environ.get("SNAG_APPROVE"):
        approved[name] = text
        BASELINE.write_text("".join(approved[each_name] for each_name in BAD_INPUT if each_name in approved),
                            encoding="utf-8")
        return
    expect_equal(text, approved.get(name), f"differs from {BASELINE.name}; scripts/approve accepts it")


@case(name="bad_input.baseline")
def baseline(test):
    expect_equal(list(sections()), list(BAD_INPUT), f"{BASELINE.name} has other cases")


@case
def every_kind(test):
    out = test.snag("gen", "--list", *of_class("kinds::Everything", HEADERS / "every_kind.h")).out
    test.compare("gen/every_kind.txt", out.replace(str(HEADERS), "HEADERS").replace(str(test.folder), "HERE"))


def found_in(test, name, header, *arguments):
    """What `snag gen --list` finds in a class."""
    return test.json("gen", "--list", "--json", *of_class(name, HEADERS / header), *arguments)


def names(calls):
    return [call["name"] for call in calls]


@case
def undefined_method(test):
    found = found_in(test, "bad::Undefined", "bad_classes.h")
    expect(names(found["methods"]) == ["defined()"], "wrong methods", found)
    expect("declared but not linked" in found["left_out"][0]["reason"], "wrong reason", found)
    pathlib.Path("undefined.cc").write_text(f'#include "{BAD}"\nvoid bad::Undefined::undefined() {{}}\n', encoding="utf-8")
    found = found_in(test, "bad::Undefined", "bad_classes.h", "--", "undefined.cc")
    expect(names(found["methods"]) == ["defined()", "undefined()"], "wrong methods with the definition", found)


@each({"factory.function": ("bad::make_abstract", "make_abstract(int)"),
       "factory.unique_pointer": ("std::make_unique<bad::Concrete>(1)", "std::make_unique<bad::Concrete>(1)"),
       "factory.pointer": ("new bad::Concrete(2)", "new bad::Concrete(2)")})
def factory(test, parameters):
    given, made = parameters
    found = found_in(test, "bad::Abstract", "bad_classes.h", "--factory", given)
    expect(names(found["constructors"]) == [made], "wrong constructors", found)
    expect(names(found["methods"]) == ["run()"], "wrong methods", found)


def readers(pid):
    """The child processes that read a class."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "snag-read-class" in line]


def exists(pid):
    state = pathlib.Path(f"/proc/{pid}/stat")
    try:
        return state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def interrupt_reading(test, number):
    """Sends a signal to snag while it reads a class; its Result after all its readers have ended."""
    os.mkfifo("endless.h")  # a reader waits here until it is killed
    process = test.start(test.snag_path, "gen", *of_class("Endless", "endless.h"), "--out", "interrupted")
    while not (reading := readers(process.pid)):
        expect(process.poll() is None, "snag ended before the signal")
    process.send_signal(number)
    done = test.finish(process)
    while any(exists(pid) for pid in reading):  # if a reader stays, the time limit of the test ends this
        pass
    return done


@each({"interrupted.by_sigterm": signal.SIGTERM, "interrupted.by_sigint": signal.SIGINT})
def interrupted(test, number):
    """While the driver is being built: snag says so and leaves no files."""
    done = interrupt_reading(test, number)
    expect(done.code == 128 + number and "interrupted" in done.err, "wrong end", done)
    expect(not pathlib.Path("interrupted").exists(), "the folder is left")


@case(name="interrupted.by_sigkill")
def killed(test):
    interrupt_reading(test, signal.SIGKILL)
    folder = pathlib.Path("interrupted")
    expect(len(list(folder.iterdir())) == 1, "the killed session has left something else", list(folder.iterdir()))
    test.snag("gen", "--list", *of_class("wrap::Counter", HEADERS / "wrappers.h"), "--out", folder)
    expect(not list(folder.iterdir()), "the next session does not remove the files of a killed one")


@case
def choice_of_methods(test):
    found = found_in(test, "kinds::Everything", "every_kind.h", "--include", "at*", "--include", "put(*", "--exclude",
                     "*const")
    expect(names(found["methods"]) == ["at(size_t)", "put(const std::string&)", "put(std::string&&)"], "wrong choice", found)


@case
def pools_and_config(test):
    pathlib.Path("gen.toml").write_text(f"""
class = "kinds::Everything"
header = "{HEADERS}/every_kind.h"
flags = ["-std=c++20"]
factory = "kinds::Everything(3)"
include = ["at", "put", "out", "keep_secret"]
exclude = ["at*const"]
[arg-pool]
"at.0" = [0, 1]
"std::string" = ['"a"', '"b"']
""", encoding="utf-8")
    found = test.json("gen", "--config", "gen.toml", "--list", "--json", "--driver", "driver", "--arg-pool", "int=1,2")
    expect(names(found["constructors"]) == ["kinds::Everything(3)"], "wrong constructors", found)
    expect(names(found["methods"]) == ["at(size_t)", "put(const std::string&)", "put(std::string&&)", "out(int&)"],
           "wrong methods", found)
    expect(names(found["left_out"]) == ["keep_secret(const kinds::Secret&)"], "wrong methods are left out", found)
    driver = pathlib.Path("driver/driver.cc").read_text(encoding="utf-8")
    for pool in ("{0, 1}", '{"a", "b"}', "{1, 2}"):
        expect(f"values[] = {pool}" in driver, f"the driver has no pool {pool}", driver)
    expect(pathlib.Path("driver/driver").exists(), "--driver does not keep the driver")


@case
def compile_commands(test):
    project = pathlib.Path("project")
    (project / "src" / "deep").mkdir(parents=True)
    (project / "src" / "deep" / "queue.h").write_text(
        "#pragma once\n#ifndef WANTED\n#error not as the project compiles it\n#endif\n"
        "#include <concepts>\nstruct Queue { void push(std::integral auto value) { (void)value; } };\n", encoding="utf-8")
    (project / "src" / "deep" / "queue_test.cc").write_text('#include "queue.h"\nint main() {}\n', encoding="utf-8")
    build = project / "build"
    build.mkdir()
    # With flags that only g++ knows.
    command = ("g++ -DWANTED=1 -std=c++20 -fno-gnu-unique -fmax-errors=3 -Werror -MD -MF x.d -o queue_test.o -c "
               "../src/deep/queue_test.cc")
    (build / "compile_commands.json").write_text(
        f'[{{"directory": "{build.resolve()}", "file": "../src/deep/queue_test.cc", "command": "{command}"}}]',
        encoding="utf-8")
    found = test.json("gen", "--list", "--json", "--class", "Queue", "-p", build, "src/deep/queue_test.cc")
    expect(names(found["methods"]) == ["push(int)"], "wrong methods", found)
    test.snag("gen", "--class", "Queue", "-p", build, "other.cc", code=2, says="does not say how 'other.cc' is compiled")


@case
def folders(test):
    counter = of_class("wrap::Counter", HEADERS / "wrappers.h")
    test.snag("gen", *counter, "--list")
    expect(not list(test.folder.iterdir()), "the folder of the driver is still there")
    done = test.snag("gen", *counter, "--list", "--keep")
    driver = pathlib.Path(done.err.split("the driver is ")[1].strip())
    expect(driver.exists() and driver.parent.parent == test.folder / "snag-gen", "wrong place for the driver", done)


def shell(test, command, code):
    """The output of a command that snag has printed for the user."""
    path = f"{pathlib.Path(test.snag_path).parent}:{os.environ['PATH']}"
    return run("sh", "-c", command, code=code, env={"PATH": path}).out


@case
def printed_commands(test):
    """They work as printed: from another folder, with blanks in the names, with the flags of the class."""
    done = test.snag("gen", *of_class("HandedOut", "headers/handed_out.h"), "--tests", "300", "--seed", "1", "--out",
                     "spa ce/the results", "--", "-std=c++20", f"-I{HEADERS.parent}", '-DWITH_FLAGS="a b"', code=1)
    lines = done.out.splitlines()
    expect("    const auto object_owner = HandedOut::create();\n    auto& object = *object_owner;\n" in done.out,
           "the object is not made by create()", done)
    expect("0 of " not in done.out, "no pair ran concurrently, in spite of a race", done)
    replay = next(line.split(": ", 1)[1] for line in lines if line.startswith("to see it again"))
    expect("data race" in shell(test, replay, 1), "the replay shows no data race", replay)
    unit_test = pathlib.Path(next(line.split(":", 1)[1].strip() for line in lines if line.startswith("as a unit test")))
    build = next(line[2:] for line in unit_test.read_text(encoding="utf-8").splitlines() if "snag c++" in line)
    os.chdir("/")
    for level in ("-O1", "-O2"):
        shell(test, build.replace("-O1", level), 0)
        printed = shell(test, f"'{test.folder}/{unit_test.with_suffix('')}'", 1)
        expect("race in run" in printed, f"the unit test finds no race with {level}", printed)


def is_inner_pair_covered(test, schedules, seed):
    """Whether second() ran concurrently with inner() although no test was to call these two."""
    coverage = test.json("gen-driver", "--json", "--quiet", "--tests", "2", "--seed", seed, "--schedules", schedules,
                         "driver/driver")["coverage"]
    pairs = {tuple(name.partition("(")[0] for name in pair["methods"]): pair for pair in coverage["each"]}
    return pairs["second", "inner"]["tried"] == 0 and pairs["second", "inner"]["covered"] > 0


@each({"inner_calls.gcc": "g++", "inner_calls.clang": "clang++-19"})
def inner_calls(test, compiler):
    """Methods that other methods call also count as concurrent."""
    os.environ["SNAG_CXX"] = compiler
    try:
        test.snag("gen", "--list", *of_class("Nested", HEADERS / "inner_calls.h"), "--driver", "driver")
        expect(any(is_inner_pair_covered(test, "controlled", seed) for seed in range(1, 60)),
               "second() with inner() does not count")
        # Under the system's scheduler the threads may run one after the other, so only the exit code counts.
        for seed in range(1, 60):
            if is_inner_pair_covered(test, "system", seed):
                break
    finally:
        del os.environ["SNAG_CXX"]


@case
def functions_without_address(test):
    found = found_in(test, "Spinner", "inner_calls.h")
    expect(names(found["methods"]) == ["spin()", "doubled(int)"], "wrong methods", found)


@case
def one_race(test):
    """A race is identified by its place, whichever methods lead there."""
    found = test.json("gen", *of_class("OneRace", HEADERS / "inner_calls.h"), "--json", "--quiet", "--tests", "60", "--seed",
                      "1", "--keep-going", "--shrink-time", "1", code=1)["violations"]
    expect([violation["kind"] for violation in found] == ["data race"], "wrong violations", found)
    expect(found[0]["count"] > 5, "seen too rarely", found)
    left = [path.name for path in pathlib.Path("snag-gen").iterdir() if path.name.startswith("OneRace")]
    expect(len(left) == 2, "there are files of violations that were not reported", left)


@case
def declared_type(test):
    found = found_in(test, "Holder", "declared.h")
    expect(found["left_out"] and "number() const" not in names(found["left_out"]), "wrong methods are left out", found)
    for left in found["left_out"]:
        expect(left["reason"] == "Unknown is only declared: name its header", "wrong reason", left)
