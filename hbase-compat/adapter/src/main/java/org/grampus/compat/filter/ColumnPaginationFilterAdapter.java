package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** ColumnPaginationFilter: a page of columns, by number or from a column on. */
final class ColumnPaginationFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ColumnPaginationFilter proto =
        FilterProtos.ColumnPaginationFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.COLUMN_PAGINATION);
    out.writeIntLE(proto.getLimit());
    out.writeIntLE(proto.getOffset());
    EngineBuffers.flag(out, proto.hasColumnOffset());
    EngineBuffers.bytes(out, proto.getColumnOffset());
    return false;
  }
}
