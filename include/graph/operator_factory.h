// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Makes operators by their type, and knows what programs register for types of their own. The first
// registration of a type stays. Any thread.
#ifndef FOOTHOLD_GRAPH_OPERATOR_FACTORY_H_
#define FOOTHOLD_GRAPH_OPERATOR_FACTORY_H_

#include <functional>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"
#include "graph/string_overloads.h"
#include "graph/types.h"

namespace ge {

using OpCreator           = std::function<Operator(const std::string&)>;
using OpCreatorV2         = std::function<Operator(const AscendString&)>;
using InferShapeFunc      = std::function<graphStatus(Operator&)>;
using InferFormatFunc     = std::function<graphStatus(Operator&)>;
using InferValueRangeFunc = std::function<graphStatus(Operator&)>;
using VerifyFunc          = std::function<graphStatus(Operator&)>;

enum WHEN_CALL {
  INPUT_IS_DYNAMIC      = 0,
  INPUT_HAS_VALUE_RANGE = 1,
};

class GE_FUNC_HOST_VISIBILITY OperatorFactory {
 public:
  // Empty when the type is not known.
  static Operator CreateOperator(const std::string& operator_name, const std::string& operator_type) {
    return CreateOperator(operator_name.c_str(), operator_type.c_str());
  }
  static Operator CreateOperator(const char_t* const operator_name, const char_t* const operator_type);
  static graphStatus GetOpsTypeList(std::vector<std::string>& all_ops) {
    std::vector<AscendString> types;
    const graphStatus status = GetOpsTypeList(types);
    string_overloads::FromAscend(types, all_ops);
    return status;
  }
  static graphStatus GetOpsTypeList(std::vector<AscendString>& all_ops);
  static bool IsExistOp(const std::string& operator_type) { return IsExistOp(operator_type.c_str()); }
  static bool IsExistOp(const char_t* const operator_type);
};

class GE_FUNC_HOST_VISIBILITY OperatorCreatorRegister {
 public:
  OperatorCreatorRegister(const std::string& operator_type, OpCreator const& op_creator)
      : OperatorCreatorRegister(operator_type.c_str(), OpCreatorV2([op_creator](const AscendString& name) {
                                  return op_creator(string_overloads::FromAscend(name));
                                })) {}
  OperatorCreatorRegister(const char_t* const operator_type, OpCreatorV2 const& op_creator);
  ~OperatorCreatorRegister() = default;
};

class GE_FUNC_HOST_VISIBILITY InferShapeFuncRegister {
 public:
  InferShapeFuncRegister(const std::string& operator_type, const InferShapeFunc& infer_shape_func)
      : InferShapeFuncRegister(operator_type.c_str(), infer_shape_func) {}
  InferShapeFuncRegister(const char_t* const operator_type, const InferShapeFunc& infer_shape_func);
  ~InferShapeFuncRegister() = default;
};

class GE_FUNC_HOST_VISIBILITY InferFormatFuncRegister {
 public:
  InferFormatFuncRegister(const std::string& operator_type, const InferFormatFunc& infer_format_func)
      : InferFormatFuncRegister(operator_type.c_str(), infer_format_func) {}
  InferFormatFuncRegister(const char_t* const operator_type, const InferFormatFunc& infer_format_func);
  ~InferFormatFuncRegister() = default;
};

class GE_FUNC_HOST_VISIBILITY InferValueRangeFuncRegister {
 public:
  InferValueRangeFuncRegister(const char_t* const operator_type, const WHEN_CALL when_call,
                              const InferValueRangeFunc& infer_value_range_func);
  InferValueRangeFuncRegister(const char_t* const operator_type);
  ~InferValueRangeFuncRegister() = default;
};

class GE_FUNC_HOST_VISIBILITY VerifyFuncRegister {
 public:
  VerifyFuncRegister(const std::string& operator_type, const VerifyFunc& verify_func)
      : VerifyFuncRegister(operator_type.c_str(), verify_func) {}
  VerifyFuncRegister(const char_t* const operator_type, const VerifyFunc& verify_func);
  ~VerifyFuncRegister() = default;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_OPERATOR_FACTORY_H_
