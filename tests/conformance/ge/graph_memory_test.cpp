// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory the program gives to a compiled graph, and the summary that says how much it takes.
#include <cstdint>
#include <memory>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "matrix_calculation_ops.h"
#include "nonlinear_fuc_ops.h"

namespace {

using testing::ElementsAre;

// y = relu(x * w) * w with a weight of 4 x 4.
ge::Graph Layers(const Dims& dims = {2, 4}) {
  const auto x = FloatData("x", 0, dims);
  const auto w = FloatConst("w", {4, 4}, {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4});
  const auto first = ge::op::MatMul("first").set_input_x1(x).set_input_x2(w);
  const auto relu = ge::op::Relu("relu").set_input_x(first);
  const auto y = ge::op::MatMul("second").set_input_x1(relu).set_input_x2(w);
  return ge::Graph("layers").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}
const Floats kInput = {1, 1, 1, 1, -1, 2, 2, 2};
const auto kOutput = ElementsAre(1, 4, 9, 16, 0, 8, 18, 32);

class Bytes {
 public:
  explicit Bytes(size_t bytes) {
    EXPECT_OK(aclrtMalloc(&address_, bytes + 64, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemset(address_, bytes + 64, 0xee, bytes + 64));
  }
  ~Bytes() { EXPECT_OK(aclrtFree(address_)); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  void* address() const { return address_; }
  bool IsUntouched(size_t bytes) const {
    std::vector<uint8_t> found(bytes);
    EXPECT_OK(aclrtMemcpy(found.data(), bytes, address_, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    return std::count(found.begin(), found.end(), 0xee) == static_cast<std::ptrdiff_t>(bytes);
  }

 private:
  void* address_ = nullptr;
};

template <typename Generation>
class GraphMemory : public testing::Test {
 protected:
  void Add(const GeOptions& options = {}, const Dims& dims = {2, 4}) {
    ASSERT_GE_OK(session_.AddGraph(1, Layers(dims), options));
    ASSERT_GE_OK(session_.CompileGraph(1));
    summary_ = session_.GetCompiledGraphSummary(1);
    ASSERT_NE(summary_, nullptr);
    if (!summary_->IsStatic()) return;
    EXPECT_GE_OK(summary_->GetConstMemorySize(constants_));
    EXPECT_GE_OK(summary_->GetFeatureMemorySize(features_));
  }
  Floats Run() {
    std::vector<typename Generation::Tensor> outputs;
    const auto inputs = List(Generation::Make({2, 4}, kInput));
    EXPECT_GE_OK(session_.RunGraphWithStreamAsync(1, stream_, inputs, outputs));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    return outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]);
  }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  ge::CompiledGraphSummaryPtr summary_;
  size_t constants_ = 0, features_ = 0;
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(GraphMemory, Generations, GenerationNames);

TYPED_TEST(GraphMemory, IsSummedUp) {
  this->Add();
  EXPECT_TRUE(this->summary_->IsStatic());
  EXPECT_GE(this->constants_, 64u);
  EXPECT_EQ(this->constants_ % 512, 0u);
  EXPECT_GT(this->features_, 0u);
  EXPECT_EQ(this->features_ % 512, 0u);
  std::vector<ge::Shape> shapes;
  EXPECT_GE_OK(this->summary_->GetOutputShapes(shapes));
  EXPECT_THAT(shapes.at(0).GetDims(), ElementsAre(2, 4));
  std::vector<ge::DataType> types;
  EXPECT_GE_OK(this->summary_->GetOutputDtypes(types));
  EXPECT_THAT(types, ElementsAre(ge::DT_FLOAT));
  size_t number = 0, refreshable = 1;
  EXPECT_GE_OK(this->summary_->GetStreamNum(number));
  EXPECT_EQ(number, 1u);
  EXPECT_GE_OK(this->summary_->GetEventNum(number));
  EXPECT_EQ(number, 0u);
  bool can_change = true;
  EXPECT_GE_OK(this->summary_->GetFeatureMemoryBaseRefreshable(can_change));
  EXPECT_FALSE(can_change);
  EXPECT_GE_OK(this->summary_->GetRefreshableFeatureMemorySize(refreshable));
  EXPECT_EQ(refreshable, 0u);
}

TYPED_TEST(GraphMemory, IsNotKnownWhereShapesAreOpen) {
  this->Add({}, {-1, 4});
  EXPECT_FALSE(this->summary_->IsStatic());
  size_t size = 0;
  EXPECT_NE(this->summary_->GetConstMemorySize(size), ge::SUCCESS);
  EXPECT_NE(this->summary_->GetFeatureMemorySize(size), ge::SUCCESS);
  std::vector<ge::Shape> shapes;
  EXPECT_NE(this->summary_->GetOutputShapes(shapes), ge::SUCCESS);
  EXPECT_GE_OK(this->summary_->GetFixedFeatureMemorySize(size));
  const Bytes memory(4096);
  EXPECT_REFUSED(ge::FAILED, "shapes", this->session_.SetGraphConstMemoryBase(1, memory.address(), 4096));
  EXPECT_THAT(this->Run(), kOutput);
}

TYPED_TEST(GraphMemory, IsUsedByTheGraph) {
  this->Add();
  const Bytes constants(this->constants_), features(this->features_);
  ASSERT_GE_OK(this->session_.SetGraphConstMemoryBase(1, constants.address(), this->constants_));
  ASSERT_GE_OK(this->session_.UpdateGraphFeatureMemoryBase(1, features.address(), this->features_));
  EXPECT_THAT(this->Run(), kOutput);
  EXPECT_FALSE(constants.IsUntouched(this->constants_));
  EXPECT_FALSE(features.IsUntouched(this->features_));
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
}

TYPED_TEST(GraphMemory, HasToBeLargeEnough) {
  this->Add();
  const Bytes memory(this->features_);
  EXPECT_REFUSED(ge::FAILED, "bytes", this->session_.SetGraphConstMemoryBase(1, memory.address(), 16));
  EXPECT_REFUSED(ge::FAILED, "bytes",
                 this->session_.UpdateGraphFeatureMemoryBase(1, memory.address(), this->features_ - 1));
  EXPECT_REFUSED(ge::FAILED, "bytes",
                 this->session_.UpdateGraphFeatureMemoryBase(1, nullptr, this->features_));
  EXPECT_THAT(this->Run(), kOutput);
}

// Whatever a program says about memory nobody needs.
TYPED_TEST(GraphMemory, IsNotLookedAtWhereNothingIsNeeded) {
  const auto x = FloatData("x", 0, {2, 4});
  const auto y = ge::op::Add("y").set_input_x1(x).set_input_x2(x);
  ASSERT_GE_OK(
      this->session_.AddGraph(1, ge::Graph("plain").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y})));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  ASSERT_GE_OK(this->session_.SetGraphConstMemoryBase(1, nullptr, 512));
  ASSERT_GE_OK(this->session_.UpdateGraphFeatureMemoryBase(1, nullptr, 512));
  EXPECT_THAT(this->Run(), ElementsAre(2, 2, 2, 2, -2, 4, 4, 4));
}

TYPED_TEST(GraphMemory, IsGivenAfterCompilingAndOnlyOnce) {
  ASSERT_GE_OK(this->session_.AddGraph(2, Layers()));
  const Bytes memory(8192);
  EXPECT_REFUSED(ge::FAILED, "E10062", this->session_.SetGraphConstMemoryBase(2, memory.address(), 8192));
  this->Add();
  ASSERT_GE_OK(this->session_.SetGraphConstMemoryBase(1, memory.address(), 8192));
  EXPECT_REFUSED(ge::FAILED, "E10062", this->session_.SetGraphConstMemoryBase(1, memory.address(), 8192));
  const Bytes features(8192);
  ASSERT_GE_OK(this->session_.UpdateGraphFeatureMemoryBase(1, features.address(), 8192));
  EXPECT_REFUSED(ge::FAILED, "E10062",
                 this->session_.UpdateGraphFeatureMemoryBase(1, features.address(), 8192));
  EXPECT_REFUSED(ge::FAILED, "E10062",
                 this->session_.UpdateGraphRefreshableFeatureMemoryBase(1, features.address(), 8192));
  EXPECT_THAT(this->Run(), kOutput);
}

TYPED_TEST(GraphMemory, IsExchangedBetweenRunsIfTheOptionSaysSo) {
  this->Add({{"ge.featureBaseRefreshable", "1"}});
  bool refreshable = false;
  EXPECT_GE_OK(this->summary_->GetFeatureMemoryBaseRefreshable(refreshable));
  EXPECT_TRUE(refreshable);
  size_t size = 0;
  EXPECT_GE_OK(this->summary_->GetRefreshableFeatureMemorySize(size));
  EXPECT_EQ(size, this->features_);
  const Bytes first(size), second(size);
  ASSERT_GE_OK(this->session_.UpdateGraphRefreshableFeatureMemoryBase(1, first.address(), size));
  EXPECT_THAT(this->Run(), kOutput);
  ASSERT_GE_OK(this->session_.UpdateGraphRefreshableFeatureMemoryBase(1, second.address(), size));
  EXPECT_TRUE(second.IsUntouched(size));
  EXPECT_THAT(this->Run(), kOutput);
  EXPECT_FALSE(second.IsUntouched(size));
}

TYPED_TEST(GraphMemory, HasNoFixedPart) {
  this->Add();
  size_t size = 1;
  EXPECT_GE_OK(this->summary_->GetFixedFeatureMemorySize(size));
  EXPECT_EQ(size, 0u);
  EXPECT_GE_OK(this->session_.SetGraphFixedFeatureMemoryBaseWithType(1, ge::MemoryType::MEMORY_TYPE_DEFAULT,
                                                                     nullptr, 0));
  EXPECT_THAT(this->Run(), kOutput);
}

struct RefusingAllocator : ge::Allocator {
  ge::MemBlock* Malloc(size_t) override {
    ADD_FAILURE() << "asked for memory";
    return nullptr;
  }
  void Free(ge::MemBlock*) override {}
};

TYPED_TEST(GraphMemory, TakesThePlaceOfAnAllocator) {
  this->Add();
  ASSERT_GE_OK(
      this->session_.RegisterExternalAllocator(this->stream_, std::make_shared<RefusingAllocator>()));
  const Bytes constants(this->constants_);
  ASSERT_GE_OK(this->session_.SetGraphConstMemoryBase(1, constants.address(), this->constants_));
  EXPECT_THAT(this->Run(), kOutput);
}

}  // namespace
