// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/built/built_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "capture/built/model_copy.h"
#include "device/context.h"

namespace foothold {
namespace {

[[noreturn]] void FailNotBound(const StreamRef& stream) {
  Fail(kRtStreamModel, "stream {} is not bound to this model; bind it with aclmdlRIBindStream first",
       stream->id());
}

}  // namespace

BuiltModel::~BuiltModel() {
  UnbindAll();
}

void BuiltModel::Bind(const StreamRef& stream, bool is_head) {
  if (!stream->is_stored()) {
    Fail(kRtParamInvalid,
         "stream {} runs its tasks itself; a model takes streams that were created with "
         "ACL_STREAM_PERSISTENT (4)",
         stream->id());
  }
  if (&stream->context() != &context_ || !context_.IsCurrent(context_handle_))
    Fail(kRtModelContext, "the model was begun in another context than that of stream {}", stream->id());
  std::lock_guard<std::mutex> lock(mutex_);
  streams_.reserve(streams_.size() + 1);
  if (!stream->BindTo(shared_from_this())) {
    Fail(kRtStreamModel, "stream {} is bound to {} already; a stream belongs to one model", stream->id(),
         stream->binding().get() == this ? "this model" : "another model");
  }
  streams_.push_back({stream, is_head});
}

void BuiltModel::Unbind(const StreamRef& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const Bound& bound) { return bound.stream.handle == stream.handle; });
  if (found == streams_.end()) FailNotBound(stream);
  streams_.erase(found);
  stream->Unbind();
}

void BuiltModel::CheckBound(const StreamRef& stream) const {
  if (stream->binding().get() != this) FailNotBound(stream);
}

// A stream that was destroyed may be another one by now.
void BuiltModel::UnbindAll() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Bound& bound : streams_) {
    if (bound.stream->IsCurrent(bound.stream.handle)) bound.stream->Unbind();
  }
  streams_.clear();
}

std::vector<BuiltModel::Bound> BuiltModel::streams() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return streams_;
}

// Precondition: mutex_ is held.
bool BuiltModel::IsAsSeen() const {
  const auto is_same = [](const Seen& seen, const Bound& now) {
    const StreamRef& stream = now.stream;
    return seen.bound.stream.handle == stream.handle && seen.bound.is_head == now.is_head &&
           stream->IsCurrent(stream.handle) && stream->done() == seen.from && stream->queued() == seen.to;
  };
  return content_ && std::equal(seen_.begin(), seen_.end(), streams_.begin(), streams_.end(), is_same);
}

std::shared_ptr<Instance> BuiltModel::Content() {
  std::vector<Bound> streams;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (IsAsSeen()) return content_;
    streams = streams_;
  }
  std::vector<Seen> seen;
  ModelCopy copy(id_);
  for (const Bound& bound : streams) {
    const std::uint64_t from = bound.stream->done();
    seen.push_back({bound, from, from + copy.Add(bound.stream, bound.is_head)});
  }
  auto content = copy.Finish();
  content->set_end_callbacks(end_callbacks_);
  std::lock_guard<std::mutex> lock(mutex_);
  if (content_) content->run().TakeTurnsWith(content_->run());
  seen_ = std::move(seen);
  content_.swap(content);
  return content_;
}

std::shared_ptr<Instance> BuiltModel::ContentToRun() {
  const auto bound = streams();
  if (std::none_of(bound.begin(), bound.end(), [](const Bound& one) { return one.is_head; })) {
    Fail(kRtStreamModel,
         "no stream is bound to the model with ACL_MODEL_STREAM_FLAG_HEAD (0), so there is nothing a run "
         "could start "
         "with");
  }
  return Content();
}

std::shared_ptr<Instance> BuiltModel::last_content() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return content_;
}

std::shared_ptr<BuiltModel> BuiltModel::Of(const StreamRef& stream) {
  return std::dynamic_pointer_cast<BuiltModel>(stream->binding());
}

}  // namespace foothold
