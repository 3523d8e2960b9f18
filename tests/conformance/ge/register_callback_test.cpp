// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RegisterCallBackFunc: what Summary and Save operators hand to the program.
#include <stdexcept>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "save_ops.h"
#include "state_ops.h"

namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

struct Call {
  std::string key;
  uint32_t graph_id;
  std::map<std::string, Floats> values;
  std::thread::id thread;
};
std::vector<Call> calls;
uint32_t answer = 0;
bool throws = false;

template <typename Generation>
uint32_t Note(const char* key, uint32_t id,
              const std::map<ge::AscendString, typename Generation::Tensor>& values) {
  Call& call = calls.emplace_back(Call{key, id, {}, std::this_thread::get_id()});
  for (const auto& value : values) {
    call.values[value.first.GetString()] = ValuesOf<Generation>(value.second);
    // What programs do: the memory is theirs to write.
    auto* bytes = static_cast<uint8_t*>(const_cast<void*>(Generation::Address(value.second)));
    std::memset(bytes, 0x7f, value.second.GetSize());
  }
  if (throws) throw std::runtime_error("from the function");
  return answer;
}

ge::Status Register(ge::Session& session, const char* key) {
  const bool save = std::string(key) == "Save";
  const ge::session::pCallBackFunc note =
      save ? [](uint32_t id,
                const std::map<ge::AscendString, ge::Tensor>& v) { return Note<First>("Save", id, v); }
           : [](uint32_t id, const std::map<ge::AscendString, ge::Tensor>& v) {
               return Note<First>("Summary", id, v);
             };
  return session.RegisterCallBackFunc(key, note);
}

ge::Status Register(ge::GeSession& session, const char* key) {
  const std::string name = key;
  return session.RegisterCallBackFunc(key,
                                      [name](uint32_t id, const std::map<ge::AscendString, gert::Tensor>& v) {
                                        return Note<Second>(name.c_str(), id, v);
                                      });
}

// Three variables with initial values.
std::vector<ge::op::Variable> Weights() {
  std::vector<ge::op::Variable> weights;
  for (const float value : {1.f, 2.f, 3.f}) {
    const std::string name = "w" + std::to_string(static_cast<int>(value));
    ge::op::Variable weight(name.c_str());
    weight.update_output_desc_y(FloatDesc({2}));
    weight.set_attr_value(HostTensor<float>({2}, {value, value}, ge::DT_FLOAT));
    weights.push_back(weight);
  }
  return weights;
}

// Saves three variables; with `summaries`, also looks at two of them.
ge::Graph SaveGraph(bool summaries, bool save_is_output = false) {
  const auto weights = Weights();
  ge::op::Save save("save");
  save.create_dynamic_input_tensors(3);
  for (uint32_t i = 0; i < 3; ++i)
    save.set_dynamic_input_tensors(i, weights[i]);
  if (summaries) {
    ge::op::Summary("loss[:Scalar]").set_input_x(weights[0]);
    ge::op::Summary("weights[:Tensor]").set_input_x(weights[1]);
  }
  ge::Graph graph("save");
  graph.SetInputs({weights[0], weights[1], weights[2]});
  if (save_is_output) graph.SetOutputs(std::vector<ge::Operator>{save});
  return graph;
}

template <typename Generation>
class RegisterCallBackFunc : public testing::Test {
 protected:
  RegisterCallBackFunc() {
    calls.clear();
    answer = 0;
    throws = false;
  }
  ge::Status Run(uint32_t id) {
    std::vector<typename Generation::Tensor> outputs;
    return session_.RunGraph(id, {}, outputs);
  }
  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(RegisterCallBackFunc, Generations, GenerationNames);

TYPED_TEST(RegisterCallBackFunc, IsNeededForGraphsThatSave) {
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  EXPECT_REFUSED(ge::FAILED, "Save", this->Run(1));
  ASSERT_GE_OK(Register(this->session_, "Save"));
  EXPECT_GE_OK(this->Run(1));
}

TYPED_TEST(RegisterCallBackFunc, IsNeededForEachKindOfOperator) {
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(true)));
  ASSERT_GE_OK(Register(this->session_, "Save"));
  EXPECT_REFUSED(ge::FAILED, "Summary", this->Run(1));
  EXPECT_TRUE(calls.empty());
}

TYPED_TEST(RegisterCallBackFunc, CallsOncePerKindAndRun) {
  ASSERT_GE_OK(Register(this->session_, "Summary"));
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(9, SaveGraph(true)));
  ASSERT_GE_OK(this->Run(9));
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].key, "Summary");
  EXPECT_THAT(calls[0].values, UnorderedElementsAre(testing::Pair("loss[:Scalar]", ElementsAre(1, 1)),
                                                    testing::Pair("weights[:Tensor]", ElementsAre(2, 2))));
  EXPECT_EQ(calls[1].key, "Save");
  EXPECT_EQ(calls[1].values.size(), 3u);
  EXPECT_THAT(calls[1].values["w3"], ElementsAre(3, 3));
  EXPECT_EQ(calls[1].graph_id, 9u);
  EXPECT_EQ(calls[1].thread, std::this_thread::get_id());
}

TYPED_TEST(RegisterCallBackFunc, GivesMemoryThatIsNotTheVariables) {
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  ASSERT_GE_OK(this->Run(1));
  ASSERT_GE_OK(this->Run(1));
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].values, calls[1].values);
}

TYPED_TEST(RegisterCallBackFunc, RunsASaveThatIsAnOutput) {
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false, true)));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(1, {}, outputs));
  EXPECT_TRUE(outputs.empty());
  EXPECT_EQ(calls.size(), 1u);
}

TYPED_TEST(RegisterCallBackFunc, FailsTheRunIfTheFunctionDoes) {
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  answer = 1;
  EXPECT_REFUSED(ge::FAILED, "answered 1", this->Run(1));
}

TYPED_TEST(RegisterCallBackFunc, CallsBeforeTheCallbackOfAnAsynchronousRun) {
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  size_t before = 0;
  ge::Status found = ge::SUCCESS;
  Gate done;
  answer = 3;
  ASSERT_GE_OK(this->session_.RunGraphAsync(1, {}, [&](ge::Status status, auto&) {
    before = calls.size();
    found = status;
    done.Open();
  }));
  ASSERT_TRUE(done.Wait());
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(before, 1u);
  EXPECT_EQ(found, ge::FAILED);
  EXPECT_NE(calls.at(0).thread, std::this_thread::get_id());
}

TYPED_TEST(RegisterCallBackFunc, CallsInTheOrderOfTheStream) {
  const Session runtime;
  const aclrtStream stream = runtime.Stream();
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  std::vector<typename TypeParam::Tensor> outputs;
  Gate gate;
  gate.Hold(stream);
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, stream, {}, outputs));
  EXPECT_TRUE(calls.empty());
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_THAT(calls[0].values["w2"], ElementsAre(2, 2));
}

TYPED_TEST(RegisterCallBackFunc, FailsTheRunIfTheFunctionThrows) {
  const Session runtime;
  const aclrtStream stream = runtime.Stream();
  ASSERT_GE_OK(Register(this->session_, "Save"));
  ASSERT_GE_OK(this->session_.AddGraph(1, SaveGraph(false)));
  ASSERT_GE_OK(this->session_.AddGraph(2, SaveGraph(false)));
  throws = true;
  EXPECT_REFUSED(ge::FAILED, "from the function", this->Run(1));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(2, stream, {}, outputs));
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("from the function"));
}

TYPED_TEST(RegisterCallBackFunc, RefusesOtherKeysAndNoFunction) {
  EXPECT_REFUSED(ge::FAILED, "save", Register(this->session_, "save"));
  EXPECT_REFUSED(ge::FAILED, "E10001", Register(this->session_, ""));
  EXPECT_REFUSED(ge::FAILED, "null", this->session_.RegisterCallBackFunc("Save", nullptr));
}

TYPED_TEST(RegisterCallBackFunc, NeedsTheEngine) {
  ge::GEFinalize();
  EXPECT_REFUSED(kNoSessionManager, "initialised", Register(this->session_, "Save"));
}

TEST(RegisterCallBackFuncOfTheFirst, TakesFunctionsWithStrings) {
  const Engine engine;
  ge::Session session(GeOptions{});
  calls.clear();
  const ge::pCallBackFunc note = [](uint32_t id, const std::map<std::string, ge::Tensor>& values) {
    calls.push_back(Call{values.begin()->first, id, {}, {}});
    return 0u;
  };
  ASSERT_GE_OK(session.RegisterCallBackFunc(std::string("Save"), note));
  ASSERT_GE_OK(session.AddGraph(1, SaveGraph(false)));
  std::vector<ge::Tensor> outputs;
  ASSERT_GE_OK(session.RunGraph(1, {}, outputs));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].key, "w1");
}

}  // namespace
