package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** ColumnCountGetFilter: the first columns of a row. */
final class ColumnCountGetFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ColumnCountGetFilter proto = FilterProtos.ColumnCountGetFilter.parseFrom(fields);
    tree.tag(FilterTag.COLUMN_COUNT_GET).writeIntLE(proto.getLimit());
    return false;
  }
}
