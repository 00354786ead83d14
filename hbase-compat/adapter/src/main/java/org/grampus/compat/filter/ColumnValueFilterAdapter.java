package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** ColumnValueFilter: returns one column where its value matches. */
final class ColumnValueFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ColumnValueFilter proto = FilterProtos.ColumnValueFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.COLUMN_VALUE);
    EngineBuffers.bytes(out, proto.getFamily());
    EngineBuffers.bytes(out, proto.getQualifier());
    tree.compare(proto.getCompareOp(), proto.getComparator());
    return false;
  }
}
