// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Linked into an example: uses the system's protobuf before main and after it.
#include <google/protobuf/struct.pb.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int FieldsAfterACopy() {
  google::protobuf::Struct message, copy;
  for (const char* name : {"a", "b", "c"})
    (*message.mutable_fields())[name].set_number_value(1);
  if (!copy.ParseFromString(message.SerializeAsString())) std::abort();
  return copy.fields_size();
}

void UseProtobuf() {
  std::printf("other protobuf: %d fields\n", FieldsAfterACopy());
}

[[gnu::constructor]] void UseProtobufTwice() {
  UseProtobuf();
  std::atexit(UseProtobuf);
}

}  // namespace
