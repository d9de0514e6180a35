// Small helpers for text that is C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snag::gen {

// Only where it is not part of a longer name.
void replace_name(std::string& text, std::string_view name, std::string_view to);

// P<index> by `type`, as a whole word.
std::string with_template_argument(const std::string& text, std::size_t index,
                                   const std::string& type);
bool names_template_parameter(const std::string& text, std::size_t index);

// Splits at the commas that are not within brackets or quotes, and trims the parts.
std::vector<std::string> split_at_commas(std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view between);

// Indents every line by this many blanks.
std::string indented(const std::string& text, std::size_t blanks);

// As a C++ string literal.
std::string quoted_literal(std::string_view text);

// Whether a shell pattern with * and ? fits the whole text.
bool fits_pattern(std::string_view pattern, std::string_view text);

// Letters, digits, _ and ::, and so the name of a function rather than an expression.
bool is_plain_name(std::string_view text);

// The part to leave out so that it can be the name of a class; empty if it can be one already.
std::string class_name_problem(std::string_view name);

}  // namespace snag::gen
