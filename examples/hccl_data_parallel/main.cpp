// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Trains a network with two layers to read digits, on as many processes as there are:
//
//   hccl_data_parallel FILE_OF_DIGITS
//
// RANK_TABLE_FILE, RANK_ID and RANK_SIZE say which of how many this process is, as launchers set them.
#include <all_ops.h>
#include <ge/ge_api_v2.h>

#include <algorithm>
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

const int64_t kPixels = 64, kHidden = 32, kClasses = 10, kBatch = 64, kTrained = 300;
const int kSteps = 150;
const uint32_t kSetGraph = 1, kStepGraph = 2, kCompareGraph = 3;
const char* const kWorld = "hccl_world_group";  // made by GEInitialize

using Dims = std::vector<int64_t>;
using Options = std::map<ge::AscendString, ge::AscendString>;

struct Digit {
  unsigned char pixels[kPixels];  // 0 white to 16 black
  unsigned char label;
};

struct Weight {
  const char* name;
  Dims dims;
};
const std::vector<Weight> kWeights = {
    {"w1", {kPixels, kHidden}}, {"b1", {1, kHidden}}, {"w2", {kHidden, kClasses}}, {"b2", {1, kClasses}}};

std::string Setting(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

ge::TensorDesc Float(const Dims& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
}

ge::op::Data MakeData(const char* name, int64_t index, const Dims& dims) {
  auto data = ge::op::Data(name).set_attr_index(index);
  data.update_input_desc_x(Float(dims));
  data.update_output_desc_y(Float(dims));
  return data;
}

ge::op::Variable MakeVariable(const Weight& weight) {
  ge::op::Variable variable(weight.name);
  variable.update_output_desc_y(Float(weight.dims));
  return variable;
}

// What all processes have together.
ge::op::HcomAllReduce OverAll(const std::string& name, const ge::Operator& value, const char* how) {
  return ge::op::HcomAllReduce(name.c_str())
      .set_input_x(value)
      .set_attr_reduction(how)
      .set_attr_group(kWorld);
}

ge::Graph BuildSetGraph() {
  std::vector<ge::Operator> inputs, assigned;
  for (size_t i = 0; i < kWeights.size(); ++i) {
    const std::string name = kWeights[i].name;
    auto value = MakeData((name + "_value").c_str(), i, kWeights[i].dims);
    inputs.push_back(value);
    assigned.push_back(ge::op::Assign((name + "_set").c_str())
                           .set_input_ref(MakeVariable(kWeights[i]))
                           .set_input_value(value));
  }
  ge::Graph graph("set");
  graph.SetInputs(inputs).SetTargets(assigned);
  return graph;
}

// Forward pass and gradients of this process's images, the sum over all processes, and the update.
ge::Graph BuildStepGraph(int64_t images) {
  auto x = MakeData("x", 0, {images, kPixels}), labels = MakeData("labels", 1, {images, kClasses});
  auto w1 = MakeVariable(kWeights[0]), b1 = MakeVariable(kWeights[1]);
  auto w2 = MakeVariable(kWeights[2]), b2 = MakeVariable(kWeights[3]);
  auto product1 = ge::op::MatMulV2("product1").set_input_x1(x).set_input_x2(w1);
  auto sum1 = ge::op::Add("sum1").set_input_x1(product1).set_input_x2(b1);
  auto hidden = ge::op::Relu("hidden").set_input_x(sum1);
  auto product2 = ge::op::MatMulV2("product2").set_input_x1(hidden).set_input_x2(w2);
  auto logits = ge::op::Add("logits").set_input_x1(product2).set_input_x2(b2);
  auto entropy =
      ge::op::SoftmaxCrossEntropyWithLogits("entropy").set_input_features(logits).set_input_labels(labels);
  auto sum = ge::op::ReduceSumD("sum").set_input_x(entropy, "loss").set_attr_axes({0});
  auto share = ge::op::Muls("share").set_input_x(sum).set_attr_value(1.0F / kBatch);

  auto d_logits = ge::op::Muls("d_logits").set_input_x(entropy, "backprop").set_attr_value(1.0F / kBatch);
  auto d_w2 =
      ge::op::MatMulV2("d_w2").set_input_x1(hidden).set_input_x2(d_logits).set_attr_transpose_x1(true);
  auto d_b2 = ge::op::ReduceSumD("d_b2").set_input_x(d_logits).set_attr_axes({0}).set_attr_keep_dims(true);
  auto d_hidden =
      ge::op::MatMulV2("d_hidden").set_input_x1(d_logits).set_input_x2(w2).set_attr_transpose_x2(true);
  auto d_sum1 = ge::op::ReluGrad("d_sum1").set_input_gradients(d_hidden).set_input_features(hidden);
  auto d_w1 = ge::op::MatMulV2("d_w1").set_input_x1(x).set_input_x2(d_sum1).set_attr_transpose_x1(true);
  auto d_b1 = ge::op::ReduceSumD("d_b1").set_input_x(d_sum1).set_attr_axes({0}).set_attr_keep_dims(true);

  const std::vector<ge::Operator> gradients = {d_w1, d_b1, d_w2, d_b2};
  const std::vector<ge::op::Variable> weights = {w1, b1, w2, b2};
  std::vector<ge::Operator> updates;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const std::string name = kWeights[i].name;
    auto step = ge::op::Muls((name + "_step").c_str())
                    .set_input_x(OverAll(name + "_gradient", gradients[i], "sum"))
                    .set_attr_value(0.5F);
    ge::Operator update =
        ge::op::AssignSub((name + "_update").c_str()).set_input_var(weights[i]).set_input_value(step);
    updates.push_back(update.AddControlInput(d_hidden));  // which reads the old weights
  }
  ge::Graph graph("step");
  graph.SetInputs({x, labels})
      .SetOutputs(std::vector<ge::Operator>{OverAll("loss", share, "sum")})
      .SetTargets(updates);
  return graph;
}

// The least and the most of each weight of layer 1 over all processes: the same where all have the same.
ge::Graph BuildCompareGraph() {
  auto w1 = MakeVariable(kWeights[0]);
  ge::Graph graph("compare");
  graph.SetInputs({w1}).SetOutputs(
      std::vector<ge::Operator>{OverAll("least", w1, "min"), OverAll("most", w1, "max")});
  return graph;
}

gert::Tensor Wrap(const Dims& dims, std::vector<float>& values) {
  gert::StorageShape shape;
  for (int64_t dim : dims) {
    shape.MutableOriginShape().AppendDim(dim);
    shape.MutableStorageShape().AppendDim(dim);
  }
  return gert::Tensor(shape, {ge::FORMAT_ND, ge::FORMAT_ND, {}}, gert::kOnHost, ge::DT_FLOAT, values.data());
}

std::vector<Digit> ReadDigits(const char* path) {
  std::vector<Digit> digits(kTrained);
  FILE* const file = std::fopen(path, "rb");
  const size_t read = file == nullptr ? 0 : std::fread(digits.data(), sizeof(Digit), digits.size(), file);
  if (file != nullptr) std::fclose(file);
  if (read != digits.size()) {
    std::printf("%s has not %d digits\n", path, static_cast<int>(kTrained));
    std::exit(1);
  }
  return digits;
}

void SetWeights(ge::GeSession& session) {
  std::mt19937 generator(1);  // the same on all processes
  std::vector<std::vector<float>> values;
  std::vector<gert::Tensor> inputs, outputs;
  for (const Weight& weight : kWeights) {
    values.emplace_back(weight.dims[0] * weight.dims[1]);
    for (float& value : values.back())
      value = weight.dims[0] == 1 ? 0 : static_cast<float>(generator() % 2001) / 5000.0F - 0.2F;
  }
  for (size_t i = 0; i < kWeights.size(); ++i)
    inputs.push_back(Wrap(kWeights[i].dims, values[i]));
  CHECK(session.RunGraph(kSetGraph, inputs, outputs));
}

// Every process takes each `ranks`-th image of the batch.
float RunStep(ge::GeSession& session, const std::vector<Digit>& digits, int step, int rank, int ranks) {
  const int64_t images = kBatch / ranks;
  std::vector<float> x, labels(images * kClasses, 0);
  for (int64_t i = 0; i < images; ++i) {
    const Digit& digit = digits[(step * kBatch + i * ranks + rank) % kTrained];
    for (unsigned char pixel : digit.pixels)
      x.push_back(static_cast<float>(pixel) / 16.0F);
    labels[i * kClasses + digit.label] = 1;
  }
  std::vector<gert::Tensor> inputs, outputs;
  inputs.push_back(Wrap({images, kPixels}, x));
  inputs.push_back(Wrap({images, kClasses}, labels));
  CHECK(session.RunGraph(kStepGraph, inputs, outputs));
  return *outputs[0].GetData<float>();
}

bool WeightsAreEqual(ge::GeSession& session) {
  std::vector<gert::Tensor> outputs;
  CHECK(session.RunGraph(kCompareGraph, {}, outputs));
  return std::memcmp(outputs[0].GetAddr(), outputs[1].GetAddr(), outputs[0].GetSize()) == 0;
}

void DrawLoss(const std::vector<float>& losses, int ranks) {
  const int rows = 6, columns = 50;
  for (int row = rows - 1; row >= 0; --row) {
    std::printf("%5.2f |", losses[0] * static_cast<float>(row + 1) / rows);
    for (int i = 0; i < columns; ++i) {
      const float fill = losses[i * losses.size() / columns] / losses[0] * rows - static_cast<float>(row);
      std::putchar(fill >= 0.75F ? '#' : fill >= 0.25F ? '.' : ' ');
    }
    std::printf("\n");
  }
  std::printf(" loss +%s step %d, %d process%s, last %.4f\n", std::string(columns, '-').c_str(), kSteps,
              ranks, ranks == 1 ? "" : "es", losses.back());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string table = Setting("RANK_TABLE_FILE", "");
  const int rank = std::atoi(Setting("RANK_ID", "0").c_str());
  const int ranks = std::atoi(Setting("RANK_SIZE", "1").c_str());
  if (argc != 2 || table.empty() || kBatch % ranks != 0) {
    std::printf("start me by: foothold launch -n 4 --rank-table -- ./hccl_data_parallel FILE_OF_DIGITS\n");
    return 1;
  }
  const std::vector<Digit> digits = ReadDigits(argv[1]);
  CHECK(ge::GEInitializeV2(
      Options{{"ge.exec.rankTableFile", table.c_str()}, {"ge.exec.rankId", std::to_string(rank).c_str()}}));
  bool equal = true;
  std::vector<float> losses;
  {
    ge::GeSession session{Options()};
    CHECK(session.AddGraph(kSetGraph, BuildSetGraph()));
    CHECK(session.AddGraph(kStepGraph, BuildStepGraph(kBatch / ranks)));
    CHECK(session.AddGraph(kCompareGraph, BuildCompareGraph()));
    SetWeights(session);
    for (int step = 0; step < kSteps; ++step) {
      losses.push_back(RunStep(session, digits, step, rank, ranks));
      equal = WeightsAreEqual(session) && equal;
    }
  }
  if (rank == 0) DrawLoss(losses, ranks);
  CHECK(ge::GEFinalizeV2());
  if (!equal) std::printf("the weights of the processes differ\n");
  return equal && losses.back() < losses.front() / 2 ? 0 : 1;
}
