// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/attention/paged_cache.h"

namespace foothold {
namespace {

bool InPieces(const OpContext& context) {
  const std::string mode = context.node().Text("cache_mode", "Norm");
  if (mode == "Norm" || mode.empty()) return false;
  if (mode == "PA_NZ") return true;
  context.Refuse("attribute 'cache_mode' is '{}', expected Norm or PA_NZ", mode);
}

}  // namespace

PagedCache PagedCacheOf(const OpContext& context, std::string_view cache, std::string_view rows) {
  const TensorType& all = context.In(cache);
  const TensorType& tokens = context.In(rows);
  if (tokens.dims.size() == 4)
    context.Unsupported("no kernel for '{}' of {}: compressed tokens are not published well enough", rows,
                        ToString(tokens));
  if (tokens.dims.size() != 3 || all.dims.size() != 4)
    context.Refuse("'{}' is {} and '{}' is {}, expected three and four dimensions", rows, ToString(tokens),
                   cache, ToString(all));
  if (tokens.type != all.type)
    context.Refuse("'{}' is {} and '{}' is {}; they must have one type", rows, ToString(tokens), cache,
                   ToString(all));
  const bool pieces = InPieces(context);
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(all.dims[i]); };
  const bool fits = pieces ? all.dims[1] * all.dims[3] == tokens.dims[1] * tokens.dims[2]
                           : all.dims[2] == tokens.dims[1] && all.dims[3] == tokens.dims[2];
  if (!fits)
    context.Refuse("'{}' of {} has no rows like those of '{}', {}, with cache_mode {}", cache, ToString(all),
                   rows, ToString(tokens), pieces ? "PA_NZ" : "Norm");
  return pieces ? PagedCache{at(0), at(2), at(1), at(3)} : PagedCache{at(0), at(1), 1, at(2) * at(3)};
}

}  // namespace foothold
