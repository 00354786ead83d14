package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** RowFilter: compares the row key. */
final class RowFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.RowFilter proto = FilterProtos.RowFilter.parseFrom(fields);
    tree.tag(FilterTag.ROW);
    tree.compare(proto.getCompareFilter());
    return false;
  }
}
