package org.grampus.spark.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** A set of byte strings in their unsigned order: ranges, ascending and apart. Immutable. */
public final class ByteRanges {
  /**
   * Byte strings from one on and before another.
   *
   * @param stop null = no end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Range(byte[] start, byte[] stop) {
    /** Whether it has one byte string only. */
    public boolean isPoint() {
      return stop != null
          && stop.length == start.length + 1
          && stop[start.length] == 0
          && Arrays.equals(stop, 0, start.length, start, 0, start.length);
    }
  }

  private static final byte[] FIRST = {};

  /** All byte strings. */
  public static final ByteRanges ALL = new ByteRanges(List.of(new Range(FIRST, null)));

  /** None. */
  public static final ByteRanges NONE = new ByteRanges(List.of());

  private final List<Range> ranges;

  private ByteRanges(List<Range> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /** Those from one on. */
  static ByteRanges from(byte[] start) {
    return new ByteRanges(List.of(new Range(start, null)));
  }

  /** One alone. */
  static ByteRanges point(byte[] value) {
    return new ByteRanges(List.of(new Range(value, after(value))));
  }

  /** Those that begin with one. */
  static ByteRanges prefix(byte[] prefix) {
    byte[] stop = Arrays.copyOf(prefix, prefix.length);
    for (int i = stop.length - 1; i >= 0; i--) {
      if (++stop[i] != 0) {
        return new ByteRanges(List.of(new Range(prefix, Arrays.copyOf(stop, i + 1))));
      }
    }
    return from(prefix);
  }

  /** The one that follows. */
  static byte[] after(byte[] value) {
    return Arrays.copyOf(value, value.length + 1);
  }

  /** The ranges, ascending and apart. */
  public List<Range> ranges() {
    return ranges;
  }

  /** Whether every byte string is in it. */
  public boolean isAll() {
    return ranges.size() == 1 && ranges.get(0).start().length == 0 && ranges.get(0).stop() == null;
  }

  /**
   * Whether any byte string is in it that is not before one and is before another.
   *
   * @param stop empty = no end
   */
  public boolean meets(byte[] start, byte[] stop) {
    return ranges.stream()
        .anyMatch(
            range ->
                (range.stop() == null || Bytes.compareTo(start, range.stop()) < 0)
                    && (stop.length == 0 || Bytes.compareTo(range.start(), stop) < 0));
  }

  /** Those that are not in it. */
  ByteRanges complement() {
    List<Range> others = new ArrayList<>();
    byte[] start = FIRST;
    for (Range range : ranges) {
      if (Bytes.compareTo(start, range.start()) < 0) {
        others.add(new Range(start, range.start()));
      }
      start = range.stop();
    }
    if (start != null) {
      others.add(new Range(start, null));
    }
    return new ByteRanges(others);
  }

  /** Those that are in either. */
  ByteRanges or(ByteRanges other) {
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(other.ranges);
    all.sort((a, b) -> Bytes.compareTo(a.start(), b.start()));
    List<Range> joined = new ArrayList<>();
    for (Range range : all) {
      int last = joined.size() - 1;
      if (last >= 0 && meets(joined.get(last), range)) {
        joined.set(last, new Range(joined.get(last).start(), later(joined.get(last), range)));
      } else {
        joined.add(range);
      }
    }
    return new ByteRanges(joined);
  }

  private static boolean meets(Range before, Range after) {
    return before.stop() == null || Bytes.compareTo(after.start(), before.stop()) <= 0;
  }

  private static byte[] later(Range a, Range b) {
    if (a.stop() == null || b.stop() == null) {
      return null;
    }
    return Bytes.compareTo(a.stop(), b.stop()) >= 0 ? a.stop() : b.stop();
  }

  /** Those that are in both. */
  ByteRanges and(ByteRanges other) {
    return complement().or(other.complement()).complement();
  }

  /** As HBase's shell shows them. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Range range : ranges) {
      text.append(text.isEmpty() ? "" : " ").append(shown(range));
    }
    return ranges.isEmpty() ? "none" : text.toString();
  }

  private static String shown(Range range) {
    String start = Bytes.toStringBinary(range.start());
    if (range.isPoint()) {
      return "{" + start + "}";
    }
    return "["
        + start
        + ", "
        + (range.stop() == null ? "" : Bytes.toStringBinary(range.stop()))
        + ")";
  }
}
