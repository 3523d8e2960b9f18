// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// mpi_peer allreduce|allgather|alltoall BYTES TIMES [BATCH]: what hccl_bench measures, by MPI. Rank 0 prints
// the least of the seconds one takes.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) return 1;
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string operation = argv[1];
  const std::size_t count = std::strtoull(argv[2], nullptr, 10) / sizeof(float);
  const int times = std::atoi(argv[3]), batch = argc > 4 ? std::atoi(argv[4]) : 1;
  const int part = static_cast<int>(count / static_cast<std::size_t>(ranks)), all = static_cast<int>(count);
  std::vector<float> from(count, 1), to(count, 0);
  std::vector<double> seconds;
  for (int i = -2; i < times; ++i) {  // the first two are not counted
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int k = 0; k < batch; ++k) {
      if (operation == "allreduce")
        MPI_Allreduce(from.data(), to.data(), all, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      else if (operation == "allgather")
        MPI_Allgather(from.data(), part, MPI_FLOAT, to.data(), part, MPI_FLOAT, MPI_COMM_WORLD);
      else
        MPI_Alltoall(from.data(), part, MPI_FLOAT, to.data(), part, MPI_FLOAT, MPI_COMM_WORLD);
    }
    if (i >= 0) seconds.push_back((MPI_Wtime() - begin) / batch);
  }
  std::sort(seconds.begin(), seconds.end());
  if (rank == 0) std::printf("%.9f\n", seconds.front());
  MPI_Finalize();
  return 0;
}
