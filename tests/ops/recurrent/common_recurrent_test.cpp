// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Numbers1 = std::vector<double>;

enum class Kind { kLstm, kGru, kRnn };

struct Layer {
  Kind kind = Kind::kLstm;
  std::int64_t steps = 4, batch = 3, input = 5, hidden = 19;
  std::string direction = "forward";
  bool batch_first = false, bias = true, states = true, peepholes = false, coupled = false,
       reset_last = false;
  std::vector<double> lengths;
  std::vector<std::string> activations;
  std::vector<float> alpha, beta;
  double clip = -1;
  bool late = false;
  DataType type = DataType::kFloat;
  double tolerance = 1e-5;

  std::int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  std::int64_t gates() const { return kind == Kind::kLstm ? 4 : kind == Kind::kGru ? 3 : 1; }
};

double Act(const std::string& name, double alpha, double beta, double x) {
  if (name == "Sigmoid") return 1 / (1 + std::exp(-x));
  if (name == "Tanh") return std::tanh(x);
  if (name == "Relu") return std::max(0.0, x);
  if (name == "Affine") return alpha * x + beta;
  if (name == "LeakyRelu") return x < 0 ? alpha * x : x;
  if (name == "ThresholdedRelu") return x > alpha ? x : 0;
  if (name == "ScaledTanh") return alpha * std::tanh(beta * x);
  if (name == "HardSigmoid") return std::clamp(alpha * x + beta, 0.0, 1.0);
  if (name == "Elu") return x < 0 ? alpha * (std::exp(x) - 1) : x;
  if (name == "Softsign") return x / (1 + std::abs(x));
  if (name == "Softplus") return std::log1p(std::exp(x));
  throw Error(kInternalError, "no such activation in the test");
}

// A layer as the definition writes it, one direction and one sequence at a time.
struct Reference {
  const Layer& l;
  Numbers1 x, w, r, b, h0, c0, p;
  Numbers1 y, yh, yc;

  double At(const Numbers1& values, std::int64_t i) const {
    return values.empty() ? 0 : values[static_cast<std::size_t>(i)];
  }
  std::int64_t State(std::int64_t d, std::int64_t n) const {
    return (l.batch_first ? n * l.directions() + d : d * l.batch + n) * l.hidden;
  }
  std::int64_t Out(std::int64_t t, std::int64_t d, std::int64_t n) const {
    return (l.batch_first ? (n * l.steps + t) * l.directions() + d : (t * l.directions() + d) * l.batch + n) *
           l.hidden;
  }
  double Function(int which, std::int64_t d, double v) const {
    const std::vector<std::string> usual =
        l.kind == Kind::kLstm  ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
        : l.kind == Kind::kGru ? std::vector<std::string>{"Sigmoid", "Tanh"}
                               : std::vector<std::string>{"Tanh"};
    if (l.activations.empty()) return Act(usual[static_cast<std::size_t>(which)], 0, 0, v);
    const std::size_t at = static_cast<std::size_t>(d) * usual.size() + static_cast<std::size_t>(which);
    const auto param = [&](const std::vector<float>& list) { return list.empty() ? 0.0 : double(list[at]); };
    return Act(l.activations[at], param(l.alpha), param(l.beta), v);
  }
  double Clip(double v) const { return l.clip > 0 ? std::clamp(v, -l.clip, l.clip) : v; }
  double Wx(std::int64_t d, std::int64_t gate, std::int64_t j, std::int64_t row) const {
    const std::int64_t unit = (d * l.gates() + gate) * l.hidden + j;
    double sum = At(b, 2 * d * l.gates() * l.hidden + gate * l.hidden + j);
    for (std::int64_t k = 0; k < l.input; ++k)
      sum += At(w, unit * l.input + k) * At(x, row * l.input + k);
    return sum;
  }
  double Rh(std::int64_t d, std::int64_t gate, std::int64_t j, const Numbers1& h) const {
    const std::int64_t unit = (d * l.gates() + gate) * l.hidden + j;
    double sum = At(b, (2 * d + 1) * l.gates() * l.hidden + gate * l.hidden + j);
    for (std::int64_t k = 0; k < l.hidden; ++k)
      sum += At(r, unit * l.hidden + k) * h[static_cast<std::size_t>(k)];
    return sum;
  }
  double Peep(std::int64_t d, std::int64_t gate, std::int64_t j) const {
    return At(p, (3 * d + gate) * l.hidden + j);
  }

  void Step(std::int64_t d, std::int64_t row, Numbers1& h, Numbers1& c) const {
    const Numbers1 before = h;
    Numbers1 reset(h.size()), z(h.size());
    const auto gate = [&](std::int64_t g, std::int64_t j) { return Wx(d, g, j, row) + Rh(d, g, j, before); };
    if (l.kind == Kind::kGru)
      for (std::int64_t j = 0; j < l.hidden; ++j) {
        z[static_cast<std::size_t>(j)] = Function(0, d, Clip(gate(0, j)));
        reset[static_cast<std::size_t>(j)] = Function(0, d, Clip(gate(1, j)));
      }
    Numbers1 gated = before;
    for (std::size_t j = 0; j < gated.size(); ++j)
      gated[j] *= reset[j];
    for (std::int64_t j = 0; j < l.hidden; ++j) {
      const auto u = static_cast<std::size_t>(j);
      if (l.kind == Kind::kRnn) {
        h[u] = Function(0, d, Clip(gate(0, j)));
      } else if (l.kind == Kind::kGru) {
        const double state = l.reset_last ? reset[u] * Rh(d, 2, j, before) : Rh(d, 2, j, gated);
        const double fresh = Function(1, d, Clip(Wx(d, 2, j, row) + state));
        h[u] = (1 - z[u]) * fresh + z[u] * before[u];
      } else {
        const double in = Function(0, d, Clip(gate(0, j) + Peep(d, 0, j) * c[u]));
        const double forget = l.coupled ? 1 - in : Function(0, d, Clip(gate(2, j) + Peep(d, 2, j) * c[u]));
        c[u] = forget * c[u] + in * Function(1, d, Clip(gate(3, j)));
        h[u] = Function(0, d, Clip(gate(1, j) + Peep(d, 1, j) * c[u])) * Function(2, d, c[u]);
      }
    }
  }

  void RunSequence(std::int64_t d, std::int64_t n) {
    Numbers1 h, c;
    for (std::int64_t j = 0; j < l.hidden; ++j) {
      h.push_back(At(h0, State(d, n) + j));
      c.push_back(At(c0, State(d, n) + j));
    }
    const auto length =
        l.lengths.empty() ? l.steps : static_cast<std::int64_t>(l.lengths[static_cast<std::size_t>(n)]);
    const bool backwards = l.direction == "reverse" || d == 1;
    for (std::int64_t s = 0; s < length; ++s) {
      const std::int64_t t = backwards ? length - 1 - s : s;
      Step(d, l.batch_first ? n * l.steps + t : t * l.batch + n, h, c);
      std::copy(h.begin(), h.end(), y.begin() + Out(t, d, n));
    }
    std::copy(h.begin(), h.end(), yh.begin() + State(d, n));
    std::copy(c.begin(), c.end(), yc.begin() + State(d, n));
  }

  void Run() {
    const auto states = static_cast<std::size_t>(l.directions() * l.batch * l.hidden);
    y.assign(static_cast<std::size_t>(l.steps) * states, 0);
    yh.assign(states, 0), yc.assign(states, 0);
    for (std::int64_t d = 0; d < l.directions(); ++d)
      for (std::int64_t n = 0; n < l.batch; ++n)
        RunSequence(d, n);
  }
};

class LayerRun {
 public:
  explicit LayerRun(const Layer& layer)
      : l(layer),
        op(l.kind == Kind::kLstm  ? "CommonLSTM"
           : l.kind == Kind::kGru ? "CommonGRU"
                                  : "CommonRNN"),
        expected{layer, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}} {
    const std::int64_t D = l.directions(), G = l.gates(), H = l.hidden;
    expected.x =
        Add("x", l.batch_first ? Dims{l.batch, l.steps, l.input} : Dims{l.steps, l.batch, l.input}, true);
    expected.w = Add("w", {D, G * H, l.input}, true);
    expected.r = Add("r", {D, G * H, H}, true);
    expected.b = Add("b", {D, 2 * G * H}, l.bias);
    if (l.lengths.empty())
      op.NoInput("sequence_lens");
    else
      op.Late("sequence_lens", Int32s({l.batch}, l.lengths));
    const Dims state = l.batch_first ? Dims{l.batch, D, H} : Dims{D, l.batch, H};
    expected.h0 = Add("initial_h", state, l.states);
    if (l.kind == Kind::kLstm) {
      expected.c0 = Add("initial_c", state, l.states);
      expected.p = Add("p", {D, 3 * H}, l.peepholes);
    }
    SetAttributes();
  }

  std::vector<TensorValue> Run() { return op.RunAll(); }

  void Check() {
    const auto outputs = Run();
    expected.Run();
    ExpectNear(outputs.at(0), expected.y, l.tolerance);
    ExpectNear(outputs.at(1), expected.yh, l.tolerance);
    if (l.kind == Kind::kLstm) ExpectNear(outputs.at(2), expected.yc, l.tolerance);
  }

 private:
  Numbers1 Add(const char* name, const Dims& dims, bool there) {
    if (!there) {
      op.NoInput(name);
      return {};
    }
    const TensorValue value = Random(l.type, dims, ++seed_);
    if (l.late)
      op.Late(name, value);
    else
      op.In(name, value);
    return Numbers(value);
  }
  void SetAttributes() {
    op.Attr("hidden_size", l.hidden).Attr("direction", l.direction).Attr("clip", static_cast<float>(l.clip));
    op.Attr("input_forget", std::int64_t{l.coupled}).Attr("linear_before_reset", std::int64_t{l.reset_last});
    op.Attr("layout", std::int64_t{l.batch_first});
    if (!l.activations.empty()) op.Attr("activations", l.activations);
    op.Attr("activation_alpha", l.alpha).Attr("activation_beta", l.beta);
    op.Out("y").Out("y_h");
    if (l.kind == Kind::kLstm) op.Out("y_c");
  }

  Layer l;
  OpRun op;
  Reference expected;
  unsigned seed_ = 0;
};

class Recurrent : public testing::TestWithParam<Kind> {
 protected:
  Layer Make() const {
    Layer layer;
    layer.kind = GetParam();
    return layer;
  }
};

TEST_P(Recurrent, GoesForwardBackwardAndBoth) {
  for (const char* direction : {"forward", "reverse", "bidirectional"})
    for (const bool late : {false, true}) {
      SCOPED_TRACE(direction);
      Layer layer = Make();
      layer.direction = direction, layer.late = late;
      LayerRun(layer).Check();
    }
}

TEST_P(Recurrent, TakesTheBatchFirst) {
  Layer layer = Make();
  layer.direction = "bidirectional", layer.batch_first = true;
  LayerRun(layer).Check();
}

TEST_P(Recurrent, StopsAtTheEndOfEachSequence) {
  for (const bool batch_first : {false, true}) {
    Layer layer = Make();
    layer.direction = "bidirectional", layer.lengths = {4, 0, 2}, layer.batch_first = batch_first;
    LayerRun(layer).Check();
  }
}

TEST_P(Recurrent, DoesWithoutBiasAndStates) {
  Layer layer = Make();
  layer.bias = layer.states = false, layer.clip = 0.4;
  LayerRun(layer).Check();
}

TEST_P(Recurrent, ComputesHalvesInFloat) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    Layer layer = Make();
    layer.type = type, layer.late = type == DataType::kBfloat16,
    layer.tolerance = type == DataType::kFloat16 ? 2e-3 : 1e-2;
    LayerRun(layer).Check();
  }
}

TEST_P(Recurrent, RunsOneSequenceOfManyUnits) {
  Layer layer = Make();
  layer.batch = 1, layer.hidden = 130, layer.input = 70, layer.direction = "bidirectional";
  LayerRun(layer).Check();
}

TEST_P(Recurrent, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::int64_t batch : {1, 5, 8}) {
    Layer layer = Make();
    layer.batch = batch, layer.hidden = 411;
    LayerRun run(layer);
    std::vector<TensorValue> alone;
    {
      const CoreLimit limit(1);
      alone = run.Run();
    }
    const auto together = run.Run();
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_EQ(Numbers(together[i]), Numbers(alone[i])) << "output " << i << ", batch " << batch;
  }
}

TEST_P(Recurrent, LeavesTheStateAfterNoSteps) {
  Layer layer = Make();
  layer.steps = 0;
  LayerRun(layer).Check();
}

TEST_P(Recurrent, RefusesWhatDoesNotFit) {
  Layer layer = Make();
  layer.lengths = {4, 5, 2};
  EXPECT_THROW(LayerRun(layer).Check(), Error);
  layer = Make();
  layer.direction = "sideways";
  EXPECT_THROW(LayerRun(layer).Check(), Error);
  layer = Make();
  layer.activations = {"Sigmoid", "Tanh", "Tanh", "Tanh"};
  EXPECT_THROW(LayerRun(layer).Check(), Error);
  layer = Make();
  layer.type = DataType::kDouble;
  EXPECT_THROW(LayerRun(layer).Check(), Error);
}

INSTANTIATE_TEST_SUITE_P(All, Recurrent, testing::Values(Kind::kLstm, Kind::kGru, Kind::kRnn));

TEST(CommonLstm, HasPeepholes) {
  Layer layer;
  layer.peepholes = true, layer.direction = "bidirectional";
  LayerRun(layer).Check();
}

TEST(CommonLstm, ForgetsWhatItTakesIn) {
  Layer layer;
  layer.coupled = true;
  LayerRun(layer).Check();
}

TEST(CommonGru, ResetsBeforeOrAfterTheProduct) {
  Layer layer;
  layer.kind = Kind::kGru, layer.reset_last = true, layer.direction = "bidirectional";
  LayerRun(layer).Check();
}

TEST(CommonRnn, HasEveryActivation) {
  for (const char* name : {"Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
                           "HardSigmoid", "Elu", "Softsign", "Softplus"}) {
    SCOPED_TRACE(name);
    Layer layer;
    layer.kind = Kind::kRnn, layer.activations = {name}, layer.alpha = {0.3f}, layer.beta = {0.6f};
    LayerRun(layer).Check();
  }
}

TEST(CommonLstm, HasOtherActivationsInEachDirection) {
  Layer layer;
  layer.direction = "bidirectional";
  layer.activations = {"HardSigmoid", "ScaledTanh", "ScaledTanh", "HardSigmoid", "ScaledTanh", "Affine"};
  layer.alpha = {0.3f, 0.5f, 0.7f, 0.2f, 0.9f, 0.4f};
  layer.beta = {0.5f, 0.8f, 0.6f, 0.4f, 0.7f, 0.1f};
  LayerRun(layer).Check();
}

// Parameters belong to the activations that have them, in their order.
TEST(CommonLstm, GivesParametersOnlyToActivationsThatHaveThem) {
  const auto run = [](double slope) {
    return OpRun("CommonLSTM")
        .In("x", Floats({1, 1, 1}, {-1}))
        .In("w", Floats({1, 4, 1}, {0, 0, 0, 1}))
        .In("r", Floats({1, 4, 1}, {0, 0, 0, 0}))
        .Attr("activations", std::vector<std::string>{"Sigmoid", "LeakyRelu", "Affine"})
        .Attr("activation_alpha", std::vector<float>{static_cast<float>(slope), 1.0f})
        .Out("y")
        .Out("y_h")
        .Out("y_c")
        .Run();
  };
  ExpectNear(run(0.5), {0.5 * 0.5 * -0.5}, 1e-6);
  ExpectNear(run(0.25), {0.5 * 0.5 * -0.25}, 1e-6);
}

}  // namespace
}  // namespace foothold
