package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** DependentColumnFilter: keeps cells with the timestamps of a reference column. */
final class DependentColumnFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.DependentColumnFilter proto = FilterProtos.DependentColumnFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.DEPENDENT_COLUMN);
    EngineBuffers.bytes(out, proto.getColumnFamily());
    EngineBuffers.bytes(out, proto.getColumnQualifier());
    EngineBuffers.flag(out, proto.getDropDependentColumn());
    tree.compare(proto.getCompareFilter());
    return true;
  }
}
