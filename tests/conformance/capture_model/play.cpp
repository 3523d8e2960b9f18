// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/capture_model/play.h"

namespace capture_model {
namespace {

class Direct {
 public:
  Direct(const Program& program, const Streams& streams, World& world)
      : program_(program), streams_(streams), world_(world) {}

  // Nothing is queued before it and behind it.
  void Run(const Body& body, std::size_t depth) {
    for (const int condition : body.conditions) {
      const Condition& made = program_.conditions[static_cast<std::size_t>(condition)];
      if (made.assign) Write(condition, made.value);
    }
    for (const Step& step : body.steps)
      RunStep(step, depth);
    Synchronize();
  }

 private:
  void RunStep(const Step& step, std::size_t depth) {
    const auto& streams = streams_[depth];
    const aclrtStream stream = streams[static_cast<std::size_t>(step.stream)];
    if (!step.children.empty()) {
      Synchronize();
      RunChildren(step, depth + 1);
    } else if (step.kind == Kind::kGroup) {
      const int variant = world_.variants[static_cast<std::size_t>(step.id)];
      for (const Step& task : step.variants[static_cast<std::size_t>(variant)])
        world_.Queue(task, stream, stream);
    } else {
      world_.Queue(step, stream, streams[static_cast<std::size_t>(step.from)]);
    }
  }

  void RunChildren(const Step& step, std::size_t depth) {
    if (step.kind == Kind::kInstance) return Run(step.children[0], depth);
    if (step.kind == Kind::kWhile) {
      while (Read(step.id) != 0)
        Run(step.children[0], depth);
      return;
    }
    const std::uint64_t value = Read(step.id);
    const std::uint64_t chosen = step.kind == Kind::kSwitch ? value : value == 0 ? 1 : 0;
    if (chosen < step.children.size()) Run(step.children[chosen], depth);
  }

  void Synchronize() {
    for (const auto& streams : streams_)
      for (const aclrtStream stream : streams)
        EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  void Write(int condition, std::uint64_t value) {
    EXPECT_OK(aclrtMemcpy(world_.OwnCondition(condition), 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  std::uint64_t Read(int condition) {
    std::uint64_t value = 0;
    EXPECT_OK(aclrtMemcpy(&value, 8, world_.OwnCondition(condition), 8, ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
  }

  const Program& program_;
  const Streams& streams_;
  World& world_;
};

aclmdlRICondTaskType TypeOf(Kind kind) {
  return kind == Kind::kIf      ? ACL_MODEL_RI_COND_TYPE_IF
         : kind == Kind::kWhile ? ACL_MODEL_RI_COND_TYPE_WHILE
                                : ACL_MODEL_RI_COND_TYPE_SWITCH;
}

}  // namespace

void RunDirectly(const Program& program, const Streams& streams, World& world) {
  Direct(program, streams, world).Run(program.body, 0);
}

Capture::Capture(const Program& program, const Streams& streams, World& world)
    : program_(program), streams_(streams), world_(world) {
  instance_ = Take(program.body, 0, nullptr);
}

Capture::~Capture() {
  EXPECT_EQ(instance_, nullptr);
}

void Capture::Destroy() {
  EXPECT_OK(aclmdlRIDestroy(instance_));
  for (const aclmdlRI inner : inner_)
    EXPECT_OK(aclmdlRIDestroy(inner));
  instance_ = nullptr;
}

aclrtStream Capture::StreamOf(int depth, int stream) const {
  return streams_[static_cast<std::size_t>(depth)][static_cast<std::size_t>(stream)];
}

aclmdlRI Capture::Take(const Body& body, int depth, aclmdlRI child) {
  const aclrtStream stream = StreamOf(depth, 0);
  const auto mode = static_cast<aclmdlRICaptureMode>(program_.mode);
  if (child == nullptr) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
  } else {
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(stream, child, mode));
  }
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI model = nullptr, instance = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &model));
  for (const int index : body.conditions) {
    const Condition& made = program_.conditions[static_cast<std::size_t>(index)];
    aclmdlRICondHandle handle = nullptr;
    EXPECT_OK(aclmdlRICondHandleCreate(model, made.value,
                                       static_cast<aclmdlRICondHandleFlag>(made.assign ? 1 : 0), &handle));
    handles_[static_cast<std::size_t>(index)] = handle;
    EXPECT_OK(aclmdlRICondHandleGetCondPtr(handle, &world_.conditions[static_cast<std::size_t>(index)]));
  }
  for (const Step& step : body.steps)
    TakeStep(step, depth);
  std::vector<Late>& late = late_[static_cast<std::size_t>(depth)];
  for (const Late& left : late)
    TakeChildren(*left.step, depth, left.children);
  late.clear();
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(instance, model);
  return instance;
}

void Capture::TakeChildren(const Step& step, int depth, const std::vector<aclmdlRI>& children) {
  for (std::size_t i = 0; i < children.size(); ++i)
    Take(step.children[i], depth + 1, children[i]);
}

void Capture::TakeStep(const Step& step, int depth) {
  const aclrtStream stream = StreamOf(depth, step.stream);
  if (step.kind == Kind::kGroup) {
    groups_[static_cast<std::size_t>(step.id)] = &step;
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    for (const Step& task : step.variants[0])
      world_.Queue(task, stream, stream);
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &world_.groups[static_cast<std::size_t>(step.id)]));
  } else if (step.kind == Kind::kInstance) {
    inner_.push_back(Take(step.children[0], depth + 1, nullptr));
    EXPECT_OK(aclmdlRIExecuteAsync(inner_.back(), stream));
  } else if (!step.children.empty()) {
    std::vector<aclmdlRI> children(step.children.size(), nullptr);
    EXPECT_OK(aclmdlRIAddCondTask({handles_[static_cast<std::size_t>(step.id)], TypeOf(step.kind),
                                   static_cast<std::uint32_t>(children.size()), children.data()},
                                  stream, 0));
    if (step.late) {
      late_[static_cast<std::size_t>(depth)].push_back({&step, std::move(children)});
    } else {
      TakeChildren(step, depth, children);
    }
  } else {
    world_.Queue(step, stream, StreamOf(depth, step.from));
  }
}

void Capture::Update(const std::vector<int>& variants, aclrtStream stream) {
  for (std::size_t group = 0; group < variants.size(); ++group) {
    if (variants[group] < 0) continue;
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream, world_.groups[group]));
    for (const Step& task : groups_[group]->variants[static_cast<std::size_t>(variants[group])])
      world_.Queue(task, stream, stream);
    EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream));
  }
}

}  // namespace capture_model
