package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** FirstKeyValueMatchingQualifiersFilter: cells up to the first of some columns. */
final class FirstKeyValueMatchingQualifiersFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.FirstKeyValueMatchingQualifiersFilter proto =
        FilterProtos.FirstKeyValueMatchingQualifiersFilter.parseFrom(fields);
    tree.tag(FilterTag.FIRST_KEY_VALUE_MATCHING_QUALIFIERS);
    tree.sortedSet(proto.getQualifiersList());
    return false;
  }
}
