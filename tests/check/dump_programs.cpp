// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_dump.h>
#include <acl/acl_mdl.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "array_ops.h"
#include "check/program.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"

using namespace checked;

namespace {

sigjmp_buf after_fault;
const acldumpChunk* kept = nullptr;
std::string copied;

std::string ConfigFile() {
  std::string folder = std::filesystem::temp_directory_path() / "checked_dump_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) std::exit(2);
  const std::string path = folder + "/acl.json";
  std::ofstream(path) << R"({"dump": {"dump_list": [{}], "dump_mode": "all", "dump_path": ")" << folder
                      << R"("}})";
  return path;
}

// y = |x|, four numbers.
ge::ModelBufferData BuildAbs() {
  std::map<ge::AscendString, ge::AscendString> none;
  const ge::TensorDesc desc(ge::Shape({4}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data x("x");
  x.set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  auto y = ge::op::Abs("y").set_input_x(x);
  ge::Graph graph("abs");
  graph.SetInputs({x}).SetOutputs({y});
  ge::ModelBufferData model;
  MUST(static_cast<int>(ge::aclgrphBuildInitialize(none)));
  MUST(static_cast<int>(ge::aclgrphBuildModel(graph, none, model)));
  ge::aclgrphBuildFinalize();
  return model;
}

// Its input is set on a stream; who does not wait for that reads what was there before.
void RunAbs(std::uint32_t model, bool waits) {
  constexpr std::size_t kBytes = 4 * sizeof(float);
  void* const memory[2] = {DeviceMemory(kBytes), DeviceMemory(kBytes)};
  const aclrtStream stream = NewStream();
  MUST(aclrtMemsetAsync(memory[0], kBytes, 0, kBytes, stream));
  if (waits) MUST(aclrtSynchronizeStream(stream));
  aclmdlDataset* sets[2];
  aclDataBuffer* buffers[2];
  for (int i = 0; i < 2; ++i) {
    sets[i] = aclmdlCreateDataset();
    buffers[i] = aclCreateDataBuffer(memory[i], kBytes);
    MUST(aclmdlAddDatasetBuffer(sets[i], buffers[i]));
  }
  MUST(aclmdlExecute(model, sets[0], sets[1]));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  for (int i = 0; i < 2; ++i) {
    MUST(aclmdlDestroyDataset(sets[i]));
    MUST(aclDestroyDataBuffer(buffers[i]));
    MUST(aclrtFree(memory[i]));
  }
}

}  // namespace

// The callback keeps the pointer instead of the bytes.
PROGRAM(keeps_the_chunk_of_a_dump, "ACL-DUMP-001") {
  std::signal(SIGSEGV, [](int) { siglongjmp(after_fault, 1); });
  const Session session;
  const std::string config = ConfigFile();
  MUST(aclmdlInitDump());
  MUST(acldumpRegCallback(
      [](const acldumpChunk* chunk, int32_t) {
        kept = chunk;
        copied.assign(reinterpret_cast<const char*>(chunk->dataBuf), chunk->bufLen);
        return 0;
      },
      0));
  MUST(aclmdlSetDump(config.c_str()));
  const ge::ModelBufferData model = BuildAbs();
  std::uint32_t id = 0;
  MUST(aclmdlLoadFromMem(model.data.get(), model.length, &id));
  RunAbs(id, true);
  if (kept == nullptr || copied.empty()) std::exit(3);
  if (sigsetjmp(after_fault, 1) == 0 && broken) (void)static_cast<const volatile acldumpChunk*>(kept)->bufLen;
  MUST(aclmdlUnload(id));
  acldumpUnregCallback();
  MUST(aclmdlFinalizeDump());
  ::unlink(config.c_str());
  ::rmdir(config.substr(0, config.rfind('/')).c_str());
}

// Synchronous runs do not wait for streams either.
PROGRAM(runs_a_model_at_once_on_queued_data, "ACL-RACE-003") {
  const Session session;
  const ge::ModelBufferData model = BuildAbs();
  std::uint32_t id = 0;
  MUST(aclmdlLoadFromMem(model.data.get(), model.length, &id));
  RunAbs(id, !broken);
  MUST(aclmdlUnload(id));
}
