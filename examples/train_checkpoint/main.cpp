// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Trains a network with two layers to tell two spirals apart. One graph is a training step; a second one
// saves what was learned, a third one sets it, at the start or from a checkpoint.
#include <all_ops.h>
#include <ge/ge_api_v2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV3().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

const int64_t kBatch = 64, kInputs = 2, kHidden = 32, kClasses = 2;
const uint32_t kSetGraph = 1, kStepGraph = 2, kSaveGraph = 3;

using Options = std::map<ge::AscendString, ge::AscendString>;
using Dims = std::vector<int64_t>;

struct Settings {
  int steps, every, stop_at;
  bool resume;
  std::string checkpoint;
};

// Everything a training step reads and writes, by the name of its variable.
struct Model {
  std::vector<std::string> names;
  std::map<std::string, Dims> dims;
  std::map<std::string, std::vector<float>> values;

  Model() {
    Add("w1", {kInputs, kHidden});
    Add("b1", {kHidden});
    Add("w2", {kHidden, kClasses});
    Add("b2", {kClasses});
  }
  // A weight and its momentum, which is learned state as well.
  void Add(const std::string& name, const Dims& shape) {
    for (const std::string& variable : {name, name + "_momentum"}) {
      size_t count = 1;
      for (int64_t dim : shape)
        count *= dim;
      names.push_back(variable);
      dims[variable] = shape;
      values[variable].assign(count, 0);
    }
  }
  void Randomize() {
    std::mt19937 generator(1);
    for (const char* name : {"w1", "w2"}) {
      for (float& value : values[name])
        value = static_cast<float>(generator() % 2001) / 1000.0F - 1.0F;
    }
  }
};

ge::TensorDesc Float(const Dims& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
}

ge::op::Data MakeData(const std::string& name, int64_t index, const Dims& dims) {
  auto data = ge::op::Data(name.c_str()).set_attr_index(index);
  data.update_input_desc_x(Float(dims));
  data.update_output_desc_y(Float(dims));
  return data;
}

ge::op::Variable MakeVariable(const Model& model, const std::string& name) {
  ge::op::Variable variable(name.c_str());
  variable.update_input_desc_x(Float(model.dims.at(name)));
  variable.update_output_desc_y(Float(model.dims.at(name)));
  return variable;
}

ge::op::Const MakeNumber(const char* name, float value) {
  const ge::Tensor tensor(Float({}), reinterpret_cast<const uint8_t*>(&value), sizeof(value));
  return ge::op::Const(name).set_attr_value(tensor);
}

// Assigns each variable from an input.
ge::Graph BuildSetGraph(const Model& model) {
  std::vector<ge::Operator> inputs, assigned;
  for (size_t i = 0; i < model.names.size(); ++i) {
    const std::string& name = model.names[i];
    auto value = MakeData(name + "_value", i, model.dims.at(name));
    inputs.push_back(value);
    assigned.push_back(ge::op::Assign((name + "_set").c_str())
                           .set_input_ref(MakeVariable(model, name))
                           .set_input_value(value));
  }
  ge::Graph graph("set");
  graph.SetInputs(inputs).SetTargets(assigned);
  return graph;
}

// Hands the variables to the callback that is registered for "Save".
ge::Graph BuildSaveGraph(const Model& model) {
  std::vector<ge::Operator> variables;
  auto save = ge::op::Save("save").create_dynamic_input_tensors(model.names.size());
  for (size_t i = 0; i < model.names.size(); ++i) {
    variables.push_back(MakeVariable(model, model.names[i]));
    save.set_dynamic_input_tensors(i, variables.back());
  }
  ge::Graph graph("save");
  graph.SetInputs(variables).SetTargets({save});
  return graph;
}

// Forward pass, loss, gradients and update of all weights.
class StepGraph {
 public:
  explicit StepGraph(const Model& model)
      : model_(model), rate_(MakeNumber("rate", 0.02F)), momentum_(MakeNumber("momentum", 0.9F)) {}

  ge::Graph Build() {
    auto x = MakeData("x", 0, {kBatch, kInputs});
    auto labels = MakeData("labels", 1, {kBatch, kClasses});
    auto w1 = MakeVariable(model_, "w1"), b1 = MakeVariable(model_, "b1");
    auto w2 = MakeVariable(model_, "w2"), b2 = MakeVariable(model_, "b2");

    auto product1 = ge::op::MatMulV2("product1").set_input_x1(x).set_input_x2(w1);
    auto hidden =
        ge::op::Relu("hidden").set_input_x(ge::op::Add("sum1").set_input_x1(product1).set_input_x2(b1));
    auto product2 = ge::op::MatMulV2("product2").set_input_x1(hidden).set_input_x2(w2);
    auto logits = ge::op::Add("logits").set_input_x1(product2).set_input_x2(b2);
    auto entropy =
        ge::op::SoftmaxCrossEntropyWithLogits("entropy").set_input_features(logits).set_input_labels(labels);
    auto loss = ge::op::ReduceMeanD("mean").set_input_x(entropy, "loss").set_attr_axes({0});
    auto summary = ge::op::Summary("loss").set_input_x(loss);

    auto d_logits = ge::op::Muls("d_logits").set_input_x(entropy, "backprop").set_attr_value(1.0F / kBatch);
    auto d_w2 =
        ge::op::MatMulV2("d_w2").set_input_x1(hidden).set_input_x2(d_logits).set_attr_transpose_x1(true);
    auto d_b2 = ge::op::ReduceSumD("d_b2").set_input_x(d_logits).set_attr_axes({0});
    auto d_hidden =
        ge::op::MatMulV2("d_hidden").set_input_x1(d_logits).set_input_x2(w2).set_attr_transpose_x2(true);
    auto d_sum1 = ge::op::ReluGrad("d_sum1").set_input_gradients(d_hidden).set_input_features(hidden);
    auto d_w1 = ge::op::MatMulV2("d_w1").set_input_x1(x).set_input_x2(d_sum1).set_attr_transpose_x1(true);
    auto d_b1 = ge::op::ReduceSumD("d_b1").set_input_x(d_sum1).set_attr_axes({0});

    std::vector<ge::Operator> targets{summary};
    targets.push_back(Update("w1", w1, d_w1));
    targets.push_back(Update("b1", b1, d_b1));
    // w2 is read for d_hidden and may change only after that.
    targets.push_back(Update("w2", w2, d_w2).AddControlInput(d_hidden));
    targets.push_back(Update("b2", b2, d_b2));
    ge::Graph graph("step");
    graph.SetInputs({x, labels}).SetTargets(targets);
    return graph;
  }

 private:
  ge::Operator Update(const std::string& name, const ge::Operator& weight, const ge::Operator& gradient) {
    return ge::op::ApplyMomentum((name + "_update").c_str())
        .set_input_var(weight)
        .set_input_accum(MakeVariable(model_, name + "_momentum"))
        .set_input_lr(rate_)
        .set_input_grad(gradient)
        .set_input_momentum(momentum_);
  }

  const Model& model_;
  ge::op::Const rate_, momentum_;
};

// The points of one step depend on its number alone, so a resumed run sees the same ones.
struct Batch {
  std::vector<float> x, labels;

  explicit Batch(int step) : x(kBatch * kInputs), labels(kBatch * kClasses, 0) {
    std::mt19937 generator(1000 + step);
    for (int64_t i = 0; i < kBatch; ++i) {
      const int side = static_cast<int>(i % kClasses);
      const float way = static_cast<float>(generator() % 10000) / 10000.0F;
      const float radius = 0.2F + 1.8F * way, angle = 6.0F * way + 3.14159F * side;
      x[2 * i] = radius * std::cos(angle);
      x[2 * i + 1] = radius * std::sin(angle);
      labels[kClasses * i + side] = 1;
    }
  }
};

gert::Tensor Wrap(const Dims& dims, std::vector<float>& values) {
  gert::StorageShape shape;
  for (int64_t dim : dims) {
    shape.MutableOriginShape().AppendDim(dim);
    shape.MutableStorageShape().AppendDim(dim);
  }
  return gert::Tensor(shape, {ge::FORMAT_ND, ge::FORMAT_ND, {}}, gert::kOnHost, ge::DT_FLOAT, values.data());
}

// Writes a new file and renames it, so that there is a whole checkpoint at any time.
ge::Status WriteCheckpoint(const std::string& path, int step, const std::vector<std::string>& names,
                           const std::map<ge::AscendString, gert::Tensor>& values) {
  const std::string fresh = path + ".new";
  FILE* file = std::fopen(fresh.c_str(), "wb");
  if (file == nullptr) return ge::FAILED;
  bool written = std::fwrite(&step, sizeof(step), 1, file) == 1;
  for (const std::string& name : names) {
    const auto value = values.find(ge::AscendString(name.c_str()));
    written =
        written && value != values.end() &&
        std::fwrite(value->second.GetAddr(), 1, value->second.GetSize(), file) == value->second.GetSize();
  }
  written = std::fclose(file) == 0 && written;
  return written && std::rename(fresh.c_str(), path.c_str()) == 0 ? ge::SUCCESS : ge::FAILED;
}

// The step of the checkpoint.
int ReadCheckpoint(const std::string& path, Model& model) {
  int step = 0;
  FILE* file = std::fopen(path.c_str(), "rb");
  bool read = file != nullptr && std::fread(&step, sizeof(step), 1, file) == 1;
  for (const std::string& name : model.names) {
    std::vector<float>& values = model.values[name];
    read = read && std::fread(values.data(), sizeof(float), values.size(), file) == values.size();
  }
  if (file != nullptr) std::fclose(file);
  if (!read) {
    std::printf("%s is no checkpoint of this model\n", path.c_str());
    std::exit(1);
  }
  return step;
}

// Each column is the mean of some steps; a row is half full at '.' and full at '#'.
void DrawLoss(const std::vector<float>& losses, int last_step) {
  const int rows = 8;
  const size_t columns = std::min<size_t>(64, losses.size());
  std::vector<float> means(columns, 0);
  for (size_t i = 0; i < columns; ++i) {
    const size_t from = i * losses.size() / columns, to = (i + 1) * losses.size() / columns;
    for (size_t j = from; j < to; ++j)
      means[i] += losses[j] / static_cast<float>(to - from);
  }
  const float top = *std::max_element(means.begin(), means.end());
  for (int row = rows - 1; row >= 0; --row) {
    std::printf("%7.3f |", top * static_cast<float>(row + 1) / rows);
    for (float mean : means) {
      const float fill = mean / top * rows - static_cast<float>(row);
      std::putchar(fill >= 0.75F ? '#' : fill >= 0.25F ? '.' : ' ');
    }
    std::printf("\n");
  }
  std::printf("   loss +%s step %d\n", std::string(columns, '-').c_str(), last_step);
}

class Trainer {
 public:
  explicit Trainer(const Settings& settings) : settings_(settings), session_(Options()), step_(0) {
    CHECK(session_.RegisterCallBackFunc(
        "Summary", [this](uint32_t, const std::map<ge::AscendString, gert::Tensor>& values) -> ge::Status {
          losses_.push_back(*values.at("loss").GetData<float>());
          return ge::SUCCESS;
        }));
    CHECK(session_.RegisterCallBackFunc(
        "Save", [this](uint32_t, const std::map<ge::AscendString, gert::Tensor>& values) {
          return WriteCheckpoint(settings_.checkpoint, step_, model_.names, values);
        }));
    CHECK(session_.AddGraph(kSetGraph, BuildSetGraph(model_)));
    CHECK(session_.AddGraph(kStepGraph, StepGraph(model_).Build()));
    CHECK(session_.AddGraph(kSaveGraph, BuildSaveGraph(model_)));
  }

  float Train() {
    Begin();
    while (step_ < settings_.steps) {
      Batch batch(step_);
      std::vector<gert::Tensor> inputs, outputs;
      inputs.push_back(Wrap({kBatch, kInputs}, batch.x));
      inputs.push_back(Wrap({kBatch, kClasses}, batch.labels));
      CHECK(session_.RunGraph(kStepGraph, inputs, outputs));
      ++step_;
      if (step_ % settings_.every == 0 || step_ == settings_.steps) Report();
      if (step_ == settings_.stop_at) {
        std::printf("stopped after step %d\n", step_);
        std::fflush(stdout);
        std::_Exit(0);
      }
    }
    if (!losses_.empty()) DrawLoss(losses_, step_);
    return losses_.empty() ? 0 : losses_.back();
  }

 private:
  void Begin() {
    if (settings_.resume) {
      step_ = ReadCheckpoint(settings_.checkpoint, model_);
      std::printf("resumed at step %d\n", step_);
    } else {
      model_.Randomize();
    }
    std::vector<gert::Tensor> inputs, outputs;
    for (const std::string& name : model_.names)
      inputs.push_back(Wrap(model_.dims[name], model_.values[name]));
    CHECK(session_.RunGraph(kSetGraph, inputs, outputs));
  }

  void Report() {
    std::vector<gert::Tensor> outputs;
    CHECK(session_.RunGraph(kSaveGraph, {}, outputs));
    std::printf("step %4d  loss %.4f  saved\n", step_, losses_.back());
    std::fflush(stdout);
  }

  const Settings settings_;
  Model model_;
  ge::GeSession session_;
  int step_;
  std::vector<float> losses_;
};

Settings ParseArguments(int count, char** arguments) {
  Settings settings{600, 100, -1, false, "train_checkpoint.bin"};
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : "";
    if (name == "--resume") {
      settings.resume = true;
      continue;
    }
    ++i;
    if (name == "--steps") {
      settings.steps = std::atoi(value);
    } else if (name == "--every") {
      settings.every = std::max(1, std::atoi(value));
    } else if (name == "--stop-at") {
      settings.stop_at = std::atoi(value);
    } else if (name == "--checkpoint") {
      settings.checkpoint = value;
    } else {
      std::printf(
          "usage: train_checkpoint [--steps N] [--every N] [--stop-at K] [--resume] [--checkpoint FILE]\n");
      std::exit(2);
    }
  }
  return settings;
}

}  // namespace

int main(int count, char** arguments) {
  const Settings settings = ParseArguments(count, arguments);
  CHECK(ge::GEInitializeV2(Options()));
  float loss = 0;
  {
    Trainer trainer(settings);
    loss = trainer.Train();
  }
  CHECK(ge::GEFinalizeV2());
  std::printf("the last loss is %.4f; the checkpoint is %s\n", loss, settings.checkpoint.c_str());
  return std::isfinite(loss) ? 0 : 1;
}
