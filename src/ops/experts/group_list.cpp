// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/experts/group_list.h"

#include "base/error.h"

namespace foothold {

GroupList::GroupList(const OpContext& context, int port, GroupListKind kind, std::size_t rows)
    : port_(port),
      kind_(kind),
      wide_(context.In(port).type == DataType::kInt64),
      rows_(rows),
      name_(context.node().Description()) {
  const TensorType& list = context.In(port);
  const std::string& input = context.node().inputs()[static_cast<std::size_t>(port)].name;
  if (!wide_ && list.type != DataType::kInt32)
    context.Refuse("'{}' is {}, expected int64 or int32", input, ToString(list));
  if (kind == GroupListKind::kPairs && (list.dims.size() != 2 || list.dims[1] != 2))
    context.Refuse("'{}' is {}, expected pairs of a group and its rows", input, ToString(list));
  if (kind != GroupListKind::kPairs && list.dims.size() != 1)
    context.Refuse("'{}' is {}, expected one number for each group", input, ToString(list));
  count_ = static_cast<std::size_t>(list.dims[0]);
}

std::int64_t GroupList::Raw(const RunArgs& args, std::size_t i) const {
  return wide_ ? args.In<std::int64_t>(port_)[i] : args.In<std::int32_t>(port_)[i];
}

RowGroup GroupList::At(const RunArgs& args, std::size_t i, std::size_t begin, std::size_t groups) const {
  const bool pairs = kind_ == GroupListKind::kPairs;
  const std::int64_t index = pairs ? Raw(args, 2 * i) : static_cast<std::int64_t>(i);
  const std::int64_t number = Raw(args, pairs ? 2 * i + 1 : i);
  const std::int64_t rows =
      kind_ == GroupListKind::kEnds ? number - static_cast<std::int64_t>(begin) : number;
  if (index < 0 || static_cast<std::size_t>(index) >= groups)
    Fail(kInvalidParam, "{}: entry {} of the group list is for group {} of {}", name_, i, index, groups);
  if (rows < 0 || static_cast<std::size_t>(rows) > rows_ - begin)
    Fail(kInvalidParam, "{}: group {} has {} rows from row {} on, and there are {}", name_, index, rows,
         begin, rows_);
  return {static_cast<std::size_t>(index), begin, static_cast<std::size_t>(rows)};
}

GroupListKind GroupListKindOf(const OpContext& context, const char* attribute) {
  const std::int64_t kind = context.node().Int(attribute, 0);
  if (kind == 0) return GroupListKind::kEnds;
  if (kind == 1) return GroupListKind::kCounts;
  if (kind == 2) return GroupListKind::kPairs;
  context.Refuse("attribute '{}' is {}; 0 (ends), 1 (counts) and 2 (pairs) are possible", attribute, kind);
}

}  // namespace foothold
