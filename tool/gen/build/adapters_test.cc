#include "tool/gen/build/adapters.h"

#include <gmock/gmock.h>
#include <snag/gen_flags.h>

#include "tool/gen/model/model_for_test.h"

namespace snag::gen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Adapter best(const Callable& callable, ClassModel model = queue_model({}),
             const GenTarget& options = {}) {
  model.methods.push_back(callable);
  const std::vector<Piece> pieces = method_pieces(model, options);
  return pieces.empty() || pieces.back().variants.empty() ? Adapter() : pieces.back().variants[0];
}

TEST(Adapters, APlainCallIsWrittenPlainly) {
  const Adapter adapter = best(method("push", {parameter("const int&", "integer")}));
  EXPECT_EQ(adapter.name, "push(const int&)");
  EXPECT_EQ(adapter.text, "{object}.push({0})");
  EXPECT_EQ(adapter.arguments, 1);
  EXPECT_EQ(
      adapter.code,
      "c.returns([&]() -> decltype(auto) {\n  return c.self<T>().push(c.arg<const int&>(0));\n});");
}

TEST(Adapters, DefaultsAreGivenFirstAndLeftOutNext) {
  Callable callable = method("wait", {parameter("int", "integer"), parameter("Foo", "class")});
  callable.parameters[1].has_default = true;
  const auto pieces = method_pieces(queue_model({callable}), {});
  ASSERT_EQ(pieces[0].variants.size(), 2u);
  EXPECT_EQ(pieces[0].variants[0].name, "wait(int, Foo)");
  EXPECT_EQ(pieces[0].variants[1].name, "wait(int)");
}

TEST(Adapters, ConstTwinsAreToldApart) {
  Callable plain = method("at", {parameter("int", "integer")}, "int&");
  Callable twin = plain;
  twin.is_const = true;
  const auto pieces = method_pieces(queue_model({plain, twin}), {});
  EXPECT_EQ(pieces[0].variants[0].text, "{object}.at({0})");
  EXPECT_EQ(pieces[1].variants[0].text, "std::as_const({object}).at({0})");
  EXPECT_EQ(pieces[1].variants[0].name, "at(int) const");
}

TEST(Adapters, ObserversReturnValuesAndAreSafe) {
  const auto flags = [](const char* name, const char* result) {
    Callable callable = method(name, {}, result);
    callable.is_const = true;
    return best(callable).flags;
  };
  EXPECT_EQ(flags("size", "unsigned long"), snag_gen::kConst | snag_gen::kObserver);
  EXPECT_EQ(flags("front", "int"), snag_gen::kConst);
  EXPECT_EQ(flags("data", "const int*"), snag_gen::kConst);
  EXPECT_EQ(flags("clear", "void"), snag_gen::kConst);
  EXPECT_EQ(best(method("size", {}, "int")).flags, 0u);
}

TEST(Adapters, OperatorsAreWrittenAsOperators) {
  const auto text = [](const char* symbol, int parameters) {
    Callable callable = method(std::string("operator") + symbol, {}, "int");
    callable.kind = CallableKind::kOperator;
    callable.symbol = symbol;
    for (int i = 0; i < parameters; ++i) callable.parameters.push_back(parameter("int", "integer"));
    return best(callable).text;
  };
  EXPECT_EQ(text("[]", 1), "{object}[{0}]");
  EXPECT_EQ(text("()", 2), "{object}({0}, {1})");
  EXPECT_EQ(text("+=", 1), "{object} += {0}");
  EXPECT_EQ(text("++", 0), "++{object}");
  EXPECT_EQ(text("++", 1), "{object}++");
  EXPECT_EQ(text("->", 0), "{object}.operator->()");
  EXPECT_EQ(text("new", 1), "");  // is nothing that threads call
}

TEST(Adapters, APointerAndItsLengthGoTogether) {
  Adapter adapter = best(method("write", {parameter("const char*", "text", "data"),
                                          parameter("unsigned long", "integer", "n")}));
  EXPECT_EQ(adapter.arguments, 1);
  EXPECT_THAT(adapter.text, HasSubstr("{object}.write(buffer0.data(), buffer0.size())"));
  adapter = best(method(
      "find", {parameter("const char*", "text"), parameter("unsigned long", "integer", "__pos"),
               parameter("unsigned long", "integer", "__n")}));
  EXPECT_THAT(adapter.text, HasSubstr("{object}.find(buffer0.data(), {1}, buffer0.size())"));
  adapter = best(method(
      "find", {parameter("const char*", "text"), parameter("unsigned long", "integer", "pos")}));
  EXPECT_EQ(adapter.text, "{object}.find({0}, {1})");
  // Something to be kept, and what it costs.
  adapter = best(method("insert", {parameter("void*", "buffer", "value"),
                                   parameter("unsigned long", "integer", "charge")}));
  EXPECT_EQ(adapter.text, "{object}.insert({0}, {1})");
}

TEST(Adapters, WhatABufferIsFilledWithIsPartOfTheResult) {
  const Adapter adapter = best(method(
      "read", {parameter("char*", "text"), parameter("unsigned long", "integer", "n")}, "long"));
  EXPECT_EQ(adapter.arguments, 0);
  EXPECT_THAT(adapter.code, HasSubstr("return std::make_pair(result, buffer0);"));
}

TEST(Adapters, PositionsAreThoseOfTheObject) {
  ClassModel model = queue_model({});
  model.has_begin = true;
  Parameter position = parameter("It", "class");
  position.is_iterator = true;
  Adapter adapter = best(method("insert", {position, parameter("int", "integer")}), model);
  EXPECT_EQ(adapter.text, "{object}.insert({object}.begin(), {0})");
  // Arguments are made before the object is touched.
  EXPECT_LT(adapter.code.find("c.arg<int>(0)"), adapter.code.find("c.self<T>()"));
  adapter = best(method("erase", {position}), model);
  EXPECT_THAT(adapter.text, HasSubstr("throw std::out_of_range"));
  adapter = best(method("erase", {position, position}), model);
  EXPECT_EQ(adapter.text, "{object}.erase({object}.begin(), {object}.end())");
}

TEST(Adapters, TokensAreMadeFromTheObject) {
  Parameter token = parameter("const Token&", "class");
  token.belongs_to_object = true;
  const Adapter adapter = best(method("push", {token, parameter("int", "integer")}));
  EXPECT_EQ(adapter.arguments, 1);
  EXPECT_THAT(adapter.code, HasSubstr("Token of_object0(object);"));
  EXPECT_THAT(adapter.text,
              HasSubstr("Token of_object0({object}); {object}.push(of_object0, {0});"));
}

TEST(Adapters, PartsOfTheClassEndWithTheCall) {
  ClassModel model = queue_model({});
  const std::string accessor = "ns::Queue<int>::accessor";
  model.classes = {{accessor, false, true, {}, {}}};
  const Parameter part = parameter(accessor + "&", "class");
  model.methods.push_back(method("find", {part, parameter("const int&", "integer")}, "bool"));
  Adapter adapter = best(method("erase", {part}, "bool"), model);
  EXPECT_EQ(adapter.arguments, 1);
  EXPECT_THAT(adapter.code, HasSubstr("if (!object.find(part0, argument0)) throw"));
  adapter = best(method("insert", {part, parameter("const int&", "integer")}, "bool"), model);
  EXPECT_THAT(adapter.code, Not(HasSubstr("find")));
}

TEST(Adapters, TheClassHasItsUsersName) {
  ClassModel model = queue_model({});
  model.type = "detail::v1::Queue<int, X>";
  const std::string part = "detail::v1::Queue<int, X>::Part";
  model.classes = {{part, false, true, {}, {}}};
  const Adapter adapter = best(method("fill", {parameter(part + "&", "class")}), model);
  EXPECT_EQ(adapter.name, "fill(Queue::Part&)");
  EXPECT_THAT(adapter.code, HasSubstr("T::Part part0;"));
  EXPECT_THAT(adapter.text, HasSubstr("ns::Queue<int>::Part part0;"));
}

TEST(Adapters, TemplatesAreTriedWithTheClassesTypesFirst) {
  const auto pieces = method_pieces(
      queue_model(
          {template_method("push", {{"U", true, false, false}}, {parameter("P0&&", "dependent")})}),
      {});
  ASSERT_GE(pieces[0].variants.size(), 3u);
  EXPECT_EQ(pieces[0].name, "push(U&&)");
  EXPECT_EQ(pieces[0].variants[0].name, "push(int&&)");
  EXPECT_EQ(pieces[0].variants[1].name, "push(std::string&&)");
}

TEST(Adapters, NamesTellIteratorsAndFunctions) {
  Adapter adapter =
      best(template_method("assign", {{"InputIt", true, false, false}},
                           {parameter("P0", "dependent"), parameter("P0", "dependent")}));
  EXPECT_EQ(adapter.name, "assign(range of int)");
  EXPECT_THAT(adapter.text, HasSubstr("range0.begin(), range0.end()"));
  adapter = best(
      template_method("try_dequeue_bulk", {{"It", true, false, false}},
                      {parameter("P0", "dependent"), parameter("unsigned long", "integer", "max")},
                      "unsigned long"));
  EXPECT_THAT(adapter.text, HasSubstr("return std::make_pair(result, range0);"));
  adapter =
      best(template_method("visit", {{"F", true, false, false}}, {parameter("P0", "dependent")}));
  EXPECT_EQ(adapter.name, "visit(function)");
}

TEST(Adapters, PlacesTellTypes) {
  ClassModel model = queue_model({});
  model.class_arguments = {"int", "std::less<int>"};
  const std::vector<TemplateParameter> two = {{"A", true, false, false}, {"B", true, false, false}};
  EXPECT_EQ(best(template_method("wait_for", two,
                                 {parameter("const std::chrono::duration<P0, P1>&", "dependent")}),
                 model)
                .name,
            "wait_for(const std::chrono::duration<long, std::ratio<1, 1000>>&)");
  EXPECT_EQ(
      best(template_method("wait_until", two,
                           {parameter("const std::chrono::time_point<P0, P1>&", "dependent")}),
           model)
          .name,
      "wait_until(const std::chrono::time_point<std::chrono::steady_clock, "
      "std::chrono::nanoseconds>&)");
  EXPECT_EQ(best(template_method("merge", {{"C", true, false, false}},
                                 {parameter("ns::Queue<int, P0>&", "dependent")}),
                 model)
                .name,
            "merge(ns::Queue<int, std::less<int>>&)");
}

TEST(Adapters, TypesThatCannotBeDeducedAreGiven) {
  EXPECT_EQ(best(template_method("get", {{"U", true, false, false}}, {}, "auto")).text,
            "{object}.get<int>()");
  EXPECT_EQ(best(template_method("step", {{"N", false, false, false}}, {})).text,
            "{object}.step<0>()");
  // Else the plain one would be called.
  const Callable plain = method("find", {parameter("const int&", "integer")});
  const Callable pattern =
      template_method("find", {{"K", true, false, false}}, {parameter("const P0&", "dependent")});
  const auto pieces = method_pieces(queue_model({plain, pattern}), {});
  EXPECT_EQ(pieces[1].variants[0].text, "{object}.find<int>({0})");
  EXPECT_TRUE(pieces[1].has_plain_twin);
}

TEST(Adapters, PatternsChooseMethods) {
  const ClassModel model =
      queue_model({method("push", {}), method("push_all", {}), method("pop", {})});
  GenTarget options;
  options.include = {"push*"};
  options.exclude = {"*all()"};
  const auto pieces = method_pieces(model, options);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].name, "push()");
}

TEST(Adapters, PoolsGiveValues) {
  GenTarget options;
  options.pools = {{"int", {"1", "2"}}, {"resize.n", {"3"}}};
  const Adapter push =
      best(method("push", {parameter("const int&", "integer")}), queue_model({}), options);
  EXPECT_THAT(push.code, HasSubstr("c.arg<snag_gen_made::Pool0>(0).value"));
  const Adapter resize =
      best(method("resize", {parameter("int", "integer", "n")}), queue_model({}), options);
  EXPECT_THAT(resize.code, HasSubstr("Pool1>(0).value"));
  const auto makers = maker_pieces(queue_model({}), options);
  ASSERT_EQ(makers.size(), 2u);
  EXPECT_THAT(makers[0].variants[0].code, HasSubstr("int values[] = {1, 2};"));
}

TEST(Adapters, FactoriesTakeThePlaceOfConstructors) {
  GenTarget options;
  EXPECT_EQ(constructor_pieces(queue_model({}), options)[0].variants[0].code, "c.construct<T>();");
  options.factories = {"new ns::Queue<int>(1)"};
  const auto pieces = constructor_pieces(queue_model({}), options);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].variants[0].code,
            "c.create<T>([&]() -> decltype(auto) { return new ns::Queue<int>(1); });");
}

TEST(Adapters, CheapConstructorsMakeOtherClasses) {
  ClassModel model = queue_model({});
  const Callable pointer = method("P", {parameter("const char*", "text")});
  const Callable numbers = method("P", {parameter("int", "integer"), parameter("int", "integer")});
  model.classes = {{"ns::P", false, false, {pointer, numbers}, {}},
                   {"ns::Easy", false, true, {method("Easy", {})}, {}}};
  const auto pieces = maker_pieces(model, {});
  ASSERT_EQ(pieces.size(), 1u);
  ASSERT_EQ(pieces[0].variants.size(), 2u);
  EXPECT_THAT(pieces[0].variants[0].code, HasSubstr("return ns::P(s.arg<int>(0), s.arg<int>(1));"));
}

}  // namespace
}  // namespace snag::gen
