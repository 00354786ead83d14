package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** SingleColumnValueExcludeFilter: as SingleColumnValueFilter, without the column itself. */
final class SingleColumnValueExcludeFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.SingleColumnValueExcludeFilter proto =
        FilterProtos.SingleColumnValueExcludeFilter.parseFrom(fields);
    tree.tag(FilterTag.SINGLE_COLUMN_VALUE_EXCLUDE);
    SingleColumnValueFilterAdapter.writeFields(proto.getSingleColumnValueFilter(), tree);
    return true;
  }
}
