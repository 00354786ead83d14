package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** ColumnRangeFilter: columns between two names. */
final class ColumnRangeFilterAdapter implements FilterAdapter {
  private static final int HAS_MIN = 1;
  private static final int MIN_INCLUSIVE = 2;
  private static final int HAS_MAX = 4;
  private static final int MAX_INCLUSIVE = 8;

  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ColumnRangeFilter proto = FilterProtos.ColumnRangeFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.COLUMN_RANGE);
    int flags = 0;
    flags |= proto.hasMinColumn() ? HAS_MIN : 0;
    flags |= proto.getMinColumnInclusive() ? MIN_INCLUSIVE : 0;
    flags |= proto.hasMaxColumn() ? HAS_MAX : 0;
    flags |= proto.getMaxColumnInclusive() ? MAX_INCLUSIVE : 0;
    out.writeByte(flags);
    EngineBuffers.bytes(out, proto.getMinColumn());
    EngineBuffers.bytes(out, proto.getMaxColumn());
    return false;
  }
}
