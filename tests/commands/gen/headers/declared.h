// Methods with a type that is only declared here.
#pragma once

class Unknown;

class Holder {
 public:
  void keep(Unknown*) {}
  void look(const Unknown&) {}
  int number() const { return 1; }
};
