#!/usr/bin/env bash
# <snag/gtest.h>: a failing schedule fails the test, and only that one; its token brings it back.
# Usage: gtest.sh <example> <cases> <snag>
set -euo pipefail
example=$1
cases=$2
snag=$3
unset SNAG_REPLAY

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gtest.sh: $*" >&2; cat "$work/output" >&2; exit 1; }

run() {  # <expected exit code> <command>...: leaves the output in $work/output
  local expected=$1 code=0
  shift
  "$@" >"$work/output" 2>&1 || code=$?
  [ "$code" -eq "$expected" ] || fail "$* exited with $code instead of $expected"
}
says() { grep -qF -- "$1" "$work/output" || fail "missing: $1"; }
silent_about() { ! grep -qF -- "$1" "$work/output" || fail "should not say: $1"; }

# The example of docs/guide/explore.md.
run 1 "$example"
says "sold"
says "[  FAILED  ] Tickets.TheLastOneIsSoldOnce"
token=$(sed -n "s/.*SNAG_REPLAY='\(.*\)'.*/\1/p" "$work/output")
[ -n "$token" ] || fail "no token"
run 1 env "SNAG_REPLAY=$token" "$example"
says "SNAG_REPLAY='$token'"
run 1 env SNAG_REPLAY=snag1:damaged "$example"
says "the token is damaged"

run 1 "$cases"
for name in NothingFails Exhausted AfterAllThat; do says "[       OK ] Passes.$name"; done
for name in Expect Assert Crash Exception; do says "[  FAILED  ] Fails.$name"; done
says "[  PASSED  ] 3 tests."
says "too early"
says "exception: boom"
run 0 "$cases" --gtest_filter='Passes.*'
silent_about "Failure"

# A test of this kind explores by itself: under snag run it says so.
run 1 "$snag" run --quiet --show-output --runs 1 --out "$work" -- "$cases" --gtest_filter='Passes.NothingFails'
says "start the test without snag run"
