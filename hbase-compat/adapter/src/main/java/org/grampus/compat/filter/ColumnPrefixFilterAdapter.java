package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** ColumnPrefixFilter: columns with a prefix. */
final class ColumnPrefixFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ColumnPrefixFilter proto = FilterProtos.ColumnPrefixFilter.parseFrom(fields);
    EngineBuffers.bytes(tree.tag(FilterTag.COLUMN_PREFIX), proto.getPrefix());
    return false;
  }
}
