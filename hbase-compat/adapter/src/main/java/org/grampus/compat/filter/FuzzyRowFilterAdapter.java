package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;

/** FuzzyRowFilter: rows that match a key where its mask says so. */
final class FuzzyRowFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.FuzzyRowFilter proto = FilterProtos.FuzzyRowFilter.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.FUZZY_ROW);
    out.writeIntLE(proto.getFuzzyKeysDataCount());
    for (BytesBytesPair pair : proto.getFuzzyKeysDataList()) {
      if (pair.getFirst().size() != pair.getSecond().size()) {
        throw new DoNotRetryIOException("Fuzzy pair lengths do not match: " + pair);
      }
      EngineBuffers.bytes(out, pair.getFirst());
      EngineBuffers.bytes(out, pair.getSecond());
    }
    EngineBuffers.flag(out, proto.getIsMaskV2());
    return false;
  }
}
