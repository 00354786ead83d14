package org.grampus.perf.stream;

import java.io.IOException;
import org.grampus.perf.hadoop.Hdfs;
import org.grampus.perf.process.Daemon;
import org.grampus.perf.process.ProcSample;

/**
 * Processor time of all threads, in µs.
 *
 * @param client of this process, whose streams have threads of their own
 * @param dataNodes of all data nodes
 */
public record CpuMicros(long client, long dataNodes) {
  /** What the kernel has counted so far. */
  static CpuMicros of(Hdfs hdfs) throws IOException {
    long dataNodes = 0;
    for (Daemon dataNode : hdfs.dataNodes()) {
      dataNodes += ProcSample.of(dataNode.pid()).cpuMicros();
    }
    return new CpuMicros(ProcSample.of(ProcessHandle.current().pid()).cpuMicros(), dataNodes);
  }

  CpuMicros minus(CpuMicros earlier) {
    return new CpuMicros(client - earlier.client, dataNodes - earlier.dataNodes);
  }
}
