// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "conformance/acl_op/op_fixture.h"
#include "conformance/config_file.h"
#include "conformance/in_fork.h"
#include "ge/ge_ir_build.h"

namespace {

using AclOptions = std::map<ge::AscendString, ge::AscendString>;

ge::TensorDesc GeDesc(const TensorDims& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
}

ge::ModelBufferData ModelOf(const char* type, const std::vector<ge::TensorDesc>& inputs,
                            const std::vector<ge::TensorDesc>& outputs) {
  AclOptions options;
  ge::Graph graph;
  ge::ModelBufferData model;
  EXPECT_EQ(ge::aclgrphBuildInitialize(options), ge::GRAPH_SUCCESS);
  EXPECT_EQ(ge::aclgrphGenerateForOp(type, inputs, outputs, graph), ge::GRAPH_SUCCESS);
  EXPECT_EQ(ge::aclgrphBuildModel(graph, options, model), ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
  return model;
}

ge::ModelBufferData AddModel(const TensorDims& dims) {
  return ModelOf("Add", {GeDesc(dims), GeDesc(dims)}, {GeDesc(dims)});
}

struct Pair {
  explicit Pair(int64_t count)
      : x(OpTensor::Of<float>({count}, FloatList(static_cast<size_t>(count), 2.0f))),
        y(OpTensor::Room<float>({count}, static_cast<size_t>(count))) {}
  OpTensorPtr x, y;
  Op op = Op("Add", {x, x}, {y});
};

TEST(ExecuteOperator, FindsOnlyWhatWasCompiledOrLoaded) {
  const Session session;
  Pair three(3), four(4);
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "Add(float[3], float[3])", three.op.Execute());
  EXPECT_OK(three.op.Compile());
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(three.y->Read<float>(3), FloatList(3, 4.0f));
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "Add(float[4], float[4])", four.op.Execute());
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "Sub", Op("Sub", {three.x, three.x}, {three.y}).Execute());
}

TEST(ExecuteOperator, ForgetsEverythingAtTheEnd) {
  {
    const Session session;
    Pair pair(3);
    EXPECT_OK(pair.op.Compile());
  }
  const Session session;
  Pair pair(3);
  EXPECT_EQ(pair.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
}

TEST(ExecuteOperator, ServesAllSizesOfAnOpenOperator) {
  const Session session;
  const auto open = OpTensor::Room<float>({-1}, 1);
  const auto result = OpTensor::Room<float>({-1}, 1);
  int64_t range[1][2] = {{2, 4}};
  EXPECT_OK(aclSetTensorShapeRange(open->desc(), 1, range));
  EXPECT_OK(Op("Add", {open, open}, {result}).Compile());
  for (const int64_t count : {2, 4, 3, 2}) {
    Pair pair(count);
    EXPECT_OK(pair.op.Execute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(pair.y->Read<float>(static_cast<size_t>(count)), FloatList(static_cast<size_t>(count), 4.0f));
  }
  Pair too_large(5);
  EXPECT_EQ(too_large.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
}

TEST(ExecuteOperator, DeprecatedFormDoesTheSame) {
  const Session session;
  Pair pair(3);
  EXPECT_OK(pair.op.Compile());
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_OK(aclopExecute("Add", 2, pair.op.input_descs(), pair.op.input_buffers(), 1, pair.op.output_descs(),
                         pair.op.output_buffers(), nullptr, nullptr));
#pragma GCC diagnostic pop
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pair.y->Read<float>(3), FloatList(3, 4.0f));
}

TEST(OperatorModels, AreLoadedFromMemory) {
  const Session session;
  {
    const ge::ModelBufferData model = AddModel({3});
    EXPECT_OK(aclopLoad(model.data.get(), model.length));
  }
  Pair three(3), four(4);
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(three.y->Read<float>(3), FloatList(3, 4.0f));
  EXPECT_EQ(four.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
}

TEST(OperatorModels, AreFoundByTheirAttributes) {
  const Session session;
  const ge::ModelBufferData model = ModelOf("MatMulV2", {GeDesc({2, 2}), GeDesc({2, 2})}, {GeDesc({2, 2})});
  EXPECT_OK(aclopLoad(model.data.get(), model.length));
  const auto x = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
  const auto y = OpTensor::Room<float>({2, 2}, 4);
  const Attributes as_built, other;
  EXPECT_OK(aclopSetAttrBool(as_built, "transpose_x1", 0));
  EXPECT_OK(aclopSetAttrBool(other, "transpose_x1", 1));
  EXPECT_OK(Op("MatMulV2", {x, x}, {y}, as_built).Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(4), (FloatList{7, 10, 15, 22}));
  EXPECT_OK(Op("MatMulV2", {x, x}, {y}).Execute()) << "defaults count as set";
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Op("MatMulV2", {x, x}, {y}, other).Execute(), ACL_ERROR_OP_NOT_FOUND);
}

TEST(OperatorModels, AreLoadedFromADirectoryAndTwoLevelsBelow) {
  const Session session;
  const TemporaryDirectory directory;
  const std::string deep = directory.path() + "/one/two/three";
  std::filesystem::create_directories(deep);
  std::ofstream(directory.path() + "/notes.txt") << "not a model";
  const auto save = [&](const std::string& name, int64_t size) {
    EXPECT_EQ(ge::aclgrphSaveModel((directory.path() + name).c_str(), AddModel({size})), ge::GRAPH_SUCCESS);
  };
  save("/three", 3);
  save("/one/two/four", 4);
  save("/one/two/three/five", 5);
  EXPECT_OK(aclopSetModelDir(directory.path().c_str()));
  Pair three(3), four(4), five(5);
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(four.op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(five.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
}

TEST(OperatorModels, MayBeNone) {
  const Session session;
  const TemporaryDirectory directory;
  EXPECT_OK(aclopSetModelDir(directory.path().c_str()));
}

TEST(OperatorModels, RefuseWhatIsNoOperator) {
  const Session session;
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "modelDir", aclopSetModelDir(nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_READ_MODEL_FAILURE, "/no/such/directory", aclopSetModelDir("/no/such/directory"));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "model", aclopLoad(nullptr, 10));
  const std::string text(5000, 'x');
  EXPECT_FAILS(ACL_ERROR_PARSE_MODEL, aclopLoad(text.data(), text.size()));
  const TemporaryDirectory directory;
  std::ofstream(directory.path() + "/broken.om") << text;
  EXPECT_NE(aclopSetModelDir(directory.path().c_str()), ACL_SUCCESS);
  EXPECT_THAT(RecentError(), testing::HasSubstr("broken.om"));
}

TEST(OperatorQueue, ForgetsWhatWasNotUsedForLongest) {
  const Session session;
  EXPECT_OK(aclopSetMaxOpQueueNum(2));
  Pair one(1), two(2), three(3);
  EXPECT_OK(one.op.Compile());
  EXPECT_OK(two.op.Compile());
  EXPECT_OK(one.op.Execute());
  EXPECT_OK(three.op.Compile());
  EXPECT_OK(one.op.Execute());
  EXPECT_EQ(two.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(two.op.CompileAndExecute()) << "it can be compiled again";
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "maxOpNum", aclopSetMaxOpQueueNum(0));
}

// Compiled once more, an operator with open sizes is the one that calls use.
TEST(OperatorQueue, KeepsAnOpenOperatorThatWasCompiledTwiceAndIsUsed) {
  const Session session;
  EXPECT_OK(aclopSetMaxOpQueueNum(2));
  const auto open = [](const char* type) {
    const auto any = [] { return std::make_shared<OpTensor>(ACL_FLOAT, TensorDims{-1}, 0); };
    return Op(type, {any(), any()}, {any()});
  };
  Pair three(3), four(4);
  EXPECT_OK(open("Add").Compile());
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(open("Add").Compile());
  EXPECT_OK(open("Mul").Compile());
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(open("Sub").Compile());
  EXPECT_OK(four.op.Execute()) << "Mul was not used for longest: " << RecentError();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST(OperatorQueue, KeepsLoadedOperators) {
  const Session session;
  EXPECT_OK(aclopSetMaxOpQueueNum(1));
  const ge::ModelBufferData model = AddModel({3});
  EXPECT_OK(aclopLoad(model.data.get(), model.length));
  EXPECT_OK(Pair(1).op.Compile());
  EXPECT_OK(Pair(2).op.Compile());
  Pair three(3);
  EXPECT_OK(three.op.Execute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST(OperatorQueue, HasTheLengthOfTheConfiguration) {
  const ConfigFile config(R"({"max_opqueue_num": "1"})");
  EXPECT_OK(aclInit(config.path()));
  EXPECT_OK(aclrtSetDevice(0));
  {
    Pair one(1), two(2);
    EXPECT_OK(one.op.Compile());
    EXPECT_OK(two.op.Compile());
    EXPECT_EQ(one.op.Execute(), ACL_ERROR_OP_NOT_FOUND);
    EXPECT_OK(two.op.Execute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
  }
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclFinalize());
  RecentError();
}

TEST(OperatorHandle, RunsWhatItWasMadeFor) {
  const Session session;
  Pair pair(3);
  aclopHandle* handle = nullptr;
  EXPECT_OP_FAILS(ACL_ERROR_OP_NOT_FOUND, "Add", pair.op.CreateHandle(&handle));
  EXPECT_OK(pair.op.Compile());
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "handle", pair.op.CreateHandle(nullptr));
  ASSERT_OK(pair.op.CreateHandle(&handle));
  Pair other(3);
  other.x->Write(FloatList{1, 2, 3});
  EXPECT_OK(pair.op.ExecuteWith(handle));
  EXPECT_OK(other.op.ExecuteWith(handle));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pair.y->Read<float>(3), FloatList(3, 4.0f));
  EXPECT_EQ(other.y->Read<float>(3), (FloatList{2, 4, 6}));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "prepared with 2 inputs, and 1 were given",
                  Op("Add", {pair.x}, {pair.y}).ExecuteWith(handle));
  aclopDestroyHandle(handle);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "was destroyed", pair.op.ExecuteWith(handle));
}

TEST(OperatorHandle, NeedsSizesThatAreKnown) {
  const Session session;
  const auto x = OpTensor::Of<float>({3}, {0, 1, 2});
  const auto y = OpTensor::Room<int64_t>({-1, 1}, 3);
  Op op("Where", {x}, {y});
  EXPECT_OK(op.Compile());
  aclopHandle* handle = nullptr;
  EXPECT_OP_FAILS(ACL_ERROR_OP_UNSUPPORTED_DYNAMIC, "Where", op.CreateHandle(&handle));
}

TEST(CastOfTensors, NeedsNoModel) {
  const Session session;
  const auto x = OpTensor::Of<float>({3}, {1.5f, -2.5f, 3});
  const auto y = OpTensor::Room<int32_t>({3}, 3);
  EXPECT_OK(aclopCast(x->desc(), x->buffer(), y->desc(), y->buffer(), 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<int32_t>(3), (std::vector<int32_t>{1, -2, 3}));
  aclopHandle* handle = nullptr;
  ASSERT_OK(aclopCreateHandleForCast(y->desc(), x->desc(), 0, &handle));
  EXPECT_OK(Op("Cast", {y}, {x}).ExecuteWith(handle));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(x->Read<float>(3), (FloatList{1, -2, 3}));
  aclopDestroyHandle(handle);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "tensor description",
                  aclopCast(x->desc(), x->buffer(), nullptr, y->buffer(), 0, nullptr));
}

// A value on the host decides the size of the output, so that every call asks for a program.
struct Filled {
  Filled() { EXPECT_OK(aclSetTensorPlaceMent(shape->desc(), ACL_MEMTYPE_HOST)); }
  ~Filled() { EXPECT_OK(aclDestroyDataBuffer(on_host)); }
  aclError Execute(aclrtStream stream = nullptr) {
    aclTensorDesc* descs[] = {shape->desc(), value->desc()};
    aclDataBuffer* buffers[] = {on_host, value->buffer()};
    aclTensorDesc* out_descs[] = {y->desc()};
    aclDataBuffer* out_buffers[] = {y->buffer()};
    return aclopCompileAndExecute("Fill", 2, descs, buffers, 1, out_descs, out_buffers, nullptr,
                                  ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream);
  }
  int32_t count = 3;
  aclDataBuffer* const on_host = aclCreateDataBuffer(&count, sizeof count);
  OpTensorPtr shape = OpTensor::Room<int32_t>({1}, 1);
  OpTensorPtr value = OpTensor::Of<float>({1}, {7});
  OpTensorPtr y = OpTensor::Room<float>({3}, 3);
};

// Whatever lock a thread of the parent holds at that moment, the child does not need it.
class ForkedOperators : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WHERE_FORKS_HAVE_NO_THREADS();
    SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  }
  // `run` on a thread of the parent, over and over, and `look` in its children.
  template <typename Run, typename Look>
  void WhileBusy(const Run& run, const Look& look, int forks = 300) {
    std::atomic<bool> stop{false};
    std::thread busy([&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      const aclrtStream stream = session_.Stream();
      while (!stop) {
        for (int i = 0; i < 100; ++i)
          EXPECT_OK(run(stream));
        EXPECT_OK(aclrtSynchronizeStream(stream));
      }
    });
    for (int i = 0; i < forks && !HasFailure(); ++i) {
      const int status = InFork({}, [&] {
        alarm(20);
        const Session child;
        look(i);
      });
      EXPECT_EQ(status, 0) << "fork " << i;
    }
    stop = true;
    busy.join();
  }

  const Session session_;
};

TEST_F(ForkedOperators, RunWhateverTheParentIsDoing) {
  Pair pair(3);
  EXPECT_OK(pair.op.Compile());
  aclopHandle* handle = nullptr;
  ASSERT_OK(pair.op.CreateHandle(&handle));
  WhileBusy([&](aclrtStream stream) { return pair.op.Execute(stream); },
            [&](int i) {
              Pair own(3);
              EXPECT_OK(i % 2 == 0 ? own.op.Execute() : own.op.ExecuteWith(handle));
              EXPECT_OK(aclrtSynchronizeStream(nullptr));
              EXPECT_EQ(own.y->Read<float>(3), FloatList(3, 4.0f));
            });
  aclopDestroyHandle(handle);
}

// Each size is compiled when it first comes: in the parent all the time.
TEST_F(ForkedOperators, TakeNewSizesWhateverTheParentIsDoing) {
  const auto open = OpTensor::Room<float>({-1, -1}, 1), result = OpTensor::Room<float>({-1, -1}, 1);
  EXPECT_OK(Op("Add", {open, open}, {result}).Compile());
  const auto run = [](int64_t rows, int64_t columns, aclrtStream stream) {
    const auto count = static_cast<size_t>(rows * columns);
    const auto x = OpTensor::Of<float>({rows, columns}, FloatList(count, 2.0f)),
               y = OpTensor::Room<float>({rows, columns}, count);
    EXPECT_OK(Op("Add", {x, x}, {y}).Execute(stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(y->Read<float>(count), FloatList(count, 4.0f));
    return ACL_SUCCESS;
  };
  int64_t next = 0;
  WhileBusy(
      [&](aclrtStream stream) {
        ++next;
        return run(1 + next % 97, 1 + next / 97 % 89, stream);
      },
      [&](int i) { run(100 + i, 3, nullptr); }, 8);
}

TEST_F(ForkedOperators, TakeValuesOfTheHostWhateverTheParentIsDoing) {
  Filled filled;
  WhileBusy([&](aclrtStream stream) { return filled.Execute(stream); },
            [](int) {
              Filled own;
              EXPECT_OK(own.Execute());
              EXPECT_OK(aclrtSynchronizeStream(nullptr));
              EXPECT_EQ(own.y->Read<float>(3), FloatList(3, 7.0f));
            });
}

}  // namespace
