// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Files that are no models, or wrong ones: each is refused with a text that names what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "onnx/model_maker.h"

namespace foothold {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "foothold_onnx_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path path() const { return path_; }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

ModelMaker ReluModel() {
  ModelMaker model;
  model.Input("x", {2}).Output("y");
  model.Node("Relu", {"x"}, {"y"});
  return model;
}

TEST(OnnxBadFile, IsMissing) {
  EXPECT_THAT(ParseFile("/nowhere/at/all.onnx"), HasSubstr("cannot open model '/nowhere/at/all.onnx'"));
  EXPECT_THAT(ParseFile(""), HasSubstr("the name of the file is empty"));
}

TEST(OnnxBadFile, IsAFolder) {
  const Folder folder;
  EXPECT_THAT(ParseFile(folder.path().string()), HasSubstr("is a directory"));
}

TEST(OnnxBadFile, IsEmptyOrNoBytes) {
  const Folder folder;
  EXPECT_THAT(ParseFile(folder.Write("empty.onnx", "")), HasSubstr("is empty"));
  EXPECT_THAT(ParseBytes(""), HasSubstr("no bytes"));
}

TEST(OnnxBadFile, IsSomethingElse) {
  const Folder folder;
  EXPECT_THAT(ParseFile(folder.Write("page.onnx", "<!DOCTYPE html><html>Not found</html>")),
              HasSubstr("HTML"));
  EXPECT_THAT(ParseFile(folder.Write("pointer.onnx", "version https://git-lfs.github.com/spec/v1\n")),
              HasSubstr("Git LFS"));
  EXPECT_THAT(ParseBytes("{\"a\": 1}"), HasSubstr("JSON"));
}

// Whatever is left of a model, it is refused or still a model; it never ends the process.
TEST(OnnxBadFile, IsCutOffAnywhere) {
  ModelMaker model;
  model.Input("x", {1, 4096}).Output("y").Weights("w", {4096, 4}, std::vector<float>(16384, 0.5f));
  model.Node("MatMul", {"x", "w"}, {"y"});
  const std::string bytes = model.bytes();
  EXPECT_THAT(ParseBytes(bytes), IsEmpty());
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += size < 1024 ? 7 : 1024)
    refused += ParseBytes(bytes.substr(0, size)).empty() ? 0 : 1;
  EXPECT_GE(refused, 60u);
}

TEST(OnnxBadFile, HasNoGraph) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  EXPECT_THAT(ParseBytes(model.SerializeAsString()), HasSubstr("has no graph"));
}

TEST(OnnxBadFile, HasNodesInACircle) {
  ModelMaker model;
  model.Input("x", {2}).Output("b");
  model.Node("Add", {"x", "b"}, {"a"}).set_name("first");
  model.Node("Relu", {"a"}, {"b"});
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'first'"), HasSubstr("'b'"), HasSubstr("circle")));
}

TEST(OnnxBadFile, ReadsWhatNothingDefines) {
  ModelMaker model = ReluModel();
  model.graph().mutable_node(0)->set_input(0, "ghost");
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'Relu'"), HasSubstr("'ghost'")));
}

TEST(OnnxBadFile, GivesBackWhatNothingDefines) {
  ModelMaker model = ReluModel();
  model.Output("ghost");
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("'ghost'"));
}

TEST(OnnxBadFile, DefinesAValueTwice) {
  ModelMaker model = ReluModel();
  model.Node("Neg", {"x"}, {"y"});
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'y'"), HasSubstr("twice")));
}

TEST(OnnxBadFile, HasTheWrongNumberOfInputs) {
  ModelMaker model = ReluModel();
  model.graph().mutable_node(0)->add_input("x");
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'Relu'"), HasSubstr("standard")));
}

TEST(OnnxBadFile, HasTypesThatDoNotFit) {
  ModelMaker model = ReluModel();
  model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      ::onnx::TensorProto::INT64);
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("types of the model contradict each other"));
}

TEST(OnnxBadFile, HasAnUnknownElementType) {
  ModelMaker model;
  model.Input("x", {2}).Output("y").Weights("w", {2}, {1, 2});
  model.graph().mutable_initializer(0)->set_data_type(99);
  model.Node("Add", {"x", "w"}, {"y"});
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'w'"), HasSubstr("99")));
}

// What is declared is compared with what is there before any memory is taken.
TEST(OnnxBadFile, DeclaresMoreDataThanItHas) {
  ModelMaker model;
  model.Input("x", {2}).Output("y").Weights("w", {std::int64_t{1} << 40}, {1, 2});
  model.Node("Add", {"x", "w"}, {"y"});
  EXPECT_THAT(ParseBytes(model.bytes()), AllOf(HasSubstr("'w'"), HasSubstr("8 bytes")));
  model.graph().mutable_initializer(0)->add_dims(std::int64_t{1} << 40);
  EXPECT_THAT(ParseBytes(model.bytes()), Not(IsEmpty()));
  model.graph().mutable_initializer(0)->set_dims(1, -5);
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("dimension -5"));
}

TEST(OnnxBadFile, ImportsADomainTwice) {
  ModelMaker model = ReluModel();
  model.model().add_opset_import()->set_version(12);
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("twice"));
}

TEST(OnnxBadFile, HasAFunctionThatCallsItself) {
  ModelMaker model = ReluModel();
  auto& import = *model.model().add_opset_import();
  import.set_domain("mine");
  import.set_version(1);
  model.graph().mutable_node(0)->set_domain("mine");
  auto& function = *model.model().add_functions();
  function.set_domain("mine");
  function.set_name("Relu");
  function.add_input("a");
  function.add_output("b");
  auto& call = *function.add_node();
  call.set_domain("mine");
  call.set_op_type("Relu");
  call.add_input("a");
  call.add_output("b");
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("'Relu' calls itself"));
}

// A function that calls another so many times, one behind the other.
::onnx::FunctionProto& AddChain(ModelMaker& model, const std::string& name, const std::string& callee,
                                int count) {
  auto& function = *model.model().add_functions();
  function.set_domain("mine");
  function.set_name(name);
  function.add_input("v0");
  function.add_output("v" + std::to_string(count));
  for (int i = 0; i < count; ++i) {
    auto& call = *function.add_node();
    call.set_domain(callee[0] == 'f' ? "mine" : "");
    call.set_op_type(callee);
    call.add_input("v" + std::to_string(i));
    call.add_output("v" + std::to_string(i + 1));
  }
  return function;
}

// With one node, which calls the function.
ModelMaker CallingModel(const std::string& function) {
  ModelMaker model = ReluModel();
  auto& import = *model.model().add_opset_import();
  import.set_domain("mine");
  import.set_version(1);
  model.graph().mutable_node(0)->set_domain("mine");
  model.graph().mutable_node(0)->set_op_type(function);
  return model;
}

// Each function calls the one before it ten times: ten functions would be ten thousand million nodes.
TEST(OnnxBadFile, GrowsBeyondAllBoundsWithItsFunctions) {
  ModelMaker model = CallingModel("f9");
  AddChain(model, "f0", "Relu", 10);
  for (int level = 1; level < 10; ++level)
    AddChain(model, "f" + std::to_string(level), "f" + std::to_string(level - 1), 10);
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("more than 1048576 nodes"));
}

TEST(OnnxBadFile, RepeatsAConstantBeyondAllBoundsWithItsFunctions) {
  ModelMaker model = CallingModel("f2");
  ::onnx::FunctionProto& first = AddChain(model, "f0", "Add", 1);
  first.mutable_node(0)->add_input("large");
  auto& constant = *first.add_node();
  first.mutable_node()->SwapElements(0, 1);
  constant.set_op_type("Constant");
  constant.add_output("large");
  auto& value = *constant.add_attribute();
  value.set_name("value");
  value.set_type(::onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
  value.mutable_t()->add_dims(1 << 14);
  value.mutable_t()->set_raw_data(std::string(1 << 16, '\0'));
  AddChain(model, "f1", "f0", 100);
  AddChain(model, "f2", "f1", 100);  // 10,000 times 64 KiB
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("repeated by functions"));
}

// Zeros but for a 7 at `position`.
void AddSparse(ModelMaker& model, const std::string& name, const Shape& shape, std::int64_t position) {
  auto& sparse = *model.graph().add_sparse_initializer();
  for (const std::int64_t dim : shape)
    sparse.add_dims(dim);
  sparse.mutable_values()->set_name(name);
  sparse.mutable_values()->set_data_type(::onnx::TensorProto::FLOAT);
  sparse.mutable_values()->add_dims(1);
  sparse.mutable_values()->add_float_data(7);
  sparse.mutable_indices()->set_data_type(::onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_dims(1);
  sparse.mutable_indices()->add_int64_data(position);
}

TEST(OnnxSparseTensor, IsReadWithItsZeros) {
  ModelMaker model;
  model.Input("x", {2, 3}).Output("y");
  AddSparse(model, "w", {2, 3}, 4);
  model.Node("Add", {"x", "w"}, {"y"});
  const ge::Tensor x = FloatTensor({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(FloatsOf(RunModel(model, {x})[0]), (std::vector<float>{1, 2, 3, 4, 12, 6}));
}

TEST(OnnxSparseTensor, MayBeLargeButNotAllOfThem) {
  ModelMaker model;
  model.Input("x", {1}).Output("y");
  AddSparse(model, "w0", {1 << 24}, 5);  // 64 MiB
  model.Node("Add", {"x", "x"}, {"y"});
  EXPECT_THAT(ParseBytes(model.bytes()), IsEmpty());
  for (int i = 1; i < 8; ++i)
    AddSparse(model, "w" + std::to_string(i), {1 << 24}, i);
  EXPECT_THAT(ParseBytes(model.bytes()),
              HasSubstr("sparse tensor 'w4' makes the tensors of the model 335544380 bytes large"));
}

// A model whose weights are in a file.
class ExternalModel {
 public:
  explicit ExternalModel(const std::string& location, const std::string& offset = "") {
    model_.Input("x", {2}).Output("y").Weights("w", {2}, {1, 2});
    auto& tensor = *model_.graph().mutable_initializer(0);
    tensor.clear_raw_data();
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    Add(tensor, "location", location);
    if (!offset.empty()) Add(tensor, "offset", offset);
    model_.Node("Add", {"x", "w"}, {"y"});
  }
  std::string WriteInto(const Folder& folder) const { return folder.Write("model.onnx", model_.bytes()); }
  std::string bytes() const { return model_.bytes(); }

 private:
  static void Add(::onnx::TensorProto& tensor, const std::string& key, const std::string& value) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  ModelMaker model_;
};

const std::string kTwoFloats("\0\0\x80\x3f\0\0\0\x40", 8);

TEST(OnnxExternalData, IsReadFromBesideTheModel) {
  const Folder folder;
  fs::create_directory(folder.path() / "data");
  folder.Write("data/weights.bin", "head" + kTwoFloats);
  ge::Graph graph("parsed");
  ASSERT_THAT(ParseFile(ExternalModel("data/weights.bin", "4").WriteInto(folder), {}, &graph), IsEmpty());
  EXPECT_EQ(FloatsOf(RunModel(graph, {FloatTensor({2}, {10, 20})})[0]), (std::vector<float>{11, 22}));
}

TEST(OnnxExternalData, IsMissingOrTooShort) {
  const Folder folder;
  EXPECT_THAT(ParseFile(ExternalModel("weights.bin").WriteInto(folder)),
              AllOf(HasSubstr("'w'"), HasSubstr("weights.bin")));
  folder.Write("weights.bin", "abc");
  EXPECT_THAT(ParseFile(ExternalModel("weights.bin").WriteInto(folder)), HasSubstr("which has 3"));
  EXPECT_THAT(ParseFile(ExternalModel("weights.bin", "twelve").WriteInto(folder)), HasSubstr("no number"));
}

TEST(OnnxExternalData, StaysInTheFolderOfTheModel) {
  const Folder folder, other;
  const std::string outside = other.Write("weights.bin", kTwoFloats);
  EXPECT_THAT(ParseFile(ExternalModel(outside).WriteInto(folder)), HasSubstr("relative to the model"));
  const std::string up = "../" + other.path().filename().string() + "/weights.bin";
  EXPECT_THAT(ParseFile(ExternalModel(up).WriteInto(folder)), HasSubstr("outside the folder"));
  fs::create_symlink(outside, folder.path() / "link.bin");
  EXPECT_THAT(ParseFile(ExternalModel("link.bin").WriteInto(folder)), HasSubstr("outside the folder"));
}

// Two names that change places all the time.
class Swapping {
 public:
  Swapping(fs::path first, fs::path second) : first_(std::move(first)), second_(std::move(second)) {
    thread_ = std::thread([this] {
      while (!over_)
        ASSERT_EQ(renameat2(AT_FDCWD, first_.c_str(), AT_FDCWD, second_.c_str(), RENAME_EXCHANGE), 0);
    });
  }
  ~Swapping() {
    over_ = true;
    thread_.join();
  }

 private:
  const fs::path first_, second_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

TEST(OnnxExternalData, StaysInTheFolderOfTheModelWhileSomebodyPutsALinkInItsPlace) {
  const Folder folder, other;
  fs::create_symlink(other.Write("weights.bin", std::string(8, '\0')), folder.path() / "link.bin");
  folder.Write("weights.bin", kTwoFloats);
  const std::string model = ExternalModel("weights.bin").WriteInto(folder);
  const Swapping swapping(folder.path() / "weights.bin", folder.path() / "link.bin");
  int read = 0, refused = 0;
  for (int i = 0; i < 1'000'000 && (i < 3000 || read == 0 || refused == 0); ++i) {
    ge::Graph graph("parsed");
    if (!ParseFile(model, {}, &graph).empty()) {
      ++refused;
      continue;
    }
    ge::Tensor value;
    ASSERT_EQ(graph.FindNodeByName("w")->GetAttr("value", value), ge::GRAPH_SUCCESS);
    ASSERT_EQ(FloatsOf(value), (std::vector<float>{1, 2})) << "after " << i;
    ++read;
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

TEST(OnnxExternalData, MayBeALinkInsideTheFolderOfTheModel) {
  const Folder folder;
  fs::create_directory(folder.path() / "blobs");
  const std::string blob = folder.Write("blobs/0123", kTwoFloats);
  fs::create_symlink("blobs/0123", folder.path() / "weights.bin");
  EXPECT_THAT(ParseFile(ExternalModel("weights.bin").WriteInto(folder)), IsEmpty());
  fs::create_symlink(blob, folder.path() / "absolute.bin");
  EXPECT_THAT(ParseFile(ExternalModel("absolute.bin").WriteInto(folder)), IsEmpty());
  EXPECT_THAT(ParseFile(ExternalModel("blobs/../weights.bin").WriteInto(folder)), IsEmpty());
}

TEST(OnnxExternalData, MustBeAFile) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder.path() / "data");
  for (const char* name : {"pipe", "data"})
    EXPECT_THAT(ParseFile(ExternalModel(name).WriteInto(folder)), HasSubstr("is no regular file")) << name;
}

TEST(OnnxBadFile, IsAPipeThatNobodyWritesTo) {
  const Folder folder;
  const fs::path pipe = folder.path() / "model.onnx";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ParseFile(pipe.string()), HasSubstr("no regular file"));
}

TEST(OnnxExternalData, CannotBelongToAModelInMemory) {
  EXPECT_THAT(ParseBytes(ExternalModel("weights.bin").bytes()), HasSubstr("in memory"));
}

}  // namespace
}  // namespace foothold
