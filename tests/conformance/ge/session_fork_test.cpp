// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Processes that are forked from one with sessions: they have none of its threads, so its sessions are none
// of theirs, and they start anew.
#include <future>

#include "conformance/ge/graph_fixture.h"
#include "conformance/in_fork.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
Floats RunAsync(typename Generation::Session& session) {
  std::promise<Floats> values;
  EXPECT_GE_OK(session.RunGraphAsync(1, List(Generation::Make({2}, {1, 2})), [&](ge::Status, auto& outputs) {
    values.set_value(outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]));
  }));
  return values.get_future().get();
}

// As InFork, and the child leaves as programs do.
template <typename Body>
int InForkWithExit(Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    body();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return ExitStatusOf(child);
}

// Destroyed when the process exits, if it is there.
template <typename Generation>
std::unique_ptr<typename Generation::Session>& Kept() {
  static std::unique_ptr<typename Generation::Session> session;
  return session;
}

template <typename Generation>
class SessionFork : public testing::Test {
 protected:
  SessionFork() {
    Kept<Generation>() = std::make_unique<typename Generation::Session>(GeOptions{});
    EXPECT_GE_OK(session().AddGraph(1, AddGraphOf({2}, 1)));
    EXPECT_THAT(RunAsync<Generation>(session()), ElementsAre(2, 3));
  }
  ~SessionFork() override { Kept<Generation>().reset(); }
  typename Generation::Session& session() { return *Kept<Generation>(); }

  const Engine engine_;
};
TYPED_TEST_SUITE(SessionFork, Generations, GenerationNames);

TYPED_TEST(SessionFork, TheChildMayExit) {
  EXPECT_EQ(InForkWithExit([] {}), 0);
  EXPECT_THAT(RunAsync<TypeParam>(this->session()), ElementsAre(2, 3)) << "the parent goes on";
}

TYPED_TEST(SessionFork, TheChildMayDestroyWhatItInherited) {
  EXPECT_EQ(InForkWithExit([] { Kept<TypeParam>().reset(); }), 0);
}

TYPED_TEST(SessionFork, TheChildIsToldToInitialise) {
  const int status = InFork({}, [&] {
    std::vector<typename TypeParam::Tensor> outputs;
    EXPECT_EQ(this->session().RemoveGraph(1), ge::GE_CLI_GE_NOT_INITIALIZED);
    EXPECT_EQ(this->session().RunGraphAsync(1, List(TypeParam::Make({2}, {1, 2})), [](auto, auto&) {}),
              ge::GE_CLI_GE_NOT_INITIALIZED);
  });
  EXPECT_EQ(status, 0);
}

TYPED_TEST(SessionFork, ASessionOfTheParentIsRefused) {
  const int status = InForkWithExit([&] {
    const Engine engine;
    auto& session = this->session();
    std::vector<typename TypeParam::Tensor> outputs;
    const auto inputs = List(TypeParam::Make({2}, {1, 2}));
    EXPECT_REFUSED(ge::FAILED, "forked", session.RunGraphAsync(1, inputs, [](auto, auto&) { FAIL(); }));
    EXPECT_REFUSED(ge::FAILED, "forked", session.RunGraph(1, inputs, outputs));
    EXPECT_REFUSED(ge::FAILED, "forked", session.AddGraph(2, AddGraphOf({2}, 1)));
    EXPECT_REFUSED(ge::FAILED, "forked", session.RemoveGraph(1));
    EXPECT_GE_OK(session.UnregisterExternalAllocator(nullptr));
    EXPECT_TRUE(session.IsGraphNeedRebuild(1));
  });
  EXPECT_EQ(status, 0);
}

TYPED_TEST(SessionFork, ASessionOfTheChildRuns) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InForkWithExit([] {
    const Engine engine;
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 10)));
    EXPECT_THAT(RunAsync<TypeParam>(session), ElementsAre(11, 12));
    EXPECT_GE_OK(session.RemoveGraph(1));
  });
  EXPECT_EQ(status, 0);
}

// Whatever lock a thread of the parent holds at that moment, the child does not need it.
TYPED_TEST(SessionFork, MayHappenWhileGraphsRun) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      typename TypeParam::Session session{GeOptions{}};
      EXPECT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
      RunAsync<TypeParam>(session);
    }
  });
  for (int i = 0; i < 20; ++i) {
    const int status = InForkWithExit([] {
      const Engine engine;
      typename TypeParam::Session session{GeOptions{}};
      ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 10)));
      EXPECT_THAT(RunAsync<TypeParam>(session), ElementsAre(11, 12));
    });
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

}  // namespace
