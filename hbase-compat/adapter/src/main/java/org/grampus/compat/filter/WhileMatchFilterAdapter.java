package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** WhileMatchFilter: ends the scan where its filter first drops something. */
final class WhileMatchFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.WhileMatchFilter proto = FilterProtos.WhileMatchFilter.parseFrom(fields);
    tree.tag(FilterTag.WHILE_MATCH);
    tree.write(proto.getFilter());
    return true;
  }
}
