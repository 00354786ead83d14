package org.grampus.compat.mutate;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.KeyValueWriter;

/** Attributes of a mutation that mean something to the server. */
final class MutationAttributes {
  private static final String TTL = "_ttl";
  private static final String RETURN_RESULTS = "_rr_";

  private MutationAttributes() {}

  /** Time to live in milliseconds for the mutation's cells, or {@link KeyValueWriter#NO_TTL}. */
  static long ttlMillis(MutationProto mutation) throws DoNotRetryIOException {
    ByteString value = find(mutation, TTL);
    if (value == null) {
      return KeyValueWriter.NO_TTL;
    }
    if (value.size() != Long.BYTES) {
      throw new DoNotRetryIOException("Attribute " + TTL + " of " + value.size() + " bytes");
    }
    return value.asReadOnlyByteBuffer().getLong();
  }

  /** Whether an increment or append answers with its new cells. */
  static boolean returnsResult(MutationProto mutation) {
    ByteString value = find(mutation, RETURN_RESULTS);
    return value == null || (value.size() == 1 && value.byteAt(0) != 0);
  }

  private static ByteString find(MutationProto mutation, String name) {
    for (int i = 0; i < mutation.getAttributeCount(); i++) {
      NameBytesPair attribute = mutation.getAttribute(i);
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return null;
  }
}
