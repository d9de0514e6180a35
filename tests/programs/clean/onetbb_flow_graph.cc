// Expect: clean
// Flags: -std=c++20 -ltbb
// Flow graphs of oneTBB: values that nodes hand on, join, buffer and count.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <cassert>
#include <string>
#include <tuple>
#include <vector>

namespace flow = oneapi::tbb::flow;

int main() {
  oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 3);
  flow::graph graph;
  std::vector<int> results;
  int next = 0;
  flow::input_node<int> source(graph, [&](oneapi::tbb::flow_control& control) {
    if (next == 4) control.stop();
    return next++;
  });
  flow::function_node<int, int> square(graph, flow::unlimited, [](int v) {
    std::vector<int> own(3, v);
    return own[0] * own[1];
  });
  flow::function_node<int, std::string> text(
      graph, flow::serial, [](int v) { return std::string(20, static_cast<char>('a' + v)); });
  flow::join_node<std::tuple<int, std::string>, flow::queueing> join(graph);
  flow::function_node<std::tuple<int, std::string>> sink(
      graph, flow::serial, [&](const std::tuple<int, std::string>& both) {
        results.push_back(std::get<0>(both) + static_cast<int>(std::get<1>(both).size()));
      });
  flow::make_edge(source, square);
  flow::make_edge(source, text);
  flow::make_edge(square, flow::input_port<0>(join));
  flow::make_edge(text, flow::input_port<1>(join));
  flow::make_edge(join, sink);
  source.activate();
  graph.wait_for_all();
  assert(results.size() == 4);

  flow::broadcast_node<int> start(graph);
  flow::buffer_node<int> buffer(graph);
  flow::limiter_node<int> limiter(graph, 1);
  int sum = 0;
  flow::function_node<int, flow::continue_msg> add(graph, flow::serial, [&](int v) {
    sum += v;
    return flow::continue_msg();
  });
  flow::make_edge(start, buffer);
  flow::make_edge(buffer, limiter);
  flow::make_edge(limiter, add);
  flow::make_edge(add, limiter.decrementer());
  for (int i = 0; i < 3; ++i) start.try_put(i);
  graph.wait_for_all();
  assert(sum == 3);
}
