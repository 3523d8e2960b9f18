// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// LSTM: networks of layers, single cells, and their gradients.
#include "aclnn/mapping.h"
#include "aclnn/maps/given.h"
#include "aclnn/maps/parts.h"
#include "aclnn/maps/recurrent.h"

namespace foothold::aclnn {
namespace {

constexpr const char* kForwardLists[] = {"hOut", "cOut", "iOut", "fOut", "jOut", "oOut", "tanhCOut"};

void RefuseDropout(Call& call, const Recurrent& net) {
  if (net.layers > 1 && call.GetFlag("train") && call.GetReal("dropout") != 0)
    call.NotSupported("{} with dropout between layers", call.function().name);
}

void MapLstm(Call& call) {
  Recurrent net(call, 4, "bidirectional", "batchSizes");
  RefuseDropout(call, net);
  Term x = net.Sequence("input");
  const Value h0 = net.Member("hx", 0), c0 = net.Member("hx", 1), active = net.Active();
  std::vector<Value> last_h, last_c;
  for (std::int64_t layer = 0; layer < net.layers; ++layer) {
    std::vector<Value> results;
    for (std::int64_t way = 0; way < net.directions; ++way) {
      const auto number = static_cast<std::size_t>(layer * net.directions + way);
      Term gates = net.Rows(x, net.Weight(number, 0), false);
      if (net.has_bias()) gates = gates + (*net.Bias(number, 0) + *net.Bias(number, 1));
      Op lstm = call.OwnOp("AclnnLstmLayer",
                           {{"gates", gates},
                            {"w", call.Transpose(net.Weight(number, 1), {1, 0})},
                            {"h0", net.State(h0, number)},
                            {"c0", net.State(c0, number)},
                            {"active", active}},
                           {"y", "h", "c", "i", "f", "g", "o", "tanh", "last_h", "last_c"});
      lstm.Set("reverse", net.Reverses(number));
      results.push_back(lstm.Out(0));
      last_h.push_back(lstm.Out(8));
      last_c.push_back(lstm.Out(9));
      for (int i = 0; call.GetFlag("train") && i < 7; ++i)
        if (call.HasMember(kForwardLists[i], number))
          call.OutElements(kForwardLists[i], lstm.Out(1 + i), number);
    }
    x = {call, results.size() == 1 ? results[0] : Joined(call, results, 2)};
  }
  net.OutSequence("output", x);
  const auto all = [&](const std::vector<Value>& states) {
    return states.size() == 1 ? states[0] : Joined(call, states, 0);
  };
  call.OutElements("hy", all(last_h));
  call.OutElements("cy", all(last_c));
}

// What goes back through the layers.
class Backward {
 public:
  explicit Backward(Call& call) : call(call), net(call, 4, "bidirectional", "batchSizesOptional") {
    h0 = net.Member("hx", 0);
    c0 = net.Member("hx", 1);
    first_h.resize(net.count());
    first_c.resize(net.count());
  }

  void Run() {
    Term dy = call.Has("dy")
                  ? net.Sequence("dy")
                  : Term{call, call.Filled(net.type, {net.steps, net.batch, net.directions * net.size}, 0)};
    for (std::int64_t layer = net.layers; layer-- > 0;)
      dy = Layer(layer, dy);
    net.OutSequence("dxOut", dy);
    OutStates("dhPrevOut", first_h);
    OutStates("dcPrevOut", first_c);
  }

 private:
  Value Given(const char* name, std::size_t number) {
    return call.Has(name) ? net.State(call.To(call.In(name), net.type), number) : Value();
  }

  Term Layer(std::int64_t layer, const Term& dy) {
    const Term x = net.InputOf(layer);
    std::optional<Term> dx;
    for (std::int64_t way = 0; way < net.directions; ++way) {
      const Term gates = Direction(static_cast<std::size_t>(layer * net.directions + way), x,
                                   {call, Part(call, dy, 2, way * net.size, net.size)});
      const Term part =
          net.Rows(gates, net.Weight(static_cast<std::size_t>(layer * net.directions + way), 0), true);
      dx = dx ? *dx + part : part;
    }
    return *dx;
  }

  Term Direction(std::size_t number, const Term& x, const Term& dy) {
    const auto saved = [&](const char* list) { return net.Member(list, number); };
    Op back = call.OwnOp("AclnnLstmLayerGrad",
                         {{"dy", dy},
                          {"dh", Given("dh", number)},
                          {"dc", Given("dc", number)},
                          {"w", net.Weight(number, 1)},
                          {"c0", net.State(c0, number)},
                          {"c", saved("c")},
                          {"i", saved("i")},
                          {"f", saved("f")},
                          {"g", saved("g")},
                          {"o", saved("o")},
                          {"tanh", saved("tanhc")},
                          {"active", net.Active()}},
                         {"gates", "first_h", "first_c"});
    back.Set("reverse", net.Reverses(number));
    const Term gates{call, back.Out(0)};
    first_h[number] = back.Out(1);
    first_c[number] = back.Out(2);
    const Term before = net.Before(saved("h"), net.State(h0, number), net.Reverses(number));
    OutParameter(number, 0, net.Weights(gates, x));
    OutParameter(number, 1, net.Weights(gates, before));
    for (std::size_t i = 2; net.has_bias() && i < 4; ++i)
      OutParameter(number, i, Sum(gates, {0, 1}));
    return gates;
  }

  void OutParameter(std::size_t number, std::size_t which, const Term& value) {
    const std::size_t place = net.PlaceOf(number, which);
    if (call.HasMember("dparamsOut", place)) call.OutElements("dparamsOut", value, place);
  }

  void OutStates(const char* name, const std::vector<Value>& states) {
    if (call.Has(name)) call.OutElements(name, states.size() == 1 ? states[0] : Joined(call, states, 0));
  }

  Call& call;
  Recurrent net;
  Value h0, c0;
  std::vector<Value> first_h, first_c;
};

void MapLstmBackward(Call& call) {
  Backward(call).Run();
}

Term InFloat(Call& call, const char* name) {
  return {call, call.To(call.In(name), DataType::kFloat)};
}

Term Gate(Call& call, const Term& gates, std::int64_t which) {
  const std::int64_t size = gates.dims().back() / 4;
  return {call, Part(call, gates, static_cast<std::int64_t>(gates.dims().size()) - 1, which * size, size)};
}

void CheckGates(Call& call, const char* name, const Dims& dims) {
  if (dims.size() != 2 || dims[1] % 4 != 0)
    call.Refuse("'{}' is {}; rows of four gates are expected", name, ToString(call.View(name)));
}

void MapCell(Call& call) {
  Term gates = InFloat(call, "inputGates") + InFloat(call, "hiddenGates");
  for (const char* bias : {"inputBiasOptional", "hiddenBiasOptional"})
    if (IsGiven(call, bias)) gates = gates + InFloat(call, bias);
  CheckGates(call, "inputGates", gates.dims());
  const Term i = Sigmoid(Gate(call, gates, 0)), f = Sigmoid(Gate(call, gates, 1)),
             g = Tanh(Gate(call, gates, 2)), o = Sigmoid(Gate(call, gates, 3));
  const Term c = f * InFloat(call, "cx") + i * g;
  call.Out("hyOut", o * Tanh(c));
  call.Out("cyOut", c);
  call.Out("storageOut", Joined(call, {i, f, g, o}, 1));
}

void MapCellBackward(Call& call) {
  CheckGates(call, "storage", call.DimsOfArgument("storage"));
  const Term gates = InFloat(call, "storage"), cx = InFloat(call, "cx"), tanh = Tanh(InFloat(call, "cy"));
  const Term i = Gate(call, gates, 0), f = Gate(call, gates, 1), g = Gate(call, gates, 2),
             o = Gate(call, gates, 3);
  const auto given = [&](const char* name) {
    return IsGiven(call, name) ? InFloat(call, name)
                               : Term{call, call.Filled(DataType::kFloat, cx.dims(), 0)};
  };
  const Term dh = given("gradHyOptional"), dc = given("gradCOptional") + dh * o * (1 - tanh * tanh);
  const Term all{call, Joined(call,
                              {dc * g * i * (1 - i), dc * cx * f * (1 - f), dc * i * (1 - g * g),
                               dh * tanh * o * (1 - o)},
                              1)};
  call.Out("gradGatesOut", all);
  call.Out("gradCxOut", dc * f);
  if (IsGiven(call, "gradBiasOut")) call.OutElements("gradBiasOut", Sum(all, {0}));
}

const RegisterMapping lstm_maps({
    {"aclnnLSTM", MapLstm},
    {"aclnnLstmBackward", MapLstmBackward},
    {"aclnnThnnFusedLstmCell", MapCell},
    {"aclnnThnnFusedLstmCellBackward", MapCellBackward},
});

}  // namespace
}  // namespace foothold::aclnn
