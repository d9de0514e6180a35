#!/usr/bin/env bash
# A trace outlives edits: the failure comes back in the same binary exactly, and by source positions after an unrelated
# edit; after a fix it does not come back, and a trace that does not fit says where.
# Usage: edited.sh <snag> <compiler option>...
set -euo pipefail
snag=$1; shift
source=$(dirname "$0")/account.cc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

build() { "$snag" c++ -std=c++20 -g -UNDEBUG "${flags[@]}" "$folder/account.cc" -o "$folder/account"; }
expect() {  # <exit code> <text in the output> <command>...
  local code=0 wanted=$1 text=$2; shift 2
  "$@" >"$folder/out" 2>&1 || code=$?
  if [ "$code" -ne "$wanted" ] || ! grep -qF -- "$text" "$folder/out"; then
    echo "exit code $code instead of $wanted, or no '$text' in the output of: $*"; cat "$folder/out"; exit 1
  fi
}

flags=("$@")
cp "$source" "$folder/account.cc"
build
expect 1 'confirmed by a replay' "$snag" run --quiet --seed 1 --out "$folder/traces" -- "$folder/account"
trace=$folder/traces/account-assert-1.snag
expect 1 '25 of 25 identical' "$snag" replay "$trace" --times 25
expect 1 '1 of 1 failed in the same way' "$snag" replay "$trace" --by-position

sed -i 's|// EDIT: here|// Some more text.\n\n  int unrelated = 0;\n  ++unrelated;|' "$folder/account.cc"
sed -i '1i #include <vector>\nstd::vector<int> more(3);' "$folder/account.cc"
build
expect 1 'the program has changed since' "$snag" replay "$trace"

sed -i 's|// FIX: here|static std::mutex both; std::lock_guard guard(both);|' "$folder/account.cc"
build
expect 5 'diverged at switch' "$snag" replay "$trace"

# What has one thread only follows no switch at all.
printf 'int main() {}\n' >"$folder/account.cc"
build
expect 5 'diverged at switch 1 of' "$snag" replay "$trace"

head -c 300 "$trace" >"$folder/cut.snag"
expect 2 'it is cut off or damaged' "$snag" replay "$folder/cut.snag"
echo "replays survive edits (${flags[*]})"
