#!/usr/bin/env python3
"""snag gen up to the driver: what is found in a class, what is said about bad input, how it can be helped.

run.py <snag> <baselines>; SNAG_APPROVE=1 takes what is said now for right.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SNAG, BASELINES = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
HEADERS = pathlib.Path(__file__).resolve().parent / "headers"
APPROVE = os.environ.get("SNAG_APPROVE") == "1"
PATIENCE = 300  # seconds, on a machine under load
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def gen(*arguments, code=0):
    """Standard output and error of snag gen, which must end with that code."""
    done = subprocess.run([SNAG, "gen", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
    check(done.returncode == code, f"exit {done.returncode} instead of {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def compare(name, text):
    """With the approved text of that name."""
    text = text.replace(str(HEADERS), "HEADERS").replace(os.getcwd(), "HERE")
    path = BASELINES / f"{name}.txt"
    if APPROVE:
        path.write_text(text, encoding="utf-8")
        return
    approved = path.read_text(encoding="utf-8") if path.exists() else ""
    check(text == approved, f"{name} differs from {path.name}; now it is\n{text}\ninstead of\n{approved}")


def methods(*arguments, cls="kinds::Everything", header="every_kind.h"):
    """Names of what can be called."""
    out, _ = gen("--list", "--json", "--class", cls, "--header", str(HEADERS / header), *arguments)
    return json.loads(out) if out else {"methods": [], "constructors": [], "left_out": []}


def names(calls):
    return [call["name"] for call in calls]


def test_every_kind():
    out, _ = gen("--list", "--class", "kinds::Everything", "--header", str(HEADERS / "every_kind.h"))
    compare("every_kind", out)


def test_bad_input():
    bad = str(HEADERS / "bad_classes.h")
    cases = {
        "broken_header": ["--class", "Broken", "--header", str(HEADERS / "broken.h")],
        "no_such_header": ["--class", "Broken", "--header", "nowhere.h"],
        "no_such_class": ["--class", "bad::Abstrct", "--header", bad],
        "wrong_namespace": ["--class", "worse::Concrete", "--header", bad],
        "unlike_any_class": ["--class", "Zebra", "--header", bad],
        "no_template_arguments": ["--class", "bad::Template", "--header", bad],
        "bad_template_argument": ["--class", "bad::Template<Zebra>", "--header", bad],
        "no_class": ["--class", "bad::Number", "--header", bad],
        "only_declared": ["--class", "bad::Declared", "--header", bad],
        "abstract": ["--class", "bad::Abstract", "--header", bad],
        "no_constructor": ["--class", "bad::NoConstructor", "--header", bad],
        "unmade_argument": ["--class", "bad::NeedsUnmade", "--header", bad],
        "nothing_to_call": ["--class", "bad::NothingToCall", "--header", bad],
        "all_excluded": ["--class", "bad::Concrete", "--header", bad, "--exclude", "*"],
        "no_such_factory": ["--class", "bad::Abstract", "--header", bad, "--factory", "make_it"],
        "bad_factory": ["--class", "bad::Abstract", "--header", bad, "--factory", "1 + 1"],
        "bad_pool": ["--class", "bad::Concrete", "--header", bad, "--arg-pool", "int"],
        "bad_pool_value": ["--class", "bad::Concrete", "--header", bad, "--arg-pool", "int=zebra"],
        "missing_class": ["--header", bad],
        "empty_class": ["--class", "", "--header", bad],
        "class_with_semicolon": ["--class", "bad::Concrete;", "--header", bad],
        "class_with_const": ["--class", "const bad::Concrete", "--header", bad],
        "missing_header": ["--class", "bad::Concrete"],
        "header_as_word": ["--class", "bad::Concrete", bad],
        "database_without_source": ["--class", "bad::Concrete", "-p", "."],
        "no_database": ["--class", "bad::Concrete", "-p", "nowhere", "a.cc"],
        "no_config": ["--config", "nowhere.toml"],
    }
    pathlib.Path("syntax.toml").write_text('class = "x\n', encoding="utf-8")
    cases["config_syntax"] = ["--config", "syntax.toml"]
    pathlib.Path("key.toml").write_text('class = "x"\nheaders = "y.h"\n', encoding="utf-8")
    cases["config_key"] = ["--config", "key.toml"]
    pathlib.Path("value.toml").write_text('[arg-pool]\nint = 3\n', encoding="utf-8")
    cases["config_value"] = ["--config", "value.toml"]
    text = ""
    for name, arguments in cases.items():
        out, err = gen(*arguments, code=2)
        check(out == "", f"{name}: {out}")
        text += f"== {name}: {' '.join(arguments)}\n{err}\n"
    compare("bad_input", text)


def test_undefined_method():
    found = methods(cls="bad::Undefined", header="bad_classes.h")
    check(names(found["methods"]) == ["defined()"], f"{found}")
    check("declared but not linked" in found["left_out"][0]["reason"], f"{found['left_out']}")
    pathlib.Path("undefined.cc").write_text(
        f'#include "{HEADERS}/bad_classes.h"\nvoid bad::Undefined::undefined() {{}}\n', encoding="utf-8")
    found = methods("--", "undefined.cc", cls="bad::Undefined", header="bad_classes.h")
    check(names(found["methods"]) == ["defined()", "undefined()"], f"{found}")


def test_factories():
    arguments = {"cls": "bad::Abstract", "header": "bad_classes.h"}
    for factory, made in (("bad::make_abstract", "make_abstract(int)"),
                          ("std::make_unique<bad::Concrete>(1)", "std::make_unique<bad::Concrete>(1)"),
                          ("new bad::Concrete(2)", "new bad::Concrete(2)")):
        found = methods("--factory", factory, **arguments)
        check(names(found["constructors"]) == [made], f"{factory}: {found}")
        check(names(found["methods"]) == ["run()"], f"{factory}: {found}")


def readers(pid):
    """Its processes that read a class."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "snag-read-class" in line]


def exists(pid):
    state = pathlib.Path(f"/proc/{pid}/stat")
    try:
        return state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_interrupted():
    """While the driver is being built: it is said, and nothing is left."""
    os.mkfifo("endless.h")  # whoever reads it waits for ever
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen([SNAG, "gen", "--class", "Endless", "--header", "endless.h", "--out", "interrupted"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while not (reading := readers(process.pid)):
                if process.poll() is not None:
                    break
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
        while any(exists(pid) for pid in reading):  # a reader that stays is found by the test's time limit
            pass
        if number == signal.SIGKILL:
            left = list(pathlib.Path("interrupted").iterdir())
            check(len(left) == 1, f"{left}")
            gen("--list", "--class", "wrap::Counter", "--header", str(HEADERS / "wrappers.h"), "--out", "interrupted")
            check(not list(pathlib.Path("interrupted").iterdir()), "what a killed session has left stays there")
            continue
        check(process.returncode == 128 + number, f"{number}: exit {process.returncode}\n{out}{err}")
        check("interrupted" in err, f"{number}: {out}{err}")
        check(not pathlib.Path("interrupted").exists(), f"{number}: the folder is left")


def test_choice_of_methods():
    found = methods("--include", "at*", "--include", "put(*", "--exclude", "*const")
    check(names(found["methods"]) == ["at(size_t)", "put(const std::string&)", "put(std::string&&)"], f"{found}")


def test_pools_and_config():
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
    out, _ = gen("--config", "gen.toml", "--list", "--json", "--driver", "driver", "--arg-pool", "int=1,2")
    found = json.loads(out)
    check(names(found["constructors"]) == ["kinds::Everything(3)"], f"{found}")
    check(names(found["methods"]) == ["at(size_t)", "put(const std::string&)", "put(std::string&&)", "out(int&)"], f"{found}")
    check(names(found["left_out"]) == ["keep_secret(const kinds::Secret&)"], f"{found}")
    driver = pathlib.Path("driver/driver.cc").read_text(encoding="utf-8")
    check("values[] = {0, 1}" in driver and 'values[] = {"a", "b"}' in driver and "values[] = {1, 2}" in driver, driver)
    check(pathlib.Path("driver/driver").exists(), "--driver does not keep it")


def test_compile_commands():
    project = pathlib.Path("project")
    (project / "src" / "deep").mkdir(parents=True)
    (project / "src" / "deep" / "queue.h").write_text(
        "#pragma once\n#ifndef WANTED\n#error not as the project compiles it\n#endif\n"
        "#include <concepts>\nstruct Queue { void push(std::integral auto value) { (void)value; } };\n", encoding="utf-8")
    (project / "src" / "deep" / "queue_test.cc").write_text('#include "queue.h"\nint main() {}\n', encoding="utf-8")
    build = project / "build"
    build.mkdir()
    # With flags that only g++ knows.
    command = "g++ -DWANTED=1 -std=c++20 -fno-gnu-unique -fmax-errors=3 -Werror -MD -MF x.d -o queue_test.o -c ../src/deep/queue_test.cc"
    (build / "compile_commands.json").write_text(json.dumps([
        {"directory": str(build.resolve()), "file": "../src/deep/queue_test.cc", "command": command}]), encoding="utf-8")
    out, _ = gen("--list", "--json", "--class", "Queue", "-p", str(build), "src/deep/queue_test.cc")
    check(names(json.loads(out)["methods"]) == ["push(int)"], out)
    _, err = gen("--class", "Queue", "-p", str(build), "other.cc", code=2)
    check("does not say how 'other.cc' is compiled" in err, err)


def test_folders():
    before = set(pathlib.Path(".").iterdir())
    gen("--class", "wrap::Counter", "--header", str(HEADERS / "wrappers.h"), "--list")
    check(set(pathlib.Path(".").iterdir()) == before, "the folder of the driver is still there")
    _, err = gen("--class", "wrap::Counter", "--header", str(HEADERS / "wrappers.h"), "--list", "--keep")
    driver = pathlib.Path(err.split("the driver is ")[1].strip())
    check(driver.exists() and driver.parent.parent == pathlib.Path.cwd() / "snag-gen", err)


def shell(command, code):
    """What a command prints that snag has told the user, with this snag."""
    path = f"{SNAG.parent}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          env={**os.environ, "PATH": path})
    check(done.returncode == code, f"exit {done.returncode} instead of {code}: {command}\n{done.stdout}{done.stderr}")
    return done.stdout


def test_commands_that_are_told():
    """They work as they are: from another folder, with blanks in the names, with the flags of the class."""
    out, _ = gen("--class", "HandedOut", "--header", "headers/handed_out.h", "--tests", "300", "--seed", "1",
                 "--out", "spa ce/the results", "--", "-std=c++20", f"-I{HEADERS.parent}", '-DWITH_FLAGS="a b"', code=1)
    check("    const auto object_owner = HandedOut::create();\n    auto& object = *object_owner;\n" in out, out)
    check("0 of " not in out, f"no pair ran concurrently, beside a race: {out}")
    replay = next(line.split(": ", 1)[1] for line in out.splitlines() if line.startswith("to see it again"))
    check("data race" in shell(replay, 1), replay)
    test = pathlib.Path(next(line.split(":", 1)[1].strip() for line in out.splitlines()
                             if line.startswith("as a unit test")))
    build = next(line[2:] for line in test.read_text(encoding="utf-8").splitlines() if "snag c++" in line)
    here = os.getcwd()
    os.chdir("/")
    for level in ("-O1", "-O2"):
        shell(build.replace("-O1", level), 0)
        printed = shell(f"'{here}/{test.with_suffix('')}'", 1)
        check("race in run" in printed, f"{level}: {printed}")
    os.chdir(here)


def is_inner_pair_covered(driver, schedules, seed):
    """Whether second() ran beside inner() though no test was to call these two."""
    done = subprocess.run([SNAG, "gen-driver", "--json", "--quiet", "--tests", "2", "--seed", str(seed), "--schedules",
                           schedules, driver], capture_output=True, text=True, timeout=PATIENCE, check=True)
    pairs = {tuple(name.partition("(")[0] for name in pair["methods"]): pair
             for pair in json.loads(done.stdout)["coverage"]["each"]}
    return pairs["second", "inner"]["tried"] == 0 and pairs["second", "inner"]["covered"] > 0


def test_inner_calls():
    """Methods run at the same time also if other methods call them."""
    for compiler in ("g++", "clang++-19"):
        os.environ["SNAG_CXX"] = compiler
        gen("--list", "--class", "Nested", "--header", str(HEADERS / "inner_calls.h"), "--driver", f"with {compiler}")
        for schedules in ("controlled", "system"):
            covered = any(is_inner_pair_covered(f"with {compiler}/driver", schedules, seed) for seed in range(1, 60))
            # Under the system's scheduler the threads may run one after the other.
            check(covered or schedules == "system", f"{compiler}: second() beside inner() does not count")
    del os.environ["SNAG_CXX"]


def test_functions_without_address():
    found = methods(cls="Spinner", header="inner_calls.h")
    check(names(found["methods"]) == ["spin()", "doubled(int)"], f"{found}")


def test_one_race():
    """A race is where it happens, whichever methods lead there."""
    out, _ = gen("--class", "OneRace", "--header", str(HEADERS / "inner_calls.h"), "--json", "--quiet", "--tests", "60",
                 "--seed", "1", "--keep-going", "--shrink-time", "1", code=1)
    found = json.loads(out)["violations"]
    check([violation["kind"] for violation in found] == ["data race"], f"{found}")
    check(found[0]["count"] > 5, f"{found}")
    left = [path.name for path in pathlib.Path("snag-gen").iterdir() if path.name.startswith("OneRace")]
    check(len(left) == 2, f"files of what was not reported: {left}")


def test_declared_type():
    found = methods(cls="Holder", header="declared.h")
    check(found["left_out"] and "number() const" not in names(found["left_out"]), f"{found}")
    for left in found["left_out"]:
        check(left["reason"] == "Unknown is only declared: name its header", f"{left}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
                print(name)
        os.chdir("/")
    sys.exit(1 if failures else 0)


main()
