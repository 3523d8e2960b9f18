// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The commands of the other process (share_peer.h): a name and words behind it. The answer is a code and, for
// some, more words; for a failed call the more is its error text.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "acl/acl.h"

class PeerCommands {
 public:
  PeerCommands();
  std::string Do(const std::string& line);

 private:
  using Words = std::vector<std::string>;
  using Command = std::function<aclError(const Words&)>;

  void AddMemory();
  void AddPages();
  void AddSync();
  void AddProcess();

  struct Block {
    void* at = nullptr;
    std::size_t bytes = 0;
  };
  std::map<std::string, Command> commands_;
  std::map<std::string, Block> blocks_;
  std::map<std::string, aclrtDrvMemHandle> pages_;
  std::map<std::string, aclrtEvent> events_;
  std::map<std::string, aclrtNotify> notifies_;
  aclrtStream stream_ = nullptr;
  std::string more_;
};
