// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For calls that take streams of a model built by hand. Any thread.
#pragma once

#include <memory>
#include <utility>

#include "base/error.h"
#include "capture/built/built_model.h"
#include "capture/control.h"
#include "device/current.h"

namespace foothold {

// Throws 107005 for a stream that is bound to no model.
inline void CheckBound(const StreamRef& stream) {
  if (BuiltModel::Of(stream) != nullptr) return;
  Fail(kRtStreamModel,
       "stream {} is not bound to a model; this call is only for streams bound with aclmdlRIBindStream",
       stream->id());
}

// Throws as FindExplicitStream and CheckBound.
inline StreamRef FindBoundStream(const void* handle) {
  const StreamRef stream = FindExplicitStream(handle);
  CheckBound(stream);
  return stream;
}

inline void CheckSameModel(const StreamRef& one, const StreamRef& other) {
  CheckBound(one);
  CheckBound(other);
  if (one->binding() == other->binding()) return;
  Fail(kRtStreamModel, "streams {} and {} are bound to different models", one->id(), other->id());
}

// `api` is a literal.
inline void PushControl(const StreamRef& stream, const char* api, std::shared_ptr<Control> control) {
  stream.Push(api, ControlTask(std::move(control)));
}

}  // namespace foothold
