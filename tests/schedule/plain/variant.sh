#!/usr/bin/env bash
# The tests of schedules, built with other flags: variant.sh <build> <compiler> <library>,... <flag>...
# A library is static, shared, or full (a program linked with -static). If the compiler has no runtime for a sanitizer, the
# test is skipped (77).
set -euo pipefail
build=$1 compiler=$2 libraries=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$compiler" = clang ]; then  # the newest one that can link this
  for compiler in clang++-19 clang++-14 none; do
    echo 'int main() {}' | "$compiler" "$@" -x c++ - -o "$work/probe" 2>/dev/null && break
  done
fi
[ "$compiler" != none ] || { echo "no clang++ that links with $*: skipped"; exit 77; }

objects=()
for test in blocked threads wakeups modes outside; do
  "$compiler" -std=c++20 -g1 -I"$here/../../../include" "$@" -c "$here/${test}_test.cc" -o "$work/$test.o" &
  objects+=("$work/$test.o")
  [ "${#objects[@]}" -ne 3 ] || wait
done
wait

# ThreadSanitizer needs the addresses that it expects.
export TSAN_OPTIONS=halt_on_error=0:exitcode=66 ASAN_OPTIONS=detect_leaks=1
filter='*'
case "$*" in *sanitize=thread*) filter='-*DeathTest*:*AChildProcess*:Outside.Child' ;; esac  # forks with threads
for library in ${libraries//,/ }; do
  case $library in
    static) link=("$build/lib/libsnag_schedule.a" "-Wl,--dynamic-list=$build/lib/snag/schedule-exports.list") ;;
    shared) link=("-L$build/lib" -lsnag_schedule "-Wl,-rpath,$build/lib") ;;
    full) link=(-static "$build/lib/libsnag_schedule.a" -Wl,-u,snag_schedule_static) ;;
  esac
  "$compiler" "$@" "${objects[@]}" -o "$work/tests" "${link[@]}" -lgtest -lgtest_main -pthread 2>"$work/log" ||
    { cat "$work/log" >&2; exit 1; }
  echo "$library:"
  setarch -R "$work/tests" --gtest_brief=1 --gtest_filter="$filter"
done
