#!/usr/bin/env bash
# snag shrink: the trace is replaced by a simpler one that replays, the failure stays the same, an interrupt keeps the
# best so far, and what makes no sense gets a sentence and the documented exit code.
#
#   run.sh <path of snag>
set -euo pipefail
snag=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

expect() {  # <exit code> <pattern in all that is printed> <command>...
  local code=0 wanted=$1 pattern=$2
  shift 2
  timeout 120 "$@" >out 2>&1 </dev/null || code=$?
  if [ "$code" -ne "$wanted" ] || ! grep -qE -- "$pattern" out; then
    echo "exit code $code instead of $wanted, or no '$pattern' in the output of: $*"
    cat out
    exit 1
  fi
}
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))'"$2"')' "$1"; }

"$snag" c++ -std=c++20 -O1 -g -UNDEBUG "$here/ring.cc" -o ring
# Random walks switch at every other step.
expect 1 '"confirmed": true' "$snag" run --json --quiet --strategy random --seed 1 --runs 20000 --shrink-time 0 \
  --out traces -- ./ring
trace=$(echo traces/*.snag)
! grep -q '"shrunk"' "$trace" || { echo "shrunk although --shrink-time is 0"; exit 1; }
before=$(field out '["failures"][0]["switches"]')
cp "$trace" original.snag

# Into another file: the trace itself stays.
expect 1 'shrunk from' "$snag" shrink --quiet -o small.snag "$trace"
cmp "$trace" original.snag
expect 1 '20 of 20 identical' "$snag" replay --times 20 small.snag
expect 1 "shrunk from $before" "$snag" replay small.snag
expect 1 'failed in the same way' "$snag" replay --by-position small.snag
[ "$(field small.snag '["shrunk"]["from"]')" = "$before" ]
[ "$(field small.snag '["failure"]["location"]')" = "$(field original.snag '["failure"]["location"]')" ]
[ "$(field small.snag '["points"]')" = "$(field original.snag '["points"]')" ]
after=$(field small.snag '["shrunk"]["to"]')
[ "$after" -lt "$before" ]

# In place; and once more: where it came from first is not forgotten.
expect 1 '"switches_after": [0-9]' "$snag" shrink --quiet --json "$trace"
[ "$(field "$trace" '["shrunk"]["from"]')" = "$before" ]
expect 1 'shrunk' "$snag" shrink --quiet "$trace"
[ "$(field "$trace" '["shrunk"]["from"]')" = "$before" ]

# By snag run itself.
expect 1 "switches \\(shrunk from $before\\)" "$snag" run --quiet --strategy random --seed 1 --runs 20000 \
  --shrink-time 100 --out traces -- ./ring

# No time at all: nothing better is known, and nothing is lost.
cp original.snag short.snag
expect 1 'switches' "$snag" shrink --quiet --time 0.000001 short.snag
expect 1 'identical' "$snag" replay short.snag

# An interrupt keeps the best so far: here right after the begin.
cp original.snag cut.snag
code=0
timeout --preserve-status --signal INT 0.5 "$snag" shrink --quiet --thorough --time 100 cut.snag >out 2>&1 || code=$?
[ "$code" -eq 1 ] || [ "$code" -eq 130 ] || { echo "exit code $code after an interrupt"; cat out; exit 1; }
expect 1 'identical' "$snag" replay cut.snag

# What makes no sense.
expect 2 'no trace was given' "$snag" shrink
expect 2 'one trace at a time' "$snag" shrink small.snag cut.snag
expect 2 'cannot read .*nowhere.snag.*No such file' "$snag" shrink nowhere.snag
head -c 300 small.snag >half.snag
expect 2 'cut off or damaged' "$snag" shrink half.snag
sed 's/"from":[0-9]*/"from":"many"/' small.snag >wrong.snag
expect 2 'damaged' "$snag" shrink wrong.snag
expect 2 'seconds' "$snag" shrink --time 0 small.snag
expect 2 'shrink-time' "$snag" run --shrink-time -1 -- ./ring
expect 70 'cannot write' "$snag" shrink --quiet -o none/such/small.snag original.snag
sed 's/"event_hash": "[0-9a-f]*"/"event_hash": "0000000000000001"/' original.snag >other.snag
expect 5 'does not come back' "$snag" shrink other.snag
printf '\0' >>ring
expect 3 'has changed since' "$snag" shrink small.snag
rm ring
expect 3 'no program|cannot' "$snag" shrink small.snag
