// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Weights of a model that was read from a file leave memory when they are packed. Nothing else may tell: all
// that is computed is what the same model computes whose bytes were in memory.
#include <acl/acl.h>
#include <fcntl.h>
#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "onnx/model_maker.h"

namespace foothold {
namespace {

using Floats = std::vector<float>;

constexpr std::int64_t kChannels = 96, kWords = 700, kWidth = 128;

Floats Numbers(std::size_t count, float step) {
  Floats numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = std::sin(static_cast<float>(i) * step);
  return numbers;
}

// As exporters write it.
void RawWeights(ModelMaker& model, const std::string& name, const Shape& shape, const Floats& values) {
  auto& tensor = *model.graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto::FLOAT);
  for (const std::int64_t dim : shape)
    tensor.add_dims(dim);
  tensor.set_raw_data(values.data(), values.size() * sizeof(float));
}

// Pictures of any size through a convolution; rows of any number through two products with one weight, as it
// is and transposed, which is also read by rows.
ModelMaker Network() {
  ModelMaker model;
  model.Input("picture", {1, kChannels, -1, -1}).Input("rows", {-1, kWidth});
  model.Input("words", {-1}, ::onnx::TensorProto::INT64);
  RawWeights(model, "filter", {kChannels, kChannels, 3, 3}, Numbers(kChannels * kChannels * 9, 0.7f));
  RawWeights(model, "table", {kWords, kWidth}, Numbers(kWords * kWidth, 0.3f));
  RawWeights(model, "unread", {kWords, kWidth}, Numbers(kWords * kWidth, 0.9f));
  SetInts(model.Node("Conv", {"picture", "filter"}, {"maps"}), "pads", {1, 1, 1, 1});
  SetInts(model.Node("Transpose", {"table"}, {"turned"}), "perm", {1, 0});
  model.Node("MatMul", {"rows", "turned"}, {"scores"});
  model.Node("MatMul", {"scores", "table"}, {"mixed"});
  model.Node("Gather", {"table", "words"}, {"found"});
  return model.Output("maps").Output("mixed").Output("found"), model;
}

std::vector<ge::Tensor> Inputs(std::int64_t size, std::int64_t rows) {
  const std::vector<std::int64_t> words = {3, 699, 0};
  ge::TensorDesc desc(ge::Shape({3}), ge::FORMAT_ND, ge::DT_INT64);
  return {FloatTensor({1, kChannels, size, size}, Numbers(kChannels * size * size, 0.11f)),
          FloatTensor({rows, kWidth}, Numbers(rows * kWidth, 0.13f)),
          ge::Tensor(desc, reinterpret_cast<const uint8_t*>(words.data()), sizeof words[0] * words.size())};
}

using Results = std::vector<Floats>;

Results AllFloats(const std::vector<ge::Tensor>& tensors) {
  Results all;
  for (const ge::Tensor& tensor : tensors)
    all.push_back(FloatsOf(tensor));
  return all;
}

class FileWeights : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "file_weights_XXXXXX";
    close(mkstemp(path_.data()));
    bytes_ = Network().bytes();
    Write();
    ASSERT_EQ(ParseFile(path_, {}, &graph_), "");
    ASSERT_EQ(ParseBytes(bytes_, {}, &expected_graph_), "");
    session_ = std::make_unique<ge::Session>(Options{});
    ASSERT_EQ(session_->AddGraph(1, graph_), ge::SUCCESS);
    ASSERT_EQ(session_->AddGraph(2, expected_graph_), ge::SUCCESS);
  }
  void TearDown() override {
    session_.reset();
    unlink(path_.c_str());
  }

  void Write() const {
    std::ofstream(path_, std::ios::binary) << bytes_;
    const timespec times[2] = {{1000000, 0}, {1000000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }
  Results Run(std::uint32_t graph, const std::vector<ge::Tensor>& inputs) {
    std::vector<ge::Tensor> outputs;
    status_ = session_->RunGraph(graph, inputs, outputs);
    return AllFloats(outputs);
  }
  // The same bits.
  void ExpectRight(std::int64_t size, std::int64_t rows) {
    const Results found = Run(1, Inputs(size, rows));
    ASSERT_EQ(status_, ge::SUCCESS);
    EXPECT_EQ(found, Run(2, Inputs(size, rows)));
  }
  ge::GNode NodeNamed(const char* name) {
    for (ge::GNode& node : graph_.GetDirectNode()) {
      ge::AscendString own;
      node.GetName(own);
      if (std::string(own.GetString()) == name) return node;
    }
    return {};
  }

  std::string path_, bytes_;
  ge::Graph graph_{"file"}, expected_graph_{"memory"};
  std::unique_ptr<ge::Session> session_;
  ge::Status status_ = ge::SUCCESS;
};

TEST_F(FileWeights, ComputeTheSameForEveryNewShape) {
  ExpectRight(24, 5);
  ExpectRight(4, 1);
  ExpectRight(17, 64);
  ExpectRight(24, 5);
}

TEST_F(FileWeights, AreThereForGraphsThatAreAddedLater) {
  ExpectRight(24, 5);
  ASSERT_EQ(session_->AddGraph(3, graph_), ge::SUCCESS);
  ASSERT_EQ(session_->RemoveGraph(1), ge::SUCCESS);
  EXPECT_EQ(Run(3, Inputs(9, 3)), Run(2, Inputs(9, 3)));
}

TEST_F(FileWeights, CanBeReadByTheProgram) {
  ExpectRight(24, 5);
  ge::GNode convolution = NodeNamed("Conv");
  ge::Tensor filter;
  ASSERT_EQ(convolution.GetInputConstData(1, filter), ge::GRAPH_SUCCESS);
  const Floats expected = Numbers(kChannels * kChannels * 9, 0.7f);
  ExpectRight(7, 2);
  ASSERT_EQ(filter.GetSize(), expected.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(filter.GetData(), expected.data(), filter.GetSize()), 0);
}

TEST_F(FileWeights, AreSavedWithTheGraph) {
  ExpectRight(24, 5);
  const std::string saved = path_ + ".air";
  ASSERT_EQ(graph_.SaveToFile(saved.c_str()), ge::GRAPH_SUCCESS);
  ge::Graph loaded("loaded");
  ASSERT_EQ(loaded.LoadFromFile(saved.c_str()), ge::GRAPH_SUCCESS);
  unlink(saved.c_str());
  ASSERT_EQ(session_->AddGraph(3, loaded), ge::SUCCESS);
  EXPECT_EQ(Run(3, Inputs(9, 3)), Run(2, Inputs(9, 3)));
}

TEST_F(FileWeights, AreSavedInOfflineModels) {
  ExpectRight(24, 5);
  Options none;
  ASSERT_EQ(ge::aclgrphBuildInitialize(none), ge::GRAPH_SUCCESS);
  const Options shapes = {{"input_shape", "picture:1,96,24,24;rows:5,128;words:3"}};
  ge::ModelBufferData from_file, from_memory;
  EXPECT_EQ(ge::aclgrphBuildModel(graph_, shapes, from_file), ge::GRAPH_SUCCESS);
  EXPECT_EQ(ge::aclgrphBuildModel(expected_graph_, shapes, from_memory), ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
  EXPECT_EQ(from_file.length, from_memory.length);
  ExpectRight(4, 1);
}

TEST_F(FileWeights, OutliveTheFileAndItsName) {
  ExpectRight(24, 5);
  unlink(path_.c_str());
  ExpectRight(4, 1);
}

TEST_F(FileWeights, OfAFileOverwrittenBeforeTheFirstRunAreStillThere) {
  std::ofstream(path_, std::ios::binary) << "another";
  ExpectRight(24, 5);
  ExpectRight(4, 1);
}

TEST_F(FileWeights, OfAFileOverwrittenLaterAreMissedOnlyWhereTheyAreNeededAgain) {
  ExpectRight(24, 5);
  std::ofstream(path_, std::ios::binary) << "another";
  ExpectRight(24, 5);
  Run(1, Inputs(4, 1));
  if (status_ != ge::SUCCESS) {  // not where memory is no pages, as under sanitizers
    EXPECT_NE(std::string(ge::GEGetErrorMsg()).find("was overwritten after it was read"), std::string::npos);
  }
  ExpectRight(24, 5);
}

TEST_F(FileWeights, AreCompiledByManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (std::int64_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      std::vector<ge::Tensor> outputs;
      EXPECT_EQ(session_->RunGraph(1, Inputs(8 + i % 2, 1 + i), outputs), ge::SUCCESS);
    });
  for (std::thread& thread : threads)
    thread.join();
  ExpectRight(8, 1);
  ExpectRight(9, 4);
}

double ResidentMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  return 0;
}

TEST(LargeFileWeights, AreInMemoryOnce) {
#ifdef FOOTHOLD_SANITIZED
  GTEST_SKIP() << "memory is not what it is without the sanitizer";
#endif
  constexpr std::int64_t kSide = 2048;  // 16 MB each
  ModelMaker model;
  model.Input("x", {4, kSide}).Output("y");
  for (const char* name : {"a", "b", "c", "d"})
    RawWeights(model, name, {kSide, kSide}, Floats(kSide * kSide, 0.5f));
  model.Node("MatMul", {"x", "a"}, {"xa"});
  model.Node("MatMul", {"xa", "b"}, {"xb"});
  model.Node("MatMul", {"xb", "c"}, {"xc"});
  model.Node("MatMul", {"xc", "d"}, {"y"});
  std::string path = testing::TempDir() + "large_file_weights_XXXXXX";
  close(mkstemp(path.data()));
  std::ofstream(path, std::ios::binary) << model.bytes();
  const timespec times[2] = {{1000000, 0}, {1000000, 0}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
  const double before = ResidentMegabytes();
  ge::Graph graph("large");
  ASSERT_EQ(ParseFile(path, {}, &graph), "");
  unlink(path.c_str());
  ge::Session session(Options{});
  ASSERT_EQ(session.AddGraph(1, graph), ge::SUCCESS);
  std::vector<ge::Tensor> outputs;
  ASSERT_EQ(session.RunGraph(1, {FloatTensor({4, kSide}, Floats(4 * kSide, 1))}, outputs), ge::SUCCESS);
  EXPECT_LT(ResidentMegabytes() - before, 64 * 1.5);
}

}  // namespace
}  // namespace foothold
