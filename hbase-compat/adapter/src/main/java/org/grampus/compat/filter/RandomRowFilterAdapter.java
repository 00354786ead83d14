package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** RandomRowFilter: rows by chance. */
final class RandomRowFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.RandomRowFilter proto = FilterProtos.RandomRowFilter.parseFrom(fields);
    tree.tag(FilterTag.RANDOM_ROW).writeFloatLE(proto.getChance());
    return true;
  }
}
