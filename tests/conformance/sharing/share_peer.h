// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Another process that does what it is told, one call after the other: started anew, so that it has nothing
// of this one. It can be ended at any point, as if it had been killed.
#pragma once

#include <sys/types.h>

#include <string>

#include "acl/acl.h"

class SharePeer {
 public:
  // Starts the process; with `user` not 0 it runs as that user. It has initialised the library and chosen
  // device 0 when this returns.
  explicit SharePeer(uid_t user = 0);
  // Ends it in order, if it was not killed, and expects that to work.
  ~SharePeer();
  SharePeer(const SharePeer&) = delete;
  SharePeer& operator=(const SharePeer&) = delete;

  // Carries out one command (share_peer.cpp has them) and is its code; what else it answered is in `answer`.
  aclError Do(const std::string& command);
  // The same without waiting for the end; Finish is the code then.
  void Begin(const std::string& command);
  aclError Finish();
  const std::string& answer() const { return answer_; }
  // The command has to work; the rest of its answer.
  std::string Get(const std::string& command);

  // Whether the command, told again and again, answers this before long: for what other threads do.
  bool Comes(const std::string& command, const std::string& answer);
  // The same for a number that comes down to this one or below.
  bool ComesDownTo(const std::string& command, const std::string& most);

  void Kill();  // with SIGKILL; gone when this returns
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  int to_ = -1;
  int from_ = -1;
  std::string answer_;
};
