// What a driver of `snag gen` includes: a table of constructors and one of methods, each with an
// adapter that makes the call. Usually `snag gen` writes the driver; one made by hand looks so:
//
//   #include "queue.h"
//   #include <snag/gen_driver.h>
//   SNAG_GEN_CLASS(ns::Queue<int>)
//   namespace {
//   using T = ns::Queue<int>;
//   using snag_gen::Call;
//   constexpr snag_gen::Constructor constructors[] = {
//       {"Queue()", "ns::Queue<int>()", 0, [](Call& c) { c.construct<T>(); }},
//   };
//   constexpr snag_gen::Method methods[] = {
//       {"push(int)", "{object}.push({0})", 1, 0,
//        [](Call& c) { c.returns([&]() -> decltype(auto) { return c.self<T>().push(c.arg<int>(0));
//        }); }},
//   };
//   }
//   SNAG_GEN_DRIVER(T, constructors, methods)
//
// Compile it with `snag c++`, and link it with -lsnag_gen_driver.
#pragma once

#include <snag/gen_arguments.h>
#include <snag/gen_flags.h>

#include <cstdint>

namespace snag_gen {

class Call;

// `text` is C++ with {0}, {1}... for the arguments and {object} for the object.
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
  const char* symbol = nullptr;  // of its function: to see when other methods call it
};

struct Driver {
  const Constructor* constructors;
  std::size_t constructor_count;
  const Method* methods;
  std::size_t method_count;
  std::string class_name;
};

// Thrown by an argument when the call is only described.
struct CallIsDescribed {};

struct CallData;  // tool/gen/driver/execution.h

// The only class derived from Source.
class Call : public Source {
 public:
  explicit Call(CallData& data) : data_(data) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() override = default;

  template <class P>
  P arg(unsigned index) {
    select(index);
    if (is_described()) {
      add_text(index, argument_text<P>(*this));
      if (all_described()) throw CallIsDescribed();
    }
    return argument<P>(*this);
  }

  // The two ends of a range, as pointers into the same buffer, whichever is requested first.
  template <class P>
  P range_begin(unsigned index) {
    return range<P>(index, 0);
  }
  template <class P>
  P range_end(unsigned index) {
    return range<P>(index, kRangeSize);
  }

  template <class T>
  T& self() {
    return *static_cast<T*>(object());
  }

  template <class T, class... A>
  void construct(A&&... arguments) {
    note_made_as("object");
    auto made = std::make_unique<KeptObject<T>>(new T(std::forward<A>(arguments)...));
    T* object = made->object;
    built(object, std::move(made));
  }

  // By a function or an expression that returns an object, a smart pointer, a pointer (what it
  // points to is deleted at the end), or a reference to an object that it does not own.
  template <class T, class Function>
  void create(Function&& function) {
    using namespace snag::outcome_detail;
    using Result = decltype(function());
    using Made = std::remove_cv_t<std::remove_reference_t<Result>>;
    if constexpr (std::is_lvalue_reference_v<Result> && std::is_convertible_v<Made*, T*>) {
      note_made_as("reference");
      T& made = function();
      built(std::addressof(made), nullptr);
    } else if constexpr (std::is_pointer_v<Made> && std::is_convertible_v<Made, T*>) {
      note_made_as("pointer");
      T* made = function();
      built(made, std::make_unique<KeptObject<T>>(made));
    } else if constexpr (is_a<Made, std::unique_ptr> || is_a<Made, std::shared_ptr>) {
      note_made_as("owner");
      Made owner = function();
      T* made = owner.get();
      built(made, std::make_unique<Kept<Made>>(std::move(owner)));
    } else {
      static_assert(std::is_convertible_v<Made*, T*> || std::is_convertible_v<Result, T>,
                    "no object of the class under test, and no pointer to one");
      note_made_as("object");
      using Object = std::conditional_t<std::is_convertible_v<Made*, T*>, Made, T>;
      auto made = std::make_unique<KeptObject<Object>>(new Object(function()));
      T* object = made->object;
      built(object, std::move(made));
    }
  }

  template <class Function>
  void returns(Function&& function) {
    using Result = decltype(function());
    begin();
    try {
      if constexpr (std::is_void_v<Result>) {
        function();
        end();
        finish("void");
      } else if constexpr (std::is_lvalue_reference_v<Result>) {
        auto&& result = function();
        end();
        using V = std::remove_cv_t<std::remove_reference_t<Result>>;
        const auto* address = static_cast<const volatile void*>(std::addressof(result));
        if (address == object()) {
          finish("itself");
        } else {
          finish(looks_behind() ? snag::describe<V>(result, snag::Look::kBehindReferences) : "?");
        }
      } else {
        const std::remove_cv_t<std::remove_reference_t<Result>> result = function();
        snag::keep(result);
        end();
        finish(snag::describe(
            result, looks_behind() ? snag::Look::kBehindReferences : snag::Look::kAtValues));
      }
    } catch (const CallIsDescribed&) {
      throw;
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (const std::exception& exception) {
      end();
      finish_thrown(snag::thrown_type(), exception.what());
    } catch (...) {
      end();
      finish_thrown(snag::thrown_type(), "");
    }
  }

 private:
  template <class T>
  struct KeptObject : Keeper {
    T* object;
    explicit KeptObject(T* made) : object(made) {}
    ~KeptObject() override {
      if constexpr (std::is_destructible_v<T>) delete object;
    }
  };

  static constexpr int kRangeSize = 3;

  template <class P>
  P range(unsigned index, int distance) {
    using V = std::remove_cv_t<std::remove_pointer_t<P>>;
    select(index);
    if (is_described()) {
      if (range_name().empty()) {
        range_name() = declare(type_name<V>() + " ",
                               "[] = {" + text<V>(0) + ", " + text<V>(1) + ", " + text<V>(2) + "}");
      }
      add_text(index, range_name() + (distance ? " + " + std::to_string(distance) : ""));
      if (all_described()) throw CallIsDescribed();
    }
    if (!range_buffer()) {
      auto& buffer = keep<KeptBuffer<V>>();
      for (unsigned i = 0; i < kRangeSize; ++i) buffer.value[i] = Source::arg<V>(i);
      range_buffer() = buffer.value;
    }
    return static_cast<V*>(range_buffer()) + distance;
  }

  friend class Source;
  void select(unsigned index);
  bool is_described() const;
  bool all_described() const;
  void add_text(unsigned index, std::string text);
  void* object() const;
  void*& range_buffer();
  std::string& range_name();
  bool looks_behind() const;
  // Ends the description of what was to be made, if all its arguments have been described.
  void note_made_as(const char* what);
  void built(void* object, std::unique_ptr<Keeper> keeper);
  void begin();
  void end();
  void finish(std::string outcome);
  void finish_thrown(std::string type, const char* what);

  CallData& data_;
};

int driver_main(int argc, char** argv, const Driver& driver);

}  // namespace snag_gen

// At global scope, before the tables: the class under test, so that methods which take another
// object of it are called too.
#define SNAG_GEN_CLASS(...) \
  template <>               \
  inline constexpr bool snag_gen::is_under_test<__VA_ARGS__> = true;

#define SNAG_GEN_DRIVER(Class, constructors, methods)                       \
  int main(int argc, char** argv) {                                         \
    return snag_gen::driver_main(                                           \
        argc, argv,                                                         \
        {constructors, sizeof constructors / sizeof *constructors, methods, \
         sizeof methods / sizeof *methods, snag_gen::type_name<Class>()});  \
  }
