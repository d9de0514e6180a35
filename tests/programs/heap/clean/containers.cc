// Expect: clean
// The containers of the library grow, shrink and move.
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::vector<std::string> texts;
  std::map<int, std::string> table;
  std::unordered_map<std::string, int> index;
  std::deque<int> queue;
  std::list<int> list;
  for (int i = 0; i < 50; ++i) {
    texts.push_back(std::string(static_cast<std::size_t>(i), 'x'));
    table[i] = texts.back();
    index[texts.back()] = i;
    queue.push_back(i);
    list.push_front(i);
  }
  for (auto it = list.begin(); it != list.end();) it = *it % 2 ? list.erase(it) : std::next(it);
  for (int i = 0; i < 25; ++i) queue.pop_front();
  table.erase(7);
  texts.resize(10);
  texts.shrink_to_fit();
  auto shared = std::make_shared<std::vector<std::string>>(std::move(texts));
  return shared->at(9).size() != 9 || index.at("xxx") != 3 || queue.front() != 25 ||
         list.size() != 25;
}
