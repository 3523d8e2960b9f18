// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Files of models that are cut off while the model is loaded. A mapping of such a file ends the process that
// reads it: each case has a process of its own.
#include <sys/stat.h>

#include <filesystem>

#include "acl/acl_rt.h"
#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/acl_op/op_fixture.h"
#include "conformance/config_file.h"
#include "conformance/in_fork.h"
#include "ge/ge_ir_build.h"
#include "selection_ops.h"

namespace {

constexpr int64_t kSmall = 1024, kLarge = 1 << 20;  // elements: 4 KiB, which is read; 4 MiB, which are mapped

Floats Weights(int64_t count) {
  Floats values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 97);
  return values;
}

ge::ModelBufferData SumModel(int64_t count) {
  const ge::op::Data x = FloatData("x", 0, {count});
  const ge::op::Const w = FloatConst("w", {count}, Weights(count));
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(w);
  return BuildModel(ge::Graph("sum").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum}));
}

std::string Save(const TemporaryDirectory& directory, const ge::ModelBufferData& model) {
  const std::string path = directory.path() + "/model";
  EXPECT_EQ(ge::aclgrphSaveModel(path.c_str(), model), ge::GRAPH_SUCCESS);
  return path + ".om";
}

struct Sets {
  explicit Sets(int64_t count) {
    inputs.Add(Floats(static_cast<size_t>(count), 1));
    outputs.Add(static_cast<size_t>(count) * sizeof(float));
  }
  DeviceSet inputs, outputs;
};

// The stream goes no further until it is opened.
class Gate {
 public:
  explicit Gate(aclrtStream stream) {
    EXPECT_OK(aclrtCreateNotify(&notify_, 0));
    EXPECT_OK(aclrtWaitAndResetNotify(notify_, stream, 0));
  }
  void Open() { EXPECT_OK(aclrtRecordNotify(notify_, nullptr)); }

 private:
  aclrtNotify notify_ = nullptr;
};

TEST(ModelFileThatIsCutOff, IsAnErrorOfTheNextRun) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  for (const int64_t count : {kSmall, kLarge}) {
    const int status = InFork({}, [&] {
      const Session session;
      const TemporaryDirectory directory;
      const std::string path = Save(directory, SumModel(count));
      const LoadedModel model(path);
      Sets sets(count);
      EXPECT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
      std::filesystem::resize_file(path, 100);
      EXPECT_FAILS_WITH(ACL_ERROR_READ_MODEL_FAILURE, "overwritten",
                        aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
    });
    EXPECT_EQ(status, 0) << count;
  }
}

TEST(ModelFileThatIsCutOff, IsAnErrorOfARunThatWaits) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InFork({}, [&] {
    const Session session;
    const TemporaryDirectory directory;
    const std::string path = Save(directory, SumModel(kLarge));
    const LoadedModel model(path);
    Sets sets(kLarge);
    const aclrtStream stream = session.Stream();
    Gate gate(stream);
    EXPECT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), stream));
    std::filesystem::resize_file(path, 100);
    gate.Open();
    EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), testing::HasSubstr("overwritten"));
  });
  EXPECT_EQ(status, 0);
}

TEST(ModelFileThatIsCutOff, IsNothingToASmallModelThatWaits) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InFork({}, [&] {
    const Session session;
    const TemporaryDirectory directory;
    const std::string path = Save(directory, SumModel(kSmall));
    const LoadedModel model(path);
    Sets sets(kSmall);
    const aclrtStream stream = session.Stream();
    Gate gate(stream);
    EXPECT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), stream));
    std::filesystem::resize_file(path, 100);
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(sets.outputs.Read(0, 3), (Floats{1, 2, 3}));
  });
  EXPECT_EQ(status, 0);
}

// The elements of x + w that are not 0.
ge::ModelBufferData WhereModel() {
  const ge::op::Data x = FloatData("x", 0, {kLarge});
  const ge::op::Const w = FloatConst("w", {kLarge}, Weights(kLarge));
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(w);
  const ge::op::Where where = ge::op::Where("where").set_input_x(sum);
  return BuildModel(ge::Graph("where").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{where}));
}

void CutOff(void* path) {
  std::filesystem::resize_file(*static_cast<std::string*>(path), 100);
}

// Such a run waits for its stream, and then takes place where it was asked for.
TEST(ModelFileThatIsCutOff, IsAnErrorWhereValuesDecideShapes) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InFork({}, [&] {
    const Session session;
    const TemporaryDirectory directory;
    std::string path = Save(directory, WhereModel());
    const LoadedModel model(path);
    DeviceSet inputs, outputs;
    inputs.Add(Floats(kLarge, -1));
    outputs.AddBuffer(nullptr, 0);
    EXPECT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
    const aclrtStream stream = session.Stream();
    EXPECT_OK(aclrtLaunchHostFunc(stream, CutOff, &path));
    EXPECT_FAILS_WITH(ACL_ERROR_READ_MODEL_FAILURE, "overwritten",
                      aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
  });
  EXPECT_EQ(status, 0);
}

TEST(ModelFileThatIsCutOff, IsNothingToSingleOperators) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InFork({}, [&] {
    const Session session;
    const TemporaryDirectory directory;
    const std::string path = Save(directory, SumModel(kLarge));
    EXPECT_OK(aclopSetModelDir(directory.path().c_str()));
    std::filesystem::resize_file(path, 100);
    Floats weights = Weights(kLarge);
    const auto x = OpTensor::Of<float>({kLarge}, Floats(kLarge, 1));
    const auto w = OpTensor::Of<float>({kLarge}, weights);
    const auto y = OpTensor::Room<float>({kLarge}, kLarge);
    EXPECT_OK(aclSetTensorConst(w->desc(), weights.data(), weights.size() * sizeof(float)));
    EXPECT_OK(Op("Add", {x, w}, {y}).Execute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(y->Read<float>(3), (FloatList{1, 2, 3}));
  });
  EXPECT_EQ(status, 0);
}

TEST(ModelFile, ThatIsAPipeIsRefusedWithoutWaiting) {
  const Session session;
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/model.om";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  uint32_t id = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, "is not a file",
                    aclmdlLoadFromFile(path.c_str(), &id));
}

}  // namespace
