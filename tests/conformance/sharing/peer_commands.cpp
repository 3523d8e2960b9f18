// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/sharing/peer_commands.h"

#include <dirent.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace {

std::size_t EntriesOf(const char* folder) {
  std::size_t count = 0;
  DIR* const opened = opendir(folder);
  while (opened != nullptr && readdir(opened) != nullptr)
    ++count;
  if (opened != nullptr) closedir(opened);
  return count;
}

std::size_t ThreadsCalled(const std::string& name) {
  std::size_t count = 0;
  DIR* const threads = opendir("/proc/self/task");
  while (const dirent* thread = readdir(threads)) {
    std::ifstream file(std::string("/proc/self/task/") + thread->d_name + "/comm");
    std::string found;
    count += std::getline(file, found) && found == name;
  }
  closedir(threads);
  return count;
}

// Sockets beside the one that listens.
std::size_t Connections() {
  std::size_t count = 0;
  DIR* const opened = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(opened)) {
    int listens = 0;
    socklen_t length = sizeof(listens);
    const int number = std::atoi(entry->d_name);
    count += getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens == 0;
  }
  closedir(opened);
  return count;
}

int Value(const std::string& word) {
  return std::stoi(word);
}

}  // namespace

PeerCommands::PeerCommands() {
  AddProcess();
  AddMemory();
  AddPages();
  AddSync();
}

std::string PeerCommands::Do(const std::string& line) {
  std::istringstream in(line);
  Words words;
  for (std::string word; in >> word;)
    words.push_back(word);
  more_.clear();
  const auto command = commands_.find(words.at(0));
  if (command == commands_.end()) return "-2 no command " + line;
  const aclError code = command->second(words);
  const char* const text = aclGetRecentErrMsg();
  if (code != ACL_SUCCESS && text != nullptr) more_ = text;
  std::replace(more_.begin(), more_.end(), '\n', ' ');
  return std::to_string(code) + " " + more_;
}

void PeerCommands::AddProcess() {
  commands_["start"] = [this](const Words&) {
    aclError code = aclInit(nullptr);
    if (code == ACL_SUCCESS) code = aclrtSetDevice(0);
    if (code == ACL_SUCCESS) code = aclrtCreateStream(&stream_);
    return code;
  };
  commands_["stop"] = [](const Words&) {
    const aclError code = aclrtResetDeviceForce(0);
    const aclError end = aclFinalize();
    return code == ACL_SUCCESS ? end : code;
  };
  commands_["descriptors"] = [this](const Words&) {
    more_ = std::to_string(EntriesOf("/proc/self/fd"));
    return ACL_SUCCESS;
  };
  commands_["connections"] = [this](const Words&) {
    more_ = std::to_string(Connections());
    return ACL_SUCCESS;
  };
  commands_["threads"] = [this](const Words& words) {
    more_ = std::to_string(ThreadsCalled(words.at(1)));
    return ACL_SUCCESS;
  };
  commands_["left"] = [this](const Words&) {
    more_ = std::to_string(EntriesOf("/dev/shm"));
    return ACL_SUCCESS;
  };
}

void PeerCommands::AddMemory() {
  commands_["allocate"] = [this](const Words& words) {  // name bytes policy
    Block& block = blocks_[words.at(1)];
    block.bytes = std::stoul(words.at(2));
    return aclrtMalloc(&block.at, block.bytes, static_cast<aclrtMemMallocPolicy>(Value(words.at(3))));
  };
  commands_["free"] = [this](const Words& words) { return aclrtFree(blocks_.at(words.at(1)).at); };
  commands_["fill"] = [this](const Words& words) {  // name value
    const Block& block = blocks_.at(words.at(1));
    return aclrtMemset(block.at, block.bytes, Value(words.at(2)), block.bytes);
  };
  commands_["see"] = [this](const Words& words) {  // name: the value all bytes have, or "mixed"
    const Block& block = blocks_.at(words.at(1));
    std::vector<unsigned char> copy(block.bytes);
    const aclError code =
        aclrtMemcpy(copy.data(), copy.size(), block.at, block.bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    const bool same =
        std::all_of(copy.begin(), copy.end(), [&](unsigned char one) { return one == copy[0]; });
    more_ = same ? std::to_string(copy[0]) : "mixed";
    return code;
  };
  commands_["export"] = [this](const Words& words) {  // name flags [offset bytes]
    const Block& block = blocks_.at(words.at(1));
    const std::size_t offset = words.size() > 3 ? std::stoul(words[3]) : 0;
    const std::size_t bytes = words.size() > 4 ? std::stoul(words[4]) : block.bytes;
    char key[65] = {};
    const aclError code = aclrtIpcMemGetExportKey(static_cast<char*>(block.at) + offset, bytes, key,
                                                  sizeof(key), std::stoul(words.at(2)));
    more_ = key;
    return code;
  };
  commands_["admit"] = [](const Words& words) {  // key process
    int32_t process = Value(words.at(2));
    return aclrtIpcMemSetImportPid(words.at(1).c_str(), &process, 1);
  };
  commands_["import"] = [this](const Words& words) {  // name bytes key
    Block& block = blocks_[words.at(1)];
    block.bytes = std::stoul(words.at(2));
    return aclrtIpcMemImportByKey(&block.at, words.at(3).c_str(), 1);
  };
  commands_["close"] = [](const Words& words) { return aclrtIpcMemClose(words.at(1).c_str()); };
  commands_["rounds"] = [this](const Words& words) {  // count key: imports, looks and closes so often
    for (int i = 0; i < Value(words.at(1)); ++i) {
      void* at = nullptr;
      aclError code = aclrtIpcMemImportByKey(&at, words.at(2).c_str(), 0);
      unsigned char byte = 0;
      if (code == ACL_SUCCESS) code = aclrtMemcpy(&byte, 1, at, 1, ACL_MEMCPY_DEVICE_TO_HOST);
      if (code == ACL_SUCCESS) code = aclrtIpcMemClose(words.at(2).c_str());
      if (code != ACL_SUCCESS) return code;
    }
    return ACL_SUCCESS;
  };
  commands_["exportrounds"] = [this](const Words& words) {  // count bytes
    for (int i = 0; i < Value(words.at(1)); ++i) {
      void* at = nullptr;
      char key[65];
      aclError code = aclrtMalloc(&at, std::stoul(words.at(2)), ACL_MEM_MALLOC_HUGE_FIRST);
      if (code == ACL_SUCCESS) code = aclrtIpcMemGetExportKey(at, std::stoul(words.at(2)), key, 65, 1);
      if (code == ACL_SUCCESS && i % 2 == 0) code = aclrtIpcMemClose(key);  // not all programs do
      if (code == ACL_SUCCESS) code = aclrtFree(at);
      if (code != ACL_SUCCESS) return code;
    }
    return ACL_SUCCESS;
  };
}

void PeerCommands::AddPages() {
  commands_["pages"] = [this](const Words& words) {  // name bytes
    aclrtPhysicalMemProp prop{};
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    return aclrtMallocPhysical(&pages_[words.at(1)], std::stoul(words.at(2)), &prop, 0);
  };
  commands_["map"] = [this](const Words& words) {  // name bytes
    Block& block = blocks_[words.at(1)];
    block.bytes = std::stoul(words.at(2));
    const aclError code = aclrtReserveMemAddress(&block.at, block.bytes, 0, nullptr, 0);
    return code != ACL_SUCCESS ? code : aclrtMapMem(block.at, block.bytes, 0, pages_.at(words.at(1)), 0);
  };
  commands_["unmap"] = [this](const Words& words) {
    void* const at = blocks_.at(words.at(1)).at;
    aclError code = aclrtUnmapMem(at);
    if (code == ACL_SUCCESS) code = aclrtFreePhysical(pages_.at(words.at(1)));
    return code == ACL_SUCCESS ? aclrtReleaseMemAddress(at) : code;
  };
  commands_["exportpages"] = [this](const Words& words) {  // name flags
    uint64_t handle = 0;
    const aclError code = aclrtMemExportToShareableHandle(pages_.at(words.at(1)), ACL_MEM_HANDLE_TYPE_NONE,
                                                          std::stoul(words.at(2)), &handle);
    more_ = std::to_string(handle);
    return code;
  };
  commands_["admitpages"] = [](const Words& words) {  // handle process
    int32_t process = Value(words.at(2));
    return aclrtMemSetPidToShareableHandle(std::stoull(words.at(1)), &process, 1);
  };
  commands_["importpages"] = [this](const Words& words) {  // name handle
    return aclrtMemImportFromShareableHandle(std::stoull(words.at(2)), 0, &pages_[words.at(1)]);
  };
}

void PeerCommands::AddSync() {
  commands_["event"] = [this](const Words& words) {
    return aclrtCreateEventExWithFlag(&events_[words.at(1)], ACL_EVENT_IPC);
  };
  commands_["eventhandle"] = [this](const Words& words) {
    aclrtIpcEventHandle handle{};
    const aclError code = aclrtIpcGetEventHandle(events_.at(words.at(1)), &handle);
    more_ = handle.reserved;
    return code;
  };
  commands_["openevent"] = [this](const Words& words) {  // name handle
    aclrtIpcEventHandle handle{};
    std::memcpy(handle.reserved, words.at(2).data(), std::min<std::size_t>(words.at(2).size(), 64));
    return aclrtIpcOpenEventHandle(handle, &events_[words.at(1)]);
  };
  commands_["destroyevent"] = [this](const Words& words) {
    return aclrtDestroyEvent(events_.at(words.at(1)));
  };
  commands_["record"] = [this](const Words& words) {
    return aclrtRecordEvent(events_.at(words.at(1)), stream_);
  };
  commands_["waitevent"] = [this](const Words& words) {
    return aclrtStreamWaitEvent(stream_, events_.at(words.at(1)));
  };
  commands_["queryevent"] = [this](const Words& words) {
    aclrtEventRecordedStatus status{};
    const aclError code = aclrtQueryEventStatus(events_.at(words.at(1)), &status);
    more_ = status == ACL_EVENT_RECORDED_STATUS_COMPLETE ? "complete" : "pending";
    return code;
  };
  commands_["syncevent"] = [this](const Words& words) {  // name milliseconds
    return aclrtSynchronizeEventWithTimeout(events_.at(words.at(1)), Value(words.at(2)));
  };
  commands_["notify"] = [this](const Words& words) { return aclrtCreateNotify(&notifies_[words.at(1)], 0); };
  commands_["notifykey"] = [this](const Words& words) {  // name flags
    char key[65] = {};
    const aclError code =
        aclrtNotifyGetExportKey(notifies_.at(words.at(1)), key, 65, std::stoul(words.at(2)));
    more_ = key;
    return code;
  };
  commands_["admitnotify"] = [this](const Words& words) {  // name process
    int32_t process = Value(words.at(2));
    return aclrtNotifySetImportPid(notifies_.at(words.at(1)), &process, 1);
  };
  commands_["importnotify"] = [this](const Words& words) {  // name key
    return aclrtNotifyImportByKey(&notifies_[words.at(1)], words.at(2).c_str(), 0);
  };
  commands_["destroynotify"] = [this](const Words& words) {
    return aclrtDestroyNotify(notifies_.at(words.at(1)));
  };
  commands_["setnotify"] = [this](const Words& words) {
    return aclrtRecordNotify(notifies_.at(words.at(1)), stream_);
  };
  commands_["takenotify"] = [this](const Words& words) {  // name seconds
    return aclrtWaitAndResetNotify(notifies_.at(words.at(1)), stream_,
                                   static_cast<uint32_t>(Value(words.at(2))));
  };
  commands_["sync"] = [this](const Words& words) {  // milliseconds
    return aclrtSynchronizeStreamWithTimeout(stream_, Value(words.at(1)));
  };
  // The stream stops here until the value in the block is not 0.
  commands_["hold"] = [this](const Words& words) {
    return aclrtValueWait(blocks_.at(words.at(1)).at, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream_);
  };
  commands_["release"] = [this](const Words& words) {
    const uint64_t one = 1;
    return aclrtMemcpy(blocks_.at(words.at(1)).at, 8, &one, 8, ACL_MEMCPY_HOST_TO_DEVICE);
  };
}
