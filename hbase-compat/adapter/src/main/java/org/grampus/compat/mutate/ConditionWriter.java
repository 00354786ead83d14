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

  private ConditionWriter() {}

  static void write(Condition condition, ByteBuf out) throws IOException {
    if (condition.hasFilter()) {
      out.writeByte(FILTER);
      int start = EngineBuffers.beginBytes(out);
      FilterTreeWriter.write(condition.getFilter(), out);
      EngineBuffers.endBytes(out, start);
    } else {
      out.writeByte(COLUMN);
      EngineBuffers.bytes(out, condition.getFamily());
      EngineBuffers.bytes(out, condition.getQualifier());
      out.writeByte(condition.getCompareType().getNumber());
      EngineBuffers.bytes(out, ComparatorWriter.conditionValue(condition.getComparator()));
    }
    TimeRange range = condition.getTimeRange();
    out.writeLongLE(range.hasFrom() ? range.getFrom() : 0);
    out.writeLongLE(range.hasTo() ? range.getTo() : Long.MAX_VALUE);
  }
}
