package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** InclusiveStopFilter: ends the scan behind a row. */
final class InclusiveStopFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.InclusiveStopFilter proto = FilterProtos.InclusiveStopFilter.parseFrom(fields);
    EngineBuffers.bytes(tree.tag(FilterTag.INCLUSIVE_STOP), proto.getStopRowKey());
    return false;
  }
}
