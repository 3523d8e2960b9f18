// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models: from ONNX to a compiled graph, offline models with fixed and with open shapes, dumps, and single
// operators.
#include <acl/acl_dump.h>
#include <acl/acl_mdl.h>
#include <acl/acl_op.h>
#include <acl/acl_op_compiler.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "failure/graphs.h"
#include "failure/sweep.h"
#include "ge/ge_ir_build.h"
#include "parser/onnx_parser.h"

namespace {

// Compiles graphs while it lives.
class Builder {
 public:
  explicit Builder(Trial& trial) : trial_(trial) {
    GeOptions none;
    started_ = trial.Try("aclgrphBuildInitialize", [&] { return ge::aclgrphBuildInitialize(none); });
  }
  ~Builder() {
    trial_.Do([&] {
      if (started_) ge::aclgrphBuildFinalize();
      return 0;
    });
  }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  bool started() const { return started_; }

 private:
  Trial& trial_;
  bool started_ = false;
};

void FromOnnx(Trial& trial) {
  const Builder builder(trial);
  if (!builder.started()) return;
  const GeOptions none;
  ge::Graph graph;
  if (!trial.Try("aclgrphParseONNX", [&] { return ge::aclgrphParseONNX(FOOTHOLD_ONNX_MODEL, none, graph); }))
    return;
  ge::ModelBufferData model;
  if (trial.Try("aclgrphBuildModel", [&] { return ge::aclgrphBuildModel(graph, none, model); }))
    trial.Expect(model.length > 0, "an empty model");
}
const bool from_onnx = Register("FromOnnxToCompiledModel", FromOnnx);

// A model made before anything fails.
const ge::ModelBufferData& Model(const ge::Graph& graph, const GeOptions& options,
                                 ge::ModelBufferData& kept) {
  if (kept.data != nullptr) return kept;
  GeOptions none;
  ge::aclgrphBuildInitialize(none);
  ge::aclgrphBuildModel(graph, options, kept);
  ge::aclgrphBuildFinalize();
  return kept;
}

// Input and output of a run, in device memory.
class OwnSet {
 public:
  explicit OwnSet(Trial& trial) : trial_(trial) {
    set_ = trial.Do([] { return aclmdlCreateDataset(); });
    trial.Got("aclmdlCreateDataset", set_);
  }
  ~OwnSet() {
    for (aclDataBuffer* buffer : buffers_)
      trial_.End("aclDestroyDataBuffer", [&] { return aclDestroyDataBuffer(buffer); });
    if (set_ != nullptr) trial_.End("aclmdlDestroyDataset", [&] { return aclmdlDestroyDataset(set_); });
  }
  OwnSet(const OwnSet&) = delete;
  OwnSet& operator=(const OwnSet&) = delete;

  bool Add(void* memory, size_t bytes) {
    if (set_ == nullptr) return false;
    aclDataBuffer* buffer = trial_.Do([&] { return aclCreateDataBuffer(memory, bytes); });
    if (!trial_.Got("aclCreateDataBuffer", buffer)) return false;
    buffers_.push_back(buffer);
    return trial_.Try("aclmdlAddDatasetBuffer", [&] { return aclmdlAddDatasetBuffer(set_, buffer); });
  }
  aclmdlDataset* get() const { return set_; }

 private:
  Trial& trial_;
  aclmdlDataset* set_ = nullptr;
  std::vector<aclDataBuffer*> buffers_;
};

class OwnModel {
 public:
  OwnModel(Trial& trial, const ge::ModelBufferData& model) : trial_(trial) {
    loaded_ = trial.Try("aclmdlLoadFromMem",
                        [&] { return aclmdlLoadFromMem(model.data.get(), model.length, &id_); });
    if (!loaded_) return;
    desc_ = trial.Do([] { return aclmdlCreateDesc(); });
    described_ = trial.Got("aclmdlCreateDesc", desc_) &&
                 trial.Try("aclmdlGetDesc", [&] { return aclmdlGetDesc(desc_, id_); });
  }
  ~OwnModel() {
    if (desc_ != nullptr) trial_.End("aclmdlDestroyDesc", [&] { return aclmdlDestroyDesc(desc_); });
    if (loaded_) trial_.End("aclmdlUnload", [&] { return aclmdlUnload(id_); });
  }
  OwnModel(const OwnModel&) = delete;
  OwnModel& operator=(const OwnModel&) = delete;
  explicit operator bool() const { return described_; }
  uint32_t id() const { return id_; }
  aclmdlDesc* desc() const { return desc_; }

 private:
  Trial& trial_;
  uint32_t id_ = 0;
  aclmdlDesc* desc_ = nullptr;
  bool loaded_ = false, described_ = false;
};

bool Write(Trial& trial, const OwnMemory& memory, const Floats& values) {
  const size_t bytes = values.size() * sizeof(float);
  return trial.Try("aclrtMemcpy", [&] {
    return aclrtMemcpy(memory.get(), bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  });
}

void ExpectFloats(Trial& trial, const OwnMemory& memory, const Floats& expected) {
  Floats found(expected.size());
  const size_t bytes = found.size() * sizeof(float);
  if (trial.Try("aclrtMemcpy", [&] {
        return aclrtMemcpy(found.data(), bytes, memory.get(), bytes, ACL_MEMCPY_DEVICE_TO_HOST);
      }))
    trial.Expect(found == expected, "wrong outputs");
}

void LoadAndRun(Trial& trial, const ge::ModelBufferData& built) {
  const OwnModel model(trial, built);
  if (!model) return;
  const OwnMemory x(trial, 8), y(trial, 8);
  OwnSet inputs(trial), outputs(trial);
  if (!x || !y || !Write(trial, x, {1, 2}) || !inputs.Add(x.get(), 8) || !outputs.Add(y.get(), 8)) return;
  if (trial.Try("aclmdlExecute", [&] { return aclmdlExecute(model.id(), inputs.get(), outputs.get()); }))
    ExpectFloats(trial, y, {2, 3});
  const OwnStream stream(trial);
  if (!stream) return;
  if (trial.Try("aclmdlExecuteAsync",
                [&] { return aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream.get()); }) &&
      trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); }))
    ExpectFloats(trial, y, {2, 3});
}

void Offline(Trial& trial) {
  static ge::ModelBufferData kept;
  const ge::ModelBufferData& built = Model(AddGraph(), {}, kept);
  const Program program(trial);
  if (program.started()) LoadAndRun(trial, built);
}
const bool offline = Register("OfflineModel", Offline);

void OfflineGears(Trial& trial) {
  static ge::ModelBufferData kept;
  const ge::ModelBufferData& built =
      Model(AddGraph({-1, 1}), {{"input_shape", "x:-1,1"}, {"ge.dynamicBatchSize", "2,8,4"}}, kept);
  const Program program(trial);
  if (!program.started()) return;
  const OwnModel model(trial, built);
  if (!model) return;
  const size_t bytes = 8 * sizeof(float), gear_bytes = aclmdlGetInputSizeByIndex(model.desc(), 1);
  const OwnMemory x(trial, bytes), y(trial, bytes), gear(trial, gear_bytes);
  OwnSet inputs(trial), outputs(trial);
  if (!x || !y || !gear || !Write(trial, x, {1, 2})) return;
  if (!inputs.Add(x.get(), bytes) || !inputs.Add(gear.get(), gear_bytes) || !outputs.Add(y.get(), bytes))
    return;
  for (const uint64_t batch : {2u, 4u}) {
    if (trial.Try("aclmdlSetDynamicBatchSize",
                  [&] { return aclmdlSetDynamicBatchSize(model.id(), inputs.get(), 1, batch); }) &&
        trial.Try("aclmdlExecute", [&] { return aclmdlExecute(model.id(), inputs.get(), outputs.get()); }))
      ExpectFloats(trial, y, {2, 3});
  }
}
const bool offline_gears = Register("OfflineModelWithOpenBatch", OfflineGears);

// The file that lets a model take pictures whose preparation the program says.
std::string AippFile() {
  const std::string path = "failure_aipp_" + std::to_string(getpid()) + ".cfg";
  std::ofstream(path) << "aipp_op { aipp_mode: dynamic max_src_image_size: 8 }";
  return path;
}

void BuildWithPictures(Trial& trial) {
  const Builder builder(trial);
  if (!builder.started()) return;
  const std::string path = AippFile();
  ge::ModelBufferData model;
  const ge::Graph graph = AddGraph({1, 1, 1, 2});
  const GeOptions options = {{"ge.insertOpFile", path.c_str()}};
  if (trial.Try("aclgrphBuildModel", [&] { return ge::aclgrphBuildModel(graph, options, model); }))
    trial.Expect(model.length > 0, "an empty model");
  std::remove(path.c_str());
}
const bool build_with_pictures = Register("BuildModelWithPictures", BuildWithPictures);

void SetParameters(Trial& trial, const OwnModel& model, const OwnSet& inputs) {
  aclmdlAIPP* const aipp = trial.Do([] { return aclmdlCreateAIPP(1); });
  if (!trial.Got("aclmdlCreateAIPP", aipp)) return;
  trial.Try("aclmdlSetAIPPInputFormat", [&] { return aclmdlSetAIPPInputFormat(aipp, ACL_YUV400_U8); });
  trial.Try("aclmdlSetAIPPSrcImageSize", [&] { return aclmdlSetAIPPSrcImageSize(aipp, 2, 1); });
  trial.Try("aclmdlSetInputAIPP", [&] { return aclmdlSetInputAIPP(model.id(), inputs.get(), 1, aipp); });
  trial.End("aclmdlDestroyAIPP", [&] { return aclmdlDestroyAIPP(aipp); });
}

void OfflinePictures(Trial& trial) {
  static ge::ModelBufferData kept;
  const std::string path = kept.data == nullptr ? AippFile() : "";
  const ge::ModelBufferData& built = Model(AddGraph({1, 1, 1, 2}), {{"ge.insertOpFile", path.c_str()}}, kept);
  std::remove(path.c_str());
  const Program program(trial);
  if (!program.started()) return;
  const OwnModel model(trial, built);
  if (!model) return;
  const size_t parameters = aclmdlGetInputSizeByIndex(model.desc(), 1);
  const OwnMemory x(trial, 8), y(trial, 8), block(trial, parameters);
  OwnSet inputs(trial), outputs(trial);
  if (!x || !y || !block || !Write(trial, x, {0, 0})) return;
  if (!inputs.Add(x.get(), 8) || !inputs.Add(block.get(), parameters) || !outputs.Add(y.get(), 8)) return;
  SetParameters(trial, model, inputs);
  if (trial.refused()) return;
  if (trial.Try("aclmdlExecute", [&] { return aclmdlExecute(model.id(), inputs.get(), outputs.get()); }))
    ExpectFloats(trial, y, {1, 1});
}
const bool offline_pictures = Register("OfflineModelWithPictures", OfflinePictures);

std::atomic<int> chunks{0};

int32_t Take(const acldumpChunk*, int32_t) {
  return ++chunks, 0;
}

void Dump(Trial& trial) {
  static ge::ModelBufferData kept;
  const ge::ModelBufferData& built = Model(AddGraph(), {}, kept);
  const Program program(trial);
  if (!program.started()) return;
  if (!trial.Try("acldumpRegCallback", [] { return acldumpRegCallback(Take, 0); })) return;
  if (trial.Try("aclmdlInitDump", [] { return aclmdlInitDump(); })) {
    chunks = 0;
    LoadAndRun(trial, built);
    if (!trial.refused()) trial.Expect(chunks > 0, "nothing was dumped");
    trial.End("aclmdlFinalizeDump", [] { return aclmdlFinalizeDump(); });
  }
  trial.Do([] {
    acldumpUnregCallback();
    return 0;
  });
}
const bool dump = Register("DumpCallback", Dump);

class OwnTensor {
 public:
  explicit OwnTensor(Trial& trial) : trial_(trial), memory(trial, 8) {
    const int64_t dims[] = {2};
    desc = trial.Do([&] { return aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND); });
    buffer = trial.Do([&] { return aclCreateDataBuffer(memory.get(), 8); });
    trial.Got("aclCreateTensorDesc", desc);
    trial.Got("aclCreateDataBuffer", buffer);
  }
  ~OwnTensor() {
    trial_.Do([&] {
      aclDestroyTensorDesc(desc);
      return 0;
    });
    if (buffer != nullptr) trial_.End("aclDestroyDataBuffer", [&] { return aclDestroyDataBuffer(buffer); });
  }
  OwnTensor(const OwnTensor&) = delete;
  OwnTensor& operator=(const OwnTensor&) = delete;
  explicit operator bool() const { return memory && desc != nullptr && buffer != nullptr; }

 private:
  Trial& trial_;

 public:
  OwnMemory memory;
  aclTensorDesc* desc = nullptr;
  aclDataBuffer* buffer = nullptr;
};

void SingleOperator(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  const OwnTensor a(trial), b(trial), c(trial);
  if (!stream || !a || !b || !c || !Write(trial, a.memory, {1, 2}) || !Write(trial, b.memory, {10, 20}))
    return;
  const aclTensorDesc* in_descs[] = {a.desc, b.desc};
  const aclDataBuffer* in[] = {a.buffer, b.buffer};
  const aclTensorDesc* out_descs[] = {c.desc};
  aclDataBuffer* out[] = {c.buffer};
  for (int i = 0; i < 2; ++i) {
    if (trial.Try("aclopCompileAndExecute",
                  [&] {
                    return aclopCompileAndExecute("Add", 2, in_descs, in, 1, out_descs, out, nullptr,
                                                  ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream.get());
                  }) &&
        trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); }))
      ExpectFloats(trial, c.memory, {11, 22});
  }
}
const bool single_operator = Register("SingleOperator", SingleOperator);

}  // namespace
