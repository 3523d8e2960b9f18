// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Constants that are not in the graph: in a file (FileConstant), in memory (ConstPlaceHolder).
#include <fstream>

#include "array.h"
#include "conformance/config_file.h"
#include "conformance/ge/device_floats.h"

namespace {

using testing::ElementsAre;

ge::Graph SumWith(const ge::Operator& constant) {
  const auto x = FloatData("x", 0, {2});
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(constant);
  return ge::Graph("sum").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}

class ConstantsElsewhere : public testing::Test {
 protected:
  ge::Status Run(const ge::Operator& constant) {
    outputs_.clear();
    const ge::Status added = session_.AddGraph(++graphs_, SumWith(constant));
    return added != ge::SUCCESS ? added
                                : session_.RunGraph(graphs_, List(First::Make({2}, {1, 2})), outputs_);
  }
  const Session runtime_;
  const Engine engine_;
  ge::Session session_{GeOptions{}};
  uint32_t graphs_ = 0;
  std::vector<ge::Tensor> outputs_;
};

ge::op::FileConstant InFile(const std::string& path, const Dims& dims) {
  ge::op::FileConstant constant("constant");
  constant.set_attr_file_path(path).set_attr_shape(dims).set_attr_dtype(ge::DT_FLOAT);
  return constant;
}

TEST_F(ConstantsElsewhere, FileConstantIsReadFromItsFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/weights.bin";
  const Floats values = {10, 20};
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), 2 * sizeof(float));
  ASSERT_GE_OK(Run(InFile(path, {2})));
  EXPECT_THAT(ValuesOf<First>(outputs_.at(0)), ElementsAre(11, 22));
}

TEST_F(ConstantsElsewhere, FileConstantIsRefusedWithoutItsBytes) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/weights.bin";
  GraphError();
  EXPECT_NE(Run(InFile(path, {2})), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr(path));
  std::ofstream(path, std::ios::binary) << "short";
  EXPECT_NE(Run(InFile(path, {2})), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr(path));
}

ge::op::ConstPlaceHolder InMemory(const void* address, int64_t bytes) {
  ge::op::ConstPlaceHolder constant("constant");
  constant.set_attr_origin_shape({2}).set_attr_origin_format(ge::FORMAT_ND).set_attr_storage_shape({2});
  constant.set_attr_storage_format(ge::FORMAT_ND).set_attr_expand_dim_rules("").set_attr_dtype(ge::DT_FLOAT);
  constant.set_attr_addr(reinterpret_cast<int64_t>(address)).set_attr_size(bytes);
  return constant;
}

TEST_F(ConstantsElsewhere, ConstPlaceHolderIsReadFromItsMemory) {
  const DeviceFloats memory({30, 40});
  ASSERT_GE_OK(Run(InMemory(memory.address(), 2 * sizeof(float))));
  EXPECT_THAT(ValuesOf<First>(outputs_.at(0)), ElementsAre(31, 42));
}

TEST_F(ConstantsElsewhere, ConstPlaceHolderIsRefusedIfItsMemoryIsTooSmall) {
  const DeviceFloats memory({30, 40});
  GraphError();
  EXPECT_NE(Run(InMemory(memory.address(), sizeof(float))), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("constant"));
}

}  // namespace
