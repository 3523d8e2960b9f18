// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/system.h"

#include <atomic>

#include "base/per_process.h"
#include "device/current.h"

namespace foothold::mpi {
namespace {

struct Starts {
  std::atomic<int> count{0};
};

std::atomic<int>& Count() {
  return PerProcess<Starts>::Get().count;
}

}  // namespace

void StartSystem() {
  CurrentContext();  // channels need one: it is missed here rather than later
  Count().fetch_add(1);
}

void EndSystem() {
  int count = Count().load();
  do {
    if (count == 0) Fail(Module::kSystem, Reason::kNotReady, "hi_mpi_sys_init was not called");
  } while (!Count().compare_exchange_weak(count, count - 1));
}

void CheckStarted(Module module) {
  if (Count().load() == 0) Fail(module, Reason::kNotReady, "hi_mpi_sys_init must be called first");
}

}  // namespace foothold::mpi
