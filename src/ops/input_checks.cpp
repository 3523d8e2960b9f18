// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/input_checks.h"

#include "ops/through_float.h"

namespace foothold {

int OptionalPort(const OpContext& context, std::string_view name) {
  return context.Has(name) ? context.Port(name) : -1;
}

void CheckFloats(const OpContext& context, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (context.Has(name) && !ComputesInFloat(context.In(name).type))
      context.Unsupported("no kernel for '{}' of {}; float, float16 and bfloat16 have one", name,
                          DataTypeName(context.In(name).type));
}

void CheckCount(const OpContext& context, std::string_view name, std::size_t count, std::string_view what) {
  if (!context.Has(name)) return;
  if (static_cast<std::size_t>(ElementCount(context.In(name).dims)) != count)
    context.Refuse("'{}' is {}, expected {} numbers, one for each {}", name, ToString(context.In(name)),
                   count, what);
}

void CheckAbsent(const OpContext& context, std::initializer_list<std::string_view> names,
                 std::string_view why) {
  for (const std::string_view name : names)
    if (context.Has(name)) context.Unsupported("no kernel with '{}': {}", name, why);
}

}  // namespace foothold
