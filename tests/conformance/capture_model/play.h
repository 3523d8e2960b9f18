// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The two ways to run a program: its calls one by one, with conditions looked at by the host, and captured.
#pragma once

#include "conformance/capture_model/world.h"

namespace capture_model {

using Streams = std::array<std::array<aclrtStream, kStreams>, kDepth>;

// To the end.
void RunDirectly(const Program& program, const Streams& streams, World& world);

class Capture {
 public:
  Capture(const Program& program, const Streams& streams, World& world);
  ~Capture();  // after Destroy, which may be called while runs are queued
  aclmdlRI instance() const { return instance_; }
  // The groups of the program get other calls, in the order of the stream.
  void Update(const std::vector<int>& variants, aclrtStream stream);
  void Destroy();

 private:
  aclmdlRI Take(const Body& body, int depth, aclmdlRI child);
  void TakeStep(const Step& step, int depth);
  void TakeChildren(const Step& step, int depth, const std::vector<aclmdlRI>& children);
  aclrtStream StreamOf(int depth, int stream) const;

  const Program& program_;
  const Streams& streams_;
  World& world_;
  aclmdlRI instance_ = nullptr;
  std::vector<aclmdlRI> inner_;  // instances of which runs are captured
  struct Late {
    const Step* step;
    std::vector<aclmdlRI> children;
  };
  std::array<std::vector<Late>, kDepth> late_;
  std::array<const Step*, kGroups> groups_{};
  std::array<aclmdlRICondHandle, kConditions> handles_{};
};

}  // namespace capture_model
