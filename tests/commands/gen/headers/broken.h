// Does not compile.
#pragma once

class Broken {
 public:
  void run(Unknown value);
};
