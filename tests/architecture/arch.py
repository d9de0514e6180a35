#!/usr/bin/env python3
"""Checks that all that depends on the processor is in arch/, behind arch/arch.h:

  - no file elsewhere has assembly. Allowed are an empty template (a compiler barrier), the name of a symbol
    (asm("longjmp")), and directives alone (.pushsection ...);
  - no file elsewhere names a register, an intrinsic, a relocation or a machine of a processor;
  - no file elsewhere makes a system call that only some processors have (SYS_fork, SYS_epoll_wait ...);
  - files elsewhere include no header of arch/ but arch/arch.h.

gdb/ has its part in gdb/snag_arch.py. Prints one line for each violation, and exits with 1 if there is any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("include", "protocol", "runtime", "schedule", "tool", "gdb")
SOURCE = {".h", ".cc", ".c", ".S", ".py"}
IN_ARCH = {"gdb/snag_arch.py"}

ASM = re.compile(r"\b(?:asm|__asm__)\s*(?:volatile\s*)?\(\s*(?:R\"\((.*?)\)\"|((?:\"(?:[^\"\\]|\\.)*\"\s*(?:#\w+\s*)?)*))", re.S)
LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
SYMBOL = re.compile(r"\w*")
PROCESSOR = re.compile(
    r"__x86_64__|__aarch64__|\b__builtin_ia32_\w+|\b_mm\d*_\w+|\bREG_R\w\w\b|\bEM_(?:X86_64|AARCH64)\b"
    r"|\bR_(?:X86_64|AARCH64)_\w+|\bmxcsr\b|\bfs_base\b|\bcmpxchg16b\b"
    r"|%[re](?:[abcd]x|[sd]i|[sbi]p)\b|[\"'](?:r(?:[abcd]x|[sd]i|[sbi]p|8|9|1[0-5]))[\"']"
)
# In the table of x86-64, and not in the one that newer processors share.
OLD_CALL = re.compile(
    r"\bSYS_(?:fork|vfork|pause|alarm|epoll_wait|epoll_create|poll|select|open|creat|stat|lstat|access|pipe|dup2|mkdir|rmdir|link"
    r"|unlink|symlink|readlink|rename|chmod|chown|lchown|utime|utimes|futimesat|mknod|getpgrp|time|eventfd|signalfd|inotify_init"
    r"|getdents|arch_prctl|sendfile64|renameat)\b"
)
INCLUDE = re.compile(r'^#include "(arch/[^"]+)"', re.M)


def assembly(template, is_volatile):
    """The first line of an asm template that is an instruction; None if there is none."""
    if not is_volatile and SYMBOL.fullmatch(template):
        return None  # the name of a symbol
    for line in re.split(r"\\n|\\t|;|\n", template):
        line = line.strip()
        if line and not line.startswith("."):
            return line
    return None


def problems_of(name, text):
    found = []

    def report(position, message):
        line = text.count("\n", 0, position) + 1
        found.append(f"{name}:{line}: {message}")

    for match in ASM.finditer(text):
        template = match[1] if match[1] is not None else "".join(LITERAL.findall(match[2]))
        instruction = assembly(template, "volatile" in match[0])
        if instruction is not None:
            report(match.start(), f"has assembly: {instruction}")
    for match in PROCESSOR.finditer(text):
        report(match.start(), f"depends on the processor: {match[0]}")
    for match in OLD_CALL.finditer(text):
        report(match.start(), f"makes a system call that not every processor has: {match[0]}")
    for match in INCLUDE.finditer(text):
        if match[1] != "arch/arch.h":
            report(match.start(), f"includes {match[1]} in place of arch/arch.h")
    return found


def check(root):
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in SOURCE or name in IN_ARCH or path.stem.endswith("_test"):
                continue
            if path.suffix == ".S":
                found.append(f"{name}: is assembly")
                continue
            found += problems_of(name, path.read_text(encoding="utf-8"))
    return found


def main():
    found = check(ROOT)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
