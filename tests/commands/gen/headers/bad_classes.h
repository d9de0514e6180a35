// Classes that snag gen cannot use as they are.
#pragma once

#include <memory>
#include <string>

namespace bad {

class Abstract {
 public:
  virtual ~Abstract() = default;
  virtual void run() = 0;
};
class Concrete : public Abstract {
 public:
  explicit Concrete(int) {}
  void run() override {}
};
inline std::unique_ptr<Abstract> make_abstract(int value) {
  return std::make_unique<Concrete>(value);
}

class NoConstructor {
 public:
  void run() {}

 private:
  NoConstructor() = default;
};

class Unmade {
 private:
  Unmade() = default;
};
class NeedsUnmade {
 public:
  explicit NeedsUnmade(const Unmade&) {}
  void run() {}
};

class NothingToCall {
 private:
  void run() {}
};

class Declared;

template <class T>
class Template {
 public:
  void put(const T&) {}
};

enum Number { kOne };

// Its method is not defined anywhere.
class Undefined {
 public:
  void defined() {}
  void undefined();
};

}  // namespace bad
