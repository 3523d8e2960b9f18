// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What every operator of a model computes, as files: the first run with inputs and outputs, the third as
// statistics.
//   dump_files MODEL.om FOLDER
#include <acl/acl.h>
#include <acl/acl_dump.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

aclmdlDataset* MakeSet(const std::vector<size_t>& sizes) {
  aclmdlDataset* set = aclmdlCreateDataset();
  for (size_t bytes : sizes) {
    void* memory = nullptr;
    CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(memory, bytes, 0, bytes));
    CHECK(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)));
  }
  return set;
}

void DestroySet(aclmdlDataset* set) {
  for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i) {
    aclDataBuffer* buffer = aclmdlGetDatasetBuffer(set, i);
    CHECK(aclrtFree(aclGetDataBufferAddr(buffer)));
    CHECK(aclDestroyDataBuffer(buffer));
  }
  CHECK(aclmdlDestroyDataset(set));
}

// What is dumped is decided when a model is loaded, so it is loaded for each configuration anew.
void RunModel(const char* path, int times) {
  uint32_t model = 0;
  CHECK(aclmdlLoadFromFile(path, &model));
  aclmdlDesc* desc = aclmdlCreateDesc();
  CHECK(aclmdlGetDesc(desc, model));
  std::vector<size_t> inputs, outputs;
  for (size_t i = 0; i < aclmdlGetNumInputs(desc); ++i)
    inputs.push_back(aclmdlGetInputSizeByIndex(desc, i));
  for (size_t i = 0; i < aclmdlGetNumOutputs(desc); ++i)
    outputs.push_back(aclmdlGetOutputSizeByIndex(desc, i));
  aclmdlDataset* in = MakeSet(inputs);
  aclmdlDataset* out = MakeSet(outputs);
  for (int i = 0; i < times; ++i)
    CHECK(aclmdlExecute(model, in, out));
  DestroySet(in);
  DestroySet(out);
  CHECK(aclmdlDestroyDesc(desc));
  CHECK(aclmdlUnload(model));
}

void SetDump(const std::string& folder, const std::string& members) {
  const std::string path = "dump.json";
  std::ofstream(path) << "{\"dump\": {\"dump_path\": \"" << folder << "\", \"dump_list\": [{}], " << members
                      << "}}";
  CHECK(aclmdlSetDump(path.c_str()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::printf("usage: dump_files MODEL.om FOLDER\n");
    return 1;
  }
  const std::string folder = argv[2];
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclmdlInitDump());
  SetDump(folder, "\"dump_mode\": \"all\", \"dump_step\": \"0\"");
  std::printf("dumps go to %s\n", acldumpGetPath(DATA_DUMP));
  RunModel(argv[1], 3);
  SetDump(folder, "\"dump_data\": \"stats\", \"dump_step\": \"2\"");
  RunModel(argv[1], 3);
  CHECK(aclmdlFinalizeDump());
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
