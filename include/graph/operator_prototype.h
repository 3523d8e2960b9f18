// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tells the library what an operator of a program looks like. REG_OP (graph/operator_reg.h) writes the calls;
// programs do not use this header. One object per registration, used by one thread.
#ifndef FOOTHOLD_GRAPH_OPERATOR_PROTOTYPE_H_
#define FOOTHOLD_GRAPH_OPERATOR_PROTOTYPE_H_

#include <stdint.h>

#include <memory>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

struct OperatorPrototypeImpl;

class GE_FUNC_HOST_VISIBILITY OperatorPrototype {
 public:
  explicit OperatorPrototype(const char* type);

  // `types` is the text of the data types: a quoted symbol, or an expression that only documents them.
  void AddInput(const char* name, const char* types);
  void AddOptionalInput(const char* name, const char* types);
  void AddDynamicInput(const char* name, const char* types);
  void AddOutput(const char* name, const char* types);
  void AddDynamicOutput(const char* name, const char* types);
  void AddGraph(const char* name);
  void AddDynamicGraph(const char* name);
  void AddSymbol(const char* symbol, const TensorType& types);
  void AddSymbol(const char* symbol, const ListTensorType& types);
  void AddSymbol(const char* symbol, const Promote& rule);

  // `type` is Int, ListInt and so on, as REQUIRED_ATTR has it.
  void AddRequiredAttr(const char* name, const char* type);
  void AddAttr(const char* name, int64_t value);
  void AddAttr(const char* name, float value);
  void AddAttr(const char* name, bool value);
  void AddAttr(const char* name, DataType value);
  void AddAttr(const char* name, const AscendString& value);
  void AddAttr(const char* name, const Tensor& value);
  void AddAttr(const char* name, const std::vector<uint8_t>& value);
  void AddAttr(const char* name, const std::vector<int64_t>& value);
  void AddAttr(const char* name, const std::vector<float>& value);
  void AddAttr(const char* name, const std::vector<bool>& value);
  void AddAttr(const char* name, const std::vector<DataType>& value);
  void AddAttr(const char* name, const std::vector<AscendString>& value);
  void AddAttr(const char* name, const std::vector<Tensor>& value);
  void AddAttr(const char* name, const std::vector<std::vector<int64_t>>& value);
  void AddAttr(const char* name, const std::string& value) {
    AddAttr(name, string_overloads::ToAscend(value));
  }
  void AddAttr(const char* name, const std::vector<std::string>& value) {
    AddAttr(name, string_overloads::ToAscend(value));
  }

  // The operator exists from now on; one that exists already stays as it is.
  void Register();

 private:
  std::shared_ptr<OperatorPrototypeImpl> impl_;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_OPERATOR_PROTOTYPE_H_
