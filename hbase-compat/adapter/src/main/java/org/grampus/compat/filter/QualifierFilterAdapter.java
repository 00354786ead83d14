package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** QualifierFilter: compares the qualifier. */
final class QualifierFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.QualifierFilter proto = FilterProtos.QualifierFilter.parseFrom(fields);
    tree.tag(FilterTag.QUALIFIER);
    tree.compare(proto.getCompareFilter());
    return false;
  }
}
