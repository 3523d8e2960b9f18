// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "program/run_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Notes final : public RunObserver {
 public:
  explicit Notes(std::string name = {}, std::vector<std::string>* shared = nullptr)
      : name_(std::move(name)), lines_(shared != nullptr ? *shared : own_) {}

  void OnNodeBegin(const NodeRun& node) override { lines_.push_back(name_ + "begin " + node.name); }
  void OnNodeEnd(const NodeRun& node) override { lines_.push_back(name_ + "end " + node.name); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string name_;
  std::vector<std::string> own_;
  std::vector<std::string>& lines_;
};

// (x y) y, which no pass makes one node of.
std::vector<TensorValue> RunChain() {
  Graph graph("chain");
  const OutputRef x = AddData(graph, "x", 0), y = AddData(graph, "y", 1);
  Node& first = AddNode(graph, "MatMul", "first", {{"x1", x}, {"x2", y}});
  Node& second = AddNode(graph, "MatMul", "second", {{"x1", {&first, 0}}, {"x2", y}});
  graph.outputs = {{&second, 0}};
  return RunOnce(graph, {FloatValue({1, 2}, {1, -5}), FloatValue({2, 2}, {1, 1, 0, 1})});
}

TEST(RunObserver, SeesEveryNodeInOrder) {
  Notes notes;
  {
    const ObserverScope scope(notes);
    RunChain();
  }
  RunChain();
  EXPECT_THAT(notes.lines(), ElementsAre("begin first", "end first", "begin second", "end second"));
}

TEST(RunObserver, SeesTypesAndValues) {
  class Values final : public RunObserver {
   public:
    void OnNodeBegin(const NodeRun& node) override {
      if (node.name != "first") return;
      EXPECT_EQ(node.graph, "chain");
      EXPECT_EQ(node.type, "MatMul");
      ASSERT_EQ(node.input_types.size(), 2u);
      EXPECT_EQ(ToString(node.input_types[1]), "float[2,2]");
      EXPECT_EQ(node.args.In<float>(0)[1], -5);
    }
    void OnNodeEnd(const NodeRun& node) override {
      ASSERT_EQ(node.output_types.size(), 1u);
      EXPECT_EQ(ToString(node.output_types[0]), "float[1,2]");
      seen.push_back(node.args.Out<float>(0)[1]);
    }
    std::vector<float> seen;
  } values;
  const ObserverScope scope(values);
  RunChain();
  EXPECT_THAT(values.seen, ElementsAre(-4, -3));
}

TEST(RunObserver, MayBeOneOfSeveralAndTheOuterOnesEncloseTheInner) {
  std::vector<std::string> lines;
  Notes outer("outer ", &lines), inner("inner ", &lines);
  const ObserverScope first(outer);
  const ObserverScope second(inner);
  Graph graph("g");
  graph.outputs = {{&AddNode(graph, "Relu", "relu", {{"x", AddData(graph, "x", 0)}}), 0}};
  RunOnce(graph, {FloatValue({1}, {1})});
  EXPECT_THAT(lines, ElementsAre("outer begin relu", "inner begin relu", "inner end relu", "outer end relu"));
}

TEST(RunObserver, OfOneThreadDoesNotSeeOthers) {
  Notes notes;
  const ObserverScope scope(notes);
  std::thread([] { RunChain(); }).join();
  EXPECT_THAT(notes.lines(), IsEmpty());
}

TEST(RunObserver, OfAllThreadsSeesOthersUntilItStops) {
  const auto notes = std::make_shared<Notes>();
  WatchAllRuns(notes);
  EXPECT_THROW(WatchAllRuns(notes), Error);
  std::thread([] { RunChain(); }).join();
  StopWatchingAllRuns(*notes);
  EXPECT_THROW(StopWatchingAllRuns(*notes), Error);
  RunChain();
  EXPECT_THAT(notes->lines(), ElementsAre("begin first", "end first", "begin second", "end second"));
  EXPECT_FALSE(IsObserved());
}

TEST(RunObserver, SeesNodesWhoseShapesOnlyTheRunTells) {
  class Types final : public RunObserver {
   public:
    void OnNodeBegin(const NodeRun& node) override { begun += node.name == "where"; }
    void OnNodeEnd(const NodeRun& node) override {
      if (node.name == "where") found = ToString(node.output_types[0]);
    }
    int begun = 0;
    std::string found;
  } types;
  Graph graph("g");
  Node& where = AddNode(graph, "Where", "where", {{"x", AddData(graph, "x", 0)}});
  graph.outputs = {{&where, 0}};
  const ObserverScope scope(types);
  RunOnce(graph, {FloatValue({4}, {0, 1, 0, 1})});
  EXPECT_EQ(types.begun, 1);
  EXPECT_EQ(types.found, "int64[2,1]");
}

TEST(RunObserver, MakesARunFailByThrowing) {
  class Refuses final : public RunObserver {
   public:
    void OnNodeBegin(const NodeRun&) override { Fail(kInvalidParam, "not this one"); }
    void OnNodeEnd(const NodeRun&) override {}
  } refuses;
  const ObserverScope scope(refuses);
  EXPECT_THROW(RunChain(), Error);
}

}  // namespace
}  // namespace foothold
