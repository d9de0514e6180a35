#!/usr/bin/env bash
# A small project with a bug and the test that snag export made of it: the test fails, also after unrelated edits, and
# passes when the bug is fixed. Whatever keeps it from telling makes it fail, and it says what.
# Usage: run.sh <snag> <compiler>
set -euo pipefail
snag=$1 compiler=$2
export SNAG_CXX=$compiler
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src" "$folder/build"
cp "$(dirname "$0")/../replay/account.cc" "$folder/src/account.cc"
cd "$folder"

build() { "$snag" c++ -std=c++20 -g -O1 -UNDEBUG src/account.cc -o build/account; }
expect() {  # <exit code> <text in the output> <command>...
  local code=0 wanted=$1 text=$2; shift 2
  "$@" >"$folder/out" 2>&1 || code=$?
  if [ "$code" -ne "$wanted" ] || ! grep -qF -- "$text" "$folder/out"; then
    echo "exit code $code instead of $wanted, or no '$text' in the output of: $*"; cat "$folder/out"; exit 1
  fi
}

build
expect 1 'confirmed by a replay' "$snag" run --quiet --seed 1 -- "$folder/build/account"
trace=snag-traces/account-assert-1.snag
expect 0 'tests/lost_deposit_test.cc' "$snag" export "$trace" -o tests --name lost_deposit
expect 2 'is there already' "$snag" export "$trace" -o tests --name lost_deposit
expect 2 'needs a name of letters' "$snag" export "$trace" --name 'lost deposit'
expect 2 'no trace was given' "$snag" export
if grep -F "$folder" tests/*; then echo "the exported files name a folder of this machine"; exit 1; fi

# As it is written, without any definition: the program is found from the test's own folder.
"$compiler" -std=c++17 "$folder/tests/lost_deposit_test.cc" -o test_of_bug -lgtest_main -lgtest -pthread
export SNAG_TOOL=$snag
run_test() { (cd / && "$folder/test_of_bug"); }
expect 1 'the bug is there' run_test
grep -qF "assertion \`account.get() == 2' failed" out

# Lines and functions above, in a header that was not there, and a rename elsewhere.
sed -i 's|// EDIT: here|// Some more text.\n\n  int unrelated = 0;\n  ++unrelated;|' src/account.cc
sed -i '1i #include <vector>\nstd::vector<int> more(3);\nint count_more() {\n  return int(more.size());\n}\n' src/account.cc
build
expect 1 'the bug is there' run_test

# The code around it is another one, the bug is the same: found by the search.
cp src/account.cc src/before.cc
sed -i 's|// FIX: here|std::this_thread::yield();|; s|account.set(account.get() + 1);|int seen = account.get(); account.set(seen + 1);|' src/account.cc
sed -i 's|std::thread one(deposit), two(deposit);|std::thread zero([] {}), one(deposit), two(deposit); zero.join();|' src/account.cc
build
expect 1 'the bug is there' run_test
cp src/before.cc src/account.cc

# Another failure than that of the trace is one, too, and said to be another.
sed -i 's|// FIX: here|static std::mutex both; both.lock();|' src/account.cc
build
expect 1 'expected assert, but there was deadlock' run_test
cp src/before.cc src/account.cc

sed -i 's|// FIX: here|static std::mutex both; std::lock_guard guard(both);|' src/account.cc
build
expect 0 '1 test' run_test
grep -qF '[  PASSED  ]' out
expect 0 '1000 other schedules (strategy mix, seed 1) did not fail' \
  "$snag" replay --or-search 1000 --program build/account tests/lost_deposit.snag
grep -qF 'could not be followed any more' out

# What cannot be told is not passed.
expect 1 'snag could not tell (exit code 3)' env LOST_DEPOSIT_PROGRAM="$folder/build/none" ./test_of_bug
"$compiler" -std=c++20 src/account.cc -o build/plain -pthread
expect 1 'was not built with' env LOST_DEPOSIT_PROGRAM="$folder/build/plain" ./test_of_bug
expect 1 'snag was not found' env SNAG_TOOL=/nowhere/snag ./test_of_bug

# Standard input goes along.
cat >src/reader.cc <<'END'
#include <cassert>
#include <iostream>
#include <thread>
int total = 0;
int main() {
  int amount = 0;
  std::cin >> amount;
  auto add = [&] { total += amount; };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(total == 2 * amount);
}
END
"$snag" c++ -std=c++20 -g -O1 -UNDEBUG src/reader.cc -o build/reader
echo 21 >input
expect 1 'confirmed by a replay' "$snag" run --quiet --seed 1 --stdin input -- build/reader
rm -f tests/reader*
expect 0 'reader_assert_1.stdin' "$snag" export snag-traces/reader-assert-1.snag -o tests
rm input
"$compiler" -std=c++17 "$folder/tests/reader_assert_1_test.cc" -o test_of_bug -lgtest_main -lgtest -pthread
expect 1 'the bug is there' run_test
# As the test says: from any folder.
expect 1 '1 of 1 identical' "$snag" replay tests/reader_assert_1.snag
expect 1 'switches' "$snag" shrink -o shrunk.snag tests/reader_assert_1.snag
echo "exported tests tell whether the bug is there ($compiler)"
