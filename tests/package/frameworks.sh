#!/usr/bin/env bash
# Installs Snag into a temporary directory and builds a separate project with event schedules in GoogleTest, Catch2 and
# doctest against it; ctest must know each test with each schedule. Usage: frameworks.sh <build directory> [<cmake>]
set -euo pipefail
build=$1
cmake=${2:-cmake}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SNAG_PREFIX SNAG_CXX SNAG_CC SNAG_SCHEDULE_MODE

fail() { cat "$work/log" >&2; echo "package: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
"$cmake" -G Ninja -S "$here/with_frameworks" -B "$work/project" -Dsnag_ROOT="$work/prefix" >"$work/log" 2>&1 ||
  fail "the project was not configured"
"$cmake" --build "$work/project" >"$work/log" 2>&1 || fail "the project did not build"
"$(dirname "$cmake")/ctest" --test-dir "$work/project" --timeout 60 >"$work/log" 2>&1 || fail "a test failed"
for test in "Flag.IsSet/while one waits" "Flag.IsSet/before" "catch2 flag/while one waits" "catch2 flag/before" \
            "doctest flag/while one waits" "doctest flag/before"; do
  grep -F ": $test ." "$work/log" | grep Passed >/dev/null || fail "'$test' was not run"
done
grep "out of 6" "$work/log" >/dev/null || fail "not six tests"
echo "package: three frameworks are fine"
