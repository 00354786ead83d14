package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** MultiRowRangeFilter: rows of several ranges, which HBase's own class sorts and merges. */
final class MultiRowRangeFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    List<RowRange> ranges = ranges(fields);
    ByteBuf out = tree.tag(FilterTag.MULTI_ROW_RANGE);
    out.writeIntLE(ranges.size());
    for (RowRange range : ranges) {
      EngineBuffers.bytes(out, range.getStartRow());
      EngineBuffers.flag(out, range.isStartRowInclusive());
      EngineBuffers.bytes(out, range.getStopRow());
      EngineBuffers.flag(out, range.isStopRowInclusive());
    }
    return false;
  }

  private static List<RowRange> ranges(ByteString fields) throws DoNotRetryIOException {
    try {
      return MultiRowRangeFilter.parseFrom(fields.toByteArray()).getRowRanges();
    } catch (DeserializationException | IllegalArgumentException e) {
      throw new DoNotRetryIOException("Malformed MultiRowRangeFilter: " + e.getMessage(), e);
    }
  }
}
