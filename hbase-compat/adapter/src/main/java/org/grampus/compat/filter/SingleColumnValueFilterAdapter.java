package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** SingleColumnValueFilter: keeps or drops a row by the value of one column. */
final class SingleColumnValueFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    tree.tag(FilterTag.SINGLE_COLUMN_VALUE);
    writeFields(FilterProtos.SingleColumnValueFilter.parseFrom(fields), tree);
    return true;
  }

  static void writeFields(FilterProtos.SingleColumnValueFilter proto, FilterTreeWriter tree)
      throws IOException {
    ByteBuf out = tree.out();
    EngineBuffers.bytes(out, proto.getColumnFamily());
    EngineBuffers.bytes(out, proto.getColumnQualifier());
    tree.compare(proto.getCompareOp(), proto.getComparator());
    EngineBuffers.flag(out, proto.getFilterIfMissing());
    EngineBuffers.flag(out, proto.getLatestVersionOnly());
  }
}
