// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// y = Relu(x * w + b) as a graph: built once, run in both generations of the API.
#include <all_ops.h>
#include <ge/ge_api.h>
#include <ge/ge_api_v2.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV2().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;

ge::Tensor MakeTensor(const std::vector<int64_t>& dims, const std::vector<float>& values) {
  const ge::TensorDesc desc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
  return ge::Tensor(desc, reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float));
}

ge::Graph BuildLayer() {
  const ge::TensorDesc any_rows(ge::Shape({-1, 3}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(any_rows);
  x.update_output_desc_y(any_rows);
  auto w = ge::op::Const("w").set_attr_value(MakeTensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  auto b = ge::op::Const("b").set_attr_value(MakeTensor({2}, {-20, 0.5}));
  auto product = ge::op::MatMulV2("product").set_input_x1(x).set_input_x2(w);
  auto sum = ge::op::Add("sum").set_input_x1(product).set_input_x2(b);
  auto y = ge::op::Relu("y").set_input_x(sum);
  ge::Graph graph("layer");
  graph.SetInputs({x}).SetOutputs({y});
  return graph;
}

void PrintRows(const char* title, int64_t rows, int64_t columns, const float* values) {
  std::printf("%s gave %lld x %lld:", title, static_cast<long long>(rows), static_cast<long long>(columns));
  for (int64_t i = 0; i < rows * columns; ++i)
    std::printf("%s%6.1f", i % columns == 0 ? "  |" : "", values[i]);
  std::printf("  |\n");
}

bool IsRight(const float* values, int64_t rows) {
  for (int64_t i = 0; i < rows; ++i) {
    // Every row is 1, 1, 1: the columns of w add up to 9 and 12.
    if (values[2 * i] != 0 || values[2 * i + 1] != 12.5F) return false;
  }
  return true;
}

// The first generation: ge::Tensor, which shares its bytes when it is copied.
bool RunFirstGeneration(const ge::Graph& graph, int64_t rows) {
  ge::Session session((Options()));
  CHECK(session.AddGraph(1, graph));
  std::vector<ge::Tensor> outputs;
  CHECK(session.RunGraph(1, {MakeTensor({rows, 3}, std::vector<float>(rows * 3, 1))}, outputs));
  const ge::Shape shape = outputs[0].GetTensorDesc().GetShape();
  const float* values = reinterpret_cast<const float*>(outputs[0].GetData());
  PrintRows("ge::Session   ", shape.GetDim(0), shape.GetDim(1), values);
  const bool right = IsRight(values, rows);
  CHECK(session.RemoveGraph(1));
  return right;
}

// The second generation: gert::Tensor, which moves, and here only points to the program's memory.
bool RunSecondGeneration(const ge::Graph& graph, int64_t rows) {
  ge::GeSession session((Options()));
  CHECK(session.AddGraph(1, graph));
  std::vector<float> x(rows * 3, 1);
  std::vector<gert::Tensor> inputs(1), outputs;
  inputs[0] = gert::Tensor({{rows, 3}, {rows, 3}}, {ge::FORMAT_ND, ge::FORMAT_ND, {}}, gert::kOnHost,
                           ge::DT_FLOAT, x.data());
  CHECK(session.RunGraph(1, inputs, outputs));
  const gert::Shape& shape = outputs[0].GetStorageShape();
  PrintRows("ge::GeSession ", shape.GetDim(0), shape.GetDim(1), outputs[0].GetData<float>());
  const bool right = IsRight(outputs[0].GetData<float>(), rows);
  CHECK(session.RemoveGraph(1));
  return right;
}

}  // namespace

int main() {
  CHECK(ge::GEInitialize(Options()));
  const ge::Graph graph = BuildLayer();
  bool right = true;
  for (int64_t rows : {1, 3}) {
    right = RunFirstGeneration(graph, rows) && right;
    right = RunSecondGeneration(graph, rows) && right;
  }
  std::printf("every row is %s\n", right ? "right" : "WRONG");
  CHECK(ge::GEFinalize());
  return right ? 0 : 1;
}
