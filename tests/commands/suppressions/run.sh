#!/bin/sh
# snag run --suppressions and SNAG_BENIGN_RACE: what is kept away, what is said about it, bad files.
set -eu
snag=$1
root=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
"$snag" c++ -std=c++20 -g -O1 -pthread -I"$root/include" "$root/tests/commands/suppressions/racy.cc" -o racy

fail() {
  echo "FAIL: $1"
  cat out
  exit 1
}
# run <exit code> <suppressions> <argument> <wanted in the output>
run() {
  printf '%s\n' "$2" >file
  status=0
  "$snag" run --quiet --seed 1 --runs 40 --suppressions file -- ./racy "$3" >out 2>&1 || status=$?
  [ "$status" = "$1" ] || fail "exit $status, not $1, with '$2' on $3"
  grep -q -- "$4" out || fail "no '$4' with '$2' on $3"
}

run 1 '# nothing' race 'data race on counter'
grep -q statistics out && fail 'the marked variable is reported'
run 0 'race:^add$' race 'suppression race:^add$ (line 1) kept away'
run 0 'race:counter' race 'kept away'
run 0 'race_top:racy.cc' race 'kept away'
run 1 'race:elsewhere' race 'fitted nothing'
run 1 'heap:add' race 'fitted nothing'
run 1 'race:add' heap 'use after free'
run 0 'heap:use_after_free' heap 'kept away 40 reports; these runs ended there'
run 0 'mutex:unlock_too_much
race:add' lock 'kept away'
run 0 'lock:^gate$' lock 'kept away'
run 0 'race:add
thread:add' race "kind 'thread' mean nothing here"
run 0 '# nothing' orders 'are taken in both orders'
run 0 'deadlock:one_way' orders 'kept away'
grep -q 'both orders' out && fail 'the suppressed warning is told'
run 2 'nonsense' race 'file:1'
[ -z "$(ls snag-traces 2>/dev/null | grep -v 'race-\|heap-')" ] || fail 'a trace of a suppressed failure is left'
status=0
"$snag" run --suppressions missing -- ./racy >out 2>&1 || status=$?
[ "$status" = 2 ] || fail "exit $status, not 2, without the file"
echo ok
