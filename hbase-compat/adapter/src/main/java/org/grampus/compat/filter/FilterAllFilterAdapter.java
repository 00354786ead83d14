package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** FilterAllFilter of PerformanceEvaluation: drops every row. */
final class FilterAllFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    tree.tag(FilterTag.FILTER_ALL);
    return true;
  }
}
