// A class with members of every kind, for the list of what is found in it.
#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinds {

enum class Color { kRed, kGreen };

// Made from two numbers only.
class Point {
 public:
  Point(int x, int y) : x_(x), y_(y) {}
  int sum() const { return x_ + y_; }

 private:
  int x_, y_;
};

// Nobody can make one.
class Secret {
  Secret() = default;
  friend class Everything;
};

class Base {
 public:
  void inherited() {}
  int overridden() { return 1; }
  void hidden(int) {}
  virtual ~Base() = default;
  virtual int virtual_one() { return 1; }

 protected:
  void not_for_others() {}
};

class PrivateBase {
 public:
  void made_public() {}
  void stays_private() {}
};

class Everything;

// Belongs to the object it was made from.
class Token {
 public:
  explicit Token(Everything& owner) : owner_(owner) {}

 private:
  [[maybe_unused]] Everything& owner_;
};

class Everything : public Base, private PrivateBase {
 public:
  using iterator = std::vector<int>::iterator;
  using value_type = int;
  using PrivateBase::made_public;

  Everything() = default;
  explicit Everything(int size) : values_(static_cast<std::size_t>(size < 0 ? 0 : size)) {}
  Everything(const Everything& other) : values_(other.values_) {}
  Everything& operator=(const Everything&) = delete;
  static std::unique_ptr<Everything> create(const std::string&) {
    return std::make_unique<Everything>();
  }
  static Everything& shared() {
    static Everything one;
    return one;
  }

  // Names.
  int overridden() { return 2; }
  void hidden(const std::string&) {}
  int virtual_one() override { return 2; }

  // Overloads, const and not, references.
  int& at(std::size_t i) { return values_.at(i); }
  const int& at(std::size_t i) const { return values_.at(i); }
  void put(const std::string&) {}
  void put(std::string&&) {}
  std::string take() && { return "taken"; }
  void only_lvalues() & {}
  bool empty() const { return values_.empty(); }

  // Operators and conversions.
  int& operator[](std::size_t i) { return values_.at(i); }
  int operator()(int a, int b) { return a + b; }
  Everything& operator+=(int value) {
    values_.push_back(value);
    return *this;
  }
  Everything& operator++() { return *this; }
  int operator++(int) { return 0; }
  bool operator==(const Everything& other) const { return values_ == other.values_; }
  explicit operator bool() const { return !values_.empty(); }
  operator int() const { return 7; }

  // Arguments of all kinds.
  void defaults(int first, int second = 2, const std::vector<int>& third = {}) {
    (void)first, (void)second, (void)third;
  }
  bool out(int& result) { return result++ > 0; }
  void enumerated(Color) {}
  void text(const char*) {}
  void view(std::string_view) {}
  void write(const char* data, std::size_t size) { (void)data, (void)size; }
  std::size_t read(char* data, std::size_t size) { return data != nullptr ? size : 0; }
  void call(const std::function<int(int)>&) {}
  void list(std::initializer_list<int>) {}
  void append(const Everything&) {}
  void swap(Everything&) {}
  void place(const Point&) {}
  void owned(std::unique_ptr<Point>) {}
  void with_token(Token&, int) {}
  void keep_secret(const Secret&) {}
  void log(const char*, ...) {}

  // Positions.
  iterator begin() { return values_.begin(); }
  iterator end() { return values_.end(); }
  iterator erase(iterator at) { return values_.erase(at); }
  iterator erase(iterator first, iterator last) { return values_.erase(first, last); }

  // Templates.
  template <class U>
  void push(U&& value) {
    values_.push_back(value);
  }
  template <class It>
  void assign(It first, It last) {
    values_.assign(first, last);
  }
  template <class It>
  bool push_bulk(It first, std::size_t count) {
    values_.insert(values_.end(), first, first + static_cast<std::ptrdiff_t>(count));
    return true;
  }
  template <class F>
  void for_each(F f) {
    for (int& value : values_) f(value);
  }
  template <class... Args>
  int& emplace(Args&&... args) {
    return values_.emplace_back(std::forward<Args>(args)...);
  }
  template <class U>
  U get() const {
    return U();
  }
  template <int kStep>
  void step() {}
  template <class U>
  std::enable_if_t<(sizeof(U) > 1000)> too_big(const U&) {}

  // Not to be called.
  void deleted() = delete;
  [[deprecated("use put")]] void old() {}
  static int counted() { return 3; }

 private:
  void not_public() {}
  std::vector<int> values_;
};

}  // namespace kinds
