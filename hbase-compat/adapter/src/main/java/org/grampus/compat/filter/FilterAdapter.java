package org.grampus.compat.filter;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** One HBase filter class. */
interface FilterAdapter {
  /**
   * Writes tag and fields.
   *
   * @param fields the filter's serialized message
   * @return whether the filter decides about whole rows ({@code hasFilterRow} in HBase)
   */
  boolean write(ByteString fields, FilterTreeWriter tree) throws IOException;
}
