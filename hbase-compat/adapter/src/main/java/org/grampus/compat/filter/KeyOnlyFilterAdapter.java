package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** KeyOnlyFilter: keys without values. */
final class KeyOnlyFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.KeyOnlyFilter proto = FilterProtos.KeyOnlyFilter.parseFrom(fields);
    EngineBuffers.flag(tree.tag(FilterTag.KEY_ONLY), proto.getLenAsVal());
    return false;
  }
}
