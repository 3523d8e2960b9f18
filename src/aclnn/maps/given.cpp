// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/given.h"

#include "calls/view.h"

namespace foothold::aclnn {

bool HasParameter(const Call& call, std::string_view name) {
  for (std::size_t i = 0; i < call.size(); ++i)
    if (call.parameter(i).name == name) return true;
  return false;
}

std::string Named(const Call& call, const std::string& name) {
  return HasParameter(call, name + "Optional") ? name + "Optional" : name;
}

bool IsGiven(const Call& call, std::string_view name) {
  if (!HasParameter(call, name) || !call.Has(name)) return false;
  const Kind kind = call.parameter(call.Index(name)).kind;
  if (kind == Kind::kInts) return call.CountOfInts(name) > 0;
  if (kind == Kind::kTensor) return call.DimsOfArgument(name) != Dims{0};
  if (kind != Kind::kTensorList) return true;
  for (std::size_t i = 0; i < call.ListSize(name); ++i)
    if (call.HasMember(name, i) && !IsEmpty(call.View(name, i).dims)) return true;
  return false;
}

Value InIfNamed(Call& call, const std::string& name) {
  const std::string full = Named(call, name);
  return IsGiven(call, full) ? call.In(full) : Value();
}

void RefuseGiven(const Call& call, const char* form, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const std::string full = Named(call, name); IsGiven(call, full))
      call.NotSupported("{} with '{}'", form, full);
}

}  // namespace foothold::aclnn
