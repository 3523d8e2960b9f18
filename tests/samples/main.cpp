// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One test for each operator of graphs and each function of aclnn that has samples: `Graph.Abs`, `aclnn.Abs`.
#include <string>

#include "samples/on_aclnn.h"
#include "samples/on_graph.h"

namespace samples {
namespace {

// Of the operator where the sample names none.
std::vector<aclDataType> TypesOf(const Sample& sample) {
  return sample.types.empty() ? DeclaredTypes(sample.op) : sample.types;
}

class OnGraph : public nn::Nn {
 public:
  explicit OnGraph(const Sample& sample) : sample_(sample) {}
  void TestBody() override {
    for (const Case& one : CasesOf(sample_, TypesOf(sample_))) {
      if (one.out != nn::Layout::kContiguous) continue;  // values of graphs have no layout
      SCOPED_TRACE(one.Text());
      RunGraph(one);
      if (HasFailure()) return;
    }
  }

 private:
  const Sample& sample_;
};

class OnAclnn : public nn::Nn {
 public:
  OnAclnn(const Sample& sample, const Sample::Call& call) : sample_(sample), call_(call) {}
  void TestBody() override {
    const auto types = sample_.call_types.empty() ? TypesOf(sample_) : sample_.call_types;
    for (const Case& one : CasesOf(sample_, types)) {
      SCOPED_TRACE(one.Text());
      const bool fits = FitsOntoInput(one);
      if (!call_.in_place || (fits && one.out == nn::Layout::kContiguous)) RunCall(one, call_);
      if (!call_.in_place && fits && !sample_.apart) RunOntoInput(one, call_);
      if (HasFailure()) return;
    }
  }

 private:
  const Sample& sample_;
  const Sample::Call& call_;
};

void Register() {
  for (const Sample& sample : Table::All()) {
    if (!sample.op.empty())
      testing::RegisterTest("Graph", sample.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&]() -> nn::Nn* { return new OnGraph(sample); });
    for (const Sample::Call& call : sample.calls)
      testing::RegisterTest("aclnn", call.function.name(), nullptr, nullptr, __FILE__, __LINE__,
                            [&]() -> nn::Nn* { return new OnAclnn(sample, call); });
  }
}

}  // namespace
}  // namespace samples

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  samples::Register();
  return RUN_ALL_TESTS();
}
