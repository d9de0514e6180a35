#include "tool/binary/function_name.h"

#include <gtest/gtest.h>

namespace snag::binary {
namespace {

struct NameCase {
  const char* demangled;
  const char* expected;
};

class ShortFunctionName : public testing::TestWithParam<NameCase> {};

TEST_P(ShortFunctionName, KeepsWhatNamesTheFunction) {
  EXPECT_EQ(short_function_name(GetParam().demangled), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Names, ShortFunctionName,
    testing::Values(NameCase{"main", "main"}, NameCase{"Queue<int>::pop(int) const", "Queue::pop"},
                    NameCase{"void run<int, std::pair<int, char> >(std::thread&)", "run"},
                    NameCase{"main::{lambda()#1}::operator()() const",
                             "main::{lambda#1}::operator()"},
                    NameCase{"f(int)::{lambda(auto:1)#2}::operator()<int>(int) const",
                             "f::{lambda#2}::operator()"},
                    NameCase{"(anonymous namespace)::worker(void*)", "(anonymous)::worker"},
                    NameCase{"A::operator<(A const&) const", "A::operator<"},
                    NameCase{"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<"},
                    NameCase{"P<int>::operator->() const", "P::operator->"},
                    NameCase{"std::__cxx11::basic_string<char>::size[abi:cxx11]() const",
                             "std::__cxx11::basic_string::size"},
                    NameCase{"A::~A()", "A::~A"}, NameCase{"", ""}, NameCase{"<", ""},
                    NameCase{"operator", "operator"}, NameCase{"((((", ""}));

}  // namespace
}  // namespace snag::binary
