#!/usr/bin/env bash
# Programs with event schedules, compiled by `snag c++`: natively, and under `snag run`. Usage: run.sh <build directory>
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
snag=$build/bin/snag
fail() { echo "schedules.snag: $*" >&2; cat log >&2; exit 1; }

for program in clean finds unmet names never_met; do
  "$snag" c++ -O1 -std=c++17 "$here/$program.cc" -o $program -lsnag_schedule
done
for i in 1 2 3 4 5; do timeout 60 ./clean >log 2>&1 || fail "clean fails natively"; done

search() {  # <expected exit code> <program> <option>...
  local expected=$1 program=$2 code=0
  shift 2
  timeout 200 "$snag" run --quiet --seed 1 "$@" -- ./$program >log 2>&1 || code=$?
  [ $code = $expected ] || fail "$program: exit code $code instead of $expected"
}
for backend in user futex; do
  search 0 clean --runs 300 --backend $backend
  ! grep 'could not be met' log || fail "clean can always be met"
  search 1 finds --runs 300 --backend $backend
  grep 'failed assertion' log >/dev/null || fail "finds is not an assertion"
  grep 'confirmed by a replay' log >/dev/null || fail "finds is not confirmed"
  search 0 unmet --runs 100 --backend $backend
  grep 'runs in which the event schedule could not be met' log >/dev/null || fail "unmet says nothing"
  search 0 names --runs 300 --backend $backend
  search 3 never_met --runs 20 --backend $backend
  grep 'nothing was tested' log >/dev/null || fail "never_met claims to be tested"
done
search 3 never_met --strategy dfs
grep 'not exhaustive' log >/dev/null || fail "dfs claims that all is explored"
search 0 clean --runs 300 --strategy dfs
grep 'not exhaustive' log >/dev/null || fail "dfs claims too much"
echo "schedules.snag: fine"
