// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "ge/ge_api.h"
#include "matrix_calculation_ops.h"

namespace {

using NoOptions = std::map<ge::AscendString, ge::AscendString>;

// Asks the engine about the graph while the engine asks for memory.
class AskingPool : public ge::Allocator {
 public:
  explicit AskingPool(std::function<void()> ask) : ask_(std::move(ask)) {}

  ge::MemBlock* Malloc(size_t size) override {
    ++asked_;
    ask_();
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    return new ge::MemBlock(*this, memory, size);
  }
  void Free(ge::MemBlock* block) override {
    ask_();
    EXPECT_EQ(aclrtFree(block->GetAddr()), ACL_SUCCESS);
    delete block;
  }
  int asked() const { return asked_; }

 private:
  std::function<void()> ask_;
  int asked_ = 0;
};

ge::Graph Product() {
  const ge::TensorDesc square(ge::Shape({4, 4}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data x("x");
  x.update_input_desc_x(square);
  x.update_output_desc_y(square);
  const std::vector<float> ones(16, 1);
  const ge::Tensor weights(square, reinterpret_cast<const uint8_t*>(ones.data()), 16 * sizeof(float));
  const auto w = ge::op::Const("w").set_attr_value(weights);
  const auto y = ge::op::MatMulV2("y").set_input_x1(x).set_input_x2(w);
  ge::Graph graph("product");
  graph.SetInputs({x}).SetOutputs({y});
  return graph;
}

TEST(AskingPool, IsCalledWithNoLockOfTheEngineHeld) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(ge::GEInitialize(NoOptions()), ge::SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  {
    ge::Session session((NoOptions()));
    const auto pool = std::make_shared<AskingPool>([&] { session.GetCompiledGraphSummary(1); });
    EXPECT_EQ(session.RegisterExternalAllocator(stream, pool), ge::SUCCESS);
    EXPECT_EQ(session.AddGraph(1, Product()), ge::SUCCESS);
    EXPECT_EQ(session.CompileGraph(1), ge::SUCCESS);
    EXPECT_EQ(session.LoadGraph(1, NoOptions(), stream), ge::SUCCESS);
    EXPECT_GT(pool->asked(), 0);
    EXPECT_EQ(session.RemoveGraph(1), ge::SUCCESS);
  }
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(ge::GEFinalize(), ge::SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

}  // namespace
