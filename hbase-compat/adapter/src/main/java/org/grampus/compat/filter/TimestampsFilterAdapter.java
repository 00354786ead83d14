package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** TimestampsFilter: cells of exact timestamps, sent sorted. */
final class TimestampsFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.TimestampsFilter proto = FilterProtos.TimestampsFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.TIMESTAMPS);
    long[] timestamps =
        proto.getTimestampsList().stream().mapToLong(Long::longValue).sorted().distinct().toArray();
    out.writeIntLE(timestamps.length);
    for (long timestamp : timestamps) {
      out.writeLongLE(timestamp);
    }
    EngineBuffers.flag(out, proto.getCanHint());
    return false;
  }
}
