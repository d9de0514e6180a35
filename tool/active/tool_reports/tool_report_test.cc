#include "tool/active/tool_reports/tool_report.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "tool/active/tool_reports/tool_report_lines.h"

namespace snag::active {
namespace {

ToolReport read_all(std::string_view text) {
  ToolReportReader reader;
  reader.read(text);
  return reader.finish();
}

constexpr std::string_view kTsan = R"(==================
WARNING: ThreadSanitizer: data race (pid=7541)
  Write of size 4 at 0x555556a69b10 by thread T2 (mutexes: write M0):
    #0 Add(int, std::pair<int, int>*) /src/my project/race.cc:10:44 (race+0xe78cb) (BuildId: 3d0b)
    #1 std::thread::_Invoker<std::tuple<void (*)()>>::operator()() /usr/include/c++/12/bits/std_thread.h:259:11 (race+0xe80a9)
    #2 <null> <null> (libstdc++.so.6+0xd44a2) (BuildId: 289e)

  Previous atomic read of size 8 at 0x555556a69b10 by main thread:
    #0 Look race.cc:21 (race+0x1471)

  Location is global 'counter' of size 4 at 0x555556a69b10 (race+0x1515b10)

  Thread T2 (tid=7645, running) created by main thread at:
    #0 pthread_create <null> (race+0x62f71)
    #1 main /src/race.cc:99:3 (race+0x62f71)

SUMMARY: ThreadSanitizer: data race /src/race.cc:10:44 in Add()
==================
)";

TEST(ToolReportTest, ARaceOfThreadSanitizerHasItsTwoStacksAndNoOther) {
  const ToolReport report = read_all(kTsan);
  ASSERT_EQ(report.entries.size(), 1u);
  const ReportEntry& entry = report.entries[0];
  EXPECT_EQ(entry.kind, Kind::kRace);
  EXPECT_EQ(entry.line, 2u);
  ASSERT_EQ(entry.sides.size(), 2u);
  EXPECT_EQ(entry.sides[0].access, ReportAccess::kWrite);
  EXPECT_EQ(entry.sides[0].size, 4u);
  ASSERT_EQ(entry.sides[0].frames.size(), 2u);
  EXPECT_EQ(entry.sides[0].frames[0].file, "/src/my project/race.cc");
  EXPECT_EQ(entry.sides[0].frames[0].function, "Add(int, std::pair<int, int>*)");
  EXPECT_EQ(entry.sides[0].frames[0].line, 10);
  EXPECT_EQ(entry.sides[0].frames[0].column, 44);
  EXPECT_EQ(entry.sides[1].access, ReportAccess::kRead);
  ASSERT_EQ(entry.sides[1].frames.size(), 1u);
  EXPECT_EQ(entry.sides[1].frames[0].file, "race.cc");
  EXPECT_EQ(entry.sides[1].frames[0].line, 21);
  EXPECT_EQ(entry.sides[1].frames[0].column, 0);
}

TEST(ToolReportTest, WhatMemoryItIsStandsInALine) {
  using MemoryKind = MemoryPart::Kind;
  const auto expect = [](std::string_view line, MemoryKind kind, std::string_view variable,
                         std::uint64_t offset, std::uint64_t size) {
    SCOPED_TRACE(line);
    const auto memory = memory_in(line, 0x7b0400000808);
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->kind, kind);
    EXPECT_EQ(memory->variable, variable);
    EXPECT_EQ(memory->offset, offset);
    EXPECT_EQ(memory->size, size);
  };
  expect("Location is global 'ns::obj' of size 16 at 0x7b0400000804 (ns+0x4104)",
         MemoryKind::kVariable, "obj", 4, 16);
  expect("Location is heap block of size 16 at 0x7b0400000800 allocated by main thread:",
         MemoryKind::kHeap, "", 8, 16);
  expect("Location is stack of main thread.", MemoryKind::kStack, "", 0, 0);
  expect("Address 0x10c0c4 is 4 bytes inside data symbol \"_ZN2ns3objE\"", MemoryKind::kVariable,
         "obj", 4, 0);
  expect("Address 0x10c0d8 is in the BSS segment of /src/ns", MemoryKind::kVariable, "", 0, 0);
  expect("Address 0x4d78c88 is 8 bytes inside a block of size 16 alloc'd", MemoryKind::kHeap, "", 8,
         16);
  expect("Address 0x1fff0005ac is on thread #1's stack", MemoryKind::kStack, "", 0, 0);
  expect("Allocation context: BSS section of /src/ns", MemoryKind::kVariable, "", 0, 0);
  expect("Address 0x4d99c58 is at offset 8 from 0x4d99c50. Allocation context:", MemoryKind::kHeap,
         "", 8, 0);
  expect("Location 0x10c0ac is 0 bytes inside global var \"x\"", MemoryKind::kVariable, "x", 0, 0);
  expect("Location 0x1fff0005ac is 0 bytes inside local var \"x\"", MemoryKind::kStack, "", 0, 0);
  EXPECT_FALSE(memory_in("Location is global '<null>' at 0x000000000000 ([stack]+0x2066c)", 1));
  EXPECT_FALSE(memory_in("Location is ", 1));
  EXPECT_FALSE(memory_in("Address 0x", 1));
  EXPECT_FALSE(memory_in("hello", 1));
}

TEST(ToolReportTest, RacesOnDifferentVariablesOfTheSameLinesAreDifferent) {
  const auto text_of = [](const std::string& code, const std::string& memory) {
    return "==1== Possible data race during read of size 4 at 0x10C06C by thread #3\n"
           "==1==    at " +
           code +
           ": Consumer() (pub.cc:8)\n==1== This conflicts with a previous write of size 4 by "
           "thread #2\n==1==    at 0x2: Producer() (pub.cc:7)\n==1==  " +
           memory + "\n==1==\n";
  };
  const std::string stats = "Address 0x10c06c is 0 bytes inside data symbol \"stats\"";
  const std::string published = "Address 0x10c070 is 0 bytes inside data symbol \"published\"";
  const ToolReport named = read_all(text_of("0x1", stats) + text_of("0x1", published));
  ASSERT_EQ(named.entries.size(), 2u);
  EXPECT_EQ(named.entries[0].memory.variable, "stats");
  EXPECT_EQ(named.entries[1].memory.variable, "published");
  // Without names the instructions differ.
  const std::string unnamed = "Allocation context: BSS section of /src/pub";
  EXPECT_EQ(read_all(text_of("0x1", unnamed) + text_of("0x9", unnamed)).entries.size(), 2u);
  EXPECT_EQ(read_all(text_of("0x1", unnamed) + text_of("0x1", unnamed)).entries.size(), 1u);
  // An element: what it is of stands in the next line.
  const ToolReport element =
      read_all(text_of("0x1",
                       "Location 0x10c0ac is 0 bytes inside arr[3],\n==1==  a global variable "
                       "declared at ns.cc:5"));
  EXPECT_EQ(element.entries.at(0).memory.kind, MemoryPart::Kind::kVariable);
  EXPECT_EQ(element.entries.at(0).memory.variable, "arr");
}

TEST(ToolReportTest, TheSameRaceIsKeptOnceAndCounted) {
  std::string text;
  for (int i = 0; i < 3; ++i) text += kTsan;
  const ToolReport report = read_all(text);
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].times, 3u);
  EXPECT_EQ(report.races, 3u);
}

TEST(ToolReportTest, CarriageReturnsColoursAndPrefixesDoNotMatter) {
  std::string text;
  for (const char c : kTsan) {
    if (c == '\n')
      text += "\r\n12: \x1b[1m\x1b[31m";
    else
      text += c;
  }
  const ToolReport report = read_all(text);
  ASSERT_EQ(report.entries.size(), 1u);
  ASSERT_EQ(report.entries[0].sides.size(), 2u);
  EXPECT_EQ(report.entries[0].sides[1].frames[0].line, 21);
}

TEST(ToolReportTest, OutputOfTheProgramMayStandInTheMiddle) {
  std::string text(kTsan);
  text.insert(text.find("    #1 std"), "hello from the program, item 3 of 7\n");
  const ToolReport report = read_all(text);
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].sides[0].frames.size(), 2u);
}

TEST(ToolReportTest, WhereverItIsCutNothingIsMadeUp) {
  for (std::size_t length = 0; length <= kTsan.size(); ++length) {
    const ToolReport report = read_all(kTsan.substr(0, length));
    ASSERT_LE(report.entries.size(), 1u);
    if (report.entries.empty()) continue;
    ASSERT_LE(report.entries[0].sides.size(), 2u);
    for (const ReportSide& side : report.entries[0].sides) EXPECT_FALSE(side.frames.empty());
  }
}

TEST(ToolReportTest, ItDoesNotMatterInWhatPiecesItComes) {
  ToolReportReader reader;
  for (const char c : kTsan) reader.read({&c, 1});
  const ToolReport report = reader.finish();
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].sides.size(), 2u);
}

TEST(ToolReportTest, ALockOrderOfThreadSanitizerHasTheLocksThatAreWantedLast) {
  const ToolReport report = read_all(R"(
WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=1)
  Cycle in lock order graph: M0 (0x5) => M1 (0x6) => M0

  Mutex M1 acquired here while holding mutex M0 in thread T1:
    #0 pthread_mutex_lock <null> (a+0x70f9a)
    #1 First() /src/a.cc:16:21 (a+0xd4582)

  Mutex M0 previously acquired by the same thread here:
    #0 First() /src/a.cc:15:21 (a+0xd4582)

  Mutex M0 acquired here while holding mutex M1 in main thread:
    #0 Second() /src/a.cc:22:21 (a+0xd4682)

  Mutex M1 previously acquired by the same thread here:
    #0 Second() /src/a.cc:21:21 (a+0xd4682)
SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) (a+0x70f9a) in pthread_mutex_lock
)");
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].kind, Kind::kDeadlock);
  EXPECT_EQ(report.lock_orders, 1u);
  ASSERT_EQ(report.entries[0].sides.size(), 2u);
  EXPECT_EQ(report.entries[0].sides[0].frames[0].line, 16);
  EXPECT_EQ(report.entries[0].sides[1].frames[0].line, 22);
}

TEST(ToolReportTest, MemoryThatIsGivenBackIsSuchASide) {
  const ToolReport report = read_all(R"(
WARNING: ThreadSanitizer: heap-use-after-free (pid=1)
  Read of size 4 at 0x72 by thread T4:
    #0 Look /src/a.cc:3 (a+0x1)
  Previous write of size 8 at 0x72 by thread T3:
    #0 operator delete(void*, unsigned long) <null> (a+0x2)
    #1 Drop /src/a.cc:8 (a+0x1)
WARNING: ThreadSanitizer: thread leak (pid=1)
  Thread T1 (tid=7, finished) created by main thread at:
    #0 main /src/a.cc:9 (a+0x1)
)");
  ASSERT_EQ(report.entries.size(), 1u);
  ASSERT_EQ(report.entries[0].sides.size(), 2u);
  EXPECT_FALSE(report.entries[0].sides[0].is_free);
  EXPECT_TRUE(report.entries[0].sides[1].is_free);
  EXPECT_EQ(report.entries[0].sides[1].frames[0].line, 8);
}

constexpr std::string_view kHelgrind = R"(==77== Thread #3 was created
==77==    at 0x4B29: clone (clone.S:76)
==77==
==77== ----------------------------------------------------------------
==77==
==77== Possible data race during read of size 4 at 0x10C0C8 by thread #3
==77== Locks held: 1, at address 0x10C0D0
==77==    at 0x1092D7: Add() (race.cc:10)
==77==    by 0x4BA8B4F: clone (in /lib/libc.so.6)
==77==
==77== This conflicts with a previous write of size 4 by thread #2
==77== Locks held: none
==77==    at 0x1092D7: __invoke<void (*)()> (/src/include/my invoke.h:96)
==77==  Address 0x10c0c8 is 0 bytes inside a block of size 4 alloc'd
==77==    at 0x4843F6F: operator new(unsigned long) (in /usr/libexec/x.so)
==77==    by 0x1091DB: Limit() (race.cc:20)
==77==
==77== ----------------------------------------------------------------
==77==
==77== Thread #3: lock order "0x10C100 before 0x10C0C0" violated
==77==
==77== Observed (incorrect) order is: acquisition of lock at 0x10C0C0
==77==    at 0x10925C: one() (a.cc:21)
==77==
==77==  followed by a later acquisition of lock at 0x10C100
==77==    at 0x10926C: one() (a.cc:22)
==77==
==77== Required order was established by acquisition of lock at 0x10C100
==77==    at 0x1092D6: two() (a.cc:15)
==77==
==77==  followed by a later acquisition of lock at 0x10C0C0
==77==    at 0x1092E6: two() (a.cc:16)
==77==
==77==  Lock at 0x10C100 was first observed
==77==    at 0x1092D6: two() (a.cc:15)
==77==
==77== ERROR SUMMARY: 2 errors from 2 contexts (suppressed: 0 from 0)
)";

void expect_of_helgrind(const ToolReport& report) {
  ASSERT_EQ(report.entries.size(), 2u);
  const ReportEntry& race = report.entries[0];
  ASSERT_EQ(race.sides.size(), 2u);
  EXPECT_EQ(race.sides[0].access, ReportAccess::kRead);
  ASSERT_EQ(race.sides[0].frames.size(), 1u);
  EXPECT_EQ(race.sides[0].frames[0].file, "race.cc");
  EXPECT_EQ(race.sides[0].frames[0].function, "Add()");
  EXPECT_EQ(race.sides[1].access, ReportAccess::kWrite);
  ASSERT_EQ(race.sides[1].frames.size(), 1u);
  EXPECT_EQ(race.sides[1].frames[0].file, "/src/include/my invoke.h");
  const ReportEntry& order = report.entries[1];
  EXPECT_EQ(order.kind, Kind::kDeadlock);
  ASSERT_EQ(order.sides.size(), 2u);
  EXPECT_EQ(order.sides[0].frames[0].line, 22);
  EXPECT_EQ(order.sides[1].frames[0].line, 16);
}

TEST(ToolReportTest, ARaceAndALockOrderOfHelgrind) { expect_of_helgrind(read_all(kHelgrind)); }

TEST(ToolReportTest, WithoutThePrefixesOfValgrindTooOrWithTheTimeInThem) {
  for (const std::string_view prefix : {"", "==00:00:00:01.250 77==", "web | ==77=="}) {
    std::string text(kHelgrind);
    for (std::size_t at = 0; (at = text.find("==77==", at)) != std::string::npos;) {
      text.replace(at, 6, prefix);
      at += prefix.size();
    }
    SCOPED_TRACE(prefix);
    expect_of_helgrind(read_all(text));
  }
}

TEST(ToolReportTest, LinesOfSeveralProcessesMayBeMixed) {
  std::string text;
  std::string_view rest = kHelgrind;
  while (!rest.empty()) {
    const std::string line(rest.substr(0, rest.find('\n') + 1));
    rest.remove_prefix(line.size());
    text += line + "at 0x5: not valgrind's\n";
    std::string other = line;
    for (std::size_t at = 0; (at = other.find("77", at)) != std::string::npos; at += 3)
      other.replace(at, 2, "123");
    text += other;
  }
  const ToolReport report = read_all(text);
  expect_of_helgrind(report);
  EXPECT_EQ(report.races, 2u);
  EXPECT_EQ(report.lock_orders, 2u);
}

TEST(ToolReportTest, DrdTellsOneSideOnly) {
  const ToolReport report = read_all(R"(==8== Thread 3:
==8== Conflicting store by thread 3 at 0x04d99c78 size 4
==8==    at 0x10926B: operator() (race_object.cc:34)
==8== Address 0x4d99c78 is at offset 40 from 0x4d99c50. Allocation context:
==8==    at 0x484814F: operator new(unsigned long) (in /usr/libexec/x.so)
==8==    by 0x1092F6: main (race_object.cc:18)
==8== Other segment start (thread 2)
==8==    at 0x1: f() (race_object.cc:1)
==8== Other segment end (thread 2)
==8==    at 0x1: g() (race_object.cc:9)
==8==
)");
  ASSERT_EQ(report.entries.size(), 1u);
  ASSERT_EQ(report.entries[0].sides.size(), 1u);
  EXPECT_EQ(report.entries[0].sides[0].access, ReportAccess::kWrite);
  EXPECT_EQ(report.entries[0].sides[0].size, 4u);
  ASSERT_EQ(report.entries[0].sides[0].frames.size(), 1u);
  EXPECT_EQ(report.entries[0].sides[0].frames[0].line, 34);
}

TEST(ToolReportTest, AnAccessThatIsOnlyKnownRoughlyIsNoSide) {
  const ToolReport report =
      read_all(R"(==8== Possible data race during write of size 4 at 0x1 by thread #1
==8== Locks held: none
==8==    at 0x1: f() (a.cc:1)
==8==
==8== This conflicts with a previous access by thread #2, after
==8==    at 0x1: f() (a.cc:2)
==8==  but before
==8==    at 0x1: f() (a.cc:3)
)");
  ASSERT_EQ(report.entries.size(), 1u);
  ASSERT_EQ(report.entries[0].sides.size(), 1u);
  EXPECT_EQ(report.entries[0].sides[0].frames.size(), 1u);
}

TEST(ToolReportTest, LinesThatOnlyLookLikeOnes) {
  EXPECT_FALSE(tsan_stack_line("C# is a language"));
  EXPECT_FALSE(tsan_stack_line("issue#5 is open"));
  EXPECT_TRUE(tsan_stack_line("#0"));
  EXPECT_TRUE(tsan_stack_line("#0 f /a.cc:99999999999999999999")->frame.file.empty());
  EXPECT_TRUE(tsan_stack_line("#0 f /a.cc")->frame.file.empty());
  EXPECT_TRUE(tsan_stack_line("#0 f :7")->frame.file.empty());
  EXPECT_FALSE(valgrind_stack_line("at home"));
  EXPECT_TRUE(valgrind_stack_line("at 0x1"));
  EXPECT_TRUE(valgrind_stack_line("by 0x1: f (a.cc:3")->frame.file.empty());
  EXPECT_FALSE(valgrind_line("a == b and c == d"));
  EXPECT_FALSE(valgrind_line("=================="));
}

TEST(ToolReportTest, GarbageAndVeryLongLinesAreNoReport) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(random());
  text += std::string(5'000'000, '#');
  const ToolReport report = read_all(text);
  EXPECT_TRUE(report.entries.empty());
  EXPECT_FALSE(report.is_report);
  EXPECT_FALSE(report.is_empty);
}

TEST(ToolReportTest, AFrameBehindAVeryLongLineIsFound) {
  std::string text(kTsan);
  text.insert(text.find("    #1 std"), std::string(1'000'000, 'x') + "\n");
  EXPECT_EQ(read_all(text).entries.at(0).sides.at(0).frames.size(), 2u);
}

TEST(ToolReportTest, AHundredThousandEntriesAreCountedAndTheFirstOnesKept) {
  ToolReportReader reader;
  for (int i = 0; i < 100'000; ++i) {
    reader.read(
        "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x5 by thread T2:\n");
    for (int frame = 0; frame < 20; ++frame)
      reader.read("    #" + std::to_string(frame) + " f /src/a.cc:" + std::to_string(i + 1) +
                  " (a+0x1)\n");
  }
  const ToolReport report = reader.finish();
  EXPECT_EQ(report.races, 100'000u);
  EXPECT_EQ(report.entries.size() + report.left_out, 100'000u);
  EXPECT_EQ(report.entries.size(), 10'000u);
  EXPECT_LE(report.entries[0].sides.at(0).frames.size(), 16u);
}

TEST(ToolReportTest, WhatCannotBeUsedIsSaidInASentence) {
  const std::string path = ::testing::TempDir() + "tool_report_test.txt";
  const auto error_of = [&](std::string_view text) {
    std::ofstream(path) << text;
    const auto read = read_tool_report(path);
    return read ? Error{ErrorKind::kInternal, "it was read"} : read.error();
  };
  EXPECT_NE(error_of("").message.find("is empty"), std::string::npos);
  EXPECT_NE(error_of("hello\n").message.find("there is no report"), std::string::npos);
  EXPECT_NE(error_of("<?xml version=\"1.0\"?>\n").message.find("--xml=yes"), std::string::npos);
  EXPECT_EQ(error_of("hello\n").kind, ErrorKind::kUsage);
  EXPECT_EQ(error_of("==5== Helgrind\n==5== ERROR SUMMARY: 0 errors\n").kind,
            ErrorKind::kNothingRan);
  std::remove(path.c_str());
  EXPECT_EQ(read_tool_report(path).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(read_tool_report(::testing::TempDir()).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace snag::active
