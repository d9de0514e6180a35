// Work that mostly allocates.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace speed {

inline std::size_t use_containers() {
  std::map<int, std::string> by_number;
  std::unordered_map<std::string, int> by_name;
  std::list<std::unique_ptr<int>> list;
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) {
    std::string name = "the name of number " + std::to_string(i * 7 % 40);
    by_number[i * 7 % 40] = name;
    by_name[name] = i;
    list.push_back(std::make_unique<int>(i));
    if (i % 3 == 0) list.pop_front();
    names.push_back(std::move(name));
  }
  return by_number.size() + by_name.size() + list.size() + names.size();
}

}  // namespace speed
