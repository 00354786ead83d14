package org.grampus.perf.stream;

import java.util.List;
import java.util.stream.Stream;

/**
 * A way to write a log.
 *
 * @param groupKb size of a group, in KiB
 * @param sync what is waited for
 * @param stream whose
 * @param inFlight groups that may be on their way at once
 */
public record Way(int groupKb, Sync sync, StreamKind stream, int inFlight) {
  private static final int SHORT_OF_CHUNK = 7;

  /**
   * All that the streams offer; those that answer the same question are neighbours.
   *
   * @param groupKbs sizes of groups
   * @param inFlight groups of the fan-out stream at once, beside one alone
   */
  public static List<Way> all(List<Integer> groupKbs, int inFlight) {
    return groupKbs.stream().flatMap(kb -> ofSize(kb, inFlight)).distinct().toList();
  }

  /** The stock stream waits in its calls; a second sync of the fan-out stream does nothing. */
  private static Stream<Way> ofSize(int kb, int inFlight) {
    return Stream.of(
        new Way(kb, Sync.HFLUSH, StreamKind.STOCK, 1),
        new Way(kb, Sync.HFLUSH, StreamKind.FAN_OUT, 1),
        new Way(kb, Sync.HFLUSH, StreamKind.FAN_OUT, inFlight),
        new Way(kb, Sync.HFLUSH_HSYNC, StreamKind.STOCK, 1),
        new Way(kb, Sync.HSYNC, StreamKind.STOCK, 1),
        new Way(kb, Sync.HSYNC, StreamKind.FAN_OUT, 1),
        new Way(kb, Sync.HSYNC, StreamKind.FAN_OUT, inFlight));
  }

  /** As a log's groups, one ends within a chunk that HDFS has a checksum of. */
  int groupBytes() {
    return (groupKb << 10) - SHORT_OF_CHUNK;
  }

  @Override
  public String toString() {
    return stream + ", " + sync + ", " + groupKb + " KB, " + inFlight + " in flight";
  }
}
