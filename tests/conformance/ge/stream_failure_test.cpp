// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs on streams that fail: what synchronising answers, and where the functions of the program are called.
#include <stdexcept>

#include "conformance/ge/device_floats.h"
#include "logging_ops.h"
#include "save_ops.h"
#include "state_ops.h"

namespace {

using testing::HasSubstr;

struct Seen {
  uint32_t answer = 0;
  bool throws = false;
  int calls = 0;
  aclError allocated = ACL_ERROR_FAILURE;
  aclError synchronised = ACL_SUCCESS;
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
};
Seen seen;

uint32_t Look() {
  ++seen.calls;
  aclrtGetCurrentContext(&seen.context);
  void* memory = nullptr;
  seen.allocated = aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  if (memory != nullptr) aclrtFree(memory);
  if (seen.stream != nullptr) seen.synchronised = aclrtSynchronizeStream(seen.stream);
  RecentError();
  if (seen.throws) throw std::runtime_error("from the function");
  return seen.answer;
}

ge::Status RegisterLook(ge::Session& session, const char* key) {
  const ge::session::pCallBackFunc look = [](uint32_t, const std::map<ge::AscendString, ge::Tensor>&) {
    return Look();
  };
  return session.RegisterCallBackFunc(key, look);
}
ge::Status RegisterLook(ge::GeSession& session, const char* key) {
  const ge::session::RunCallBack look = [](uint32_t, const auto&) { return Look(); };
  return session.RegisterCallBackFunc(key, look);
}

// Hands the variable v to "Save" or "Summary".
ge::Graph CallingGraph(const std::string& key) {
  ge::op::Variable v("v");
  v.set_attr_value(HostTensor(Dims{1}, Floats{4}, ge::DT_FLOAT));
  v.update_output_desc_y(FloatDesc({1}));
  ge::Graph graph("calling");
  if (key == "Save") {
    const auto save = ge::op::Save("save").create_dynamic_input_tensors(1).set_dynamic_input_tensors(0, v);
    return graph.SetInputs({v}).SetOutputs(std::vector<ge::Operator>{save});
  }
  const auto summary = ge::op::Summary("summary").set_input_x(v);
  return graph.SetInputs({v}).SetOutputs(std::vector<ge::Operator>{summary});
}

// Fails when it runs, unless `allowed`.
ge::Graph AssertGraph() {
  const auto x = FloatData("x", 0, {2});
  ge::op::Data allowed("allowed");
  const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_BOOL);
  allowed.set_attr_index(1).update_input_desc_x(desc);
  allowed.update_output_desc_y(desc);
  auto check = ge::op::Assert("check").set_input_input_condition(allowed);
  check.create_dynamic_input_input_data(1).set_dynamic_input_input_data(0, x);
  const auto y = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  return ge::Graph("check").SetInputs({x, allowed}).SetOutputs(std::vector<ge::Operator>{y});
}

template <typename Generation>
class StreamFailure : public testing::Test {
 protected:
  using Tensors = std::vector<typename Generation::Tensor>;

  StreamFailure() {
    seen = Seen();
    ForgetMessages();
  }
  ~StreamFailure() override { ForgetMessages(); }
  void AddCalling(const char* key) {
    ASSERT_GE_OK(session_.AddGraph(1, CallingGraph(key)));
    ASSERT_GE_OK(RegisterLook(session_, key));
  }
  void Run() {
    Tensors outputs;
    ASSERT_GE_OK(session_.RunGraphWithStreamAsync(1, stream_, Tensors(), outputs));
  }

  const Session runtime_;
  const Engine engine_;
  const aclrtStream stream_ = runtime_.Stream();
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(StreamFailure, Generations, GenerationNames);

TYPED_TEST(StreamFailure, OfACallbackIsOneOfAHostFunction) {
  this->AddCalling("Save");
  for (const bool throws : {false, true}) {
    seen.answer = 7;
    seen.throws = throws;
    this->Run();
    EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(this->stream_));
    EXPECT_THAT(GraphError(), HasSubstr(throws ? "from the function" : "\"Save\" answered 7"));
    EXPECT_OK(aclrtSynchronizeStream(this->stream_)) << "it is told once";
  }
  EXPECT_EQ(seen.calls, 2);
}

TYPED_TEST(StreamFailure, OfASummaryCallbackIsTheSame) {
  this->AddCalling("Summary");
  seen.answer = 1;
  this->Run();
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(this->stream_));
}

TYPED_TEST(StreamFailure, CallbacksHaveTheContextOfTheStream) {
  this->AddCalling("Save");
  this->Run();
  EXPECT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_EQ(seen.context, this->runtime_.context());
  EXPECT_EQ(seen.allocated, ACL_SUCCESS);
}

TYPED_TEST(StreamFailure, CallbacksThatWouldWaitForThemselvesAreRefused) {
  this->AddCalling("Save");
  seen.stream = this->stream_;
  this->Run();
  EXPECT_OK(aclrtSynchronizeStream(this->stream_));
  EXPECT_EQ(seen.synchronised, ACL_ERROR_RT_PARAM_INVALID);
}

TYPED_TEST(StreamFailure, OfAGraphIsOneOfAModel) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AssertGraph()));
  const DeviceFloats in({1, 2}), out({0, 0}), no({0});
  auto inputs = List(TypeParam::At({2}, in.address(), in.bytes()), TypeParam::At({}, no.address(), 1));
  inputs.back().SetDataType(ge::DT_BOOL);
  auto outputs = List(TypeParam::At({2}, out.address(), out.bytes()));
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, this->stream_, inputs, outputs));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclrtSynchronizeStream(this->stream_));
  EXPECT_THAT(GraphError(), HasSubstr("check"));
}

}  // namespace
