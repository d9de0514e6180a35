#!/usr/bin/env bash
# Programs and command lines that make no sense: each gets one clear sentence and the documented exit code.
#
#   run.sh <path of snag>
set -u
snag=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0

# expect <exit code> <pattern> <command...>: the pattern is looked for in everything that is printed.
expect() {
  local code=$1 pattern=$2
  shift 2
  timeout 60 "$@" >"$work/output" 2>&1 </dev/null
  local got=$?
  if [ $got -eq "$code" ] && grep -qE -- "$pattern" "$work/output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL exit $got instead of $code, or no '$pattern': $*"
    head -n 5 "$work/output"
  fi
}

build() { "$snag" c++ -std=c++20 "$here/odd.cc" "-D$1" -o "$1" || exit 2; }
g++ -std=c++20 "$here/odd.cc" -DEXITS -o plain || exit 2
for variant in EXITS FORKS EXECS CRASHES_EARLY CLONES; do build $variant; done
"$snag" c++ -std=c++20 -shared -fPIC "$here/odd.cc" -DLIBRARY -o liberly.so || exit 2
"$snag" c++ -std=c++20 "$here/odd.cc" -DEXITS -Wl,--no-as-needed -L. -lerly "-Wl,-rpath,$work" -o early || exit 2
printf '#!/bin/sh\n' >script && chmod +x script
printf 'text' >text
mkdir folder

# Programs.
expect 3 'was not built with Snag' "$snag" run -- ./plain
expect 3 'there is no program' "$snag" run -- ./nowhere
expect 3 'script' "$snag" run -- ./script
expect 3 'executable|permission|not an ELF' "$snag" run -- ./text
expect 3 'folder|directory' "$snag" run -- ./folder
expect 0 'no failure in 20 schedules' "$snag" run --runs 20 -- ./EXITS
expect 0 'child process' "$snag" run --runs 20 -- ./FORKS
expect 0 'exec' "$snag" run --runs 20 -- ./EXECS
expect 1 'invalid memory access' "$snag" run --runs 20 -- ./CRASHES_EARLY
expect 3 'use pthread_create' "$snag" run --runs 20 -- ./CLONES
expect 3 'before' "$snag" run --runs 20 -- ./early

# Command lines.
expect 2 'program' "$snag" run
expect 2 'runs' "$snag" run --runs 0 -- ./EXITS
expect 2 'runs' "$snag" run --runs -5 -- ./EXITS
expect 2 'strategy' "$snag" run --strategy best -- ./EXITS
expect 2 'depth' "$snag" run --strategy pct --depth 1000 -- ./EXITS
expect 2 'preemptions' "$snag" run --preemptions 2 -- ./EXITS
expect 2 'backend' "$snag" run --backend green -- ./EXITS
expect 2 'dfs' "$snag" run --strategy dfs -j 2 -- ./EXITS
expect 2 'more than once' "$snag" run --runs 1 --runs 2 -- ./EXITS
expect 2 'frobnicate' "$snag" frobnicate
expect 2 'address' "$snag" c++ -fsanitize=address "$here/odd.cc"
expect 2 'static' "$snag" c++ -static "$here/odd.cc"

# Traces.
expect 2 'no such|not exist|cannot' "$snag" replay nowhere.snag
expect 2 'trace|JSON' "$snag" replay text
printf '{"snag":"trace","version":99}' >future
expect 2 'version' "$snag" replay future
: >empty
expect 2 'empty|trace|JSON' "$snag" replay empty

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
