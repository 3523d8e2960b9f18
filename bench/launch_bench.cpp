// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// One small operator through every way into the library: what the way itself costs.
#include <acl/acl_mdl.h>
#include <acl/acl_op.h>
#include <acl/acl_op_compiler.h>
#include <fmt/format.h>
#include <ge/ge_api_v2.h>
#include <ge/ge_ir_build.h>

#include <algorithm>
#include <functional>

#include "candidate.h"
#include "check.h"
#include "element_graphs.h"
#include "graph_benches.h"

namespace bench {
namespace {

constexpr std::int64_t kSize = 16;
constexpr std::size_t kBytes = kSize * sizeof(float);
constexpr int kRepeats = 2000;
using Options = std::map<ge::AscendString, ge::AscendString>;

struct Way {
  const char* name;
  std::function<void()> run, wait;
  std::vector<double> seconds = {};
};

void* DeviceFloats() {
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMemset(memory, kBytes, 0, kBytes));
  return memory;
}

aclmdlDataset* DataSetOf(const std::vector<void*>& memory) {
  aclmdlDataset* const set = aclmdlCreateDataset();
  for (void* const one : memory)
    Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(one, kBytes)));
  return set;
}

std::uint32_t LoadAdd() {
  ge::ModelBufferData built;
  Options none;
  CheckGe(ge::aclgrphBuildInitialize(none));
  CheckGe(ge::aclgrphBuildModel(BuildChain(1, kSize), Options{}, built));
  std::uint32_t id = 0;
  Check(aclmdlLoadFromMem(built.data.get(), built.length, &id));
  return id;
}

gert::Tensor OnHost(std::vector<float>& values) {
  return gert::Tensor(gert::StorageShape({kSize}, {kSize}),
                      gert::StorageFormat(ge::FORMAT_ND, ge::FORMAT_ND, {}), gert::kOnHost, ge::DT_FLOAT,
                      values.data());
}

}  // namespace

void RunLaunchBench(Report& report, int rounds) {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream));
  const auto nothing = [] {};
  const auto synchronize = [&] { Check(aclrtSynchronizeStream(stream)); };
  void* const a = DeviceFloats();
  void* const b = DeviceFloats();
  void* const y = DeviceFloats();

  ge::Session session(Options{});
  CheckGe(session.AddGraph(1, BuildChain(1, kSize)));
  const std::vector<ge::Tensor> inputs = ChainInputs(kSize);
  std::vector<ge::Tensor> outputs;
  ge::GeSession second(Options{});
  CheckGe(second.AddGraph(1, BuildChain(1, kSize)));
  std::vector<float> values = ChainInput(0, kSize);
  std::vector<gert::Tensor> runtime_inputs, runtime_outputs;
  runtime_inputs.push_back(OnHost(values));
  runtime_inputs.push_back(OnHost(values));

  ge::Session on_stream(Options{});
  CheckGe(on_stream.AddGraph(1, BuildChain(1, kSize)));
  const auto on_device = [](void* memory) {
    ge::TensorDesc desc(ge::Shape({kSize}), ge::FORMAT_ND, ge::DT_FLOAT);
    desc.SetPlacement(ge::kPlacementDevice);
    ge::Tensor tensor(desc);
    CheckGe(tensor.SetData(static_cast<std::uint8_t*>(memory), kBytes, [](std::uint8_t*) {}));
    return tensor;
  };
  const std::vector<ge::Tensor> device_inputs{on_device(a), on_device(b)};
  std::vector<ge::Tensor> device_outputs{on_device(y)};

  const std::uint32_t model = LoadAdd();
  aclmdlDataset* const in = DataSetOf({a, b});
  aclmdlDataset* const out = DataSetOf({y});

  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, &kSize, ACL_FORMAT_ND);
  aclTensorDesc* descs[] = {desc, desc};
  aclDataBuffer* op_in[] = {aclCreateDataBuffer(a, kBytes), aclCreateDataBuffer(b, kBytes)};
  aclDataBuffer* op_out[] = {aclCreateDataBuffer(y, kBytes)};
  Check(aclopCompile("Add", 2, descs, 1, descs, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
  aclopHandle* handle = nullptr;
  Check(aclopCreateHandle("Add", 2, descs, 1, descs, nullptr, &handle));

  std::vector<Way> ways{
      {"Session::RunGraph", [&] { CheckGe(session.RunGraph(1, inputs, outputs)); }, nothing},
      {"GeSession::RunGraph", [&] { CheckGe(second.RunGraph(1, runtime_inputs, runtime_outputs)); }, nothing},
      {"Session::RunGraphWithStreamAsync",
       [&] { CheckGe(on_stream.RunGraphWithStreamAsync(1, stream, device_inputs, device_outputs)); },
       synchronize},
      {"aclmdlExecute", [&] { Check(aclmdlExecute(model, in, out)); }, nothing},
      {"aclmdlExecuteAsync", [&] { Check(aclmdlExecuteAsync(model, in, out, stream)); }, synchronize},
      {"aclopExecuteV2",
       [&] { Check(aclopExecuteV2("Add", 2, descs, op_in, 1, descs, op_out, nullptr, stream)); },
       synchronize},
      {"aclopExecWithHandle", [&] { Check(aclopExecWithHandle(handle, 2, op_in, 1, op_out, stream)); },
       synchronize},
  };
  for (int round = 0; round < rounds; ++round)
    for (Way& way : ways)
      way.seconds.push_back(BestInARow([&] {
                              for (int i = 0; i < kRepeats; ++i)
                                way.run();
                              way.wait();
                            }) /
                            kRepeats);
  report.Section(
      "One operator, every way in",
      "Add of 16 floats, 2,000 runs in a row and a wait for the last where it runs on a stream; µs "
      "for one run.");
  const double base = *std::min_element(ways[0].seconds.begin(), ways[0].seconds.end());
  std::vector<std::vector<std::string>> rows;
  for (const Way& way : ways) {
    const double best = *std::min_element(way.seconds.begin(), way.seconds.end());
    rows.push_back({way.name, fmt::format("{:.2f}", best * 1e6),
                    fmt::format("{:.2f}", Percentile(way.seconds, 0.5) * 1e6),
                    fmt::format("{:.1f}", best / base)});
  }
  report.Table({"call", "best", "median", "to Session::RunGraph"}, rows);

  aclopDestroyHandle(handle);
  Check(aclmdlUnload(model));
  Check(aclrtDestroyStream(stream));
}

}  // namespace bench
