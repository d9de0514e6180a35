"""Coverage of a large program: zstd, from Debian's source package, built as a whole with `snag cc`. How long the
measuring takes beside the plain run, and the report."""
import os
import pathlib
import random
import subprocess
import time

from measure.common import median, number, progress, table
from measure.debian_sources import fetch

LINES = 20_000
REPORT_SECONDS = 2


def measure(bench):
    folder = bench.build / "bench" / "large"
    folder.mkdir(parents=True, exist_ok=True)
    source = fetch("zstd", folder)
    if source is None:
        return ["the source package of zstd could not be downloaded: is there a way to the Debian mirror of this machine?"]
    lines = sum(path.read_bytes().count(b"\n") for part in ("lib", "programs")
                for path in (source / part).rglob("*.[ch]"))
    program = build(bench, source)
    text = folder / "input"
    # Words of a small language, so that there is something to compress; the same ones every time.
    words = random.Random(1)
    text.write_text(" ".join(f"{words.randrange(5000) ** 2:x}" for _ in range(400_000)), encoding="ascii")
    data = folder / "coverage"
    data.unlink(missing_ok=True)
    arguments = [str(program), "-T4", "-B128K", "-q", "-f", str(text), "-o", str(folder / "output")]
    plain = median([timed(arguments)[0] for _ in range(5)])
    progress("measuring the coverage of zstd")
    covered, said = timed([bench.snag, "cover", "-o", str(data), "--", *arguments])
    print(said.splitlines()[-1] if said else "")
    reports = [timed([bench.snag, "cover", "report", str(data)])[0] for _ in range(5)]
    progress("")
    table(["zstd", ""], [["lines of C", number(lines)], ["plain run of the instrumented program, s", f"{plain:.2f}"],
                         ["snag cover, all in all, s", f"{covered:.2f}"], ["data file, kB", number(data.stat().st_size // 1000)],
                         ["snag cover report, s (median of 5)", f"{median(reports):.2f}"]])
    bench.save("large", {"lines": lines, "plain": plain, "cover": covered, "reports": reports})
    problems = []
    if lines < LINES:
        problems.append(f"zstd has {lines:,} lines, not {LINES:,}")
    if median(reports) >= REPORT_SECONDS:
        problems.append(f"the report takes {median(reports):.1f} s, not less than {REPORT_SECONDS}")
    return problems


def timed(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return time.monotonic() - start, done.stderr


def build(bench, source) -> pathlib.Path:
    """Everything, the library and the program, by the wrapper."""
    progress("building zstd with snag cc")
    command = ["make", f"-j{os.cpu_count()}", "-C", str(source / "programs"), "zstd", f"CC={bench.snag} cc", "MOREFLAGS=-g",
               "HAVE_ZLIB=0", "HAVE_LZMA=0", "HAVE_LZ4=0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: zstd does not build with snag cc:\n{done.stderr[-2000:]}")
    return source / "programs" / "zstd"
