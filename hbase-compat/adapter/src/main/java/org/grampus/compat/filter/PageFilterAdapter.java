package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** PageFilter: a number of rows per region. */
final class PageFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.PageFilter proto = FilterProtos.PageFilter.parseFrom(fields);
    tree.tag(FilterTag.PAGE).writeLongLE(proto.getPageSize());
    return true;
  }
}
