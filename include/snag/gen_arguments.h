// Arguments for the calls that `snag gen` makes: turns a small number into a value of any type.
// Values come from small sets, so that the calls of a test use the same keys.
//
// For a class of your own that cannot be made here, specialise Maker, before the tables of the
// driver:
//
//   template <>
//   struct snag_gen::Maker<Account> {
//     static Account make(snag_gen::Source& s) { return Account(s.arg<int>(0), s.arg<bool>(1)); }
//     static std::string text(snag_gen::Source& s) {      // may be left out
//       return "Account(" + s.text<int>(0) + ", " + s.text<bool>(1) + ")";
//     }
//   };
#pragma once

#include <snag/outcome.h>

#include <functional>
#include <initializer_list>
#include <ostream>
#include <sstream>

namespace snag_gen {

class Source;
struct Keeper;

// Is V the class under test? SNAG_GEN_CLASS says so.
template <class V>
inline constexpr bool is_under_test = false;

template <class V>
std::string type_name() {
  return snag::outcome_detail::type_text(typeid(V));
}

enum class Kind {
  kNone,
  kBool,
  kInteger,
  kReal,
  kEnum,
  kString,
  kStringView,
  kDuration,
  kTimePoint,
  kOptional,
  kPair,
  kTuple,
  kContainer,
  kInitializerList,
  kUniquePointer,
  kSharedPointer,
  kFunction,
  kFromInt,
  kFromText,
  kDefault,
};

// How the primary Maker makes one.
template <class V>
constexpr Kind kind_of() {
  using namespace snag::outcome_detail;
  if constexpr (!std::is_object_v<V> || std::is_array_v<V> || std::is_pointer_v<V>) {
    return Kind::kNone;
  } else if constexpr (std::is_same_v<V, bool>) {
    return Kind::kBool;
  } else if constexpr (std::is_integral_v<V>) {
    return Kind::kInteger;
  } else if constexpr (std::is_floating_point_v<V>) {
    return Kind::kReal;
  } else if constexpr (std::is_enum_v<V>) {
    return Kind::kEnum;
  } else if constexpr (std::is_same_v<V, std::string>) {
    return Kind::kString;
  } else if constexpr (std::is_same_v<V, std::string_view>) {
    return Kind::kStringView;
  } else if constexpr (is_a<V, std::chrono::duration>) {
    return Kind::kDuration;
  } else if constexpr (is_a<V, std::chrono::time_point>) {
    return Kind::kTimePoint;
  } else if constexpr (is_a<V, std::optional>) {
    return Kind::kOptional;
  } else if constexpr (is_a<V, std::pair>) {
    return Kind::kPair;
  } else if constexpr (is_a<V, std::tuple>) {
    return Kind::kTuple;
  } else if constexpr (is_a<V, std::initializer_list>) {
    return Kind::kInitializerList;
  } else if constexpr (is_a<V, std::unique_ptr>) {
    return Kind::kUniquePointer;
  } else if constexpr (is_a<V, std::shared_ptr>) {
    return Kind::kSharedPointer;
  } else if constexpr (is_a<V, std::function>) {
    return Kind::kFunction;
  } else if constexpr (std::is_abstract_v<V>) {
    return Kind::kNone;
  } else if constexpr (IsContainer<V>::value && std::is_default_constructible_v<V>) {
    return Kind::kContainer;
  } else if constexpr (std::is_convertible_v<int, V>) {
    return Kind::kFromInt;
  } else if constexpr (std::is_convertible_v<std::string, V>) {
    return Kind::kFromText;
  } else if constexpr (std::is_default_constructible_v<V>) {
    return Kind::kDefault;
  } else if constexpr (std::is_constructible_v<V, int>) {
    return Kind::kFromInt;
  } else if constexpr (std::is_constructible_v<V, std::string>) {
    return Kind::kFromText;
  } else {
    return Kind::kNone;
  }
}

template <class V, class = void>
struct Maker;

template <class V, class = void>
struct HasText : std::false_type {};
template <class V>
struct HasText<V, std::void_t<decltype(Maker<V>::text(std::declval<Source&>()))>> : std::true_type {
};

template <class V>
struct FunctionParts;
template <class R, class... A>
struct FunctionParts<R(A...)> {
  using Result = R;
};
template <class R, class... A>
struct FunctionParts<std::function<R(A...)>> {
  using Result = R;
};

// A value that lives until the test is over, since the callee may keep its address.
struct Keeper {
  virtual ~Keeper() = default;
  virtual std::string describe() const { return ""; }
  std::unique_ptr<Keeper> next;
};

template <class V>
struct Kept : Keeper {
  V value;
  template <class... A>
  explicit Kept(A&&... arguments) : value(std::forward<A>(arguments)...) {}
  explicit Kept(V (*make)(Source&), Source& source) : value(make(source)) {}
  std::string describe() const override { return snag::describe(value); }
};

struct KeptText : Keeper {
  std::stringstream value;
  std::string describe() const override { return snag::outcome_detail::quoted(value.str()); }
};

// Sizes come from the same small sets, so they fit: they are at most 100.
inline constexpr int kBufferSize = 128;

template <class V>
struct KeptBuffer : Keeper {
  V value[kBufferSize] = {};
  std::string describe() const override {
    if constexpr (std::is_same_v<V, char>) return snag::outcome_detail::quoted(value);
    return snag::describe(value[0]);
  }
};

// One argument in the making: a seed, and where to keep what must outlive the call.
class Source {
 public:
  virtual ~Source() = default;
  unsigned seed() const { return seed_; }

  // An argument of an argument, for makers.
  template <class P>
  P arg(unsigned index);
  template <class P>
  std::string text(unsigned index);

  // The shared objects, and a new one.
  void* chosen_object(bool fresh_allowed);
  std::string chosen_object_text(bool fresh_allowed);
  void* fresh_object();

  template <class K, class... A>
  K& keep(A&&... arguments) {
    auto made = std::make_unique<K>(std::forward<A>(arguments)...);
    K& result = *made;
    take(std::move(made));
    return result;
  }
  // Its final value is part of the outcome.
  void note_output(Keeper& keeper);
  // A statement before the call; the name in it is free.
  std::string declare(const std::string& before_name, const std::string& behind_name);
  // An expression for the final value of what was declared.
  std::string show_output(const std::string& name, const std::string& behind_name = "");

 protected:
  friend class SeedScope;
  void take(std::unique_ptr<Keeper> keeper);
  unsigned seed_ = 0;
};

// The seed of an inner argument, for as long as it is made.
class SeedScope {
 public:
  SeedScope(Source& source, unsigned index) : source_(source), outer_(source.seed_) {
    source.seed_ = (outer_ * 7 + index * 5 + 1) % 16;
  }
  SeedScope(const SeedScope&) = delete;
  SeedScope& operator=(const SeedScope&) = delete;
  ~SeedScope() { source_.seed_ = outer_; }

 private:
  Source& source_;
  unsigned outer_;
};

inline constexpr int kIntegers[16] = {1, 2, 0, 3, 1, -1, 2, 100, 1, 0, -3, 3, 2, -2, 1, -100};
inline constexpr double kReals[16] = {1, 0, 2, 0.1, 3, -1, 1, 100, -0.1, 2, -3, 0, 1, -2, 3, -100};
inline constexpr const char* kTexts[16] = {"a", "b", "", "ab", "a",   "c", "b",  "abc",
                                           "a", "b", "", "1",  "x y", "a", "ba", "c"};

template <class V>
V integer_of(unsigned seed) {
  const int value = kIntegers[seed % 16];
  // A negative size would become a huge one.
  if constexpr (std::is_unsigned_v<V>) return static_cast<V>(value < 0 ? -value : value);
  return static_cast<V>(value);
}

template <class V, class>
struct Maker {
  static constexpr Kind kind = kind_of<V>();
  static_assert(kind != Kind::kNone, "no way to make an argument of type");

  static V make(Source& s) {
    if constexpr (kind == Kind::kBool) {
      return s.seed() % 2 == 0;
    } else if constexpr (kind == Kind::kInteger) {
      return integer_of<V>(s.seed());
    } else if constexpr (kind == Kind::kReal) {
      return static_cast<V>(kReals[s.seed() % 16]);
    } else if constexpr (kind == Kind::kEnum) {
      return static_cast<V>(s.seed() % 3);
    } else if constexpr (kind == Kind::kString || kind == Kind::kStringView) {
      return V(kTexts[s.seed() % 16]);
    } else if constexpr (kind == Kind::kDuration) {
      return V(static_cast<typename V::rep>(s.seed() % 4));
    } else if constexpr (kind == Kind::kTimePoint) {
      return V::clock::now() + typename V::duration(static_cast<typename V::rep>(s.seed() % 4));
    } else if constexpr (kind == Kind::kOptional) {
      if (s.seed() % 4 == 3) return V();
      return V(Maker<typename V::value_type>::make(s));
    } else if constexpr (kind == Kind::kPair) {
      return V(s.arg<typename V::first_type>(0), s.arg<typename V::second_type>(1));
    } else if constexpr (kind == Kind::kTuple) {
      return make_tuple(s, std::make_index_sequence<std::tuple_size_v<V>>());
    } else if constexpr (kind == Kind::kContainer) {
      V made;
      for (unsigned i = 0; i < s.seed() % 4; ++i)
        made.insert(made.end(), s.arg<typename V::value_type>(i));
      return made;
    } else if constexpr (kind == Kind::kInitializerList) {
      // The elements must outlive the call.
      static const typename V::value_type first = s.arg<typename V::value_type>(0);
      static const V one = {first};
      return one;
    } else if constexpr (kind == Kind::kUniquePointer || kind == Kind::kSharedPointer) {
      using U = std::remove_cv_t<typename V::element_type>;
      if constexpr (is_under_test<U>) {
        static_assert(kind == Kind::kSharedPointer, "no way to make an argument of type");
        return V(std::shared_ptr<void>(), static_cast<U*>(s.chosen_object(true)));
      } else {
        return V(new U(Maker<U>::make(s)));
      }
    } else if constexpr (kind == Kind::kFunction) {
      using R = typename FunctionParts<V>::Result;
      if constexpr (std::is_void_v<R>) {
        return [](auto&&...) {};
      } else {
        auto result = std::make_shared<R>(Maker<R>::make(s));
        return [result](auto&&...) { return *result; };
      }
    } else if constexpr (kind == Kind::kFromInt) {
      return V(integer_of<int>(s.seed()));
    } else if constexpr (kind == Kind::kFromText) {
      return V(std::string(kTexts[s.seed() % 16]));
    } else {
      return V();
    }
  }

  static std::string text(Source& s) {
    if constexpr (kind == Kind::kInteger && sizeof(V) == 1) {
      return type_name<V>() + "(" + snag::describe(int{make(s)}) + ")";
    } else if constexpr (kind == Kind::kInteger && std::is_unsigned_v<V>) {
      return snag::describe(make(s)) + "u";
    } else if constexpr (kind == Kind::kBool || kind == Kind::kInteger || kind == Kind::kReal) {
      return snag::describe(make(s));
    } else if constexpr (kind == Kind::kString) {
      return "std::string(" + snag::outcome_detail::quoted(kTexts[s.seed() % 16]) + ")";
    } else if constexpr (kind == Kind::kStringView) {
      return snag::outcome_detail::quoted(kTexts[s.seed() % 16]);
    } else if constexpr (kind == Kind::kEnum) {
      return "static_cast<" + type_name<V>() + ">(" + snag::describe(make(s)) + ")";
    } else if constexpr (kind == Kind::kDuration) {
      return type_name<V>() + "(" + snag::describe(make(s).count()) + ")";
    } else if constexpr (kind == Kind::kTimePoint) {
      return type_name<typename V::clock>() + "::now() + " + type_name<typename V::duration>() +
             "(" + std::to_string(s.seed() % 4) + ")";
    } else if constexpr (kind == Kind::kOptional) {
      return s.seed() % 4 == 3 ? "std::nullopt" : text_of<typename V::value_type>(s);
    } else if constexpr (kind == Kind::kPair) {
      return type_name<V>() + "(" + s.text<typename V::first_type>(0) + ", " +
             s.text<typename V::second_type>(1) + ")";
    } else if constexpr (kind == Kind::kContainer) {
      std::string list;
      for (unsigned i = 0; i < s.seed() % 4; ++i)
        list += (i ? ", " : "") + s.text<typename V::value_type>(i);
      return type_name<V>() + "{" + list + "}";
    } else if constexpr (kind == Kind::kInitializerList) {
      return "{" + s.text<typename V::value_type>(0) + "}";
    } else if constexpr (kind == Kind::kUniquePointer || kind == Kind::kSharedPointer) {
      using U = std::remove_cv_t<typename V::element_type>;
      if constexpr (is_under_test<U>) {
        return "std::shared_ptr<void>(), &" + s.chosen_object_text(true);
      } else {
        return (kind == Kind::kUniquePointer ? "std::make_unique<" : "std::make_shared<") +
               type_name<U>() + ">(" + text_of<U>(s) + ")";
      }
    } else if constexpr (kind == Kind::kFunction) {
      using R = typename FunctionParts<V>::Result;
      if constexpr (std::is_void_v<R>) {
        return "[](auto&&...) {}";
      } else {
        return "[](auto&&...) { return " + text_of<R>(s) + "; }";
      }
    } else if constexpr (kind == Kind::kFromInt) {
      return type_name<V>() + "(" + snag::describe(integer_of<int>(s.seed())) + ")";
    } else if constexpr (kind == Kind::kFromText) {
      return type_name<V>() + "(" + snag::outcome_detail::quoted(kTexts[s.seed() % 16]) + ")";
    } else {
      return type_name<V>() + "()";
    }
  }

  template <class U>
  static std::string text_of(Source& s) {
    if constexpr (HasText<U>::value) return Maker<U>::text(s);
    return type_name<U>() + "(/* as the driver makes it */)";
  }

 private:
  template <std::size_t... I>
  static V make_tuple(Source& s, std::index_sequence<I...>) {
    return V(s.arg<std::tuple_element_t<I, V>>(I)...);
  }
};

// Something for a parameter of exactly type P.
template <class P>
P argument(Source& s) {
  using V = std::remove_cv_t<std::remove_reference_t<P>>;
  constexpr bool is_output =
      std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
  if constexpr (std::is_pointer_v<V>) {
    using U = std::remove_pointer_t<V>;
    using Plain = std::remove_cv_t<U>;
    static_assert(!is_output, "no way to make an argument of type");
    if constexpr (is_under_test<Plain>) {
      return static_cast<V>(s.chosen_object(false));
    } else if constexpr (std::is_function_v<U>) {
      using R = typename FunctionParts<U>::Result;
      if constexpr (std::is_void_v<R>) return [](auto...) {};
      if constexpr (!std::is_void_v<R>) return [](auto...) { return R(); };
    } else if constexpr (std::is_same_v<Plain, char> && std::is_const_v<U>) {
      return kTexts[s.seed() % 16];
    } else if constexpr (std::is_void_v<Plain>) {
      return s.keep<KeptBuffer<long>>().value;
    } else if constexpr (std::is_arithmetic_v<Plain>) {
      auto& buffer = s.keep<KeptBuffer<Plain>>();
      for (int i = 0; i < kBufferSize && !std::is_same_v<Plain, char>; ++i)
        buffer.value[i] = integer_of<Plain>(s.seed() + static_cast<unsigned>(i));
      if constexpr (!std::is_const_v<U>) s.note_output(buffer);
      return buffer.value;
    } else {
      return &s.keep<Kept<Plain>>(&Maker<Plain>::make, s).value;
    }
  } else if constexpr (is_under_test<V>) {
    if constexpr (std::is_lvalue_reference_v<P>) {
      return *static_cast<V*>(s.chosen_object(!is_output));
    } else {
      return std::move(*static_cast<V*>(s.fresh_object()));
    }
  } else if constexpr (std::is_base_of_v<V, std::stringstream> && std::is_lvalue_reference_v<P>) {
    auto& kept = s.keep<KeptText>();
    s.note_output(kept);
    return kept.value;
  } else if constexpr (is_output) {
    auto& kept = s.keep<Kept<V>>(&Maker<V>::make, s);
    s.note_output(kept);
    return kept.value;
  } else if constexpr (std::is_lvalue_reference_v<P>) {
    return s.keep<Kept<V>>(&Maker<V>::make, s).value;
  } else if constexpr (std::is_rvalue_reference_v<P>) {
    return std::move(s.keep<Kept<V>>(&Maker<V>::make, s).value);
  } else {
    return Maker<V>::make(s);
  }
}

// The same as C++ text; may declare variables before the call.
template <class P>
std::string argument_text(Source& s) {
  using V = std::remove_cv_t<std::remove_reference_t<P>>;
  constexpr bool is_output =
      std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
  if constexpr (std::is_pointer_v<V>) {
    using U = std::remove_pointer_t<V>;
    using Plain = std::remove_cv_t<U>;
    if constexpr (is_under_test<Plain>) {
      return "&" + s.chosen_object_text(false);
    } else if constexpr (std::is_function_v<U>) {
      return "[](auto...) { return " + type_name<typename FunctionParts<U>::Result>() + "(); }";
    } else if constexpr (std::is_same_v<Plain, char> && std::is_const_v<U>) {
      return snag::outcome_detail::quoted(kTexts[s.seed() % 16]);
    } else if constexpr (std::is_void_v<Plain> || std::is_arithmetic_v<Plain>) {
      using Element = std::conditional_t<std::is_void_v<Plain>, long, Plain>;
      const std::string name =
          s.declare(type_name<Element>() + " ", "[" + std::to_string(kBufferSize) + "] = {}");
      if constexpr (std::is_arithmetic_v<Plain> && !std::is_const_v<U>)
        s.show_output(std::is_same_v<Plain, char> ? "std::string(" + name + ")" : name + "[0]");
      return name;
    } else {
      return "&" + s.declare("auto ", " = " + Maker<int>::text_of<Plain>(s));
    }
  } else if constexpr (is_under_test<V>) {
    return s.chosen_object_text(std::is_lvalue_reference_v<P> && !is_output);
  } else if constexpr (std::is_base_of_v<V, std::stringstream> && std::is_lvalue_reference_v<P>) {
    return s.show_output(s.declare("std::stringstream ", ""), ".str()");
  } else if constexpr (is_output) {
    return s.show_output(s.declare(type_name<V>() + " ", " = " + Maker<int>::text_of<V>(s)));
  } else {
    return Maker<int>::text_of<V>(s);
  }
}

template <class P>
P Source::arg(unsigned index) {
  const SeedScope inner(*this, index);
  return argument<P>(*this);
}

template <class P>
std::string Source::text(unsigned index) {
  const SeedScope inner(*this, index);
  return argument_text<P>(*this);
}

}  // namespace snag_gen
