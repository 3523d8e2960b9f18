// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/steps.h"

#include <gtest/gtest.h>

#include "capture/instance.h"
#include "capture/joins.h"
#include "capture/mark.h"
#include "capture/task_list.h"
#include "device/task_form.h"

namespace foothold {
namespace {

class Body {
 public:
  static constexpr bool kReplays = true;
  explicit Body(Place::Kind kind, std::size_t bytes = 0) : kind_(kind), bytes_(bytes) {}
  Outcome Run(Stream&) { return Outcome::kDone; }
  std::string Describe() const { return {}; }
  Place place() const { return {kind_}; }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({nullptr, bytes_, Use::kRead, Extent::kExact, 0});
  }

 private:
  Place::Kind kind_;
  std::size_t bytes_;
};

class WaitingBody : public Body {
 public:
  static constexpr bool kSuspends = true;
  WaitingBody() : Body(Place::kAnywhere) {}
};

template <typename Kind>
Task& Put(TaskList& tasks, std::uint32_t id, Kind body) {
  Task& task = tasks.Reserve();
  task.type = &TaskTypeOf<Kind>::kType;
  task.api = "test";
  task.thread = 0;
  task.id = id;
  ::new (task.room) Kind(std::move(body));
  tasks.Commit();
  return task;
}

std::vector<LaneStep::Kind> KindsOf(const LaneSteps& steps) {
  std::vector<LaneStep::Kind> kinds;
  for (std::size_t i = 0; i < steps.size(); ++i)
    kinds.push_back(steps[i].kind);
  return kinds;
}

using enum LaneStep::Kind;

TEST(LaneSteps, JoinNeighboursThatAnyThreadRuns) {
  TaskList tasks;
  for (int i = 0; i < 5; ++i)
    Put(tasks, 0, Body(Place::kAnywhere));
  Put(tasks, 0, Body(Place::kUnhurried));
  LaneSteps steps;
  tasks.ForEach([&](Task& task) { steps.Append(task); });
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].last - steps[0].first, 6);
  EXPECT_TRUE(steps[0].is_long);
  EXPECT_TRUE(steps.only_tight());
  EXPECT_FALSE(steps.is_short());
}

TEST(LaneSteps, LeaveAloneWhatWaitsOrBelongsToAThread) {
  TaskList tasks;
  Put(tasks, 0, Body(Place::kAnywhere));
  Put(tasks, 1, WaitingBody());
  Put(tasks, 2, Body(Place::kWorker));
  Put(tasks, 3, Body(Place::kAnywhere));
  LaneSteps steps;
  tasks.ForEach([&](Task& task) { steps.Append(task); });
  EXPECT_EQ(KindsOf(steps), (std::vector{kTight, kAlone, kAlone, kTight}));
  EXPECT_FALSE(steps.only_tight());
}

TEST(LaneSteps, CrossBlocksOfTheList) {
  TaskList tasks;
  for (std::uint32_t i = 0; i < 5000; ++i)
    Put(tasks, i, Body(Place::kAnywhere));
  LaneSteps steps;
  std::uint32_t next = 0;
  tasks.ForEach([&](Task& task) {
    EXPECT_EQ(task.id, next++);
    steps.Append(task);
  });
  std::ptrdiff_t all = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    all += steps[i].last - steps[i].first;
  EXPECT_EQ(all, 5000);
  EXPECT_LT(steps.size(), 12u);
}

// Any two of these can be run as one.
class JoiningBody : public Body {
 public:
  JoiningBody() : Body(Place::kAnywhere) {}
  static std::unique_ptr<JoinedTasks> Join(std::span<Task> tasks) {
    struct Two : JoinedTasks {
      std::size_t size() const noexcept override { return 2; }
      bool Run() override { return true; }
    };
    return tasks.size() < 2 ? nullptr : std::make_unique<Two>();
  }
  static const TaskForm kForm;
};
const TaskForm JoiningBody::kForm{TaskKind::kOther, nullptr, nullptr, nullptr, &JoiningBody::Join};

TEST(LaneSteps, AreDividedWhereTasksAreRunAsOne) {
  TaskList tasks;
  Put(tasks, 0, Body(Place::kAnywhere));
  for (std::uint32_t i = 1; i < 6; ++i)
    Put(tasks, i, JoiningBody());
  Put(tasks, 6, WaitingBody());
  Put(tasks, 7, JoiningBody());
  LaneSteps steps;
  tasks.ForEach([&](Task& task) { steps.Append(task); });
  steps.Join();
  EXPECT_EQ(KindsOf(steps), (std::vector{kTight, kTight, kTight, kTight, kAlone, kTight}));
  std::vector<std::ptrdiff_t> sizes;
  std::vector<bool> joined;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sizes.push_back(steps[i].last - steps[i].first);
    joined.push_back(steps[i].joined != nullptr);
  }
  EXPECT_EQ(sizes, (std::vector<std::ptrdiff_t>{1, 2, 2, 1, 1, 1}));
  EXPECT_EQ(joined, (std::vector{false, true, true, false, false, false}));
}

// Two lanes: the second begins at a mark of the first, which waits for its end.
struct Forked {
  explicit Forked(const Body& body, bool joined = true) {
    instance->BeginFilling();
    Lane& first = instance->AddLane({});
    Lane& second = instance->AddLane({});
    const auto fork = std::make_shared<Mark>(), join = std::make_shared<Mark>();
    join->lane = 1;
    Control(first, std::make_shared<RecordMark>(fork));
    Put(first.tasks, instance->NextTaskId(), body);
    Control(second, std::make_shared<WaitForMark>(fork));
    Put(second.tasks, instance->NextTaskId(), body);
    Control(second, std::make_shared<RecordMark>(join));
    if (!joined) Put(second.tasks, instance->NextTaskId(), body);
    Control(first, std::make_shared<WaitForMark>(join));
    Put(first.tasks, instance->NextTaskId(), body);
  }
  void Control(Lane& lane, std::shared_ptr<foothold::Control> control) {
    Put(lane.tasks, instance->NextTaskId(), ControlTask(std::move(control)));
  }
  const std::shared_ptr<Instance> instance = std::make_shared<Instance>();
};

TEST(Instance, RunsLittleWorkAsOneLine) {
  Forked forked(Body(Place::kAnywhere));
  CheckJoined(*forked.instance);
  forked.instance->Prepare();
  EXPECT_TRUE(forked.instance->is_line());
  std::uint32_t last = 0;
  const LaneSteps& line = forked.instance->first_steps();
  for (std::size_t i = 0; i < line.size(); ++i) {
    EXPECT_EQ(line[i].kind, kTight);
    EXPECT_GE(line[i].first->id, last);
    last = line[i].first->id;
  }
  EXPECT_EQ(line.size(), 3u);
}

TEST(Instance, RunsMuchWorkInLanes) {
  Forked forked(Body(Place::kUnhurried, 64 << 20));
  forked.instance->Prepare();
  EXPECT_FALSE(forked.instance->is_line());
  EXPECT_EQ(KindsOf(forked.instance->steps_of(0)), (std::vector{kControl, kTight, kControl, kTight}));
  EXPECT_EQ(KindsOf(forked.instance->steps_of(1)), (std::vector{kTight, kControl}));  // started by the mark
}

TEST(Instance, SaysWhatWasNotJoined) {
  const Forked forked(Body(Place::kAnywhere), false);
  try {
    CheckJoined(*forked.instance);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtStreamUnjoined);
  }
}

TEST(Instance, IsFilledOnce) {
  const auto instance = std::make_shared<Instance>();
  EXPECT_THROW(instance->CheckReady(), Error);
  instance->BeginFilling();
  EXPECT_THROW(instance->BeginFilling(), Error);
  instance->AddLane({});
  instance->GiveUp();
  instance->BeginFilling();
  instance->AddLane({});
  instance->Prepare();
  instance->CheckReady();
  EXPECT_THROW(instance->BeginFilling(), Error);
}

}  // namespace
}  // namespace foothold
