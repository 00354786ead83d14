package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** FilterList: all or one of several filters. */
final class FilterListAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    FilterProtos.FilterList proto = FilterProtos.FilterList.parseFrom(fields);
    ByteBuf out = tree.tag(FilterTag.LIST);
    out.writeByte(proto.getOperator().getNumber());
    out.writeIntLE(proto.getFiltersCount());
    boolean filtersRows = false;
    for (FilterProtos.Filter filter : proto.getFiltersList()) {
      filtersRows |= tree.write(filter);
    }
    return filtersRows;
  }
}
