#!/usr/bin/env bash
# Installs Snag into a temporary directory and builds a separate project with event schedules against it: by CMake and by
# pkg-config. Usage: schedule.sh <build directory> [<cmake>]
set -euo pipefail
build=$1
cmake=${2:-cmake}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SNAG_PREFIX SNAG_CXX SNAG_CC SNAG_SCHEDULE_MODE

fail() { echo "package: $*" >&2; exit 1; }
check() {  # <what> <program>
  local output
  output=$(timeout 60 "$2") || fail "$1: the program failed"
  [ "$output" = met ] || fail "$1: the program printed: $output"
  echo "package: $1 is fine"
}

"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
for compiler in g++ clang++-19; do
  { "$cmake" -G Ninja -S "$here/with_schedule" -B "$work/$compiler" -DCMAKE_CXX_COMPILER=$compiler \
      -Dsnag_ROOT="$work/prefix" -DCMAKE_BUILD_TYPE=Release && "$cmake" --build "$work/$compiler"; } >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "the project did not build with $compiler"; }
  for program in schedule schedule_shared schedule_static instrumented; do
    check "$program with $compiler" "$work/$compiler/$program"
  done
  ldd "$work/$compiler/schedule_shared" | grep libsnag_schedule.so.0 >/dev/null || fail "not the shared library"
  ! ldd "$work/$compiler/schedule" | grep libsnag_schedule >/dev/null || fail "not the static library"
done

# By pkg-config; with both libraries there, the linker takes the shared one.
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
g++ -O2 "$here/with_schedule/main.cc" -o "$work/by_pkg_config" $(pkg-config --cflags --libs snag-schedule) \
  -Wl,-rpath,"$work/prefix/lib"
check "pkg-config" "$work/by_pkg_config"
g++ -O2 "$here/with_schedule/main.cc" -o "$work/by_pkg_config_static" -static $(pkg-config --cflags --static --libs snag-schedule)
check "pkg-config --static" "$work/by_pkg_config_static"

# The wrapper finds the variant that leaves the interposed functions to the runtime.
"$work/prefix/bin/snag" c++ -O1 "$here/with_schedule/main.cc" -o "$work/by_wrapper" \
  $(pkg-config --cflags --libs snag-schedule)
check "snag c++" "$work/by_wrapper"
