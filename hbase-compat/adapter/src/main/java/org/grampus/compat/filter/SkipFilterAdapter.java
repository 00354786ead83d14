package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** SkipFilter: drops a row when its filter drops a cell. */
final class SkipFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.SkipFilter proto = FilterProtos.SkipFilter.parseFrom(fields);
    tree.tag(FilterTag.SKIP);
    tree.write(proto.getFilter());
    return true;
  }
}
