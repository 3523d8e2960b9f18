# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# The commands of the project. Each first installs the packages it needs (tools/setup.sh), then builds with the CMake
# presets into build/.
#
#   make demo       build the toolkit tree and run the demonstration
#   make test       build and run all tests
#   make toolkit    the tree programs build and run against: build/toolkit
#   make alone-check    every source file and every header compiles by itself, not only in the batches of the build
#   make package    Debian packages and the self-contained tarball: build/packages
#   make package-check  the packages, installed and used in fresh systems
#   make bench      build and run the benchmarks
#   make training-check  losses of 100 steps of training beside PyTorch's, and how long they take
#   make zoo-check  the outputs of common networks beside ONNX Runtime's
#   make dump-check what every operator of small networks computes, as a dump, beside ONNX Runtime's
#   make ggml-check nodes of language models, as llama.cpp computes them through aclnn, beside ggml's library
#   make cluster-check  collectives of ranks on several hosts, which are namespaces of this machine; needs root
#   make hccl-check every collective with every type, operation, size and number of ranks, and long runs that must not grow
#   make media-check  scaled and converted pictures beside OpenCV's, and 10,000 channels of each kind that must not grow
#   make check-oracle   10,000 random programs under the checking mode, beside an oracle; CHECK_PROGRAMS for others
#   make check-seeds    every program of tests/check under the schedules early, late and 0 to 9
#   make faults-check   every allocation of every example fails once
#   make browser-check  pages of foothold dump diff in Chromium
#   make check-silence  examples, clients, conformance, stress and the demo under the checking mode: it must say nothing
#   make kernels-check  unit and operator tests with the kernels of every instruction set this machine can run
#   make aarch64-check  kernel tests for 64-bit Arm, under qemu
#   make asan       unit and conformance tests with the address and undefined-behaviour sanitizers
#   make tsan       the same with the thread sanitizer
#   make locks-check  the same with a library that ends where it calls the program with a lock held
#   make addresses-check  the same with a library whose device addresses lie where nothing is
#   make fuzz       every fuzzer for FUZZ_SECONDS
#   make coverage   line coverage of the unit and conformance tests: build/coverage/report.html
#   make format     clang-format on all C and C++ files
#   make train-chat train the language model of examples/aclnn_chat again
#   make clean      remove build/
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 30
# Of a build: the steps done, how many there are, and the seconds so far.
export NINJA_STATUS ?= [%f of %t, %e s] 
BUILD = cmake --build build/release --parallel $(JOBS)
CTEST = ctest --output-on-failure --parallel $(JOBS)

# Steps build on each other; the builds inside them are parallel.
.NOTPARALLEL:
SETUPS = setup-aarch64 setup-bench setup-browser setup-chat setup-cluster setup-coverage setup-fuzz setup-media \
  setup-package setup-training setup-zoo
.PHONY: $(SETUPS) demo test toolkit alone-check build/release/bench/offered bench zoo-check dump-check ggml-check asan \
  tsan locks-check addresses-check fuzz coverage format train-chat clean setup browser-check aarch64-check package \
  training-check \
  package-check cluster-check hccl-check media-check check-oracle check-seeds faults-check \
  check-silence kernels-check

test: build/release/build.ninja
	@echo "1 of 2: the library, its tools and the tests are built. Next: the tests are run."
	@$(BUILD)
	@echo "2 of 2: the tests are run."
	@$(CTEST) --test-dir build/release

toolkit: build/release/build.ninja
	@$(BUILD) --target toolkit

demo: build/release/build.ninja
	@echo "1 of 2: the library and its tools are built. Next: examples are built against them and run."
	@$(BUILD) --target toolkit
	@echo "2 of 2: examples are built and run."
	@tools/demo.sh

alone-check: build/alone/build.ninja
	@cmake --build build/alone --parallel $(JOBS) --target generated_sources
	@/usr/bin/python3 tools/alone_check.py build/alone

# The benchmarks are part of the one build, offered once their peers are installed.
build/release/bench/offered: setup-bench build/release/build.ninja
	@tools/peers.sh
	@cmake build/release -DFOOTHOLD_BENCH=ON >/dev/null

bench: build/release/bench/offered
	@$(BUILD) --target benches
	@tools/run_each.sh 'benchmark' build/release/bench '*_bench'
	@/usr/bin/python3 tools/bench_plot.py bench/results.md bench/results.svg

zoo-check: setup-zoo build/release/bench/offered
	@[ -d build/zoo ] || /usr/bin/python3 tools/zoo/make_zoo.py build/zoo
	@[ -d build/zoo_int8 ] || /usr/bin/python3 tools/zoo/make_zoo.py --int8 build/zoo_int8
	@[ -d build/zoo_batch8 ] || /usr/bin/python3 tools/zoo/make_zoo.py --batch 8 build/zoo_batch8
	@$(BUILD) --target zoo_check
	@build/release/bench/zoo_check build/zoo

training-check: setup-training build/release/bench/offered
	@$(BUILD) --target training_bench
	@build/release/bench/training_bench --only digits resnet18_32 transformer4

dump-check: build/release/bench/offered
	@$(BUILD) --target dump_check foothold_cli
	@for network in tests/zoo/tiny/*; do build/release/bench/dump_check $$network || exit 1; done
	@/usr/bin/python3 tests/tools/dump_test.py build/release/bin/foothold

cluster-check: setup-cluster build/release/build.ninja
	@$(BUILD) --target foothold conformance_tests
	@/usr/bin/python3 tests/cluster/cluster_check.py

ggml-check: build/release/bench/offered
	@$(BUILD) --target ggml_check
	@build/release/bench/ggml_check

hccl-check: build/release/build.ninja
	@$(BUILD) --target conformance_tests
	@FOOTHOLD_HCCL_MATRIX=1 CONFORMANCE_SECONDS=1200 build/release/tests/conformance_tests --gtest_filter='*HcclMatrix*:HcclLong.*'

media-check: setup-media build/release/build.ninja
	@cmake build/release -DFOOTHOLD_MEDIA_CHECK=ON >/dev/null
	@$(BUILD) --target media_check conformance_tests
	@build/release/tests/media_check/media_check --gtest_brief=1
	@FOOTHOLD_MEDIA_CHANNELS=10000 build/release/tests/conformance_tests --gtest_brief=1 \
	  --gtest_filter='VideoLifetime.ManyChannels*:MpiLifetime.ManyChannels*'

CHECK_PROGRAMS ?= 10000
check-oracle: build/release/build.ninja
	@$(BUILD) --target random_programs
	@/usr/bin/python3 tests/check/random_test.py build/release/tests/check/random_programs $(CHECK_PROGRAMS) "" early late 0 1 2

check-seeds: build/release/build.ninja
	@$(BUILD) --target checked_programs foothold_cli
	@/usr/bin/python3 tests/check/check_test.py build/release/bin/foothold build/release/tests/check/checked_programs . AllSchedules

faults-check: toolkit
	@tools/faults_check.py build/toolkit build/faults

browser-check: setup-browser build/release/build.ninja
	@$(BUILD) --target foothold_cli checked_programs
	@/usr/bin/python3 tools/browser_check.py build/release/bin/foothold build/release/tests/check/checked_programs

check-silence: build/release/build.ninja
	@$(BUILD)
	@/usr/bin/python3 tests/check/silence.py build/release tests '^(clients|examples|stress|install)'
	@/usr/bin/python3 tests/check/silence.py build/release conformance
	@$(BUILD) --target toolkit
	@/usr/bin/python3 tests/check/silence.py build/release demo

kernels-check: build/kernels/build.ninja
	@cmake --build build/kernels --parallel $(JOBS) --target unit_tests operator_tests
	@tools/kernels_check.sh build/kernels

aarch64-check: setup-aarch64
	@cmake -S tests/aarch64 -B build/aarch64 -G Ninja >/dev/null
	@cmake --build build/aarch64 --parallel $(JOBS)
	@ctest --test-dir build/aarch64 --output-on-failure

package: setup-package
	@JOBS=$(JOBS) packaging/package.sh

package-check: package
	@packaging/check/run.sh build/packages

asan: build/asan/build.ninja
	@cmake --build --preset asan --parallel $(JOBS) --target runtime_tests
	@$(CTEST) --test-dir build/asan --label-regex runtime

tsan: build/tsan/build.ninja
	@cmake --build --preset tsan --parallel $(JOBS) --target runtime_tests
	@$(CTEST) --test-dir build/tsan --label-regex runtime

locks-check: build/locks/build.ninja
	@cmake --build --preset locks --parallel $(JOBS) --target runtime_tests
	@$(CTEST) --test-dir build/locks --label-regex runtime

addresses-check: build/addresses/build.ninja
	@cmake --build --preset addresses --parallel $(JOBS) --target runtime_tests
	@$(CTEST) --test-dir build/addresses --label-regex runtime

fuzz: setup-fuzz build/fuzz/build.ninja
	@cmake --build --preset fuzz --parallel $(JOBS) --target fuzzers
	@tools/fuzz.sh $(FUZZ_SECONDS)

coverage: setup-coverage build/coverage/build.ninja
	@find build/coverage -name '*.gcda' -delete
	@cmake --build --preset coverage --parallel $(JOBS) --target runtime_tests
	@$(CTEST) --test-dir build/coverage --label-regex runtime
	@gcovr --root . --filter src/ --html-details build/coverage/report.html --print-summary build/coverage

format: setup
	@git ls-files -z --cached --others --exclude-standard '*.c' '*.h' '*.cpp' | xargs -0 clang-format -i

train-chat: setup-chat
	@examples/aclnn_chat/train.py

clean:
	rm -rf build

# Ninja runs CMake again when a CMake file changes; only the presets are not known to it.
build/%/build.ninja: CMakePresets.json | setup
	@cmake --preset $*
	@touch $@

setup:
	@tools/setup.sh
$(SETUPS): setup-%:
	@tools/setup.sh $*
