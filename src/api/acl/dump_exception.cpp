// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "acl/acl_dump.h"
#include "api/guard.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "dump/dump_codes.h"
#include "dump/dumps.h"
#include "dump/exception_dump.h"
#include "dump/file_names.h"

namespace foothold {
namespace {

std::string CurrentExceptionDirectory() {
  const auto settings = Dumps::Get().exceptions();
  if (!settings)
    Fail(kDumpNotRun,
         "no exception dump is configured; \"dump_scene\" in the configuration of aclInit, or "
         "ASCEND_DUMP_SCENE, chooses one");
  return ExceptionDirectory(settings->config, CurrentDevice().id());
}

std::string CheckFileName(const char* name) {
  const std::string text = CheckNotNull(name, "fileName", kInvalidParam);
  const std::filesystem::path path(text);
  const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
  if (text.empty() || path.is_absolute() || climbs)
    Fail(kInvalidParam, "fileName is \"{}\"; expected a path below the directory of exception dumps", text);
  return text;
}

DumpTensor TensorOf(const acldumpTensorInfo& info, std::size_t index) {
  if (info.shapeNum > ACL_DUMP_MAX_SHAPE_NUM)
    Fail(kInvalidParam, "tensor {} has {} dimensions; there may be {}", index, info.shapeNum,
         ACL_DUMP_MAX_SHAPE_NUM);
  if (info.addrType != ACL_DUMP_ADDR_RAW || info.placement != ACL_DUMP_PLACEMENT_DEVICE)
    Fail(kInvalidParam, "tensor {} has address type {} and placement {}; expected {} and {}", index,
         static_cast<int>(info.addrType), static_cast<int>(info.placement),
         static_cast<int>(ACL_DUMP_ADDR_RAW), static_cast<int>(ACL_DUMP_PLACEMENT_DEVICE));
  const void* data = info.tensorAddr;
  if (info.tensorSize > 0)
    data = CheckDeviceRange(data, info.tensorSize, kInvalidParam, "tensorAddr", Use::kRead).kernel;
  const TensorType type{static_cast<DataType>(info.dataType), static_cast<Format>(info.format),
                        Dims(info.shape, info.shape + info.shapeNum)};
  return {type, info.tensorSize, static_cast<const std::byte*>(data)};
}

DumpRecord RecordOf(const acldumpTensorInfo* tensors, std::size_t count) {
  DumpRecord record;
  for (std::size_t i = 0; i < count; ++i) {
    const DumpTensor tensor = TensorOf(tensors[i], i);
    switch (tensors[i].type) {
      case ACL_DUMP_TENSOR_INPUT:
        record.inputs.push_back(tensor);
        break;
      case ACL_DUMP_TENSOR_OUTPUT:
        record.outputs.push_back(tensor);
        break;
      case ACL_DUMP_TENSOR_WORKSPACE:
        record.buffers.push_back(tensor);
        break;
      default:
        Fail(kInvalidParam, "tensor {} is of kind {}; there are 0, 1 and 2", i,
             static_cast<int>(tensors[i].type));
    }
  }
  return record;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen) {
  return Guard(FOOTHOLD_CALL(path, maxLen), [&] {
    CheckNotNull(path, "path", kInvalidParam);
    const std::string directory = CurrentExceptionDirectory();
    if (maxLen <= directory.size())
      Fail(kInvalidParam, "maxLen is {}; the path takes {} bytes with its end", maxLen, directory.size() + 1);
    std::memcpy(path, directory.c_str(), directory.size() + 1);
  });
}

aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag, const acldumpTensorInfo* tensors,
                                  size_t tensorCount) {
  return Guard(FOOTHOLD_CALL(fileName, userTag, tensors, tensorCount), [&] {
    const std::string file = CheckFileName(fileName);
    if (tensorCount > 0) CheckNotNull(tensors, "tensors", kInvalidParam);
    DumpRecord record = RecordOf(tensors, tensorCount);
    record.op_name = userTag == nullptr ? "" : userTag;
    record.time = DumpMicroseconds();
    SaveExceptionRecord(CurrentExceptionDirectory(), file, record);
  });
}
