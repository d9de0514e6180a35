// What a call did, as text that can be compared: its value, "void", or "throws " and the type of
// the exception.
//
//   snag::outcome_of([&] { return queue.try_pop(); })    // "none", "3", "throws std::bad_alloc"
//
// Used by the tests that `snag gen` writes, and by its drivers. What cannot be compared (addresses,
// iterators, classes without a known meaning) is "?", and so are references into an object: looking
// behind them is not part of the call that returned them.
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace snag {

// Whether to follow references and pointers into the object: only while no thread changes it.
enum class Look { kAtValues, kBehindReferences };

namespace outcome_detail {

template <class V, class = void>
struct IsContainer : std::false_type {};
template <class V>
struct IsContainer<V, std::void_t<typename V::value_type, typename V::const_iterator,
                                  decltype(std::declval<const V&>().begin()),
                                  decltype(std::declval<const V&>().end())>> : std::true_type {};

template <class V, class = void>
struct IsUnordered : std::false_type {};
template <class V>
struct IsUnordered<V, std::void_t<typename V::hasher>> : std::true_type {};

template <class V, template <class...> class Template>
struct IsA : std::false_type {};
template <class... P, template <class...> class Template>
struct IsA<Template<P...>, Template> : std::true_type {};
template <class V, template <class...> class Template>
inline constexpr bool is_a = IsA<V, Template>::value;

// More elements say nothing new, and texts must end somewhere.
inline constexpr int kMostElements = 64;

inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 32 && c != 127) {
      result += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\%03o", static_cast<unsigned>(c) & 255u);
      result += code;
    }
  }
  return result + '"';
}

}  // namespace outcome_detail

template <class V>
std::string describe(const V& value, Look look = Look::kAtValues);

namespace outcome_detail {

template <class V>
std::string describe_container(const V& value, Look look) {
  std::vector<std::string> texts;
  for (const auto& element : value) {
    if (texts.size() == kMostElements) break;
    texts.push_back(describe(static_cast<const typename V::value_type&>(element), look));
  }
  if constexpr (IsUnordered<V>::value) std::sort(texts.begin(), texts.end());
  std::string result = "[";
  for (const std::string& text : texts) result += (result.size() > 1 ? ", " : "") + text;
  return result + "]";
}

template <class Tuple, std::size_t... I>
std::string describe_tuple(const Tuple& value, Look look, std::index_sequence<I...>) {
  std::string result = "(";
  ((result += (I == 0 ? "" : ", ") + describe(std::get<I>(value), look)), ...);
  return result + ")";
}

inline std::string type_text(const std::type_info& type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string text = status == 0 ? name : type.name();
  std::free(name);
  constexpr std::string_view kLong =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at; (at = text.find(kLong)) != std::string::npos;)
    text.replace(at, kLong.size(), "std::string");
  return text;
}

}  // namespace outcome_detail

template <class V>
std::string describe(const V& value, [[maybe_unused]] Look look) {
  using namespace outcome_detail;
  using std::is_same_v;
  if constexpr (is_same_v<V, bool> || is_same_v<V, std::vector<bool>::const_reference>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<V>) {
    return std::to_string(static_cast<std::underlying_type_t<V>>(value));
  } else if constexpr (std::is_integral_v<V>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<V>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17Lg", static_cast<long double>(value));
    return text;
  } else if constexpr (is_same_v<V, std::string>) {
    return quoted(value);
  } else if constexpr (is_same_v<V, std::string_view>) {
    return look == Look::kBehindReferences ? quoted(value) : "?";
  } else if constexpr (is_same_v<V, std::nullptr_t>) {
    return "null";
  } else if constexpr (std::is_pointer_v<V>) {
    return value ? "not null" : "null";
  } else if constexpr (is_a<V, std::unique_ptr>) {
    if constexpr (std::is_array_v<typename V::element_type>) {
      return value ? "not null" : "null";
    } else {
      return value ? "-> " + describe(*value, look) : "null";
    }
  } else if constexpr (is_a<V, std::shared_ptr>) {
    if (!value) return "null";
    if constexpr (!std::is_void_v<typename V::element_type> &&
                  !std::is_array_v<typename V::element_type>) {
      if (look == Look::kBehindReferences) return "-> " + describe(*value, look);
    }
    return "not null";
  } else if constexpr (is_a<V, std::optional>) {
    return value ? describe(*value, look) : "none";
  } else if constexpr (is_a<V, std::pair> || is_a<V, std::tuple>) {
    return describe_tuple(value, look, std::make_index_sequence<std::tuple_size_v<V>>());
  } else if constexpr (is_a<V, std::chrono::duration>) {
    return describe(value.count(), look);
  } else if constexpr (is_a<V, std::atomic>) {
    return describe(value.load(), look);
  } else if constexpr (IsContainer<V>::value) {
    return describe_container(value, look);
  } else {
    return "?";
  }
}

// Of the exception that is being handled.
inline std::string thrown_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  return type ? outcome_detail::type_text(*type) : "something";
}

// Makes the compiler assume that the value is used. Else a call whose result is unused could be
// optimised away, along with its reads. Of a reference, only the address is used.
template <class V>
void keep(V&& value) {
  asm volatile("" : : "r"(std::addressof(value)) : "memory");
}

template <class Function>
std::string outcome_of(Function&& function, Look look = Look::kAtValues) {
  using Result = decltype(function());
  try {
    if constexpr (std::is_void_v<Result>) {
      function();
      return "void";
    } else {
      auto&& result = function();
      keep(result);
      if (std::is_lvalue_reference_v<Result> && look == Look::kAtValues) return "?";
      return describe<std::remove_cv_t<std::remove_reference_t<Result>>>(result, look);
    }
  } catch (abi::__forced_unwind&) {
    throw;  // the thread is being ended
  } catch (...) {
    return "throws " + thrown_type();
  }
}

// The outcome of an object that a function has made for its caller. Deletes the object at the end,
// if that is allowed.
template <class T>
auto own(T* object) {
  struct Delete {
    void operator()([[maybe_unused]] T* made) const {
      if constexpr (std::is_destructible_v<T>) delete made;
    }
  };
  return std::unique_ptr<T, Delete>(object);
}

}  // namespace snag
