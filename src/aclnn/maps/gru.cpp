// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GRU: networks of layers, and their gradients.
#include "aclnn/mapping.h"
#include "aclnn/maps/parts.h"
#include "aclnn/maps/recurrent.h"

namespace foothold::aclnn {
namespace {

constexpr const char* kForwardLists[] = {"hOut", "rOut", "zOut", "nOut", "hnOut"};

void MapGru(Call& call) {
  Recurrent net(call, 3, "bidirection", "batchSizes");
  if (net.layers > 1 && call.GetFlag("train") && call.GetReal("dropout") != 0)
    call.NotSupported("aclnnGRU with dropout between layers");
  Term x = net.Sequence("input");
  const Value h0 = call.To(call.In("hx"), net.type), active = net.Active();
  std::vector<Value> last;
  for (std::int64_t layer = 0; layer < net.layers; ++layer) {
    std::vector<Value> results;
    for (std::int64_t way = 0; way < net.directions; ++way) {
      const auto number = static_cast<std::size_t>(layer * net.directions + way);
      Term gates = net.Rows(x, net.Weight(number, 0), false);
      if (net.has_bias()) gates = gates + *net.Bias(number, 0);
      Op gru = call.OwnOp("AclnnGruLayer",
                          {{"gates", gates},
                           {"w", call.Transpose(net.Weight(number, 1), {1, 0})},
                           {"h0", net.State(h0, number)},
                           {"b", net.has_bias() ? Value(*net.Bias(number, 1)) : Value()},
                           {"active", active}},
                          {"y", "h", "r", "z", "n", "hn", "last"});
      gru.Set("reverse", net.Reverses(number));
      results.push_back(gru.Out(0));
      last.push_back(gru.Out(6));
      for (int i = 0; call.GetFlag("train") && i < 5; ++i)
        if (call.HasMember(kForwardLists[i], number))
          call.OutElements(kForwardLists[i], gru.Out(1 + i), number);
    }
    x = {call, results.size() == 1 ? results[0] : Joined(call, results, 2)};
  }
  net.OutSequence("output", x);
  call.OutElements("hy", last.size() == 1 ? last[0] : Joined(call, last, 0));
}

class Backward {
 public:
  explicit Backward(Call& call) : call(call), net(call, 3, "bidirection", "batchSizes") {
    h0 = call.To(call.In("hx"), net.type);
    first.resize(net.count());
  }

  void Run() {
    Term dy = net.Sequence("dy");
    for (std::int64_t layer = net.layers; layer-- > 0;)
      dy = Layer(layer, dy);
    net.OutSequence("dxOut", dy);
    call.OutElements("dhPrevOut", first.size() == 1 ? first[0] : Joined(call, first, 0));
  }

 private:
  Term Layer(std::int64_t layer, const Term& dy) {
    const Term x = net.InputOf(layer);
    std::optional<Term> dx;
    for (std::int64_t way = 0; way < net.directions; ++way) {
      const auto number = static_cast<std::size_t>(layer * net.directions + way);
      const Term gates = Direction(number, x, {call, Part(call, dy, 2, way * net.size, net.size)});
      const Term part = net.Rows(gates, net.Weight(number, 0), true);
      dx = dx ? *dx + part : part;
    }
    return *dx;
  }

  // The gradients of the gates by the input.
  Term Direction(std::size_t number, const Term& x, const Term& dy) {
    const auto saved = [&](const char* list) { return net.Member(list, number); };
    Op back = call.OwnOp("AclnnGruLayerGrad",
                         {{"dy", dy},
                          {"dh", net.State(call.To(call.In("dh"), net.type), number)},
                          {"w", net.Weight(number, 1)},
                          {"h0", net.State(h0, number)},
                          {"h", saved("h")},
                          {"r", saved("r")},
                          {"z", saved("z")},
                          {"n", saved("n")},
                          {"hn", saved("hn")},
                          {"active", net.Active()}},
                         {"by_input", "by_state", "first"});
    back.Set("reverse", net.Reverses(number));
    const Term by_input{call, back.Out(0)}, by_state{call, back.Out(1)};
    first[number] = back.Out(2);
    const Term before = net.Before(saved("h"), net.State(h0, number), net.Reverses(number));
    OutParameter(number, 0, net.Weights(by_input, x));
    OutParameter(number, 1, net.Weights(by_state, before));
    if (net.has_bias()) {
      OutParameter(number, 2, Sum(by_input, {0, 1}));
      OutParameter(number, 3, Sum(by_state, {0, 1}));
    }
    return by_input;
  }

  void OutParameter(std::size_t number, std::size_t which, const Term& value) {
    const std::size_t place = net.PlaceOf(number, which);
    if (call.HasMember("dparamsOut", place)) call.OutElements("dparamsOut", value, place);
  }

  Call& call;
  Recurrent net;
  Value h0;
  std::vector<Value> first;
};

void MapGruBackward(Call& call) {
  Backward(call).Run();
}

const RegisterMapping gru_maps({
    {"aclnnGRU", MapGru},
    {"aclnnGRUBackward", MapGruBackward},
});

}  // namespace
}  // namespace foothold::aclnn
