package org.grampus.perf.stream;

import java.util.List;
import java.util.stream.Stream;

/**
 * One of the things that are compared: a stream, and how groups are written to it.
 *
 * @param groupKib size of a group, in KiB
 * @param sync calls after which a group is acknowledged
 * @param stream its class
 * @param inFlight groups that may be on their way at once
 */
public record Variant(int groupKib, SyncCalls sync, StreamKind stream, int inFlight) {
  /**
   * How many bytes a group is short of its size. Odd: of 512 groups in a row 511 end inside a chunk
   * of 512 bytes, which HDFS has a checksum of, as a log's groups do.
   */
  private static final int SHORT_BYTES = 7;

  /**
   * All that the streams offer, in the order of the table: those that answer the same question are
   * neighbours.
   *
   * @param groupKibs sizes of groups, in KiB
   * @param inFlight groups of the fan-out stream at once, beside one alone
   */
  public static List<Variant> all(List<Integer> groupKibs, int inFlight) {
    return groupKibs.stream().flatMap(kib -> ofSize(kib, inFlight)).distinct().toList();
  }

  /** The pipeline stream waits in its calls; a second sync of the fan-out stream does nothing. */
  private static Stream<Variant> ofSize(int kib, int inFlight) {
    return Stream.of(
        new Variant(kib, SyncCalls.HFLUSH, StreamKind.PIPELINE, 1),
        new Variant(kib, SyncCalls.HFLUSH, StreamKind.FAN_OUT, 1),
        new Variant(kib, SyncCalls.HFLUSH, StreamKind.FAN_OUT, inFlight),
        new Variant(kib, SyncCalls.HFLUSH_HSYNC, StreamKind.PIPELINE, 1),
        new Variant(kib, SyncCalls.HSYNC, StreamKind.PIPELINE, 1),
        new Variant(kib, SyncCalls.HSYNC, StreamKind.FAN_OUT, 1),
        new Variant(kib, SyncCalls.HSYNC, StreamKind.FAN_OUT, inFlight));
  }

  int groupBytes() {
    return (groupKib << 10) - SHORT_BYTES;
  }

  @Override
  public String toString() {
    return stream + ", " + sync + ", " + groupKib + " KiB, " + inFlight + " in flight";
  }
}
