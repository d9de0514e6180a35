#!/usr/bin/env bash
# Uses `snag c++` and `snag cc` in the ways that build systems use a compiler, with both compilers.
# Usage: wrapper.sh <build directory>
set -euo pipefail
snag=$(cd "$1" && pwd)/bin/snag
program=$(cd "$(dirname "$0")" && pwd)/program

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp
unset SNAG_PREFIX SNAG_VERBOSE
cd "$work"

fail() { echo "wrapper: $SNAG_CXX: $*" >&2; exit 1; }
no_leftovers() { ! ls -d tmp/snag-* 2>/dev/null || fail "$1 left this in the temporary directory"; }

runs() {  # <program>: works, has our runtime and not libtsan
  local output
  output=$("./$1") || fail "$1 failed"
  [ "$output" = "sum 200" ] || fail "$1 printed: $output"
  nm "$1" | grep ' T __tsan_init$' >/dev/null || fail "$1 has no runtime"
  ! ldd "$1" | grep libtsan >/dev/null || fail "$1 loads libtsan"
  no_leftovers "$1"
}

exits() {  # <code> <what it must say> <argument>...
  local expected=$1 text=$2 code=0
  shift 2
  "$snag" c++ "$@" >out 2>&1 || code=$?
  [ "$code" -eq "$expected" ] || fail "'$*' exited with $code instead of $expected: $(cat out)"
  grep -F -e "$text" out >/dev/null || fail "'$*' did not say '$text' but: $(cat out)"
  no_leftovers "$*"
}

check_compiler() {
  # One command, several steps, mixed, from standard input, by a response file.
  "$snag" c++ -O2 "$program/main.cc" "$program/counter.cc" -o one
  runs one
  "$snag" c++ -I"$program" -c "$program/main.cc" "$program/counter.cc"
  "$snag" c++ main.o counter.o -o steps
  runs steps
  "$snag" c++ "$program/main.cc" counter.o -o mixed -pthread
  runs mixed
  "$snag" c++ -I"$program" -xc++ - -x none counter.o -o stdin <"$program/main.cc"
  runs stdin
  printf '%s\n' "-O1 '$program/main.cc'" "\"$program/counter.cc\"" -o response >args
  "$snag" c++ @args
  runs response
  "$snag" c++ -O2 -flto -D_FORTIFY_SOURCE=2 -Wall -Werror "$program/main.cc" "$program/counter.cc" -o lto
  runs lto

  # A shared library, also where the linker was told to allow nothing undefined.
  "$snag" c++ -shared -fPIC "$program/counter.cc" -Wl,--no-undefined -o libcounter.so
  nm -D libcounter.so | grep -E ' U __(tsan_write4|snag_write4|tsan_memcpy|wrap_memcpy)$' >/dev/null || fail "libcounter.so is not instrumented"
  "$snag" c++ "$program/main.cc" -L. -lcounter -Wl,-rpath,. -o with_library
  runs with_library

  # Dependencies appear beside the output.
  mkdir -p sub
  "$snag" c++ -MMD "$program/main.cc" counter.o -o sub/depends
  grep -F "counter.h" sub/depends.d >/dev/null || fail "no dependency file"

  # What prints something instead of building.
  [ "$("$snag" c++ -dumpmachine)" = "$($SNAG_CXX -dumpmachine)" ] || fail "-dumpmachine"
  [ "$("$snag" c++ --version)" = "$($SNAG_CXX --version)" ] || fail "--version"
  echo __SNAG__ | "$snag" c++ -E -P -xc++ - | grep -x 1 >/dev/null || fail "__SNAG__ is not defined"

  exits 1 "error" "$program/main.cc" missing.cc
  exits 1 "undefined reference" "$program/main.cc" -o incomplete
  exits 2 "leave out -fsanitize=thread" -fsanitize=thread "$program/main.cc"
  exits 2 "leave out -fsanitize=address" -fsanitize=address -c "$program/main.cc"
  exits 2 "leave out -static:" -static "$program/main.cc"
  exits 2 "leave out -static-pie:" main.o -static-pie
}

check_c() {
  echo 'int x; int main(void) { x++; return x - 1; }' >plain.c
  "$snag" cc -std=c11 plain.c -o plain
  ./plain || fail "the C program failed"
}

# The compiler waits for its input at a pipe, until we end the wrapper.
check_termination() {
  mkfifo pipe
  "$snag" c++ -xc++ pipe -o never &
  local wrapper=$! code=0
  exec 3>pipe
  kill -TERM $wrapper
  wait $wrapper || code=$?
  exec 3>&-
  rm pipe
  [ "$code" -eq 143 ] || fail "ended by TERM with $code instead of 143"
  no_leftovers "ended by TERM"
}

SNAG_CXX=g++ SNAG_CC=gcc
export SNAG_CXX SNAG_CC
check_compiler
check_c
check_termination
SNAG_CXX=clang++-19 SNAG_CC=clang-19
check_compiler
check_c
SNAG_CXX="env ANY=thing c++" # arguments, and a name that does not tell the kind
"$snag" c++ "$program/main.cc" "$program/counter.cc" -o env
runs env
SNAG_CXX=/missing/c++
exits 2 "/missing/c++ does not work as a compiler" main.o
