// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What every operator of a model computes, handed to a function of the program instead of to files.
//   dump_callback MODEL.om
#include <acl/acl.h>
#include <acl/acl_dump.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
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

struct File {
  std::vector<uint8_t> bytes;
  int pieces;
  bool complete;
};

// Several threads of the library may call at once.
std::mutex mutex;
std::map<std::string, File> files;

int32_t Receive(const acldumpChunk* chunk, int32_t length) {
  if (static_cast<size_t>(length) != sizeof(acldumpChunk) + chunk->bufLen) return 1;
  std::lock_guard<std::mutex> lock(mutex);
  File& file = files[chunk->fileName];
  const size_t at = chunk->offset < 0 ? file.bytes.size() : static_cast<size_t>(chunk->offset);
  if (file.bytes.size() < at + chunk->bufLen) file.bytes.resize(at + chunk->bufLen);
  std::memcpy(file.bytes.data() + at, chunk->dataBuf, chunk->bufLen);
  ++file.pieces;
  file.complete = file.complete || chunk->isLastChunk == 1;
  return 0;
}

// A data set of device memory, one buffer for each input or output.
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

void RunModel(const char* path) {
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
  CHECK(aclmdlExecute(model, in, out));
  DestroySet(in);
  DestroySet(out);
  CHECK(aclmdlDestroyDesc(desc));
  CHECK(aclmdlUnload(model));
}

// The first eight bytes of a dump are the length of its message; the tensors stand behind it.
size_t TensorBytes(const File& file) {
  uint64_t message = 0;
  std::memcpy(&message, file.bytes.data(), sizeof message);
  return file.bytes.size() - sizeof message - static_cast<size_t>(message);
}

int Report() {
  bool complete = !files.empty();
  for (const auto& entry : files) {
    const std::string name = entry.first.substr(entry.first.find_last_of('/') + 1);
    std::printf("%-60s %2d pieces, %8zu bytes of tensors\n", name.c_str(), entry.second.pieces,
                TensorBytes(entry.second));
    complete = complete && entry.second.complete;
  }
  std::printf("%zu operators were received%s\n", files.size(), complete ? "" : ", not all of them whole");
  return complete ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::printf("usage: dump_callback MODEL.om\n");
    return 1;
  }
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(acldumpRegCallback(Receive, 0));
  CHECK(aclmdlInitDump());
  RunModel(argv[1]);
  CHECK(aclmdlFinalizeDump());
  acldumpUnregCallback();
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return Report();
}
