package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.grampus.compat.EngineBuffers;
import org.grampus.compat.filter.ComparatorWriter;
import org.grampus.compat.filter.FilterTreeWriter;

/**
 * HBase's Condition as the engine's. The operator keeps HBase's number and direction: the given
 * value is the left operand, the stored one the right.
 */
final class ConditionWriter {
  static final int COLUMN = 1;
  static final int FILTER = 2;
  static final int EMPTY = 3;
  static final int COMPARED = 4;

  private ConditionWriter() {}

  /** Writes the condition of a checkAndMutate, which compares the bytes of its comparator. */
  static void write(Condition condition, ByteBuf out) throws IOException {
    if (condition.hasFilter()) {
      filter(condition, out);
    } else {
      column(COLUMN, condition, out);
      out.writeByte(condition.getCompareType().getNumber());
      EngineBuffers.bytes(out, ComparatorWriter.conditionValue(condition.getComparator()));
    }
    timeRange(condition.getTimeRange(), out);
  }

  /**
   * Writes a condition of MutateRows, whose rules are HBase's MultiRowMutationEndpoint's: the
   * comparator itself compares; one without bytes holds where nothing or an empty value is stored,
   * whatever the operator.
   */
  static void writeMultiRow(Condition condition, ByteBuf out) throws IOException {
    if (condition.hasFilter()) {
      filter(condition, out);
    } else if (ComparatorWriter.conditionValue(condition.getComparator()).isEmpty()) {
      column(EMPTY, condition, out);
    } else {
      column(COMPARED, condition, out);
      out.writeByte(condition.getCompareType().getNumber());
      int start = EngineBuffers.beginBytes(out);
      ComparatorWriter.write(condition.getComparator(), out);
      EngineBuffers.endBytes(out, start);
    }
    timeRange(condition.getTimeRange(), out);
  }

  private static void filter(Condition condition, ByteBuf out) throws IOException {
    out.writeByte(FILTER);
    int start = EngineBuffers.beginBytes(out);
    FilterTreeWriter.write(condition.getFilter(), out);
    EngineBuffers.endBytes(out, start);
  }

  private static void column(int kind, Condition condition, ByteBuf out) {
    out.writeByte(kind);
    EngineBuffers.bytes(out, condition.getFamily());
    EngineBuffers.bytes(out, condition.getQualifier());
  }

  private static void timeRange(TimeRange range, ByteBuf out) {
    out.writeLongLE(range.hasFrom() ? range.getFrom() : 0);
    out.writeLongLE(range.hasTo() ? range.getTo() : Long.MAX_VALUE);
  }
}
