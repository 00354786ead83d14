package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** MultipleColumnPrefixFilter: columns with one of several prefixes, sent sorted. */
final class MultipleColumnPrefixFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.MultipleColumnPrefixFilter proto =
        FilterProtos.MultipleColumnPrefixFilter.parseFrom(fields);
    tree.tag(FilterTag.MULTIPLE_COLUMN_PREFIX);
    tree.sortedSet(proto.getSortedPrefixesList());
    return false;
  }
}
