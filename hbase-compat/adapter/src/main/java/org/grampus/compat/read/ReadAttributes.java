package org.grampus.compat.read;

import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Attributes of a Get or Scan that mean something to the server. */
final class ReadAttributes {
  private static final String RAW = "_raw_";
  private static final String ISOLATION_LEVEL = "_isolationlevel_";
  private static final int READ_UNCOMMITTED = 1;

  private ReadAttributes() {}

  /**
   * The flags that the attributes of a read of these columns set.
   *
   * @throws DoNotRetryIOException for a raw read that names columns
   */
  static int flags(List<NameBytesPair> attributes, List<Column> columns)
      throws DoNotRetryIOException {
    int flags = 0;
    for (NameBytesPair attribute : attributes) {
      ByteString value = attribute.getValue();
      if (attribute.getName().equals(RAW)) {
        flags |= value.size() == 1 && value.byteAt(0) != 0 ? ReadFlags.RAW : 0;
      } else if (attribute.getName().equals(ISOLATION_LEVEL)) {
        boolean uncommitted = value.size() == 1 && value.byteAt(0) == READ_UNCOMMITTED;
        flags |= uncommitted ? ReadFlags.READ_UNCOMMITTED : 0;
      }
    }
    if ((flags & ReadFlags.RAW) != 0
        && columns.stream().anyMatch(column -> column.getQualifierCount() > 0)) {
      throw new DoNotRetryIOException("Cannot specify any column for a raw scan");
    }
    return flags;
  }
}
