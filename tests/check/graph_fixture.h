// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A session with small graphs, and tensors over memory of the program.
#pragma once

#include "check/model_fixture.h"
#include "ge/ge_allocator.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

namespace checked {

inline void MustGe(ge::Status status, const char* what) {
  if (status == ge::SUCCESS) return;
  std::fprintf(stderr, "%s answered %u\n%s\n", what, status, ge::GEGetErrorMsg().c_str());
  std::exit(2);
}

// Four numbers, or two rows of two.
inline std::vector<gert::Tensor> TensorAt(void* address, bool rows = false, std::size_t bytes = kModelBytes,
                                          gert::TensorPlacement placement = gert::kOnDeviceHbm) {
  std::vector<gert::Tensor> tensors(1);
  gert::Tensor& tensor = tensors[0];
  tensor.MutableOriginShape().SetDimNum(rows ? 2 : 1);
  for (std::size_t i = 0; i < (rows ? 2u : 1u); ++i)
    tensor.MutableOriginShape().SetDim(i, rows ? 2 : 4);
  tensor.MutableStorageShape() = tensor.GetOriginShape();
  tensor.SetDataType(ge::DT_FLOAT);
  tensor.SetOriginFormat(ge::FORMAT_ND);
  tensor.SetStorageFormat(ge::FORMAT_ND);
  tensor.SetData(gert::TensorData(address, nullptr, bytes, placement));
  return tensors;
}

struct Engine {
  Engine() { MustGe(ge::GEInitialize(Options{}), "GEInitialize"); }
  ~Engine() { MustGe(ge::GEFinalize(), "GEFinalize"); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
};

// Graph 1: |x| of four numbers; graph 2: a product of two by two, which works in memory.
struct Graphs {
  Graphs() {
    MustGe(session.AddGraph(1, AbsGraph()), "AddGraph");
    MustGe(session.AddGraph(2, SquareGraph()), "AddGraph");
  }
  ge::Status Run(uint32_t id, aclrtStream on, const Four& from, const Four& to) {
    std::vector<gert::Tensor> outputs = TensorAt(to.memory, id == 2);
    return session.RunGraphWithStreamAsync(id, on, TensorAt(from.memory, id == 2), outputs);
  }

  Session library;
  Engine engine;
  Stream stream;
  Four x, y;
  ge::GeSession session{{}};
};

}  // namespace checked

#define MUST_GE(call) ::checked::MustGe(call, #call)
