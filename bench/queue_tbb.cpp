// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <tbb/flow_graph.h>

#include "queue.h"

namespace bench {
namespace {

class TbbNode final : public Queue {
 public:
  void Enqueue(Function function, void* argument) override { node_.try_put({function, argument}); }
  void Synchronize() override { graph_.wait_for_all(); }

 private:
  struct Task {
    Function function;
    void* argument;
  };
  tbb::flow::graph graph_;
  tbb::flow::function_node<Task, int> node_{graph_, 1, [](const Task& task) {
                                              task.function(task.argument);
                                              return 0;
                                            }};
};

}  // namespace

void AddTbb(std::vector<QueueKind>& kinds) {
  kinds.push_back(
      {"oneTBB flow graph, serial node", false, 1000000, [] { return std::make_unique<TbbNode>(); }});
}

}  // namespace bench
