package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** FirstKeyOnlyFilter: the first cell of each row. */
final class FirstKeyOnlyFilterAdapter implements FilterAdapter {
  @Override
  public boolean write(ByteString fields, FilterTreeWriter tree) throws IOException {
    tree.tag(FilterTag.FIRST_KEY_ONLY);
    return false;
  }
}
