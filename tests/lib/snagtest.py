"""The harness of the tests that are written in Python.

A script defines cases; tests/lib/run.py lists and runs them, and snag_add_cases() (tests/lib/cases.cmake) makes each of
them a ctest test:

    from snagtest import case, expect, prepare

    @prepare
    def compile_programs(test):           # runs once; the cases find its files in test.shared
        test.compile(HERE / "bank.cc", "bank")

    @case
    def finds_the_race(test):
        done = test.snag("run", "--quiet", "--", test.shared / "bank", code=1, says="data race")
        expect("balance" in done.out, "the report does not name the variable", done)

A case starts in an empty folder, which is the current one, and fails by itself: cases share nothing but test.shared.
Each command has a watchdog. SNAG_APPROVE=1 makes test.compare() write the approved texts instead of comparing.
"""

import argparse
import contextlib
import difflib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = 240  # seconds for a command: below the time limits of ctest, and so long that reaching it means a hang
SKIPPED = 77  # exit code of a case that cannot run here: SKIP_RETURN_CODE in ctest
PREPARE = "prepare"  # the name under which @prepare is listed


class Failure(Exception):
    """The product does not do what the case expects."""


class Skipped(Exception):
    """This machine lacks what the case needs."""


def text_of(detail):
    if isinstance(detail, Result):
        return f"$ {detail.command}\n{detail.text}(exit code {detail.code})"
    return detail if isinstance(detail, str) else json.dumps(detail, indent=1, default=str)


def expect(condition, message, *details):
    """Fails the case unless the condition holds. Details are shown below the message: texts, data, results of run()."""
    if not condition:
        raise Failure("\n".join([message, *map(text_of, details)]))


def expect_equal(got, wanted, message, *details):
    expect(got == wanted, f"{message}: got {got!r} instead of {wanted!r}", *details)


def skip(reason):
    raise Skipped(reason)


class Result:
    """What a command printed and its exit code, which is -N if signal N killed it."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    @property
    def text(self):
        return self.out + self.err

    def json(self):
        try:
            return json.loads(self.out)
        except json.JSONDecodeError as error:
            raise Failure(f"no JSON on standard output: {error}\n{text_of(self)}") from None


def words_of(command):
    return [str(word) for word in command]


def run(*command, code=0, says=(), silent_about=(), matches=None, stdin=None, cwd=None, env=None, timeout=TIMEOUT):
    """Runs a command and returns its Result.

    code          the expected exit code, a collection of them, or None for any
    says          a text, or several, that its output must contain
    silent_about  a text, or several, that its output must not contain
    matches       a regular expression that must match somewhere in its output
    stdin         a text; by default the standard input is empty
    env           variables to set; None as a value removes one
    """
    words = words_of(command)
    shown = shlex.join(words)
    # A session of its own, so that the watchdog also ends the command's children.
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=cwd,
                               env=environment(env), start_new_session=True)
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        kill_group(process)
        out, err = process.communicate()
        raise Failure(f"still running after {timeout} s: {shown}\n{tail(out + err)}") from None
    result = Result(shown, process.returncode, out, err)
    if code is not None:
        wanted = [code] if isinstance(code, int) else list(code)
        expect(result.code in wanted, f"exit code {result.code} instead of {' or '.join(map(str, wanted))}", result)
    for text in [says] if isinstance(says, str) else says:
        expect(text in result.text, f"the output lacks '{text}'", result)
    for text in [silent_about] if isinstance(silent_about, str) else silent_about:
        expect(text not in result.text, f"the output contains '{text}'", result)
    if matches:
        expect(re.search(matches, result.text, re.MULTILINE), f"nothing in the output matches '{matches}'", result)
    return result


def environment(changes):
    merged = {**os.environ, **{name: str(value) for name, value in (changes or {}).items() if value is not None}}
    return {name: value for name, value in merged.items() if (changes or {}).get(name, "") is not None}


def kill_group(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def tail(text, lines=12):
    return "\n".join(text.strip().splitlines()[-lines:])


def c_compiler(compiler):
    """The C compiler that belongs to a C++ compiler."""
    return compiler.replace("clang++", "clang").replace("g++", "gcc")


def compile_program(snag, source, output, *flags, compiler=None, opt="-O1"):
    """Compiles a program with `snag c++`, or `snag cc` for C; returns the path of the program.

    Without `compiler`, the wrapper chooses, as for a user."""
    is_c = pathlib.Path(source).suffix == ".c"
    env = {"SNAG_CXX": compiler, "SNAG_CC": c_compiler(compiler)} if compiler else None
    # The source comes first, because libraries among the flags must follow it.
    run(snag, "cc" if is_c else "c++", "-std=gnu11" if is_c else "-std=c++20", opt, "-g", "-UNDEBUG", "-pthread", source,
        *flags, "-o", output, env=env)
    return pathlib.Path(output).resolve()


class Test:
    """What a case works with: the tool, the options of the script, and folders."""

    def __init__(self, options, folder, shared):
        self.options = options
        self.snag_path = options.snag
        self.folder = folder  # the current directory of the case
        self.shared = shared  # of @prepare
        self.note = ""  # shown in the row of a case that passed
        self.processes = []

    def snag(self, *arguments, **expectations):
        """Runs snag; see run()."""
        return run(self.snag_path, *arguments, **expectations)

    def json(self, *arguments, **expectations):
        """What snag prints as JSON."""
        return self.snag(*arguments, **expectations).json()

    def compile(self, source, output, *flags, compiler=None, opt="-O1"):
        return compile_program(self.snag_path, source, output, *flags, compiler=compiler, opt=opt)

    def start(self, *command, **options):
        """A process with pipes for its output, which is killed at the end of the case if it still runs."""
        process = subprocess.Popen(words_of(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True, **options)
        self.processes.append(process)
        return process

    def finish(self, process):
        """Waits for the end of such a process; its Result."""
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Failure(f"still running after {TIMEOUT} s: {shlex.join(process.args)}") from None
        return Result(shlex.join(process.args), process.returncode, out, err)

    def compare(self, path, text):
        """With an approved text below tests/baselines."""
        path = ROOT / "tests" / "baselines" / path
        if os.environ.get("SNAG_APPROVE"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        approved = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = difflib.unified_diff(approved.splitlines(), text.splitlines(), str(path), "now", lineterm="")
        expect(text == approved, "differs from the approved text; scripts/approve accepts it", "\n".join(lines))

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                kill_group(process)
                process.communicate()


# The cases that the script has declared.
cases = {}
preparation = []
declared_options = []


def case(function=None, *, name=None):
    """Registers a function as a case: as @case, or with another name than the function's as @case(name="...")."""
    def register(registered):
        add_case(name or registered.__name__, registered)
        return registered
    return register(function) if function else register


def add_case(name, function):
    if name in cases or name == PREPARE:
        raise ValueError(f"two cases are called {name}")
    cases[name] = function


def each(parameters):
    """Registers a case for each entry of {name: parameter}: the function gets (test, parameter)."""
    def register(function):
        for name, parameter in parameters.items():
            add_case(name, lambda test, parameter=parameter: function(test, parameter))
        return function
    return register


def sources(*folders):
    """{"folder.stem": path} of the C and C++ files of some folders, for each()."""
    return {f"{folder.name}.{path.stem}": path for folder in folders
            for path in sorted(folder.iterdir()) if path.suffix in (".c", ".cc")}


def prepare(function):
    """Registers what the cases of a script share: it fills test.shared, which is its current directory, once."""
    preparation.append(function)
    return function


def option(*names, **settings):
    """Declares an option of the script, as argparse does; test.options has its value."""
    declared_options.append((names, settings))


def path(text):
    """The type of an option that names a file: relative to where the script was started, not to the folder of a case."""
    return pathlib.Path(text).resolve()


def parse_arguments(description, arguments):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--case", action="append", metavar="NAME", help="run this case only; may be repeated")
    parser.add_argument("--snag", default=str(ROOT / "build" / "bin" / "snag"), help="the tool to test")
    parser.add_argument("--shared", type=pathlib.Path, metavar="DIR",
                        help=f"where --case {PREPARE} leaves the files that cases share, and where they look for them; "
                             "without it they are made again")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="leave the files of the cases here")
    for names, settings in declared_options:
        parser.add_argument(*names, **settings)
    return parser.parse_args(arguments)


def run_case(name, function, options, folder, shared):
    """Runs a case in its folder and prints its row; the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    test = Test(options, folder, shared)
    before, start = os.getcwd(), time.monotonic()
    verdict, text, code = "ok", "", 0
    os.chdir(folder)
    try:
        function(test)
        text = test.note
    except Skipped as reason:
        verdict, text, code = "skip", str(reason), SKIPPED
    except Failure as failure:
        verdict, text, code = "FAIL", str(failure), 1
    except Exception:  # pylint: disable=broad-except  # an error in the test must not hide the other cases
        verdict, text, code = "FAIL", traceback.format_exc(), 1
    finally:
        test.close()
        os.chdir(before)
    print(f"{verdict:4} {name:45} {time.monotonic() - start:6.1f} s  {text}", flush=True)
    return code


def prepare_shared(options, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for function in preparation:
        code = run_case(PREPARE, function, options, folder, folder)
        if code != 0:
            return code
    return 0


def main(description, arguments):
    """Lists or runs the declared cases; the exit code."""
    options = parse_arguments(description, arguments)
    if options.list:
        print("\n".join(([PREPARE] if preparation else []) + list(cases)))
        return 0
    options.snag = os.path.abspath(shutil.which(options.snag) or options.snag)
    if not os.access(options.snag, os.X_OK):
        sys.exit(f"there is no snag at {options.snag}")
    if options.case == [PREPARE]:
        if not options.shared:
            sys.exit(f"--case {PREPARE} needs --shared")
        return prepare_shared(options, options.shared.resolve())
    unknown = [name for name in options.case or [] if name not in cases]
    if unknown:
        sys.exit(f"there is no case {', '.join(unknown)}; --list shows them")
    with tempfile.TemporaryDirectory(prefix="snag-test-", ignore_cleanup_errors=True) as temporary:
        root = options.keep.resolve() if options.keep else pathlib.Path(temporary).resolve()
        shared = options.shared.resolve() if options.shared else root / "shared"
        if preparation and not options.shared and prepare_shared(options, shared) != 0:
            return 1
        codes = [run_case(name, cases[name], options, root / f"case-{re.sub(r'[^A-Za-z0-9_.-]', '-', name)}", shared)
                 for name in options.case or cases]
    if len(codes) == 1:
        return codes[0]
    failed = codes.count(1)
    print(f"{codes.count(0)} passed, {failed} failed, {codes.count(SKIPPED)} skipped")
    return 1 if failed else 0
