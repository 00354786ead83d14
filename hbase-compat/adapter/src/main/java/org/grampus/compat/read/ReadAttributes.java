package org.grampus.compat.read;

import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Attributes of a Get or Scan that mean something to the server. */
final class ReadAttributes {
  private static final String RAW = "_raw_";
  private static final String ISOLATION_LEVEL = "_isolationlevel_";
  private static final int READ_UNCOMMITTED = 1;

  private ReadAttributes() {}

  /** The flags that the attributes set. */
  static int flags(List<NameBytesPair> attributes) {
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
    return flags;
  }
}
