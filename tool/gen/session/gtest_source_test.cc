#include "tool/gen/session/gtest_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tool/gen/session/violation_program.h"

namespace snag::gen {
namespace {

using testing::HasSubstr;
using testing::Not;

CallResult gave(const std::string& text) {
  CallResult call;
  call.state = CallState::kDone;
  call.text = call.compared = text;
  call.hash = std::hash<std::string>()(text);
  return call;
}

// A queue, from which two threads take the same element; size() says so, too.
struct Example {
  DriverInfo driver;
  WorkerSettings settings;
  FoundViolation found;

  Example() {
    driver.class_name = "ns::Queue<int>";
    driver.constructors = {{"Queue()", "ns::Queue<int>()", 0, 0}};
    driver.methods = {
        {"push(int)", "{object}.push({0})", 1, 0},
        {"pop(int&)", "{object}.pop({0})", 1, 0},
        {"size() const", "{object}.size()", 0, snag_gen::kConst | snag_gen::kObserver}};
    driver.headers = {"queue.h", "<vector>"};
    settings.observers = {2};
    Violation& violation = found.violation;
    violation.test.prefix.resize(1);
    violation.test.suffixes = {{TestCall{1, false, {}}}, {TestCall{1, false, {}}}};
    violation.outcome.calls = {gave("void"), gave("true; 1"), gave("true; 1"), gave("0")};
    for (const bool first : {true, false}) {
      Linearization linearization;
      linearization.finished = true;
      linearization.order = first ? Order{0, 1} : Order{1, 0};
      linearization.outcome.calls = {gave("void"), gave(first ? "true; 1" : "false; 0"),
                                     gave(first ? "false; 0" : "true; 1"), gave("0")};
      violation.linearizations.push_back(linearization);
    }
    const CallText pop{
        {"int argument1 = 0;"}, {"snag::describe(argument1)"}, "object.pop(argument1)"};
    found.text.object.expression = "ns::Queue<int>()";
    found.text.prefix = {{{}, {}, "object.push(1)"}};
    found.text.suffixes = {{pop}, {pop}};
  }
};

TEST(GtestSource, HasTheCallsAndWhatTheyMayGive) {
  const Example example;
  const std::string source = gtest_source(example.driver, example.settings, example.found);
  for (const char* part :
       {"#include \"queue.h\"\n#include <vector>\n", "TEST(Queue, PopBesideItself) {",
        "    auto object = ns::Queue<int>();\n    object.push(1);\n",
        "      int argument1 = 0;\n      results[0] = ", "{ return object.pop(argument1); });",
        "      results[1] += \"; \" + snag::describe(argument1);\n",
        "        {\"false; 0\", \"true; 1\"},\n        {\"true; 1\", \"false; 0\"},\n",
        "thread2.join();", ".races = false"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
  // The calls tell enough.
  EXPECT_THAT(source, Not(HasSubstr("size()")));
}

TEST(GtestSource, SaysHowItIsBuilt) {
  Example example;
  example.found.gtest_file = "out/a b_test.cc";
  const auto source = [&] { return gtest_source(example.driver, example.settings, example.found); };
  EXPECT_THAT(source(),
              HasSubstr("with the flags of the class:\n//   snag c++ -std=c++20 -O1 -g "
                        "\"out/a b_test.cc\" -lgtest_main -lgtest -o \"out/a b_test\"\n"));
  example.driver.directory = std::filesystem::current_path().parent_path().string();
  example.driver.flags = {"-DX=\"y\"", "-Iinclude", "queue.cc"};
  const std::string here = std::filesystem::current_path().filename().string();
  EXPECT_THAT(source(), HasSubstr("//   cd " + example.driver.directory +
                                  " && snag c++ -std=c++20 -O1 -g \"" + here +
                                  "/out/a b_test.cc\" \"-DX=\\\"y\\\"\" -Iinclude queue.cc "
                                  "-lgtest_main -lgtest -o \"" +
                                  here + "/out/a b_test\"\n"));
}

TEST(GtestSource, AsksObserversWhereTheCallsSayNothing) {
  Example example;
  for (Linearization& linearization : example.found.violation.linearizations)
    linearization.outcome.calls = {gave("void"), gave("true; 1"), gave("true; 1"), gave("2")};
  EXPECT_THAT(gtest_source(example.driver, example.settings, example.found),
              HasSubstr("{ return object.size(); }"));
}

TEST(GtestSource, ComparesAsMuchOfALongTextAsIsKnown) {
  Example example;
  const auto source = [&] { return gtest_source(example.driver, example.settings, example.found); };
  EXPECT_THAT(source(), Not(HasSubstr("substr")));
  example.found.violation.linearizations[0].outcome.calls[1] = gave(std::string(kTextSize, 'x'));
  EXPECT_THAT(source(), HasSubstr("for (std::string& result : results) result = "
                                  "result.substr(0, 160);"));
}

TEST(GtestSource, OfACrashIsOnlyTheCallsWithTheirResultsKept) {
  Example example;
  example.found.violation.kind = ViolationKind::kRace;
  example.found.violation.outcome.calls.clear();
  const std::string source = gtest_source(example.driver, example.settings, example.found);
  EXPECT_THAT(source, HasSubstr("      snag::keep(object.pop(argument1));\n"));
  EXPECT_THAT(source, HasSubstr("    object.push(1);\n"));  // returns nothing
  EXPECT_THAT(source, Not(HasSubstr("allowed")));
  EXPECT_THAT(source, Not(HasSubstr(".races")));
}

TEST(GtestSource, KeepsWhateverACallReturnsThatNoOrderBroughtToItsEnd) {
  Example example;
  example.found.violation.kind = ViolationKind::kRace;
  example.found.violation.outcome.calls.clear();
  example.found.violation.linearizations.clear();
  EXPECT_THAT(
      gtest_source(example.driver, example.settings, example.found),
      HasSubstr("snag::outcome_of([&]() -> decltype(auto) { return object.pop(argument1); });"));
}

TEST(GtestSource, LooksBehindWhatACreatorReturns) {
  Example example;
  CallText& object = example.found.text.object;
  object.expression = "ns::make_queue()";
  const auto made_by = [&](MadeAs made_as) {
    object.made_as = made_as;
    return gtest_source(example.driver, example.settings, example.found);
  };
  EXPECT_THAT(made_by(MadeAs::kOwner), HasSubstr("const auto object_owner = ns::make_queue();\n"
                                                 "    auto& object = *object_owner;\n"));
  EXPECT_THAT(made_by(MadeAs::kPointer),
              HasSubstr("const auto object_owner = snag::own(ns::make_queue());\n"
                        "    auto& object = *object_owner;\n"));
  EXPECT_THAT(made_by(MadeAs::kReference), HasSubstr("    auto& object = ns::make_queue();\n"));
  EXPECT_THAT(made_by(MadeAs::kObject), HasSubstr("    auto object = ns::make_queue();\n"));
}

TEST(Description, IsReadCallByCall) {
  gen::Test test;
  test.second.emplace();
  test.prefix.resize(1);
  test.suffixes.resize(2);
  test.suffixes[1].resize(1);
  const TestText text = parse_description(
      "M object\nE Q()\n\nM pointer\nE make(1)\n\nE object.a()\n\nD int x = 0;\nO "
      "snag::describe(x)\nE other.b(x)\n\n",
      test);
  EXPECT_EQ(text.object.expression, "Q()");
  EXPECT_EQ(text.object.made_as, MadeAs::kObject);
  EXPECT_EQ(text.second->expression, "make(1)");
  EXPECT_EQ(text.second->made_as, MadeAs::kPointer);
  EXPECT_EQ(text.prefix.at(0).expression, "object.a()");
  EXPECT_TRUE(text.suffixes.at(0).empty());
  const CallText& last = text.suffixes.at(1).at(0);
  EXPECT_EQ(last.expression, "other.b(x)");
  EXPECT_THAT(last.declarations, testing::ElementsAre("int x = 0;"));
  EXPECT_THAT(last.outputs, testing::ElementsAre("snag::describe(x)"));
  EXPECT_EQ(parse_description("", test).object.expression, "");
}

TEST(TestFile, ListsWhatIsAllowedOnce) {
  Example example;
  for (Linearization& linearization : example.found.violation.linearizations)
    linearization.outcome.hash = 0xab;
  const std::string text =
      test_file_text(example.driver, example.settings, example.found.violation);
  EXPECT_THAT(text, testing::StartsWith("snag-gen-test 1\n"));
  EXPECT_THAT(text, HasSubstr("thread\n# pop(int&)\ncall 1 0 0 0 0 0 0 0 0 0\nthread\n"));
  EXPECT_THAT(text, HasSubstr("observers 2\nignored\nallowed ab\n"));
  example.found.violation.kind = ViolationKind::kStuck;
  EXPECT_THAT(test_file_text(example.driver, example.settings, example.found.violation),
              Not(HasSubstr("allowed")));
}

}  // namespace
}  // namespace snag::gen
