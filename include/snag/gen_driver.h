// What a driver of `snag gen` includes: a table of constructors and one of methods, each with an
// adapter that makes the call. `snag gen` writes the driver.
//
// Only what a driver needs to be compiled and to list its methods.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace snag_gen {

inline constexpr unsigned kConst = 1;
inline constexpr unsigned kStatic = 2;
inline constexpr unsigned kObserver = 4;

template <class V>
inline constexpr bool is_under_test = false;

class Source {
 public:
  unsigned seed() const { return 0; }
  template <class P>
  P arg(unsigned index);
  template <class P>
  std::string text(unsigned) {
    return "";
  }
};

template <class V>
constexpr bool can_be_made() {
  if constexpr (std::is_void_v<V> || std::is_function_v<V>) {
    return true;
  } else if constexpr (std::is_abstract_v<V> || std::is_array_v<V>) {
    return false;
  } else if constexpr (std::is_constructible_v<V, int>) {
    return true;
  } else {
    return std::is_default_constructible_v<V> || std::is_constructible_v<V, std::string>;
  }
}

template <class V, class = void>
struct Maker {
  static_assert(can_be_made<V>() || is_under_test<V>, "no way to make an argument of type");
  static V make(Source&) { std::abort(); }
};

template <class P>
P Source::arg(unsigned) {
  using V = std::remove_cv_t<std::remove_reference_t<P>>;
  using U = std::remove_cv_t<std::remove_pointer_t<V>>;
  if constexpr (!is_under_test<U> && !std::is_base_of_v<std::ios_base, U> && !std::is_void_v<U> &&
                !std::is_function_v<U>) {
    (void)&Maker<U>::make;
  }
  std::abort();
}

class Call : public Source {
 public:
  template <class T>
  T& self() {
    return *static_cast<T*>(object_);
  }
  template <class T, class... A>
  void construct(A&&... arguments) {
    object_ = new T(std::forward<A>(arguments)...);
  }
  template <class T>
  void adopt(T* object) {
    object_ = object;
  }
  template <class T>
  void adopt(T&& object) {
    construct<T>(std::move(object));
  }
  template <class T, class U, class D>
  void adopt(std::unique_ptr<U, D> owner) {
    object_ = static_cast<T*>(owner.release());
  }
  template <class T, class U>
  void adopt(std::shared_ptr<U> owner) {
    static std::shared_ptr<U> kept;
    kept = std::move(owner);
    object_ = static_cast<T*>(kept.get());
  }
  template <class Function>
  void returns(Function&& function) {
    function();
  }

 private:
  void* object_ = nullptr;
};

struct Constructor {
  const char* name;
  const char* text;
  int arguments;
  void (*code)(Call&);
};

struct Method {
  const char* name;
  const char* text;
  int arguments;
  unsigned flags;
  void (*code)(Call&);
};

}  // namespace snag_gen

#define SNAG_GEN_CLASS(...) \
  template <>               \
  inline constexpr bool snag_gen::is_under_test<__VA_ARGS__> = true;

#define SNAG_GEN_DRIVER(Class, constructors, methods)                                        \
  int main() {                                                                               \
    for (const snag_gen::Constructor& one : constructors) std::printf("%s\n", one.name);     \
    for (const snag_gen::Method& one : methods) std::printf("%s  %s\n", one.name, one.text); \
  }
