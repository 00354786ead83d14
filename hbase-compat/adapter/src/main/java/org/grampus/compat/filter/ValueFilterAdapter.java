package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** ValueFilter: compares the value. */
final class ValueFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.ValueFilter proto = FilterProtos.ValueFilter.parseFrom(fields);
    tree.tag(FilterTag.VALUE);
    tree.compare(proto.getCompareFilter());
    return false;
  }
}
