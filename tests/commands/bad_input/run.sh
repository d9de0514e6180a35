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

# Coverage.
expect 2 'no program was given' "$snag" cover
expect 3 'was not built with Snag' "$snag" cover -- ./plain
expect 2 'takes names of lp' "$snag" cover --metric all,lp -- ./EXITS
expect 2 'context' "$snag" cover --context 5 -- ./EXITS
expect 2 'add --control' "$snag" cover --strategy pct -- ./EXITS
expect 2 'add --strategy dfs' "$snag" cover --control --preemptions 2 -- ./EXITS
expect 2 'fits no instrumented code' "$snag" cover --ignore nowhere.cc -- ./EXITS
expect 2 'cannot write' "$snag" cover -o nowhere/x.cover -- ./EXITS
expect 2 'there is no coverage file' "$snag" cover report
expect 2 'there is no coverage file' "$snag" cover curve nowhere.cover
expect 2 'is not a coverage file' "$snag" cover report text
expect 2 'is not a coverage file' "$snag" cover -o text -- ./EXITS
expect 2 'is empty' "$snag" cover report empty
expect 2 'not a regular file' "$snag" cover report folder
printf 'snag-cover 99\n' >future.cover
expect 2 'another version of Snag' "$snag" cover report future.cover
printf 'snag-cover 1\n12345678 b 0' >cut.cover
expect 2 'was cut before anything' "$snag" cover report cut.cover
expect 2 'with -o' "$snag" cover merge future.cover
expect 2 'two data files' "$snag" cover diff future.cover
expect 2 'percentage' "$snag" cover report --fail-under many
expect 2 'one of time' "$snag" cover curve --by moon
expect 2 'reason' "$snag" cover prune --add 'lp: read at a.cc:1 in f() then write at a.cc:2 in g()'
expect 2 "no ' then '" "$snag" cover prune --add 'lp: read at a.cc:1 in f()' because
expect 2 'no such pair' "$snag" cover prune --remove 'lp: read at a.cc:1 in f() then write at a.cc:2 in g()'
printf 'nonsense\n' >bad.prune
expect 2 'bad.prune:1: ' "$snag" cover prune --prune bad.prune

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
