package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Takes turns by a clock and a count of processor time.
 *
 * @param clock in nanoseconds
 * @param cpu of the processes that write and keep the file
 */
record TurnMeter(LongSupplier clock, Cpu cpu) {
  /** Processor time so far. */
  @FunctionalInterface
  interface Cpu {
    CpuMicros now() throws IOException;
  }

  /**
   * Writes one group again and again, until the time is over or the file is full. The first one is
   * in no figure: with it the pipeline stream asks for its block, connects to the data nodes and
   * calls the name node once more, which the fan-out stream has done before.
   *
   * @param inFlight groups that may be on their way at once
   * @param groupsMax that the file holds, the first one included
   */
  Turn measure(LogStream out, ByteBuffer group, int inFlight, long groupsMax, long nanosMax)
      throws IOException {
    FutureUtils.get(out.append(group.duplicate()));
    GroupWriter writer = new GroupWriter(out, inFlight, clock);
    CpuMicros cpuBefore = cpu.now();
    long begun = clock.getAsLong();
    Histogram latencies = writer.write(group, groupsMax - 1, nanosMax);
    long nanos = clock.getAsLong() - begun;
    return new Turn(latencies, nanos, cpu.now().minus(cpuBefore));
  }
}
