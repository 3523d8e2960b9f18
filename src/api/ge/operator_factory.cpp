// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>

#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/operator_registry.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/held_locks.h"
#include "base/per_process.h"
#include "prototypes/prototype.h"
#include "prototypes/user_functions.h"

namespace foothold {
namespace {

struct Creators {
  std::mutex mutex;
  std::map<std::string, ge::OpCreatorV2, std::less<>> of_type;  // guarded by mutex
};

// Never destroyed: programs register and ask in constructors and destructors of static objects.
Creators& TheCreators() {
  static Creators* const creators = new Creators;
  return *creators;
}

std::mutex& MutexOfCreators() {
  return TheCreators().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfCreators> held_for_creators;

template <typename Function>
void CheckRegistration(const char* type, const Function& function) {
  if (type == nullptr || *type == '\0' || !function) Fail(kInvalidParam, "a type and a function are needed");
}

const char* NameOf(UserFunctionKind kind) {
  switch (kind) {
    case UserFunctionKind::kVerify:
      return "verify function";
    case UserFunctionKind::kInferFormat:
      return "infer format function";
    case UserFunctionKind::kInferShape:
      break;
  }
  return "infer shape function";
}

ge::graphStatus Call(const std::function<ge::graphStatus(ge::Operator&)>& function, const char* name,
                     Node& node) {
  EnterProgram("a function of the program about an operator");
  try {
    ge::Operator op = ToOperator(node);
    return function(op);
  } catch (...) {  // the program may throw anything
    Fail(kInvalidParam, "the {} of {} threw: {}", name, node.Description(), CurrentError().message());
  }
}

// The compiler calls the function with a node; the program wrote it for an operator.
void RegisterForNodes(const char* what, const char* type, UserFunctionKind kind,
                      const std::function<ge::graphStatus(ge::Operator&)>& function) noexcept {
  (void)GuardGraph(what, [&] {
    CheckRegistration(type, function);
    RegisterUserFunction(type, kind, [function, name = NameOf(kind)](Node& node) {
      const ge::graphStatus status = Call(function, name, node);
      if (status != ge::GRAPH_SUCCESS)
        Fail(kInvalidParam, "the {} of {} answered {:#x}", name, node.Description(), status);
    });
  });
}

}  // namespace

ge::OpCreatorV2 RegisteredCreator(std::string_view type) {
  const std::lock_guard lock(TheCreators().mutex);
  const auto found = TheCreators().of_type.find(type);
  return found == TheCreators().of_type.end() ? ge::OpCreatorV2() : found->second;
}

std::vector<std::string> CreatableTypes() {
  const std::lock_guard lock(TheCreators().mutex);
  std::vector<std::string> types;
  for (const auto& [type, creator] : TheCreators().of_type)
    types.push_back(type);
  return types;
}

}  // namespace foothold

namespace ge {

using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::UserFunctionKind;

Operator OperatorFactory::CreateOperator(const char_t* const operator_name,
                                         const char_t* const operator_type) {
  return GuardGraphValue("OperatorFactory::CreateOperator", [&]() -> Operator {
    if (operator_name == nullptr || operator_type == nullptr)
      foothold::Fail(foothold::kInvalidParam, "operator_name and operator_type must not be null");
    if (foothold::FindPrototype(operator_type) != nullptr) return Operator(operator_name, operator_type);
    const OpCreatorV2 creator = foothold::RegisteredCreator(operator_type);
    if (!creator)
      throw foothold::Error(foothold::kInvalidParam,
                            fmt::format("there is no operator type '{}'", operator_type), "E10501");
    foothold::EnterProgram("a creator of operators");
    return creator(AscendString(operator_name));
  });
}

graphStatus OperatorFactory::GetOpsTypeList(std::vector<AscendString>& all_ops) {
  return GuardGraph("OperatorFactory::GetOpsTypeList", [&] {
    std::set<AscendString> types;
    for (const std::string_view type : foothold::PrototypeTypes())
      types.emplace(type.data(), type.size());
    for (const std::string& type : foothold::CreatableTypes())
      types.emplace(type.data(), type.size());
    all_ops.assign(types.begin(), types.end());
  });
}

bool OperatorFactory::IsExistOp(const char_t* const operator_type) {
  if (operator_type == nullptr) return false;
  return GuardGraphValue("OperatorFactory::IsExistOp", [&] {
    return foothold::FindPrototype(operator_type) != nullptr ||
           static_cast<bool>(foothold::RegisteredCreator(operator_type));
  });
}

OperatorCreatorRegister::OperatorCreatorRegister(const char_t* const operator_type,
                                                 OpCreatorV2 const& op_creator) {
  (void)GuardGraph("OperatorCreatorRegister", [&] {
    foothold::CheckRegistration(operator_type, op_creator);
    const std::lock_guard lock(foothold::TheCreators().mutex);
    foothold::TheCreators().of_type.emplace(operator_type, op_creator);
  });
}

InferShapeFuncRegister::InferShapeFuncRegister(const char_t* const operator_type,
                                               const InferShapeFunc& infer_shape_func) {
  foothold::RegisterForNodes("InferShapeFuncRegister", operator_type, UserFunctionKind::kInferShape,
                             infer_shape_func);
}

InferFormatFuncRegister::InferFormatFuncRegister(const char_t* const operator_type,
                                                 const InferFormatFunc& infer_format_func) {
  foothold::RegisterForNodes("InferFormatFuncRegister", operator_type, UserFunctionKind::kInferFormat,
                             infer_format_func);
}

// Ranges of values have no effect on a run, so nobody would ever call these functions.
FOOTHOLD_WITHOUT_EFFECT(InferValueRangeFuncRegister::InferValueRangeFuncRegister);
InferValueRangeFuncRegister::InferValueRangeFuncRegister(const char_t* const operator_type, const WHEN_CALL,
                                                         const InferValueRangeFunc& infer_value_range_func) {
  (void)GuardGraph("InferValueRangeFuncRegister", [&] {
    foothold::CheckRegistration(operator_type, infer_value_range_func);
    foothold::WarnOnce("InferValueRangeFuncRegister",
                       "functions that infer ranges of values ({}) are never called", operator_type);
  });
}

InferValueRangeFuncRegister::InferValueRangeFuncRegister(const char_t* const) {}

VerifyFuncRegister::VerifyFuncRegister(const char_t* const operator_type, const VerifyFunc& verify_func) {
  foothold::RegisterForNodes("VerifyFuncRegister", operator_type, UserFunctionKind::kVerify, verify_func);
}

}  // namespace ge
