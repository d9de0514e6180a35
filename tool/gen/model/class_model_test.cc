#include "tool/gen/model/class_model.h"

#include <gtest/gtest.h>

namespace snag::gen {
namespace {

constexpr const char* kModel = R"({
  "class": "Q", "type": "Q", "short_name": "Q", "file": "q.h", "line": 3, "abstract": false,
  "has_begin": true, "candidates": ["int"], "class_arguments": [], "makers": ["make_q"],
  "constructors": [{"name": "Q", "result": "void", "deprecated": false, "parameters": []}],
  "creators": [{"name": "make", "result": "Q*", "deprecated": false, "parameters": []}],
  "methods": [{"name": "operator[]", "kind": "operator", "symbol": "[]", "result": "auto",
    "const": true, "static": false, "volatile": false, "reference": "&&", "deprecated": true,
    "parameters": [{"type": "const P0&", "name": "i", "default": true, "pack": false,
      "kind": "dependent", "bare": "P0", "reference": "&", "const": true, "under_test": false,
      "iterator": false, "const_iterator": false, "of_object": true}],
    "template": [{"name": "U", "kind": "type", "pack": false, "default": true}]}],
  "classes": [{"type": "P", "abstract": true, "default": false, "constructors": [], "derived": ["D"]}]
})";

TEST(ClassModel, EverythingIsRead) {
  const auto model = parse_class_model(kModel);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->has_begin);
  EXPECT_EQ(model->constructors[0].kind, CallableKind::kConstructor);
  EXPECT_EQ(model->creators[0].kind, CallableKind::kCreator);
  ASSERT_EQ(model->methods.size(), 1u);
  const Callable& method = model->methods[0];
  EXPECT_EQ(method.kind, CallableKind::kOperator);
  EXPECT_EQ(method.reference, "&&");
  EXPECT_TRUE(method.is_const && method.is_deprecated && !method.is_static);
  ASSERT_EQ(method.template_parameters.size(), 1u);
  EXPECT_TRUE(method.template_parameters[0].is_type && method.template_parameters[0].has_default);
  EXPECT_TRUE(method.parameters[0].has_default && method.parameters[0].belongs_to_object);
  EXPECT_EQ(model->classes[0].derived[0], "D");
  EXPECT_EQ(model->makers[0], "make_q");
}

TEST(ClassModel, WhatIsMissingOrWrongIsAnError) {
  for (const char* text : {"", "{}", "[]", "{\"class\": 3}"})
    EXPECT_FALSE(parse_class_model(text)) << text;
}

}  // namespace
}  // namespace snag::gen
