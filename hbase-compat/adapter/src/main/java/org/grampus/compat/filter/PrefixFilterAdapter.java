package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** PrefixFilter: rows with a prefix; without one, HBase passes no row. */
final class PrefixFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.PrefixFilter proto = FilterProtos.PrefixFilter.parseFrom(fields);
    if (!proto.hasPrefix()) {
      tree.tag(FilterTag.FILTER_ALL);
      return false;
    }
    EngineBuffers.bytes(tree.tag(FilterTag.PREFIX), proto.getPrefix());
    return false;
  }
}
