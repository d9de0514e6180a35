#!/usr/bin/env bash
# every_primitive.cc with each compiler, optimisation level, backend and strategy must stay clean.
#
#   all_variants.sh [path of snag]
#
# SEEDS    runs for each combination (1000)
# LIMIT    seconds for each combination (300); one that takes longer has failed
# CXXS     compilers, OPTS levels, BACKENDS, STRATEGIES: the lists to combine
set -u
here=$(cd "$(dirname "$0")" && pwd)
snag=${1:-$here/../../build/bin/snag}
seeds=${SEEDS:-1000}
limit=${LIMIT:-300}
read -ra compilers <<<"${CXXS:-g++ clang++-19}"
read -ra levels <<<"${OPTS:--O0 -O2}"
read -ra backends <<<"${BACKENDS:-user futex}"
read -ra strategies <<<"${STRATEGIES:-random pct pos surw dfs mix}"

source=$here/clean/every_primitive.cc
flags=$(sed -n 's,^// Flags: ,,p' "$source")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# row <verdict> <compiler> <level> <backend> <strategy> <seconds> <note>
row() { printf '%-6s %-11s %-4s %-6s %-7s %6s s  %s\n' "$@"; }

for compiler in "${compilers[@]}"; do
  if ! command -v "$compiler" >/dev/null; then
    echo "skip   $compiler is not installed"
    continue
  fi
  for level in "${levels[@]}"; do
    binary=$work/every_primitive
    # shellcheck disable=SC2086  # the flags are words
    if ! SNAG_CXX=$compiler timeout "$limit" "$snag" c++ -std=c++20 "$level" -g -UNDEBUG -pthread \
        "$source" $flags -o "$binary" 2>"$work/log"; then
      row FAIL "$compiler" "$level" - - - "does not compile"
      tail -n 5 "$work/log"
      failed=$((failed + ${#backends[@]} * ${#strategies[@]}))
      continue
    fi
    for backend in "${backends[@]}"; do
      for strategy in "${strategies[@]}"; do
        start=$SECONDS
        timeout --kill-after=5 "$limit" "$snag" run --json --out "$work/traces" --seed 1 \
          --runs "$seeds" --strategy "$strategy" --backend "$backend" -- "$binary" \
          >"$work/report" 2>"$work/log" </dev/null
        code=$?
        if [ $code -eq 0 ]; then
          passed=$((passed + 1))
          row ok "$compiler" "$level" "$backend" "$strategy" $((SECONDS - start)) "$seeds seeds"
        else
          failed=$((failed + 1))
          kind=$(sed -n 's/.*"kind" *: *"\([a-z-]*\)".*/\1/p' "$work/report" | head -n 1)
          [ $code -eq 124 ] && kind="no end after $limit s"
          row FAIL "$compiler" "$level" "$backend" "$strategy" $((SECONDS - start)) \
            "exit $code: ${kind:-unknown}"
          tail -n 5 "$work/log"
        fi
      done
    done
  done
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
