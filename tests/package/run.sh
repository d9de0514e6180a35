#!/usr/bin/env bash
# Installs Snag into a temporary directory and builds separate projects against it, in each of the ways that users
# have, with both compilers. The programs must work without snag, contain our runtime, and not load libtsan.
# Usage: run.sh <build directory> [<cmake>]
set -euo pipefail
build=$1
cmake=${2:-cmake}
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SNAG_PREFIX SNAG_CXX SNAG_CC

fail() { echo "package: $*" >&2; exit 1; }

check() {  # <what> <program>
  local output
  output=$("$2") || fail "$1: the program failed"
  [ "$output" = "sum 200" ] || fail "$1: the program printed: $output"
  nm "$2" | grep ' T __tsan_init$' >/dev/null || fail "$1: the runtime is not in the program"
  ! ldd "$2" | grep libtsan >/dev/null || fail "$1: the program loads libtsan"
  echo "package: $1 is fine"
}

cmake_project() {  # <name> <source> <option>...
  local name=$1 source=$2
  shift 2
  { "$cmake" -G Ninja -S "$source" -B "$work/$name" "$@" && "$cmake" --build "$work/$name"; } >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "$name did not build"; }
  check "$name" "$work/$name/program"
  nm -D "$work/$name/libcounter.so" | grep -E ' U __(tsan_write4|snag_write4|tsan_memcpy|wrap_memcpy)$' >/dev/null ||
    fail "$name: the shared library is not instrumented"
}

"$cmake" --install "$build" --prefix "$work/first place" >/dev/null

# The flags files know the place they were installed to; it has a space, so that quoting is tested too.
for kind in gcc clang; do
  compiler=$([ $kind = gcc ] && echo g++ || echo clang++-19)
  flags="$work/first place/share/snag/$kind"
  for source in counter main; do
    "$compiler" "@$flags-compile.flags" -O1 -c "$here/program/$source.cc" -o "$work/$source.o"
  done
  "$compiler" "$work/main.o" "$work/counter.o" "@$flags-link.flags" -o "$work/flags-$kind"
  check "flags file with $compiler" "$work/flags-$kind"
done

# Everything else finds itself, so that an installation can be moved.
prefix="$work/second"
mv "$work/first place" "$prefix"
for compiler in g++ clang++-19; do
  cmake_project "package-$compiler" "$here/with_package" -DCMAKE_CXX_COMPILER="$compiler" -Dsnag_ROOT="$prefix" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
  export SNAG_CXX=$compiler
  cmake_project "wrapper-$compiler" "$here/with_wrapper" -DCMAKE_CXX_COMPILER="$prefix/bin/snag-c++" \
    -DCMAKE_BUILD_TYPE=Debug
  unset SNAG_CXX
done
