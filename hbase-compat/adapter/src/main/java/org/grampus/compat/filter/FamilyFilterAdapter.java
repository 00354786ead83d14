package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** FamilyFilter: compares the family. */
final class FamilyFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.FamilyFilter proto = FilterProtos.FamilyFilter.parseFrom(fields);
    tree.tag(FilterTag.FAMILY);
    tree.compare(proto.getCompareFilter());
    return false;
  }
}
