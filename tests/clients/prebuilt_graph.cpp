// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A program that was compiled elsewhere, with strings of the older kind, as MindSpore's are: it registers
// texts of codes from a static constructor, builds a graph with std::string, and runs it in a session of
// eight bytes.
#include "clients/prebuilt.h"

#include <cstring>
#include <new>

#include "clients/check.h"

static_assert(_GLIBCXX_USE_CXX11_ABI == 0, "the older kind of string");

namespace {

struct Registered {
  Registered(uint32_t code, const char* text) { ge::StatusFactory::Instance()->Keep(code, text); }
};
const Registered success(0, "success");
const Registered failed(0xffffffff, "failed");
const Registered failed_again(0xffffffff, "failed, said once more");

void TextsOfCodesAreThePrograms() {
  const ge::StatusFactory* texts = ge::StatusFactory::Instance();
  REQUIRE(texts->size() == 2);
  REQUIRE(texts->TextOf(0) == "success");
  REQUIRE(texts->TextOf(0xffffffff) == "failed");
}

ge::TensorDesc Floats(int64_t count) {
  return ge::TensorDesc(ge::Shape({count}), ge::FORMAT_ND, ge::DT_FLOAT);
}

void StringsArriveAndComeBack() {
  ge::Operator op("an operator whose name is longer than small strings are", "Add");
  REQUIRE(op.GetName() == "an operator whose name is longer than small strings are");
  REQUIRE(op.GetOpType() == "Add");
  op.SetAttr("text", std::string("value")).SetAttr("texts", std::vector<std::string>{"a", ""});
  std::string text;
  std::vector<std::string> texts;
  REQUIRE(op.GetAttr("text", text) == 0 && text == "value");
  REQUIRE(op.GetAttr("texts", texts) == 0 && texts.size() == 2 && texts[0] == "a" && texts[1].empty());
  REQUIRE(op.GetAttr("none", text) != 0);
  ge::Tensor tensor;
  REQUIRE(tensor.SetData(std::string("bytes")) == 0 && tensor.GetSize() > 5);
  REQUIRE(tensor.SetData(std::vector<std::string>{"one", "two"}) == 0);
}

void CreatorsAreCalledWithStrings() {
  static const ge::OperatorCreatorRegister registered(
      "PrebuiltType", [](const std::string& name) { return ge::Operator(name + " made", "PrebuiltType"); });
  REQUIRE(ge::OperatorFactory::IsExistOp("PrebuiltType"));
  REQUIRE(!ge::OperatorFactory::IsExistOp("TypeOfNobody"));
  REQUIRE(ge::OperatorFactory::CreateOperator("one", "PrebuiltType").GetName() == "one made");
}

ge::Graph SumGraph() {
  ge::Operator x = ge::OperatorFactory::CreateOperator("x", "Data");
  x.SetAttr("index", int64_t{0});
  REQUIRE(x.UpdateInputDesc("x", Floats(3)) == 0 && x.UpdateOutputDesc("y", Floats(3)) == 0);
  ge::Operator sum = ge::OperatorFactory::CreateOperator("sum", "Add");
  sum.SetInput("x1", x).SetInput("x2", x, "y");
  ge::Graph graph("sums");
  const std::string* name = &graph.GetName();
  REQUIRE(*name == "sums");
  graph.SetInputs({x}).SetOutputs({{sum, "y"}});
  return graph;
}

// What lies behind the session belongs to somebody else.
struct Guarded {
  alignas(ge::Session) unsigned char session[sizeof(ge::Session)];
  unsigned char behind[24];
};

void SessionsKeepToTheirEightBytes() {
  Guarded place;
  std::memset(&place, 0x5a, sizeof(place));
  auto* session =
      new (place.session) ge::Session(ge::Texts{{"ge.exec.precision_mode", "must_keep_origin_dtype"}});
  REQUIRE(session->AddGraph(7, SumGraph(), {}) == 0);
  const float given[3] = {1, 2, 3};
  const ge::Tensor input(Floats(3), reinterpret_cast<const uint8_t*>(given), sizeof(given));
  std::vector<ge::Tensor> outputs;
  REQUIRE(session->RunGraph(7, {input}, outputs) == 0);
  REQUIRE(outputs.size() == 1 && outputs[0].GetSize() == sizeof(given));
  const auto* sums = reinterpret_cast<const float*>(outputs[0].GetData());
  REQUIRE(sums[0] == 2 && sums[1] == 4 && sums[2] == 6);
  REQUIRE(session->RunGraph(8, {input}, outputs) != 0);
  REQUIRE(ge::GEGetErrorMsg().find("8") != std::string::npos);
  session->~Session();
  for (const unsigned char byte : place.behind)
    REQUIRE(byte == 0x5a);
}

}  // namespace

int main() {
  TextsOfCodesAreThePrograms();
  StringsArriveAndComeBack();
  CreatorsAreCalledWithStrings();
  REQUIRE(ge::GEInitialize({{"ge.exec.deviceId", "0"}}) == 0);
  SessionsKeepToTheirEightBytes();
  REQUIRE(ge::GEFinalize() == 0);
}
